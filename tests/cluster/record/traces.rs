//! The traces, written anew: what is asked about them is answered as before.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rsexp::objects::{Observation, Resource, What};
use rsexp::record::Recorder;
use rsexp::record::redact::Redactor;
use rsexp::source::{Input, Notes, Opening, Sink, read};
use serde_json::Value;

/// How many instants of a trace are asked about.
const INSTANTS: usize = 12;

/// A recording of a real control plane.
pub struct Trace {
    pub name: String,
    pub seen: Vec<Observation>,
    notes: Notes,
}

fn file(trace: &str) -> PathBuf {
    support::trace_file(trace, "recording.jsonl.gz").into()
}

/// All traces, one after the other.
pub fn all() -> impl Iterator<Item = Trace> {
    support::traces().into_iter().map(|name| {
        let mut seen = Vec::new();
        let notes = read(&[Input::Path(file(&name))], false, None, &mut seen);
        assert!(notes.problems.is_empty(), "{name}");
        Trace { name, seen, notes }
    })
}

impl Trace {
    /// The recording as the program writes it.
    pub fn written(&self, mut redactor: Option<&mut Redactor>) -> Vec<u8> {
        let mut recorder = Recorder::new(Vec::new());
        let resources: Vec<Resource> =
            self.notes.resources.iter().map(|name| Resource::parse(name)).collect();
        let namespace = self.notes.namespace.as_deref().map(|namespace| match &mut redactor {
            Some(redactor) => redactor.name(namespace),
            None => namespace.to_owned(),
        });
        recorder.opened(&Opening { namespace: namespace.as_deref(), resources: &resources, degraded: &[] });
        for observation in self.seen.clone() {
            recorder.observe(match &mut redactor {
                Some(redactor) => redactor.observation(observation),
                None => observation,
            });
        }
        let (bytes, amount) = recorder.finish().unwrap();
        assert_eq!(amount.lines, self.seen.len());
        bytes
    }

    /// The instants to ask about, and the ReplicaSets.
    fn checkpoints(&self) -> (Vec<String>, BTreeSet<String>) {
        let all = support::checkpoints(&self.name);
        let names = all.iter().map(|checkpoint| checkpoint["replicaSet"].as_str().unwrap().to_owned());
        (support::instants(&self.name), names.collect())
    }

    fn kind(&self) -> &'static str {
        if self.name.contains("replication-controller") { "rc" } else { "rs" }
    }

    /// What is said of one ReplicaSet, `namespace/name`, at some instants, the last one among them.
    fn ask(&self, recording: &Path, replica_set: &str) -> String {
        let (namespace, name) = replica_set.split_once('/').unwrap();
        let target = format!("{}/{name}", self.kind());
        let (instants, _) = self.checkpoints();
        let some = instants.iter().rev().step_by(instants.len().div_ceil(INSTANTS));
        let at = some.flat_map(|at| ["--at", at]);
        let words = ["explain", &target, "-n", namespace, "-o", "json", "-f", "recording.jsonl.gz"];
        let run = support::command()
            .current_dir(recording.parent().unwrap())
            .args(words.into_iter().chain(at))
            .output()
            .unwrap();
        assert!(run.status.success(), "{}: {run:?}", self.name);
        assert_eq!(String::from_utf8(run.stderr).unwrap(), "", "{}", self.name);
        String::from_utf8(run.stdout).unwrap()
    }
}

/// The latest time that stands in a text.
fn latest(text: &str) -> Option<Timestamp> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "-:.".contains(c)));
    words.filter_map(|word| word.parse().ok()).max()
}

/// The states behind public reports, as recordings of one instant.
pub fn states() -> Vec<Trace> {
    let files = support::entries(support::data("cases")).into_iter();
    let state = |path: PathBuf| {
        let at = latest(&std::fs::read_to_string(&path).unwrap());
        let mut seen = Vec::new();
        let begin = What::Begin { server_version: None };
        seen.observe(Observation { at, resource: Resource::Other, what: begin });
        let notes = read(&[Input::Path(path.clone())], false, None, &mut seen);
        seen.iter_mut().for_each(|observation| observation.at = at);
        seen.observe(Observation { at, resource: Resource::Other, what: What::End });
        Trace { name: path.file_stem().unwrap().to_str().unwrap().to_owned(), seen, notes }
    };
    files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml")).map(state).collect()
}

/// A directory with a recording under the name that the traces have.
fn kept(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("recording.jsonl.gz");
    std::fs::write(&path, bytes).unwrap();
    (home, path)
}

#[test]
fn observations_are_read_as_they_were_written() {
    for trace in all() {
        let (_home, path) = kept(&trace.written(None));
        let mut seen = Vec::new();
        let notes = read(&[Input::Path(path)], false, None, &mut seen);
        assert!(notes.problems.is_empty() && notes.incomplete.is_none(), "{}: {notes:?}", trace.name);
        assert_eq!(notes.server_version, trace.notes.server_version);
        assert_eq!(notes.started_at, trace.notes.started_at);
        assert_eq!(notes.namespace, trace.notes.namespace);
        assert_eq!(notes.objects, trace.notes.objects);
        assert_eq!(
            notes.resources.iter().collect::<BTreeSet<_>>(),
            trace.notes.resources.iter().collect::<BTreeSet<_>>()
        );
        assert_eq!(seen.len(), trace.seen.len());
        for (now, before) in seen.iter().zip(&trace.seen) {
            assert_eq!(now, before, "{}", trace.name);
        }
    }
}

/// What is left of a report without its names.
fn nameless(report: &Value) -> Value {
    let codes = |reasons: &Value| -> Vec<Value> {
        let all = reasons.as_array().unwrap().iter();
        all.map(|reason| serde_json::json!([reason["code"], reason["tier"]])).collect()
    };
    let rules = |victims: &Value| -> BTreeSet<String> {
        victims.as_array().unwrap().iter().map(|victim| victim["rule"].to_string()).collect()
    };
    let count = |list: &Value| list.as_array().map(Vec::len);
    let (plan, status) = (&report["plan"], &report["plan"]["status"]);
    let of = |value: &Value, fields: &[&str]| -> Vec<Value> {
        fields.iter().map(|field| value[field].clone()).collect()
    };
    // Which of several equal pods is compared with which goes by their names.
    let fates = ["certain", "possible", "safe"].map(|fate| count(&plan["delete"][fate]));
    serde_json::json!({
        "asOf": report["asOf"],
        "uid": report["object"]["uid"],
        "version": report["object"]["resourceVersion"],
        "exists": report["object"]["exists"],
        "figures": of(report, &["desired", "active", "diff"]),
        "verdict": report["verdict"],
        "until": report["until"]["at"],
        "reasons": codes(&report["reasons"]),
        "expectations": of(&report["expectations"], &["gate", "add", "del", "setAt", "expiresAt"]),
        "awaited": count(&report["expectations"]["awaitedDeletions"]),
        "running": report["running"],
        "plan": of(plan, &["action", "count", "capped", "create"]),
        "claims": [count(&plan["adopt"]), count(&plan["release"])],
        "certain": rules(&plan["delete"]["certain"]),
        "delete": fates,
        "status": of(status, &["replicas", "readyReplicas", "availableReplicas", "write"]),
        "window": report["evidence"]["window"],
        "degraded": count(&report["degraded"]),
    })
}

fn reports(json: &str) -> Vec<Value> {
    let all = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let one_or_more = |report: Value| report["items"].as_array().cloned().unwrap_or_else(|| vec![report]);
    all.flat_map(|report| one_or_more(report.unwrap())).collect()
}

#[test]
fn a_written_trace_is_answered_with_the_same_bytes_a_redacted_one_with_other_names() {
    for trace in all() {
        let mut redactor = Redactor::default();
        let (_written, written) = kept(&trace.written(None));
        let (_redacted, redacted) = kept(&trace.written(Some(&mut redactor)));
        for replica_set in trace.checkpoints().1 {
            let before = trace.ask(&file(&trace.name), &replica_set);
            assert!(before == trace.ask(&written, &replica_set), "{} {replica_set}", trace.name);
            let (namespace, name) = replica_set.split_once('/').unwrap();
            let renamed = format!("{}/{}", redactor.name(namespace), redactor.name(name));
            let (before, after) = (reports(&before), reports(&trace.ask(&redacted, &renamed)));
            assert_eq!(before.len(), after.len());
            for (before, after) in before.iter().zip(&after) {
                let (before, after) = (nameless(before), nameless(after));
                for (field, value) in before.as_object().unwrap() {
                    assert_eq!(&after[field], value, "{} {replica_set}: {field}", trace.name);
                }
            }
        }
    }
}

#[test]
fn known_causes_are_known_in_a_redacted_recording() {
    let states = states();
    assert!(states.len() > 20);
    let told = |bytes: &[u8]| {
        let (_home, path) = kept(bytes);
        let run = support::rsexp(["explain", "rs,rc", "-o", "json", "-f", path.to_str().unwrap()]);
        let mut told: Vec<String> =
            reports(&run.out).iter().map(|report| nameless(report).to_string()).collect();
        told.sort();
        told
    };
    let mut causes = BTreeSet::new();
    for state in states {
        let before = told(&state.written(None));
        assert!(!before.is_empty(), "{}", state.name);
        assert_eq!(told(&state.written(Some(&mut Redactor::default()))), before, "{}", state.name);
        causes.extend(before);
    }
    for code in ["QuotaExceeded", "WebhookUnreachable", "WebhookSelfDeadlock", "ServiceAccountMissing"] {
        assert!(causes.iter().any(|cause| cause.contains(code)), "{code}");
    }
}
