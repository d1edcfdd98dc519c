//! Logs of real controller-managers: all that is in them is understood, and it reaches an answer in
//! the order of time.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use flate2::read::MultiGzDecoder;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use rsexp::objects::log_line::{PodChange, Step};
use rsexp::objects::{LogLine, Observation, What};
use rsexp::source::controller_log::{Clock, Counts, LogLines, LogOptions};
use rsexp::source::{Input, read_with_logs};
use serde_json::Value;

const SAMPLES: [&str; 4] = ["kcm-1.34-v4", "kcm-1.37-v4", "kcm-1.37-v4-json", "kcm-1.37-v2"];

fn data(path: &str) -> PathBuf {
    support::data(path)
}

fn unzipped(path: &Path) -> Vec<u8> {
    let mut content = Vec::new();
    MultiGzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut content).unwrap();
    content
}

fn sample(name: &str) -> Vec<u8> {
    unzipped(&data(&format!("logs/{name}.log.gz")))
}

fn trace(name: &str, file: &str) -> PathBuf {
    data(&format!("traces/{name}/{file}"))
}

fn traces() -> Vec<String> {
    let entries = std::fs::read_dir(data("traces")).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn lines(log: &[u8]) -> (Vec<Observation>, Counts) {
    let mut lines = LogLines::new(log, Clock::near("2026-11-30T00:00:00Z".parse().ok()));
    let mut seen = Vec::new();
    while let Some(line) = lines.next(true).unwrap() {
        seen.push(line);
    }
    (seen, lines.counts())
}

fn name(line: &LogLine) -> &'static str {
    match line {
        LogLine::Stale { .. } => "Stale",
        LogLine::SyncFailed { .. } => "SyncFailed",
        LogLine::Started => "Started",
        LogLine::Flag { .. } => "Flag",
        LogLine::Creates { .. } => "Creates",
        LogLine::Deletes { .. } => "Deletes",
        LogLine::AwaitsDeletions { .. } => "AwaitsDeletions",
        LogLine::SkippedCreates { .. } => "SkippedCreates",
        LogLine::DeleteFailed { .. } => "DeleteFailed",
        LogLine::DeletionSeen { .. } => "DeletionSeen",
        LogLine::NeverRecorded { .. } => "NeverRecorded",
        LogLine::Expectations { step, .. } => match step {
            Step::Set => "Set",
            Step::Lowered => "Lowered",
            Step::Raised => "Raised",
            Step::Fulfilled => "Fulfilled",
            Step::Expired => "Expired",
            Step::Waiting => "Waiting",
        },
        LogLine::Clobbers { .. } => "Clobbers",
        LogLine::Event { .. } => "Event",
        LogLine::Pod { change, .. } => match change {
            PodChange::Created => "PodCreated",
            PodChange::Updated => "PodUpdated",
            PodChange::Deleted => "PodDeleted",
        },
        LogLine::CreatedPod { .. } => "CreatedPod",
        LogLine::DeletingPod { .. } => "DeletingPod",
        LogLine::Adding { .. } => "Adding",
        LogLine::Resized { .. } => "Resized",
        LogLine::Dropped { .. } => "Dropped",
        LogLine::WritesStatus { .. } => "WritesStatus",
        LogLine::Finished { .. } => "Finished",
    }
}

fn count(seen: &[Observation]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for observation in seen {
        let What::Log(line) = &observation.what else { panic!("{observation:?}") };
        *counts.entry(name(line)).or_default() += 1;
    }
    counts
}

/// What the samples hold, in both formats and versions: one story each.
#[test]
fn samples_are_understood_in_every_format() {
    let story = |sample: &str| {
        let (seen, counts) = lines(&crate::logs::sample(sample));
        assert_eq!((counts.foreign, counts.overlong, counts.timeless), (0, 0, 0), "{sample}");
        assert_eq!(counts.detailed, !sample.ends_with("v2"), "{sample}");
        let flags = seen.iter().filter(|seen| matches!(&seen.what, What::Log(LogLine::Flag { .. })));
        assert_eq!(counts.understood as usize + flags.count(), seen.len());
        count(&seen)
    };
    // How often a sync ran and when it was stale depends on luck, the rest does not.
    let told =
        [("Creates", 21), ("Deletes", 1), ("DeletingPod", 3), ("SkippedCreates", 18), ("SyncFailed", 18)];
    let detailed = [
        ("AwaitsDeletions", 1),
        ("NeverRecorded", 2),
        ("DeletionSeen", 3),
        ("Set", 22),
        ("PodCreated", 15),
        ("PodDeleted", 6),
        ("CreatedPod", 15),
        ("Adding", 2),
        ("Resized", 2),
        ("Event", 36),
    ];
    for sample in SAMPLES {
        let counts = story(sample);
        let detailed = detailed.iter().filter(|_| !sample.ends_with("v2"));
        for (name, wanted) in told.iter().chain(detailed) {
            assert_eq!(counts.get(name), Some(wanted), "{sample} {name}: {counts:?}");
        }
    }
}

/// The controller's own lines in the traces that mean nothing here.
const MEANINGLESS: [&str; 7] = [
    "Found related ReplicaSets",
    "Found related pods",
    "Patching pod to remove its controllerRef",
    "Pod has already been deleted.",
    "ReplicaSet has no controller",
    "pod will be enqueued after a while for availability check",
    "logger=\"deployment-controller\"",
];

#[test]
fn every_line_of_the_traces_is_understood() {
    let (mut all, mut klog) = (BTreeMap::new(), 0);
    for trace_name in traces() {
        let log = unzipped(&trace(&trace_name, "kcm.log.gz"));
        let (seen, counts) = lines(&log);
        let text = String::from_utf8(log).unwrap();
        let passed_over =
            text.lines().filter(|line| MEANINGLESS.iter().any(|known| line.contains(known))).count() as u64;
        assert_eq!((counts.foreign, counts.overlong, counts.timeless), (0, 0, 0), "{trace_name}");
        assert_eq!(counts.understood + passed_over, counts.klog, "{trace_name}");
        klog += counts.klog;
        for (name, count) in count(&seen) {
            *all.entry(name).or_insert(0) += count;
        }
    }
    println!("{klog} lines: {all:?}");
    for rare in ["Expired", "Waiting", "NeverRecorded", "Stale", "Dropped", "Started"] {
        assert!(all.contains_key(rare), "{rare}: {all:?}");
    }
}

#[test]
fn lines_reach_a_sink_in_the_order_of_time() {
    for trace_name in ["plain", "restart", "quota-1.34"] {
        let mut seen: Vec<Observation> = Vec::new();
        let recording = Input::Path(trace(trace_name, "recording.jsonl.gz"));
        let log = Input::Path(trace(trace_name, "kcm.log.gz"));
        let options = LogOptions { files: vec![log.clone()], ..LogOptions::default() };
        let notes = read_with_logs(std::slice::from_ref(&recording), false, None, options, &mut seen);
        assert_eq!(notes.problems, [], "{trace_name}");
        let times: Vec<Timestamp> = seen.iter().map(|seen| seen.at.unwrap()).collect();
        assert!(times.is_sorted(), "{trace_name}");
        let end = seen.iter().find(|seen| seen.what == What::End).unwrap().at;
        let (all, _) = lines(&unzipped(&trace(trace_name, "kcm.log.gz")));
        let due = all.iter().filter(|line| line.at <= end).count();
        let got = seen.iter().filter(|seen| matches!(seen.what, What::Log(_))).count();
        assert_eq!(got, due, "{trace_name}");
        // A log among the inputs is the same as one beside them.
        let mut beside = Vec::new();
        read_with_logs(&[log, recording], false, None, LogOptions::default(), &mut beside);
        assert_eq!(beside, seen, "{trace_name}");
    }
}

#[test]
fn rotated_logs_are_put_together() {
    let log = unzipped(&trace("plain", "kcm.log.gz"));
    let middle = log[..log.len() / 2].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    let dir = tempfile::tempdir().unwrap();
    let part = |name: &str, content: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, content).unwrap();
        Input::Path(path)
    };
    let parts = [part("b.log", &log[middle..]), part("a.log", &log[..middle]), part("whole.log", &log)];
    let read = |files: &[Input]| {
        let mut seen: Vec<Observation> = Vec::new();
        let reference = "2026-11-30T00:00:00Z".parse().ok();
        let options = LogOptions { files: files.to_vec(), reference, ..LogOptions::default() };
        read_with_logs(&[], false, None, options, &mut seen);
        seen
    };
    assert_eq!(read(&parts[..2]), read(&parts[2..]));
}

fn report(args: &[&str]) -> Value {
    let ran = support::rsexp([args, &["-o", "json"]].concat());
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

/// The reports without their sources.
fn answers(args: &[&str]) -> Vec<Value> {
    let report = report(args);
    let mut items = report["items"].as_array().cloned().unwrap_or_else(|| vec![report]);
    for item in &mut items {
        item["evidence"]["sources"].take();
    }
    items
}

fn sources(args: &[&str]) -> String {
    let report = report(args);
    let first = report["items"].get(0).unwrap_or(&report);
    first["evidence"]["sources"].to_string()
}

fn write(dir: &tempfile::TempDir, name: &str, content: &[u8]) -> String {
    let path = dir.path().join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// When a line of text was written, if it is a line of klog.
fn time_of(line: &str) -> Option<Timestamp> {
    let date = line.get(1..5)?;
    let time = line.get(6..21)?;
    format!("2026-{}-{}T{time}Z", &date[..2], &date[2..]).parse().ok()
}

#[test]
fn an_instant_sees_the_lines_up_to_it_and_no_other() {
    let dir = tempfile::tempdir().unwrap();
    for trace_name in ["plain", "quota-1.34", "informer-stuck-1.34", "webhook-refuses", "random-03"] {
        let recording = trace(trace_name, "recording.jsonl.gz");
        let recording = recording.to_str().unwrap();
        let log = String::from_utf8(unzipped(&trace(trace_name, "kcm.log.gz"))).unwrap();
        let whole = write(&dir, "whole.log", log.as_bytes());
        let times: Vec<Timestamp> = log.lines().filter_map(time_of).collect();
        let instants = [1, 3, 5, 7, 9].map(|part| times[times.len() * part / 10].to_string());
        let at: Vec<&str> = instants.iter().flat_map(|at| ["--at", at]).collect();
        let together =
            answers(&[&["explain", "-f", recording, "--controller-log", &whole][..], &at].concat());
        for (place, instant) in instants.iter().enumerate() {
            let at: Timestamp = instant.parse().unwrap();
            // Lines of several lines go with their first one.
            let mut kept = true;
            let cut = log.lines().filter(|line| {
                kept = time_of(line).map_or(kept, |time| time <= at);
                kept
            });
            let cut: String = cut.map(|line| format!("{line}\n")).collect();
            let cut = write(&dir, "cut.log", cut.as_bytes());
            let alone =
                |log: &str| answers(&["explain", "-f", recording, "--controller-log", log, "--at", instant]);
            let wanted = alone(&cut);
            assert_eq!(alone(&whole), wanted, "{trace_name} {instant}");
            let of_this = together.iter().filter(|item| item["asOf"] == wanted[0]["asOf"]);
            let of_this: Vec<_> = of_this.cloned().collect();
            assert_eq!(of_this, wanted, "{trace_name} {instant}, instant {place} of several");
        }
    }
}

/// A log whose times are moved.
fn moved(log: &str, by: SignedDuration) -> String {
    let moved = |line: &str| match time_of(line) {
        Some(time) => {
            let text = (time + by).to_string();
            let micros = format!(
                "{:.6}",
                format!("0.{}", text.get(20..).unwrap_or("0").trim_end_matches('Z'))
                    .parse::<f64>()
                    .unwrap_or(0.0)
            );
            format!(
                "{}{}{} {}{}{}\n",
                &line[..1],
                &text[5..7],
                &text[8..10],
                &text[11..19],
                &micros[1..],
                &line[21..]
            )
        }
        None => format!("{line}\n"),
    };
    log.lines().map(moved).collect()
}

/// By how many seconds the clock of a log is said to be ahead of the recording's.
fn shift(sources: &str) -> Option<f64> {
    sources.split(' ').find_map(|word| if word.starts_with(['+', '-']) { word.parse().ok() } else { None })
}

#[test]
fn another_clock_and_another_zone_are_found_out() {
    let dir = tempfile::tempdir().unwrap();
    let recording = trace("plain", "recording.jsonl.gz");
    let recording = recording.to_str().unwrap();
    let log = String::from_utf8(unzipped(&trace("plain", "kcm.log.gz"))).unwrap();
    assert_eq!(moved(&log, SignedDuration::ZERO), log);
    let ask = |log: &str, more: &[&str]| {
        let log = write(&dir, "kcm.log", log.as_bytes());
        let args = [&["explain", "-f", recording, "--controller-log", &log][..], more].concat();
        let err = support::rsexp(&args).err;
        (sources(&args), err, answers(&args))
    };
    let (said, err, right) = ask(&log, &[]);
    assert_eq!(shift(&said), None, "{said}");
    assert_eq!(err, "");
    let (said, err, answer) = ask(&moved(&log, SignedDuration::from_secs(90)), &[]);
    assert_eq!(shift(&said), Some(90.0), "{said}");
    assert_eq!((err.as_str(), answer.len()), ("", right.len()));
    let hours = moved(&log, SignedDuration::from_hours(-7));
    let (said, err, _) = ask(&hours, &[]);
    assert_eq!(shift(&said), Some(-25200.0), "{said}");
    assert!(err.starts_with("warning: ") && err.contains("--controller-log-utc-offset -07:00"), "{err}");
    for zone in ["-07:00", "-7", "-0700"] {
        let (said, err, answer) = ask(&hours, &["--controller-log-utc-offset", zone]);
        assert_eq!((shift(&said), err.as_str()), (None, ""), "{said}");
        assert_eq!(answer, right, "{zone}");
    }
    let common = ["--controller-log-utc-offset", "+00:00", "--now", "2026-11-29T18:12:01Z"];
    assert_eq!(shift(&ask(&log, &common).0), None);
    // The pods of another run are no measure.
    let other = String::from_utf8(unzipped(&trace("quota", "kcm.log.gz"))).unwrap();
    assert_eq!(shift(&ask(&other, &["--now", "2026-11-29T20:00:00Z"]).0), None);
}

#[test]
fn a_bad_offset_is_a_usage_error() {
    for command in ["list", "explain", "dry-run"] {
        for bad in ["2", "+15", "-2:60", "UTC", ""] {
            let ran = support::rsexp([command, "-f", "x", "--controller-log-utc-offset", bad]);
            assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{bad}: {}", ran.err);
            let names_all =
                ran.err.contains("--controller-log-utc-offset") && ran.err.contains("-14:00 to +14:00");
            assert!(names_all, "{}", ran.err);
        }
    }
}

#[test]
fn a_log_is_read_from_standard_input() {
    let recording = trace("plain", "recording.jsonl.gz");
    let log = unzipped(&trace("plain", "kcm.log.gz"));
    for input in [["--controller-log", "-"], ["-f", "-"]] {
        let mut command = support::command();
        command.args(["explain", "-o", "json", "-f", recording.to_str().unwrap()]).args(input);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(&log).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{input:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("standard input: 149 lines"), "{text}");
    }
}

#[test]
fn a_log_alone_needs_no_cluster() {
    let dir = tempfile::tempdir().unwrap();
    let log = write(&dir, "kcm.log", &sample("kcm-1.37-v4"));
    for args in [["explain", "-f"], ["explain", "--controller-log"], ["list", "--controller-log"]] {
        let mut command = support::command();
        let nowhere = dir.path().join("no-kubeconfig");
        command.args(args).arg(&log).env("KUBECONFIG", nowhere).env("HOME", dir.path());
        let output = command.output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_ne!(output.status.code(), Some(1), "{args:?}: {err}");
        assert!(err.contains("--now") && !err.contains("kubeconfig"), "{args:?}: {err}");
    }
}

/// A namespace with one ReplicaSet and nothing else.
fn shop(path: &str) -> support::server::Answer {
    const KINDS: [(&str, &str, &str); 7] = [
        ("/replicasets", "apps/v1", "ReplicaSet"),
        ("/deployments", "apps/v1", "Deployment"),
        ("/pods", "v1", "Pod"),
        ("/events", "v1", "Event"),
        ("/resourcequotas", "v1", "ResourceQuota"),
        ("/leases", "coordination.k8s.io/v1", "Lease"),
        ("/namespaces?", "v1", "Namespace"),
    ];
    let web = r#"{"metadata":{"name":"web","namespace":"shop","uid":"u","resourceVersion":"7","generation":1},"spec":{"replicas":0,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}}}},"status":{"replicas":0,"observedGeneration":1}}"#;
    let Some((_, version, kind)) = KINDS.iter().find(|(resource, ..)| path.contains(resource)) else {
        return Some((404, r#"{"kind":"Status","apiVersion":"v1","status":"Failure","code":404}"#.into()));
    };
    let items = if *kind == "ReplicaSet" { web } else { "" };
    Some((
        200,
        format!(
            r#"{{"kind":"{kind}List","apiVersion":"{version}","metadata":{{"resourceVersion":"9"}},"items":[{items}]}}"#
        ),
    ))
}

#[test]
fn a_log_is_read_beside_a_cluster_up_to_the_end_of_the_window() {
    let dir = tempfile::tempdir().unwrap();
    let line = |seconds: i64| {
        let at = Timestamp::now() + SignedDuration::from_secs(seconds);
        let ts = at.as_millisecond();
        format!("{{\"ts\":{ts},\"msg\":\"Finished syncing\",\"kind\":\"ReplicaSet\",\"key\":\"shop/web\"}}\n")
    };
    let log = write(&dir, "kcm.log", (line(-60) + &line(-5) + &line(3600)).as_bytes());
    let mut command = support::command();
    command.args([
        "explain",
        "rs/web",
        "-n",
        "shop",
        "--window",
        "0s",
        "-o",
        "json",
        "--controller-log",
        &log,
    ]);
    command.args(["-s", &support::server::serve(shop)]).env("KUBECONFIG", "nowhere").env("no_proxy", "*");
    let output = command.output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), err.as_str()), (Some(0), ""));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let sources = &report["evidence"]["sources"];
    let of_log = sources[1].as_str().unwrap();
    assert!(of_log.contains(": 2 lines"), "the third is of the future: {of_log}");
}

/// A recording with a log that this content is: the code, the errors, and whether it was answered.
fn beside_a_recording(content: &[u8]) -> (i32, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let log = write(&dir, "kcm.log", content);
    let recording = trace("plain", "recording.jsonl.gz");
    let ran = support::rsexp([
        "explain",
        "-o",
        "json",
        "-f",
        recording.to_str().unwrap(),
        "--controller-log",
        &log,
    ]);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report["verdict"], "settled", "{}", ran.err);
    (ran.code.unwrap(), ran.err.lines().map(|line| line.replace(&log, "LOG")).collect())
}

#[test]
fn what_is_no_log_is_one_clear_line() {
    let zipped = std::fs::read(trace("plain", "kcm.log.gz")).unwrap();
    let cases: [&[u8]; 6] = [
        b"",
        b"kind: Pod\n",
        b"\x7fELF\0\0\x01\n\n",
        &[0; 100_000],
        &zipped[..zipped.len() / 2],
        &zipped[..5],
    ];
    for content in cases {
        let (code, errors) = beside_a_recording(content);
        assert_eq!((code, errors.len()), (1, 1), "{errors:?}");
        assert!(errors[0].starts_with("error: LOG: "), "{errors:?}");
    }
    let ran = support::rsexp(["explain", "--controller-log", "/nowhere/kcm.log"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error: /nowhere/kcm.log: "), "{ran:?}");
}

#[test]
fn an_overlong_line_is_told_and_the_rest_is_read() {
    let log = [vec![b'x'; 17 << 20], b"\n".to_vec(), unzipped(&trace("plain", "kcm.log.gz"))].concat();
    let (code, errors) = beside_a_recording(&log);
    assert_eq!((code, errors.len()), (1, 1), "{errors:?}");
    assert!(errors[0].starts_with("error: LOG: ") && errors[0].contains("16 MiB"), "{errors:?}");
}

#[test]
fn a_log_of_another_component_is_a_warning() {
    let other = b"I1129 18:11:50.000000       1 server.go:1] \"Starting kube-scheduler\"\n";
    let (code, errors) = beside_a_recording(&other.repeat(1200));
    assert_eq!(code, 0);
    assert!(errors[0].starts_with("warning: LOG: ") && errors[0].contains("1,200"), "{errors:?}");
}

#[test]
fn foreign_lines_and_damage_are_passed_over_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    let log = unzipped(&trace("plain", "kcm.log.gz"));
    let noise: &[&[u8]] = &[
        b"panic: x\n",
        b"\xff\xfe\0\0\n",
        b"I9999 99:99:99.9 1 x:1] \"Adding\" replicaSet=\"a/b\"\n",
        b"{\"a\"\n",
    ];
    let mut noisy = Vec::new();
    for (number, line) in log.split_inclusive(|byte| *byte == b'\n').enumerate() {
        // Not within a value of several lines.
        if line.starts_with(b"I") || line.starts_with(b"E") {
            noisy.extend_from_slice(noise[number % noise.len()]);
        }
        noisy.extend_from_slice(line);
    }
    let recording = trace("plain", "recording.jsonl.gz");
    let ask = |name: &str, content: &[u8]| {
        let log = write(&dir, name, content);
        answers(&["explain", "-f", recording.to_str().unwrap(), "--controller-log", &log])
    };
    let right = ask("kcm.log", &log);
    let wrong = ask("noisy.log", &noisy);
    assert_eq!(right.len(), wrong.len());
    for (right, wrong) in right.iter().zip(&wrong) {
        assert_eq!(right["verdict"], wrong["verdict"]);
        assert_eq!(right["expectations"], wrong["expectations"]);
    }
    let noisy = dir.path().join("noisy.log");
    let said =
        sources(&["explain", "-f", recording.to_str().unwrap(), "--controller-log", noisy.to_str().unwrap()]);
    let damaged = lines(&std::fs::read(&noisy).unwrap()).1.foreign;
    assert!(damaged > 0 && said.contains(&format!(" {damaged} ")), "{damaged}: {said}");
}

#[test]
fn many_logs_in_a_directory_are_read_one_after_another() {
    let dir = tempfile::tempdir().unwrap();
    for number in 0..1500 {
        let (minute, second) = (number / 60, number % 60);
        let line = format!(
            "E1129 10:{minute:02}:{second:02}.000000       1 x.go:1] sync \"shop/web\" failed with x\n"
        );
        std::fs::write(dir.path().join(format!("kcm-{number:04}.log")), line).unwrap();
    }
    let mut seen: Vec<Observation> = Vec::new();
    let inputs = [Input::Path(dir.path().to_path_buf())];
    let options = LogOptions { reference: "2026-11-30T00:00:00Z".parse().ok(), ..LogOptions::default() };
    let notes = read_with_logs(&inputs, false, None, options, &mut seen);
    assert_eq!((notes.problems.as_slice(), seen.len()), (&[][..], 1500));
    assert!(seen.is_sorted_by_key(|seen| seen.at));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn damaged_logs_never_panic(
        which in 0..SAMPLES.len(),
        begin in any::<prop::sample::Index>(),
        length in 1usize..20_000,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..60),
    ) {
        let log = sample(SAMPLES[which]);
        let begin = begin.index(log.len());
        let mut log = log[begin..log.len().min(begin + length)].to_vec();
        for (at, byte) in changes {
            let at = at.index(log.len());
            log[at] = byte;
        }
        let (seen, counts) = lines(&log);
        prop_assert!(counts.understood as usize <= seen.len());
        prop_assert!(counts.klog + counts.foreign <= 2 * counts.lines);
    }
}
