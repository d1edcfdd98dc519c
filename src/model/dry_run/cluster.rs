//! The cluster that a dry run assumes: every call that succeeds is seen by the controller before its next sync.

use std::sync::Arc;

use jiff::Timestamp;

use super::Simulation;
use crate::model::effect::Effect;
use crate::model::handlers::Handlers;
use crate::model::plan::Plan;
use crate::objects::{Key, OwnerKind, OwnerReference, Phase, Pod, ReplicaSet};

impl Simulation<'_> {
    fn owner(&self) -> Option<Arc<ReplicaSet>> {
        self.cache.replica_set(self.start.kind, &self.start.key).cloned()
    }

    pub(super) fn claim(&mut self, plan: &Plan) {
        let Some(owner) = self.owner() else { return };
        for pod in &plan.adopt {
            let mut adopted = Pod::clone(pod);
            adopted.meta.owners.push(reference(&owner));
            self.update_pod(pod, adopted);
        }
        for pod in &plan.release {
            let mut released = Pod::clone(pod);
            released.meta.owners.retain(|o| o.uid != owner.meta.uid);
            self.update_pod(pod, released);
        }
    }

    fn update_pod(&mut self, old: &Pod, mut new: Pod) {
        // Any other version will do: the handlers take an update without a new one for a resync.
        new.meta.resource_version.push('+');
        let new = Arc::new(new);
        self.cache.put_pod(new.clone());
        let effects = self.handlers().pod_updated(old, &new);
        self.apply(&effects);
    }

    pub(super) fn write_status(&mut self, plan: &Plan) {
        if let (Some(owner), Some(status)) = (self.owner(), &plan.status) {
            let written = ReplicaSet { status: status.clone(), ..ReplicaSet::clone(&owner) };
            self.cache.put_replica_set(Arc::new(written));
        }
    }

    /// The created pods appear: pending, without a node, not ready. Returns how many.
    pub(super) fn create(&mut self, plan: &Plan) -> usize {
        let Some(owner) = self.owner() else { return 0 };
        for _ in 0..plan.created {
            self.made += 1;
            let pod = Arc::new(new_pod(&owner, self.made, self.now));
            self.cache.put_pod(pod.clone());
            let effects = self.handlers().pod_added(&pod);
            self.apply(&effects);
        }
        plan.created
    }

    /// The deleted pods vanish. Returns how many.
    pub(super) fn delete(&mut self, plan: &Plan) -> usize {
        if let Some(choice) = &plan.choice {
            self.open.extend(choice.possible.iter().map(|candidate| candidate.pod.meta.key()));
        }
        let deleted: Vec<&Key> = plan.effects.iter().flat_map(deletions).collect();
        for key in &deleted {
            if let Some(pod) = self.cache.remove_pod(key) {
                let effects = self.handlers().pod_deleted(&pod);
                self.apply(&effects);
            }
        }
        deleted.len()
    }

    fn handlers(&self) -> Handlers<'_> {
        Handlers { kind: self.start.kind, cache: &self.cache, profile: self.profile }
    }

    fn apply(&mut self, effects: &[Effect]) {
        effects.iter().for_each(|effect| self.store.apply(effect, self.now));
    }
}

fn deletions(effect: &Effect) -> &[Key] {
    if let Effect::ExpectDeletions { pods, .. } = effect { pods } else { &[] }
}

/// A pod as it appears after its creation: pending, without a node. `number` distinguishes it from other new ones.
pub(crate) fn new_pod(owner: &ReplicaSet, number: usize, now: Timestamp) -> Pod {
    let mut pod = Pod { phase: Phase::Pending, ..Pod::default() };
    pod.meta.namespace = owner.meta.namespace.clone();
    // Not a name that the API server could generate, so that it never equals a real one.
    pod.meta.name = format!("{}-(new {number})", owner.meta.name);
    // Sorts after every real UID, as a pod does that is younger.
    pod.meta.uid = format!("~{number:09}");
    pod.meta.created = Some(now);
    pod.meta.labels = owner.template.labels.clone();
    pod.meta.owners = vec![reference(owner)];
    pod
}

fn reference(owner: &ReplicaSet) -> OwnerReference {
    OwnerReference {
        api_version: match owner.kind {
            OwnerKind::ReplicaSet => "apps/v1".into(),
            OwnerKind::ReplicationController => "v1".into(),
        },
        kind: owner.kind.as_str().into(),
        name: owner.meta.name.clone(),
        uid: owner.meta.uid.clone(),
        controller: true,
    }
}
