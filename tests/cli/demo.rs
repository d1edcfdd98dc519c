//! `demo` seen from outside: the stories are told in order, and each command that they show gives
//! the output that stands beneath it.

use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;

const NAMES: [&str; 8] =
    ["waits", "quota", "scale-down", "burst", "adoption", "policy", "namespace-terminating", "rollout"];

/// Runs in the repository, 80 columns wide; exit code, standard output and standard error.
fn ran(args: &[&str]) -> (i32, String, String) {
    ran_in(support::root(), args)
}

fn ran_in(directory: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("kubectl-rsexp").unwrap();
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "TERM"] {
        command.env_remove(name);
    }
    command.env("COLUMNS", "80").current_dir(directory).args(args).timeout(Duration::from_secs(60));
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Standard output of a run that must end well and say nothing else, but for how it took a target.
fn said(args: &[&str]) -> String {
    let (code, out, err) = ran(args);
    assert!(code == 0 && err.lines().all(|line| line.starts_with("note: ")), "{args:?}: {err}");
    out
}

/// The commands of a story, each with the text from the line after it on.
fn commands(story: &str) -> Vec<(Vec<String>, &str)> {
    let mut found = Vec::new();
    let mut rest = story;
    while let Some((_, after)) = rest.split_once("$ kubectl rsexp ") {
        let mut line = String::new();
        rest = after;
        loop {
            let (text, more) = rest.split_once('\n').unwrap();
            rest = more;
            match text.strip_suffix('\\') {
                Some(broken) => line += broken,
                None => {
                    line += text;
                    break;
                }
            }
        }
        found.push((line.split_whitespace().map(str::to_owned).collect(), rest));
    }
    found
}

#[test]
fn demo_tells_of_the_replica_set_that_waits_and_lists_all() {
    let story = said(&["demo"]);
    let mut rest = story.as_str();
    for word in ["SETTLED", "SKIP", "ExpectationsUnmet", "ACT", "NothingWakes", "SETTLED"] {
        rest = rest.split_once(word).unwrap_or_else(|| panic!("{word} is not in its place: {story}")).1;
    }
    for name in NAMES {
        assert!(rest.contains(&format!("\n  {name} ")), "{name}: {rest}");
    }
    assert!(story.lines().count() <= 120, "more than two screens");
}

#[test]
fn the_commands_shown_give_the_output_shown() {
    for name in NAMES {
        let story = said(&["demo", name]);
        let commands = commands(&story);
        assert!(commands.len() >= 2, "{name}");
        for (command, shown) in commands {
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            let out = said(&words);
            assert!(!out.is_empty() && shown.starts_with(&out), "{command:?}\n{out}\nis not\n{shown}");
        }
    }
}

#[test]
fn every_story_stands_on_a_decided_verdict() {
    for name in NAMES {
        let list: Value = serde_json::from_str(&said(&["demo", name, "-o", "json"])).unwrap();
        assert_eq!(list["kind"], "ReplicaSetReportList", "{name}");
        for report in list["items"].as_array().unwrap() {
            assert_ne!(report["verdict"], "undetermined", "{name}: {}", report["asOf"]);
        }
    }
}

#[test]
fn machines_get_reports_in_the_order_of_the_story() {
    let list: Value = serde_json::from_str(&said(&["demo", "-o", "json"])).unwrap();
    let verdicts: Vec<&Value> = list["items"].as_array().unwrap().iter().map(|r| &r["verdict"]).collect();
    assert_eq!(verdicts, ["settled", "skip", "act", "settled"]);
    assert_eq!(said(&["demo", "-o", "json"]), said(&["demo", "waits", "-o", "json"]));
    let yaml: Value = serde_yaml::from_str(&said(&["demo", "-o", "yaml"])).unwrap();
    assert_eq!(yaml, list);
    assert_eq!(said(&["demo", "-o", "name"]), "replicaset.apps/a\n".repeat(4));
}

#[test]
fn wide_is_in_the_commands_too() {
    let story = said(&["demo", "adoption", "-o", "wide"]);
    for (command, shown) in commands(&story) {
        assert!(command.ends_with(&["-o".to_owned(), "wide".to_owned()]), "{command:?}");
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        assert!(shown.starts_with(&said(&words)), "{command:?}");
    }
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for args in NAMES.map(|name| vec!["demo", name]).into_iter().chain([vec!["demo"]]) {
        let story = said(&args);
        let mut in_table = false;
        for line in story.lines() {
            in_table = line.starts_with("NAME ") || (in_table && !line.is_empty());
            assert!(in_table || line.chars().count() <= 80, "{args:?}: {line}");
        }
    }
}

#[test]
fn colour_is_as_told_and_changes_no_word() {
    let plain = said(&["demo", "--color", "never"]);
    assert!(!plain.contains('\x1b'));
    assert_eq!(plain, said(&["demo"]), "not a terminal");
    let mut bare = String::new();
    let coloured = said(&["demo", "--color", "always"]);
    let mut parts = coloured.split('\x1b');
    bare += parts.next().unwrap();
    parts.for_each(|part| bare += part.split_once('m').unwrap().1);
    assert_eq!(bare, plain);
    assert_ne!(coloured, plain);
}

#[test]
fn it_needs_nothing_beside_the_program() {
    let elsewhere = tempfile::tempdir().unwrap();
    let (code, out, err) = ran_in(elsewhere.path(), &["demo"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out, said(&["demo"]));
}

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    let (code, out, err) = ran(&["demo", "qouta"]);
    assert_eq!((code, out.as_str()), (3, ""));
    assert_eq!(err.lines().count(), 1, "{err}");
    let (code, _, err) = ran(&["demo", "banana"]);
    assert_eq!(code, 3);
    assert!(NAMES.iter().all(|name| err.contains(name)), "{err}");
}
