//! What answers say, and in which shape: the same words for the same fact, nothing wider or louder than
//! it need be.

use std::io::Read;

use flate2::read::MultiGzDecoder;
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

fn unzipped(path: &str) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

fn ask(words: &str) -> Ran {
    let ran = rsexp(words.split_whitespace());
    assert_eq!(ran.code, Some(0), "{words}: {ran:?}");
    ran
}

/// The words without the way in which lines are broken.
fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
    let found = rsexp(["explain", "rc/rc", "-f", &log]);
    assert!(found.out.starts_with("rc/rc "), "{found:?}");
    let other = rsexp(["explain", "rs/rc", "-f", &log]);
    assert_eq!(other.code, Some(3), "{other:?}");
}

#[test]
fn a_timeline_of_the_log_alone_says_why_it_has_no_lines() {
    let told = rsexp(["timeline", "-f", &trace("plain", "kcm.log.gz")]).out;
    assert!(told.starts_with("rs/"), "no empty line before it: {told}");
    assert!(flowing(&told).contains("No lines: the controller's log alone does not show"), "{told}");
    assert!(told.contains("-f with a recording"), "what to do: {told}");
}

#[test]
fn a_dry_run_of_what_is_being_deleted_does_not_settle() {
    let file = trace("rs-delete", "recording.jsonl.gz");
    let told = ask(&format!("dry-run rs/b -f {file} --at 2026-11-29T18:14:47Z")).out;
    assert!(told.contains("not settled after 1 sync"), "{told}");
    assert!(!told.contains("then        settled"), "{told}");
    assert!(flowing(&told).contains("its syncs no longer create or delete pods"), "{told}");
}

#[test]
fn a_dry_run_of_refused_creates_says_that_they_are_taken_to_succeed() {
    let reserve = "if the creates are not refused (PodSecurityViolation)";
    let file = case("C24");
    let told = ask(&format!("dry-run -f {file}")).out;
    assert!(flowing(&told).contains(reserve), "{told}");
    let told = ask(&format!("dry-run -f {file} --fail-creates PodSecurityViolation")).out;
    assert!(!flowing(&told).contains(reserve), "{told}");
}

#[test]
fn explain_and_dry_run_have_one_wording_for_a_gate() {
    let now = "--now 2026-02-21T10:00:00Z";
    let file = case("C69");
    for command in ["explain", "dry-run"] {
        let told = ask(&format!("{command} -f {file} {now}")).out;
        assert!(told.contains("not known") && !told.contains("taken to be open"), "{command}: {told}");
    }
    let file = case("C57");
    for command in ["explain", "dry-run"] {
        let told = ask(&format!("{command} -f {file} --now 2021-06-17T10:00:00Z")).out;
        assert!(told.contains("not known, taken to be open"), "{command}: {told}");
    }
    let file = case("C81");
    for command in ["explain", "dry-run"] {
        let told = ask(&format!("{command} -f {file} --now 2024-05-01T10:00:00Z")).out;
        assert!(flowing(&told).contains("unless that is under way already"), "{command}: {told}");
        assert!(!told.contains("taken to be open"), "{command}: {told}");
    }
}

#[test]
fn a_settled_row_has_no_why() {
    let told = ask(&format!("list -f {}", case("C40"))).out;
    assert!(told.contains("settled") && !told.contains("TerminatingNotCounted"), "{told}");
    let told = ask(&format!("explain -f {}", case("C40"))).out;
    assert!(told.contains("TerminatingNotCounted"), "explain still says it: {told}");
}

#[test]
fn a_log_that_was_given_is_not_asked_for() {
    let file = trace("quota-1.34", "recording.jsonl.gz");
    let log = trace("quota-1.34", "kcm.log.gz");
    let at = "--at 2026-11-29T19:00:24.301Z";
    let told = flowing(&ask(&format!("explain rs/a -f {file} --controller-log {log} {at}")).out);
    assert!(told.contains("to decide it: a longer window, or a log of the controller at -v=4"), "{told}");
    assert!(!told.contains("(--controller-log)"), "{told}");
    assert!(told.contains("EvidenceIncomplete") && told.contains("or does not get to it"), "{told}");
}

#[test]
fn an_error_of_a_watch_names_the_watch() {
    let text = unzipped(&trace("plain", "recording.jsonl.gz"));
    let error = r#"{"at":"2026-11-29T18:11:53Z","resource":"pods","type":"ERROR","object":{"kind":"Status","message":"too old","reason":"Expired","code":410}}"#;
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(lines.iter().position(|line| line.contains("18:11:53")).unwrap_or(lines.len() - 1), error);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("error.jsonl");
    std::fs::write(&file, lines.join("\n")).unwrap();
    let told = rsexp(["explain", "-f", file.to_str().unwrap()]);
    assert!(flowing(&told.out).contains("WatchGap (seen): the watch of pods: Expired: too old"), "{told:?}");
}

#[test]
fn a_failed_adoption_of_the_log_is_told() {
    let file = trace("plain", "recording.jsonl.gz");
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("kcm.log");
    let mut text = unzipped(&trace("plain", "kcm.log.gz"));
    text += "E1129 18:11:59.900000       1 replica_set.go:600] \"Unhandled Error\" err=\"sync \\\"plain/a\\\" failed with can't adopt Pod plain/x (uid): original ReplicaSet plain/a is gone: got uid b, wanted a\" logger=\"UnhandledError\"\n";
    std::fs::write(&log, text).unwrap();
    let told = rsexp(["explain", "-f", &file, "--controller-log", log.to_str().unwrap()]);
    assert!(told.out.contains("ClaimFailed (in the controller's log)"), "{told:?}");
    let told = rsexp(["explain", "-f", &file]);
    assert!(!told.out.contains("ClaimFailed"), "{told:?}");
}

#[test]
fn times_of_a_timeline_say_their_zone() {
    let told = ask(&format!("timeline -f {}", trace("plain", "recording.jsonl.gz"))).out;
    assert!(told.contains("\n2026-11-29 UTC "), "{told}");
}

#[test]
fn one_of_something_is_told_in_the_singular() {
    let told = flowing(&ask(&format!("explain -f {} --now 2019-02-27T10:00:00Z", case("C40"))).out);
    assert!(
        told.contains("1 pod on a lost node: node-3") && told.contains("it counts by its phase"),
        "{told}"
    );
    assert!(told.contains("the only node seen is not ready"), "{told}");
    let told = flowing(&ask(&format!("explain -f {} --now 2021-05-26T10:00:00Z", case("C63"))).out);
    assert!(told.contains("work-p2 has 1 restart "), "{told}");
    let told = flowing(&ask(&format!("dry-run -f {} --replicas 2", case("C71"))).out);
    assert!(told.contains("1 of 3 pods goes, which one is open"), "{told}");
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
    let told = flowing(&run("explain rs/web"));
    assert!(told.contains("ReadDenied (seen): not permitted to read "), "{told}");
    assert!(told.contains("events"), "{told}");
    let row = run("list");
    assert!(row.contains("web") && !row.contains("ReadDenied"), "{row}");
}

#[test]
fn a_cluster_of_settled_ones_says_how_to_see_them() {
    let file = case("C40");
    assert_eq!(ask(&format!("list -A -f {file}")).out, "1 ReplicaSet: 1 settled (--all shows them)\n");
    assert!(!ask(&format!("list -A --all -f {file}")).out.contains("--all"));
}
