//! Reconstructs what the Kubernetes ReplicaSet controller waits for, and simulates its next syncs.
//!
//! Data flows one way: [`source`] produces observations, [`objects`] are the slim domain types,
//! [`reconstruct`] keeps what is known of the controller's memory, [`report`] says it. Beside
//! them stand [`model`], the pure model of the real controller, and [`record`], which writes
//! observations as a recording. [`cli`] is the command line.

pub mod cli;
pub mod engine;
pub mod model;
pub mod objects;
pub mod reasons;
pub mod reconstruct;
pub mod record;
pub mod report;
pub mod source;

mod suggest;
