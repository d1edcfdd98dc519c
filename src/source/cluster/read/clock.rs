//! The observer's clock, and how far the server's is from it.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

/// Receive times that never go back: the time of day at the start, and what passed since.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    begun: Instant,
    origin: Timestamp,
}

impl Clock {
    /// Starts now.
    pub fn start() -> Clock {
        Clock { begun: Instant::now(), origin: Timestamp::now() }
    }

    /// The present.
    pub(crate) fn now(&self) -> Timestamp {
        let passed = SignedDuration::try_from(self.begun.elapsed()).unwrap_or_default();
        self.origin.checked_add(passed).unwrap_or(self.origin)
    }
}

/// How far the server's clock is ahead of the observer's: between these two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skew {
    /// At least.
    pub(crate) least: SignedDuration,
    /// At most.
    pub(crate) most: SignedDuration,
}

impl Skew {
    /// From a `Date` of whole seconds that was written between these two instants.
    pub fn of(date: Timestamp, asked: Timestamp, answered: Timestamp) -> Skew {
        let second = SignedDuration::try_from(Duration::from_secs(1)).unwrap_or_default();
        Skew { least: date.duration_since(answered), most: date.duration_since(asked) + second }
    }

    /// What both say; the newer one where they contradict each other, because a clock was set.
    pub(crate) fn and(self, newer: Skew) -> Skew {
        let both = Skew { least: self.least.max(newer.least), most: self.most.min(newer.most) };
        if both.least <= both.most { both } else { newer }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_narrow_the_skew() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let first =
            Skew::of(at("2026-01-01T12:00:05Z"), at("2026-01-01T12:00:00Z"), at("2026-01-01T12:00:00.2Z"));
        assert_eq!(first.least, SignedDuration::from_millis(4_800));
        assert_eq!(first.most, SignedDuration::from_millis(6_000));
        let second =
            Skew::of(at("2026-01-01T12:00:06Z"), at("2026-01-01T12:00:00.9Z"), at("2026-01-01T12:00:01Z"));
        let both = first.and(second);
        assert_eq!(both.least, SignedDuration::from_millis(5_000));
        assert_eq!(both.most, SignedDuration::from_millis(6_000));
        let set = Skew { least: SignedDuration::from_secs(60), most: SignedDuration::from_secs(61) };
        assert_eq!(both.and(set), set);
    }
}
