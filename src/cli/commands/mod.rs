//! One file a command. Each takes its arguments as plain settings, asks the engine and prints.

pub(crate) mod auth;
pub(crate) mod codes;
pub(crate) mod demo;
mod pictures;
pub(crate) mod question;
pub mod record;
pub(crate) mod schema;
pub(crate) mod timeline;
pub(crate) mod version;
