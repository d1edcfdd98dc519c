//! One scenario a mechanism or trap of the controller, each in its own namespace.

mod plain;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::freezer::Freezer;
use crate::outcome::Outcome;
use crate::plane::Plane;
use crate::stage::Stage;

/// One run in its own namespace.
pub struct Scenario {
    /// Also the namespace.
    pub name: &'static str,
    /// The row of docs/fidelity.md.
    pub mechanism: &'static str,
    pub play: fn(&Stage),
}

/// Those that ask while the controller is frozen.
const FREEZING: &[&[Scenario]] = &[plain::FREEZING];

/// Those that must not be disturbed by a freeze.
const FLOWING: &[&[Scenario]] = &[plain::FLOWING];

/// Plays all of a group side by side, and gives what is wrong.
fn play(plane: &Plane, group: &[&[Scenario]], freezes: bool) {
    let only = std::env::var("RSEXP_ONLY").ok();
    let chosen = |scenario: &&Scenario| only.as_ref().is_none_or(|name| scenario.name == name);
    let scenarios: Vec<&Scenario> = group.iter().copied().flatten().filter(chosen).collect();
    let freezer = freezes.then(|| Freezer::of(plane, scenarios.len()));
    let outcomes: Vec<(&Scenario, std::thread::Result<Outcome>)> = std::thread::scope(|scope| {
        let freezer = freezer.as_ref();
        let threads: Vec<_> = scenarios
            .iter()
            .map(|scenario| {
                scope.spawn(move || catch_unwind(AssertUnwindSafe(|| one(plane, freezer, scenario))))
            })
            .collect();
        scenarios.iter().copied().zip(threads.into_iter().map(|thread| thread.join().unwrap())).collect()
    });
    let mut wrong = Vec::new();
    for (scenario, outcome) in outcomes {
        match outcome {
            Ok(outcome) => {
                let judged: usize = outcome.rows.iter().map(|row| row.tally.judged).sum();
                println!("{}: {} answers judged, {} wrong", scenario.name, judged, outcome.wrong().len());
                wrong.extend(outcome.wrong());
            }
            Err(_) => wrong.push(format!("{}: panicked, see above", scenario.name)),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Leaves the freezer however it ends.
struct Member<'a>(Option<&'a Freezer<'a>>);

impl Drop for Member<'_> {
    fn drop(&mut self) {
        if let Some(freezer) = self.0 {
            freezer.leave();
        }
    }
}

fn one<'a>(plane: &'a Plane, freezer: Option<&'a Freezer<'a>>, scenario: &Scenario) -> Outcome {
    let member = Member(freezer);
    let stage = Stage::open(plane, freezer, scenario.name);
    (scenario.play)(&stage);
    drop(member);
    Outcome::of(&stage)
}

#[test]
fn frozen_it_is_asked_and_then_does_what_was_said() {
    let Some(plane) = Plane::start() else { return };
    play(&plane, FREEZING, true);
}

#[test]
fn running_free_it_is_what_was_said() {
    let Some(plane) = Plane::start() else { return };
    play(&plane, FLOWING, false);
}
