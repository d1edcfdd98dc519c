//! One sync of a ReplicaSet, stepped: it yields calls and takes their outcomes (semantics 4, 5).
//!
//! The driver answers each [`Call`] (from the API, a plan of failures, or an assumption), applies
//! the [`Effect`]s of each step to its store and may handle events between two steps: a burst of
//! 500 creates takes 25 seconds.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::BURST;
use super::cache::Cache;
use super::claim::{self, Claim};
use super::effect::Effect;
use super::expectations::Gate;
use super::profile::Profile;
use super::scale_down::{self, Choice};
use super::slow_start::SlowStart;
use super::status;
use crate::objects::{Key, OwnerKind, Pod, ReplicaSet, Selector, Status};

/// Why an API call failed, as far as the controller tells failures apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// 404.
    NotFound,
    /// 422.
    Invalid,
    /// 403 with the cause that the namespace is terminating.
    NamespaceTerminating,
    /// The call timed out: nobody knows whether it was carried out.
    Timeout,
    /// Anything else.
    Other,
}

/// A failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    /// What kind of failure.
    pub refusal: Refusal,
    /// The text that ends up in events, condition and log.
    pub message: String,
}

/// The outcome of one call.
pub type Outcome = Result<(), CallError>;

/// A patch of the claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// The pod.
    pub pod: Arc<Pod>,
    /// Adopt or Release.
    pub claim: Claim,
}

/// What the live GET before the first adoption finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Live {
    /// The same object, not being deleted.
    Same,
    /// It is gone, has another UID, is being deleted, or the GET failed.
    NoLongerOwner,
}

/// What the sync asks for next. The calls of one step are parallel.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    /// GET the ReplicaSet before adopting. Answered by [`Answer::Live`].
    Live,
    /// Adoptions and releases. Answered by [`Answer::Outcomes`] in the same order.
    Patch(Vec<Patch>),
    /// One batch of creates. Answered by [`Answer::Outcomes`].
    Create(usize),
    /// Pick so many of the possible pods, which the controller's unstable sort leaves open.
    /// Answered by [`Answer::Picked`].
    Pick(Choice, usize),
    /// All deletes at once. Answered by [`Answer::Outcomes`] in the same order.
    Delete(Vec<Key>),
    /// PUT of the status. Answered by one outcome.
    UpdateStatus(Status),
    /// GET of the ReplicaSet after a refused status. Answered by one outcome.
    Refetch,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// To [`Call::Live`].
    Live(Live),
    /// To the calls that have one outcome each.
    Outcomes(Vec<Outcome>),
    /// To [`Call::Pick`].
    Picked(Vec<Key>),
}

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
pub struct Step {
    /// Changes of the controller's memory, in order.
    pub effects: Vec<Effect>,
    /// The next call, or the end.
    pub next: Next,
}

/// See [`Step`].
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Answer this and resume.
    Call(Call),
    /// The sync is over.
    End(End),
}

/// What creating or deleting set out to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// So many pods are to be created, after the burst cap.
    Create(usize),
    /// So many pods are to be deleted, after the burst cap.
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
    /// What the gate was when the sync began: it is read before the pods are listed.
    pub gate: Gate,
    /// The resource whose cache is older than the controller's own writes, if any (1.36+).
    pub stale: Option<String>,
    /// The instants between which the sync runs; both the same where it is known.
    pub between: (Timestamp, Timestamp),
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
    round: Option<(SlowStart, usize)>,
    choice: Option<Choice>,
    chosen: Vec<Key>,
    manage_error: Option<String>,
    written: Option<Status>,
    status_tries: u32,
    phase: Phase,
}

/// Which answer the sync waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
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
    pub fn start(inputs: Inputs, cache: &Cache) -> (Sync, Step) {
        let replica_set = cache.replica_set(inputs.kind, &inputs.key).cloned();
        let mut sync = Sync {
            inputs,
            replica_set,
            considered: Vec::new(),
            patches: Vec::new(),
            claimed: Vec::new(),
            claim_error: None,
            action: None,
            round: None,
            choice: None,
            chosen: Vec::new(),
            manage_error: None,
            written: None,
            status_tries: 0,
            phase: Phase::Over,
        };
        let step = sync.begin(cache);
        (sync, step)
    }

    /// The claimed active pods, adopted ones included; None if the claim failed or the sync did
    /// not get to it.
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
    pub fn status(&self) -> Option<&Status> {
        self.written.as_ref()
    }

    /// Whether a closed gate or the ReplicaSet's deletion keeps the sync from its replicas.
    pub fn is_held(&self) -> bool {
        !self.inputs.gate.is_open() || self.replica_set.as_ref().is_some_and(|rs| rs.is_deleting())
    }

    /// Takes the answer to the last call and returns the next step.
    pub fn resume(&mut self, answer: Answer, cache: &Cache) -> Step {
        match (self.phase, answer) {
            (Phase::Live, Answer::Live(live)) => self.after_live(live, cache),
            (Phase::Patches, Answer::Outcomes(outcomes)) => self.after_patches(&outcomes, cache),
            (Phase::Creates, Answer::Outcomes(outcomes)) => self.after_batch(&outcomes),
            (Phase::Picks, Answer::Picked(pods)) => self.delete(&pods),
            (Phase::Deletes, Answer::Outcomes(outcomes)) => self.after_deletes(&outcomes),
            (Phase::Status, Answer::Outcomes(outcomes)) => self.after_status(&outcomes),
            (Phase::Refetch, Answer::Outcomes(outcomes)) => self.after_refetch(&outcomes),
            (_, answer) => self.end(Some(format!("answer out of turn: {answer:?}"))),
        }
    }

    fn begin(&mut self, cache: &Cache) -> Step {
        if let Some(resource) = self.inputs.stale.clone() {
            return self.end(Some(format!("the cache of {resource} is not as new as the own writes")));
        }
        let Some(replica_set) = self.replica_set.clone() else {
            let mut step = self.end(None);
            step.effects.push(Effect::Forget { key: self.inputs.key.clone() });
            return step;
        };
        if matches!(replica_set.selector, Selector::Invalid(_)) {
            return self.end(None);
        }
        self.considered = cache.considered(&replica_set, &self.inputs.profile);
        for pod in self.considered.iter().filter(|pod| pod.is_active()) {
            match claim::claim(&replica_set, pod) {
                Claim::Keep => self.claimed.push(pod.clone()),
                Claim::Ignore => {}
                claim => self.patches.push(Patch { pod: pod.clone(), claim }),
            }
        }
        if self.patches.iter().any(|patch| patch.claim == Claim::Adopt) {
            return self.call(Phase::Live, Call::Live);
        }
        self.patch(cache)
    }

    /// One live GET serves all adoptions of a sync; if it does not confirm the owner, all fail.
    fn after_live(&mut self, live: Live, cache: &Cache) -> Step {
        if live == Live::NoLongerOwner {
            self.patches.retain(|patch| patch.claim != Claim::Adopt);
            self.claim_error =
                Some("can't adopt: the live ReplicaSet is gone, another or being deleted".into());
        }
        self.patch(cache)
    }

    fn patch(&mut self, cache: &Cache) -> Step {
        if self.patches.is_empty() {
            return self.manage_replicas(cache);
        }
        let patches = self.patches.clone();
        self.call(Phase::Patches, Call::Patch(patches))
    }

    fn after_patches(&mut self, outcomes: &[Outcome], cache: &Cache) -> Step {
        for (patch, outcome) in std::mem::take(&mut self.patches).into_iter().zip(outcomes) {
            match (patch.claim, outcome) {
                (Claim::Adopt, Ok(())) => self.claimed.push(patch.pod),
                (_, Ok(())) => {}
                (_, Err(error)) if error.refusal == Refusal::NotFound => {}
                (Claim::Release, Err(error)) if error.refusal == Refusal::Invalid => {}
                (_, Err(error)) => drop(self.claim_error.get_or_insert_with(|| error.message.clone())),
            }
        }
        self.manage_replicas(cache)
    }

    fn manage_replicas(&mut self, cache: &Cache) -> Step {
        let Some(replica_set) = self.replica_set.clone() else { return self.end(None) };
        if let Some(error) = self.claim_error.clone() {
            return self.end(Some(error));
        }
        let wanted = usize::try_from(replica_set.replicas).unwrap_or(0);
        let active = self.claimed.len();
        let action = match active.cmp(&wanted) {
            std::cmp::Ordering::Less => Action::Create((wanted - active).min(BURST)),
            std::cmp::Ordering::Greater => Action::Delete((active - wanted).min(BURST)),
            std::cmp::Ordering::Equal => Action::Nothing,
        };
        self.action = Some(action);
        match action {
            _ if self.is_held() => self.write_status(),
            Action::Create(count) => self.begin_creates(count, &replica_set),
            Action::Delete(count) => self.begin_deletes(count, &replica_set, cache),
            Action::Nothing => self.write_status(),
        }
    }

    fn begin_creates(&mut self, count: usize, replica_set: &ReplicaSet) -> Step {
        let key = self.inputs.key.clone();
        let expect = Effect::ExpectCreations { key, count: count as i64 };
        self.round = Some((SlowStart::new(count), count));
        let mut step = if replica_set.template.labels.is_empty() {
            self.fail_first_batch("unable to create pods, no labels")
        } else {
            self.next_batch()
        };
        step.effects.insert(0, expect);
        step
    }

    /// A pod that cannot even be made ends the round before any call.
    fn fail_first_batch(&mut self, error: &str) -> Step {
        self.manage_error = Some(error.into());
        if let Some((round, _)) = &mut self.round {
            round.finish_batch(1);
        }
        self.next_batch()
    }

    fn next_batch(&mut self) -> Step {
        let Some((round, count)) = self.round.clone() else { return self.write_status() };
        if round.next_batch() > 0 {
            return self.call(Phase::Creates, Call::Create(round.next_batch()));
        }
        let skipped = count - round.succeeded();
        let mut step = self.write_status();
        if skipped > 0 {
            let key = self.inputs.key.clone();
            step.effects.insert(0, Effect::CreationObserved { key, count: skipped as i64 });
        }
        step
    }

    fn after_batch(&mut self, outcomes: &[Outcome]) -> Step {
        let failures: Vec<&CallError> =
            outcomes.iter().filter_map(|o| o.as_ref().err()).filter(|e| !self.counts_as_success(e)).collect();
        if let Some(first) = failures.first() {
            self.manage_error.get_or_insert_with(|| first.message.clone());
        }
        let failed = failures.len();
        if let Some((round, _)) = &mut self.round {
            round.finish_batch(failed);
        }
        self.next_batch()
    }

    fn counts_as_success(&self, error: &CallError) -> bool {
        let profile = &self.inputs.profile;
        match error.refusal {
            Refusal::NamespaceTerminating => profile.ignores_terminating_namespace,
            Refusal::Timeout => profile.swallows_create_timeout,
            _ => false,
        }
    }

    fn begin_deletes(&mut self, count: usize, replica_set: &ReplicaSet, cache: &Cache) -> Step {
        let profile = &self.inputs.profile;
        let per_node = scale_down::related_per_node(cache, replica_set, profile);
        let choice = scale_down::choose(&self.claimed, &per_node, count, self.inputs.between, profile);
        let open = count.saturating_sub(choice.certain.len());
        self.choice = Some(choice.clone());
        self.chosen = choice.certain.iter().map(|victim| victim.pod.meta.key()).collect();
        if open > 0 {
            return self.call(Phase::Picks, Call::Pick(choice, open));
        }
        self.delete(&[])
    }

    fn delete(&mut self, picked: &[Key]) -> Step {
        self.chosen.extend_from_slice(picked);
        let pods = self.chosen.clone();
        let mut step = self.call(Phase::Deletes, Call::Delete(pods.clone()));
        step.effects.push(Effect::ExpectDeletions { key: self.inputs.key.clone(), pods });
        step
    }

    fn after_deletes(&mut self, outcomes: &[Outcome]) -> Step {
        let key = self.inputs.key.clone();
        let mut effects = Vec::new();
        for (pod, outcome) in std::mem::take(&mut self.chosen).into_iter().zip(outcomes) {
            let Err(error) = outcome else { continue };
            let missing = error.refusal == Refusal::NotFound;
            if !missing || self.inputs.profile.lowers_missing_delete {
                effects.push(Effect::DeletionObserved { key: key.clone(), pod });
            }
            if !missing {
                self.manage_error.get_or_insert_with(|| error.message.clone());
            }
        }
        let mut step = self.write_status();
        step.effects.splice(0..0, effects);
        step
    }

    /// Terminating pods that are this ReplicaSet's and selected; None where they are not counted.
    fn terminating(&self, replica_set: &ReplicaSet) -> Option<usize> {
        let counted = self.inputs.profile.terminating_replicas && self.inputs.kind == OwnerKind::ReplicaSet;
        let own = |pod: &&Arc<Pod>| pod.is_terminating() && claim::claim(replica_set, pod) == Claim::Keep;
        counted.then(|| self.considered.iter().filter(own).count())
    }

    /// The status that this sync writes or would write, from the pods before its own calls.
    fn write_status(&mut self) -> Step {
        let Some(replica_set) = self.replica_set.clone() else { return self.end(None) };
        let written = status::calculate(
            &replica_set,
            &self.claimed,
            self.terminating(&replica_set),
            self.manage_error.as_deref(),
            self.inputs.between.0,
            &self.inputs.profile,
        );
        let differs = status::needs_write(&replica_set, &written);
        self.written = Some(written);
        if differs { self.put_status() } else { self.finish() }
    }

    fn put_status(&mut self) -> Step {
        self.status_tries += 1;
        let status = self.written.clone().unwrap_or_default();
        self.call(Phase::Status, Call::UpdateStatus(status))
    }

    /// A refused status write is repeated once, after a GET.
    fn after_status(&mut self, outcomes: &[Outcome]) -> Step {
        match outcomes.first() {
            Some(Err(error)) if self.status_tries > 1 => self.end(Some(error.message.clone())),
            Some(Err(_)) => self.call(Phase::Refetch, Call::Refetch),
            _ => self.finish(),
        }
    }

    fn after_refetch(&mut self, outcomes: &[Outcome]) -> Step {
        match outcomes.first() {
            Some(Err(error)) => self.end(Some(error.message.clone())),
            _ => self.put_status(),
        }
    }

    fn finish(&mut self) -> Step {
        if let Some(error) = self.manage_error.clone() {
            return self.end(Some(error));
        }
        let (Some(replica_set), Some(written)) = (&self.replica_set, &self.written) else {
            return self.end(None);
        };
        let now = self.inputs.between.0;
        let requeue_after =
            status::requeue_after(replica_set, written, &self.claimed, now, &self.inputs.profile);
        self.phase = Phase::Over;
        Step { effects: Vec::new(), next: Next::End(End { error: None, requeue_after }) }
    }

    fn call(&mut self, phase: Phase, call: Call) -> Step {
        self.phase = phase;
        Step { effects: Vec::new(), next: Next::Call(call) }
    }

    fn end(&mut self, error: Option<String>) -> Step {
        self.phase = Phase::Over;
        Step { effects: Vec::new(), next: Next::End(End { error, requeue_after: None }) }
    }
}
