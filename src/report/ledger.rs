//! Lines of the ledger as values of the report, and what they say in words.

use super::build::build_range;
use super::{DueSync, LedgerLine, SyncAction, sentences};
use crate::model::BURST;
use crate::reconstruct::ledger::{Fact, Line};
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
        text: sentences::ledger(last, *count),
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

/// What is shown whole beside the words.
fn message(fact: &Fact) -> Option<&str> {
    match fact {
        Fact::Event { message, .. } if fact.pod().is_none() => Some(message),
        Fact::StatusWritten { failure, .. } => failure.as_deref(),
        _ => None,
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
