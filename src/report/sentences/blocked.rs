//! What keeps any sync from its work.

use super::{at, words};
use crate::reconstruct::detail::{BlockedDetail, CacheVersions};

pub(super) fn sentence(detail: &BlockedDetail) -> String {
    match detail {
        BlockedDetail::Deleting => {
            "the ReplicaSet is being deleted: its syncs no longer create, delete, adopt or release".into()
        }
        BlockedDetail::SelectorInvalid { why } => format!("its selector cannot be parsed: {why}"),
        BlockedDetail::ClaimFailed { error } => format!("its last sync failed: {error}"),
        BlockedDetail::StaleCache { lasted, versions: CacheVersions { resource, cached, written } } => {
            format!(
                "for {} its syncs have been refused by the stale-cache check: the controller's cache of {resource} is at version {cached} or little later, its own write at {written}; they are retried with a growing pause",
                words(*lasted)
            )
        }
        BlockedDetail::LastSyncStale => "its last sync was refused by the stale-cache check".into(),
        BlockedDetail::StaleCheckPassed { count, first, versions } => {
            let CacheVersions { resource, cached, written } = versions;
            format!(
                "the log shows {} refused by the stale-cache check{}: the controller's cache of {resource} was at version {cached}, its own write at {written}; such a sync is retried within milliseconds and is harmless unless that repeats for minutes",
                if *count == 1 { "1 sync".into() } else { format!("{count} syncs") },
                first.map(|first| format!(" (the first at {})", at(first))).unwrap_or_default()
            )
        }
        BlockedDetail::NobodyLeads { since, renewed, lasts_seconds } => format!(
            "the controller-manager's lease was last renewed {} ago, at {}, and lasts {lasts_seconds}s: no controller is syncing, and the next leader starts without expectations",
            words(*since),
            at(*renewed)
        ),
        BlockedDetail::NamespaceTerminating { namespace } => format!(
            "namespace {namespace} is being deleted and accepts no new pods; the controller treats the refusal as success: no event, no condition, no retry"
        ),
    }
}
