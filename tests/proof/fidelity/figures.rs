//! How answers came out, by mechanism: one committed file for each source and Kubernetes minor. What
//! makes the figures compares them with its file, and no figure may fall.

#![allow(dead_code, reason = "not every test target needs every part")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// One file of `tests/data/fidelity`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// The version of the control plane.
    pub kubernetes: String,
    pub parts: Vec<Part>,
    /// How much the answers said, where that is measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tightness: Vec<Tightness>,
}

/// The answers about one mechanism.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub part: Source,
    pub mechanism: String,
    /// The seeds of random runs, as `FIRST..LAST`.
    #[serde(default)]
    pub seeds: Option<String>,
    pub checkpoints: usize,
    pub right: usize,
    pub undetermined: usize,
    pub wrong: usize,
}

/// What was asked about, in the order of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Recorded runs, without the controller's log.
    Recording,
    /// The same with it.
    RecordingAndLog,
    /// Single states.
    Vectors,
    /// Live runs that have one subject each.
    Scenarios,
    /// Live runs of random acts.
    Random,
    /// Single states put into a live control plane.
    States,
}

/// How much the answers of one source said.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tightness {
    pub part: Source,
    pub judged: usize,
    pub add_exact: usize,
    pub del_exact: usize,
    pub gate_decided: usize,
    pub verdict_decided: usize,
    /// Decided verdicts that could be held against what the controller did next.
    pub verdict_compared: usize,
    /// Instants with something due, and those of them with a verdict.
    pub due: usize,
    pub due_decided: usize,
    /// The sum of the widths of all ranges, two an answer.
    pub width: i64,
}

/// What became of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Right,
    Undetermined,
    Wrong,
}

/// Outcomes by mechanism.
#[derive(Debug, Clone, Default)]
pub struct Outcomes(BTreeMap<String, Vec<Outcome>>);

impl Outcomes {
    pub fn note(&mut self, mechanism: impl Into<String>, outcome: Outcome) {
        self.0.entry(mechanism.into()).or_default().push(outcome);
    }

    pub fn parts(&self, part: Source) -> impl Iterator<Item = Part> {
        self.0.iter().map(move |(mechanism, outcomes)| {
            let count = |outcome| outcomes.iter().filter(|o| **o == outcome).count();
            Part {
                part,
                mechanism: mechanism.clone(),
                seeds: None,
                checkpoints: outcomes.len(),
                right: count(Outcome::Right),
                undetermined: count(Outcome::Undetermined),
                wrong: count(Outcome::Wrong),
            }
        })
    }
}

impl Figures {
    /// What lies below earlier figures.
    pub fn fallen_from(&self, before: &Figures) -> Vec<String> {
        let right = |figures: &Figures, of: &Part| {
            let same = |p: &&Part| (p.part, &p.mechanism) == (of.part, &of.mechanism);
            figures.parts.iter().find(same).map_or(0, |part| part.right)
        };
        let parts = before.parts.iter().filter_map(|part| {
            let now = right(self, part);
            let (source, what) = (part.part, &part.mechanism);
            (now < part.right).then(|| format!("{source:?}, {what}: {now} right, before {}", part.right))
        });
        let said = |t: &Tightness| {
            let exact = [("add exact", t.add_exact), ("del exact", t.del_exact)];
            let decided = [
                ("gate decided", t.gate_decided),
                ("verdict decided", t.verdict_decided),
                ("decided with something due", t.due_decided),
            ];
            exact.into_iter().chain(decided)
        };
        let tightness = before.tightness.iter().flat_map(|before| {
            let now = self.tightness.iter().find(|now| now.part == before.part);
            let now: BTreeMap<_, _> = now.into_iter().flat_map(said).collect();
            let fallen = said(before).filter(move |(what, count)| now.get(what).unwrap_or(&0) < count);
            fallen.map(|(what, count)| format!("{:?}: {what} fell from {count}", before.part))
        });
        parts.chain(tightness).collect()
    }

    /// What cannot be or may not be.
    pub fn faults(&self) -> Vec<String> {
        let bad = |p: &&Part| p.wrong > 0 || p.checkpoints == 0 || p.checkpoints != p.right + p.undetermined;
        self.parts.iter().filter(bad).map(|part| format!("{}: {part:?}", self.kubernetes)).collect()
    }

    fn to_text(&self) -> String {
        // A line a part: the difference of two versions of a file reads well.
        let lines = |list: Vec<String>| list.join(",\n    ");
        let parts = self.parts.iter().map(|part| serde_json::to_string(part).unwrap());
        let mut text = format!("{{\n  \"kubernetes\": \"{}\",\n  \"parts\": [\n    ", self.kubernetes);
        text += &lines(parts.collect());
        if !self.tightness.is_empty() {
            let tightness = self.tightness.iter().map(|part| serde_json::to_string(part).unwrap());
            text += "\n  ],\n  \"tightness\": [\n    ";
            text += &lines(tightness.collect());
        }
        text + "\n  ]\n}\n"
    }

    /// Replaces the committed file of this name.
    pub fn write(&self, name: &str) {
        std::fs::write(directory().join(name), self.to_text()).unwrap();
    }
}

/// All committed figures, by the name of their file.
pub fn all() -> BTreeMap<String, Figures> {
    let names = std::fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap()).filter(|name| name.ends_with(".json"));
    names.map(|name| (name.clone(), serde_json::from_str(&read(&name).unwrap()).unwrap())).collect()
}

/// Compares figures with their committed file. With `RSEXP_WRITE=1` the file is renewed, but a figure
/// falls only with `RSEXP_LOWER=1` too, and nothing wrong is ever written.
pub fn keep(name: &str, now: &Figures) {
    assert_eq!(now.faults(), Vec::<String>::new());
    let is_set = |variable| std::env::var_os(variable).is_some();
    let before = read(name);
    let earlier = before.as_deref().map(|text| serde_json::from_str::<Figures>(text).unwrap());
    let fallen = earlier.map_or_else(Vec::new, |earlier| now.fallen_from(&earlier));
    let may_fall = is_set("RSEXP_WRITE") && is_set("RSEXP_LOWER");
    assert!(fallen.is_empty() || may_fall, "{name}: figures fell: {fallen:#?}");
    let text = now.to_text();
    if is_set("RSEXP_WRITE") {
        now.write(name);
    } else {
        let same = before == Some(text);
        assert!(same, "tests/data/fidelity/{name} is stale: RSEXP_WRITE=1 renews it, see CONTRIBUTING.md");
    }
}

fn read(name: &str) -> Option<String> {
    std::fs::read_to_string(directory().join(name)).ok()
}

fn directory() -> PathBuf {
    support::data("fidelity")
}
