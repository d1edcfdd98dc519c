//! Recordings that the program writes: that nothing is lost of what it reads, that nobody is named in a
//! redacted one, and how the command behaves.
#![allow(clippy::unwrap_used, reason = "this is a test")]

#[path = "../common/mod.rs"]
mod common;

#[cfg(unix)]
mod command;
#[cfg(unix)]
#[path = "../common/list_kind.rs"]
mod list_kind;
mod names;
mod objects;
#[cfg(unix)]
mod server;
mod traces;
