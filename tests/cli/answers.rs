//! What answers hold, and in which shape; their words are in tests/cli/transcripts.

use serde_json::Value;
use support::{Ran, rsexp};

fn data(path: &str) -> String {
    support::data(path).to_str().unwrap().to_owned()
}

fn case(name: &str) -> String {
    data(&format!("cases/{name}.yaml"))
}

fn trace(name: &str, file: &str) -> String {
    data(&format!("traces/{name}/{file}"))
}

fn ask(words: &str) -> Ran {
    let ran = rsexp(words.split_whitespace());
    assert_eq!(ran.code, Some(0), "{words}: {ran:?}");
    ran
}

fn report(args: &[&str]) -> Value {
    let ran = rsexp([args, &["-o", "json"]].concat());
    assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
    serde_json::from_str(&ran.out).unwrap()
}

/// The reason of this code.
fn reason<'a>(report: &'a Value, code: &str) -> Option<&'a Value> {
    report["reasons"].as_array().unwrap().iter().find(|reason| reason["code"] == code)
}

#[test]
fn list_is_a_list_however_many_there_are() {
    let kind = |words: &str| {
        let value: Value = serde_json::from_str(&ask(words).out).unwrap();
        value["kind"].as_str().unwrap().to_owned()
    };
    let file = case("C57");
    for target in ["", "rs", "deploy/web", "-l app=web"] {
        assert_eq!(kind(&format!("list {target} -o json -f {file}")), "ReplicaSetReportList", "{target}");
    }
    for named in ["list rs/web-4f4f", "list web-4f4f", "explain", "dry-run"] {
        assert_eq!(kind(&format!("{named} -o json -f {file}")), "ReplicaSetReport", "{named}");
    }
    let names = ask(&format!("list -o jsonpath={{.items[*].object.name}} -f {file}"));
    assert_eq!(names.out, "web-4f4f");
}

#[test]
fn a_controller_of_the_log_alone_is_found_by_its_kind() {
    let log = trace("replication-controller", "kcm.log.gz");
    let found = rsexp(["explain", "rc/rc", "-f", &log, "-o", "jsonpath={.object.kind}"]);
    assert_eq!(found.out, "ReplicationController", "{found:?}");
    let other = rsexp(["explain", "rs/rc", "-f", &log]);
    assert_eq!(other.code, Some(3), "{other:?}");
}

#[test]
fn an_error_of_a_watch_names_the_watch() {
    let text = support::unzipped(trace("plain", "recording.jsonl.gz"));
    let error = r#"{"at":"2026-11-29T18:11:53Z","resource":"pods","type":"ERROR","object":{"kind":"Status","message":"too old","reason":"Expired","code":410}}"#;
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(lines.iter().position(|line| line.contains("18:11:53")).unwrap_or(lines.len() - 1), error);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("error.jsonl");
    std::fs::write(&file, lines.join("\n")).unwrap();
    let report = report(&["explain", "-f", file.to_str().unwrap()]);
    let gap = reason(&report, "WatchGap").expect("the error is a gap");
    assert_eq!(gap["tier"], "observed");
    let message = gap["message"].as_str().unwrap();
    assert!(
        message.contains("pods") && message.contains("Expired: too old"),
        "the server's own words: {message}"
    );
}

#[test]
fn a_failed_adoption_of_the_log_is_told() {
    let file = trace("plain", "recording.jsonl.gz");
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("kcm.log");
    let mut text = support::unzipped(trace("plain", "kcm.log.gz"));
    text += "E1129 18:11:59.900000       1 replica_set.go:600] \"Unhandled Error\" err=\"sync \\\"plain/a\\\" failed with can't adopt Pod plain/x (uid): original ReplicaSet plain/a is gone: got uid b, wanted a\" logger=\"UnhandledError\"\n";
    std::fs::write(&log, text).unwrap();
    let with_log = report(&["explain", "-f", &file, "--controller-log", log.to_str().unwrap()]);
    assert_eq!(reason(&with_log, "ClaimFailed").expect("the log has it")["tier"], "logged");
    assert_eq!(reason(&report(&["explain", "-f", &file]), "ClaimFailed"), None);
}

/// Grants ReplicaSets and pods alone.
fn events_denied(path: &str) -> support::server::Answer {
    let list = |kind: &str, version: &str, items: &str| {
        format!(
            r#"{{"kind":"{kind}List","apiVersion":"{version}","metadata":{{"resourceVersion":"9"}},"items":[{items}]}}"#
        )
    };
    let web = r#"{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"web","namespace":"shop","uid":"u","resourceVersion":"9","generation":1},"spec":{"replicas":0,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}}}},"status":{"replicas":0,"observedGeneration":1}}"#;
    let denied = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}"#;
    match path {
        _ if path.contains("/replicasets") => Some((200, list("ReplicaSet", "apps/v1", web))),
        _ if path.contains("/pods") => Some((200, list("Pod", "v1", ""))),
        _ => Some((403, denied.into())),
    }
}

#[test]
fn what_may_not_be_read_is_a_reason_and_never_the_one_of_a_row() {
    let server = support::server::serve(events_denied);
    let run = |words: &str| {
        let mut command = support::command();
        command.args(words.split(' ')).args(["-n", "shop", "-s", &server, "--window", "0"]);
        let output = command.env("KUBECONFIG", "nowhere").env("no_proxy", "*").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let report: Value = serde_json::from_str(&run("explain rs/web -o json")).unwrap();
    assert_eq!(reason(&report, "ReadDenied").expect("a reason")["tier"], "observed");
    let without: Vec<&Value> =
        report["degraded"].as_array().unwrap().iter().map(|lost| &lost["what"]).collect();
    assert!(without.contains(&&"events".into()), "{without:?}");
    let row = run("list");
    assert!(row.contains("web") && !row.contains("ReadDenied"), "{row}");
}
