//! What a request names: parsed ([`target`], [`selector`], [`fields`]), resolved against what was seen
//! ([`resolve`]); [`lineage`] shows how a Deployment or a pod led to its ReplicaSets.

pub mod fields;
pub mod lineage;
pub mod resolve;
pub mod selector;
pub mod target;
