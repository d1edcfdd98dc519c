//! Reads what the settings name and answers their question.

use jiff::Timestamp;

use crate::engine::failure::Failure;
use crate::engine::live;
use crate::engine::origin::Origin;
use crate::engine::session::Session;
pub use crate::engine::session::{Emit, Lines, Listeners};
use crate::engine::settings::Settings;
pub use crate::engine::told::Row;
use crate::report::Report;
use crate::source::controller_log::LogOptions;
use crate::source::{self, Input, Notes};

/// What was found out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answers {
    /// One report for each object and instant, ordered by namespace, name and instant as given.
    pub reports: Vec<Report>,
    /// What a table shows beside each report, in the same order.
    pub rows: Vec<Row>,
    /// How targets were understood that are no ReplicaSets themselves, one line each.
    pub notes: Vec<String>,
    /// What the user should know about the inputs, one line each.
    pub warnings: Vec<String>,
    /// What could not be used of the input, one line each.
    pub problems: Vec<String>,
    /// Named targets that do not exist: [`Target::not_found`](crate::engine::targets::target::Target::not_found) of each.
    pub missing: Vec<String>,
    /// Whether there was input, but nothing of it could be read.
    pub unread: bool,
    /// Whether `--timeout` ran out before the verdict of `--until` came.
    pub timed_out: bool,
}

/// Answers for the objects that the settings name: from the inputs, or from the cluster. `emit`
/// takes reports as they change while a cluster is followed.
pub fn answer<'a>(settings: &'a Settings, emit: Option<Emit<'a>>) -> Result<Answers, Failure> {
    listen(settings, Listeners { changes: emit, ..Listeners::default() })
}

/// The same; the listeners are told what happens while it is read.
pub fn listen<'a>(settings: &'a Settings, listeners: Listeners<'a>) -> Result<Answers, Failure> {
    if settings.asks_cluster() {
        return live::answer(settings, listeners);
    }
    ask(settings, listeners, |session| {
        let until = session.last_instant();
        let last = until.or(settings.now);
        let (files, zone) = (settings.logs.clone(), settings.log_zone);
        let logs = LogOptions { files, reference: last, until: last, zone, growing: false };
        source::read_with_logs(&settings.inputs, settings.recursive, until, logs, session)
    })
}

/// Answers from these bytes, which stand for the content of `input`.
pub fn answer_from(settings: &Settings, input: &Input, bytes: &'static [u8]) -> Result<Answers, Failure> {
    ask(settings, Listeners::default(), |session| {
        source::read_bytes(input, bytes, session.last_instant(), session)
    })
}

/// Answers from what `read` pushes into the session.
fn ask<'a>(
    settings: &'a Settings,
    listeners: Listeners<'a>,
    read: impl FnOnce(&mut Session<'a>) -> Notes,
) -> Result<Answers, Failure> {
    let mut session = Session::new(settings, listeners);
    let notes = read(&mut session);
    if notes.recording {
        not_before_its_end(settings, session.reconstruction().last_at())?;
    }
    let origin = Origin::of_files(&notes, settings, session.reconstruction());
    let unread = !notes.problems.is_empty() && notes.objects == 0 && notes.logs.is_empty();
    Ok(Answers { unread, ..session.finish(origin) })
}

/// What a recording shows after `--now` would be told as if it had been so by then.
fn not_before_its_end(settings: &Settings, end: Option<Timestamp>) -> Result<(), Failure> {
    match settings.now.zip(end) {
        Some((now, end)) if now < end => Err(Failure::Usage(format!(
            "--now {now} is before the end of the recording ({end}): ask about an earlier instant with --at"
        ))),
        _ => Ok(()),
    }
}
