//! Dry run: one sync after the other on a simulated cluster, until nothing is left to do.
//!
//! Between two syncs every call is taken to be seen: created pods appear pending and unassigned, deleted ones vanish. Where
//! a choice was open, its possible victims stay open, so that no later sync claims to know which of them remain.

mod client_limit;
mod cluster;

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use super::cache::Cache;
use super::expectations::{Entry, ExpectationStore, Gate};
use super::plan::{Assumptions, Plan, Planned, plan};
use super::profile::Profile;
use super::queue::Queue;
use super::scale_down::Interval;
use super::sync::Action;
use crate::objects::instant::later;
use crate::objects::{Key, OwnerKind};
use client_limit::ClientLimit;
pub use client_limit::ClientRate;
pub(crate) use cluster::new_pod;

/// What a dry run starts from.
#[derive(Debug, Clone)]
pub struct Start {
    /// Which controller.
    pub kind: OwnerKind,
    /// The ReplicaSet.
    pub key: Key,
    /// The instant of the first sync.
    pub now: Timestamp,
    /// The gate that the first sync finds. An open one is simulated as if there were no entry.
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
    /// How much later than simulated a sync may choose its victims: pods change their age buckets meanwhile.
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
    /// add and del when it ends, before its pods are seen; None if they are unknown.
    pub(crate) after: Option<(i64, i64)>,
    /// The least time that its calls take.
    pub(crate) takes: SignedDuration,
    /// What leads to the next sync.
    pub then: Then,
}

/// What follows a sync.
#[derive(Debug, Clone, PartialEq)]
pub enum Then {
    /// The pods that it created or deleted are seen, which triggers the next sync.
    Seen,
    /// It failed and is retried after this delay.
    Retry(SignedDuration),
    /// Every further retry meets the same refusal.
    RetriesFail(SignedDuration),
    /// It waits for pending pods, or for an event after the expiry.
    Waits,
    /// Its own requeue, to see pods become available.
    Requeue(SignedDuration),
    /// Creates counted as successes of which no pod will come.
    NothingComes,
    /// Something is left to do that its syncs no longer do.
    Powerless,
    /// Nothing is left to do.
    Settled,
}

impl Then {
    /// Whether simulating further syncs would show nothing new.
    fn ends_the_run(&self) -> bool {
        match self {
            Then::Settled
            | Then::Powerless
            | Then::NothingComes
            | Then::RetriesFail(_)
            | Then::Requeue(_) => true,
            Then::Seen | Then::Retry(_) | Then::Waits => false,
        }
    }
}

/// Simulates syncs until one leaves nothing to do, or `most` have run.
pub fn dry_run(start: &Start, cache: &Cache, profile: &Profile) -> Vec<SyncRun> {
    let entry = start.entry;
    Simulation {
        start,
        profile,
        cache: cache.clone(),
        store: entry
            .map_or_else(ExpectationStore::default, |entry| ExpectationStore::with(&start.key, entry)),
        queue: Queue::after_failures(&start.key, start.failures),
        limit: ClientLimit::full(start.rate, start.now),
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
    store: ExpectationStore,
    queue: Queue,
    limit: ClientLimit,
    now: Timestamp,
    /// Creates tried so far.
    creates: u64,
    /// Pods made so far, for their names.
    made: usize,
    /// Possible victims of earlier syncs: some of them are gone.
    open: BTreeSet<Key>,
}

impl Simulation<'_> {
    fn run(mut self) -> Vec<SyncRun> {
        let mut runs = Vec::new();
        let mut gate = self.start.gate;
        while runs.len() < self.start.most {
            let run = self.sync(gate);
            let over = run.then.ends_the_run();
            runs.push(run);
            if over {
                break;
            }
            gate = self.next_gate(gate);
        }
        runs
    }

    /// A wait for something unknown may end any time; all that is certain is its expiry.
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
            during: Interval { earliest: self.now, latest: later(self.now, self.start.choice_delay) },
            profile: self.profile,
            earlier_creates: self.creates,
        };
        let mut plan = plan(&planned, &self.cache, &self.start.assumptions);
        self.mark_open(&mut plan);
        let at = self.now;
        plan.effects.iter().for_each(|effect| self.store.apply(effect, at));
        self.creates += plan.calls as u64;
        let takes = self.limit.take(plan.api_calls, at);
        self.now = later(at, takes);
        let after = self.store.entry(&self.start.key).map(|e| (e.add, e.del));
        let known = gate != Gate::Waiting || after.is_some();
        let then = self.advance(&plan, gate);
        SyncRun { at, gate, plan, after: after.or(known.then_some((0, 0))), takes, then }
    }

    /// Once a choice was open, it is unknown which of its pods remain: later choices among them are open too.
    fn mark_open(&mut self, plan: &mut Plan) {
        let Some(choice) = &mut plan.choice else { return };
        if self.open.is_empty() {
            return;
        }
        let certain = std::mem::take(&mut choice.certain);
        let safe = std::mem::take(&mut choice.safe);
        choice.possible.splice(0..0, certain);
        choice.possible.extend(safe);
    }

    /// Lets the cluster answer what the sync did. Returns what triggers the next one.
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
            let hopeless = created + deleted == 0 && self.next_create_is_refused();
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

    fn next_create_is_refused(&self) -> bool {
        let assumptions = &self.start.assumptions;
        let every = assumptions.refuse.as_ref().is_some_and(|r| r.nth.is_none());
        every || assumptions.quota.as_ref().is_some_and(|(left, _)| self.creates >= *left)
    }
}
