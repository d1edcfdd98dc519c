//! A list in JSON, decoded while its bytes arrive.

use serde::Deserialize;

use super::{Str, from_slice};
use crate::objects::Resource;
use crate::objects::json::{Invalid, Read, kind_of};
use crate::objects::list::{Emit, ListMeta};

/// Decodes a body of one list object. Its items are cut out by their brackets and parsed one
/// by one; what stands around them is put together and parsed at the end.
#[derive(Debug)]
pub struct JsonList {
    resource: Resource,
    /// The bytes of the item under way.
    item: Vec<u8>,
    /// The list without its items.
    shell: Vec<u8>,
    /// Open brackets.
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// Whether the bytes are within the items.
    in_items: bool,
    /// How many items were read.
    items: usize,
    meta: Option<ListMeta>,
}

#[derive(Deserialize)]
struct Shell<'a> {
    #[serde(borrow)]
    kind: Option<Str<'a>>,
    metadata: Option<ShellMeta<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShellMeta<'a> {
    #[serde(borrow)]
    resource_version: Option<Str<'a>>,
    #[serde(borrow, rename = "continue")]
    continue_token: Option<Str<'a>>,
    remaining_item_count: Option<i64>,
}

impl JsonList {
    /// For a list of this resource.
    pub fn new(resource: Resource) -> JsonList {
        JsonList {
            resource,
            item: Vec::new(),
            shell: Vec::new(),
            depth: 0,
            in_string: false,
            escaped: false,
            in_items: false,
            items: 0,
            meta: None,
        }
    }

    /// What the list says of itself, once that has come.
    pub fn meta(&self) -> Option<&ListMeta> {
        self.meta.as_ref()
    }

    /// Takes the next bytes and emits the items that they complete.
    pub fn push(&mut self, chunk: &[u8], emit: &mut Emit<'_>) -> Result<(), String> {
        let mut begin = 0;
        for (at, byte) in chunk.iter().enumerate() {
            if self.in_string {
                self.pass_in_string(*byte);
                continue;
            }
            match byte {
                b'"' => self.in_string = true,
                b'[' | b'{' => {
                    self.depth += 1;
                    if !self.in_items && self.depth == 2 && *byte == b'[' {
                        self.keep(chunk.get(begin..=at));
                        begin = at + 1;
                        self.in_items = self.shell_ends_with_items();
                        self.read_meta();
                    }
                }
                b']' | b'}' => {
                    self.depth = self.depth.checked_sub(1).ok_or("more brackets close than open")?;
                    if self.in_items && self.depth == 2 {
                        self.keep(chunk.get(begin..=at));
                        begin = at + 1;
                        self.emit_item(emit);
                    } else if self.in_items && self.depth == 1 {
                        // Between the last item and this bracket is nothing but space.
                        self.item.clear();
                        self.in_items = false;
                        begin = at;
                    }
                }
                _ => {}
            }
        }
        self.keep(chunk.get(begin..));
        match self.shell.trim_ascii_start().first() {
            None | Some(b'{') => Ok(()),
            Some(_) => Err("the server's answer is no JSON object".to_owned()),
        }
    }

    /// Ends the list.
    pub fn finish(self) -> Result<ListMeta, String> {
        let shell: Shell<'_> = serde_json::from_slice(&self.shell).map_err(|error| match error.is_eof() {
            true => "the list is cut off".to_owned(),
            false => format!("the list cannot be read: {error}"),
        })?;
        let wanted = format!("{}List", kind_of(self.resource));
        match shell.kind {
            Some(kind) if kind.0 != wanted => {
                return Err(format!("the server answered with a {} instead of a {wanted}", kind.0));
            }
            _ => {}
        }
        Ok(shell.metadata.ok_or("the list has no metadata")?.into())
    }

    fn pass_in_string(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => self.in_string = false,
            _ => {}
        }
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
        let shell = serde_json::from_slice::<Shell<'_>>(&whole).ok();
        self.meta = shell.and_then(|shell| shell.metadata).map(ListMeta::from);
    }

    fn emit_item(&mut self, emit: &mut Emit<'_>) {
        let index = self.items;
        self.items += 1;
        let json = self.item.trim_ascii_start();
        let json = json.strip_prefix(b",").unwrap_or(json);
        emit(match from_slice(json, Some(self.resource)) {
            Ok(Read::Object(object)) => Ok(object),
            Ok(Read::Ignored(kind)) => Err(Invalid { object: Some(kind), text: "is not read".to_owned() }),
            Err(invalid) => Err(invalid.in_list(index)),
        });
        self.item.clear();
    }
}

impl From<ShellMeta<'_>> for ListMeta {
    fn from(from: ShellMeta<'_>) -> ListMeta {
        let text = |s: Option<Str<'_>>| s.map(|s| s.0.into_owned()).unwrap_or_default();
        ListMeta {
            resource_version: text(from.resource_version),
            continue_token: text(from.continue_token),
            remaining: from.remaining_item_count,
        }
    }
}
