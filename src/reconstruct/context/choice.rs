//! The pods that a scale-down chooses.

use jiff::Timestamp;

use super::version_dependent;
use crate::model::plan::Plan;
use crate::model::profile::{Profile, Version};
use crate::model::scale_down::{self, Ambiguity, Choice, Interval, Rule};
use crate::model::sync::Action;
use crate::objects::ReplicaSet;
use crate::reasons::Tier;
use crate::reconstruct::detail::{PlanDetail, VersionDifference};
use crate::reconstruct::{Reason, Reconstruction};

impl Reconstruction {
    pub(super) fn about_choice(&self, object: &ReplicaSet, plan: &Plan, now: Timestamp) -> Vec<Reason> {
        let Some(choice) = &plan.choice else { return Vec::new() };
        let mut reasons = Vec::new();
        let rules = || choice.certain.iter().chain(&choice.possible).map(|c| c.rule);
        if rules().any(|rule| rule == Rule::Rank) {
            reasons.push(Reason::new(Tier::Inferred, PlanDetail::RanksFixed));
        }
        if rules().any(|rule| rule == Rule::Uid) {
            reasons.push(Reason::new(Tier::Inferred, PlanDetail::AgeBucketTie));
        }
        if choice.ambiguity != Ambiguity::None {
            let open = match plan.action {
                Some(Action::Delete(count)) => count - choice.certain.len(),
                _ => 0,
            };
            let among = choice.possible.len();
            let undetermined =
                PlanDetail::VictimsUndetermined { open, among, tied: choice.ambiguity == Ambiguity::Tie };
            reasons.push(Reason::new(Tier::Inferred, undetermined));
            reasons.extend(self.bucket_moving(object, plan, now));
        }
        if object.template.spreads {
            reasons.push(Reason::new(Tier::Inferred, PlanDetail::TopologyNotConsulted));
        }
        reasons.extend(self.other_choice(object, plan, choice, now));
        reasons
    }

    /// Only the time that may pass before the sync makes the choice open.
    fn bucket_moving(&self, object: &ReplicaSet, plan: &Plan, now: Timestamp) -> Option<Reason> {
        let Some(Action::Delete(count)) = plan.action.filter(|_| self.profile.age_buckets) else {
            return None;
        };
        let active = plan.active.as_deref()?;
        let per_node = scale_down::related_per_node(&self.view.cache, object, &self.profile);
        let chosen = scale_down::choose(active, &per_node, count, Interval::exactly(now), &self.profile);
        (chosen.ambiguity == Ambiguity::None)
            .then(|| Reason::new(Tier::Inferred, PlanDetail::BucketMoving { victims: certain(&chosen) }))
    }

    /// Versions before 1.22 compare ages exactly and know no deletion cost.
    fn other_choice(
        &self,
        object: &ReplicaSet,
        plan: &Plan,
        choice: &Choice,
        now: Timestamp,
    ) -> Option<Reason> {
        let minor = if self.profile.age_buckets { 21 } else { 22 };
        let other = Profile::of(Version { minor, patch: None });
        let active = plan.active.as_deref()?;
        let Some(Action::Delete(count)) = plan.action else { return None };
        let per_node = scale_down::related_per_node(&self.view.cache, object, &other);
        let chosen = scale_down::choose(active, &per_node, count, Interval::exactly(now), &other);
        // Names beyond those that a sentence has room for make no difference.
        let named = |choice: &Choice| {
            (certain(choice).len(), certain(choice).into_iter().take(3).collect::<Vec<_>>())
        };
        let differs = named(&chosen) != named(choice)
            && choice.ambiguity == Ambiguity::None
            && chosen.ambiguity == Ambiguity::None;
        differs.then(|| {
            version_dependent(match self.profile.age_buckets {
                true => VersionDifference::ChoiceUpTo1_21(certain(&chosen)),
                false => VersionDifference::ChoiceFrom1_22(certain(&chosen)),
            })
        })
    }
}

/// The names of the pods that go.
fn certain(choice: &Choice) -> Vec<String> {
    choice.certain.iter().map(|candidate| candidate.pod.meta.name.clone()).collect()
}
