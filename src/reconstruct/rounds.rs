//! Rounds that were seen to begin: what a sync set, and what was seen of it since.

use std::collections::{BTreeSet, VecDeque};

use jiff::Timestamp;

use super::range::{Interval, Range};
use super::reads::Sizes;
use crate::objects::compare_resource_versions;

/// Whether one resourceVersion is newer than another; false where that cannot be told.
pub(crate) fn is_newer(version: &str, than: &str) -> bool {
    compare_resource_versions(version, than).is_some_and(|order| order.is_gt())
}

/// A create round that was seen to begin.
#[derive(Debug, Clone)]
pub(crate) struct CreateRound {
    /// The smallest size that it can have.
    pub(crate) least: i64,
    /// The largest size that it can have.
    pub(crate) most: i64,
    /// Its pods that were seen.
    pub(crate) arrived: i64,
    /// Pods seen since it began that name this owner: each lowers add by one.
    pub(crate) lowered: i64,
    /// Pods of somebody else that were seen just before it, and may have lowered it.
    pub(crate) late: i64,
    /// Whether a sync may have deleted pods since, and so replaced what it set.
    pub(crate) doubted: bool,
    /// Between which instants it began.
    pub(crate) begun: Interval,
    /// The state of the pods that was the newest before its first pod.
    pub(crate) after_state: u64,
    /// When its last pod arrived.
    pub(crate) last_at: Timestamp,
    /// The version of its first pod.
    pub(crate) first_version: String,
    /// The version of a write that only its end or what came later can have made.
    pub(crate) ended_by: Option<String>,
    /// Whether a refusal was seen since its last pod.
    pub(crate) refused: bool,
    /// Whether what decides on creates changed since it began.
    pub(crate) admission_changed: bool,
    /// Whether all that its calls did was seen.
    pub(crate) settled: bool,
}

impl CreateRound {
    /// Whether a pod of this version can be one of its own.
    pub(crate) fn takes(&self, version: &str) -> bool {
        let ended = self.ended_by.as_deref().is_some_and(|end| is_newer(version, end));
        self.arrived < self.most && !ended
    }

    /// Notes a write that was made when no call of an earlier sync was open any more.
    pub(crate) fn end(&mut self, version: &str) -> bool {
        let ends = self.ended_by.is_none() && is_newer(version, &self.first_version);
        if ends {
            self.ended_by = Some(version.to_owned());
        }
        ends
    }

    /// Whether it had ended when this version was written.
    pub(crate) fn had_ended(&self, version: &str) -> bool {
        self.ended_by.as_deref().is_some_and(|end| end == version || is_newer(version, end))
    }

    /// Whether creates that are still to come may have been refused already, with nothing told of it; `room` is what quotas
    /// leave.
    pub(crate) fn may_be_refused(&self, room: Option<i64>) -> bool {
        let rest = self.most - self.arrived;
        let refusing = self.admission_changed || room.is_some_and(|room| room < rest);
        refusing && self.ended_by.is_none() && rest > 0
    }

    /// What add is once every call was answered and every pod seen: those that lowered nothing.
    pub(crate) fn outstanding(&self) -> i64 {
        self.arrived - self.lowered
    }
}

/// A delete round that was seen to begin.
#[derive(Debug, Clone)]
pub(crate) struct DeleteRound {
    /// The smallest size that it can have.
    pub(crate) least: i64,
    /// The largest size that it can have.
    pub(crate) most: i64,
    /// Pods of this owner seen terminating since it can have begun, at most.
    pub(crate) terminated: i64,
    /// Its pods that an event names and that were seen terminating.
    pub(crate) certain: i64,
    /// Its pods that an event names and that were not seen terminating yet.
    pub(crate) named: BTreeSet<String>,
    /// Pods of somebody else that were seen before it, and may lower add below zero after it.
    pub(crate) late: i64,
    /// Events about it.
    pub(crate) told: i64,
    /// The version of the newest event about it.
    pub(crate) version: String,
    /// Whether a write was seen that only its end or what came later can have made.
    pub(crate) ended: bool,
    /// Whether all that its calls did was seen.
    pub(crate) settled: bool,
}

impl DeleteRound {
    /// A round of these sizes, told by one event.
    pub(crate) fn begun(sizes: Sizes, terminated: i64) -> DeleteRound {
        DeleteRound {
            least: sizes.least,
            most: sizes.most,
            terminated,
            certain: 0,
            named: BTreeSet::new(),
            late: 0,
            told: 0,
            version: String::new(),
            ended: false,
            settled: false,
        }
    }

    /// A pod of its owner was seen terminating.
    pub(crate) fn note_terminated(&mut self, pod: &str) {
        self.terminated += 1;
        self.certain += i64::from(self.named.remove(pod));
    }

    /// An event tells of it; `gone` if the pod that it names was seen terminating.
    pub(crate) fn note_event(&mut self, pod: Option<&str>, gone: bool, version: &str) {
        self.told += 1;
        self.version = version.to_owned();
        match pod {
            Some(_) if gone => self.certain += 1,
            Some(pod) => drop(self.named.insert(pod.to_owned())),
            None => {}
        }
    }

    /// Whether another event can be about it.
    pub(crate) fn takes(&self) -> bool {
        self.told < self.most && !self.ended
    }

    /// What may be outstanding: victims that were not seen terminating are still active, or left
    /// by another way (`others`).
    pub(crate) fn outstanding(&self, others: i64) -> Range {
        let most = (self.most - self.certain).min(others).max(0);
        Range::new((self.least - self.terminated).clamp(0, most), most)
    }
}

/// A create round that is being carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnderWay {
    /// Creates that it set out for.
    pub(crate) count: i64,
    /// Of these, pods seen.
    pub(crate) done: i64,
    /// Between which instants it began.
    pub(crate) begun: Interval,
}

/// Pods of one owner that were seen terminating of late, each with the state of the pods that
/// followed. Bounded: the oldest is forgotten first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Terminations(VecDeque<(String, u64)>);

/// More than this are not kept by name.
const LONGEST: usize = 1024;

impl Terminations {
    /// Notes one, if it is the first of this pod.
    pub(crate) fn note(&mut self, pod: &str, number: u64) -> bool {
        if self.number(pod).is_some() {
            return false;
        }
        self.0.push_back((pod.to_owned(), number));
        if self.0.len() > LONGEST {
            self.0.pop_front();
        }
        true
    }

    /// The state that followed the termination of a pod.
    pub(crate) fn number(&self, pod: &str) -> Option<u64> {
        // The newest are asked for most.
        self.0.iter().rev().find(|(name, _)| name == pod).map(|(_, number)| *number)
    }

    /// How many there were after a state.
    pub(crate) fn after(&self, number: u64) -> i64 {
        self.0.iter().rev().take_while(|(_, at)| *at > number).count() as i64
    }
}
