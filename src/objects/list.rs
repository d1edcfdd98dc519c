//! Lists that are decoded while their bytes arrive: only the item under way is held.

use super::json::{Invalid, JsonList};
use super::protobuf::ProtobufList;
use super::{Object, Resource};

/// What a list says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListMeta {
    /// The version of the list.
    pub resource_version: String,
    /// Asks for the next page; empty on the last one.
    pub continue_token: String,
    /// How many items follow on later pages, where the server says so.
    pub remaining: Option<i64>,
}

/// Takes an item, or why it cannot be used.
pub type Emit<'e> = dyn FnMut(Result<Object, Invalid>) + 'e;

/// Decodes the body of a list.
#[derive(Debug)]
pub enum ListDecoder {
    /// A body in protobuf.
    Protobuf(ProtobufList),
    /// A body in JSON.
    Json(JsonList),
}

impl ListDecoder {
    /// For a list of this resource in the encoding that the server chose.
    pub fn new(resource: Resource, protobuf: bool) -> ListDecoder {
        match protobuf {
            true => ListDecoder::Protobuf(ProtobufList::new(resource)),
            false => ListDecoder::Json(JsonList::new(resource)),
        }
    }

    /// For a list that was asked for the metadata alone, in protobuf: its items are objects of which
    /// nothing else is set.
    pub fn metadata(resource: Resource) -> ListDecoder {
        ListDecoder::Protobuf(ProtobufList::metadata(resource))
    }

    /// Takes the next bytes and emits the items that they complete. An error concerns the
    /// list as a whole: nothing more can be read of it.
    pub fn push(&mut self, chunk: &[u8], emit: &mut Emit<'_>) -> Result<(), String> {
        match self {
            ListDecoder::Protobuf(list) => list.push(chunk, emit),
            ListDecoder::Json(list) => list.push(chunk, emit),
        }
    }

    /// What the list says of itself, as soon as it is known: in protobuf, before its items.
    pub fn meta(&self) -> Option<&ListMeta> {
        match self {
            ListDecoder::Protobuf(list) => list.meta(),
            ListDecoder::Json(list) => list.meta(),
        }
    }

    /// Ends the list; half a list is an error.
    pub fn finish(self) -> Result<ListMeta, String> {
        match self {
            ListDecoder::Protobuf(list) => list.finish(),
            ListDecoder::Json(list) => list.finish(),
        }
    }
}
