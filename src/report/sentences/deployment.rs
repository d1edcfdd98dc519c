//! What a Deployment does about the size.

use crate::reconstruct::detail::DeploymentDetail;

pub(super) fn sentence(detail: &DeploymentDetail) -> String {
    match detail {
        DeploymentDetail::Decides { deployment } => {
            format!("Deployment {deployment} decides its size; scale the Deployment, not the ReplicaSet")
        }
        DeploymentDetail::ScaledByHand { deployment, replicas, wants, creates } => format!(
            "its size is {replicas}, but Deployment {deployment} wants {wants} and no rollout is in progress: the Deployment will set it back{}",
            if *creates { "; pods created now will be deleted again" } else { "" }
        ),
        DeploymentDetail::Adopts { deployment } => format!(
            "it has no controller and matches the selector of Deployment {deployment}, which will adopt it and count its pods as its own"
        ),
    }
}
