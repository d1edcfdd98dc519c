//! Dry run: one sync after the other on a simulated cluster, until nothing is left to do.
//!
//! Between two syncs every call is taken to be seen: created pods appear pending and unassigned,
//! deleted ones vanish. Where a choice was open, the pods that stay open are carried along as
//! such, so that no later sync claims to know them.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::cache::Cache;
use super::effect::Effect;
use super::expectations::{Entry, Expectations, Gate};
use super::handlers::Handlers;
use super::plan::{Assumptions, Plan, Planned, plan};
use super::profile::Profile;
use super::queue::Queue;
use super::scale_down::Candidate;
use super::sync::{Action, CallError, Refusal};
use crate::objects::instant::later;
use crate::objects::{Key, OwnerKind, OwnerReference, Phase, Pod, ReplicaSet};

/// The controller's client-side limits, shared by all its calls (semantics 7).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClientRate {
    /// Calls a second, above 0.
    pub qps: f64,
    /// Calls at once before that limit holds, at least 1.
    pub burst: u32,
}

impl Default for ClientRate {
    fn default() -> Self {
        ClientRate { qps: 20.0, burst: 30 }
    }
}

/// The client's token bucket, used by this ReplicaSet alone: others only make it slower.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    rate: ClientRate,
    tokens: f64,
    at: Timestamp,
}

impl Bucket {
    fn full(rate: ClientRate, at: Timestamp) -> Bucket {
        Bucket { rate, tokens: f64::from(rate.burst), at }
    }

    /// The least time that so many calls take from `now` on.
    fn take(&mut self, calls: u64, now: Timestamp) -> SignedDuration {
        let gained = now.duration_since(self.at).as_secs_f64() * self.rate.qps;
        let tokens = (self.tokens + gained).min(f64::from(self.rate.burst)) - calls as f64;
        let wait = (-tokens).max(0.0) / self.rate.qps;
        let wait = SignedDuration::try_from_secs_f64(wait).unwrap_or(SignedDuration::MAX);
        self.tokens = tokens.max(0.0);
        self.at = now.saturating_add(wait).unwrap_or(now);
        wait
    }
}

/// What a dry run starts from.
#[derive(Debug, Clone)]
pub struct Start {
    /// Which controller.
    pub kind: OwnerKind,
    /// The ReplicaSet.
    pub key: Key,
    /// The instant of the first sync.
    pub now: Timestamp,
    /// The gate that the first sync finds; what is open counts as no entry.
    pub gate: Gate,
    /// The entry that it finds, where that is known.
    pub entry: Option<Entry>,
    /// When a closed gate expires at the latest.
    pub expires: Option<Timestamp>,
    /// Failed syncs in a row before the first one: the backoff goes on from there.
    pub failures: u32,
    /// How creates are answered.
    pub assumptions: Assumptions,
    /// The client's limits.
    pub rate: ClientRate,
    /// How much later than simulated a sync may choose its victims: age buckets move.
    pub choice_delay: SignedDuration,
    /// The most syncs to simulate.
    pub most: usize,
}

/// One sync of a dry run.
#[derive(Debug, Clone, PartialEq)]
pub struct SyncRun {
    /// When it begins.
    pub at: Timestamp,
    /// The gate that it finds.
    pub gate: Gate,
    /// What it does.
    pub plan: Plan,
    /// add and del when it ends, before its pods are seen; None if nothing is known of them.
    pub after: Option<(i64, i64)>,
    /// The least time that its calls take.
    pub takes: SignedDuration,
    /// What leads to the next sync.
    pub then: Then,
}

/// What follows a sync.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    /// The pods that it created or deleted are seen, which wakes the ReplicaSet.
    Seen,
    /// It failed and is retried after this delay.
    Retry(SignedDuration),
    /// Every further retry meets the same refusal.
    RetriesFail(SignedDuration),
    /// It waits: for what is awaited, or for an event after the expiry.
    Waits,
    /// Its own requeue, to see pods become available.
    Requeue(SignedDuration),
    /// Creates counted as done of which no pod comes.
    NothingComes,
    /// Something is left to do that its syncs do not do any more.
    Powerless,
    /// Nothing is left to do.
    Settled,
}

/// Simulates syncs until one leaves nothing to do, or `most` have run.
pub fn dry_run(start: &Start, cache: &Cache, profile: &Profile) -> Vec<SyncRun> {
    Simulation {
        start,
        profile,
        cache: cache.clone(),
        store: start.entry.map_or_else(Expectations::default, |entry| Expectations::with(&start.key, entry)),
        queue: Queue::after_failures(&start.key, start.failures),
        bucket: Bucket::full(start.rate, start.now),
        now: start.now,
        creates: 0,
        made: 0,
        open: BTreeSet::new(),
    }
    .run()
}

struct Simulation<'a> {
    start: &'a Start,
    profile: &'a Profile,
    cache: Cache,
    store: Expectations,
    queue: Queue,
    bucket: Bucket,
    now: Timestamp,
    /// Creates tried so far.
    creates: u64,
    /// Pods made so far, for their names.
    made: usize,
    /// Pods of an open choice of which some are gone.
    open: BTreeSet<Key>,
}

impl Simulation<'_> {
    fn run(mut self) -> Vec<SyncRun> {
        let mut runs = Vec::new();
        let mut gate = self.start.gate;
        while runs.len() < self.start.most {
            let run = self.sync(gate);
            let over = matches!(
                run.then,
                Then::Settled | Then::Powerless | Then::RetriesFail(_) | Then::NothingComes
            );
            let last_requeue = matches!(run.then, Then::Requeue(_));
            runs.push(run);
            if over || last_requeue {
                break;
            }
            gate = self.next_gate(gate);
        }
        runs
    }

    /// After a wait for something unknown nothing but its expiry is certain.
    fn next_gate(&self, before: Gate) -> Gate {
        let unknown = self.store.entry(&self.start.key).is_none();
        if before == Gate::Waiting && unknown {
            Gate::Expired
        } else {
            self.store.gate(&self.start.key, self.now)
        }
    }

    fn sync(&mut self, gate: Gate) -> SyncRun {
        let planned = Planned {
            kind: self.start.kind,
            key: &self.start.key,
            gate,
            between: (self.now, later(self.now, self.start.choice_delay)),
            profile: self.profile,
            earlier_creates: self.creates,
        };
        let mut plan = plan(&planned, &self.cache, &self.start.assumptions);
        self.mark_open(&mut plan);
        let at = self.now;
        plan.effects.iter().for_each(|effect| self.store.apply(effect, at));
        self.creates += plan.calls as u64;
        let takes = self.bucket.take(plan.api_calls, at);
        self.now = later(at, takes);
        let after = self.store.entry(&self.start.key).map(|e| (e.add, e.del));
        let known = gate != Gate::Waiting || after.is_some();
        let then = self.advance(&plan, gate);
        SyncRun { at, gate, plan, after: after.or(known.then_some((0, 0))), takes, then }
    }

    /// Once a choice was open, nobody knows which of its pods remain: later choices among them
    /// are open too.
    fn mark_open(&mut self, plan: &mut Plan) {
        let Some(choice) = &mut plan.choice else { return };
        if self.open.is_empty() {
            return;
        }
        let all: Vec<Candidate> =
            choice.certain.drain(..).chain(choice.possible.drain(..)).chain(choice.safe.drain(..)).collect();
        choice.possible = all;
    }

    /// Lets the cluster answer what the sync did, and says what wakes the next one.
    fn advance(&mut self, plan: &Plan, gate: Gate) -> Then {
        self.claim(plan);
        self.write_status(plan);
        if !gate.is_open() && plan.diff.is_some_and(|diff| diff != 0) {
            let expiry = self.start.expires.unwrap_or(self.now);
            self.now = later(self.now.max(expiry), SignedDuration::from_nanos(1));
            return Then::Waits;
        }
        let created = self.create(plan);
        let deleted = self.delete(plan);
        if plan.end.error.is_some() {
            let delay = self.queue.add_rate_limited(&self.start.key, self.now);
            self.now = later(self.now, delay);
            let hopeless = created + deleted == 0 && self.refusal_stays();
            return if hopeless { Then::RetriesFail(delay) } else { Then::Retry(delay) };
        }
        self.queue.forget(&self.start.key);
        if created + deleted > 0 {
            return Then::Seen;
        }
        match (plan.action, plan.end.requeue_after) {
            (Some(Action::Create(_)), _) => Then::NothingComes,
            (Some(Action::Nothing), _) if plan.diff.is_some_and(|diff| diff != 0) => Then::Powerless,
            (_, Some(after)) => Then::Requeue(after),
            _ => Then::Settled,
        }
    }

    /// Whether the next create is refused as well.
    fn refusal_stays(&self) -> bool {
        let assumptions = &self.start.assumptions;
        let every = assumptions.refuse.as_ref().is_some_and(|r| r.nth.is_none());
        every || assumptions.quota.as_ref().is_some_and(|(left, _)| self.creates >= *left)
    }

    fn claim(&mut self, plan: &Plan) {
        let Some(owner) = self.cache.replica_set(self.start.kind, &self.start.key).cloned() else { return };
        for pod in &plan.adopt {
            let mut adopted = Pod::clone(pod);
            adopted.meta.owners.push(reference(&owner));
            self.update_pod(pod, adopted);
        }
        for pod in &plan.release {
            let mut released = Pod::clone(pod);
            released.meta.owners.retain(|o| o.uid != owner.meta.uid);
            self.update_pod(pod, released);
        }
    }

    fn update_pod(&mut self, old: &Pod, mut new: Pod) {
        new.meta.resource_version.push('+');
        let new = Arc::new(new);
        self.cache.put_pod(new.clone());
        let effects = self.handlers().pod_updated(old, &new);
        self.apply(&effects);
    }

    fn write_status(&mut self, plan: &Plan) {
        let found = self.cache.replica_set(self.start.kind, &self.start.key);
        if let (Some(found), Some(status)) = (found, &plan.status) {
            let mut written = ReplicaSet::clone(found);
            written.status = status.clone();
            self.cache.put_replica_set(Arc::new(written));
        }
    }

    /// The created pods appear: pending, without a node, not ready.
    fn create(&mut self, plan: &Plan) -> usize {
        let Some(owner) = self.cache.replica_set(self.start.kind, &self.start.key).cloned() else { return 0 };
        for _ in 0..plan.created {
            self.made += 1;
            let pod = new_pod(&owner, self.made, self.now);
            let pod = Arc::new(pod);
            self.cache.put_pod(pod.clone());
            let effects = self.handlers().pod_added(&pod);
            self.apply(&effects);
        }
        plan.created
    }

    fn delete(&mut self, plan: &Plan) -> usize {
        let gone: Vec<Key> = plan
            .effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::ExpectDeletions { pods, .. } => Some(pods.clone()),
                _ => None,
            })
            .flatten()
            .collect();
        if let Some(choice) = plan.choice.as_ref().filter(|choice| !choice.possible.is_empty()) {
            self.open.extend(choice.possible.iter().map(|c| c.pod.meta.key()));
        }
        for key in &gone {
            if let Some(pod) = self.cache.remove_pod(key) {
                let effects = self.handlers().pod_deleted(&pod);
                self.apply(&effects);
            }
        }
        gone.len()
    }

    fn handlers(&self) -> Handlers<'_> {
        Handlers { kind: self.start.kind, cache: &self.cache, profile: self.profile }
    }

    fn apply(&mut self, effects: &[Effect]) {
        effects.iter().for_each(|effect| self.store.apply(effect, self.now));
    }
}

/// A pod as it appears after its creation: pending, without a node. `number` tells it from others.
pub fn new_pod(owner: &ReplicaSet, number: usize, now: Timestamp) -> Pod {
    let mut pod = Pod { phase: Phase::Pending, ..Pod::default() };
    pod.meta.namespace = owner.meta.namespace.clone();
    // Not a name that the API server could make, so that it meets no real one.
    pod.meta.name = format!("{}-(new {number})", owner.meta.name);
    pod.meta.uid = format!("~{number:09}");
    pod.meta.created = Some(now);
    pod.meta.labels = owner.template.labels.clone();
    pod.meta.owners = vec![reference(owner)];
    pod
}

fn reference(owner: &ReplicaSet) -> OwnerReference {
    OwnerReference {
        api_version: match owner.kind {
            OwnerKind::ReplicaSet => "apps/v1".into(),
            OwnerKind::ReplicationController => "v1".into(),
        },
        kind: owner.kind.as_str().into(),
        name: owner.meta.name.clone(),
        uid: owner.meta.uid.clone(),
        controller: true,
    }
}

/// The refusal that `--fail-creates` names by a reason code: what the controller treats
/// specially, and an ordinary error for everything else.
pub fn refusal_of(reason: &str) -> CallError {
    let refusal = match reason {
        "NamespaceTerminating" => Refusal::NamespaceTerminating,
        "CreateTimedOut" => Refusal::Timeout,
        "PodInvalid" => Refusal::Invalid,
        _ => Refusal::Other,
    };
    CallError { refusal, message: format!("assumed refusal: {reason}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_hundred_creates_take_23_5_s_from_a_full_bucket_and_25_from_an_empty_one() {
        let now = Timestamp::UNIX_EPOCH;
        let mut bucket = Bucket::full(ClientRate::default(), now);
        let first = bucket.take(500, now);
        assert_eq!(first, SignedDuration::from_millis(23_500));
        assert_eq!(bucket.take(500, now + first), SignedDuration::from_secs(25));
        let rested = now + first + SignedDuration::from_mins(5);
        assert_eq!(bucket.take(30, rested), SignedDuration::ZERO);
    }
}
