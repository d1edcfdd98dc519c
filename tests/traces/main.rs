//! Recordings of real control planes: what the program says at an instant must hold what was true,
//! and say enough.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic too")]

mod floors;
mod judge;
mod tally;
mod trace;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use floors::Floors;
use tally::Row;
use trace::{Evidence, Trace};

/// Where the program says otherwise than the controller did: trace, checkpoint, and why the
/// observer did not know better at that instant.
const UNKNOWN: &[(&str, &str, &str)] = &[
    ("adopt-1.34", "two-orphans-frozen", "the orphans reached the observer 166 ms after the instant"),
    ("refused-by-policy", "limit-gone", "that the LimitRange is gone is in no line of the recording"),
];

/// The judgement of all traces with the same evidence.
struct Judged {
    evidence: Evidence,
    /// One a checkpoint.
    rows: Vec<Row>,
    /// What is wrong, but for what cannot be known.
    wrong: Vec<String>,
    /// Those of them that came up.
    known: BTreeSet<&'static (&'static str, &'static str, &'static str)>,
}

static JUDGED: LazyLock<[Judged; 2]> = LazyLock::new(|| {
    let traces = Trace::all();
    std::thread::scope(|scope| {
        Evidence::ALL
            .map(|evidence| {
                scope.spawn({
                    let traces = &traces;
                    move || judged(traces, evidence)
                })
            })
            .map(|thread| thread.join().unwrap())
    })
});

fn judged(traces: &[Trace], evidence: Evidence) -> Judged {
    let mut judged = Judged { evidence, rows: Vec::new(), wrong: Vec::new(), known: BTreeSet::new() };
    for trace in traces {
        for (replica_set, checkpoints) in trace.by_object() {
            let reports = trace.ask(replica_set, &checkpoints, evidence);
            for (checkpoint, report) in checkpoints.iter().zip(&reports) {
                let (mut tally, wrong) = judge::judge(checkpoint, report);
                let id = checkpoint["id"].as_str().unwrap();
                let known = UNKNOWN.iter().find(|(t, c, _)| *t == trace.name && *c == id);
                if let (Some(known), false) = (known, wrong.is_empty()) {
                    judged.known.insert(known);
                } else {
                    tally.wrong = wrong.len();
                    let told =
                        wrong.iter().map(|what| format!("{} {id}, from {evidence}: {what}", trace.name));
                    judged.wrong.extend(told);
                }
                let window = trace.window(checkpoint);
                judged.rows.push(Row { trace: trace.name.clone(), window, tally });
            }
        }
    }
    judged
}

fn page() -> String {
    let evidences = JUDGED.each_ref().map(|judged| (judged.evidence, judged.rows.as_slice()));
    let known: String =
        UNKNOWN.iter().map(|(trace, id, why)| format!("- `{trace}`, at `{id}`: {why}.\n")).collect();
    tally::page(&evidences, &known)
}

#[test]
fn answers_hold_what_was_true() {
    println!("{}", page());
    let wrong: Vec<&String> = JUDGED.iter().flat_map(|judged| &judged.wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(JUDGED[0].known, UNKNOWN.iter().collect(), "an exception that is none any more");
}

#[test]
fn enough_is_decided() {
    for judged in &*JUDGED {
        println!("{}\n{}", judged.evidence, tally::totals(&judged.rows));
        let all: tally::Tally = judged.rows.iter().map(|row| row.tally).sum();
        let missed = Floors::of(judged.evidence).missed(&all);
        assert!(missed.is_empty(), "from {}: {missed:?}", judged.evidence);
        // Nothing is wrong where nothing is judged: a good part must be.
        assert!(all.by_sync * 10 > all.judged && all.plans * 20 > all.judged, "{all:?}");
    }
}

#[test]
fn the_page_of_figures_is_what_the_program_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reconstruction-figures.md");
    let page = page();
    if std::env::var_os("RSEXP_WRITE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let same = written == page;
    assert!(
        same,
        "docs/reconstruction-figures.md is stale: RSEXP_WRITE=1 cargo test --test traces renews it"
    );
}
