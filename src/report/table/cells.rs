//! What stands in the cells of a row.

use jiff::SignedDuration;

use super::super::format::{age, awaited, exact};
use super::super::sanitize::escape;
use super::super::{Bounds, PlanReport, ReasonReport, Report, SyncAction, Verdict};
use super::{ListOptions, ListRow};
use crate::objects::{Labels, OwnerKind};
use crate::reasons::Code;

/// The place of the column UNTIL, where neither namespace nor instant stands before.
pub(crate) const UNTIL: usize = 8;

/// The place of the column SYNC, likewise.
pub(crate) const SYNC: usize = 5;

/// The heads of the columns.
pub(crate) fn heads(options: &ListOptions) -> Vec<String> {
    let mut names = vec!["NAME", "DESIRED", "CURRENT", "READY", "AGE", "SYNC", "EXPECT", "WHY", "UNTIL"];
    if options.namespaces {
        names.insert(0, "NAMESPACE");
    }
    if options.instants {
        names.insert(0, "AT");
    }
    if options.wide {
        names.extend(["DIFF", "PLAN", "GATE", "EVIDENCE"]);
    }
    let mut heads: Vec<String> = names.into_iter().map(str::to_owned).collect();
    heads.extend(options.label_columns.iter().map(|label| head_of_label(label)));
    if options.labels {
        heads.push("LABELS".into());
    }
    heads
}

/// `example.com/app` is headed APP.
fn head_of_label(label: &str) -> String {
    escape(label.rsplit('/').next().unwrap_or(label)).to_uppercase()
}

/// The cells of a row. `mixed`: not all rows are of one kind.
pub(crate) fn cells(row: &ListRow<'_>, options: &ListOptions, mixed: bool) -> Vec<String> {
    let report = row.report;
    // Of a settled one there is nothing to explain in a row; what else holds, explain says.
    let reason = if report.verdict == Verdict::Settled { None } else { why(report) };
    let mut cells = vec![
        name(report, mixed),
        number(report.desired),
        number(row.current),
        number(row.ready),
        row.age.map_or_else(|| "<unknown>".to_owned(), age),
        report.verdict.as_str().to_owned(),
        expectations(report),
        reason.map_or("-", |reason| reason.code.as_str()).to_owned(),
        remaining(report),
    ];
    if let Some(group) = &row.group {
        cells[0] = escape(&group.name).into_owned();
        cells[1] = number(group.desired);
        cells[2] = number(group.current);
        cells[3] = number(group.ready);
        cells[4] = "-".into();
        cells[6] = "-".into();
        cells[UNTIL] = group.until.map_or("-".into(), |left| age(left.max(SignedDuration::ZERO)));
    }
    if options.namespaces {
        let namespace = row.group.as_ref().map_or(&report.object.namespace, |group| &group.namespace);
        cells.insert(0, escape(namespace).into_owned());
    }
    if options.instants {
        cells.insert(0, exact(report.as_of));
    }
    if options.wide {
        cells.push(number(report.diff));
        cells.push(plan(&report.plan));
        cells.push(report.expectations.gate.to_string());
        cells.push(reason.map_or("-", |reason| reason.tier.as_str()).to_owned());
    }
    cells.extend(options.label_columns.iter().map(|label| label_cell(row.labels.get(label))));
    if options.labels {
        cells.push(labels(&row.labels));
    }
    cells
}

fn label_cell(value: Option<&str>) -> String {
    value.map_or("<none>".into(), |value| escape(value).into_owned())
}

/// `app=web,tier=front`.
fn labels(labels: &Labels) -> String {
    let pairs: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    if pairs.is_empty() { "<none>".into() } else { escape(&pairs.join(",")).into_owned() }
}

/// The reason that stands in the table: the first that is about the verdict. Whose version was assumed
/// and who decides the size hold whatever the next sync does.
pub(crate) fn why(report: &Report) -> Option<&ReasonReport> {
    let beside = [Code::VersionAssumed, Code::DeploymentDecides, Code::ReadDenied];
    report.reasons.iter().find(|reason| !beside.contains(&reason.code))
}

fn name(report: &Report, mixed: bool) -> String {
    let name = escape(&report.object.name);
    if mixed && report.object.kind == OwnerKind::ReplicationController {
        format!("rc/{name}")
    } else {
        name.into_owned()
    }
}

fn number(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

/// `3/0`. Of a settled ReplicaSet only what is known, since nothing hangs on it.
fn expectations(report: &Report) -> String {
    let (add, del) = (report.expectations.add, report.expectations.del);
    let known = |range: Bounds| range.min.is_some() && range.min == range.max;
    if report.verdict == Verdict::Settled && !(known(add) && known(del)) {
        return "-".to_owned();
    }
    format!("{}/{}", awaited(add), awaited(del))
}

/// The time until the verdict changes by itself.
fn remaining(report: &Report) -> String {
    report.until.as_ref().map_or_else(
        || "-".to_owned(),
        |until| age(until.at.duration_since(report.as_of).max(SignedDuration::ZERO)),
    )
}

/// `adopt 1, +3`.
fn plan(plan: &PlanReport) -> String {
    let mut parts = Vec::new();
    for (verb, pods) in [("adopt", &plan.adopt), ("release", &plan.release)] {
        if !pods.is_empty() {
            parts.push(format!("{verb} {}", pods.len()));
        }
    }
    match plan.action {
        Some(SyncAction::Create) => parts.push(format!("+{}", plan.count)),
        Some(SyncAction::Delete) => parts.push(format!("-{}", plan.count)),
        Some(_) if parts.is_empty() => parts.push("-".to_owned()),
        Some(_) => {}
        None => parts.push("?".to_owned()),
    }
    parts.join(", ")
}
