//! What is told of an answer: its report, and the row of a table beside it.

use jiff::{SignedDuration, Timestamp};

use crate::engine::settings::{Output, Question as Asked, Settings};
use crate::model::dry_run::SyncRun;
use crate::objects::{Labels, Pod};
use crate::reasons::{Code, Tier};
use crate::reconstruct::Reason;
use crate::reconstruct::answer::Answer;
use crate::reconstruct::detail::LimitDetail;
use crate::reconstruct::runs::Run;
use crate::report::build::{self, Frame};
use crate::report::ledger;
use crate::report::table::{self, ListOptions, ListRow, PodRow};
use crate::report::{Degraded, Evidence, Report, Server, Window};

/// An answer, with what had been seen when it was given.
pub(super) struct Answered {
    pub(super) answer: Answer,
    /// The target that led here, where it is a Deployment or a pod, and why.
    pub(super) via: Option<String>,
    pub(super) runs: Vec<SyncRun>,
    pub(super) row: Row,
    pub(super) seen: Seen,
    /// The last runs of its ledger, where one is kept.
    pub(super) ledger: Vec<Run>,
}

#[derive(Clone)]
pub(super) struct Seen {
    pub(super) window: Option<Window>,
    pub(super) resource_version: Option<String>,
}

/// What all reports of a run share.
pub(super) struct Shared {
    pub(super) server: Server,
    pub(super) version: Option<Reason>,
    pub(super) sources: Vec<String>,
    pub(super) has_log: bool,
    pub(super) degraded: Vec<Degraded>,
}

impl Shared {
    /// The report of an answer, and what a table shows beside it.
    pub fn report(&self, answered: Answered) -> (Report, Row) {
        let Answered { mut answer, via, runs, mut row, seen, ledger: last } = answered;
        let shared = self.version.clone().into_iter().chain(denied(&self.degraded));
        answer.reasons.extend(shared.filter(|_| answer.object.is_some()));
        let frame = Frame {
            server: self.server.clone(),
            evidence: Evidence {
                window: seen.window,
                resource_version: seen.resource_version,
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

/// How the lines begin that tell of a denied read.
const FORBIDDEN: &str = "forbidden";

/// What nobody permitted to read, by name; `degraded` says what is lost by it.
fn denied(degraded: &[Degraded]) -> Option<Reason> {
    let names: Vec<&str> = degraded
        .iter()
        .filter(|lost| lost.why.starts_with(FORBIDDEN))
        .map(|lost| lost.what.as_str())
        .collect();
    let what = names.iter().map(|name| (*name).to_owned()).collect();
    (!names.is_empty()).then(|| Reason::new(Tier::Observed, LimitDetail::ReadDenied { what }))
}

/// What a reader of `-w` would notice: what the row of a table shows, else everything but times and
/// versions.
pub fn fingerprint(settings: &Settings, report: &Report, row: &Row) -> String {
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

/// The word for a pod that goes already.
const TERMINATING: &str = "Terminating";

/// What a table shows of a ReplicaSet beside its report.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// status.replicas.
    pub current: Option<i32>,
    /// status.readyReplicas.
    pub ready: Option<i32>,
    /// Time since its creation.
    pub age: Option<SignedDuration>,
    /// Its pods.
    pub pods: Vec<PodRow>,
    /// Its labels.
    pub labels: Labels,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// What it belongs to, as `deploy/web`.
    pub owner: Option<String>,
}

impl Row {
    /// The row of a table.
    pub fn beside<'a>(&self, report: &'a Report) -> ListRow<'a> {
        let Row { current, ready, age, pods, labels, owner, .. } = self.clone();
        ListRow { report, current, ready, age, pods, labels, owner, group: None }
    }
}

/// The word that kubectl shows for a pod, as far as the program reads pods.
pub fn pod_status(pod: &Pod) -> String {
    if pod.meta.deleted.is_some() {
        return TERMINATING.into();
    }
    if pod.reason.is_empty() { pod.phase.as_str().into() } else { pod.reason.clone() }
}
