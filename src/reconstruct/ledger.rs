//! How an entry came about: a line for everything that changed or proved something.
//!
//! Lines are handed out as they come, or only the last runs of them are kept: a ledger never grows
//! with the length of the stream.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::Id;
use super::detail::Gap;
use super::held::Held;
use super::runs::{Run, Runs};
use super::track::Counts;
use crate::model::expectations::Gate;
use crate::objects::event;

/// How a line is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Basis {
    /// It was received.
    Seen,
    /// It follows from what was received, by the controller's rules.
    Inferred,
    /// The controller's log says it.
    Logged,
    /// Something was missed here: nothing before it counts after it.
    Gap,
}

/// A pod that was there when a window opened or ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct There {
    pub(crate) pod: String,
    /// Whether it names the ReplicaSet as its owner; else a sync would adopt it.
    pub(crate) owned: bool,
    /// Whether it has a deletionTimestamp.
    pub(crate) terminating: bool,
    /// Whether it ended: Failed or Succeeded.
    pub(crate) ended: bool,
}

/// What happened, or what was proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fact {
    /// The window opens on an object that was there before.
    Opened {
        /// The pods that were there too.
        there: Vec<There>,
    },
    /// The ReplicaSet appeared.
    Appeared,
    /// Another ReplicaSet of the same name took its place.
    Recreated,
    /// The ReplicaSet got a deletionTimestamp: its syncs leave pods alone from now on.
    Deleting,
    /// The ReplicaSet was removed.
    Removed,
    /// spec.replicas changed.
    Scaled {
        /// Before.
        from: i64,
        /// Now.
        to: i64,
    },
    /// A status was written.
    StatusWritten {
        /// status.replicas.
        replicas: i64,
        /// observedGeneration.
        generation: i64,
        /// The message of the ReplicaFailure condition.
        failure: Option<String>,
    },
    /// A pod arrived that only a sync can have made.
    Created {
        pod: String,
        /// Whether it names its owner: else it does not count as a creation seen.
        named: bool,
    },
    /// A pod arrived that somebody else made.
    Arrived {
        pod: String,
        /// Whether it names this ReplicaSet as its owner, and so lowers add.
        named: bool,
    },
    /// A pod became its own.
    Adopted { pod: String },
    /// A pod left by another way than deletion.
    Lost { pod: String },
    /// A pod ended: Failed or Succeeded.
    Ended { pod: String },
    /// A pod got a deletionTimestamp.
    Terminating { pod: String },
    /// A pod is gone.
    Gone { pod: String },
    /// An event of the controller.
    Event {
        /// For instance `SuccessfulDelete`.
        reason: String,
        message: String,
    },
    /// Another controller-manager leads, or the same anew: no entry is left.
    Takeover {
        /// The new holder of the lease.
        holder: String,
    },
    /// A sync has set expectations for creates.
    CreatesBegun {
        /// The smallest size.
        least: i64,
        /// The largest size.
        most: i64,
    },
    /// A sync has set expectations for deletes.
    DeletesBegun {
        /// The smallest size.
        least: i64,
        /// The largest size.
        most: i64,
    },
    /// Every call of the round was answered, and what it did was seen.
    Settled,
    /// A terminating namespace swallowed the creates.
    Swallowed,
    /// The five minutes are over.
    Expired,
    /// The instant asked for: what is known then.
    Asked {
        /// The pods that are there.
        there: Vec<There>,
    },
    /// Something was missed.
    Missed {
        /// What.
        gap: Gap,
        /// The pods that are there now.
        there: Vec<There>,
    },
    /// The log: a sync set out to create so many pods.
    LogCreates(i64),
    /// The log: a sync set out to delete so many pods.
    LogDeletes(i64),
    /// The log: so many creates failed or were not tried.
    LogSkipped(i64),
    /// The log: a handler saw an awaited deletion.
    LogDeletion(String),
    /// The log: a handler saw a new pod.
    LogCreation(String),
    /// The log: the controller started, and has no entries.
    LogStarted,
    /// The log: a sync was refused by the stale-cache check.
    LogStale,
    /// The log: a sync failed.
    LogFailed(String),
    /// The log: the entry was dropped.
    LogDropped,
}

impl Fact {
    /// How it is known.
    pub(crate) fn basis(&self) -> Basis {
        match self {
            Fact::CreatesBegun { .. }
            | Fact::DeletesBegun { .. }
            | Fact::Settled
            | Fact::Swallowed
            | Fact::Expired => Basis::Inferred,
            Fact::LogCreates(_)
            | Fact::LogDeletes(_)
            | Fact::LogSkipped(_)
            | Fact::LogDeletion(_)
            | Fact::LogCreation(_)
            | Fact::LogStarted
            | Fact::LogStale
            | Fact::LogFailed(_)
            | Fact::LogDropped => Basis::Logged,
            Fact::Missed { .. } => Basis::Gap,
            _ => Basis::Seen,
        }
    }

    /// The pod that it is about, if it is about one.
    pub fn pod(&self) -> Option<&str> {
        match self {
            Fact::Created { pod, .. }
            | Fact::Arrived { pod, .. }
            | Fact::Adopted { pod }
            | Fact::Lost { pod }
            | Fact::Ended { pod }
            | Fact::Terminating { pod }
            | Fact::Gone { pod }
            | Fact::LogDeletion(pod)
            | Fact::LogCreation(pod) => Some(pod),
            Fact::Event { message, .. } => event::deleted_pod(message),
            _ => None,
        }
    }
}

/// A line: what happened, and what the controller may hold after it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    /// When it was received; for what is inferred, when it could be.
    pub(crate) at: Timestamp,
    /// What happened.
    pub(crate) fact: Fact,
    /// The ranges after it; None if there is no ReplicaSet.
    pub(crate) held: Option<Held>,
    /// The gate after it; None if it is not known which.
    pub(crate) gate: Option<Gate>,
    /// Whether a sync then could create and delete; None if that is not known.
    pub(crate) open: Option<bool>,
    /// Wanted and active pods after it.
    pub(crate) counts: Counts,
    /// Whether the ReplicaSet is being deleted, so that a sync would change no pod.
    pub(crate) deleting: bool,
}

/// Which lines are kept.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    /// Names of the ReplicaSets; None for all.
    names: Option<BTreeSet<String>>,
    kept: Kept,
}

#[derive(Debug, Clone)]
enum Kept {
    /// Every line, until it is taken.
    New(BTreeMap<Id, Vec<Line>>),
    /// So many of the last runs of each object.
    Last(usize, BTreeMap<Id, Runs>),
}

impl Ledger {
    /// The last runs of every ReplicaSet with one of these names, or of all.
    pub(crate) fn keeping(names: Option<BTreeSet<String>>, last: usize) -> Ledger {
        Ledger { names, kept: Kept::Last(last, BTreeMap::new()) }
    }

    /// All lines: whoever asks for them takes them after each observation.
    pub(crate) fn streaming(names: Option<BTreeSet<String>>) -> Ledger {
        Ledger { names, kept: Kept::New(BTreeMap::new()) }
    }

    /// Whether lines of this object are kept.
    pub(crate) fn wants(&self, id: &Id) -> bool {
        self.names.as_ref().is_none_or(|names| names.contains(&id.1.name))
    }

    /// The object is gone: where only the last lines are kept, nobody asks for its any more.
    pub(super) fn close(&mut self, id: &Id) {
        if let Kept::Last(_, runs) = &mut self.kept {
            runs.remove(id);
        }
    }

    /// Adds a line.
    pub(super) fn write(&mut self, id: &Id, line: Line) {
        match &mut self.kept {
            Kept::New(lines) => lines.entry(id.clone()).or_default().push(line),
            Kept::Last(last, runs) => {
                let runs = runs.entry(id.clone()).or_default();
                runs.push(line);
                runs.keep(*last);
            }
        }
    }

    /// The runs that are kept of one object, oldest first.
    pub(crate) fn runs(&self, id: &Id) -> Vec<Run> {
        match &self.kept {
            Kept::New(_) => Vec::new(),
            Kept::Last(_, runs) => runs.get(id).into_iter().flat_map(Runs::iter).cloned().collect(),
        }
    }

    /// Takes all new lines, by object, oldest first.
    pub fn take(&mut self) -> BTreeMap<Id, Vec<Line>> {
        match &mut self.kept {
            Kept::New(lines) => std::mem::take(lines),
            Kept::Last(..) => BTreeMap::new(),
        }
    }
}
