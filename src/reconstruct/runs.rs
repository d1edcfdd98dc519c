//! Lines that say the same, one after the other or in turns, as one: a burst of 500 pods is one run.

use std::collections::VecDeque;

use jiff::SignedDuration;

use super::ledger::{Fact, Line};

/// After a longer silence a run ends: what comes then is another story.
const PAUSE: SignedDuration = SignedDuration::from_secs(5);

/// So many kinds of lines may take turns.
const IN_TURNS: usize = 6;

/// Lines alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Run {
    /// How many lines.
    pub(crate) count: u64,
    pub(crate) first: Line,
    /// The last; what the controller may hold after the run stands here.
    pub(crate) last: Line,
}

impl Run {
    /// A line on its own.
    pub fn of(line: Line) -> Run {
        Run { count: 1, first: line.clone(), last: line }
    }
}

/// Collects lines into runs, in the order of their first lines.
#[derive(Debug, Clone, Default)]
pub(crate) struct Runs {
    runs: VecDeque<Run>,
    /// So many of the last ones may still grow.
    growing: usize,
}

impl Runs {
    /// Takes a line.
    pub fn push(&mut self, line: Line) {
        let growing = self.runs.range(self.runs.len() - self.growing..);
        let newest = growing.map(|run| run.last.at).max();
        let silent = newest.is_some_and(|newest| line.at.duration_since(newest) > PAUSE);
        if silent || !may_repeat(&line.fact) {
            self.growing = 0;
        }
        let from = self.runs.len() - self.growing;
        if let Some(run) = self.runs.range_mut(from..).find(|run| alike(&run.last.fact, &line.fact)) {
            run.count += 1;
            run.last = line;
            return;
        }
        self.growing = if may_repeat(&line.fact) { (self.growing + 1).min(IN_TURNS) } else { 0 };
        self.runs.push_back(Run::of(line));
    }

    /// Drops the oldest, so that so many are left.
    pub(crate) fn keep(&mut self, last: usize) {
        let surplus = self.runs.len().saturating_sub(last);
        self.runs.drain(..surplus);
        self.growing = self.growing.min(self.runs.len());
    }

    /// Takes the runs that no further line can join.
    pub(crate) fn take_ended(&mut self) -> Vec<Run> {
        let ended = self.runs.len() - self.growing;
        self.runs.drain(..ended).collect()
    }

    pub(crate) fn take_all(&mut self) -> Vec<Run> {
        self.growing = 0;
        self.runs.drain(..).collect()
    }

    /// All, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter()
    }
}

/// Whether further lines like this one may belong to the same story.
fn may_repeat(fact: &Fact) -> bool {
    alike(fact, fact)
}

/// Whether two lines say the same of different pods, or again.
fn alike(a: &Fact, b: &Fact) -> bool {
    match (a, b) {
        (Fact::Created { named: x, .. }, Fact::Created { named: y, .. })
        | (Fact::Arrived { named: x, .. }, Fact::Arrived { named: y, .. }) => x == y,
        (Fact::Event { reason: x, .. }, Fact::Event { reason: y, .. }) => x == y,
        (Fact::StatusWritten { failure: x, .. }, Fact::StatusWritten { failure: y, .. }) => {
            x.is_some() == y.is_some()
        }
        (Fact::LogFailed(x), Fact::LogFailed(y)) => x == y,
        (Fact::Adopted { .. }, Fact::Adopted { .. })
        | (Fact::Lost { .. }, Fact::Lost { .. })
        | (Fact::Ended { .. }, Fact::Ended { .. })
        | (Fact::Terminating { .. }, Fact::Terminating { .. })
        | (Fact::Gone { .. }, Fact::Gone { .. })
        | (Fact::LogDeletion(_), Fact::LogDeletion(_))
        | (Fact::LogCreation(_), Fact::LogCreation(_))
        | (Fact::LogStale, Fact::LogStale) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::reconstruct::track::Counts;

    fn line(second: i64, fact: Fact) -> Line {
        let at = Timestamp::from_second(1_700_000_000 + second).unwrap();
        Line { at, fact, held: None, gate: None, open: None, counts: Counts::default(), deleting: false }
    }

    fn created(second: i64) -> Line {
        line(second, Fact::Created { pod: format!("web-{second}"), named: true })
    }

    fn gone(second: i64) -> Line {
        line(second, Fact::Gone { pod: format!("web-{second}") })
    }

    fn counts(lines: impl IntoIterator<Item = Line>) -> Vec<u64> {
        let mut runs = Runs::default();
        lines.into_iter().for_each(|line| runs.push(line));
        runs.iter().map(|run| run.count).collect()
    }

    #[test]
    fn lines_that_take_turns_are_two_runs_in_the_order_of_their_first_lines() {
        assert_eq!(counts([created(0), gone(0), created(1), gone(1), created(2)]), [3, 2]);
        let mut runs = Runs::default();
        [created(0), gone(1), created(2)].into_iter().for_each(|line| runs.push(line));
        assert!(runs.take_ended().is_empty(), "both may grow");
        let all = runs.take_all();
        assert_eq!((all[0].first.fact.pod(), all[0].last.fact.pod()), (Some("web-0"), Some("web-2")));
        assert!(runs.take_all().is_empty());
    }

    #[test]
    fn a_turning_point_or_a_silence_ends_all_runs() {
        assert_eq!(counts([created(0), line(0, Fact::Settled), created(1)]), [1, 1, 1]);
        assert_eq!(counts([line(0, Fact::Settled), line(0, Fact::Settled)]), [1, 1]);
        assert_eq!(counts([created(0), created(5), created(11)]), [2, 1]);
    }

    #[test]
    fn what_counts_and_what_does_not_are_not_mixed() {
        let stripped = line(1, Fact::Created { pod: "x".into(), named: false });
        assert_eq!(counts([created(0), stripped, created(1)]), [2, 1]);
        let event = |reason: &str| line(1, Fact::Event { reason: reason.into(), message: "m".into() });
        assert_eq!(counts([event("FailedCreate"), event("FailedDelete"), event("FailedCreate")]), [2, 1]);
    }

    #[test]
    fn only_the_last_runs_are_kept_and_they_go_on_growing() {
        let mut runs = Runs::default();
        for second in 0..500 {
            runs.push(created(second));
            runs.push(gone(second));
            runs.keep(1);
        }
        let all = runs.take_all();
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].last.at, gone(499).at);
    }
}
