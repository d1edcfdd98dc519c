//! Makes reports of answers.

use super::Row;
use super::row::TERMINATING;
use crate::engine::settings::{Output, Question as Asked, Settings};
use crate::model::dry_run::SyncRun;
use crate::reasons::{Code, Tier};
use crate::reconstruct::Reason;
use crate::reconstruct::answer::Answer;
use crate::reconstruct::detail::LimitDetail;
use crate::reconstruct::runs::Run;
use crate::report::build::{self, SharedParts};
use crate::report::ledger;
use crate::report::table::{self, ListOptions};
use crate::report::{Degraded, EvidenceReport, Report, Server, WindowReport};

/// An answer, with what had been observed when it was given.
pub(super) struct Answered {
    pub(super) answer: Answer,
    /// The target that led here, where it is a Deployment or a pod, and why.
    pub(super) via: Option<String>,
    pub(super) runs: Vec<SyncRun>,
    pub(super) row: Row,
    pub(super) observed: Observed,
    /// The last runs of its ledger, where one is kept.
    pub(super) ledger: Vec<Run>,
}

/// What had been observed until an instant.
#[derive(Clone)]
pub(super) struct Observed {
    pub(super) window: Option<WindowReport>,
    pub(super) resource_version: Option<String>,
}

/// What all reports of a run share.
pub(super) struct ReportContext {
    pub(super) server: Server,
    pub(super) version: Option<Reason>,
    pub(super) sources: Vec<String>,
    pub(super) has_log: bool,
    pub(super) degraded: Vec<Degraded>,
}

impl ReportContext {
    /// The report of an answer, and what a table shows beside it.
    pub(super) fn report(&self, answered: Answered) -> (Report, Row) {
        let Answered { mut answer, via, runs, mut row, observed, ledger: last } = answered;
        if answer.object.is_some() {
            answer.reasons.extend(self.version.clone());
            answer.reasons.extend(denied(&self.degraded));
        }
        let frame = SharedParts {
            server: self.server.clone(),
            evidence: EvidenceReport {
                window: observed.window,
                resource_version: observed.resource_version,
                sources: self.sources.clone(),
                has_log: self.has_log,
            },
            degraded: self.degraded.clone(),
        };
        let mut report = build::report(&answer, &runs, &frame);
        report.object.via = via;
        report.ledger = last.iter().map(ledger::ledger_line).collect();
        for pod in row.pods.iter_mut().filter(|pod| pod.status != TERMINATING) {
            pod.note = table::fate(&report, &pod.name).into();
        }
        (report, row)
    }
}

/// What the user may not read, by name; `degraded` shows what is lost by it.
fn denied(degraded: &[Degraded]) -> Option<Reason> {
    let denied = degraded.iter().filter(|lost| lost.denied);
    let what: Vec<String> = denied.map(|lost| lost.what.clone()).collect();
    (!what.is_empty()).then(|| Reason::new(Tier::Observed, LimitDetail::ReadDenied { what }))
}

/// What a reader of `-w` would notice: what the row of a table shows, else everything but times and
/// versions.
pub(super) fn fingerprint(settings: &Settings, report: &Report, row: &Row) -> String {
    if let (Asked::List { .. }, true) = (&settings.question, settings.output.is_human()) {
        return table::content(&row.beside(report), &list_options(settings));
    }
    let reasons: Vec<Code> = report.reasons.iter().map(|reason| reason.code).collect();
    format!(
        "{:?} {:?} {:?} {:?} {reasons:?} {} {:?} {:?} {:?} {:?} {:?}",
        report.desired,
        report.active,
        report.verdict,
        report.running,
        report.expectations.gate,
        report.expectations.add,
        report.expectations.del,
        report.plan.action,
        row.current,
        row.ready,
    )
}

/// What the table of a list shows, whatever it is about.
pub fn list_options(settings: &Settings) -> ListOptions {
    ListOptions {
        headers: !settings.table.no_headers,
        wide: settings.output == Output::Wide,
        pods: matches!(settings.question, Asked::List { pods: true }),
        label_columns: settings.table.label_columns.clone(),
        labels: settings.table.show_labels,
        ..ListOptions::default()
    }
}
