//! What the repository shows and ships: pages and files made by the program are what it makes today, and a
//! release is complete. `RSEXP_WRITE=1` writes them anew.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking too")]

#[cfg(unix)]
mod archive;
mod man;
mod readme;
mod reasons;
mod schema;
