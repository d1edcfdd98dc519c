//! The program against the real controller: what `explain` and `dry-run` say is compared with what the controller held
//! (its truth log) and with what it then did. Needs a control plane (`tests/control-plane`); without one it is skipped.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic too")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../plane/mod.rs"]
mod plane;

/// The judge of recorded runs judges these too.
#[allow(dead_code, reason = "the rest is of use to the recorded runs alone")]
#[path = "../traces"]
mod traces {
    #[path = "../fidelity/figures.rs"]
    pub mod figures;
    pub mod judge;
    pub mod tally;
    pub mod trace;
}

#[allow(dead_code, reason = "the simulation alone asks for times")]
#[path = "../simulation/random.rs"]
mod generator;

mod api;
mod checkpoint;
mod cut;
mod freezer;
mod managers;
mod outcome;
mod pods;
mod proxy;
mod random;
mod recorded;
mod results;
mod runs;
mod scenarios;
mod stage;
mod states;
mod truth;
mod webhook;
