//! What one sync of the Deployment controller reads: the Deployment, the ReplicaSets of its namespace, old pods.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::numbers::Strategy;
use crate::objects::{Key, Labels, Selector};

/// The pod template, ready to be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// All of it in one canonical text, without the label `pod-template-hash`, or a digest of that: two templates are
    /// equal where these are (section 5).
    pub canonical: Arc<str>,
}

/// A condition of a Deployment or ReplicaSet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Its type.
    pub kind: String,
    /// "True", "False" or "Unknown".
    pub status: String,
    /// When it was last set; None on conditions of ReplicaSets, which have none.
    pub updated: Option<Timestamp>,
    /// When its status last changed.
    pub changed: Option<Timestamp>,
    /// A word, for instance ReplicaSetUpdated.
    pub reason: String,
    /// A sentence.
    pub message: String,
}

/// The status of a Deployment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeploymentStatus {
    /// Generation of the spec that the writing sync had read.
    pub observed_generation: i64,
    /// Pods of all its ReplicaSets.
    pub replicas: i32,
    /// Pods of the new ReplicaSet.
    pub updated: i32,
    /// Ready pods.
    pub ready: i32,
    /// Available pods.
    pub available: i32,
    /// Wanted pods that are not available.
    pub unavailable: i32,
    /// Terminating pods; None where they are not counted or not known.
    pub terminating: Option<i32>,
    /// Hash collisions so far.
    pub collisions: Option<i32>,
    /// Conditions, in their order.
    pub conditions: Vec<Condition>,
}

/// A Deployment.
#[derive(Debug, Clone, PartialEq)]
pub struct Deployment {
    /// Its key.
    pub key: Key,
    /// Its UID.
    pub uid: String,
    /// Its generation.
    pub generation: i64,
    /// All its annotations.
    pub annotations: BTreeMap<String, String>,
    /// Whether it is being deleted.
    pub deleting: bool,
    /// Wanted pods.
    pub replicas: i32,
    /// Which ReplicaSets it may own.
    pub selector: Selector,
    /// How it replaces pods.
    pub strategy: Strategy,
    /// Whether it is paused.
    pub paused: bool,
    /// Seconds that a pod must be ready before it counts as available.
    pub min_ready_seconds: i32,
    /// Seconds without progress before Progressing becomes False; None if there is no deadline.
    pub progress_deadline: Option<i32>,
    /// Old ReplicaSets that are kept; None for all.
    pub history_limit: Option<i32>,
    /// Its pod template.
    pub template: Template,
    /// Its status.
    pub status: DeploymentStatus,
}

impl Deployment {
    /// The condition of this type.
    pub fn condition(&self, kind: &str) -> Option<&Condition> {
        self.status.conditions.iter().find(|condition| condition.kind == kind)
    }
}

/// The status of a ReplicaSet, as far as a Deployment reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplicaSetStatus {
    /// Active pods.
    pub replicas: i32,
    /// Ready pods.
    pub ready: i32,
    /// Available pods.
    pub available: i32,
    /// Terminating pods.
    pub terminating: Option<i32>,
    /// Generation that its controller has read.
    pub observed_generation: i64,
    /// Its ReplicaFailure condition.
    pub failure: Option<Condition>,
}

/// A ReplicaSet of the namespace, whoever controls it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplicaSet {
    /// Its name.
    pub name: String,
    /// Its UID.
    pub uid: String,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// Its generation.
    pub generation: i64,
    /// Its labels.
    pub labels: Labels,
    /// All its annotations.
    pub annotations: BTreeMap<String, String>,
    /// UID of its controller.
    pub controller: Option<String>,
    /// Whether it is being deleted.
    pub deleting: bool,
    /// Its size: spec.replicas.
    pub replicas: i32,
    /// Its minReadySeconds.
    pub min_ready_seconds: i32,
    /// Its pod template.
    pub template: Template,
    /// Its status.
    pub status: ReplicaSetStatus,
}

impl ReplicaSet {
    /// Whether it wants pods.
    pub fn is_active(&self) -> bool {
        self.replicas > 0
    }

    /// Oldest first; of the same second by name.
    pub(super) fn by_age(&self, other: &ReplicaSet) -> Ordering {
        (self.created, &self.name).cmp(&(other.created, &other.name))
    }
}

/// A pod of an old ReplicaSet, for Recreate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldPod {
    /// Its labels.
    pub labels: Labels,
    /// Kind of its controller.
    pub owner_kind: String,
    /// Name of its controller.
    pub owner_name: String,
    /// UID of its controller.
    pub owner_uid: String,
    /// Whether it is Failed or Succeeded.
    pub finished: bool,
}
