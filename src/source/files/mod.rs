//! Files, directories, standard input and bytes in memory, recognised by content: objects in JSON
//! ([`documents`]) or YAML ([`yaml`]), a recording ([`recording`]) or a log of the controller.
//!
//! May use the logs beside it and [`objects`](crate::objects). Start reading at [`read_with_logs`];
//! what each reader finds it puts into an [`Intake`].

mod cursor;
mod directory;
mod documents;
mod intake;
mod open;
mod recording;
mod yaml;

use std::io;

use jiff::Timestamp;

use self::intake::Intake;
use self::open::Format;
use super::controller_log::skew::Seen;
use super::controller_log::{LogOptions, Merge};
use super::{Error, Flow, Input, Notes, Sink};

pub(crate) use open::{Opened, open};
pub use recording::VERSION;

/// Reads inputs in their order. `until` ends recordings and logs at that instant.
pub fn read(inputs: &[Input], recursive: bool, until: Option<Timestamp>, sink: &mut dyn Sink) -> Notes {
    let options = LogOptions { reference: until, until, ..LogOptions::default() };
    read_with_logs(inputs, recursive, until, options, sink)
}

/// Reads inputs in their order, and logs between them: a line of a log before what was received
/// after it.
pub fn read_with_logs(
    inputs: &[Input],
    recursive: bool,
    until: Option<Timestamp>,
    options: LogOptions,
    sink: &mut dyn Sink,
) -> Notes {
    let mut notes = Notes::default();
    let mut files = Vec::new();
    let mut logs = Vec::new();
    let mut recording = None;
    for input in inputs {
        for file in directory::expand(input, recursive, &mut notes, sink) {
            match recognise(&file) {
                (Some(Format::Log), opened) => logs.push((file, opened)),
                (format, opened) => {
                    if format == Some(Format::Recording) && recording.is_none() {
                        recording = Some(file.clone());
                    }
                    files.push((file, opened));
                }
            }
        }
    }
    let has_logs = !logs.is_empty() || !options.files.is_empty();
    let mut merge = Merge::new(sink, options, logs);
    if let Some(recording) = recording.filter(|recording| has_logs && can_reopen(recording)) {
        let (seen, started) = seen_in(&recording, until);
        merge.compare(&seen, started);
    }
    for (file, opened) in files {
        let opened = opened.map_or_else(|| open(&file), Ok);
        let mut intake = Intake::new(&file, &mut notes, &mut merge);
        read_one(opened, until, &mut intake);
        if intake.finish() == Flow::Enough {
            break;
        }
    }
    merge.finish(&mut notes);
    notes
}

/// What a file holds. What can be opened only once is handed back open.
fn recognise(file: &Input) -> (Option<Format>, Option<Opened>) {
    let Ok(opened) = open(file) else { return (None, None) };
    let format = opened.format().ok();
    // Closed meanwhile if it can be: a directory may hold more files than can be open at once.
    if can_reopen(file) { (format, None) } else { (format, Some(opened)) }
}

/// Whether a file begins anew when it is opened again.
pub(crate) fn can_reopen(file: &Input) -> bool {
    matches!(file, Input::Path(path) if path.is_file())
}

/// When a recording has pods come and go, and when it began. What is wrong with it is said when
/// it is read for good.
fn seen_in(recording: &Input, until: Option<Timestamp>) -> (Seen, Option<Timestamp>) {
    let (mut seen, mut notes) = (Seen::default(), Notes::default());
    if let Ok(opened) = open(recording) {
        let mut intake = Intake::new(recording, &mut notes, &mut seen);
        recording::read(&mut opened.reader(), until, &mut intake);
    }
    (seen, notes.started_at)
}

/// Reads what is in memory as if it were the content of `input`.
pub fn read_bytes(
    input: &Input,
    bytes: &'static [u8],
    until: Option<Timestamp>,
    sink: &mut dyn Sink,
) -> Notes {
    let mut notes = Notes::default();
    let mut intake = Intake::new(input, &mut notes, sink);
    read_one(open::begin(Box::new(bytes)), until, &mut intake);
    intake.finish();
    notes
}

/// Reads one input that is no log.
fn read_one(opened: io::Result<Opened>, until: Option<Timestamp>, intake: &mut Intake<'_>) {
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) => {
            intake.complain(None, &error);
            return;
        }
    };
    match opened.format() {
        Err(error) => _ = intake.complain(None, error),
        // Found before; nothing else stands between logs and the rest.
        Ok(Format::Log) => {}
        Ok(Format::Recording) if intake.notes.recording => {
            intake.complain(None, Error::SecondRecording);
        }
        Ok(Format::Recording) => _ = recording::read(&mut opened.reader(), until, intake),
        Ok(Format::Json) => read_whole(opened, documents::read, intake),
        Ok(Format::Yaml) => read_whole(opened, yaml::read, intake),
    }
}

fn read_whole(opened: Opened, read: impl Fn(&[u8], &mut Intake<'_>) -> Flow, intake: &mut Intake<'_>) {
    let (text, failed) = opened.whole();
    read(&text, intake);
    if let Some(error) = failed {
        intake.documents = 0;
        intake.complain(None, &error);
    }
}
