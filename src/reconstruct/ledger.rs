//! How an entry came about: a line for everything that changed or proved something.
//!
//! Lines are handed out as they come, or only the last ones are kept: a ledger never grows with
//! the length of the stream.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::Timestamp;

use super::Id;
use super::held::Held;
use super::track::Counts;
use crate::controller::expectations::Gate;

/// How a line is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// It was received.
    Seen,
    /// It follows from what was received, by the controller's rules.
    Inferred,
    /// The controller's log says it.
    Logged,
    /// Something was missed here.
    Gap,
}

/// What happened, or what was proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// The window opens on an object that was there before.
    Opened,
    /// The ReplicaSet appeared.
    Appeared,
    /// Another ReplicaSet of the same name took its place.
    Recreated,
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
        /// The pod.
        pod: String,
        /// Whether it names its owner: else it does not count as a creation seen.
        named: bool,
    },
    /// A pod arrived that somebody else made.
    Arrived {
        /// The pod.
        pod: String,
        /// Whether it names this ReplicaSet as its owner, and so lowers add.
        named: bool,
    },
    /// A pod became its own.
    Adopted {
        /// The pod.
        pod: String,
    },
    /// A pod left by another way than deletion.
    Lost {
        /// The pod.
        pod: String,
    },
    /// A pod ended: Failed or Succeeded.
    Ended {
        /// The pod.
        pod: String,
    },
    /// A pod got a deletionTimestamp.
    Terminating {
        /// The pod.
        pod: String,
    },
    /// A pod is gone.
    Gone {
        /// The pod.
        pod: String,
    },
    /// An event of the controller.
    Event {
        /// For instance `SuccessfulDelete`.
        reason: String,
        /// Its message.
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
    /// Something was missed.
    Missed {
        /// What.
        why: String,
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
    pub fn basis(&self) -> Basis {
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
}

/// A line: what happened, and what the controller may hold after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// When it was received; for what is inferred, when it could be.
    pub at: Timestamp,
    /// What happened.
    pub fact: Fact,
    /// The ranges after it; None if there is no ReplicaSet.
    pub held: Option<Held>,
    /// The gate after it; None if it is not known which.
    pub gate: Option<Gate>,
    /// Whether a sync then could create and delete; None if that is not known.
    pub open: Option<bool>,
    /// Wanted and active pods after it.
    pub counts: Counts,
}

/// Which lines are kept.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// Names of the ReplicaSets; None for all.
    names: Option<BTreeSet<String>>,
    /// How many lines of each are kept; None if they are taken as they come.
    last: Option<usize>,
    lines: BTreeMap<Id, VecDeque<Line>>,
}

impl Ledger {
    /// The last lines of every ReplicaSet with one of these names, or of all.
    pub fn keeping(names: Option<BTreeSet<String>>, last: usize) -> Ledger {
        Ledger { names, last: Some(last), lines: BTreeMap::new() }
    }

    /// All lines: whoever asks for them takes them after each observation.
    pub fn streaming(names: Option<BTreeSet<String>>) -> Ledger {
        Ledger { names, last: None, lines: BTreeMap::new() }
    }

    /// Whether lines of this object are kept.
    pub fn wants(&self, id: &Id) -> bool {
        self.names.as_ref().is_none_or(|names| names.contains(&id.1.name))
    }

    /// Adds a line.
    pub(super) fn write(&mut self, id: &Id, line: Line) {
        let lines = match self.lines.get_mut(id) {
            Some(lines) => lines,
            None => self.lines.entry(id.clone()).or_default(),
        };
        lines.push_back(line);
        if self.last.is_some_and(|last| lines.len() > last) {
            lines.pop_front();
        }
    }

    /// The lines that are kept of one object, oldest first.
    pub fn lines(&self, id: &Id) -> impl Iterator<Item = &Line> {
        self.lines.get(id).into_iter().flatten()
    }

    /// Takes all lines that are kept, by object, oldest first.
    pub fn take(&mut self) -> BTreeMap<Id, VecDeque<Line>> {
        std::mem::take(&mut self.lines)
    }
}
