//! One scenario a mechanism or trap of the controller, each in its own namespace.

mod claims;
mod crowded;
mod expiry;
mod faults;
mod lifecycle;
mod plain;
mod refusals;
mod replication_controller;
mod victims;
mod webhooks;

use std::collections::BTreeMap;

use crate::control_plane::freezer::Freezer;
use crate::control_plane::outcome::Outcome;
use crate::control_plane::results;
use crate::control_plane::runs::{self, Member};
use crate::control_plane::stage::Stage;
use crate::fidelity::figures::Source;
use crate::traces::tally::Tally;
use support::plane::Plane;

/// One run in its own namespace.
pub struct Scenario {
    /// Also the namespace.
    pub name: &'static str,
    /// The row of docs/fidelity.md.
    pub mechanism: &'static str,
    pub play: fn(&Stage),
}

/// Those that ask while the controller is frozen.
const FREEZING: &[&[Scenario]] = &[
    claims::FREEZING,
    lifecycle::FREEZING,
    plain::FREEZING,
    refusals::FREEZING,
    replication_controller::FREEZING,
    victims::FREEZING,
    webhooks::FREEZING,
];

/// Those that must not be disturbed by a freeze.
const FLOWING: &[&[Scenario]] = &[plain::FLOWING, refusals::FLOWING, webhooks::FLOWING, expiry::FLOWING];

/// Those that take all the requests that the controller may make, which others would have to wait for.
const CROWDED: &[&[Scenario]] = &[crowded::CROWDED];

/// The scenarios of a group, or those of them that RSEXP_ONLY names, with commas between.
fn chosen<'s>(group: &[&'s [Scenario]]) -> Vec<&'s Scenario> {
    let only = std::env::var("RSEXP_ONLY").ok();
    let is_chosen = |scenario: &&Scenario| {
        only.as_ref().is_none_or(|only| only.split(',').any(|name| scenario.name == name))
    };
    group.iter().copied().flatten().filter(is_chosen).collect()
}

/// Plays all of a group side by side.
fn play(plane: &Plane, group: &[&[Scenario]], freezes: bool) {
    let scenarios = chosen(group);
    let freezer = freezes.then(|| Freezer::of(plane, scenarios.len()));
    let outcomes = runs::side_by_side(&scenarios, |scenario| one(plane, freezer.as_ref(), scenario));
    conclude(plane, &scenarios, &outcomes);
}

/// Tells how a group came out; nothing may be wrong.
fn conclude(plane: &Plane, scenarios: &[&Scenario], outcomes: &[Option<Outcome>]) {
    let wrong = runs::told(plane, outcomes);
    let mut tallies: BTreeMap<&str, Vec<Tally>> = BTreeMap::new();
    for (scenario, outcome) in scenarios.iter().zip(outcomes) {
        let rows = outcome.iter().flat_map(|outcome| &outcome.rows);
        tallies.entry(scenario.mechanism).or_default().extend(rows.map(|row| row.tally));
    }
    let parts = tallies.into_iter().map(|(mechanism, tallies)| {
        results::part(Source::Scenarios, mechanism, tallies, |tally| tally.verdict == 1)
    });
    if std::env::var_os("RSEXP_ONLY").is_none() {
        results::keep(plane, None, parts.filter(|part| part.checkpoints > 0).collect());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn one<'a>(plane: &'a Plane, freezer: Option<&'a Freezer<'a>>, scenario: &Scenario) -> Outcome {
    let member = freezer.map(Member::of);
    let stage = Stage::open(plane, freezer, scenario.name, &[]);
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

#[test]
fn crowded_it_does_what_was_said() {
    let Some(plane) = Plane::start() else { return };
    play(&plane, CROWDED, true);
}
