//! The formats of `-o` that take a template: what it makes of the JSON that `-o json` would write.

use serde::Serialize;
use serde_json::Value;

use crate::cli::render::print;
use crate::engine::failure::Failure;
use crate::engine::settings::{Output, TableSettings};
use crate::report::sanitize::escape_json;
use crate::report::table::{self, Grid};
use crate::report::template::columns::Columns;

/// What a template makes of a document; nothing for other formats.
pub fn print(output: &Output, document: &Value) -> Result<String, Failure> {
    match output {
        Output::JsonPath(template) => Ok(template.print(document)?),
        Output::JsonPathAsJson(template) => indented(&template.find(document)?),
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
    let cells = |object| Ok::<_, Failure>(columns.cells(&print::document(object)?)?);
    let rows: Vec<Vec<String>> = objects.iter().map(cells).collect::<Result<_, _>>()?;
    Ok(table::more_plain(&columns.heads(), !settings.no_headers, &rows, grid))
}

/// A list of values, as kubectl indents it.
fn indented(values: &[Value]) -> Result<String, Failure> {
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    let mut writer = serde_json::Serializer::with_formatter(&mut out, formatter);
    values.serialize(&mut writer)?;
    Ok(escape_json(&String::from_utf8_lossy(&out)).into_owned() + "\n")
}
