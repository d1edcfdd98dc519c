//! The status that a sync writes, and the progress deadline (section 10).

use jiff::{SignedDuration, Timestamp};

use super::new_replica_set::Roles;
use super::state::{Condition, DeploymentStatus, ReplicaSet};
use super::sync::{Requeue, Run};
use super::write::Refusal;
use crate::objects::instant::later;

pub(super) const PROGRESSING: &str = "Progressing";
pub(super) const NEW_REPLICA_SET_CREATED: &str = "NewReplicaSetCreated";
pub(super) const DEADLINE_EXCEEDED: &str = "ProgressDeadlineExceeded";
const NEW_REPLICA_SET_AVAILABLE: &str = "NewReplicaSetAvailable";
const REPLICA_FAILURE: &str = "ReplicaFailure";
const PAUSED: &str = "DeploymentPaused";

/// What a Progressing condition becomes.
pub(super) struct Progress {
    status: &'static str,
    reason: &'static str,
    message: String,
}

impl Progress {
    pub(super) fn new(status: &'static str, reason: &'static str, message: String) -> Progress {
        Progress { status, reason, message }
    }

    fn condition(&self, now: Timestamp) -> Condition {
        Condition {
            kind: PROGRESSING.into(),
            status: self.status.into(),
            updated: Some(now),
            changed: Some(now),
            reason: self.reason.into(),
            message: self.message.clone(),
        }
    }
}

impl DeploymentStatus {
    fn condition(&self, kind: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.kind == kind)
    }

    /// With the same status and reason nothing changes, not even message and times; else it comes last.
    fn set_condition(&mut self, mut condition: Condition) {
        if let Some(present) = self.condition(&condition.kind) {
            if present.status == condition.status && present.reason == condition.reason {
                return;
            }
            if present.status == condition.status {
                condition.changed = present.changed;
            }
        }
        self.remove_condition(&condition.kind.clone());
        self.conditions.push(condition);
    }

    fn remove_condition(&mut self, kind: &str) {
        self.conditions.retain(|condition| condition.kind != kind);
    }
}

impl Run<'_> {
    /// Sets Progressing on the Deployment that this sync works with.
    pub(super) fn set_progress(&mut self, progress: &Progress) {
        self.deployment.status.set_condition(progress.condition(self.now));
    }

    /// Stops the clock of the deadline while the Deployment is paused, and starts it again.
    pub(super) fn note_pause(&mut self) -> Result<(), Refusal> {
        let progressing = self.deployment.condition(PROGRESSING);
        let reason = progressing.map(|condition| condition.reason.as_str());
        if self.deployment.progress_deadline.is_none() || reason == Some(DEADLINE_EXCEEDED) {
            return Ok(());
        }
        let progress = match (self.deployment.paused, reason == Some(PAUSED)) {
            (true, false) => Progress::new("Unknown", PAUSED, "Deployment is paused".into()),
            (false, true) => Progress::new("Unknown", "DeploymentResumed", "Deployment is resumed".into()),
            _ => return Ok(()),
        };
        self.set_progress(&progress);
        self.write_status(self.deployment.status.clone())
    }

    /// Pods that must stay available.
    pub(super) fn min_available(&self) -> i32 {
        let wanted = self.deployment.replicas;
        wanted.wrapping_sub(self.deployment.strategy.unavailable(wanted))
    }

    /// Whether a status is that of a complete rollout.
    pub(super) fn is_complete(&self, status: &DeploymentStatus) -> bool {
        let wanted = self.deployment.replicas;
        status.updated == wanted
            && status.replicas == wanted
            && status.available == wanted
            && status.observed_generation >= self.deployment.generation
    }

    /// The status as it was read, with the conditions that this sync has written.
    pub(super) fn begun_status(&self) -> DeploymentStatus {
        self.deployment.status.clone()
    }

    /// What the ReplicaSets come to, as cached: before the resizes of this sync.
    fn counted(&self, roles: &Roles) -> DeploymentStatus {
        let sum = |of: fn(&ReplicaSet) -> i32| roles.all().map(of).fold(0, i32::wrapping_add);
        let available = sum(|replica_set| replica_set.status.available);
        let mut status = DeploymentStatus {
            observed_generation: self.deployment.generation,
            replicas: sum(|replica_set| replica_set.status.replicas),
            updated: roles.new.as_ref().map_or(0, |new| new.status.replicas),
            ready: sum(|replica_set| replica_set.status.ready),
            available,
            unavailable: roles.total().wrapping_sub(available).max(0),
            terminating: if self.profile.terminating_replicas { terminating(roles) } else { None },
            collisions: self.deployment.status.collisions,
            conditions: self.deployment.status.conditions.clone(),
        };
        let enough = available >= self.min_available();
        let (word, reason, message) = if enough {
            ("True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
        } else {
            ("False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.")
        };
        status.set_condition(Condition {
            kind: "Available".into(),
            status: word.into(),
            updated: Some(self.now),
            changed: Some(self.now),
            reason: reason.into(),
            message: message.into(),
        });
        status
    }

    /// The plain status: paused, scaling, deleting.
    pub(super) fn finish_plainly(&mut self, roles: &Roles) -> Result<(), Refusal> {
        let status = self.counted(roles);
        if status == self.deployment.status { Ok(()) } else { self.write_status(status) }
    }

    /// The status of a rollout, with its progress and the failure of its ReplicaSets.
    pub(super) fn finish_rollout(&mut self, roles: &Roles) -> Result<(), Refusal> {
        let mut status = self.counted(roles);
        self.judge_progress(roles, &mut status);
        match failure(roles) {
            Some(failure) => status.set_condition(failure),
            None => status.remove_condition(REPLICA_FAILURE),
        }
        if status == self.deployment.status {
            self.requeue = self.next_check(&status);
            return Ok(());
        }
        self.write_status(status)
    }

    fn judge_progress(&self, roles: &Roles, status: &mut DeploymentStatus) {
        if self.deployment.progress_deadline.is_none() {
            status.remove_condition(PROGRESSING);
            return;
        }
        let present = self.deployment.condition(PROGRESSING);
        let was_complete = present.is_some_and(|condition| condition.reason == NEW_REPLICA_SET_AVAILABLE);
        if was_complete && status.replicas == status.updated {
            return;
        }
        let who = match &roles.new {
            Some(new) => format!("ReplicaSet \"{}\"", new.name),
            None => format!("Deployment \"{}\"", self.deployment.key.name),
        };
        if self.is_complete(status) {
            let message = format!("{who} has successfully progressed.");
            let progress = Progress::new("True", NEW_REPLICA_SET_AVAILABLE, message);
            status.set_condition(progress.condition(self.now));
        } else if has_progressed(&self.deployment.status, status) {
            let message = format!("{who} is progressing.");
            let mut condition = Progress::new("True", "ReplicaSetUpdated", message).condition(self.now);
            if let Some(present) = present.filter(|present| present.status == "True") {
                condition.changed = present.changed;
            }
            // Replaced even for the same reason: the deadline counts from the last progress.
            status.remove_condition(PROGRESSING);
            status.set_condition(condition);
        } else if self.has_timed_out(status) {
            let message = format!("{who} has timed out progressing.");
            let progress = Progress::new("False", DEADLINE_EXCEEDED, message);
            status.set_condition(progress.condition(self.now));
        }
    }

    fn has_timed_out(&self, status: &DeploymentStatus) -> bool {
        let Some(present) = status.condition(PROGRESSING) else { return false };
        match present.reason.as_str() {
            NEW_REPLICA_SET_AVAILABLE => false,
            DEADLINE_EXCEEDED => true,
            _ => self.deadline(present).is_some_and(|deadline| deadline < self.now),
        }
    }

    fn deadline(&self, progressing: &Condition) -> Option<Timestamp> {
        let seconds = self.deployment.progress_deadline?;
        Some(later(progressing.updated?, SignedDuration::from_secs(i64::from(seconds))))
    }

    /// When the sync after one that had nothing to write checks the deadline.
    fn next_check(&self, status: &DeploymentStatus) -> Option<Requeue> {
        let present = status.condition(PROGRESSING)?;
        if self.is_complete(status) || present.reason == DEADLINE_EXCEEDED {
            return None;
        }
        let left = self.deadline(present)?.duration_since(self.now);
        let second = SignedDuration::from_secs(1);
        Some(if left < second { Requeue::Now } else { Requeue::After(left + second) })
    }
}

fn has_progressed(old: &DeploymentStatus, new: &DeploymentStatus) -> bool {
    new.updated > old.updated
        || new.replicas.wrapping_sub(new.updated) < old.replicas.wrapping_sub(old.updated)
        || new.ready > old.ready
        || new.available > old.available
}

/// Terminating pods: one that was never synced counts none, any other that does not say makes the sum unknown.
fn terminating(roles: &Roles) -> Option<i32> {
    roles.all().try_fold(0i32, |sum, replica_set| {
        let status = &replica_set.status;
        let count = match status.terminating {
            None if status.observed_generation == 0 => Some(0),
            count => count,
        };
        Some(sum.wrapping_add(count?))
    })
}

/// The failure of the new ReplicaSet, else of the oldest old one that has one.
fn failure(roles: &Roles) -> Option<Condition> {
    let of = |replica_set: &ReplicaSet| replica_set.status.failure.clone();
    let failure = roles.new.as_ref().and_then(of).or_else(|| roles.old.iter().find_map(of))?;
    Some(Condition { updated: failure.changed, ..failure })
}
