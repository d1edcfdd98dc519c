//! Which mechanisms of the controller a checkpoint is about, by what was true there.

use serde_json::Value;

use super::tally::Tally;
use super::trace::{Trace, list};
use crate::fidelity::figures::Outcome;

/// What each run is about, by its name without version and window.
const SUBJECTS: &[(&str, &str)] = &[
    ("adopt", "orphans are adopted"),
    ("awaited-deletion-trap", "a pod is released while its deletion is awaited"),
    ("burst-700", "700 pods, past the burst limit"),
    ("failed-pods", "pods fail and are replaced"),
    ("foreign", "a foreign pod names the ReplicaSet"),
    ("informer-lag", "the controller's cache lags"),
    ("informer-stuck", "the controller's cache is stuck past the expiry"),
    ("min-ready", "minReadySeconds"),
    ("namespace-terminating", "the namespace terminates"),
    ("overlapping-selectors", "two ReplicaSets select the same orphans"),
    ("plain", "scaling up and down"),
    ("quiet-window", "a window in which nothing happens"),
    ("quota", "a quota refuses creates"),
    ("random", "random acts on several ReplicaSets"),
    ("refused-by-policy", "policies of the namespace refuse creates"),
    ("release", "pods are released"),
    ("replication-controller", "a ReplicationController"),
    ("restart", "the controller restarts"),
    ("rollout", "a Deployment rolls out"),
    ("rs-delete", "the ReplicaSet is deleted"),
    ("rs-recreated", "the ReplicaSet is deleted and made again"),
    ("terminating-hang", "a finalizer holds deleted pods"),
    ("user-deletes", "a user deletes pods"),
    ("victims-by-creation", "victims by creation time"),
    ("victims-by-rule", "victims by each rule"),
    ("victims-ranks", "victims by the ranks of nodes"),
    ("webhook-breaks-labels", "a webhook breaks the labels of new pods"),
    ("webhook-refuses", "a webhook refuses creates"),
    ("webhook-slow", "a webhook delays creates"),
    ("webhook-strips", "a webhook strips the owner of new pods"),
];

/// Which part of an answer shows whether a mechanism was understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    Gate,
    Verdict,
    Both,
}

/// The mechanisms of a checkpoint: several, as a rule.
pub fn of(trace: &Trace, checkpoint: &Value) -> Vec<(Asks, String)> {
    let groups = [
        (Asks::Gate, "expectations", expectations(checkpoint)),
        (Asks::Verdict, "next sync", next_sync(checkpoint)),
        (Asks::Both, "instant", instant(checkpoint)),
        (Asks::Both, "run", vec![subject(&trace.name)]),
    ];
    let named = |(asks, group, words): (Asks, &str, Vec<&str>)| {
        words.into_iter().map(|word| (asks, format!("{group}: {word}"))).collect::<Vec<_>>()
    };
    groups.into_iter().flat_map(named).collect()
}

/// What the answer to a checkpoint shows; None where there was nothing to hold it against.
pub fn outcome(asks: Asks, tally: &Tally, report: &Value, wrong: &[String]) -> Option<Outcome> {
    let gate_open = asks != Asks::Verdict && report["expectations"]["gate"] == "undetermined";
    let verdict_open = asks != Asks::Gate && report["verdict"] == "undetermined";
    match tally.judged {
        0 => None,
        _ if !wrong.is_empty() => Some(Outcome::Wrong),
        _ if asks == Asks::Verdict && tally.comparable == 0 => None,
        _ if gate_open || verdict_open => Some(Outcome::Undetermined),
        _ => Some(Outcome::Right),
    }
}

fn expectations(checkpoint: &Value) -> Vec<&'static str> {
    if checkpoint["observed"]["exists"] != true {
        return Vec::new();
    }
    let held = &checkpoint["truth"]["caughtUp"];
    let count = |field: &str| held[field].as_i64().unwrap();
    let words = [
        (held["gate"] == "waiting" && count("add") > 0, "creations awaited"),
        (held["gate"] == "waiting" && count("del") > 0, "deletions awaited"),
        (held["gate"] == "expired", "expired"),
        (held["gate"] == "fulfilled", "fulfilled"),
        (held["gate"] == "none", "none"),
        (count("add") < 0, "add below zero"),
    ];
    true_of(&words)
}

fn next_sync(checkpoint: &Value) -> Vec<&'static str> {
    let next = &checkpoint["next"];
    if next["at"].is_null() {
        return vec!["none follows"];
    }
    let (is, some) = (|action: &str| next["action"] == action, |field: &str| !list(&next[field]).is_empty());
    let fails = next["error"].as_str().is_some_and(|error| !error.is_empty());
    let (adopts, releases) = (some("adopted"), some("released"));
    let words = [
        (is("create"), "creates"),
        (is("create") && fails, "creates are refused"),
        (next["count"] == 500, "cut by the burst limit"),
        (is("delete"), "deletes"),
        (adopts, "adopts"),
        (releases, "releases"),
        (is("none") && fails, "fails to claim"),
        (is("none") && !fails && !adopts && !releases, "has nothing to do"),
    ];
    true_of(&words)
}

fn instant(checkpoint: &Value) -> Vec<&'static str> {
    let (observed, next) = (&checkpoint["observed"], &checkpoint["next"]);
    let words = [
        (observed["exists"] != true, "the ReplicaSet is gone"),
        (observed["deleting"] == true, "the ReplicaSet is being deleted"),
        (!checkpoint["running"].is_null(), "a sync is running"),
        (next["gate"] == "stale", "the stale guard refuses the next sync"),
        (next["gate"] == "waiting", "the expectations hold the next sync back"),
        (!list(&next["notYetHandled"]).is_empty(), "the controller knows less than the observer"),
    ];
    true_of(&words)
}

fn subject(trace: &str) -> &'static str {
    let run = trace.trim_end_matches(".mid").trim_end_matches(".late").trim_end_matches("-1.34");
    let run = if run.starts_with("random-") { "random" } else { run };
    let found = SUBJECTS.iter().find(|(name, _)| *name == run);
    found.unwrap_or_else(|| panic!("{trace} has no subject in {}", file!())).1
}

fn true_of(words: &[(bool, &'static str)]) -> Vec<&'static str> {
    words.iter().filter(|(is_true, _)| *is_true).map(|(_, word)| *word).collect()
}
