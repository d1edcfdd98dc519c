//! What the tests share: running the binary, servers for it to ask, and where the data is.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking too")]

mod data;
mod list_kind;
pub mod plane;
mod runner;
pub mod server;

use std::io::Write;

pub use data::{checkpoints, data, entries, instants, root, trace_file, traces, unzipped};
pub use list_kind::list_kind;
pub use runner::{Ran, binary, command, rsexp, run, shown};

/// Says that a test could not do its work here, and why; `.ci/run` lists what was skipped.
pub fn skipped(why: &str) {
    // Past the test harness, which keeps what passing tests print.
    std::io::stderr().write_all(format!("skipped: {why}\n").as_bytes()).unwrap();
}
