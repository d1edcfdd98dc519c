//! Claim: which pods a ReplicaSet keeps, adopts and releases. Up to 1.34.1 owned pods are found by UID alone, later by kind,
//! name and UID; the rest is alike in all versions. See docs/semantics.md section 4.1.

use super::profile::{OwnerMatch, Profile};
use crate::objects::{OwnerReference, Pod, ReplicaSet};

/// What the claim does with one pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// Of another owner, or an orphan that is not adopted.
    Ignore,
    /// Owned and selected: counted.
    Keep,
    /// Owned but not selected: the controllerRef is removed by a patch.
    Release,
    /// Without a controller and selected: a patch sets the controllerRef. Counted in the same sync.
    Adopt,
}

/// Whether a sync looks at this pod at all: its own by controllerRef, and orphans.
pub(crate) fn considers(replica_set: &ReplicaSet, pod: &Pod, profile: &Profile) -> bool {
    if pod.meta.namespace != replica_set.meta.namespace {
        return false;
    }
    match (pod.controller(), profile.owner_match) {
        (None, _) => true,
        (Some(owner), OwnerMatch::Uid) => owner.uid == replica_set.meta.uid,
        (Some(owner), OwnerMatch::KindNameUid) => names(owner, replica_set),
    }
}

/// Whether the reference names this object by kind, name and UID. The API group is not compared.
pub(crate) fn names(owner: &OwnerReference, replica_set: &ReplicaSet) -> bool {
    owner.kind == replica_set.kind.as_str()
        && owner.name == replica_set.meta.name
        && owner.uid == replica_set.meta.uid
}

/// What the claim does with a pod that the sync considers.
pub(crate) fn claim(replica_set: &ReplicaSet, pod: &Pod) -> Claim {
    let selected = replica_set.selector.matches(&pod.meta.labels);
    let deleting = replica_set.is_deleting();
    match pod.controller() {
        Some(owner) if owner.uid != replica_set.meta.uid => Claim::Ignore,
        Some(_) if selected => Claim::Keep,
        Some(_) if deleting => Claim::Ignore,
        Some(_) => Claim::Release,
        None if selected && !deleting && pod.meta.deleted.is_none() => Claim::Adopt,
        None => Claim::Ignore,
    }
}
