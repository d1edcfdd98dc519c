//! What the tests share: running the binary, servers for it to ask, and where the data is.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking too")]

mod list_kind;
pub mod plane;
mod runner;
pub mod server;

use std::path::{Path, PathBuf};

pub use list_kind::list_kind;
pub use runner::{Ran, binary, command, rsexp};

/// The repository.
pub fn root() -> &'static Path {
    // This crate is two folders below it.
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// A file or folder of `tests/data`.
pub fn data(path: impl AsRef<Path>) -> PathBuf {
    root().join("tests/data").join(path)
}
