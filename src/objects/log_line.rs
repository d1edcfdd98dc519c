//! A line of the controller's log that the program understands, by its meaning: the same for
//! klog's text and JSON, for printf messages (1.16 to 1.27) and structured ones (1.28+).
//!
//! Some sentences of the older versions print no namespace: that of the key is empty then.

use super::Key;

/// What a line says. `key` is that of a ReplicaSet or a ReplicationController; most lines do not
/// tell which.
#[derive(Debug, Clone, PartialEq)]
pub enum LogLine {
    /// A sync was refused by the stale-cache check of 1.36+.
    Stale {
        /// The ReplicaSet.
        key: Key,
        /// The resource whose cache lagged, for instance `replicasets.apps`.
        resource: String,
        /// The version that the cache had.
        read: String,
        /// The version that the controller had written.
        written: String,
    },
    /// A sync failed with this error.
    SyncFailed {
        /// The ReplicaSet.
        key: Key,
        /// The error.
        error: String,
    },
    /// The ReplicaSet controller, or that of ReplicationControllers, starts: every entry of its kind
    /// is gone. The resource of the observation tells which.
    Started,
    /// A command line flag, as a log that reaches back to the start begins with.
    Flag {
        /// Without the dashes.
        name: String,
        /// The value, unquoted.
        value: String,
    },
    /// A sync sets out to create (`Too few replicas`).
    Creates {
        /// The ReplicaSet.
        key: Key,
        /// spec.replicas as the sync saw it.
        need: i64,
        /// How many it creates, after the burst cap.
        count: i64,
    },
    /// A sync sets out to delete (`Too many replicas`).
    Deletes {
        /// The ReplicaSet.
        key: Key,
        /// spec.replicas as the sync saw it.
        need: i64,
        /// How many it deletes, after the burst cap.
        count: i64,
    },
    /// The deletions that a sync expects (`Controller waiting on deletions`): the entry is set.
    AwaitsDeletions {
        /// The ReplicaSet.
        key: Key,
        /// Names of the pods.
        pods: Vec<String>,
    },
    /// Creates failed: so many failed ones and ones never tried lower add (`Slow-start failure`).
    SkippedCreates {
        /// The ReplicaSet.
        key: Key,
        /// How many.
        count: i64,
    },
    /// A delete failed and is no longer awaited.
    DeleteFailed {
        /// The ReplicaSet.
        key: Key,
        /// Name of the pod.
        pod: String,
    },
    /// An awaited deletion was seen: del is lowered (`Controller received delete for pod`).
    DeletionSeen {
        /// The ReplicaSet.
        key: Key,
        /// Name of the pod.
        pod: String,
    },
    /// A sync found no entry (`Controller either never recorded expectations, ...`).
    NeverRecorded {
        /// The ReplicaSet.
        key: Key,
    },
    /// A line about expectations that, from 1.28 on, names neither owner nor numbers.
    Expectations {
        /// What happened to them, or what a sync found.
        step: Step,
        /// The entry, where it is printed (1.16 to 1.27).
        entry: Option<LoggedEntry>,
        /// For [`Step::Lowered`] whether a handler wrote it, and not a sync whose creates or deletes
        /// failed. Told by the logger from 1.36 on, where only handlers name theirs.
        by_handler: Option<bool>,
    },
    /// A sync sets deletions while it still awaits others (`Clobbering existing delete keys`).
    Clobbers {
        /// Names of the pods that were awaited.
        pods: Vec<String>,
    },
    /// The controller recorded an event (`Event occurred`): each one, where the API has them
    /// combined and thinned.
    Event {
        /// The ReplicaSet.
        key: Key,
        /// For instance `SuccessfulCreate`.
        reason: String,
        /// For instance `Created pod: web-x7`.
        message: String,
    },
    /// A handler ran for a pod's watch event.
    Pod {
        /// Which.
        change: PodChange,
        /// Whether no controller owned it.
        orphan: bool,
        /// The pod.
        pod: Key,
    },
    /// A create was answered (`Controller created pod`).
    CreatedPod {
        /// Name of the ReplicaSet.
        owner: String,
        /// The pod.
        pod: Key,
    },
    /// A delete is sent (`Deleting pod`).
    DeletingPod {
        /// Name of the ReplicaSet.
        owner: String,
        /// The pod.
        pod: Key,
    },
    /// A handler saw a new ReplicaSet (`Adding`).
    Adding {
        /// The ReplicaSet.
        key: Key,
    },
    /// A handler saw another size (`Desired pod count change`).
    Resized {
        /// The ReplicaSet.
        key: Key,
        /// spec.replicas before.
        old: i64,
        /// spec.replicas now.
        new: i64,
    },
    /// A handler saw the ReplicaSet deleted (`Deleting`), or a sync found it gone (`deleted`): the
    /// entry is dropped.
    Dropped {
        /// The ReplicaSet.
        key: Key,
    },
    /// A sync writes status (`Updating status for`).
    WritesStatus {
        /// The ReplicaSet.
        key: Key,
        /// status.replicas before.
        old: i64,
        /// status.replicas now: the active pods that the sync counted.
        new: i64,
        /// spec.replicas as the sync saw it.
        need: i64,
        /// readyReplicas now.
        ready: i64,
        /// availableReplicas now.
        available: i64,
        /// observedGeneration now.
        generation: i64,
    },
    /// A sync ended (`Finished syncing`).
    Finished {
        /// `ReplicaSet` or `ReplicationController`.
        kind: String,
        /// The ReplicaSet.
        key: Key,
    },
}

impl LogLine {
    /// The ReplicaSet that the line names; None for lines about pods, and for those that name nobody.
    pub fn key(&self) -> Option<&Key> {
        match self {
            LogLine::Stale { key, .. }
            | LogLine::SyncFailed { key, .. }
            | LogLine::Creates { key, .. }
            | LogLine::Deletes { key, .. }
            | LogLine::AwaitsDeletions { key, .. }
            | LogLine::SkippedCreates { key, .. }
            | LogLine::DeleteFailed { key, .. }
            | LogLine::DeletionSeen { key, .. }
            | LogLine::NeverRecorded { key }
            | LogLine::Event { key, .. }
            | LogLine::Adding { key }
            | LogLine::Resized { key, .. }
            | LogLine::Dropped { key }
            | LogLine::WritesStatus { key, .. }
            | LogLine::Finished { key, .. } => Some(key),
            LogLine::Started
            | LogLine::Flag { .. }
            | LogLine::Expectations { .. }
            | LogLine::Clobbers { .. }
            | LogLine::Pod { .. }
            | LogLine::CreatedPod { .. }
            | LogLine::DeletingPod { .. } => None,
        }
    }

    /// Whether only a log at -v=4 has such lines.
    pub fn is_detailed(&self) -> bool {
        match self {
            LogLine::AwaitsDeletions { .. }
            | LogLine::DeletionSeen { .. }
            | LogLine::NeverRecorded { .. }
            | LogLine::Expectations { .. }
            | LogLine::Pod { .. }
            | LogLine::CreatedPod { .. }
            | LogLine::Adding { .. }
            | LogLine::Resized { .. }
            | LogLine::Dropped { .. }
            | LogLine::WritesStatus { .. } => true,
            LogLine::Flag { name, value } => name == "v" && value.parse::<u8>().is_ok_and(|v| v >= 4),
            // The syncs' ends were printed at -v=0 from 1.28 to 1.32, events up to 1.29.
            LogLine::Finished { .. }
            | LogLine::Event { .. }
            | LogLine::Stale { .. }
            | LogLine::SyncFailed { .. }
            | LogLine::Started
            | LogLine::Creates { .. }
            | LogLine::Deletes { .. }
            | LogLine::SkippedCreates { .. }
            | LogLine::DeleteFailed { .. }
            | LogLine::DeletingPod { .. }
            | LogLine::Clobbers { .. } => false,
        }
    }
}

/// What happened to expectations, or what a sync found of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// They were set.
    Set,
    /// One or more were seen, or are no longer expected.
    Lowered,
    /// They were raised; this controller never does.
    Raised,
    /// A sync found them fulfilled.
    Fulfilled,
    /// A sync found them older than five minutes.
    Expired,
    /// A sync found them unmet, and leaves replicas alone.
    Waiting,
}

/// An entry as it was printed from 1.16 to 1.27.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEntry {
    /// Creations awaited.
    pub(crate) add: i64,
    /// Deletions awaited.
    pub(crate) del: i64,
    /// The ReplicaSet, if printed.
    pub(crate) key: Option<Key>,
}

/// Which watch event a handler ran for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PodChange {
    /// `Pod created`
    Created,
    /// `Pod objectMeta updated`
    Updated,
    /// `Pod deleted`
    Deleted,
}
