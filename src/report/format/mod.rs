//! How instants, durations, numbers, ranges and lists are written: one way for every table, text, timeline
//! and picture. Knows nothing of ReplicaSets.

mod list;
mod number;
mod time;

pub(crate) use list::{join, names, shown};
pub(crate) use number::{amount, awaited, count, is_unknown, range};
pub(crate) use time::{age, at, at_latest, date, distance, exact, fine, offset, time};
