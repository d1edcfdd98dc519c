//! What a request names: parsed ([`target`], [`selector`], [`fields`]), chosen among what was seen
//! ([`choose`]), and followed from a Deployment or a pod to its ReplicaSets ([`via`]).

pub mod choose;
pub mod fields;
pub mod selector;
pub mod target;
pub mod via;
