//! The eight rules by which two pods are compared, and the pods as the rules see them.

use std::cmp::Ordering;
use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::age::Age;
use crate::model::profile::Profile;
use crate::objects::{Phase, Pod};

// In the order in which the controller asks; the numbers are those of docs/semantics.md section 6.
/// The rule that decided about a pod, the first one that does. Kubernetes may get others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub enum Rule {
    /// Every active pod goes, nothing is compared.
    All,
    /// Pods without a node first.
    Unassigned = 1,
    /// Pending, then Unknown, then Running.
    Phase = 2,
    /// Pods that are not ready first.
    NotReady = 3,
    /// The lower deletion cost first.
    DeletionCost = 4,
    /// Pods on nodes with more related pods first.
    Rank = 5,
    /// Pods ready for less time first.
    ReadyTime = 6,
    /// Pods with more restarts first.
    Restarts = 7,
    /// Pods created later first.
    CreationTime = 8,
    /// Times differ but share an age bucket: the lexically smaller UID first.
    Uid,
    /// Nothing tells them apart.
    Tie,
}

impl Rule {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Rule::All => "All",
            Rule::Unassigned => "Unassigned",
            Rule::Phase => "Phase",
            Rule::NotReady => "NotReady",
            Rule::DeletionCost => "DeletionCost",
            Rule::Rank => "Rank",
            Rule::ReadyTime => "ReadyTime",
            Rule::Restarts => "Restarts",
            Rule::CreationTime => "CreationTime",
            Rule::Uid => "Uid",
            Rule::Tie => "Tie",
        }
    }
}

/// A pod with what the rules compare, looked up once: 5,000 pods are compared millions of times.
#[derive(Debug, Clone)]
pub(super) struct Ranked {
    pub(super) pod: Arc<Pod>,
    pub(super) rank: usize,
    pub(super) cost: i32,
    /// Since when it is ready.
    pub(super) ready: Age,
    pub(super) created: Age,
    /// Of regular and of sidecar containers.
    pub(super) restarts: (i64, i64),
}

impl Ranked {
    pub(super) fn new(pod: &Arc<Pod>, rank: usize, instants: &[Timestamp], profile: &Profile) -> Ranked {
        Ranked {
            pod: pod.clone(),
            rank,
            cost: if profile.deletion_cost { pod.deletion_cost() } else { 0 },
            ready: Age::new(pod.ready_since(), instants, profile),
            created: Age::new(pod.meta.created, instants, profile),
            restarts: (pod.restarts, if profile.sidecar_restarts { pod.sidecar_restarts } else { 0 }),
        }
    }
}

/// Rules 1 to 3, which come before the deletion cost: no cost outweighs them.
pub(super) fn before_cost(a: &Ranked, b: &Ranked) -> (Ordering, Rule) {
    let (x, y) = (&a.pod, &b.pod);
    let assigned = x.node.is_empty().cmp(&y.node.is_empty()).reverse();
    if assigned.is_ne() {
        return (assigned, Rule::Unassigned);
    }
    let phase = phase_order(x.phase).cmp(&phase_order(y.phase));
    if phase.is_ne() {
        return (phase, Rule::Phase);
    }
    (x.is_ready().cmp(&y.is_ready()), Rule::NotReady)
}

/// Rules 1 to 5: a total preorder that does not depend on the time.
pub(super) fn first_rules(a: &Ranked, b: &Ranked) -> (Ordering, Rule) {
    let (order, rule) = before_cost(a, b);
    if order.is_ne() {
        return (order, rule);
    }
    if a.cost != b.cost {
        return (a.cost.cmp(&b.cost), Rule::DeletionCost);
    }
    (b.rank.cmp(&a.rank), Rule::Rank)
}

fn phase_order(phase: Phase) -> u8 {
    match phase {
        Phase::Pending | Phase::Other => 0,
        Phase::Unknown => 1,
        Phase::Running => 2,
        // Finished pods are not active; the controller looks a missing phase up as zero.
        Phase::Succeeded | Phase::Failed => 0,
    }
}

/// All eight rules at one of the instants. Less means that `a` goes first.
pub(super) fn compare(a: &Ranked, b: &Ranked, instant: usize) -> (Ordering, Rule) {
    let (order, rule) = first_rules(a, b);
    if order.is_ne() {
        return (order, rule);
    }
    let uids = || a.pod.meta.uid.cmp(&b.pod.meta.uid);
    if a.pod.is_ready() && b.pod.is_ready() && a.ready.since != b.ready.since {
        return by_age(a.ready.younger_first(&b.ready, instant), Rule::ReadyTime, uids);
    }
    let restarts = b.restarts.cmp(&a.restarts);
    if restarts.is_ne() {
        return (restarts, Rule::Restarts);
    }
    if a.created.since != b.created.since {
        return by_age(a.created.younger_first(&b.created, instant), Rule::CreationTime, uids);
    }
    (Ordering::Equal, Rule::Tie)
}

/// Different times in one age bucket are decided by the UID; later rules are not consulted then.
fn by_age(younger: Ordering, rule: Rule, uids: impl FnOnce() -> Ordering) -> (Ordering, Rule) {
    if younger.is_eq() { (uids(), Rule::Uid) } else { (younger, rule) }
}
