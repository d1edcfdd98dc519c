//! What users and scripts see of the binary, without a cluster.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking too")]

mod answers;
#[cfg(unix)]
mod bad_input;
mod completion;
mod demo;
mod dry_run;
mod exit_codes;
mod fleet;
mod instants;
mod logs;
mod program;
mod readers;
mod targets;
mod timeline;
mod transcripts;
mod usage;
