//! `explain CODE`: what the registry of reasons knows.

use colored::Colorize;
use serde::Serialize;

use super::failure::Failure;
use super::output::Look;
use super::settings::Output;
use super::{print, suggest};
use crate::reconstruct::reasons::Code;
use crate::report::API_VERSION;

/// Longer lines are hard to read.
const WIDEST: usize = 100;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReasonCode {
    api_version: &'static str,
    kind: &'static str,
    code: &'static str,
    meaning: &'static str,
    text: &'static str,
    remedy: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReasonCodeList {
    api_version: &'static str,
    kind: &'static str,
    items: Vec<ReasonCode>,
}

impl From<Code> for ReasonCode {
    fn from(code: Code) -> ReasonCode {
        let entry = code.entry();
        ReasonCode {
            api_version: API_VERSION,
            kind: "ReasonCode",
            code: code.as_str(),
            meaning: entry.meaning,
            text: entry.text,
            remedy: entry.remedy,
        }
    }
}

/// The codes that words name.
pub fn find(words: &[String]) -> Result<Vec<Code>, Failure> {
    words.iter().map(|word| Code::parse(word).ok_or_else(|| unknown(word))).collect()
}

fn unknown(word: &str) -> Failure {
    let hint = suggest::hint(word, Code::ALL.iter().map(|code| code.as_str()));
    Failure::Runtime(format!(
        "\"{word}\" is not a reason code{hint} (kubectl rsexp explain --list-codes shows all)"
    ))
}

/// Everything about some codes.
pub fn explain(codes: &[Code], output: Output, look: Look) -> Result<String, Failure> {
    match (output, codes) {
        (Output::Text | Output::Wide, _) => {
            let pages: Vec<String> = codes.iter().map(|code| page(*code, look)).collect();
            Ok(pages.join("\n"))
        }
        (_, [one]) => machine(&ReasonCode::from(*one), codes, output),
        _ => list(codes, output),
    }
}

/// One line about each code.
pub fn list(codes: &[Code], output: Output) -> Result<String, Failure> {
    if matches!(output, Output::Text | Output::Wide) {
        let width = codes.iter().map(|code| code.as_str().len()).max().unwrap_or(0);
        return Ok(codes.iter().map(|code| format!("{code:width$}   {}\n", code.entry().meaning)).collect());
    }
    let items = codes.iter().map(|code| ReasonCode::from(*code)).collect();
    machine(&ReasonCodeList { api_version: API_VERSION, kind: "ReasonCodeList", items }, codes, output)
}

fn machine(value: &impl Serialize, codes: &[Code], output: Output) -> Result<String, Failure> {
    match output {
        Output::Yaml => print::yaml(value),
        Output::Name => Ok(codes.iter().map(|code| format!("{code}\n")).collect()),
        Output::Json | Output::Text | Output::Wide => print::json(value),
    }
}

fn page(code: Code, look: Look) -> String {
    let width = look.width.min(WIDEST);
    let entry = code.entry();
    format!(
        "{}\n{}\n\n{}\n\n{}\n",
        code.as_str().bold(),
        wrapped(entry.meaning, width),
        wrapped(entry.text, width),
        wrapped(&format!("What to do: {}", entry.remedy), width)
    )
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
        assert!(error.lines()[0].contains("did you mean \"ExpectationsUnmet\"?"));
        assert_eq!(error.exit().code(), 1);
    }

    #[test]
    fn the_list_has_a_line_for_each_code() {
        assert_eq!(list(Code::ALL, Output::Text).unwrap().lines().count(), Code::ALL.len());
        assert_eq!(list(Code::ALL, Output::Name).unwrap().lines().count(), Code::ALL.len());
    }
}
