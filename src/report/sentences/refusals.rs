//! Refused creates and deletes.

use super::{at, pods};
use crate::reconstruct::detail::{Foreseen, RefusalDetail};

pub(super) fn sentence(detail: &RefusalDetail) -> String {
    match detail {
        RefusalDetail::Standing { deletes, at_least, last, message, .. } => format!(
            "{} are refused (at least {}{}): {message}",
            if *deletes { "deletes" } else { "creates" },
            if *at_least == 1 { "1 call".into() } else { format!("{at_least} calls") },
            last.map(|last| format!(", last at {}", at(last))).unwrap_or_default()
        ),
        RefusalDetail::LastSyncFailed { error, .. } => format!("its last sync failed: {error}"),
        RefusalDetail::TimedOut { at: when, message } => {
            format!("the last create known, at {}, timed out: {message}", when.map(at).unwrap_or_default())
        }
        RefusalDetail::MessageOutdated { condition } => format!(
            "the condition still shows the first failure ({condition}); the newest event names another cause"
        ),
        RefusalDetail::EventsThinned { at_least } => {
            format!("similar events are merged and dropped: at least {at_least} calls failed, perhaps more")
        }
        RefusalDetail::WebhookSelfDeadlock { service } => format!(
            "the webhook's service {service} selects exactly the pods that this ReplicaSet should make: without a pod it has no endpoint, without an endpoint no pod is admitted"
        ),
        RefusalDetail::PodsIrreplaceable { active } => format!(
            "the {} running were admitted earlier; none of them can be replaced while this lasts",
            pods(*active)
        ),
        RefusalDetail::Predicted(foreseen) => predicted(foreseen),
    }
}

fn predicted(foreseen: &Foreseen) -> String {
    match foreseen {
        Foreseen::ServiceAccountMissing { name, namespace, exists_in } => {
            let hint = if exists_in.is_empty() {
                String::new()
            } else {
                format!(" (one of that name exists in {})", exists_in.join(", "))
            };
            format!("the template names service account {name}, which does not exist in {namespace}{hint}")
        }
        Foreseen::AboveLimit { limit_range, resource, max, container, limit } => format!(
            "LimitRange {limit_range} allows at most {max} of {resource} per container, and container {container} of the template asks for {limit}: the create will be refused"
        ),
        Foreseen::QuotaFull { quota } => {
            format!("quota {quota} has no room: as the quota controller counts, 0 pods are left")
        }
    }
}
