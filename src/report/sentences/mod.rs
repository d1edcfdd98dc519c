//! Every sentence that a user reads, made from typed facts.
//!
//! An answer has three slots: `headline` (what the next sync does and what decides that), `next` (when it goes on
//! by itself, or what to do), and there the trigger (the command that starts a sync now). The message of a reason
//! stands in the file of its family (`reasons::Code::family`). Nothing reads a sentence back, and nothing here knows
//! colours or columns; names and messages stand in a sentence as they are and are escaped where it is printed.

mod blocked;
mod claim;
mod deployment;
mod evidence;
pub(crate) mod expectations;
mod gate;
mod headline;
mod ledger;
mod limits;
mod next;
pub(crate) mod next_sync;
mod plan;
mod refusals;
mod status;
mod victims;

use jiff::{SignedDuration, Timestamp};
use serde::{Serialize, Serializer};

use crate::reconstruct::answer::{Change, Trigger};
use crate::reconstruct::detail::Detail;

/// The sentence of a reason.
pub(crate) fn reason(detail: &Detail) -> String {
    match detail {
        Detail::Gate(detail) => gate::sentence(detail),
        Detail::Blocked(detail) => blocked::sentence(detail),
        Detail::Refusal(detail) => refusals::sentence(detail),
        Detail::Plan(detail) => plan::sentence(detail),
        Detail::Claim(detail) => claim::sentence(detail),
        Detail::Status(detail) => status::sentence(detail),
        Detail::Deployment(detail) => deployment::sentence(detail),
        Detail::Limit(detail) => limits::sentence(detail),
    }
}

pub(crate) use evidence::{Lacking, known_from, missing, rests_on};
pub(crate) use headline::{headline, in_progress};
pub(crate) use ledger::ledger;
pub(crate) use limits::gap;
pub(crate) use next::{change, details, invitation, then, trigger, until, what_decides};
pub(crate) use victims::victim;

// In JSON each fact is its sentence.
macro_rules! as_sentence {
    ($($fact:ty: $sentence:expr;)*) => {$(
        impl Serialize for $fact {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&$sentence(self))
            }
        }
    )*};
}

as_sentence! {
    Detail: reason;
    Trigger: trigger;
    Change: |then: &Change| change(*then);
}

/// Names in a sentence; the report itself lists all.
const NAMED: usize = 3;

/// The first names, and how many more there are.
fn named(names: &[String]) -> String {
    named_by(", ", names)
}

fn named_by(separator: &str, names: &[String]) -> String {
    let mut text = names[..names.len().min(NAMED)].join(separator);
    if names.len() > NAMED {
        text.push_str(&format!("{separator}{} more", names.len() - NAMED));
    }
    text
}

/// `1 pod`, `2 pods`.
fn pods(count: usize) -> String {
    if count == 1 { "1 pod".into() } else { format!("{count} pods") }
}

/// A duration in the largest two units, as people say it.
pub(crate) fn words(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    let two = |a: i64, unit: &str, b: i64, smaller: &str| {
        if b == 0 { format!("{a}{unit}") } else { format!("{a}{unit}{b}{smaller}") }
    };
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, m) => two(m, "m", seconds % 60, "s"),
        (0, h, m) => two(h, "h", m, "m"),
        (d, h, _) => two(d, "d", h, "h"),
    }
}

/// An instant in whole seconds.
pub(crate) fn at(instant: Timestamp) -> String {
    Timestamp::from_second(instant.as_second()).unwrap_or(instant).to_string()
}
