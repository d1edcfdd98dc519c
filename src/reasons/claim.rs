//! Claim: which pods are the ReplicaSet's.
#![allow(non_upper_case_globals, reason = "an entry is named as its code")]

use super::{Code, Entry};
use crate::reasons::Tier;

pub const AdoptionDue: Entry = Entry {
    code: Code::AdoptionDue,
    meaning: "The next sync adopts pods that match the selector and have no controller",
    text: "An active pod without a controller whose labels match the selector is adopted by the next sync, \
         also while expectations are unmet, unless the ReplicaSet is being deleted. It counts at once, so \
         fewer pods are created, or a surplus is deleted. Finished and terminating pods are not adopted. \
         Adoption lowers no expectation.",
    recognised: "An active pod without a controllerRef matches the selector, and neither it nor the ReplicaSet is \
         being deleted.",
    tiers: &[Tier::Inferred],
    remedy: "If the pod is not meant to belong here, take off a label that the selector requires: kubectl \
         label pod POD KEY-.",
    wakes: None,
};

pub const ReleaseDue: Entry = Entry {
    code: Code::ReleaseDue,
    meaning: "The next sync releases pods whose labels no longer match",
    text: "An active pod of this ReplicaSet whose labels do not match the selector is released: its \
         ownerReference is removed. That happens also while expectations are unmet, but not while the \
         ReplicaSet is being deleted. The pod runs on without a controller and no longer counts; if pods \
         are then too few, another is created.",
    recognised: "An active pod whose controllerRef is this ReplicaSet does not match the selector, and the \
         ReplicaSet is not being deleted.",
    tiers: &[Tier::Inferred],
    remedy: "To keep the pod, put its label back. If it was taken out on purpose, to be inspected, delete it \
         when done.",
    wakes: None,
};

pub const AdoptedDiffersFromTemplate: Entry = Entry {
    code: Code::AdoptedDiffersFromTemplate,
    meaning: "An adopted pod counts although it differs from the template",
    text: "Adoption looks at labels and at the controllerRef only; the template is never compared. The pod \
         counts as a replica whatever it runs. It can be chosen at a later scale-down, and goes with the \
         ReplicaSet when that is deleted.",
    recognised: "A pod that is about to be adopted runs an image that no container of the template has.",
    tiers: &[Tier::Observed],
    remedy: "Use labels that no bare pod carries. Taking the label off the pod releases it, and another is \
         created from the template.",
    wakes: None,
};

pub const SelectorOverlap: Entry = Entry {
    code: Code::SelectorOverlap,
    meaning: "Selectors of several controllers match the same pods",
    text: "A pod has one controller at most, so pods that are owned are not mixed up. But an orphan that \
         matches several is adopted by whichever is first. The loser's patch is answered 422, its sync \
         ends with a claim error and is retried. For the ranks of a scale-down, pods count that match the \
         selector of any ReplicaSet with the same owner.",
    recognised: "Another ReplicaSet of the namespace selects the labels of this one's template and the reverse; \
         or an orphan matches two of them; or another owner is about to release a pod that this one \
         selects.",
    tiers: &[Tier::Observed, Tier::Inferred],
    remedy: "Give each controller labels of its own. The selector of an apps/v1 ReplicaSet cannot be changed: \
         make it anew.",
    wakes: None,
};

pub const LabelMismatch: Entry = Entry {
    code: Code::LabelMismatch,
    meaning: "Pods that look as if they belonged here fail the selector",
    text: "These pods have no controller and fulfil only a part of the selector, so they are not adopted \
         and do not count. Often it is the label pod-template-hash, which is missing or of an older \
         template. A Deployment adopts ReplicaSets, never pods; only a ReplicaSet whose whole selector \
         matches adopts them.",
    recognised: "An active pod without a controllerRef, which no ReplicaSet of the input selects, meets some \
         requirements of this selector and fails others.",
    tiers: &[Tier::Observed],
    remedy: "To hand a pod over, give it the missing label; it then counts, and a surplus is deleted. Else \
         delete it.",
    wakes: None,
};

pub const OrphanPods: Entry = Entry {
    code: Code::OrphanPods,
    meaning: "Pods without a controller: nothing replaces or deletes them",
    text: "These pods have no controllerRef, and no ReplicaSet that was read matches their labels, so no \
         ReplicaSet counts, replaces or deletes them. They come from a restore, a release, hand work, or \
         a deletion with --cascade=orphan.",
    recognised: "An active pod has no controllerRef, no ReplicaSet of the input selects it, and it meets a part \
         of this selector.",
    tiers: &[Tier::Observed],
    remedy: "Delete them when they are not needed, or give them the labels of the ReplicaSet that shall adopt \
         them.",
    wakes: None,
};
