//! Rule 4 turned around: which deletion cost (from 1.22) would save a pod or doom it.
//!
//! A cost counts only among pods that rules 1 to 3 leave equal.

use super::rules::{Ranked, before_cost};

/// Pods in the order of rules 1 to 5, of which the first `count` go.
pub(super) struct Costs<'a> {
    pub(super) pods: &'a [Ranked],
    pub(super) count: usize,
}

impl Costs<'_> {
    /// The lowest cost with which the pod certainly stays.
    pub(super) fn to_save(&self, index: usize) -> Option<i32> {
        self.last_taken(index)?.checked_add(1)
    }

    /// The highest cost with which the pod certainly goes.
    pub(super) fn to_doom(&self, index: usize) -> Option<i32> {
        self.last_taken(index)?.checked_sub(1)
    }

    /// The cost of the pod that would be the last one taken if this one were not among its equals; None if then none of
    /// them is taken, or all are.
    fn last_taken(&self, index: usize) -> Option<i32> {
        let equal = |i: &usize| before_cost(&self.pods[index], &self.pods[*i]).0.is_eq();
        let start = (0..self.pods.len()).find(equal)?;
        let places = self.count.checked_sub(start + 1)?;
        // Equals are sorted by cost, so the place is a position.
        (start..self.pods.len())
            .take_while(equal)
            .filter(|i| *i != index)
            .nth(places)
            .map(|i| self.pods[i].cost)
    }
}
