//! What ends a command early. A failure knows what it says and where it comes from; `cli` gives it an exit
//! code and prints it.

use std::io;

use jiff::Timestamp;

use crate::engine::settings::SettingsError;
use crate::report::template::jsonpath::TemplateError;
use crate::source::cluster::ClusterError;

/// Why there is no answer. Each reads after "error: ", but for those of a cluster, which are whole lines.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The arguments are wrong.
    #[error("{0}")]
    Usage(String),
    /// The arguments do not go together.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// What a recording shows after `--now` would be reported as if it had been so by then.
    #[error("--now {now} is before the end of the recording ({end}): ask about an earlier instant with --at")]
    BeforeTheEnd {
        /// The present that was given.
        now: Timestamp,
        /// When the recording ends.
        end: Timestamp,
    },
    /// No target exists: one line for each.
    #[error("{}", .0.join("\n"))]
    Missing(Vec<String>),
    /// A word that is to be explained is not a code.
    #[error("\"{word}\" is not a reason code{hint} (kubectl rsexp explain --list-codes shows all)")]
    UnknownCode {
        /// The word.
        word: String,
        /// `; did you mean ...`, or nothing.
        hint: String,
    },
    /// The cluster could not be asked, or refused.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// A template does not fit the answer.
    #[error("error executing jsonpath: {0}")]
    Template(#[from] TemplateError),
    /// `--sort-by` names what has no order.
    #[error("--sort-by {path}: {source}; fields are those of -o json, such as .object.name")]
    SortBy {
        /// The path as it was given.
        path: String,
        /// Why it has none.
        source: TemplateError,
    },
    /// The answer is no JSON.
    #[error("writing JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The answer is no YAML.
    #[error("writing YAML: {0}")]
    Yaml(#[from] serde_yaml::Error),
    /// Standard output takes no more.
    #[error("writing to standard output: {0}")]
    Output(#[source] io::Error),
    /// A recording cannot be written.
    #[error("writing to {place}: {why}{left}")]
    Recording {
        /// Where it was to be written.
        place: String,
        /// Why it was not, in short.
        why: String,
        /// Where its beginning is, if it was begun.
        left: String,
        /// What the system says.
        source: io::Error,
    },
    /// A demonstration of the program is broken.
    #[error("demonstration {name}: {problem}")]
    Demonstration {
        /// Its name.
        name: &'static str,
        /// What it should not have said.
        problem: String,
    },
    /// Nobody reads standard output any more: the end, but no error.
    #[error("standard output is closed")]
    Closed,
}
