//! Which ReplicaSets a request is about: targets, namespace and labels against what was seen.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::engine::settings::Settings;
use crate::engine::targets::target::{Kind, Target};
use crate::model::claim::{self, Claim};
use crate::objects::{Key, OwnerKind, OwnerReference, Pod, ReplicaSet};
use crate::reconstruct::{Id, Reconstruction};

/// What the targets turned out to be.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    /// All of them, once each.
    pub(crate) ids: Vec<Id>,
    /// Those of each target, in the order of the settings.
    pub(crate) by_target: Vec<Vec<Id>>,
}

/// The objects that exist now.
pub(crate) fn resolve(reconstruction: &Reconstruction, settings: &Settings) -> Resolved {
    let everything = [Target::All(vec![Kind::ReplicaSet, Kind::ReplicationController])];
    let targets = if settings.targets.is_empty() { &everything } else { settings.targets.as_slice() };
    let by_target: Vec<Vec<Id>> =
        targets.iter().map(|target| matching(reconstruction, settings, target)).collect();
    let mut ids: Vec<Id> = by_target.iter().flatten().cloned().collect();
    ids.sort();
    ids.dedup();
    Resolved { ids, by_target }
}

/// The names of the objects, where the targets are all ReplicaSets or ReplicationControllers.
pub(crate) fn names(settings: &Settings) -> Option<BTreeSet<String>> {
    let name = |target: &Target| match target {
        Target::ReplicaSet(name) | Target::ReplicationController(name) => Some(name.clone()),
        _ => None,
    };
    let names: Option<BTreeSet<String>> = settings.targets.iter().map(name).collect();
    names.filter(|names| !names.is_empty())
}

/// Named objects that were seen at some instant.
pub(crate) fn ever_seen(reconstruction: &Reconstruction, settings: &Settings) -> Vec<Id> {
    settings.targets.iter().flat_map(|target| ever_named(reconstruction, settings, target)).collect()
}

/// The objects that one target names and that were seen at some instant.
pub(crate) fn ever_named(reconstruction: &Reconstruction, settings: &Settings, target: &Target) -> Vec<Id> {
    let wanted = match target {
        Target::ReplicaSet(name) => (OwnerKind::ReplicaSet, name),
        Target::ReplicationController(name) => (OwnerKind::ReplicationController, name),
        _ => return Vec::new(),
    };
    let in_namespace =
        |id: &&Id| settings.only_namespace().is_none_or(|namespace| id.1.namespace == namespace);
    let named = |id: &&Id| id.0 == wanted.0 && id.1.name == *wanted.1;
    reconstruction.seen().iter().filter(named).filter(in_namespace).cloned().collect()
}

fn matching(reconstruction: &Reconstruction, settings: &Settings, target: &Target) -> Vec<Id> {
    let view = reconstruction.view();
    let selected = |rs: &ReplicaSet| {
        let in_namespace = settings.only_namespace().is_none_or(|namespace| rs.meta.namespace == namespace);
        let labelled = settings.selector.as_ref().is_none_or(|selector| selector.matches(&rs.meta.labels));
        in_namespace
            && labelled
            && settings.field_selector.as_ref().is_none_or(|fields| fields.matches(&rs.meta))
    };
    let pods: Vec<&Arc<Pod>> = match target {
        Target::Pod(name) => view.cache.pods().filter(|pod| pod.meta.name == *name).collect(),
        _ => Vec::new(),
    };
    let wanted = |rs: &ReplicaSet| match target {
        Target::ReplicaSet(name) => rs.kind == OwnerKind::ReplicaSet && rs.meta.name == *name,
        Target::ReplicationController(name) => {
            rs.kind == OwnerKind::ReplicationController && rs.meta.name == *name
        }
        Target::Deployment(name) => is_of_deployment(reconstruction, rs, name),
        Target::Pod(_) => pods.iter().any(|pod| owns_or_adopts(reconstruction, rs, pod)),
        Target::All(kinds) => kinds.iter().any(|kind| is_of_kind(rs, *kind)),
    };
    let found = view.cache.replica_sets().filter(|rs| wanted(rs) && selected(rs));
    let logged = reconstruction.logged_only().into_iter().filter(|id| by_log(settings, target, id));
    found.map(|rs| (rs.kind, rs.key())).chain(logged).collect()
}

/// Whether a target means a ReplicaSet that only the log shows: its name is all that is known.
fn by_log(settings: &Settings, target: &Target, id: &Id) -> bool {
    let named = match target {
        Target::ReplicaSet(name) => id.0 == OwnerKind::ReplicaSet && id.1.name == *name,
        Target::ReplicationController(name) => id.0 == OwnerKind::ReplicationController && id.1.name == *name,
        Target::All(kinds) => kinds.iter().any(|kind| owner_kind(*kind) == Some(id.0)),
        _ => false,
    };
    let unselected = settings.selector.is_none() && settings.field_selector.is_none();
    named && unselected && settings.only_namespace().is_none_or(|namespace| id.1.namespace == namespace)
}

/// The kind of the objects themselves, where they are no others' pods or parts.
fn owner_kind(kind: Kind) -> Option<OwnerKind> {
    match kind {
        Kind::ReplicaSet => Some(OwnerKind::ReplicaSet),
        Kind::ReplicationController => Some(OwnerKind::ReplicationController),
        Kind::Deployment | Kind::Pod => None,
    }
}

/// Its controller by UID; of a pod without one, whoever would adopt it.
fn owns_or_adopts(reconstruction: &Reconstruction, rs: &ReplicaSet, pod: &Pod) -> bool {
    match pod.controller() {
        Some(owner) => owner.uid == rs.meta.uid,
        None => {
            let considered = pod.is_active() && claim::considers(rs, pod, reconstruction.profile());
            considered && claim::claim(rs, pod) == Claim::Adopt
        }
    }
}

/// By the owner's UID where the Deployment is known, so that an older one of its name is not
/// taken for it.
fn is_of_deployment(reconstruction: &Reconstruction, rs: &ReplicaSet, name: &str) -> bool {
    let Some(owner) = owning_deployment(rs, name) else { return false };
    let key = Key::new(rs.meta.namespace.as_str(), name);
    reconstruction.view().deployments.get(&key).is_none_or(|deployment| deployment.meta.uid == owner.uid)
}

/// Whether the controllerRef names a Deployment of this name, whatever its UID.
pub(crate) fn names_deployment(rs: &ReplicaSet, name: &str) -> bool {
    owning_deployment(rs, name).is_some()
}

fn owning_deployment<'a>(rs: &'a ReplicaSet, name: &str) -> Option<&'a OwnerReference> {
    rs.meta.controller().filter(|owner| owner.kind == "Deployment" && owner.name == name)
}

fn is_of_kind(rs: &ReplicaSet, kind: Kind) -> bool {
    match kind {
        Kind::ReplicaSet => rs.kind == OwnerKind::ReplicaSet,
        Kind::ReplicationController => rs.kind == OwnerKind::ReplicationController,
        Kind::Deployment => rs.meta.controller().is_some_and(|owner| owner.kind == "Deployment"),
        // All pods: every object that can own one.
        Kind::Pod => true,
    }
}
