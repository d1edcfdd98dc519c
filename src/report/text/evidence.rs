//! Why, what would wake it, and what the answer rests on.

use super::header::wake_command;
use super::page::{Page, split_command};
use crate::reasons::{Code, Tier};
use crate::report::format::{at, exact};
use crate::report::sanitize::{escape, shorten};
use crate::report::{Report, Verdict, VersionSource, WindowReport};

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
            let message = escape(&reason.message);
            let message = if wide { message } else { shorten(&message, LONG).into_owned().into() };
            format!("{} ({}): {message}", page.style.bold(reason.code.as_str()), tier(reason.tier))
        })
        .collect();
    page.items("Why", &items);
}

/// How a fact is known.
fn tier(tier: Tier) -> &'static str {
    match tier {
        Tier::Observed => "seen",
        Tier::Logged => "in the controller's log",
        Tier::Inferred => "inferred",
        Tier::Assumed => "assumed",
    }
}

/// The section `Wake`: what is not on top already.
pub(super) fn wake(page: &mut Page, report: &Report) {
    let on_top = wake_command(report);
    let rest = report.wake.iter().filter(|entry| on_top.is_none() || split_command(entry).1 != on_top);
    let items: Vec<_> = rest.map(|entry| escape(entry).into_owned()).collect();
    page.items("Wake", &items);
}

/// The section `Evidence`.
pub(super) fn section(page: &mut Page, report: &Report, wide: bool) {
    let evidence = &report.evidence;
    let version = evidence.resource_version.as_ref().map(|v| format!("; resourceVersion {}", escape(v)));
    let first = format!(
        "as of {}; {}{}; {}",
        exact(report.as_of),
        window(evidence.window.as_ref(), report),
        version.unwrap_or_default(),
        server(report)
    );
    page.section("Evidence", &first);
    if wide {
        for source in &evidence.sources {
            page.item(&escape(source));
        }
    } else if report.verdict != Verdict::Settled && !evidence.sources.is_empty() {
        let sources: Vec<_> = evidence.sources.iter().map(|source| escape(source)).collect();
        page.item(&format!("from {}", sources.join("; ")));
    }
}

fn window(window: Option<&WindowReport>, report: &Report) -> String {
    let Some(window) = window else { return "a snapshot, changes before it were not seen".to_owned() };
    let gaps = if window.complete { "without a gap" } else { "with gaps" };
    let (from, to) = (at(window.from, report.as_of), at(window.to, report.as_of));
    if to == at(report.as_of, report.as_of) {
        format!("watched since {from} {gaps}")
    } else {
        format!("watched {from} to {to} {gaps}")
    }
}

fn server(report: &Report) -> String {
    let source = match report.server.source {
        VersionSource::Cluster => "read from the cluster",
        VersionSource::Recording => "read from the recording",
        VersionSource::Flag => "as given",
        VersionSource::Assumed => "assumed",
    };
    format!("Kubernetes {} ({source})", escape(&report.server.minor))
}

/// The section `Missing`: what could not be read.
pub(super) fn missing(page: &mut Page, report: &Report) {
    let items: Vec<_> =
        report.degraded.iter().map(|lost| format!("{}: {}", escape(&lost.what), escape(&lost.why))).collect();
    page.items("Missing", &items);
}

/// Where to read more about the reasons.
pub(super) fn pointer(page: &mut Page, report: &Report) {
    // That a version is assumed is said already; it is never the point.
    let telling = |code: Code| code != Code::VersionAssumed && code != Code::SlowStart;
    if let Some(reason) = report.reasons.iter().find(|reason| telling(reason.code)) {
        page.gap();
        page.paragraph(2, &format!("kubectl rsexp explain {} tells more.", reason.code));
    }
}
