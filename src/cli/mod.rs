//! The command line: arguments become plain [`settings`], a question is answered by [`ask`], the answer is
//! printed, and the [`exit`] code tells how it went. Nothing below this module knows clap.

pub mod ask;
pub mod demo;
pub mod exit;
pub mod failure;
pub mod manual;
pub mod output;
mod pictures;
pub mod settings;
pub mod target;

mod args;
mod auth;
mod called;
mod choose;
mod codes;
mod complete;
mod connection;
mod examples;
pub mod expect;
pub mod fields;
mod formats;
mod live;
mod logs;
mod origin;
mod print;
mod record;
mod schema;
mod selector;
mod session;
mod sort;

mod templates;
mod timeline;
mod told;
mod usage;
mod values;
mod version;
mod via;
mod yaml;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::builder::StyledStr;

use args::{Arguments, AuthArguments, Command, ExplainArguments};
use ask::Answers;
use exit::Exit;
use failure::Failure;
use output::Terminal;
use session::{Emit, Listeners};
use settings::{ColorChoice, Output, Settings};
use timeline::Timeline;

use crate::report::sanitize::escape;
use crate::report::table::Grid;
use crate::source::Flow;

use crate::suggest;

/// Runs the program with these arguments, its own name first.
pub fn main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    if args.get(1).is_some_and(|word| word == complete::COMMAND) {
        complete::answer(&args[2..]);
        return ExitCode::SUCCESS;
    }
    let exit = run(args.into_iter()).unwrap_or_else(|failure| {
        failure.tell();
        failure.exit()
    });
    ExitCode::from(exit.code())
}

/// All commands and flags, as clap knows them.
pub fn definition() -> clap::Command {
    Arguments::definition()
}

fn run(args: impl Iterator<Item = OsString>) -> Result<Exit, Failure> {
    match Arguments::read(args) {
        Ok(arguments) => command(arguments),
        Err(error) => match usage::Answer::from(error) {
            usage::Answer::Help(text) => help(&text),
            usage::Answer::NothingAsked(text) => {
                output::aside(&text.to_string());
                Ok(Exit::Usage)
            }
            usage::Answer::Wrong(failure) => Err(failure),
        },
    }
}

fn command(arguments: Arguments) -> Result<Exit, Failure> {
    let color = arguments.color;
    match arguments.command {
        Command::List(arguments) => question(arguments.settings(color)),
        Command::Explain(arguments) => explain(arguments, color),
        Command::DryRun(arguments) => question(arguments.settings(color)),
        Command::Record(arguments) => record::record(&arguments.settings().map_err(Failure::Usage)?),
        Command::Timeline(arguments) => show_timeline(&arguments.settings(color).map_err(Failure::Usage)?),
        Command::Demo(arguments) => demonstrate(arguments.name.as_deref(), arguments.output, color),
        Command::Auth(arguments) => show_access(arguments, color),
        Command::Completion(arguments) => say(color, &complete::script(arguments.shell)),
        Command::Schema => say(color, &schema::show()?),
        Command::Version(arguments) => say(color, &version::show(arguments.output)?),
    }
}

fn explain(arguments: ExplainArguments, color: ColorChoice) -> Result<Exit, Failure> {
    if arguments.list_codes {
        let all = crate::reconstruct::reasons::Code::ALL;
        return say(color, &codes::list(all, arguments.output())?);
    }
    let Some((words, output)) = arguments.codes() else { return question(arguments.settings(color)) };
    let found = codes::find(words)?;
    let mut terminal = Terminal::new(color);
    let text = codes::explain(&found, output, terminal.look())?;
    terminal.write(&text)?;
    terminal.finish()?;
    Ok(Exit::Answered)
}

fn demonstrate(name: Option<&str>, output: Output, color: ColorChoice) -> Result<Exit, Failure> {
    let chosen = name.map(demo::find).transpose()?;
    let mut terminal = Terminal::new(color);
    let text = demo::show(chosen, output, terminal.look())?;
    terminal.write(&text)?;
    terminal.finish()?;
    Ok(Exit::Answered)
}

fn show_access(arguments: AuthArguments, color: ColorChoice) -> Result<Exit, Failure> {
    let output = arguments.output.clone();
    let access = auth::find_out(arguments)?;
    say(color, &access.show(output)?)?;
    access.problems().iter().for_each(|line| output::warning(line));
    Ok(access.exit())
}

fn question(settings: Result<Settings, String>) -> Result<Exit, Failure> {
    let settings = settings.map_err(Failure::Usage)?;
    let mut failed = None;
    let changes = settings.live.follow.then(|| changes(&settings, &mut failed));
    let answers = ask::answer(&settings, changes)?;
    match failed {
        Some(failure) => Err(failure),
        None => show(&settings, &sort::sorted(answers, &settings)?),
    }
}

/// Prints the lines while the input is read, then what is to be said about all of it.
fn show_timeline(settings: &Settings) -> Result<Exit, Failure> {
    let mut timeline = Timeline::new(settings);
    let answered = ask::listen(settings, Listeners { lines: Some(&mut timeline), ..Listeners::default() });
    let answers = match answered {
        Ok(answers) => answers,
        Err(failure) => {
            // What was begun is ended, so that it can be read.
            timeline.finish(None)?;
            return Err(failure);
        }
    };
    remarks(&answers);
    timeline.finish(Some(&answers))?;
    let silent = answers.unread || settings.output == Output::Json;
    if answers.reports.is_empty() && answers.missing.is_empty() && !silent {
        output::aside(&nothing_found(settings));
    }
    Ok(ending(settings, &answers))
}

fn remarks(answers: &Answers) {
    answers.problems.iter().for_each(|line| output::error(line));
    answers.notes.iter().for_each(|line| output::note(line));
    answers.warnings.iter().for_each(|line| output::warning(line));
}

/// Prints reports as they change; the column heads once, all rows in the same columns. What cannot be
/// written ends it, and stands in `failed`.
fn changes<'a>(settings: &'a Settings, failed: &'a mut Option<Failure>) -> Emit<'a> {
    let mut grid = Grid::default();
    Box::new(move |changed| {
        *failed = print_changed(settings, changed, &mut grid).err();
        if failed.is_some() { Flow::Enough } else { Flow::Continue }
    })
}

fn print_changed(settings: &Settings, changed: Answers, grid: &mut Grid) -> Result<(), Failure> {
    changed.notes.iter().for_each(|line| output::note(line));
    let mut terminal = Terminal::new(settings.color);
    let text = print::changed(&sort::sorted(changed, settings)?, settings, terminal.look(), grid)?;
    terminal.write(&text)?;
    terminal.finish()
}

/// Prints the answers, and what is to be said about them.
fn show(settings: &Settings, answers: &Answers) -> Result<Exit, Failure> {
    remarks(answers);
    let machine = settings.output.is_document() && !settings.live.follow;
    if !answers.reports.is_empty() || (machine && answers.missing.is_empty()) {
        let mut terminal = Terminal::new(settings.color);
        let text = print::reports(answers, settings, terminal.look())?;
        terminal.write(&text)?;
        terminal.finish()?;
    } else if answers.missing.is_empty() && !answers.unread && !settings.live.follow {
        output::aside(&nothing_found(settings));
    }
    Ok(ending(settings, answers))
}

fn nothing_found(settings: &Settings) -> String {
    match settings.only_namespace() {
        Some(namespace) => format!("No resources found in {} namespace.\n", escape(namespace)),
        None => "No resources found\n".into(),
    }
}

/// Says what is missing and what differs from what was expected, and how it ends.
fn ending(settings: &Settings, answers: &Answers) -> Exit {
    // What could not be read may hold it.
    let missing = if answers.unread { &[][..] } else { &answers.missing };
    missing.iter().for_each(|line| output::error(line));
    let reports = &answers.reports;
    let nothing = reports.is_empty() && !answers.missing.is_empty();
    let differences = if nothing { Vec::new() } else { expect::differences(&settings.expect, reports) };
    differences.iter().for_each(|line| output::error(line));
    exit::of(exit::Ending {
        timed_out: answers.timed_out,
        unusable: !answers.problems.is_empty(),
        missing: !missing.is_empty(),
        answered: !reports.is_empty(),
        differs: !differences.is_empty(),
        verdict: settings.exit_code.then(|| exit::telling(reports.iter().map(|report| report.verdict))),
    })
}

fn help(text: &StyledStr) -> Result<Exit, Failure> {
    let mut terminal = Terminal::new(ColorChoice::Auto);
    let text = if terminal.look().colour { text.ansi().to_string() } else { text.to_string() };
    terminal.write(&text)?;
    terminal.finish()?;
    Ok(Exit::Answered)
}

fn say(color: ColorChoice, text: &str) -> Result<Exit, Failure> {
    let mut terminal = Terminal::new(color);
    terminal.write(text)?;
    terminal.finish()?;
    Ok(Exit::Answered)
}

#[cfg(test)]
mod tests;
