//! A line that is being typed: what stands before the word to complete, and what that word is.

use clap::{Arg, Command, CommandFactory};

use crate::cli::args::Arguments;
use crate::cli::args::connection;

/// What the word to complete is.
#[derive(Debug, Clone)]
pub(crate) enum Wanted {
    Command,
    Flag,
    /// The value of a flag.
    Value(Box<Arg>),
    /// An argument of the command.
    Argument,
}

/// See the module.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// The command, or the program where none is given yet.
    pub(crate) command: Command,
    /// The flags by their ids, each with its value; empty for none.
    pub(crate) flags: Vec<(String, String)>,
    /// The arguments of the command.
    pub(crate) arguments: Vec<String>,
    /// What the last word is.
    pub(crate) wanted: Wanted,
    /// What is typed of it.
    pub(crate) partial: String,
}

impl Line {
    /// Reads the words after the program's name. None if they make no sense.
    pub fn read(words: &[String]) -> Option<Line> {
        let (partial, before) = words.split_last()?;
        let mut reader = Reader::new();
        for word in before {
            reader.take(word)?;
        }
        Some(reader.finish(partial))
    }

    /// Whether a flag is given.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.flags.iter().any(|(known, _)| known == id)
    }
}

/// Takes one word after the other, as clap would.
struct Reader {
    command: Command,
    chosen: bool,
    flags: Vec<(String, String)>,
    arguments: Vec<String>,
    /// The flag whose value comes next.
    pending: Option<Arg>,
    /// Whether `--` stands before.
    no_flags: bool,
}

impl Reader {
    fn new() -> Reader {
        let mut command = connection::anywhere(Arguments::command());
        command.build();
        Reader {
            command,
            chosen: false,
            flags: Vec::new(),
            arguments: Vec::new(),
            pending: None,
            no_flags: false,
        }
    }

    fn take(&mut self, word: &str) -> Option<()> {
        if let Some(flag) = self.pending.take() {
            self.flags.push((flag.get_id().to_string(), word.into()));
        } else if self.no_flags || word == "-" || !word.starts_with('-') {
            self.argument(word)?;
        } else if word == "--" {
            self.no_flags = true;
        } else if let Some(long) = word.strip_prefix("--") {
            self.long(long);
        } else {
            self.short(&word[1..]);
        }
        Some(())
    }

    fn argument(&mut self, word: &str) -> Option<()> {
        if self.chosen {
            self.arguments.push(word.into());
        } else {
            self.command = self.command.find_subcommand(word)?.clone();
            self.chosen = true;
        }
        Some(())
    }

    fn long(&mut self, word: &str) {
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        let Some(flag) = find_long(&self.command, name) else { return };
        match value {
            None if takes_next(&flag) => self.pending = Some(flag),
            _ => self.flags.push((flag.get_id().to_string(), value.unwrap_or_default().into())),
        }
    }

    /// Short flags in one word; the rest behind one that takes a value is its value.
    fn short(&mut self, word: &str) {
        for (at, letter) in word.char_indices() {
            let found = self.command.get_arguments().find(|flag| flag.get_short() == Some(letter));
            let Some(flag) = found.cloned() else { return };
            let rest = &word[at + letter.len_utf8()..];
            if !takes_next(&flag) {
                self.flags.push((flag.get_id().to_string(), String::new()));
            } else if rest.is_empty() {
                self.pending = Some(flag);
            } else {
                let value = rest.strip_prefix('=').unwrap_or(rest);
                self.flags.push((flag.get_id().to_string(), value.into()));
                return;
            }
        }
    }

    fn finish(mut self, partial: &str) -> Line {
        let (wanted, partial) = self.wanted(partial);
        let partial = partial.to_owned();
        Line { command: self.command, flags: self.flags, arguments: self.arguments, wanted, partial }
    }

    fn wanted<'p>(&mut self, partial: &'p str) -> (Wanted, &'p str) {
        if let Some(flag) = self.pending.take() {
            return (Wanted::Value(Box::new(flag)), partial);
        }
        if partial.starts_with('-') && !self.no_flags {
            let with_value = partial.strip_prefix("--").and_then(|word| word.split_once('='));
            let flag = with_value.and_then(|(name, value)| Some((find_long(&self.command, name)?, value)));
            return match flag {
                Some((flag, value)) => (Wanted::Value(Box::new(flag)), value),
                None => (Wanted::Flag, partial),
            };
        }
        (if self.chosen { Wanted::Argument } else { Wanted::Command }, partial)
    }
}

fn find_long(command: &Command, name: &str) -> Option<Arg> {
    command.get_arguments().find(|flag| flag.get_long() == Some(name)).cloned()
}

/// Whether the next word is the flag's value.
fn takes_next(flag: &Arg) -> bool {
    flag.get_action().takes_values() && !flag.is_require_equals_set()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Line {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Line::read(&words).unwrap()
    }

    #[test]
    fn flags_before_and_after_the_command_are_read() {
        let line = read("--context c get -nshop -A --kubeconfig=k --insecure-skip-tls-verify rs -l a=b web ");
        assert_eq!(line.command.get_name(), "list");
        let flags: Vec<(&str, &str)> = line.flags.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let expected = [
            ("context", "c"),
            ("namespace", "shop"),
            ("all_namespaces", ""),
            ("kubeconfig", "k"),
            ("insecure_skip_tls_verify", ""),
            ("selector", "a=b"),
        ];
        assert_eq!(flags, expected);
        assert_eq!(line.arguments, ["rs", "web"]);
        assert!(matches!(line.wanted, Wanted::Argument));
    }

    #[test]
    fn the_last_word_is_told_by_what_stands_before_it() {
        assert!(matches!(read("").wanted, Wanted::Command));
        assert!(matches!(read("--context c ex").wanted, Wanted::Command));
        assert!(matches!(read("explain --na").wanted, Wanted::Flag));
        assert!(matches!(read("explain -- -x").wanted, Wanted::Argument));
        for (text, id, partial) in [
            ("explain -n sh", "namespace", "sh"),
            ("explain -An sh", "namespace", "sh"),
            ("list --output=js", "output", "js"),
            ("list -f ", "filename", ""),
        ] {
            let line = read(text);
            let Wanted::Value(flag) = line.wanted else { panic!("{text}: {:?}", line.wanted) };
            assert_eq!((flag.get_id().as_str(), line.partial.as_str()), (id, partial));
        }
    }

    #[test]
    fn a_line_that_makes_no_sense_is_not_read() {
        assert!(Line::read(&[]).is_none());
        assert!(Line::read(&["frobnicate".into(), String::new()]).is_none());
    }
}
