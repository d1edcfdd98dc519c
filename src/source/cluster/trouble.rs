//! What can go wrong between the program and the API server.

use std::time::Duration;

/// Why a request failed, as far as the program goes on differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
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

/// A failed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// What to do about it.
    pub kind: Kind,
    /// What the user reads, in kubectl's words where it has words: one line, whole (`error: ...`,
    /// `Error from server (Forbidden): ...`), no secret in it.
    pub message: String,
}

impl Trouble {
    /// A trouble with this message. What comes from elsewhere must be [`shown`] in it.
    pub fn new(kind: Kind, message: impl Into<String>) -> Trouble {
        Trouble { kind, message: message.into() }
    }

    /// A fault of the kubeconfig, of a flag or of a plugin.
    pub fn config(what: impl std::fmt::Display) -> Trouble {
        Trouble::new(Kind::Config, format!("error: {what}"))
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Trouble {}
