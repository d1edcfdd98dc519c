//! `docs/fidelity.md`: the committed figures as tables.

use std::collections::{BTreeMap, BTreeSet};

use super::faults::Fault;
use super::figures::{Figures, Part, Source, Tightness};

const HEAD: &str = "\
# How faithful the program is

Made by `RSEXP_WRITE=1 cargo test --test proof fidelity::` from `tests/data/fidelity`; a test fails where this page says something
else. Those files are made by what judges the program, which fails where a figure falls (CONTRIBUTING.md tells how to
renew them).

A cell reads `right/undetermined/wrong of N`. *Right*: decided, and as the real controller had or did it. *Undetermined*:
the program says that it does not know. A single wrong answer fails the tests. Most checkpoints count in several rows.

";

const RUNS: &str = "\
Real control planes were recorded as an observer sees them (`tests/data/traces`); the truth comes from inside the
controller. What a row is about is read from that truth, not from the answer.

- *expectations*, what the controller held: is the gate decided, and do the ranges hold the counters?
- *next sync*, what it did next: is the verdict decided, and does it tell that, with the number of pods and the victims?
  Verdicts with nothing to be held against are left out: a sync was running already, or the next one had read another
  state than the observer.
- *instant* and *run*: gate and verdict both.

Within 50 ms of a change of the expectations either state is right. Left out is what the recording does not show, listed
under \"Where the program cannot know better\" in [reconstruction-figures.md](reconstruction-figures.md), with all figures of
each recording.

";

const STATES: &str = "\
The real controller ran on invented states with invented refusals (`tests/data/vectors`), each synced once and most of
them small. The model is given the same. *compared* are the parts of its answer, one by one; in the other rows a state is
right if all of them are, and undetermined if the program leaves open which pods are deleted. That is what ties demand:
then the controller's own choice is random.

";

const LIVE: &str = "\
`RSEXP_CONTROL_PLANE=1 cargo test` starts a control plane, acts on it and asks the program meanwhile; results that were
kept:

";

const FAULTS: &str = "\
`tests/model-faults/run` puts each of these faults into a copy of the program and checks that every test named fails.
`model_answers_as_the_controller_of_...` holds answers of the real controller to single states, `answers_hold_what_was_true`
its recorded runs; the others are tests of the model alone, which say what sources and documentation say.

";

/// The whole page.
pub fn page(figures: &BTreeMap<String, Figures>, unverified: &str, faults: &[Fault]) -> String {
    let of = |part: Source| table(figures, part);
    let mut text = HEAD.to_owned();
    text += "## Recorded runs\n\n";
    text += RUNS;
    for (title, part) in [
        ("From the recording alone", Source::Recording),
        ("From the recording and the controller's log", Source::RecordingAndLog),
    ] {
        text += &format!("### {title}\n\n{}\n", of(part));
    }
    text += &format!("### How much the answers say\n\n{}\n", tightness(figures));
    text += &format!("## Single states\n\n{STATES}{}\n", of(Source::Vectors));
    text += &format!("## Live runs\n\n{}\n", live(figures));
    text += &format!("## What no run verifies\n\n{}\n", aligned(unverified));
    text + &format!("## Deliberate faults\n\n{FAULTS}{}", caught(faults))
}

fn live(figures: &BTreeMap<String, Figures>) -> String {
    let parts = [
        ("One subject each", Source::Scenarios),
        ("Random acts", Source::Random),
        ("Single states", Source::States),
    ];
    let has = |part: Source| figures.values().any(|f| f.parts.iter().any(|p| p.part == part));
    let sections: String = parts
        .iter()
        .filter(|(_, part)| has(*part))
        .map(|(title, part)| format!("### {title}\n\n{}\n", table(figures, *part)))
        .collect();
    match sections.is_empty() {
        true => "No results of live runs are kept yet.\n".to_owned(),
        false => LIVE.to_owned() + sections.trim_end() + "\n",
    }
}

/// Mechanisms by version of the control plane.
fn table(figures: &BTreeMap<String, Figures>, part: Source) -> String {
    let of_part = |f: &Figures| f.parts.iter().filter(|p| p.part == part).cloned().collect::<Vec<Part>>();
    let columns: Vec<(&str, Vec<Part>)> = figures
        .values()
        .map(|f| (f.kubernetes.as_str(), of_part(f)))
        .filter(|(_, p)| !p.is_empty())
        .collect();
    let mechanisms: BTreeSet<&str> =
        columns.iter().flat_map(|(_, parts)| parts).map(|part| part.mechanism.as_str()).collect();
    let mut lines = vec![row("mechanism", columns.iter().map(|(version, _)| (*version).to_owned()))];
    lines.extend(mechanisms.into_iter().map(|mechanism| {
        row(
            mechanism,
            columns.iter().map(|(_, parts)| {
                let found: Vec<&Part> = parts.iter().filter(|part| part.mechanism == mechanism).collect();
                if found.is_empty() { "-".to_owned() } else { cell(&found) }
            }),
        )
    }));
    markdown(&lines)
}

/// Several parts of one mechanism are those of several ranges of seeds.
fn cell(parts: &[&Part]) -> String {
    let sum = |of: fn(&Part) -> usize| parts.iter().map(|part| of(part)).sum::<usize>();
    let seeds: Vec<&str> = parts.iter().filter_map(|part| part.seeds.as_deref()).collect();
    let seeds = if seeds.is_empty() { String::new() } else { format!(", seeds {}", seeds.join(", ")) };
    let (right, open, wrong) = (sum(|p| p.right), sum(|p| p.undetermined), sum(|p| p.wrong));
    format!("{right}/{open}/{wrong} of {}{seeds}", sum(|p| p.checkpoints))
}

fn tightness(figures: &BTreeMap<String, Figures>) -> String {
    let heads = [
        "judged",
        "add exact",
        "del exact",
        "gate decided",
        "verdict decided",
        "with something due",
        "verdict compared",
        "mean width",
    ];
    let mut lines = vec![row("evidence", heads.into_iter().map(str::to_owned))];
    for part in [Source::Recording, Source::RecordingAndLog] {
        let what = if part == Source::Recording { "recording" } else { "recording and log" };
        let of_part = |f: &Figures| f.tightness.iter().find(|t| t.part == part).cloned();
        let all = figures.values().filter_map(|f| Some((&f.kubernetes, of_part(f)?)));
        lines.extend(all.map(|(version, t)| row(&format!("{version}, {what}"), said(&t))));
    }
    markdown(&lines)
}

fn said(t: &Tightness) -> impl Iterator<Item = String> {
    let share = |count: usize, of: usize| format!("{} %", count * 100 / of.max(1));
    [
        t.judged.to_string(),
        share(t.add_exact, t.judged),
        share(t.del_exact, t.judged),
        share(t.gate_decided, t.judged),
        share(t.verdict_decided, t.judged),
        format!("{} of {}", share(t.due_decided, t.due), t.due),
        format!("{} of {}", t.verdict_compared, t.verdict_decided),
        format!("{:.1}", t.width as f64 / (2 * t.judged.max(1)) as f64),
    ]
    .into_iter()
}

fn caught(faults: &[Fault]) -> String {
    let mut lines =
        vec![row("fault", ["what is wrong".to_owned(), "tests that fail".to_owned()].into_iter())];
    lines.extend(faults.iter().map(|fault| {
        let name = |test: &String| format!("`{}`", test.rsplit([' ', ':']).next().unwrap_or(test));
        let tests: Vec<String> = fault.tests.iter().map(name).collect();
        row(&format!("`{}`", fault.name), [fault.what.clone(), tests.join(", ")].into_iter())
    }));
    markdown(&lines)
}

/// A table that is Markdown already.
fn aligned(table: &str) -> String {
    let lines = table.lines().enumerate().filter(|(number, _)| *number != 1).map(|(_, line)| {
        line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    });
    markdown(&lines.collect::<Vec<_>>())
}

fn row(first: &str, others: impl Iterator<Item = String>) -> Vec<String> {
    [first.to_owned()].into_iter().chain(others).collect()
}

fn markdown(lines: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|{}\n", "---|".repeat(lines[0].len()));
    line(&lines[0]) + &rule + &lines[1..].iter().map(|cells| line(cells)).collect::<String>()
}
