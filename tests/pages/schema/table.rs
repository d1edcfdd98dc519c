//! The tables of fields in `docs/json.md`, made from the schema.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{path, printed};

const DOCUMENT: &str = "docs/json.md";
const BEGIN: &str = "<!-- made from the schema: RSEXP_WRITE=1 cargo test --test pages schema:: -->\n";
const END: &str = "<!-- end of what is made -->\n";

/// Told on pages of their own.
const ELSEWHERE: [(&str, &str); 2] =
    [("Code", "the code of a [reason](reasons/README.md)"), ("Fact", "a [fact](timeline.md#json)")];

#[test]
fn tables_of_the_document_are_those_of_the_schema() {
    let text = std::fs::read_to_string(path(DOCUMENT)).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let made = format!("{before}{BEGIN}\n{}{END}{after}", tables());
    if std::env::var_os("RSEXP_WRITE").is_some() {
        std::fs::write(path(DOCUMENT), &made).unwrap();
    }
    let same = std::fs::read_to_string(path(DOCUMENT)).unwrap() == made;
    assert!(same, "{DOCUMENT} is stale: RSEXP_WRITE=1 cargo test --test pages schema:: renews it");
}

/// A section for each kind of document, each followed by those of its parts that are new.
fn tables() -> String {
    let schema = printed(&["schema"]);
    let (mut text, mut seen) = (String::new(), BTreeSet::new());
    let roots = schema["oneOf"].as_array().unwrap();
    let mut left: Vec<String> = roots.iter().rev().map(|root| name(root).unwrap().to_owned()).collect();
    while let Some(next) = left.pop() {
        if ELSEWHERE.iter().any(|(elsewhere, _)| *elsewhere == next) || !seen.insert(next.clone()) {
            continue;
        }
        let definition = &schema["$defs"][&next];
        text += &format!("### {next}\n\n{}\n\n{}\n", said(definition), table(definition));
        let mut parts: Vec<String> =
            fields(definition).filter_map(|(_, field)| part(field).map(str::to_owned)).collect();
        parts.reverse();
        left.extend(parts);
    }
    text
}

fn fields(definition: &Value) -> impl Iterator<Item = (&String, &Value)> {
    definition["properties"].as_object().into_iter().flatten()
}

fn table(definition: &Value) -> String {
    if definition["properties"].is_object() {
        let row =
            |(name, field): (&String, &Value)| format!("| `{name}` | {} | {} |\n", kind(field), said(field));
        return format!(
            "| field | type | meaning |\n|---|---|---|\n{}",
            fields(definition).map(row).collect::<String>()
        );
    }
    let words = definition["oneOf"].as_array().or(definition["anyOf"][0]["oneOf"].as_array()).unwrap();
    let row = |word: &Value| format!("| `{}` | {} |\n", word["const"].as_str().unwrap(), said(word));
    format!("| word | meaning |\n|---|---|\n{}", words.iter().map(row).collect::<String>())
}

fn said(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|")
}

fn name(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next())
}

/// The definition that a field refers to, itself or for its items or where it is not null.
fn part(field: &Value) -> Option<&str> {
    name(field).or_else(|| name(&field["items"])).or_else(|| name(&field["anyOf"][0]))
}

fn kind(field: &Value) -> String {
    if let Some(name) = name(field) {
        let elsewhere = ELSEWHERE.iter().find(|(elsewhere, _)| *elsewhere == name);
        return match elsewhere {
            Some((_, words)) => (*words).to_owned(),
            None => format!("[{name}](#{})", name.to_lowercase()),
        };
    }
    if let Some(either) = field["anyOf"].as_array() {
        return format!("{} or null", kind(&either[0]));
    }
    if let Some(constant) = field["const"].as_str() {
        return format!("`{constant}`");
    }
    if let Some(words) = field["enum"].as_array() {
        return words
            .iter()
            .map(|word| format!("`{}`", word.as_str().unwrap()))
            .collect::<Vec<_>>()
            .join(" or ");
    }
    let one = |kind: &Value| match kind.as_str().unwrap() {
        "string" if field["format"] == "date-time" => "time".to_owned(),
        "array" => format!("list of {}", kind_of_items(&field["items"])),
        other => other.to_owned(),
    };
    match &field["type"] {
        Value::Array(several) => several.iter().map(one).collect::<Vec<_>>().join(" or "),
        single => one(single),
    }
}

fn kind_of_items(items: &Value) -> String {
    match kind(items).as_str() {
        plain @ ("string" | "integer") => format!("{plain}s"),
        other => other.to_owned(),
    }
}
