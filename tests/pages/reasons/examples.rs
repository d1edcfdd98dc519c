//! Where each code comes up in the recorded runs and cases, and the best place to show it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use super::{name, root};

/// What was found.
pub struct Found {
    /// The best example of each code that comes up.
    pub examples: BTreeMap<String, Example>,
    /// With which tiers each code was given.
    pub tiers: BTreeMap<String, BTreeSet<String>>,
}

/// A command and what it prints.
pub struct Example {
    /// What it is run on, in words.
    pub about: String,
    /// The command line after `kubectl rsexp`.
    pub command: String,
    pub output: String,
}

/// A question that gives one report or several.
struct Question {
    about: String,
    /// Without the object and the instant.
    words: Vec<String>,
    /// The instants; none for a case.
    at: Vec<String>,
    /// How far it is from the plainest: the recording alone.
    oddness: usize,
}

/// A place where a code comes up: the smaller, the better to show.
type Place = (usize, usize, usize, String);

/// The best place of each code, and the tiers that it was given with.
type Places = (BTreeMap<String, Place>, BTreeMap<String, BTreeSet<String>>);

pub fn search() -> Found {
    let questions: Vec<Question> = demonstrations().into_iter().chain(recorded()).chain(cases()).collect();
    let places: Mutex<Places> = Mutex::default();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(question) = questions.get(next.fetch_add(1, Ordering::Relaxed)) {
            for report in question.reports() {
                question.places(&report, &mut places.lock().unwrap());
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let (best, tiers) = places.into_inner().unwrap();
    let shown = |(code, (.., command)): (String, Place)| {
        let about = questions.iter().find(|question| command.contains(&question.source())).unwrap();
        let example = show(&about.about, command, &code);
        (code, example)
    };
    Found { examples: best.into_iter().map(shown).collect(), tiers }
}

impl Question {
    fn source(&self) -> String {
        self.words.join(" ")
    }

    fn reports(&self) -> Vec<Value> {
        let at = self.at.iter().flat_map(|at| ["--at", at.as_str()]);
        let words = self.words.iter().map(String::as_str);
        let ran = run(["explain"].into_iter().chain(words).chain(["-o", "json"]).chain(at));
        let document: Value = serde_json::from_str(&ran.out).unwrap();
        match document["items"].as_array() {
            Some(items) => items.clone(),
            None => vec![document],
        }
    }

    /// Takes note of the codes of a report.
    fn places(&self, report: &Value, (best, tiers): &mut Places) {
        let reasons = report["reasons"].as_array().unwrap();
        for (position, reason) in reasons.iter().enumerate() {
            let code = reason["code"].as_str().unwrap();
            tiers.entry(code.to_owned()).or_default().insert(reason["tier"].as_str().unwrap().to_owned());
            let place = (position, self.oddness, reasons.len(), self.command(report));
            let known = best.entry(code.to_owned()).or_insert_with(|| place.clone());
            *known = place.min(known.clone());
        }
    }

    /// The command that asks about this object at this instant.
    fn command(&self, report: &Value) -> String {
        let object = &report["object"];
        let part = |field: &str| object[field].as_str().unwrap();
        let kind = if part("kind") == "ReplicaSet" { "rs" } else { "rc" };
        let at = match self.at.is_empty() {
            true => String::new(),
            false => format!(" --at {}", report["asOf"].as_str().unwrap()),
        };
        format!("explain {kind}/{} -n {} {}{at}", part("name"), part("namespace"), self.source())
    }
}

fn show(about: &str, command: String, code: &str) -> Example {
    let plain = run(command.split(' '));
    if plain.out.contains(code) {
        return Example { about: about.to_owned(), output: plain.out, command };
    }
    let wide = command + " -o wide";
    let ran = run(wide.split(' '));
    assert!(ran.out.contains(code), "{code}: {wide}: {}", ran.out);
    Example { about: about.to_owned(), output: ran.out, command: wide }
}

fn run<'a>(args: impl IntoIterator<Item = &'a str>) -> support::Ran {
    let args: Vec<&str> = args.into_iter().collect();
    let ran = support::shown(&args);
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
    ran
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The recordings of the demonstrations, at the instants of their stories.
fn demonstrations() -> Vec<Question> {
    let demo = |path: std::path::PathBuf| {
        let demo = name(&path).strip_suffix(".rsexp.jsonl.gz")?.to_owned();
        let ran = run(["demo", demo.as_str(), "-o", "json"]);
        let document: Value = serde_json::from_str(&ran.out).unwrap();
        let reports = document["items"].as_array().cloned().unwrap_or_else(|| vec![document]);
        let at: BTreeSet<String> = reports.iter().map(|r| r["asOf"].as_str().unwrap().to_owned()).collect();
        Some(Question {
            about: format!("A recorded run of a real control plane, that of `kubectl rsexp demo {demo}`"),
            words: words(&["-f", &format!("examples/{demo}.rsexp.jsonl.gz")]),
            at: at.into_iter().collect(),
            oddness: 0,
        })
    };
    entries("examples").into_iter().filter_map(demo).collect()
}

/// Recorded runs at their checkpoints: by the recording, and with the controller's log.
fn recorded() -> Vec<Question> {
    let mut questions = Vec::new();
    for path in entries("tests/data/traces") {
        let run = name(&path);
        if !path.is_dir() {
            continue;
        }
        let file = |file: &str| format!("tests/data/traces/{run}/{file}");
        let (recording, log) = (file("recording.jsonl.gz"), file("kcm.log.gz"));
        // A run that was made for one thing shows it better than one of random acts.
        let random = if run.starts_with("random") { 1 } else { 0 };
        let (at, about) =
            (support::instants(&run), format!("A recorded run of a real control plane, `{run}`"));
        let question = |about: String, words, at, oddness| Question { about, words, at, oddness };
        questions.push(question(about.clone(), words(&["-f", &recording]), at.clone(), random + 1));
        let both = words(&["-f", &recording, "--controller-log", &log]);
        questions.push(question(format!("{about}, with the controller's log"), both, at.clone(), random + 4));
        // The log alone does not always tell the kind, and then rc/NAME is not found; and it tells no year.
        let Some(last) = at.last().filter(|_| !run.starts_with("replication-controller")) else { continue };
        questions.push(question(
            format!("{about}, of which only the controller's log is read"),
            words(&["--controller-log", &log, "--now", last]),
            Vec::new(),
            random + 6,
        ));
    }
    questions
}

/// States behind public reports.
fn cases() -> Vec<Question> {
    let mut questions = Vec::new();
    for path in entries("tests/data/cases") {
        let Some(case) = name(&path).strip_suffix(".expect.md").map(str::to_owned) else { continue };
        let text = std::fs::read_to_string(&path).unwrap();
        let block = text.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
        let case_of: Value = serde_yaml::from_str(block).unwrap();
        let of = |field: &str| case_of[field].as_str().unwrap().to_owned();
        let mut words = Vec::new();
        for input in case_of["inputs"].as_array().unwrap() {
            let input = input.as_str().unwrap();
            words.push(if input.ends_with(".log") { "--controller-log" } else { "-f" }.to_owned());
            words.push(format!("tests/data/cases/{input}"));
        }
        words.extend(["--now".into(), of("asOf"), "--server-version".into(), of("serverVersion")]);
        let about = format!("A state rebuilt after a public report, case {case}");
        questions.push(Question { about, words, at: Vec::new(), oddness: 3 });
    }
    questions
}

fn entries(directory: &str) -> Vec<std::path::PathBuf> {
    let mut paths: Vec<_> =
        std::fs::read_dir(root().join(directory)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
