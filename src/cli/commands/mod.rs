//! One file a command. Each takes its arguments as plain settings, asks the engine and prints.

pub mod auth;
pub mod codes;
pub mod demo;
mod pictures;
pub mod question;
pub mod record;
pub mod schema;
pub mod timeline;
pub mod version;
