//! The figures of live runs, for `docs/fidelity.md`: told, and kept with RSEXP_WRITE=1. They are never compared with earlier
//! ones, since no two runs are alike; what is wrong fails the run.

use std::sync::Mutex;

use crate::control_plane::outcome::{From, Outcome};
use crate::fidelity::figures::{self, Figures, Part, Source};
use crate::traces::tally::Tally;
use support::plane::Plane;

/// Groups end side by side, and write into the same file.
static FILE: Mutex<()> = Mutex::new(());

/// Counts the judged answers: right where `is_decided` and nothing is wrong.
pub fn part(
    part: Source,
    mechanism: &str,
    tallies: impl IntoIterator<Item = Tally>,
    is_decided: impl Fn(&Tally) -> bool,
) -> Part {
    let mechanism = mechanism.to_owned();
    let mut row = Part { part, mechanism, seeds: None, checkpoints: 0, right: 0, undetermined: 0, wrong: 0 };
    for tally in tallies.into_iter().filter(|tally| tally.judged == 1) {
        row.checkpoints += 1;
        let count = match (tally.wrong, is_decided(&tally)) {
            (0, true) => &mut row.right,
            (0, false) => &mut row.undetermined,
            _ => &mut row.wrong,
        };
        *count += 1;
    }
    row
}

/// Gate and verdict of explain, for each kind of evidence.
pub fn by_evidence<'a>(outcomes: impl Iterator<Item = &'a Outcome> + Clone, of: Source) -> Vec<Part> {
    let kinds = [
        (From::Recording, "a recording"),
        (From::RecordingAndLog, "a recording and the controller's log"),
        (From::Cluster, "a short look at the frozen cluster"),
    ];
    let rows = kinds.into_iter().flat_map(|(from, words)| {
        let rows = outcomes.clone().flat_map(|outcome| &outcome.rows);
        let explained = rows.filter(move |row| row.from == from && row.id.ends_with(" explain"));
        let tallies: Vec<Tally> = explained.map(|row| row.tally).collect();
        [
            part(of, &format!("gate and ranges, from {words}"), tallies.clone(), |tally| tally.gate == 1),
            part(of, &format!("verdict and plan, from {words}"), tallies, |tally| tally.verdict == 1),
        ]
    });
    rows.filter(|part| part.checkpoints > 0).collect()
}

/// Tells the rows; with RSEXP_WRITE=1 they replace those of the same mechanisms in `tests/data/fidelity`.
pub fn keep(plane: &Plane, seeds: Option<&str>, rows: Vec<Part>) {
    let version = plane.version();
    println!("on {version}, seeds {}:", seeds.unwrap_or("-"));
    for Part { mechanism, checkpoints, right, undetermined, wrong, .. } in &rows {
        println!("  {mechanism}: {right}/{undetermined}/{wrong} of {checkpoints}");
    }
    if std::env::var_os("RSEXP_WRITE").is_none() {
        return;
    }
    let _alone = FILE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let name = format!("live-{}.json", version.rsplit_once('.').unwrap().0);
    let mut all = figures::all().remove(&name).map_or_else(Vec::new, |figures| figures.parts);
    for mut row in rows {
        row.seeds = seeds.map(str::to_owned);
        all.retain(|old| (old.part, &old.mechanism) != (row.part, &row.mechanism));
        all.push(row);
    }
    all.sort_by(|a, b| (a.part, &a.mechanism).cmp(&(b.part, &b.mechanism)));
    Figures { kubernetes: version, parts: all, tightness: Vec::new() }.write(&name);
}
