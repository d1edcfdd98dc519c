//! Readers of flag values. An error says what is allowed; the flag's name is put before it.
//!
//! Looked at for durations: jiff's friendly format. It refuses what kubectl takes (`1.5h30m`, `30m1h`, `.5s`)
//! and takes what kubectl refuses (`1 hour`, `5s ago`, `-1s`, `01:30:00`).

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use jiff::Timestamp;
use jiff::tz::Offset;

use crate::engine::settings::{FailCreates, Output, SortBy};
use crate::model::profile::{NEWEST, OLDEST, Version};
use crate::reasons::Code;
use crate::report::template::jsonpath::JsonPath;
use crate::suggest;

/// What is written where there is nothing but an answer of a few lines.
pub const MACHINE_OR_TEXT: &[(&str, Output)] =
    &[("text", Output::Text), ("json", Output::Json), ("yaml", Output::Yaml)];

/// A parser for one of some words, each of which stands for a value.
pub fn words<T>(table: &'static [(&'static str, T)]) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(table.iter().map(|(word, _)| *word)).try_map(move |given| {
        table.iter().find(|(word, _)| *word == given).map(|(_, value)| value.clone()).ok_or("unknown word")
    })
}

/// A time, RFC 3339.
pub fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "expected an RFC 3339 time such as 2026-01-01T12:00:00Z".into())
}

/// An offset from UTC: `+02:00`, `+2`, `-0330`.
pub fn utc_offset(text: &str) -> Result<Offset, String> {
    let read = || {
        let (sign, digits) = match text.as_bytes().first()? {
            b'+' => (1, &text[1..]),
            b'-' => (-1, &text[1..]),
            _ => return None,
        };
        let (hours, minutes) = match digits.split_once(':') {
            Some((hours, minutes)) => (hours, minutes),
            None => digits.split_at_checked(if digits.len() == 4 { 2 } else { digits.len() })?,
        };
        let number = |text: &str, most: i32| {
            let plain = text.bytes().all(|b| b.is_ascii_digit()) && text.len() <= 2;
            text.parse().ok().filter(|n: &i32| plain && *n <= most)
        };
        let hours = number(hours, 14)?;
        let minutes =
            if digits.len() <= 2 { 0 } else { number(minutes, 59).filter(|_| minutes.len() == 2)? };
        let minutes = hours * 60 + minutes;
        (minutes <= 14 * 60).then(|| Offset::from_seconds(sign * minutes * 60).ok())?
    };
    read().ok_or_else(|| "expected an offset from -14:00 to +14:00 such as +02:00, +2 or -0330".into())
}

/// A version of the control plane.
pub fn version(text: &str) -> Result<Version, String> {
    Version::parse(text)
        .ok_or_else(|| format!("expected 1.N, 1.N.P or v1.N.P; versions 1.{OLDEST} to 1.{NEWEST} are known"))
}

/// A whole number from 0 to 2147483647.
pub fn replicas(text: &str) -> Result<i32, String> {
    text.parse()
        .ok()
        .filter(|n| *n >= 0)
        .ok_or_else(|| format!("expected a whole number from 0 to {}", i32::MAX))
}

/// A whole number from 1 to 1000.
pub fn syncs(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| (1..=1000).contains(n))
        .ok_or_else(|| "expected a whole number from 1 to 1000".into())
}

/// A whole number from 0.
pub fn count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a whole number, 0 or more".into())
}

/// A whole number from 1.
pub fn burst(text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|n| *n >= 1).ok_or_else(|| "expected a whole number, 1 or more".into())
}

/// A page of a list.
pub fn chunk(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "expected a whole number from 0 to 4294967295".into())
}

/// A number above 0.
pub fn rate(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|n: &f64| n.is_finite() && *n >= 0.001)
        .ok_or_else(|| "expected a number of 0.001 or more".into())
}

/// A duration as kubectl takes it: `5` (seconds), `10s`, `1m30s`, `500ms`; `0` is no limit.
pub fn duration(text: &str) -> Result<Duration, String> {
    let seconds: Option<u64> = text.parse().ok();
    seconds.map(Duration::from_secs).or_else(|| units(text)).ok_or_else(|| {
        "expected seconds such as 5, or a number with its unit such as 10s, 2m or 1h30m".into()
    })
}

/// Numbers with units, one after the other.
fn units(text: &str) -> Option<Duration> {
    const UNITS: [(&str, f64); 7] =
        [("ns", 1e-9), ("us", 1e-6), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let mut rest = text;
    let mut sum = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        let unit =
            rest[digits..].find(|c: char| c.is_ascii_digit()).map_or(rest.len(), |length| digits + length);
        let (_, seconds) = UNITS.iter().find(|(name, _)| *name == &rest[digits..unit])?;
        sum += number * seconds;
        rest = &rest[unit..];
    }
    Duration::try_from_secs_f64(sum).ok().filter(|_| !text.is_empty())
}

/// true or false, as Go reads them.
pub fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err("expected true or false".into()),
    }
}

/// A level of verbosity; kubectl's go to 10, larger ones are allowed.
pub fn level(text: &str) -> Result<u8, String> {
    let level: i32 = text.parse().map_err(|_| "expected a whole number, 0 or more")?;
    Ok(u8::try_from(level.clamp(0, 255)).unwrap_or(u8::MAX))
}

/// `KEY=VALUE`.
pub fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or("expected KEY=VALUE")?;
    Ok((key.into(), value.into()))
}

/// The key of a label.
pub fn label(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("expected the key of a label, or several with commas between them".into()),
        key => Ok(key.to_owned()),
    }
}

/// A path such as `.a.b` or `{.a.b}`.
pub fn sort_by(text: &str) -> Result<SortBy, String> {
    let path = JsonPath::parse_path(text).map_err(|wrong| wrong.to_string())?;
    Ok(SortBy { text: text.to_owned(), path })
}

/// `REASON`, or `REASON@K` for the K-th create only.
pub fn fail_creates(text: &str) -> Result<FailCreates, String> {
    let (word, only) = match text.split_once('@') {
        None => (text, None),
        Some((word, nth)) => {
            let nth: Option<u32> = nth.parse().ok().filter(|n| *n >= 1);
            let nth = nth.ok_or("expected REASON or REASON@K with K a whole number, 1 or more")?;
            (word, Some(nth))
        }
    };
    let reason = refusal(word).ok_or_else(|| {
        let known: Vec<&str> = refusals().map(Code::as_str).collect();
        let hint = suggest::hint(word, known.iter().copied());
        format!("expected one of {}, alone or followed by @K{hint}", known.join(", "))
    })?;
    Ok(FailCreates { reason, only })
}

/// The codes that tell why a create is refused.
pub fn refusals() -> impl Iterator<Item = Code> {
    Code::ALL.iter().copied().filter(|code| {
        *code == Code::NamespaceTerminating || (Code::QuotaExceeded..=Code::CreateRefused).contains(code)
    })
}

/// Reads a code, or the API's own reason for a refusal.
fn refusal(word: &str) -> Option<Code> {
    const API_REASONS: [(&str, Code); 6] = [
        ("AlreadyExists", Code::NameClash),
        ("Forbidden", Code::CreateForbidden),
        ("Invalid", Code::PodInvalid),
        ("ServerTimeout", Code::ServerOverloaded),
        ("Timeout", Code::CreateTimedOut),
        ("TooManyRequests", Code::ServerOverloaded),
    ];
    let by_api = API_REASONS.iter().find(|(reason, _)| reason.eq_ignore_ascii_case(word));
    by_api.map(|(_, code)| *code).or_else(|| refusals().find(|code| code.as_str().eq_ignore_ascii_case(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_from_utc_are_taken_in_every_usual_form() {
        let offset = |text| utc_offset(text).map(|offset| offset.seconds() / 60);
        for (text, minutes) in
            [("+02:00", 120), ("+2", 120), ("-0330", -210), ("+14", 840), ("-00:00", 0), ("+5:45", 345)]
        {
            assert_eq!(offset(text), Ok(minutes), "{text}");
        }
        for wrong in [
            "",
            "2",
            "02:00",
            "+",
            "+2:0",
            "+02:60",
            "+15",
            "+14:30",
            "+030",
            "+02:00:00",
            "++2",
            "+é",
            "UTC",
            "--now",
        ] {
            assert!(offset(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_keep_to_their_ranges() {
        assert_eq!(replicas("0"), Ok(0));
        assert_eq!(replicas("2147483647"), Ok(i32::MAX));
        for wrong in ["-1", "2147483648", "", "3.5", "x"] {
            assert!(replicas(wrong).is_err(), "{wrong}");
        }
        assert_eq!(syncs("1000"), Ok(1000));
        assert!(syncs("0").is_err() && syncs("1001").is_err());
        assert_eq!(count("0"), Ok(0));
        assert!(count("-1").is_err());
        assert_eq!(burst("1"), Ok(1));
        assert!(burst("0").is_err());
        assert_eq!(rate("0.5"), Ok(0.5));
        for wrong in ["0", "-1", "nan", "inf", "x"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn creates_fail_all_or_at_one_place() {
        let reason = Code::QuotaExceeded;
        assert_eq!(fail_creates("QuotaExceeded"), Ok(FailCreates { reason, only: None }));
        assert_eq!(fail_creates("quotaexceeded@3"), Ok(FailCreates { reason, only: Some(3) }));
        assert_eq!(fail_creates("Timeout").unwrap().reason, Code::CreateTimedOut);
        assert_eq!(fail_creates("NamespaceTerminating").unwrap().reason, Code::NamespaceTerminating);
        for wrong in ["QuotaExceeded@0", "QuotaExceeded@", "QuotaExceeded@x", "", "SlowStart", "@1"] {
            assert!(fail_creates(wrong).is_err(), "{wrong}");
        }
        assert!(fail_creates("QuotaExceded").unwrap_err().contains("\"QuotaExceeded\""));
    }

    #[test]
    fn durations_are_those_of_kubectl() {
        let seconds = |text| duration(text).map(|duration| duration.as_secs_f64());
        let known = [("5", 5.0), ("10s", 10.0), ("1m", 60.0), ("0", 0.0), ("0s", 0.0), ("1h30m", 5400.0)];
        for (text, expected) in known.into_iter().chain([("500ms", 0.5), ("1.5s", 1.5), ("2µs", 2e-6)]) {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
        for wrong in ["", "-1", "1x", "s", "1.5", "1m5", "1 s", "99999999999999999999h"] {
            assert!(duration(wrong).unwrap_err().contains("10s"), "{wrong}");
        }
    }

    #[test]
    fn booleans_levels_and_pairs() {
        assert_eq!((boolean("T"), boolean("0")), (Ok(true), Ok(false)));
        assert!(boolean("yes").is_err());
        assert_eq!((level("6"), level("1000"), level("-1")), (Ok(6), Ok(255), Ok(0)));
        assert_eq!(pair("a=b=c"), Ok(("a".into(), "b=c".into())));
        assert!(pair("a").is_err() && pair("=b").is_err());
    }

    #[test]
    fn times_and_versions_say_what_they_take() {
        assert!(time("2026-01-01T12:00:00Z").is_ok());
        assert!(time("2026-01-01T12:00:00.123456789+02:00").is_ok());
        assert!(time("yesterday").unwrap_err().contains("RFC 3339"));
        assert!(version("v1.30.2").is_ok());
        assert!(version("2.0").unwrap_err().contains("1.37"));
    }
}
