//! How much must be decided, in per cent. Raise a floor when more is; never lower one.

use super::tally::Tally;
use super::trace::Evidence;

/// Of all answers, of all, and of those at which something is due.
pub struct Floors {
    gate: usize,
    verdict: usize,
    due: usize,
}

const FROM_RECORDING: Floors = Floors { gate: 70, verdict: 85, due: 60 };
const WITH_LOG: Floors = Floors { gate: 97, verdict: 95, due: 85 };

impl Floors {
    pub fn of(evidence: Evidence) -> &'static Floors {
        match evidence {
            Evidence::Recording => &FROM_RECORDING,
            Evidence::WithLog => &WITH_LOG,
        }
    }

    /// What lies below its floor.
    pub fn missed(&self, all: &Tally) -> Vec<String> {
        [
            ("gate", all.gate, all.judged, self.gate),
            ("verdict", all.verdict, all.judged, self.verdict),
            ("verdict with something due", all.due_decided, all.due, self.due),
        ]
        .into_iter()
        .filter(|(_, decided, of, floor)| decided * 100 < floor * of)
        .map(|(what, decided, of, floor)| format!("{what}: {decided} of {of} decided, below {floor} %"))
        .collect()
    }
}
