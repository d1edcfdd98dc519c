//! Numbers with their noun, and ranges of them.

use std::fmt::Display;

use crate::model::BURST;
use crate::report::Bounds;

/// `1 pod`, `2 pods`.
pub(crate) fn count(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// `3`, `0..7`, `<=7`, `>=3`; `?` if nothing bounds it.
pub(crate) fn range(range: Bounds) -> String {
    match (range.min, range.max) {
        (Some(min), Some(max)) if min == max => min.to_string(),
        (Some(min), Some(max)) => format!("{min}..{max}"),
        (Some(min), None) => format!(">={min}"),
        (None, Some(max)) => format!("<={max}"),
        (None, None) => "?".to_owned(),
    }
}

/// Whether nothing is known of a counter: no sync waits for more than a burst.
pub(crate) fn is_unknown(range: Bounds) -> bool {
    range.min.is_none() && range.max.is_none_or(|max| max >= BURST as i64)
}

/// A counter of the expectations, as [`range`]; `?` if nothing is known of it.
pub(crate) fn awaited(counter: Bounds) -> String {
    if is_unknown(counter) { "?".to_owned() } else { range(counter) }
}

/// A range with its noun: `1 creation`, `2..5 creations`.
pub(crate) fn amount(bounds: Bounds, noun: &str) -> String {
    count(range(bounds), noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_says_which_of_its_ends_are_known() {
        for (min, max, text, counter) in [
            (Some(3), Some(3), "3", "3"),
            (Some(-1), Some(2), "-1..2", "-1..2"),
            (Some(3), None, ">=3", ">=3"),
            (None, Some(3), "<=3", "<=3"),
            (None, Some(500), "<=500", "?"),
            (None, None, "?", "?"),
        ] {
            let bounds = Bounds { min, max };
            assert_eq!((range(bounds).as_str(), awaited(bounds).as_str()), (text, counter));
        }
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!([0, 1, 2].map(|n| count(n, "pod")), ["0 pods", "1 pod", "2 pods"]);
        let few = Bounds { min: Some(1), max: Some(2) };
        assert_eq!(amount(few, "creation"), "1..2 creations");
        assert_eq!(amount(Bounds { max: Some(1), ..few }, "creation"), "1 creation");
    }
}
