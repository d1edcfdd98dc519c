//! Recreate: every old pod goes before the new ReplicaSet gets its size (section 8).

use super::new_replica_set::Roles;
use super::state::ReplicaSet;
use super::sync::Run;
use super::write::{Refusal, ScaleReason};

impl Run<'_> {
    pub(super) fn recreate(&mut self, claimed: &[ReplicaSet]) -> Result<(), Refusal> {
        let roles = self.roles(claimed, false)?;
        let mut scaled = false;
        for old in roles.old.iter().filter(|old| old.is_active()) {
            scaled |= self.resize(old, 0, ScaleReason::RecreateDown, false)?;
        }
        if scaled || self.old_pods_exist(&roles) {
            return self.finish_rollout(&roles);
        }
        let roles = if roles.new.is_some() { roles } else { self.roles(claimed, true)? };
        let wanted = self.deployment.replicas;
        if let Some(new) = &roles.new
            && new.replicas != wanted
        {
            self.resize(new, wanted, ScaleReason::RecreateUp, roles.fresh)?;
        }
        if self.is_complete(&self.begun_status()) {
            self.clean_up_history(&roles.old)?;
        }
        self.finish_rollout(&roles)
    }

    /// Pods that the old ReplicaSets count, or that still exist: terminating ones too.
    fn old_pods_exist(&self, roles: &Roles) -> bool {
        if roles.old.iter().map(|old| old.status.replicas).fold(0, i32::wrapping_add) > 0 {
            return true;
        }
        let by_owner = self.profile.recreate_finds_pods_by_owner;
        let selector = &self.deployment.selector;
        self.old_pods.iter().any(|pod| {
            let old = roles.old.iter().find(|old| old.uid == pod.owner_uid);
            let owned = old.is_some_and(|old| {
                if by_owner {
                    pod.owner_kind == "ReplicaSet" && pod.owner_name == old.name
                } else {
                    selector.matches(&pod.labels)
                }
            });
            owned && !pod.finished
        })
    }
}
