//! The controller-manager's own log: failed syncs, which nothing else shows as exactly.
//!
//! klog writes text with neither year nor zone, or JSON. Messages are matched, never the file
//! and line before them, which differ between builds.

use std::borrow::Cow;
use std::io::BufRead;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use super::intake::Intake;
use super::{Flow, Input, Notes, Sink, files};
use crate::objects::{Key, LogLine, Observation, Resource, What};

/// Reads a log, whatever else it looks like. `reference` is an instant near its end: it gives
/// the year that lines of text lack. Without it they have no time.
pub fn read_log(input: &Input, reference: Option<Timestamp>, sink: &mut dyn Sink) -> Notes {
    let mut notes = Notes::default();
    let mut intake = Intake::new(input, &mut notes, sink);
    match files::open(input) {
        Ok(opened) => drop(read(&mut opened.reader(), reference, None, &mut intake)),
        Err(error) => drop(intake.complain(None, files::unreadable(&error))),
    }
    intake.finish();
    notes
}

/// Whether one of these lines is one of klog.
pub fn is_log(head: &[u8]) -> bool {
    head.split(|b| *b == b'\n').any(|line| parse(line, None).is_some())
}

/// Reads lines up to `until`.
pub fn read(
    reader: &mut dyn BufRead,
    reference: Option<Timestamp>,
    until: Option<Timestamp>,
    intake: &mut Intake<'_>,
) -> Flow {
    let mut line = Vec::new();
    let mut known = false;
    loop {
        line.clear();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return intake.complain(None, files::unreadable(&error)),
        }
        let Some((at, message)) = parse(&line, reference) else { continue };
        known = true;
        if until.is_some_and(|until| at.is_some_and(|at| at > until)) {
            break;
        }
        let Some(failure) = failure(&message) else { continue };
        let what = What::Log(failure);
        if intake.observe(Observation { at, resource: Resource::ReplicaSets, what }) == Flow::Enough {
            return Flow::Enough;
        }
    }
    if known { Flow::Continue } else { intake.complain(None, "holds no line of a controller-manager's log") }
}

/// Time and message of a line: for a structured error its `err`, else all of the text.
fn parse(line: &[u8], reference: Option<Timestamp>) -> Option<(Option<Timestamp>, Cow<'_, str>)> {
    if line.first() == Some(&b'{') {
        return parse_json(line);
    }
    let text = std::str::from_utf8(line).ok()?.trim_end();
    let (stamped, text) = strip_container_prefix(text);
    let severity = text.strip_prefix(['I', 'W', 'E', 'F'])?;
    let (date, rest) = severity.split_once(' ')?;
    let rest = rest.trim_start();
    let (time, rest) = rest.split_once(' ')?;
    let (_, message) = rest.split_once("] ")?;
    let (month, day) = (date.get(..2)?.parse().ok()?, date.get(2..4)?.parse().ok()?);
    let time: Time = time.parse().ok()?;
    let at = instant(month, day, time, stamped.or(reference));
    Some((at, message_of(message)))
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
struct JsonLine<'a> {
    /// Milliseconds since 1970 with a fraction.
    ts: f64,
    #[serde(borrow)]
    msg: Cow<'a, str>,
    err: Option<Cow<'a, str>>,
}

fn parse_json(line: &[u8]) -> Option<(Option<Timestamp>, Cow<'_, str>)> {
    let line: JsonLine<'_> = serde_json::from_slice(line).ok()?;
    Some((from_millis(line.ts), line.err.unwrap_or(line.msg)))
}

/// Whole microseconds are as exact as such a number is.
fn from_millis(millis: f64) -> Option<Timestamp> {
    let micros = (millis.fract() * 1e3).round() as i64;
    Timestamp::from_microsecond((millis.trunc() as i64).checked_mul(1000)?.checked_add(micros)?).ok()
}

/// `kubectl logs --timestamps` and the files of container runtimes put a full time first.
fn strip_container_prefix(line: &str) -> (Option<Timestamp>, &str) {
    let Some((first, rest)) = line.split_once(' ') else { return (None, line) };
    if !first.ends_with(|c: char| c == 'Z' || c.is_ascii_digit()) || !first.contains('T') {
        return (None, line);
    }
    let Ok(at) = first.parse() else { return (None, line) };
    let streams = ["stdout F ", "stderr F "];
    (Some(at), streams.iter().find_map(|s| rest.strip_prefix(s)).unwrap_or(rest))
}

/// The instant of a line without a year: in the year of the reference, or the year before if
/// that would lie more than a day after it.
fn instant(month: i8, day: i8, time: Time, reference: Option<Timestamp>) -> Option<Timestamp> {
    let reference = reference?;
    let latest = reference.checked_add(SignedDuration::from_hours(24)).ok()?;
    let year = reference.to_zoned(TimeZone::UTC).year();
    let in_year = |year| {
        let date = Date::new(year, month, day).ok()?;
        date.to_datetime(time).to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
    };
    in_year(year).filter(|at| *at <= latest).or_else(|| in_year(year - 1))
}

/// The error of a structured line, else the line's text.
fn message_of(text: &str) -> Cow<'_, str> {
    match text.split_once(" err=\"") {
        Some((message, error)) if message.starts_with('"') => Cow::Owned(unquote(error)),
        _ => Cow::Borrowed(text),
    }
}

/// A string quoted by Go, from behind its first quotation mark to the last.
fn unquote(quoted: &str) -> String {
    let mut text = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => break,
            },
            other => text.push(other),
        }
    }
    text
}

/// A failed sync, if the message tells of one.
fn failure(message: &str) -> Option<LogLine> {
    let (key, error) = message.strip_prefix("sync \"")?.split_once("\" failed with ")?;
    let (namespace, name) = key.split_once('/')?;
    let key = Key::new(namespace, name);
    let stale = || {
        let (read, rest) =
            error.strip_prefix("read version: ")?.split_once(" is not as new as written version: ")?;
        let (written, resource) = rest.split_once(" for group resource ")?;
        Some((read.to_owned(), written.to_owned(), resource.to_owned()))
    };
    Some(match stale() {
        Some((read, written, resource)) => LogLine::Stale { key, resource, read, written },
        None => LogLine::SyncFailed { key, error: error.to_owned() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_klog_headers_make_a_log() {
        assert!(is_log(b"noise\nI0102 03:04:05.678901       1 a.go:1] x\n"));
        assert!(is_log(b"2026-01-02T03:04:05.6Z I0102 03:04:05.678901       1 a.go:1] x\n"));
        for other in
            ["kind: Pod\n", "  I0102 03:04:05.6 1 a.go:1] x", "Info: 1 2] x", "I01 03:04:05 1 a] x", ""]
        {
            assert!(!is_log(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn a_leap_day_falls_into_a_leap_year_or_has_no_time() {
        let at = |reference: &str| {
            instant(2, 29, Time::midnight(), reference.parse().ok()).map(|at| at.to_string())
        };
        assert_eq!(at("2024-06-01T00:00:00Z").as_deref(), Some("2024-02-29T00:00:00Z"));
        assert_eq!(at("2025-01-01T00:00:00Z").as_deref(), Some("2024-02-29T00:00:00Z"));
        assert_eq!(at("2026-01-01T00:00:00Z"), None);
    }

    #[test]
    fn only_messages_of_failed_syncs_are_taken() {
        assert_eq!(failure("sync \"web\" failed with x"), None);
        assert_eq!(failure("Error syncing \"a/b\" failed with x"), None);
        let key = Key::new("a", "b");
        let error = "Post \"https://x\": timeout".to_owned();
        assert_eq!(
            failure("sync \"a/b\" failed with Post \"https://x\": timeout"),
            Some(LogLine::SyncFailed { key, error })
        );
    }
}
