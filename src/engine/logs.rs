//! What is said of the logs that were read: among the sources, and as warnings.

use std::fmt::Write;

use jiff::tz::Offset;

use crate::report::format::count;
use crate::source::controller_log::{LogNotes, Skew};

/// One line among the sources.
pub(crate) fn source(log: &LogNotes, beside: bool) -> String {
    let mut line = format!("{}: ", log.input);
    let counts = &log.counts;
    if log.later {
        line.push_str("every line of the ReplicaSet controller is later, and not used");
    } else {
        let _ = write!(line, "{} of the ReplicaSet controller", count(thousands(log.used), "line"));
    }
    if counts.understood > 0 && counts.timeless == counts.understood {
        line.push_str(", without a time");
    } else if let Some(clock) = clock(log.skew).filter(|_| beside) {
        let _ = write!(line, ", {clock}");
    }
    if counts.foreign > 0 {
        let _ =
            write!(line, "; passed over: {} that no Kubernetes component wrote", thousands(counts.foreign));
    }
    line
}

/// How the log's clock goes against the recording's.
fn clock(skew: Skew) -> Option<String> {
    Some(match skew {
        Skew::Unknown => "clock taken for the observer's".to_owned(),
        Skew::ReadOnce => {
            "clock taken for the recording's (what cannot be read twice is not compared)".to_owned()
        }
        Skew::NoPod => "clock taken for the recording's (no pod is in both)".to_owned(),
        Skew::Unsure { pods: 1 } => "clock taken for the recording's (1 pod in both is too few)".to_owned(),
        Skew::Unsure { pods } => {
            format!("clock taken for the recording's (the {pods} pods in both are inconclusive)")
        }
        Skew::Measured { pods, .. } => {
            let from = if pods == 1 { "1 pod".to_owned() } else { format!("{pods} pods") };
            let ahead = skew.correction();
            if ahead.is_zero() {
                format!("clock as the recording's (from {from})")
            } else {
                let sign = if ahead.is_negative() { '-' } else { '+' };
                let tenths = (ahead.abs().as_millis() + 50) / 100;
                let (seconds, tenth) = (tenths / 10, tenths % 10);
                format!("clock {sign}{seconds}.{tenth} s against the recording (from {from})")
            }
        }
    })
}

/// What the user should know, one line each.
pub(crate) fn warnings(log: &LogNotes) -> Vec<String> {
    let (input, counts) = (&log.input, &log.counts);
    let mut warnings = Vec::new();
    if counts.understood > 0 && counts.timeless == counts.understood {
        warnings.push(format!(
            "{input}: its lines tell neither year nor zone, so no time is known of them: give an instant near its end with --now"
        ));
    }
    if let Some(zone) = log.zone {
        let (name, value) = (zone_name(zone), offset(zone));
        warnings.push(format!("{input}: looks like {name}: --controller-log-utc-offset {value}"));
    }
    if counts.klog > 0 && counts.understood == 0 && !log.later && !log.failed {
        warnings.push(format!(
            "{input}: none of its {} lines is one of the ReplicaSet controller: is it the log of a kube-controller-manager that leads?",
            thousands(counts.lines)
        ));
    }
    warnings
}

/// `+02:00`
fn offset(zone: Offset) -> String {
    let minutes = zone.seconds() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

/// `UTC+2`, `UTC-3:30`
fn zone_name(zone: Offset) -> String {
    let minutes = zone.seconds() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    let part = minutes.abs() % 60;
    let part = if part == 0 { String::new() } else { format!(":{part:02}") };
    match minutes {
        0 => "UTC".to_owned(),
        _ => format!("UTC{sign}{}{part}", minutes.abs() / 60),
    }
}

/// `1,234,567`
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;
    use crate::source::controller_log::Counts;

    fn log(understood: u64, skew: Skew) -> LogNotes {
        let counts = Counts {
            lines: 2_000_000,
            klog: 2_000_000,
            understood,
            zoneless: understood,
            ..Counts::default()
        };
        let zone = skew.zone(None);
        let input = std::path::PathBuf::from("kcm.log").into();
        LogNotes { input, counts, used: understood, skew, zone, later: false, failed: false }
    }

    fn ahead(millis: i64) -> Skew {
        Skew::Measured { ahead: SignedDuration::from_millis(millis), pods: 40 }
    }

    #[test]
    fn the_source_says_lines_and_clock() {
        for (skew, said) in [
            (
                ahead(2_149),
                "1,234 lines of the ReplicaSet controller, clock +2.1 s against the recording (from 40 pods)",
            ),
            (
                ahead(-7_200_050),
                "1,234 lines of the ReplicaSet controller, clock -7200.1 s against the recording (from 40 pods)",
            ),
            (ahead(900), "1,234 lines of the ReplicaSet controller, clock as the recording's (from 40 pods)"),
            (
                Skew::NoPod,
                "1,234 lines of the ReplicaSet controller, clock taken for the recording's (no pod is in both)",
            ),
        ] {
            assert_eq!(source(&log(1234, skew), true), format!("kcm.log: {said}"));
        }
        assert_eq!(source(&log(1, Skew::Unknown), false), "kcm.log: 1 line of the ReplicaSet controller");
    }

    #[test]
    fn a_zone_is_told_by_a_difference_of_whole_half_hours() {
        let warned = |millis| warnings(&log(5, ahead(millis)));
        assert_eq!(warned(7_201_000), ["kcm.log: looks like UTC+2: --controller-log-utc-offset +02:00"]);
        assert_eq!(warned(-12_600_000), ["kcm.log: looks like UTC-3:30: --controller-log-utc-offset -03:30"]);
        for other in [0, 5_000, 6_600_000, 72_000_000] {
            assert!(warned(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn a_log_of_another_component_is_told() {
        assert!(warnings(&log(0, Skew::Unknown))[0].contains("none of its 2,000,000 lines"));
    }
}
