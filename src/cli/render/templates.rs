//! The formats of `-o` that take a template: what it makes of the JSON that `-o json` would write.

use serde::Serialize;
use serde_json::Value;

use crate::cli::render::print;
use crate::engine::failure::Failure;
use crate::engine::settings::{Output, TableSettings};
use crate::report::sanitize::escape_json;
use crate::report::table::{self, Grid};
use crate::report::template::columns::Columns;
use crate::report::template::jsonpath::Wrong;

/// What a template makes of a document; nothing for other formats.
pub fn print(output: &Output, document: &Value) -> Result<String, Failure> {
    match output {
        Output::JsonPath(template) => template.print(document).map_err(unfit),
        Output::JsonPathAsJson(template) => indented(&template.find(document).map_err(unfit)?),
        _ => Ok(String::new()),
    }
}

/// A row for each object. `grid` are the columns of rows that were written before.
pub fn table<T: Serialize>(
    columns: &Columns,
    objects: &[T],
    settings: &TableSettings,
    grid: &mut Grid,
) -> Result<String, Failure> {
    let cells = |object| columns.cells(&print::document(object)?).map_err(unfit);
    let rows: Vec<Vec<String>> = objects.iter().map(cells).collect::<Result<_, _>>()?;
    Ok(table::more_plain(&columns.heads(), !settings.no_headers, &rows, grid))
}

fn unfit(wrong: Wrong) -> Failure {
    Failure::Runtime(format!("error executing jsonpath: {wrong}"))
}

/// A list of values, as kubectl indents it.
fn indented(values: &[Value]) -> Result<String, Failure> {
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    let mut writer = serde_json::Serializer::with_formatter(&mut out, formatter);
    let unwritten = |why: &dyn std::fmt::Display| Failure::Runtime(format!("writing JSON: {why}"));
    values.serialize(&mut writer).map_err(|error| unwritten(&error))?;
    let text = String::from_utf8(out).map_err(|error| unwritten(&error))?;
    Ok(escape_json(&text).into_owned() + "\n")
}
