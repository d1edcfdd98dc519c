//! What the objects around a ReplicaSet say about its creates: quotas, the namespace.

use super::Reason;
use super::detail::{Foreseen, RefusalDetail};
use super::refused::StandingRefusal;
use super::view::View;
use crate::model::plan::Assumptions;
use crate::objects::{Quota, ReplicaSet, Resource};
use crate::reasons::Code;
use crate::reasons::Tier;

/// The caller's assumptions, with what quotas and the namespace are known to allow.
pub(crate) fn assumptions(view: &View, replica_set: &ReplicaSet, asked: &Assumptions) -> Assumptions {
    let namespace = &replica_set.meta.namespace;
    let mut assumptions = asked.clone();
    assumptions.namespace_terminating |= view.is_terminating(namespace);
    if assumptions.quota.is_none() {
        assumptions.quota = tightest_quota(view, namespace).map(|(quota, left)| {
            let name = &quota.meta.name;
            (left, format!("exceeded quota: {name}, requested: pods=1, {left} left before this sync"))
        });
    }
    assumptions
}

/// The quota that leaves the fewest pods in a namespace, and how many; None if none counts pods.
pub(crate) fn tightest_quota<'a>(view: &'a View, namespace: &str) -> Option<(&'a Quota, u64)> {
    let quotas = view.quotas.values().filter(|quota| quota.meta.namespace == namespace);
    quotas.filter_map(|quota| Some((quota, quota.pods_left()?))).min_by_key(|(_, left)| *left)
}

/// Whether a refusal still stands: a quota on pods is checked by what it leaves now, what else belongs to the namespace by
/// whether it has changed since.
pub(crate) fn still_refused(
    view: &View,
    replica_set: &ReplicaSet,
    refused: &StandingRefusal,
    assumptions: &Assumptions,
) -> bool {
    let namespace = &replica_set.meta.namespace;
    if refused.cause.counts_pods {
        return match &assumptions.quota {
            Some((left, _)) => *left == 0,
            None => !view.quotas_known(namespace),
        };
    }
    let decides = match refused.cause.code {
        Code::PodSecurityViolation => Resource::Namespaces,
        Code::LimitRangeViolation => Resource::LimitRanges,
        Code::QuotaExceeded => Resource::Quotas,
        _ => return true,
    };
    let changed = view.admission_changed.get(&(decides, namespace.clone()));
    let unchanged = changed.is_none_or(|changed| refused.last.is_some_and(|last| *changed < last));
    unchanged && !enforces_another_level(view, namespace, refused)
}

/// Whether the namespace was read after a refusal and does not enforce what refused. Without a label a default of the
/// cluster may have refused, and still does: then a refusal comes after it was read.
fn enforces_another_level(view: &View, namespace: &str, refused: &StandingRefusal) -> bool {
    let refused_level = refused.cause.who.as_deref().and_then(|who| who.split(':').next());
    let read_after = view.namespaces_listed.is_some_and(|read| refused.last.is_none_or(|last| last < read));
    let enforced = view.enforced_level(namespace);
    refused.cause.code == Code::PodSecurityViolation
        && read_after
        && enforced.zip(refused_level).is_some_and(|(now, then)| now != then)
}

/// Keeps the first reason of each code.
pub(crate) fn keep_first(reasons: &mut Vec<Reason>) {
    let mut seen = std::collections::BTreeSet::new();
    reasons.retain(|reason| seen.insert(reason.code));
}

/// A refusal that follows from objects alone: the attempt has not been made yet.
pub(crate) fn predicted(view: &View, replica_set: &ReplicaSet, assumptions: &Assumptions) -> Option<Reason> {
    let foreseen = no_service_account(view, replica_set)
        .or_else(|| above_limit(view, replica_set))
        .or_else(|| no_quota(view, replica_set, assumptions))?;
    Some(Reason::new(Tier::Inferred, RefusalDetail::Predicted(foreseen)))
}

fn no_service_account(view: &View, replica_set: &ReplicaSet) -> Option<Foreseen> {
    let namespace = &replica_set.meta.namespace;
    let name = &replica_set.template.service_account;
    // Only where service accounts of the namespace were read at all.
    let read = view.service_accounts.iter().any(|key| key.namespace == *namespace);
    let exists = view.service_accounts.iter().any(|key| key.namespace == *namespace && key.name == *name);
    if name.is_empty() || !read || exists {
        return None;
    }
    let elsewhere = view.service_accounts.iter().filter(|key| key.name == *name);
    Some(Foreseen::ServiceAccountMissing {
        name: name.clone(),
        namespace: namespace.clone(),
        exists_in: elsewhere.map(|key| key.namespace.clone()).collect(),
    })
}

fn above_limit(view: &View, replica_set: &ReplicaSet) -> Option<Foreseen> {
    use crate::objects::quantity::parse_milli;
    let ranges =
        view.limit_ranges.values().filter(|range| range.meta.namespace == replica_set.meta.namespace);
    for range in ranges {
        for (resource, max) in &range.container_max {
            let containers = replica_set.template.containers.iter();
            let asked = containers.flat_map(|c| c.limits.iter().map(move |limit| (&c.name, limit)));
            for (container, (limited, limit)) in asked {
                let above = limited == resource && parse_milli(limit)? > parse_milli(max)?;
                if above {
                    return Some(Foreseen::AboveLimit {
                        limit_range: range.meta.name.clone(),
                        resource: resource.clone(),
                        max: max.clone(),
                        container: container.clone(),
                        limit: limit.clone(),
                    });
                }
            }
        }
    }
    None
}

fn no_quota(view: &View, replica_set: &ReplicaSet, assumptions: &Assumptions) -> Option<Foreseen> {
    let (quota, _) = tightest_quota(view, &replica_set.meta.namespace)?;
    let full = assumptions.quota.as_ref().is_some_and(|(left, _)| *left == 0);
    full.then(|| Foreseen::QuotaFull { quota: quota.meta.name.clone() })
}
