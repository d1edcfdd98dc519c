//! Ranges that contain the truth.

use jiff::{SignedDuration, Timestamp};

use crate::model::BURST;

/// A range of whole numbers; an end that is None is open. Lowest and highest never cross.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    min: Option<i64>,
    max: Option<i64>,
}

impl Range {
    /// Exactly zero.
    pub(crate) const ZERO: Range = Range { min: Some(0), max: Some(0) };
    /// Nothing is known but that no round is larger than the burst limit. There is no lower
    /// bound: foreign pods and left-over keys lower a counter below zero.
    pub(crate) const UNKNOWN: Range = Range { min: None, max: Some(BURST as i64) };

    /// Nothing is known but that nothing is outstanding.
    pub(crate) const MET: Range = Range { min: None, max: Some(0) };

    /// A range between two known ends, in either order.
    pub fn new(a: i64, b: i64) -> Range {
        Range { min: Some(a.min(b)), max: Some(a.max(b)) }
    }

    /// The lowest possible value; None if there is no bound.
    pub fn min(self) -> Option<i64> {
        self.min
    }

    /// The highest possible value; None if there is no bound.
    pub fn max(self) -> Option<i64> {
        self.max
    }

    /// Whether the value is known.
    pub fn is_exact(self) -> bool {
        self.min.is_some() && self.min == self.max
    }

    /// Whether every possible value is above zero.
    pub(crate) fn is_positive(self) -> bool {
        self.min.is_some_and(|min| min > 0)
    }

    /// Whether no possible value is above zero.
    pub(crate) fn is_met(self) -> bool {
        self.max.is_some_and(|max| max <= 0)
    }

    /// The smallest range that holds both.
    pub(crate) fn hull(self, other: Range) -> Range {
        let min = self.min.zip(other.min).map(|(a, b)| a.min(b));
        let max = self.max.zip(other.max).map(|(a, b)| a.max(b));
        Range { min, max }
    }

    /// Both ends lower by `count`.
    pub(crate) fn lowered(self, count: i64) -> Range {
        let lower = |end: i64| end.saturating_sub(count);
        Range { min: self.min.map(lower), max: self.max.map(lower) }
    }

    /// Nothing above `limit`.
    pub(crate) fn at_most(self, limit: i64) -> Range {
        let max = self.max.map_or(limit, |max| max.min(limit));
        Range { min: self.min.map(|min| min.min(max)), max: Some(max) }
    }
}

/// Two instants of one clock between which something happened; None is an open end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Interval {
    /// Not before.
    pub earliest: Option<Timestamp>,
    /// Not after.
    pub latest: Option<Timestamp>,
}

impl Interval {
    /// The smallest interval that holds both.
    pub(crate) fn hull(self, other: Interval) -> Interval {
        Interval {
            earliest: self.earliest.zip(other.earliest).map(|(a, b)| a.min(b)),
            latest: self.latest.zip(other.latest).map(|(a, b)| a.max(b)),
        }
    }

    /// The same interval, later by `duration`.
    pub(crate) fn later(self, duration: SignedDuration) -> Interval {
        let add = |t: Timestamp| t.saturating_add(duration).ok();
        Interval { earliest: self.earliest.and_then(add), latest: self.latest.and_then(add) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hull_holds_both_and_open_ends_stay_open() {
        assert_eq!(Range::new(1, 3).hull(Range::new(5, 4)), Range::new(1, 5));
        assert_eq!(Range::UNKNOWN.hull(Range::ZERO), Range::UNKNOWN);
        assert_eq!(Range::UNKNOWN.lowered(3).max(), Some(497));
        assert_eq!(Range::new(2, 9).at_most(1), Range::new(1, 1));
    }

    #[test]
    fn a_range_is_met_or_positive_only_if_all_of_it_is() {
        assert!(Range::new(-3, 0).is_met() && !Range::new(-3, 1).is_met());
        assert!(Range::new(1, 2).is_positive() && !Range::new(0, 2).is_positive());
        assert!(!Range::UNKNOWN.is_met() && !Range::UNKNOWN.is_positive());
    }
}
