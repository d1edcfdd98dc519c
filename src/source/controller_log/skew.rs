//! How far the controller's clock is ahead of the observer's: pods occur in the log and in the
//! recording, each with the time at which it was seen.

use std::collections::HashMap;
use std::io::BufRead;

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::clock::Clock;
use super::reader::LogLines;
use crate::objects::log_line::PodChange;
use crate::objects::{LogLine, Object, Observation, What};
use crate::source::{Flow, Sink};

/// More names are not kept: their times tell no more.
const MOST_NAMES: usize = 4000;

/// So many times are enough for a median.
const ENOUGH: usize = 400;

/// Clocks that differ by less are taken for the same: a watch event takes that long at times.
const SAME: SignedDuration = SignedDuration::from_secs(1);

/// A difference so near to a whole half hour is one of zones.
const NEAR: SignedDuration = SignedDuration::from_mins(3);

/// What is known of the controller's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skew {
    /// There was nothing to compare with.
    Unknown,
    /// The log cannot be read twice.
    ReadOnce,
    /// No pod is both in the log and in the recording.
    NoPod,
    /// Measured.
    Measured {
        /// By how much the controller's clock is ahead.
        ahead: SignedDuration,
        /// From how many pods.
        pods: usize,
    },
}

impl Skew {
    /// What is taken off the log's times.
    pub fn correction(self) -> SignedDuration {
        match self {
            Skew::Measured { ahead, .. } if ahead.abs() > SAME => ahead,
            _ => SignedDuration::ZERO,
        }
    }

    /// The zone that text seems to be in, given the zone that it was taken for.
    pub fn zone(self, taken: Option<Offset>) -> Option<Offset> {
        const HALF_HOUR: i64 = 30 * 60;
        let seconds = self.correction().as_secs();
        let halves = (seconds + HALF_HOUR / 2).div_euclid(HALF_HOUR);
        let rest = SignedDuration::from_secs(seconds - halves * HALF_HOUR);
        let taken = taken.unwrap_or(Offset::UTC).seconds();
        let zone = i32::try_from(halves * HALF_HOUR).ok()?.checked_add(taken)?;
        let possible = zone.abs() <= 14 * 3600 && rest.abs() <= NEAR && halves != 0;
        Offset::from_seconds(zone).ok().filter(|_| possible)
    }
}

/// When the observer saw pods come and go.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// None for a name that occurs twice.
    come: HashMap<String, Option<Timestamp>>,
    gone: HashMap<String, Option<Timestamp>>,
}

impl Seen {
    /// Whether there is nothing to compare with.
    pub fn is_empty(&self) -> bool {
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
        let again = |known: &mut Option<Timestamp>| *known = known.filter(|_| !added);
        names.entry(pod.meta.name.clone()).and_modify(again).or_insert(Some(at));
        if self.come.len() + self.gone.len() < MOST_NAMES { Flow::Continue } else { Flow::Enough }
    }
}

/// Compares a log with what the observer saw. Pods that come are better than pods that go: a
/// delete may hang on its way.
pub fn measure(reader: impl BufRead, clock: Clock, seen: &Seen) -> Skew {
    let mut lines = LogLines::new(reader, clock);
    let mut names = seen.clone();
    let (mut come, mut gone) = (Vec::new(), Vec::new());
    while let Ok(Some(Observation { at, what: What::Log(line), .. })) = lines.next(true) {
        let Some(at) = at else { continue };
        let (seen, differences) = match &line {
            LogLine::Pod { change: PodChange::Created, pod, .. } | LogLine::CreatedPod { pod, .. } => {
                (names.come.remove(&pod.name), &mut come)
            }
            LogLine::DeletingPod { pod, .. } => (names.gone.remove(&pod.name), &mut gone),
            _ => continue,
        };
        if let Some(Some(seen)) = seen {
            differences.push(at.duration_since(seen));
        }
        if come.len() >= ENOUGH || (names.come.is_empty() && names.gone.is_empty()) {
            break;
        }
    }
    let mut differences = if come.is_empty() { gone } else { come };
    differences.sort();
    match differences.get(differences.len() / 2) {
        Some(ahead) => Skew::Measured { ahead: *ahead, pods: differences.len() },
        None => Skew::NoPod,
    }
}
