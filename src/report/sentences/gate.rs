//! The gate: what the controller waits for, and what leads to the next sync.

use super::{at, words};
use crate::reconstruct::detail::GateDetail;
use crate::reconstruct::range::Range;

pub(super) fn sentence(detail: &GateDetail) -> String {
    match detail {
        GateDetail::Unmet { add, del } => format!("the controller awaits {}", outstanding(*add, *del)),
        GateDetail::UnmetByLog => "by its log what the controller awaits has not come".into(),
        GateDetail::UnmetOrExpired { expires_by } => {
            let end = match expires_by {
                Some(end) => format!("expires by {} at the latest", at(*end)),
                None => "was set at an unknown time".to_owned(),
            };
            format!("what it awaits {end}; whether it has expired already is not known")
        }
        GateDetail::SyncWaited { written, replicas, generation, .. } => format!(
            "the status written at {} counts {replicas} pods for generation {generation} and no failure, and nothing has changed since: that sync saw the difference and waited",
            at(*written)
        ),
        GateDetail::Expired { add, del } => format!(
            "{} stayed unseen for more than five minutes: the next sync acts as if nothing were outstanding",
            outstanding(*add, *del)
        ),
        GateDetail::SyncWaitedLongAgo { replicas, last_event } => {
            let last = last_event.map(|age| format!("; its last event is {} old", words(age)));
            format!(
                "a sync of this generation saw {replicas} pods, reported no failure and did nothing that is visible{}: whatever it waited for has expired after five minutes",
                last.unwrap_or_default()
            )
        }
        GateDetail::Assumed { open } => format!(
            "expectations are taken to be {}, as asked for",
            if *open { "satisfied" } else { "unmet" }
        ),
        GateDetail::Unknown => "what the controller awaits cannot be told from what was seen".into(),
        GateDetail::Quiet { since } => format!(
            "no status was written for {}, and every round of creates or deletes leads to one: what may be outstanding has expired",
            words(*since)
        ),
        GateDetail::SnapshotOfOldPods { has_events } => format!(
            "a snapshot cannot show what the controller awaits; no pod of it was created in the last five minutes{}, so its gate is taken to be open",
            if *has_events { " and no event sent" } else { "" }
        ),
        GateDetail::SnapshotOfCurrentStatus => {
            "a snapshot cannot show what the controller awaits; its status counts all its pods as they are, so the sync that wrote it came after them and its gate is taken to be open".into()
        }
        GateDetail::SnapshotTooYoung { taken_is_known } => format!(
            "pods were created or events sent less than five minutes before the newest time in the input: a snapshot cannot show whether more are awaited; {}",
            if *taken_is_known {
                "watch it for a while, or ask again five minutes later"
            } else {
                "when the snapshot was taken is not known: tell with --now, or watch it for a while"
            }
        ),
        GateDetail::Negative => {
            "more pods were seen than asked for: a pod that somebody else made names this ReplicaSet as its owner".into()
        }
        GateDetail::NothingWakes { expired } => format!(
            "the five minutes are over{}, which wakes nobody: it acts at the next event of a pod or of itself, or at the resync (12 to 24 h)",
            expired.map(|expired| format!(" since {}", at(expired))).unwrap_or_default()
        ),
        GateDetail::RetryBackoff { at_limit, last } => format!(
            "a failed sync is retried after a pause that {}; last failure known at {}",
            if *at_limit { "has reached its limit of 1000 s" } else { "doubles from 5 ms to 1000 s" },
            at(*last)
        ),
        GateDetail::SyncRunning { count, created } => format!(
            "a sync is creating {count} pods, {created} were seen; until it ends no other sync of this ReplicaSet begins"
        ),
        GateDetail::Overdue { waited } => format!(
            "nothing seen before holds the sync back, yet nothing has happened for {}: it may be waiting on creates or deletes that left no trace, or the controller lags or is stopped",
            words(*waited)
        ),
        GateDetail::NeverSynced => {
            "its status is empty and it owns no pod: no sync of it has ended yet, so nothing of an earlier one holds it back".into()
        }
        GateDetail::CacheLags { pods, since } => format!(
            "by its log the controller has not handled {} that {} seen here, the first {} ago: its next sync works on an older state",
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
