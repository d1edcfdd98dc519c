//! Whole screens, as a reader sees them: each file of `transcripts/` shows commands with all that they print on
//! standard output and standard error, and how they end. They protect the wording and the layout of what is
//! printed; what is true is asserted elsewhere, on typed facts and JSON.
//!
//! A file is a list of
//!
//!     # What is to be seen here.
//!     $ kubectl rsexp COMMAND...
//!     standard output
//!     [stderr]
//!     standard error
//!     [exit 0]
//!
//! A command may be continued behind a `\`, set variables before its name, read a file with `<` at its end, and name a
//! server (`-s [least]`, see below). It runs in the root of the repository, 80 columns wide. To add one, write its
//! line and let the rest be written:
//!
//!     RSEXP_WRITE=1 cargo test --test cli transcripts

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use snapbox::assert::Action;
use snapbox::{Assert, Data};
use support::server::{Answer, serve};

const PROMPT: &str = "$ ";
const STDERR: &str = "[stderr]\n";
const EXIT: &str = "[exit ";
/// Stands where standard output does not end with a line.
const NO_NEWLINE: &str = "[no newline]\n";
/// What is set in the environment of whoever runs the tests and would be seen in an answer.
const UNSET: [&str; 9] = [
    "_",
    "CLICOLOR_FORCE",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "KUBECONFIG",
    "KUBERNETES_SERVICE_HOST",
    "NO_COLOR",
    "RSEXP_WRITE",
    "TERM",
];

#[test]
fn every_screen_is_as_its_transcript_shows_it() {
    let mut files = transcripts();
    assert!(files.len() >= 40, "{files:?}");
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let share = files.len().div_ceil(workers);
    let differing: Vec<String> = std::thread::scope(|scope| {
        let shares: Vec<_> = std::iter::from_fn(|| {
            (!files.is_empty()).then(|| files.split_off(files.len().saturating_sub(share)))
        })
        .map(|files| {
            scope.spawn(move || files.iter().filter_map(|file| difference(file)).collect::<Vec<_>>())
        })
        .collect();
        shares.into_iter().flat_map(|share| share.join().unwrap()).collect()
    });
    let hint = "if this is what should be printed: RSEXP_WRITE=1 cargo test --test cli transcripts";
    assert!(differing.is_empty(), "{}\n{hint}", differing.join("\n"));
}

fn transcripts() -> Vec<PathBuf> {
    let folder = support::root().join("tests/cli/transcripts");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Where what is printed differs from the file; never, if files are to be renewed.
fn difference(file: &Path) -> Option<String> {
    let renew = std::env::var_os("RSEXP_WRITE").is_some();
    let action = if renew { Action::Overwrite } else { Action::Verify };
    let text = std::fs::read_to_string(file).unwrap();
    let name = file.file_name().unwrap().to_string_lossy();
    // Raw: by default a backslash equals a slash, and escapes are what some of the screens are about.
    let expected = Data::read_from(file, None).raw();
    Assert::new()
        .action(action)
        .try_eq(Some(&name), printed(&text).into(), expected)
        .err()
        .map(|e| e.to_string())
}

/// The text of a file with what its commands print now.
fn printed(text: &str) -> String {
    let mut now = String::new();
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        now += line;
        let Some(start) = line.strip_prefix(PROMPT) else { continue };
        let mut command = start.to_owned();
        while command.ends_with("\\\n") {
            let more = lines.next().unwrap();
            now += more;
            command.truncate(command.len() - 2);
            command += more;
        }
        now += &run(&command);
        // Of a new command nothing is shown yet.
        if lines.peek().is_some_and(|line| *line != "\n" && !line.starts_with(PROMPT)) {
            lines.find(|line| line.starts_with(EXIT)).expect("an end of what is shown");
        }
    }
    now
}

fn run(line: &str) -> String {
    let mut words = words(line);
    let name = words.iter().position(|word| word == "kubectl").expect("kubectl rsexp");
    assert_eq!(words[name + 1], "rsexp", "{line}");
    let root = support::root();
    let mut command = Command::new(support::binary());
    for variable in UNSET {
        command.env_remove(variable);
    }
    command.current_dir(root).env("COLUMNS", "80").env("HOME", "/nowhere").env("no_proxy", "*");
    for variable in words.drain(..name) {
        let (name, value) = variable.split_once('=').unwrap();
        command.env(name, value);
    }
    let stdin = match words.iter().position(|word| word == "<") {
        Some(at) => Stdio::from(File::open(root.join(words.split_off(at).remove(1))).unwrap()),
        None => Stdio::null(),
    };
    let server = serve_named(&mut words);
    let output = command.args(&words[2..]).stdin(stdin).output().unwrap();
    let text = |bytes| {
        let text = String::from_utf8(bytes).unwrap();
        server.iter().fold(text, |text, (name, address)| text.replace(address.as_str(), name))
    };
    shown(&text(output.stdout), &text(output.stderr), output.status.code().unwrap())
}

/// Starts the server that a word such as `[least]` names and puts its address in the place of the word; gives both,
/// without the scheme.
fn serve_named(words: &mut [String]) -> Option<(String, String)> {
    for word in words {
        let answers = match word.as_str() {
            "[least]" => least as fn(&str) -> Answer,
            "[nothing]" => nothing,
            _ => continue,
        };
        let name = std::mem::replace(word, serve(answers));
        return Some((name, word.trim_start_matches("http://").to_owned()));
    }
    None
}

/// Grants ReplicaSets and pods of namespace shop, in which there are none.
fn least(path: &str) -> Answer {
    let granted = ["/apis/apps/v1/namespaces/shop/replicasets", "/api/v1/namespaces/shop/pods"];
    match granted.iter().find_map(|prefix| path.strip_prefix(prefix)) {
        None => nothing(path),
        Some(rest) if rest.starts_with('/') => Some((404, status(404, "NotFound", "it does not exist"))),
        Some(_) => {
            let kind = if path.contains("replicasets") { "ReplicaSet" } else { "Pod" };
            Some((200, format!(r#"{{"kind":"{kind}List","metadata":{{"resourceVersion":"9"}},"items":[]}}"#)))
        }
    }
}

/// Grants nothing.
fn nothing(path: &str) -> Answer {
    Some((403, status(403, "Forbidden", &format!("user \\\"jane\\\" may not read {path}"))))
}

fn status(code: u16, reason: &str, message: &str) -> String {
    format!(
        r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"{reason}","message":"{message}","code":{code}}}"#
    )
}

fn shown(out: &str, err: &str, code: i32) -> String {
    let mut shown: String = out.split_inclusive('\n').map(of_any_run).collect();
    if !out.is_empty() && !out.ends_with('\n') {
        shown = shown + "\n" + NO_NEWLINE;
    }
    if !err.is_empty() {
        shown += STDERR;
        shown.extend(err.split_inclusive('\n').map(of_any_run));
    }
    shown + EXIT + &format!("{code}]\n")
}

/// A line without what differs between builds of one version, or from run to run.
fn of_any_run(line: &str) -> String {
    for name in ["commit ", "target "] {
        if line.starts_with(name) {
            return format!("{name}[..]\n");
        }
    }
    let recorded =
        line.strip_prefix("note: recorded ").and_then(|rest| rest.split_once(" to ")?.1.rsplit_once(", "));
    if let Some((what, _took)) = recorded {
        return format!("note: recorded [..] to {what}, [..]\n");
    }
    line.to_owned()
}

/// The words of a command; those in single quotes are one.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None, false);
    for c in line.trim_end().chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_with(String::new);
            }
            ' ' if !quoted => words.extend(word.take()),
            c => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    words
}
