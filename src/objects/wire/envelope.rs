//! What stands around objects: the envelope of protobuf, what a list says of itself, and the answer
//! in place of an object.

use prost::Message;
use prost::bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::shape::{is_default, or_default, shape};

/// What every body in protobuf begins with.
pub(crate) const MAGIC: &[u8] = b"k8s\0";

/// `runtime.Unknown`: what follows the magic bytes.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Envelope {
    #[prost(message, optional, tag = 1)]
    pub(crate) type_meta: Option<TypeMeta>,
    #[prost(bytes = "bytes", tag = 2)]
    pub(crate) raw: Bytes,
}

shape! {
    TypeMeta {
        string api_version = 1,
        string kind = 2,
    }
}

shape! {
    /// What a list, or the object of a bookmark, says of itself.
    ListMeta {
        string resource_version = 2,
        /// Asks for the next page; empty on the last one.
        #[serde(rename = "continue")]
        string continue_token = 3,
        /// How many items follow on later pages, where the server says so.
        optional int64 remaining_item_count = 4,
    }
}

/// The object of a bookmark.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Bookmark {
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) metadata: ListMeta,
}

shape! {
    /// `meta.v1.Status`: why there is no object.
    Status {
        string message = 3,
        string reason = 4,
        optional int32 code = 6,
    }
}

impl Status {
    /// Reason and message, as far as they are given.
    pub(crate) fn text(&self) -> Option<String> {
        let said: Vec<&str> =
            [self.reason.as_str(), &self.message].into_iter().filter(|text| !text.is_empty()).collect();
        (!said.is_empty()).then(|| said.join(": "))
    }
}
