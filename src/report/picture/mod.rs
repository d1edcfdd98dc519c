//! A timeline as a picture: what was awaited, the gate, the next sync and the pods over time.
//!
//! It is collected from the same lines that the text is written from. [`svg`] draws it, [`page`] puts
//! pictures into one page with the rows of the text beneath. Both are whole in themselves: nothing is
//! fetched, no text of a cluster can become markup, and colour never says what a shape does not say too.

mod bands;
mod bars;
mod chart;
mod draw;
mod lives;
mod marks;
mod page;
mod scale;

use jiff::Timestamp;

pub(crate) use self::chart::svg;
use self::lives::Lives;
use self::marks::Mark;
pub(crate) use self::page::page;
use super::format::{awaited, date, time};
use super::ledger::ledger_line;
use super::timeline::GateLabel;
use super::{Bounds, DueSync, LedgerLine, timeline};
use crate::reconstruct::Id;
use crate::reconstruct::ledger::Basis;
use crate::reconstruct::ledger::Line;
use crate::reconstruct::runs::{Run, Runs};

/// So many rows are kept, as of the sections of the text.
const MOST_ROWS: usize = 5000;

/// So many changes of what was awaited are kept.
const MOST_STEPS: usize = 20_000;

/// What one picture shows.
#[derive(Debug, Clone)]
pub(crate) struct Picture {
    name: String,
    namespace: String,
    verdict: String,
    /// The rows of the text, each with its mark.
    rows: Vec<PictureRow>,
    dropped: usize,
    runs: Runs,
    full: bool,
    /// The state after each line, oldest first.
    steps: Vec<StateChange>,
    lives: Lives,
}

/// A row of the text.
#[derive(Debug, Clone)]
struct PictureRow {
    line: LedgerLine,
    mark: Option<Mark>,
}

/// The state from an instant on.
#[derive(Debug, Clone, PartialEq)]
struct StateChange {
    at: Timestamp,
    /// What is awaited; None where there is no ReplicaSet.
    held: Option<Awaited>,
}

/// What is awaited, and what follows for a sync.
#[derive(Debug, Clone, PartialEq)]
struct Awaited {
    add: Bounds,
    del: Bounds,
    gate: GateLabel,
    sync: Option<DueSync>,
}

impl Picture {
    /// Nothing seen yet. With `full` each line is a row, else runs of alike ones are.
    pub fn new(id: &Id, full: bool) -> Picture {
        let (kind, key) = id;
        Picture {
            name: format!("{}/{}", kind.short(), key.name),
            namespace: key.namespace.clone(),
            verdict: String::new(),
            rows: Vec::new(),
            dropped: 0,
            runs: Runs::default(),
            full,
            steps: Vec::new(),
            lives: Lives::default(),
        }
    }

    /// Takes a line.
    pub fn take(&mut self, line: Line) {
        let run = Run::of(line.clone());
        let value = ledger_line(&run);
        // Where the clock of a recording goes back, the picture stands still.
        let at = self.steps.last().map_or(line.at, |step| step.at.max(line.at));
        self.lives.take(&line.fact, at);
        let held = match (value.add, value.del) {
            (Some(add), Some(del)) => {
                Some(Awaited { add, del, gate: timeline::gate(&value), sync: value.sync.clone() })
            }
            _ => None,
        };
        self.steps.push(StateChange { at, held });
        if self.steps.len() > MOST_STEPS {
            self.steps.drain(..MOST_STEPS / 10);
        }
        if self.full {
            self.row(&run);
        } else {
            self.runs.push(line);
            let ended = self.runs.take_ended();
            ended.iter().for_each(|run| self.row(run));
        }
    }

    /// No further line comes; this is said of the end.
    pub(crate) fn end(&mut self, verdict: String) {
        self.verdict = verdict;
        let runs = self.runs.take_all();
        runs.iter().for_each(|run| self.row(run));
    }

    fn row(&mut self, run: &Run) {
        let mark = Mark::of(&run.last.fact, run.count);
        self.rows.push(PictureRow { line: ledger_line(run), mark });
        if self.rows.len() > MOST_ROWS {
            let surplus = MOST_ROWS / 10;
            self.rows.drain(..surplus);
            self.dropped += surplus;
        }
    }

    /// The first and the last instant; None without any line.
    fn span(&self) -> Option<(Timestamp, Timestamp)> {
        Some((self.steps.first()?.at, self.steps.last()?.at))
    }

    /// The states, each until the next; equal ones are one. What follows the last one is not known.
    fn stretches(&self) -> Vec<Stretch<'_>> {
        let mut stretches: Vec<Stretch> = Vec::new();
        for (step, next) in self.steps.iter().zip(self.steps.iter().skip(1)) {
            match stretches.last_mut() {
                Some(last) if last.held == step.held.as_ref() => last.to = next.at,
                _ if step.at == next.at => {}
                _ => stretches.push(Stretch { from: step.at, to: next.at, held: step.held.as_ref() }),
            }
        }
        stretches
    }
}

/// A state, from when until when.
#[derive(Debug, Clone, Copy)]
struct Stretch<'a> {
    from: Timestamp,
    to: Timestamp,
    held: Option<&'a Awaited>,
}

/// A row in one sentence, for hovering and for screen readers.
fn sentence(line: &LedgerLine) -> String {
    let known = match line.basis {
        Basis::Inferred => " inferred",
        Basis::Logged => " logged",
        _ => "",
    };
    let mut text = format!("{}{known}: {}", time(line.at), line.text);
    if let Some(until) = line.until {
        text += &format!(" (until {})", time(until));
    }
    if let (Some(add), Some(del)) = (line.add, line.del) {
        let (add, del) = (awaited(add), awaited(del));
        text += &format!("; add {add}, del {del}, gate {}", timeline::gate(line).in_words());
    }
    text
}

/// When the picture begins and ends, for its heading.
fn from_to(picture: &Picture) -> String {
    let Some((from, to)) = picture.span() else { return "nothing was seen".into() };
    let until = if date(from) == date(to) { time(to) } else { format!("{} {}", date(to), time(to)) };
    format!("{} {} to {until} UTC", date(from), time(from))
}
