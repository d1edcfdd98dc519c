//! What ends a command early. A failure knows its exit code and what it says.

use super::exit::Exit;
use super::output;
use crate::source::cluster::trouble::{Kind, Trouble};

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
    /// The exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Usage(_) => Exit::Usage,
            Failure::Runtime(_) => Exit::Error,
            Failure::Missing(_) => Exit::Missing,
            Failure::Forbidden(_) => Exit::Forbidden,
            Failure::Cluster(trouble) if trouble.kind == Kind::Forbidden => Exit::Forbidden,
            Failure::Cluster(_) => Exit::Error,
            Failure::Closed => Exit::Answered,
        }
    }

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

    /// Says it on standard error.
    pub fn tell(&self) {
        match self {
            // Whole already, in kubectl's words.
            Failure::Cluster(trouble) => output::aside(&format!("{trouble}\n")),
            _ => self.lines().iter().for_each(|line| output::error(line)),
        }
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        Failure::Cluster(trouble)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_output_says_nothing_and_ends_well() {
        assert_eq!(Failure::Closed.exit(), Exit::Answered);
        assert!(Failure::Closed.lines().is_empty());
    }

    #[test]
    fn each_missing_target_has_its_line() {
        let failure = Failure::Missing(vec!["a".into(), "b".into()]);
        assert_eq!(failure.exit(), Exit::Missing);
        assert_eq!(failure.lines().len(), 2);
    }
}
