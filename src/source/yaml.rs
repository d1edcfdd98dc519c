//! YAML documents: objects, Lists and watch events.

use serde::Deserialize;
use serde_yaml::Value;

use super::Flow;
use super::cursor::Assumed;
use super::documents::{self, Bookmark, Event, Status};
use super::intake::Intake;
use crate::objects::json::{self, Head};

/// Longer lines are not written by any tool for Kubernetes (its objects end at 1.5 MiB), but
/// they can keep the parser busy for minutes.
const LONGEST_LINE: usize = 4 << 20;

/// Reads all documents of a text. They are parsed one by one, so that an error in one leaves
/// the others.
pub fn read(text: &[u8], intake: &mut Intake<'_>) -> Flow {
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let start = text.get(..error.valid_up_to()).unwrap_or_default();
            let line = start.iter().filter(|b| **b == b'\n').count() + 1;
            return intake.complain(Some(line), "is not UTF-8 text");
        }
    };
    if let Some(at) = text.lines().position(|line| line.len() > LONGEST_LINE) {
        return intake.complain(Some(at + 1), "is neither JSON nor YAML: the line is too long");
    }
    for (line, part) in split(text) {
        for document in serde_yaml::Deserializer::from_str(part) {
            intake.documents += 1;
            let flow = match Value::deserialize(document) {
                Ok(Value::Null) => {
                    intake.documents -= 1;
                    Flow::Continue
                }
                Ok(value) => self::document(&value, intake),
                Err(error) => {
                    let at = error.location().map_or(line, |l| line + l.line().saturating_sub(1));
                    let text = error.to_string();
                    let text = text.split(" at line ").next().unwrap_or(&text);
                    let flow = intake.complain(Some(at), format!("is not valid YAML: {text}"));
                    if flow == Flow::Continue {
                        break;
                    }
                    flow
                }
            };
            if flow == Flow::Enough {
                return flow;
            }
        }
    }
    if intake.documents == 0 {
        return intake.complain(None, "holds no object");
    }
    Flow::Continue
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
        return intake.complain(None, "a recording is JSON lines, this is YAML");
    }
    let assumed = documents::item_kind(text("kind"), text("apiVersion"));
    let items = match value.get("items") {
        Some(Value::Sequence(items)) => items.as_slice(),
        Some(Value::Null) => &[],
        _ => return intake.keep(json::from_value(value, None)),
    };
    for item in items {
        let read = match &assumed {
            Assumed::Known(resource) => json::from_value(item, Some(*resource)),
            Assumed::Nothing => json::from_value(item, None),
            Assumed::Ignored(kind) => Ok(json::Read::Ignored(kind.clone())),
        };
        if intake.keep(read) == Flow::Enough {
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
            json::from_value(object, None).map(|read| Some(Event::Object(read)))
        }
        "BOOKMARK" => Ok(Bookmark::deserialize(object).ok().map(|mark| mark.event(&Head::peek(object)))),
        "ERROR" => Ok(Status::deserialize(object).ok().map(Status::event)),
        _ => Ok(None),
    };
    documents::report(kind, read, intake)
}
