//! What a handler or a sync does to the controller's memory, as values: the exact store of the model and the ranges that an
//! observer can know apply the same ones, so that each rule is written once. See docs/semantics.md section 2.1.

use jiff::SignedDuration;

use crate::objects::Key;

/// One change of the controller's memory. The keys are those of ReplicaSets unless said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Replace the entry: `count` creations are pending, no deletion.
    ExpectCreations {
        /// The ReplicaSet.
        key: Key,
        /// Creations about to be called.
        count: i64,
    },
    /// Replace the entry and the set of pods: these deletions are pending.
    ExpectDeletions {
        /// The ReplicaSet.
        key: Key,
        /// Keys of the pods about to be deleted.
        pods: Vec<Key>,
    },
    /// Lower add, if there is an entry. It does not matter which pods were created.
    CreationObserved {
        /// The ReplicaSet.
        key: Key,
        /// By how much, at least 1.
        count: i64,
    },
    /// Lower del by one, if this pod's deletion is pending.
    DeletionObserved {
        /// The ReplicaSet.
        key: Key,
        /// The pod.
        pod: Key,
    },
    /// Drop the entry and the set of pods.
    Forget {
        /// The ReplicaSet.
        key: Key,
    },
    /// Put the key into the queue, after a while if that is above zero.
    Enqueue {
        /// The ReplicaSet.
        key: Key,
        /// The delay.
        after: SignedDuration,
    },
}

impl Effect {
    /// Enqueue without delay.
    pub(crate) fn enqueue(key: Key) -> Effect {
        Effect::Enqueue { key, after: SignedDuration::ZERO }
    }

    /// The ReplicaSet whose memory changes.
    pub fn key(&self) -> &Key {
        match self {
            Effect::ExpectCreations { key, .. }
            | Effect::ExpectDeletions { key, .. }
            | Effect::CreationObserved { key, .. }
            | Effect::DeletionObserved { key, .. }
            | Effect::Forget { key }
            | Effect::Enqueue { key, .. } => key,
        }
    }
}
