//! The lines of a watch: one event each.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::objects::wire::envelope::{Bookmark, Status};
use crate::objects::wire::{self, Read};
use crate::objects::{Resource, What};

/// Longer lines are not believed.
const LONGEST: usize = 64 << 20;

/// Why this is no watch. It reads after "the watch of pods: ".
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    #[error("sent a line without end")]
    Endless,
    #[error("sent a line that is not a watch event")]
    NotAnEvent,
}

/// Cuts a body into its lines as the bytes arrive.
#[derive(Debug, Default)]
pub struct Lines {
    held: Vec<u8>,
}

impl Lines {
    /// Takes the next bytes and hands on each line that they complete.
    pub fn push(&mut self, chunk: &[u8], mut line: impl FnMut(&[u8])) -> Result<(), FrameError> {
        let mut rest = chunk;
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let (first, after) = rest.split_at(end);
            if self.held.is_empty() {
                line(first);
            } else {
                self.held.extend_from_slice(first);
                line(&self.held);
                self.held.clear();
            }
            rest = after.get(1..).unwrap_or_default();
        }
        self.held.extend_from_slice(rest);
        if self.held.len() > LONGEST { Err(FrameError::Endless) } else { Ok(()) }
    }

    /// Whether the body ended within a line.
    pub fn is_cut(&self) -> bool {
        !self.held.trim_ascii().is_empty()
    }
}

/// What a line says.
#[derive(Debug, PartialEq)]
#[expect(clippy::large_enum_variant)]
pub enum Frame {
    /// A change or a bookmark, and the version that the watch has reached with it.
    Event(What, String),
    /// The watch is over, and whether its version is gone.
    Error {
        /// The server's words.
        text: String,
        /// Whether only a new list helps.
        expired: bool,
    },
    /// An object that cannot be used.
    Invalid(String),
    /// Nothing that concerns the reader.
    Nothing,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, rename = "type")]
    kind: wire::Str<'a>,
    #[serde(borrow)]
    object: &'a RawValue,
}

/// Reads a line.
pub fn parse(line: &[u8], resource: Resource) -> Result<Frame, FrameError> {
    if line.trim_ascii().is_empty() {
        return Ok(Frame::Nothing);
    }
    let line: Line<'_> = serde_json::from_slice(line).map_err(|_| FrameError::NotAnEvent)?;
    let object = line.object.get();
    Ok(match &*line.kind.0 {
        "ADDED" => changed(object, resource, What::Added),
        "MODIFIED" => changed(object, resource, What::Modified),
        "DELETED" => changed(object, resource, What::Deleted),
        "BOOKMARK" => {
            let version = serde_json::from_str::<Bookmark>(object).map_err(|_| FrameError::NotAnEvent)?;
            let version = version.metadata.resource_version;
            if version.is_empty() {
                return Err(FrameError::NotAnEvent);
            }
            Frame::Event(What::Bookmark { resource_version: version.clone() }, version)
        }
        "ERROR" => error(&serde_json::from_str(object).unwrap_or_default()),
        _ => Frame::Nothing,
    })
}

fn changed(object: &str, resource: Resource, what: impl FnOnce(crate::objects::Object) -> What) -> Frame {
    match wire::from_slice(object.as_bytes(), Some(resource)) {
        Ok(Read::Object(object)) => {
            let version = object.meta().resource_version.clone();
            Frame::Event(what(object), version)
        }
        Ok(Read::Ignored(_)) => Frame::Nothing,
        Err(invalid) => Frame::Invalid(invalid.to_string()),
    }
}

fn error(status: &Status) -> Frame {
    let expired = status.code == Some(410) || matches!(status.reason.as_str(), "Expired" | "Gone");
    let text = status.text().unwrap_or_else(|| "the server ended the watch with an error".to_owned());
    Frame::Error { text, expired }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(chunks: &[&str]) -> (Vec<String>, bool) {
        let (mut lines, mut found) = (Lines::default(), Vec::new());
        for chunk in chunks {
            lines
                .push(chunk.as_bytes(), |line| found.push(String::from_utf8_lossy(line).into_owned()))
                .unwrap();
        }
        (found, lines.is_cut())
    }

    #[test]
    fn lines_are_whole_however_they_arrive() {
        assert_eq!(lines(&["a\nb", "c", "\n\n"]), (vec!["a".into(), "bc".into(), String::new()], false));
        assert_eq!(lines(&["a\nb"]), (vec!["a".into()], true));
    }

    #[test]
    fn frames_tell_the_version_that_is_reached() {
        let read = |text: &str| parse(text.as_bytes(), Resource::Pods).unwrap();
        let pod = r#"{"metadata":{"name":"a","resourceVersion":"7"}}"#;
        for kind in ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"] {
            let Frame::Event(_, version) = read(&format!(r#"{{"type":"{kind}","object":{pod}}}"#)) else {
                panic!("{kind}")
            };
            assert_eq!(version, "7");
        }
        assert_eq!(
            read(
                r#"{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}"#
            ),
            Frame::Error { text: "Expired: too old".into(), expired: true }
        );
        assert!(matches!(read(r#"{"type":"ADDED","object":{"metadata":{}}}"#), Frame::Invalid(_)));
        assert_eq!(read(r#"{"type":"LATER","object":{}}"#), Frame::Nothing);
        assert!(parse(b"<html>", Resource::Pods).is_err());
    }
}
