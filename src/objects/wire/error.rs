//! Why an object or a list cannot be used.

use std::fmt;

/// What is wrong with an object, beginning with the field, or with a list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A field that must be there is not.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A number of pods or seconds below zero.
    #[error("{field}: {number} is negative")]
    Negative {
        /// The field.
        field: &'static str,
        /// What stands there.
        number: i64,
    },
    /// A number of pods or seconds beyond 32 bits.
    #[error("{field}: {number} is more than {max}", max = i32::MAX)]
    TooLarge {
        /// The field.
        field: &'static str,
        /// What stands there.
        number: i64,
    },
    /// A time before or after the calendar.
    #[error("{field}: {seconds} seconds since 1970 is out of range")]
    OutOfTime {
        /// The field.
        field: &'static str,
        /// Seconds since 1970.
        seconds: i64,
    },
    /// An object of another kind than its surroundings say.
    #[error("is not a {0}")]
    OtherKind(&'static str),
    /// An object of a kind that the program does not know.
    #[error("is of a kind that this program does not read")]
    UnknownKind,
    /// A number, a string or a list where an object belongs.
    #[error("is not an object")]
    NotAnObject,
    /// Text behind an object that should stand alone.
    #[error("unexpected text after the object")]
    Trailing,
    /// Text that is not JSON or YAML, or a field of the wrong type. serde's own error holds a position
    /// within the object, which would mislead: only its words are kept.
    #[error("{}{text}", path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default())]
    Format {
        /// The field, as far as it is known.
        path: Option<String>,
        /// What is wrong.
        text: String,
    },
    /// A message that is not one.
    #[error("{0}")]
    Protobuf(#[from] prost::DecodeError),
    /// A body that does not begin as protobuf of Kubernetes does.
    #[error("is not Kubernetes protobuf")]
    NotProtobuf,
    /// A body that is not JSON.
    #[error("the server did not answer with a JSON object")]
    NotJson,
    /// A list of another kind than was asked for.
    #[error("the server answered with a {found} instead of a {wanted}")]
    OtherList {
        /// What came.
        found: String,
        /// What was asked for.
        wanted: String,
    },
    /// A list that ends too early.
    #[error("the list is cut off")]
    CutList,
    /// A list without metadata: without a version nothing can follow it.
    #[error("the list has no metadata")]
    NoListMeta,
    /// A list whose frame is damaged.
    #[error("the list cannot be read: {0}")]
    BadList(String),
}

/// An object that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// Its kind, namespace and name, as far as they could be read.
    pub(crate) object: Option<String>,
    /// What is wrong.
    pub(crate) error: Error,
}

impl Invalid {
    /// Names an object without a name by its place in a list, counted from 0.
    pub(crate) fn in_list(self, index: usize) -> Invalid {
        let object = match self.object {
            Some(named) if named.contains(' ') => named,
            Some(kind) => format!("{kind} items[{index}]"),
            None => format!("items[{index}]"),
        };
        Invalid { object: Some(object), ..self }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.object {
            Some(object) => write!(f, "{object}: {}", self.error),
            None => self.error.fmt(f),
        }
    }
}

impl std::error::Error for Invalid {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}
