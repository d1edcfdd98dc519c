//! Files, directories, standard input and bytes in memory, recognised by content.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use jiff::Timestamp;

use super::controller_log::skew::Seen;
use super::controller_log::{self, LogOptions, Merge};
use super::documents::{self, Shape};
use super::intake::Intake;
use super::{Flow, Input, Notes, Sink, recording, yaml};

/// Endings of the files that are read in a directory.
const ENDINGS: [&str; 6] = ["json", "jsonl", "yaml", "yml", "gz", "log"];

/// How much of an input decides what it is.
const HEAD: u64 = 64 << 10;

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
        for file in expand(input, recursive, &mut notes, sink) {
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
    let format = sniff(&opened).ok();
    // Closed meanwhile if it can be: a directory may hold more files than can be open at once.
    (format, Some(opened).filter(|_| !can_reopen(file)))
}

/// Whether a file begins anew when it is opened again.
pub fn can_reopen(file: &Input) -> bool {
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
    read_one(begin(Box::new(bytes)), until, &mut intake);
    intake.finish();
    notes
}

/// Reads one input that is no log.
fn read_one(opened: io::Result<Opened>, until: Option<Timestamp>, intake: &mut Intake<'_>) {
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) => {
            intake.complain(None, unreadable(&error));
            return;
        }
    };
    match sniff(&opened) {
        Err(text) => _ = intake.complain(None, text),
        // Found before; nothing else stands between logs and the rest.
        Ok(Format::Log) => {}
        // Two recordings have two clocks and two ends: nothing could be said for both at once.
        Ok(Format::Recording) if intake.notes.recording => {
            intake
                .complain(None, "only one recording is answered for at a time: ask about this one by itself");
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
        intake.complain(None, unreadable(&error));
    }
}

/// What an input holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Yaml,
    Recording,
    Log,
}

/// Recognises an input by its beginning, or says why it cannot be read.
fn sniff(opened: &Opened) -> Result<Format, String> {
    let head = &opened.head;
    let marked = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    if marked || head.iter().take(2).filter(|b| **b == 0).count() == 1 {
        return Err("is UTF-16 text: save it as UTF-8".to_owned());
    }
    // A log that was truncated while it was written has holes of zeros.
    if head.contains(&0) && !controller_log::is_log(head) {
        return Err("is binary data, not text".to_owned());
    }
    let text = head.trim_ascii_start();
    match text.first() {
        None => match &opened.failed {
            Some(error) => Err(unreadable(error)),
            None => Err("is empty".to_owned()),
        },
        Some(b'{') => Ok(match Shape::peek(text) {
            Shape::Recording => Format::Recording,
            Shape::LogLine => Format::Log,
            Shape::Object if controller_log::is_log(text) => Format::Log,
            _ => Format::Json,
        }),
        Some(_) if controller_log::is_log(text) => Ok(Format::Log),
        Some(b'[') => Ok(Format::Json),
        Some(_) => Ok(Format::Yaml),
    }
}

/// An input whose beginning has been read, decompressed.
pub struct Opened {
    head: Vec<u8>,
    rest: Box<dyn Read>,
    /// Why no more could be read than the head.
    failed: Option<io::Error>,
}

/// Opens an input and reads its beginning.
pub fn open(input: &Input) -> io::Result<Opened> {
    begin(match input {
        Input::Path(path) => Box::new(BufReader::new(File::open(path)?)),
        Input::Stdin => Box::new(BufReader::new(io::stdin())),
    })
}

fn begin(mut raw: Box<dyn BufRead>) -> io::Result<Opened> {
    let mut magic = Vec::new();
    raw.by_ref().take(2).read_to_end(&mut magic)?;
    let zipped = magic == b"\x1f\x8b";
    let raw = io::Cursor::new(magic).chain(raw);
    let mut rest: Box<dyn Read> = if zipped { Box::new(MultiGzDecoder::new(raw)) } else { Box::new(raw) };
    let mut head = Vec::new();
    let failed = rest.by_ref().take(HEAD).read_to_end(&mut head).err();
    if head.starts_with(b"\xef\xbb\xbf") {
        head.drain(..3);
    }
    Ok(Opened { head, rest, failed })
}

impl Opened {
    /// The whole text, and why it ends early if it does.
    fn whole(mut self) -> (Vec<u8>, Option<io::Error>) {
        if self.failed.is_none() {
            self.failed = self.rest.read_to_end(&mut self.head).err();
        }
        (self.head, self.failed)
    }

    /// The text as it comes.
    pub fn reader(self) -> impl BufRead {
        let rest: Box<dyn Read> = match self.failed {
            Some(error) => Box::new(Failed(Some(error))),
            None => self.rest,
        };
        BufReader::with_capacity(HEAD as usize, io::Cursor::new(self.head).chain(rest))
    }
}

/// Gives the error that came before.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Says why an input cannot be read.
pub fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "does not exist".to_owned(),
        ErrorKind::PermissionDenied => "cannot be read: permission denied".to_owned(),
        ErrorKind::UnexpectedEof => "is cut off: the gzip data ends too early".to_owned(),
        ErrorKind::InvalidInput | ErrorKind::InvalidData => format!("is no valid gzip data: {error}"),
        _ => format!("cannot be read: {error}"),
    }
}

/// The files that an input stands for.
fn expand(input: &Input, recursive: bool, notes: &mut Notes, sink: &mut dyn Sink) -> Vec<Input> {
    let Input::Path(path) = input else { return vec![Input::Stdin] };
    if !path.is_dir() {
        return vec![input.clone()];
    }
    let mut intake = Intake::new(input, notes, sink);
    let mut found = Found::default();
    found.directory(path, recursive, &mut intake);
    if found.files.is_empty() && found.problems == 0 {
        let kinds = ENDINGS.map(|e| format!(".{e}")).join(" ");
        let more = if found.passed > 0 { "; subdirectories are read with -R" } else { "" };
        intake.complain(None, format!("is a directory without a file of these endings: {kinds}{more}"));
    }
    found.files.into_iter().map(Input::Path).collect()
}

#[derive(Default)]
struct Found {
    files: Vec<PathBuf>,
    /// Subdirectories that were passed over.
    passed: usize,
    problems: usize,
}

impl Found {
    /// Collects the files of a directory in the order of their names. Links to directories are
    /// not followed, they may lead in circles.
    fn directory(&mut self, path: &Path, recursive: bool, intake: &mut Intake<'_>) {
        let entries = std::fs::read_dir(path).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
        let mut paths = match entries {
            Ok(entries) => entries.iter().map(std::fs::DirEntry::path).collect::<Vec<_>>(),
            Err(error) => {
                self.problems += 1;
                intake.complain(None, format!("{}: {}", path.display(), unreadable(&error)));
                return;
            }
        };
        paths.sort();
        for path in paths {
            let is_link = path.is_symlink();
            if path.is_dir() {
                if recursive && !is_link {
                    self.directory(&path, recursive, intake);
                } else {
                    self.passed += 1;
                }
            } else if has_ending(&path) && (path.is_file() || !path.exists()) {
                // A link that leads nowhere is a problem of its own when it is opened.
                self.files.push(path);
            }
        }
    }
}

fn has_ending(path: &Path) -> bool {
    let ending = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}
