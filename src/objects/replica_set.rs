//! ReplicaSets and ReplicationControllers: the controller runs the same code for both.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Container, Key, Labels, Meta, Selector};

/// The kind of the object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub enum OwnerKind {
    /// A ReplicaSet of apps/v1.
    #[default]
    ReplicaSet,
    /// A ReplicationController of v1, which the same controller code serves.
    ReplicationController,
}

impl OwnerKind {
    /// The kind as owner references and logs write it.
    pub fn as_str(self) -> &'static str {
        match self {
            OwnerKind::ReplicaSet => "ReplicaSet",
            OwnerKind::ReplicationController => "ReplicationController",
        }
    }

    /// The short name that kubectl prints before a slash.
    pub(crate) fn short(self) -> &'static str {
        match self {
            OwnerKind::ReplicaSet => "rs",
            OwnerKind::ReplicationController => "rc",
        }
    }
}

/// A ReplicaSet or ReplicationController.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplicaSet {
    /// Which of the two.
    pub kind: OwnerKind,
    /// Its metadata.
    pub meta: Meta,
    /// Wanted pods, 0 or more; 1 where the spec does not say.
    pub replicas: i32,
    /// Seconds that a pod must be ready before it counts as available, 0 or more.
    pub min_ready_seconds: i32,
    /// Which pods it may own.
    pub selector: Selector,
    /// What it makes pods from.
    pub template: Template,
    /// The status last written.
    pub status: Status,
}

impl ReplicaSet {
    /// Its key.
    pub fn key(&self) -> Key {
        self.meta.key()
    }

    /// Whether its deletion has been asked for.
    pub fn is_deleting(&self) -> bool {
        self.meta.deleted.is_some()
    }
}

/// The pod template, cut down.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Template {
    /// Labels of the pods to be made.
    pub labels: Labels,
    /// The service account that the pods name; empty for the default one.
    pub service_account: String,
    /// Containers.
    pub containers: Vec<Container>,
    /// Whether it asks for topology spreading.
    pub spreads: bool,
}

/// The status of a ReplicaSet.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Status {
    /// Active pods.
    pub replicas: i32,
    /// Of these, pods that carry all template labels.
    pub fully_labeled: i32,
    /// Of these, ready pods.
    pub ready: i32,
    /// Of these, pods ready for minReadySeconds.
    pub available: i32,
    /// Terminating pods; None where the field is not kept (before 1.35, ReplicationController).
    pub terminating: Option<i32>,
    /// Generation of the spec that the writing sync had read.
    pub observed_generation: i64,
    /// Conditions; the controller itself writes only ReplicaFailure.
    pub conditions: Vec<Condition>,
}

impl Status {
    /// The ReplicaFailure condition.
    pub fn failure(&self) -> Option<&Condition> {
        self.conditions.iter().find(|c| c.kind == Condition::REPLICA_FAILURE)
    }
}

/// One condition of a status.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Condition {
    /// Its type.
    pub kind: String,
    /// "True", "False" or "Unknown".
    pub status: String,
    /// When the status changed.
    pub since: Option<Timestamp>,
    /// A word, for instance FailedCreate.
    pub reason: String,
    /// A sentence.
    pub message: String,
}

impl Condition {
    /// The only condition that the controller writes.
    pub(crate) const REPLICA_FAILURE: &str = "ReplicaFailure";
}
