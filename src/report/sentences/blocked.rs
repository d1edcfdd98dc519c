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
                "for {} its syncs have been refused by the stale-cache check: the controller's cache of {resource} has version {cached} or little more, and its own write was {written}; retried with a growing pause",
                words(*lasted)
            )
        }
        BlockedDetail::LastSyncStale => "its last sync was refused by the stale-cache check".into(),
        BlockedDetail::StaleCheckPassed { count, first, versions } => {
            let CacheVersions { resource, cached, written } = versions;
            format!(
                "the log has {} refused by the stale-cache check (first {}): the controller's cache of {resource} had version {cached} and its own write was {written}; such a sync is retried within milliseconds and does no harm unless it repeats for minutes",
                if *count == 1 { "1 sync".into() } else { format!("{count} syncs") },
                first.map(at).unwrap_or_default()
            )
        }
        BlockedDetail::NobodyLeads { since, renewed, lasts_seconds } => format!(
            "the controller-manager's lease was last renewed {} ago, at {}, and lasts {lasts_seconds}s: nobody syncs, and whoever leads next begins without expectations",
            words(*since),
            at(*renewed)
        ),
        BlockedDetail::NamespaceTerminating { namespace } => format!(
            "namespace {namespace} is being deleted and takes no new pods; the controller counts the refusal as done: no event, no condition, no retry"
        ),
    }
}
