//! Recordings that the program writes: that nothing is lost of what it reads, that nobody is named in a
//! redacted one.
#![allow(clippy::unwrap_used, reason = "this is a test")]

#[path = "../common/mod.rs"]
mod common;

mod names;
mod objects;
mod traces;
