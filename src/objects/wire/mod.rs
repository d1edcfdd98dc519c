//! Objects as the API server and kubectl write them: in JSON, YAML or protobuf.
//!
//! Each shape of the API stands here once (`shape.rs` declares them), cut down to the fields that are
//! read, with one conversion into the domain type and one back. A field that the program comes to
//! need is added to its shape (`pod.rs`, `replica_set.rs`, ...) and to the two conversions below it;
//! its number stands in the `generated.proto` of k8s.io/api. Start reading at `object.rs`.
//!
//! One malformed object is an error of its own, with its kind and name and the field that is
//! wrong. What is not kept (managedFields, environment, volumes) is skipped, so a large list costs
//! little more than scanning its bytes. Nothing that is not named in a shape can be written.
//!
//! May use the domain types of [`objects`](super), nothing else.

mod context;
mod deployment;
mod event;
mod head;
mod json_list;
mod list;
mod map;
mod meta;
mod object;
mod pod;
mod protobuf_list;
mod replica_set;
mod scalar;
mod selector;
mod shape;

pub(crate) mod brackets;
pub(crate) mod envelope;
pub(crate) mod error;

#[cfg(test)]
mod tests;

pub(crate) use error::{Error, Invalid};
pub(crate) use head::{Head, identify};
pub use list::ListDecoder;
pub(crate) use object::{Read, from_slice, from_value, read_as};
pub use object::{from_str, write};
pub(crate) use scalar::Str;
