//! Revisions and the annotations of ReplicaSets (section 5).

use std::collections::BTreeMap;

use super::state::{Deployment, ReplicaSet};

/// The revision of a ReplicaSet, and the one that a Deployment shows.
pub(super) const REVISION: &str = "deployment.kubernetes.io/revision";
/// Earlier revisions of a ReplicaSet, comma separated.
pub(super) const HISTORY: &str = "deployment.kubernetes.io/revision-history";
/// The Deployment's size when the ReplicaSet was last sized.
pub(super) const DESIRED: &str = "deployment.kubernetes.io/desired-replicas";
/// The most pods that the Deployment allowed then.
pub(super) const MAX: &str = "deployment.kubernetes.io/max-replicas";
/// Asks for a rollback.
pub(super) const ROLLBACK: &str = "deprecated.deployment.rollback.to";

/// Longer histories lose their first entries.
const LONGEST_HISTORY: usize = 2000;

/// Annotations that are the Deployment's own: never copied.
pub(super) fn is_skipped(key: &str) -> bool {
    matches!(
        key,
        "kubectl.kubernetes.io/last-applied-configuration" | REVISION | HISTORY | DESIRED | MAX | ROLLBACK
    )
}

/// The revision of a ReplicaSet; absent is 0, None if it is not a number.
pub(super) fn revision_of(replica_set: &ReplicaSet) -> Option<i64> {
    replica_set.annotations.get(REVISION).map_or(Some(0), |text| parse_int(text))
}

/// A number as Go's strconv takes it in base 10.
fn parse_int(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// The revision that the new ReplicaSet should have: one more than any old one.
pub(super) fn next_revision(old: &[ReplicaSet]) -> i64 {
    1 + old.iter().filter_map(revision_of).max().unwrap_or(0).max(0)
}

/// `desired` or `max` where it is valid: digits only, an int32.
pub(super) fn size_annotation(replica_set: &ReplicaSet, key: &str) -> Option<i32> {
    let text = replica_set.annotations.get(key)?;
    let digits = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// The annotations that an update of the new ReplicaSet sets, and whether they make an update necessary.
pub(super) struct Annotations {
    pub(super) set: BTreeMap<String, String>,
    pub(super) changed: bool,
}

/// What the new ReplicaSet's annotations become: those copied from the Deployment, its revision and history.
pub(super) fn new_annotations(
    deployment: &Deployment,
    present: &BTreeMap<String, String>,
    wanted: i64,
) -> Annotations {
    let copied = deployment.annotations.iter().filter(|(key, _)| !is_skipped(key));
    let differing = copied.filter(|(key, value)| present.get(*key) != Some(*value));
    let mut set: BTreeMap<String, String> = differing.map(|(k, v)| (k.clone(), v.clone())).collect();
    let own = present.get(REVISION);
    let own_number = match own.map(String::as_str) {
        None | Some("") => 0,
        Some(text) => match parse_int(text) {
            Some(number) => number,
            // An odd revision hides every other change.
            None => return Annotations { set, changed: false },
        },
    };
    let mut changed = !set.is_empty();
    if own_number < wanted {
        set.insert(REVISION.into(), wanted.to_string());
        changed = true;
        if let Some(own) = own
            && let Some(history) = longer_history(present.get(HISTORY).map_or("", String::as_str), own)
        {
            set.insert(HISTORY.into(), history);
        }
    }
    Annotations { set, changed }
}

fn longer_history(history: &str, revision: &str) -> Option<String> {
    if history.is_empty() {
        return Some(revision.to_owned());
    }
    let entries: Vec<&str> = history.split(',').collect();
    if entries[0].is_empty() {
        return Some(revision.to_owned());
    }
    let mut length = history.len() + revision.len() + 1;
    let mut first = 0;
    while length > LONGEST_HISTORY && first < entries.len() {
        length -= entries[first].len() + 1;
        first += 1;
    }
    let kept = entries[first..].iter().copied().chain([revision]);
    (length <= LONGEST_HISTORY).then(|| kept.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_that_grows_too_long_loses_its_first_entries() {
        assert_eq!(longer_history("", "3").as_deref(), Some("3"));
        assert_eq!(longer_history("1,2", "3").as_deref(), Some("1,2,3"));
        let long = vec!["1234567890"; 181].join(",");
        let longer = longer_history(&long, "42").expect("a history");
        assert!(longer.len() <= LONGEST_HISTORY && longer.ends_with(",42"));
    }
}
