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
            format!("the last known create, at {}, timed out: {message}", when.map(at).unwrap_or_default())
        }
        RefusalDetail::MessageOutdated { condition } => format!(
            "the condition still shows the first failure ({condition}); the newest event has another cause"
        ),
        RefusalDetail::EventsThinned { at_least } => {
            format!("similar events are merged and dropped: at least {at_least} calls failed, possibly more")
        }
        RefusalDetail::WebhookSelfDeadlock { service } => format!(
            "the webhook's Service {service} selects exactly the pods that this ReplicaSet should create: without a pod it has no endpoint, and without an endpoint no pod is admitted"
        ),
        RefusalDetail::PodsIrreplaceable { active } => format!(
            "the {} now running {} admitted earlier; none can be replaced as long as creates are refused",
            pods(*active),
            if *active == 1 { "was" } else { "were" }
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
            format!(
                "the template names ServiceAccount {name}, which does not exist in namespace {namespace}{hint}"
            )
        }
        Foreseen::AboveLimit { limit_range, resource, max, container, limit } => format!(
            "LimitRange {limit_range} allows at most {max} of {resource} per container, but container {container} of the template has the limit {limit}: the create will be refused"
        ),
        Foreseen::QuotaFull { quota } => {
            format!("ResourceQuota {quota} is exhausted: by its status.used, 0 pods are left")
        }
    }
}
