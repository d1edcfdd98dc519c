//! Compares an answer with what the controller held and did.

use std::collections::BTreeSet;

use serde_json::Value;

use super::tally::Tally;
use super::trace::{list, time};

/// What a range counts as where it is open upwards: no round is larger.
const BURST: i64 = 500;

/// What an answer is worth, and what is wrong with it.
pub fn judge(checkpoint: &Value, report: &Value) -> (Tally, Vec<String>) {
    let mut judge = Judge::default();
    judge.compare(&Checkpoint { all: checkpoint, report });
    (judge.tally, judge.wrong)
}

#[derive(Default)]
struct Judge {
    tally: Tally,
    wrong: Vec<String>,
}

impl Judge {
    fn compare(&mut self, at: &Checkpoint) {
        if at.says("observed", "edge") || at.says("observed", "unknowable") {
            return;
        }
        self.tally.judged += 1;
        let (observed, report) = (&at.all["observed"], at.report);
        if report["desired"] != observed["desired"] {
            self.wrong.push(format!("desired {} and not {}", report["desired"], observed["desired"]));
            return;
        }
        if !at.says("observed", "exists") {
            if report["verdict"] != "settled" || report["expectations"]["gate"] != "none" {
                self.wrong.push(format!("absent, but {} and {}", report["verdict"], report["expectations"]));
            }
            return;
        }
        self.ranges(at);
        self.gate(at);
        let is_due = usize::from(at.is_due());
        self.tally.due += is_due;
        let next = followed(at);
        self.tally.comparable += usize::from(next.is_some());
        if at.verdict() == "undetermined" {
            return;
        }
        self.tally.verdict += 1;
        self.tally.due_decided += is_due;
        if let Some(next) = next {
            self.tally.compared += 1;
            self.verdict(at, next);
        }
    }

    fn ranges(&mut self, at: &Checkpoint) {
        for field in ["add", "del"] {
            let range = &at.report["expectations"][field];
            let caught_up = at.truth()["caughtUp"][field].as_i64().unwrap();
            let held = at.truth()["entry"][field].as_i64().unwrap_or(0);
            if !at.near() && !inside(range, caught_up) && !inside(range, held) {
                self.wrong.push(format!("{field} {range} without {caught_up} and {held}"));
            }
            let (min, max) = (range["min"].as_i64(), range["max"].as_i64());
            let exact = usize::from(min.is_some() && min == max);
            match field {
                "add" => self.tally.add_exact += exact,
                _ => self.tally.del_exact += exact,
            }
            self.tally.width += max.unwrap_or(BURST) - min.unwrap_or(0);
        }
    }

    fn gate(&mut self, at: &Checkpoint) {
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
            self.tally.gate += 1;
        } else {
            self.wrong.push(format!("gate {gate} and not {}", at.truth()["caughtUp"]["gate"]));
        }
    }

    fn verdict(&mut self, at: &Checkpoint, next: &Value) {
        let is_stale = at.all["next"]["gate"] == "stale";
        if is_stale && at.verdict() == "blocked" {
            return;
        }
        if next["at"].is_null() {
            return no_sync(at, &mut self.wrong);
        }
        let real = really(at, next);
        if !real.contains(at.verdict()) {
            let did = (&next["action"], &next["count"]);
            return self.wrong.push(format!("verdict {} and not {real:?}: {did:?}", at.verdict()));
        }
        self.tally.by_sync += 1;
        if at.verdict() == "act" && (next["action"] == "create" || next["action"] == "delete") {
            self.plan(at, next);
        }
    }

    fn plan(&mut self, at: &Checkpoint, next: &Value) {
        let plan = &at.report["plan"];
        if plan["action"] != next["action"] || plan["count"] != next["count"] {
            let (said, real) = ((&plan["action"], &plan["count"]), (&next["action"], &next["count"]));
            return self.wrong.push(format!("plan {said:?} and not {real:?}"));
        }
        self.tally.plans += 1;
        if next["action"] == "delete" {
            let chosen = if next["chosen"].is_null() { &next["deleted"] } else { &next["chosen"] };
            let really: BTreeSet<&str> =
                list(chosen).iter().map(|key| key.as_str().unwrap().rsplit('/').next().unwrap()).collect();
            let pods = |fate: &str| -> BTreeSet<&str> {
                list(&plan["delete"][fate]).iter().map(|v| v["pod"].as_str().unwrap()).collect()
            };
            let (certain, possible) = (pods("certain"), pods("possible"));
            self.tally.certain += certain.len();
            self.tally.possible += possible.len();
            let spared: Vec<_> = certain.difference(&really).collect();
            let unforeseen: Vec<_> =
                really.iter().filter(|p| !certain.union(&possible).any(|q| q == *p)).collect();
            if !spared.is_empty() || !unforeseen.is_empty() {
                self.wrong.push(format!("victims: spared {spared:?}, unforeseen {unforeseen:?}"));
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

/// What the controller did next; None where that tells nothing about the verdict.
fn followed<'a>(at: &Checkpoint<'a>) -> Option<&'a Value> {
    let plan = &at.all["plan"];
    let mut next = &at.all["next"];
    if !at.all["running"].is_null() {
        return None;
    }
    if next["gate"] == "stale" {
        // A check that fails for an instant only does not count.
        if plan.is_null() || plan["afterDriverStep"] == true {
            return None;
        }
        next = plan;
    }
    let older = !list(&next["notYetHandled"]).is_empty();
    let other_need = !next["need"].is_null() && next["need"] != at.all["observed"]["desired"];
    (next["at"].is_null() || !(older || other_need)).then_some(next)
}

/// Whether a range of a report holds this value.
pub fn inside(range: &Value, value: i64) -> bool {
    range["min"].as_i64().is_none_or(|min| min <= value)
        && range["max"].as_i64().is_none_or(|max| value <= max)
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
            let is_led = !at.says("observed", "otherLeader");
            let idle = is_led && matches!(gate, "fulfilled" | "none") && quiet.as_millis() > 1500;
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
            // What keeps pods from coming at all goes before what the controller waits for.
            let in_vain = at.diff() < 0 && at.says("observed", "terminatingNamespace");
            fitting.extend(in_vain.then_some("blocked"));
        }
        _ => drop(fitting.insert(if moved { "act" } else { "settled" })),
    }
    if at.says("observed", "deleting") {
        fitting.extend(["blocked", "settled"]);
    }
    fitting.extend(at.says("observed", "otherLeader").then_some("blocked"));
    let refused = next["action"] == "create" && list(&next["created"]).is_empty();
    let failed = next["error"].as_str().is_some_and(|error| !error.is_empty());
    fitting.extend((failed || refused).then_some("blocked"));
    fitting
}
