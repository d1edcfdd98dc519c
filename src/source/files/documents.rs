//! JSON documents: objects, Lists and watch events, any number of them one after another.

use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use super::cursor::{Assumed, Broken, Cursor};
use super::intake::Intake;
use crate::objects::wire::envelope::{Bookmark, ListMeta, Status};
use crate::objects::wire::{Head, Invalid, Read, Str};
use crate::objects::{Object, Observation, Resource, What};
use crate::source::{Error, Flow};

/// What a JSON object is, told by its first telling member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A line of a recording.
    Recording,
    /// An event as `kubectl get --watch --output-watch-events -o json` prints it.
    WatchEvent,
    /// A list of objects.
    List,
    /// A line of a log in JSON.
    LogLine,
    /// One object, or nothing known.
    Object,
}

impl Shape {
    /// Looks at the beginning of an object; the text may be cut.
    pub(crate) fn peek(json: &[u8]) -> Shape {
        let mut shape = None;
        // The early end is an error for serde, hence ignored.
        let _ = serde_json::Deserializer::from_slice(json).deserialize_map(ShapeVisitor(&mut shape));
        shape.unwrap_or(Shape::Object)
    }
}

struct ShapeVisitor<'s>(&'s mut Option<Shape>);

impl<'de> Visitor<'de> for ShapeVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Str<'de>>()? {
            *self.0 = match &*key.0 {
                "recording" | "at" => Some(Shape::Recording),
                "object" => Some(Shape::WatchEvent),
                "items" => Some(Shape::List),
                "ts" | "caller" => Some(Shape::LogLine),
                "kind" if map.next_value::<Str<'de>>()?.0.ends_with("List") => Some(Shape::List),
                "kind" => Some(Shape::Object),
                "type" if is_watch_type(&map.next_value::<Str<'de>>()?.0) => Some(Shape::WatchEvent),
                "type" => None,
                _ => map.next_value::<IgnoredAny>().map(|_| None)?,
            };
            if self.0.is_some() {
                return Err(A::Error::custom("enough"));
            }
        }
        Ok(())
    }
}

fn is_watch_type(word: &str) -> bool {
    ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"].contains(&word)
}

/// Reads all documents of a text.
pub fn read(json: &[u8], intake: &mut Intake<'_>) -> Flow {
    let mut cursor = Cursor::new(json);
    let done = documents(&mut cursor, intake);
    done.unwrap_or_else(|broken| {
        let several_lines = json.iter().take(1 << 20).any(|b| *b == b'\n');
        intake.problem(several_lines.then_some(broken.line), broken.what)
    })
}

fn documents(cursor: &mut Cursor<'_>, intake: &mut Intake<'_>) -> Result<Flow, Broken> {
    while let Some(byte) = cursor.next() {
        intake.documents += 1;
        let flow = match byte {
            b'{' => document(cursor, intake)?,
            b'[' => array(cursor, intake)?,
            _ => return Err(cursor.unexpected("a JSON object")),
        };
        if flow == Flow::Enough {
            return Ok(flow);
        }
    }
    Ok(Flow::Continue)
}

/// An array of documents, as `jq -s` makes it.
fn array(cursor: &mut Cursor<'_>, intake: &mut Intake<'_>) -> Result<Flow, Broken> {
    cursor.eat(b'[');
    while cursor.element()? {
        if document(cursor, intake)? == Flow::Enough {
            return Ok(Flow::Enough);
        }
    }
    Ok(Flow::Continue)
}

fn document(cursor: &mut Cursor<'_>, intake: &mut Intake<'_>) -> Result<Flow, Broken> {
    match Shape::peek(cursor.rest()) {
        Shape::List => list(cursor, intake),
        Shape::WatchEvent => watch_event(cursor, intake),
        Shape::Recording => {
            cursor.object(&Assumed::Ignored(String::new()))?.ok();
            Ok(intake.complain(None, Error::StrayRecording))
        }
        Shape::Object | Shape::LogLine => Ok(intake.keep(cursor.object(&Assumed::Nothing)?)),
    }
}

/// A List: its items are taken one by one, whatever their kinds.
fn list(cursor: &mut Cursor<'_>, intake: &mut Intake<'_>) -> Result<Flow, Broken> {
    let beginning = cursor.clone();
    let (mut kind, mut api_version, mut version, mut had_items) = (None, None, String::new(), false);
    cursor.eat(b'{');
    while let Some(key) = cursor.key()? {
        match &*key {
            "kind" => kind = cursor.value::<Option<String>>()?,
            "apiVersion" => api_version = cursor.value::<Option<String>>()?,
            "metadata" => version = cursor.value::<Option<ListMeta>>()?.unwrap_or_default().resource_version,
            "items" if cursor.next() == Some(b'[') => {
                had_items = true;
                if kind.is_none() && !first_item_has_kind(cursor) {
                    let head = Head::peek(&mut serde_json::Deserializer::from_slice(beginning.rest()));
                    (kind, api_version) = (head.kind, head.api_version);
                }
                let assumed = item_kind(kind.as_deref(), api_version.as_deref());
                if items(cursor, &assumed, &mut |read| intake.keep(read))? == Flow::Enough {
                    return Ok(Flow::Enough);
                }
            }
            "items" => {
                cursor.skip()?;
                had_items = true;
            }
            _ => cursor.skip()?,
        }
    }
    match item_kind(kind.as_deref(), api_version.as_deref()) {
        Assumed::Known(resource) => intake.listed(resource, version),
        // A kind that only ends like a list.
        Assumed::Ignored(_) if !had_items => _ = intake.count(Read::Ignored(kind.unwrap_or_default())),
        _ => {}
    }
    Ok(Flow::Continue)
}

fn first_item_has_kind(cursor: &Cursor<'_>) -> bool {
    let mut first = cursor.clone();
    first.eat(b'[');
    if first.next() != Some(b'{') {
        return true;
    }
    Head::peek(&mut serde_json::Deserializer::from_slice(first.rest())).kind.is_some()
}

/// The kind of the items of a list of this kind.
pub(crate) fn item_kind(kind: Option<&str>, api_version: Option<&str>) -> Assumed {
    let Some(item) = kind.and_then(|k| k.strip_suffix("List")).filter(|k| !k.is_empty()) else {
        return Assumed::Nothing;
    };
    let head = Head::new(item, api_version);
    match head.resource() {
        Some(resource) => Assumed::Known(resource),
        None => Assumed::Ignored(head.full_kind().unwrap_or_default()),
    }
}

/// The items of the array here, one by one.
pub(crate) fn items(
    cursor: &mut Cursor<'_>,
    assumed: &Assumed,
    each: &mut dyn FnMut(Result<Read, Invalid>) -> Flow,
) -> Result<Flow, Broken> {
    cursor.eat(b'[');
    for index in 0.. {
        if !cursor.element()? {
            break;
        }
        let read = cursor.object(assumed)?.map_err(|invalid| invalid.in_list(index));
        if each(read) == Flow::Enough {
            return Ok(Flow::Enough);
        }
    }
    Ok(Flow::Continue)
}

/// One watch event of kubectl: it has no receive time.
fn watch_event(cursor: &mut Cursor<'_>, intake: &mut Intake<'_>) -> Result<Flow, Broken> {
    let (mut kind, mut object) = (String::new(), None);
    cursor.eat(b'{');
    while let Some(key) = cursor.key()? {
        match &*key {
            "type" => kind = cursor.value::<Option<String>>()?.unwrap_or_default(),
            "object" => {
                object = Some(cursor.clone());
                // Passed as a whole first, so that a broken object costs only its own event.
                if let Err(invalid) = cursor.object(&Assumed::Ignored(String::new()))? {
                    return Ok(intake.problem(None, invalid));
                }
            }
            _ => cursor.skip()?,
        }
    }
    let Some(mut object) = object else { return Ok(intake.complain(None, Error::Missing("object"))) };
    let read = event(&kind, &mut object, &Assumed::Nothing)?;
    Ok(report(&kind, read, intake))
}

/// Hands on what a watch event without a receive time says.
pub(crate) fn report(kind: &str, read: Result<Option<Event>, Invalid>, intake: &mut Intake<'_>) -> Flow {
    // What came before in the same input is older.
    if intake.flush() == Flow::Enough {
        return Flow::Enough;
    }
    let (resource, what) = match read {
        Ok(Some(Event::Object(read))) => match intake.count(read) {
            None => return Flow::Continue,
            Some(object) => (object.resource(), change(kind, object)),
        },
        Ok(Some(Event::Other(resource, what))) => (resource, what),
        Ok(None) => return Flow::Continue,
        Err(invalid) => return intake.problem(None, invalid),
    };
    intake.observe(Observation { at: None, resource, what })
}

/// What the object of a watch event says.
pub(crate) enum Event {
    /// An object that was added, modified or deleted.
    Object(Read),
    /// A bookmark or an error. The resource is `Other` where the object does not tell.
    Other(Resource, What),
}

/// Reads the object here as that of a watch event of this type; None if the type is unknown.
pub(crate) fn event(
    kind: &str,
    cursor: &mut Cursor<'_>,
    assumed: &Assumed,
) -> Result<Result<Option<Event>, Invalid>, Broken> {
    match kind {
        "ADDED" | "MODIFIED" | "DELETED" => Ok(cursor.object(assumed)?.map(|read| Some(Event::Object(read)))),
        "BOOKMARK" => {
            let head = Head::peek(&mut serde_json::Deserializer::from_slice(cursor.rest()));
            Ok(Ok(Some(bookmark(cursor.value()?, &head))))
        }
        "ERROR" => Ok(Ok(Some(gap(&cursor.value()?)))),
        _ => cursor.skip().map(|()| Ok(None)),
    }
}

/// The change that a watch event of this type reports.
pub(crate) fn change(kind: &str, object: Object) -> What {
    match kind {
        "ADDED" => What::Added(object),
        "DELETED" => What::Deleted(object),
        _ => What::Modified(object),
    }
}

/// What a bookmark says; the head of its object tells of which resource.
pub(crate) fn bookmark(mark: Bookmark, head: &Head) -> Event {
    let resource_version = mark.metadata.resource_version;
    Event::Other(head.resource().unwrap_or(Resource::Other), What::Bookmark { resource_version })
}

/// What an error says.
pub(crate) fn gap(status: &Status) -> Event {
    let text = status.text().unwrap_or_else(|| "the watch ended with an error".to_owned());
    Event::Other(Resource::Other, What::Gap(text))
}
