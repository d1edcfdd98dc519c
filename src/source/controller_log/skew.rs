//! How far the controller's clock is ahead of the observer's: pods occur in the log and in the
//! recording, each with the time at which it was seen.

use std::collections::HashMap;
use std::io::BufRead;

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::clock::Clock;
use super::reader::LogLines;
use crate::objects::{LogLine, Object, Observation, What};
use crate::source::{Flow, Sink};

/// More names are not kept: their times tell no more.
const MOST_NAMES: usize = 4000;

/// So many times are enough for a median.
const ENOUGH: usize = 400;

/// Clocks that differ by less are taken for the same: a watch event takes that long at times.
const SAME: SignedDuration = SignedDuration::from_secs(1);

/// A smaller difference must be shown by so many pods that agree: the controller or the observer
/// may have stood still meanwhile, or a webhook have held a request up for its 30 seconds.
const LARGE: SignedDuration = SignedDuration::from_secs(60);
const FEWEST: usize = 3;

/// A difference so near to a whole half hour is one of zones.
const NEAR: SignedDuration = SignedDuration::from_mins(3);

/// What is known of the controller's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skew {
    /// There was nothing to compare with.
    Unknown,
    /// The log cannot be read twice.
    ReadOnce,
    /// No pod is both in the log and in the recording.
    NoPod,
    /// Too few pods are in both, or their times differ too much.
    Unsure {
        /// From how many pods.
        pods: usize,
    },
    Measured {
        /// By how much the controller's clock is ahead.
        ahead: SignedDuration,
        /// From how many pods.
        pods: usize,
    },
}

impl Skew {
    /// What is taken off the log's times.
    pub(crate) fn correction(self) -> SignedDuration {
        match self {
            Skew::Measured { ahead, .. } if ahead.abs() > SAME => ahead,
            _ => SignedDuration::ZERO,
        }
    }

    /// The zone that text seems to be in, given the zone that it was taken for.
    pub(crate) fn zone(self, taken: Option<Offset>) -> Option<Offset> {
        const HALF_HOUR: i64 = 30 * 60;
        let seconds = self.correction().as_secs();
        let halves = (seconds + HALF_HOUR / 2).div_euclid(HALF_HOUR);
        let rest = SignedDuration::from_secs(seconds - halves * HALF_HOUR);
        let taken = taken.unwrap_or(Offset::UTC).seconds();
        let zone = i32::try_from(halves * HALF_HOUR).ok()?.checked_add(taken)?;
        let possible = zone.abs() <= 14 * 3600 && rest.abs() <= NEAR && halves != 0;
        if possible { Offset::from_seconds(zone).ok() } else { None }
    }
}

/// When the observer saw pods come and go.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    /// None for a name that occurs twice.
    come: HashMap<String, Option<Timestamp>>,
    gone: HashMap<String, Option<Timestamp>>,
}

impl Seen {
    /// Whether there is nothing to compare with.
    pub(crate) fn is_empty(&self) -> bool {
        self.come.is_empty() && self.gone.is_empty()
    }
}

impl Sink for Seen {
    fn observe(&mut self, observation: Observation) -> Flow {
        let (Some(at), What::Added(Object::Pod(pod)) | What::Modified(Object::Pod(pod))) =
            (observation.at, &observation.what)
        else {
            return Flow::Continue;
        };
        let added = matches!(observation.what, What::Added(_));
        let deleting = pod.meta.deleted.is_some();
        let names = match (added, deleting) {
            (true, false) => &mut self.come,
            (false, true) => &mut self.gone,
            _ => return Flow::Continue,
        };
        let again = |known: &mut Option<Timestamp>| {
            if added {
                *known = None;
            }
        };
        names.entry(pod.meta.name.clone()).and_modify(again).or_insert(Some(at));
        if self.come.len() + self.gone.len() < MOST_NAMES { Flow::Continue } else { Flow::Enough }
    }
}

/// Compares a log with what the observer saw. Only the answers of creates are as exact as that:
/// a handler may run long after its event, and a delete may hang on its way.
pub(crate) fn measure(reader: impl BufRead, clock: Clock, seen: &Seen) -> Skew {
    let mut lines = LogLines::new(reader, clock);
    let mut names = seen.clone();
    let (mut come, mut gone) = (Vec::new(), Vec::new());
    while let Ok(Some(Observation { at, what: What::Log(line), .. })) = lines.next(true) {
        let Some(at) = at else { continue };
        let (seen, differences) = match &line {
            LogLine::CreatedPod { pod, .. } => (names.come.remove(&pod.name), &mut come),
            LogLine::DeletingPod { pod, .. } => (names.gone.remove(&pod.name), &mut gone),
            _ => continue,
        };
        if let Some(Some(seen)) = seen {
            differences.push(at.duration_since(seen));
        }
        if come.len() >= ENOUGH || names.is_empty() {
            break;
        }
    }
    if come.is_empty() { judge(gone, usize::MAX) } else { judge(come, FEWEST) }
}

/// The median, if it can be believed: small ones only from so many that agree.
fn judge(mut differences: Vec<SignedDuration>, fewest: usize) -> Skew {
    differences.sort();
    let pods = differences.len();
    let Some(ahead) = differences.get(pods / 2).copied() else { return Skew::NoPod };
    let agree = differences[pods * 3 / 4] - differences[pods / 4] <= SAME;
    let sure = ahead.abs() <= SAME || ahead.abs() >= LARGE || (pods >= fewest && agree);
    if sure { Skew::Measured { ahead, pods } } else { Skew::Unsure { pods } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(all: &[i64]) -> Vec<SignedDuration> {
        all.iter().copied().map(SignedDuration::from_secs).collect()
    }

    #[test]
    fn a_small_difference_needs_pods_that_agree() {
        let measured = |seconds, pods| Skew::Measured { ahead: SignedDuration::from_secs(seconds), pods };
        assert_eq!(judge(seconds(&[5, 5, 5]), FEWEST), measured(5, 3));
        assert_eq!(judge(seconds(&[5, 5]), FEWEST), Skew::Unsure { pods: 2 });
        assert_eq!(judge(seconds(&[1, 5, 5, 9]), FEWEST), Skew::Unsure { pods: 4 });
        assert_eq!(judge(seconds(&[-7200]), FEWEST), measured(-7200, 1));
        assert_eq!(judge(seconds(&[0]), FEWEST), measured(0, 1));
        assert_eq!(judge(seconds(&[-20, -20, -20]), usize::MAX), Skew::Unsure { pods: 3 });
        assert_eq!(judge(Vec::new(), FEWEST), Skew::NoPod);
    }
}
