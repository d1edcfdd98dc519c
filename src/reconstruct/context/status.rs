//! The stored status, and the Deployment that decides the size.

use jiff::{SignedDuration, Timestamp};

use super::{named, version_dependent};
use crate::model::plan::Plan;
use crate::model::status;
use crate::objects::{Key, ReplicaSet, instant};
use crate::reasons::Code;
use crate::reasons::Tier;
use crate::reconstruct::gate::at;
use crate::reconstruct::{Reason, Reconstruction};

/// What the Deployment wanted when it last set the size.
const DESIRED_REPLICAS: &str = "deployment.kubernetes.io/desired-replicas";

impl Reconstruction {
    pub(super) fn about_status(&self, object: &ReplicaSet, plan: &Plan, now: Timestamp) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let stored = &object.status;
        let generation = object.meta.generation;
        if stored.observed_generation == 0 {
            let text = "its status has not been written yet: no sync of it has ended".into();
            reasons.push(Reason::new(Code::StatusBehind, Tier::Observed, text));
        } else if stored.observed_generation < generation {
            let text = format!(
                "the status is of generation {} and the spec of {generation}: no sync has ended since the spec changed",
                stored.observed_generation
            );
            reasons.push(Reason::new(Code::StatusBehind, Tier::Observed, text));
        } else if let Some(computed) =
            plan.status.as_ref().filter(|s| (s.replicas, s.ready) != (stored.replicas, stored.ready))
        {
            let text = format!(
                "the stored status says replicas {}, ready {}, available {}; a sync would write {}, {} and {}",
                stored.replicas,
                stored.ready,
                stored.available,
                computed.replicas,
                computed.ready,
                computed.available
            );
            reasons.push(Reason::new(Code::StatusBehind, Tier::Inferred, text));
        }
        reasons.extend(self.available_later(object, plan, now));
        reasons
    }

    pub(super) fn about_deployment(&self, object: &ReplicaSet, plan: &Plan) -> Vec<Reason> {
        let namespace = object.meta.namespace.as_str();
        let Some(owner) = object.meta.controller() else {
            let adopters = self
                .view
                .deployments
                .values()
                .filter(|d| d.meta.namespace == namespace && d.selector.matches(&object.meta.labels));
            return adopters
                .map(|d| Reason::new(Code::AdoptableByDeployment, Tier::Inferred, format!("it has no controller and matches the selector of Deployment {}, which will adopt it and count its pods as its own", d.meta.name)))
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
        if siblings <= 1 && seen && object.replicas != deployment.replicas && object.replicas > 0 {
            let wants = deployment.replicas;
            let back = if plan.diff.is_some_and(|diff| diff < 0) {
                "; what is created now is deleted again"
            } else {
                ""
            };
            let text = format!(
                "its size is {} while Deployment {name} wants {wants} and no rollout is under way: the Deployment sets it back{back}",
                object.replicas
            );
            return vec![Reason::new(Code::ScaledByHand, Tier::Inferred, text), decides(name)];
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
        let exact = at(instant::later(now, *first));
        let list: Vec<String> = later
            .iter()
            .map(|(left, name)| format!("{name} at {}", at(instant::later(now, *left))))
            .collect();
        let list = named(list.iter().map(String::as_str));
        let min_ready = object.min_ready_seconds;
        let check = if self.profile.exact_availability {
            format!("the controller looks again at {exact}")
        } else {
            format!(
                "the controller looks again only {min_ready} s after its last look, so they may be counted late"
            )
        };
        let text = format!("minReadySeconds {min_ready}: available later: {list}; {check}");
        let mut reasons = vec![Reason::new(Code::AvailabilityPending, Tier::Inferred, text)];
        if !self.profile.exact_availability {
            let text = format!("from 1.34 the controller looks again at {exact}, at the exact time");
            reasons.push(version_dependent(&text));
        }
        reasons
    }
}

fn decides(name: &str) -> Reason {
    Reason::new(
        Code::DeploymentDecides,
        Tier::Observed,
        format!("Deployment {name} decides its size; scale the Deployment, not the ReplicaSet"),
    )
}
