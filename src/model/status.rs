//! The status that a sync writes, and its own delayed requeue to see pods become available. Both became exact to the instant
//! in 1.34, and from 1.35 terminating pods are counted. See docs/semantics.md sections 4.2 and 4.3.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::profile::Profile;
use crate::objects::{Condition, Pod, ReplicaSet, Status};

/// The status of a sync that found these claimed active pods, before its creates and deletes.
/// `terminating` is None where the version or kind does not count such pods; `error` is what
/// creating or deleting returned.
pub(crate) fn calculate(
    replica_set: &ReplicaSet,
    active: &[Arc<Pod>],
    terminating: Option<usize>,
    error: Option<&str>,
    now: Timestamp,
    profile: &Profile,
) -> Status {
    let template = &replica_set.template.labels;
    let count = |counts: &dyn Fn(&Pod) -> bool| saturated(active.iter().filter(|pod| counts(pod)).count());
    Status {
        replicas: saturated(active.len()),
        fully_labeled: count(&|pod| pod.meta.labels.contains_all(template)),
        ready: count(&Pod::is_ready),
        available: count(&|pod| is_available(pod, replica_set.min_ready_seconds, now, profile)),
        terminating: terminating.map(saturated),
        observed_generation: replica_set.meta.generation,
        conditions: conditions(replica_set, active.len(), error, now),
    }
}

fn saturated(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// ReplicaFailure is set only if absent, so that it keeps the message of the first failure however the later ones differ,
/// and removed by any sync without an error, also by one whose gate was closed.
fn conditions(
    replica_set: &ReplicaSet,
    active: usize,
    error: Option<&str>,
    now: Timestamp,
) -> Vec<Condition> {
    let status = &replica_set.status;
    let mut conditions = status.conditions.clone();
    match (error, status.failure()) {
        (Some(message), None) => {
            let few = i64::from(replica_set.replicas) > active as i64;
            conditions.push(Condition {
                kind: Condition::REPLICA_FAILURE.into(),
                status: "True".into(),
                since: Some(now),
                reason: if few { "FailedCreate" } else { "FailedDelete" }.into(),
                message: message.into(),
            });
        }
        (None, Some(_)) => conditions.retain(|c| c.kind != Condition::REPLICA_FAILURE),
        _ => {}
    }
    conditions
}

/// Whether the sync writes this status: it is skipped when all counts and conditions are equal
/// and the generation was already observed.
pub(crate) fn needs_write(replica_set: &ReplicaSet, new: &Status) -> bool {
    *new != replica_set.status
}

/// Whether the pod is ready and has been for `min_ready_seconds`.
pub(crate) fn is_available(pod: &Pod, min_ready_seconds: i32, now: Timestamp, profile: &Profile) -> bool {
    if min_ready_seconds <= 0 {
        return pod.is_ready();
    }
    let Some(left) = until_available(pod, min_ready_seconds, now) else { return false };
    left < SignedDuration::ZERO || (profile.exact_availability && left.is_zero())
}

/// Time until the pod counts as available, zero or negative once it does; None if it is not
/// ready or nobody knows since when.
pub(crate) fn until_available(pod: &Pod, min_ready_seconds: i32, now: Timestamp) -> Option<SignedDuration> {
    let wait = SignedDuration::from_secs(i64::from(min_ready_seconds));
    Some(pod.ready_since()?.duration_since(now) + wait)
}

/// After which delay a sync without error asks for the next one, to see pods become available.
pub(crate) fn requeue_after(
    replica_set: &ReplicaSet,
    written: &Status,
    active: &[Arc<Pod>],
    now: Timestamp,
    profile: &Profile,
) -> Option<SignedDuration> {
    let min_ready = replica_set.min_ready_seconds;
    let whole = SignedDuration::from_secs(i64::from(min_ready));
    if min_ready <= 0 {
        return None;
    }
    if !profile.exact_availability {
        let all_ready = written.ready == replica_set.replicas;
        return (all_ready && written.available != replica_set.replicas).then_some(whole);
    }
    let next = active
        .iter()
        .filter_map(|pod| until_available(pod, min_ready, now))
        .filter(|left| *left > SignedDuration::ZERO)
        .min();
    (written.ready != written.available).then(|| next.unwrap_or(whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::Version;
    use crate::objects::pod::Ready;

    #[test]
    fn availability_boundary_is_included_from_1_34() {
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        let since = now - SignedDuration::from_secs(10);
        let pod = Pod { ready: Some(Ready { is_true: true, since: Some(since) }), ..Pod::default() };
        let available = |minor, min_ready| {
            is_available(&pod, min_ready, now, &Profile::of(Version { minor, patch: None }))
        };
        assert!(available(33, 9) && !available(33, 10));
        assert!(available(34, 10) && !available(34, 11));
        assert!(available(33, 0));
    }

    #[test]
    fn ready_pod_without_a_time_is_available_only_without_min_ready_seconds() {
        let pod = Pod { ready: Some(Ready { is_true: true, since: None }), ..Pod::default() };
        let profile = Profile::of(Version::LATEST);
        assert!(is_available(&pod, 0, Timestamp::UNIX_EPOCH, &profile));
        assert!(!is_available(&pod, 1, Timestamp::UNIX_EPOCH, &profile));
    }
}
