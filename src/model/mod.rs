//! The pure model of the ReplicaSet controller: no I/O, no clock, no async.
//!
//! Handlers and syncs return [effects](effect::Effect) and change nothing themselves, so that the exact store
//! in [`expectations`] and the ranges of `reconstruct` apply the same rules. A [`sync::Sync`] is
//! stepped: it yields calls and takes their outcomes. Time and version are passed in.

pub mod cache;
pub mod claim;
pub mod consistency;
pub mod dry_run;
pub mod effect;
pub mod expectations;
pub mod handlers;
pub mod plan;
pub mod profile;
pub mod queue;
pub mod scale_down;
pub mod slow_start;
pub mod status;
pub mod sync;

/// The most pods that one sync creates or deletes (semantics 5, all versions).
pub const BURST: usize = 500;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
