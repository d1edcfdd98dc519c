//! How a Deployment or a pod led to its ReplicaSets: what a note and `via` say about each.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::settings::Settings;
use crate::engine::targets::resolve::{self, Resolved};
use crate::engine::targets::target::Target;
use crate::objects::{Deployment, Key, OwnerKind, Pod, ReplicaSet};
use crate::reconstruct::{Id, Reconstruction};
use crate::report::format::join;

/// The Deployment controller counts rollouts here: on the Deployment, and on the ReplicaSet of each.
const REVISION: &str = "deployment.kubernetes.io/revision";

/// More older ReplicaSets than these are only counted in a note.
const SHOWN: usize = 3;

/// How targets led to what is answered for.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Lineage {
    /// One line for each Deployment or pod.
    pub(crate) notes: Vec<String>,
    /// For each object the target that led to it, and why.
    pub(crate) by_id: BTreeMap<Id, String>,
}

/// The lineage of the targets that are Deployments and pods.
pub fn of(reconstruction: &Reconstruction, settings: &Settings, resolved: &Resolved) -> Lineage {
    let mut lineage = Lineage::default();
    for (target, ids) in settings.targets.iter().zip(&resolved.by_target) {
        let mut by_namespace: BTreeMap<&str, Vec<&Arc<ReplicaSet>>> = BTreeMap::new();
        for (kind, key) in ids {
            let found = reconstruction.view().cache.replica_set(*kind, key);
            by_namespace.entry(&key.namespace).or_default().extend(found);
        }
        for (namespace, found) in by_namespace {
            match target {
                Target::Deployment(name) => {
                    Rollout::of(reconstruction, Key::new(namespace, name.as_str()), found)
                        .describe(&mut lineage);
                }
                Target::Pod(name) => {
                    let pod = reconstruction.view().cache.pod(&Key::new(namespace, name.as_str()));
                    pod.iter().for_each(|pod| describe_pod(pod, &found, &mut lineage));
                }
                _ => {}
            }
        }
    }
    lineage
}

/// Why there is nothing to answer for, if the target itself exists.
pub(crate) fn why_nothing(
    reconstruction: &Reconstruction,
    settings: &Settings,
    target: &Target,
) -> Option<String> {
    let view = reconstruction.view();
    let here = |key: &Key| settings.only_namespace().is_none_or(|namespace| key.namespace == namespace);
    match target {
        Target::Deployment(name) => {
            let found = view.deployments.iter().find(|(key, _)| key.name == *name && here(key));
            found.map(|(key, deployment)| without_replica_set(reconstruction, key, deployment))
        }
        Target::Pod(name) => {
            let mut pods = view.cache.pods();
            pods.find(|pod| pod.meta.name == *name && here(&pod.meta.key())).map(|pod| without_owner(pod))
        }
        _ => None,
    }
}

/// The ReplicaSets of a Deployment.
struct Rollout<'a> {
    key: Key,
    deployment: Option<&'a Deployment>,
    /// Newest first.
    replica_sets: Vec<&'a ReplicaSet>,
}

impl<'a> Rollout<'a> {
    fn of(reconstruction: &'a Reconstruction, key: Key, found: Vec<&'a Arc<ReplicaSet>>) -> Rollout<'a> {
        let mut replica_sets: Vec<&ReplicaSet> = found.into_iter().map(Arc::as_ref).collect();
        replica_sets.sort_by_key(|rs| (Reverse(revision(&rs.meta.annotations)), rs.meta.name.as_str()));
        Rollout { deployment: reconstruction.view().deployments.get(&key), key, replica_sets }
    }

    /// The highest revision, and how many have it.
    fn newest(&self) -> Option<(i64, usize)> {
        let revisions = || self.replica_sets.iter().filter_map(|rs| revision(&rs.meta.annotations));
        let newest = revisions().max()?;
        Some((newest, revisions().filter(|own| *own == newest).count()))
    }

    /// The revision in the annotation of the Deployment.
    fn stated(&self) -> Option<i64> {
        self.deployment.and_then(|deployment| revision(&deployment.meta.annotations))
    }

    fn role(&self, rs: &ReplicaSet) -> String {
        let (Some(own), Some((newest, times))) = (revision(&rs.meta.annotations), self.newest()) else {
            let word = if self.replica_sets.len() == 1 { "its only one" } else { "without a revision" };
            return word.into();
        };
        match self.stated() {
            _ if own < newest => format!("older: revision {own}"),
            _ if times > 1 => format!("revision {own}, as another one"),
            None => format!("current: revision {own} is the newest"),
            Some(stated) if stated == own => format!("current: revision {own} is the Deployment's"),
            Some(stated) if stated < own => {
                format!("current: revision {own}; the Deployment still says {stated}")
            }
            Some(_) => format!("older: revision {own}"),
        }
    }

    /// What makes the current one doubtful.
    fn but(&self) -> String {
        let seen = self.newest().map(|(newest, _)| newest);
        let absent = self.stated().filter(|said| seen.is_some_and(|newest| newest < *said));
        let absent =
            absent.map(|said| format!("; the one of revision {said}, the Deployment's, was not seen"));
        let unread = self.deployment.is_some_and(is_unread);
        let unread = if unread { "; its controller has not acted on its newest spec yet" } else { "" };
        absent.unwrap_or_default() + unread
    }

    fn describe(&self, lineage: &mut Lineage) {
        let target = format!("deploy/{}", self.key.name);
        let mut parts = Vec::new();
        for rs in &self.replica_sets {
            let role = self.role(rs);
            parts.push(format!("{} ({role})", named(rs)));
            lineage.by_id.insert((rs.kind, rs.key()), format!("{target}: {role}"));
        }
        let hidden = parts.len().saturating_sub(1 + SHOWN);
        if hidden > 1 {
            parts.truncate(1 + SHOWN);
            parts.push(format!("{hidden} more"));
        }
        lineage.notes.push(format!("{target}: {}{}", join(&parts), self.but()));
    }
}

fn describe_pod(pod: &Pod, found: &[&Arc<ReplicaSet>], lineage: &mut Lineage) {
    let target = format!("pod/{}", pod.meta.name);
    let names: Vec<String> = found.iter().map(|rs| named(rs)).collect();
    let (note, why) = match pod.controller() {
        Some(_) => (format!("{target}: {}, its controller", join(&names)), "its controller"),
        None if names.len() == 1 => {
            let note = format!("{target} has no controller; {} would adopt it", join(&names));
            (note, "has no controller; would be adopted")
        }
        None => {
            let names = join(&names);
            let note = format!("{target} has no controller; the first of {names} to sync would adopt it");
            (note, "has no controller; may be adopted")
        }
    };
    lineage.notes.push(note);
    lineage.by_id.extend(found.iter().map(|rs| ((rs.kind, rs.key()), format!("{target}: {why}"))));
}

fn without_replica_set(reconstruction: &Reconstruction, key: &Key, deployment: &Deployment) -> String {
    let unread = if is_unread(deployment) { ": its controller has not acted on it yet" } else { "" };
    let mut others = reconstruction.view().cache.replica_sets_in(OwnerKind::ReplicaSet, &key.namespace);
    let earlier = others.find(|rs| resolve::names_deployment(rs, &key.name));
    let earlier = earlier.map(|rs| format!("; {} belonged to an earlier one of this name (UID)", named(rs)));
    format!("deploy/{} owns no ReplicaSet{unread}{}", key.name, earlier.unwrap_or_default())
}

fn without_owner(pod: &Pod) -> String {
    let name = format!("pod/{}", pod.meta.name);
    let Some(owner) = pod.controller() else {
        let why = match pod {
            pod if pod.meta.deleted.is_some() => "it is terminating: nothing adopts it",
            pod if !pod.is_active() => "it is finished: nothing adopts it",
            _ => "no ReplicaSet selects it",
        };
        return format!("{name} has no controller; {why}");
    };
    match owner.kind.as_str() {
        "ReplicaSet" | "ReplicationController" => format!(
            "{name} is controlled by {} {} (UID {}), which was not seen",
            owner.kind, owner.name, owner.uid
        ),
        kind => format!("{name} is controlled by {kind} {}, not by a ReplicaSet", owner.name),
    }
}

fn revision(annotations: &crate::objects::Labels) -> Option<i64> {
    annotations.get(REVISION)?.parse().ok()
}

fn is_unread(deployment: &Deployment) -> bool {
    deployment.observed_generation < deployment.meta.generation
}

fn named(rs: &ReplicaSet) -> String {
    format!("{}/{}", rs.kind.short(), rs.meta.name)
}
