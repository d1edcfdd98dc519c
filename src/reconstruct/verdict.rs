//! The verdict about the next sync, decided in a fixed order.

use schemars::JsonSchema;
use serde::Serialize;

/// What the next sync comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// It changes nothing.
    Settled,
    /// It creates, deletes, adopts or releases.
    Act,
    /// Something is due and expectations are unmet.
    Skip,
    /// It cannot run, or cannot get to its replicas, or is refused.
    Blocked,
    /// The evidence leaves it open.
    Undetermined,
}

impl Verdict {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Settled => "settled",
            Verdict::Act => "act",
            Verdict::Skip => "skip",
            Verdict::Blocked => "blocked",
            Verdict::Undetermined => "undetermined",
        }
    }
}

/// What the verdict is decided from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grounds {
    /// No sync ever gets to its replicas: the ReplicaSet is being deleted, or its selector cannot
    /// be parsed.
    pub(crate) powerless: bool,
    /// Something else keeps a sync from its work, if work is due.
    pub(crate) blocked: bool,
    /// Active pods less wanted ones; None if the claim's outcome is open.
    pub(crate) diff: Option<i64>,
    /// Whether pods are to be adopted or released.
    pub(crate) claims: bool,
    /// Whether the gate is open; None if that is open.
    pub(crate) open: Option<bool>,
}

/// The first that holds: blocked, settled, skip, act. A closed gate does not keep a sync from
/// its claims.
pub(crate) fn decide(grounds: Grounds) -> Verdict {
    if grounds.powerless {
        return Verdict::Blocked;
    }
    let Some(diff) = grounds.diff else { return Verdict::Undetermined };
    if diff == 0 && !grounds.claims {
        return Verdict::Settled;
    }
    if grounds.blocked {
        return Verdict::Blocked;
    }
    if diff == 0 {
        return Verdict::Act;
    }
    match grounds.open {
        Some(true) => Verdict::Act,
        Some(false) => Verdict::Skip,
        None => Verdict::Undetermined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUE: Grounds =
        Grounds { powerless: false, blocked: false, diff: Some(-3), claims: false, open: Some(true) };

    #[test]
    fn nothing_due_is_settled_whatever_the_gate_and_the_obstacles() {
        for open in [Some(true), Some(false), None] {
            let grounds = Grounds { diff: Some(0), blocked: true, open, ..DUE };
            assert_eq!(decide(grounds), Verdict::Settled);
        }
    }

    #[test]
    fn closed_gate_skips_a_difference_but_not_claims_alone() {
        assert_eq!(decide(Grounds { open: Some(false), ..DUE }), Verdict::Skip);
        assert_eq!(decide(Grounds { open: Some(false), claims: true, ..DUE }), Verdict::Skip);
        assert_eq!(decide(Grounds { open: Some(false), claims: true, diff: Some(0), ..DUE }), Verdict::Act);
    }

    #[test]
    fn open_gate_acts_an_unknown_one_stays_open_and_obstacles_come_first() {
        assert_eq!(decide(DUE), Verdict::Act);
        assert_eq!(decide(Grounds { open: None, ..DUE }), Verdict::Undetermined);
        assert_eq!(decide(Grounds { blocked: true, open: Some(false), ..DUE }), Verdict::Blocked);
        assert_eq!(decide(Grounds { powerless: true, diff: Some(0), ..DUE }), Verdict::Blocked);
    }
}
