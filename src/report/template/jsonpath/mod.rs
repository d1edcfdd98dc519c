//! Templates in kubectl's own JSONPath, which differs from RFC 9535: text outside braces, `{.a.b}`,
//! `{range .items[*]}{end}`, and a missing field prints nothing.
//!
//! A template runs over the report as JSON, whose fields the caller sorts by name: so kubectl prints
//! them. What kubectl only finds out while it prints (an unknown word, an
//! `{end}` of nothing) is said when the template is read.

mod eval;
mod parse;
mod sort;

use serde_json::Value;

pub use sort::order;

use crate::report::sanitize::{escape, escape_json};

/// A template that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonPath(Vec<Block>);

/// A part of a template.
#[derive(Debug, Clone, PartialEq)]
enum Block {
    /// Text outside of braces.
    Text(String),
    /// `{...}`.
    Action(Vec<PathStep>),
    /// `{range ...}` and what is repeated.
    Range(Vec<PathStep>, Vec<Block>),
}

/// A step from some values to others.
#[derive(Debug, Clone, PartialEq)]
enum PathStep {
    /// A text, a number or a bool, whatever came before.
    Literal(Value),
    /// `.name`.
    Field(String),
    /// `[1]`, `[1:2:3]`, `[*]`.
    Slice(Slice),
    /// `[?(...)]`.
    Filter(Box<Filter>),
    /// `.*`.
    Wildcard,
    /// `..`.
    Descent,
    /// `[0,2]`, `['a','b']`.
    Union(Vec<Vec<PathStep>>),
}

/// What of a list is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Slice {
    from: i64,
    /// None is the end of the list.
    to: Option<i64>,
    /// Whether only one element was asked for, so that a `to` of 0 is the end.
    single: bool,
    step: i64,
}

#[derive(Debug, Clone, PartialEq)]
enum Filter {
    Exists(Vec<PathStep>),
    Compare(Vec<PathStep>, Comparison, Vec<PathStep>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// Why a template cannot be read, or cannot be applied to a value; in kubectl's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TemplateError(String);

impl JsonPath {
    /// Reads a template.
    pub fn parse(text: &str) -> Result<JsonPath, TemplateError> {
        if text.is_empty() {
            return Err(TemplateError("template format specified but no template given".into()));
        }
        let read = parse::template(text);
        read.map(JsonPath)
            .map_err(|TemplateError(why)| TemplateError(format!("error parsing jsonpath {text}, {why}")))
    }

    /// Reads a path as kubectl's flags take it: `a.b`, `.a.b`, `{a.b}` or `{.a.b}`.
    pub fn parse_path(text: &str) -> Result<JsonPath, TemplateError> {
        let inner = match text.strip_prefix('{') {
            Some(rest) => rest.strip_suffix('}'),
            None => Some(text),
        };
        let inner = inner.filter(|inner| !inner.is_empty() && !inner.contains(['{', '}']));
        let Some(inner) = inner else {
            return Err(TemplateError(format!(
                "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{{name1.name2}}' or '{{.name1.name2}}': {text}"
            )));
        };
        let dot = if inner.starts_with(['.', '[', '$', '@']) { "" } else { "." };
        JsonPath::parse(&format!("{{{dot}{inner}}}"))
    }

    /// What is printed for a value. Values come from the cluster: what acts on a terminal is escaped.
    pub fn print(&self, value: &Value) -> Result<String, TemplateError> {
        let mut out = String::new();
        eval::print(&self.0, value, &mut out)?;
        Ok(out)
    }

    /// All values that are found, for `jsonpath-as-json`, custom columns and sorting.
    pub fn find(&self, value: &Value) -> Result<Vec<Value>, TemplateError> {
        eval::find(&self.0, value)
    }
}

/// A value as it is printed: a text without quotes, an object or a list as JSON in one line.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => escape(text).into_owned(),
        // As Go writes JSON; in it these stand within texts only.
        other => escape_json(&other.to_string())
            .replace('&', "\\u0026")
            .replace('<', "\\u003c")
            .replace('>', "\\u003e"),
    }
}

#[cfg(test)]
mod tests;
