//! The built binary, seen from outside.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic too")]

mod program;
#[path = "../common/server.rs"]
mod server;
mod transcripts;
