//! Scale-down choice: which pods go, by which rule, and how sure that is (semantics 6).
//!
//! The controller sorts with an unstable sort over an input of random order, so exact ties are
//! open. Rules 6 to 8 are not transitive: a tie inside an age bucket goes by UID while pods of
//! equal times are told apart by restarts. So pods are put into *groups* that any sort keeps in
//! order; inside a group every order is possible. A group that the limit cuts is `possible`.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::cache::Cache;
use super::profile::Profile;
use crate::objects::instant::later;
use crate::objects::{Key, Phase, Pod, ReplicaSet};

// In the order in which the controller asks; the numbers are those of semantics 6.
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

/// One pod of a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The pod.
    pub pod: Arc<Pod>,
    /// Active related pods on its node, itself included.
    pub rank: usize,
    /// What told it from the pods on the other side of the limit.
    pub rule: Rule,
    /// The pod that it was compared with, if any.
    pub against: Option<Arc<Pod>>,
    /// The smallest deletion cost with which the pod surely stays; None if no cost saves it, or
    /// if it stays anyhow.
    pub cost_to_save: Option<i32>,
    /// The highest deletion cost with which the pod surely goes; None if no cost dooms it, or
    /// if it goes anyhow.
    pub cost_to_doom: Option<i32>,
}

/// Why some pods are only possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// Nothing is open.
    Nothing,
    /// Pods that nothing tells apart.
    Tie,
    /// Pods whose order depends on the order of the input, or on the exact instant.
    Intransitive,
}

/// The outcome of a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// These go.
    pub certain: Vec<Candidate>,
    /// Some of these go.
    pub possible: Vec<Candidate>,
    /// These stay.
    pub safe: Vec<Candidate>,
    /// Why there are possible ones.
    pub open: Open,
}

/// Active related pods per node: those that match the selector of any ReplicaSet with the same
/// controller (semantics 6). Without a controller, before 1.17 and for a ReplicationController
/// there are none.
pub fn related_per_node(
    cache: &Cache,
    replica_set: &ReplicaSet,
    profile: &Profile,
) -> BTreeMap<String, usize> {
    let mut per_node = BTreeMap::new();
    let Some(controller) = replica_set.meta.controller().filter(|_| profile.ranks_related_pods) else {
        return per_node;
    };
    let mut seen: BTreeSet<Key> = BTreeSet::new();
    let siblings = cache
        .replica_sets_in(replica_set.kind, &replica_set.meta.namespace)
        .filter(|rs| rs.meta.controller().is_some_and(|c| c.uid == controller.uid));
    for sibling in siblings {
        let related =
            cache.pods_in(&sibling.meta.namespace).filter(|pod| sibling.selector.matches(&pod.meta.labels));
        for pod in related {
            if pod.is_active() && seen.insert(pod.meta.key()) {
                *per_node.entry(pod.node.clone()).or_default() += 1;
            }
        }
    }
    per_node
}

/// Chooses `count` of the active pods, for a sync at any instant from `earliest` to `latest`.
pub fn choose(
    active: &[Arc<Pod>],
    per_node: &BTreeMap<String, usize>,
    count: usize,
    (earliest, latest): (Timestamp, Timestamp),
    profile: &Profile,
) -> Choice {
    let rank = |pod: &Pod| per_node.get(&pod.node).copied().unwrap_or(0);
    if count >= active.len() {
        let all = |pod: &Arc<Pod>| Candidate {
            pod: pod.clone(),
            rank: rank(pod),
            rule: Rule::All,
            against: None,
            cost_to_save: None,
            cost_to_doom: None,
        };
        let certain = by_name(active.iter().map(all).collect());
        return Choice { certain, possible: Vec::new(), safe: Vec::new(), open: Open::Nothing };
    }
    let instants = instants(active, earliest, latest, profile);
    let mut pods: Vec<Ranked> =
        active.iter().map(|pod| Ranked::new(pod, rank(pod), &instants, profile)).collect();
    pods.sort_by(|a, b| first_rules(a, b).0.then_with(|| a.pod.meta.name.cmp(&b.pod.meta.name)));
    Choosing { pods, count, instants: instants.len(), profile }.choose()
}

/// A pod with what its rules compare, looked up once: pairs are compared very often.
#[derive(Debug, Clone)]
struct Ranked {
    pod: Arc<Pod>,
    rank: usize,
    cost: i32,
    /// Since when it is ready.
    ready: Age,
    created: Age,
    /// Restarts of regular and of sidecar containers.
    restarts: (i64, i64),
}

impl Ranked {
    fn new(pod: &Arc<Pod>, rank: usize, instants: &[Timestamp], profile: &Profile) -> Ranked {
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

/// A time that rule 6 or 8 compares.
#[derive(Debug, Clone)]
struct Age {
    since: Option<Timestamp>,
    /// The age bucket at each instant; empty where ages are not put into buckets.
    buckets: Vec<i32>,
}

impl Age {
    fn new(since: Option<Timestamp>, instants: &[Timestamp], profile: &Profile) -> Age {
        let since_known = since.filter(|_| profile.age_buckets);
        let buckets = since_known.map(|since| instants.iter().map(|now| bucket(since, *now)).collect());
        Age { since, buckets: buckets.unwrap_or_default() }
    }
}

fn by_name(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|a, b| a.pod.meta.name.cmp(&b.pod.meta.name));
    candidates
}

/// Rules 1 to 3: none of them can be bought off with a deletion cost.
fn before_cost(a: &Ranked, b: &Ranked) -> (Ordering, Rule) {
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

/// Rules 1 to 5: a total preorder that no clock moves.
fn first_rules(a: &Ranked, b: &Ranked) -> (Ordering, Rule) {
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
        // Finished pods are not active; the controller's table holds no place for them.
        Phase::Succeeded | Phase::Failed => 0,
    }
}

/// All eight rules at one of the instants. Less means that `a` goes first.
fn compare(a: &Ranked, b: &Ranked, instant: usize) -> (Ordering, Rule) {
    let (order, rule) = first_rules(a, b);
    if order.is_ne() {
        return (order, rule);
    }
    if a.pod.is_ready() && b.pod.is_ready() && a.ready.since != b.ready.since {
        return younger((&a.ready, &b.ready), Rule::ReadyTime, (a, b), instant);
    }
    let restarts = b.restarts.cmp(&a.restarts);
    if restarts.is_ne() {
        return (restarts, Rule::Restarts);
    }
    if a.created.since != b.created.since {
        return younger((&a.created, &b.created), Rule::CreationTime, (a, b), instant);
    }
    (Ordering::Equal, Rule::Tie)
}

/// Rules 6 and 8: the later time first, no time at all before any. With age buckets only the
/// logarithm of the age counts, and within a bucket the smaller UID goes first.
fn younger((x, y): (&Age, &Age), rule: Rule, (a, b): (&Ranked, &Ranked), instant: usize) -> (Ordering, Rule) {
    let (Some(x_since), Some(y_since)) = (x.since, y.since) else {
        return (x.since.is_some().cmp(&y.since.is_some()), rule);
    };
    match x.buckets.get(instant).zip(y.buckets.get(instant)) {
        None => (y_since.cmp(&x_since), rule),
        Some((x, y)) if x == y => (a.pod.meta.uid.cmp(&b.pod.meta.uid), Rule::Uid),
        Some((x, y)) => (x.cmp(y), rule),
    }
}

/// The age bucket: floor of log2 of the age in nanoseconds, -1 for an age of zero or less. In
/// floating point as the controller has it, which rounds up just below a power of two.
fn bucket(since: Timestamp, now: Timestamp) -> i32 {
    let age = now.duration_since(since).as_nanos();
    if age <= 0 {
        return -1;
    }
    let age = age as f64;
    let exponent = ((age.to_bits() >> 52) & 0x7ff) as i32 - 1022;
    let fraction = age / 2f64.powi(exponent);
    if fraction == 0.5 {
        return exponent - 1;
    }
    (fraction.ln() * (1.0 / std::f64::consts::LN_2) + f64::from(exponent)) as i32
}

/// The instants at which the order can differ: the earliest, the latest, and each one between
/// at which a pod's age crosses into another bucket.
fn instants(pods: &[Arc<Pod>], earliest: Timestamp, latest: Timestamp, profile: &Profile) -> Vec<Timestamp> {
    let mut instants = BTreeSet::from([earliest]);
    if latest > earliest && profile.age_buckets {
        instants.insert(latest);
        let times: BTreeSet<Timestamp> =
            pods.iter().flat_map(|pod| [pod.ready_since(), pod.meta.created]).flatten().collect();
        for since in times {
            let reached = bucket(since, earliest).max(0) + 1;
            let crossings = (reached..63).map(|k| later(since, jiff::SignedDuration::from_nanos(1 << k)));
            instants.extend(crossings.skip_while(|t| *t <= earliest).take_while(|t| *t < latest));
        }
    }
    instants.into_iter().collect()
}

/// A choice under way. `pods` are sorted by rules 1 to 5.
struct Choosing<'a> {
    pods: Vec<Ranked>,
    count: usize,
    /// How many instants are compared at.
    instants: usize,
    profile: &'a Profile,
}

impl Choosing<'_> {
    fn choose(self) -> Choice {
        let (groups, open) = self.groups();
        let cut: usize = groups.certain.len();
        let kept = groups.certain.len() + groups.possible.len();
        let costs = Costs::new(&self.pods, self.count);
        let candidate = |index: usize, (rule, against): (Rule, Option<usize>), goes: bool, stays: bool| {
            let Ranked { pod, rank, .. } = &self.pods[index];
            Candidate {
                pod: pod.clone(),
                rank: *rank,
                rule,
                against: against.map(|i| self.pods[i].pod.clone()),
                cost_to_save: if stays || !self.profile.deletion_cost { None } else { costs.to_save(index) },
                cost_to_doom: if goes || !self.profile.deletion_cost { None } else { costs.to_doom(index) },
            }
        };
        let order: Vec<usize> =
            groups.certain.iter().chain(&groups.possible).chain(&groups.safe).copied().collect();
        // The pod next to the limit is the one that tells why.
        let told = |index: usize, against: usize| (self.rule(index, against), Some(against));
        let certain = groups.certain.iter().map(|i| candidate(*i, told(*i, order[cut]), true, false));
        let possible =
            groups.possible.iter().map(|i| candidate(*i, self.open_rule(*i, &groups), false, false));
        let last = order[kept.max(1) - 1];
        let safe = groups.safe.iter().map(|i| candidate(*i, told(*i, last), false, true));
        Choice {
            certain: by_name(certain.collect()),
            possible: by_name(possible.collect()),
            safe: by_name(safe.collect()),
            open,
        }
    }

    /// Sorts out which pods go, which may, which stay.
    fn groups(&self) -> (Groups, Open) {
        let mut groups = Groups::default();
        let mut open = Open::Nothing;
        let mut left = self.count;
        let mut from = 0;
        while from < self.pods.len() {
            let alike = |i: &usize| first_rules(&self.pods[from], &self.pods[*i]).0.is_eq();
            let to = from + (from..self.pods.len()).take_while(alike).count();
            if to - from <= left {
                groups.certain.extend(from..to);
                left -= to - from;
            } else if left == 0 {
                groups.safe.extend(from..to);
            } else {
                open = self.split(from..to, &mut left, &mut groups);
            }
            from = to;
        }
        (groups, open)
    }

    /// Sorts out the pods that rules 1 to 5 do not tell apart and that the limit cuts.
    fn split(&self, alike: std::ops::Range<usize>, left: &mut usize, groups: &mut Groups) -> Open {
        let mut open = Open::Nothing;
        for members in self.strict_groups(alike) {
            if members.len() <= *left {
                *left -= members.len();
                groups.certain.extend(members);
            } else if *left == 0 {
                groups.safe.extend(members);
            } else {
                *left = 0;
                let tied = members.iter().all(|i| self.rule(members[0], *i) == Rule::Tie);
                open = if tied { Open::Tie } else { Open::Intransitive };
                groups.possible.extend(members);
            }
        }
        open
    }

    /// Groups in the order in which any sort leaves them: each pod of a group goes before each
    /// pod of a later group, at every instant.
    fn strict_groups(&self, alike: std::ops::Range<usize>) -> Vec<Vec<usize>> {
        let mut pods: Vec<usize> = alike.collect();
        if self.instants > 1 {
            return self.groups_by_pairs(&pods);
        }
        if !self.profile.age_buckets {
            pods.sort_by(|a, b| compare(&self.pods[*a], &self.pods[*b], 0).0);
            return pods.chunk_by(|a, b| self.rule(*a, *b) == Rule::Tie).map(<[usize]>::to_vec).collect();
        }
        let uid = |pod: usize| self.pods[pod].pod.meta.uid.as_str();
        pods.sort_by(|a, b| self.bucket(*a).cmp(&self.bucket(*b)).then_with(|| uid(*a).cmp(uid(*b))));
        pods.chunk_by(|a, b| self.bucket(*a) == self.bucket(*b))
            .flat_map(|bucket| self.groups_by_uid(bucket))
            .collect()
    }

    /// A new pod joins all groups between the first that it may precede and the last that may
    /// precede it, since then a cycle runs through them.
    fn groups_by_pairs(&self, pods: &[usize]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for pod in pods.iter().copied() {
            let first = groups.iter().position(|g| g.iter().any(|i| self.may_precede(pod, *i)));
            let last = groups.iter().rposition(|g| g.iter().any(|i| self.may_precede(*i, pod)));
            place(&mut groups, pod, first, last);
        }
        groups
    }

    /// The same for pods of one age bucket in the order of their UIDs. Pods of different times go
    /// by UID, so a pod can only go before earlier ones of its own time: few comparisons suffice.
    fn groups_by_uid(&self, pods: &[usize]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut of_time: BTreeMap<Option<Timestamp>, Vec<usize>> = BTreeMap::new();
        for pod in pods.iter().copied() {
            let peers = of_time.entry(self.time(pod)).or_default();
            let goes_before = |peer: &usize| self.may_precede(pod, *peer);
            let first = match peers.iter().any(goes_before) {
                true => groups.iter().position(|g| g.iter().any(goes_before)),
                false => None,
            };
            peers.push(pod);
            let last = groups.iter().rposition(|g| g.iter().any(|i| self.may_precede(*i, pod)));
            place(&mut groups, pod, first, last);
        }
        groups
    }

    /// What orders pods strictly before any UID is asked: the bucket of the ready time, or restarts
    /// and the bucket of the creation. No time at all comes first.
    fn bucket(&self, pod: usize) -> (std::cmp::Reverse<(i64, i64)>, Option<i32>) {
        let Ranked { pod, ready, created, restarts, .. } = &self.pods[pod];
        let bucket = |age: &Age| age.buckets.first().copied();
        match pod.is_ready() {
            true => (std::cmp::Reverse((0, 0)), bucket(ready)),
            false => (std::cmp::Reverse(*restarts), bucket(created)),
        }
    }

    /// The time by which pods of one bucket are told apart.
    fn time(&self, pod: usize) -> Option<Timestamp> {
        let Ranked { pod, ready, created, .. } = &self.pods[pod];
        if pod.is_ready() { ready.since } else { created.since }
    }

    fn may_precede(&self, a: usize, b: usize) -> bool {
        (0..self.instants).any(|instant| compare(&self.pods[a], &self.pods[b], instant).0.is_le())
    }

    fn rule(&self, a: usize, b: usize) -> Rule {
        compare(&self.pods[a], &self.pods[b], 0).1
    }

    /// Why a possible pod is open: what tells it least from others of its group. A few of them
    /// show that; comparing each with each would take minutes for thousands of pods.
    fn open_rule(&self, index: usize, groups: &Groups) -> (Rule, Option<usize>) {
        let others = groups.possible.iter().copied().filter(|i| *i != index).take(50);
        let rules = others.map(|i| (self.rule(index, i), Some(i)));
        rules.max_by_key(|(rule, _)| *rule).unwrap_or((Rule::Tie, None))
    }
}

/// Puts a pod among groups: see [`Choosing::groups_by_pairs`].
fn place(groups: &mut Vec<Vec<usize>>, pod: usize, first: Option<usize>, last: Option<usize>) {
    match (first, last) {
        (Some(first), Some(last)) if first <= last => {
            let mut merged: Vec<usize> = groups.drain(first..=last).flatten().collect();
            merged.push(pod);
            groups.insert(first, merged);
        }
        (first, _) => groups.insert(first.unwrap_or(groups.len()), vec![pod]),
    }
}

/// Indices of pods by their fate.
#[derive(Debug, Default)]
struct Groups {
    certain: Vec<usize>,
    possible: Vec<usize>,
    safe: Vec<usize>,
}

/// Which deletion cost changes a pod's fate. Costs count among pods that rules 1 to 3 leave equal.
struct Costs<'a> {
    pods: &'a [Ranked],
    count: usize,
}

impl<'a> Costs<'a> {
    fn new(pods: &'a [Ranked], count: usize) -> Self {
        Costs { pods, count }
    }

    /// The cost of the pod that takes the last place of the limit if this one has none, and
    /// whether such a pod exists among its equals.
    fn last_taken(&self, index: usize) -> Option<i32> {
        let equals = |i: &usize| before_cost(&self.pods[index], &self.pods[*i]).0.is_eq();
        let start = (0..self.pods.len()).find(equals)?;
        let places = self.count.checked_sub(start + 1)?;
        // Sorted by cost within equals, so the place is a position.
        (start..self.pods.len())
            .take_while(equals)
            .filter(|i| *i != index)
            .nth(places)
            .map(|i| self.pods[i].cost)
    }

    fn to_save(&self, index: usize) -> Option<i32> {
        self.last_taken(index)?.checked_add(1)
    }

    fn to_doom(&self, index: usize) -> Option<i32> {
        self.last_taken(index)?.checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::profile::Version;
    use crate::objects::pod::{DELETION_COST, Ready};
    use jiff::SignedDuration;

    const NOW: i64 = 1_700_000_000;

    fn at(age: i64) -> Timestamp {
        Timestamp::from_second(NOW - age).unwrap()
    }

    /// A running pod, ready and created `age` seconds ago.
    fn pod(name: &str, age: i64) -> Pod {
        let mut pod = Pod { node: "node-1".into(), phase: Phase::Running, ..Pod::default() };
        pod.meta.name = name.into();
        pod.meta.uid = name.into();
        pod.meta.created = Some(at(age));
        pod.ready = Some(Ready { is_true: true, since: Some(at(age)) });
        pod
    }

    fn pick(pods: Vec<Pod>, count: usize, version: &str) -> Choice {
        let pods: Vec<_> = pods.into_iter().map(Arc::new).collect();
        let profile = Profile::of(Version::parse(version).unwrap());
        choose(&pods, &BTreeMap::new(), count, (at(0), at(0)), &profile)
    }

    fn names(candidates: &[Candidate]) -> Vec<(&str, Rule)> {
        candidates.iter().map(|c| (c.pod.meta.name.as_str(), c.rule)).collect()
    }

    #[test]
    fn all_pods_go_without_a_comparison() {
        let choice = pick(vec![pod("a", 1), pod("b", 1)], 2, "1.37");
        assert_eq!(names(&choice.certain), [("a", Rule::All), ("b", Rule::All)]);
    }

    #[test]
    fn equal_pods_are_a_tie() {
        let choice = pick(vec![pod("a", 1), pod("b", 1), pod("c", 100)], 1, "1.37");
        assert_eq!(names(&choice.possible), [("a", Rule::Tie), ("b", Rule::Tie)]);
        assert_eq!(names(&choice.safe), [("c", Rule::ReadyTime)]);
        assert_eq!(choice.open, Open::Tie);
    }

    #[test]
    fn within_an_age_bucket_the_smaller_uid_goes_from_1_22_and_the_younger_before() {
        let pods = || vec![pod("a", 100), pod("b", 90)];
        assert_eq!(names(&pick(pods(), 1, "1.22").certain), [("a", Rule::Uid)]);
        assert_eq!(names(&pick(pods(), 1, "1.21").certain), [("b", Rule::ReadyTime)]);
    }

    #[test]
    fn cycle_of_uid_and_restarts_is_open() {
        // a and c are ready equally long: restarts say c first. b lies between by UID: a, b, c.
        let mut c = pod("c", 100);
        c.restarts = 5;
        let choice = pick(vec![pod("a", 100), pod("b", 90), c], 1, "1.37");
        assert_eq!(choice.possible.len(), 3);
        assert_eq!(choice.open, Open::Intransitive);
    }

    #[test]
    fn bucket_that_moves_within_the_interval_leaves_the_choice_open() {
        let boundary = SignedDuration::from_nanos(1 << 37);
        let young = at(0) - boundary + SignedDuration::from_secs(2);
        let mut a = pod("a", 200);
        let mut b = pod("b", 0);
        a.meta.uid = "1".into();
        b.meta.uid = "2".into();
        b.ready = Some(Ready { is_true: true, since: Some(young) });
        let pods: Vec<_> = [a, b].into_iter().map(Arc::new).collect();
        let profile = Profile::of(Version::LATEST);
        let choose = |seconds| {
            let until = at(0) + SignedDuration::from_secs(seconds);
            choose(&pods, &BTreeMap::new(), 1, (at(0), until), &profile)
        };
        assert_eq!(names(&choose(1).certain), [("b", Rule::ReadyTime)]);
        assert_eq!(choose(3).possible.len(), 2);
    }

    #[test]
    fn deletion_cost_that_saves_or_dooms_is_told() {
        let costly = |name: &str, cost: &str| {
            let mut pod = pod(name, 100);
            pod.meta.annotations = [(DELETION_COST, cost)].into_iter().collect();
            pod
        };
        let choice = pick(vec![costly("a", "1"), costly("b", "5"), costly("c", "9")], 1, "1.37");
        assert_eq!(choice.certain[0].cost_to_save, Some(6));
        assert_eq!(choice.safe[0].cost_to_doom, Some(0));
        let mut unready = pod("x", 100);
        unready.ready = None;
        let choice = pick(vec![unready, costly("a", "1")], 1, "1.37");
        assert_eq!(choice.certain[0].cost_to_save, None, "readiness is asked before the cost");
    }

    #[test]
    fn age_bucket_is_the_floor_of_the_logarithm_in_nanoseconds() {
        let now = at(0);
        assert_eq!(bucket(now, now), -1);
        for (nanos, expected) in [(1, 0), (2, 1), (3, 1), (4, 2), (1 << 40, 40), ((1 << 40) - 1, 39)] {
            assert_eq!(bucket(now - SignedDuration::from_nanos(nanos), now), expected, "{nanos}");
        }
    }
}
