//! `explain CODE`: the page of a reason code.

use colored::Colorize;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::render::output::Look;
use crate::cli::render::{print, templates};
use crate::engine::failure::Failure;
use crate::engine::settings::{Output, TableSettings};
use crate::reasons::Code;
use crate::reasons::Tier;
use crate::report::API_VERSION;
use crate::report::open::Open;
use crate::report::table::Grid;
use crate::suggest;

/// Longer lines are hard to read.
const WIDEST: usize = 100;

/// What a reason code means.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReasonCode {
    /// The format's version.
    #[schemars(extend("const" = API_VERSION))]
    api_version: &'static str,
    /// `ReasonCode`.
    #[schemars(extend("const" = "ReasonCode"))]
    kind: &'static str,
    /// The code.
    #[schemars(with = "Open<Code>")]
    code: Code,
    /// One line.
    meaning: &'static str,
    /// What it is, and where versions differ.
    text: &'static str,
    /// By what evidence it is recognised.
    recognised: &'static str,
    /// How sure it is: the tiers that it is given with.
    tiers: Vec<Tier>,
    /// What to do.
    remedy: &'static str,
    /// What triggers the sync that ends it; null where it blocks no sync.
    wakes: Option<&'static str>,
}

/// Reasons, in the order of the registry.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReasonCodeList {
    /// The format's version.
    #[schemars(extend("const" = API_VERSION))]
    api_version: &'static str,
    /// `ReasonCodeList`.
    #[schemars(extend("const" = "ReasonCodeList"))]
    kind: &'static str,
    /// The reasons.
    items: Vec<ReasonCode>,
}

impl From<Code> for ReasonCode {
    fn from(code: Code) -> ReasonCode {
        let page = code.page();
        ReasonCode {
            api_version: API_VERSION,
            kind: "ReasonCode",
            code,
            meaning: page.meaning,
            text: page.text,
            recognised: page.recognised,
            tiers: code.tiers().to_vec(),
            remedy: page.remedy,
            wakes: page.trigger,
        }
    }
}

/// The codes that words name.
pub fn find(words: &[String]) -> Result<Vec<Code>, Failure> {
    words.iter().map(|word| Code::parse(word).ok_or_else(|| unknown(word))).collect()
}

fn unknown(word: &str) -> Failure {
    let hint = suggest::hint(word, Code::ALL.iter().map(|code| code.as_str()));
    Failure::UnknownCode { word: word.to_owned(), hint }
}

/// Everything about some codes.
pub fn explain(codes: &[Code], output: &Output, look: Look) -> Result<String, Failure> {
    match (output, codes) {
        (Output::Text | Output::Wide, _) => {
            let pages: Vec<String> = codes.iter().map(|code| full_page(*code, look)).collect();
            Ok(pages.join("\n"))
        }
        (_, [one]) => machine(&ReasonCode::from(*one), codes, output),
        _ => list(codes, output),
    }
}

/// One line about each code.
pub fn list(codes: &[Code], output: &Output) -> Result<String, Failure> {
    if output.is_human() {
        let width = codes.iter().map(|code| code.as_str().len()).max().unwrap_or(0);
        return Ok(codes.iter().map(|code| format!("{code:width$}   {}\n", code.page().meaning)).collect());
    }
    let items = codes.iter().map(|code| ReasonCode::from(*code)).collect();
    machine(&ReasonCodeList { api_version: API_VERSION, kind: "ReasonCodeList", items }, codes, output)
}

fn machine(value: &impl Serialize, codes: &[Code], output: &Output) -> Result<String, Failure> {
    match output {
        Output::Yaml => print::yaml(value),
        Output::Name => Ok(codes.iter().map(|code| format!("{code}\n")).collect()),
        Output::JsonPath(_) | Output::JsonPathAsJson(_) => templates::print(output, &print::document(value)?),
        Output::CustomColumns(columns) => {
            let items: Vec<ReasonCode> = codes.iter().copied().map(ReasonCode::from).collect();
            templates::table(columns, &items, &TableSettings::default(), &mut Grid::spaced())
        }
        _ => print::json(value),
    }
}

/// The tiers that a reason is given with, in words.
pub fn sureness(code: Code) -> String {
    let word = |tier: &Tier| match tier {
        Tier::Observed => "observed: seen in objects, events or the window",
        Tier::Logged => "logged: the controller's log shows it",
        Tier::Inferred => "inferred: it follows from what was observed, by the controller's rules",
        Tier::Assumed => "assumed: a default, or a guess that is marked as one",
    };
    code.tiers().iter().map(word).collect::<Vec<_>>().join("; or ") + "."
}

fn full_page(code: Code, look: Look) -> String {
    let width = look.width.min(WIDEST);
    let page = code.page();
    let mut parts = vec![
        page.text.to_owned(),
        format!("How it is recognised: {}", page.recognised),
        format!("How sure it is: {}", sureness(code)),
        format!("What to do: {}", page.remedy),
    ];
    parts.extend(page.trigger.map(|trigger| format!("What triggers a sync: {trigger}")));
    let parts: Vec<String> = parts.iter().map(|part| wrapped(part, width)).collect();
    format!("{}\n{}\n\n{}\n", code.as_str().bold(), wrapped(page.meaning, width), parts.join("\n\n"))
}

/// Breaks text at its spaces; a longer word stays whole.
fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut column = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrapped("one two three", 7), "one two\nthree");
        assert_eq!(wrapped("incomprehensible a", 4), "incomprehensible\na");
        assert_eq!(wrapped("", 4), "");
    }

    #[test]
    fn an_unknown_code_is_answered_with_the_nearest() {
        let error = find(&["ExpectationUnmet".into()]).unwrap_err();
        assert!(error.to_string().contains("\"ExpectationsUnmet\""));
        assert_eq!(crate::cli::exit::Exit::from(&error).code(), 1);
    }

    #[test]
    fn the_list_has_a_line_for_each_code() {
        assert_eq!(list(Code::ALL, &Output::Text).unwrap().lines().count(), Code::ALL.len());
        assert_eq!(list(Code::ALL, &Output::Name).unwrap().lines().count(), Code::ALL.len());
    }
}
