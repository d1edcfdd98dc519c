//! The schema made strict: nothing undeclared, no word that it does not list.

use std::collections::BTreeMap;

use jsonschema::Validator;
use serde_json::{Value, json};

/// A validator for each kind of document.
pub struct Strict {
    kinds: BTreeMap<String, Validator>,
}

impl Strict {
    pub fn new() -> Strict {
        let mut schema = super::schema(super::COMMITTED);
        close(&mut schema);
        let refs = schema["oneOf"].as_array().unwrap().clone();
        let kind = |reference: &Value| {
            let name = reference["$ref"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            let whole =
                json!({"$schema": schema["$schema"], "$ref": reference["$ref"], "$defs": schema["$defs"]});
            let validator = jsonschema::options().should_validate_formats(true).build(&whole).unwrap();
            (name, validator)
        };
        Strict { kinds: refs.iter().map(kind).collect() }
    }

    /// What is wrong with a document, one line each.
    pub fn wrong(&self, document: &Value) -> Vec<String> {
        let kind = document["kind"].as_str().unwrap_or_default();
        let Some(validator) = self.kinds.get(kind) else {
            return vec![format!("kind {kind:?} is not there")];
        };
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect()
    }
}

/// Allows nothing that is not declared.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.contains_key("properties") {
                fields.insert("additionalProperties".into(), false.into());
            }
            // Of an open list only the words that are there: the first of the two.
            if let Some(Value::Array(either)) = fields.get_mut("anyOf")
                && either.len() == 2
                && either[0].get("oneOf").is_some()
            {
                either.truncate(1);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
