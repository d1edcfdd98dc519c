//! How a run came out: every answer compared with what the controller held and did.

use std::path::PathBuf;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::control_plane::checkpoint::{Mark, Run};
use crate::control_plane::stage::{Asked, Stage};
use crate::control_plane::truth::Truth;
use crate::traces::judge::judge;
use crate::traces::tally::Tally;
use crate::traces::trace::{list, time};
use support::plane::Plane;

/// From what an answer was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    Recording,
    RecordingAndLog,
    Cluster,
}

/// One answer.
pub struct Row {
    pub id: String,
    pub from: From,
    pub tally: Tally,
    pub wrong: Vec<String>,
}

/// See the module.
pub struct Outcome {
    pub name: String,
    pub rows: Vec<Row>,
    /// What a scenario demanded of an answer or of the truth, and did not get.
    pub missed: Vec<String>,
    pub directory: PathBuf,
    /// The controllers' logs in it.
    pub logs: Vec<PathBuf>,
}

impl Outcome {
    /// Ends a run and judges it.
    pub fn of(stage: &Stage) -> Outcome {
        let truth = at_rest(stage);
        let end = Timestamp::now();
        let recording = stage.recorded();
        let steps = stage.steps.borrow();
        let run = Run { recording: &recording, truth: &truth, steps: &steps, end };
        let from = recording.iter().filter_map(|line| time(&line["at"])).nth(6).unwrap();
        let (rows, missed) = Default::default();
        let logs = stage.controller_logs();
        let (name, directory) = (stage.namespace.clone(), stage.directory.clone());
        let mut outcome = Outcome { name, rows, missed, directory, logs: logs.clone() };
        let asked = stage.asked.borrow();
        let checkpoints: Vec<Value> = asked.iter().map(|asked| run.checkpoint(&asked.mark, from)).collect();
        outcome.write(&run, &checkpoints);
        outcome.recorded(stage.plane, &asked, &checkpoints, &logs);
        for live in &*stage.live.borrow() {
            let at = time(&live.explain["asOf"]).unwrap();
            let replica_set = live.replica_set.clone();
            let mark = Mark { id: format!("live-{replica_set}"), at, replica_set };
            let from = time(&live.explain["evidence"]["window"]["from"]).unwrap_or(at);
            let checkpoint = run.checkpoint(&mark, from);
            let kept = json!({"checkpoint": checkpoint, "explain": live.explain, "dryRun": live.dry_run});
            let name = format!("live-{}.json", outcome.rows.len());
            std::fs::write(stage.directory.join(name), serde_json::to_vec_pretty(&kept).unwrap()).unwrap();
            outcome.explained(&checkpoint, &live.explain, From::Cluster);
            outcome.simulated(&checkpoint, &live.dry_run, From::Cluster);
        }
        outcome
    }

    /// Asks the program about the recording, without and with the controller's log.
    fn recorded(&mut self, plane: &Plane, asked: &[Asked], checkpoints: &[Value], logs: &[PathBuf]) {
        let mut replica_sets: Vec<&str> = asked.iter().map(|asked| asked.mark.replica_set.as_str()).collect();
        replica_sets.sort_unstable();
        replica_sets.dedup();
        for replica_set in replica_sets {
            let of_it: Vec<usize> =
                (0..asked.len()).filter(|index| asked[*index].mark.replica_set == replica_set).collect();
            let marks: Vec<&Mark> = of_it.iter().map(|index| &asked[*index].mark).collect();
            let words = |command: &str| [command.to_owned(), asked[of_it[0]].target.clone()];
            let ask = |command: &str, logs: &[PathBuf]| self.ask(plane, words(command), &marks, logs);
            let alone = ask("explain", &[]);
            let with_log = ask("explain", logs);
            let simulated = ask("dry-run", &[]);
            for (position, index) in of_it.iter().enumerate() {
                let checkpoint = &checkpoints[*index];
                self.explained(checkpoint, &alone[position], From::Recording);
                self.explained(checkpoint, &with_log[position], From::RecordingAndLog);
                self.simulated(checkpoint, &simulated[position], From::Recording);
                self.demands(&asked[*index], checkpoint, &alone[position], &with_log[position]);
            }
        }
    }

    fn ask(&self, plane: &Plane, about: [String; 2], marks: &[&Mark], logs: &[PathBuf]) -> Vec<Value> {
        let (namespace, _) = marks[0].replica_set.split_once('/').unwrap();
        let recording = self.directory.join("recording.jsonl").to_str().unwrap().to_owned();
        let mut words = Vec::from(about);
        words.extend(["-n", namespace, "-o", "json", "-f", &recording].map(str::to_owned));
        for mark in marks {
            words.extend(["--at".to_owned(), mark.at.to_string()]);
        }
        for log in logs {
            words.extend(["--controller-log".to_owned(), log.to_str().unwrap().to_owned()]);
        }
        let ran = plane.rsexp(&words);
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.err);
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        let reports = if marks.len() == 1 { vec![answer] } else { list(&answer["items"]).to_vec() };
        assert_eq!(reports.len(), marks.len(), "{words:?}");
        reports
    }

    fn explained(&mut self, checkpoint: &Value, report: &Value, from: From) {
        let (tally, wrong) = judge(checkpoint, report);
        self.row("explain", checkpoint, from, tally, wrong);
    }

    /// The first of the simulated syncs is the next sync.
    fn simulated(&mut self, checkpoint: &Value, report: &Value, from: From) {
        let (tally, mut wrong) = judge(checkpoint, report);
        let (first, next) = (&report["syncs"][0], &checkpoint["next"]);
        let behind = !list(&next["notYetHandled"]).is_empty()
            || (!next["need"].is_null() && next["need"] != checkpoint["observed"]["desired"]);
        let happened = next["at"].is_string() && next["gate"] != "stale" && next["error"].is_null();
        if tally.judged == 1 && happened && !behind && first.is_object() && checkpoint["running"].is_null() {
            let said = match first["skipped"] == true {
                true => "skipped",
                false => first["plan"]["action"].as_str().unwrap_or("unknown"),
            };
            // Of several that want one orphan, the answer says that the count is open; its syncs are those of the winner.
            let contested = report["verdict"] == "undetermined" && holds(report, "reason=SelectorOverlap");
            let open = first["gate"] == "undetermined" || said == "unknown" || contested;
            if !open && next["action"] != said && !(said == "none" && next["action"] == "skipped") {
                wrong.push(format!("the first simulated sync: {said} and not {}", next["action"]));
            }
        }
        self.row("dry-run", checkpoint, from, tally, wrong);
    }

    fn row(&mut self, command: &str, checkpoint: &Value, from: From, tally: Tally, wrong: Vec<String>) {
        let id = format!("{} {command}", checkpoint["id"].as_str().unwrap());
        let tally = Tally { wrong: wrong.len(), ..tally };
        self.rows.push(Row { id, from, tally, wrong });
    }

    /// A demand on what is said is one on the answer from the recording alone; after "log:" on that with the log.
    fn demands(&mut self, asked: &Asked, checkpoint: &Value, alone: &Value, with_log: &Value) {
        let really = asked.really.iter().map(|demand| ("the truth", checkpoint, demand.as_str()));
        let says = asked.says.iter().map(|demand| match demand.strip_prefix("log:") {
            Some(demand) => ("the answer with the log", with_log, demand),
            None => ("the answer", alone, demand.as_str()),
        });
        for (what, value, demand) in really.chain(says).filter(|(_, value, demand)| !holds(value, demand)) {
            let (path, _) = demand.split_once('=').unwrap();
            let id = &asked.mark.id;
            self.missed.push(format!("{id}: {what} is not {demand}: {}", find(value, path)));
        }
    }

    /// As a trace, so that a failure can be looked at, cut down and kept.
    fn write(&self, run: &Run, checkpoints: &[Value]) {
        let steps: Vec<Value> = run
            .steps
            .iter()
            .map(|step| json!({"at": step.at.to_string(), "what": step.what, "by": if step.changes { "user" } else { "kubelet" }}))
            .collect();
        let file = json!({"scenario": self.name, "end": run.end.to_string(), "steps": steps, "checkpoints": checkpoints});
        std::fs::write(self.directory.join("checkpoints.json"), serde_json::to_vec_pretty(&file).unwrap())
            .unwrap();
    }

    /// How many answers were judged.
    pub fn judged(&self) -> usize {
        self.rows.iter().map(|row| row.tally.judged).sum()
    }

    /// At how many instants: one ReplicaSet each.
    pub fn checkpoints(&self) -> usize {
        let explained =
            self.rows.iter().filter(|row| row.from != From::RecordingAndLog && row.id.ends_with(" explain"));
        explained.map(|row| row.tally.judged).sum()
    }

    /// What is wrong, one line each.
    pub fn wrong(&self) -> Vec<String> {
        let rows = self.rows.iter();
        rows.flat_map(|row| {
            row.wrong.iter().map(move |what| format!("{} {} from {:?}: {what}", self.name, row.id, row.from))
        })
        .chain(self.missed.iter().map(|what| format!("{} {what}", self.name)))
        .collect()
    }
}

/// The truth once no sync of this namespace is under way: a sync is in the log as a whole only when it has ended.
fn at_rest(stage: &Stage) -> Truth {
    let own = format!("{}/", stage.namespace);
    let mut patience = 20;
    loop {
        let truth = Truth::of(stage.plane.truths());
        if patience == 0 || !truth.unfinished.iter().any(|key| key.starts_with(&own)) {
            return truth;
        }
        patience -= 1;
        stage.rest(500);
    }
}

/// Whether PATH=VALUE holds; `reason=CODE` of any of the reasons.
fn holds(value: &Value, demand: &str) -> bool {
    let (path, wanted) = demand.split_once('=').unwrap();
    if path == "reason" {
        return list(&value["reasons"]).iter().any(|reason| reason["code"] == wanted);
    }
    match find(value, path) {
        Value::String(text) => text == wanted,
        other => *other.to_string() == *wanted,
    }
}

fn find(value: &Value, path: &str) -> Value {
    if path == "reason" {
        return list(&value["reasons"]).iter().map(|reason| reason["code"].clone()).collect();
    }
    path.split('.').fold(value.clone(), |value, field| match field.parse::<usize>() {
        Ok(index) => value[index].clone(),
        Err(_) => value[field].clone(),
    })
}
