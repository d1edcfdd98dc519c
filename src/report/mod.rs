//! The answer as a typed value, and its renderings. No rendering decides anything: what is known stands in
//! the value, and a `&str` is made here at the earliest.
//!
//! Start at [`Report`] in `value/`; `build` and `ledger` make it from what the reconstruction answers, with the
//! words of `sentences/`. Each rendering is a room of its own: `text/` for one object, `table/` and `fleet` for
//! many, `timeline` and `picture/` for what happened, `template/` for scripts. They share `format/` (how a
//! number, a duration or a list is written), `style` (colour and width) and `sanitize`, which escapes what came
//! from a cluster.
//!
//! May use `reconstruct`, `model`, `reasons` and `objects`.

pub(crate) mod build;
#[cfg(test)]
mod fixtures;
pub(crate) mod fleet;
pub(crate) mod format;
pub(crate) mod ledger;
pub(crate) mod picture;
pub(crate) mod sanitize;
pub(crate) mod sentences;
pub mod style;
pub(crate) mod table;
pub(crate) mod template;
pub mod text;
pub(crate) mod timeline;
mod value;

pub use value::*;
