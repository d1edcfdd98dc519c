//! A list in protobuf, decoded while its bytes arrive.

use prost::Message;

use super::{MAGIC, read_as, wire};
use crate::objects::Resource;
use crate::objects::json::{Invalid, kind_of};
use crate::objects::list::{Emit, ListMeta};

/// Longer fields are not believed: etcd does not hold such objects.
const LONGEST: u64 = 1 << 28;

const CUT: &str = "the list is cut off";

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
        let kind = format!("{}List", kind_of(resource));
        ProtobufList { resource, kind, held: Vec::new(), place: Place::Start, items: 0, meta: None }
    }

    /// For a list of the metadata of this resource.
    pub fn metadata(resource: Resource) -> ProtobufList {
        ProtobufList { kind: "PartialObjectMetadataList".to_owned(), ..ProtobufList::new(resource) }
    }

    /// What the list says of itself, once that has come.
    pub fn meta(&self) -> Option<&ListMeta> {
        self.meta.as_ref()
    }

    /// Takes the next bytes and emits the items that they complete.
    pub fn push(&mut self, chunk: &[u8], emit: &mut Emit<'_>) -> Result<(), String> {
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

    /// Ends the list.
    pub fn finish(self) -> Result<ListMeta, String> {
        match (self.place, self.meta) {
            (Place::List(0) | Place::Tail, Some(meta)) if self.held.is_empty() => Ok(meta),
            (Place::List(0) | Place::Tail, None) => Err("the list has no metadata".to_owned()),
            _ => Err(CUT.to_owned()),
        }
    }

    /// Reads as many fields as are complete; says how many bytes they take.
    fn take(&mut self, bytes: &[u8], emit: &mut Emit<'_>) -> Result<usize, String> {
        let mut used = 0;
        if self.place == Place::Start {
            let Some(start) = bytes.get(..MAGIC.len()) else { return Ok(0) };
            if start != MAGIC {
                return Err("is not Kubernetes protobuf".to_owned());
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
                        *left = left.checked_sub(end).ok_or("a field reaches beyond the list")?;
                    }
                    used += end;
                }
            }
        }
    }

    fn field(&mut self, number: u64, content: &[u8], emit: &mut Emit<'_>) -> Result<(), String> {
        match (self.place, number) {
            (Place::Envelope, 1) => {
                let said = wire::TypeMeta::decode(content).map_err(|error| error.to_string())?;
                let wanted = &self.kind;
                if said.kind != *wanted {
                    return Err(format!("the server answered with a {} instead of a {wanted}", said.kind));
                }
            }
            (Place::List(_), 1) => {
                let meta = wire::ListMeta::decode(content).map_err(|error| error.to_string())?;
                let wire::ListMeta { resource_version, continue_token, remaining } = meta;
                self.meta = Some(ListMeta { resource_version, continue_token, remaining });
            }
            (Place::List(_), 2) => {
                let index = self.items;
                self.items += 1;
                emit(read_as(self.resource, content).map_err(|invalid: Invalid| invalid.in_list(index)));
            }
            _ => {}
        }
        Ok(())
    }
}

/// The field that stands next.
fn step(bytes: &[u8], place: Place) -> Result<Step<'_>, String> {
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
                return Err(format!("a field of {length} bytes is not believed"));
            }
            let length = usize::try_from(length).map_err(|_| "a length is out of range")?;
            if is_list {
                return Ok(Step::List(length, start + prefix));
            }
            (start + prefix, length)
        }
        other => return Err(format!("wire type {other} is not known")),
    };
    Ok(match bytes.get(begin..begin + length) {
        Some(content) => Step::Field(key >> 3, content, begin + length),
        None => Step::More,
    })
}

/// A number of variable length and how many bytes it takes; None if it is not complete.
fn varint(bytes: &[u8]) -> Result<Option<(u64, usize)>, String> {
    let mut value = 0u64;
    for (at, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Ok(Some((value, at + 1)));
        }
    }
    if bytes.len() < 10 { Ok(None) } else { Err("a number is too long".to_owned()) }
}
