//! How a shape of the API is declared: once, for JSON, YAML and protobuf alike.

use std::fmt::Debug;

use prost::Message;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::meta::{self, ObjectMeta};
use crate::objects::{Meta, Resource};

/// Declares a message as the `generated.proto` of k8s.io/api does, cut down to the fields that are
/// read: type, name, number. The name in JSON is the same in camelCase, or what `serde` says; the
/// fields are written in the order in which they stand here.
///
/// Absent, null and empty count alike, as in Go. Where zero differs from absent the field is
/// `optional`. A `count` is a number that decides something: whatever else stands there is named in
/// the error. A `map` is repeated pairs in protobuf.
macro_rules! shape {
    ($(#[$meta:meta])* $name:ident { $($fields:tt)* }) => {
        $crate::objects::wire::shape::shape!(@ [$(#[$meta])* $name] [] $($fields)*);
    };
    (@ $head:tt $done:tt $(#[$attr:meta])* string $field:ident = $tag:literal, $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@field $head $done
            [$(#[$attr])* #[prost(string, tag = $tag)] #[serde(deserialize_with = "or_default")]]
            $field [String] $($rest)*);
    };
    (@ $head:tt $done:tt $(#[$attr:meta])* int64 $field:ident = $tag:literal, $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@field $head $done
            [$(#[$attr])* #[prost(int64, tag = $tag)] #[serde(deserialize_with = "or_default")]]
            $field [i64] $($rest)*);
    };
    (@ $head:tt $done:tt $(#[$attr:meta])* bool $field:ident = $tag:literal, $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@field $head $done
            [$(#[$attr])* #[prost(bool, tag = $tag)] #[serde(deserialize_with = "or_default")]]
            $field [bool] $($rest)*);
    };
    (@ $head:tt $done:tt $(#[$attr:meta])* count $field:ident = $tag:literal, $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@field $head $done
            [$(#[$attr])* #[prost(int64, optional, tag = $tag)]
             #[serde(deserialize_with = "crate::objects::wire::scalar::count")]]
            $field [Option<i64>] $($rest)*);
    };
    (@ $head:tt $done:tt $(#[$attr:meta])* optional int32 $field:ident = $tag:literal, $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@field $head $done
            [$(#[$attr])* #[prost(int32, optional, tag = $tag)]] $field [Option<i32>] $($rest)*);
    };
    (@ $head:tt $done:tt $(#[$attr:meta])* optional int64 $field:ident = $tag:literal, $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@field $head $done
            [$(#[$attr])* #[prost(int64, optional, tag = $tag)]] $field [Option<i64>] $($rest)*);
    };
    (@ $head:tt $done:tt $(#[$attr:meta])* repeated string $field:ident = $tag:literal, $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@field $head $done
            [$(#[$attr])* #[prost(string, repeated, tag = $tag)] #[serde(deserialize_with = "or_default")]]
            $field [Vec<String>] $($rest)*);
    };
    (@ $head:tt $done:tt $(#[$attr:meta])* repeated $of:ident $field:ident = $tag:literal, $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@field $head $done
            [$(#[$attr])* #[prost(message, repeated, tag = $tag)] #[serde(deserialize_with = "or_default")]]
            $field [Vec<$of>] $($rest)*);
    };
    (@ $head:tt $done:tt $(#[$attr:meta])* map $of:ident $field:ident = $tag:literal, $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@ $head $done
            $(#[$attr])* map("crate::objects::wire::map") $of $field = $tag, $($rest)*);
    };
    (@ $head:tt $done:tt $(#[$attr:meta])* map($with:literal) $of:ident $field:ident = $tag:literal, $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@field $head $done
            [$(#[$attr])* #[prost(message, repeated, tag = $tag)] #[serde(with = $with)]]
            $field [Vec<$of>] $($rest)*);
    };
    (@ $head:tt $done:tt $(#[$attr:meta])* $of:ident $field:ident = $tag:literal, $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@field $head $done
            [$(#[$attr])* #[prost(message, optional, tag = $tag)]] $field [Option<$of>] $($rest)*);
    };
    (@field $head:tt [$($done:tt)*] [$($attr:tt)*] $field:ident [$type:ty] $($rest:tt)*) => {
        $crate::objects::wire::shape::shape!(@ $head [
            $($done)*
            $($attr)* #[serde(default, skip_serializing_if = "is_default")] pub $field: $type,
        ] $($rest)*);
    };
    (@ [$(#[$meta:meta])* $name:ident] [$($done:tt)*]) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, prost::Message, serde::Deserialize, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($done)* }
    };
}

pub(crate) use shape;

/// What is there, or the default for null.
pub(crate) fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    from: D,
) -> Result<T, D::Error> {
    Option::<T>::deserialize(from).map(Option::unwrap_or_default)
}

/// Whether a field need not be written.
pub(crate) fn is_default<T: Default + PartialEq>(field: &T) -> bool {
    *field == T::default()
}

/// A spec or a status.
pub(crate) trait Part: Message + Default + Debug + PartialEq + Serialize + DeserializeOwned {}

impl<T: Message + Default + Debug + PartialEq + Serialize + DeserializeOwned> Part for T {}

/// An object with the usual parts.
///
/// In protobuf kind and apiVersion stand around the object; no message of the API has these two
/// numbers.
#[derive(Clone, PartialEq, Message, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", bound = "")]
pub(crate) struct Whole<Spec: Part, Status: Part> {
    #[prost(string, tag = 10_001)]
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub(crate) api_version: String,
    #[prost(string, tag = 10_002)]
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "is_default")]
    pub(crate) kind: String,
    #[prost(message, optional, tag = 1)]
    pub(crate) metadata: Option<ObjectMeta>,
    #[prost(message, optional, tag = 2)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) spec: Option<Spec>,
    #[prost(message, optional, tag = 3)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<Status>,
}

impl<Spec: Part, Status: Part> Whole<Spec, Status> {
    /// The shape of an object of this resource.
    pub fn new(resource: Resource, of: &Meta, spec: Option<Spec>, status: Option<Status>) -> Self {
        let (api_version, kind) = (resource.api_version(), resource.kind().to_owned());
        Whole { api_version, kind, metadata: Some(meta::write(of)), spec, status }
    }
}

/// A shape that says in JSON what it is; in protobuf both are empty.
pub(crate) trait Typed {
    /// apiVersion and kind.
    fn type_meta(&self) -> (&str, &str);
}

impl<Spec: Part, Status: Part> Typed for Whole<Spec, Status> {
    fn type_meta(&self) -> (&str, &str) {
        (&self.api_version, &self.kind)
    }
}
