//! One GET and its answer: time limit, retries, and errors in kubectl's words. May use `auth` and
//! `connect`.
//!
//! `client` is the connection: start there.

pub mod client;
pub mod status;
pub mod transport;

mod bare;
mod body;
mod retry;
