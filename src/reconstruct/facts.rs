//! What single observations show, as facts of the ledger.

use super::ledger::Fact;
use super::pod_change::PodChange;
use crate::model::claim::{self, Claim};
use crate::objects::{Event, LogLine, Pod, ReplicaSet};

/// What a line of the log tells of its ReplicaSet.
pub(super) fn log_fact(line: &LogLine) -> Option<Fact> {
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
    if !old.is_deleting() && new.is_deleting() {
        facts.push(Fact::Deleting);
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

/// What an event tells. That a pod was created the pod itself shows.
pub(super) fn event_fact(event: &Event) -> Option<Fact> {
    let telling = event.reason != "SuccessfulCreate";
    telling.then(|| Fact::Event { reason: event.reason.clone(), message: event.text().to_owned() })
}
