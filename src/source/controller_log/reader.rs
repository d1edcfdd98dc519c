//! Reads a log line by line, pulled by whoever wants the next one.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::clock::{Clock, Written};
use super::lines::{Line, Lines};
use super::messages::{self, Said};
use super::record::Record;
use super::{json, klog};
use crate::objects::log_line::Step;
use crate::objects::{LogLine, Observation, OwnerKind, Resource, What};

/// An error of more lines, or longer, is cut: it explains nothing any more.
const LONGEST_RECORD: usize = 64 << 10;

/// What a log held.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines in all.
    pub lines: u64,
    /// Lines of klog, whatever they say.
    pub klog: u64,
    /// Lines that were understood: those of the ReplicaSet controller.
    pub understood: u64,
    /// Lines that nobody of the controller-manager wrote, or that are damaged.
    pub foreign: u64,
    /// Lines that are too long to be read.
    pub overlong: u64,
    /// Whether any line shows that the log is at -v=4.
    pub detailed: bool,
    /// Understood lines without a time.
    pub timeless: u64,
    /// Understood lines whose zone nobody tells.
    pub(crate) zoneless: u64,
}

/// The lines of a log that mean something, as observations, in their order. Memory is bounded by
/// the longest line.
pub struct LogLines<R> {
    lines: Lines<R>,
    /// Why no more can be read.
    failed: Option<io::Error>,
    /// What turns lines into observations.
    state: State,
}

struct State {
    clock: Clock,
    counts: Counts,
    loggers: Loggers,
    open: Option<Open>,
    ready: VecDeque<Observation>,
}

/// Which lines name their logger: handlers' in every version that has loggers, a sync's only up
/// to 1.35.
#[derive(Debug, Clone, Copy, Default)]
struct Loggers {
    handlers_do: bool,
    syncs_do_not: bool,
    /// Both were seen otherwise too.
    contrary: bool,
}

/// A record that may go on in the next line.
struct Open {
    text: String,
    written: Option<Written>,
    /// Whether a field of several lines is open, and not a plain sentence.
    field: bool,
}

impl<R: BufRead> LogLines<R> {
    /// Reads a log whose times this clock understands.
    pub fn new(reader: R, clock: Clock) -> Self {
        let (open, ready) = (None, VecDeque::new());
        let state = State { clock, counts: Counts::default(), loggers: Loggers::default(), open, ready };
        LogLines { lines: Lines::new(reader), failed: None, state }
    }

    /// The next line; None at the end. A file that still grows may be asked again: only `last`
    /// takes what has no end yet for the end.
    pub fn next(&mut self, last: bool) -> io::Result<Option<Observation>> {
        loop {
            if let Some(observation) = self.state.ready.pop_front() {
                return Ok(Some(observation));
            }
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            // What was read before a failure is handed out before it.
            let is_open = self.state.open.is_some();
            match self.lines.next(last) {
                Ok(Some(line)) => self.state.take(line),
                Ok(None) if last && is_open => self.state.close(),
                Ok(None) => return Ok(None),
                Err(error) => {
                    self.state.close();
                    match self.state.ready.pop_front() {
                        Some(line) => {
                            self.failed = Some(error);
                            return Ok(Some(line));
                        }
                        None => return Err(error),
                    }
                }
            }
        }
    }

    /// What was read so far.
    pub fn counts(&self) -> Counts {
        let counts = self.state.counts.clone();
        Counts { lines: self.lines.count, overlong: self.lines.overlong, ..counts }
    }

    /// The clock, to be set once more is known.
    pub fn clock(&mut self) -> &mut Clock {
        &mut self.state.clock
    }
}

impl State {
    fn take(&mut self, line: Line<'_>) {
        if let Some(open) = &mut self.open {
            if open.goes_on(line.text) {
                open.add(line.text);
                if open.is_closed() {
                    self.close();
                }
                return;
            }
            self.close();
        }
        if let Some(head) = klog::head(line.text) {
            self.counts.klog += 1;
            let quoted = head.rest.strip_prefix(b"\"");
            if messages::is_known(quoted.unwrap_or(head.rest), quoted.is_some()) {
                self.text(&head, &line);
            }
        } else if let Some(known) = json::peek(line.text) {
            self.counts.klog += 1;
            if known {
                self.json(line.text);
            }
        } else if !line.text.is_empty() {
            self.counts.foreign += 1;
        }
    }

    fn text(&mut self, head: &klog::Head<'_>, line: &Line<'_>) {
        // The number at the end of a cut line may lack digits.
        if line.cut && line.text.last().is_some_and(u8::is_ascii_digit) {
            self.counts.foreign += 1;
            return;
        }
        let text = String::from_utf8_lossy(head.rest);
        let written = head.written(line.stamp);
        let field = text.starts_with('"');
        let goes_on =
            if field { text.ends_with("=<") } else { text.starts_with("sync ") || text.starts_with("Sync ") };
        if goes_on {
            self.open = Some(Open { text: text.into_owned(), written, field });
        } else {
            self.record(Record::text(&text), written);
        }
    }

    fn json(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        match Record::json(text.as_bytes()) {
            Some((record, written)) => self.record(Some(record), written),
            None => self.counts.foreign += 1,
        }
    }

    /// Ends a record that may have gone on.
    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.record(Record::text(&open.text), open.written);
        }
    }

    fn record(&mut self, record: Option<Record<'_>>, written: Option<Written>) {
        let said = record.and_then(|record| messages::read(&record));
        let Some(Said { mut line, owner, has_logger }) = said else { return };
        self.loggers.learn(&line, has_logger);
        if let LogLine::Expectations { step: Step::Lowered, by_handler, .. } = &mut line
            && self.loggers.tell_handlers()
        {
            *by_handler = Some(has_logger);
        }
        let at = written.and_then(|written| self.clock.resolve(written));
        if !matches!(line, LogLine::Flag { .. }) {
            self.counts.understood += 1;
            self.counts.timeless += u64::from(at.is_none());
            let zoneless = matches!(written, Some(Written::Yearless { stamp: None, .. }));
            self.counts.zoneless += u64::from(zoneless);
        }
        self.counts.detailed |= line.is_detailed();
        let resource = match owner {
            Some(OwnerKind::ReplicationController) => Resource::ReplicationControllers,
            _ => Resource::ReplicaSets,
        };
        self.ready.push_back(Observation { at, resource, what: What::Log(line) });
    }
}

impl Loggers {
    fn learn(&mut self, line: &LogLine, has_logger: bool) {
        let by_handler = matches!(
            line,
            LogLine::DeletionSeen { .. }
                | LogLine::Pod { .. }
                | LogLine::Adding { .. }
                | LogLine::Resized { .. }
        );
        let by_sync = matches!(
            line,
            LogLine::Creates { .. }
                | LogLine::Deletes { .. }
                | LogLine::NeverRecorded { .. }
                | LogLine::AwaitsDeletions { .. }
                | LogLine::WritesStatus { .. }
                | LogLine::Finished { .. }
        );
        self.handlers_do |= by_handler && has_logger;
        self.syncs_do_not |= by_sync && !has_logger;
        self.contrary |= (by_handler && !has_logger) || (by_sync && has_logger);
    }

    /// Whether a logger tells a handler's line from a sync's.
    fn tell_handlers(self) -> bool {
        self.handlers_do && self.syncs_do_not && !self.contrary
    }
}

impl Open {
    fn goes_on(&self, line: &[u8]) -> bool {
        if self.field {
            return line.first() == Some(&b'\t') || line.starts_with(b" >");
        }
        !klog::is_head(line) && line.first() != Some(&b'{')
    }

    fn add(&mut self, line: &[u8]) {
        let ends = self.field && line.starts_with(b" >");
        if ends || self.text.len() < LONGEST_RECORD {
            let line = &line[..line.len().min(LONGEST_RECORD)];
            self.text.push('\n');
            self.text.push_str(&String::from_utf8_lossy(line));
        }
    }

    /// Whether nothing can follow: the field ended, and no other began.
    fn is_closed(&self) -> bool {
        let last = self.text.rsplit('\n').next().unwrap_or_default();
        self.field && last.starts_with(" >") && !last.ends_with("=<")
    }
}
