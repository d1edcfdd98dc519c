//! What the controller may hold in memory about one ReplicaSet, as ranges.

use jiff::{SignedDuration, Timestamp};

use super::range::{Interval, Range};
use crate::model::expectations::{EXPIRY, Entry, Gate};

/// Allowance for the difference between the observer's, the server's and the controller's clock
/// where the five minutes are judged.
pub(crate) const CLOCK_SKEW: SignedDuration = SignedDuration::from_secs(1);

/// Whether there is an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existence {
    /// There is none.
    No,
    /// There may be one.
    Maybe,
    /// There is one.
    Yes,
}

/// The entry as ranges; where there is none, both counters are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// Whether there is an entry.
    pub(crate) exists: Existence,
    /// Creations awaited.
    pub add: Range,
    /// Deletions awaited.
    pub del: Range,
    /// When it was set, on the observer's clock.
    pub(crate) set_at: Interval,
}

impl Held {
    /// Nothing is known.
    pub(crate) const UNKNOWN: Held = Held {
        exists: Existence::Maybe,
        add: Range::UNKNOWN,
        del: Range::UNKNOWN,
        set_at: Interval { earliest: None, latest: None },
    };
    /// There is no entry.
    pub(crate) const NONE: Held = Held {
        exists: Existence::No,
        add: Range::ZERO,
        del: Range::ZERO,
        set_at: Interval { earliest: None, latest: None },
    };

    /// An entry that was set between these instants.
    pub(crate) fn set(add: Range, del: Range, set_at: Interval) -> Held {
        Held { exists: Existence::Yes, add, del, set_at }
    }

    /// The smallest ranges that hold both.
    pub(crate) fn hull(self, other: Held) -> Held {
        let exists = if self.exists == other.exists { self.exists } else { Existence::Maybe };
        let set_at = match (self.exists, other.exists) {
            (Existence::No, _) => other.set_at,
            (_, Existence::No) => self.set_at,
            _ => self.set_at.hull(other.set_at),
        };
        Held { exists, add: self.add.hull(other.add), del: self.del.hull(other.del), set_at }
    }

    /// `count` pods were seen added that name this owner.
    pub(crate) fn lower_add(&mut self, count: i64) {
        self.add = self.lowered(self.add, count);
    }

    /// Without an entry nothing is lowered.
    fn lowered(&self, range: Range, count: i64) -> Range {
        match self.exists {
            Existence::No => range,
            Existence::Yes => range.lowered(count),
            Existence::Maybe => range.lowered(count).hull(Range::ZERO),
        }
    }

    /// One deletion was seen of a pod that may or may not be awaited.
    pub(crate) fn lower_del(&mut self) {
        if self.del.is_positive() {
            self.del = self.del.hull(self.del.lowered(1));
        }
    }

    /// The gate that a sync at `now` finds; None if that is open. `Some(None)` cannot be.
    pub fn gate(&self, now: Timestamp) -> Option<Gate> {
        if self.exists == Existence::No {
            return Some(Gate::None);
        }
        if self.add.is_met() && self.del.is_met() {
            return Some(Gate::Fulfilled);
        }
        let unmet = self.exists == Existence::Yes && (self.add.is_positive() || self.del.is_positive());
        match (unmet, self.expired(now)) {
            (true, Some(true)) => Some(Gate::Expired),
            (true, Some(false)) => Some(Gate::Waiting),
            _ => None,
        }
    }

    /// The entry, where it is known exactly; its time is the latest possible.
    pub fn entry(&self) -> Option<Entry> {
        let exact = |range: Range| range.min().filter(|_| range.is_exact());
        let known = self.exists == Existence::Yes;
        known.then(|| {
            Some(Entry { add: exact(self.add)?, del: exact(self.del)?, set_at: self.set_at.latest? })
        })?
    }

    /// Whether a sync at `now` may create and delete; None if unknown.
    pub(crate) fn is_open(&self, now: Timestamp) -> Option<bool> {
        match self.gate(now) {
            Some(gate) => Some(gate.is_open()),
            None if self.expired(now) == Some(true) => Some(true),
            None => None,
        }
    }

    /// Whether the five minutes are over; None if that is not sure.
    fn expired(&self, now: Timestamp) -> Option<bool> {
        let age = |set: Timestamp| now.duration_since(set);
        if self.set_at.latest.is_some_and(|set| age(set) > EXPIRY + CLOCK_SKEW) {
            return Some(true);
        }
        self.set_at.earliest.is_some_and(|set| age(set) < EXPIRY - CLOCK_SKEW).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + seconds).unwrap()
    }

    fn set_between(add: Range, earliest: i64, latest: i64) -> Held {
        let set_at = Interval { earliest: Some(at(earliest)), latest: Some(at(latest)) };
        Held::set(add, Range::ZERO, set_at)
    }

    #[test]
    fn gate_is_said_only_where_all_possible_entries_agree() {
        assert_eq!(Held::UNKNOWN.gate(at(0)), None);
        assert_eq!(set_between(Range::new(1, 3), 0, 1).gate(at(10)), Some(Gate::Waiting));
        assert_eq!(set_between(Range::new(0, 3), 0, 1).gate(at(10)), None);
        assert_eq!(set_between(Range::new(-2, 0), 0, 1).gate(at(10)), Some(Gate::Fulfilled));
    }

    #[test]
    fn expiry_is_left_open_within_the_possible_times_of_the_set_and_the_clock_skew() {
        let held = set_between(Range::new(1, 1), 0, 10);
        assert_eq!(held.gate(at(298)), Some(Gate::Waiting));
        assert_eq!(held.gate(at(300)), None);
        assert_eq!(held.gate(at(311)), None);
        assert_eq!(held.gate(at(312)), Some(Gate::Expired));
        assert_eq!(set_between(Range::new(0, 1), 0, 10).is_open(at(312)), Some(true));
    }

    #[test]
    fn arrival_lowers_an_entry_that_is_sure_and_widens_one_that_is_not() {
        let mut held = set_between(Range::new(3, 3), 0, 0);
        held.lower_add(2);
        assert_eq!(held.add, Range::new(1, 1));
        let mut none = Held::NONE;
        none.lower_add(1);
        assert_eq!(none, Held::NONE);
        let mut maybe = held.hull(Held::NONE);
        maybe.lower_add(1);
        assert_eq!(maybe.add, Range::new(-1, 0));
    }
}
