//! How the next sync creates or deletes.

use super::{at, named, pods};
use crate::reconstruct::detail::{PlanDetail, VersionDifference};

pub(super) fn sentence(detail: &PlanDetail) -> String {
    match detail {
        PlanDetail::BurstCapped { due } => {
            format!("one sync creates or deletes at most 500 of {due}; the rest follows once these have been observed")
        }
        PlanDetail::SlowStart { count, batches } => format!(
            "{count} creates are sent in batches of {}; a refusal ends the sync after its batch",
            batches.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
        ),
        PlanDetail::ClientRate => {
            "all ReplicaSets share the controller's client; by default it makes 20 calls a second after a burst of 30".into()
        }
        PlanDetail::AgeBucketTie => {
            "pods whose ages fall into the same power of two of nanoseconds are ordered by UID, the smaller one first, not by age".into()
        }
        PlanDetail::RanksFixed => {
            "pods on nodes with more pods of the same owner go first; these are counted once, before the choice, and not recounted as pods are chosen".into()
        }
        PlanDetail::VictimsUndetermined { open, among, tied } => {
            let ones = if *open == 1 { "one" } else { "ones" };
            let why = if *tied {
                "they are indistinguishable and the controller's sort is not stable"
            } else {
                "their order depends on the exact time, or on the order in which the controller's cache lists them"
            };
            format!("{open} of {} will be deleted, but which {ones} is open: {why}", pods(*among))
        }
        PlanDetail::TopologyNotConsulted => {
            "topology spread constraints guide the scheduler when it places a pod; the choice of pods to delete ignores them".into()
        }
        PlanDetail::VersionDependent(difference) => version(difference),
        PlanDetail::BucketMoving { victims } => format!(
            "a sync at this instant would delete {}; an age bucket ends within ten seconds, and then the choice may differ",
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
            "from 1.18 (and late patches of 1.16 and 1.17) a create that times out is an error and is retried; here it counts as success: no error, no retry, no condition".into()
        }
        VersionDifference::ExactAvailability { at: when } => {
            format!("from 1.34 the controller checks again at {}, exactly when the pod becomes available", at(*when))
        }
    }
}
