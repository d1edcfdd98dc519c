//! `--sort-by`: orders reports by a field of their JSON, or by one of the fields of the object itself
//! that kubectl's users sort by.

use serde_json::{Map, Value, json};

use crate::cli::render::print;
use crate::engine::ask::Answers;
use crate::engine::failure::Failure;
use crate::engine::session::Row;
use crate::engine::settings::{Settings, SortBy};
use crate::report::Report;
use crate::report::template::jsonpath;

/// The answers in the wanted order; equal ones keep theirs.
pub fn sorted(answers: Answers, settings: &Settings) -> Result<Answers, Failure> {
    let Some(SortBy { text, path }) = &settings.table.sort_by else { return Ok(answers) };
    let pairs: Vec<(Report, Row)> = answers.reports.into_iter().zip(answers.rows).collect();
    let values: Result<Vec<Value>, Failure> = pairs.iter().map(|(report, row)| keys(report, row)).collect();
    let order =
        jsonpath::order(path, &values?).map_err(|source| Failure::SortBy { path: text.clone(), source })?;
    let (reports, rows) = order.into_iter().map(|place| pairs[place].clone()).unzip();
    Ok(Answers { reports, rows, ..answers })
}

/// The report with the object's own fields beside.
fn keys(report: &Report, row: &Row) -> Result<Value, Failure> {
    let mut value = print::document(report)?;
    if let Some(fields) = value.as_object_mut() {
        let labels: Map<String, Value> =
            row.labels.iter().map(|(key, value)| (key.to_owned(), value.into())).collect();
        let metadata = [
            ("name", json!(report.object.name)),
            ("namespace", json!(report.object.namespace)),
            ("creationTimestamp", json!(row.created)),
            ("labels", Value::Object(labels)),
        ];
        let status = [("replicas", json!(row.current)), ("readyReplicas", json!(row.ready))];
        fields.insert("metadata".into(), known(metadata));
        fields.insert("spec".into(), known([("replicas", json!(report.desired))]));
        fields.insert("status".into(), known(status));
    }
    Ok(value)
}

/// An object of these fields, without what is not known.
fn known<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let known = fields.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(known.map(|(name, value)| (name.to_owned(), value)).collect())
}
