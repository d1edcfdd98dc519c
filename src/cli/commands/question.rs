//! `list`, `explain`, `dry-run` and `timeline`: a question about ReplicaSets is asked and its answers are
//! printed, with what is to be said about them, and how it ends.

use crate::cli::commands::timeline::Timeline;
use crate::cli::exit::{self, Exit};
use crate::cli::render::output::{self, Terminal};
use crate::cli::render::{print, sort};
use crate::engine::ask::{self, Answers};
use crate::engine::expect;
use crate::engine::failure::Failure;
use crate::engine::session::{ChangeListener, Listeners};
use crate::engine::settings::{Output, Settings};
use crate::report::sanitize::escape;
use crate::report::table::Grid;
use crate::source::Flow;

/// Asks about ReplicaSets, and prints the answers.
pub fn question(settings: &Settings) -> Result<Exit, Failure> {
    let mut failed = None;
    let changes = settings.live.follow.then(|| changes(settings, &mut failed));
    let answers = ask::answer(settings, changes)?;
    match failed {
        Some(failure) => Err(failure),
        None => show(settings, &sort::sorted(answers, settings)?),
    }
}

/// Prints the lines while the input is read, then what is to be said about all of it.
pub fn show_timeline(settings: &Settings) -> Result<Exit, Failure> {
    let mut timeline = Timeline::new(settings);
    let answered = ask::listen(settings, Listeners { ledger: Some(&mut timeline), ..Listeners::default() });
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
fn changes<'a>(settings: &'a Settings, failed: &'a mut Option<Failure>) -> ChangeListener<'a> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::settings::Question;

    fn answers(missing: &[&str], unusable: bool) -> Answers {
        let problems = if unusable { vec!["web.yaml: it is empty".to_owned()] } else { Vec::new() };
        let missing = missing.iter().map(|line| (*line).to_owned()).collect();
        Answers { missing, problems, ..Answers::default() }
    }

    fn ended(exit_code: bool, answers: &Answers) -> Exit {
        ending(&Settings { exit_code, ..Settings::of(Question::Explain) }, answers)
    }

    #[test]
    fn nothing_but_missing_targets_is_its_own_exit() {
        assert_eq!(ended(true, &answers(&["a"], false)), Exit::Missing);
        assert_eq!(ended(false, &answers(&[], false)), Exit::Answered);
    }

    #[test]
    fn unusable_input_wins_over_a_missing_target() {
        assert_eq!(ended(true, &answers(&["a"], true)), Exit::Error);
        assert_eq!(ended(true, &answers(&[], true)), Exit::Error);
    }
}
