//! Completion: scripts for shells, and the words that kubectl asks a plugin for.
//!
//! kubectl runs `kubectl_complete-rsexp` with the words of the line, the one to complete last. The answer is
//! cobra's: a candidate a line, with a tab before its description, then `:` and what the shell is to do.

mod cluster;
mod line;
mod words;

use std::ffi::OsString;
use std::fmt::Write;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Arguments;
use crate::cli::render::output::Terminal;
use crate::engine::settings::ColorChoice;
use line::Line;

/// The hidden command, named as cobra names it.
pub(crate) const COMMAND: &str = "__complete";

/// Who types does not wait any longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// The completion script of a shell.
pub(crate) fn script(shell: Shell) -> String {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "kubectl-rsexp", &mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    match shell {
        // clap_complete spells a program's hyphen in two ways, and nothing behind a command is completed
        // (clap issue 6421).
        Shell::Bash => text.replace("kubectl__subcmd__rsexp", "kubectl__rsexp"),
        _ => text,
    }
}

/// Writes what may stand in place of the last of these words. Whatever fails, fails silently.
pub fn answer(given: &[OsString]) {
    let given: Vec<String> = given.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let (tell, told) = mpsc::channel();
    // A thread of its own, which ends with the program: it may be waiting for a server or for a plugin.
    let asked = thread::Builder::new().spawn(move || {
        let _ = tell.send(Line::read(&given).map(|line| words::of(&line)).unwrap_or_default());
    });
    let found = asked.ok().and_then(|_| told.recv_timeout(PATIENCE).ok()).unwrap_or_default();
    let mut terminal = Terminal::new(ColorChoice::Never);
    // Nobody reads it, then.
    let _ = terminal.write(&found.text()).and_then(|()| terminal.finish());
}

/// What may stand in a place.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    candidates: Vec<Candidate>,
    /// Whether the shell is to offer files.
    files: bool,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Candidate {
    value: String,
    about: String,
}

impl Candidate {
    fn new(value: impl Into<String>, about: impl Into<String>) -> Candidate {
        Candidate { value: value.into(), about: about.into() }
    }

    /// Whether a shell takes it as one plain word, and a terminal shows it as it is.
    fn is_plain(&self) -> bool {
        let harmless = |c: char| c.is_alphanumeric() || "-_./:@+=,%".contains(c);
        self.value.starts_with(|c: char| c.is_alphanumeric() || c == '-') && self.value.chars().all(harmless)
    }
}

impl Found {
    fn files() -> Found {
        Found { candidates: Vec::new(), files: true }
    }

    fn of(candidates: impl IntoIterator<Item = Candidate>) -> Found {
        Found { candidates: candidates.into_iter().collect(), files: false }
    }

    /// Only what begins with what is typed, once each, and only plain words.
    fn beginning(mut self, partial: &str) -> Found {
        self.candidates.retain(|candidate| candidate.value.starts_with(partial) && candidate.is_plain());
        let mut seen = std::collections::BTreeSet::new();
        self.candidates.retain(|candidate| seen.insert(candidate.value.clone()));
        self
    }

    /// As cobra writes it: 0 lets the shell offer files, 4 does not.
    fn text(&self) -> String {
        let mut text = String::new();
        for Candidate { value, about } in &self.candidates {
            let _ = match about.lines().next() {
                Some(about) => writeln!(text, "{value}\t{about}"),
                None => writeln!(text, "{value}"),
            };
        }
        text + if self.files { ":0\n" } else { ":4\n" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_interpret_is_left_out() {
        let plain = ["web", "web-6c4f.x", "arn:aws:eks:eu:1:cluster/a", "jane@shop", "--output"];
        let odd = [
            "",
            "a b",
            "$(id)",
            "`id`",
            "a;b",
            "a'b",
            "a\"b",
            "a\nb",
            "a\u{1b}[0m",
            ":4",
            "a\u{202e}",
            "*",
            "~",
        ];
        let all = plain.iter().chain(&odd).map(|value| Candidate::new(*value, ""));
        let found = Found::of(all).beginning("");
        assert_eq!(found.candidates.iter().map(|c| c.value.as_str()).collect::<Vec<_>>(), plain);
    }

    #[test]
    fn the_answer_is_cobras() {
        let found = Found::of([Candidate::new("rs/web", "3/3"), Candidate::new("rs/api", "")]);
        assert_eq!(found.text(), "rs/web\t3/3\nrs/api\n:4\n");
        assert_eq!(Found::files().text(), ":0\n");
    }
}
