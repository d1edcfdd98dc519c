//! Words that must never be seen.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// A token or password. It has no `Display`, and `Debug` does not show it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The word itself.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(--)")
    }
}

impl From<&str> for Secret {
    fn from(word: &str) -> Secret {
        Secret(word.into())
    }
}

impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(word: &str) -> Result<Secret, Infallible> {
        Ok(word.into())
    }
}
