//! A report as text for people under pressure: first the verdict with the decisive figures, then
//! until when and how to wake it, then what it rests on.
//!
//! Strings of the report can come from the cluster. Each passes [`escape`](super::sanitize::escape)
//! once, where it is put into a line.

mod dry_run;
mod evidence;
mod expectations;
mod header;
mod ledger;
mod page;
mod plan;
#[cfg(test)]
mod tests;

use super::style::Style;
use super::{GateState, Report, Verdict};
use page::Page;

/// What is known of one ReplicaSet, and why its next sync does what it does.
///
/// `wide` leaves nothing out; without it long lists end with `... and N more`.
pub fn explain(report: &Report, style: &Style, wide: bool) -> String {
    let mut page = Page::new(style);
    if !report.object.exists {
        page.paragraph(2, &header::headline(report, style));
        return page.finish();
    }
    let brief = report.verdict == Verdict::Settled && !wide;
    header::write(&mut page, report);
    page.gap();
    if !brief || report.expectations.gate != GateState::Fulfilled {
        expectations::section(&mut page, report, wide);
    }
    plan::section(&mut page, report, wide);
    plan::status_section(&mut page, report);
    evidence::reasons(&mut page, report, wide);
    if !brief {
        evidence::triggers(&mut page, report);
        ledger::section(&mut page, report, wide);
    }
    evidence::section(&mut page, report, wide);
    evidence::missing(&mut page, report);
    evidence::pointer(&mut page, report);
    page.finish()
}

/// The next syncs of one ReplicaSet, what each does, and where they lead.
pub fn dry_run(report: &Report, style: &Style, wide: bool) -> String {
    let mut page = Page::new(style);
    page.paragraph(2, &header::headline(report, style));
    if report.object.exists {
        dry_run::syncs(&mut page, report, wide);
        page.gap();
        dry_run::summary(&mut page, report, wide);
        evidence::reasons(&mut page, report, false);
        evidence::section(&mut page, report, wide);
        evidence::missing(&mut page, report);
    }
    page.finish()
}

/// The verdict about the next sync, as every answer begins.
pub fn verdict(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style);
    page.paragraph(2, &header::headline(report, style));
    page.finish()
}
