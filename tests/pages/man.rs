//! The man pages: one of each command, with all that its help has, and well-formed.

#[path = "../../examples/man/pages.rs"]
mod pages;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use pages::{Page, all};
use rsexp::cli::{exit, manual};

fn made() -> Vec<Page> {
    all("2026-01-31").unwrap()
}

/// A page as a reader finds words in it: without roff's spelling of hyphens and fonts.
fn plain(page: &Page) -> String {
    let text = page.text.replace("\\-", "-").replace("\\&", "");
    ["\\fB", "\\fI", "\\fR"].iter().fold(text, |text, font| text.replace(font, ""))
}

#[test]
fn each_command_has_a_page_and_each_of_its_flags_stands_there() {
    let pages = made();
    let mut program = rsexp::cli::definition();
    program.build();
    let commands: Vec<_> = program.get_subcommands().filter(|sub| sub.get_name() != "help").collect();
    assert_eq!(pages.len(), commands.len() + 1);
    for command in commands {
        let file = format!("kubectl-rsexp-{}.1", command.get_name());
        let page = pages.iter().find(|page| page.file == file).unwrap_or_else(|| panic!("no {file}"));
        let text = plain(page);
        for flag in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            if let Some(long) = flag.get_long() {
                assert!(
                    text.contains(&format!("\n--{long}")) || text.contains(&format!(", --{long}")),
                    "{file}: {long}"
                );
            }
        }
        let about = command.get_about().unwrap().to_string();
        assert!(text.contains(&format!("kubectl-rsexp-{} - {about}", command.get_name())), "{file}");
        assert!(plain(&pages[0]).contains(&format!("kubectl-rsexp-{}(1)", command.get_name())));
    }
}

#[test]
fn each_page_has_the_examples_of_the_help_and_all_that_the_program_reads() {
    for page in made() {
        let text = plain(&page);
        for heading in
            ["NAME", "SYNOPSIS", "\"EXIT STATUS\"", "ENVIRONMENT", "FILES", "EXAMPLES", "\"SEE ALSO\""]
        {
            assert!(text.contains(&format!("\n.SH {heading}\n")), "{}: {heading}", page.file);
        }
        let (_, examples) = text.split_once(".SH EXAMPLES").unwrap();
        assert!(examples.contains("\nkubectl rsexp "), "{}", page.file);
        let names = manual::ENVIRONMENT.iter().chain(manual::FILES);
        assert!(names.clone().all(|(name, _)| text.contains(name)), "{}", page.file);
        assert_eq!(exit::TABLE.iter().filter(|(_, means)| text.contains(&means.replace('`', ""))).count(), 9);
    }
}

#[test]
fn the_variables_are_those_that_the_program_reads() {
    let mut sources = Vec::new();
    read(Path::new("src"), &mut sources);
    let is_name = |word: &str| word.len() > 3 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let quoted = sources.iter().flat_map(|text| text.split('"'));
    let words: BTreeSet<&str> = quoted.filter(|word| is_name(word)).collect();
    let told: BTreeSet<&str> = manual::ENVIRONMENT.iter().flat_map(|(names, _)| names.split(", ")).collect();
    assert!(told.is_subset(&words), "{:?}", told.difference(&words));
    // What cargo and a build give; what is never read, as a test says; what credential plugins are given.
    let others = ["CARGO_MANIFEST_DIR", "CARGO_PKG_VERSION", "RSEXP_COMMIT", "RSEXP_TARGET"];
    let others = BTreeSet::from_iter(others.into_iter().chain(["ALL_PROXY", "KUBERNETES_EXEC_INFO"]));
    let untold = words.difference(&told).filter(|word| word.contains('_') && !others.contains(*word));
    assert_eq!(untold.count(), 0, "{words:?}");
}

fn read(directory: &Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn formatters_find_nothing_to_warn_of() {
    let directory = tempfile::tempdir().unwrap();
    let checkers: [(&str, &[&str]); 2] =
        [("mandoc", &["-Tlint", "-Wwarning"]), ("groff", &["-man", "-ww", "-Tutf8", "-z"])];
    for page in made() {
        let file = directory.path().join(&page.file);
        std::fs::write(&file, &page.text).unwrap();
        for (checker, arguments) in checkers {
            match Command::new(checker).args(arguments).arg(&file).output() {
                Ok(run) => {
                    let said = [run.stdout, run.stderr].concat();
                    assert!(
                        run.status.success() && said.is_empty(),
                        "{checker}: {}",
                        String::from_utf8_lossy(&said)
                    );
                }
                Err(error) => support::skipped(&format!("no {checker} to read the man pages ({error})")),
            }
        }
    }
}
