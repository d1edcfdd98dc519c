//! What a request names: parsed ([`target`], [`selector`], [`fields`]), resolved against what was seen
//! ([`resolve`]); [`lineage`] shows how a Deployment or a pod led to its ReplicaSets.

pub(crate) mod fields;
pub(crate) mod lineage;
pub(crate) mod resolve;
pub(crate) mod selector;
pub mod target;
