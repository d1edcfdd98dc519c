//! Which cluster, and the way there: kubeconfig, flags and environment become one connection.
//!
//! `config` puts it together: start there. Knows nothing of logins and requests.

pub mod config;
pub mod environment;
pub mod error;
pub mod http;
pub mod kubeconfig;
pub mod overrides;

mod no_proxy;
pub mod proxy;
