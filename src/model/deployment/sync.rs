//! One sync, in the controller's order (section 3).

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use super::new_replica_set::Roles;
use super::numbers::Strategy;
use super::revision::REVISION;
use super::state::{Deployment, DeploymentStatus, OldPod, ReplicaSet};
use super::write::{Action, Api, Refusal, RefusalKind, Write};
use crate::model::profile::Profile;
use crate::objects::Labels;

/// What a sync reads.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The Deployment.
    pub deployment: &'a Deployment,
    /// Every ReplicaSet of its namespace.
    pub replica_sets: &'a [ReplicaSet],
    /// Pods of its ReplicaSets; only Recreate looks at them.
    pub pods: &'a [OldPod],
    /// The name that a new ReplicaSet would get. The hash in it cannot be computed outside the controller.
    pub name: &'a str,
    /// The labels of the Deployment's template.
    pub template_labels: &'a Labels,
    /// The behaviour of the version.
    pub profile: &'a Profile,
    /// The instant.
    pub now: Timestamp,
}

/// Which way a sync took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Branch {
    /// Its selector selects everything: nothing is done.
    SelectingAll,
    /// A ReplicaSet could not be adopted or released.
    ClaimFailed,
    /// It is being deleted: the status alone is written.
    Deleting,
    /// It is paused: sizes follow, templates do not.
    Paused,
    /// A rollback was asked for.
    Rollback,
    /// Its size changed.
    Scaling,
    /// Strategy Recreate.
    Recreate,
    /// Strategy RollingUpdate.
    Rolling,
}

/// An event that the controller records on the Deployment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its reason.
    pub reason: &'static str,
    /// Its message.
    pub message: String,
}

/// When the deadline is checked again without anything else happening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requeue {
    /// At once, rate limited.
    Now,
    /// After so long.
    After(SignedDuration),
}

/// What a sync did.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Which way it took.
    pub branch: Branch,
    /// The new ReplicaSet, found or created.
    pub new: Option<String>,
    /// The ReplicaSets that belong to the Deployment, before it.
    pub claimed: Vec<ReplicaSet>,
    /// What it asked for, in order.
    pub actions: Vec<Action>,
    /// Events, in order.
    pub events: Vec<Event>,
    /// The Deployment's revision annotation afterwards.
    pub revision: Option<String>,
    /// Why it failed; a failed sync is retried, unless its namespace is terminating.
    pub error: Option<Refusal>,
    /// When it is due again by itself.
    pub requeue: Option<Requeue>,
}

impl Outcome {
    /// Whether it is retried with a growing pause.
    pub fn is_retried(&self) -> bool {
        self.error.as_ref().is_some_and(|error| error.kind != RefusalKind::NamespaceTerminating)
    }

    /// The last status that it tried to write, and whether that was refused.
    pub fn status(&self) -> Option<(&DeploymentStatus, bool)> {
        self.actions.iter().rev().find_map(|action| match &action.write {
            Write::Status(status) => Some((&**status, action.refused.is_some())),
            _ => None,
        })
    }
}

/// A sync under way.
pub(super) struct Run<'a> {
    /// The Deployment as this sync knows it, with what it has written.
    pub(super) deployment: Deployment,
    /// As it was read.
    pub(super) begun: &'a Deployment,
    pub(super) all: &'a [ReplicaSet],
    pub(super) old_pods: &'a [OldPod],
    pub(super) name: &'a str,
    pub(super) template_labels: &'a Labels,
    pub(super) profile: &'a Profile,
    pub(super) now: Timestamp,
    pub(super) api: &'a mut dyn Api,
    pub(super) requeue: Option<Requeue>,
    /// ReplicaSets that an update of this sync has returned: these can be updated again.
    pub(super) returned: BTreeSet<String>,
    /// Objects that were written since they were read: another write from the cached object is refused.
    stale: BTreeSet<String>,
    /// The annotation that the API server has after the last status write that it took.
    stored_revision: Option<String>,
    pub(super) claimed: Vec<ReplicaSet>,
    pub(super) new: Option<String>,
    actions: Vec<Action>,
    events: Vec<Event>,
}

/// Syncs a Deployment once. All reads are from the caches given; writes of one sync do not see each other (section 11).
pub fn sync(situation: &Situation<'_>, api: &mut dyn Api) -> Outcome {
    let begun = situation.deployment;
    let mut run = Run {
        deployment: begun.clone(),
        begun,
        all: situation.replica_sets,
        old_pods: situation.pods,
        name: situation.name,
        template_labels: situation.template_labels,
        profile: situation.profile,
        now: situation.now,
        api,
        requeue: None,
        returned: BTreeSet::new(),
        stale: BTreeSet::new(),
        stored_revision: begun.annotations.get(REVISION).cloned(),
        claimed: Vec::new(),
        new: None,
        actions: Vec::new(),
        events: Vec::new(),
    };
    let mut branch = Branch::SelectingAll;
    let error = run.go(&mut branch).err();
    Outcome {
        branch,
        new: run.new,
        claimed: run.claimed,
        actions: run.actions,
        events: run.events,
        revision: run.stored_revision,
        error,
        requeue: run.requeue,
    }
}

impl Run<'_> {
    fn go(&mut self, branch: &mut Branch) -> Result<(), Refusal> {
        if self.deployment.selector.is_empty() {
            self.note(
                "SelectingAll",
                "This deployment is selecting all pods. A non-empty selector is required.".into(),
            );
            if self.deployment.status.observed_generation < self.deployment.generation {
                let observed_generation = self.deployment.generation;
                let status = DeploymentStatus { observed_generation, ..self.deployment.status.clone() };
                let _ = self.write_status(status);
            }
            return Ok(());
        }
        *branch = Branch::ClaimFailed;
        let claimed = self.claim(self.all)?;
        if self.deployment.deleting {
            *branch = Branch::Deleting;
            let roles = self.roles(&claimed, false)?;
            return self.finish_plainly(&roles);
        }
        *branch = self.branch(&claimed);
        self.note_pause()?;
        match *branch {
            Branch::Paused => return self.follow_size(&claimed),
            Branch::Rollback => return self.roll_back(&claimed, self.rollback_to().unwrap_or_default()),
            _ => {}
        }
        // The controller looks for the new ReplicaSet, and may update it, before it compares sizes.
        self.roles(&claimed, false)?;
        match *branch {
            Branch::Scaling => self.follow_size(&claimed),
            Branch::Recreate => self.recreate(&claimed),
            _ => self.roll(&claimed),
        }
    }

    fn branch(&self, claimed: &[ReplicaSet]) -> Branch {
        if self.deployment.paused {
            Branch::Paused
        } else if self.rollback_to().is_some() {
            Branch::Rollback
        } else if self.was_resized(claimed) {
            Branch::Scaling
        } else if self.deployment.strategy == Strategy::Recreate {
            Branch::Recreate
        } else {
            Branch::Rolling
        }
    }

    fn follow_size(&mut self, claimed: &[ReplicaSet]) -> Result<(), Refusal> {
        let roles: Roles = self.roles(claimed, false)?;
        self.scale(&roles)?;
        if self.deployment.paused && self.rollback_to().is_none() {
            self.clean_up_history(&roles.old)?;
        }
        self.finish_plainly(&roles)
    }

    /// Asks for a write.
    pub(super) fn write(&mut self, write: Write) -> Result<(), Refusal> {
        let answer = self.api.answer(&write);
        self.record(write, answer)
    }

    fn record(&mut self, write: Write, answer: Result<(), Refusal>) -> Result<(), Refusal> {
        self.actions.push(Action { write, refused: answer.as_ref().err().cloned() });
        answer
    }

    /// Patches a ReplicaSet: no version is checked, but the cached one is then outdated.
    pub(super) fn patch(&mut self, replica_set: &ReplicaSet, write: Write) -> Result<(), Refusal> {
        self.write(write)?;
        self.stale.insert(replica_set.uid.clone());
        Ok(())
    }

    /// Updates a ReplicaSet from its cached object, or with `fresh` from the one that the last update returned.
    pub(super) fn update(
        &mut self,
        replica_set: &ReplicaSet,
        fresh: bool,
        write: Write,
    ) -> Result<(), Refusal> {
        if self.stale.contains(&replica_set.uid) && !fresh {
            let conflict = conflict("replicasets.apps", &replica_set.name);
            return self.record(write, Err(conflict));
        }
        self.write(write)?;
        self.stale.insert(replica_set.uid.clone());
        Ok(())
    }

    /// Writes the Deployment's status, and with it its annotations.
    pub(super) fn write_status(&mut self, status: DeploymentStatus) -> Result<(), Refusal> {
        self.write_deployment(Write::Status(Box::new(status)))?;
        self.stored_revision = self.deployment.annotations.get(REVISION).cloned();
        Ok(())
    }

    pub(super) fn update_deployment(&mut self, write: Write) -> Result<(), Refusal> {
        self.write_deployment(write)
    }

    fn write_deployment(&mut self, write: Write) -> Result<(), Refusal> {
        if self.stale.contains(&self.begun.uid) {
            let conflict = conflict("deployments.apps", &self.begun.key.name);
            return self.record(write, Err(conflict));
        }
        self.write(write)?;
        self.stale.insert(self.begun.uid.clone());
        Ok(())
    }

    /// Records an event.
    pub(super) fn note(&mut self, reason: &'static str, message: String) {
        self.events.push(Event { reason, message });
    }

    pub(super) fn note_scaling(&mut self, name: &str, from: i32, to: i32) {
        let way = if to > from { "up" } else { "down" };
        self.note("ScalingReplicaSet", format!("Scaled {way} replica set {name} from {from} to {to}"));
    }

    /// Keeps in a copy of a ReplicaSet what the update that returned it has set.
    pub(super) fn take_size_annotations(&self, replica_set: &mut ReplicaSet) {
        let last = self.actions.iter().rev().find_map(|action| match &action.write {
            Write::Scale { name, annotations, .. } if *name == replica_set.name => Some(annotations.clone()),
            _ => None,
        });
        replica_set.annotations.extend(last.unwrap_or_default());
    }
}

fn conflict(resource: &str, name: &str) -> Refusal {
    let message = format!(
        "Operation cannot be fulfilled on {resource} \"{name}\": the object has been modified; please apply your changes to the latest version and try again"
    );
    Refusal { kind: RefusalKind::Conflict, message }
}
