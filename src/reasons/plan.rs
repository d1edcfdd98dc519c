//! Plan: how a sync goes about its work.
#![allow(non_upper_case_globals, reason = "an entry is named as its code")]

use super::{Code, Entry};
use crate::reasons::Tier;

pub const BurstCapped: Entry = Entry {
    code: Code::BurstCapped,
    meaning: "One sync creates or deletes at most 500 pods",
    text: "The difference is larger than the burst limit of 500, so it takes several syncs. The next one \
         acts only when the expectations of this one are fulfilled (all its pods have been seen) or \
         expired. It waits for pods to be seen, not for them to be scheduled or ready. A change of \
         spec.replicas takes effect between two such syncs.",
    recognised: "Active pods less desired ones, or the reverse, are more than 500.",
    tiers: &[Tier::Inferred],
    remedy: "Nothing. If the number is a mistake, change spec.replicas now; it takes effect when the present \
         pods have been seen.",
    wakes: Some("The last pod of one round, when it is seen, is followed by the sync that begins the next."),
};

pub const SlowStart: Entry = Entry {
    code: Code::SlowStart,
    meaning: "Creates go in batches of 1, 2, 4, 8, ...; an error ends them",
    text: "The calls inside a batch are parallel, and each batch is up to twice as large as the one before. \
         If a call fails, its batch is finished and the rest is not tried; failed and skipped creates are \
         lowered at once. With room for 3 of 10 pods that is 1, 2 and 4 calls, of which 3 succeed. A \
         retry begins with a batch of one again.",
    recognised: "More than one pod is to be created.",
    tiers: &[Tier::Inferred],
    remedy: "Nothing: it spares the API server creates that would fail alike.",
    wakes: None,
};

pub const ClientRate: Entry = Entry {
    code: Code::ClientRate,
    meaning: "The speed is that of the controller's client: 20 requests a second",
    text: "By default the ReplicaSet controller may send 30 requests at once and then 20 a second \
         (--kube-api-qps, --kube-api-burst). All its ReplicaSets share that, with status writes, \
         adoptions and events. 500 creates take at least 23.5 seconds. The flags are not in the API; if \
         they were not read from a log or given, the defaults are assumed.",
    recognised: "The sync makes more than 60 calls.",
    tiers: &[Tier::Assumed],
    remedy: "Nothing, or raise --kube-api-qps and --kube-api-burst of the controller-manager. Tell this \
         program with --controller-qps and --controller-burst.",
    wakes: None,
};

pub const AgeBucketTie: Entry = Entry {
    code: Code::AgeBucketTie,
    meaning: "Pods of one age bucket: the smaller UID goes first, not the younger pod",
    text: "Times are compared in powers of two (the logarithm of the age in nanoseconds, rounded down). \
         Pods whose times differ but fall in one bucket are ordered by UID, which is as good as random, \
         and no later rule is asked. The oldest pod can thus go first. On by default from 1.22, always \
         from 1.37; up to 1.21 (unless switched on there) the youngest goes.",
    recognised: "In the model's choice of victims the rule Uid decides about a pod.",
    tiers: &[Tier::Inferred],
    remedy: "To keep a pod, give it a higher cost (1.22+): kubectl annotate pod POD \
         controller.kubernetes.io/pod-deletion-cost=100. A deletion cost is looked at before any age.",
    wakes: None,
};

pub const RanksFixed: Entry = Entry {
    code: Code::RanksFixed,
    meaning: "Pods on fuller nodes go first, and fullness is counted only once",
    text: "From 1.17 pods on nodes with more related pods (active pods that match the selector of any \
         ReplicaSet of the same owner) are deleted first, if readiness and deletion cost do not decide. \
         The number is counted before the choice and not lowered as pods are taken: of 3 pods on node A \
         and 2 on node B, a scale-down by 3 takes all three of A. Age is a later rule and may never be \
         reached. A ReplicaSet without a controller has no ranks; the error \"ReplicaSet has no \
         controller\" that it logs at a scale-down is harmless.",
    recognised: "In the model's choice of victims the rule Rank decides about a pod. It needs the other \
         ReplicaSets of the same owner and their pods.",
    tiers: &[Tier::Inferred],
    remedy: "Expected. If the spread matters, scale down one at a time, or set \
         controller.kubernetes.io/pod-deletion-cost on the pods (1.22+).",
    wakes: None,
};

pub const VictimsUndetermined: Entry = Entry {
    code: Code::VictimsUndetermined,
    meaning: "Which of some equal pods will be deleted is left open",
    text: "These pods tie in every rule, or the rules contradict each other in a circle, so the choice \
         depends on an order that cannot be seen from outside. Times of the API have whole seconds, so \
         ties are common. Certain victims and safe pods are listed apart from these.",
    recognised: "The model's choice leaves pods that are neither certain to go nor safe: by a tie, by rules that \
         contradict each other, or because the instant of the choice matters.",
    tiers: &[Tier::Inferred],
    remedy: "To decide it, annotate the pods: kubectl annotate pod POD \
         controller.kubernetes.io/pod-deletion-cost=100 (the lower cost goes first; 1.22+).",
    wakes: None,
};

pub const TopologyNotConsulted: Entry = Entry {
    code: Code::TopologyNotConsulted,
    meaning: "Scale-down does not look at spread constraints",
    text: "topologySpreadConstraints bind the scheduler when it places a pod. The choice of victims knows \
         no zones; its only rule about spread counts related pods on each node. So a zone can be left \
         without a pod. PodDisruptionBudgets and the state of the nodes are not looked at either.",
    recognised: "Pods are to be deleted, and the template has topologySpreadConstraints.",
    tiers: &[Tier::Inferred],
    remedy: "Set controller.kubernetes.io/pod-deletion-cost by zone (1.22+), or rebalance afterwards with a \
         descheduler.",
    wakes: None,
};

pub const VersionDependent: Entry = Entry {
    code: Code::VersionDependent,
    meaning: "Another server version would answer differently",
    text: "A rule that matters here has changed between versions, and the message tells how the answers \
         differ. The server's version decides, and behind it feature gates, which the API does not show; \
         their defaults are assumed.",
    recognised: "The model answers differently for the version before a change of the rule: age buckets and \
         deletion costs from 1.22, swallowed timeouts before 1.18, the exact availability check from \
         1.34.",
    tiers: &[Tier::Inferred],
    remedy: "If the version is assumed, give it: --server-version 1.N (patches can matter: 1.N.P).",
    wakes: None,
};

pub const BucketMoving: Entry = Entry {
    code: Code::BucketMoving,
    meaning: "An age bucket ends soon, and the choice of victims may change with it",
    text: "The age buckets are powers of two and are taken at the moment of the choice, so pods move from \
         one to the next as they grow older. One that counts here is about to be crossed. The victims \
         named hold for the time of this answer only.",
    recognised: "At the instant of the answer the choice is certain, and within the ten seconds after it an age \
         crosses a power of two and changes it.",
    tiers: &[Tier::Inferred],
    remedy: "If a certain pod must stay, do not rely on ages: set controller.kubernetes.io/pod-deletion-cost \
         on it (1.22+).",
    wakes: None,
};
