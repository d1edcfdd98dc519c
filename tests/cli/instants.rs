//! Instants and flags that a recording cannot answer for, through the binary: said, never passed over.

use support::{Ran, command, rsexp};

const WAITS: &str = "examples/waits.rsexp.jsonl.gz";
const WITHIN: &str = "2026-11-29T18:11:57Z";
const BEFORE: &str = "2026-11-29T18:00:00Z";
const AFTER: &str = "2026-11-29T19:00:00Z";
const BEGIN: &str = "2026-11-29T18:11:49.322646094Z";
const END: &str = "2026-11-29T18:17:35.766834844Z";

fn ask(line: &str) -> Ran {
    rsexp(line.split(' ').chain(["-f", WAITS]))
}

#[test]
fn the_present_is_not_before_the_end_of_a_recording() {
    for question in ["explain rs/a", "list", "dry-run rs/a"] {
        let ran = ask(&format!("{question} --now {WITHIN}"));
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (Some(2), "", 1), "{ran:?}");
        assert!(ran.err.contains("--now") && ran.err.contains(END) && ran.err.contains("--at"), "{ran:?}");
        let later = ask(&format!("{question} --now {AFTER}"));
        assert_eq!((later.code, later.err.as_str()), (Some(0), ""), "{later:?}");
    }
}

#[test]
fn an_instant_before_a_recording_is_not_called_a_missing_object() {
    let ran = ask(&format!("explain rs/a --at {BEFORE}"));
    assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 1), "{ran:?}");
    assert!(ran.err.contains(&format!("--at {BEFORE}")) && ran.err.contains(BEGIN), "{ran:?}");
    let both = ask(&format!("explain rs/nothing --at {BEFORE} --at {WITHIN}"));
    assert_eq!((both.code, both.err.lines().count()), (Some(3), 2), "{both:?}");
}

#[test]
fn an_instant_after_a_recording_is_answered_with_a_warning() {
    let ran = ask(&format!("explain rs/a --at {AFTER}"));
    assert_eq!((ran.code, ran.err.lines().count()), (Some(0), 1), "{ran:?}");
    assert!(ran.err.starts_with("warning: ") && ran.err.contains(AFTER) && ran.err.contains(END), "{ran:?}");
    assert_eq!(ask(&format!("explain rs/a --at {WITHIN}")).err, "");
}

#[test]
fn expected_creates_are_pods_that_come_to_be() {
    // Its creates are refused.
    let blocked = ["explain", "-f", "tests/data/cases/C13.yaml", "-o", "name", "--expect"];
    let expect = |terms| rsexp([&blocked[..], &[terms]].concat());
    assert_eq!(expect("action=create,create=0").code, Some(0));
    assert_eq!(expect("create!=0").code, Some(15));
}

#[test]
fn what_an_unreadable_file_may_hold_is_not_called_missing() {
    for question in ["explain rs/a", "list", "timeline rs/a"] {
        let ran = rsexp(question.split(' ').chain(["-f", "/nowhere.yaml"]));
        assert_eq!((ran.code, ran.err.lines().count()), (Some(1), 1), "{ran:?}");
        assert!(ran.err.starts_with("error: /nowhere.yaml: "), "{ran:?}");
    }
}

#[test]
fn text_stays_readable_on_wide_screens() {
    for question in ["explain", "timeline"] {
        let mut command = command();
        command.args([question, "rs/a", "-f", WAITS, "--at", WITHIN]).env("COLUMNS", "500");
        let out = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let longest = out.lines().map(|line| line.chars().count()).max();
        assert!(longest.is_some_and(|longest| (100..=120).contains(&longest)), "{out}");
    }
}
