//! YAML documents: objects, Lists and watch events.

use serde::Deserialize;
use serde_yaml::Value;

use super::cursor::Assumed;
use super::documents::{self, Event};
use super::intake::Intake;
use crate::objects::wire::envelope::{Bookmark, Status};
use crate::objects::wire::{self, Head};
use crate::source::{Error, Flow};

/// What the parser would need minutes or all memory for. Tools for Kubernetes write none of it:
/// objects end at 1.5 MiB, and a list of 20,000 pods has some 10 million lines.
const LONGEST_LINE: usize = 2 << 20;
const MOST_NODES: usize = 1 << 24;
const MOST_NESTING: usize = 1 << 30;

/// Reads all documents of a text. They are parsed one by one, so that an error in one leaves
/// the others.
pub fn read(text: &[u8], intake: &mut Intake<'_>) -> Flow {
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let start = text.get(..error.valid_up_to()).unwrap_or_default();
            let line = start.iter().filter(|b| **b == b'\n').count() + 1;
            return intake.complain(Some(line), Error::NotUtf8);
        }
    };
    for (line, part) in split(text) {
        if part_of_stream(line, part, intake) == Flow::Enough {
            return Flow::Enough;
        }
    }
    if intake.documents == 0 {
        return intake.complain(None, Error::NoObject);
    }
    Flow::Continue
}

/// Reads a part that begins on this line; it is one document, or more if they end with dots.
fn part_of_stream(line: usize, part: &str, intake: &mut Intake<'_>) -> Flow {
    if let Some(error) = refusal(part) {
        intake.documents += 1;
        return intake.complain(Some(line), error);
    }
    for document in serde_yaml::Deserializer::from_str(part) {
        let flow = match Value::deserialize(document) {
            Ok(Value::Null) => continue,
            Ok(value) => {
                intake.documents += 1;
                self::document(&value, intake)
            }
            Err(error) => {
                intake.documents += 1;
                let at = error.location().map_or(line, |l| line + l.line().saturating_sub(1));
                let text = error.to_string();
                let text = text.split(" at line ").next().unwrap_or(&text);
                return intake.complain(Some(at), Error::Yaml(text.to_owned()));
            }
        };
        if flow == Flow::Enough {
            return flow;
        }
    }
    Flow::Continue
}

/// Why a text is not given to the parser. Its time grows with the depth of flow collections
/// at every token: beyond a depth that legitimate text reaches, that is added up.
fn refusal(text: &str) -> Option<Error> {
    if text.lines().any(|line| line.len() > LONGEST_LINE) {
        return Some(Error::LongLine);
    }
    let (mut depth, mut nodes, mut nesting) = (0usize, 0usize, 0usize);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b'\n' | b',' => nodes += 1,
            _ => {}
        }
        nesting = nesting.saturating_add(depth.saturating_sub(100));
    }
    if nodes > MOST_NODES {
        return Some(Error::TooLargeForYaml);
    }
    (nesting > MOST_NESTING).then_some(Error::TooDeep)
}

/// The documents with the lines on which they begin. Three dashes at the start of a line
/// always begin one, in whatever they stand.
fn split(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut start_line, mut offset, mut telling) = (0, 1, 0, false);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_mark = line
            .strip_prefix("---")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']));
        if is_mark && telling {
            parts.push((start_line, text.get(start..offset).unwrap_or_default()));
            (start, start_line, telling) = (offset, number + 1, false);
        }
        let content = line.trim();
        // Directives and comments belong to the document after them.
        telling |= is_mark || !(content.is_empty() || content.starts_with(['#', '%']));
        offset += line.len();
    }
    parts.push((start_line, text.get(start..).unwrap_or_default()));
    parts
}

fn document(value: &Value, intake: &mut Intake<'_>) -> Flow {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    if let (None, Some(kind), Some(object)) = (text("kind"), text("type"), value.get("object")) {
        return watch_event(kind, object, intake);
    }
    if value.get("recording").is_some() {
        return intake.complain(None, Error::YamlRecording);
    }
    let assumed = documents::item_kind(text("kind"), text("apiVersion"));
    let items = match value.get("items") {
        Some(Value::Sequence(items)) => items.as_slice(),
        Some(Value::Null) => &[],
        _ => return intake.keep(wire::from_value(value, None)),
    };
    for (index, item) in items.iter().enumerate() {
        let read = match &assumed {
            Assumed::Known(resource) => wire::from_value(item, Some(*resource)),
            Assumed::Nothing => wire::from_value(item, None),
            Assumed::Ignored(kind) => Ok(wire::Read::Ignored(kind.clone())),
        };
        if intake.keep(read.map_err(|invalid| invalid.in_list(index))) == Flow::Enough {
            return Flow::Enough;
        }
    }
    if let Assumed::Known(resource) = assumed {
        let version = value.get("metadata").and_then(|m| m.get("resourceVersion")).and_then(Value::as_str);
        intake.listed(resource, version.unwrap_or_default().to_owned());
    }
    Flow::Continue
}

/// A watch event: `kubectl get --watch --output-watch-events -o yaml`.
fn watch_event(kind: &str, object: &Value, intake: &mut Intake<'_>) -> Flow {
    let read = match kind {
        "ADDED" | "MODIFIED" | "DELETED" => {
            wire::from_value(object, None).map(|read| Some(Event::Object(read)))
        }
        "BOOKMARK" => {
            Ok(Bookmark::deserialize(object).ok().map(|mark| documents::bookmark(mark, &Head::peek(object))))
        }
        "ERROR" => Ok(Status::deserialize(object).ok().map(|status| documents::gap(&status))),
        _ => Ok(None),
    };
    documents::report(kind, read, intake)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_split_at_three_dashes_at_the_start_of_a_line() {
        let parts =
            |text| split(text).into_iter().map(|(line, part)| (line, part.trim())).collect::<Vec<_>>();
        assert_eq!(parts("a\n---\nb\n--- # c\nd"), [(1, "a"), (2, "---\nb"), (4, "--- # c\nd")]);
        assert_eq!(parts("# x\n%YAML 1.2\n---\na"), [(1, "# x\n%YAML 1.2\n---\na")]);
        assert_eq!(parts("a: |\n  ---\n----\nb"), [(1, "a: |\n  ---\n----\nb")]);
        assert_eq!(parts("a\r\n---\r\nb"), [(1, "a"), (2, "---\r\nb")]);
    }

    #[test]
    fn text_that_would_keep_the_parser_busy_for_minutes_is_refused() {
        assert_eq!(refusal(&"a: [{}]\n".repeat(1000)), None);
        assert_eq!(refusal(&"unbalanced [\n".repeat(1000)), None);
        assert_eq!(refusal(&format!("a: {}", "[".repeat(100_000))), Some(Error::TooDeep));
        assert!(refusal(&"-\n".repeat(MOST_NODES + 1)).is_some());
    }
}
