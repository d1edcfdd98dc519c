//! Why an input, or a part of it, could not be read.

use std::io::{self, ErrorKind};

use crate::objects::wire;

/// What is wrong with an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An object that cannot be used.
    #[error(transparent)]
    Object(#[from] wire::Error),

    // Files.
    /// There is no such file.
    #[error("does not exist")]
    NotFound,
    /// The user may not read it.
    #[error("cannot be read: permission denied")]
    Denied,
    /// Compressed data that ends too early.
    #[error("is cut off: the gzip data ends too early")]
    CutGzip,
    /// Data that begins like gzip and is damaged.
    #[error("is not valid gzip data: {0}")]
    BadGzip(String),
    /// Another failure of the system, in its words.
    #[error("cannot be read: {0}")]
    Io(String),
    /// A subdirectory that cannot be read.
    #[error("{path}: {source}")]
    Directory {
        /// Where.
        path: String,
        /// Why.
        source: Box<Error>,
    },
    /// A directory with nothing to read in it.
    #[error("is a directory without a file of these endings: {endings}{}",
        if *passed { "; subdirectories are read with -R" } else { "" })]
    NoFiles {
        /// The endings of the files that are read.
        endings: String,
        /// Whether subdirectories were passed over.
        passed: bool,
    },
    /// Text in another encoding.
    #[error("is UTF-16 text: save it as UTF-8")]
    Utf16,
    /// No text at all.
    #[error("is binary data, not text")]
    Binary,
    /// A file of no bytes.
    #[error("is empty")]
    Empty,
    /// Two recordings have two clocks and two ends: nothing could be said for both at once.
    #[error("only one recording can be read at a time: ask about this one separately")]
    SecondRecording,
    /// Garbage: reading on would only take time.
    #[error("more than {0} problems: the rest was not read")]
    TooManyProblems(usize),
    /// Only objects of other kinds.
    #[error("holds no objects that this program reads, only {0}")]
    NothingKnown(String),

    // JSON.
    /// The text ends within an object.
    #[error("is cut off: the input ends before this object does")]
    CutObject,
    /// The text ends within something else.
    #[error("is cut off: {0}")]
    Cut(String),
    /// The text ends where more must come.
    #[error("is cut off: expected {0}")]
    CutBefore(&'static str),
    /// Text that is not JSON.
    #[error("{0}")]
    Json(String),
    /// A character that does not belong there.
    #[error("expected {wanted}, found {found:?}")]
    Unexpected {
        /// What stands there.
        found: char,
        /// What should.
        wanted: &'static str,
    },
    /// A part of a recording among objects.
    #[error("is a line of a recording among other documents")]
    StrayRecording,

    // YAML.
    /// Text in another encoding.
    #[error("is not UTF-8 text")]
    NotUtf8,
    /// Only comments and separators.
    #[error("holds no objects")]
    NoObject,
    /// Text that is not YAML.
    #[error("is not valid YAML: {0}")]
    Yaml(String),
    /// A recording in YAML.
    #[error("is a recording in YAML: recordings are JSON lines")]
    YamlRecording,
    /// What the parser would need minutes for.
    #[error("is neither JSON nor YAML: a line is too long")]
    LongLine,
    /// What the parser would need all memory for.
    #[error("is too large for YAML: save it as JSON (-o json)")]
    TooLargeForYaml,
    /// What the parser would need minutes for.
    #[error("is nested too deeply")]
    TooDeep,

    // Recordings.
    /// A recording that was cut at its beginning.
    #[error("the recording has no header line with its version")]
    NoHeader,
    /// A recording of a later program.
    #[error("unknown recording version {found:?}; this program reads {known}", known = super::RECORDING_VERSION)]
    UnknownVersion {
        /// What stands there.
        found: String,
    },
    /// A member that must be there is not.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A time that is none.
    #[error("{field}: {found:?} is not an RFC 3339 time")]
    BadTime {
        /// The member.
        field: &'static str,
        /// What stands there.
        found: String,
    },

    // Logs.
    /// Another text than a log.
    #[error("holds no lines of a controller-manager log")]
    NoLog,
    /// Lines that were passed over.
    #[error("lines longer than {mebibytes} MiB were ignored: {count}")]
    LongLines {
        /// The longest that is read.
        mebibytes: usize,
        /// How many are longer.
        count: u64,
    },
}

impl From<&io::Error> for Error {
    fn from(error: &io::Error) -> Error {
        match error.kind() {
            ErrorKind::NotFound => Error::NotFound,
            ErrorKind::PermissionDenied => Error::Denied,
            ErrorKind::UnexpectedEof => Error::CutGzip,
            ErrorKind::InvalidInput | ErrorKind::InvalidData => Error::BadGzip(error.to_string()),
            _ => Error::Io(error.to_string()),
        }
    }
}
