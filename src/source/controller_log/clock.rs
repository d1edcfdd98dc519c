//! When a line was written. klog's text has neither year nor zone; its JSON has both. The
//! controller's clock need not agree with the observer's.

use jiff::civil::{Date, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

/// How far behind the reference a log may end: zones, clocks that differ, a recording that goes on.
const SLACK: SignedDuration = SignedDuration::from_hours(24);

/// A line that follows so soon on the one before it belongs to the same year, or to the next.
const STEP: SignedDuration = SignedDuration::from_hours(24 * 62);

/// A time as a line has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// A whole one.
    Instant(Timestamp),
    /// klog's text.
    Yearless {
        /// 1 to 12, if it is one.
        month: i8,
        /// 1 to 31, if it is one.
        day: i8,
        /// In the zone of the controller-manager.
        time: Time,
        /// When a container runtime read the line: a whole time of the same machine.
        stamp: Option<Timestamp>,
    },
}

/// Turns written times into the observer's.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// An instant near the end of the log, which tells the year; without it text has no time.
    pub(crate) reference: Option<Timestamp>,
    /// The zone of klog's text; UTC unless told.
    pub(crate) zone: Option<Offset>,
    /// By how much the controller's clock is ahead of the observer's.
    pub(crate) ahead: SignedDuration,
    /// The last line's time, on the controller's clock.
    last: Option<Timestamp>,
}

impl Clock {
    /// A clock that knows the year from this instant.
    pub fn near(reference: Option<Timestamp>) -> Clock {
        Clock { reference, ..Clock::default() }
    }

    /// The time on the observer's clock.
    pub(crate) fn resolve(&mut self, written: Written) -> Option<Timestamp> {
        let at = match written {
            Written::Instant(at) => Some(at),
            Written::Yearless { month, day, time, stamp: Some(stamp) } => at_stamp(month, day, time, stamp),
            Written::Yearless { month, day, time, stamp: None } => self.in_year(month, day, time),
        };
        self.last = at.or(self.last);
        at?.checked_sub(self.ahead).ok()
    }

    /// In the latest year that puts the line no more than a day after the reference; a log that
    /// has come past that goes on in the year after.
    fn in_year(&self, month: i8, day: i8, time: Time) -> Option<Timestamp> {
        let reference = self.reference?;
        let zone = self.zone.unwrap_or(Offset::UTC);
        let latest = reference.checked_add(SLACK).ok()?;
        let year = zone.to_datetime(reference).year();
        let in_year = |year| instant(Date::new(year, month, day).ok()?, time, zone);
        let years = [year.checked_add(1)?, year, year.checked_sub(1)?];
        let follows = |at: &Timestamp| {
            self.last.is_some_and(|last| {
                let step = at.duration_since(last);
                last > latest.checked_sub(STEP).unwrap_or(last) && step.abs() < STEP
            })
        };
        years.into_iter().filter_map(in_year).find(|at| *at <= latest || follows(at))
    }
}

fn instant(date: Date, time: Time, zone: Offset) -> Option<Timestamp> {
    zone.to_timestamp(date.to_datetime(time)).ok()
}

/// The instant nearest to the stamp: it tells the year, and the zone to a quarter of an hour.
fn at_stamp(month: i8, day: i8, time: Time, stamp: Timestamp) -> Option<Timestamp> {
    const QUARTER: i128 = 15 * 60 * 1_000_000_000;
    let year = stamp.to_zoned(TimeZone::UTC).year();
    let years = [year.checked_sub(1)?, year, year.checked_add(1)?];
    let in_year = |year| instant(Date::new(year, month, day).ok()?, time, Offset::UTC);
    let nearest =
        years.into_iter().filter_map(in_year).min_by_key(|at| at.duration_since(stamp).unsigned_abs())?;
    let off = nearest.duration_since(stamp).as_nanos();
    let quarters = (off + QUARTER / 2).div_euclid(QUARTER);
    // No zone is further from UTC than 14 hours: what is, was not written when it was stamped.
    if quarters.abs() > 14 * 4 {
        return Some(nearest);
    }
    let zone = SignedDuration::from_nanos(i64::try_from(quarters * QUARTER).ok()?);
    nearest.checked_sub(zone).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn yearless(month: i8, day: i8, time: &str) -> Written {
        Written::Yearless { month, day, time: time.parse().unwrap(), stamp: None }
    }

    fn resolve(clock: &mut Clock, month: i8, day: i8) -> Option<String> {
        clock.resolve(yearless(month, day, "00:00:00")).map(|at| at.to_string())
    }

    fn near(reference: &str) -> Clock {
        Clock::near(reference.parse().ok())
    }

    #[test]
    fn a_leap_day_falls_into_a_leap_year_or_has_no_time() {
        let at = |reference: &str| resolve(&mut near(reference), 2, 29);
        assert_eq!(at("2024-06-01T00:00:00Z").as_deref(), Some("2024-02-29T00:00:00Z"));
        assert_eq!(at("2025-01-01T00:00:00Z").as_deref(), Some("2024-02-29T00:00:00Z"));
        assert_eq!(at("2026-01-01T00:00:00Z"), None);
    }

    #[test]
    fn a_log_goes_over_new_year_on_either_side_of_its_reference() {
        for reference in ["2026-12-31T12:00:00Z", "2027-01-01T00:30:00Z", "2027-01-02T12:00:00Z"] {
            let mut clock = near(reference);
            let times = [(12, 30), (12, 31), (1, 1), (1, 2)].map(|(m, d)| resolve(&mut clock, m, d));
            let wanted = ["2026-12-30", "2026-12-31", "2027-01-01", "2027-01-02"];
            for (time, day) in times.iter().zip(wanted) {
                assert!(time.as_deref().is_some_and(|t| t.starts_with(day)), "{reference}: {times:?}");
            }
        }
    }

    #[test]
    fn a_month_or_day_that_does_not_exist_has_no_time() {
        for (month, day) in [(13, 1), (0, 1), (4, 31), (1, 0)] {
            assert_eq!(resolve(&mut near("2026-06-01T00:00:00Z"), month, day), None);
        }
    }

    #[test]
    fn a_zone_and_a_clock_ahead_are_taken_off() {
        let mut clock = near("2026-06-01T12:00:00Z");
        clock.zone = Some(Offset::constant(2));
        clock.ahead = SignedDuration::from_millis(1500);
        let at = clock.resolve(yearless(6, 1, "14:00:01.5"));
        assert_eq!(at, "2026-06-01T12:00:00Z".parse().ok());
    }

    #[test]
    fn a_stamp_tells_year_and_zone() {
        let at = |month, day, time: &str, stamp: &str| {
            let time = time.parse().unwrap();
            let written = Written::Yearless { month, day, time, stamp: stamp.parse().ok() };
            Clock::default().resolve(written).map(|at| at.to_string())
        };
        let stamp = "2026-12-31T23:59:59.1Z";
        assert_eq!(at(12, 31, "23:59:59", stamp).as_deref(), Some("2026-12-31T23:59:59Z"));
        assert_eq!(at(1, 1, "05:29:59", stamp).as_deref(), Some("2026-12-31T23:59:59Z"));
        assert_eq!(at(12, 31, "14:59:59", stamp).as_deref(), Some("2026-12-31T23:59:59Z"));
    }
}
