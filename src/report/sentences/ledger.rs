//! The lines of the ledger: what happened, or what was proved.

use crate::objects::event as events;
use crate::reconstruct::ledger::{Fact, Line};
use crate::reconstruct::refusal;

/// What happened, in plain words. Names and messages stand in it as they are.
pub(crate) fn ledger(line: &Line, count: u64) -> String {
    let counts = line.counts;
    // One pod by its name, several by their number.
    let of = |pod: &str| if count == 1 { pod.to_owned() } else { format!("{count} pods") };
    let times = if count == 1 { String::new() } else { format!(" ×{count}") };
    match &line.fact {
        Fact::Opened { .. } => format!("start: wants {}, has {}", counts.wanted, counts.owned),
        Fact::Appeared => format!("appears: wants {}", counts.wanted),
        Fact::Recreated => format!("recreated: wants {}", counts.wanted),
        Fact::Deleting => "is being deleted".into(),
        Fact::Removed => "is gone".into(),
        Fact::Scaled { from, to } => format!("scaled from {from} to {to}"),
        Fact::StatusWritten { replicas, failure: None, .. } => {
            format!("status{times}: {}", counted(*replicas))
        }
        Fact::StatusWritten { replicas, failure: Some(_), .. } => {
            format!("status{times}: {}, refused", counted(*replicas))
        }
        Fact::Created { pod, named: true } => format!("created {}", of(pod)),
        Fact::Created { pod, named: false } => format!("created {}, no owner", of(pod)),
        Fact::Arrived { pod, named: true } => format!("foreign: {}", of(pod)),
        Fact::Arrived { pod, named: false } => format!("orphan: {}", of(pod)),
        Fact::Adopted { pod } => format!("adopted {}", of(pod)),
        Fact::Lost { pod } => format!("released {}", of(pod)),
        Fact::Ended { pod } => format!("ended: {}", of(pod)),
        Fact::Terminating { pod } => format!("terminating: {}", of(pod)),
        Fact::Gone { pod } => format!("gone: {}", of(pod)),
        Fact::Event { reason, message } => event(reason, message, count, &times),
        Fact::Takeover { holder } => format!("a new leader: {holder}"),
        Fact::CreatesBegun { least, most } => format!("a sync creates {}", span(*least, *most)),
        Fact::DeletesBegun { least, most } => format!("a sync deleted {}", span(*least, *most)),
        Fact::Settled => "that sync has ended".into(),
        Fact::Swallowed => "its creates lead to no pods".into(),
        Fact::Expired => "the expectations expire".into(),
        Fact::Asked { .. } => format!("end: wants {}, has {}", counts.wanted, counts.owned),
        Fact::Missed { gap, .. } => format!("gap: {}", super::gap(gap)),
        Fact::LogCreates(count) => format!("a sync creates {}", counted(*count)),
        Fact::LogDeletes(count) => format!("a sync deletes {}", counted(*count)),
        Fact::LogSkipped(count) => format!("{count} creates failed"),
        Fact::LogDeletion(pod) => format!("observed the deletion of {}", of(pod)),
        Fact::LogCreation(pod) => format!("observed {}", of(pod)),
        Fact::LogStarted => "the controller starts".into(),
        Fact::LogStale => format!("stale cache: no sync{times}"),
        Fact::LogFailed(error) => format!("a sync failed{times}: {error}"),
        Fact::LogDropped => "the entry is dropped".into(),
    }
}

/// A deletion by the pod's name, a refusal by its code: the message is mostly too long for a line.
fn event(reason: &str, message: &str, count: u64, times: &str) -> String {
    if let Some(pod) = events::deleted_pod(message) {
        return if count == 1 {
            format!("event: deleted {pod}")
        } else {
            format!("event: deleted {count} pods")
        };
    }
    if matches!(reason, "FailedCreate" | "FailedDelete") {
        return format!("refused{times}: {}", refusal::classify(message).code.as_str());
    }
    format!("{reason}{times}")
}

fn counted(count: i64) -> String {
    format!("{count} pod{}", if count == 1 { "" } else { "s" })
}

/// `1 pod`, `2 to 5 pods`, `up to 5 pods`.
fn span(least: i64, most: i64) -> String {
    match least {
        _ if least == most => counted(most),
        0 => format!("up to {}", counted(most)),
        _ => format!("{least} to {}", counted(most)),
    }
}
