//! Every command's JSON, on every recorded run and every case, is what the schema says.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use super::printed;
use super::strict::Strict;
use support::server::{Answer, serve};

/// The directories, or files, of test data with this ending, by name.
fn data(directory: &str, ending: &str) -> Vec<PathBuf> {
    let mut paths = support::entries(super::path(directory));
    paths.retain(|path| match ending {
        "/" => path.is_dir(),
        _ => path.to_str().unwrap().ends_with(ending),
    });
    paths
}

/// Runs each command line and tells what is wrong with what it prints; gives the codes of reasons that came up.
fn check(lines: &[Vec<String>]) -> (Vec<String>, BTreeSet<String>) {
    let (strict, next) = (Strict::new(), AtomicUsize::new(0));
    let found = Mutex::new((Vec::new(), BTreeSet::new()));
    let work = || {
        while let Some(line) = lines.get(next.fetch_add(1, Ordering::Relaxed)) {
            let args: Vec<&str> = line.iter().map(String::as_str).collect();
            let document = printed(&args);
            let wrong = strict.wrong(&document);
            let mut found = found.lock().unwrap();
            found.0.extend(wrong.into_iter().take(5).map(|wrong| format!("{args:?} {wrong}")));
            codes(&document, &mut found.1);
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().unwrap()
}

fn codes(document: &Value, found: &mut BTreeSet<String>) {
    for list in ["items", "reports"] {
        document[list].as_array().into_iter().flatten().for_each(|report| codes(report, found));
    }
    let reasons = document["reasons"].as_array().into_iter().flatten();
    found.extend(reasons.map(|reason| reason["code"].as_str().unwrap().to_owned()));
}

fn line(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The instants of a recorded run, at most so many, spread over it.
fn instants(trace: &std::path::Path, most: usize) -> Vec<String> {
    let all = support::instants(trace.file_name().unwrap().to_str().unwrap());
    let step = all.len().div_ceil(most).max(1);
    all.into_iter().step_by(step).collect()
}

#[test]
fn reports_of_every_recorded_run_are_what_the_schema_says() {
    let mut lines = Vec::new();
    for trace in data("tests/data/traces", "/") {
        let at = instants(&trace, 12).into_iter().flat_map(|at| ["--at".to_owned(), at]);
        let at: Vec<String> = at.collect();
        let file = |name: &str| trace.join(name).to_str().unwrap().to_owned();
        let (recording, log) = (file("recording.jsonl.gz"), file("kcm.log.gz"));
        let asked = line(&["-f", &recording, "-o", "json"]);
        let logged = line(&["--controller-log", &log]);
        lines.push([line(&["explain"]), asked.clone(), at.clone()].concat());
        lines.push([line(&["explain"]), asked.clone(), at.clone(), logged.clone()].concat());
        lines.push([line(&["dry-run", "--replicas", "2"]), asked.clone(), at.clone()].concat());
        lines.push([line(&["list"]), asked.clone(), logged.clone()].concat());
        lines.push([line(&["timeline"]), asked, logged.clone()].concat());
        lines.push([line(&["explain", "-o", "json"]), logged].concat());
    }
    assert_eq!(lines.len(), 61 * 6);
    let (wrong, codes) = check(&lines);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(codes.len() > 20, "{codes:?}");
}

#[test]
fn reports_of_every_case_are_what_the_schema_says() {
    let mut lines = Vec::new();
    for case in data("tests/data/cases", ".yaml") {
        let case = case.to_str().unwrap();
        let asked = ["-f", case, "-o", "json"];
        for command in ["list", "explain", "dry-run", "timeline"] {
            lines.push([line(&[command]), line(&asked)].concat());
        }
        lines
            .push([line(&["dry-run", "--replicas", "1", "--server-version", "1.16"]), line(&asked)].concat());
        lines.push(
            [line(&["dry-run", "--fail-creates", "QuotaExceeded@2", "--replicas", "9"]), line(&asked)]
                .concat(),
        );
    }
    assert_eq!(lines.len(), 26 * 6);
    let (wrong, codes) = check(&lines);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(codes.len() > 20, "{codes:?}");
}

#[test]
fn documents_without_a_replica_set_are_what_the_schema_says() {
    let mut lines = vec![
        line(&["version", "-o", "json"]),
        line(&["explain", "--list-codes", "-o", "json"]),
        line(&["explain", "ExpectationsUnmet", "-o", "json"]),
        line(&["explain", "ExpectationsUnmet", "SlowStart", "-o", "json"]),
        line(&["list", "-n", "nowhere", "-f", "examples/waits.rsexp.jsonl.gz", "-o", "json"]),
        line(&["timeline", "-n", "nowhere", "-f", "examples/waits.rsexp.jsonl.gz", "-o", "json"]),
    ];
    for demo in data("examples", ".rsexp.jsonl.gz") {
        let name = demo.file_name().unwrap().to_str().unwrap().strip_suffix(".rsexp.jsonl.gz").unwrap();
        lines.push(line(&["demo", name, "-o", "json"]));
    }
    let (wrong, _) = check(&lines);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Grants the pods alone.
fn pods_alone(path: &str) -> Answer {
    let forbidden =
        r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}"#;
    match path.contains("/pods?") {
        true => Some((200, r#"{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}"#.into())),
        false => Some((403, forbidden.into())),
    }
}

#[test]
fn what_may_be_read_is_told_as_the_schema_says() {
    let server = serve(pods_alone);
    let mut auth = support::command();
    let run =
        auth.args(["auth", "-s", &server, "-o", "json"]).env("KUBECONFIG", "nowhere").env("no_proxy", "*");
    let document: Value = serde_json::from_slice(&run.output().unwrap().stdout).unwrap();
    assert_eq!((&document["kind"], &document["sufficient"]), (&"AccessReport".into(), &false.into()));
    assert_eq!(Strict::new().wrong(&document), Vec::<String>::new());
}
