//! A recorded run with the instants at which to ask, and the asking.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use jiff::Timestamp;
use rsexp::engine::ask;
use rsexp::engine::settings::{Question, Settings};
use rsexp::engine::targets::target::Target;
use rsexp::source::Input;
use serde_json::Value;

/// How many traces there are: a directory that went missing would judge nothing.
const TRACES: usize = 61;

/// What the program may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    Recording,
    WithLog,
}

impl Evidence {
    pub const ALL: [Evidence; 2] = [Evidence::Recording, Evidence::WithLog];
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Evidence::Recording => "the recording alone",
            Evidence::WithLog => "the recording and the controller's log",
        })
    }
}

/// When the window opened, compared with the last change of the expectations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    Before,
    Middle,
    After,
}

impl Window {
    pub const ALL: [Window; 3] = [Window::Before, Window::Middle, Window::After];
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Window::Before => "before the change",
            Window::Middle => "in the middle",
            Window::After => "after the change",
        })
    }
}

/// See the module.
pub struct Trace {
    pub name: String,
    /// The version of the control plane, `1.N.P`.
    pub kubernetes: String,
    pub checkpoints: Vec<Value>,
}

impl Trace {
    /// Every trace, by name.
    pub fn all() -> Vec<Trace> {
        let entries = std::fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap());
        let mut names: Vec<String> = entries
            .filter(|entry| entry.path().is_dir())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names.len(), TRACES);
        names.into_iter().map(Trace::open).collect()
    }

    fn open(name: String) -> Trace {
        let mut trace = Trace { name, kubernetes: String::new(), checkpoints: Vec::new() };
        let file: Value = serde_json::from_str(&trace.unzipped("checkpoints.json.gz")).unwrap();
        file["serverVersion"].as_str().unwrap().trim_start_matches('v').clone_into(&mut trace.kubernetes);
        trace.checkpoints = list(&file["checkpoints"]).to_vec();
        trace
    }

    /// A file of the trace.
    pub fn path(&self, file: &str) -> PathBuf {
        directory().join(&self.name).join(file)
    }

    fn unzipped(&self, file: &str) -> String {
        support::unzipped(self.path(file))
    }

    /// The recording.
    pub fn recording(&self) -> String {
        self.unzipped("recording.jsonl.gz")
    }

    /// The controller's log.
    pub fn log(&self) -> String {
        self.unzipped("kcm.log.gz")
    }

    /// When the window of a checkpoint opened.
    pub fn window(&self, checkpoint: &Value) -> Window {
        let set = time(&checkpoint["truth"]["entry"]["timestamp"]);
        let before = set.is_some_and(|set| set < time(&checkpoint["windowFrom"]).unwrap());
        match &self.name {
            name if name.ends_with(".mid") => Window::Middle,
            name if name.ends_with(".late") || before => Window::After,
            _ => Window::Before,
        }
    }

    /// The checkpoints of each ReplicaSet.
    pub fn by_object(&self) -> BTreeMap<&str, Vec<&Value>> {
        let mut by_object: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for checkpoint in &self.checkpoints {
            by_object.entry(checkpoint["replicaSet"].as_str().unwrap()).or_default().push(checkpoint);
        }
        by_object
    }

    /// What to ask about one ReplicaSet at these instants.
    pub fn settings(&self, replica_set: &str, checkpoints: &[&Value], evidence: Evidence) -> Settings {
        let (namespace, name) = replica_set.split_once('/').unwrap();
        let target = match self.name.starts_with("replication-controller") {
            true => Target::ReplicationController(name.to_owned()),
            false => Target::ReplicaSet(name.to_owned()),
        };
        let log = (evidence == Evidence::WithLog).then(|| Input::Path(self.path("kcm.log.gz")));
        Settings {
            inputs: vec![Input::Path(self.path("recording.jsonl.gz"))],
            logs: log.into_iter().collect(),
            at: checkpoints.iter().map(|checkpoint| time(&checkpoint["at"]).unwrap()).collect(),
            namespace: Some(namespace.to_owned()),
            targets: vec![target],
            ..Settings::of(Question::Explain)
        }
    }

    /// The reports for one ReplicaSet at these checkpoints, in their order.
    pub fn ask(&self, replica_set: &str, checkpoints: &[&Value], evidence: Evidence) -> Vec<Value> {
        let reports = reports(&self.settings(replica_set, checkpoints, evidence)).unwrap();
        assert_eq!(reports.len(), checkpoints.len(), "{} {replica_set}", self.name);
        reports
    }
}

/// The reports as JSON; None if what was asked about is in no line.
pub fn reports(settings: &Settings) -> Option<Vec<Value>> {
    let answers = ask::answer(settings, None).unwrap();
    assert!(answers.problems.is_empty(), "{answers:?}");
    if !answers.missing.is_empty() {
        return None;
    }
    Some(answers.reports.iter().map(|report| serde_json::to_value(report).unwrap()).collect())
}

fn directory() -> PathBuf {
    support::data("traces")
}

/// A time of a checkpoint, if there is one.
pub fn time(value: &Value) -> Option<Timestamp> {
    value.as_str().map(|text| text.parse().unwrap())
}

/// The elements of a list; none where there is no list.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
