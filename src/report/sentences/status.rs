//! What the counts of the status say, and what they leave out.

use jiff::Timestamp;

use super::{at, named, pods, words};
use crate::reconstruct::detail::{Grace, StatusCounts, StatusDetail};

pub(super) fn sentence(detail: &StatusDetail) -> String {
    match detail {
        StatusDetail::NeverWritten => {
            "its status has not been written yet: none of its syncs has finished".into()
        }
        StatusDetail::OfOldGeneration { observed, generation } => format!(
            "the status reflects generation {observed}, but the spec is at generation {generation}: no sync has finished since the spec changed"
        ),
        StatusDetail::Differs { stored, computed } => {
            let StatusCounts { replicas, ready, available } = stored;
            format!(
                "the stored status has replicas {replicas}, ready {ready}, available {available}; a sync would write {}, {} and {}",
                computed.replicas, computed.ready, computed.available
            )
        }
        StatusDetail::AvailabilityPending { min_ready_seconds, pods, next_look } => {
            pending(*min_ready_seconds, pods, *next_look)
        }
        StatusDetail::Terminating(terminating) => format!(
            "{} terminating and no longer counted: {}",
            are(terminating.len()),
            named(&terminating.iter().map(|(pod, grace)| ending(pod, *grace)).collect::<Vec<_>>())
        ),
        StatusDetail::Finished { by_reason } => {
            let reasons: Vec<_> =
                by_reason.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
            format!(
                "{} finished ({}): the ReplicaSet neither counts nor deletes them; each was replaced at once, without backoff",
                pods(by_reason.iter().map(|(_, count)| count).sum()),
                reasons.join(", ")
            )
        }
        StatusDetail::OnLostNodes { pods: count, nodes } => {
            let list: Vec<_> = nodes
                .iter()
                .map(|(name, lost)| {
                    let lost = lost.map(|lost| format!(" for {}", words(lost))).unwrap_or_default();
                    format!("{name} (not ready{lost})")
                })
                .collect();
            format!(
                "{} on {}: {}; {} until someone deletes {}, and a terminating pod stays until its kubelet answers or its Node is removed",
                are(*count),
                if nodes.len() == 1 { "a lost node" } else { "lost nodes" },
                named(&list),
                if *count == 1 { "it counts by its phase" } else { "they count by their phase" },
                if *count == 1 { "it" } else { "them" },
            )
        }
        StatusDetail::EvictionSuspended { nodes } => {
            let none = match nodes {
                1 => "the only node observed is not ready".to_owned(),
                nodes => format!("none of the {nodes} nodes observed is ready"),
            };
            format!("{none}: eviction from lost nodes is suspended")
        }
    }
}

fn pending(min_ready_seconds: i32, pods: &[(String, Timestamp)], next_look: Option<Timestamp>) -> String {
    let list: Vec<_> = pods.iter().map(|(pod, when)| format!("{pod} at {}", at(*when))).collect();
    let check = match next_look {
        Some(when) => format!("the controller checks again at {}", at(when)),
        None => format!(
            "the controller checks again only {min_ready_seconds} s after its last check, so they may be counted late"
        ),
    };
    format!(
        "with minReadySeconds {min_ready_seconds} these pods become available later: {}; {check}",
        named(&list)
    )
}

/// `1 pod is`, `2 pods are`.
fn are(count: usize) -> String {
    format!("{} {}", pods(count), if count == 1 { "is" } else { "are" })
}

fn ending(pod: &str, grace: Grace) -> String {
    match grace {
        Grace::OverdueBy(late) => format!("{pod} (overdue by {})", words(late)),
        Grace::Until(end) => format!("{pod} (until {})", at(end)),
        Grace::Unknown => pod.to_owned(),
    }
}
