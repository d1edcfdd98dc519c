//! The command line: arguments become plain settings ([`args`]), a command asks the engine ([`commands`])
//! and prints the answer ([`render`]); the [`exit`] code tells how it went. The only folder that knows clap and
//! standard output. Start reading at [`main`].

pub mod args;
pub mod commands;
pub mod complete;
pub mod exit;
pub mod manual;
pub mod render;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::builder::StyledStr;

use crate::engine::failure::Failure;
use crate::engine::settings::{ColorChoice, Output};
use args::{Arguments, AuthArguments, Command, ExplainArguments, usage};
use commands::question::{question, show_timeline};
use commands::{auth, codes, demo, record, schema, version};
use exit::Exit;
use render::output::{self, Terminal};

/// Runs the program with these arguments, its own name first.
pub fn main(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    if args.get(1).is_some_and(|word| word == complete::COMMAND) {
        complete::answer(&args[2..]);
        return ExitCode::SUCCESS;
    }
    ExitCode::from(run(args.into_iter()).code())
}

/// All commands and flags, as clap knows them.
pub fn definition() -> clap::Command {
    Arguments::definition()
}

fn run(args: impl Iterator<Item = OsString>) -> Exit {
    let (answered, causes) = match Arguments::read(args) {
        Ok(arguments) => {
            let causes = arguments.command.is_verbose();
            (command(arguments), causes)
        }
        Err(error) => (without_arguments(error), false),
    };
    answered.unwrap_or_else(|failure| {
        output::failure(&failure, causes);
        Exit::from(&failure)
    })
}

fn without_arguments(error: clap::Error) -> Result<Exit, Failure> {
    match usage::Answer::from(error) {
        usage::Answer::Help(text) => help(&text),
        usage::Answer::NothingAsked(text) => {
            output::aside(&text.to_string());
            Ok(Exit::Usage)
        }
        usage::Answer::Wrong(failure) => Err(failure),
    }
}

fn command(arguments: Arguments) -> Result<Exit, Failure> {
    let color = arguments.color;
    match arguments.command {
        Command::List(arguments) => question(&arguments.settings(color)?),
        Command::Explain(arguments) => explain(arguments, color),
        Command::DryRun(arguments) => question(&arguments.settings(color)?),
        Command::Record(arguments) => record::record(&arguments.settings()?),
        Command::Timeline(arguments) => show_timeline(&arguments.settings(color)?),
        Command::Demo(arguments) => demonstrate(arguments.name.as_deref(), arguments.output, color),
        Command::Auth(arguments) => show_access(arguments, color),
        Command::Completion(arguments) => say(color, &complete::script(arguments.shell)),
        Command::Schema => say(color, &schema::show()?),
        Command::Version(arguments) => say(color, &version::show(arguments.output)?),
    }
}

fn explain(arguments: ExplainArguments, color: ColorChoice) -> Result<Exit, Failure> {
    if arguments.list_codes {
        let all = crate::reasons::Code::ALL;
        return say(color, &codes::list(all, arguments.output())?);
    }
    let Some((words, output)) = arguments.codes() else { return question(&arguments.settings(color)?) };
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
