//! A list in JSON, decoded while its bytes arrive.

use serde::Deserialize;

use super::brackets::{Brackets, Edge};
use super::envelope::ListMeta;
use super::list::Emit;
use super::object::{Read, from_slice};
use super::shape::or_default;
use super::{Error, Invalid};
use crate::objects::Resource;

/// Decodes a body of one list object. Its items are cut out by their brackets and parsed one
/// by one; what stands around them is put together and parsed at the end.
#[derive(Debug)]
pub struct JsonList {
    resource: Resource,
    /// The bytes of the item under way.
    item: Vec<u8>,
    /// The list without its items.
    shell: Vec<u8>,
    brackets: Brackets,
    /// Whether the bytes are within the items.
    in_items: bool,
    /// How many items were read.
    items: usize,
    meta: Option<ListMeta>,
}

#[derive(Deserialize)]
struct Shell {
    #[serde(default, deserialize_with = "or_default")]
    kind: String,
    metadata: Option<ListMeta>,
}

impl JsonList {
    /// For a list of this resource.
    pub fn new(resource: Resource) -> JsonList {
        JsonList {
            resource,
            item: Vec::new(),
            shell: Vec::new(),
            brackets: Brackets::default(),
            in_items: false,
            items: 0,
            meta: None,
        }
    }

    pub fn meta(&self) -> Option<&ListMeta> {
        self.meta.as_ref()
    }

    pub fn push(&mut self, chunk: &[u8], emit: &mut Emit<'_>) -> Result<(), Error> {
        let mut begin = 0;
        for (at, byte) in chunk.iter().enumerate() {
            match self.brackets.pass(*byte) {
                None => {}
                Some(Edge::Open(2)) if !self.in_items && *byte == b'[' => {
                    self.keep(chunk.get(begin..=at));
                    begin = at + 1;
                    self.in_items = self.shell_ends_with_items();
                    self.read_meta();
                }
                Some(Edge::Close(2)) if self.in_items => {
                    self.keep(chunk.get(begin..=at));
                    begin = at + 1;
                    self.emit_item(emit);
                }
                Some(Edge::Close(1)) if self.in_items => {
                    // Between the last item and this bracket is nothing but space.
                    self.item.clear();
                    self.in_items = false;
                    begin = at;
                }
                Some(Edge::Open(_) | Edge::Close(_)) => {}
                Some(Edge::Excess) => return Err(Error::BadList("more brackets close than open".to_owned())),
            }
        }
        self.keep(chunk.get(begin..));
        match self.shell.trim_ascii_start().first() {
            None | Some(b'{') => Ok(()),
            Some(_) => Err(Error::NotJson),
        }
    }

    pub fn finish(self) -> Result<ListMeta, Error> {
        let shell: Shell = serde_json::from_slice(&self.shell).map_err(|error| {
            if error.is_eof() { Error::CutList } else { Error::BadList(error.to_string()) }
        })?;
        let wanted = format!("{}List", self.resource.kind());
        if !shell.kind.is_empty() && shell.kind != wanted {
            return Err(Error::OtherList { found: shell.kind, wanted });
        }
        shell.metadata.ok_or(Error::NoListMeta)
    }

    fn keep(&mut self, bytes: Option<&[u8]>) {
        let to = if self.in_items { &mut self.item } else { &mut self.shell };
        to.extend_from_slice(bytes.unwrap_or_default());
    }

    /// Whether the list that opens here is that of the items.
    fn shell_ends_with_items(&self) -> bool {
        let before = self.shell.strip_suffix(b"[").unwrap_or_default().trim_ascii_end();
        let before = before.strip_suffix(b":").unwrap_or_default().trim_ascii_end();
        before.ends_with(b"\"items\"")
    }

    /// Reads what stands before the items, if that is all that is needed.
    fn read_meta(&mut self) {
        let whole = [self.shell.as_slice(), b"]}"].concat();
        self.meta = serde_json::from_slice::<Shell>(&whole).ok().and_then(|shell| shell.metadata);
    }

    fn emit_item(&mut self, emit: &mut Emit<'_>) {
        let index = self.items;
        self.items += 1;
        let json = self.item.trim_ascii_start();
        let json = json.strip_prefix(b",").unwrap_or(json);
        emit(match from_slice(json, Some(self.resource)) {
            Ok(Read::Object(object)) => Ok(object),
            Ok(Read::Ignored(kind)) => Err(Invalid { object: Some(kind), error: Error::UnknownKind }),
            Err(invalid) => Err(invalid.in_list(index)),
        });
        self.item.clear();
    }
}
