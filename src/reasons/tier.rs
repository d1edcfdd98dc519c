//! How a fact is known.

use schemars::JsonSchema;
use serde::Serialize;

/// How a fact is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Tier {
    /// Seen in objects, events or the window.
    Observed,
    /// Said by the controller's log.
    Logged,
    /// Follows from observed facts by the controller's rules.
    Inferred,
    /// A default, or a guess that is said to be one.
    Assumed,
}

impl Tier {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::Observed => "observed",
            Tier::Logged => "logged",
            Tier::Inferred => "inferred",
            Tier::Assumed => "assumed",
        }
    }
}
