//! Every exit code that files can lead to, under every `-o`: how an answer is written changes nothing of
//! how it ends. 4, 14 and 130 need a cluster: tests/cluster.

use support::{Ran, rsexp};

const FORMATS: [&str; 9] = [
    "text",
    "wide",
    "json",
    "yaml",
    "name",
    "jsonpath={..verdict}",
    "jsonpath-as-json={..verdict}",
    "custom-columns=NAME:.object.name,VERDICT:.verdict",
    // No -o at all.
    "",
];

/// A recording in which rs/a waits at this instant.
const WAITS: &str = "examples/waits.rsexp.jsonl.gz";
const WAITING: &str = "2026-11-29T18:11:57Z";

const SETTLED: &str = "tests/data/cases/C09.yaml";
const ACTS: &str = "tests/data/cases/C27.yaml";
const BLOCKED: &str = "tests/data/cases/C13.yaml";
const OPEN: &str = "tests/data/cases/C03.yaml";
const UNUSABLE: &str = "tests/data/jsonpath/templates.txt";

/// The code, and what leads to it behind a command.
const CASES: [(i32, &[&str]); 20] = [
    (0, &["-f", BLOCKED]),
    (0, &["-f", SETTLED, "--exit-code"]),
    (0, &["-f", SETTLED, "--expect", "verdict=settled,diff=0,create=0"]),
    (1, &["-f", BLOCKED, "-f", UNUSABLE]),
    (1, &["-f", BLOCKED, "-f", UNUSABLE, "--exit-code", "--expect", "verdict=act"]),
    (1, &["-f", WAITS, "rs/a", "rs/nothing"]),
    (1, &["-f", "/nowhere.yaml"]),
    (2, &["-f", SETTLED, "-l", "a>1"]),
    (2, &["-f", SETTLED, "--expect", "verdict=red"]),
    (2, &["-f", SETTLED, "rs/"]),
    (3, &["-f", WAITS, "rs/nothing"]),
    (3, &["-f", WAITS, "rs/nothing", "deploy/none", "--exit-code", "--expect", "verdict=act"]),
    (10, &["-f", ACTS, "--exit-code"]),
    (11, &["-f", WAITS, "rs/a", "--at", WAITING, "--exit-code"]),
    (12, &["-f", BLOCKED, "--exit-code"]),
    (12, &["-f", BLOCKED, "-f", OPEN, "-f", ACTS, "--exit-code"]),
    (13, &["-f", OPEN, "--exit-code"]),
    (15, &["-f", BLOCKED, "--expect", "verdict=settled"]),
    (15, &["-f", BLOCKED, "--exit-code", "--expect", "verdict!=blocked"]),
    (15, &["-f", SETTLED, "-l", "no=such", "--expect", "verdict=settled"]),
];

fn run(command: &str, format: &str, rest: &[&str]) -> Ran {
    let output: &[&str] = if format.is_empty() { &[] } else { &["-o", format] };
    rsexp([&[command], rest, output].concat())
}

fn ends_alike(command: &str, formats: &[&str]) {
    for (code, rest) in CASES {
        for format in formats {
            let ran = run(command, format, rest);
            assert_eq!(ran.code, Some(code), "{command} {rest:?} -o {format}: {ran:?}");
            let refused = code == 2 || code == 3;
            assert!(!refused || ran.out.is_empty(), "{command} {rest:?} -o {format}: {ran:?}");
            let said = matches!(code, 1 | 2 | 3 | 15);
            assert_eq!(ran.err.contains("error: "), said, "{command} {rest:?} -o {format}: {ran:?}");
        }
    }
}

#[test]
fn a_list_ends_the_same_under_every_format() {
    ends_alike("list", &FORMATS);
}

#[test]
fn an_explanation_ends_the_same_under_every_format() {
    ends_alike("explain", &FORMATS);
}

#[test]
fn a_dry_run_ends_the_same_under_every_format() {
    ends_alike("dry-run", &FORMATS);
}

#[test]
fn a_timeline_ends_as_the_other_commands_do() {
    for (code, rest) in CASES {
        for format in ["", "text", "wide", "json", "yaml"] {
            let ran = run("timeline", format, rest);
            assert_eq!(ran.code, Some(code), "{rest:?} -o {format}: {ran:?}");
        }
    }
    for format in ["name", "jsonpath={.lines}", "custom-columns=A:.a"] {
        let ran = run("timeline", format, &["-f", SETTLED]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{format}: {ran:?}");
    }
}

#[test]
fn a_template_that_does_not_fit_the_answer_is_an_error_of_one_line() {
    for format in ["jsonpath={.plan[0]}", "jsonpath-as-json={.syncs[7]}", "custom-columns=A:.plan.adopt[3]"] {
        let ran = run("explain", format, &["-f", SETTLED]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (Some(1), "", 1), "{ran:?}");
    }
}

#[test]
fn expect_needs_one_answer_to_compare() {
    let ran = rsexp(["list", "-w", "--expect", "verdict=settled"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--expect") && ran.err.contains("--until"), "{ran:?}");
}
