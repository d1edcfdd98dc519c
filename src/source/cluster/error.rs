//! What can go wrong between the program and the API server. Each folder has its own errors; here they
//! become one, and the line that kubectl would print.

use std::io;
use std::time::Duration;

use crate::source::cluster::auth::error::{PluginError, UserError};
use crate::source::cluster::connect::error::ConfigError;
use crate::source::cluster::read::list::ReadError;
use crate::source::cluster::request::status::NotKubernetes;
use crate::source::cluster::request::transport::TransportError;

/// Why a cluster could not be asked, or what it refused. It prints as one whole line, in kubectl's words
/// where kubectl has words, and holds no secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// The kubeconfig, a flag or the environment is at fault: nothing was asked.
    #[error("error: {0}")]
    Config(#[from] ConfigError),
    /// What the kubeconfig or the flags say of the user cannot be used.
    #[error("error: {0}")]
    User(#[from] UserError),
    /// The credential plugin gave no credentials.
    #[error("Unable to connect to the server: getting credentials: {0}")]
    Plugin(#[from] PluginError),
    /// No connection, or it broke.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The server answered with an error.
    #[error("{}", status_line(.reason.as_deref(), .message))]
    Status {
        /// What to do about it.
        kind: ErrorKind,
        /// The reason that the server gives, escaped.
        reason: Option<String>,
        /// The message that the server gives, escaped.
        message: String,
    },
    /// Something answered that is not an API server.
    #[error("error: {0}")]
    NotKubernetes(#[from] NotKubernetes),
    /// The answer cannot be read.
    #[error("error: {0}")]
    Read(#[from] ReadError),
    /// No path of an API, escaped.
    #[error("error: not a path of an API: {0}")]
    Path(String),
    /// The program cannot use the network at all.
    #[error("error: the program cannot talk to the network: {0}")]
    Runtime(#[source] io::Error),
}

/// Why a request failed, as far as the program goes on differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// 401: the credentials are refused.
    Unauthorized,
    /// 403: this user may not do it.
    Forbidden,
    /// 404.
    NotFound,
    /// 410, or a watch ERROR of that kind: the version asked for is gone.
    Expired,
    /// 429, and after how long to try again.
    TooManyRequests(Option<Duration>),
    /// `--request-timeout` ran out, or a timeout on the way.
    Timeout,
    /// No connection, or it broke: refused, DNS, TLS.
    Connection,
    /// The answer is not Kubernetes: HTML of a proxy, a login page.
    NotKubernetes,
    /// The kubeconfig, a flag or a plugin is at fault: nothing was asked.
    Config,
    /// Anything else: 5xx and so on.
    Other,
}

impl ClusterError {
    /// What to do about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            ClusterError::Config(_)
            | ClusterError::User(_)
            | ClusterError::Plugin(_)
            | ClusterError::Path(_) => ErrorKind::Config,
            ClusterError::Transport(error) => error.kind(),
            ClusterError::Status { kind, .. } => *kind,
            ClusterError::NotKubernetes(_) => ErrorKind::NotKubernetes,
            ClusterError::Read(error) => error.kind(),
            ClusterError::Runtime(_) => ErrorKind::Other,
        }
    }
}

fn status_line(reason: Option<&str>, message: &str) -> String {
    match reason {
        Some("Unauthorized") => format!("error: You must be logged in to the server ({message})"),
        Some(reason) => format!("Error from server ({reason}): {message}"),
        None => format!("Error from server: {message}"),
    }
}
