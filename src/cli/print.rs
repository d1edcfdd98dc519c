//! Writes reports in the wanted format.

use serde::Serialize;

use super::failure::Failure;
use super::output::Look;
use super::settings::{Output, Question, Settings};
use super::yaml as emitter;
use crate::report::{API_VERSION, Report, ReportList};

/// The text of some reports. One report is an object of its own in JSON and YAML, several are a list.
pub fn reports(reports: &[Report], settings: &Settings, look: Look) -> Result<String, Failure> {
    match settings.output {
        Output::Json => either(reports, &|value| json(value), &|value| json(value)),
        Output::Yaml => either(reports, &|value| yaml(value), &|value| yaml(value)),
        Output::Name => Ok(names(reports)),
        Output::Text => Ok(human(reports, &settings.question, look, false)),
        Output::Wide => Ok(human(reports, &settings.question, look, true)),
    }
}

/// JSON for reading and for programs alike.
pub fn json(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n").map_err(|error| Failure::Runtime(format!("writing JSON: {error}")))
}

/// YAML.
pub fn yaml(value: &impl Serialize) -> Result<String, Failure> {
    emitter::write(value).map_err(|error| Failure::Runtime(format!("writing YAML: {error}")))
}

fn either(
    reports: &[Report],
    one: &dyn Fn(&Report) -> Result<String, Failure>,
    several: &dyn Fn(&ReportList) -> Result<String, Failure>,
) -> Result<String, Failure> {
    match reports {
        [report] => one(report),
        _ => several(&ReportList {
            api_version: API_VERSION,
            kind: "ReplicaSetReportList",
            items: reports.to_vec(),
        }),
    }
}

/// `TYPE/NAME` lines as `kubectl get -o name` writes them.
fn names(reports: &[Report]) -> String {
    reports.iter().map(|report| name(report) + "\n").collect()
}

fn name(report: &Report) -> String {
    let kind = match report.object.kind {
        "ReplicationController" => "replicationcontroller",
        _ => "replicaset.apps",
    };
    format!("{kind}/{}", report.object.name)
}

/// For reading: a table, or a page for each report.
fn human(reports: &[Report], question: &Question, look: Look, wide: bool) -> String {
    let page: &dyn Fn(&Report) -> String = match question {
        Question::List { pods, no_headers } => return table(reports, look, wide, *pods, *no_headers),
        Question::Explain => &|report| explain(report, look, wide),
        Question::DryRun(_) => &|report| dry_run(report, look, wide),
    };
    let pages: Vec<String> = reports.iter().map(page).collect();
    pages.join("\n")
}

// The three renderings: to be replaced by those of `report::table` and `report::text`.

fn table(reports: &[Report], look: Look, wide: bool, _pods: bool, _no_headers: bool) -> String {
    reports.iter().map(|report| explain(report, look, wide)).collect()
}

fn explain(report: &Report, _look: Look, _wide: bool) -> String {
    format!("{}: {}\n", name(report), report.verdict.as_str())
}

fn dry_run(report: &Report, look: Look, wide: bool) -> String {
    explain(report, look, wide)
}
