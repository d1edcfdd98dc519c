//! What ends a command early. A failure knows what it says; `cli` gives it an exit code.

use crate::source::cluster::trouble::Trouble;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The arguments are wrong.
    Usage(String),
    /// Something went wrong on the way.
    Runtime(String),
    /// No target exists: one line for each.
    Missing(Vec<String>),
    /// Not permitted to read what is asked for.
    Forbidden(String),
    /// The cluster could not be asked, or refused.
    Cluster(Trouble),
    /// Nobody reads standard output any more: the end, but no error.
    Closed,
}

impl Failure {
    /// What it says, one error a line.
    pub fn lines(&self) -> &[String] {
        match self {
            Failure::Usage(text) | Failure::Runtime(text) | Failure::Forbidden(text) => {
                std::slice::from_ref(text)
            }
            Failure::Missing(lines) => lines,
            Failure::Cluster(trouble) => std::slice::from_ref(&trouble.message),
            Failure::Closed => &[],
        }
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        Failure::Cluster(trouble)
    }
}
