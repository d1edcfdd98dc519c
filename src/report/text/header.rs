//! The first lines: what the next sync does, until when, and how to wake it.

use super::expectations::{self, Doubt};
use super::page::{Page, split_command};
use crate::reasons::Code;
use crate::report::format::{at, at_latest, count, distance, join, range};
use crate::report::sanitize::escape;
use crate::report::style::Style;
use crate::report::{GateState, ObjectReference, PlanReport, Report, RunningReport, SyncAction, Verdict};

/// The headline and the lines that belong to it.
pub(super) fn write(page: &mut Page, report: &Report) {
    page.paragraph(2, &headline(report, page.style));
    if let Some(running) = &report.running {
        page.indented(2, &under_way(running, report));
    }
    if let Some(until) = &report.until {
        let when = at_latest(until.at, report.as_of);
        let far = distance(until.at, report.as_of);
        page.indented(2, &format!("until {when} ({far}): {}", escape(&until.then)));
    }
    if report.verdict == Verdict::Undetermined {
        page.indented(2, &what_decides(report));
    }
    if let Some(command) = wake_command(report) {
        let when = match report.verdict {
            // Woken before its expectations expire it would only skip again.
            Verdict::Skip if report.until.is_some() => "then wake it",
            Verdict::Blocked => "once the cause is gone, wake it",
            _ => "wake it",
        };
        page.advice(2, 4, &format!("{when}: {}", escape(command)));
    }
}

/// The command that wakes the ReplicaSet, shown on top if something is due.
pub(super) fn wake_command(report: &Report) -> Option<&str> {
    if report.verdict == Verdict::Settled {
        return None;
    }
    report.wake.iter().find_map(|entry| split_command(entry).1)
}

/// `rs/web (shop): SKIP – wants 10, has 7: the next sync ...`
pub(super) fn headline(report: &Report, style: &Style) -> String {
    let name = style.bold(&name(&report.object));
    let namespace = escape(&report.object.namespace);
    if !report.object.exists {
        return format!(
            "{name} ({namespace}): {} – does not exist at {}: there is nothing to sync",
            verdict(report, style),
            at(report.as_of, report.as_of),
        );
    }
    format!("{name} ({namespace}): {} – {}{}", verdict(report, style), figures(report), next_sync(report))
}

/// `rs/web`, `rc/old`.
fn name(object: &ObjectReference) -> String {
    format!("{}/{}", object.kind.short(), escape(&object.name))
}

fn verdict(report: &Report, style: &Style) -> String {
    style.verdict(report.verdict, &report.verdict.as_str().to_uppercase())
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
        Verdict::Act if nothing_wakes(report) => {
            format!(": the next sync {}, but nothing has woken it", deeds(&report.plan))
        }
        Verdict::Act => format!(": the next sync {}{}", deeds(&report.plan), reservation(report)),
        Verdict::Skip => format!(": {}", waits(report)),
        Verdict::Undetermined if is_incomplete(report) && report.diff.is_some() => {
            format!(": the next sync {}, or does not get to it: which is not known", deeds(&report.plan))
        }
        Verdict::Undetermined if !is_contested(report) && report.diff.is_some() => {
            format!(": the next sync {}, or it waits: which is not known", deeds(&report.plan))
        }
        Verdict::Blocked | Verdict::Undetermined => first_meaning(report),
    }
}

/// Under which reserve it acts, where its gate is not proven open.
fn reservation(report: &Report) -> &'static str {
    let due = matches!(report.plan.action, Some(SyncAction::Create | SyncAction::Delete));
    match expectations::doubt(report).filter(|_| due) {
        Some(Doubt::UnderWay) => ", unless that is under way already",
        Some(Doubt::Assumed) => ", taking its gate to be open",
        _ => "",
    }
}

/// Whether the count is open: a pod may come to one of two owners.
fn is_contested(report: &Report) -> bool {
    report.reasons.first().is_some_and(|reason| reason.code == Code::SelectorOverlap)
}

/// Whether it is open though the gate is known.
fn is_incomplete(report: &Report) -> bool {
    report.reasons.first().is_some_and(|reason| reason.code == Code::EvidenceIncomplete)
}

/// What would decide an open verdict.
fn what_decides(report: &Report) -> String {
    if is_contested(report) {
        return "to decide it: ask again once that pod has its owner".into();
    }
    let watch = match report.evidence.window {
        None => "a window or a recording instead of a snapshot",
        Some(_) => "a longer window",
    };
    let over = report.expectations.expires_at.as_ref().and_then(|expires| expires.latest);
    let awaits = report.expectations.gate == GateState::Undetermined && report.evidence.window.is_some();
    let over = over.filter(|over| *over > report.as_of && awaits);
    let over =
        over.map(|over| format!("; what it awaits now has expired by {}", at_latest(over, report.as_of)));
    let log = match report.evidence.has_log {
        true => "a log of the controller at -v=4 that reaches further back",
        false => "the controller's log at -v=4 (--controller-log)",
    };
    format!("to decide it: {watch}, or {log}{}", over.unwrap_or_default())
}

fn nothing_wakes(report: &Report) -> bool {
    report.reasons.iter().any(|reason| reason.code == Code::NothingWakes)
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
    format!("the next sync {}, {}", join(&parts), expectations::awaited(&report.expectations))
}

/// The registered meaning of the deciding reason, as a sentence of its own.
fn first_meaning(report: &Report) -> String {
    match report.reasons.first() {
        Some(reason) => format!(". {}", reason.code.page().meaning),
        None if report.verdict == Verdict::Blocked => ": no sync gets to its pods".to_owned(),
        None => ": the evidence leaves open what the next sync does".to_owned(),
    }
}

fn under_way(running: &RunningReport, report: &Report) -> String {
    let deed = if running.action == SyncAction::Delete { "deleting" } else { "creating" };
    let count = count(running.count, "pod");
    let since = expectations::between(&running.since, report.as_of, ", begun").unwrap_or_default();
    let done = range(running.done);
    format!("a sync is under way{since}: {deed} {count}, {done} done; all else is about the one after it")
}
