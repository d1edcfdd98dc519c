//! Reads what the settings name and answers their question.

use jiff::Timestamp;

use crate::engine::failure::Failure;
use crate::engine::live;
use crate::engine::provenance::Provenance;
use crate::engine::session::{ChangeListener, Listeners, Row, Session};
use crate::engine::settings::Settings;
use crate::report::Report;
use crate::source::controller_log::LogOptions;
use crate::source::{self, Input, Notes};

/// The answers of a run.
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

/// Answers for the objects that the settings name: from the inputs, or from the cluster. `changes`
/// takes reports as they change while a cluster is followed.
pub fn answer<'a>(settings: &'a Settings, changes: Option<ChangeListener<'a>>) -> Result<Answers, Failure> {
    listen(settings, Listeners { changes, ..Listeners::default() })
}

/// The same; the listeners are notified while it is read.
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
    let provenance = Provenance::of_files(&notes, settings, session.reconstruction());
    let unread = !notes.problems.is_empty() && notes.objects == 0 && notes.logs.is_empty();
    Ok(Answers { unread, ..session.finish(provenance) })
}

fn not_before_its_end(settings: &Settings, end: Option<Timestamp>) -> Result<(), Failure> {
    match settings.now.zip(end) {
        Some((now, end)) if now < end => Err(Failure::BeforeTheEnd { now, end }),
        _ => Ok(()),
    }
}
