//! Traps, and the limits of the evidence.
#![allow(non_upper_case_globals, reason = "an entry is named as its code")]

use super::{Code, Entry};
use crate::reasons::Tier;

pub const OwnerReferenceStripped: Entry = Entry {
    code: Code::OwnerReferenceStripped,
    meaning: "Pods arrived without their controllerRef, so they stay awaited",
    text: "Something, usually a mutating webhook, takes or changes the ownerReference of new pods. They \
         arrive as orphans or as another's, so add is not lowered. Orphans that match are adopted by the \
         next sync and counted, but adoption lowers no expectation either. The count is right and the \
         gate stays closed until five minutes have passed and an event comes.",
    recognised: "Pods that only the last sync can have made arrived without this ReplicaSet as their controller, \
         or already terminating, while creations are still awaited.",
    tiers: &[Tier::Inferred],
    remedy: concat!(
        "Repair the webhook so that it keeps metadata.ownerReferences. To go on now, wait for the \
             expiry, then: ",
        wake!()
    ),
    wakes: Some(
        "Nothing before the five minutes are over; then any event of the ReplicaSet or of one of its \
         pods.",
    ),
};

pub const LabelsMutated: Entry = Entry {
    code: Code::LabelsMutated,
    meaning: "New pods lose the labels that the selector requires, and are released",
    text: "Something, usually a mutating webhook, changes labels of new pods. Each pod lowers add when it \
         arrives and is then released, because it does not match. The next sync is short again and \
         creates another. That does not stop by itself: pods without a controller pile up.",
    recognised: "The pods that the last syncs made came with labels that the selector does not match.",
    tiers: &[Tier::Observed],
    remedy: "Scale to 0 to stop it (the Deployment, if there is one), repair the webhook, then delete the \
         pods without a controller.",
    wakes: Some("It never rests: every release is followed by a sync that creates."),
};

pub const DeletionReleased: Entry = Entry {
    code: Code::DeletionReleased,
    meaning: "A pod lost its controllerRef while its deletion was awaited",
    text: "The controller deleted the pod and waits to see that. The pod was released or orphaned first, so \
         its deletion is seen as that of a pod without this owner and does not lower del. The gate stays \
         closed although the pod is gone or going. It opens when five minutes have passed; then the next \
         event starts the sync.",
    recognised: "While deletions were awaited a pod left by another way than deletion: its controllerRef was \
         removed or changed.",
    tiers: &[Tier::Inferred],
    remedy: concat!("Wait for the expiry, then: ", wake!()),
    wakes: Some(
        "Nothing before the five minutes are over; then any event of the ReplicaSet or of one of its \
         pods.",
    ),
};

pub const ReplacedObject: Entry = Entry {
    code: Code::ReplacedObject,
    meaning: "The ReplicaSet was made anew under the same name",
    text: "The name is the same and the UID another. From 1.17 the expectations of the old one are wiped \
         when the controller sees the change; before, the new one inherits them and may wait for pods of \
         the old one. A sync of the old one that still runs can write its status onto the new one (seen \
         on 1.34), so observedGeneration proves nothing until the next status write. Pods of the old one \
         are not the new one's: their controllerRef has the old UID.",
    recognised: "One name stands in the input with two UIDs.",
    tiers: &[Tier::Observed],
    remedy: concat!("Nothing from 1.17 on. Before: wait for five minutes, then: ", wake!()),
    wakes: None,
};

pub const WatchGap: Entry = Entry {
    code: Code::WatchGap,
    meaning: "A watch was interrupted: pods may have come and gone unseen",
    text: "After a gap a watch begins with a new list, which shows the outcome but not what happened \
         between. If the gap is the controller's, a pod that was created and was gone before the list is \
         never seen: add stays up until five minutes have passed and an event comes. If the gap is this \
         program's, what it concluded before holds only in wider ranges.",
    recognised: "A watch of the input broke, ended early, or began again with a list; or lines of a recording are \
         missing or cannot be read.",
    tiers: &[Tier::Observed],
    remedy: concat!(
        "For a firm answer record a window without a gap. If the ReplicaSet is short after the \
             expiry: ",
        wake!()
    ),
    wakes: None,
};

pub const EvidenceIncomplete: Entry = Entry {
    code: Code::EvidenceIncomplete,
    meaning: "What was seen leaves more than one answer open",
    text: "The states of the controller that fit everything seen lead to different next syncs. The ranges \
         in the answer contain the truth, but are not narrow enough to decide. A longer window, events, \
         the lease or the controller's log can decide it; the message names what is missing.",
    recognised: "The evidence leaves the verdict open, though what the controller awaits is known; for instance \
         where creates were refused, and what refused them may be gone.",
    tiers: &[Tier::Inferred],
    remedy: "Watch for longer (--window), or add the controller-manager's log (--controller-log FILE). To \
         learn what it would do in either case: kubectl rsexp dry-run rs/NAME --assume-expectations \
         satisfied (or unmet).",
    wakes: None,
};

pub const VersionAssumed: Entry = Entry {
    code: Code::VersionAssumed,
    meaning: "The server's version or settings are assumed, not read",
    text: "The input does not tell the server's version, or it is outside the versions known here (1.16 to \
         1.37), and the nearest one is taken. Feature gates and flags of the controller-manager are not \
         in the API, so their defaults are assumed. Where this matters for the answer, the reason \
         VersionDependent says so.",
    recognised: "Neither the input nor --server-version tells the version; or it is outside 1.16 to 1.37.",
    tiers: &[Tier::Assumed],
    remedy: "Give the version: --server-version 1.N. A controller-manager log that reaches back to its start \
         holds the flags: --controller-log FILE.",
    wakes: None,
};

pub const LogAlone: Entry = Entry {
    code: Code::LogAlone,
    meaning: "Answered from the controller's log alone: no object was seen",
    text: "The log tells the size that a sync saw, the active pods that it counted for status, and every \
         change of expectations (at -v=4). It does not tell which pods there are, nor what has changed \
         since its last line. So the counts are those of the last sync, and victims cannot be named.",
    recognised: "There is a controller's log and no object of a cluster.",
    tiers: &[Tier::Logged],
    remedy: "Give the objects too: -f with the output of kubectl get rs,pods,events -o yaml, a recording, or \
         ask the cluster itself with --controller-log FILE and --window 5s.",
    wakes: None,
};

pub const ReadDenied: Entry = Entry {
    code: Code::ReadDenied,
    meaning: "Something could not be read, and the answer does without it",
    text: "The API server did not permit a read, and the answer rests on the rest. What was denied is \
         listed as degraded. Without it some reasons cannot be found, and ranges are wider than they need \
         be.",
    recognised: "The API server answered a list or a watch with forbidden. The field degraded of the report says \
         what is lost by that.",
    tiers: &[Tier::Observed],
    remedy: "Ask for the permission named in the message (get, list and watch are enough); check it with \
         kubectl auth can-i list events -n NAMESPACE, for instance.",
    wakes: None,
};
