//! `schema`: the JSON Schema of everything that is printed as JSON, made from the types.
//!
//! It lets unknown fields pass: within v1 fields may be added, and readers ignore what they do not know.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, json_schema};
use serde_json::Value;

use crate::cli::commands::auth::AccessReport;
use crate::cli::commands::codes::{ReasonCode, ReasonCodeList};
use crate::cli::commands::version::Version;
use crate::cli::render::print;
use crate::engine::failure::Failure;
use crate::report::{API_VERSION, Report, ReportList, TimelineReport};

const ABOUT: &str = "What kubectl rsexp prints with -o json; kind tells the document. Within v1 fields and \
                     codes may be added, and none is removed or changed.";

/// The schema as it is printed.
pub(crate) fn show() -> Result<String, Failure> {
    print::json(&schema())
}

fn schema() -> Schema {
    let mut generator = SchemaSettings::draft2020_12()
        .with_transform(RecursiveTransform(plain_numbers))
        .for_serialize()
        .into_generator();
    let kinds = [
        generator.subschema_for::<Report>(),
        generator.subschema_for::<ReportList>(),
        generator.subschema_for::<TimelineReport>(),
        generator.subschema_for::<ReasonCode>(),
        generator.subschema_for::<ReasonCodeList>(),
        generator.subschema_for::<AccessReport<'_>>(),
        generator.subschema_for::<Version>(),
    ];
    json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": API_VERSION,
        "description": ABOUT,
        "oneOf": kinds,
        "$defs": generator.take_definitions(true),
    })
}

/// Takes away the formats of numbers: they name the types of this program, and no standard has them.
fn plain_numbers(schema: &mut Schema) {
    if schema.get("format").and_then(Value::as_str).is_some_and(|format| format != "date-time") {
        schema.remove("format");
    }
}
