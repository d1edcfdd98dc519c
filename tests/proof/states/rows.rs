//! How often each mechanism was answered rightly.

use std::collections::BTreeMap;

/// In the order in which one outranks the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Right,
    Undetermined,
    Wrong,
}

impl Outcome {
    pub fn of(is_open: bool, is_right: bool) -> Outcome {
        match (is_open, is_right) {
            (true, _) => Outcome::Undetermined,
            (false, true) => Outcome::Right,
            (false, false) => Outcome::Wrong,
        }
    }
}

/// One row of the results: what was asked about a mechanism, each ReplicaSet once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    pub mechanism: String,
    pub seeds: String,
    pub checkpoints: usize,
    pub right: usize,
    pub undetermined: usize,
    pub wrong: usize,
}

/// What came out of some states.
#[derive(Debug, Default)]
pub struct Results {
    pub seeds: String,
    /// ReplicaSets that were compared.
    pub compared: usize,
    /// ReplicaSets that a sibling's sync came before: nothing is known of what they saw.
    pub disturbed: usize,
    rows: BTreeMap<String, [usize; 3]>,
}

impl Results {
    pub fn of(seeds: String) -> Results {
        Results { seeds, ..Results::default() }
    }

    pub fn count(&mut self, outcomes: BTreeMap<String, Outcome>) {
        self.compared += 1;
        for (mechanism, outcome) in outcomes {
            self.rows.entry(mechanism).or_default()[outcome as usize] += 1;
        }
    }

    pub fn rows(&self) -> Vec<Row> {
        let row = |(mechanism, counts): (&String, &[usize; 3])| Row {
            mechanism: mechanism.clone(),
            seeds: self.seeds.clone(),
            checkpoints: counts.iter().sum(),
            right: counts[0],
            undetermined: counts[1],
            wrong: counts[2],
        };
        self.rows.iter().map(row).collect()
    }

    /// As a table of Markdown.
    pub fn table(&self, version: &str) -> String {
        let mut text = format!(
            "states on {version}, seeds {}: {} ReplicaSets compared, {} disturbed by a sibling\n\n\
             | mechanism | checkpoints | right | undetermined | wrong |\n|---|--:|--:|--:|--:|\n",
            self.seeds, self.compared, self.disturbed
        );
        for row in self.rows() {
            text += &format!(
                "| {} | {} | {} | {} | {} |\n",
                row.mechanism, row.checkpoints, row.right, row.undetermined, row.wrong
            );
        }
        text
    }
}
