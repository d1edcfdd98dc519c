//! Messages that are whole sentences: all of 1.16, fewer with every version up to 1.27, and one
//! to this day.

use super::messages::{entry, plan, step};
use super::record::{is_name, key, kind_of, pods};
use crate::objects::log_line::PodChange;
use crate::objects::{Key, LogLine, OwnerKind};

/// Beginnings of sentences that may mean something, up to the first quotation mark: that may be
/// escaped or not.
const BEGINNINGS: [&str; 26] = [
    "Adding Replica",
    "Clobbering existing delete keys: ",
    "Controller ",
    "Deleting Replica",
    "FLAG: --",
    "Failed to delete ",
    "Finished syncing Replica",
    "Lowered expectations &",
    "Lowered expectations {",
    "Orphan Pod ",
    "Pod ",
    "Raised expectations &",
    "Raised expectations {",
    "ReplicaSet ",
    "ReplicationController ",
    "Setting expectations &",
    "Setting expectations {",
    "Slow-start failure. Skipping creation of ",
    "Starting \"replica",
    "Starting \\\"replica",
    "Starting replica",
    "Sync ",
    "Too few replicas for ",
    "Too many replicas for ",
    "Updating status for ",
    "sync ",
];

/// Whether a message may be one of these.
pub(crate) fn may_begin(message: &[u8]) -> bool {
    let alike = |known: &&str| known.as_bytes().first() == message.first();
    BEGINNINGS.iter().filter(|known| alike(known)).any(|known| message.starts_with(known.as_bytes()))
}

/// A meaning, and the kind of owner if the sentence tells it.
type Told = (LogLine, Option<OwnerKind>);

/// Reads a sentence.
pub fn read(message: &str) -> Option<Told> {
    let untold = |line| (line, None);
    let word = message.split(' ').next()?;
    match word {
        "sync" | "Sync" => failure(message).map(untold),
        "FLAG:" => flag(message).map(untold),
        "Updating" => status(message),
        "Starting" => start(message),
        "Too" => too(message),
        "Controller" => controller(message).map(untold),
        "Setting" | "Lowered" | "Raised" => expectations(message).map(untold),
        "Slow-start" => skipped(message),
        "Failed" => delete_failed(message),
        "Finished" | "Adding" | "Deleting" => named(message),
        "ReplicaSet" | "ReplicationController" => changed(message),
        "Pod" | "Orphan" => pod(message).map(untold),
        "Clobbering" => {
            let keys = message.strip_prefix("Clobbering existing delete keys: ")?;
            Some(untold(LogLine::Clobbers { pods: pods(keys).unwrap_or_default() }))
        }
        _ => None,
    }
}

/// `sync "ns/name" failed with ERROR`
fn failure(message: &str) -> Option<LogLine> {
    let (name, error) = message[4..].strip_prefix(" \"")?.split_once("\" failed with ")?;
    let key = key(name)?;
    let stale = || {
        let (read, rest) =
            error.strip_prefix("read version: ")?.split_once(" is not as new as written version: ")?;
        let (written, resource) = rest.split_once(" for group resource ")?;
        Some((read.to_owned(), written.to_owned(), resource.to_owned()))
    };
    Some(match stale() {
        Some((read, written, resource)) => LogLine::Stale { key, resource, read, written },
        None => LogLine::SyncFailed { key, error: error.to_owned() },
    })
}

/// `FLAG: --NAME="VALUE"`
fn flag(message: &str) -> Option<LogLine> {
    let (name, value) = message.strip_prefix("FLAG: --")?.split_once('=')?;
    let value = value.strip_prefix('"')?.strip_suffix('"')?;
    Some(LogLine::Flag { name: name.to_owned(), value: super::klog::unquote(value)?.into_owned() })
}

/// `Updating status for KIND: ns/name, replicas a->b (need n), ..., sequence No: a->b`; the kind
/// is usually empty.
fn status(message: &str) -> Option<Told> {
    let (kind, rest) = message.strip_prefix("Updating status for ")?.split_once(": ")?;
    let (name, counts) = rest.split_once(", replicas ")?;
    let (replicas, rest) = counts.split_once(" (need ")?;
    let (need, rest) = rest.split_once(')')?;
    let (old, new) = change(replicas)?;
    let after = |what: &str| {
        let (_, rest) = rest.split_once(what)?;
        let end = rest.find([',', ' ']).unwrap_or(rest.len());
        change(&rest[..end]).map(|(_, new)| new)
    };
    let line = LogLine::WritesStatus {
        key: key(name)?,
        old,
        new,
        need: need.parse().ok()?,
        ready: after("readyReplicas ")?,
        available: after("availableReplicas ")?,
        generation: after("sequence No: ")?,
    };
    // The kind is a whole group, version and kind where it is printed.
    let kind = kind.rsplit([' ', '=']).next().and_then(kind_of);
    Some((line, kind))
}

/// `a->b`
fn change(text: &str) -> Option<(i64, i64)> {
    let (old, new) = text.split_once("->")?;
    Some((old.parse().ok()?, new.parse().ok()?))
}

/// `Starting replicaset controller`, or `Starting "replicaset"`
fn start(message: &str) -> Option<Told> {
    let what = message.strip_prefix("Starting ")?;
    let name = what.strip_suffix(" controller").unwrap_or(what).trim_matches('"');
    Some((LogLine::Started, Some(super::record::controller(name)?)))
}

/// `Too few replicas for KIND ns/name, need N, creating N`
fn too(message: &str) -> Option<Told> {
    let (create, rest) = match message.strip_prefix("Too few replicas for ") {
        Some(rest) => (true, rest),
        None => (false, message.strip_prefix("Too many replicas for ")?),
    };
    let (object, numbers) = rest.split_once(", need ")?;
    let (need, count) = numbers.split_once(if create { ", creating " } else { ", deleting " })?;
    let (kind, key) = object_of(object)?;
    Some((plan(create, key, need.parse().ok()?, count.parse().ok()?), kind))
}

/// `KIND ns/name` or `KIND "ns/name"`
fn object_of(text: &str) -> Option<(Option<OwnerKind>, Key)> {
    let (kind, name) = text.rsplit_once(' ')?;
    Some((kind_of(kind.trim()), key(name.trim_matches('"'))?))
}

/// Sentences about expectations that begin with the controller.
fn controller(message: &str) -> Option<LogLine> {
    let rest = message.strip_prefix("Controller ")?;
    if let Some(entry) = expectations(message) {
        return Some(entry);
    }
    let (name, what) = rest.split_once(' ')?;
    if let Some(created) = what.strip_prefix("created pod ") {
        return Some(LogLine::CreatedPod { owner: own(name)?, pod: pod_key(created)? });
    }
    if let Some(deleting) = what.strip_prefix("deleting pod ") {
        return Some(LogLine::DeletingPod { owner: own(name)?, pod: pod_key(deleting)? });
    }
    let key = || key(name.trim_matches('"'));
    if what.starts_with("either never recorded expectations") {
        return Some(LogLine::NeverRecorded { key: key()? });
    }
    if let Some(list) = what.strip_prefix("waiting on deletions for: ") {
        return Some(LogLine::AwaitsDeletions { key: key()?, pods: pods(list)? });
    }
    let pod = what.strip_prefix("received delete for pod ")?;
    Some(LogLine::DeletionSeen { key: key()?, pod: pod_key(pod)?.name })
}

/// `STEP ENTRY`
fn expectations(message: &str) -> Option<LogLine> {
    let at = message.find([' ', '.'])?;
    let end = message[at..].find(['&', '{'])? + at;
    let step = step(message[..end].trim_end())?;
    Some(LogLine::Expectations { step, entry: entry(&message[end..]), by_handler: None })
}

/// `Slow-start failure. Skipping creation of N pods, decrementing expectations for KIND ns/name`
fn skipped(message: &str) -> Option<Told> {
    let rest = message.strip_prefix("Slow-start failure. Skipping creation of ")?;
    let (count, rest) = rest.split_once(" pods, decrementing expectations for ")?;
    let (kind, key) = object_of(rest)?;
    Some((LogLine::SkippedCreates { key, count: count.parse().ok()? }, kind))
}

/// `Failed to delete ns/pod, decremented expectations for KIND ns/name`
fn delete_failed(message: &str) -> Option<Told> {
    let rest = message.strip_prefix("Failed to delete ")?;
    let (pod, rest) = rest.strip_prefix("pod ").unwrap_or(rest).split_once(", decrement")?;
    let (_, object) = rest.split_once(" expectations for ")?;
    let (kind, key) = object_of(object)?;
    Some((LogLine::DeleteFailed { key, pod: pod_key(pod)?.name }, kind))
}

/// `Finished syncing KIND "ns/name" (1ms)`, `Adding KIND ns/name`, `Deleting KIND "ns/name"`
fn named(message: &str) -> Option<Told> {
    if let Some(rest) = message.strip_prefix("Finished syncing ") {
        let (kind, key) = object_of(rest.rsplit_once(" (")?.0)?;
        let kind = kind?;
        return Some((LogLine::Finished { kind: kind.as_str().to_owned(), key }, Some(kind)));
    }
    if let Some(rest) = message.strip_prefix("Adding ") {
        let (kind, key) = object_of(rest)?;
        return Some((LogLine::Adding { key }, Some(kind?)));
    }
    let (kind, key) = object_of(message.strip_prefix("Deleting ")?)?;
    Some((LogLine::Dropped { key }, Some(kind?)))
}

/// `KIND NAME updated. Desired pod count change: a->b`, `KIND ns/name has been deleted`
fn changed(message: &str) -> Option<Told> {
    if let Some((object, sizes)) = message.split_once(" updated. Desired pod count change: ") {
        let (kind, name) = object.split_once(' ')?;
        let (old, new) = change(sizes)?;
        // Some versions print no namespace.
        let key = key(name).or_else(|| own(name).map(|name| Key::new("", name)))?;
        return Some((LogLine::Resized { key, old, new }, kind_of(kind)));
    }
    let (kind, key) = object_of(message.strip_suffix(" has been deleted")?)?;
    Some((LogLine::Dropped { key }, kind))
}

/// `Pod NAME created: OBJECT.`, `Pod NAME updated, objectMeta OLD -> NEW.`,
/// `Pod ns/name deleted through HANDLER, timestamp TIME: OBJECT.`
fn pod(message: &str) -> Option<LogLine> {
    let orphan = message.starts_with("Orphan ");
    let rest = message.strip_prefix("Orphan ").unwrap_or(message).strip_prefix("Pod ")?;
    let (name, what) = rest.split_once(' ')?;
    let (change, detail) = if let Some(object) = what.strip_prefix("created: ") {
        (PodChange::Created, object)
    } else if let Some(meta) = what.strip_prefix("updated, objectMeta ") {
        (PodChange::Updated, meta)
    } else {
        let (handler, object) = what.strip_prefix("deleted through ")?.split_once(", timestamp ")?;
        // StatefulSets have the same sentence.
        handler.contains("eplica").then_some((PodChange::Deleted, object))?
    };
    let pod = key(name).or_else(|| own(name).map(|name| Key::new(namespace(detail), name)))?;
    (orphan || !is_others(detail)).then_some(LogLine::Pod { change, orphan, pod })
}

/// Whether the pod belongs to another kind of controller, whose handler prints the same.
fn is_others(detail: &str) -> bool {
    let owners = detail.rfind("OwnerReferences:").map_or("", |at| &detail[at..]);
    let kinds = ["ReplicaSet", "ReplicationController"];
    let own = kinds.iter().any(|kind| {
        owners.contains(&format!("Kind:{kind} ")) || owners.contains(&format!("Kind:\"{kind}\""))
    });
    !own && owners.contains("Kind:")
}

/// The namespace of a pod that Go has printed.
fn namespace(detail: &str) -> &str {
    let value = detail.split_once("Namespace:").map_or("", |(_, rest)| rest.trim_start_matches('"'));
    let value = value.split([' ', '"', ',']).next().unwrap_or_default();
    if is_name(value) { value } else { "" }
}

fn own(name: &str) -> Option<String> {
    let name = name.trim_matches('"');
    is_name(name).then(|| name.to_owned())
}

/// A pod with or without its namespace.
fn pod_key(text: &str) -> Option<Key> {
    let text = text.trim_end_matches('.').trim_matches('"');
    key(text).or_else(|| own(text).map(|name| Key::new("", name)))
}
