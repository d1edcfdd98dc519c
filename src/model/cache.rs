//! The informer cache: what the controller has read of ReplicaSets and pods. It may lag behind the API server; every rule of
//! the model is about what it holds, never about what is true.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::claim;
use super::profile::Profile;
use crate::objects::{Key, OwnerKind, OwnerReference, Pod, ReplicaSet};

/// The objects by key, with the indices that the controller keeps too.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    replica_sets: BTreeMap<(OwnerKind, Key), Arc<ReplicaSet>>,
    pods: BTreeMap<Key, Arc<Pod>>,
    /// Pods by the UID of their controller.
    owned: BTreeMap<String, BTreeSet<Key>>,
    /// Pods without a controller.
    orphans: BTreeSet<Key>,
}

impl Cache {
    /// One ReplicaSet or ReplicationController.
    pub fn replica_set(&self, kind: OwnerKind, key: &Key) -> Option<&Arc<ReplicaSet>> {
        self.replica_sets.get(&(kind, key.clone()))
    }

    /// All of both kinds, by kind, namespace and name.
    pub fn replica_sets(&self) -> impl Iterator<Item = &Arc<ReplicaSet>> {
        self.replica_sets.values()
    }

    /// Those of one kind in one namespace, by name.
    pub(crate) fn replica_sets_in(
        &self,
        kind: OwnerKind,
        namespace: &str,
    ) -> impl Iterator<Item = &Arc<ReplicaSet>> {
        let first = (kind, Key::new(namespace, ""));
        self.replica_sets
            .range(first..)
            .take_while(move |((k, key), _)| *k == kind && key.namespace == namespace)
            .map(|(_, replica_set)| replica_set)
    }

    /// One pod.
    pub fn pod(&self, key: &Key) -> Option<&Arc<Pod>> {
        self.pods.get(key)
    }

    /// All pods, by namespace and name.
    pub fn pods(&self) -> impl Iterator<Item = &Arc<Pod>> {
        self.pods.values()
    }

    /// The pods of one namespace, by name.
    pub(crate) fn pods_in(&self, namespace: &str) -> impl Iterator<Item = &Arc<Pod>> {
        self.pods
            .range(Key::new(namespace, "")..)
            .take_while(move |(key, _)| key.namespace == namespace)
            .map(|(_, pod)| pod)
    }

    /// The pods of one namespace that have no controller, by name.
    pub(crate) fn orphans_in(&self, namespace: &str) -> impl Iterator<Item = &Arc<Pod>> {
        self.orphans
            .range(Key::new(namespace, "")..)
            .take_while(move |key| key.namespace == namespace)
            .filter_map(|key| self.pods.get(key))
    }

    /// The pods that a sync of this ReplicaSet looks at: its own, and orphans of the namespace.
    pub(crate) fn considered(&self, replica_set: &ReplicaSet, profile: &Profile) -> Vec<Arc<Pod>> {
        let orphans = self.orphans_in(&replica_set.meta.namespace);
        self.owned_by(replica_set, profile).chain(orphans).cloned().collect()
    }

    /// The pods that name this ReplicaSet as their controller, in any state, by name.
    pub(crate) fn owned_by<'a>(
        &'a self,
        replica_set: &'a ReplicaSet,
        profile: &'a Profile,
    ) -> impl Iterator<Item = &'a Arc<Pod>> {
        let keys = self.owned.get(&replica_set.meta.uid).into_iter().flatten();
        keys.filter_map(|key| self.pods.get(key)).filter(|pod| claim::considers(replica_set, pod, profile))
    }

    /// Resolves a controllerRef as the handlers do: kind, name and UID must agree.
    pub(crate) fn resolve(
        &self,
        kind: OwnerKind,
        namespace: &str,
        owner: &OwnerReference,
    ) -> Option<&Arc<ReplicaSet>> {
        if owner.kind != kind.as_str() {
            return None;
        }
        let found = self.replica_set(kind, &Key::new(namespace, owner.name.as_str()))?;
        (found.meta.uid == owner.uid).then_some(found)
    }

    /// Stores a ReplicaSet and returns the one it replaces.
    pub fn put_replica_set(&mut self, replica_set: Arc<ReplicaSet>) -> Option<Arc<ReplicaSet>> {
        self.replica_sets.insert((replica_set.kind, replica_set.key()), replica_set)
    }

    /// Removes a ReplicaSet.
    pub fn remove_replica_set(&mut self, kind: OwnerKind, key: &Key) -> Option<Arc<ReplicaSet>> {
        self.replica_sets.remove(&(kind, key.clone()))
    }

    /// Stores a pod and returns the one it replaces.
    pub fn put_pod(&mut self, pod: Arc<Pod>) -> Option<Arc<Pod>> {
        let key = pod.meta.key();
        let old = self.remove_pod(&key);
        match pod.controller() {
            Some(owner) => self.owned.entry(owner.uid.clone()).or_default().insert(key.clone()),
            None => self.orphans.insert(key.clone()),
        };
        self.pods.insert(key, pod);
        old
    }

    /// Removes a pod.
    pub fn remove_pod(&mut self, key: &Key) -> Option<Arc<Pod>> {
        let old = self.pods.remove(key)?;
        match old.controller() {
            Some(owner) => {
                if let Some(keys) = self.owned.get_mut(&owner.uid) {
                    keys.remove(key);
                    if keys.is_empty() {
                        self.owned.remove(&owner.uid);
                    }
                }
            }
            None => {
                self.orphans.remove(key);
            }
        }
        Some(old)
    }
}
