//! Instants: input may hold times at the very end of the calendar.

use jiff::{SignedDuration, Timestamp};

/// The instant that much later (earlier where `by` is negative); the calendar's end where it would
/// lie beyond.
pub(crate) fn later(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.saturating_add(by).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_stop_at_the_end_of_the_calendar() {
        let day = SignedDuration::from_hours(24);
        assert_eq!(later(Timestamp::MAX - day, day * 2), Timestamp::MAX);
        assert_eq!(later(Timestamp::MIN, -day), Timestamp::MIN);
        assert_eq!(later(Timestamp::UNIX_EPOCH, day).as_second(), 86_400);
    }
}
