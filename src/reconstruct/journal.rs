//! Writes the ledger: what an observation showed, and what the reconstruction made of it.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::ledger::{Fact, Ledger, Line};
use super::pod_change::PodChange;
use super::track::Marks;
use super::{Id, Reconstruction};
use crate::controller::claim::{self, Claim};
use crate::controller::expectations::{EXPIRY, Gate};
use crate::objects::instant::later;
use crate::objects::log_line::PodChange as Handled;
use crate::objects::{Key, LogLine, Pod, ReplicaSet};

/// What the observation that is being taken has shown so far.
#[derive(Debug, Clone, Default)]
pub struct Journal {
    ledger: Option<Ledger>,
    open: BTreeMap<Id, Open>,
    /// The gate after the last line of each object.
    gates: BTreeMap<Id, Option<Gate>>,
}

#[derive(Debug, Clone)]
struct Open {
    facts: Vec<Fact>,
    before: Marks,
}

impl Reconstruction {
    /// Keeps a ledger from now on.
    pub fn keep(&mut self, ledger: Ledger) {
        self.journal.ledger = Some(ledger);
    }

    /// The ledger, if one is kept.
    pub fn ledger(&self) -> Option<&Ledger> {
        self.journal.ledger.as_ref()
    }

    /// The same, to take its lines.
    pub fn ledger_mut(&mut self) -> Option<&mut Ledger> {
        self.journal.ledger.as_mut()
    }

    fn wants(&self, id: &Id) -> bool {
        self.journal.ledger.as_ref().is_some_and(|ledger| ledger.wants(id))
    }

    /// The observation concerns this object: what follows from it is told.
    pub(super) fn touch(&mut self, id: &Id) {
        if self.wants(id) && !self.journal.open.contains_key(id) {
            let before = self.tracks.get(id).map(|track| track.marks()).unwrap_or_default();
            self.journal.open.insert(id.clone(), Open { facts: Vec::new(), before });
        }
    }

    /// The observation shows this.
    pub(super) fn note(&mut self, id: &Id, fact: impl FnOnce() -> Option<Fact>) {
        self.touch(id);
        if let Some(open) = self.journal.open.get_mut(id) {
            open.facts.extend(fact());
        }
    }

    /// The same for every object that is followed.
    pub(super) fn note_all(&mut self, fact: impl Fn() -> Fact) {
        if self.journal.ledger.is_some() {
            let ids: Vec<Id> = self.tracks.keys().cloned().collect();
            ids.iter().for_each(|id| self.note(id, || Some(fact())));
        }
    }

    /// A line of the log, for the objects of its key.
    pub(super) fn note_log(&mut self, line: &LogLine) {
        if self.journal.ledger.is_none() {
            return;
        }
        if *line == LogLine::Started {
            return self.note_all(|| Fact::LogStarted);
        }
        let (Some(key), Some(fact)) = (self.key_of(line), log_fact(line)) else { return };
        for kind in super::KINDS {
            let id = (kind, key.clone());
            if self.view.cache.replica_set(kind, &key).is_some() {
                self.note(&id, || Some(fact.clone()));
            }
        }
    }

    /// The ReplicaSet that a line is about.
    fn key_of(&self, line: &LogLine) -> Option<Key> {
        match line {
            LogLine::Pod { change: Handled::Created, orphan: false, pod } => {
                let owner = |pod: &Pod| super::follow::owner_key(&self.view, pod);
                self.view.cache.pod(pod).and_then(|pod| owner(pod))
            }
            line => line.key().cloned(),
        }
    }

    /// Writes the lines of the observation that was taken at this instant.
    pub(super) fn close_journal(&mut self, at: Timestamp) {
        for (id, open) in std::mem::take(&mut self.journal.open) {
            self.write(&id, open, at);
        }
    }

    fn write(&mut self, id: &Id, open: Open, at: Timestamp) {
        let track = self.tracks.get(id);
        let held = self.held(id, at);
        let gate = held.and_then(|held| held.gate(at));
        let line = |fact: Fact, at: Timestamp| Line {
            at,
            fact,
            held,
            gate,
            open: held.and_then(|held| held.is_open(at)),
            counts: track.map(|track| track.counts()).unwrap_or_default(),
        };
        let was = self.journal.gates.get(id).copied().flatten();
        let after = track.map(|track| track.marks()).unwrap_or_default();
        let mut facts = open.facts;
        facts.extend(inferred(&open.before, &after));
        let mut lines: Vec<Line> = Vec::new();
        if let (Some(Gate::Waiting), Some(Gate::Expired), Some(held)) = (was, gate, held) {
            let over = held.set_at.latest.map_or(at, |set| later(set, EXPIRY).min(at));
            lines.push(line(Fact::Expired, over));
        }
        lines.extend(facts.into_iter().map(|fact| line(fact, at)));
        if lines.is_empty() {
            return;
        }
        self.journal.gates.insert(id.clone(), gate);
        if let Some(ledger) = &mut self.journal.ledger {
            lines.into_iter().for_each(|line| ledger.write(id, line));
        }
    }

    /// What the controller may hold at this instant; None if the object is not followed.
    fn held(&self, id: &Id, at: Timestamp) -> Option<super::held::Held> {
        let logged = self.by_log(id).and_then(|logged| logged.held());
        logged.or_else(|| self.tracks.get(id).map(|track| track.held(at)))
    }
}

/// What follows from an observation, by what it changed.
fn inferred(before: &Marks, after: &Marks) -> Vec<Fact> {
    let mut facts = Vec::new();
    if after.creates > before.creates {
        facts.push(Fact::CreatesBegun { least: after.sizes.0, most: after.sizes.1 });
    }
    if after.deletes > before.deletes {
        facts.push(Fact::DeletesBegun { least: after.sizes.0, most: after.sizes.1 });
    }
    if after.swallowed > before.swallowed {
        facts.push(Fact::Swallowed);
    }
    if after.settled > before.settled {
        facts.push(Fact::Settled);
    }
    facts
}

fn log_fact(line: &LogLine) -> Option<Fact> {
    Some(match line {
        LogLine::Creates { count, .. } => Fact::LogCreates(*count),
        LogLine::Deletes { count, .. } => Fact::LogDeletes(*count),
        LogLine::SkippedCreates { count, .. } => Fact::LogSkipped(*count),
        LogLine::DeletionSeen { pod, .. } => Fact::LogDeletion(pod.clone()),
        LogLine::Pod { pod, .. } => Fact::LogCreation(pod.name.clone()),
        LogLine::Dropped { .. } => Fact::LogDropped,
        LogLine::Stale { .. } => Fact::LogStale,
        LogLine::SyncFailed { error, .. } => Fact::LogFailed(error.clone()),
        _ => return None,
    })
}

/// What a pod's change is to one ReplicaSet.
pub(super) fn pod_fact(replica_set: &ReplicaSet, changed: &PodChange, made: bool) -> Option<Fact> {
    let keeps = |pod: &Pod| claim::claim(replica_set, pod) == Claim::Keep;
    let names = |pod: &Pod| pod.controller().is_some_and(|owner| owner.uid == replica_set.meta.uid);
    let now = &*changed.now;
    let pod = now.meta.name.clone();
    if changed.gone {
        let own = names(now) || changed.before.as_deref().is_some_and(names);
        return own.then_some(Fact::Gone { pod });
    }
    if changed.is_new() {
        return Some(match made {
            true => Fact::Created { pod, named: names(now) && now.meta.deleted.is_none() },
            false => Fact::Arrived { pod, named: names(now) },
        });
    }
    let before = changed.before.as_deref()?;
    if keeps(before) && !keeps(now) {
        return Some(Fact::Lost { pod });
    }
    if !names(before) && names(now) {
        return Some(Fact::Adopted { pod });
    }
    if !names(now) {
        return None;
    }
    if before.meta.deleted.is_none() && now.meta.deleted.is_some() {
        return Some(Fact::Terminating { pod });
    }
    (before.is_active() && !now.is_active()).then_some(Fact::Ended { pod })
}

/// What a change of a ReplicaSet shows.
pub(super) fn replica_set_facts(old: Option<&ReplicaSet>, new: &ReplicaSet) -> Vec<Fact> {
    let Some(old) = old else { return vec![Fact::Appeared] };
    if old.meta.uid != new.meta.uid {
        return vec![Fact::Recreated];
    }
    let mut facts = Vec::new();
    if old.replicas != new.replicas {
        facts.push(Fact::Scaled { from: i64::from(old.replicas), to: i64::from(new.replicas) });
    }
    if old.status != new.status {
        facts.push(Fact::StatusWritten {
            replicas: i64::from(new.status.replicas),
            generation: new.status.observed_generation,
            failure: new.status.failure().map(|condition| condition.message.clone()),
        });
    }
    facts
}
