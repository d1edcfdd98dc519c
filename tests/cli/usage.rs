//! Bad values of flags: each is refused in one line that names the flag and what it takes. The flags are
//! read from the program's own definition, so that a new one needs its line here.

use std::collections::BTreeSet;

use clap::{Arg, ArgAction, Command};
use support::rsexp;

/// A flag or argument, a value that it does not take, and words about what it takes.
const BAD: [(&str, &str, &str); 32] = [
    ("as-user-extra", "x", "KEY=VALUE"),
    ("assume-expectations", "maybe", "satisfied, unmet"),
    ("at", "noon", "RFC 3339"),
    ("chunk-size", "-1", "0 to 4294967295"),
    ("color", "sometimes", "auto, always, never"),
    ("controller-burst", "0", "1 or more"),
    ("controller-log-utc-offset", "CET", "-14:00 to +14:00"),
    ("controller-qps", "none", "0.001 or more"),
    ("disable-compression", "maybe", "true or false"),
    ("expect", "colour=red", "keys are verdict, action, gate"),
    ("fail-creates", "Bananas", "QuotaExceeded, "),
    ("field-selector", "spec.replicas=3", "metadata.name and metadata.namespace"),
    ("filename", "", "needs a value"),
    ("insecure-skip-tls-verify", "maybe", "true or false"),
    ("label-columns", ",", "the key of a label"),
    ("match-server-version", "maybe", "true or false"),
    ("now", "yesterday", "RFC 3339"),
    ("output", "xml", "text"),
    ("quota-left", "-1", "0 or more"),
    ("replicas", "-1", "0 to 2147483647"),
    ("request-timeout", "soon", "10s"),
    ("selector", "a in ()", "cannot be empty"),
    ("server-version", "2", "1.N, 1.N.P or v1.N.P"),
    ("shell", "tcsh", "bash"),
    ("sort-by", "{.a", "'.name1.name2'"),
    ("syncs", "0", "1 to 1000"),
    ("targets", "job/web", "job"),
    ("timeout", "soon", "10s"),
    ("until", "done", "settled, act, skip, blocked, undetermined"),
    ("v", "loud", "0 or more"),
    ("warnings-as-errors", "maybe", "true or false"),
    ("window", "soon", "10s"),
];

/// What takes any text: names, paths, addresses, secrets. What is wrong with them shows where they are
/// used.
const FREE: [&str; 24] = [
    "as",
    "as-group",
    "as-uid",
    "cache-dir",
    "certificate-authority",
    "client-certificate",
    "client-key",
    "cluster",
    "context",
    "controller-log",
    "kubeconfig",
    "log-flush-frequency",
    "name",
    "namespace",
    "password",
    "profile",
    "profile-output",
    "server",
    "tls-server-name",
    "to",
    "token",
    "user",
    "username",
    "vmodule",
];

fn name(arg: &Arg) -> String {
    arg.get_long().map_or_else(|| arg.get_id().to_string(), str::to_owned)
}

fn commands() -> Vec<Command> {
    let mut root = rsexp::cli::definition();
    root.build();
    root.get_subcommands().filter(|command| command.get_name() != "help").cloned().collect()
}

fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

/// The one line of a usage error.
fn refusal(args: &[&str]) -> String {
    let ran = rsexp(args);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
    assert_eq!(ran.err.lines().count(), 1, "{args:?}: {ran:?}");
    ran.err.strip_prefix("error: ").unwrap_or_else(|| panic!("{args:?}: {ran:?}")).to_owned()
}

#[test]
fn a_bad_value_of_any_flag_is_refused_in_one_line_that_says_what_it_takes() {
    for command in commands() {
        for arg in command.get_arguments().filter(|arg| takes_value(arg)) {
            let name = name(arg);
            if FREE.contains(&name.as_str()) {
                continue;
            }
            let bad = BAD.iter().find(|(flag, ..)| *flag == name);
            let (_, value, allowed) = bad.unwrap_or_else(|| panic!("--{name} needs a line in BAD or FREE"));
            let given = if arg.is_positional() { (*value).to_owned() } else { format!("--{name}={value}") };
            let required =
                command.get_arguments().filter(|other| other.is_required_set() && !other.is_positional());
            let required: Vec<String> = required.map(|other| format!("--{}=x", self::name(other))).collect();
            let mut line = vec![command.get_name()];
            line.extend(required.iter().map(String::as_str));
            line.push(&given);
            let error = refusal(&line);
            let named = arg.is_positional() || error.contains(&format!("--{name}"));
            assert!(named && error.contains(allowed), "{} {given}: {error}", command.get_name());
        }
    }
}

#[test]
fn a_negative_value_after_a_blank_is_refused_in_the_words_of_its_flag() {
    for flag in ["--at", "--now", "--window", "--timeout", "--request-timeout"] {
        let error = refusal(&["explain", flag, "-5m"]);
        assert!(error.starts_with(&format!("invalid value '-5m' for {flag}: ")), "{error}");
    }
}

#[test]
fn a_switch_takes_no_value_and_a_flag_without_its_value_says_so() {
    for command in commands() {
        for arg in command.get_arguments().filter(|arg| arg.get_long().is_some()) {
            let flag = format!("--{}", name(arg));
            let optional = arg.get_num_args().is_some_and(|range| range.min_values() == 0);
            match takes_value(arg) {
                true if optional => continue,
                true => {
                    let error = refusal(&[command.get_name(), &flag]);
                    assert!(error.contains(&flag), "{} {flag}: {error}", command.get_name());
                }
                false => {
                    let error = refusal(&[command.get_name(), &format!("{flag}=yes")]);
                    assert!(error.contains(&flag), "{} {flag}: {error}", command.get_name());
                }
            }
        }
    }
}

#[test]
fn unknown_flags_and_commands_are_one_line_that_points_to_the_help() {
    for command in commands() {
        let error = refusal(&[command.get_name(), "--frobnicate"]);
        assert!(error.contains("--frobnicate") && error.contains("--help"), "{error}");
    }
    assert!(refusal(&["frobnicate"]).contains("--help"));
}

#[test]
fn flags_that_exclude_each_other_are_both_named() {
    let time = "2026-01-01T12:00:00Z";
    let cases: [(&[&str], &str, &str); 12] = [
        (&["explain", "--now", time, "--at", time], "--now", "--at"),
        (&["explain", "--list-codes", "web"], "--list-codes", "TARGET"),
        (&["explain", "--no-headers"], "--no-headers", "custom-columns"),
        (&["dry-run", "--no-headers", "-o", "json"], "--no-headers", "custom-columns"),
        (&["list", "--show-labels", "-o", "json"], "--show-labels", "-o"),
        (&["list", "-L", "app", "-o", "name"], "-L", "-o"),
        (&["list", "-w", "--expect", "verdict=act"], "--watch", "--expect"),
        (&["timeline", "--at", time, "--at", time], "--at", "once"),
        (&["explain", "-f", "x.yaml", "--until", "skip"], "--until", "-f"),
        (&["list", "-f", "x.yaml", "-w"], "--watch", "-f"),
        (&["dry-run", "-f", "x.yaml", "--window", "5s"], "--window", "-f"),
        (&["timeline", "-f", "x.yaml", "--timeout", "5s"], "--timeout", "-f"),
    ];
    for (args, one, other) in cases {
        let error = refusal(args);
        assert!(error.contains(one) && error.contains(other), "{args:?}: {error}");
    }
}

#[test]
fn the_tables_name_no_flag_that_does_not_exist() {
    let known: BTreeSet<String> =
        commands().iter().flat_map(|command| command.get_arguments().map(name).collect::<Vec<_>>()).collect();
    for flag in BAD.iter().map(|(flag, ..)| *flag).chain(FREE) {
        assert!(known.contains(flag), "{flag}");
    }
}
