//! Whether the gate is open: what the ranges say, and where they leave it open, what status,
//! times and ages prove.

use jiff::{SignedDuration, Timestamp};

use super::Reason;
use super::held::{CLOCK_SKEW, Existence, Held};
use super::range::Interval;
use super::track::{Counts, Track};
use crate::model::expectations::{EXPIRY, Gate};
use crate::objects::instant::later;
use crate::objects::{Pod, ReplicaSet};
use crate::reasons::Code;
use crate::reasons::Tier;

/// After so long without any reaction to a difference the controller is taken to be kept from
/// it by something that was not seen.
const OVERDUE: SignedDuration = SignedDuration::from_secs(5);

/// What can be said of the gate.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The ranges.
    pub held: Held,
    /// The gate; None if it is not known which it is.
    pub gate: Option<Gate>,
    /// Whether the next sync may create and delete; None if that is not known.
    pub open: Option<bool>,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// What the gate is judged from.
pub struct Evidence<'a> {
    /// The ReplicaSet.
    pub replica_set: &'a ReplicaSet,
    /// Its track, if changes were followed.
    pub track: Option<&'a Track>,
    /// Wanted and active pods now.
    pub counts: Counts,
    /// Whether the stored status counts all its pods as they are now.
    pub status_is_current: bool,
    /// Its own pods in any state.
    pub owned: &'a [&'a Pod],
    /// Whether the namespace is known to be terminating.
    pub terminating: bool,
    /// The last event of the controller about it.
    pub last_event: Option<Timestamp>,
    /// The instant asked for.
    pub now: Timestamp,
    /// When the state was certainly not yet taken: ages are judged at this instant. It is `now`
    /// where somebody says so, else the newest time in the input.
    pub taken: Timestamp,
    /// Whether the input holds any event.
    pub has_events: bool,
}

/// Judges the gate.
pub fn find(evidence: &Evidence) -> Finding {
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
pub fn by_log(held: &Held, evidence: &Evidence) -> Finding {
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
    let end = match held.set_at.latest {
        Some(set) => format!("expires by {} at the latest", at(later(set, EXPIRY))),
        None => "was set at an unknown time".to_owned(),
    };
    let text = format!("what it awaits {end}; whether it has expired already is not known");
    Reason::new(Code::ExpectationsUnmet, Tier::Inferred, text)
}

/// How the controller came to wait for what never comes (semantics 12).
fn traps(track: &Track, held: &Held) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let number = |count: i64| if count == 1 { "1 pod".to_owned() } else { format!("{count} pods") };
    if held.add.is_positive() && track.stripped > 0 {
        reasons.push(Reason::new(
            Code::OwnerReferenceStripped,
            Tier::Inferred,
            format!("{} of its last round came without it as their controller, or already terminating: they never count as creations seen, not even once adopted", number(track.stripped)),
        ));
    }
    if held.del.is_positive() && !track.lost.is_empty() {
        reasons.push(Reason::new(
            Code::DeletionReleased,
            Tier::Inferred,
            format!("{} left it by another way than deletion while deletions were awaited: their end is never seen as its own", number(track.lost.len() as i64)),
        ));
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
    finding.reasons.push(Reason::new(
        Code::SyncDue,
        Tier::Inferred,
        format!(
            "nothing seen before holds the sync back, yet nothing has happened for {}: it may be waiting on creates or deletes that left no trace, or the controller lags or is stopped",
            words(waited)
        ),
    ));
}

/// The status names the current generation, no failure and another count than wanted: the sync
/// that wrote it saw the difference and either acted or waited. Nothing has come of it, so the
/// gate was closed when it ended (semantics 4: a skipped sync writes its status too).
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
    let since = format!(
        "the status written at {} counts {} pods for generation {} and no failure, and nothing has changed since: that sync saw the difference and waited",
        at(written),
        status.replicas,
        status.observed_generation
    );
    let code = if open { Code::ExpectationsExpired } else { Code::ExpectationsUnmet };
    finding.reasons.push(Reason::new(code, Tier::Inferred, since));
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
    let status = &evidence.replica_set.status;
    let last = match evidence.last_event {
        Some(event) => format!("; its last event is {} old", words(evidence.now.duration_since(event))),
        None => String::new(),
    };
    finding.reasons.push(Reason::new(
        Code::ExpectationsExpired,
        Tier::Inferred,
        format!(
            "a sync of this generation saw {} pods, reported no failure and did nothing that is visible{last}: whatever it waited for has expired after five minutes",
            status.replicas
        ),
    ));
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
                finding.reasons.push(Reason::new(
                    Code::ExpectationsUnknown,
                    Tier::Inferred,
                    format!("no status was written for {}, and every round of creates or deletes leads to one: what may be outstanding has expired", words(quiet)),
                ));
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
        finding.reasons.push(Reason::new(
            Code::SyncDue,
            Tier::Inferred,
            "its status is empty and it owns no pod: no sync of it has ended yet, so nothing of an earlier one holds it back".into(),
        ));
    } else if nothing_recent(evidence) {
        finding.open = Some(true);
        finding.reasons.push(Reason::new(
            Code::ExpectationsUnknown,
            Tier::Assumed,
            format!("a snapshot cannot show what the controller awaits; no pod of it was created in the last five minutes{}, so its gate is taken to be open", if evidence.has_events { " and no event sent" } else { "" }),
        ));
    } else if evidence.status_is_current && evidence.counts.owned > 0 && status.failure().is_none() {
        finding.open = Some(true);
        finding.reasons.push(Reason::new(
            Code::ExpectationsUnknown,
            Tier::Assumed,
            "a snapshot cannot show what the controller awaits; its status counts all its pods as they are, so the sync that wrote it came after them and its gate is taken to be open".into(),
        ));
    } else {
        finding.reasons.push(Reason::new(
            Code::ExpectationsUnknown,
            Tier::Observed,
            snapshot_is_too_young(evidence),
        ));
    }
}

fn snapshot_is_too_young(evidence: &Evidence) -> String {
    let known = evidence.taken == evidence.now;
    let when = if known {
        "watch it for a while, or ask again five minutes later"
    } else {
        "when the snapshot was taken is not known: tell with --now, or watch it for a while"
    };
    format!(
        "pods were created or events sent less than five minutes before the newest time in the input: a snapshot cannot show whether more are awaited; {when}"
    )
}

/// Whether no pod was created and no event sent within the last five minutes.
fn nothing_recent(evidence: &Evidence) -> bool {
    let old = |t: Timestamp| evidence.taken.duration_since(t) > EXPIRY + CLOCK_SKEW;
    let pods = evidence.owned.iter().all(|pod| pod.meta.created.is_none_or(old));
    pods && evidence.last_event.is_none_or(old) && evidence.replica_set.meta.created.is_none_or(old)
}

/// A duration in the largest two units, as people say it.
pub fn words(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    let two = |a: i64, unit: &str, b: i64, smaller: &str| {
        if b == 0 { format!("{a}{unit}") } else { format!("{a}{unit}{b}{smaller}") }
    };
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, m) => two(m, "m", seconds % 60, "s"),
        (0, h, m) => two(h, "h", m, "m"),
        (d, h, _) => two(d, "d", h, "h"),
    }
}

/// An instant in whole seconds.
pub fn at(instant: Timestamp) -> String {
    Timestamp::from_second(instant.as_second()).unwrap_or(instant).to_string()
}
