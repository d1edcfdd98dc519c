//! Maps of strings: an object in JSON, repeated pairs in protobuf. They keep the order written.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Serialize, Serializer};

use super::scalar::{Quantity, Str};
use super::shape::{is_default, or_default, shape};
use crate::objects::Labels;

shape! {
    Pair {
        string key = 1,
        string value = 2,
    }
}

shape! {
    QuantityPair {
        string key = 1,
        Quantity value = 2,
    }
}

/// An entry of a map.
pub(crate) trait Entry {
    type Value: Default;

    fn new(key: String, value: Self::Value) -> Self;
    fn parts(&self) -> (&str, &Self::Value);
}

impl Entry for Pair {
    type Value = String;

    fn new(key: String, value: String) -> Pair {
        Pair { key, value }
    }

    fn parts(&self) -> (&str, &String) {
        (&self.key, &self.value)
    }
}

impl Entry for QuantityPair {
    type Value = Option<Quantity>;

    fn new(key: String, value: Option<Quantity>) -> QuantityPair {
        QuantityPair { key, value }
    }

    fn parts(&self) -> (&str, &Option<Quantity>) {
        (&self.key, &self.value)
    }
}

pub(crate) fn serialize<E: Entry<Value: Serialize>, S: Serializer>(
    entries: &[E],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(entries.iter().map(Entry::parts))
}

pub(crate) fn deserialize<'de, E, D>(from: D) -> Result<Vec<E>, D::Error>
where
    E: Entry<Value: Deserialize<'de>>,
    D: Deserializer<'de>,
{
    struct Entries<E>(PhantomData<E>);

    impl<'de, E: Entry<Value: Deserialize<'de>>> Visitor<'de> for Entries<E> {
        type Value = Vec<E>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map")
        }

        fn visit_none<X: serde::de::Error>(self) -> Result<Vec<E>, X> {
            Ok(Vec::new())
        }

        fn visit_unit<X: serde::de::Error>(self) -> Result<Vec<E>, X> {
            Ok(Vec::new())
        }

        fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Vec<E>, D::Error> {
            from.deserialize_map(self)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<E>, A::Error> {
            let mut entries = Vec::new();
            while let Some((key, value)) = map.next_entry::<String, Option<E::Value>>()? {
                entries.push(E::new(key, value.unwrap_or_default()));
            }
            Ok(entries)
        }
    }

    from.deserialize_option(Entries(PhantomData))
}

/// Reads the entries with these keys; the values of all others are skipped.
pub(crate) fn only<'de, D: Deserializer<'de>>(
    keys: &'static [&'static str],
    from: D,
) -> Result<Vec<Pair>, D::Error> {
    struct Known(&'static [&'static str]);

    impl<'de> Visitor<'de> for Known {
        type Value = Vec<Pair>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a map")
        }

        fn visit_none<E: serde::de::Error>(self) -> Result<Vec<Pair>, E> {
            Ok(Vec::new())
        }

        fn visit_unit<E: serde::de::Error>(self) -> Result<Vec<Pair>, E> {
            Ok(Vec::new())
        }

        fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Vec<Pair>, D::Error> {
            from.deserialize_map(self)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<Pair>, A::Error> {
            let mut kept = Vec::new();
            while let Some(key) = map.next_key::<Str<'de>>()? {
                if self.0.contains(&&*key.0) {
                    let value = map.next_value::<Option<String>>()?.unwrap_or_default();
                    kept.push(Pair { key: key.0.into_owned(), value });
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            Ok(kept)
        }
    }

    from.deserialize_option(Known(keys))
}

/// Labels, or a selector of a plain map.
pub(crate) fn labels(from: Vec<Pair>) -> Labels {
    from.into_iter().map(|pair| (pair.key, pair.value)).collect()
}

pub(crate) fn write_labels(from: &Labels) -> Vec<Pair> {
    from.iter().map(|(key, value)| Pair { key: key.to_owned(), value: value.to_owned() }).collect()
}

/// Quantities by resource, as written.
pub(crate) fn quantities(from: Vec<QuantityPair>) -> Vec<(String, String)> {
    from.into_iter().map(|pair| (pair.key, pair.value.unwrap_or_default().text)).collect()
}

pub(crate) fn write_quantities(from: &[(String, String)]) -> Vec<QuantityPair> {
    let pair = |(key, text): &(String, String)| QuantityPair {
        key: key.clone(),
        value: Some(Quantity { text: text.clone() }),
    };
    from.iter().map(pair).collect()
}
