//! One report value, and its renderings.

pub mod build;
pub mod columns;
#[cfg(test)]
mod fixtures;
pub mod fleet;
pub(crate) mod format;
pub mod jsonpath;
pub mod ledger;
pub mod picture;
pub mod sanitize;
pub(crate) mod sentences;
pub mod style;
pub mod table;
pub mod text;
pub mod timeline;
mod value;

pub use value::*;
