//! Whether creates or deletes are being refused: the ReplicaFailure condition and events.
//!
//! The condition keeps the message of the first failure (docs/semantics.md section 4.2), events are merged and
//! dropped: both are needed, and counts are lower bounds.

use jiff::{SignedDuration, Timestamp};

use super::refusal::{self, RefusalCause};
use super::view::View;
use crate::model::queue;
use crate::objects::{Event, ReplicaSet};

/// The pauses of 5 ms, 10 ms, ... before the one of 1000 s, less two for times in whole seconds.
const GROWN: SignedDuration = SignedDuration::from_secs(1308);

/// A refusal that stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StandingRefusal {
    /// What the newest message says.
    pub(crate) cause: RefusalCause,
    /// The newest message, without what the event recorder and the controller put in front.
    pub(crate) message: String,
    /// Whether deletes are refused, not creates.
    pub(crate) deletes: bool,
    /// Whether the condition still shows an older, other cause.
    pub(crate) outdated: Option<String>,
    /// Failed calls, at least.
    pub(crate) at_least: i64,
    /// The last failed call that is known.
    pub(crate) last: Option<Timestamp>,
    /// Since when the condition stands, whole seconds.
    pub(crate) condition_since: Option<Timestamp>,
    /// Whether events were merged, so that some are missing.
    pub(crate) thinned: bool,
}

impl StandingRefusal {
    /// The next try is due by this instant: the pause is never longer than 1000 s.
    pub(crate) fn due_by(&self) -> Option<Timestamp> {
        self.last.and_then(|last| last.saturating_add(self.pause()).ok())
    }

    /// The pause after as many failures as are known, at least.
    pub(crate) fn pause(&self) -> SignedDuration {
        // A batch can fail more than once in one sync, so the known failures are not syncs;
        // the longest pause is the only sure bound.
        queue::LONGEST_RETRY
    }

    /// Failed syncs in a row, as far as they are known: a retry costs one call.
    pub fn failures(&self) -> u32 {
        if self.at_limit() { 20 } else { u32::try_from(self.at_least).unwrap_or(20).min(20) }
    }

    /// Whether the pause has certainly grown to its limit: as long as the condition stands, no
    /// sync ended without an error, and after so long a time of failures 1000 s is next.
    pub(crate) fn at_limit(&self) -> bool {
        let failing = self.condition_since.zip(self.last).map(|(since, last)| last.duration_since(since));
        failing.is_some_and(|failing| failing >= GROWN)
    }
}

/// The refusal that stands, for a ReplicaSet that is short (`diff` below 0) or over.
pub(crate) fn find(view: &View, replica_set: &ReplicaSet, diff: i64) -> Option<StandingRefusal> {
    let deletes = diff > 0;
    let word = if deletes { "FailedDelete" } else { "FailedCreate" };
    let condition = replica_set.status.failure().filter(|c| c.reason == word);
    let failures: Vec<&Event> = own_events(view, replica_set).filter(|e| e.reason == word).collect();
    let newest = failures.iter().max_by_key(|e| (e.last, &e.meta.name)).copied();
    // Without the condition a later sync ended without an error, unless none has written yet since it failed.
    let unwritten = replica_set.status.observed_generation < replica_set.meta.generation;
    let written = replica_set.meta.status_written_by_controller();
    let since_written = newest.is_some_and(|e| written.is_none_or(|written| e.last >= Some(written)));
    if condition.is_none() && !(unwritten && since_written) {
        return None;
    }
    // A condition that began later than the newest event tells of a later failure, whose event has not come.
    let newer = condition.filter(|c| newest.is_none_or(|e| c.since > e.last));
    let message = newer.map(|c| c.message.as_str()).or(newest.map(|e| e.text()));
    let message = message.or(condition.map(|c| c.message.as_str()))?;
    let classify = if deletes { refusal::classify_deletion } else { refusal::classify };
    let outdated = condition.filter(|c| !refusal::same_cause(&c.message, message)).map(|c| c.message.clone());
    let thinned = failures.iter().any(|e| e.is_combined());
    // Merging begins with the tenth: nine went before, though their events may have expired.
    let counted = |combined: bool| -> i64 {
        failures.iter().filter(|e| e.is_combined() == combined).map(|e| e.count).sum()
    };
    let single = if thinned { counted(false).max(9) } else { counted(false) };
    Some(StandingRefusal {
        cause: classify(message),
        message: refusal::bare(message).to_owned(),
        deletes,
        outdated,
        at_least: (counted(true) + single).max(1),
        last: newest.and_then(|e| e.last).max(condition.and_then(|c| c.since)),
        condition_since: condition.and_then(|c| c.since),
        thinned,
    })
}

/// The controller's events about this object, not about an older one of its name.
pub(crate) fn own_events<'a>(view: &'a View, replica_set: &'a ReplicaSet) -> impl Iterator<Item = &'a Event> {
    view.events(replica_set.kind, &replica_set.key())
        .filter(|e| e.about_uid.is_empty() || e.about_uid == replica_set.meta.uid)
}
