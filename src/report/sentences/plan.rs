//! How the next sync creates or deletes.

use super::{at, named, pods};
use crate::reconstruct::detail::{PlanDetail, VersionDifference};

pub(super) fn sentence(detail: &PlanDetail) -> String {
    match detail {
        PlanDetail::BurstCapped { due } => {
            format!("one sync creates or deletes at most 500 of {due}; the rest follows once these were seen")
        }
        PlanDetail::SlowStart { count, batches } => format!(
            "{count} creates go out in batches of {}; a refusal ends the sync after its batch",
            batches.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
        ),
        PlanDetail::ClientRate => {
            "all ReplicaSets share the controller's client; by default it makes 20 calls a second after 30 at once".into()
        }
        PlanDetail::AgeBucketTie => {
            "pods whose ages lie in the same power of two of nanoseconds are told apart by UID, the smaller one first, not by age".into()
        }
        PlanDetail::RanksFixed => {
            "pods go first from the node that holds more pods of the same owner; the numbers are counted once, before the choice, and not lowered as pods are taken".into()
        }
        PlanDetail::VictimsUndetermined { open, among, tied } => {
            let (go, ones) = if *open == 1 { ("goes", "one") } else { ("go", "ones") };
            let why = if *tied {
                "nothing tells them apart and the controller's sort is not stable"
            } else {
                "their order depends on the exact instant, or on the order in which the sort meets them"
            };
            format!("{open} of {} {go}, which {ones} is open: {why}", pods(*among))
        }
        PlanDetail::TopologyNotConsulted => {
            "topology spread constraints bind the scheduler when a pod is placed; the choice of pods to delete does not look at them".into()
        }
        PlanDetail::VersionDependent(difference) => version(difference),
        PlanDetail::BucketMoving { victims } => format!(
            "a sync at this instant would take {}; within ten seconds an age bucket ends, and the choice may be another",
            named(victims)
        ),
    }
}

fn version(difference: &VersionDifference) -> String {
    match difference {
        VersionDifference::ChoiceUpTo1_21(victims) => {
            format!("up to 1.21 the choice would be {}", named(victims))
        }
        VersionDifference::ChoiceFrom1_22(victims) => {
            format!("from 1.22 the choice would be {}", named(victims))
        }
        VersionDifference::TimeoutIsError => {
            "from 1.18 (and late patches of 1.16 and 1.17) a create that times out is an error with retries; here it counts as done: no error, no retry, no condition".into()
        }
        VersionDifference::ExactAvailability { at: when } => {
            format!("from 1.34 the controller looks again at {}, at the exact time", at(*when))
        }
    }
}
