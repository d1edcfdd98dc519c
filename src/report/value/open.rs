//! The schema of a choice that may get more values within v1.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::reasons::Code;

/// The values of `T`, or one that is not there yet. Stands in a schema where `T` stands in the report.
#[derive(Debug)]
pub(crate) struct Open<T>(PhantomData<T>);

impl<T: JsonSchema> JsonSchema for Open<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let closed = T::json_schema(generator);
        json_schema!({
            "description": closed.get("description"),
            "type": "string",
            "anyOf": [
                { "oneOf": closed.get("oneOf") },
                { "description": "A word that came later.", "type": "string" },
            ],
        })
    }
}

impl JsonSchema for Code {
    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let constant = |code: &Code| json!({ "description": code.page().meaning, "type": "string", "const": code.as_str() });
        json_schema!({
            "description": "The code of a reason; explain CODE tells more. Others may come within v1.",
            "oneOf": Code::ALL.iter().map(constant).collect::<Vec<Value>>(),
        })
    }
}
