//! Answers for the instants asked for, each from what was observed until then.

use jiff::Timestamp;

use super::report::Answered;
use super::{Instant, Row, Session};
use crate::engine::targets::{lineage, resolve};
use crate::reconstruct::Id;
use crate::reconstruct::answer::Answer;
use crate::reconstruct::runs::Run;

impl Session<'_> {
    /// Answers for every instant before the next observation; for all that are left at the end.
    pub(super) fn answer_before(&mut self, next: Option<Timestamp>) {
        while let Some(instant) = self.instants.last().copied() {
            if next.is_some_and(|next| instant.at >= next) {
                return;
            }
            self.instants.pop();
            self.answer_at(instant);
        }
    }

    pub(super) fn answer_at(&mut self, instant: Instant) {
        let resolved = resolve::resolve(&self.reconstruction, self.settings);
        for (target, ids) in resolved.by_target.iter().enumerate() {
            self.found.entry(target).or_default().extend(ids.iter().cloned());
        }
        let mut lineage = lineage::of(&self.reconstruction, self.settings, &resolved);
        self.note(lineage.notes);
        let observed = self.observed_so_far();
        self.observed.insert(instant.place, observed.clone());
        for id in &resolved.ids {
            let answer = self.reconstruction.answer(id, instant.at, &self.question_about(id, &resolved));
            let answered = Answered {
                via: lineage.by_id.remove(id),
                runs: self.dry_run(&answer),
                row: self.row(&answer, instant.at),
                observed: observed.clone(),
                ledger: self.last_runs(id),
                answer,
            };
            self.answered.insert((id.clone(), instant.place), answered);
        }
        if self.listeners.ledger.is_some() {
            self.reconstruction.end_ledger(instant.at);
            self.hand_on_ledger();
        }
    }

    fn last_runs(&self, id: &Id) -> Vec<Run> {
        self.reconstruction.ledger().map(|ledger| ledger.runs(id)).unwrap_or_default()
    }

    /// An object asked for by name that existed at another instant only is answered for too.
    pub(super) fn answer_for_absent(&mut self) {
        let names_something = self.settings.targets.iter().any(|target| target.name().is_some());
        if !names_something {
            return;
        }
        let ids: Vec<Id> = self.found.values().flatten().cloned().collect();
        let seen = resolve::ever_seen(&self.reconstruction, self.settings);
        let end = self.settings.at.is_empty().then(|| self.present());
        let instants = self.settings.at.iter().copied().chain(end);
        let places: Vec<(usize, Timestamp)> = instants.enumerate().collect();
        for id in ids.into_iter().chain(seen) {
            for (place, at) in &places {
                let absent = Answered {
                    answer: Answer::absent(&id, *at),
                    via: None,
                    runs: Vec::new(),
                    row: Row::default(),
                    observed: self.observed.get(place).cloned().unwrap_or_else(|| self.observed_so_far()),
                    // What the ledger held then was not kept for it.
                    ledger: Vec::new(),
                };
                self.answered.entry((id.clone(), *place)).or_insert(absent);
            }
        }
    }
}
