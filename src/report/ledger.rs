//! Lines of the ledger as values of the report, and what they say in words.

use super::build::build_range;
use super::{DueSync, LedgerLine, SyncAction, sentences};
use crate::model::BURST;
use crate::objects::event;
use crate::reconstruct::ledger::{Fact, Line};
use crate::reconstruct::refusal;
use crate::reconstruct::runs::Run;

/// A run as the report has it.
pub fn ledger_line(run: &Run) -> LedgerLine {
    let Run { count, first, last } = run;
    let pods = if *count > 1 { vec![&first.fact, &last.fact] } else { vec![&first.fact] };
    LedgerLine {
        at: first.at,
        until: (*count > 1).then_some(last.at),
        count: *count,
        basis: first.fact.basis(),
        fact: (&first.fact).into(),
        text: words(last, *count),
        message: message(&last.fact).map(str::to_owned),
        pods: pods.into_iter().filter_map(|fact| fact.pod().map(str::to_owned)).collect(),
        add: last.held.map(|held| build_range(held.add)),
        del: last.held.map(|held| build_range(held.del)),
        gate: last.held.map(|_| last.gate.into()),
        sync: due_sync(last),
    }
}

/// What a sync would have done then; None without a ReplicaSet, or with one that is being deleted.
fn due_sync(line: &Line) -> Option<DueSync> {
    if line.held.is_none() || line.deleting {
        return None;
    }
    let counts = line.counts;
    let diff = counts.owned + counts.adoptable - counts.wanted;
    Some(DueSync {
        open: line.open,
        action: match diff {
            ..0 => SyncAction::Create,
            0 => SyncAction::None,
            1.. => SyncAction::Delete,
        },
        count: diff.abs().min(BURST as i64),
        adopt: counts.adoptable,
        release: counts.leaving,
    })
}

/// What happened, in plain words. Names and messages stand in it as they are.
fn words(line: &Line, count: u64) -> String {
    let counts = line.counts;
    // One pod by its name, several by their number.
    let of = |pod: &str| if count == 1 { pod.to_owned() } else { format!("{count} pods") };
    let times = if count == 1 { String::new() } else { format!(" ×{count}") };
    match &line.fact {
        Fact::Opened { .. } => format!("start: wants {}, has {}", counts.wanted, counts.owned),
        Fact::Appeared => format!("appears: wants {}", counts.wanted),
        Fact::Recreated => format!("made anew: wants {}", counts.wanted),
        Fact::Deleting => "is being deleted".into(),
        Fact::Removed => "is gone".into(),
        Fact::Scaled { from, to } => format!("scaled from {from} to {to}"),
        Fact::StatusWritten { replicas, failure: None, .. } => format!("status{times}: {}", pods(*replicas)),
        Fact::StatusWritten { replicas, failure: Some(_), .. } => {
            format!("status{times}: {}, refused", pods(*replicas))
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
        Fact::Settled => "that sync has ended by now".into(),
        Fact::Swallowed => "its creates come to nothing".into(),
        Fact::Expired => "the five minutes are over".into(),
        Fact::Asked { .. } => format!("end: wants {}, has {}", counts.wanted, counts.owned),
        Fact::Missed { gap, .. } => format!("gap: {}", sentences::gap(gap)),
        Fact::LogCreates(count) => format!("a sync creates {}", pods(*count)),
        Fact::LogDeletes(count) => format!("a sync deletes {}", pods(*count)),
        Fact::LogSkipped(count) => format!("{count} creates failed"),
        Fact::LogDeletion(pod) => format!("has seen the end of {}", of(pod)),
        Fact::LogCreation(pod) => format!("has seen {}", of(pod)),
        Fact::LogStarted => "the controller starts".into(),
        Fact::LogStale => format!("stale cache: no sync{times}"),
        Fact::LogFailed(error) => format!("a sync failed{times}: {error}"),
        Fact::LogDropped => "the entry is dropped".into(),
    }
}

/// What is told in whole beside the words.
fn message(fact: &Fact) -> Option<&str> {
    match fact {
        Fact::Event { message, .. } if fact.pod().is_none() => Some(message),
        Fact::StatusWritten { failure, .. } => failure.as_deref(),
        _ => None,
    }
}

/// A deletion by the pod's name, a refusal by its code: the message is mostly too long for a line.
fn event(reason: &str, message: &str, count: u64, times: &str) -> String {
    if let Some(pod) = event::deleted_pod(message) {
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

fn pods(count: i64) -> String {
    format!("{count} pod{}", if count == 1 { "" } else { "s" })
}

/// `1 pod`, `2 to 5 pods`, `up to 5 pods`.
fn span(least: i64, most: i64) -> String {
    match least {
        _ if least == most => pods(most),
        0 => format!("up to {}", pods(most)),
        _ => format!("{least} to {}", pods(most)),
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::reconstruct::held::Held;
    use crate::reconstruct::ledger::Basis;
    use crate::reconstruct::range::{Interval, Range};
    use crate::reconstruct::track::Counts;
    use crate::report::{FactCode, GateState};

    fn line(fact: Fact) -> Line {
        let set_at = Interval { earliest: None, latest: None };
        Line {
            at: Timestamp::UNIX_EPOCH,
            fact,
            held: Some(Held::set(Range::new(0, 3), Range::ZERO, set_at)),
            gate: None,
            open: None,
            counts: Counts { wanted: 700, owned: 2, adoptable: 1, leaving: 4 },
            deleting: false,
        }
    }

    #[test]
    fn a_line_says_what_a_sync_would_have_done() {
        let value = ledger_line(&Run::of(line(Fact::Gone { pod: "web-a".into() })));
        let sync = DueSync { open: None, action: SyncAction::Create, count: 500, adopt: 1, release: 4 };
        assert_eq!(value.sync, Some(sync));
        assert_eq!(
            (value.gate, value.basis, value.fact),
            (Some(GateState::Undetermined), Basis::Seen, FactCode::PodGone)
        );
        assert_eq!((value.text.as_str(), value.pods), ("gone: web-a", vec!["web-a".to_owned()]));
        let deleted = Line { deleting: true, ..line(Fact::Deleting) };
        assert_eq!(ledger_line(&Run::of(deleted)).sync, None);
        let absent = Line { held: None, ..line(Fact::Removed) };
        let absent = ledger_line(&Run::of(absent));
        assert_eq!((absent.add, absent.gate, absent.sync), (None, None, None));
    }

    #[test]
    fn a_run_names_its_first_and_its_last_pod() {
        let created = |pod: &str| line(Fact::Created { pod: pod.into(), named: true });
        let run = Run { count: 97, first: created("web-a"), last: created("web-z") };
        let value = ledger_line(&run);
        assert_eq!((value.text.as_str(), value.count), ("created 97 pods", 97));
        assert_eq!(value.pods, ["web-a", "web-z"]);
        assert!(value.until.is_some());
    }
}
