//! Why, what triggers a sync, and what the answer rests on.

use super::header;
use super::page::Page;
use crate::reasons::Code;
use crate::report::sanitize::{escape, prose, shorten_middle};
use crate::report::{Report, Verdict, sentences};

/// Columns of a message that are shown, unless all is asked for.
const LONG: usize = 400;

/// The section `Why`.
pub(super) fn reasons(page: &mut Page, report: &Report, wide: bool) {
    // The plan has the batches already.
    let drawn = |code: Code| !wide && code == Code::SlowStart;
    let items: Vec<_> = report
        .reasons
        .iter()
        .filter(|reason| !drawn(reason.code))
        .map(|reason| {
            let message = prose(&sentences::reason(&reason.detail));
            let message = if wide { message } else { shorten_middle(&message, LONG) };
            let code = page.style.bold(reason.code.as_str());
            format!("{code} ({}): {message}", sentences::known_from(reason.tier))
        })
        .collect();
    page.items("Why", &items);
}

/// The section `Trigger`: what is not on top already.
pub(super) fn triggers(page: &mut Page, report: &Report) {
    let on_top = header::trigger(report);
    let rest = report.wake.iter().filter(|trigger| Some(*trigger) != on_top);
    let items: Vec<_> = rest.map(|trigger| escape(&sentences::trigger(trigger)).into_owned()).collect();
    page.items("Trigger", &items);
}

/// The section `Evidence`.
pub(super) fn section(page: &mut Page, report: &Report, wide: bool) {
    let sources = &report.evidence.sources;
    page.section("Evidence", &escape(&sentences::rests_on(report)));
    if wide {
        for source in sources {
            page.item(&escape(source));
        }
    } else if report.verdict != Verdict::Settled && !sources.is_empty() {
        page.item(&format!("from {}", escape(&sources.join("; "))));
    }
}

/// The section `Missing`: what could not be read.
pub(super) fn missing(page: &mut Page, report: &Report) {
    let items: Vec<_> = report.degraded.iter().map(|lost| prose(&sentences::missing(lost))).collect();
    page.items("Missing", &items);
}

/// Where to read more about the reasons.
pub(super) fn pointer(page: &mut Page, report: &Report) {
    // That a version is assumed is said already; it is never the point.
    let telling = |code: Code| code != Code::VersionAssumed && code != Code::SlowStart;
    if let Some(reason) = report.reasons.iter().find(|reason| telling(reason.code)) {
        page.gap();
        page.paragraph(2, &sentences::details(reason.code));
    }
}
