//! What one sync does to pods and status.

use crate::report::format::{count, names};
use crate::report::{GateState, PlanReport, Report, StatusWrite, SyncAction, Verdict, Victim};

/// The lines of the section `Plan`.
pub(crate) fn plan(report: &Report, wide: bool) -> Vec<String> {
    let plan = &report.plan;
    let mut items = Vec::new();
    for (verb, pods) in [("adopt", &plan.adopt), ("release", &plan.release)] {
        if !pods.is_empty() {
            items.push(format!("{verb} {}", names(pods.iter().map(String::as_str), wide)));
        }
    }
    items.extend(action(report));
    items.extend(foreseen(plan).map(|text| format!("a refusal is expected: {text}")));
    if let (Some(when), Some(first)) = (proviso(report), items.first_mut()) {
        *first = format!("{when} {first}");
    }
    items
}

/// When the plan is carried out.
fn proviso(report: &Report) -> Option<&'static str> {
    match report.verdict {
        Verdict::Settled | Verdict::Act => None,
        Verdict::Skip => Some("once the gate is open:"),
        Verdict::Blocked => Some("once unblocked:"),
        Verdict::Undetermined if report.expectations.gate == GateState::Undetermined => {
            Some("if the gate is open:")
        }
        Verdict::Undetermined => Some("by the evidence:"),
    }
}

fn action(report: &Report) -> Option<String> {
    let plan = &report.plan;
    let pods = count(plan.count, "pod");
    let mut text = match plan.action {
        Some(SyncAction::Create) => format!("create {pods}{}", in_batches(&plan.create.batches)),
        Some(SyncAction::Delete) => {
            let of = report.active.map(|active| format!(" of {active}")).unwrap_or_default();
            let noun = if plan.count == 1 && of.is_empty() { "pod" } else { "pods" };
            format!("delete {}{of} {noun}", plan.count)
        }
        Some(SyncAction::None) => return None,
        None => return Some("unknown".to_owned()),
    };
    if plan.capped {
        let all = report.diff.map(|diff| format!(" (of {} due)", diff.abs())).unwrap_or_default();
        text.push_str(&format!("; burst cap: no more in one sync{all}"));
    }
    Some(text)
}

fn in_batches(batches: &[usize]) -> String {
    if batches.len() < 2 {
        return String::new();
    }
    let sizes: Vec<_> = batches.iter().map(usize::to_string).collect();
    format!(" in batches of {}", sizes.join(", "))
}

/// How far known refusals let the creates come.
pub(crate) fn foreseen(plan: &PlanReport) -> Option<String> {
    let create = &plan.create;
    let refused = create.calls.saturating_sub(create.created);
    if plan.action != Some(SyncAction::Create) || (refused == 0 && create.skipped == 0) {
        return None;
    }
    let calls = count(create.calls, "call");
    let untried = match create.skipped {
        0 => String::new(),
        skipped => format!(", {skipped} never tried"),
    };
    Some(format!("{calls}, {} created, {refused} refused{untried}", create.created))
}

/// `web-c (NotReady): not ready; web-a is ready`.
pub(crate) fn victim(victim: &Victim) -> String {
    let (pod, rule) = (&victim.pod, victim.rule.as_str());
    if victim.why.is_empty() { format!("{pod} ({rule})") } else { format!("{pod} ({rule}): {}", victim.why) }
}

/// The counts that a status write has.
pub(crate) fn status(status: &StatusWrite) -> String {
    let mut counts = format!(
        "writes replicas {}, ready {}, available {}",
        status.replicas, status.ready_replicas, status.available_replicas
    );
    if status.fully_labeled_replicas != status.replicas {
        counts.push_str(&format!(", fully labelled {}", status.fully_labeled_replicas));
    }
    if let Some(terminating) = status.terminating_replicas.filter(|n| *n > 0) {
        counts.push_str(&format!(", terminating {terminating}"));
    }
    counts.push_str(&format!(", observedGeneration {}", status.observed_generation));
    counts
}
