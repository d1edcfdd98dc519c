//! Event handlers: what a watch event does to expectations and queue. A ReplicaSet that is deleted or changes its UID drops
//! its expectations from 1.17 on; the rest is alike in all versions but for a second of delay. See docs/semantics.md
//! section 3.
//!
//! The informer updates its cache before it calls the handlers, so `cache` is the state after the event. Each handler serves
//! one of the two controllers, named by `kind`.

use jiff::SignedDuration;

use super::cache::Cache;
use super::effect::Effect;
use super::profile::Profile;
use crate::objects::{OwnerKind, Pod, ReplicaSet};

/// What the handlers need besides the objects.
#[derive(Debug, Clone, Copy)]
pub struct Handlers<'a> {
    /// Which controller handles: ReplicaSets or ReplicationControllers.
    pub kind: OwnerKind,
    /// The cache, already holding the event's object.
    pub cache: &'a Cache,
    /// The version's behaviour.
    pub profile: &'a Profile,
}

impl Handlers<'_> {
    /// A pod that is new to the informer. One that is already being deleted is handled as deleted, so that it never lowers
    /// add: after a relist the creation stays pending until it expires.
    pub fn pod_added(&self, pod: &Pod) -> Vec<Effect> {
        if pod.meta.deleted.is_some() {
            return self.pod_deleted(pod);
        }
        if pod.controller().is_none() {
            return self.enqueue_matching(pod);
        }
        let Some(owner) = self.owner(pod) else { return Vec::new() };
        let key = owner.key();
        vec![Effect::CreationObserved { key: key.clone(), count: 1 }, Effect::enqueue(key)]
    }

    /// A changed pod. A terminating one is handled as deleted, again at each update.
    pub fn pod_updated(&self, old: &Pod, new: &Pod) -> Vec<Effect> {
        // A resync: the informer replays its cache.
        if old.meta.resource_version == new.meta.resource_version {
            return Vec::new();
        }
        let labels_changed = old.meta.labels != new.meta.labels;
        // With a deletionTimestamp the controller counts the pod as gone: waiting for the kubelet would take its whole grace
        // period.
        if new.meta.deleted.is_some() {
            let mut effects = self.pod_deleted(new);
            if labels_changed {
                effects.extend(self.pod_deleted(old));
            }
            return effects;
        }
        let mut effects = Vec::new();
        let owner_changed = old.controller() != new.controller();
        if owner_changed && let Some(owner) = self.owner(old) {
            effects.push(Effect::enqueue(owner.key()));
        }
        if new.controller().is_some() {
            effects
                .extend(self.owner(new).into_iter().flat_map(|owner| self.enqueue_changed(owner, old, new)));
        } else if labels_changed || owner_changed {
            effects.extend(self.enqueue_matching(new));
        }
        effects
    }

    /// A removed pod in its last known state, also as a tombstone after a relist.
    pub fn pod_deleted(&self, pod: &Pod) -> Vec<Effect> {
        let Some(owner) = self.owner(pod) else { return Vec::new() };
        let key = owner.key();
        vec![Effect::DeletionObserved { key: key.clone(), pod: pod.meta.key() }, Effect::enqueue(key)]
    }

    /// A ReplicaSet that is new to the informer.
    pub fn replica_set_added(&self, replica_set: &ReplicaSet) -> Vec<Effect> {
        vec![Effect::enqueue(replica_set.key())]
    }

    /// A changed ReplicaSet, also a resync or the controller's own status write. Another UID means that the old one was
    /// deleted unseen and its name reused.
    pub fn replica_set_updated(&self, old: &ReplicaSet, new: &ReplicaSet) -> Vec<Effect> {
        let mut effects = Vec::new();
        if old.meta.uid != new.meta.uid && self.profile.handlers_forget {
            effects.extend(self.replica_set_deleted(old));
        }
        effects.push(Effect::enqueue(new.key()));
        effects
    }

    /// A removed ReplicaSet, also as a tombstone.
    pub fn replica_set_deleted(&self, replica_set: &ReplicaSet) -> Vec<Effect> {
        let key = replica_set.key();
        let forget = self.profile.handlers_forget.then(|| Effect::Forget { key: key.clone() });
        forget.into_iter().chain([Effect::enqueue(key)]).collect()
    }

    fn owner(&self, pod: &Pod) -> Option<&ReplicaSet> {
        self.cache.resolve(self.kind, &pod.meta.namespace, pod.controller()?).map(|found| &**found)
    }

    fn enqueue_changed(&self, owner: &ReplicaSet, old: &Pod, new: &Pod) -> Vec<Effect> {
        let mut effects = vec![Effect::enqueue(owner.key())];
        if !old.is_ready() && new.is_ready() && owner.min_ready_seconds > 0 {
            // Up to 1.33 a second more, lest the re-check come milliseconds too early.
            let extra = if self.profile.exact_availability { 0 } else { 1 };
            let after = SignedDuration::from_secs(i64::from(owner.min_ready_seconds) + extra);
            effects.push(Effect::Enqueue { key: owner.key(), after });
        }
        effects
    }

    /// An orphan triggers a sync of every ReplicaSet that could adopt it.
    fn enqueue_matching(&self, pod: &Pod) -> Vec<Effect> {
        self.cache
            .replica_sets_in(self.kind, &pod.meta.namespace)
            .filter(|rs| !rs.selector.is_empty() && rs.selector.matches(&pod.meta.labels))
            .map(|rs| Effect::enqueue(rs.key()))
            .collect()
    }
}
