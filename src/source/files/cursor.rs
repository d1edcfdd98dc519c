//! Walks JSON by hand where the pieces are large: the members of a list, its items.
//!
//! serde's `DeserializeSeed` over the items was looked at: with it a token that is not JSON (`NaN`) in
//! one item ends the whole list, and to cut items out as `RawValue` first reads each of them twice.
//!
//! Each piece is parsed by serde_json from its own offset. So an object is kept or refused by
//! itself, and nothing of a large list is held twice.

use std::borrow::Cow;

use serde::de::{Deserialize, IgnoredAny};
use serde_json::de::{Deserializer, SliceRead};

use super::intake::Unreadable;
use crate::objects::Resource;
use crate::objects::wire::brackets::{Brackets, Edge};
use crate::objects::wire::{self, Head, Invalid, Read};
use crate::source::Error;

/// A place in JSON text.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Why the text cannot be read on.
#[derive(Debug)]
pub(crate) struct Broken {
    /// Whether the text ends too early.
    pub(crate) cut: bool,
    /// The line, counted from 1.
    pub(crate) line: usize,
    /// What is wrong.
    pub(crate) what: Unreadable,
}

/// What is known of an object's kind from what stands around it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Assumed {
    /// The object itself must tell.
    Nothing,
    /// Objects of this resource.
    Known(Resource),
    /// Objects of a kind that is not read.
    Ignored(String),
}

impl Assumed {
    fn resource(&self) -> Option<Resource> {
        match self {
            Assumed::Known(resource) => Some(*resource),
            _ => None,
        }
    }
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Cursor { bytes, at: 0 }
    }

    /// The text from here on.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The next byte that is not white space.
    pub fn next(&mut self) -> Option<u8> {
        let space = self.rest().iter().take_while(|b| b" \t\r\n".contains(b)).count();
        self.at += space;
        self.bytes.get(self.at).copied()
    }

    /// Passes this byte if it comes next.
    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// The next key of an object whose brace is passed; None at its end. Then the cursor
    /// stands at the value, or behind the object.
    pub fn key(&mut self) -> Result<Option<Cow<'a, str>>, Broken> {
        if self.eat(b'}') {
            return Ok(None);
        }
        self.eat(b',');
        let key = self.value::<wire::Str<'a>>()?;
        if self.eat(b':') { Ok(Some(key.0)) } else { Err(self.unexpected("a colon")) }
    }

    /// Whether another element of a list follows whose bracket is passed.
    pub(crate) fn element(&mut self) -> Result<bool, Broken> {
        if self.eat(b']') {
            return Ok(false);
        }
        self.eat(b',');
        match self.next() {
            Some(b',' | b']' | b'}' | b':') | None => Err(self.unexpected("an element")),
            Some(_) => Ok(true),
        }
    }

    /// Parses the value here and passes it; does not move on an error.
    pub fn parse<T>(
        &mut self,
        parse: impl FnOnce(&mut Deserializer<SliceRead<'a>>) -> serde_json::Result<T>,
    ) -> Result<T, serde_json::Error> {
        self.next();
        let mut json = Deserializer::from_slice(self.rest());
        let value = parse(&mut json)?;
        self.at += json.into_iter::<IgnoredAny>().byte_offset();
        Ok(value)
    }

    /// A value that the walk cannot do without.
    pub(crate) fn value<T: Deserialize<'a>>(&mut self) -> Result<T, Broken> {
        self.parse(|json| T::deserialize(json)).map_err(|error| self.broken(&error))
    }

    /// Passes a value.
    pub(crate) fn skip(&mut self) -> Result<(), Broken> {
        self.value::<IgnoredAny>().map(|_| ())
    }

    /// Passes the rest of an object whose brace is passed.
    pub(crate) fn skip_members(&mut self) -> Result<(), Broken> {
        while self.key()?.is_some() {
            self.skip()?;
        }
        Ok(())
    }

    /// Reads the object here. The outer error means that its end is not found.
    pub(crate) fn object(&mut self, assumed: &Assumed) -> Result<Result<Read, Invalid>, Broken> {
        if self.next() != Some(b'{') {
            self.skip()?;
            return Ok(Err(Invalid { object: None, error: wire::Error::NotAnObject }));
        }
        if let Some(read) = self.quick_object(assumed) {
            return Ok(Ok(read));
        }
        let Some(end) = self.end_of_object() else {
            let object = wire::identify(assumed.resource(), &mut Deserializer::from_slice(self.rest()));
            let what = Unreadable { object, error: Error::CutObject };
            return Err(Broken { cut: true, line: self.line(), what });
        };
        let whole = self.bytes.get(self.at..end).unwrap_or_default();
        self.at = end;
        Ok(wire::from_slice(whole, assumed.resource()))
    }

    /// The object here if there is nothing wrong with it.
    fn quick_object(&mut self, assumed: &Assumed) -> Option<Read> {
        let resource = match assumed {
            Assumed::Known(resource) => *resource,
            Assumed::Ignored(kind) => return self.skip().ok().map(|()| Read::Ignored(kind.clone())),
            Assumed::Nothing => {
                let head = Head::peek(&mut Deserializer::from_slice(self.rest()));
                match head.resource() {
                    Some(resource) => resource,
                    None => {
                        let kind = head.full_kind()?;
                        return self.skip().ok().map(|()| Read::Ignored(kind));
                    }
                }
            }
        };
        let start = self.at;
        match self.parse(|json| wire::read_as(resource, json)) {
            Ok(Ok(object)) => Some(Read::Object(object)),
            _ => {
                self.at = start;
                None
            }
        }
    }

    /// Where the object or list that begins here ends, told by its brackets alone.
    fn end_of_object(&self) -> Option<usize> {
        let mut brackets = Brackets::default();
        let end = self.rest().iter().position(|byte| brackets.pass(*byte) == Some(Edge::Close(0)))?;
        Some(self.at + end + 1)
    }

    /// The line here, counted from 1.
    pub(crate) fn line(&self) -> usize {
        self.bytes.iter().take(self.at).filter(|b| **b == b'\n').count() + 1
    }

    fn broken(&self, error: &serde_json::Error) -> Broken {
        let text = error.to_string();
        let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text).to_owned();
        let what = if error.is_eof() { Error::Cut(text) } else { Error::Json(text) };
        let line = self.line() + error.line().saturating_sub(1);
        Broken { cut: error.is_eof(), line, what: what.into() }
    }

    /// An error at this place.
    pub(crate) fn bad(&self, error: Error) -> Broken {
        Broken { cut: false, line: self.line(), what: error.into() }
    }

    /// Says what stands here instead of what is wanted.
    pub(crate) fn unexpected(&mut self, wanted: &'static str) -> Broken {
        match self.next() {
            None => Broken { cut: true, ..self.bad(Error::CutBefore(wanted)) },
            Some(byte) => self.bad(Error::Unexpected { found: char::from(byte), wanted }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_broken_object_is_told_by_its_brackets_outside_strings() {
        let end = |text: &str| Cursor::new(text.as_bytes()).end_of_object();
        assert_eq!(end(r#"{"a":[1,{}]} x"#), Some(12));
        assert_eq!(end(r#"{"a":NaN,"b":"}\"}\\"}"#), Some(22));
        assert_eq!(end(r#"{"a":"\"#), None);
        assert_eq!(end("{{}"), None);
    }

    #[test]
    fn reading_goes_on_behind_an_object_that_is_refused() {
        let text = br#"[{"kind":"Pod","metadata":{"name":NaN}}, {"kind":"Pod","metadata":{"name":"b"}}]"#;
        let mut cursor = Cursor::new(text);
        assert!(cursor.eat(b'['));
        assert!(cursor.element().unwrap());
        assert!(cursor.object(&Assumed::Nothing).unwrap().is_err());
        assert!(cursor.element().unwrap());
        assert!(
            matches!(cursor.object(&Assumed::Nothing).unwrap(), Ok(Read::Object(o)) if o.meta().name == "b")
        );
        assert!(!cursor.element().unwrap());
        assert_eq!(cursor.next(), None);
    }
}
