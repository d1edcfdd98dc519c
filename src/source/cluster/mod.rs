//! The live cluster, the only asynchronous part of the program: connects as kubectl does and hands on
//! what it lists and watches as observations.
//!
//! `read` decides what to ask and makes observations of the answers; `request` makes one GET and
//! words its errors; `auth` logs in; `connect` finds the cluster. Each may use those after it, and all of
//! `objects`. [`Live`] is the way in for code that is not asynchronous: start there.

mod auth;
mod connect;
mod error;
mod flags;
mod live;
mod read;
mod request;
mod secret;
mod text;

pub use connect::environment;
pub use connect::kubeconfig::{Names, names};
pub use error::{ClusterError, ErrorKind};
pub use flags::Flags;
pub use live::Live;
pub use read::window::{Closed, LiveNotes};
pub use read::{access, clock, scope, window};
pub use request::client;
pub use scope::Scope;
pub use secret::Secret;
pub use text::os_error;
