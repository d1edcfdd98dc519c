//! Pods that are adopted or released, or nearly so.

use super::{named, named_by, pods};
use crate::reconstruct::detail::{ClaimDetail, NearMiss};

pub(super) fn sentence(detail: &ClaimDetail) -> String {
    match detail {
        ClaimDetail::Adopts { pods: adopted } => format!(
            "it adopts {} without a controller that {} its selector, whatever {}: {}",
            pods(adopted.len()),
            if adopted.len() == 1 { "matches" } else { "match" },
            if adopted.len() == 1 { "it runs" } else { "they run" },
            named(adopted)
        ),
        ClaimDetail::Releases { pods: released } => format!(
            "it releases {} that its selector no longer matches: {}",
            pods(released.len()),
            named(released)
        ),
        ClaimDetail::DiffersFromTemplate { pod, container, image, template_image } => format!(
            "{pod} runs {image} in container {container} where the template has {template_image}; adoption does not compare the template"
        ),
        ClaimDetail::Overlaps { others } => format!(
            "its pods also match the selector of {}: each keeps the pods that name it as controller, and whichever syncs first adopts an orphan",
            named(others)
        ),
        ClaimDetail::WantedByTwo { pod, other } => format!(
            "{pod} has no controller and also matches the selector of {other}: whichever syncs first adopts it, so the number of pods is not yet determined"
        ),
        ClaimDetail::AboutToCome { pod, owner } => format!(
            "{pod} still belongs to {owner}, which is about to release it; this ReplicaSet adopts it afterwards, so the number of pods is not yet determined"
        ),
        ClaimDetail::NearMisses(misses) => {
            let misses: Vec<String> = misses.iter().map(near_miss).collect();
            format!("not adopted: {}", named_by("; ", &misses))
        }
        ClaimDetail::Orphans { count } => format!(
            "{} without a controller {} no ReplicaSet's selector: nothing adopts, replaces or deletes {}",
            pods(*count),
            if *count == 1 { "matches" } else { "match" },
            if *count == 1 { "it" } else { "them" }
        ),
    }
}

/// `web-x7 does not match app=web (has old)`.
fn near_miss(miss: &NearMiss) -> String {
    let failing = miss.failing.iter().map(|(requirement, value)| {
        let value = value.as_ref().map_or("label missing".into(), |value| format!("has {value}"));
        format!("{requirement} ({value})")
    });
    format!("{} does not match {}", miss.pod, failing.collect::<Vec<_>>().join(", "))
}
