//! Traps that no sync gets out of, and limits of the evidence.

use super::pods;
use crate::model::profile::{OLDEST, Version};
use crate::reconstruct::detail::{Gap, LimitDetail};

pub(super) fn sentence(detail: &LimitDetail) -> String {
    match detail {
        LimitDetail::OwnerReferenceStripped { pods: count } => format!(
            "{} of its last round came without it as their controller, or already terminating: they never count as creations seen, not even once adopted",
            pods(usize::try_from(*count).unwrap_or_default())
        ),
        LimitDetail::LabelsMutated { pods: count } => format!(
            "the last {} that its syncs made came with labels that its selector does not match: something changes them on creation; each is released and another one created, without end",
            if *count == 1 { "pod".into() } else { format!("{count} pods") }
        ),
        LimitDetail::DeletionReleased { pods: count } => format!(
            "{} left it by another way than deletion while deletions were awaited: their end is never seen as its own",
            pods(*count)
        ),
        LimitDetail::ReplacedObject { key, uids } => format!(
            "{key} stands in the input with the UIDs {}; the newer one is answered for",
            uids.join(" and ")
        ),
        LimitDetail::WatchGap(gap) => format!("{}: what happened meanwhile is unknown", self::gap(gap)),
        LimitDetail::RetryIsOpen => {
            "its creates were refused, and what refused them may be gone: whether the retry is refused too is not known".into()
        }
        LimitDetail::StatesDisagree => {
            "the states that fit what was seen lead to different next syncs".into()
        }
        LimitDetail::VersionUnknown { used } => format!(
            "the server's version is not known: answered as Kubernetes {} (--server-version)",
            used.minor_name()
        ),
        LimitDetail::VersionOutside { asked, used } => format!(
            "Kubernetes {asked} is outside {} to {}: answered as {}, the nearest known",
            Version { minor: OLDEST, patch: None },
            Version::LATEST,
            used.minor_name()
        ),
        LimitDetail::LogAlone { wanted, counted: Some(counted) } => format!(
            "no object was seen: by its log the controller last counted {counted} pods and wanted {wanted}"
        ),
        LimitDetail::LogAlone { wanted, counted: None } => format!(
            "no object was seen: by its log the controller last wanted {wanted} pods; how many there are it tells only at -v=4"
        ),
        LimitDetail::ReadDenied { what } => {
            format!("not permitted to read {}: the answer does without", what.join(", "))
        }
    }
}

/// What was missed.
pub(crate) fn gap(gap: &Gap) -> String {
    match gap {
        Gap::Relisted(resource) => format!("the watch of {} broke and was opened anew", resource.as_str()),
        Gap::Told(what) => what.clone(),
    }
}
