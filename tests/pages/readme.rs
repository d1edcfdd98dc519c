//! What the README and the pages of docs/ show is what the program prints.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rsexp::cli::exit::{self, Exit};

/// Commands of ```console blocks: `$ kubectl rsexp ...`, some of them piped into jq.
const PROMPT: &str = "```console\n$ kubectl rsexp ";

/// Text with a command, and the output shown beneath it.
struct Transcript {
    page: PathBuf,
    command: String,
    shown: String,
}

/// The README and the pages of docs/, but for those that other tests make.
fn pages() -> Vec<PathBuf> {
    let root = support::root();
    let docs = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    pages.push(root.join("README.md"));
    pages.sort();
    pages
}

fn transcripts(page: &Path) -> Vec<Transcript> {
    let text = std::fs::read_to_string(page).unwrap();
    let blocks = text.split(PROMPT).skip(1);
    blocks
        .map(|block| {
            let (command, rest) = block.split_once('\n').expect("a command");
            let (output, _) = rest.split_once("```").expect("the end of the block");
            Transcript { page: page.to_owned(), command: command.to_owned(), shown: output.to_owned() }
        })
        .collect()
}

/// The words of a command; those in single quotes are one.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in command.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words
}

/// What the command prints; None if it needs jq and there is none.
fn printed(command: &str) -> Option<String> {
    let (program, filter) = match command.split_once(" | jq ") {
        Some((program, filter)) => (program, Some(filter)),
        None => (command, None),
    };
    let ran = support::shown(words(program));
    assert_eq!(ran.code, Some(0), "{program}: {}", ran.err);
    match filter {
        None => Some(ran.out),
        Some(filter) => jq(filter, ran.out.as_bytes()),
    }
}

/// `-r 'FILTER'` on this input.
fn jq(arguments: &str, input: &[u8]) -> Option<String> {
    let (option, filter) = arguments.split_once(' ').unwrap();
    let filter = filter.trim_matches('\'');
    let mut jq = Command::new("jq")
        .args([option, filter])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    jq.stdin.take().unwrap().write_all(input).unwrap();
    let output = jq.wait_with_output().unwrap();
    assert!(output.status.success(), "jq {filter}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Renews what a page shows.
fn write(transcript: &Transcript, printed: &str) {
    let text = std::fs::read_to_string(&transcript.page).unwrap();
    let block = |output: &str| format!("{PROMPT}{}\n{output}```", transcript.command);
    std::fs::write(&transcript.page, text.replace(&block(&transcript.shown), &block(printed))).unwrap();
}

#[test]
fn commands_of_the_pages_print_what_is_shown() {
    let mut count = 0;
    for page in pages() {
        for transcript in transcripts(&page) {
            count += 1;
            let Some(printed) = printed(&transcript.command) else {
                support::skipped("no jq to filter what some commands of the pages print");
                continue;
            };
            if std::env::var_os("RSEXP_WRITE").is_some() {
                write(&transcript, &printed);
                continue;
            }
            assert_eq!(printed, transcript.shown, "{}: kubectl rsexp {}", page.display(), transcript.command);
        }
    }
    assert!(count >= 10, "the pages show real output");
}

#[test]
fn links_between_pages_lead_to_files() {
    let mut broken = Vec::new();
    let root = support::root();
    let reasons = std::fs::read_dir(root.join("docs/reasons")).unwrap().map(|entry| entry.unwrap().path());
    for page in pages().into_iter().chain(reasons) {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            let outside = link.contains("://") || file.is_empty();
            if !outside && !page.parent().unwrap().join(file).exists() {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_exit_codes_of_the_readme_are_those_of_the_man_pages() {
    let row = |(exits, means): &(&[Exit], &str)| {
        let codes: Vec<String> = exits.iter().map(|exit| exit.code().to_string()).collect();
        format!("| {} | {means} |\n", codes.join(", "))
    };
    let table: String = exit::TABLE.iter().map(row).collect();
    assert!(
        include_str!("../../README.md").contains(&format!("| exit code | meaning |\n|---|---|\n{table}\n"))
    );
}

#[test]
fn the_two_commands_of_the_readme_are_those_that_ci_runs() {
    let readme = include_str!("../../README.md");
    assert!(readme.contains("cargo run -- demo") && readme.contains("cargo test"));
    assert!(include_str!("../../.ci/run").contains("cargo test"));
}
