//! Pods that are there but not counted, or counted but lost.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use crate::model::claim::{self, Claim};
use crate::objects::{Pod, ReplicaSet};
use crate::reasons::Tier;
use crate::reconstruct::detail::{Grace, StatusDetail};
use crate::reconstruct::{Reason, Reconstruction};

impl Reconstruction {
    pub(super) fn about_pods(&self, object: &ReplicaSet, now: Timestamp) -> Vec<Reason> {
        let owned = self.owned(object);
        let mut reasons = Vec::new();
        let own = |pod: &&Arc<Pod>| claim::claim(object, pod) == Claim::Keep;
        let terminating: Vec<&Arc<Pod>> =
            owned.iter().filter(|pod| pod.is_terminating()).filter(own).collect();
        if !terminating.is_empty() {
            let pods = terminating.iter().map(|pod| (pod.meta.name.clone(), grace(pod, now))).collect();
            reasons.push(Reason::new(Tier::Observed, StatusDetail::Terminating(pods)));
        }
        let finished: Vec<&Arc<Pod>> =
            owned.iter().filter(|pod| pod.phase.is_finished()).filter(own).collect();
        if !finished.is_empty() {
            let by_reason = by_reason(&finished);
            reasons.push(Reason::new(Tier::Observed, StatusDetail::Finished { by_reason }));
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
        let not_ready = |name: &str| {
            let since = self.view.nodes.get(name).and_then(|node| node.since);
            since.map(|since| now.duration_since(since))
        };
        let nodes = lost.keys().map(|name| ((*name).to_owned(), not_ready(name))).collect();
        let on_lost_nodes = StatusDetail::OnLostNodes { pods: lost.values().sum(), nodes };
        let mut reasons = vec![Reason::new(Tier::Observed, on_lost_nodes)];
        if self.view.nodes.values().all(|node| !node.ready) {
            let suspended = StatusDetail::EvictionSuspended { nodes: self.view.nodes.len() };
            reasons.push(Reason::new(Tier::Inferred, suspended));
        }
        reasons
    }
}

fn grace(pod: &Pod, now: Timestamp) -> Grace {
    match pod.meta.deleted {
        Some(end) if end < now => Grace::OverdueBy(now.duration_since(end)),
        Some(end) => Grace::Until(end),
        None => Grace::Unknown,
    }
}

fn by_reason(finished: &[&Arc<Pod>]) -> Vec<(String, usize)> {
    let mut by_reason: BTreeMap<&str, usize> = BTreeMap::new();
    for pod in finished {
        let reason = if pod.reason.is_empty() { pod.phase.as_str() } else { pod.reason.as_str() };
        *by_reason.entry(reason).or_default() += 1;
    }
    by_reason.into_iter().map(|(reason, count)| (reason.to_owned(), count)).collect()
}
