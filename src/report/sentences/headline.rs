//! The headline: what the next sync does and what decides that, with names and numbers.

use super::expectations::{self, Doubt, between};
use crate::reasons::Code;
use crate::reconstruct::detail::{Detail, RefusalDetail};
use crate::reconstruct::refusal::RefusalCause;
use crate::report::format::{at, count, join, range};
use crate::report::{PlanReport, Report, RunningReport, SyncAction, Verdict};

/// What follows the object and its verdict: `wants 10, has 7: the next sync ...`
pub(crate) fn headline(report: &Report) -> String {
    if !report.object.exists {
        return format!("does not exist at {}: there is nothing to sync", at(report.as_of, report.as_of));
    }
    format!("{}{}", figures(report), next_sync(report))
}

/// `wants 10, has 7`.
fn figures(report: &Report) -> String {
    let number = |n: Option<String>| n.unwrap_or_else(|| "an unknown number".to_owned());
    let desired = number(report.desired.map(|n| n.to_string()));
    let active = number(report.active.map(|n| n.to_string()));
    format!("wants {desired}, has {active}")
}

fn next_sync(report: &Report) -> String {
    match report.verdict {
        Verdict::Settled => ": the next sync changes nothing".to_owned(),
        Verdict::Act if has(report, Code::NothingWakes) => {
            format!(": the next sync {}, but nothing has triggered it", deeds(&report.plan))
        }
        Verdict::Act => format!(": the next sync {}{}", deeds(&report.plan), reservation(report)),
        Verdict::Skip => format!(": {}", waits(report)),
        Verdict::Undetermined if is_incomplete(report) && report.diff.is_some() => {
            format!(": whether the next sync {} or fails before that is unknown", deeds(&report.plan))
        }
        Verdict::Undetermined if !is_contested(report) && report.diff.is_some() => {
            format!(": whether the next sync {} or waits is unknown", deeds(&report.plan))
        }
        Verdict::Blocked | Verdict::Undetermined => deciding(report),
    }
}

fn has(report: &Report, code: Code) -> bool {
    report.reasons.iter().any(|reason| reason.code == code)
}

/// Under which reserve it acts, where its gate is not proven open.
fn reservation(report: &Report) -> &'static str {
    let due = matches!(report.plan.action, Some(SyncAction::Create | SyncAction::Delete));
    match expectations::doubt(report).filter(|_| due) {
        Some(Doubt::UnderWay) => ", unless a sync is already doing so",
        Some(Doubt::Assumed) => ", assuming that its gate is open",
        _ => "",
    }
}

/// Whether the count is open: a pod may come to one of two owners.
pub(crate) fn is_contested(report: &Report) -> bool {
    report.reasons.first().is_some_and(|reason| reason.code == Code::SelectorOverlap)
}

/// Whether it is open though the gate is known.
fn is_incomplete(report: &Report) -> bool {
    report.reasons.first().is_some_and(|reason| reason.code == Code::EvidenceIncomplete)
}

/// What a sync does, as verbs: `adopts 1 pod and creates 2 pods`.
fn deeds(plan: &PlanReport) -> String {
    let mut parts = claims(plan);
    match plan.action {
        Some(SyncAction::Create) if plan.create.created < plan.count => parts.push(format!(
            "creates {} of {} before it is refused",
            plan.create.created,
            count(plan.count, "pod")
        )),
        Some(SyncAction::Create) => parts.push(format!("creates {}", count(plan.count, "pod"))),
        Some(SyncAction::Delete) => parts.push(format!("deletes {}", count(plan.count, "pod"))),
        _ if parts.is_empty() => parts.push("changes its pods".to_owned()),
        _ => {}
    }
    join(&parts)
}

fn claims(plan: &PlanReport) -> Vec<String> {
    [("adopts", plan.adopt.len()), ("releases", plan.release.len())]
        .into_iter()
        .filter(|(_, number)| *number > 0)
        .map(|(verb, number)| format!("{verb} {}", count(number, "pod")))
        .collect()
}

/// What a sync leaves undone, and for what it waits.
fn waits(report: &Report) -> String {
    let undone = match report.plan.action {
        Some(SyncAction::Create) => "creates none yet",
        Some(SyncAction::Delete) => "deletes none yet",
        _ => "creates and deletes none yet",
    };
    let mut parts = claims(&report.plan);
    parts.push(undone.to_owned());
    format!("the next sync {}, because {}", join(&parts), expectations::waits_for(&report.expectations))
}

/// The deciding reason as a sentence of its own.
fn deciding(report: &Report) -> String {
    match report.reasons.first() {
        Some(reason) => {
            let named = named_cause(&reason.detail);
            format!(". {}", named.unwrap_or_else(|| reason.code.page().meaning.to_owned()))
        }
        None if report.verdict == Verdict::Blocked => {
            ": every sync ends before it creates or deletes pods".to_owned()
        }
        None => ": what the next sync does is unknown".to_owned(),
    }
}

/// Who or what refuses, where the message names it.
fn named_cause(detail: &Detail) -> Option<String> {
    let Detail::Refusal(RefusalDetail::Standing { cause: RefusalCause { code, who, .. }, .. }) = detail
    else {
        return None;
    };
    let who = who.as_deref()?;
    Some(match code {
        Code::QuotaExceeded => format!("ResourceQuota {who} refuses the pods"),
        Code::WebhookDenied => format!("Webhook {who} denies the request"),
        Code::WebhookUnreachable => format!("Webhook {who} cannot be reached or fails"),
        Code::WebhookTimedOut => format!("Webhook {who} does not answer in time"),
        Code::AdmissionPolicyDenied => format!("ValidatingAdmissionPolicy {who} denies the request"),
        Code::ServiceAccountMissing => format!("ServiceAccount {who} does not exist"),
        Code::PriorityClassMissing => format!("PriorityClass {who} does not exist"),
        _ => return None,
    })
}

/// `a sync is in progress, begun 11:59:44Z: creating 500 pods, 320..340 done; ...`
pub(crate) fn in_progress(running: &RunningReport, report: &Report) -> String {
    let deed = if running.action == SyncAction::Delete { "deleting" } else { "creating" };
    let count = count(running.count, "pod");
    let since = between(&running.since, report.as_of, ", begun").unwrap_or_default();
    let done = range(running.done);
    format!("a sync is in progress{since}: {deed} {count}, {done} done; the rest is about the one after it")
}
