//! Counts of answers, and how they are written down.

use std::iter::Sum;
use std::ops::Add;

use super::trace::{Evidence, Window};
use crate::fidelity::figures::Outcome;

/// How many answers were right, and how much they said.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tally {
    pub judged: usize,
    pub wrong: usize,
    pub add_exact: usize,
    pub del_exact: usize,
    /// Answers whose gate, and whose verdict, is not `undetermined`.
    pub gate: usize,
    pub verdict: usize,
    /// Answers whose verdict can be held against what the controller did next, and those with one.
    pub comparable: usize,
    pub compared: usize,
    /// Instants at which something is due or awaited, and answers there with a verdict.
    pub due: usize,
    pub due_decided: usize,
    /// Widths of all ranges, two an answer.
    pub width: i64,
    /// Pods that right plans name as victims.
    pub certain: usize,
    pub possible: usize,
    /// Verdicts that a sync of the controller confirmed, and plans.
    pub by_sync: usize,
    pub plans: usize,
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            judged: self.judged + other.judged,
            wrong: self.wrong + other.wrong,
            add_exact: self.add_exact + other.add_exact,
            del_exact: self.del_exact + other.del_exact,
            gate: self.gate + other.gate,
            verdict: self.verdict + other.verdict,
            comparable: self.comparable + other.comparable,
            compared: self.compared + other.compared,
            due: self.due + other.due,
            due_decided: self.due_decided + other.due_decided,
            width: self.width + other.width,
            certain: self.certain + other.certain,
            possible: self.possible + other.possible,
            by_sync: self.by_sync + other.by_sync,
            plans: self.plans + other.plans,
        }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), Tally::add)
    }
}

/// One answer, for the tables.
#[derive(Debug, Clone)]
pub struct Row {
    pub trace: String,
    pub kubernetes: String,
    pub window: Window,
    pub tally: Tally,
    /// What came of it, by mechanism.
    pub outcomes: Vec<(String, Outcome)>,
}

const HEADS: [&str; 9] = [
    "judged",
    "wrong",
    "add exact",
    "del exact",
    "gate decided",
    "verdict decided",
    "with something due",
    "mean width",
    "possible victims",
];

/// The totals by window, with shares.
pub fn totals(rows: &[Row]) -> String {
    let of = |window: Window| rows.iter().filter(move |row| row.window == window).map(|row| row.tally).sum();
    let all = rows.iter().map(|row| row.tally).sum();
    let lines = Window::ALL.iter().map(|window| (window.to_string(), of(*window)));
    table("window opened", lines.chain([("all".to_owned(), all)]), &share)
}

/// A line for each trace.
pub fn by_trace(rows: &[Row]) -> String {
    let mut traces: Vec<&str> = rows.iter().map(|row| row.trace.as_str()).collect();
    traces.dedup();
    let of = |trace: &str| rows.iter().filter(|row| row.trace == trace).map(|row| row.tally).sum();
    table("trace", traces.iter().map(|trace| ((*trace).to_owned(), of(trace))), &|count, _| count.to_string())
}

fn share(count: usize, of: usize) -> String {
    let percent = (count * 100).checked_div(of);
    percent.map_or_else(|| "-".to_owned(), |percent| format!("{count} = {percent} %"))
}

/// A table of Markdown, aligned to be read as it is; `cell` writes a count out of so many.
fn table(
    what: &str,
    lines: impl Iterator<Item = (String, Tally)>,
    cell: &dyn Fn(usize, usize) -> String,
) -> String {
    let mut cells = vec![[what].into_iter().chain(HEADS).map(str::to_owned).collect::<Vec<_>>()];
    cells.extend(lines.map(|(name, t)| {
        let width = t.width as f64 / (2 * t.judged.max(1)) as f64;
        let victims = t.certain + t.possible;
        vec![
            name,
            t.judged.to_string(),
            t.wrong.to_string(),
            cell(t.add_exact, t.judged),
            cell(t.del_exact, t.judged),
            cell(t.gate, t.judged),
            cell(t.verdict, t.judged),
            format!("{} of {}", cell(t.due_decided, t.due), t.due),
            format!("{width:.1}"),
            if victims == 0 { "-".to_owned() } else { format!("{} of {victims}", cell(t.possible, victims)) },
        ]
    }));
    let columns = 0..HEADS.len() + 1;
    let widths: Vec<usize> =
        columns.map(|c| cells.iter().map(|line| line[c].chars().count()).max().unwrap()).collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!(" {cell:<width$} |"),
            _ => format!(" {cell:>width$} |"),
        });
        format!("|{}\n", padded.collect::<String>())
    };
    let rule = widths.iter().enumerate().map(|(column, width)| match column {
        0 => format!("{}|", "-".repeat(width + 2)),
        _ => format!("{}:|", "-".repeat(width + 1)),
    });
    let rule = format!("|{}\n", rule.collect::<String>());
    let mut text = line(&cells[0]) + &rule;
    cells[1..].iter().for_each(|cells| text += &line(cells));
    text
}

const PAGE: &str = "\
# How much the reconstruction decides

Made by `RSEXP_WRITE=1 cargo test --test proof traces::`; a test fails where this page is not what the program does.

Real control planes of Kubernetes 1.34 and 1.37 were recorded as an observer sees them (`tests/data/traces`), and the
truth was read from inside the controller at marked instants. Each is asked about with the recording up to it, and the
answer judged:

- *wrong*: a range without the true value, or another gate, verdict, plan or victim than the controller's;
- *exact*: the range holds one value; *decided*: the answer is not `undetermined`;
- *with something due*: the instants at which pods are missing, too many, or awaited, or the next sync does something;
- *mean width* of the ranges of add and del, an open end counted as 500;
- *possible victims*: of the pods that plans to delete name, those that are not certain.

A window opened *before* the last change of the expectations has seen it; *in the middle*: while a burst was being
created; *after*: it can only tell from what is left.

";

/// The page of the documentation.
pub fn page(evidences: &[(Evidence, &[Row])], known: &str) -> String {
    let mut text = PAGE.to_owned();
    for (evidence, rows) in evidences {
        text += &format!("## From {evidence}\n\n{}\n", totals(rows));
    }
    text += &format!("## Where the program cannot know better\n\n{known}\n");
    for (evidence, rows) in evidences {
        text += &format!("## Each recording, from {evidence}\n\n{}\n", by_trace(rows));
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}
