//! Cuts a failing recording down to what is needed for it to fail.
//!
//! Only what an observer may really miss is left out: what came after the question, other objects than the ReplicaSet,
//! its pods, what decides on creates and who leads: single events. The truth stays what it was.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rsexp::engine::settings::{Question, Settings};
use rsexp::engine::targets::target::Target;
use rsexp::source::Input;
use serde_json::Value;

use crate::control_plane::outcome::{From, Outcome};
use crate::traces::judge::judge;
use crate::traces::trace::{list, reports, time};

/// Writes a directory `cut-ID` beside the recording for each instant at which the program was wrong about it, to be
/// moved to `tests/data/found` under a name that says what it is about.
pub fn cut(directory: &Path, outcome: &Outcome) {
    let text = std::fs::read_to_string(directory.join("recording.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let file = std::fs::read_to_string(directory.join("checkpoints.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    for checkpoint in list(&file["checkpoints"]) {
        let id = checkpoint["id"].as_str().unwrap();
        let failing = outcome.rows.iter().find(|row| {
            row.id == format!("{id} explain") && !row.wrong.is_empty() && row.from != From::Cluster
        });
        let Some(failing) = failing else { continue };
        let target = directory.join(format!("cut-{id}"));
        std::fs::create_dir_all(&target).unwrap();
        let own: Vec<PathBuf> =
            if failing.from == From::RecordingAndLog { outcome.logs.clone() } else { Vec::new() };
        let copied = own.iter().map(|log| {
            let copy = target.join(log.file_name().unwrap());
            std::fs::copy(log, &copy).unwrap();
            copy
        });
        let logs: Vec<PathBuf> = copied.collect();
        let path = target.join("recording.jsonl");
        let fails = |lines: &[&str]| {
            std::fs::write(&path, lines.join("\n") + "\n").unwrap();
            faults(checkpoint, &path, &logs) == failing.wrong
        };
        let shortest = shorten(&lines, checkpoint, fails);
        std::fs::write(&path, shortest.join("\n") + "\n").unwrap();
        let text = serde_json::to_string_pretty(checkpoint).unwrap();
        std::fs::write(target.join("checkpoint.json"), text).unwrap();
        println!("{id}: {} of {} lines fail still", shortest.len(), lines.len());
    }
}

/// What is wrong in what the program says of a recording at a checkpoint.
pub fn faults(checkpoint: &Value, recording: &Path, logs: &[PathBuf]) -> Vec<String> {
    let (namespace, name) = checkpoint["replicaSet"].as_str().unwrap().split_once('/').unwrap();
    let settings = Settings {
        inputs: vec![Input::Path(recording.to_owned())],
        logs: logs.iter().cloned().map(Input::Path).collect(),
        at: vec![time(&checkpoint["at"]).unwrap()],
        namespace: Some(namespace.to_owned()),
        targets: vec![Target::ReplicaSet(name.to_owned())],
        ..Settings::of(Question::Explain)
    };
    reports(&settings).map(|reports| judge(checkpoint, &reports[0]).1).unwrap_or_default()
}

/// Leaves out group after group, as long as it fails still.
fn shorten<'a>(lines: &[&'a str], checkpoint: &Value, fails: impl Fn(&[&str]) -> bool) -> Vec<&'a str> {
    let at = time(&checkpoint["at"]);
    let name = checkpoint["replicaSet"].as_str().unwrap().split('/').nth(1).unwrap();
    let parsed: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let late = |line: &Value| time(&line["at"]) > at;
    let mut kept: Vec<usize> = (0..lines.len()).collect();
    let own = own_pods(&parsed, &checkpoint["observed"]["uid"]);
    let groups: BTreeSet<String> = parsed.iter().map(|line| group(line, name, &own)).collect();
    let groups = groups.into_iter().filter(|group| !group.is_empty());
    let without = |kept: &[usize], drop: &dyn Fn(usize) -> bool| -> Vec<usize> {
        kept.iter().copied().filter(|index| !drop(*index)).collect()
    };
    let texts = |kept: &[usize]| -> Vec<&'a str> { kept.iter().map(|index| lines[*index]).collect() };
    let fewer = without(&kept, &|index| late(&parsed[index]));
    if fails(&texts(&fewer)) {
        kept = fewer;
    }
    for left_out in groups {
        let fewer = without(&kept, &|index| group(&parsed[index], name, &own) == left_out);
        if fewer.len() < kept.len() && fails(&texts(&fewer)) {
            kept = fewer;
        }
    }
    texts(&kept)
}

/// Names of pods that had this controller at some time, or none.
fn own_pods(lines: &[Value], uid: &Value) -> BTreeSet<String> {
    let pods = lines.iter().filter(|line| line["resource"] == "pods");
    let objects = pods.flat_map(|line| list(&line["items"]).iter().chain(Some(&line["object"])));
    let own = objects.filter(|pod| {
        let owners = list(&pod["metadata"]["ownerReferences"]);
        let owner = owners.iter().find(|owner| owner["controller"] == true);
        owner.is_none_or(|owner| owner["uid"] == *uid)
    });
    own.filter_map(|pod| pod["metadata"]["name"].as_str()).map(str::to_owned).collect()
}

/// What is left out as a whole; nothing of lists, of the ReplicaSet and of its pods.
fn group(line: &Value, name: &str, own: &BTreeSet<String>) -> String {
    let (resource, object) = (line["resource"].as_str().unwrap_or_default(), &line["object"]);
    let of = object["metadata"]["name"].as_str().unwrap_or_default();
    let needed = match resource {
        "replicasets.apps" | "replicationcontrollers" => of == name,
        "pods" => own.contains(of),
        // Without what decides on creates, and who leads, nobody could know.
        "namespaces" | "resourcequotas" | "leases.coordination.k8s.io" => true,
        _ => resource.is_empty(),
    };
    if needed || !object.is_object() {
        return String::new();
    }
    format!("{resource} {of}")
}
