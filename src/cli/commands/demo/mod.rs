//! `demo`: stories from recordings of a real control plane, which need no cluster.
//!
//! A story runs the very command lines that it shows: they are parsed as the user's would be, and
//! only the file that they name is read from the program itself.

mod scenarios;

use std::path::PathBuf;

use clap::Parser;

use crate::cli::args::{Arguments, Command};
use crate::cli::render::output::Look;
use crate::cli::render::print;
use crate::engine::ask::{self, Answers};
use crate::engine::failure::Failure;
use crate::engine::settings::{ColorChoice, Input, Output, Question, Settings};
use crate::report::style::{Style, columns};
use crate::suggest;

pub use scenarios::ALL;

/// A demonstration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demo {
    /// Its name.
    pub name: &'static str,
    /// One line about what it shows.
    pub about: &'static str,
    /// The recording.
    pub bytes: &'static [u8],
    /// What is told, in order.
    pub steps: &'static [Step],
    /// What to take home.
    pub end: &'static str,
}

/// A part of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// What happened until then.
    pub told: &'static str,
    /// What is run: the command line after `kubectl rsexp`, without the file and the instant.
    pub command: &'static str,
    /// For which instant it is run.
    pub at: &'static str,
}

impl Demo {
    /// The recording in the repository.
    fn file(&self) -> String {
        format!("examples/{}.rsexp.jsonl.gz", self.name)
    }

    /// The command line of a step after `kubectl rsexp`: the question, the file, the instant.
    fn parts(&self, step: &Step, output: &Output) -> [String; 3] {
        let wide = if *output == Output::Wide { " -o wide" } else { "" };
        [step.command.to_owned(), format!("-f {}", self.file()), format!("--at {}{wide}", step.at)]
    }

    fn run(&self, step: &Step, output: &Output) -> Result<(Settings, Answers), Failure> {
        let settings = parse(&self.parts(step, output).join(" "))?;
        let input = Input::from(PathBuf::from(self.file()));
        let answers = ask::answer_from(&settings, &input, self.bytes)?;
        let unsaid = [&answers.problems, &answers.warnings, &answers.missing];
        if let Some(problem) = unsaid.into_iter().flatten().next() {
            return Err(Failure::Demonstration { name: self.name, problem: problem.clone() });
        }
        Ok((settings, answers))
    }

    /// The story, for reading.
    fn story(&self, output: &Output, look: Look) -> Result<String, Failure> {
        let style = Style::new(look.colour, look.width).of_text();
        let title = format!("{}: {}", self.name, self.about);
        let mut text = style.bold(&style.paragraph("", 2, &title)) + "\n";
        for (at, step) in self.steps.iter().enumerate() {
            let (settings, answers) = self.run(step, output)?;
            let number = format!("{}. ", at + 1);
            let told = style.paragraph(&number, number.len(), step.told);
            let command = shell(&self.parts(step, output), &style);
            let printed = print::reports(&answers, &settings, look)?;
            text += &format!("\n{told}\n\n{command}{printed}");
        }
        Ok(text + "\n" + &style.paragraph("", 0, self.end) + "\n")
    }

    /// What the commands of the story find out, as one answer.
    fn answers(&self) -> Result<Answers, Failure> {
        let mut all = Answers::default();
        for step in self.steps {
            let (_, answers) = self.run(step, &Output::Text)?;
            all.reports.extend(answers.reports);
            all.rows.extend(answers.rows);
        }
        Ok(all)
    }
}

/// A command as it is typed: on one line if it fits, else broken between its parts, so that it can be
/// copied.
fn shell(parts: &[String; 3], style: &Style) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            None => lines.push(format!("$ kubectl rsexp {part}")),
            Some(line) if columns(line) + 1 + columns(part) + 2 <= style.width => {
                *line += &format!(" {part}")
            }
            Some(line) => {
                *line += " \\";
                lines.push(format!("    {part}"));
            }
        }
    }
    lines.iter().map(|line| style.bold(line) + "\n").collect()
}

/// The settings of a command line, read as a user's.
fn parse(line: &str) -> Result<Settings, Failure> {
    let words = std::iter::once("kubectl-rsexp").chain(line.split(' '));
    let arguments = Arguments::try_parse_from(words).map_err(|error| Failure::Usage(error.to_string()))?;
    let settings = match arguments.command {
        Command::List(arguments) => arguments.settings(ColorChoice::Auto),
        Command::Explain(arguments) => arguments.settings(ColorChoice::Auto),
        Command::DryRun(arguments) => arguments.settings(ColorChoice::Auto),
        _ => return Err(Failure::Usage(format!("{line:?} reads no recording"))),
    };
    Ok(settings?)
}

/// The demonstration of a name.
pub fn find(name: &str) -> Result<&'static Demo, Failure> {
    ALL.iter().find(|demo| demo.name == name).ok_or_else(|| {
        let hint = suggest::hint(name, ALL.iter().map(|demo| demo.name));
        let names = ALL.iter().map(|demo| demo.name).collect::<Vec<_>>().join(", ");
        let hint = if hint.is_empty() { format!("; there are {names}") } else { hint };
        Failure::Missing(vec![format!("there is no demonstration \"{name}\"{hint}")])
    })
}

/// What `demo` prints: one demonstration, or the first and the list of all.
pub fn show(chosen: Option<&'static Demo>, output: Output, look: Look) -> Result<String, Failure> {
    let Some(demo) = chosen.or(ALL.first()) else { return Ok(String::new()) };
    if !output.is_human() {
        let settings = Settings { output, ..Settings::of(Question::Explain) };
        return print::reports(&demo.answers()?, &settings, look);
    }
    let story = demo.story(&output, look)?;
    Ok(match chosen {
        Some(_) => format!("{story}\n{}", others(demo, look)),
        None => format!("{story}\n{}", next(look)),
    })
}

/// What to do after the first story.
fn next(look: Look) -> String {
    let style = Style::new(look.colour, look.width).of_text();
    let width = ALL.iter().map(|demo| demo.name.len()).max().unwrap_or(0);
    let mut text = style.bold("Demonstrations, each from a recording of a real control plane:") + "\n";
    for demo in ALL {
        let lead = format!("  {:width$}   ", demo.name);
        text += &(style.paragraph(&lead, lead.len(), demo.about) + "\n");
    }
    let rest = [
        style.paragraph("", 0, "Go on with one of them:"),
        style.command(2, "kubectl rsexp demo quota"),
        style.paragraph(
            "",
            0,
            "The commands above work as they stand in a clone of the repository. For your own cluster, take \
             a snapshot and ask about it:",
        ),
        style.command(2, "kubectl get rs,rc,pods,events,quota,limits,deploy,ns,lease -A -o yaml > all.yaml"),
        style.command(2, "kubectl rsexp list -f all.yaml"),
    ];
    text + "\n" + &rest.join("\n") + "\n"
}

fn others(demo: &Demo, look: Look) -> String {
    let style = Style::new(look.colour, look.width).of_text();
    let names = ALL.iter().filter(|other| other.name != demo.name).map(|other| other.name);
    let names = names.collect::<Vec<_>>().join(", ");
    style.paragraph("", 0, &format!("More: kubectl rsexp demo NAME, with {names}.")) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_name_is_answered_with_the_nearest() {
        assert_eq!(find("quota").unwrap().name, "quota");
        let error = find("qouta").unwrap_err();
        assert_eq!(error.to_string(), "there is no demonstration \"qouta\"; did you mean \"quota\"?");
        assert!(find("banana").unwrap_err().to_string().contains("there are waits, "));
    }

    #[test]
    fn each_command_reads_the_recording_of_its_story() {
        for demo in ALL {
            for step in demo.steps {
                let settings = parse(&demo.parts(step, &Output::Text).join(" ")).unwrap();
                assert_eq!(settings.inputs, [Input::from(PathBuf::from(demo.file()))], "{}", step.command);
                assert_eq!(settings.at.len(), 1, "{}", step.command);
            }
        }
    }

    #[test]
    fn names_and_lines_are_short_enough_for_a_list() {
        for demo in ALL {
            assert!(demo.name.len() <= 21 && demo.about.len() <= 54, "{}", demo.name);
            assert!(demo.steps.len() >= 2, "{}", demo.name);
        }
    }
}
