//! What one sync does: its creates, its deletes as a diff, its claims, its status write.

use super::page::{COLUMN, Page};
use crate::report::format::{count, names, shown};
use crate::report::sanitize::{escape, prose};
use crate::report::sentences::next_sync;
use crate::report::style::Style;
use crate::report::{PlanReport, Report, StatusWrite, SyncAction, Victim};

/// The section `Plan`: what a sync does once its gate lets it through.
pub(super) fn section(page: &mut Page, report: &Report, wide: bool) {
    let items = next_sync::plan(report, wide);
    page.items("Plan", &items);
    if report.plan.action == Some(SyncAction::Delete) {
        victims(page, &report.plan, COLUMN, wide);
    }
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
        let text = page.style.paragraph(&lead, indent + 4, &escape(&next_sync::victim(victim)));
        for line in text.lines() {
            page.line(&paint(line));
        }
    }
    if some < victims.len() {
        page.indented(indent, &format!("{mark} ... and {} more", victims.len() - some));
    }
}

/// The section `Status`: only what is written.
pub(super) fn status_section(page: &mut Page, report: &Report) {
    if let Some(status) = report.plan.status.as_ref().filter(|status| status.write) {
        page.items("Status", &status_items(status, page.style));
    }
}

/// The lines of a status write.
pub(super) fn status_items(status: &StatusWrite, style: &Style) -> Vec<String> {
    let conditions = status.conditions.iter().map(|condition| {
        let kind = style.bold(&escape(&condition.kind));
        let status = escape(&condition.status);
        format!("condition {kind}={status} ({}): {}", escape(&condition.reason), prose(&condition.message))
    });
    std::iter::once(next_sync::status(status)).chain(conditions).collect()
}
