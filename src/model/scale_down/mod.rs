//! Scale-down: which pods are deleted, which rule decides, and how certain that is.
//!
//! The controller sorts the claimed active pods by eight rules and deletes the first. Node ranks came in 1.17, deletion
//! costs and age buckets in 1.22, sidecar restarts in 1.31. See docs/semantics.md section 6.

mod age;
mod costs;
mod groups;
mod rank;
mod rules;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::profile::Profile;
use crate::objects::Pod;
use costs::Costs;
use groups::SortedPods;
pub(crate) use rank::related_per_node;
use rules::Ranked;
pub(crate) use rules::Rule;

/// One pod of a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The pod.
    pub pod: Arc<Pod>,
    /// Active related pods on its node, itself included.
    pub(crate) rank: usize,
    /// The first rule on which it differs from `against`.
    pub rule: Rule,
    /// The pod on the other side of the limit that it was compared with, if any.
    pub(crate) against: Option<Arc<Pod>>,
    /// The lowest deletion cost with which the pod certainly stays; None if no cost saves it, or if it stays anyway.
    pub(crate) cost_to_save: Option<i32>,
    /// The highest deletion cost with which the pod certainly goes; None if no cost dooms it, or if it goes anyway.
    pub(crate) cost_to_doom: Option<i32>,
}

/// Why some pods are only possible victims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ambiguity {
    /// There are none.
    None,
    /// The pods are equal by every rule.
    Tie,
    /// Their order depends on the order of the sort's input, or on the exact instant.
    Intransitive,
}

/// The outcome of a choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// These are deleted.
    pub certain: Vec<Candidate>,
    /// Some of these are deleted.
    pub possible: Vec<Candidate>,
    /// These stay.
    pub safe: Vec<Candidate>,
    /// Why there are possible ones.
    pub ambiguity: Ambiguity,
}

/// When a sync makes its choice. Ages are compared in buckets, so the order of pods may change in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// Its begin.
    pub earliest: Timestamp,
    /// Its end, included.
    pub latest: Timestamp,
}

impl Interval {
    /// A single instant.
    pub fn exactly(now: Timestamp) -> Interval {
        Interval { earliest: now, latest: now }
    }
}

/// Chooses `count` of the active pods, for a sync at any instant of the interval.
pub fn choose(
    active: &[Arc<Pod>],
    per_node: &BTreeMap<String, usize>,
    count: usize,
    during: Interval,
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
        return Choice { certain, possible: Vec::new(), safe: Vec::new(), ambiguity: Ambiguity::None };
    }
    let instants = age::instants(active, during, profile);
    let mut pods: Vec<Ranked> =
        active.iter().map(|pod| Ranked::new(pod, rank(pod), &instants, profile)).collect();
    // The name only makes the output deterministic.
    pods.sort_by(|a, b| rules::first_rules(a, b).0.then_with(|| a.pod.meta.name.cmp(&b.pod.meta.name)));
    explain(
        &SortedPods { pods: &pods, instants: instants.len(), age_buckets: profile.age_buckets },
        count,
        profile,
    )
}

/// Says of each pod what happens to it and why.
fn explain(sorted: &SortedPods, count: usize, profile: &Profile) -> Choice {
    let fates = sorted.fates(count);
    let costs = Costs { pods: sorted.pods, count };
    let candidate = |index: usize, rule: Rule, against: Option<usize>| {
        let Ranked { pod, rank, .. } = &sorted.pods[index];
        Candidate {
            pod: pod.clone(),
            rank: *rank,
            rule,
            against: against.map(|i| sorted.pods[i].pod.clone()),
            cost_to_save: None,
            cost_to_doom: None,
        }
    };
    let to_save = |index: usize| if profile.deletion_cost { costs.to_save(index) } else { None };
    let to_doom = |index: usize| if profile.deletion_cost { costs.to_doom(index) } else { None };

    // A certain or safe pod is explained by the pod next to the limit: the nearest one of the other fate.
    let first_kept = fates.possible.first().or(fates.safe.first()).copied();
    let last_taken = fates.possible.last().or(fates.certain.last()).copied();
    let beside = |index: usize, other: Option<usize>| {
        let rule = other.map_or(Rule::Tie, |other| sorted.rule(index, other));
        candidate(index, rule, other)
    };
    let certain =
        fates.certain.iter().map(|i| Candidate { cost_to_save: to_save(*i), ..beside(*i, first_kept) });
    let possible = fates.possible.iter().map(|i| {
        let (rule, against) = sorted.open_rule(*i, &fates.possible);
        Candidate { cost_to_save: to_save(*i), cost_to_doom: to_doom(*i), ..candidate(*i, rule, against) }
    });
    let safe = fates.safe.iter().map(|i| Candidate { cost_to_doom: to_doom(*i), ..beside(*i, last_taken) });
    Choice {
        certain: by_name(certain.collect()),
        possible: by_name(possible.collect()),
        safe: by_name(safe.collect()),
        ambiguity: fates.ambiguity,
    }
}

fn by_name(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|a, b| a.pod.meta.name.cmp(&b.pod.meta.name));
    candidates
}
