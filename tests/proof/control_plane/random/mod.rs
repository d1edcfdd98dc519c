//! Random workloads and faults over several ReplicaSets, each run from its seed.
//!
//!     RSEXP_CONTROL_PLANE=1.37.2 RSEXP_SEEDS=1..40 cargo test --release --test proof random:: -- --nocapture
//!
//! A seed gives the choices of the driver, not the names of the pods nor the times: what failed is kept as a
//! recording, cut down, under `target/proof`.

mod acts;

use crate::control_plane::freezer::Freezer;
use crate::control_plane::outcome::Outcome;
use crate::control_plane::results;
use crate::control_plane::runs::{self, Member};
use crate::control_plane::stage::Stage;
use crate::fidelity::figures::Source;
use crate::simulation::random::Random;
use support::plane::Plane;

/// How many runs share a freeze.
const SIDE_BY_SIDE: usize = 4;

/// How often each asks.
const ROUNDS: usize = 12;

/// The seeds of every CI run: some tens of checkpoints.
const FEW: std::ops::Range<u64> = 1..5;

#[test]
fn random_workloads_are_answered_rightly() {
    let Some(plane) = Plane::start() else { return };
    let seeds = seeds();
    let all: Vec<u64> = seeds.clone().collect();
    let mut outcomes = Vec::new();
    for batch in all.chunks(SIDE_BY_SIDE) {
        let freezer = Freezer::of(&plane, batch.len());
        outcomes.extend(runs::side_by_side(batch, |seed| run(&plane, &freezer, *seed)));
    }
    let wrong = runs::told(&plane, &outcomes);
    let rows = results::by_evidence(outcomes.iter().flatten(), Source::Random);
    results::keep(&plane, Some(&format!("{}..{}", seeds.start, seeds.end)), rows);
    assert!(wrong.is_empty(), "{wrong:#?}");
    let judged: usize = outcomes.iter().flatten().map(Outcome::checkpoints).sum();
    println!("{judged} checkpoints");
    assert!(judged > all.len() * ROUNDS, "{judged} checkpoints of {} runs", all.len());
}

fn seeds() -> std::ops::Range<u64> {
    let Ok(text) = std::env::var("RSEXP_SEEDS") else { return FEW };
    let (from, to) = text.split_once("..").expect("RSEXP_SEEDS is FROM..TO");
    from.parse().unwrap()..to.parse().unwrap()
}

fn run(plane: &Plane, freezer: &Freezer, seed: u64) -> Outcome {
    let member = Member::of(freezer);
    let stage = Stage::open(plane, Some(freezer), &format!("random-{seed}"), &[]);
    let mut driver = acts::Driver::new(&stage, Random::new(seed));
    for round in 0..ROUNDS {
        // Every run of a batch freezes in the same rounds.
        match round % 3 {
            0 => driver.free(round),
            _ => driver.frozen(round),
        }
    }
    driver.end();
    drop(member);
    Outcome::of(&stage)
}
