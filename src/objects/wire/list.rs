//! Lists that are decoded while their bytes arrive: only the item under way is held.

use super::envelope::ListMeta;
use super::json_list::JsonList;
use super::protobuf_list::ProtobufList;
use super::{Error, Invalid};
use crate::objects::{Object, Resource};

/// Takes an item, or why it cannot be used.
pub(crate) type Emit<'e> = dyn FnMut(Result<Object, Invalid>) + 'e;

/// Decodes the body of a list.
#[derive(Debug)]
pub struct ListDecoder(Encoding);

#[derive(Debug)]
enum Encoding {
    Protobuf(ProtobufList),
    Json(JsonList),
}

impl ListDecoder {
    /// For a list of this resource in the encoding that the server chose.
    pub fn new(resource: Resource, protobuf: bool) -> ListDecoder {
        ListDecoder(if protobuf {
            Encoding::Protobuf(ProtobufList::new(resource))
        } else {
            Encoding::Json(JsonList::new(resource))
        })
    }

    /// For a list that was asked for the metadata alone, in protobuf: its items are objects of which
    /// nothing else is set.
    pub(crate) fn metadata(resource: Resource) -> ListDecoder {
        ListDecoder(Encoding::Protobuf(ProtobufList::metadata(resource)))
    }

    /// Takes the next bytes and emits the items that they complete. An error concerns the
    /// list as a whole: nothing more can be read of it.
    pub fn push(&mut self, chunk: &[u8], emit: &mut Emit<'_>) -> Result<(), Error> {
        match &mut self.0 {
            Encoding::Protobuf(list) => list.push(chunk, emit),
            Encoding::Json(list) => list.push(chunk, emit),
        }
    }

    /// What the list says of itself, as soon as it is known: in protobuf, before its items.
    pub fn meta(&self) -> Option<&ListMeta> {
        match &self.0 {
            Encoding::Protobuf(list) => list.meta(),
            Encoding::Json(list) => list.meta(),
        }
    }

    /// Ends the list; half a list is an error.
    pub fn finish(self) -> Result<ListMeta, Error> {
        match self.0 {
            Encoding::Protobuf(list) => list.finish(),
            Encoding::Json(list) => list.finish(),
        }
    }
}
