//! Everything that is written: one writer for standard output that knows width and colour, and the two
//! kinds of lines on standard error.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};

use crate::engine::failure::Failure;
use crate::engine::settings::ColorChoice;
use crate::report::sanitize::escape;

/// The width where nothing tells one.
const DEFAULT_WIDTH: usize = 80;

/// How text is to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether it is coloured.
    pub colour: bool,
    /// The columns of a line.
    pub width: usize,
}

/// Standard output.
pub struct Terminal {
    look: Look,
    out: BufWriter<Box<dyn Write>>,
}

impl Terminal {
    /// Locks standard output and decides how it looks.
    pub fn new(choice: ColorChoice) -> Terminal {
        let stdout = io::stdout().lock();
        let tty = stdout.is_terminal();
        let env = |name: &str| std::env::var_os(name);
        let width = tty.then(|| terminal_size::terminal_size_of(&stdout)).flatten().map(|(w, _)| w.0.into());
        let look = Look { colour: colour(choice, env, tty), width: columns(env("COLUMNS"), width) };
        colored::control::set_override(look.colour);
        Terminal { look, out: BufWriter::with_capacity(1 << 16, Box::new(stdout)) }
    }

    /// How text is to look.
    pub fn look(&self) -> Look {
        self.look
    }

    /// Writes a text as it is.
    pub fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes()).map_err(unwritten)
    }

    /// Writes what is left now.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(unwritten)
    }

    /// Writes what is left. Not called, an error could be lost.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.out.flush().map_err(unwritten)
    }
}

fn unwritten(error: io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::Output(error),
    }
}

/// `--color`, then NO_COLOR, CLICOLOR_FORCE, and whether it is a terminal that can.
fn colour(choice: ColorChoice, env: impl Fn(&str) -> Option<OsString>, tty: bool) -> bool {
    let set = |name: &str| env(name).filter(|value| !value.is_empty());
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if set("NO_COLOR").is_some() => false,
        ColorChoice::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        ColorChoice::Auto => tty && set("TERM").is_none_or(|term| term != "dumb"),
    }
}

fn columns(told: Option<OsString>, terminal: Option<usize>) -> usize {
    let told = told.and_then(|text| text.to_str()?.parse().ok());
    told.or(terminal).filter(|width| *width > 0).unwrap_or(DEFAULT_WIDTH)
}

/// Says on standard error what went wrong.
pub fn error(text: &str) {
    tell("error", text);
}

/// Says on standard error what the user should know of the answer.
pub fn warning(text: &str) {
    tell("warning", text);
}

/// Says on standard error how the question was understood.
pub fn note(text: &str) {
    tell("note", text);
}

/// Writes plain text on standard error. Where that is closed nothing more can be said.
pub fn aside(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn tell(kind: &str, text: &str) {
    aside(&format!("{kind}: {}\n", escape(text)));
}

/// What ended a command, on standard error; with `causes` also what it comes from.
pub fn failure(failure: &Failure, causes: bool) {
    match failure {
        Failure::Closed => return,
        // Whole already, in kubectl's words.
        Failure::Cluster(_) => aside(&format!("{failure}\n")),
        Failure::Missing(lines) => lines.iter().for_each(|line| error(line)),
        _ => error(&failure.to_string()),
    }
    if causes {
        causes_of(failure).iter().for_each(|cause| aside(&format!("  caused by: {}\n", escape(cause))));
    }
}

/// What an error comes from, the nearest first; without what the one before says already.
fn causes_of(error: &dyn Error) -> Vec<String> {
    let mut shown = error.to_string();
    let mut causes = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if !shown.contains(&text) {
            causes.push(text.clone());
            shown = text;
        }
        next = cause.source();
    }
    causes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auto(pairs: &[(&str, &str)], tty: bool) -> bool {
        let env = |name: &str| pairs.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v));
        colour(ColorChoice::Auto, env, tty)
    }

    #[test]
    fn the_flag_wins_over_the_environment() {
        let env = |_: &str| Some(OsString::from("1"));
        assert!(colour(ColorChoice::Always, env, false));
        assert!(!colour(ColorChoice::Never, env, true));
    }

    #[test]
    fn no_color_wins_over_force_and_force_over_the_terminal() {
        assert!(!auto(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true));
        assert!(auto(&[("NO_COLOR", ""), ("CLICOLOR_FORCE", "1")], false));
        assert!(!auto(&[("CLICOLOR_FORCE", "0")], false));
        assert!(!auto(&[("CLICOLOR_FORCE", "")], false));
    }

    #[test]
    fn a_terminal_has_colour_unless_dumb() {
        assert!(auto(&[], true) && auto(&[("TERM", "xterm")], true));
        assert!(!auto(&[("TERM", "dumb")], true));
        assert!(!auto(&[], false));
    }

    #[test]
    fn columns_wins_over_the_terminal() {
        assert_eq!(columns(Some("40".into()), Some(100)), 40);
        assert_eq!(columns(Some("wide".into()), Some(100)), 100);
        assert_eq!(columns(Some("0".into()), None), DEFAULT_WIDTH);
        assert_eq!(columns(None, None), DEFAULT_WIDTH);
    }

    #[test]
    fn a_cause_is_shown_once() {
        let refused = || io::Error::from(ErrorKind::ConnectionRefused);
        let outer = Failure::Recording {
            place: "x".into(),
            why: "no way".into(),
            left: String::new(),
            source: io::Error::other(refused()),
        };
        assert_eq!(causes_of(&outer), ["connection refused"]);
        assert!(causes_of(&Failure::Output(refused())).is_empty());
    }

    #[test]
    fn a_closed_pipe_is_the_end_but_no_error() {
        assert!(matches!(unwritten(ErrorKind::BrokenPipe.into()), Failure::Closed));
        assert!(matches!(unwritten(ErrorKind::StorageFull.into()), Failure::Output(_)));
    }
}
