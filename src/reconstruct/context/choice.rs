//! The pods that a scale-down chooses.

use jiff::Timestamp;

use super::{named, pods, version_dependent};
use crate::model::plan::Plan;
use crate::model::profile::{Profile, Version};
use crate::model::scale_down::{self, Choice, Open, Rule};
use crate::model::sync::Action;
use crate::objects::ReplicaSet;
use crate::reasons::Code;
use crate::reasons::Tier;
use crate::reconstruct::{Reason, Reconstruction};

impl Reconstruction {
    pub(super) fn about_choice(&self, object: &ReplicaSet, plan: &Plan, now: Timestamp) -> Vec<Reason> {
        let Some(choice) = &plan.choice else { return Vec::new() };
        let mut reasons = Vec::new();
        let rules = || choice.certain.iter().chain(&choice.possible).map(|c| c.rule);
        if rules().any(|rule| rule == Rule::Rank) {
            let text = "pods go first from the node that holds more pods of the same owner; the numbers are counted once, before the choice, and not lowered as pods are taken";
            reasons.push(Reason::new(Code::RanksFixed, Tier::Inferred, text.into()));
        }
        if rules().any(|rule| rule == Rule::Uid) {
            let text = "pods whose ages lie in the same power of two of nanoseconds are told apart by UID, the smaller one first, not by age";
            reasons.push(Reason::new(Code::AgeBucketTie, Tier::Inferred, text.into()));
        }
        if choice.open != Open::Nothing {
            let open = match plan.action {
                Some(Action::Delete(count)) => count - choice.certain.len(),
                _ => 0,
            };
            let why = match choice.open {
                Open::Tie => "nothing tells them apart and the controller's sort is not stable",
                _ => "their order depends on the exact instant, or on the order in which the sort meets them",
            };
            let (go, ones) = if open == 1 { ("goes", "one") } else { ("go", "ones") };
            let text = format!("{open} of {} {go}, which {ones} is open: {why}", pods(choice.possible.len()));
            reasons.push(Reason::new(Code::VictimsUndetermined, Tier::Inferred, text));
            reasons.extend(self.bucket_moving(object, plan, now));
        }
        if object.template.spreads {
            let text = "topology spread constraints bind the scheduler when a pod is placed; the choice of pods to delete does not look at them";
            reasons.push(Reason::new(Code::TopologyNotConsulted, Tier::Inferred, text.into()));
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
        let chosen = scale_down::choose(active, &per_node, count, (now, now), &self.profile);
        (chosen.open == Open::Nothing).then(|| {
            let names = named(chosen.certain.iter().map(|c| c.pod.meta.name.as_str()));
            let text = format!(
                "a sync at this instant would take {names}; within ten seconds an age bucket ends, and the choice may be another"
            );
            Reason::new(Code::BucketMoving, Tier::Inferred, text)
        })
    }

    /// Versions before 1.22 compare ages exactly and know no deletion cost.
    fn other_choice(
        &self,
        object: &ReplicaSet,
        plan: &Plan,
        choice: &Choice,
        now: Timestamp,
    ) -> Option<Reason> {
        let (word, minor) = if self.profile.age_buckets { ("up to 1.21", 21) } else { ("from 1.22", 22) };
        let other = Profile::of(Version { minor, patch: None });
        let active = plan.active.as_deref()?;
        let Some(Action::Delete(count)) = plan.action else { return None };
        let per_node = scale_down::related_per_node(&self.view.cache, object, &other);
        let chosen = scale_down::choose(active, &per_node, count, (now, now), &other);
        let names = |choice: &Choice| named(choice.certain.iter().map(|c| c.pod.meta.name.as_str()));
        let differs =
            names(&chosen) != names(choice) && choice.open == Open::Nothing && chosen.open == Open::Nothing;
        differs.then(|| version_dependent(&format!("{word} the choice would be {}", names(&chosen))))
    }
}
