//! The client against servers that play a cluster, and the program against a real control plane
//! (`tests/control-plane`), without which that part is skipped.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking too")]

mod connect;
mod control_plane;
mod permissions;
mod record;
mod window;
