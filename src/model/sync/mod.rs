//! One sync of a ReplicaSet (syncReplicaSet), stepped: it yields calls and takes their responses.
//!
//! The driver answers each [`Call`] (from an API server, a list of failures, or an assumption), applies the [`Effect`]s of
//! each step to its store, and may handle events between two steps: a burst of 500 creates takes 25 seconds, in which the
//! handlers go on. The order is the same in all versions but for the stale-cache guard (1.36), the pods that are listed
//! (1.34) and the terminating pods in the status (1.35). See docs/semantics.md section 4.

mod call;
mod claim_pods;
mod replicas;
mod status;

use std::sync::Arc;

use jiff::SignedDuration;

use super::cache::Cache;
use super::claim::{self, Claim};
use super::effect::Effect;
use super::expectations::Gate;
use super::profile::Profile;
use super::scale_down::{Choice, Interval};
use super::slow_start::SlowStart;
use crate::objects::{Key, OwnerKind, Pod, ReplicaSet, Selector, Status};
pub(crate) use call::Patch;
pub use call::{Call, CallError, CallErrorKind, LiveOwner, Outcome, Response};

/// How a sync ended.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    /// The error that it returned: the key is retried with backoff.
    pub error: Option<String>,
    /// Its own delayed requeue, if there was no error.
    pub requeue_after: Option<SignedDuration>,
}

/// What a step led to.
#[derive(Debug, Clone, PartialEq)]
pub struct SyncStep {
    /// Changes of the controller's memory, in order, before the next call goes out.
    pub effects: Vec<Effect>,
    /// The next call, or the end.
    pub next: Next,
}

/// See [`SyncStep`].
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Answer this and resume.
    Call(Call),
    /// The sync is over.
    End(End),
}

/// What creating or deleting set out to do, after the burst cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Create so many pods.
    Create(usize),
    /// Delete so many pods.
    Delete(usize),
    /// Counts agree.
    Nothing,
}

/// What the sync looks at, besides the cache.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// Which controller syncs.
    pub kind: OwnerKind,
    /// The key.
    pub key: Key,
    /// What the gate was when the sync began. It is read before the pods are listed: the other way round, a pod that arrives
    /// in between would open the gate and be missing from the count.
    pub gate: Gate,
    /// The resource whose cache is older than the controller's own writes, if any (1.36+).
    pub stale: Option<String>,
    /// When it runs.
    pub during: Interval,
    /// The version's behaviour.
    pub profile: Profile,
}

/// A sync under way.
#[derive(Debug, Clone)]
pub struct Sync {
    inputs: Inputs,
    replica_set: Option<Arc<ReplicaSet>>,
    considered: Vec<Arc<Pod>>,
    patches: Vec<Patch>,
    claimed: Vec<Arc<Pod>>,
    claim_error: Option<String>,
    action: Option<Action>,
    /// The creates under way, and how many there are in all.
    creates: Option<(SlowStart, usize)>,
    choice: Option<Choice>,
    victims: Vec<Key>,
    /// The error of manageReplicas: it is returned only after the status is written.
    manage_error: Option<String>,
    written: Option<Status>,
    status_tries: u32,
    stage: Stage,
}

/// Which response the sync waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Live,
    Patches,
    Creates,
    Picks,
    Deletes,
    Status,
    Refetch,
    Over,
}

impl Sync {
    /// Begins a sync and returns its first step.
    pub fn start(inputs: Inputs, cache: &Cache) -> (Sync, SyncStep) {
        let replica_set = cache.replica_set(inputs.kind, &inputs.key).cloned();
        let mut sync = Sync {
            inputs,
            replica_set,
            considered: Vec::new(),
            patches: Vec::new(),
            claimed: Vec::new(),
            claim_error: None,
            action: None,
            creates: None,
            choice: None,
            victims: Vec::new(),
            manage_error: None,
            written: None,
            status_tries: 0,
            stage: Stage::Over,
        };
        let step = sync.begin(cache);
        (sync, step)
    }

    /// The claimed active pods, adopted ones included; None if the claim failed or the sync did not get to it.
    pub fn claimed(&self) -> Option<&[Arc<Pod>]> {
        (self.claim_error.is_none() && self.action.is_some()).then_some(&self.claimed)
    }

    /// Claimed active pods less wanted ones; None if the claim failed.
    pub fn diff(&self) -> Option<i64> {
        Some(self.claimed()?.len() as i64 - i64::from(self.replica_set.as_ref()?.replicas))
    }

    /// What this sync creates or deletes once it gets past its gate; None before the claim.
    pub fn action(&self) -> Option<Action> {
        self.action
    }

    /// The pods chosen for deletion, if it came to that.
    pub fn choice(&self) -> Option<&Choice> {
        self.choice.as_ref()
    }

    /// The status that the sync writes, or would write if it differed.
    pub(crate) fn status(&self) -> Option<&Status> {
        self.written.as_ref()
    }

    /// Whether a closed gate or the ReplicaSet's deletion keeps the sync from its replicas.
    pub fn is_held(&self) -> bool {
        !self.inputs.gate.is_open() || self.replica_set.as_ref().is_some_and(|rs| rs.is_deleting())
    }

    /// Takes the response to the last call and returns the next step.
    pub fn resume(&mut self, response: Response, cache: &Cache) -> SyncStep {
        match (self.stage, response) {
            (Stage::Live, Response::Live(live)) => self.after_live(live, cache),
            (Stage::Patches, Response::Outcomes(outcomes)) => self.after_patches(&outcomes, cache),
            (Stage::Creates, Response::Outcomes(outcomes)) => self.after_batch(&outcomes),
            (Stage::Picks, Response::Picked(pods)) => self.delete(&pods),
            (Stage::Deletes, Response::Outcomes(outcomes)) => self.after_deletes(&outcomes),
            (Stage::Status, Response::Outcomes(outcomes)) => self.after_status(&outcomes),
            (Stage::Refetch, Response::Outcomes(outcomes)) => self.after_refetch(&outcomes),
            (_, response) => self.end(Some(format!("response out of turn: {response:?}"))),
        }
    }

    fn begin(&mut self, cache: &Cache) -> SyncStep {
        if let Some(resource) = self.inputs.stale.clone() {
            return self.end(Some(format!("the cache of {resource} is not as new as the own writes")));
        }
        let Some(replica_set) = self.replica_set.clone() else {
            let mut step = self.end(None);
            step.effects.push(Effect::Forget { key: self.inputs.key.clone() });
            return step;
        };
        // Logged and not retried: only another selector could help, and the update that brings it triggers a sync.
        if matches!(replica_set.selector, Selector::Invalid(_)) {
            return self.end(None);
        }
        self.claim_pods(&replica_set, cache)
    }

    fn call(&mut self, stage: Stage, call: Call) -> SyncStep {
        self.stage = stage;
        SyncStep { effects: Vec::new(), next: Next::Call(call) }
    }

    fn end(&mut self, error: Option<String>) -> SyncStep {
        self.stage = Stage::Over;
        SyncStep { effects: Vec::new(), next: Next::End(End { error, requeue_after: None }) }
    }
}
