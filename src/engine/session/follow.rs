//! While the source is open: hands on what changed, and decides whether enough was observed.

use jiff::Timestamp;

use super::report::fingerprint;
use super::{Instant, Session};
use crate::engine::ask::Answers;
use crate::engine::provenance::Provenance;
use crate::engine::settings::Question as Asked;
use crate::engine::targets::resolve;
use crate::objects::Key;
use crate::reconstruct::verdict::Verdict;
use crate::reconstruct::{Id, Reconstruction};
use crate::source::Flow;

/// More objects than this are not answered for at every event just to end a window early.
const FEW: usize = 100;

/// Takes reports as they change, and returns whether it wants more.
pub(crate) type ChangeListener<'a> = Box<dyn FnMut(Answers) -> Flow + 'a>;

/// Takes the lines of the ledger as they come.
pub(crate) trait LedgerListener {
    /// The ledger may have new lines; returns whether more are wanted.
    fn advanced(&mut self, reconstruction: &mut Reconstruction) -> Flow;

    /// Nothing new has come until this instant.
    fn idle(&mut self, now: Timestamp) -> Flow;
}

/// Who is notified while a run goes on.
#[derive(Default)]
pub struct Listeners<'a> {
    /// Of reports as they change, while a cluster is followed.
    pub(crate) changes: Option<ChangeListener<'a>>,
    /// Of the lines of the ledger.
    pub(crate) ledger: Option<&'a mut dyn LedgerListener>,
}

impl Session<'_> {
    /// The source is live; its answers have this provenance while it is open.
    pub(crate) fn opened(&mut self, provenance: Provenance) {
        self.live = Some(provenance);
    }

    pub(super) fn follow(&mut self, now: Timestamp) -> Flow {
        if self.hand_on_changes(now) == Flow::Enough || self.has_enough(now) {
            return Flow::Enough;
        }
        self.listeners.ledger.as_mut().map_or(Flow::Continue, |listener| listener.idle(now))
    }

    pub(super) fn hand_on_ledger(&mut self) -> Flow {
        let Session { listeners, reconstruction, .. } = self;
        listeners.ledger.as_mut().map_or(Flow::Continue, |listener| listener.advanced(reconstruction))
    }

    /// Whether no further evidence is wanted: every verdict is the one that `--until` waits for, or
    /// nothing that a short window shows could change the verdicts.
    fn has_enough(&self, now: Timestamp) -> bool {
        let until = self.settings.live.until;
        // A list ends by itself, and a timeline lasts as long as its window.
        let goes_on = matches!(self.settings.question, Asked::List { .. } | Asked::Timeline { .. });
        let final_answer = self.listeners.changes.is_none() && !goes_on;
        if until.is_none() && !final_answer {
            return false;
        }
        let ids = resolve::resolve(&self.reconstruction, self.settings).ids;
        let satisfied = |id: &Id| {
            let answer = self.reconstruction.answer(id, now, &self.question());
            match until {
                Some(wanted) => answer.verdict == wanted,
                None => answer.verdict == Verdict::Settled || answer.object.is_some_and(|o| o.is_deleting()),
            }
        };
        (until.is_none() || !ids.is_empty()) && ids.len() <= FEW && ids.iter().all(satisfied)
    }

    fn hand_on_changes(&mut self, now: Timestamp) -> Flow {
        if self.listeners.changes.is_none() {
            return Flow::Continue;
        }
        let Some(provenance) = self.live.clone() else { return Flow::Continue };
        self.answer_at(Instant { at: now, place: 0 });
        let (reports, rows) = self.take_reports(&provenance);
        let mut changed = Answers::default();
        for (report, row) in reports.into_iter().zip(rows) {
            let key = Key::new(report.object.namespace.as_str(), report.object.name.as_str());
            let print = fingerprint(self.settings, &report, &row);
            if self.emitted.insert((report.object.kind, key), print.clone()).as_ref() != Some(&print) {
                changed.reports.push(report);
                changed.rows.push(row);
            }
        }
        if changed.reports.is_empty() {
            return Flow::Continue;
        }
        changed.notes = self.new_notes();
        self.listeners.changes.as_mut().map_or(Flow::Continue, |listener| listener(changed))
    }

    /// The notes that were not handed on yet.
    pub(super) fn new_notes(&mut self) -> Vec<String> {
        let new = self.notes[self.noted..].to_vec();
        self.noted = self.notes.len();
        new
    }

    pub(super) fn note(&mut self, notes: Vec<String>) {
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }
}
