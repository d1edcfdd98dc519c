//! One run: a checked request in, answers out.
//!
//! [`settings`] is the request, [`ask`] answers it from files, [`live`] from a cluster; both push
//! observations into one [`session`]. [`targets`] finds what the request names. May use everything
//! below it; knows neither clap nor standard output. Start reading at [`ask`].

pub mod ask;
pub(crate) mod expect;
pub(crate) mod failure;
pub(crate) mod live;
pub(crate) mod logs;
pub(crate) mod provenance;
pub(crate) mod session;
pub mod settings;
pub mod targets;
