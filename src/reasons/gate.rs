//! The gate: whether a sync may create or delete.
#![allow(non_upper_case_globals, reason = "an entry is named as its code")]

use super::{Code, Entry};
use crate::reasons::Tier;

pub const ExpectationsUnmet: Entry = Entry {
    code: Code::ExpectationsUnmet,
    meaning: "The controller still waits to see pods that it created or deleted",
    text: "When a sync creates or deletes pods it first sets expectations: add or del. Each new pod that \
         the controller sees lowers add, each awaited pod that it sees terminating or gone lowers del. \
         While one is above zero and not more than five minutes have passed since it was set, a sync \
         neither creates nor deletes; it still adopts, releases and writes status. A change of \
         spec.replicas is not acted on meanwhile. The expected pod events end the wait at once; the end \
         of the five minutes starts no sync. Kubernetes shows expectations in no API, metric or event, so \
         the numbers are reconstructed from what was seen, and from the controller's log where it was \
         given.",
    recognised: "A sync's round was seen to begin (pods that only it can have made, terminating pods that it \
         deletes) and not all of it has been seen yet; or the status names the current generation, \
         another count than wanted and no failure, and nothing has come of it: the sync that wrote it saw \
         the difference and waited. The controller's log at level 4 tells it outright. All this holds \
         only until five minutes after the latest time at which the expectations can have been set.",
    tiers: &[Tier::Inferred, Tier::Logged],
    remedy: concat!(
        "Wait a few seconds: usually the pods are seen. If it lasts, look which pods are awaited, and \
             once the five minutes have passed wake the ReplicaSet: ",
        wake!()
    ),
    wakes: Some(
        "The awaited pod events: the last of them is followed by a sync that acts. After the five minutes \
         any event of the ReplicaSet or of one of its pods. Their end itself starts nothing.",
    ),
};

pub const ExpectationsExpired: Entry = Entry {
    code: Code::ExpectationsExpired,
    meaning: "Expectations are unmet but older than five minutes: the gate is open",
    text: "Strictly more than five minutes after expectations were set, a sync acts as if nothing were \
         outstanding. Lowering them does not restart the five minutes. The counters stay as they are \
         until the next sync that creates or deletes replaces them. The expiry itself starts no sync. If \
         the controller's cache lags, 1.35 and older may create pods a second time and later delete the \
         surplus; from 1.36 the stale-cache check holds such a sync of a ReplicaSet back as long as the \
         cache lags.",
    recognised: "The same evidence as for ExpectationsUnmet, but more than five minutes have passed since the \
         latest time at which the expectations can have been set. From a snapshot: a sync of this \
         generation saw the difference, reported no failure and did nothing, and no pod and no event is \
         younger than five minutes.",
    tiers: &[Tier::Inferred],
    remedy: concat!("Wake the ReplicaSet: ", wake!()),
    wakes: Some("Any event of the ReplicaSet or of one of its pods; else the resync, 12 to 24 hours apart."),
};

pub const ExpectationsUnknown: Entry = Entry {
    code: Code::ExpectationsUnknown,
    meaning: "The evidence does not fix what the controller expects",
    text: "A watch shows pods that come and go, but not the expectations that were set before it began. \
         Then add and del are known only to be at most 500 each; add can even be below zero. They become \
         known when a sync is seen to create or delete pods, when the ReplicaSet is replaced or another \
         controller-manager takes over, or from the controller's log. Five minutes after the latest time \
         at which they can have been set the gate is open, whatever the counters.",
    recognised: "The window began after the expectations may have been set, or there is only a snapshot, and \
         neither a status nor ages settle it. Inferred where a status without any write for five minutes \
         shows that whatever is outstanding has expired. Assumed where a snapshot shows nothing young and \
         the gate is taken to be open, or where --assume-expectations says so.",
    tiers: &[Tier::Observed, Tier::Inferred, Tier::Assumed],
    remedy: "Watch for longer (--window), record what happens (kubectl rsexp record rs/NAME --to FILE), or \
         give the controller-manager's log of level 4 (--controller-log FILE).",
    wakes: None,
};

pub const NegativeExpectations: Entry = Entry {
    code: Code::NegativeExpectations,
    meaning: "A counter is below zero, so the gate can open too early",
    text: "Any pod that appears with this ReplicaSet as its controllerRef lowers add, also one that the \
         controller did not create: a restored or hand-made pod, or one whose create was reported as \
         timed out. A counter below zero counts as fulfilled and is never corrected; the next sync that \
         creates or deletes replaces it. If a created pod was still awaited at that time, the gate opened \
         although that pod had not been seen. The next sync may then create too many and delete the \
         surplus later.",
    recognised: "More pods with this ReplicaSet as their controller were seen to arrive after the expectations \
         were set than the sync asked for.",
    tiers: &[Tier::Inferred],
    remedy: "Nothing is needed for the counter. Find who makes pods with this controllerRef: kubectl get pods \
         -o yaml --show-managed-fields.",
    wakes: None,
};

pub const NothingWakes: Entry = Entry {
    code: Code::NothingWakes,
    meaning: "When the five minutes end, no sync starts by itself",
    text: "A sync that finds expectations unmet sets no timer and returns no error, so the ReplicaSet \
         leaves the queue. When the expectations expire, nothing happens. The next event of the \
         ReplicaSet or of one of its pods starts the sync that acts; without one it is the informer's \
         resync, which comes every 12 to 24 hours by default.",
    recognised: "Expectations have expired, and the next sync would act, whenever it comes.",
    tiers: &[Tier::Inferred],
    remedy: concat!(
        "After the expiry wake the ReplicaSet; any change of its metadata will do (rc instead of rs \
             for a ReplicationController): ",
        wake!()
    ),
    wakes: Some("Any event of the ReplicaSet or of one of its pods; else the resync, 12 to 24 hours apart."),
};

pub const RetryBackoff: Entry = Entry {
    code: Code::RetryBackoff,
    meaning: "The last sync failed and is retried with a growing delay",
    text: "A sync that ends with an error is retried after 5 ms, doubled with each failure in a row up to \
         1000 s (about 17 minutes). Any sync without an error resets the delay. Refused creates show as \
         FailedCreate events and as the condition ReplicaFailure; the exact time of the next retry cannot \
         be seen, only bounded. Creates begin with a batch of one again, so a lasting refusal costs one \
         call a retry. An event of the ReplicaSet or of its pods starts a sync at once, without waiting \
         for the delay.",
    recognised: "Refusals stand (the condition ReplicaFailure, or events while no later sync has written status), \
         so the sync that met them returned an error. How far the delay has grown is bounded by how long \
         the refusals have lasted.",
    tiers: &[Tier::Inferred],
    remedy: concat!(
        "Remove the cause first, then do not wait for the retry but wake the ReplicaSet: ",
        wake!()
    ),
    wakes: Some(
        "The retry, at the latest 1000 s after the last failure; any event of the ReplicaSet or of one of \
         its pods, at once.",
    ),
};

pub const SyncRunning: Entry = Entry {
    code: Code::SyncRunning,
    meaning: "A sync of this ReplicaSet is under way",
    text: "One ReplicaSet is synced by one worker at a time: what changes meanwhile is looked at when the \
         sync ends. A sync that creates or deletes many pods lasts long, since its calls share 20 \
         requests a second after a burst of 30 by default: 500 creates take about 24 seconds. The five \
         minutes of its expectations already run. Its end is usually seen by a status write. The verdict \
         is about the sync after it.",
    recognised: "A sync's round is known exactly, its pods keep arriving at the pace of the controller's client, some are still to come, and no status has ended it; or the controller's log has the beginning of such a sync and not its end. Of deletes that is not recognised: they are asked for all at once.",
    tiers: &[Tier::Inferred],
    remedy: "Wait for its end.",
    wakes: Some("Its end: what came meanwhile is looked at in the sync that follows at once."),
};

pub const SyncDue: Entry = Entry {
    code: Code::SyncDue,
    meaning: "A change was seen that no sync is known to have handled yet",
    text: "Something was seen that puts the ReplicaSet into the controller's queue, and nothing shows that \
         a sync has handled it. The next sync is expected at once. Busy workers and the shared client \
         limits can delay it. When nothing follows for longer, the controller may not run, or a sync may \
         have ended early without a trace in the API (stale cache, claim error).",
    recognised: "A change that queues the ReplicaSet was seen, nothing seen before it holds a sync back, and \
         neither a pod nor a status write has followed for five seconds; or the status is still empty and \
         no pod is owned.",
    tiers: &[Tier::Inferred],
    remedy: "Look again in some seconds. If it stays so, look at the controller-manager: its lease (kubectl \
         -n kube-system get lease kube-controller-manager), its log, and its workqueue metrics with the \
         name replicaset.",
    wakes: Some("It is queued already: the sync comes as soon as a worker is free."),
};

pub const CacheLags: Entry = Entry {
    code: Code::CacheLags,
    meaning: "The controller has not handled yet what was seen here",
    text: "The controller works from a cache of its own, filled by its own watch. Its log shows that for \
         seconds its handlers have not run for events that were received here. Either it is stopped or \
         starved, or its watch is delayed. A sync that begins now works on the older state: it may create \
         pods a second time, choose other victims, or do nothing. Ranges answer for the time when it has \
         caught up.",
    recognised: "The controller's log at level 4 lacks, for more than three seconds, the lines that its handlers \
         write for pods that were received here.",
    tiers: &[Tier::Logged],
    remedy: "Look at the controller-manager's own watches and load (its log, its metrics), and at the API \
         server. Ask again in some seconds.",
    wakes: Some("Nothing from outside: the controller has to catch up."),
};
