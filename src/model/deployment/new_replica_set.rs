//! Which ReplicaSet is the new one, and what is done to have it up to date (section 5).

use std::collections::BTreeMap;

use super::numbers::Strategy;
use super::revision::{DESIRED, MAX, REVISION, new_annotations, next_revision};
use super::state::{ReplicaSet, ReplicaSetStatus};
use super::status::{NEW_REPLICA_SET_CREATED, PROGRESSING, Progress};
use super::sync::Run;
use super::write::{Refusal, RefusalKind, Write};
use crate::objects::Labels;

/// The label by which the pods of different templates are told apart.
const HASH_LABEL: &str = "pod-template-hash";

/// The ReplicaSets of a Deployment by role, oldest first.
#[derive(Debug, Clone)]
pub(super) struct Roles {
    pub(super) new: Option<ReplicaSet>,
    pub(super) old: Vec<ReplicaSet>,
    /// Whether the new one is the object that an update has just returned: it can be updated again.
    pub(super) fresh: bool,
}

impl Roles {
    /// Old ones first, then the new one.
    pub(super) fn all(&self) -> impl Iterator<Item = &ReplicaSet> {
        self.old.iter().chain(&self.new)
    }

    /// All sizes added up.
    pub(super) fn total(&self) -> i32 {
        self.all().map(|replica_set| replica_set.replicas).fold(0, i32::wrapping_add)
    }
}

impl Run<'_> {
    /// Finds the new and the old ReplicaSets, and has the new one up to date; `create` makes it where it is missing.
    pub(super) fn roles(&mut self, claimed: &[ReplicaSet], create: bool) -> Result<Roles, Refusal> {
        let is_new = |replica_set: &&ReplicaSet| replica_set.template == self.deployment.template;
        let new = claimed.iter().find(is_new).cloned();
        let is_old = |replica_set: &&ReplicaSet| new.as_ref().is_none_or(|new| new.uid != replica_set.uid);
        let old: Vec<ReplicaSet> = claimed.iter().filter(is_old).cloned().collect();
        let wanted = next_revision(&old);
        let roles = self.with_new(new, old, wanted, create)?;
        self.new = roles.new.as_ref().map(|new| new.name.clone());
        Ok(roles)
    }

    fn with_new(
        &mut self,
        new: Option<ReplicaSet>,
        old: Vec<ReplicaSet>,
        wanted: i64,
        create: bool,
    ) -> Result<Roles, Refusal> {
        self.new = new.as_ref().map(|new| new.name.clone());
        match new {
            Some(new) => self.update_new(new, old, wanted),
            None if create => {
                let (new, fresh) = self.create_new(&old, wanted)?;
                Ok(Roles { new: Some(new), old, fresh })
            }
            None => Ok(Roles { new: None, old, fresh: false }),
        }
    }

    fn update_new(
        &mut self,
        mut new: ReplicaSet,
        old: Vec<ReplicaSet>,
        wanted: i64,
    ) -> Result<Roles, Refusal> {
        let annotations = new_annotations(&self.deployment, &new.annotations, wanted);
        let seconds = self.deployment.min_ready_seconds;
        let other_seconds = new.min_ready_seconds != seconds;
        if annotations.changed || other_seconds {
            let write = Write::Annotate {
                name: new.name.clone(),
                annotations: annotations.set.clone(),
                min_ready_seconds: other_seconds.then_some(seconds),
            };
            self.update(&new, false, write)?;
            new.annotations.extend(annotations.set);
            new.min_ready_seconds = seconds;
            return Ok(Roles { new: Some(new), old, fresh: true });
        }
        let mut write = self.show_revision(new.annotations.get(REVISION).cloned().unwrap_or_default());
        if self.deployment.progress_deadline.is_some() && self.deployment.condition(PROGRESSING).is_none() {
            let message = format!("Found new replica set \"{}\"", new.name);
            self.set_progress(&Progress::new("True", "FoundNewReplicaSet", message));
            write = true;
        }
        if write {
            self.write_status(self.deployment.status.clone())?;
        }
        Ok(Roles { new: Some(new), old, fresh: false })
    }

    /// The Deployment's revision annotation becomes this; whether that changes it.
    fn show_revision(&mut self, revision: String) -> bool {
        let shown = self.deployment.annotations.get(REVISION).map_or("", String::as_str);
        let differs = shown != revision;
        if differs {
            self.deployment.annotations.insert(REVISION.into(), revision);
        }
        differs
    }

    /// The new ReplicaSet, and whether it is the object that the API server has just returned.
    fn create_new(&mut self, old: &[ReplicaSet], wanted: i64) -> Result<(ReplicaSet, bool), Refusal> {
        let new = self.fresh_replica_set(old, wanted);
        match self.write(Write::Create(Box::new(new.clone()))) {
            Ok(()) => {
                self.new = Some(new.name.clone());
                if new.replicas > 0 {
                    self.note_scaling(&new.name, 0, new.replicas);
                }
                self.show_revision(wanted.to_string());
                if self.deployment.progress_deadline.is_some() {
                    let message = format!("Created new replica set \"{}\"", new.name);
                    self.set_progress(&Progress::new("True", NEW_REPLICA_SET_CREATED, message));
                    self.write_status(self.deployment.status.clone())?;
                } else if self.revision_changed() {
                    self.write_status(self.deployment.status.clone())?;
                }
                Ok((new, true))
            }
            Err(refusal) if refusal.kind == RefusalKind::AlreadyExists => {
                Ok((self.use_or_rename(&new.name, wanted, refusal)?, false))
            }
            Err(refusal) if refusal.kind == RefusalKind::NamespaceTerminating => Err(refusal),
            Err(refusal) => {
                let message =
                    format!("Failed to create new replica set \"{}\": {}", new.name, refusal.message);
                if self.deployment.progress_deadline.is_some() {
                    self.set_progress(&Progress::new("False", "ReplicaSetCreateError", message.clone()));
                    // That it may be refused too changes nothing.
                    let _ = self.write_status(self.deployment.status.clone());
                }
                self.note("ReplicaSetCreateError", message);
                Err(refusal)
            }
        }
    }

    fn revision_changed(&self) -> bool {
        self.deployment.annotations.get(REVISION) != self.begun.annotations.get(REVISION)
    }

    /// The name is taken: by the very ReplicaSet that is wanted, which is then used, or by another one, which is a
    /// collision of hashes.
    fn use_or_rename(&mut self, name: &str, wanted: i64, refusal: Refusal) -> Result<ReplicaSet, Refusal> {
        let Some(found) = self.all.iter().find(|replica_set| replica_set.name == name).cloned() else {
            let message = format!("replicaset.apps \"{name}\" not found");
            return Err(Refusal { kind: RefusalKind::NotFound, message });
        };
        let own = found.controller.as_ref() == Some(&self.deployment.uid);
        if own && found.template == self.deployment.template {
            self.new = Some(found.name.clone());
            if self.show_revision(wanted.to_string()) {
                self.write_status(self.deployment.status.clone())?;
            }
            return Ok(found);
        }
        let collisions = self.deployment.status.collisions.unwrap_or(0).wrapping_add(1);
        self.deployment.status.collisions = Some(collisions);
        let _ = self.write_status(self.deployment.status.clone());
        Err(refusal)
    }

    fn fresh_replica_set(&self, old: &[ReplicaSet], wanted: i64) -> ReplicaSet {
        let deployment = &self.deployment;
        let surge = deployment.strategy.surge(deployment.replicas);
        let total = old.iter().map(|replica_set| replica_set.replicas).fold(0, i32::wrapping_add);
        let replicas = match deployment.strategy {
            Strategy::Recreate => deployment.replicas,
            Strategy::RollingUpdate { .. } => self.room_for_new(total, 0),
        };
        let mut annotations: BTreeMap<String, String> =
            new_annotations(deployment, &BTreeMap::new(), wanted).set;
        annotations.insert(DESIRED.into(), deployment.replicas.to_string());
        annotations.insert(MAX.into(), deployment.replicas.wrapping_add(surge).to_string());
        let name = self.name.to_owned();
        let hash = name.rsplit('-').next().unwrap_or_default();
        ReplicaSet {
            labels: self
                .template_labels
                .iter()
                .filter(|(key, _)| *key != HASH_LABEL)
                .chain([(HASH_LABEL, hash)])
                .collect::<Labels>(),
            uid: format!("new {name}"),
            name,
            created: Some(self.now),
            generation: 1,
            annotations,
            controller: Some(deployment.uid.clone()),
            deleting: false,
            replicas,
            min_ready_seconds: deployment.min_ready_seconds,
            template: deployment.template.clone(),
            status: ReplicaSetStatus::default(),
        }
    }

    /// The size that the new ReplicaSet may grow to while `total` pods are wanted of all: as far as the surge allows.
    pub(super) fn room_for_new(&self, total: i32, size: i32) -> i32 {
        let wanted = self.deployment.replicas;
        let most = wanted.wrapping_add(self.deployment.strategy.surge(wanted));
        if total >= most { size } else { size + (most - total).min(wanted - size) }
    }
}
