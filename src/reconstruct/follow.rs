//! Lists, gaps and lines of the log: which ReplicaSets are followed, and from where.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::detail::Gap;
use super::ledger::Fact;
use super::logged::Logged;
use super::pod_change::made_by_controller;
use super::track::{Counts, Track};
use super::view::View;
use super::{Id, KINDS, Reconstruction};
use crate::objects::{Key, LogLine, Object, OwnerKind, Pod, ReplicaSet, Resource};

/// A controller that is alive has handled what happened so long before.
const REACTION: SignedDuration = SignedDuration::from_millis(200);

impl Reconstruction {
    pub(super) fn log_line(&mut self, line: &LogLine, resource: Resource, at: Option<Timestamp>) {
        self.note_log(line);
        let alone = self.opened.is_none() && self.is_log_alone();
        let Reconstruction { logs, view, tracks, .. } = self;
        let owner = |pod: &Key| owner_key(view, view.cache.pod(pod)?);
        let gone = |key: &Key, pod: &str| {
            KINDS.iter().any(|kind| tracks.get(&(*kind, key.clone())).is_some_and(|track| track.saw_end(pod)))
        };
        let other = match resource {
            Resource::ReplicationControllers => OwnerKind::ReplicaSet,
            _ => OwnerKind::ReplicationController,
        };
        let starts = |key: &Key| view.cache.replica_set(other, key).is_none();
        logs.take(line, at, owner, gone, starts, alone);
    }

    /// What the log says of one object; nothing where two kinds share a name.
    pub(crate) fn logged(&self, id: &Id) -> Option<&Logged> {
        let other = KINDS.into_iter().find(|kind| *kind != id.0)?;
        if self.view.cache.replica_set(other, &id.1).is_some() {
            return None;
        }
        self.logs.of(&id.1)
    }

    /// The same, where it can be relied upon: it tells of the entry, and it does not end before
    /// what was seen of the object while the controller was alive.
    pub(super) fn by_log(&self, id: &Id) -> Option<&Logged> {
        let tells = |logged: &&Logged| logged.held().is_some() && !self.logs.is_behind();
        let logged = self.logged(id).filter(tells)?;
        // At -v=2 only a sync that creates or deletes is told of.
        let event = match self.logs.is_detailed() {
            true => logged.unanswered(),
            false => self.tracks.get(id).and_then(|track| track.due_since()),
        };
        let alive = |event: Timestamp| self.alive.is_some_and(|alive| alive.duration_since(event) > REACTION);
        let over = event.is_some_and(|event| alive(event) && logged.ends_before(event));
        // What happened between its last line and the opening of the window is not known.
        let opened = self.tracks.get(id).and_then(|track| track.opened).or(self.opened);
        let misses = opened.is_some_and(|opened| !self.logs.reaches(opened));
        (!over && !misses).then_some(logged)
    }

    pub(super) fn list(&mut self, resource: Resource, items: Vec<Object>, at: Option<Timestamp>) {
        self.view.quotas_listed |= resource == Resource::Quotas;
        let again = at.is_some() && !self.listed.insert(resource);
        if again {
            self.drop_missing(resource, &items);
        }
        for object in items {
            self.note_seen(&object);
            if let (true, Some(at), Object::Pod(pod)) = (again, at, &object)
                && let Some(owner) = owner_key(&self.view, pod)
                && self.view.cache.pod(&pod.meta.key()).is_none()
                && made_by_controller(pod)
            {
                self.logs.pod_added(&owner, &pod.meta.key(), false, at);
            }
            match again {
                true => drop(self.view.apply(object, false)),
                false => self.view.merge(object),
            }
        }
        self.match_early(at);
        if at.is_some() && resource == Resource::Pods {
            self.logs.listed();
        }
        if again {
            self.miss(Gap::Relisted(resource), at);
        }
    }

    /// The log may have told of pods before the observer saw them, or their owner.
    fn match_early(&mut self, at: Option<Timestamp>) {
        let (Some(at), view) = (at, &self.view) else { return };
        self.logs.match_early(at, |pod| owner_key(view, view.cache.pod(pod)?));
    }

    /// Objects that a second list no longer has went unseen.
    fn drop_missing(&mut self, resource: Resource, items: &[Object]) {
        let kept: BTreeSet<Key> = items.iter().map(|o| o.meta().key()).collect();
        match resource {
            Resource::Pods => {
                let gone: Vec<Key> =
                    self.view.cache.pods().map(|p| p.meta.key()).filter(|k| !kept.contains(k)).collect();
                gone.iter().for_each(|key| drop(self.view.cache.remove_pod(key)));
            }
            Resource::ReplicaSets | Resource::ReplicationControllers => {
                let kind = match resource {
                    Resource::ReplicaSets => OwnerKind::ReplicaSet,
                    _ => OwnerKind::ReplicationController,
                };
                let all = self.view.cache.replica_sets().filter(|rs| rs.kind == kind);
                let gone: Vec<Key> = all.map(|rs| rs.key()).filter(|k| !kept.contains(k)).collect();
                for key in gone {
                    self.note(&(kind, key.clone()), || Some(Fact::Removed));
                    self.view.cache.remove_replica_set(kind, &key);
                    self.tracks.remove(&(kind, key));
                }
            }
            _ => {}
        }
    }

    /// Something was missed: nothing is known any more of any entry.
    pub(super) fn miss(&mut self, gap: Gap, at: Option<Timestamp>) {
        let Some(at) = at else { return self.gaps.push(gap) };
        let known: BTreeSet<Id> = self.tracks.keys().cloned().collect();
        for id in &known {
            let there = self.there(id);
            self.note(id, || Some(Fact::Missed { gap: gap.clone(), there }));
        }
        self.gaps.push(gap);
        self.following = true;
        self.tracks.clear();
        self.begin_tracks(Track::missed, at);
        self.note_opened(|id| !known.contains(id));
    }

    /// Begins to follow every ReplicaSet anew.
    pub(super) fn begin_tracks(&mut self, begin: fn(&ReplicaSet, Counts, Timestamp) -> Track, at: Timestamp) {
        let replica_sets: Vec<Arc<ReplicaSet>> = self.view.cache.replica_sets().cloned().collect();
        replica_sets.iter().for_each(|replica_set| self.insert_track(replica_set, begin, at));
    }

    pub(super) fn note_seen(&mut self, object: &Object) {
        if let Object::ReplicaSet(replica_set) = object {
            self.seen.insert((replica_set.kind, replica_set.key()));
        }
    }

    /// Begins to follow changes, once the opening lists are through.
    pub(super) fn follow(&mut self, at: Timestamp) {
        if self.following {
            return;
        }
        self.following = true;
        self.begin_tracks(Track::listed, at);
        self.note_opened(|_| true);
    }

    pub(super) fn insert_track(
        &mut self,
        replica_set: &ReplicaSet,
        begin: fn(&ReplicaSet, Counts, Timestamp) -> Track,
        at: Timestamp,
    ) {
        let mut track = begin(replica_set, self.count(replica_set), at);
        track.swallows = self.swallows(&replica_set.meta.namespace);
        track.take_room(self.room(&replica_set.meta.namespace));
        self.tracks.insert((replica_set.kind, replica_set.key()), track);
    }
}

/// The key of the ReplicaSet or ReplicationController that a pod names as its controller.
pub(super) fn owner_key(view: &View, pod: &Pod) -> Option<Key> {
    let owner = pod.controller()?;
    let mut found = KINDS.iter().filter_map(|kind| view.cache.resolve(*kind, &pod.meta.namespace, owner));
    found.next().map(|owner| owner.key())
}
