//! A list in protobuf, decoded while its bytes arrive.

use prost::Message;

use super::envelope::{ListMeta, MAGIC, TypeMeta};
use super::list::Emit;
use super::object::from_protobuf;
use super::{Error, Invalid};
use crate::objects::Resource;

/// Longer fields are not believed: etcd does not hold such objects.
const LONGEST: u64 = 1 << 28;

/// Decodes a body of `k8s\0`, the envelope and the list within.
#[derive(Debug)]
pub struct ProtobufList {
    resource: Resource,
    /// The kind of the list that was asked for.
    kind: String,
    /// The beginning of a field that is not complete.
    held: Vec<u8>,
    place: Place,
    /// How many items were read.
    items: usize,
    meta: Option<ListMeta>,
}

/// Where in the body the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the envelope.
    Start,
    /// Between fields of the envelope, before the list.
    Envelope,
    /// Between fields of the list, of which so many bytes are left.
    List(usize),
    /// Behind the list.
    Tail,
}

/// What stands next.
enum Step<'b> {
    /// A field whose content is complete, and where it ends.
    Field(u64, &'b [u8], usize),
    /// The content of the envelope's list begins: its length, and where.
    List(usize, usize),
    /// More bytes are needed.
    More,
}

impl ProtobufList {
    /// For a list of this resource.
    pub fn new(resource: Resource) -> ProtobufList {
        let kind = format!("{}List", resource.kind());
        ProtobufList { resource, kind, held: Vec::new(), place: Place::Start, items: 0, meta: None }
    }

    pub(crate) fn metadata(resource: Resource) -> ProtobufList {
        ProtobufList { kind: "PartialObjectMetadataList".to_owned(), ..ProtobufList::new(resource) }
    }

    pub fn meta(&self) -> Option<&ListMeta> {
        self.meta.as_ref()
    }

    pub fn push(&mut self, chunk: &[u8], emit: &mut Emit<'_>) -> Result<(), Error> {
        if self.held.is_empty() {
            let used = self.take(chunk, emit)?;
            self.held.extend_from_slice(chunk.get(used..).unwrap_or_default());
            return Ok(());
        }
        let mut held = std::mem::take(&mut self.held);
        held.extend_from_slice(chunk);
        let used = self.take(&held, emit)?;
        held.drain(..used);
        self.held = held;
        Ok(())
    }

    pub fn finish(self) -> Result<ListMeta, Error> {
        match (self.place, self.meta) {
            (Place::List(0) | Place::Tail, Some(meta)) if self.held.is_empty() => Ok(meta),
            (Place::List(0) | Place::Tail, None) => Err(Error::NoListMeta),
            _ => Err(Error::CutList),
        }
    }

    /// Reads as many fields as are complete; says how many bytes they take.
    fn take(&mut self, bytes: &[u8], emit: &mut Emit<'_>) -> Result<usize, Error> {
        let mut used = 0;
        if self.place == Place::Start {
            let Some(start) = bytes.get(..MAGIC.len()) else { return Ok(0) };
            if start != MAGIC {
                return Err(Error::NotProtobuf);
            }
            self.place = Place::Envelope;
            used = MAGIC.len();
        }
        loop {
            if self.place == Place::List(0) {
                self.place = Place::Tail;
            }
            let rest = bytes.get(used..).unwrap_or_default();
            match step(rest, self.place)? {
                Step::More => return Ok(used),
                Step::List(length, begin) => {
                    self.place = Place::List(length);
                    used += begin;
                }
                Step::Field(number, content, end) => {
                    self.field(number, content, emit)?;
                    if let Place::List(left) = &mut self.place {
                        *left =
                            left.checked_sub(end).ok_or_else(|| bad("a field reaches beyond the list"))?;
                    }
                    used += end;
                }
            }
        }
    }

    fn field(&mut self, number: u64, content: &[u8], emit: &mut Emit<'_>) -> Result<(), Error> {
        match (self.place, number) {
            (Place::Envelope, 1) => {
                let said = TypeMeta::decode(content)?;
                if said.kind != self.kind {
                    return Err(Error::OtherList { found: said.kind, wanted: self.kind.clone() });
                }
            }
            (Place::List(_), 1) => {
                self.meta = Some(ListMeta::decode(content)?);
            }
            (Place::List(_), 2) => {
                let index = self.items;
                self.items += 1;
                emit(
                    from_protobuf(self.resource, content).map_err(|invalid: Invalid| invalid.in_list(index)),
                );
            }
            _ => {}
        }
        Ok(())
    }
}

/// The field that stands next.
fn step(bytes: &[u8], place: Place) -> Result<Step<'_>, Error> {
    let Some((key, start)) = varint(bytes)? else { return Ok(Step::More) };
    let rest = bytes.get(start..).unwrap_or_default();
    let (begin, length) = match key & 7 {
        0 => match varint(rest)? {
            Some((_, length)) => (start, length),
            None => return Ok(Step::More),
        },
        1 => (start, 8),
        5 => (start, 4),
        2 => {
            let Some((length, prefix)) = varint(rest)? else { return Ok(Step::More) };
            let is_list = place == Place::Envelope && key >> 3 == 2;
            if length > LONGEST && !is_list {
                return Err(bad(format!("a field of {length} bytes is too long")));
            }
            let length = usize::try_from(length).map_err(|_| bad("a length is out of range"))?;
            if is_list {
                return Ok(Step::List(length, start + prefix));
            }
            (start + prefix, length)
        }
        other => return Err(bad(format!("unknown wire type {other}"))),
    };
    Ok(match bytes.get(begin..begin + length) {
        Some(content) => Step::Field(key >> 3, content, begin + length),
        None => Step::More,
    })
}

/// A number of variable length and how many bytes it takes; None if it is not complete.
fn varint(bytes: &[u8]) -> Result<Option<(u64, usize)>, Error> {
    let mut value = 0u64;
    for (at, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Ok(Some((value, at + 1)));
        }
    }
    if bytes.len() < 10 { Ok(None) } else { Err(bad("a number is too long")) }
}

fn bad(what: impl Into<String>) -> Error {
    Error::BadList(what.into())
}
