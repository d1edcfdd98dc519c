//! What is asked of a cluster, and what comes of it: lists, then watches, as observations. May use
//! `request`.
//!
//! `scope` says what to read, `window` reads it: start there.

pub mod access;
pub mod clock;
pub(crate) mod interrupt;
pub mod list;
pub mod scope;
pub mod window;

mod countdown;
mod focus;
mod frames;
mod watch;
