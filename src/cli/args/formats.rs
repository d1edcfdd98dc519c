//! The values of `-o`.

use std::io;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

use crate::engine::settings::Output;
use crate::report::template::columns::{Columns, ColumnsError};
use crate::report::template::jsonpath::{JsonPath, TemplateError};
use crate::suggest;

const PLAIN: [(&str, Output); 5] = [
    ("text", Output::Text),
    ("wide", Output::Wide),
    ("json", Output::Json),
    ("yaml", Output::Yaml),
    ("name", Output::Name),
];

/// Why a format cannot be used. It reads after "invalid value '...' for --output: ".
#[derive(Debug, thiserror::Error)]
enum FormatError {
    #[error("expected one of {known}{hint}")]
    Unknown { known: String, hint: String },
    #[error("template format specified but no template file given")]
    NoFile,
    #[error("reading {path}: {source}")]
    File { path: String, source: io::Error },
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error(transparent)]
    Columns(#[from] ColumnsError),
}

/// How a format with an argument is read.
type Read = fn(&str) -> Result<Output, FormatError>;

const WITH_ARGUMENT: [(&str, &str, Read); 5] = [
    ("jsonpath", "TEMPLATE", |text| Ok(Output::JsonPath(JsonPath::parse(text)?))),
    ("jsonpath-file", "FILE", |path| Ok(Output::JsonPath(JsonPath::parse(&content(path)?)?))),
    ("jsonpath-as-json", "TEMPLATE", |text| Ok(Output::JsonPathAsJson(JsonPath::parse(text)?))),
    ("custom-columns", "HEADER:.PATH,...", |text| Ok(Output::CustomColumns(Columns::parse(text)?))),
    ("custom-columns-file", "FILE", |path| Ok(Output::CustomColumns(Columns::parse_file(&content(path)?)?))),
];

/// The parser of `-o` where reports are written.
#[derive(Clone)]
pub struct Formats;

impl TypedValueParser for Formats {
    type Value = Output;

    fn parse_ref(
        &self,
        command: &clap::Command,
        flag: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Output, clap::Error> {
        StringValueParser::new().try_map(|text| parse(&text)).parse_ref(command, flag, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let plain = PLAIN.iter().map(|(word, _)| PossibleValue::new(*word));
        let others = WITH_ARGUMENT.iter().map(|(word, ..)| PossibleValue::new(*word));
        Some(Box::new(plain.chain(others)))
    }
}

fn parse(text: &str) -> Result<Output, FormatError> {
    if let Some((_, output)) = PLAIN.iter().find(|(word, _)| *word == text) {
        return Ok(output.clone());
    }
    let (word, argument) = text.split_once('=').unwrap_or((text, ""));
    if let Some((.., read)) = WITH_ARGUMENT.iter().find(|(known, ..)| *known == word) {
        return read(argument);
    }
    let plain = PLAIN.iter().map(|(word, _)| (*word).to_owned());
    let others = WITH_ARGUMENT.iter().map(|(word, argument, _)| format!("{word}={argument}"));
    let all: Vec<String> = plain.chain(others).collect();
    let words = PLAIN.iter().map(|(word, _)| *word).chain(WITH_ARGUMENT.iter().map(|(word, ..)| *word));
    let near = suggest::nearest(word, words).map(|near| format!("; did you mean '{near}'?"));
    Err(FormatError::Unknown { known: all.join(", "), hint: near.unwrap_or_default() })
}

fn content(path: &str) -> Result<String, FormatError> {
    if path.is_empty() {
        return Err(FormatError::NoFile);
    }
    std::fs::read_to_string(path).map_err(|source| FormatError::File { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_kubectl_that_are_not_offered_name_those_that_are() {
        for word in ["go-template={{.x}}", "go-template-file=x", "templatefile=x", "kyaml", ""] {
            let error = parse(word).unwrap_err().to_string();
            assert!(error.contains("json, yaml, name, jsonpath=TEMPLATE"), "{word}: {error}");
        }
        assert!(parse("jsn").unwrap_err().to_string().contains("'json'"));
    }

    #[test]
    fn a_format_without_its_argument_is_refused() {
        for word in ["jsonpath", "jsonpath=", "jsonpath-as-json", "jsonpath-file="] {
            assert!(parse(word).is_err(), "{word}");
        }
        assert!(parse("custom-columns").is_err());
        assert!(parse("jsonpath-file=/nowhere").unwrap_err().to_string().contains("/nowhere"));
        assert!(matches!(parse("jsonpath={.a}"), Ok(Output::JsonPath(_))));
    }
}
