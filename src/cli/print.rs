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

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::report::{
        Creates, Deletes, Evidence, Expectations, ObjectReference, Plan, Range, Server, Verdict,
    };

    fn report(kind: &'static str, name: &str) -> Report {
        let zero = Range { min: Some(0), max: Some(0) };
        Report {
            api_version: API_VERSION,
            kind: "ReplicaSetReport",
            as_of: jiff::Timestamp::UNIX_EPOCH,
            server: Server { minor: "1.37".into(), source: "assumed" },
            object: ObjectReference {
                api_version: "apps/v1",
                kind,
                namespace: "on".into(),
                name: name.into(),
                uid: None,
                resource_version: Some("123".into()),
                generation: Some(1),
                exists: true,
            },
            desired: Some(3),
            active: Some(3),
            diff: Some(0),
            verdict: Verdict::Settled,
            reasons: Vec::new(),
            until: None,
            wake: Vec::new(),
            expectations: Expectations {
                gate: "none",
                add: zero,
                del: zero,
                set_at: None,
                expires_at: None,
                awaited_deletions: Vec::new(),
            },
            running: None,
            plan: Plan {
                action: Some("none"),
                count: 0,
                capped: false,
                adopt: Vec::new(),
                release: Vec::new(),
                create: Creates::default(),
                delete: Deletes::default(),
                status: None,
            },
            syncs: Vec::new(),
            evidence: Evidence { window: None, resource_version: None, sources: Vec::new() },
            degraded: Vec::new(),
        }
    }

    fn printed(count: usize, output: Output) -> String {
        let items =
            [report("ReplicaSet", "web"), report("ReplicationController", "old")].into_iter().take(count);
        let settings = Settings { output, ..Settings::of(Question::Explain) };
        reports(&items.collect::<Vec<_>>(), &settings, Look { colour: false, width: 80 }).unwrap()
    }

    #[test]
    fn one_report_stands_alone_and_other_counts_are_a_list() {
        let kind = |count| {
            let value: Value = serde_json::from_str(&printed(count, Output::Json)).unwrap();
            value["kind"].as_str().unwrap().to_owned()
        };
        assert_eq!([0, 1, 2].map(kind), ["ReplicaSetReportList", "ReplicaSetReport", "ReplicaSetReportList"]);
    }

    #[test]
    fn json_keeps_the_order_of_fields_and_ends_the_line() {
        let text = printed(1, Output::Json);
        assert!(
            text.starts_with("{\n  \"apiVersion\": \"rsexp.dev/v1\",\n  \"kind\": \"ReplicaSetReport\",\n")
        );
        assert!(text.ends_with("}\n"));
    }

    #[test]
    fn yaml_says_the_same_as_json() {
        let json: Value = serde_json::from_str(&printed(2, Output::Json)).unwrap();
        let yaml = printed(2, Output::Yaml);
        assert!(yaml.contains("namespace: \"on\"\n"), "{yaml}");
        assert_eq!(serde_yaml::from_str::<Value>(&yaml).unwrap(), json);
    }

    #[test]
    fn names_are_those_of_kubectl() {
        assert_eq!(printed(2, Output::Name), "replicaset.apps/web\nreplicationcontroller/old\n");
    }
}
