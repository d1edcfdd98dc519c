//! Turns what clap answers instead of arguments into help to print or an error of one line.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::engine::failure::Failure;

/// What clap answered instead of arguments.
pub enum Answer {
    /// A text that was asked for.
    Help(StyledStr),
    /// The help, because nothing was asked: belongs to standard error.
    NothingAsked(StyledStr),
    /// The arguments are wrong.
    Wrong(Failure),
}

impl From<clap::Error> for Answer {
    fn from(error: clap::Error) -> Answer {
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Answer::Help(error.render()),
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Answer::NothingAsked(error.render()),
            _ => Answer::Wrong(Failure::Usage(line(&error))),
        }
    }
}

fn line(error: &clap::Error) -> String {
    let said = match error.kind() {
        ErrorKind::ValueValidation => bad_value(error),
        ErrorKind::InvalidValue => not_one_of(error),
        ErrorKind::UnknownArgument => {
            unknown(error, "argument", ContextKind::InvalidArg, ContextKind::SuggestedArg)
        }
        ErrorKind::InvalidSubcommand => {
            unknown(error, "command", ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand)
        }
        _ => None,
    };
    said.unwrap_or_else(|| first_paragraph(&error.render().to_string()))
}

/// The value of a flag that its reader refused.
fn bad_value(error: &clap::Error) -> Option<String> {
    let (flag, value) = flag_and_value(error)?;
    let why = std::error::Error::source(error)?;
    Some(format!("invalid value '{value}' for {flag}: {why}"))
}

/// The value of a flag that takes one of some words.
fn not_one_of(error: &clap::Error) -> Option<String> {
    let (flag, value) = flag_and_value(error)?;
    let allowed = strings(error.get(ContextKind::ValidValue)?).join(", ");
    if value.is_empty() {
        let words = if allowed.is_empty() { allowed } else { format!(": one of {allowed}") };
        return Some(format!("{flag} needs a value{words}"));
    }
    let hint = suggestion(error, ContextKind::SuggestedValue);
    Some(format!("invalid value '{value}' for {flag}: expected one of {allowed}{hint}"))
}

fn unknown(error: &clap::Error, what: &str, given: ContextKind, suggested: ContextKind) -> Option<String> {
    let given = strings(error.get(given)?).join(" ");
    let hint = match suggestion(error, suggested) {
        hint if hint.is_empty() && given.contains('/') => format!("; did you mean 'explain {given}'?"),
        hint => hint,
    };
    Some(format!("unknown {what} '{given}'{hint} (see --help)"))
}

fn flag_and_value(error: &clap::Error) -> Option<(String, String)> {
    let flag = strings(error.get(ContextKind::InvalidArg)?).join(" ");
    let value = error.get(ContextKind::InvalidValue).map(strings).unwrap_or_default().join(" ");
    let name = flag.split([' ', '[']).next().unwrap_or_default();
    Some((name.to_owned(), value))
}

fn suggestion(error: &clap::Error, kind: ContextKind) -> String {
    let words = error.get(kind).map(strings).unwrap_or_default();
    words.last().map_or_else(String::new, |near| format!("; did you mean '{near}'?"))
}

fn strings(value: &ContextValue) -> Vec<String> {
    match value {
        ContextValue::String(one) => vec![one.clone()],
        ContextValue::Strings(many) => many.clone(),
        _ => Vec::new(),
    }
}

/// clap's own words up to the first empty line, in one line.
fn first_paragraph(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let line = words.join(" ");
    line.strip_prefix("error: ").map(str::to_owned).unwrap_or(line)
}
