//! The first lines: the headline, when it goes on by itself, and what triggers a sync.

use super::page::Page;
use crate::reconstruct::answer::Trigger;
use crate::report::sanitize::escape;
use crate::report::style::Style;
use crate::report::{Report, Verdict, sentences};

/// The headline and the lines that belong to it.
pub(super) fn write(page: &mut Page, report: &Report) {
    page.paragraph(2, &headline(report, page.style));
    if let Some(running) = &report.running {
        page.indented(2, &sentences::in_progress(running, report));
    }
    if let Some(until) = &report.until {
        page.indented(2, &sentences::until(until, report.as_of));
    }
    if report.verdict == Verdict::Undetermined {
        page.indented(2, &sentences::what_decides(report));
    }
    if let Some(trigger) = trigger(report) {
        let command = sentences::trigger(trigger);
        page.advice(2, 4, sentences::invitation(report), Some(&escape(&command)));
    }
}

/// The command that triggers a sync, shown on top if something is due.
pub(super) fn trigger(report: &Report) -> Option<&Trigger> {
    let command = report.wake.iter().find(|trigger| matches!(trigger, Trigger::Annotate { .. }));
    command.filter(|_| report.verdict != Verdict::Settled)
}

/// `rs/web (shop): SKIP – wants 10, has 7: the next sync ...`
pub(super) fn headline(report: &Report, style: &Style) -> String {
    let object = &report.object;
    let name = style.bold(&format!("{}/{}", object.kind.short(), escape(&object.name)));
    let verdict = style.verdict(report.verdict, &report.verdict.as_str().to_uppercase());
    let headline = sentences::headline(report);
    format!("{name} ({}): {verdict} – {}", escape(&object.namespace), escape(&headline))
}
