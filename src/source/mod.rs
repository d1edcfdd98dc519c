//! Where observations come from.
//!
//! A source pushes [`Observation`]s into a [`Sink`] and returns [`Notes`]: what could not be
//! read, and what the input says of itself. Bad input is a note, never a panic, and never keeps
//! the rest of the input from being read.
//!
//! `files` reads what was kept, [`controller_log`] the controller-manager's log, [`cluster`] lists
//! and watches. They may use [`objects`](crate::objects). Start reading at [`Sink`].

pub mod cluster;
pub mod controller_log;

mod error;
mod files;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use jiff::Timestamp;

use crate::objects::{Observation, Resource};

pub use controller_log::read_log;
pub use error::Error;
pub use files::{VERSION as RECORDING_VERSION, read, read_bytes, read_with_logs};

/// Takes observations.
pub trait Sink {
    /// Told by a live source before its first observation, which comes next.
    fn opened(&mut self, _opening: &Opening<'_>) {}

    /// Takes one observation and says whether it wants more.
    fn observe(&mut self, observation: Observation) -> Flow;

    /// Asked by a live source once the opening lists are through, then after whatever arrives
    /// and every second while nothing does: whether more is wanted at this instant.
    fn idle(&mut self, _now: Timestamp) -> Flow {
        Flow::Continue
    }
}

impl Sink for Vec<Observation> {
    fn observe(&mut self, observation: Observation) -> Flow {
        self.push(observation);
        Flow::Continue
    }
}

/// Something that a source could not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// What, for instance `events`.
    pub what: String,
    /// Why, and what is lost by that.
    pub why: String,
    /// Whether the user may not read it.
    pub denied: bool,
}

/// What a live source is about to show.
#[derive(Debug, Clone, Copy)]
pub struct Opening<'a> {
    /// The namespace; None for all.
    pub namespace: Option<&'a str>,
    /// The resources that could be listed.
    pub resources: &'a [Resource],
    /// What could not be read, and what is lost by that.
    pub degraded: &'a [Unread],
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// More is wanted.
    Continue,
    /// Nothing more is wanted.
    Enough,
}

/// Something to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A file or a directory.
    Path(PathBuf),
    /// Standard input.
    Stdin,
}

impl From<PathBuf> for Input {
    /// `-` is standard input.
    fn from(path: PathBuf) -> Input {
        if path.as_os_str() == "-" { Input::Stdin } else { Input::Path(path) }
    }
}

impl fmt::Display for Input {
    /// As errors name it; a path that is not UTF-8 is shown with replacement characters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Path(path) => write!(f, "{}", path.display()),
            Input::Stdin => f.write_str("standard input"),
        }
    }
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub input: Input,
    /// Which of several documents, counted from 1; None where there is only one.
    pub document: Option<usize>,
    /// The line, counted from 1, where lines help to find the place.
    pub line: Option<usize>,
    /// Kind, namespace and name of the object, as far as known.
    pub object: Option<String>,
    /// What is wrong.
    pub error: Error,
}

impl Problem {
    /// A problem of an input as a whole.
    pub(crate) fn new(input: &Input, error: Error) -> Problem {
        Problem { input: input.clone(), document: None, line: None, object: None, error }
    }
}

impl fmt::Display for Problem {
    /// One line: what stands in a file name or an object is shown escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", one_line(&self.input.to_string()))?;
        if let Some(document) = self.document {
            write!(f, "document {document}: ")?;
        }
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(object) = &self.object {
            write!(f, "{}: ", one_line(object))?;
        }
        f.write_str(&one_line(&self.error.to_string()))
    }
}

/// Longer texts are cut: a malformed value may be the whole file.
const LONGEST: usize = 400;

fn one_line(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        if line.len() > LONGEST {
            line.push('…');
            break;
        }
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

/// What reading has shown beside the observations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Notes {
    /// What could not be read, in the order of the inputs.
    pub problems: Vec<Problem>,
    /// How many objects of other kinds were passed over, by kind.
    pub ignored: BTreeMap<String, usize>,
    /// How many objects were read.
    pub objects: usize,
    /// The API server's version, from a recording.
    pub server_version: Option<String>,
    /// When the first recording began.
    pub started_at: Option<Timestamp>,
    /// The namespace of the recording, empty for all.
    pub namespace: Option<String>,
    /// The resources that the recording says it holds.
    pub resources: Vec<String>,
    /// Whether any input is a recording.
    pub recording: bool,
    /// Whether a recording goes on after the last instant that was wanted of it.
    pub goes_on: bool,
    /// Why the evidence ends early: a recording without END, or one that is cut.
    pub incomplete: Option<String>,
    /// What was read of each log, in the order of the inputs.
    pub logs: Vec<controller_log::LogNotes>,
    /// Why the evidence may mislead, though it could be read.
    pub doubts: Vec<String>,
}
