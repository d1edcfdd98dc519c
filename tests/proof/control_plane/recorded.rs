//! What needs no control plane: the truth log is read rightly, and what was found wrong once is right now.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::control_plane::checkpoint::{Mark, Run, Step};
use crate::control_plane::cut;
use crate::control_plane::truth::Truth;
use crate::traces::trace::{Trace, list, time};

/// Where the checkpoints say otherwise, and why: trace, checkpoint, field.
const OTHERWISE: &[(&str, &str, &str)] = &[
    // A sync of the checkpoint's own time adopted it; its event came late.
    ("random-03", "frozen-7-a", "/next/adopted"),
    // By a pod that the observer had seen the entry would have gone below zero, had no sync set a new one first.
    ("random-10", "frozen-16-a", "/truth/caughtUp/add"),
    ("random-14", "frozen-16-b", "/truth/caughtUp/del"),
    ("random-15", "frozen-9-b", "/truth/caughtUp/add"),
    ("random-32-1.34", "frozen-12-b", "/truth/caughtUp/add"),
    // The checkpoints say "stale" for the gate, and what a killed controller held is nothing.
    ("informer-stuck", "touched-waiting", "/truth/gate"),
    ("informer-stuck", "after-touch", "/truth/gate"),
    ("restart", "dead-b-scaled", "/truth/gate"),
    ("restart", "dead-b-scaled", "/truth/caughtUp/gate"),
    // Beyond the end of what this reads.
    ("random-01", "end-b", "/plan/action"),
    ("random-01", "end-b", "/plan/count"),
    ("random-01", "end-b", "/plan/afterDriverStep"),
];

const FIELDS: &[&str] = &[
    "/truth/entry/add",
    "/truth/entry/del",
    "/truth/gate",
    "/truth/caughtUp/add",
    "/truth/caughtUp/del",
    "/truth/caughtUp/gate",
    "/next/action",
    "/next/gate",
    "/next/count",
    "/next/need",
    "/next/created",
    "/next/chosen",
    "/next/adopted",
    "/next/error",
    "/plan/action",
    "/plan/count",
    "/plan/afterDriverStep",
    "/observed/exists",
    "/observed/deleting",
    "/observed/desired",
    "/observed/edge",
];

#[test]
fn the_truth_log_says_what_the_checkpoints_say() {
    let mut differing = BTreeSet::new();
    let mut compared = 0;
    for trace in Trace::all() {
        let file: Value =
            serde_json::from_str(&support::unzipped(trace.path("checkpoints.json.gz"))).unwrap();
        let recording = lines(&support::unzipped(trace.path("recording.jsonl.gz")));
        let truth = Truth::of(vec![lines(&support::unzipped(trace.path("truth.jsonl.gz")))]);
        let steps: Vec<Step> = list(&file["steps"]).iter().map(step).collect();
        let run =
            Run { recording: &recording, truth: &truth, steps: &steps, end: time(&file["end"]).unwrap() };
        for given in trace.checkpoints.iter().filter(|given| is_judged(given)) {
            let text = |field: &str| given[field].as_str().unwrap().to_owned();
            let mark =
                Mark { id: text("id"), at: time(&given["at"]).unwrap(), replica_set: text("replicaSet") };
            let made = run.checkpoint(&mark, time(&given["windowFrom"]).unwrap());
            // Where the truth changes within milliseconds, the two may stand on either side.
            let near = ["since", "until"].iter().filter_map(|field| time(&given["truth"][field]));
            let near = near.into_iter().any(|change| change.duration_since(mark.at).as_millis().abs() < 60);
            for field in FIELDS.iter().filter(|field| !(near && field.starts_with("/truth"))) {
                compared += 1;
                if plain(given, field) != plain(&made, field) {
                    differing.insert((trace.name.clone(), mark.id.clone(), field.to_string()));
                }
            }
        }
    }
    let known: BTreeSet<_> = OTHERWISE
        .iter()
        .map(|(trace, id, field)| (trace.to_string(), id.to_string(), field.to_string()))
        .collect();
    assert!(compared > 10_000, "{compared}");
    assert_eq!(differing, known);
}

#[test]
fn what_was_found_wrong_once_is_right_now() {
    let directory = support::data("found");
    let mut found: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.is_dir());
    assert!(!found.is_empty());
    let mut wrong = BTreeMap::new();
    for path in found {
        let checkpoint = std::fs::read_to_string(path.join("checkpoint.json")).unwrap();
        let checkpoint: Value = serde_json::from_str(&checkpoint).unwrap();
        assert!(is_judged(&checkpoint), "{}", path.display());
        let log = Some(path.join("kcm.log.gz")).filter(|log| log.exists());
        let faults = cut::faults(&checkpoint, &path.join("recording.jsonl"), log.as_slice());
        if !faults.is_empty() {
            wrong.insert(path, faults);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn is_judged(checkpoint: &Value) -> bool {
    checkpoint["observed"]["edge"] != true && checkpoint["observed"]["unknowable"] != true
}

fn step(step: &Value) -> Step {
    let what = step["what"].as_str().unwrap().to_owned();
    Step { at: time(&step["at"]).unwrap(), what, changes: step["by"].is_null(), version: None }
}

/// A field; a list in order, none where it is empty. Whether there is an entry is the gate's to say.
fn plain(checkpoint: &Value, field: &str) -> Value {
    let value = checkpoint.pointer(field).cloned().unwrap_or(Value::Null);
    match value {
        Value::Array(values) if values.is_empty() => Value::Null,
        Value::Array(values) => {
            let sorted: BTreeMap<String, Value> =
                values.into_iter().map(|value| (value.to_string(), value)).collect();
            sorted.into_values().collect()
        }
        Value::Null if field.starts_with("/truth/entry/") => 0.into(),
        other => other,
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}
