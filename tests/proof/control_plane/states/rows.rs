//! How often each mechanism was answered rightly.

use std::collections::BTreeMap;

use crate::fidelity::figures::{Part, Source};

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

/// What came out of some states: each ReplicaSet counts once for a mechanism.
#[derive(Debug, Default)]
pub struct Results {
    /// ReplicaSets that were compared.
    pub compared: usize,
    /// ReplicaSets that a sibling's sync came before: nothing is known of what they saw.
    pub disturbed: usize,
    counts: BTreeMap<String, [usize; 3]>,
}

impl Results {
    pub fn count(&mut self, outcomes: BTreeMap<String, Outcome>) {
        self.compared += 1;
        for (mechanism, outcome) in outcomes {
            self.counts.entry(mechanism).or_default()[outcome as usize] += 1;
        }
    }

    pub fn rows(&self) -> Vec<Part> {
        let row = |(mechanism, counts): (&String, &[usize; 3])| {
            let [right, undetermined, wrong] = *counts;
            let checkpoints = right + undetermined + wrong;
            let (part, mechanism) = (Source::States, mechanism.clone());
            Part { part, mechanism, seeds: None, checkpoints, right, undetermined, wrong }
        };
        self.counts.iter().map(row).collect()
    }
}
