//! Certain and possible victims: what every run of the controller's sort has in common.
//!
//! The sort is unstable and its input comes in random order, so exact ties are open. Rules 6 to 8 are not even transitive:
//! within an age bucket different times go by UID, but pods of equal times go by restarts, so three pods can form a cycle.
//! Therefore pods are put into *groups* that any sort leaves in order: each pod of a group goes before each pod of a later
//! group, at every instant. Within a group every order is possible, and the group that the limit cuts holds the possible
//! victims.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use jiff::Timestamp;

use super::Ambiguity;
use super::age::Age;
use super::rules::{Ranked, Rule, compare, first_rules};

/// How many other pods of a group a possible victim is compared with: see [`SortedPods::open_rule`].
const COMPARED: usize = 50;

/// Pods in the order of rules 1 to 5, which no instant changes.
pub(super) struct SortedPods<'a> {
    pub(super) pods: &'a [Ranked],
    /// At how many instants pods are compared.
    pub(super) instants: usize,
    pub(super) age_buckets: bool,
}

/// What becomes of which pod, by index.
#[derive(Debug)]
pub(super) struct Fates {
    pub(super) certain: Vec<usize>,
    pub(super) possible: Vec<usize>,
    pub(super) safe: Vec<usize>,
    pub(super) ambiguity: Ambiguity,
    /// How many pods of later groups go.
    left: usize,
}

impl Fates {
    /// Takes the next group of the order: all of it goes, none of it, or the limit cuts it.
    fn take(&mut self, group: &[usize], tied: impl FnOnce() -> bool) {
        if group.len() <= self.left {
            self.left -= group.len();
            self.certain.extend(group);
        } else if self.left == 0 {
            self.safe.extend(group);
        } else {
            self.left = 0;
            self.ambiguity = if tied() { Ambiguity::Tie } else { Ambiguity::Intransitive };
            self.possible.extend(group);
        }
    }
}

impl SortedPods<'_> {
    /// What becomes of each pod if the first `count` go.
    pub(super) fn fates(&self, count: usize) -> Fates {
        let mut fates = Fates {
            certain: Vec::new(),
            possible: Vec::new(),
            safe: Vec::new(),
            ambiguity: Ambiguity::None,
            left: count,
        };
        let mut from = 0;
        while from < self.pods.len() {
            let equal = |i: &usize| first_rules(&self.pods[from], &self.pods[*i]).0.is_eq();
            let to = from + (from..self.pods.len()).take_while(equal).count();
            if to - from <= fates.left || fates.left == 0 {
                let whole: Vec<usize> = (from..to).collect();
                fates.take(&whole, || false);
            } else {
                // Only the pods around the limit need the costly comparison.
                for group in self.strict_groups(from..to) {
                    fates.take(&group, || group.iter().all(|i| self.rule(group[0], *i) == Rule::Tie));
                }
            }
            from = to;
        }
        fates
    }

    /// The groups of pods that rules 1 to 5 leave equal.
    fn strict_groups(&self, equal: Range<usize>) -> Vec<Vec<usize>> {
        let mut pods: Vec<usize> = equal.collect();
        if self.instants > 1 {
            return self.groups_by_pairs(&pods);
        }
        if !self.age_buckets {
            // Exact times are transitive, so that only ties form groups.
            pods.sort_by(|a, b| compare(&self.pods[*a], &self.pods[*b], 0).0);
            return pods.chunk_by(|a, b| self.rule(*a, *b) == Rule::Tie).map(<[usize]>::to_vec).collect();
        }
        let uid = |pod: usize| self.pods[pod].pod.meta.uid.as_str();
        pods.sort_by(|a, b| self.bucket(*a).cmp(&self.bucket(*b)).then_with(|| uid(*a).cmp(uid(*b))));
        pods.chunk_by(|a, b| self.bucket(*a) == self.bucket(*b))
            .flat_map(|bucket| self.groups_by_uid(bucket))
            .collect()
    }

    /// Compares each pod with each. A new pod joins all groups between the first that it may precede and the last that may
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

    /// The same for pods of one age bucket, given in the order of their UIDs. Pods of different times go by UID, so a pod
    /// can only go before an earlier one of its own time: comparing with those is enough to find `first`.
    fn groups_by_uid(&self, pods: &[usize]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut of_time: BTreeMap<Option<Timestamp>, Vec<usize>> = BTreeMap::new();
        for pod in pods.iter().copied() {
            let peers = of_time.entry(self.time(pod)).or_default();
            let goes_before = |peer: &usize| self.may_precede(pod, *peer);
            let first = if peers.iter().any(goes_before) {
                groups.iter().position(|g| g.iter().any(goes_before))
            } else {
                None
            };
            peers.push(pod);
            let last = groups.iter().rposition(|g| g.iter().any(|i| self.may_precede(*i, pod)));
            place(&mut groups, pod, first, last);
        }
        groups
    }

    /// What orders pods strictly before any UID is compared: the bucket of the ready time, or restarts and then the bucket
    /// of the creation. A missing time comes first.
    fn bucket(&self, pod: usize) -> (Reverse<(i64, i64)>, Option<i32>) {
        let Ranked { pod, ready, created, restarts, .. } = &self.pods[pod];
        let bucket = |age: &Age| age.buckets.first().copied();
        if pod.is_ready() { (Reverse((0, 0)), bucket(ready)) } else { (Reverse(*restarts), bucket(created)) }
    }

    /// The time by which pods of one bucket differ.
    fn time(&self, pod: usize) -> Option<Timestamp> {
        let Ranked { pod, ready, created, .. } = &self.pods[pod];
        if pod.is_ready() { ready.since } else { created.since }
    }

    fn may_precede(&self, a: usize, b: usize) -> bool {
        (0..self.instants).any(|instant| compare(&self.pods[a], &self.pods[b], instant).0.is_le())
    }

    /// The rule that decides between two pods at the first instant.
    pub(super) fn rule(&self, a: usize, b: usize) -> Rule {
        compare(&self.pods[a], &self.pods[b], 0).1
    }

    /// Why a possible victim is not a certain one: the last rule that it takes to tell it from another pod of its group. A
    /// few of them show that; comparing each with each would take minutes for thousands of pods.
    pub(super) fn open_rule(&self, index: usize, group: &[usize]) -> (Rule, Option<usize>) {
        let others = group.iter().copied().filter(|i| *i != index).take(COMPARED);
        let rules = others.map(|i| (self.rule(index, i), Some(i)));
        rules.max_by_key(|(rule, _)| *rule).unwrap_or((Rule::Tie, None))
    }
}

/// Puts a pod among groups: see [`SortedPods::groups_by_pairs`].
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
