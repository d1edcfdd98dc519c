//! Recordings of real control planes: what the program says at an instant must hold what was true.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic too")]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::Value;

/// Where the program says otherwise than the controller did: trace, checkpoint, and why the
/// observer did not know better at that instant.
const UNKNOWN: &[(&str, &str, &str)] = &[
    ("adopt-1.34", "two-orphans-frozen", "the orphans reached the observer 166 ms after the instant"),
    ("refused-by-policy", "limit-gone", "that the LimitRange is gone is in no line of the recording"),
];

/// The judgement of one recording.
#[derive(Default)]
struct Judge {
    counts: BTreeMap<&'static str, usize>,
    /// Checkpoint and what is wrong there.
    wrong: Vec<(String, String)>,
}

impl Judge {
    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn judge(&mut self, checkpoint: &Value, report: &Value) {
        let mut wrong = Vec::new();
        self.compare(&Checkpoint { all: checkpoint, report }, &mut wrong);
        let id = checkpoint["id"].as_str().unwrap();
        self.wrong.extend(wrong.into_iter().map(|what| (id.to_owned(), what)));
    }

    fn compare(&mut self, at: &Checkpoint, wrong: &mut Vec<String>) {
        if at.says("observed", "edge") || at.says("observed", "unknowable") {
            return;
        }
        self.count("judged");
        let (observed, report) = (&at.all["observed"], at.report);
        if report["desired"] != observed["desired"] {
            wrong.push(format!("desired {} and not {}", report["desired"], observed["desired"]));
            return;
        }
        if !at.says("observed", "exists") {
            if report["verdict"] != "settled" || report["expectations"]["gate"] != "none" {
                wrong.push(format!("absent, but {} and {}", report["verdict"], report["expectations"]));
            }
            return;
        }
        self.ranges(at, wrong);
        self.gate(at, wrong);
        if at.is_due() {
            self.count("due");
        }
        if at.verdict() == "undetermined" {
            return;
        }
        self.count("verdict decided");
        if at.is_due() {
            self.count("due decided");
        }
        if at.all["running"].is_null() {
            self.verdict(at, wrong);
        }
    }

    fn ranges(&mut self, at: &Checkpoint, wrong: &mut Vec<String>) {
        for field in ["add", "del"] {
            let range = &at.report["expectations"][field];
            let caught_up = at.truth()["caughtUp"][field].as_i64().unwrap();
            let held = at.truth()["entry"][field].as_i64().unwrap_or(0);
            if !at.near() && !inside(range, caught_up) && !inside(range, held) {
                wrong.push(format!("{field} {range} without {caught_up} and {held}"));
            }
        }
    }

    fn gate(&mut self, at: &Checkpoint, wrong: &mut Vec<String>) {
        let gate = at.report["expectations"]["gate"].as_str().unwrap();
        if gate == "undetermined" {
            return;
        }
        let open = |word: &str| matches!(word, "none" | "fulfilled");
        let same = |truth: &Value| {
            let truth = truth.as_str().unwrap();
            gate == truth || (open(gate) && open(truth))
        };
        if at.near() || same(&at.truth()["caughtUp"]["gate"]) || same(&at.truth()["gate"]) {
            self.count("gate decided");
        } else {
            wrong.push(format!("gate {gate} and not {}", at.truth()["caughtUp"]["gate"]));
        }
    }

    fn verdict(&mut self, at: &Checkpoint, wrong: &mut Vec<String>) {
        let plan = &at.all["plan"];
        let mut next = &at.all["next"];
        if next["gate"] == "stale" {
            // A check that fails for an instant only does not count.
            if at.verdict() == "blocked" || plan.is_null() || plan["afterDriverStep"] == true {
                return;
            }
            next = plan;
        }
        if next["at"].is_null() {
            self.count("no sync followed");
            return no_sync(at, wrong);
        }
        let older = !list(&next["notYetHandled"]).is_empty();
        let other_need = !next["need"].is_null() && next["need"] != at.all["observed"]["desired"];
        if older || other_need {
            return;
        }
        let real = really(at, next);
        if !real.contains(at.verdict()) {
            let did = (&next["action"], &next["count"]);
            return wrong.push(format!("verdict {} and not {real:?}: {did:?}", at.verdict()));
        }
        self.count("verdict judged by a sync");
        if at.verdict() == "act" && (next["action"] == "create" || next["action"] == "delete") {
            self.plan(at, next, wrong);
        }
    }

    fn plan(&mut self, at: &Checkpoint, next: &Value, wrong: &mut Vec<String>) {
        let plan = &at.report["plan"];
        if plan["action"] != next["action"] || plan["count"] != next["count"] {
            let (said, real) = ((&plan["action"], &plan["count"]), (&next["action"], &next["count"]));
            return wrong.push(format!("plan {said:?} and not {real:?}"));
        }
        self.count("plan right");
        if next["action"] == "delete" {
            let chosen = if next["chosen"].is_null() { &next["deleted"] } else { &next["chosen"] };
            let really: BTreeSet<&str> =
                list(chosen).iter().map(|key| key.as_str().unwrap().rsplit('/').next().unwrap()).collect();
            let pods = |fate: &str| -> BTreeSet<&str> {
                list(&plan["delete"][fate]).iter().map(|v| v["pod"].as_str().unwrap()).collect()
            };
            let (certain, possible) = (pods("certain"), pods("possible"));
            let spared: Vec<_> = certain.difference(&really).collect();
            let unforeseen: Vec<_> =
                really.iter().filter(|p| !certain.union(&possible).any(|q| q == *p)).collect();
            if !spared.is_empty() || !unforeseen.is_empty() {
                wrong.push(format!("victims: spared {spared:?}, unforeseen {unforeseen:?}"));
            }
        }
    }
}

/// A question with its answer.
struct Checkpoint<'a> {
    all: &'a Value,
    report: &'a Value,
}

impl<'a> Checkpoint<'a> {
    fn truth(&self) -> &'a Value {
        &self.all["truth"]
    }

    fn verdict(&self) -> &'a str {
        self.report["verdict"].as_str().unwrap()
    }

    fn says(&self, part: &str, field: &str) -> bool {
        self.all[part][field] == true
    }

    fn diff(&self) -> i64 {
        self.report["diff"].as_i64().unwrap_or(0)
    }

    fn is_due(&self) -> bool {
        self.diff() != 0 || self.truth()["gate"] == "waiting" || self.all["next"]["action"] != "none"
    }

    /// Whether what the controller holds changes within milliseconds, by which a recording lags.
    fn near(&self) -> bool {
        let at = time(&self.all["at"]).unwrap();
        let changes = ["since", "until"].map(|field| time(&self.truth()[field]));
        changes.iter().flatten().any(|change| change.duration_since(at).as_millis().abs() < 50)
    }
}

fn inside(range: &Value, value: i64) -> bool {
    range["min"].as_i64().is_none_or(|min| min <= value)
        && range["max"].as_i64().is_none_or(|max| value <= max)
}

fn time(value: &Value) -> Option<Timestamp> {
    value.as_str().map(|text| text.parse().unwrap())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Nothing was due, or it waits, or nothing woke it, or nobody leads, or it backs off.
fn no_sync(at: &Checkpoint, wrong: &mut Vec<String>) {
    let gate = at.truth()["caughtUp"]["gate"].as_str().unwrap();
    let waiting = gate == "waiting";
    let deleting = at.says("observed", "deleting");
    let quiet = time(&at.all["next"]["until"]).unwrap().duration_since(time(&at.all["at"]).unwrap());
    let mut bad = |is_bad: bool, why: String| {
        if is_bad {
            wrong.push(format!("{} though {why}", at.verdict()));
        }
    };
    match at.verdict() {
        "settled" => bad(at.diff() != 0 && !deleting, format!("diff is {}", at.diff())),
        "skip" => bad(!waiting && !at.near(), format!("the gate is {gate}")),
        "act" => {
            bad(waiting && !at.near(), "it waits".into());
            let idle = matches!(gate, "fulfilled" | "none") && quiet.as_millis() > 1500;
            bad(idle, format!("nothing happened for {quiet}"));
        }
        "blocked" => bad(at.diff() == 0 && !deleting, "nothing is due".into()),
        other => panic!("unknown verdict {other}"),
    }
}

/// The verdicts that fit what the next sync did.
fn really(at: &Checkpoint, next: &Value) -> BTreeSet<&'static str> {
    let moved = !list(&next["adopted"]).is_empty() || !list(&next["released"]).is_empty();
    let mut fitting = BTreeSet::new();
    match next["action"].as_str().unwrap() {
        "create" | "delete" => drop(fitting.insert("act")),
        "skipped" => {
            fitting.insert("skip");
            fitting.extend(moved.then_some("act"));
            fitting.extend((at.diff() == 0).then_some("settled"));
        }
        _ => drop(fitting.insert(if moved { "act" } else { "settled" })),
    }
    if at.says("observed", "deleting") {
        fitting.extend(["blocked", "settled"]);
    }
    let refused = next["action"] == "create" && list(&next["created"]).is_empty();
    let failed = next["error"].as_str().is_some_and(|error| !error.is_empty());
    fitting.extend((failed || refused).then_some("blocked"));
    fitting
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/traces")
}

/// The reports for one ReplicaSet at these checkpoints, in their order.
fn ask(trace: &str, replica_set: &str, checkpoints: &[&Value]) -> Vec<Value> {
    let (namespace, name) = replica_set.split_once('/').unwrap();
    let kind = if trace.contains("replication-controller") { "rc" } else { "rs" };
    let recording = directory().join(trace).join("recording.jsonl.gz");
    let mut args =
        ["explain", &format!("{kind}/{name}"), "-n", namespace, "-o", "json"].map(str::to_owned).to_vec();
    args.extend(["-f".to_owned(), recording.to_str().unwrap().to_owned()]);
    for checkpoint in checkpoints {
        args.extend(["--at".to_owned(), checkpoint["at"].as_str().unwrap().to_owned()]);
    }
    let ran = common::rsexp(&args);
    assert_eq!(ran.code, Some(0), "{trace} {replica_set}: {}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    report["items"].as_array().cloned().unwrap_or_else(|| vec![report])
}

fn judged(trace: &str) -> Judge {
    let text = std::fs::read_to_string(directory().join(trace).join("checkpoints.json")).unwrap();
    let file: Value = serde_json::from_str(&text).unwrap();
    let mut by_object: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for checkpoint in list(&file["checkpoints"]) {
        by_object.entry(checkpoint["replicaSet"].as_str().unwrap()).or_default().push(checkpoint);
    }
    let mut judge = Judge::default();
    for (replica_set, checkpoints) in by_object {
        let reports = ask(trace, replica_set, &checkpoints);
        assert_eq!(reports.len(), checkpoints.len(), "{trace} {replica_set}");
        checkpoints.iter().zip(&reports).for_each(|(checkpoint, report)| judge.judge(checkpoint, report));
    }
    judge
}

#[test]
fn answers_hold_what_was_true() {
    let mut traces: Vec<String> = std::fs::read_dir(directory())
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    traces.sort();
    assert_eq!(traces.len(), 33);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut wrong, mut known) = (Vec::new(), BTreeSet::new());
    for trace in &traces {
        let judge = judged(trace);
        judge.counts.into_iter().for_each(|(what, count)| *counts.entry(what).or_default() += count);
        for (checkpoint, what) in judge.wrong {
            match UNKNOWN.iter().find(|(t, c, _)| t == trace && *c == checkpoint) {
                Some(entry) => drop(known.insert(entry)),
                None => wrong.push(format!("{trace} {checkpoint}: {what}")),
            }
        }
    }
    let share = |what: &str, of: &str| format!("{what} {} of {}", counts[what], counts[of]);
    println!(
        "{}, {}, {}; {counts:?}",
        share("gate decided", "judged"),
        share("verdict decided", "judged"),
        share("due decided", "due")
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(known, UNKNOWN.iter().collect(), "an exception that is none any more");
    // Nothing is wrong where nothing is judged: most must be.
    for what in ["gate decided", "verdict decided", "verdict judged by a sync", "plan right", "due decided"] {
        assert!(counts[what] * 20 > counts["judged"], "{what}: {counts:?}");
    }
}
