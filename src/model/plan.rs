//! What one sync does if the API server answers as assumed: the driver behind explain and dry-run.

use std::sync::Arc;

use super::cache::Cache;
use super::claim::Claim;
use super::effect::Effect;
use super::expectations::Gate;
use super::profile::Profile;
use super::scale_down::{Choice, Interval};
use super::slow_start;
use super::sync::{
    Action, Call, CallError, CallErrorKind, End, Inputs, LiveOwner, Next, Outcome, Response, Sync,
};
use crate::objects::{Key, OwnerKind, Pod, Status};

/// How the API is assumed to answer creates. Everything else is taken to succeed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Assumptions {
    /// Creates that are refused.
    pub(crate) refuse: Option<RefusedCreates>,
    /// Creates that a quota still lets through, and what it says then.
    pub(crate) quota: Option<(u64, String)>,
    /// The namespace is terminating: no pod can be created in it.
    pub(crate) namespace_terminating: bool,
}

/// Creates that are refused, by assumption.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RefusedCreates {
    /// The number of the create that fails, counted from 1 over all syncs; None for every one.
    pub(crate) nth: Option<u64>,
    /// How it fails.
    pub(crate) error: CallError,
}

impl Assumptions {
    /// The outcome of the `nth` create, counted from 1.
    fn create(&self, nth: u64) -> Outcome {
        if self.namespace_terminating {
            let message = "forbidden: the namespace is being terminated".into();
            return Err(CallError { kind: CallErrorKind::NamespaceTerminating, message });
        }
        match (&self.refuse, &self.quota) {
            (Some(refused), _) if refused.nth.is_none_or(|n| n == nth) => Err(refused.error.clone()),
            (_, Some((left, message))) if nth > *left => {
                Err(CallError { kind: CallErrorKind::Other, message: message.clone() })
            }
            _ => Ok(()),
        }
    }
}

/// What one sync does.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What the sync does about the difference; None if it does not get that far.
    pub action: Option<Action>,
    /// Whether the burst cap cuts the difference.
    pub(crate) capped: bool,
    /// Active pods, adopted ones included; None if the claim fails.
    pub active: Option<Vec<Arc<Pod>>>,
    /// Active less wanted.
    pub diff: Option<i64>,
    /// Pods that it adopts, by name.
    pub(crate) adopt: Vec<Arc<Pod>>,
    /// Pods that it releases, by name.
    pub(crate) release: Vec<Arc<Pod>>,
    /// The slow-start batches if nothing is refused.
    pub batches: Vec<usize>,
    /// Creates tried under the assumptions.
    pub calls: usize,
    /// Of these, the ones that succeed.
    pub(crate) created: usize,
    /// The pods that it deletes.
    pub choice: Option<Choice>,
    /// The status that it writes or would write.
    pub(crate) status: Option<Status>,
    /// Whether that status differs from the stored one.
    pub(crate) writes_status: bool,
    /// API calls of all kinds, for the estimate of time.
    pub(crate) api_calls: u64,
    /// What it does to the controller's memory.
    pub effects: Vec<Effect>,
    /// How it ends.
    pub(crate) end: End,
}

impl Plan {
    /// Creates never tried, because one before was refused.
    pub(crate) fn skipped(&self) -> usize {
        match self.action {
            Some(Action::Create(count)) => count - self.calls.min(count),
            _ => 0,
        }
    }

    /// Whether the sync changes pods once its gate is open.
    pub(crate) fn is_due(&self) -> bool {
        !self.adopt.is_empty() || !self.release.is_empty() || self.diff.is_some_and(|diff| diff != 0)
    }
}

/// Which sync is planned.
#[derive(Debug, Clone)]
pub struct Planned<'a> {
    /// Which controller syncs.
    pub kind: OwnerKind,
    /// The key.
    pub key: &'a Key,
    /// The gate that it finds.
    pub gate: Gate,
    /// When it runs.
    pub during: Interval,
    /// The version's behaviour.
    pub profile: &'a Profile,
    /// Creates of earlier syncs, which assumptions count along.
    pub earlier_creates: u64,
}

/// Runs one sync of the model under these assumptions.
pub fn plan(planned: &Planned, cache: &Cache, assumptions: &Assumptions) -> Plan {
    let inputs = Inputs {
        kind: planned.kind,
        key: planned.key.clone(),
        gate: planned.gate,
        stale: None,
        during: planned.during,
        profile: *planned.profile,
    };
    let mut driver = Driver::new(assumptions, planned.earlier_creates);
    let (mut sync, mut step) = Sync::start(inputs, cache);
    let mut effects = Vec::new();
    let end = loop {
        effects.append(&mut step.effects);
        match step.next {
            Next::Call(call) => step = sync.resume(driver.answer(call), cache),
            Next::End(end) => break end,
        }
    };
    let deleting = cache.replica_set(planned.kind, planned.key).is_some_and(|rs| rs.is_deleting());
    // A sync of a ReplicaSet that is being deleted never creates or deletes, whatever the difference.
    let action = sync.action().map(|action| if deleting { Action::Nothing } else { action });
    let count = match action {
        Some(Action::Create(count) | Action::Delete(count)) => count,
        _ => 0,
    };
    let diff = sync.diff();
    Plan {
        action,
        capped: !deleting && diff.is_some_and(|diff| diff.unsigned_abs() > count as u64),
        active: sync.claimed().map(<[_]>::to_vec),
        diff,
        adopt: driver.patched(Claim::Adopt),
        release: driver.patched(Claim::Release),
        batches: match action {
            Some(Action::Create(count)) => slow_start::batches(count),
            _ => Vec::new(),
        },
        calls: driver.calls,
        created: driver.created,
        choice: sync.choice().cloned(),
        writes_status: driver.writes_status,
        status: sync.status().cloned(),
        api_calls: driver.api_calls,
        effects,
        end,
    }
}

/// Answers calls as assumed and records them.
struct Driver<'a> {
    assumptions: &'a Assumptions,
    creates: u64,
    calls: usize,
    created: usize,
    patches: Vec<(Claim, Arc<Pod>)>,
    writes_status: bool,
    api_calls: u64,
}

impl<'a> Driver<'a> {
    fn new(assumptions: &'a Assumptions, earlier_creates: u64) -> Self {
        Driver {
            assumptions,
            creates: earlier_creates,
            calls: 0,
            created: 0,
            patches: Vec::new(),
            writes_status: false,
            api_calls: 0,
        }
    }

    fn patched(&self, claim: Claim) -> Vec<Arc<Pod>> {
        self.patches.iter().filter(|(c, _)| *c == claim).map(|(_, pod)| pod.clone()).collect()
    }

    fn answer(&mut self, call: Call) -> Response {
        self.api_calls += match &call {
            Call::Patch(patches) => patches.len() as u64,
            Call::Create(count) => *count as u64,
            Call::Delete(pods) => pods.len() as u64,
            Call::Pick(..) => 0,
            Call::Live | Call::UpdateStatus(_) | Call::Refetch => 1,
        };
        match call {
            Call::Live => Response::Live(LiveOwner::Same),
            Call::Patch(patches) => {
                let outcomes = vec![Ok(()); patches.len()];
                self.patches.extend(patches.into_iter().map(|p| (p.claim, p.pod)));
                Response::Outcomes(outcomes)
            }
            Call::Create(count) => Response::Outcomes((0..count).map(|_| self.create()).collect()),
            Call::Pick(choice, count) => {
                Response::Picked(choice.possible.iter().take(count).map(|c| c.pod.meta.key()).collect())
            }
            Call::Delete(pods) => Response::Outcomes(vec![Ok(()); pods.len()]),
            Call::UpdateStatus(_) => {
                self.writes_status = true;
                Response::Outcomes(vec![Ok(())])
            }
            Call::Refetch => Response::Outcomes(vec![Ok(())]),
        }
    }

    fn create(&mut self) -> Outcome {
        self.creates += 1;
        self.calls += 1;
        let outcome = self.assumptions.create(self.creates);
        self.created += usize::from(outcome.is_ok());
        outcome
    }
}
