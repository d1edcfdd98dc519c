//! `timeline`, and the end of the ledger in `explain`, on recordings of real control planes.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;
use support::{rsexp, trace_file, traces};

/// What a command prints of a trace.
fn run(command: &str, trace: &str, more: &[&str]) -> String {
    let recording = trace_file(trace, "recording.jsonl.gz");
    let ran = rsexp([&[command, "-f", &recording], more].concat());
    assert_eq!(ran.code, Some(0), "{trace} {more:?}: {}", ran.err);
    ran.out
}

fn timeline(trace: &str, more: &[&str]) -> String {
    run("timeline", trace, more)
}

fn with_log(trace: &str) -> [String; 2] {
    ["--controller-log".into(), trace_file(trace, "kcm.log.gz")]
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// The lines of a recording, unzipped.
fn recording(trace: &str) -> Vec<String> {
    let text = support::unzipped(trace_file(trace, "recording.jsonl.gz"));
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The timeline of these lines as one file.
fn timeline_of(lines: &[String], more: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recording.jsonl");
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    let ran = rsexp([&["timeline", "-f", path.to_str().unwrap()], more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ran.out
}

#[test]
fn no_row_of_any_trace_is_wider_than_80_columns() {
    for trace in traces() {
        let log = with_log(&trace);
        for more in [&[][..], &["--full"], &[&log[0], &log[1]]] {
            let page = timeline(&trace, more);
            for row in page.lines() {
                assert!(row.chars().count() <= 80 && row == row.trim_end(), "{trace} {more:?}: {row}");
            }
        }
    }
}

#[test]
fn lines_are_in_the_order_of_time_and_the_same_twice() {
    for trace in traces() {
        let log = with_log(&trace);
        let text = timeline(&trace, &[&log[0], &log[1], "-o", "json"]);
        assert_eq!(text, timeline(&trace, &[&log[0], &log[1], "-o", "json"]), "{trace}");
        let report = json(&text);
        assert_eq!(
            (&report["apiVersion"], &report["kind"]),
            (&"rsexp.dev/v1".into(), &"TimelineReport".into())
        );
        let times: Vec<&str> =
            list(&report["lines"]).iter().map(|line| line["at"].as_str().unwrap()).collect();
        let instants: Vec<jiff::Timestamp> = times.iter().map(|time| time.parse().unwrap()).collect();
        assert!(instants.is_sorted(), "{trace}: {times:?}");
        let gone = list(&report["lines"]).iter().any(|line| line["fact"] == "Removed");
        assert!(gone || !list(&report["reports"]).is_empty(), "{trace}");
    }
}

#[test]
fn yaml_says_the_same_as_json() {
    for trace in ["quota", "rollout"] {
        let yaml: Value = serde_yaml::from_str(&timeline(trace, &["-o", "yaml"])).unwrap();
        assert_eq!(yaml, json(&timeline(trace, &["-o", "json"])), "{trace}");
    }
}

/// What is asked at each checkpoint of a trace.
fn checkpoints(trace: &str) -> Vec<(String, String)> {
    let text_of = |value: &Value| value.as_str().unwrap().to_owned();
    let of = |checkpoint: &Value| (text_of(&checkpoint["replicaSet"]), text_of(&checkpoint["at"]));
    support::checkpoints(trace).iter().map(of).collect()
}

#[test]
fn the_last_line_has_the_ranges_that_explain_says() {
    let mut compared = 0;
    for trace in ["plain", "quota", "awaited-deletion-trap", "namespace-terminating", "foreign", "restart"] {
        let log = with_log(trace);
        for (replica_set, at) in checkpoints(trace) {
            let (namespace, name) = replica_set.split_once('/').unwrap();
            let target = format!("rs/{name}");
            for logged in [false, true] {
                let mut more = vec![target.as_str(), "-n", namespace, "--at", &at, "-o", "json"];
                if logged {
                    more.extend([log[0].as_str(), &log[1]]);
                }
                let told = json(&timeline(trace, &more));
                let mut explained = json(&run("explain", trace, &more));
                let wherever = format!("{trace} {replica_set} {at} {logged}");
                if explained["object"]["exists"] == true {
                    let last = list(&told["lines"]).last().unwrap();
                    assert_eq!(last["fact"], "InstantAsked", "{wherever}");
                    for counter in ["add", "del"] {
                        assert_eq!(last[counter], explained["expectations"][counter], "{wherever}");
                    }
                    compared += 1;
                }
                explained["ledger"] = Value::Array(Vec::new());
                assert_eq!(told["reports"][0], explained, "{wherever}");
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn seen_inferred_and_logged_lines_look_different() {
    let log = with_log("webhook-strips");
    let page = timeline("webhook-strips", &["rs/a", "--full", &log[0], &log[1]]);
    let report = json(&timeline("webhook-strips", &["rs/a", &log[0], &log[1], "-o", "json"]));
    for (basis, mark) in [("seen", "   "), ("inferred", "=> "), ("logged", "log")] {
        let lines: Vec<_> = list(&report["lines"]).iter().filter(|line| line["basis"] == basis).collect();
        assert!(!lines.is_empty(), "{basis}");
        for line in lines {
            let time = &line["at"].as_str().unwrap()["2026-11-29T".len()..][.."18:11:50.860".len()];
            let marked = page.lines().any(|row| row.starts_with(&format!("{time} {mark} ")));
            assert!(marked, "{basis} {line}: {page}");
        }
    }
}

#[test]
fn a_burst_is_one_run_unless_all_is_asked_for() {
    let page = timeline("burst-700", &[]);
    assert!(page.lines().count() < 40, "{page}");
    let all = timeline("burst-700", &["--full"]);
    assert!(all.lines().count() > 700, "{}", all.lines().count());
}

#[test]
fn a_second_list_draws_a_gap_below_which_nothing_is_known() {
    let mut lines = recording("plain");
    let list_line = lines.iter().find(|line| line.contains(r#""resource":"pods","type":"LIST""#)).unwrap();
    let mut again = json(list_line);
    let (at, mut items) = (40, Vec::new());
    for line in lines[..at].iter().map(|line| json(line)).filter(|line| line["resource"] == "pods") {
        let object = &line["object"];
        items.retain(|pod: &Value| pod["metadata"]["name"] != object["metadata"]["name"]);
        if line["type"] == "ADDED" || line["type"] == "MODIFIED" {
            items.push(object.clone());
        }
    }
    again["at"] = json(&lines[at])["at"].clone();
    again["items"] = Value::Array(items);
    lines.insert(at, again.to_string());
    let page = timeline_of(&lines, &[]);
    let row = page.lines().find(|row| row.contains(" --- ")).expect("a gap");
    assert!(row.ends_with("---") && row.chars().count() == 80, "{row}");
    let report = json(&timeline_of(&lines, &["-o", "json"]));
    let gap = list(&report["lines"]).iter().find(|line| line["basis"] == "gap").unwrap();
    assert_eq!(
        (&gap["fact"], &gap["add"]["min"], &gap["gate"]),
        (&"WatchGap".into(), &Value::Null, &"undetermined".into())
    );
}

#[test]
fn hostile_names_are_escaped() {
    let lines: Vec<String> =
        recording("plain").iter().map(|line| line.replace("a-fhvgq", r"a-\u001b[2Jq\n\u202e")).collect();
    for more in [&[][..], &["--full"], &["--color", "always"]] {
        let page = timeline_of(&lines, more);
        assert!(!page.contains("\x1b[2J") && !page.contains('\u{202e}'), "{page}");
    }
    assert!(timeline_of(&lines, &["--full"]).contains(r"a-\x1b[2Jq\n\u{202e}"));
    let document = timeline_of(&lines, &["-o", "json"]);
    assert!(!document.contains(['\x1b', '\u{202e}']));
    assert!(list(&json(&document)["lines"]).iter().any(|line| line["pods"][0] == "a-\x1b[2Jq\n\u{202e}"));
}

#[test]
fn long_names_keep_the_columns() {
    let name = format!("a-{}-x7k2p", "very-long".repeat(12));
    let lines: Vec<String> = recording("plain").iter().map(|line| line.replace("a-fhvgq", &name)).collect();
    let page = timeline_of(&lines, &[]);
    assert!(page.lines().all(|row| row.chars().count() <= 80), "{page}");
    assert!(page.contains("…") && page.contains("x7k2p"), "{page}");
}

#[test]
fn each_replica_set_has_its_section_and_its_verdict() {
    let page = timeline("random-06", &[]);
    let explained = run("explain", "random-06", &[]);
    for name in ["a", "b", "c", "d"] {
        assert_eq!(page.matches(&format!("rs/{name} (random-06): =>")).count(), 1, "{page}");
        let headline = explained.lines().find(|line| line.starts_with(&format!("rs/{name} "))).unwrap();
        assert_eq!(page.matches(headline).count(), 1, "{headline}: {page}");
    }
    let one = timeline("random-06", &["rs/b"]);
    assert!(page.contains(one.trim_end()), "the same alone: {one}");
    let lines = json(&timeline("random-06", &["rs/b", "rs/d", "-o", "json"]))["lines"].clone();
    assert!(list(&lines).iter().all(|line| line["object"]["name"] == "b" || line["object"]["name"] == "d"));
}

#[test]
fn a_deployment_leads_to_all_its_replica_sets() {
    let report = json(&timeline("rollout", &["deploy/d", "-o", "json"]));
    let names = |value: &Value| -> std::collections::BTreeSet<String> {
        list(value).iter().map(|line| line["object"]["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(names(&report["reports"]).len() > 1, "{:?}", names(&report["reports"]));
    assert_eq!(names(&report["lines"]), names(&report["reports"]));
}

#[test]
fn rows_are_written_while_the_input_is_read() {
    let lines = recording("burst-700");
    let mut child = support::command()
        .args(["timeline", "-f", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap()).lines();
    let half = lines.len() / 2;
    lines[..half].iter().for_each(|line| writeln!(input, "{line}").unwrap());
    // More is to come, yet these rows are there.
    let (tell, told) = std::sync::mpsc::channel();
    let reading = std::thread::spawn(move || output.for_each(|row| tell.send(row.unwrap()).unwrap()));
    let wait = std::time::Duration::from_secs(60);
    let first: Vec<String> = (0..4).map(|_| told.recv_timeout(wait).unwrap()).collect();
    assert!(first[3].starts_with("18:"), "a row: {first:?}");
    lines[half..].iter().for_each(|line| writeln!(input, "{line}").unwrap());
    drop(input);
    assert!(told.iter().any(|row| row.contains("SETTLED")));
    reading.join().unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn wrong_usage_is_told() {
    let recording = trace_file("plain", "recording.jsonl.gz");
    let at = "2026-11-29T18:11:52Z";
    for wrong in [&["--at", at, "--at", at][..], &["-o", "name"], &["--now", at, "--at", at]] {
        let ran = rsexp([&["timeline", "-f", &recording], wrong].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{wrong:?}: {}", ran.err);
    }
}

#[test]
fn what_does_not_exist_is_no_document_and_an_empty_input_is_one() {
    let recording = trace_file("plain", "recording.jsonl.gz");
    let ran = rsexp(["timeline", "rs/none", "-f", &recording, "-o", "json"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
    for output in ["json", "yaml"] {
        let ran = rsexp(["timeline", "-n", "none", "-f", &recording, "-o", output]);
        let report: Value = serde_yaml::from_str(&ran.out).unwrap();
        assert_eq!((list(&report["lines"]).len(), list(&report["reports"]).len()), (0, 0), "{}", ran.out);
    }
}

#[test]
fn explain_shows_the_end_of_the_ledger_and_list_does_not() {
    let at = "2026-11-29T18:11:57.075730786Z";
    let more = ["rs/a", "--at", at];
    let page = run("explain", "webhook-strips", &more);
    let lately = page.lines().skip_while(|row| !row.starts_with("Lately    2026-11-29")).nth(1).unwrap();
    assert!(lately.starts_with("          18:11:5"), "{page}");
    let rows =
        page.lines().skip_while(|row| !row.starts_with("Lately")).take_while(|row| !row.starts_with("Ev"));
    assert!(rows.clone().count() > 3 && rows.clone().all(|row| row.chars().count() <= 80), "{page}");
    let report = json(&run("explain", "webhook-strips", &[&more[..], &["-o", "json"]].concat()));
    let ledger = list(&report["ledger"]);
    assert!((2..=6).contains(&ledger.len()), "{ledger:?}");
    let adopted = ledger.iter().find(|line| line["fact"] == "PodAdopted").unwrap();
    assert_eq!(adopted["count"], 5);
    assert_eq!(ledger.last().unwrap()["add"], report["expectations"]["add"]);
    for command in ["list", "dry-run"] {
        let other = json(&run(command, "webhook-strips", &[&more[..], &["-o", "json"]].concat()));
        assert_eq!(list(&other["ledger"]).len(), 0, "{command}");
    }
}
