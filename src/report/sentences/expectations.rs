//! What the controller waits for.

use jiff::Timestamp;

use crate::reasons::{Code, Tier};
use crate::report::format::{self, amount, at, at_latest, distance, is_unknown, names};
use crate::report::{AwaitedDeletion, Between, Bounds, ExpectationsReport, GateState, Report, Verdict};

/// `add 3, del 0 – waiting: the gate is closed, ...`
pub(crate) fn counters_and_gate(report: &Report) -> String {
    let ExpectationsReport { add, del, .. } = report.expectations;
    let counters = match is_unknown(add) && is_unknown(del) {
        true => "add and del unknown".to_owned(),
        false => format!("{}, {}", counter("add", add), counter("del", del)),
    };
    format!("{counters} – {}", gate(report))
}

fn gate(report: &Report) -> &'static str {
    match report.expectations.gate {
        GateState::None => "no expectations are set: the gate is open",
        GateState::Fulfilled => "fulfilled: the gate is open",
        GateState::Waiting => "waiting: the gate is closed, no sync creates or deletes",
        GateState::Expired => "expired: the gate is open, whatever is still pending",
        GateState::Undetermined => match doubt(report) {
            Some(Doubt::UnderWay) => "the gate is open, unless a sync is already in progress",
            Some(Doubt::Assumed) => "the gate is unknown, assumed to be open",
            Some(Doubt::Idle) => "the gate is unknown; nothing is due",
            Some(Doubt::Open) => "the gate is unknown",
            None => "the gate is open: whatever was pending has expired",
        },
    }
}

/// The gate of a simulated sync, in a word.
pub(crate) fn gate_word(gate: GateState, report: &Report) -> String {
    let word = match gate {
        GateState::Undetermined => match doubt(report) {
            Some(Doubt::Idle) => "unknown",
            Some(Doubt::Assumed | Doubt::Open) => "unknown, assumed to be open",
            // The headline has the reserve.
            Some(Doubt::UnderWay) | None => "open",
        },
        known => return known.to_string(),
    };
    word.to_owned()
}

/// Why it is not known which gate it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// The sync that is due may have begun without a trace.
    UnderWay,
    /// The gate is taken to be open, and that is an assumption.
    Assumed,
    /// Nothing is due, so that it does not matter.
    Idle,
    /// The verdict is open for it.
    Open,
}

/// What is in doubt about the gate; None if nothing is that matters.
pub(crate) fn doubt(report: &Report) -> Option<Doubt> {
    if report.expectations.gate != GateState::Undetermined {
        return None;
    }
    let unknown = report.reasons.iter().find(|reason| reason.code == Code::ExpectationsUnknown);
    match (report.verdict, unknown.map(|reason| reason.tier)) {
        (Verdict::Settled, _) => Some(Doubt::Idle),
        (Verdict::Act, Some(Tier::Assumed)) => Some(Doubt::Assumed),
        (Verdict::Act, Some(_)) => None,
        (Verdict::Act, None) => Some(Doubt::UnderWay),
        _ => Some(Doubt::Open),
    }
}

/// `add 3`, `add 0..500`, `add <=5`, `add unknown`.
fn counter(name: &str, range: Bounds) -> String {
    if is_unknown(range) { format!("{name} unknown") } else { format!("{name} {}", format::range(range)) }
}

/// For what a closed gate waits: `it still waits for 3 creations`.
pub(crate) fn waits_for(expectations: &ExpectationsReport) -> String {
    let parts: Vec<_> = [(expectations.add, "creation"), (expectations.del, "deletion")]
        .into_iter()
        .filter(|(range, _)| range.min.is_some_and(|min| min > 0))
        .map(|(range, noun)| amount(range, noun))
        .collect();
    match parts.is_empty() {
        true => "it still waits for creations or deletions".to_owned(),
        false => format!("it still waits for {}", parts.join(" and ")),
    }
}

/// When they were set and when they expire.
pub(crate) fn times(expectations: &ExpectationsReport, as_of: Timestamp) -> Option<String> {
    let set = expectations.set_at.as_ref().and_then(|set| between(set, as_of, "set"));
    let expires = expectations.expires_at.as_ref().and_then(|expires| expiry(expires, as_of));
    let parts: Vec<_> = [set, expires].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// `set 11:59:10Z`, `set between 11:59:08Z and 11:59:10Z`, `set 11:59:10Z or earlier`.
pub(super) fn between(between: &Between, as_of: Timestamp, verb: &str) -> Option<String> {
    let at = |instant| at(instant, as_of);
    let until = |instant| at_latest(instant, as_of);
    Some(match (between.earliest, between.latest) {
        (Some(earliest), Some(latest)) if at(earliest) == until(latest) => format!("{verb} {}", at(latest)),
        (Some(earliest), Some(latest)) => format!("{verb} between {} and {}", at(earliest), until(latest)),
        (Some(earliest), None) => format!("{verb} {} or later", at(earliest)),
        (None, Some(latest)) => format!("{verb} {} or earlier", until(latest)),
        (None, None) => return None,
    })
}

fn expiry(expires: &Between, as_of: Timestamp) -> Option<String> {
    let latest = expires.latest.or(expires.earliest)?;
    let verb = if latest < as_of { "expired" } else { "expire" };
    // The end is exclusive: at that very instant they still hold.
    let verb = match (expires.earliest, expires.latest) {
        (Some(earliest), Some(latest)) if at(earliest, as_of) != at_latest(latest, as_of) => verb.to_owned(),
        (_, Some(_)) if expires.earliest.is_some() => format!("{verb} after"),
        _ => verb.to_owned(),
    };
    Some(format!("{} ({})", between(expires, as_of, &verb)?, distance(latest, as_of)))
}

/// The pods whose deletion is pending.
pub(crate) fn deletions(pending: &[AwaitedDeletion], wide: bool) -> Option<String> {
    let of = |certain| {
        let pods: Vec<_> =
            pending.iter().filter(|pod| pod.certain == certain).map(|pod| pod.pod.as_str()).collect();
        names(pods.into_iter(), wide)
    };
    let (certain, possible) = (of(true), of(false));
    match (certain.is_empty(), possible.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("waits for the deletion of {certain}")),
        (true, false) => Some(format!("may wait for the deletion of {possible}")),
        (false, false) => Some(format!("waits for the deletion of {certain}, possibly also of {possible}")),
    }
}
