//! Rule 5: pods on nodes that run more related pods go first (from 1.17).

use std::collections::{BTreeMap, BTreeSet};

use crate::model::cache::Cache;
use crate::model::profile::Profile;
use crate::objects::{Key, ReplicaSet};

/// Active related pods per node: those that match the selector of any ReplicaSet with the same controller, whoever owns
/// them. Nobody's are related before 1.17 or if the ReplicaSet has no controller.
///
/// The controller counts once, before it sorts: pods already taken still count for their node.
pub(crate) fn related_per_node(
    cache: &Cache,
    replica_set: &ReplicaSet,
    profile: &Profile,
) -> BTreeMap<String, usize> {
    let mut per_node = BTreeMap::new();
    let Some(controller) = replica_set.meta.controller() else { return per_node };
    if !profile.ranks_related_pods {
        return per_node;
    }
    let mut seen: BTreeSet<Key> = BTreeSet::new();
    let siblings = cache
        .replica_sets_in(replica_set.kind, &replica_set.meta.namespace)
        .filter(|rs| rs.meta.controller().is_some_and(|c| c.uid == controller.uid));
    for sibling in siblings {
        let related =
            cache.pods_in(&sibling.meta.namespace).filter(|pod| sibling.selector.matches(&pod.meta.labels));
        for pod in related {
            if pod.is_active() && seen.insert(pod.meta.key()) {
                *per_node.entry(pod.node.clone()).or_default() += 1;
            }
        }
    }
    per_node
}
