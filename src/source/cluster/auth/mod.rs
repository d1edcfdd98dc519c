//! Who asks: tokens, certificates and credential plugins of the selected user. May use `connect`.
//!
//! `login` keeps a connection logged in: start there.

pub mod error;
pub mod login;

mod exec;
mod user;
