//! A simulated control plane as a test of soundness: whatever the observer has seen, ranges hold
//! the truth, and gate and verdict are right or undetermined.
//!
//! Everything follows from a seed. `RSEXP_SEEDS=FROM..TO` runs other seeds than the usual ones, and
//! `RSEXP_TELL=N` tells the first N failures of each kind, made small.

mod acts;
mod chores;
mod client;
mod controller;
mod driver;
mod judge;
mod leader;
mod observer;
pub mod random;
mod run;
mod server;
mod shrink;
mod syncs;
mod world;

use std::collections::BTreeMap;

use driver::Scenario;
use judge::Tally;
use run::{GIVEN, run};

/// Seeds of the plain test run.
const USUAL: std::ops::Range<u64> = 0..60;

fn seeds() -> std::ops::Range<u64> {
    let Ok(text) = std::env::var("RSEXP_SEEDS") else { return USUAL };
    let (from, to) = text.split_once("..").expect("RSEXP_SEEDS=FROM..TO");
    from.parse().unwrap()..to.parse().unwrap()
}

#[test]
fn answers_hold_what_is_true_in_every_simulated_world() {
    let mut tallies = [Tally::default(), Tally::default(), Tally::default()];
    let mut found: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut told = Vec::new();
    let seeds = seeds();
    let most: usize = std::env::var("RSEXP_TELL").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for seed in seeds.clone() {
        let scenario = Scenario::of(seed);
        for failure in run(&scenario, &GIVEN, &mut tallies) {
            let seeds = found.entry(format!("{:?} {}", failure.given, failure.fault.kind)).or_default();
            seeds.push(seed);
            if seeds.len() <= most {
                let (scenario, failure) = shrink::shrink(scenario.clone(), failure);
                told.push(shrink::tell(seed, &scenario, &failure));
            }
        }
    }
    for (given, tally) in GIVEN.iter().zip(&tallies) {
        println!("{given:?}: {:?}", tally.0);
    }
    let count: usize = found.values().map(Vec::len).sum();
    println!("{} seeds, {count} faults", seeds.end - seeds.start);
    for (kind, seeds) in &found {
        println!("  {kind}: {} {:?}", seeds.len(), &seeds[..seeds.len().min(12)]);
    }
    assert!(found.is_empty(), "{}", told.join("\n"));
}
