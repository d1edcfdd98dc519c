//! Pods that are there but not counted, or counted but lost.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::{named, pods};
use crate::model::claim::{self, Claim};
use crate::objects::{Pod, ReplicaSet};
use crate::reasons::Code;
use crate::reasons::Tier;
use crate::reconstruct::gate::{at, words};
use crate::reconstruct::{Reason, Reconstruction};

impl Reconstruction {
    pub(super) fn about_pods(&self, object: &ReplicaSet, now: Timestamp) -> Vec<Reason> {
        let owned = self.owned(object);
        let mut reasons = Vec::new();
        let own = |pod: &&Arc<Pod>| claim::claim(object, pod) == Claim::Keep;
        let terminating: Vec<&Arc<Pod>> =
            owned.iter().filter(|pod| pod.is_terminating()).filter(own).collect();
        if !terminating.is_empty() {
            let list = named(
                terminating
                    .iter()
                    .map(|pod| terminating_words(pod, now))
                    .collect::<Vec<_>>()
                    .iter()
                    .map(String::as_str),
            );
            let text = format!(
                "{} terminating, counted no more since the deletion was asked for: {list}",
                pods(terminating.len())
            );
            reasons.push(Reason::new(Code::TerminatingNotCounted, Tier::Observed, text));
        }
        let finished: Vec<&Arc<Pod>> =
            owned.iter().filter(|pod| pod.phase.is_finished()).filter(own).collect();
        if !finished.is_empty() {
            reasons.push(Reason::new(Code::FinishedNotCounted, Tier::Observed, finished_words(&finished)));
        }
        reasons.extend(self.lost_nodes(&owned, now));
        reasons
    }

    fn lost_nodes(&self, owned: &[Arc<Pod>], now: Timestamp) -> Vec<Reason> {
        let mut lost: BTreeMap<&str, usize> = BTreeMap::new();
        for pod in owned.iter().filter(|pod| !pod.phase.is_finished()) {
            if self.view.nodes.get(&pod.node).is_some_and(|node| !node.ready) {
                *lost.entry(pod.node.as_str()).or_default() += 1;
            }
        }
        if lost.is_empty() {
            return Vec::new();
        }
        let list = named(
            lost.keys()
                .map(|name| {
                    let since = self.view.nodes[*name]
                        .since
                        .map(|since| format!(" for {}", words(now.duration_since(since))));
                    format!("{name} (not ready{})", since.unwrap_or_default())
                })
                .collect::<Vec<_>>()
                .iter()
                .map(String::as_str),
        );
        let count = lost.values().sum();
        let text = format!(
            "{} on {}: {list}; {} until somebody deletes {}, and a terminating one stays until its kubelet answers or its Node is removed",
            pods(count),
            if lost.len() == 1 { "a lost node" } else { "lost nodes" },
            if count == 1 { "it counts by its phase" } else { "they count by their phase" },
            if count == 1 { "it" } else { "them" },
        );
        let mut reasons = vec![Reason::new(Code::PodOnLostNode, Tier::Observed, text)];
        if self.view.nodes.values().all(|node| !node.ready) {
            let none = match self.view.nodes.len() {
                1 => "the only node seen is not ready".to_owned(),
                nodes => format!("none of the {nodes} nodes seen is ready"),
            };
            let text = format!("{none}: eviction from lost nodes is suspended then");
            reasons.push(Reason::new(Code::EvictionSuspended, Tier::Inferred, text));
        }
        reasons
    }
}

fn terminating_words(pod: &Pod, now: Timestamp) -> String {
    let name = &pod.meta.name;
    match pod.meta.deleted {
        Some(ends) if ends < now => format!("{name} (overdue by {})", words(now.duration_since(ends))),
        Some(ends) => format!("{name} (until {})", at(ends)),
        None => name.clone(),
    }
}

fn finished_words(finished: &[&Arc<Pod>]) -> String {
    let mut by_reason: BTreeMap<&str, usize> = BTreeMap::new();
    for pod in finished {
        let reason = if pod.reason.is_empty() { pod.phase.as_str() } else { pod.reason.as_str() };
        *by_reason.entry(reason).or_default() += 1;
    }
    let list: Vec<String> = by_reason.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    format!(
        "{} ended ({}): the ReplicaSet neither counts nor deletes them; each was replaced at once, without backoff",
        pods(finished.len()),
        list.join(", ")
    )
}
