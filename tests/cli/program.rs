//! The built binary, seen from outside: what it prints where, and how it ends.

use assert_cmd::Command;
use serde_json::Value;

const TOLD: [&str; 4] = ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM"];

fn rsexp(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("kubectl-rsexp").unwrap();
    TOLD.iter().for_each(|name| {
        command.env_remove(name);
    });
    command.args(args);
    command
}

/// Exit code, standard output and standard error.
fn ran(args: &[&str]) -> (i32, String, String) {
    ended(rsexp(args))
}

fn ended(mut command: Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The one line that a usage error says.
fn usage_error(args: &[&str]) -> String {
    let (code, out, err) = ran(args);
    assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
    assert_eq!(err.lines().count(), 1, "{args:?}: {err}");
    err.strip_prefix("error: ").unwrap_or_else(|| panic!("{args:?}: {err}")).trim_end().to_owned()
}

#[test]
fn usage_errors_are_one_line_and_exit_2() {
    let cases: [&[&str]; 12] = [
        &["frobnicate"],
        &["list", "--frobnicate"],
        &["explain", "foo/bar"],
        &["explain", "rs/"],
        &["explain", "-l", "a>1"],
        &["explain", "-l", "a=b", "web"],
        &["explain", "-o", "xml"],
        &["explain", "-f"],
        &["explain", "-f", ""],
        &["explain", "-f", "-", "--controller-log", "-"],
        &["explain", "--list-codes", "web"],
        &["list", "--replicas", "3"],
    ];
    for args in cases {
        usage_error(args);
    }
}

#[test]
fn a_namespace_stands_before_the_command_too_and_the_last_one_counts() {
    let file = ["-f", "examples/waits.rsexp.jsonl.gz"];
    let list = |before: &[&str], after: &[&str]| ran(&[before, &["list"], &file, after].concat());
    let of_one = list(&[], &["-n", "webhook-strips"]);
    assert_eq!(of_one.1.lines().count(), 3, "{of_one:?}");
    assert_eq!(list(&["-n", "webhook-strips"], &[]), of_one);
    assert_eq!(list(&["--namespace=other"], &["-n", "webhook-strips"]), of_one);
    assert_eq!(list(&["-n", "other"], &[]).1, "");
}

#[test]
fn without_input_and_kubeconfig_nothing_is_asked() {
    for args in
        [&["list"][..], &["get", "rs"], &["explain", "rs/web"], &["dry-run", "web", "--replicas", "0"]]
    {
        let home = tempfile::tempdir().unwrap();
        let mut command = rsexp(args);
        command.env_remove("KUBECONFIG").env_remove("KUBERNETES_SERVICE_HOST").env("HOME", home.path());
        let run = command.assert().code(1).stdout("");
        let err = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert_eq!(err.lines().count(), 1, "{err}");
    }
}

#[test]
fn the_version_comes_as_text_json_and_yaml() {
    let version = env!("CARGO_PKG_VERSION");
    let (code, out, _) = ran(&["version"]);
    let target = out.lines().find_map(|line| line.strip_prefix("target ")).unwrap_or_default().to_owned();
    assert!(target.starts_with(std::env::consts::ARCH) && target.contains(std::env::consts::OS), "{out}");
    assert_eq!((code, out.lines().next()), (0, Some(format!("kubectl-rsexp {version}").as_str())));
    let (_, json, _) = ran(&["version", "-o", "json"]);
    let (_, yaml, _) = ran(&["version", "-o", "yaml"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["version"], version);
    assert_eq!(json["target"], target);
    let commit = out.lines().find_map(|line| line.strip_prefix("commit "));
    assert_eq!(json["commit"].as_str(), commit);
    assert_eq!(json["kubernetes"]["newest"], "1.37");
    assert_eq!(serde_yaml::from_str::<Value>(&yaml).unwrap(), json);
}

#[test]
fn a_code_is_explained_within_80_columns_and_as_json() {
    let (code, out, err) = ran(&["explain", "ExpectationsUnmet"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    let (_, json, _) = ran(&["explain", "ExpectationsUnmet", "-o", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["code"], "ExpectationsUnmet");
}

#[test]
fn all_codes_are_listed() {
    let (code, out, _) = ran(&["explain", "--list-codes"]);
    assert_eq!(code, 0);
    assert_eq!(out.lines().count(), rsexp::reasons::Code::ALL.len());
}

#[test]
fn help_has_examples() {
    for command in ["list", "explain", "dry-run", "demo", "version"] {
        let (code, out, err) = ran(&[command, "--help"]);
        assert_eq!((code, err.as_str()), (0, ""), "{command}");
        let examples = out.split("Examples:").nth(1).unwrap_or_default();
        assert!(examples.matches("kubectl rsexp").count() >= 2, "{out}");
    }
}

#[test]
fn colour_follows_flag_then_environment() {
    let coloured = |mut command: Command| {
        let output = command.output().unwrap();
        assert!(output.status.success());
        output.stdout.contains(&0x1b)
    };
    let explain = |flags: &[&str]| rsexp(&[&["explain", "StaleCache"], flags].concat());
    assert!(!coloured(explain(&[])), "piped");
    assert!(coloured(explain(&["--color", "always"])));
    let with = |flags: &[&str], pairs: &[(&str, &str)]| {
        let mut command = explain(flags);
        command.envs(pairs.iter().copied());
        coloured(command)
    };
    assert!(with(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!with(&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(with(&["--color=always"], &[("NO_COLOR", "1")]));
    assert!(!with(&["--color=never"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn control_characters_of_arguments_are_escaped() {
    let error = usage_error(&["explain", "\u{1b}[31m/web"]);
    assert!(!error.contains('\u{1b}') && error.contains("\\x1b"), "{error}");
    assert!(!usage_error(&["\u{202e}"]).contains('\u{202e}'));
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::fs::OpenOptions;
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command as Process, Stdio};

    use super::*;

    fn process(args: &[&str]) -> Process {
        let mut process = Process::new(assert_cmd::cargo::cargo_bin("kubectl-rsexp"));
        process.args(args).stderr(Stdio::piped());
        process
    }

    #[test]
    fn a_closed_standard_output_ends_quietly() {
        for args in [&["explain", "--list-codes"][..], &["--help"], &["version"]] {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let output = process(args).stdout(writer).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{args:?}");
            assert!(output.stderr.is_empty(), "{args:?}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_told() {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = process(&["version"]).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(err.lines().count(), 1, "{err}");
    }

    #[test]
    fn a_path_need_not_be_text() {
        for flag in ["-f", "--controller-log"] {
            let mut command = rsexp(&["explain", "rs/web", "-f", "x", flag]);
            command.arg(OsStr::from_bytes(b"/nowhere/\xff.yaml"));
            let (code, _, err) = ended(command);
            assert_eq!(code, 1, "{flag}: {err}");
        }
    }

    #[test]
    fn a_target_that_is_no_text_is_a_usage_error() {
        let mut command = rsexp(&["explain"]);
        command.arg(OsStr::from_bytes(b"\xff"));
        assert_eq!(ended(command).0, 2);
    }
}
