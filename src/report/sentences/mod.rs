//! Every sentence that a user reads, made from typed facts: a file for each family of reasons.
//!
//! Start with the family of the code (`reasons::Code::family`). Nothing reads a sentence back.

mod blocked;
mod claim;
mod deployment;
mod gate;
mod limits;
mod next;
mod plan;
mod refusals;
mod status;

use jiff::{SignedDuration, Timestamp};

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

pub(crate) use limits::gap;
pub(crate) use next::{change, trigger};

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
