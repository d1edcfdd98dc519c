//! The stored status, and the Deployment that decides the size.

use jiff::{SignedDuration, Timestamp};

use super::version_dependent;
use crate::model::plan::Plan;
use crate::model::status;
use crate::objects::{Key, ReplicaSet, Status, instant};
use crate::reasons::Tier;
use crate::reconstruct::detail::{DeploymentDetail, StatusCounts, StatusDetail, VersionDifference};
use crate::reconstruct::{Reason, Reconstruction};

/// What the Deployment wanted when it last set the size.
const DESIRED_REPLICAS: &str = "deployment.kubernetes.io/desired-replicas";

impl Reconstruction {
    pub(super) fn about_status(&self, object: &ReplicaSet, plan: &Plan, now: Timestamp) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let stored = &object.status;
        let generation = object.meta.generation;
        if stored.observed_generation == 0 {
            reasons.push(Reason::new(Tier::Observed, StatusDetail::NeverWritten));
        } else if stored.observed_generation < generation {
            let observed = stored.observed_generation;
            let old = StatusDetail::OfOldGeneration { observed, generation };
            reasons.push(Reason::new(Tier::Observed, old));
        } else if let Some(computed) =
            plan.status.as_ref().filter(|s| (s.replicas, s.ready) != (stored.replicas, stored.ready))
        {
            let differs = StatusDetail::Differs { stored: counts(stored), computed: counts(computed) };
            reasons.push(Reason::new(Tier::Inferred, differs));
        }
        reasons.extend(self.available_later(object, plan, now));
        reasons
    }

    /// `by_deployment`: the size asked about is the Deployment's own new one.
    pub(super) fn about_deployment(
        &self,
        object: &ReplicaSet,
        plan: &Plan,
        by_deployment: bool,
    ) -> Vec<Reason> {
        let namespace = object.meta.namespace.as_str();
        let Some(owner) = object.meta.controller() else {
            let adopters = self
                .view
                .deployments
                .values()
                .filter(|d| d.meta.namespace == namespace && d.selector.matches(&object.meta.labels));
            return adopters
                .map(|d| DeploymentDetail::Adopts { deployment: d.meta.name.clone() })
                .map(|adopts| Reason::new(Tier::Inferred, adopts))
                .collect();
        };
        let Some(deployment) = self.view.deployments.get(&Key::new(namespace, owner.name.as_str())) else {
            return Vec::new();
        };
        if deployment.meta.uid != owner.uid {
            return Vec::new();
        }
        let siblings = self
            .view
            .cache
            .replica_sets_in(object.kind, namespace)
            .filter(|rs| rs.meta.controller().is_some_and(|c| c.uid == owner.uid) && rs.replicas > 0)
            .count();
        let name = &deployment.meta.name;
        let set_by_deployment =
            object.meta.annotations.get(DESIRED_REPLICAS).and_then(|text| text.parse::<i32>().ok());
        let seen = match set_by_deployment {
            Some(desired) => desired == deployment.replicas,
            None => deployment.observed_generation == deployment.meta.generation,
        };
        // A Deployment that was scaled itself has only not passed it on yet.
        if !by_deployment
            && siblings <= 1
            && seen
            && object.replicas != deployment.replicas
            && object.replicas > 0
        {
            let by_hand = DeploymentDetail::ScaledByHand {
                deployment: name.clone(),
                replicas: object.replicas,
                wants: deployment.replicas,
                creates: plan.diff.is_some_and(|diff| diff < 0),
            };
            return vec![Reason::new(Tier::Inferred, by_hand), decides(name)];
        }
        if siblings > 1 || plan.is_due() {
            return vec![decides(name)];
        }
        Vec::new()
    }

    fn available_later(&self, object: &ReplicaSet, plan: &Plan, now: Timestamp) -> Vec<Reason> {
        let active = plan.active.as_deref().filter(|_| object.min_ready_seconds > 0).unwrap_or_default();
        let mut later: Vec<(SignedDuration, &str)> = active
            .iter()
            .filter_map(|pod| {
                Some((status::until_available(pod, object.min_ready_seconds, now)?, pod.meta.name.as_str()))
            })
            .filter(|(left, _)| *left > SignedDuration::ZERO)
            .collect();
        later.sort();
        let Some((first, _)) = later.first() else { return Vec::new() };
        let exact = instant::later(now, *first);
        let pending = StatusDetail::AvailabilityPending {
            min_ready_seconds: object.min_ready_seconds,
            pods: later.iter().map(|(left, pod)| ((*pod).to_owned(), instant::later(now, *left))).collect(),
            next_look: self.profile.exact_availability.then_some(exact),
        };
        let mut reasons = vec![Reason::new(Tier::Inferred, pending)];
        if !self.profile.exact_availability {
            reasons.push(version_dependent(VersionDifference::ExactAvailability { at: exact }));
        }
        reasons
    }
}

fn decides(name: &str) -> Reason {
    Reason::new(Tier::Observed, DeploymentDetail::Decides { deployment: name.to_owned() })
}

fn counts(status: &Status) -> StatusCounts {
    StatusCounts { replicas: status.replicas, ready: status.ready, available: status.available }
}
