//! That the answers are right: against recorded answers of the real controller (vectors, traces, cases, pictures), against what
//! is true in a simulated world, against rules that hold for any input, and against the real controller itself
//! (`tests/control-plane`), without which that part is skipped.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking too")]

mod cases;
mod control_plane;
mod deployment_vectors;
mod fidelity;
mod pictures;
mod properties;
mod simulation;
mod traces;
mod vectors;
