//! Lists of words and of names.

use crate::report::sanitize::escape;

/// So many of a list are shown before `and N more`.
const FEW: usize = 9;

/// All of them: `a, b and c`.
pub(crate) fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// Names from the cluster, escaped: `web-a, web-b and 3 more`; all of them if `wide`.
pub(crate) fn names<'n>(names: impl ExactSizeIterator<Item = &'n str>, wide: bool) -> String {
    let length = names.len();
    let some = shown(length, wide);
    let list: Vec<_> = names.take(some).map(escape).collect();
    match length - some {
        0 => list.join(", "),
        more => format!("{} and {more} more", list.join(", ")),
    }
}

/// How many of a list to show.
pub(crate) fn shown(length: usize, wide: bool) -> usize {
    // One more line instead of "and 1 more".
    if wide || length <= FEW + 1 { length } else { FEW }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_list_has_an_and() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([0, 1, 2, 3].map(|n| join(&parts[..n])), ["", "a", "a and b", "a, b and c"]);
    }

    #[test]
    fn a_long_list_ends_with_how_many_more_and_never_with_one_more() {
        let listed = |n: usize| vec!["x"; n];
        assert_eq!(names(listed(10).into_iter(), false).matches('x').count(), 10);
        assert_eq!(names(listed(11).into_iter(), false), "x, x, x, x, x, x, x, x, x and 2 more");
        assert_eq!(names(listed(11).into_iter(), true).matches('x').count(), 11);
    }
}
