//! The pods that one ReplicaSet is about, without reading all pods of its namespace in full.
//!
//! A selector alone does not find them: a pod that is about to be released no longer matches it, and
//! an orphan with a mistyped label never did. So the metadata of all pods is read, which costs a
//! server a tenth, and the pods by their labels; where that does not hold every pod that the
//! metadata ask for, all are read after all.

use std::collections::BTreeSet;

use futures::future::join;

use crate::objects::{Meta, Object, ReplicaSet, Requirement, Selector};
use crate::source::cluster::error::ClusterError;
use crate::source::cluster::read::list::{Listed, Reader};
use crate::source::cluster::read::scope::Read;
use crate::source::cluster::request::client::Get;

/// The ReplicaSets of a namespace, and the pods that the one of this name is about.
pub async fn list<G: Get>(
    reader: &Reader<'_, G>,
    replica_sets: &Read,
    pods: &Read,
    name: &str,
) -> Result<(Listed, Listed), ClusterError> {
    let (listed, metadata) = join(reader.list(replica_sets), reader.metadata(pods)).await;
    let listed = listed?;
    let narrow = match (family(&listed, name), metadata) {
        (Some(family), Ok(metadata)) => narrowed(reader, pods, &family, &metadata).await,
        _ => None,
    };
    let found = match narrow {
        Some(found) => found,
        None => reader.list(pods).await?,
    };
    Ok((listed, found))
}

/// The pods by the labels that the whole family asks for; None where that is not enough.
async fn narrowed<G: Get>(
    reader: &Reader<'_, G>,
    pods: &Read,
    family: &Family<'_>,
    metadata: &Listed,
) -> Option<Listed> {
    let selector = family.common();
    if selector.is_empty() || !metadata.problems.is_empty() {
        return None;
    }
    let read = Read { label_selector: Some(Selector::All(selector).to_string()), ..pods.clone() };
    let found = reader.list(&read).await.ok()?;
    let held: BTreeSet<&str> = found.items.iter().map(|pod| pod.meta().uid.as_str()).collect();
    let complete = metadata
        .items
        .iter()
        .map(Object::meta)
        .all(|meta| held.contains(meta.uid.as_str()) || !family.concerns(meta));
    complete.then_some(found)
}

/// A ReplicaSet, and those with the same controller: pods of all of them decide which ones a
/// scale-down takes.
struct Family<'a> {
    own: &'a ReplicaSet,
    all: Vec<&'a ReplicaSet>,
}

fn family<'a>(listed: &'a Listed, name: &str) -> Option<Family<'a>> {
    let replica_sets = listed.items.iter().filter_map(|object| match object {
        Object::ReplicaSet(replica_set) => Some(replica_set),
        _ => None,
    });
    let own = replica_sets.clone().find(|replica_set| replica_set.meta.name == name)?;
    let is_sibling = |other: &&ReplicaSet| match (own.meta.controller(), other.meta.controller()) {
        (Some(owner), Some(others)) => owner.uid == others.uid,
        _ => other.meta.uid == own.meta.uid,
    };
    Some(Family { own, all: replica_sets.filter(is_sibling).collect() })
}

impl Family<'_> {
    /// The requirements that all selectors of the family have in common.
    fn common(&self) -> Vec<Requirement> {
        let shared =
            |wanted: &&Requirement| self.all.iter().all(|rs| rs.selector.requirements().contains(wanted));
        self.own.selector.requirements().iter().filter(shared).cloned().collect()
    }

    /// Whether the answer may depend on this pod.
    fn concerns(&self, pod: &Meta) -> bool {
        let selected = self.all.iter().any(|rs| rs.selector.matches(&pod.labels));
        selected
            || match pod.controller() {
                Some(owner) => owner.uid == self.own.meta.uid,
                None => {
                    let failing = self.own.selector.failing(&pod.labels).len();
                    failing > 0 && failing < self.own.selector.requirements().len()
                }
            }
    }
}
