//! Values that JSON and protobuf write differently, each read and written in both.

use std::borrow::Cow;
use std::fmt;

use jiff::Timestamp;
use prost::bytes::{Buf, BufMut};
use prost::encoding::{DecodeContext, WireType, int32, int64, skip_field};
use prost::{DecodeError, Message};
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

use super::Error;

/// A string in JSON, borrowed from the input if it holds no escape. (`Option<Cow<str>>` would always
/// be copied.)
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Str<'a>(pub(crate) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;

        impl<'de> Visitor<'de> for Text {
            type Value = Str<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Str(Cow::Borrowed(text)))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Str(Cow::Owned(text.to_owned())))
            }
        }

        from.deserialize_str(Text)
    }
}

/// A time: RFC 3339 in JSON, seconds and nanoseconds since 1970 in protobuf. There an empty message
/// is Go's zero time, which stands for none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Time {
    seconds: Option<i64>,
    nanos: i32,
}

impl From<Timestamp> for Time {
    fn from(at: Timestamp) -> Time {
        Time { seconds: Some(at.as_second()), nanos: at.subsec_nanosecond() }
    }
}

impl Time {
    /// The instant, if there is one; the error names the field.
    pub fn read(field: &'static str, time: Option<Time>) -> Result<Option<Timestamp>, Error> {
        let Some((seconds, nanos)) = time.and_then(|t| Some((t.seconds?, t.nanos))) else { return Ok(None) };
        Timestamp::new(seconds, nanos).map(Some).map_err(|_| Error::OutOfTime { field, seconds })
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = Str::deserialize(from)?.0;
        let at = text.parse::<Timestamp>();
        at.map(Time::from).map_err(|_| D::Error::custom(format_args!("{text:?} is not an RFC 3339 time")))
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.seconds.and_then(|seconds| Timestamp::new(seconds, self.nanos).ok()) {
            Some(at) => to.collect_str(&at),
            None => to.serialize_none(),
        }
    }
}

impl Message for Time {
    fn encode_raw(&self, to: &mut impl BufMut) {
        if let Some(seconds) = self.seconds {
            int64::encode(1, &seconds, to);
            int32::encode(2, &self.nanos, to);
        }
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        from: &mut impl Buf,
        context: DecodeContext,
    ) -> Result<(), DecodeError> {
        match tag {
            1 => int64::merge(wire_type, self.seconds.get_or_insert_default(), from, context),
            2 => {
                int32::merge(wire_type, &mut self.nanos, from, context)?;
                // Microseconds are all that JSON has, and the same object may come as either.
                self.nanos = self.nanos / 1_000 * 1_000;
                Ok(())
            }
            _ => skip_field(wire_type, tag, from, context),
        }
    }

    fn encoded_len(&self) -> usize {
        let nanos = || int32::encoded_len(2, &self.nanos);
        self.seconds.map_or(0, |seconds| int64::encoded_len(1, &seconds) + nanos())
    }

    fn clear(&mut self) {
        *self = Time::default();
    }
}

/// A quantity as it is written. In JSON a plain number will do, in protobuf it is a message.
#[derive(Clone, PartialEq, Message)]
pub struct Quantity {
    #[prost(string, tag = 1)]
    pub(crate) text: String,
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Quantity;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or a number")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Quantity, E> {
                Ok(Quantity { text: text.to_owned() })
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Quantity, E> {
                Ok(Quantity { text: number.to_string() })
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Quantity, E> {
                Ok(Quantity { text: number.to_string() })
            }

            fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Quantity, E> {
                Ok(Quantity { text: number.to_string() })
            }
        }

        from.deserialize_any(Text)
    }
}

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.text)
    }
}

/// Something of which nothing counts but that it is there.
#[derive(Clone, PartialEq, Message)]
pub struct Present {}

impl<'de> Deserialize<'de> for Present {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(from).map(|_| Present {})
    }
}

impl Serialize for Present {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map::<&str, &str, _>([])
    }
}

/// A whole number if one is there; the error shows what else is.
pub(crate) fn count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    struct Whole;

    fn other<E: serde::de::Error>(found: impl fmt::Display) -> Result<Option<i64>, E> {
        Err(E::custom(format_args!("{found} is not a whole number")))
    }

    impl<'de> Visitor<'de> for Whole {
        type Value = Option<i64>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number")
        }

        fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Self::Value, E> {
            Ok(Some(number))
        }

        fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Self::Value, E> {
            i64::try_from(number).map_or_else(|_| other(number), |number| Ok(Some(number)))
        }

        fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Self::Value, E> {
            other(number)
        }

        fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Self::Value, E> {
            other(value)
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
            other(format_args!("\"{text}\""))
        }

        fn visit_map<A: MapAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
            other("an object")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
            other("a list")
        }
    }

    from.deserialize_any(Whole)
}

/// A number of pods or seconds: 0 to 2^31 - 1, as the API's validation has it.
pub(crate) fn in_range(field: &'static str, number: i64) -> Result<i32, Error> {
    if number < 0 {
        return Err(Error::Negative { field, number });
    }
    i32::try_from(number).map_err(|_| Error::TooLarge { field, number })
}
