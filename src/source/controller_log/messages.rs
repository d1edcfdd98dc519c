//! What the messages mean: the structured ones of 1.28 and later, with their fields. Messages are
//! matched, never the file and line before them, which differ between builds.

use super::printf;
use super::record::{self, Foreign, Record};
use crate::objects::log_line::{LoggedEntry, PodChange, Step};
use crate::objects::{Key, LogLine, OwnerKind};

/// Messages whose fields tell the rest.
const WHOLE: [&str; 30] = [
    "Adding",
    "Clobbering existing delete keys",
    "Controller created pod",
    "Controller either never recorded expectations, or the ttl expired",
    "Controller expectations expired",
    "Controller expectations fulfilled",
    "Controller received delete for pod",
    "Controller starting...",
    "Controller still waiting on expectations",
    "Controller waiting on deletions",
    "Deleting",
    "Deleting pod",
    "Event occurred",
    "Failed to delete pod, decremented expectations",
    "Finished syncing",
    "Lowered expectations",
    "Orphan Pod created",
    "Orphan Pod objectMeta updated.",
    "Pod created",
    "Pod deleted",
    "Pod objectMeta updated.",
    "Raised expectations",
    "Setting expectations",
    "Slow-start failure. Skipping creation of pods, decrementing expectations",
    "Starting controller",
    "Too few replicas",
    "Too many replicas",
    "Unhandled Error",
    "deleted",
    "replicaSet updated. Desired pod count change.",
];

/// Whether a message may mean something, by its beginning as it stands in the line: quoted by Go
/// or JSON, or not at all. Nearly every line of a log is passed over here.
pub(crate) fn is_known(message: &[u8], quoted: bool) -> bool {
    // Looking at one byte first spares most of the comparisons.
    let Some(first) = message.first() else { return false };
    let whole = |known: &&str| {
        known.as_bytes().first() == Some(first)
            && message.strip_prefix(known.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'"'))
    };
    (quoted && WHOLE.iter().any(whole)) || printf::may_begin(message)
}

/// What a record says, and of which kind of owner, as far as it tells.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Said {
    /// The meaning.
    pub(crate) line: LogLine,
    /// Whose line it is.
    pub(crate) owner: Option<OwnerKind>,
    /// Whether it names its logger.
    pub(crate) has_logger: bool,
}

/// Reads a record; None if it says nothing that is understood.
pub fn read(record: &Record<'_>) -> Option<Said> {
    let owner = match record.owner() {
        Ok(owner) => owner,
        Err(Foreign) => return None,
    };
    let (line, told) = meaning(record, owner)?;
    Some(Said { line, owner: owner.or(told), has_logger: record.has_logger() })
}

/// The meaning, and the kind of owner where only the message tells it.
fn meaning(record: &Record<'_>, owner: Option<OwnerKind>) -> Option<(LogLine, Option<OwnerKind>)> {
    let line = match &*record.message {
        "Starting controller" | "Controller starting..." => {
            let name = |field| record::controller(&record.get(field)?);
            return Some((LogLine::Started, Some(name("name").or_else(|| name("controller"))?)));
        }
        "Unhandled Error" => return printf::read(&record.get("err")?),
        "Pod created" | "Orphan Pod created" => pod(record, owner, PodChange::Created, "detail")?,
        "Pod objectMeta updated." | "Orphan Pod objectMeta updated." => {
            pod(record, owner, PodChange::Updated, "curObjectMeta")?
        }
        "Pod deleted" => pod(record, owner, PodChange::Deleted, "delete_by")?,
        "Finished syncing" | "deleted" | "Event occurred" => of_kind(record)?,
        message => match expectations(record, message).or_else(|| sync(record, message)) {
            Some(line) => line,
            None => return printf::read(message),
        },
    };
    Some((line, None))
}

/// Lines of a sync, and of the handlers of ReplicaSets.
fn sync(record: &Record<'_>, message: &str) -> Option<LogLine> {
    let replica_set = || record.key("replicaSet");
    let owner = || record.get("controller").filter(|name| record::is_name(name)).map(Into::into);
    Some(match message {
        "Too few replicas" => plan(true, replica_set()?, record.number("need")?, record.number("creating")?),
        "Too many replicas" => {
            plan(false, replica_set()?, record.number("need")?, record.number("deleting")?)
        }
        "Slow-start failure. Skipping creation of pods, decrementing expectations" => {
            LogLine::SkippedCreates { key: replica_set()?, count: record.number("podsSkipped")? }
        }
        "Failed to delete pod, decremented expectations" => {
            LogLine::DeleteFailed { key: replica_set()?, pod: record.key("pod")?.name }
        }
        "Controller created pod" => LogLine::CreatedPod { owner: owner()?, pod: record.key("pod")? },
        "Deleting pod" => LogLine::DeletingPod { owner: owner()?, pod: record.key("pod")? },
        "Adding" => LogLine::Adding { key: replica_set()? },
        "Deleting" => LogLine::Dropped { key: replica_set()? },
        "replicaSet updated. Desired pod count change." => LogLine::Resized {
            key: replica_set()?,
            old: record.number("oldReplicas")?,
            new: record.number("newReplicas")?,
        },
        _ => return None,
    })
}

/// Lines about expectations.
fn expectations(record: &Record<'_>, message: &str) -> Option<LogLine> {
    let controller = || record.key("controller");
    if let Some(step) = step(message) {
        let entry = record.get("expectations").and_then(|text| entry(&text));
        return Some(LogLine::Expectations { step, entry, by_handler: None });
    }
    Some(match message {
        "Controller either never recorded expectations, or the ttl expired" => {
            LogLine::NeverRecorded { key: controller()? }
        }
        "Controller waiting on deletions" => {
            LogLine::AwaitsDeletions { key: controller()?, pods: record::pods(&record.get("keys")?)? }
        }
        "Controller received delete for pod" => {
            LogLine::DeletionSeen { key: controller()?, pod: record.key("key")?.name }
        }
        "Clobbering existing delete keys" => {
            LogLine::Clobbers { pods: record::pods(&record.get("keys")?).unwrap_or_default() }
        }
        _ => return None,
    })
}

/// The step that a message is about.
pub(crate) fn step(message: &str) -> Option<Step> {
    Some(match message {
        "Setting expectations" => Step::Set,
        "Lowered expectations" => Step::Lowered,
        "Raised expectations" => Step::Raised,
        "Controller expectations fulfilled" => Step::Fulfilled,
        "Controller expectations expired" => Step::Expired,
        "Controller still waiting on expectations" => Step::Waiting,
        _ => return None,
    })
}

/// Lines that say which kind they are about, as other controllers may print the same.
fn of_kind(record: &Record<'_>) -> Option<LogLine> {
    let kind = record.get("kind")?;
    record::kind_of(&kind)?;
    Some(match &*record.message {
        "Finished syncing" => LogLine::Finished { kind: kind.into_owned(), key: record.key("key")? },
        "deleted" => LogLine::Dropped { key: record.key("key")? },
        _ => LogLine::Event {
            key: record.key("object")?,
            reason: record.get("reason")?.into_owned(),
            message: record.get("message")?.into_owned(),
        },
    })
}

/// A handler's line. Without a logger only a field that no other controller's line has tells
/// that it is the one of ReplicaSets.
fn pod(record: &Record<'_>, owner: Option<OwnerKind>, change: PodChange, own_field: &str) -> Option<LogLine> {
    if owner.is_none() && record.get(own_field).is_none() {
        return None;
    }
    let orphan = record.message.starts_with("Orphan");
    Some(LogLine::Pod { change, orphan, pod: record.key("pod")? })
}

/// An entry as Go prints it, `{add:1, del:0, key:"ns/name", ...}` or alike; None of `{}`.
pub fn entry(text: &str) -> Option<LoggedEntry> {
    let key = member(text, "key").and_then(|text| {
        let text = text.trim_start_matches('"');
        record::key(text.split(['"', ' ', ',', '}']).next()?)
    });
    Some(LoggedEntry { add: count(text, "add")?, del: count(text, "del")?, key })
}

fn count(text: &str, name: &str) -> Option<i64> {
    let text = member(text, name)?;
    text.split([' ', ',', '}']).next()?.parse().ok()
}

/// What stands behind `name:` or `"name":`.
fn member<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let places = text.match_indices(name);
    places
        .filter(|(at, _)| text[..*at].ends_with(['{', ' ', ',', '"']))
        .find_map(|(at, _)| {
            let rest = &text[at + name.len()..];
            rest.strip_prefix('"').unwrap_or(rest).strip_prefix(':')
        })
        .map(|rest| rest.trim_start_matches(' '))
}

/// What a sync sets out to do.
pub fn plan(create: bool, key: Key, need: i64, count: i64) -> LogLine {
    if create { LogLine::Creates { key, need, count } } else { LogLine::Deletes { key, need, count } }
}
