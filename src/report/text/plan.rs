//! What one sync does: its creates, its deletes as a diff, its claims, its status write.

use super::page::{COLUMN, Page};
use crate::report::format::{count, names, shown};
use crate::report::sanitize::escape;
use crate::report::style::Style;
use crate::report::{GateState, PlanReport, Report, StatusWrite, SyncAction, Verdict, Victim};

/// The section `Plan`: what a sync does once its gate lets it through.
pub(super) fn section(page: &mut Page, report: &Report, wide: bool) {
    let plan = &report.plan;
    let mut items = Vec::new();
    if !plan.adopt.is_empty() {
        items.push(format!("adopt {}", names(plan.adopt.iter().map(String::as_str), wide)));
    }
    if !plan.release.is_empty() {
        items.push(format!("release {}", names(plan.release.iter().map(String::as_str), wide)));
    }
    items.extend(action(report));
    items.extend(foreseen(plan).map(|text| format!("a refusal is foreseen: {text}")));
    if items.is_empty() {
        return;
    }
    if let Some(when) = proviso(report) {
        items[0] = format!("{when} {}", items[0]);
    }
    page.items("Plan", &items);
    if plan.action == Some(SyncAction::Delete) {
        victims(page, plan, COLUMN, wide);
    }
}

/// When the plan is carried out.
fn proviso(report: &Report) -> Option<&'static str> {
    match report.verdict {
        Verdict::Settled | Verdict::Act => None,
        Verdict::Skip => Some("once the gate is open:"),
        Verdict::Blocked => Some("when nothing holds it back:"),
        Verdict::Undetermined if report.expectations.gate == GateState::Undetermined => {
            Some("if its gate is open:")
        }
        Verdict::Undetermined => Some("by what was seen:"),
    }
}

fn action(report: &Report) -> Option<String> {
    let plan = &report.plan;
    let pods = count(plan.count, "pod");
    let mut text = match plan.action {
        Some(SyncAction::Create) => format!("create {pods}{}", in_batches(&plan.create.batches)),
        Some(SyncAction::Delete) => {
            let of = report.active.map(|active| format!(" of {active}")).unwrap_or_default();
            format!(
                "delete {}{of} {}",
                plan.count,
                if plan.count == 1 && of.is_empty() { "pod" } else { "pods" }
            )
        }
        Some(_) => return None,
        None => return Some("cannot be said".to_owned()),
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
pub(super) fn foreseen(plan: &PlanReport) -> Option<String> {
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

/// The pods of a scale-down as a diff: `-` goes, `~` may go.
pub(super) fn victims(page: &mut Page, plan: &PlanReport, indent: usize, wide: bool) {
    let delete = &plan.delete;
    let style = page.style;
    marked(page, &delete.certain, indent, wide, |line| style.removed(line), "-");
    let going = plan.count.saturating_sub(delete.certain.len());
    if !delete.possible.is_empty() {
        page.indented(indent, &format!("{going} of these {}:", delete.possible.len()));
        marked(page, &delete.possible, indent, wide, |line| style.doubtful(line), "~");
    }
    if !delete.safe.is_empty() {
        let verb = if delete.safe.len() == 1 { "stays" } else { "stay" };
        let list = names(delete.safe.iter().map(|victim| victim.pod.as_str()), wide);
        page.indented(indent, &format!("{} {verb}: {list}", count(delete.safe.len(), "pod")));
        if wide {
            marked(page, &delete.safe, indent, wide, str::to_owned, "=");
        }
    }
}

fn marked(
    page: &mut Page,
    victims: &[Victim],
    indent: usize,
    wide: bool,
    paint: impl Fn(&str) -> String,
    mark: &str,
) {
    let some = shown(victims.len(), wide);
    for victim in &victims[..some] {
        let lead = format!("{}{mark} ", " ".repeat(indent));
        let text = page.style.paragraph(&lead, indent + 4, &victim_text(victim));
        for line in text.lines() {
            page.line(&paint(line));
        }
    }
    if some < victims.len() {
        page.indented(indent, &format!("{mark} ... and {} more", victims.len() - some));
    }
}

/// `web-c (NotReady): it is not ready`.
fn victim_text(victim: &Victim) -> String {
    let pod = escape(&victim.pod);
    if victim.why.is_empty() {
        return format!("{pod} ({})", victim.rule.as_str());
    }
    format!("{pod} ({}): {}", victim.rule.as_str(), escape(&victim.why))
}

/// The section `Status`: only what is written.
pub(super) fn status_section(page: &mut Page, report: &Report) {
    if let Some(status) = report.plan.status.as_ref().filter(|status| status.write) {
        page.items("Status", &status_items(status, page.style));
    }
}

/// What a status write says.
pub(super) fn status_items(status: &StatusWrite, style: &Style) -> Vec<String> {
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
    let conditions = status.conditions.iter().map(|condition| {
        let kind = style.bold(&escape(&condition.kind));
        let status = escape(&condition.status);
        format!("condition {kind}={status} ({}): {}", escape(&condition.reason), escape(&condition.message))
    });
    std::iter::once(counts).chain(conditions).collect()
}
