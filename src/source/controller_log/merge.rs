//! Logs between the observations of a recording or a live window: everything reaches the sink in
//! the order of time.

use std::collections::BTreeMap;
use std::io::{self, BufRead};

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::clock::Clock;
use super::lines::LONGEST;
use super::reader::{Counts, LogLines};
use super::skew::{self, Seen, Skew};
use crate::objects::{LogLine, Observation, What};
use crate::source::files::{self, Opened};
use crate::source::{Error, Flow, Input, Notes, Problem, Sink};

/// klog takes a line's time before it waits for its turn to write: lines that lie so near to each
/// other may stand in the wrong order.
const DISORDER: SignedDuration = SignedDuration::from_millis(100);

/// More lines than this are not held back to bring them into order.
const MOST_AHEAD: usize = 10_000;

/// What is known of logs before they are read.
#[derive(Debug, Clone, Default)]
pub struct LogOptions {
    /// The logs.
    pub files: Vec<Input>,
    /// An instant near their end, for the year that text lacks; else that of the first
    /// observation that has a time.
    pub reference: Option<Timestamp>,
    /// Lines after this instant are left out.
    pub until: Option<Timestamp>,
    /// The zone of text; UTC if not told.
    pub zone: Option<Offset>,
    /// Whether the logs may grow meanwhile, as they do beside a live window.
    pub growing: bool,
}

/// What was read of one log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogNotes {
    pub(crate) input: Input,
    /// Its lines, as far as it was read.
    pub(crate) counts: Counts,
    /// How many of the ReplicaSet controller's lines were handed on.
    pub(crate) used: u64,
    /// How its clock goes.
    pub(crate) skew: Skew,
    /// The zone that its text seems to be in, where it is another than was told.
    pub(crate) zone: Option<Offset>,
    /// Whether all that it has of them is later than what was asked for.
    pub(crate) later: bool,
    /// Why it could not be read to its end.
    pub(crate) failed: bool,
}

/// A sink that hands on what it gets, and before that every line of the logs that is not later.
pub(crate) struct Merge<'a> {
    sink: &'a mut dyn Sink,
    feeds: Vec<Feed>,
    options: LogOptions,
    /// The time of the last observation that is none of a log.
    last: Option<Timestamp>,
    flow: Flow,
}

impl Sink for Merge<'_> {
    fn observe(&mut self, observation: Observation) -> Flow {
        if let Some(at) = observation.at {
            self.last = self.last.max(Some(at));
            self.refer_to(at);
            self.pull(Some(at), !self.options.growing);
        }
        if self.flow == Flow::Continue {
            self.flow = self.sink.observe(observation);
        }
        self.flow
    }

    fn idle(&mut self, now: Timestamp) -> Flow {
        self.pull(Some(now), !self.options.growing);
        if self.flow == Flow::Continue {
            self.flow = self.sink.idle(now);
        }
        self.flow
    }
}

impl<'a> Merge<'a> {
    /// Reads these logs beside whatever is observed; those that are open already, as standard
    /// input is, with what was read of them.
    pub fn new(sink: &'a mut dyn Sink, options: LogOptions, opened: Vec<(Input, Option<Opened>)>) -> Self {
        let named = options.files.iter().map(|input| (input.clone(), None));
        let feeds = opened.into_iter().chain(named).map(|(input, opened)| Feed::new(input, opened)).collect();
        let mut merge = Merge { sink, feeds, options, last: None, flow: Flow::Continue };
        if let Some(reference) = merge.options.reference {
            merge.refer_to(reference);
        }
        merge
    }

    /// Measures how the clocks of the logs differ from the one behind what was seen.
    pub(crate) fn compare(&mut self, seen: &Seen, reference: Option<Timestamp>) {
        if let Some(reference) = self.options.reference.or(reference) {
            self.refer_to(reference);
        }
        self.feeds.iter_mut().for_each(|feed| feed.compare(seen));
    }

    /// Takes this instant for the reference if there is none yet.
    fn refer_to(&mut self, at: Timestamp) {
        let reference = *self.options.reference.get_or_insert(at);
        for feed in &mut self.feeds {
            feed.clock.reference.get_or_insert(reference);
            feed.clock.zone = self.options.zone;
        }
    }

    /// Hands on every line up to this instant, all if there is none.
    fn pull(&mut self, until: Option<Timestamp>, last: bool) {
        let until = [until, self.options.until].into_iter().flatten().min();
        while self.flow == Flow::Continue {
            let next = self.feeds.iter_mut().enumerate();
            let next = next.filter_map(|(at, feed)| Some((feed.peek(until, last)?, at))).min();
            let Some((_, at)) = next else { return };
            if let Some(line) = self.feeds[at].pop(last) {
                self.flow = self.sink.observe(line);
            }
        }
    }

    /// Hands on what is left, and notes what was read. Lines after the end of a recording are left
    /// out unless a later instant is asked for: nothing is known of the objects by then.
    pub fn finish(mut self, notes: &mut Notes) -> Flow {
        let until = self.options.until.or(self.last);
        self.pull(until, true);
        self.feeds.iter_mut().for_each(|feed| feed.tell(notes));
        self.flow
    }
}

/// One log.
struct Feed {
    input: Input,
    opened: Option<Opened>,
    clock: Clock,
    reader: Reader,
    /// Lines that were read ahead to bring them into order; those without a time stand behind
    /// the one before them.
    ahead: BTreeMap<(Timestamp, u64), Observation>,
    /// How many lines were taken ahead so far.
    number: u64,
    /// The latest time so far.
    newest: Timestamp,
    /// The time of the line before, where a line without one stands.
    previous: Timestamp,
    /// How many lines of the ReplicaSet controller were handed on.
    used: u64,
    failed: Option<Error>,
    skew: Skew,
}

enum Reader {
    /// Not opened yet.
    New,
    /// Nothing but the time of its first line was read. Closed meanwhile: a directory may hold more
    /// logs than can be open at once.
    Later(Timestamp),
    Open(Box<LogLines<Box<dyn BufRead>>>),
    Done(Counts),
}

impl Feed {
    fn new(input: Input, opened: Option<Opened>) -> Feed {
        let (clock, newest) = (Clock::default(), Timestamp::MIN);
        let (ahead, number, failed) = (BTreeMap::new(), 0, None);
        Feed {
            input,
            opened,
            clock,
            reader: Reader::New,
            ahead,
            number,
            newest,
            previous: newest,
            used: 0,
            failed,
            skew: Skew::Unknown,
        }
    }

    fn compare(&mut self, seen: &Seen) {
        self.skew = if !files::can_reopen(&self.input) {
            Skew::ReadOnce
        } else if seen.is_empty() {
            Skew::NoPod
        } else {
            // Why it cannot be read is said when it is read for good.
            files::open(&self.input)
                .map_or(Skew::Unknown, |opened| skew::measure(opened.reader(), self.clock.clone(), seen))
        };
        self.clock.ahead = self.skew.correction();
    }

    /// The time of the next line, if it is not later than this instant.
    fn peek(&mut self, until: Option<Timestamp>, last: bool) -> Option<Timestamp> {
        let begins = matches!(self.reader, Reader::New);
        let next = match self.reader {
            Reader::Later(first) => Some(first),
            _ => {
                self.read_ahead(last);
                self.ahead.first_key_value().map(|((at, _), _)| *at)
            }
        };
        if let (true, Some(first)) = (begins, next) {
            self.set_aside(first);
        }
        next.filter(|at| until.is_none_or(|until| *at <= until))
    }

    /// Closes a log that can be read again from its beginning.
    fn set_aside(&mut self, first: Timestamp) {
        if files::can_reopen(&self.input) {
            self.ahead.clear();
            (self.newest, self.previous) = (Timestamp::MIN, Timestamp::MIN);
            self.reader = Reader::Later(first);
        }
    }

    /// The line that was peeked at.
    fn pop(&mut self, last: bool) -> Option<Observation> {
        if matches!(self.reader, Reader::Later(_)) {
            self.read_ahead(last);
        }
        let (_, line) = self.ahead.pop_first()?;
        self.used += u64::from(!matches!(line.what, What::Log(LogLine::Flag { .. })));
        Some(line)
    }

    /// Reads until the first line held is surely the next one.
    fn read_ahead(&mut self, last: bool) {
        if matches!(self.reader, Reader::New | Reader::Later(_)) {
            self.open();
        }
        let Reader::Open(lines) = &mut self.reader else { return };
        loop {
            let first = self.ahead.first_key_value().map(|((at, _), _)| *at);
            if let Some(first) = first
                && (self.newest.duration_since(first) > DISORDER || self.ahead.len() >= MOST_AHEAD)
            {
                return;
            }
            match lines.next(last) {
                Ok(Some(observation)) => {
                    let at = observation.at.unwrap_or(self.previous);
                    self.previous = at;
                    self.newest = self.newest.max(at);
                    self.number += 1;
                    self.ahead.insert((at, self.number), observation);
                }
                Ok(None) if !last => return,
                Ok(None) => break,
                Err(error) => {
                    self.failed = Some(Error::from(&error));
                    break;
                }
            }
        }
        self.reader = Reader::Done(lines.counts());
    }

    fn open(&mut self) {
        let opened = match self.opened.take() {
            Some(opened) => Ok(opened),
            None => files::open(&self.input),
        };
        let lines = opened.map(|opened| {
            let reader: Box<dyn BufRead> = Box::new(opened.reader());
            LogLines::new(reader, self.clock.clone())
        });
        self.reader = match lines {
            Ok(lines) => Reader::Open(Box::new(lines)),
            Err(error) => {
                self.failed = Some(Error::from(&error));
                Reader::Done(Counts::default())
            }
        };
    }

    /// Notes what was read, and what could not be.
    fn tell(&mut self, notes: &mut Notes) {
        let counts = match &self.reader {
            Reader::New | Reader::Later(_) => Counts::default(),
            Reader::Open(lines) => lines.counts(),
            Reader::Done(counts) => counts.clone(),
        };
        let later = self.used == 0 && (counts.understood > 0 || matches!(self.reader, Reader::Later(_)));
        let failed = self.failed.take();
        let is_failed = failed.is_some();
        let nothing = (counts.klog == 0 && matches!(self.reader, Reader::Done(_)) && !is_failed)
            .then_some(if counts.lines == 0 { Error::Empty } else { Error::NoLog });
        let overlong = (counts.overlong > 0)
            .then_some(Error::LongLines { mebibytes: LONGEST >> 20, count: counts.overlong });
        for error in [nothing, overlong, failed].into_iter().flatten() {
            notes.problems.push(Problem::new(&self.input, error));
        }
        let zone = if counts.zoneless > 0 { self.skew.zone(self.clock.zone) } else { None };
        let (input, used, skew) = (self.input.clone(), self.used, self.skew);
        notes.logs.push(LogNotes { input, counts, used, skew, zone, later, failed: is_failed });
    }
}

/// Reads a log by itself.
pub fn read(
    opened: io::Result<Opened>,
    input: &Input,
    options: LogOptions,
    notes: &mut Notes,
    sink: &mut dyn Sink,
) {
    let opened = opened.map_err(|error| {
        notes.problems.push(Problem::new(input, Error::from(&error)));
    });
    if let Ok(opened) = opened {
        Merge::new(sink, options, vec![(input.clone(), Some(opened))]).finish(notes);
    }
}
