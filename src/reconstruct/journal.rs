//! Writes the ledger: what an observation showed, and what the reconstruction made of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::held::Held;
use super::ledger::{Fact, Ledger, Line, There};
use super::track::{Counts, Marks};
use super::{Id, Reconstruction};
use crate::model::claim::{self, Claim};
use crate::model::expectations::{EXPIRY, Gate};
use crate::objects::instant::later;
use crate::objects::log_line::PodChange as Handled;
use crate::objects::{Key, LogLine, Pod};

/// What the observation that is being taken has shown so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Journal {
    ledger: Option<Ledger>,
    open: BTreeMap<Id, Open>,
    /// What the next line of each object follows on.
    last: BTreeMap<Id, Last>,
    /// Not before then does the next of their five minutes end.
    next_expiry: Option<Timestamp>,
    /// The newest line.
    newest: Option<Timestamp>,
}

/// The state after the last line of an object.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    /// What could be held.
    held: Option<Held>,
    counts: Counts,
    deleting: bool,
    /// The last gate that was known.
    gate: Option<Gate>,
    /// Whether there were more pods than wanted at any line since deletes were last told to begin.
    surplus: bool,
    /// Whether a round was told to begin, and not yet to end.
    round: bool,
}

impl Last {
    /// When the five minutes end, if something is awaited.
    fn expires(&self) -> Option<Timestamp> {
        let set = self.held.filter(|_| self.gate == Some(Gate::Waiting))?.set_at.latest?;
        Some(later(set, EXPIRY))
    }

    /// That the five minutes have ended by this instant.
    fn expiry(&self, at: Timestamp) -> Option<Line> {
        let over =
            self.expires().filter(|_| self.held.and_then(|held| held.gate(at)) == Some(Gate::Expired))?;
        Some(Line {
            at: over,
            fact: Fact::Expired,
            held: self.held,
            gate: Some(Gate::Expired),
            open: Some(true),
            counts: self.counts,
            deleting: self.deleting,
        })
    }
}

#[derive(Debug, Clone)]
struct Open {
    facts: Vec<Fact>,
    before: Marks,
}

impl Reconstruction {
    /// Keeps a ledger from now on.
    pub(crate) fn keep(&mut self, ledger: Ledger) {
        self.journal.ledger = Some(ledger);
    }

    /// The ledger, if one is kept.
    pub(crate) fn ledger(&self) -> Option<&Ledger> {
        self.journal.ledger.as_ref()
    }

    /// The same, to take its lines.
    pub(crate) fn ledger_mut(&mut self) -> Option<&mut Ledger> {
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

    /// A window opens on every object that is followed, of these.
    pub(super) fn note_opened(&mut self, these: impl Fn(&Id) -> bool) {
        let ids: Vec<Id> = self.tracks.keys().filter(|id| these(id)).cloned().collect();
        for id in ids {
            let there = self.there(&id);
            self.note(&id, || Some(Fact::Opened { there }));
        }
    }

    /// The pods of this object, and orphans that it would adopt, by name; none if nobody asks.
    pub(super) fn there(&self, id: &Id) -> Vec<There> {
        if !self.wants(id) {
            return Vec::new();
        }
        let Some(object) = self.view.cache.replica_set(id.0, &id.1) else { return Vec::new() };
        let pods = self.view.cache.considered(object, &self.profile);
        let own = |pod: &Pod| match pod.controller() {
            Some(_) => Some(true),
            None => (claim::claim(object, pod) == Claim::Adopt).then_some(false),
        };
        let there = |pod: &Arc<Pod>| {
            let (terminating, owned) = (pod.meta.deleted.is_some(), own(pod)?);
            let ended = !terminating && !pod.is_active();
            Some(There { pod: pod.meta.name.clone(), owned, terminating, ended })
        };
        pods.iter().filter_map(there).collect()
    }

    /// A line of the log, for the objects of its key.
    pub(super) fn note_log(&mut self, line: &LogLine) {
        if self.journal.ledger.is_none() {
            return;
        }
        if *line == LogLine::Started {
            return self.note_all(|| Fact::LogStarted);
        }
        let (Some(key), Some(fact)) = (self.key_of(line), super::facts::log_fact(line)) else { return };
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
                // The controller may have seen a pod before the observer: its name tells whose it is.
                let made_for = || Some(Key::new(pod.namespace.as_str(), pod.name.rsplit_once('-')?.0));
                self.view.cache.pod(pod).map_or_else(made_for, |pod| owner(pod))
            }
            line => line.key().cloned(),
        }
    }

    /// Writes the lines of the observation that was taken at this instant.
    pub(super) fn close_journal(&mut self, at: Timestamp) {
        self.journal.write_expiries(at);
        for (id, open) in std::mem::take(&mut self.journal.open) {
            self.write(&id, open, at);
        }
    }

    fn write(&mut self, id: &Id, open: Open, at: Timestamp) {
        let track = self.tracks.get(id);
        let held = self.held(id, at);
        let gate = held.and_then(|held| held.gate(at));
        let object = self.view.cache.replica_set(id.0, &id.1);
        let counted = || object.map(|object| self.count(object)).unwrap_or_default();
        let counts = track.map_or_else(counted, |track| track.counts());
        let is_open = held.and_then(|held| held.is_open(at));
        let deleting = object.is_some_and(|object| object.is_deleting());
        let line = |fact, at| Line { at, fact, held, gate, open: is_open, counts, deleting };
        let last = self.journal.last.get(id).copied().unwrap_or_default();
        let mut lines: Vec<Line> = Vec::new();
        // What a sync did stands before what betrays it.
        let after = track.map(|track| track.marks()).unwrap_or_default();
        let inferred = match self.by_log(id).is_some() {
            true => Vec::new(),
            false => inferred(&open.before, &after, last),
        };
        let deletes = inferred.iter().any(|fact| matches!(fact, Fact::DeletesBegun { .. }));
        let round = inferred.iter().fold(last.round, |round, fact| match fact {
            Fact::CreatesBegun { .. } | Fact::DeletesBegun { .. } => true,
            Fact::Settled | Fact::Swallowed => false,
            _ => round,
        });
        lines.extend(inferred.into_iter().chain(open.facts).map(|fact| line(fact, at)));
        if lines.is_empty() {
            return;
        }
        let surplus = counts.owned + counts.adoptable > counts.wanted;
        // Around the expiry the clocks leave open which gate it is: what it was before counts.
        let surplus = surplus || (last.surplus && !deletes);
        let gate = gate.or(last.gate);
        let last = Last { held, counts, deleting, gate, surplus, round };
        self.journal.next_expiry = earlier(self.journal.next_expiry, last.expires());
        self.journal.newest = self.journal.newest.max(Some(at));
        let gone = object.is_none();
        self.journal.last.insert(id.clone(), last);
        if let Some(ledger) = &mut self.journal.ledger {
            lines.into_iter().for_each(|line| ledger.write(id, line));
            // A long stream has many objects that come and go.
            if gone {
                ledger.close(id);
                self.journal.last.remove(id);
            }
        }
    }

    /// Ends the ledger at this instant, not before the last observation: a line for each object
    /// that is there says what is known then.
    pub(crate) fn end_ledger(&mut self, at: Timestamp) {
        let objects = self.view.cache.replica_sets().map(|object| (object.kind, object.key()));
        let mut ids: Vec<Id> = objects.filter(|id| self.wants(id)).collect();
        ids.sort();
        for id in ids {
            let there = self.there(&id);
            self.note(&id, || Some(Fact::Asked { there }));
            if let Some(track) = self.tracks.get_mut(&id) {
                track.pass(&self.pods_version, at);
            }
        }
        self.close_journal(at);
    }

    /// What the controller may hold at this instant; None if the object is not followed.
    fn held(&self, id: &Id, at: Timestamp) -> Option<Held> {
        let logged = self.by_log(id).and_then(|logged| logged.held());
        let followed = || self.tracks.get(id).map(|track| track.held(at));
        // In a snapshot nothing is followed.
        let there = || self.view.cache.replica_set(id.0, &id.1).map(|_| Held::UNKNOWN);
        logged.or_else(followed).or_else(there)
    }
}

impl Journal {
    /// Tells whose five minutes have ended, whoever the observation is about.
    fn write_expiries(&mut self, at: Timestamp) {
        if self.next_expiry.is_none_or(|next| at <= next) {
            return;
        }
        let ended = self.last.iter().filter_map(|(id, last)| Some((last.expiry(at)?, id.clone())));
        let mut ended: Vec<(Line, Id)> = ended.collect();
        ended.sort_by(|(a, x), (b, y)| (a.at, x).cmp(&(b.at, y)));
        for (mut line, id) in ended {
            // By the clocks' differences it is sure only after lines that came later.
            line.at = self.newest.map_or(line.at, |newest| line.at.max(newest));
            self.newest = Some(line.at);
            if let Some(last) = self.last.get_mut(&id) {
                last.gate = line.gate;
            }
            if let Some(ledger) = &mut self.ledger {
                ledger.write(&id, line);
            }
        }
        self.next_expiry = self.last.values().filter_map(Last::expires).min();
    }
}

fn earlier(a: Option<Timestamp>, b: Option<Timestamp>) -> Option<Timestamp> {
    a.into_iter().chain(b).min()
}

/// What follows from an observation, by what it changed. Events come late: without a surplus since
/// the last deletes, one is about these.
fn inferred(before: &Marks, after: &Marks, last: Last) -> Vec<Fact> {
    let mut facts = Vec::new();
    if after.settled > before.settled && last.round {
        facts.push(Fact::Settled);
    }
    if after.creates > before.creates {
        facts.push(Fact::CreatesBegun { least: after.sizes.0, most: after.sizes.1 });
    }
    if after.deletes > before.deletes && last.surplus {
        facts.push(Fact::DeletesBegun { least: after.sizes.0, most: after.sizes.1 });
    }
    if after.swallowed > before.swallowed {
        facts.push(Fact::Swallowed);
    }
    facts
}
