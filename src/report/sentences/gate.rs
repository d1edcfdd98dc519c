//! The gate: what the controller waits for, and what leads to the next sync.

use super::{at, words};
use crate::reconstruct::detail::GateDetail;
use crate::reconstruct::range::Range;

pub(super) fn sentence(detail: &GateDetail) -> String {
    match detail {
        GateDetail::Unmet { add, del } => format!("the controller waits for {}", outstanding(*add, *del)),
        GateDetail::UnmetByLog => "according to the log, pending creations or deletions have not been observed".into(),
        GateDetail::UnmetOrExpired { expires_by } => {
            let end = match expires_by {
                Some(end) => format!("expire at {} at the latest", at(*end)),
                None => "were set at an unknown time".to_owned(),
            };
            format!("creations or deletions are pending; their expectations {end}, and may have expired already")
        }
        GateDetail::SyncWaited { written, replicas, generation, .. } => format!(
            "the status written at {} reports {replicas} pods for generation {generation} and no failure, and nothing has changed since: that sync saw the difference and waited",
            at(*written)
        ),
        GateDetail::Expired { add, del } => format!(
            "{} were not observed within five minutes: the next sync acts as if nothing were pending",
            outstanding(*add, *del)
        ),
        GateDetail::SyncWaitedLongAgo { replicas, last_event } => {
            let last = last_event.map(|age| format!("; its last event is {} old", words(age)));
            format!(
                "a sync of this generation saw {replicas} pods, reported no failure and did nothing visible{}: whatever it was waiting for has expired after five minutes",
                last.unwrap_or_default()
            )
        }
        GateDetail::Assumed { open } => format!(
            "expectations are assumed to be {}, as requested",
            if *open { "satisfied" } else { "unmet" }
        ),
        GateDetail::Unknown => "the evidence does not show what the controller is waiting for".into(),
        GateDetail::Quiet { since } => format!(
            "no status was written for {}, and every sync that creates or deletes pods leads to one: pending expectations have expired",
            words(*since)
        ),
        GateDetail::SnapshotOfOldPods { has_events } => format!(
            "a snapshot does not show expectations; none of its pods was created in the last five minutes{}, so the gate is assumed to be open",
            if *has_events { " and no event was sent" } else { "" }
        ),
        GateDetail::SnapshotOfCurrentStatus => {
            "a snapshot does not show expectations; the status counts all pods as they are now, so it was written after they were observed, and the gate is assumed to be open".into()
        }
        GateDetail::SnapshotTooYoung { taken_is_known } => format!(
            "pods were created or events sent less than five minutes before the newest time in the input, and a snapshot does not show whether more are pending; {}",
            if *taken_is_known {
                "watch the ReplicaSet for a while, or ask again in five minutes"
            } else {
                "the time of the snapshot is unknown: set it with --now, or watch the ReplicaSet for a while"
            }
        ),
        GateDetail::Negative => {
            "more pods were observed than the controller asked for: a pod created by someone else names this ReplicaSet as its controller".into()
        }
        GateDetail::NothingWakes { expired } => format!(
            "the five minutes ended{}, which does not trigger a sync: the controller acts on the next event of the ReplicaSet or of one of its pods, or on the resync (every 12 to 24 h)",
            expired.map(|expired| format!(" at {}", at(expired))).unwrap_or_default()
        ),
        GateDetail::RetryBackoff { at_limit, last } => format!(
            "a failed sync is retried after a pause that {}; the last known failure was at {}",
            if *at_limit { "has reached its limit of 1000 s" } else { "doubles from 5 ms up to 1000 s" },
            at(*last)
        ),
        GateDetail::SyncRunning { count, created } => format!(
            "a sync is creating {count} pods, {created} of them were observed; no other sync of this ReplicaSet starts before it ends"
        ),
        GateDetail::Overdue { waited } => format!(
            "nothing observed so far blocks the sync, but nothing has happened for {}: it may be waiting for creates or deletes that were not observed, or the controller is behind or stopped",
            words(*waited)
        ),
        GateDetail::NeverSynced => {
            "its status is empty and it owns no pods: none of its syncs has finished yet, so no earlier expectations hold it back".into()
        }
        GateDetail::CacheLags { pods, since } => format!(
            "according to its log, the controller has not handled {} that {} observed here, the first {} ago: its next sync works on an older state",
            if *pods == 1 { "a new pod".into() } else { format!("{pods} new pods") },
            if *pods == 1 { "was" } else { "were" },
            words(*since)
        ),
    }
}

/// `3 creations and up to 2 deletions`.
fn outstanding(add: Range, del: Range) -> String {
    let count = |range: Range, one: &str, many: &str| match (range.min(), range.max()) {
        (_, Some(max)) if max <= 0 => None,
        (Some(min), Some(max)) if min == max => Some(format!("{min} {}", if min == 1 { one } else { many })),
        (Some(min), Some(max)) => Some(format!("{} to {max} {many}", min.max(0))),
        (_, Some(max)) => Some(format!("up to {max} {many}")),
        _ => Some(many.to_owned()),
    };
    let parts = [count(add, "creation", "creations"), count(del, "deletion", "deletions")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "nothing".into() } else { parts.join(" and ") }
}
