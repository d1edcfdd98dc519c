//! States behind public reports, against the answers that they should have had.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

/// The labels of the cases, and what the program says for each of them: the codes of reasons, of
/// which at least one must be given, or a verdict or an action where the label is no reason.
const LABELS: &[(&str, Said)] = &[
    ("ADOPT", Said::Code("AdoptionDue")),
    ("AGE_BUCKET_TIE", Said::Code("AgeBucketTie")),
    ("BACKOFF", Said::Code("RetryBackoff")),
    ("BURST_CAP", Said::Code("BurstCapped")),
    ("CLIENT_RATE", Said::Code("ClientRate")),
    ("CONTROLLER_NOT_RUNNING", Said::Code("ControllerNotRunning")),
    ("CREATE_TIMEOUT_SWALLOWED", Said::Code("CreateTimedOut")),
    ("DEPLOYMENT_DECIDES", Said::Code("DeploymentDecides")),
    ("EVENTS_THINNED", Said::Code("EventsThinned")),
    ("EVICTION_SUSPENDED", Said::Code("EvictionSuspended")),
    ("FAILED_PODS_NOT_COUNTED", Said::Code("FinishedNotCounted")),
    ("IDENTICAL_SELECTOR", Said::Code("SelectorOverlap")),
    ("IN_SYNC", Said::Verdict("settled")),
    ("LABEL_MISMATCH", Said::Code("LabelMismatch")),
    ("LATENT_FOR_OTHER_PODS", Said::Code("PodsIrreplaceable")),
    ("LIMITRANGE", Said::Code("RefusalPredicted")),
    ("MIN_READY", Said::Code("AvailabilityPending")),
    ("NAMESPACE_TERMINATING", Said::Code("NamespaceTerminating")),
    ("NO_WAKEUP_ON_EXPIRY", Said::Code("NothingWakes")),
    ("ORPHAN_PODS", Said::Code("OrphanPods")),
    ("POD_ON_LOST_NODE", Said::Code("PodOnLostNode")),
    ("POD_SECURITY", Said::Code("PodSecurityViolation")),
    ("QUOTA", Said::Code("QuotaExceeded")),
    ("RANK_FIXED", Said::Code("RanksFixed")),
    ("RS_ORPHAN", Said::Code("AdoptableByDeployment")),
    ("RS_SCALED_BY_HAND", Said::Code("ScaledByHand")),
    ("SCALE_DOWN", Said::Action("delete")),
    ("SELECTOR_MATCHES_FOREIGN_POD", Said::Code("AdoptedDiffersFromTemplate")),
    ("SELF_DEADLOCK", Said::Code("WebhookSelfDeadlock")),
    ("SERVICEACCOUNT_MISSING", Said::Code("ServiceAccountMissing")),
    ("SLOW_START", Said::Batches),
    ("STALE_CHECK_PASSED_SINCE", Said::Code("StaleCheckPassed")),
    ("STATUS_LAG", Said::Code("StatusBehind")),
    ("TERMINATING_NOT_COUNTED", Said::Code("TerminatingNotCounted")),
    ("TOPOLOGY_NOT_CONSULTED", Said::Code("TopologyNotConsulted")),
    ("UID_ORDER", Said::Code("AgeBucketTie")),
    ("VERSION_DEPENDENT", Said::Code("VersionDependent")),
    ("WEBHOOK_UNREACHABLE", Said::Code("WebhookUnreachable")),
    ("WILL_BE_ADOPTED_BY_DEPLOYMENT", Said::Code("AdoptableByDeployment")),
];

/// Fields of the expected answers that name pods, and the code whose message must name them.
const NAMING: &[(&str, &str)] = &[
    ("adoptedDiffersFromTemplate", "AdoptedDiffersFromTemplate"),
    ("nearMiss", "LabelMismatch"),
    ("stuckTerminating", "TerminatingNotCounted"),
    ("terminatingNotCounted", "TerminatingNotCounted"),
];

/// What differs and is known. The plan of a sync foresees refusals by quotas on pods and by a
/// terminating namespace; that creates go on being refused for other reasons is told by verdict and
/// reasons, not by `plan.create.created`.
const KNOWN: &[&str] = &[
    "C21 ctrl-system/ReplicaSet/ctrl-manager-654b: created is 1, expected 0",
    "C24 hotel/ReplicaSet/geo-6c4f: created is 1, expected 0",
    "C26 kube-system/ReplicaSet/ipam-controller-8650: created is 1, expected 0",
    "C27 tenant/ReplicaSet/model-5d55: created is 1, expected 0",
];

/// How the program says what a label means.
#[derive(Debug, Clone, Copy)]
enum Said {
    Code(&'static str),
    Verdict(&'static str),
    Action(&'static str),
    /// More than one slow-start batch, and the code that tells of it.
    Batches,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    case: String,
    as_of: String,
    server_version: String,
    inputs: Vec<String>,
    answers: Vec<Value>,
}

fn directory() -> PathBuf {
    support::data("cases")
}

/// Every case of the directory.
fn cases() -> Vec<Case> {
    let mut paths = support::entries(directory());
    paths.retain(|path| path.to_str().unwrap().ends_with(".expect.md"));
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let block = text.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
        serde_yaml::from_str(block).unwrap()
    };
    paths.iter().map(read).collect()
}

/// The dry run of a case: the reports by `namespace/kind/name`.
fn dry_run(case: &Case) -> BTreeMap<String, Value> {
    let mut args: Vec<String> = ["dry-run", "-A"].map(str::to_owned).into();
    for input in &case.inputs {
        args.push(if input.ends_with(".log") { "--controller-log" } else { "-f" }.to_owned());
        args.push(directory().join(input).to_str().unwrap().to_owned());
    }
    let rest = ["--now", &case.as_of, "--server-version", &case.server_version, "-o", "json"];
    args.extend(rest.map(str::to_owned));
    let ran = support::rsexp(&args);
    assert_eq!(ran.code, Some(0), "{}: {}", case.case, ran.err);
    assert!(!ran.err.contains("error:"), "{}: {}", case.case, ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let items = report["items"].as_array().cloned().unwrap_or_else(|| vec![report]);
    let key = |item: &Value| {
        let part = |field: &str| item["object"][field].as_str().unwrap().to_owned();
        format!("{}/{}/{}", part("namespace"), part("kind"), part("name"))
    };
    items.into_iter().map(|item| (key(&item), item)).collect()
}

/// What differs, one line each, and how many answers were judged.
fn differences(judge: impl Fn(&Case, &Value, &Value) -> Vec<String>) -> (usize, Vec<String>) {
    let (mut judged, mut found) = (0, Vec::new());
    for case in cases() {
        let reports = dry_run(&case);
        for expected in &case.answers {
            let object = expected["object"].as_str().unwrap();
            judged += 1;
            let differ = match reports.get(object) {
                Some(report) => judge(&case, expected, report),
                None => vec!["is not answered".to_owned()],
            };
            found.extend(differ.into_iter().map(|what| format!("{} {object}: {what}", case.case)));
        }
    }
    (judged, found)
}

fn names(value: &Value) -> BTreeSet<&str> {
    value.as_array().into_iter().flatten().filter_map(|v| v.as_str().or(v["pod"].as_str())).collect()
}

fn figures(_: &Case, expected: &Value, report: &Value) -> Vec<String> {
    let plan = &report["plan"];
    let mut found = Vec::new();
    let mut same = |what: &str, got: &Value, wanted: &Value| {
        if got != wanted {
            found.push(format!("{what} is {got}, expected {wanted}"));
        }
    };
    for field in ["desired", "active", "diff"] {
        same(field, &report[field], expected.get(field).unwrap_or(&report[field]));
    }
    let decision = expected["decision"].as_str().unwrap();
    same("action", &plan["action"], &decision.split('-').next().unwrap().into());
    if let Some(wanted) = expected["create"].get("thisSync") {
        same("count", &plan["count"], wanted);
    }
    if let Some(wanted) = expected["create"].get("slowStartBatches") {
        same("batches", &plan["create"]["batches"], wanted);
    }
    if let Some(wanted) = expected["create"].get("predictedSuccess") {
        same("created", &plan["create"]["created"], wanted);
    }
    for (field, wanted) in expected["computedStatus"].as_object().into_iter().flatten() {
        same(&format!("status.{field}"), &plan["status"][field], wanted);
    }
    let victims = &expected["delete"]["certain"];
    let sets =
        [("certain", &plan["delete"]["certain"], victims), ("adopt", &plan["adopt"], &expected["adopt"])];
    for (what, got, wanted) in sets {
        if names(got) != names(wanted) {
            found.push(format!("{what} is {:?}, expected {:?}", names(got), names(wanted)));
        }
    }
    found
}

fn reasons(_: &Case, expected: &Value, report: &Value) -> Vec<String> {
    let given: BTreeMap<&str, &str> = report["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| (r["code"].as_str().unwrap(), r["message"].as_str().unwrap()))
        .collect();
    let mut found = Vec::new();
    for label in names(&expected["reasons"]) {
        let Some((_, said)) = LABELS.iter().find(|(known, _)| *known == label) else {
            found.push(format!("{label} is not in the table"));
            continue;
        };
        let is_said = match said {
            Said::Code(code) => given.contains_key(code),
            Said::Verdict(verdict) => report["verdict"] == *verdict,
            Said::Action(action) => report["plan"]["action"] == *action,
            Said::Batches => given.contains_key("SlowStart"),
        };
        if !is_said {
            found.push(format!(
                "{label}: no {said:?}, but {} for {:?}",
                report["verdict"],
                given.keys().collect::<Vec<_>>()
            ));
        }
    }
    for (field, code) in NAMING {
        let expected = &expected[*field];
        let keys = expected.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
        for name in names(expected).into_iter().chain(keys) {
            if !given.get(code).is_some_and(|message| message.contains(name)) {
                found.push(format!("{code} does not name {name}: {:?}", given.get(code)));
            }
        }
    }
    found
}

#[test]
fn figures_of_every_case_are_those_expected() {
    let (judged, found) = differences(figures);
    assert_eq!(found, KNOWN);
    assert_eq!(judged, 28);
}

#[test]
fn reasons_of_every_case_are_given() {
    let (judged, found) = differences(reasons);
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert_eq!(judged, 28);
}

#[test]
fn every_label_of_the_table_occurs_and_every_code_exists() {
    let cases = cases();
    let used: BTreeSet<&str> =
        cases.iter().flat_map(|c| &c.answers).flat_map(|a| names(&a["reasons"])).collect();
    assert_eq!(used, LABELS.iter().map(|(label, _)| *label).collect());
    for (label, said) in LABELS {
        if let Said::Code(code) = said {
            assert!(rsexp::reasons::Code::parse(code).is_some(), "{label}: {code}");
        }
    }
}
