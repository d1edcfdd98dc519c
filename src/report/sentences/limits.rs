//! Traps that no sync gets out of, and limits of the evidence.

use super::pods;
use crate::model::profile::{OLDEST, Version};
use crate::reconstruct::detail::{Gap, LimitDetail};

pub(super) fn sentence(detail: &LimitDetail) -> String {
    match detail {
        LimitDetail::OwnerReferenceStripped { pods: count } => format!(
            "{} of its last batch of creates came without this ReplicaSet as controller, or already terminating: such pods never count as observed creations, not even after adoption",
            pods(usize::try_from(*count).unwrap_or_default())
        ),
        LimitDetail::LabelsMutated { pods: count } => format!(
            "the last {} that its syncs created came with labels that its selector does not match: something changes them on creation; each such pod is released and replaced, without end",
            if *count == 1 { "pod".into() } else { format!("{count} pods") }
        ),
        LimitDetail::DeletionReleased { pods: count } => format!(
            "{} left the ReplicaSet without being deleted while deletions were pending: their end is never observed as one of its deletions",
            pods(*count)
        ),
        LimitDetail::ReplacedObject { key, uids } => format!(
            "{key} is in the input with the UIDs {}; this answer is about the newer one",
            uids.join(" and ")
        ),
        LimitDetail::WatchGap(gap) => format!("{}: what happened in between is unknown", self::gap(gap)),
        LimitDetail::RetryIsOpen => {
            "its creates were refused, and the cause may be gone: whether the retry will be refused too is unknown".into()
        }
        LimitDetail::StatesDisagree => {
            "the states that fit the evidence lead to different syncs".into()
        }
        LimitDetail::VersionUnknown { used } => format!(
            "the server's version is unknown: answered as Kubernetes {} (--server-version)",
            used.minor_name()
        ),
        LimitDetail::VersionOutside { asked, used } => format!(
            "Kubernetes {asked} is outside {} to {}: answered as {}, the nearest known",
            Version { minor: OLDEST, patch: None },
            Version::LATEST,
            used.minor_name()
        ),
        LimitDetail::LogAlone { wanted, counted: Some(counted) } => format!(
            "no object was observed: according to its log, the controller last counted {counted} pods and wanted {wanted}"
        ),
        LimitDetail::LogAlone { wanted, counted: None } => format!(
            "no object was observed: according to its log, the controller last wanted {wanted} pods; only a log at -v=4 shows how many there are"
        ),
        LimitDetail::ReadDenied { what } => {
            format!("not permitted to read {}: the answer does not take it into account", what.join(", "))
        }
    }
}

/// What was missed.
pub(crate) fn gap(gap: &Gap) -> String {
    match gap {
        Gap::Relisted(resource) => format!("the watch of {} broke and was reopened", resource.as_str()),
        Gap::Told(what) => what.clone(),
    }
}
