//! Status: what the written counts mean.
#![allow(non_upper_case_globals, reason = "an entry is named as its code")]

use super::{Code, Entry};
use crate::reasons::Tier;

pub const StatusBehind: Entry = Entry {
    code: Code::StatusBehind,
    meaning: "The status does not describe the present state yet",
    text: "A sync writes status from the pods that it found before its own creates and deletes, so status \
         trails by one sync. It also differs while a change is not yet handled. Who computes from the old \
         numbers, such as the Deployment, goes by them. Normally the next pod event brings the next \
         status.",
    recognised: "observedGeneration is below the generation, or the status was never written (observed); or the \
         counts that a sync would write now differ from those stored (inferred).",
    tiers: &[Tier::Observed, Tier::Inferred],
    remedy: concat!(
        "Wait some seconds. If it stays wrong even after a wake, no sync gets to its end: look at the \
             controller-manager's log. To wake the ReplicaSet: ",
        wake!()
    ),
    wakes: Some("The next event of the ReplicaSet or of one of its pods; each change of a pod is one."),
};

pub const TerminatingNotCounted: Entry = Entry {
    code: Code::TerminatingNotCounted,
    meaning: "Terminating pods do not count, though they may still run",
    text: "A pod that has a deletionTimestamp is no longer active: it is out of the counts and is replaced \
         at once, however long its grace period or a finalizer keeps it. So more pods can run than status \
         says. From 1.35 status.terminatingReplicas tells how many (in 1.33 and 1.34 only with its \
         feature gate, never for a ReplicationController).",
    recognised: "A pod of this ReplicaSet that matches the selector has a deletionTimestamp.",
    tiers: &[Tier::Observed],
    remedy: "Wait for the grace period. Do not read 0 replicas as stopped before 1.35: list the pods \
         themselves.",
    wakes: None,
};

pub const FinishedNotCounted: Entry = Entry {
    code: Code::FinishedNotCounted,
    meaning: "Succeeded and Failed pods are neither counted nor deleted",
    text: "Only pods that are neither Succeeded nor Failed, and not terminating, are active. A finished pod \
         is replaced at once and stays listed. There is a growing delay for creates that fail, but none \
         for pods that fail after they were created: if a node keeps rejecting them, failed pods pile up.",
    recognised: "A pod of this ReplicaSet that matches the selector has the phase Succeeded or Failed.",
    tiers: &[Tier::Observed],
    remedy: "Find out why the pods end (kubectl describe pod POD), then delete them: kubectl delete pods -l \
         SELECTOR --field-selector=status.phase=Failed.",
    wakes: None,
};

pub const AvailabilityPending: Entry = Entry {
    code: Code::AvailabilityPending,
    meaning: "Pods are ready, but not yet for minReadySeconds",
    text: "A pod is available when it has been ready for minReadySeconds, and a sync has to run to see it. \
         From 1.34 that sync is scheduled for the exact time. Up to 1.33 the check can come later, up to \
         minReadySeconds late when several pods become ready one after another; any event brings it \
         forward.",
    recognised: "minReadySeconds is above zero, and a pod has been ready for less.",
    tiers: &[Tier::Inferred],
    remedy: concat!("Wait. Up to 1.33 this brings the check forward: ", wake!()),
    wakes: Some(
        "A delayed look of the controller: from 1.34 at the exact time, before after minReadySeconds; or \
         any event of the ReplicaSet or of one of its pods.",
    ),
};

pub const PodOnLostNode: Entry = Entry {
    code: Code::PodOnLostNode,
    meaning: "A pod is on a node that is not ready or gone",
    text: "A pod counts by its phase and its deletionTimestamp, not by the state of its node. One that is \
         not terminating goes on counting and is not replaced. One that is terminating does not count and \
         has been replaced or will be; it stays listed until its kubelet confirms, or until the Node \
         object is removed. Moving pods off dead nodes is the work of the node lifecycle controller, not \
         of the ReplicaSet.",
    recognised: "Nodes are in the input, and the one that a pod is bound to is not ready. Nodes are read from files (-f) only, not from a cluster.",
    tiers: &[Tier::Observed],
    remedy: "If the machine is really off, delete the Node, or taint it (1.24+): kubectl taint node NODE \
         node.kubernetes.io/out-of-service=nodeshutdown:NoExecute. Force the deletion of a pod only if \
         its workload bears a twin.",
    wakes: None,
};

pub const EvictionSuspended: Entry = Entry {
    code: Code::EvictionSuspended,
    meaning: "No node is ready, so no pod is evicted from the dead nodes",
    text: "When all nodes are not ready, the node lifecycle controller stops evicting: it takes it that the \
         control plane is what is cut off. Pods on these nodes keep their phase, go on counting and are \
         not replaced. It stays so for as long as all are not ready.",
    recognised: "Nodes are in the input, and none of them is ready. Nodes are read from files (-f) only, not from a cluster.",
    tiers: &[Tier::Inferred],
    remedy: "Bring a node back, or delete the Node objects that are really gone: their pods are then removed \
         and replaced.",
    wakes: Some("A node that becomes ready again."),
};
