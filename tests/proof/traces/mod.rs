//! Recordings of real control planes: what the program says at an instant must hold what was true,
//! and say enough.

mod cut;
mod damage;
mod floors;
pub mod judge;
mod mechanisms;
pub mod tally;
pub mod trace;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::fidelity::figures::{Figures, Outcomes, Source, Tightness};
use floors::Floors;
use mechanisms::Asks;
use serde_json::Value;
use tally::{Row, Tally};
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
    /// The answers by trace and ReplicaSet, in the order of their checkpoints.
    reports: BTreeMap<(String, String), Vec<Value>>,
    /// One a checkpoint.
    rows: Vec<Row>,
    /// What is wrong, but for what cannot be known.
    wrong: Vec<String>,
    /// Those of them that came up.
    known: BTreeSet<&'static (&'static str, &'static str, &'static str)>,
}

static TRACES: LazyLock<Vec<Trace>> = LazyLock::new(Trace::all);

static JUDGED: LazyLock<[Judged; 2]> = LazyLock::new(|| {
    std::thread::scope(|scope| {
        Evidence::ALL
            .map(|evidence| scope.spawn(move || judged(evidence)))
            .map(|thread| thread.join().unwrap())
    })
});

/// What `work` gives for each trace, in their order, from as many threads as are of use.
fn of_each_trace<T: Send>(work: impl Fn(&Trace) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let some = || {
        let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let traces = numbers.map_while(|number| Some((number, TRACES.get(number)?)));
        traces.map(|(number, trace)| (number, work(trace))).collect::<Vec<_>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(some)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

fn judged(evidence: Evidence) -> Judged {
    let (reports, rows, wrong, known) = Default::default();
    let mut judged = Judged { evidence, reports, rows, wrong, known };
    for trace in &*TRACES {
        for (replica_set, checkpoints) in trace.by_object() {
            let reports = trace.ask(replica_set, &checkpoints, evidence);
            for (checkpoint, report) in checkpoints.iter().zip(&reports) {
                let (mut tally, wrong) = judge::judge(checkpoint, report);
                let id = checkpoint["id"].as_str().unwrap();
                let known = UNKNOWN.iter().find(|(t, c, _)| *t == trace.name && *c == id);
                let outcome = |(asks, mechanism): (Asks, String)| {
                    Some((mechanism, mechanisms::outcome(asks, &tally, report, &wrong)?))
                };
                let mut outcomes: Vec<_> =
                    mechanisms::of(trace, checkpoint).into_iter().filter_map(outcome).collect();
                if let (Some(known), false) = (known, wrong.is_empty()) {
                    judged.known.insert(known);
                    outcomes.clear();
                } else {
                    tally.wrong = wrong.len();
                    let told =
                        wrong.iter().map(|what| format!("{} {id}, from {evidence}: {what}", trace.name));
                    judged.wrong.extend(told);
                }
                judged.rows.push(Row {
                    trace: trace.name.clone(),
                    kubernetes: trace.kubernetes.clone(),
                    window: trace.window(checkpoint),
                    tally,
                    outcomes,
                });
            }
            judged.reports.insert((trace.name.clone(), replica_set.to_owned()), reports);
        }
    }
    judged
}

/// What came of the runs of one version of the control plane.
fn figures(kubernetes: &str) -> Figures {
    let (mut parts, mut tightness) = (Vec::new(), Vec::new());
    for (judged, part) in JUDGED.iter().zip([Source::Recording, Source::RecordingAndLog]) {
        let rows: Vec<&Row> = judged.rows.iter().filter(|row| row.kubernetes == kubernetes).collect();
        let mut outcomes = Outcomes::default();
        for (mechanism, outcome) in rows.iter().flat_map(|row| &row.outcomes) {
            outcomes.note(mechanism, *outcome);
        }
        parts.extend(outcomes.parts(part));
        let all: Tally = rows.iter().map(|row| row.tally).sum();
        tightness.push(Tightness {
            part,
            judged: all.judged,
            add_exact: all.add_exact,
            del_exact: all.del_exact,
            gate_decided: all.gate,
            verdict_decided: all.verdict,
            verdict_compared: all.compared,
            due: all.due,
            due_decided: all.due_decided,
            width: all.width,
        });
    }
    Figures { kubernetes: kubernetes.to_owned(), parts, tightness }
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
        let all: Tally = judged.rows.iter().map(|row| row.tally).sum();
        let missed = Floors::of(judged.evidence).missed(&all);
        assert!(missed.is_empty(), "from {}: {missed:?}", judged.evidence);
        // Nothing is wrong where nothing is judged: a good part must be.
        assert!(all.by_sync * 10 > all.judged && all.plans * 20 > all.judged, "{all:?}");
    }
}

#[test]
fn no_figure_of_a_mechanism_falls() {
    let versions: BTreeSet<&str> = TRACES.iter().map(|trace| trace.kubernetes.as_str()).collect();
    for kubernetes in versions {
        let (minor, _) = kubernetes.rsplit_once('.').unwrap();
        crate::fidelity::figures::keep(&format!("traces-{minor}.json"), &figures(kubernetes));
    }
}

#[test]
fn the_page_of_figures_is_what_the_program_does() {
    let path = support::root().join("docs/reconstruction-figures.md");
    let page = page();
    if std::env::var_os("RSEXP_WRITE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let same = written == page;
    assert!(
        same,
        "docs/reconstruction-figures.md is stale: RSEXP_WRITE=1 cargo test --test proof traces:: renews it"
    );
}
