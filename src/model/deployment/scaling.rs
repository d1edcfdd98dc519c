//! The scaling path: the Deployment's size changed, or it is paused (section 6). It never creates a ReplicaSet.

use std::collections::BTreeMap;

use super::new_replica_set::Roles;
use super::numbers::Strategy;
use super::revision::{DESIRED, MAX, size_annotation};
use super::state::ReplicaSet;
use super::sync::Run;
use super::write::{Refusal, ScaleReason, Write};

impl Run<'_> {
    /// Whether the Deployment was resized since its ReplicaSets were: an active one has a valid `desired` that differs.
    pub(super) fn was_resized(&self, claimed: &[ReplicaSet]) -> bool {
        let wanted = self.deployment.replicas;
        let differs = |replica_set: &ReplicaSet| {
            size_annotation(replica_set, DESIRED).is_some_and(|size| size != wanted)
        };
        claimed.iter().any(|replica_set| replica_set.is_active() && differs(replica_set))
    }

    pub(super) fn scale(&mut self, roles: &Roles) -> Result<(), Refusal> {
        let wanted = self.deployment.replicas;
        let mut old: Vec<&ReplicaSet> = roles.old.iter().collect();
        old.reverse();
        let active: Vec<&ReplicaSet> =
            old.iter().copied().chain(&roles.new).filter(|replica_set| replica_set.is_active()).collect();
        if active.len() < 2 {
            let latest = active.first().copied().or(roles.new.as_ref()).or(old.first().copied());
            if let Some(only) = latest
                && only.replicas != wanted
            {
                let fresh = roles.fresh && Some(&only.uid) == roles.new.as_ref().map(|new| &new.uid);
                self.resize(only, wanted, ScaleReason::Single, fresh)?;
            }
            return Ok(());
        }
        if roles.new.as_ref().is_some_and(|new| self.is_saturated(new)) {
            for replica_set in old.iter().filter(|replica_set| replica_set.is_active()) {
                self.resize(replica_set, 0, ScaleReason::Saturated, false)?;
            }
            return Ok(());
        }
        match self.deployment.strategy {
            Strategy::RollingUpdate { .. } => self.scale_proportionally(active, roles),
            Strategy::Recreate => Ok(()),
        }
    }

    /// Whether the new ReplicaSet alone has all wanted pods. Here `desired` may have a sign.
    fn is_saturated(&self, new: &ReplicaSet) -> bool {
        let wanted = self.deployment.replicas;
        let desired = new.annotations.get(DESIRED).and_then(|text| text.parse::<i64>().ok());
        new.replicas == wanted && desired == Some(i64::from(wanted)) && new.status.available == wanted
    }

    /// Each active ReplicaSet takes its share of the pods that come or go.
    fn scale_proportionally(&mut self, mut active: Vec<&ReplicaSet>, roles: &Roles) -> Result<(), Refusal> {
        let wanted = self.deployment.replicas;
        let total = active.iter().map(|replica_set| replica_set.replicas).fold(0, i32::wrapping_add);
        let allowed =
            if wanted > 0 { wanted.wrapping_add(self.deployment.strategy.surge(wanted)) } else { 0 };
        let add = allowed.wrapping_sub(total);
        if add != 0 {
            active.sort_by(|a, b| {
                let by_age = if add > 0 { b.by_age(a) } else { a.by_age(b) };
                b.replicas.cmp(&a.replicas).then(by_age)
            });
        }
        let mut added = 0i32;
        let mut sizes = Vec::new();
        for replica_set in &active {
            let share = self.share(replica_set, add, added);
            added = added.wrapping_add(share);
            sizes.push(replica_set.replicas.wrapping_add(share));
        }
        // The largest takes what rounding has left.
        if let (Some(first), true) = (sizes.first_mut(), add != 0) {
            *first = first.wrapping_add(add.wrapping_sub(added)).max(0);
        }
        for (replica_set, size) in active.into_iter().zip(sizes) {
            let fresh = roles.fresh && Some(&replica_set.uid) == roles.new.as_ref().map(|new| &new.uid);
            self.resize(replica_set, size, ScaleReason::Proportional, fresh)?;
        }
        Ok(())
    }

    /// The share of one ReplicaSet in `add` pods, of which `added` were given already.
    fn share(&self, replica_set: &ReplicaSet, add: i32, added: i32) -> i32 {
        if add == 0 || added == add {
            return 0;
        }
        let share = self.fraction(replica_set);
        let left = add.wrapping_sub(added);
        if add > 0 { share.min(left) } else { share.max(left) }
    }

    fn fraction(&self, replica_set: &ReplicaSet) -> i32 {
        let wanted = self.deployment.replicas;
        if wanted == 0 {
            return replica_set.replicas.wrapping_neg();
        }
        let most = wanted.wrapping_add(self.deployment.strategy.surge(wanted));
        let before = match size_annotation(replica_set, MAX) {
            Some(max) if max > 0 => max,
            _ => self.begun.status.replicas,
        };
        if before == 0 {
            return 0;
        }
        // The product is int32 in the controller too, and wraps.
        let product = f64::from(replica_set.replicas.wrapping_mul(most));
        ((product / f64::from(before)).round() as i32).wrapping_sub(replica_set.replicas)
    }

    /// Updates the size of a ReplicaSet, or only its annotations, where either differs; whether the size changed.
    pub(super) fn resize(
        &mut self,
        replica_set: &ReplicaSet,
        to: i32,
        reason: ScaleReason,
        fresh: bool,
    ) -> Result<bool, Refusal> {
        let wanted = self.deployment.replicas;
        let most = wanted.wrapping_add(self.deployment.strategy.surge(wanted));
        let annotations: BTreeMap<String, String> = [(DESIRED, wanted), (MAX, most)]
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value.to_string()))
            .filter(|(key, value)| replica_set.annotations.get(key) != Some(value))
            .collect();
        let (name, from) = (replica_set.name.clone(), replica_set.replicas);
        if from == to && annotations.is_empty() {
            return Ok(false);
        }
        let write = if from == to {
            Write::Annotate { name, annotations, min_ready_seconds: None }
        } else {
            Write::Scale { name, from, to, reason, annotations }
        };
        self.update(replica_set, fresh, write)?;
        if from != to {
            self.note_scaling(&replica_set.name, from, to);
        }
        Ok(from != to)
    }
}
