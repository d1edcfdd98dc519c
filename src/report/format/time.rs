//! Instants and durations. There is no clock: what is relative is relative to the report's instant.

use jiff::{SignedDuration, Timestamp};

/// A duration as kubectl prints ages: `45s`, `4m10s`, `12m`, `5d3h`.
///
/// The thresholds are those of `HumanDuration` in k8s.io/apimachinery: two units while the first
/// is small, then one.
pub(crate) fn age(duration: SignedDuration) -> String {
    let seconds = duration.as_secs();
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    let days = hours / 24;
    match seconds {
        ..-1 => "<invalid>".to_owned(),
        -1 => "0s".to_owned(),
        _ if seconds < 2 * 60 => format!("{seconds}s"),
        _ if minutes < 10 => two(minutes, "m", seconds % 60, "s"),
        _ if minutes < 3 * 60 => format!("{minutes}m"),
        _ if hours < 8 => two(hours, "h", minutes % 60, "m"),
        _ if hours < 48 => format!("{hours}h"),
        _ if days < 8 => two(days, "d", hours % 24, "h"),
        _ if days < 2 * 365 => format!("{days}d"),
        _ if days < 8 * 365 => two(days / 365, "y", days % 365, "d"),
        _ => format!("{}y", days / 365),
    }
}

fn two(large: i64, large_unit: &str, small: i64, small_unit: &str) -> String {
    if small == 0 {
        format!("{large}{large_unit}")
    } else {
        format!("{large}{large_unit}{small}{small_unit}")
    }
}

/// A duration that may be far below a second: `250µs`, `40ms`, `1.5s`; from two minutes on as [`age`].
pub(crate) fn fine(duration: SignedDuration) -> String {
    const TWO_MINUTES: SignedDuration = SignedDuration::from_mins(2);
    // Tenths are enough for an eye, and without a zero behind the point.
    let tenths = |value: f64, unit: &str| format!("{:.1}", value).trim_end_matches(".0").to_owned() + unit;
    let micros = duration.as_micros();
    match micros {
        ..1000 => format!("{micros}µs"),
        1000..100_000 => tenths(micros as f64 / 1e3, "ms"),
        100_000..1_000_000 => format!("{}ms", (micros + 500) / 1000),
        _ if duration < TWO_MINUTES => tenths(duration.as_secs_f64(), "s"),
        _ => age(duration),
    }
}

/// `18:11:49.877`.
pub(crate) fn time(instant: Timestamp) -> String {
    instant.strftime("%H:%M:%S.%3f").to_string()
}

/// `2026-11-29`.
pub(crate) fn date(instant: Timestamp) -> String {
    instant.strftime("%F").to_string()
}

/// An instant with its date: `2026-01-01T12:00:00Z`.
pub(crate) fn full(instant: Timestamp) -> String {
    instant.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// An instant, without its date if that is the report's: `12:04:10Z`.
pub(crate) fn at(instant: Timestamp, as_of: Timestamp) -> String {
    if date(instant) == date(as_of) { instant.strftime("%H:%M:%SZ").to_string() } else { full(instant) }
}

/// The latest end of an interval as [`at`] prints it, rounded up: what comes later is not hidden.
pub(crate) fn at_latest(instant: Timestamp, as_of: Timestamp) -> String {
    let whole = if instant.subsec_nanosecond() > 0 { instant.as_second() + 1 } else { instant.as_second() };
    at(Timestamp::from_second(whole).unwrap_or(instant), as_of)
}

/// An instant with its date, to the millisecond where it is not a whole second.
pub(crate) fn exact(instant: Timestamp) -> String {
    match instant.subsec_millisecond() {
        0 => full(instant),
        _ => instant.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
    }
}

/// How far off an instant is: `in 4m10s`, `now`, `5s ago`.
pub(crate) fn distance(instant: Timestamp, as_of: Timestamp) -> String {
    let span = instant.duration_since(as_of);
    match span.as_secs() {
        0 => "now".to_owned(),
        1.. => format!("in {}", age(span)),
        _ => format!("{} ago", age(-span)),
    }
}

/// The offset of a sync: `+0.0s`, `+12.5s`, `+5m10s`.
pub(crate) fn offset(instant: Timestamp, from: Timestamp) -> String {
    let span = instant.duration_since(from);
    if span.as_secs().abs() < 120 {
        format!("{:+.1}s", span.as_secs_f64())
    } else {
        format!("+{}", age(span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_the_thresholds_of_kubectl() {
        const M: i64 = 60;
        const H: i64 = 60 * M;
        const D: i64 = 24 * H;
        const Y: i64 = 365 * D;
        for (seconds, text) in [
            (-2, "<invalid>"),
            (-1, "0s"),
            (0, "0s"),
            (119, "119s"),
            (2 * M, "2m"),
            (2 * M + 1, "2m1s"),
            (250, "4m10s"),
            (9 * M + 59, "9m59s"),
            (10 * M + 59, "10m"),
            (3 * H - 1, "179m"),
            (3 * H, "3h"),
            (3 * H + M, "3h1m"),
            (8 * H - 1, "7h59m"),
            (8 * H + M, "8h"),
            (48 * H - 1, "47h"),
            (2 * D, "2d"),
            (2 * D + H, "2d1h"),
            (5 * D + 3 * H, "5d3h"),
            (8 * D - 1, "7d23h"),
            (8 * D + H, "8d"),
            (2 * Y - 1, "729d"),
            (2 * Y, "2y"),
            (2 * Y + D, "2y1d"),
            (8 * Y - 1, "7y364d"),
            (8 * Y + D, "8y"),
        ] {
            assert_eq!(age(SignedDuration::from_secs(seconds)), text, "{seconds}");
        }
        assert_eq!(age(SignedDuration::from_millis(-500)), "0s");
    }

    #[test]
    fn short_durations_keep_a_tenth() {
        for (micros, text) in [
            (250, "250µs"),
            (40_000, "40ms"),
            (1_250, "1.2ms"),
            (999_700, "1000ms"),
            (1_500_000, "1.5s"),
            (5_000_000, "5s"),
            (119_960_000, "120s"),
            (294_000_000, "4m54s"),
        ] {
            assert_eq!(fine(SignedDuration::from_micros(micros)), text, "{micros}");
        }
    }

    #[test]
    fn a_date_is_shown_only_for_another_day() {
        let t = |text: &str| text.parse::<Timestamp>().unwrap();
        let noon = t("2026-01-01T12:00:00Z");
        assert_eq!(at(t("2026-01-01T12:04:10.9Z"), noon), "12:04:10Z");
        assert_eq!(at(t("2026-01-02T00:00:00Z"), noon), "2026-01-02T00:00:00Z");
        assert_eq!(at_latest(t("2026-01-01T12:04:10.9Z"), noon), "12:04:11Z");
        assert_eq!(at_latest(t("2026-01-01T12:04:10Z"), noon), "12:04:10Z");
        assert_eq!(exact(t("2026-01-01T12:04:10.9Z")), "2026-01-01T12:04:10.900Z");
        assert_eq!(distance(t("2026-01-01T12:04:10Z"), noon), "in 4m10s");
        assert_eq!(distance(noon, noon), "now");
        assert_eq!(distance(t("2026-01-01T11:59:55Z"), noon), "5s ago");
        assert_eq!(offset(t("2026-01-01T12:00:00.05Z"), noon), "+0.1s");
        assert_eq!(offset(t("2026-01-01T12:05:01Z"), noon), "+5m1s");
    }
}
