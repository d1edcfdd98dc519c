//! The first part of a sync: which pods count, after adoptions and releases (docs/semantics.md section 4.1).

use super::{Call, CallErrorKind, Claim, LiveOwner, Outcome, Patch, Stage, Sync, SyncStep, claim};
use crate::model::cache::Cache;
use crate::objects::ReplicaSet;

impl Sync {
    pub(super) fn claim_pods(&mut self, replica_set: &ReplicaSet, cache: &Cache) -> SyncStep {
        self.considered = cache.considered(replica_set, &self.inputs.profile);
        for pod in self.considered.iter().filter(|pod| pod.is_active()) {
            match claim::claim(replica_set, pod) {
                Claim::Keep => self.claimed.push(pod.clone()),
                Claim::Ignore => {}
                claim => self.patches.push(Patch { pod: pod.clone(), claim }),
            }
        }
        if self.patches.iter().any(|patch| patch.claim == Claim::Adopt) {
            return self.call(Stage::Live, Call::Live);
        }
        self.patch(cache)
    }

    /// The cache may still show a ReplicaSet that is being deleted; pods adopted for it would be garbage collected. So one live
    /// GET serves all adoptions of a sync, and if it does not confirm the owner, all fail.
    pub(super) fn after_live(&mut self, live: LiveOwner, cache: &Cache) -> SyncStep {
        if live == LiveOwner::NoLongerOwner {
            self.patches.retain(|patch| patch.claim != Claim::Adopt);
            self.claim_error =
                Some("can't adopt: the live ReplicaSet is gone, another or being deleted".into());
        }
        self.patch(cache)
    }

    fn patch(&mut self, cache: &Cache) -> SyncStep {
        if self.patches.is_empty() {
            return self.manage_replicas(cache);
        }
        let patches = self.patches.clone();
        self.call(Stage::Patches, Call::Patch(patches))
    }

    pub(super) fn after_patches(&mut self, outcomes: &[Outcome], cache: &Cache) -> SyncStep {
        for (patch, outcome) in std::mem::take(&mut self.patches).into_iter().zip(outcomes) {
            match (patch.claim, outcome) {
                (Claim::Adopt, Ok(())) => self.claimed.push(patch.pod),
                (_, Ok(())) => {}
                (_, Err(error)) if error.kind == CallErrorKind::NotFound => {}
                // The patch names the pod's UID and the owner: either is already gone.
                (Claim::Release, Err(error)) if error.kind == CallErrorKind::Invalid => {}
                (_, Err(error)) => {
                    self.claim_error.get_or_insert_with(|| error.message.clone());
                }
            }
        }
        self.manage_replicas(cache)
    }
}
