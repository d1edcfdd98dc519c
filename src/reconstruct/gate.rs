//! Whether the gate is open: what the ranges say, and where they leave it open, what status,
//! times and ages prove.

use jiff::{SignedDuration, Timestamp};

use super::Reason;
use super::detail::{GateDetail, LimitDetail};
use super::held::{CLOCK_SKEW, Existence, Held};
use super::range::Interval;
use super::track::{Counts, Track};
use crate::model::expectations::{EXPIRY, Gate};
use crate::objects::instant::later;
use crate::objects::{Pod, ReplicaSet};
use crate::reasons::Tier;

/// After so long without any reaction to a difference the controller is taken to be kept from
/// it by something that was not seen.
const OVERDUE: SignedDuration = SignedDuration::from_secs(5);

/// What can be said of the gate.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    /// The ranges.
    pub(crate) held: Held,
    /// The gate; None if it is not known which it is.
    pub(crate) gate: Option<Gate>,
    /// Whether the next sync may create and delete; None if that is not known.
    pub(crate) open: Option<bool>,
    /// Why.
    pub(crate) reasons: Vec<Reason>,
}

/// What the gate is judged from.
pub struct Evidence<'a> {
    pub(crate) replica_set: &'a ReplicaSet,
    /// Its track, if changes were followed.
    pub(crate) track: Option<&'a Track>,
    /// Wanted and active pods now.
    pub(crate) counts: Counts,
    /// Whether the stored status counts all its pods as they are now.
    pub(crate) status_is_current: bool,
    /// Its own pods in any state.
    pub(crate) owned: &'a [&'a Pod],
    /// Whether the namespace is known to be terminating.
    pub(crate) terminating: bool,
    /// The last event of the controller about it.
    pub(crate) last_event: Option<Timestamp>,
    /// The instant asked for.
    pub(crate) now: Timestamp,
    /// When the state was certainly not yet taken: ages are judged at this instant. It is `now`
    /// where somebody says so, else the newest time in the input.
    pub(crate) taken: Timestamp,
    /// Whether the input holds any event.
    pub(crate) has_events: bool,
}

/// Judges the gate.
pub(crate) fn find(evidence: &Evidence) -> Finding {
    let now = evidence.now;
    let held = evidence.track.map_or(Held::UNKNOWN, |track| track.held(now));
    let gate = held.gate(now);
    let mut finding = Finding { held, gate, open: held.is_open(now), reasons: Vec::new() };
    if finding.open.is_none() {
        match is_unmet(&held) {
            true => finding.reasons.push(ends_now(&held)),
            false => by_other_evidence(evidence, &mut finding),
        }
    }
    if let Some(track) =
        evidence.track.filter(|_| matches!(finding.gate, Some(Gate::Waiting | Gate::Expired)))
    {
        finding.reasons.extend(traps(track, &finding.held));
    }
    finding
}

/// The controller's log tells every change of the entry: no round can have begun unseen.
pub(crate) fn by_log(held: &Held, evidence: &Evidence) -> Finding {
    let gate = held.gate(evidence.now);
    let mut finding = Finding { held: *held, gate, open: held.is_open(evidence.now), reasons: Vec::new() };
    if finding.open.is_none() {
        match is_unmet(held) {
            true => finding.reasons.push(ends_now(held)),
            false => drop(by_closed_proof(evidence, &mut finding)),
        }
    }
    if let Some(track) = evidence.track.filter(|_| matches!(gate, Some(Gate::Waiting | Gate::Expired))) {
        finding.reasons.extend(traps(track, held));
    }
    finding
}

fn is_unmet(held: &Held) -> bool {
    held.exists == Existence::Yes && (held.add.is_positive() || held.del.is_positive())
}

/// The counters are known; only the clocks leave open whether the five minutes are over.
fn ends_now(held: &Held) -> Reason {
    let expires_by = held.set_at.latest.map(|set| later(set, EXPIRY));
    Reason::new(Tier::Inferred, GateDetail::UnmetOrExpired { expires_by })
}

/// How the controller came to wait for what never comes (docs/semantics.md section 12).
fn traps(track: &Track, held: &Held) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if held.add.is_positive() && track.stripped > 0 {
        let stripped = LimitDetail::OwnerReferenceStripped { pods: track.stripped };
        reasons.push(Reason::new(Tier::Inferred, stripped));
    }
    if held.del.is_positive() && !track.lost.is_empty() {
        let released = LimitDetail::DeletionReleased { pods: track.lost.len() };
        reasons.push(Reason::new(Tier::Inferred, released));
    }
    reasons
}

fn by_other_evidence(evidence: &Evidence, finding: &mut Finding) {
    if let Some(track) = evidence.track {
        by_unseen_round(evidence, track, finding);
        if finding.open.is_some() {
            return;
        }
    }
    // Creates in a terminating namespace leave no trace of any kind.
    if !evidence.terminating && !by_closed_proof(evidence, finding) {
        by_quiet(evidence, finding);
    }
}

/// Only a round that may have begun unseen makes the gate doubtful: then a sync is due, or it
/// began and has left no trace yet. The verdict is about the sync that is due.
fn by_unseen_round(evidence: &Evidence, track: &Track, finding: &mut Finding) {
    let before = track.before_unseen_rounds();
    let short = evidence.counts.owned < evidence.counts.wanted;
    // A sync saw this difference, and ended: it waited, or what it made is on its way.
    let was_seen = track.status_seen.is_some_and(|seen| seen >= track.changed);
    if was_seen && saw_difference(evidence) {
        return;
    }
    if before.is_open(evidence.now) != Some(true) || track.other_round_unseen(short) {
        return;
    }
    let waited = evidence.now.duration_since(track.changed);
    if waited <= OVERDUE {
        finding.open = Some(true);
        return;
    }
    finding.reasons.push(Reason::new(Tier::Inferred, GateDetail::Overdue { waited }));
}

/// The status names the current generation, no failure and another count than wanted: the sync
/// that wrote it saw the difference and either acted or waited. Nothing has come of it, so the
/// gate was closed when it ended (docs/semantics.md section 4: a skipped sync writes its status too).
fn by_closed_proof(evidence: &Evidence, finding: &mut Finding) -> bool {
    if !saw_difference(evidence) {
        return false;
    }
    let replica_set = evidence.replica_set;
    let status = &replica_set.status;
    let Some(written) = status_written(evidence) else { return expired_by_age(evidence, finding) };
    // The sync's own creates may still be on their way.
    let settling = |seen: Timestamp| evidence.now.duration_since(seen) < CLOCK_SKEW;
    if evidence.track.is_some_and(|t| t.status_seen.is_some_and(|seen| t.changed > seen || settling(seen))) {
        return false;
    }
    let earliest = finding.held.set_at.earliest.max(replica_set.meta.created);
    let latest = finding.held.set_at.latest.map_or(written, |latest| latest.min(written));
    let set_at = Interval { earliest, latest: Some(latest) };
    finding.held.set_at = set_at;
    let open = evidence.now.duration_since(written) > EXPIRY + CLOCK_SKEW * 2;
    let shut = earliest.is_some_and(|set| evidence.now.duration_since(set) < EXPIRY - CLOCK_SKEW * 2);
    finding.open = if open { Some(true) } else { shut.then_some(false) };
    finding.gate = finding.open.map(|open| if open { Gate::Expired } else { Gate::Waiting });
    let waited = GateDetail::SyncWaited {
        expired: open,
        written,
        replicas: status.replicas,
        generation: status.observed_generation,
    };
    finding.reasons.push(Reason::new(Tier::Inferred, waited));
    true
}

/// Whether the sync that wrote the status saw the difference that there is now, and no failure.
fn saw_difference(evidence: &Evidence) -> bool {
    let replica_set = evidence.replica_set;
    let status = &replica_set.status;
    let counts = evidence.counts;
    status.observed_generation == replica_set.meta.generation
        && status.observed_generation > 0
        && i64::from(status.replicas) != counts.wanted
        && status.failure().is_none()
        && !replica_set.is_deleting()
        && counts.owned == i64::from(status.replicas)
        && counts.adoptable == 0
}

/// The same without a date: only if the last sign of the controller is older than five minutes.
fn expired_by_age(evidence: &Evidence, finding: &mut Finding) -> bool {
    if evidence.track.is_some() || !nothing_recent(evidence) {
        return false;
    }
    finding.open = Some(true);
    finding.gate = Some(Gate::Expired);
    let replicas = evidence.replica_set.status.replicas;
    let last_event = evidence.last_event.map(|event| evidence.now.duration_since(event));
    let waited = GateDetail::SyncWaitedLongAgo { replicas, last_event };
    finding.reasons.push(Reason::new(Tier::Inferred, waited));
    true
}

/// When the controller last wrote the status: seen, or by managedFields in whole seconds.
fn status_written(evidence: &Evidence) -> Option<Timestamp> {
    let seen = evidence.track.and_then(|track| track.status_seen);
    seen.or_else(|| evidence.replica_set.meta.status_written_by_controller())
}

/// Over five minutes without a status write while counts agree with it: every round changes the
/// counts and so leads to a status write, hence none was set in these minutes.
fn by_quiet(evidence: &Evidence, finding: &mut Finding) {
    let status = &evidence.replica_set.status;
    let agrees = evidence.counts.owned == i64::from(status.replicas);
    let undisturbed = agrees && status.failure().is_none();
    let under_way = evidence.track.is_some_and(|t| t.round_is_open() || t.gap);
    match evidence.replica_set.meta.status_written_by_controller() {
        Some(written) if undisturbed && !under_way => {
            let quiet = evidence.now.duration_since(written);
            if quiet > EXPIRY + CLOCK_SKEW * 2 {
                finding.open = Some(true);
                finding.held.set_at.latest = Some(written);
                finding.reasons.push(Reason::new(Tier::Inferred, GateDetail::Quiet { since: quiet }));
            }
        }
        Some(_) => {}
        None if evidence.track.is_none() => by_snapshot(evidence, finding),
        None => {}
    }
}

/// A snapshot without managedFields dates nothing but pods and events. Where these are old, the
/// gate is taken to be open, and the report says that this is assumed.
fn by_snapshot(evidence: &Evidence, finding: &mut Finding) {
    let status = &evidence.replica_set.status;
    let never_synced = status.observed_generation == 0 && status.replicas == 0 && evidence.owned.is_empty();
    if never_synced {
        finding.open = Some(true);
        finding.reasons.push(Reason::new(Tier::Inferred, GateDetail::NeverSynced));
    } else if nothing_recent(evidence) {
        finding.open = Some(true);
        let old = GateDetail::SnapshotOfOldPods { has_events: evidence.has_events };
        finding.reasons.push(Reason::new(Tier::Assumed, old));
    } else if evidence.status_is_current && evidence.counts.owned > 0 && status.failure().is_none() {
        finding.open = Some(true);
        finding.reasons.push(Reason::new(Tier::Assumed, GateDetail::SnapshotOfCurrentStatus));
    } else {
        let young = GateDetail::SnapshotTooYoung { taken_is_known: evidence.taken == evidence.now };
        finding.reasons.push(Reason::new(Tier::Observed, young));
    }
}

/// Whether no pod was created and no event sent within the last five minutes.
fn nothing_recent(evidence: &Evidence) -> bool {
    let old = |t: Timestamp| evidence.taken.duration_since(t) > EXPIRY + CLOCK_SKEW;
    let pods = evidence.owned.iter().all(|pod| pod.meta.created.is_none_or(old));
    pods && evidence.last_event.is_none_or(old) && evidence.replica_set.meta.created.is_none_or(old)
}
