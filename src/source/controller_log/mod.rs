//! The controller-manager's own log: what nothing else shows as exactly.
//!
//! klog writes text with neither year nor zone, or JSON. A log is read line by line
//! ([`LogLines`]) in bounded memory, and reaches a sink in the order of time between whatever else
//! is observed ([`Merge`]).

pub mod clock;
pub(crate) mod merge;
pub(crate) mod skew;

mod json;
mod klog;
mod lines;
mod messages;
mod printf;
mod reader;
mod record;

#[cfg(test)]
mod tests;

use jiff::Timestamp;

pub use clock::Clock;
pub use merge::LogOptions;
pub(crate) use merge::{LogNotes, Merge};
pub use reader::{Counts, LogLines};
pub(crate) use skew::Skew;

use super::{Input, Notes, Sink, files};

/// Reads a log, whatever else it looks like. `reference` is an instant near its end: it gives
/// the year that lines of text lack. Without it they have no time.
pub fn read_log(input: &Input, reference: Option<Timestamp>, sink: &mut dyn Sink) -> Notes {
    let mut notes = Notes::default();
    let options = LogOptions { reference, ..LogOptions::default() };
    merge::read(files::open(input), input, options, &mut notes, sink);
    notes
}

/// Whether one of these lines is one of klog.
pub(crate) fn is_log(head: &[u8]) -> bool {
    let is_klog = |text: &[u8]| klog::head(text).is_some() || json::peek(text).is_some();
    head.split(|byte| *byte == b'\n').any(|line| lines::look_at(line, is_klog))
}
