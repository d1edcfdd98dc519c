//! Random states in front of the real controller, as its API has them: what the program says of each ReplicaSet is
//! compared with the first sync that it gets.
//!
//! A short run has a fixed seed. `RSEXP_STATES=N` plays N states, from the seed in `RSEXP_SEED` on.

mod judge;
mod round;
mod rows;
mod state;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::Value;

use crate::api::Api;
use crate::plane::Plane;
use judge::{Real, Said};
use round::{Round, by_name};
use rows::{Outcome, Results};
use state::State;

/// How many states are played at once.
const ROUND: u64 = 100;

/// Plays the states of some seeds, and gives what came out and what is wrong.
fn play(plane: &Plane, first: u64, count: u64) -> (Results, Vec<String>) {
    let api = Api::connect(Path::new(plane.get("KUBECONFIG")));
    let mut results = Results::of(format!("{first} to {}", first + count - 1));
    let mut wrong = Vec::new();
    let seeds: Vec<u64> = (first..first + count).collect();
    for (index, seeds) in seeds.chunks(ROUND as usize).enumerate() {
        let now = Timestamp::now().round(jiff::Unit::Second).unwrap();
        let states = seeds.iter().map(|seed| State::of(*seed, now)).collect();
        let round = Round::play(plane, &api, index + 1, states);
        for state in &round.states {
            wrong.extend(compare(plane, &round, state, &mut results));
        }
    }
    println!("{}", results.table(&plane.version()));
    (results, wrong)
}

/// Compares the answers about a state, and keeps it if one is wrong.
fn compare(plane: &Plane, round: &Round, state: &State, results: &mut Results) -> Option<String> {
    let file = Round::directory(plane).join(format!("{}.json", state.name));
    std::fs::write(&file, serde_json::to_vec_pretty(&round.file(state)).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for name in state.names() {
        let real = Real::of(round, name);
        if real.is_disturbed(round, state) {
            results.disturbed += 1;
            continue;
        }
        let at = |now: Timestamp| ask(plane, round, &file, name, now);
        let (before, after) = (at(real.sync.from), at(real.sync.to));
        let is_moving = in_time(&before) != in_time(&after);
        results.moved += usize::from(is_moving);
        let mut outcomes: BTreeMap<String, Outcome> = BTreeMap::new();
        let mut take = |source: &str, report: &Value, moves: bool| {
            for Said { mechanism, outcome, what } in real.judge(report) {
                if moves && (mechanism.starts_with("victims") || mechanism == "status") {
                    continue;
                }
                if outcome == Outcome::Wrong {
                    wrong.push(format!("{name} {mechanism} from {source}: {what}"));
                }
                // A file alone shows no leader, so less can be decided from it.
                if source != "file" || outcome == Outcome::Wrong {
                    let worst = outcomes.entry(mechanism).or_insert(outcome);
                    *worst = outcome.max(*worst);
                }
            }
        };
        take("file", &before, is_moving);
        for (source, answers) in &round.answers {
            let report = &answers[name];
            let moves = is_moving || in_time(report) != in_time(&before);
            take(source, report, moves);
        }
        let then = at(round.asked);
        for (source, answers) in &round.answers {
            if in_time(&answers[name]) != in_time(&then) {
                wrong.push(format!("{name} from {source}: not the same plan as from the file"));
            }
        }
        results.count(outcomes);
    }
    (!wrong.is_empty()).then(|| keep(round, state, &file, &wrong))
}

/// The parts of an answer that change with time alone.
fn in_time(report: &Value) -> [Vec<(String, String)>; 3] {
    let pods = |fate: &str| -> Vec<(String, String)> {
        let pods = report["plan"]["delete"][fate].as_array().into_iter().flatten();
        pods.map(|pod| (pod["pod"].to_string(), pod["rule"].to_string())).collect()
    };
    let status = &report["plan"]["status"];
    let mut certain = pods("certain");
    certain.push((status["availableReplicas"].to_string(), status["write"].to_string()));
    [certain, pods("possible"), pods("safe")]
}

fn ask(plane: &Plane, round: &Round, file: &Path, name: &str, now: Timestamp) -> Value {
    let words = words(round, file, name, now);
    let ran = plane.rsexp(&words);
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.err);
    by_name(&serde_json::from_str(&ran.out).unwrap()).remove(name).unwrap()
}

fn words(round: &Round, file: &Path, name: &str, now: Timestamp) -> Vec<String> {
    let (file, now, target) = (file.to_str().unwrap(), now.to_string(), format!("rs/{name}"));
    [
        "dry-run",
        &target,
        "-n",
        &round.namespace,
        "-f",
        file,
        "-o",
        "json",
        "--now",
        &now,
        "--server-version",
        &round.version,
    ]
    .map(str::to_owned)
    .into()
}

/// Keeps the objects of a state beside what is wrong, what the controller did, and how to ask again.
fn keep(round: &Round, state: &State, file: &Path, wrong: &[String]) -> String {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("proof");
    std::fs::create_dir_all(&directory).unwrap();
    let kept = directory.join(format!("{}-seed-{}.json", round.version, state.seed));
    std::fs::copy(file, &kept).unwrap();
    let mut text = format!("seed {} on {}\n\n", state.seed, round.version);
    wrong.iter().for_each(|line| text += &format!("{line}\n"));
    for name in state.names() {
        let sync = &round.truth.of[&format!("{}/{name}", round.namespace)].syncs[0];
        let command = words(round, &kept, name, sync.from).join(" ");
        text += &format!("\n{name}: {sync:#?}\n\nkubectl rsexp {command}\n");
    }
    std::fs::write(kept.with_extension("txt"), &text).unwrap();
    format!("{}: {}", kept.display(), wrong.join("\n    "))
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}: a number")))
}

fn check(first: u64, count: u64) {
    let Some(plane) = Plane::start_with(&["--no-controller-manager"]) else { return };
    println!("{count} states from seed {first} on");
    let (results, wrong) = play(&plane, first, count);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(results.compared * 2 > count as usize, "too few could be compared");
}

#[test]
fn a_few_random_states_are_synced_as_was_said() {
    check(1, 40);
}

#[test]
fn many_random_states_are_synced_as_was_said() {
    if let Some(count) = number("RSEXP_STATES") {
        check(number("RSEXP_SEED").unwrap_or(1000), count);
    }
}
