//! Pods that are adopted or released, or nearly so.

use super::{named, named_by, pods};
use crate::reconstruct::detail::{ClaimDetail, NearMiss};

pub(super) fn sentence(detail: &ClaimDetail) -> String {
    match detail {
        ClaimDetail::Adopts { pods: adopted } => format!(
            "it adopts {} that no controller owns and its selector matches, whatever {}: {}",
            pods(adopted.len()),
            if adopted.len() == 1 { "it runs" } else { "they run" },
            named(adopted)
        ),
        ClaimDetail::Releases { pods: released } => format!(
            "it releases {} of its own that its selector no longer matches: {}",
            pods(released.len()),
            named(released)
        ),
        ClaimDetail::DiffersFromTemplate { pod, container, image, template_image } => format!(
            "{pod} runs {image} in container {container} where the template has {template_image}; the template is never compared"
        ),
        ClaimDetail::Overlaps { others } => format!(
            "its pods also match the selector of {}: each keeps what names it as controller, an orphan goes to whichever syncs first",
            named(others)
        ),
        ClaimDetail::WantedByTwo { pod, other } => format!(
            "{pod} has no controller and matches the selector of {other} too: whichever syncs first adopts it, so the count is open"
        ),
        ClaimDetail::AboutToCome { pod, owner } => format!(
            "{pod} still belongs to {owner}, which is due to release it; then this ReplicaSet adopts it, so the count is open"
        ),
        ClaimDetail::NearMisses(misses) => {
            let misses: Vec<String> = misses.iter().map(near_miss).collect();
            format!("not adopted: {}", named_by("; ", &misses))
        }
        ClaimDetail::Orphans { count } => format!(
            "{} without a controller and of no ReplicaSet's selector: nothing here adopts, replaces or deletes {}",
            pods(*count),
            if *count == 1 { "it" } else { "them" }
        ),
    }
}

/// `web-x7 fails app=web (has app)`.
fn near_miss(miss: &NearMiss) -> String {
    let failing = miss.failing.iter().map(|(requirement, value)| {
        let value = value.as_ref().map_or("label absent".into(), |value| format!("has {value}"));
        format!("{requirement} ({value})")
    });
    format!("{} fails {}", miss.pod, failing.collect::<Vec<_>>().join(", "))
}
