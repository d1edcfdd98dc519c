//! Recordings that the program writes: that nothing is lost of what it reads.
#![allow(clippy::unwrap_used, reason = "this is a test")]

mod objects;
