//! Makes a failing scenario smaller: fewer steps, the same kind of fault.

use crate::simulation::driver::{Scenario, Step};
use crate::simulation::judge::Tally;
use crate::simulation::run::{Failure, Given, run, seconds};

/// Other delays are tried too: without a step the same numbers fall elsewhere.
const NOISES: u64 = 6;
/// Scenarios that are tried at most.
const TRIES: usize = 1500;

/// The smallest scenario found with the same kind of fault.
pub fn shrink(scenario: Scenario, failure: Failure) -> (Scenario, Failure) {
    let mut best = (scenario, failure);
    let mut tries = TRIES;
    let mut progress = true;
    while progress && tries > 0 {
        progress = false;
        let mut index = best.0.steps.len();
        while index > 0 && tries > 0 {
            index -= 1;
            if best.0.steps.get(index).is_none_or(|(_, step)| *step == Step::Open) {
                continue;
            }
            let mut smaller = best.0.clone();
            smaller.steps.remove(index);
            if let Some(found) = fails(&smaller, &best.1, &mut tries) {
                best = found;
                progress = true;
                continue;
            }
            for gentler in gentler(&best.0.steps[index].1) {
                let mut smaller = best.0.clone();
                smaller.steps[index].1 = gentler;
                if let Some(found) = fails(&smaller, &best.1, &mut tries) {
                    best = found;
                    progress = true;
                    break;
                }
            }
        }
    }
    best
}

/// The same step with smaller figures.
fn gentler(step: &Step) -> Vec<Step> {
    let smaller = |n: i32| [n / 2, n - 1].into_iter().filter(move |m| *m >= 0 && *m < n);
    match *step {
        Step::Create(set, n) => smaller(n).map(|n| Step::Create(set, n)).collect(),
        Step::Scale(set, n) => smaller(n).map(|n| Step::Scale(set, n)).collect(),
        Step::Recreate(set, n) => smaller(n).map(|n| Step::Recreate(set, n)).collect(),
        Step::DeletePods(set, n) if n > 1 => vec![Step::DeletePods(set, 1)],
        Step::Relabel(set, n) if n > 1 => vec![Step::Relabel(set, 1)],
        Step::Orphans(set, n) if n > 1 => vec![Step::Orphans(set, 1)],
        Step::Foreign(set, n) if n > 1 => vec![Step::Foreign(set, 1)],
        _ => Vec::new(),
    }
}

fn fails(scenario: &Scenario, like: &Failure, tries: &mut usize) -> Option<(Scenario, Failure)> {
    for noise in 0..NOISES {
        *tries = tries.saturating_sub(1);
        let mut tried = scenario.clone();
        tried.noise = if noise == 0 { scenario.noise } else { noise };
        let found = run(&tried, &[like.given], &mut [Tally::default(), Tally::default(), Tally::default()]);
        if let Some(failure) = found.into_iter().find(|found| found.fault.kind == like.fault.kind) {
            return Some((tried, failure));
        }
    }
    None
}

/// Prints a failure so that it can be understood and run again.
pub fn tell(seed: u64, scenario: &Scenario, failure: &Failure) -> String {
    let given = failure.given;
    let mut text = format!(
        "seed {seed}, given {given:?}: {} of {} at {}: {}\n  noise {} {:?}\n",
        failure.fault.kind,
        failure.name,
        seconds(failure.at).trim(),
        failure.fault.text,
        scenario.noise,
        scenario.config
    );
    for (at, step) in &scenario.steps {
        text += &format!("  step {} {step:?}\n", seconds(*at));
    }
    let quiet = |line: &&String| given == Given::Detailed || !line.contains("    log ");
    let lines: Vec<&String> = failure.story.iter().filter(quiet).filter(|l| !l.contains("leases")).collect();
    for line in &lines[lines.len().saturating_sub(60)..] {
        text += &format!("  {line}\n");
    }
    text + &format!("  answer: {}\n", failure.answer)
}
