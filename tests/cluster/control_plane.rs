//! The program against a real control plane (`tests/control-plane`): what it says of a ReplicaSet, what
//! kubectl shows of it, and what the controller then really does. One test, since a control plane takes
//! seconds to start.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::Ran;
use support::plane::{Plane, until};

/// A ReplicaSet in namespace shop.
fn replica_set(name: &str, replicas: usize) -> String {
    format!(
        r#"{{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{{"name":"{name}","namespace":"shop"}},
        "spec":{{"replicas":{replicas},"selector":{{"matchLabels":{{"app":"{name}"}}}},
        "template":{{"metadata":{{"labels":{{"app":"{name}"}}}},
        "spec":{{"containers":[{{"name":"main","image":"example.org/none"}}]}}}}}}}}"#
    )
}

fn report(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    serde_json::from_str(&ran.out).unwrap()
}

/// desired, active, diff, verdict.
fn figures(report: &Value) -> (i64, i64, i64, &str) {
    let number = |field: &str| report[field].as_i64().unwrap();
    (number("desired"), number("active"), number("diff"), report["verdict"].as_str().unwrap())
}

/// The pods that a plan deletes for certain, and those of which it deletes some.
fn victims(report: &Value, which: &str) -> BTreeSet<String> {
    let victims = report["plan"]["delete"][which].as_array().unwrap();
    victims.iter().map(|victim| victim["pod"].as_str().unwrap().to_owned()).collect()
}

/// The columns of the row of a ReplicaSet, but for its age.
fn row(table: &str, name: &str) -> Vec<String> {
    let line = table.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{table}"));
    let mut columns: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    columns.remove(4);
    columns
}

#[test]
fn what_it_says_is_what_the_controller_does() {
    let Some(plane) = Plane::start() else { return };
    plane.kubectl(["create", "namespace", "shop"], "");
    let rows = plane.follow(["list", "-n", "shop", "-w"]);
    let lines = plane.follow(["list", "-n", "shop", "-w", "-o", "json"]);

    creates_and_scales(&plane);
    ends_early(&plane);
    a_frozen_controller_does_what_was_said(&plane);
    a_recording_answers_as_the_cluster_did(&plane);
    releases_and_near_misses_are_found(&plane);
    waits_for_verdicts(&plane);
    finds_targets(&plane);
    least_permission(&plane);
    runs_as_a_plugin(&plane);

    no_row_comes_twice(&rows.end());
    one_object_a_line(&lines.end());
    only_reads(&plane);
}

fn creates_and_scales(plane: &Plane) {
    plane.kubectl(["create", "-f", "-"], &replica_set("web", 3));
    plane.settle("web", 3);
    let listed = report(&plane.rsexp(["list", "-n", "shop", "-o", "json"]));
    let items = listed["items"].as_array().unwrap();
    assert_eq!(items.len(), 1, "a list, however many there are: {listed:#}");
    assert_eq!(figures(&items[0]), (3, 3, 0, "settled"), "{listed:#}");

    plane.kubectl(["scale", "rs/web", "--replicas=5", "-n", "shop"], "");
    plane.settle("web", 5);
    let listed = plane.rsexp(["list", "-n", "shop"]);
    let shown = plane.kubectl(["get", "rs", "-n", "shop"], "");
    let own = row(&listed.out, "web");
    assert_eq!(own[..5], ["web", "5", "5", "0", "settled"], "{}", listed.out);
    assert_eq!(own[..4], row(&shown, "web")[..4]);
}

fn ends_early(plane: &Plane) {
    let begun = Instant::now();
    let explained = report(&plane.rsexp(["explain", "rs/web", "-n", "shop", "-o", "json"]));
    assert_eq!(figures(&explained), (5, 5, 0, "settled"), "{explained:#}");
    assert!(begun.elapsed() < Duration::from_secs(4), "the window of 5 s: {:?}", begun.elapsed());
    assert_eq!(explained["degraded"], serde_json::json!([]));
    assert_eq!(explained["server"]["source"], "cluster");
}

fn a_frozen_controller_does_what_was_said(plane: &Plane) {
    let before = plane.pods("web");
    let frozen = plane.freeze();
    plane.kubectl(["scale", "rs/web", "--replicas=2", "-n", "shop"], "");
    plane.kubectl(["create", "-f", "-"], &replica_set("fresh", 3));
    let listed = report(&plane.rsexp(["list", "-n", "shop", "-o", "json"]));
    let text = plane.rsexp(["list", "-n", "shop"]);
    let begun = Instant::now();
    let explained = report(&plane.rsexp("explain rs/web -n shop -o json --window 2s".split(' ')));
    let watched = begun.elapsed();
    let page = plane.rsexp("explain rs/web -n shop --window 0".split(' '));
    let planned = report(&plane.rsexp("dry-run rs/web -n shop -o json --window 0".split(' ')));
    let told = plane.rsexp("dry-run rs/web -n shop --window 0".split(' '));
    let untouched = plane.pods("web");
    frozen.end();
    assert_eq!(untouched, before, "the controller was not frozen");

    // Both said what is due: in a list, on a page, and as the first of the simulated syncs.
    let items = listed["items"].as_array().unwrap();
    assert_eq!(figures(&items[0]), (3, 0, -3, "act"), "{listed:#}");
    assert_eq!(items[0]["plan"]["create"]["batches"], serde_json::json!([1, 2]));
    // Whether a sync has begun since cannot be seen: both words are right.
    let (desired, active, diff, verdict) = figures(&items[1]);
    assert_eq!((desired, active, diff), (2, 5, 3));
    assert!(["act", "undetermined"].contains(&verdict), "{listed:#}");
    assert_eq!(row(&text.out, "web")[..5], ["web", "2", "5", "0", verdict], "{}", text.out);
    assert_eq!(row(&text.out, "fresh")[..5], ["fresh", "3", "0", "0", "act"], "{}", text.out);
    assert_eq!(figures(&explained), (2, 5, 3, verdict), "{explained:#}");
    assert!(watched >= Duration::from_secs(2), "not settled: the window stays open, {watched:?}");
    let heading = format!("rs/web (shop): {}", verdict.to_uppercase());
    assert!(page.out.starts_with(&heading) && page.out.contains("has 5"), "{}", page.out);
    let sync = &planned["syncs"][0];
    assert_eq!((sync["plan"]["action"].as_str(), sync["plan"]["count"].as_i64()), (Some("delete"), Some(3)));
    assert_eq!(sync["diff"], 3, "{planned:#}");
    assert!(told.out.contains("active 5 of 2 (diff +3)"), "{}", told.out);

    // And that is what was done.
    plane.settle("web", 2);
    plane.settle("fresh", 3);
    let gone: BTreeSet<String> = before.difference(&plane.pods("web")).cloned().collect();
    let (certain, possible) = (victims(&explained, "certain"), victims(&explained, "possible"));
    assert_eq!(gone.len(), 3);
    assert!(certain.is_subset(&gone), "{certain:?} of {gone:?}");
    assert!(gone.iter().all(|pod| certain.contains(pod) || possible.contains(pod)), "{gone:?} {explained:#}");
    if let Some(truth) = plane.truth() {
        let did = |what: &str, name: &str, count: &str| {
            truth
                .iter()
                .filter(|line| line["replicaSet"] == format!("shop/{name}"))
                .any(|line| line["msg"] == format!("Too {what} replicas") && line[count].as_i64() == Some(3))
        };
        assert!(did("many", "web", "deleting") && did("few", "fresh", "creating"), "{truth:#?}");
    }
}

/// A report without what another window must say otherwise: when, from where, and what came in it.
fn timeless(mut report: Value) -> Value {
    for field in ["asOf", "evidence", "ledger"] {
        report.as_object_mut().unwrap().remove(field);
    }
    report["server"]["source"] = Value::Null;
    report
}

/// In peace, and while the controller is frozen with something due.
fn a_recording_answers_as_the_cluster_did(plane: &Plane) {
    let home = tempfile::tempdir().unwrap();
    let file = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let record = |target: &str, more: &str, to: &str| {
        let words = format!("record {target} -n shop {more} --to {to}");
        let ran = plane.rsexp(words.split_whitespace());
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
        assert!(!ran.err.contains("warning"), "{ran:?}");
    };
    let asked = |words: &str| report(&plane.rsexp(words.split(' ')));
    let same = |target: &str, window: &str, to: &str| {
        let live = asked(&format!("explain {target} -n shop -o json --window {window}"));
        record(target, &format!("--window {window}"), to);
        let later = asked(&format!("explain {target} -n shop -o json -f {to}"));
        assert_eq!(timeless(later), timeless(live), "{target}");
    };
    same("rs/web", "0", &file("state.jsonl"));
    same("rs/web", "2s", &file("peace.jsonl.gz"));
    same("rs/fresh", "2s", &file("fresh.jsonl.gz"));

    let frozen = plane.freeze();
    plane.kubectl(["scale", "rs/web", "--replicas=4", "-n", "shop"], "");
    same("rs/web", "0", &file("frozen.jsonl"));
    let redacted = file("redacted.jsonl");
    record("rs/web", "--window 0 --redact", &redacted);
    frozen.end();
    plane.settle("web", 4);
    let text = std::fs::read_to_string(&redacted).unwrap();
    assert!(!text.contains("example.org") && !text.contains("shop"), "{text}");
    let items = asked(&format!("list -o json -f {redacted}"));
    let mut all: Vec<_> = items["items"].as_array().unwrap().iter().map(figures).collect();
    all.sort_unstable();
    // Of the second both act and undetermined are right, as above.
    assert_eq!((all[0], all[1].2), ((3, 3, 0, "settled"), -2), "{items:#}");

    // What happens while it is recorded is told as it came: one round of two deletions.
    let during = file("during.jsonl.gz");
    std::thread::scope(|scope| {
        let recorder = scope.spawn(|| record("rs/web", "--window 4s", &during));
        std::thread::sleep(Duration::from_secs(1));
        plane.kubectl(["scale", "rs/web", "--replicas=2", "-n", "shop"], "");
        plane.settle("web", 2);
        recorder.join().unwrap();
    });
    let later = asked(&format!("explain rs/web -o json -f {during}"));
    assert_eq!(figures(&later), (2, 2, 0, "settled"), "{later:#}");
    assert_eq!(later["expectations"]["gate"], "fulfilled", "{later:#}");
    assert_eq!(later["evidence"]["window"]["complete"], true);
}

/// Pods that no selector finds: explain reads few pods in full, list reads all, and both say the same.
fn releases_and_near_misses_are_found(plane: &Plane) {
    let frozen = plane.freeze();
    let pod = plane.pods("web").pop_first().unwrap();
    plane.kubectl(["label", "pod", &pod, "app=other", "--overwrite", "-n", "shop"], "");
    let explained = report(&plane.rsexp("explain rs/web -n shop -o json --window 0".split(' ')));
    let listed = report(&plane.rsexp("list rs -n shop -o json".split(' ')));
    frozen.end();
    assert_eq!(explained["plan"]["release"], serde_json::json!([pod]), "{explained:#}");
    assert_eq!(explained["active"], 1);
    let items = listed["items"].as_array().unwrap();
    let same = items.iter().find(|item| item["object"]["name"] == "web").unwrap();
    for field in ["desired", "active", "diff", "verdict", "plan"] {
        assert_eq!(explained[field], same[field], "{field}");
    }
    until("the pod is released", || {
        let owners = plane
            .kubectl(["get", "pod", &pod, "-n", "shop", "-o", "jsonpath={.metadata.ownerReferences}"], "");
        owners.is_empty()
    });
    plane.settle("web", 2);
    plane.kubectl(["delete", "pod", &pod, "-n", "shop"], "");
}

fn waits_for_verdicts(plane: &Plane) {
    let settled = plane.rsexp("explain rs/web -n shop --until settled --timeout 20s".split(' '));
    assert_eq!(settled.code, Some(0), "{settled:?}");
    assert!(settled.out.starts_with("rs/web (shop): SETTLED"), "{}", settled.out);
    let begun = Instant::now();
    let blocked = plane.rsexp("explain rs/web -n shop --until blocked --timeout 2s".split(' '));
    assert_eq!(blocked.code, Some(14), "{blocked:?}");
    assert!(begun.elapsed() < Duration::from_secs(6));
}

fn finds_targets(plane: &Plane) {
    plane.kubectl("create deployment api --image=example.org/none --replicas=2 -n shop".split(' '), "");
    let owned = || plane.kubectl("get rs -n shop -l app=api -o name".split(' '), "").trim().to_owned();
    until("the Deployment has its ReplicaSet", || !owned().is_empty());
    let name = owned().split_once('/').unwrap().1.to_owned();
    plane.settle(&name, 2);
    let explained = report(&plane.rsexp("explain deploy/api -n shop -o json".split(' ')));
    assert_eq!(explained["object"]["name"], name);
    assert_eq!(figures(&explained), (2, 2, 0, "settled"));

    let absent = plane.rsexp("explain rs/wep -n shop --window 0".split(' '));
    assert_eq!((absent.code, absent.out.as_str()), (Some(3), ""));
    assert!(absent.err.contains(r#"replicasets.apps "wep" not found"#), "{}", absent.err);

    plane.kubectl("delete rs/fresh -n shop --wait=true".split(' '), "");
    until("its pods are gone", || plane.pods("fresh").is_empty());
    let deleted = plane.rsexp("explain rs/fresh -n shop --window 0".split(' '));
    assert_eq!(deleted.code, Some(3), "{deleted:?}");
    assert!(!plane.rsexp(["list", "-n", "shop"]).out.contains("fresh"));
}

fn least_permission(plane: &Plane) {
    let denied = plane.rsexp_as_reader("list -n shop".split(' '));
    assert_eq!(denied.code, Some(4), "{denied:?}");
    assert!(denied.err.contains("forbidden"), "{}", denied.err);

    plane.kubectl("create role rsexp --verb=get,list,watch --resource=rs,pods -n shop".split(' '), "");
    plane.kubectl("create rolebinding rsexp --role=rsexp --user=reader -n shop".split(' '), "");
    let listed = || plane.rsexp_as_reader("list -n shop".split(' '));
    until("the role counts", || listed().code == Some(0));
    assert_eq!(row(&listed().out, "web")[..5], ["web", "2", "2", "0", "settled"]);
    let explained = report(&plane.rsexp_as_reader("explain rs/web -n shop -o json".split(' ')));
    assert_eq!(figures(&explained), (2, 2, 0, "settled"));
    let degraded = explained["degraded"].as_array().unwrap();
    let mut lost: Vec<&str> = degraded.iter().map(|entry| entry["what"].as_str().unwrap()).collect();
    lost.sort_unstable();
    assert_eq!(
        lost,
        ["deployments.apps", "events", "leases.coordination.k8s.io", "namespaces", "resourcequotas"]
    );
    let reasons = explained["reasons"].as_array().unwrap();
    assert!(reasons.iter().any(|reason| reason["code"] == "ReadDenied"), "{explained:#}");
    let all = plane.rsexp_as_reader(["list", "-A"]);
    assert_eq!(all.code, Some(4), "{all:?}");
}

fn runs_as_a_plugin(plane: &Plane) {
    let through = plane.kubectl("rsexp list -n shop".split(' '), "");
    assert_eq!(row(&through, "web")[..5], ["web", "2", "2", "0", "settled"], "{through}");
    let completed = plane.kubectl("__complete rsexp explain -n shop rs/w".split(' '), "");
    assert!(completed.starts_with("rs/web\t2/2\n"), "{completed}");
}

/// Rows of one ReplicaSet that follow each other differ in more than the age.
fn no_row_comes_twice(table: &str) {
    let names: BTreeSet<&str> = table.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("web") && names.contains("fresh"), "{table}");
    assert_eq!(table.matches("DESIRED").count(), 1, "{table}");
    for name in names {
        let rows: Vec<Vec<String>> = table
            .lines()
            .filter(|line| line.split(' ').next() == Some(name))
            .map(|line| row(line, name))
            .collect();
        for pair in rows.windows(2) {
            assert_ne!(pair[0], pair[1], "{table}");
        }
    }
}

fn one_object_a_line(lines: &str) {
    let reports: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(reports.iter().all(|report| report["kind"] == "ReplicaSetReport"));
    let due = reports
        .iter()
        .find(|report| report["object"]["name"] == "web" && report["desired"] == 2 && report["active"] == 5);
    // The frozen controller held no expectations.
    let due = due.unwrap_or_else(|| panic!("{lines}"));
    for counter in ["add", "del"] {
        let (min, max) = (&due["expectations"][counter]["min"], &due["expectations"][counter]["max"]);
        assert!(min.as_i64().is_none_or(|min| min <= 0), "{due:#}");
        assert!(max.as_i64().is_none_or(|max| max >= 0), "{due:#}");
    }
    let mut last = std::collections::BTreeMap::new();
    for report in &reports {
        let mut timeless = report.clone();
        for field in ["asOf", "evidence"] {
            timeless.as_object_mut().unwrap().remove(field);
        }
        let before = last.insert(report["object"]["name"].to_string(), timeless.clone());
        assert_ne!(before, Some(timeless), "{lines}");
    }
}

/// The audit log holds all that was asked of the API server.
fn only_reads(plane: &Plane) {
    let asked = plane.asked("kubectl-rsexp/");
    let verbs: BTreeSet<&str> = asked.iter().map(|entry| entry["verb"].as_str().unwrap()).collect();
    assert_eq!(verbs, BTreeSet::from(["get", "list", "watch"]), "of {} requests", asked.len());
}
