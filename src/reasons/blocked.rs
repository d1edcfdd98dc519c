//! Blocked: no sync can run, or it ends before it gets to its replicas.
#![allow(non_upper_case_globals, reason = "an entry is named as its code")]

use super::{Code, Entry};
use crate::reasons::Tier;

pub const DeletionInProgress: Entry = Entry {
    code: Code::DeletionInProgress,
    meaning: "The ReplicaSet is being deleted: its syncs create and delete nothing",
    text: "The ReplicaSet has a deletionTimestamp and stays until its finalizers are removed. Its syncs \
         neither create nor delete pods, adopt no orphan and release no pod; they still write status. \
         spec.replicas has no effect any more.",
    recognised: "metadata.deletionTimestamp of the ReplicaSet is set.",
    tiers: &[Tier::Observed],
    remedy: "See what holds it: kubectl get rs NAME -o jsonpath='{.metadata.finalizers}'.",
    wakes: None,
};

pub const SelectorInvalid: Entry = Entry {
    code: Code::SelectorInvalid,
    meaning: "The selector cannot be parsed, so every sync ends at it",
    text: "A sync parses the selector before it lists pods. If that fails it logs the failure and ends \
         without a retry: no claim, no create, no delete, no status. Nothing changes until the selector \
         does.",
    recognised: "spec.selector does not parse: an unknown operator, values where there must be none, or none \
         where there must be some.",
    tiers: &[Tier::Observed],
    remedy: "Make the ReplicaSet anew with a valid selector. kubectl delete rs NAME --cascade=orphan keeps \
         its pods, and the new one adopts those that match.",
    wakes: Some("A change of the selector. No retry comes."),
};

pub const ClaimFailed: Entry = Entry {
    code: Code::ClaimFailed,
    meaning: "Adopting or releasing a pod failed, and the sync ended there",
    text: "A sync claims pods before it creates, deletes or writes status. An error there ends it: none of \
         the three is done. It is retried with a growing delay. No event and no condition tell of it, \
         only the controller's log. Two common causes: another controller adopted the same orphan first \
         (answer 422, \"Only one reference can have Controller set\"), or the live ReplicaSet is being \
         deleted or has another UID than the one in the controller's cache.",
    recognised: "It leaves no trace in the API. In the controller's log the last sync of the ReplicaSet failed with \
         the error of an adoption: can't adopt Pod, or the answer 422.",
    tiers: &[Tier::Logged],
    remedy: "Wait for the retry. If it repeats, read the controller-manager's log for sync \"NAMESPACE/NAME\" \
         failed, and look for other controllers whose selector matches the same pods.",
    wakes: Some(
        "The retry, after 5 ms that double with each failure up to 1000 s; any event of the ReplicaSet or \
         of one of its pods, at once.",
    ),
};

pub const StaleCache: Entry = Entry {
    code: Code::StaleCache,
    meaning: "The stale-cache check holds the sync back (1.36 and later)",
    text: "From 1.36 a ReplicaSet is synced only when the controller's cache shows the controller's own \
         last writes: creates, adoptions and status, not deletes (gate \
         StaleControllerConsistencyReplicaSet, on by default). Else the sync ends with an error, read \
         version: A is not as new as written version: B: no claim, no create, no delete, no status; it is \
         retried with a growing delay. For some milliseconds after a write that is ordinary. While the \
         cache lags it lasts, also past the five minutes of expectations, and since the delay grows to \
         1000 s it can outlast the lag. From the API alone it cannot be told from waiting; the log and \
         the counter replicaset_controller_stale_sync_skips_total show it. A ReplicationController is \
         never checked.",
    recognised: "The controller's log has the last syncs refused with read version: A is not as new as written \
         version: B, for longer than a second and with no sync that got through since.",
    tiers: &[Tier::Logged],
    remedy: concat!(
        "If it lasts for minutes, look at the controller-manager's watches and the API server. Once \
             the cache has caught up, do not wait for the retry: ",
        wake!()
    ),
    wakes: Some(
        "The retry, after 5 ms that double with each failure up to 1000 s; any event of the ReplicaSet or \
         of one of its pods, at once. Each is refused again as long as the cache lags.",
    ),
};

pub const StaleCheckPassed: Entry = Entry {
    code: Code::StaleCheckPassed,
    meaning: "The stale-cache check failed and has passed since: harmless",
    text: "From 1.36 the controller refuses to sync a ReplicaSet before its cache shows its own last write, \
         and logs read version: A is not as new as written version: B. That is ordinary after a status \
         write and at the end of a burst. It is not a rejected write, not a conflict and not a fault of \
         the workload. The retry comes milliseconds later, and here a later sync passed the check.",
    recognised: "The controller's log has a sync refused with read version: A is not as new as written version: \
         B, and a later one that got through, or the log does not show that it lasted.",
    tiers: &[Tier::Logged],
    remedy: "None. Take the pattern out of log alerts, or alert only on its repetition for one ReplicaSet; \
         the counter replicaset_controller_stale_sync_skips_total shows the rate.",
    wakes: None,
};

pub const ControllerNotRunning: Entry = Entry {
    code: Code::ControllerNotRunning,
    meaning: "No controller-manager leads: its lease is not renewed",
    text: "The lease kube-system/kube-controller-manager names the leader, and it was not renewed for \
         longer than it lasts. Without a leader no ReplicaSet is synced, and the other controllers of \
         that process stand still too. When one takes over it has no expectations, syncs every ReplicaSet \
         and acts at once. Clocks that differ can feign this; and a leader that was only stopped may go \
         on for seconds when it continues. Managed clusters may not show the lease.",
    recognised: "The lease kube-system/kube-controller-manager was not renewed for longer than it lasts and one \
         second more, at the instant asked for.",
    tiers: &[Tier::Observed],
    remedy: "Look at the lease (kubectl -n kube-system get lease kube-controller-manager -o yaml), then at \
         the controller-manager itself: its static pod, its command line, its certificates.",
    wakes: Some("A controller-manager that takes the lease: it syncs every ReplicaSet once."),
};

pub const NamespaceTerminating: Entry = Entry {
    code: Code::NamespaceTerminating,
    meaning: "The namespace is being deleted and takes no new pods",
    text: "The API server refuses every create in a terminating namespace. From 1.17 the controller counts \
         that refusal as a success: no event, no ReplicaFailure, no retry, and expectations that stay \
         unmet. That does no harm, since nothing can be created there. Before 1.17 it was an error that \
         was retried.",
    recognised: "The namespace has a deletionTimestamp or the phase Terminating and pods are to be created; or a \
         refusal says that the namespace is being terminated.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: "Nothing for this ReplicaSet: it goes with the namespace. See what holds the namespace: kubectl \
         get namespace NAMESPACE -o jsonpath='{.status.conditions}'.",
    wakes: None,
};
