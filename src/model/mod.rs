//! The pure model of the ReplicaSet controller: no I/O, no clock, no async.
//!
//! May use `objects` only. One file or folder a mechanism, named by the controller's own word; start reading at [`sync`],
//! then [`handlers`] and [`expectations`]. What the controller does is described in docs/semantics.md, which each file cites.
//!
//! Handlers and syncs return [effects](effect::Effect) and change nothing themselves, so that the exact store in
//! [`expectations`] and the ranges of `reconstruct` apply the same rules. A [`sync::Sync`] is stepped: it yields calls and
//! takes their responses. Time and version are passed in.

pub mod cache;
pub mod claim;
pub mod deployment;
pub mod dry_run;
pub mod effect;
pub mod expectations;
pub mod handlers;
pub mod plan;
pub mod profile;
pub mod queue;
pub mod scale_down;
pub mod slow_start;
pub mod stale_guard;
pub(crate) mod status;
pub mod sync;

/// The most pods that one sync creates or deletes, in all versions. The rest waits for the next sync with an open gate.
pub(crate) const BURST: usize = 500;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
