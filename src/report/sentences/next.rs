//! When it goes on by itself, and what starts a sync.

use jiff::{SignedDuration, Timestamp};

use super::headline::is_contested;
use crate::model::dry_run::Then;
use crate::reasons::Code;
use crate::reconstruct::answer::{Change, Trigger};
use crate::report::format::{at_latest, distance};
use crate::report::{GateState, Report, UntilReport, Verdict};

/// What happens at the instant of `until`.
pub(crate) fn change(change: Change) -> String {
    match change {
        Change::Expiry { pods_may_come: false } => {
            "expectations expire, which does not trigger a sync".into()
        }
        Change::Expiry { pods_may_come: true } => {
            "expectations expire, which does not trigger a sync; the pending pods may be observed earlier"
                .into()
        }
        Change::Retry { at_limit } => {
            let about =
                if at_limit { "at about this time" } else { "at this time at the latest, probably earlier" };
            format!("the next retry is due {about}: the pause doubles with each failure up to 1000 s")
        }
    }
}

/// What starts a sync, in words or as a command.
pub(crate) fn trigger(trigger: &Trigger) -> String {
    match trigger {
        Trigger::AnyEvent => "any event of the ReplicaSet or of one of its pods".into(),
        Trigger::Annotate { kind, key } => format!(
            "kubectl annotate -n {} {} touched=\"$(date)\" --overwrite",
            quoted(&key.namespace),
            quoted(&format!("{}/{}", kind.short(), key.name))
        ),
    }
}

/// What follows a sync of a dry run.
pub(crate) fn then(then: &Then) -> String {
    let pause = |d: &SignedDuration| match d.as_millis() {
        short @ 1..1000 => format!("{short} ms"),
        _ => format!("{} s", d.as_secs_f64()),
    };
    match then {
        Then::Seen => "once these pods are observed, the expectations are met and it syncs again".into(),
        Then::Retry(delay) => format!("it failed and is retried after {}", pause(delay)),
        Then::RetriesFail(delay) => format!(
            "it failed and is retried after {}, then after pauses that double up to 1000 s; every retry fails the same way",
            pause(delay)
        ),
        Then::Waits => {
            "it waits for the pending pods; the expiry does not trigger a sync, so the next one needs an event after it"
                .into()
        }
        Then::Requeue(delay) => {
            format!("settled; the controller checks again after {}, to count pods as available", pause(delay))
        }
        Then::Powerless => "nothing follows: its syncs no longer create or delete pods (see Why)".into(),
        Then::NothingComes => "the creates count as successful, but no pods appear; nothing follows".into(),
        Then::Settled => "settled".into(),
    }
}

/// `until 12:04:10Z (in 4m10s): expectations expire, ...`
pub(crate) fn until(until: &UntilReport, as_of: Timestamp) -> String {
    let (when, far) = (at_latest(until.at, as_of), distance(until.at, as_of));
    format!("until {when} ({far}): {}", change(until.then))
}

/// What comes before the command that triggers a sync.
pub(crate) fn invitation(report: &Report) -> &'static str {
    match report.verdict {
        // Before its expectations expire it would only skip again.
        Verdict::Skip if report.until.is_some() => "then trigger a sync:",
        Verdict::Blocked => "once the cause is gone, trigger a sync:",
        _ => "trigger a sync:",
    }
}

/// What would decide an open verdict.
pub(crate) fn what_decides(report: &Report) -> String {
    if is_contested(report) {
        return "to decide it: ask again once the pod named under SelectorOverlap has an owner".into();
    }
    let watch = match report.evidence.window {
        None => "a window or a recording instead of a snapshot",
        Some(_) => "a longer window",
    };
    let expiry = report.expectations.expires_at.as_ref().and_then(|expires| expires.latest);
    let pending = report.expectations.gate == GateState::Undetermined && report.evidence.window.is_some();
    let expiry = expiry.filter(|expiry| *expiry > report.as_of && pending);
    let expiry = expiry.map(|expiry| {
        format!("; pending expectations expire at {} at the latest", at_latest(expiry, report.as_of))
    });
    let log = match report.evidence.has_log {
        true => "a log of the controller at -v=4 that reaches further back",
        false => "the controller's log at -v=4 (--controller-log)",
    };
    format!("to decide it: {watch}, or {log}{}", expiry.unwrap_or_default())
}

/// Where the reason is described.
pub(crate) fn details(code: Code) -> String {
    format!("For details: kubectl rsexp explain {code}")
}

/// A name as a shell takes it; names of the API need no quotes, names in files may.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/');
    if !name.is_empty() && name.chars().all(plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', r"'\''"))
    }
}
