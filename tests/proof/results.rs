//! The figures of live runs, for `docs/fidelity.md`.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::outcome::{From, Outcome};
use crate::plane::Plane;
use crate::traces::tally::Tally;

/// A row of the table.
pub struct Row {
    pub mechanism: String,
    pub checkpoints: usize,
    pub right: usize,
    pub undetermined: usize,
    pub wrong: usize,
}

impl Row {
    /// Counts the judged answers.
    pub fn of(mechanism: &str, tallies: impl IntoIterator<Item = Tally>) -> Row {
        let (checkpoints, right, undetermined, wrong) = Default::default();
        let mut row = Row { mechanism: mechanism.to_owned(), checkpoints, right, undetermined, wrong };
        for tally in tallies.into_iter().filter(|tally| tally.judged == 1) {
            row.checkpoints += 1;
            match (tally.wrong, tally.verdict) {
                (0, 0) => row.undetermined += 1,
                (0, _) => row.right += 1,
                _ => row.wrong += 1,
            }
        }
        row
    }
}

/// One row for each kind of evidence.
pub fn by_evidence<'a>(outcomes: impl Iterator<Item = &'a Outcome> + Clone, what: &str) -> Vec<Row> {
    let kinds = [
        (From::Recording, "from a recording"),
        (From::RecordingAndLog, "from a recording and the controller's log"),
        (From::Cluster, "from the frozen cluster"),
    ];
    let row = |(from, words): (From, &str)| {
        let rows = outcomes.clone().flat_map(|outcome| &outcome.rows);
        let explained = rows.filter(|row| row.from == from && row.id.ends_with(" explain"));
        Row::of(&format!("{what}, {words}"), explained.map(|row| row.tally))
    };
    kinds.map(row).into()
}

/// Prints the rows; with RSEXP_WRITE=1 they replace this part in `tests/data/fidelity`.
pub fn keep(plane: &Plane, part: &str, seeds: Option<&str>, rows: &[Row]) {
    let version = plane.version();
    println!("{part} on {version}, seeds {}:", seeds.unwrap_or("-"));
    for row in rows {
        let Row { mechanism, checkpoints, right, undetermined, wrong } = row;
        println!(
            "  {mechanism}: {checkpoints} checkpoints, {right} right, {undetermined} undetermined, {wrong} wrong"
        );
    }
    if std::env::var_os("RSEXP_WRITE").is_none() {
        return;
    }
    let minor = version.rsplit_once('.').unwrap().0;
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/fidelity");
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join(format!("live-{minor}.json"));
    let before = std::fs::read_to_string(&path).ok();
    let before: Value = before.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
    let mut parts: Vec<Value> = before["parts"].as_array().cloned().unwrap_or_default();
    parts.retain(|old| old["part"] != part);
    parts.extend(rows.iter().map(|row| {
        json!({
            "part": part, "mechanism": row.mechanism, "seeds": seeds, "checkpoints": row.checkpoints,
            "right": row.right, "undetermined": row.undetermined, "wrong": row.wrong,
        })
    }));
    parts.sort_by_key(|row| (row["part"].to_string(), row["mechanism"].to_string()));
    let text = serde_json::to_string_pretty(&json!({"kubernetes": version, "parts": parts})).unwrap();
    std::fs::write(path, text + "\n").unwrap();
}
