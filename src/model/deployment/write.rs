//! What a sync asks of the API server, as values, and how it is answered.

use std::collections::{BTreeMap, BTreeSet};

use super::state::{DeploymentStatus, ReplicaSet, Template};

/// Why a ReplicaSet gets another size: the mechanism that decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScaleReason {
    /// The only active ReplicaSet follows the Deployment's size (section 6).
    Single,
    /// The new one is complete, so old ones go to 0 (section 6).
    Saturated,
    /// Each takes its share of a change of size during a rollout (section 6).
    Proportional,
    /// The new one grows as far as the surge allows, or shrinks to the wanted size (section 7).
    New,
    /// Pods of old ones that are not available go first (section 7).
    Unhealthy,
    /// Old ones shrink as far as availability allows (section 7).
    Old,
    /// Recreate: old ones go to 0 (section 8).
    RecreateDown,
    /// Recreate: the new one comes once no old pod is left (section 8).
    RecreateUp,
}

/// One write of a sync.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// Sets the controllerRef of an orphan.
    Adopt(String),
    /// Removes the controllerRef of a ReplicaSet that no longer matches.
    Release(String),
    /// Creates the new ReplicaSet.
    Create(Box<ReplicaSet>),
    /// Changes the size of a ReplicaSet.
    Scale {
        /// Its name.
        name: String,
        /// From this size.
        from: i32,
        /// To this one.
        to: i32,
        /// Why.
        reason: ScaleReason,
        /// Annotations that the same update sets.
        annotations: BTreeMap<String, String>,
    },
    /// Updates a ReplicaSet without changing its size.
    Annotate {
        /// Its name.
        name: String,
        /// Annotations that it sets.
        annotations: BTreeMap<String, String>,
        /// minReadySeconds, where that changes.
        min_ready_seconds: Option<i32>,
    },
    /// Deletes an old ReplicaSet.
    Delete(String),
    /// Writes the Deployment's status.
    Status(Box<DeploymentStatus>),
    /// Updates the Deployment: a rollback.
    Rollback {
        /// Annotations that it sets.
        set: BTreeMap<String, String>,
        /// Annotations that it removes.
        unset: BTreeSet<String>,
        /// The template that it goes back to.
        template: Option<Template>,
        /// The ReplicaSet whose template that is.
        from: Option<String>,
    },
}

/// How a write was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// 409: the object has changed since it was read.
    Conflict,
    /// 404.
    NotFound,
    /// 422.
    Invalid,
    /// 409: the name is taken.
    AlreadyExists,
    /// 403 with the cause NamespaceTerminating.
    NamespaceTerminating,
    /// The size was below 0.
    Negative,
    /// Anything else: quota, admission, time-out.
    Other,
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Its kind.
    pub kind: RefusalKind,
    /// The API server's words.
    pub message: String,
}

/// What a live GET of the Deployment finds before the first adoption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Live {
    /// The same object.
    Same,
    /// Nothing, another one, or one that is being deleted: no adoption.
    Changed,
}

/// Carries out what a sync asks for.
pub trait Api {
    /// Answers one write.
    fn answer(&mut self, write: &Write) -> Result<(), Refusal>;

    /// Reads the Deployment before the first adoption of a sync.
    fn live(&mut self) -> Live {
        Live::Same
    }
}

/// A write and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// What was asked for.
    pub write: Write,
    /// Why it was refused; None if it was not.
    pub refused: Option<Refusal>,
}
