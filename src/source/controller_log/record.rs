//! One record of klog, whether text or JSON: a message and fields.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::clock::Written;
use super::klog;
use crate::objects::wire::Str;
use crate::objects::{Key, OwnerKind};

/// A message with its fields.
pub(crate) struct Record<'a> {
    /// The message, unquoted.
    pub(crate) message: Cow<'a, str>,
    fields: Fields<'a>,
}

enum Fields<'a> {
    Text(&'a str),
    Json(Vec<(Cow<'a, str>, &'a RawValue)>),
}

impl<'a> Record<'a> {
    /// What stands behind the head of a line of text.
    pub(crate) fn text(text: &'a str) -> Option<Record<'a>> {
        let (message, fields) = klog::message(text)?;
        Some(Record { message, fields: Fields::Text(fields) })
    }

    /// A line of JSON, and when it was written.
    pub(crate) fn json(line: &'a [u8]) -> Option<(Record<'a>, Option<Written>)> {
        let mut members = Members::default();
        if serde_json::Deserializer::from_slice(line).deserialize_map(&mut members).is_err() {
            // A line that was cut still says what stands before the cut; its last value may be
            // half a number.
            members.0.pop();
        }
        let Members(members) = members;
        let mut record = Record { message: Cow::Borrowed(""), fields: Fields::Json(members) };
        let written = record.get("ts").and_then(|ts| written(&ts));
        record.message = Cow::Owned(record.get("msg")?.into_owned());
        Some((record, written))
    }

    /// A field; of a string its text, of anything else how it stands there.
    pub fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        match &self.fields {
            Fields::Text(fields) => klog::field(fields, name),
            Fields::Json(members) => {
                let raw = members.iter().find(|(key, _)| key == name)?.1.get();
                if raw.starts_with('"') {
                    return serde_json::from_str::<String>(raw).ok().map(Cow::Owned);
                }
                Some(Cow::Borrowed(raw))
            }
        }
    }

    /// A whole number.
    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.parse().ok()
    }

    /// An object: `ns/name`, in JSON also `{"name":...,"namespace":...}`.
    pub fn key(&self, name: &str) -> Option<Key> {
        key(&self.get(name)?)
    }

    /// Whether it has a logger at all.
    pub(crate) fn has_logger(&self) -> bool {
        self.get("logger").is_some()
    }

    /// Which controller wrote it, as far as the line tells; Err if it was another than those of
    /// ReplicaSets and ReplicationControllers.
    pub(crate) fn owner(&self) -> Result<Option<OwnerKind>, Foreign> {
        let by_kind = self.get("kind").and_then(|kind| kind_of(&kind));
        let Some(logger) = self.get("logger") else { return Ok(by_kind) };
        match logger.split('.').next() {
            None | Some("" | "UnhandledError") => Ok(by_kind),
            Some(logger) => controller(logger).map(Some).ok_or(Foreign),
        }
    }
}

/// Another controller's line.
pub(crate) struct Foreign;

/// The controller of this name, as loggers and start-up lines have it.
pub fn controller(name: &str) -> Option<OwnerKind> {
    match name.strip_suffix("-controller").unwrap_or(name) {
        "replicaset" => Some(OwnerKind::ReplicaSet),
        "replicationcontroller" | "replication" => Some(OwnerKind::ReplicationController),
        _ => None,
    }
}

/// The kind of this name.
pub(crate) fn kind_of(kind: &str) -> Option<OwnerKind> {
    match kind {
        "ReplicaSet" => Some(OwnerKind::ReplicaSet),
        "ReplicationController" => Some(OwnerKind::ReplicationController),
        _ => None,
    }
}

/// Namespace and name from `ns/name` or from JSON.
pub fn key(text: &str) -> Option<Key> {
    #[derive(Deserialize)]
    struct Object<'a> {
        #[serde(borrow)]
        name: Cow<'a, str>,
        #[serde(borrow, default)]
        namespace: Cow<'a, str>,
    }
    if text.starts_with('{') {
        let object: Object<'_> = serde_json::from_str(text).ok()?;
        return (is_name(&object.name) && is_name(&object.namespace))
            .then(|| Key::new(&*object.namespace, &*object.name));
    }
    let (namespace, name) = text.split_once('/')?;
    (is_name(namespace) && is_name(name)).then(|| Key::new(namespace, name))
}

/// Whether the API server takes it as a name; what is damaged is none.
pub(crate) fn is_name(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    !text.is_empty() && text.len() <= 253 && text.bytes().all(allowed)
}

/// Names of pods in `["ns/a","ns/b"]`, in JSON also objects, or `[ns/a ns/b]` as printf has it.
pub fn pods(list: &str) -> Option<Vec<String>> {
    let name = |text: &str| Some(key(text.trim_matches('"'))?.name);
    if let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(list) {
        return items.iter().map(|item| name(item.get())).collect();
    }
    let inner = list.strip_prefix('[')?.strip_suffix(']')?;
    inner.split([' ', ',']).filter(|item| !item.is_empty()).map(name).collect()
}

/// Milliseconds since 1970 with a fraction, or a whole time. Whole microseconds are as exact as
/// such a number is.
fn written(ts: &str) -> Option<Written> {
    let Ok(millis) = ts.parse::<f64>() else { return klog::instant(ts.as_bytes()).map(Written::Instant) };
    if !millis.is_finite() {
        return None;
    }
    let micros = (millis.fract() * 1e3).round() as i64;
    let micros = (millis.trunc() as i64).checked_mul(1000)?.checked_add(micros)?;
    jiff::Timestamp::from_microsecond(micros).ok().map(Written::Instant)
}

/// The members of a JSON object, in their order.
#[derive(Default)]
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Visitor<'de> for &mut Members<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((key, value)) = map.next_entry::<Str<'de>, &'de RawValue>()? {
            self.0.push((key.0, value));
        }
        Ok(())
    }
}
