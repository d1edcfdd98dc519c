//! What else holds: facts around a verdict that an operator would ask about next.

mod choice;
mod claims;
mod evidence;
mod pods;
mod refusals;
mod status;

use std::sync::Arc;

use jiff::Timestamp;

use super::answer::Subject;
use super::detail::{PlanDetail, VersionDifference};
use super::refused::StandingRefusal;
use super::{Reason, Reconstruction};
use crate::model::plan::Plan;
use crate::model::sync::Action;
use crate::objects::Pod;
use crate::reasons::Tier;

impl Reconstruction {
    /// Every reason beside the one that decided.
    pub(super) fn context(
        &self,
        subject: &Subject,
        refused: Option<&StandingRefusal>,
        now: Timestamp,
    ) -> Vec<Reason> {
        let Subject { object, plan, what_if, by_deployment, .. } = subject;
        let mut reasons = self.about_refusal(subject, refused);
        reasons.extend(self.about_evidence(object));
        reasons.extend(self.about_claims(object, plan));
        // The stored status says nothing about a size that is only asked about.
        if !what_if {
            reasons.extend(self.about_status(object, plan, now));
        }
        reasons.extend(self.about_choice(object, plan, now));
        reasons.extend(self.about_deployment(object, plan, *by_deployment));
        reasons.extend(self.about_pods(object, now));
        reasons.extend(about_size(plan));
        reasons
    }
}

fn about_size(plan: &Plan) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if plan.capped {
        let all = plan.diff.unwrap_or(0).unsigned_abs();
        reasons.push(Reason::new(Tier::Inferred, PlanDetail::BurstCapped { due: all }));
    }
    if let (Some(Action::Create(count)), true) = (plan.action, plan.batches.len() > 1) {
        let slow_start = PlanDetail::SlowStart { count, batches: plan.batches.clone() };
        reasons.push(Reason::new(Tier::Inferred, slow_start));
    }
    if plan.api_calls > 60 {
        reasons.push(Reason::new(Tier::Assumed, PlanDetail::ClientRate));
    }
    reasons
}

fn version_dependent(difference: VersionDifference) -> Reason {
    Reason::new(Tier::Inferred, PlanDetail::VersionDependent(difference))
}

fn names(pods: &[Arc<Pod>]) -> Vec<String> {
    pods.iter().map(|pod| pod.meta.name.clone()).collect()
}
