//! Deployment: who decides the size.
#![allow(non_upper_case_globals, reason = "an entry is named as its code")]

use super::{Code, Entry};
use crate::reasons::Tier;

pub const DeploymentDecides: Entry = Entry {
    code: Code::DeploymentDecides,
    meaning: "The Deployment decides the size of this ReplicaSet",
    text: "This ReplicaSet belongs to a Deployment, whose controller sets spec.replicas and may change it \
         at any time, above all during a rollout. The ReplicaSet's sync acts on the number it finds. A \
         dry run for another size shows what the ReplicaSet would do, not what the Deployment will ask \
         for.",
    recognised: "The controllerRef is a Deployment that was read, and something is due or another of its \
         ReplicaSets has replicas.",
    tiers: &[Tier::Observed],
    remedy: "Scale the Deployment: kubectl scale deployment DEPLOYMENT --replicas=N.",
    wakes: None,
};

pub const ScaledByHand: Entry = Entry {
    code: Code::ScaledByHand,
    meaning: "The ReplicaSet was scaled past its Deployment, which sets it back",
    text: "spec.replicas differs from what the Deployment wants, and no rollout explains it: there is one \
         ReplicaSet. Its sync acts on that number; then the Deployment sets it back and the sync after it \
         undoes the work.",
    recognised: "spec.replicas differs from that of its Deployment, no other ReplicaSet of it has replicas, and \
         the Deployment has passed on its own number already (the annotation \
         deployment.kubernetes.io/desired-replicas, or its observedGeneration).",
    tiers: &[Tier::Inferred],
    remedy: "Scale the Deployment, not its ReplicaSet: kubectl scale deployment DEPLOYMENT --replicas=N. If \
         it happens again and again, find who does it in the managedFields (--show-managed-fields).",
    wakes: Some("The sync of the Deployment that sets the number back; that change wakes the ReplicaSet."),
};

pub const AdoptableByDeployment: Entry = Entry {
    code: Code::AdoptableByDeployment,
    meaning: "A Deployment's selector matches this ReplicaSet without an owner",
    text: "This ReplicaSet has no controller, for instance since its Deployment was deleted with \
         --cascade=orphan, and the selector of a Deployment matches its labels. The Deployment adopts it \
         and counts its pods as its own. It then has more replicas than it wants and scales a ReplicaSet \
         down, so pods that were meant to survive are deleted.",
    recognised: "The ReplicaSet has no controllerRef, and the selector of a Deployment of its namespace matches \
         its labels.",
    tiers: &[Tier::Inferred],
    remedy: "Before that happens, change the labels of the ReplicaSet and of its pods, or give the Deployment \
         another selector.",
    wakes: None,
};
