//! The man pages: what clap knows, in the words of the help, and sections of what it does not know.

use std::io;

use clap::{Arg, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};
use rsexp::cli::{exit, manual};

/// A page.
pub struct Page {
    /// Its file, such as `kubectl-rsexp-list.1`.
    pub file: String,
    /// The roff.
    pub text: String,
}

/// The page of the program and one of each command, of this day (YYYY-MM-DD).
pub fn all(date: &str) -> io::Result<Vec<Page>> {
    let mut program = rsexp::cli::definition().disable_help_subcommand(true).mut_args(with_values);
    for name in program.get_subcommands().map(|sub| sub.get_name().to_owned()).collect::<Vec<_>>() {
        program = program.mut_subcommand(name, |command| command.mut_args(with_values));
    }
    program.build();
    let commands: Vec<Command> = program.get_subcommands().cloned().collect();
    let names: Vec<String> = commands.iter().map(page_name).collect();
    let mut pages = vec![page(&program, date, &names)?];
    let above = [page_name(&program)];
    for command in &commands {
        pages.push(page(command, date, &above)?);
    }
    Ok(pages)
}

/// Says the values that an argument takes in its help: as a list of their own, as clap_mangen has them, they
/// take a page, and are no well-formed roff.
fn with_values(arg: Arg) -> Arg {
    let values = arg.get_possible_values();
    let values: Vec<&str> =
        values.iter().filter(|value| !value.is_hide_set()).map(|value| value.get_name()).collect();
    if values.is_empty() || arg.is_hide_possible_values_set() || !arg.get_action().takes_values() {
        return arg;
    }
    let help = arg.get_help().map(|help| format!("{help}: ")).unwrap_or_default();
    let help = format!("{help}{}", values.join(", "));
    arg.help(help).hide_possible_values(true)
}

/// `kubectl-rsexp-dry-run` for `kubectl rsexp dry-run`.
fn page_name(command: &Command) -> String {
    command.get_bin_name().unwrap_or_else(|| command.get_name()).replace(' ', "-")
}

fn page(command: &Command, date: &str, related: &[String]) -> io::Result<Page> {
    let name = page_name(command);
    // As the arguments of clap are: NAME and lists of commands say the page's name.
    let man = Man::new(command.clone().display_name(&name))
        .title(name.to_uppercase())
        .date(date)
        .source(concat!("kubectl-rsexp ", env!("CARGO_PKG_VERSION")))
        .manual("kubectl plugins");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    let mut own = Roff::new();
    terms(&mut own, "EXIT STATUS", exit::TABLE.iter().map(|(exits, means)| (codes(exits), *means)));
    terms(&mut own, "ENVIRONMENT", manual::ENVIRONMENT.iter().map(|(name, is)| ((*name).to_owned(), *is)));
    terms(&mut own, "FILES", manual::FILES.iter().map(|(path, is)| ((*path).to_owned(), *is)));
    examples(&mut own, command);
    see_also(&mut own, related);
    own.to_writer(&mut text)?;
    let text = String::from_utf8(text).map_err(io::Error::other)?;
    Ok(Page { file: format!("{name}.1"), text })
}

fn codes(exits: &[exit::Exit]) -> String {
    let codes: Vec<String> = exits.iter().map(|exit| exit.code().to_string()).collect();
    codes.join(", ")
}

/// A section of terms, each with what it means.
fn terms<'a>(roff: &mut Roff, heading: &str, terms: impl Iterator<Item = (String, &'a str)>) {
    roff.control("SH", [heading]);
    for (term, means) in terms {
        roff.control("TP", []);
        roff.text([bold(term)]);
        roff.text(words(means));
    }
}

/// Plain text, with what stands in backticks in bold.
fn words(text: &str) -> Vec<Inline> {
    let inline = |(at, part): (usize, &str)| if at % 2 == 1 { bold(part) } else { roman(part) };
    text.split('`').enumerate().map(inline).collect()
}

/// The examples of the help: a comment is text, a command stands as it is typed.
fn examples(roff: &mut Roff, command: &Command) {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = help.lines().filter(|line| !line.is_empty() && *line != "Examples:");
    roff.control("SH", ["EXAMPLES"]);
    for (at, line) in lines.enumerate() {
        let text = line.trim_start();
        let typed = line != text && !text.starts_with("# ");
        if typed {
            roff.control("RS", ["4"]);
            roff.control("nf", []);
            roff.text([roman(text)]);
            roff.control("fi", []);
            roff.control("RE", []);
        } else {
            if at > 0 {
                roff.control("PP", []);
            }
            roff.text([roman(text.trim_start_matches("# "))]);
        }
    }
}

fn see_also(roff: &mut Roff, related: &[String]) {
    roff.control("SH", ["SEE ALSO"]);
    let last = related.len() - 1;
    for (at, name) in related.iter().enumerate() {
        roff.text([bold(name), roman(if at == last { "(1)" } else { "(1)," })]);
    }
}
