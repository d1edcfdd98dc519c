//! Why a scale-down deletes a pod or keeps it.

use jiff::Timestamp;

use super::words;
use crate::model::scale_down::{Candidate, Rule};
use crate::objects::Pod;

/// The rule in words, with the values of this pod and of the one that it was compared with.
pub(crate) fn victim(candidate: &Candidate, now: Timestamp) -> String {
    let pod = &candidate.pod;
    let Some(other) = &candidate.against else { return alone(candidate.rule).into() };
    let age = |t: Option<Timestamp>| t.map_or("an unknown time".into(), |t| words(now.duration_since(t)));
    let name = &other.meta.name;
    match candidate.rule {
        Rule::All | Rule::Tie => alone(candidate.rule).into(),
        Rule::Unassigned => format!("{}; {name}: {}", place(pod), place(other)),
        Rule::Phase => format!("{}; {name} is {}", pod.phase.as_str(), other.phase.as_str()),
        Rule::NotReady => format!("{}; {name} is {}", readiness(pod), readiness(other)),
        Rule::DeletionCost => {
            format!("deletion cost {}; {name} has {}", pod.deletion_cost(), other.deletion_cost())
        }
        Rule::Rank => {
            format!("{} related pods on {}; {name} is on {}", candidate.rank, place(pod), place(other))
        }
        Rule::ReadyTime => {
            format!("ready for {}; {name} for {}", age(pod.ready_since()), age(other.ready_since()))
        }
        Rule::Restarts => format!("{}; {name} has {}", restarts(pod), restarts(other)),
        Rule::CreationTime => {
            format!("created {} ago; {name} {} ago", age(pod.meta.created), age(other.meta.created))
        }
        Rule::Uid => format!("same age bucket as {name}, ordered by UID"),
    }
}

fn alone(rule: Rule) -> &'static str {
    match rule {
        Rule::All => "every active pod is deleted",
        _ => "indistinguishable from the other pods",
    }
}

fn place(pod: &Pod) -> String {
    if pod.node.is_empty() { "no node".into() } else { pod.node.clone() }
}

fn readiness(pod: &Pod) -> &'static str {
    if pod.is_ready() { "ready" } else { "not ready" }
}

fn restarts(pod: &Pod) -> String {
    let all = format!("{} restart{}", pod.restarts, if pod.restarts == 1 { "" } else { "s" });
    match pod.sidecar_restarts {
        0 => all,
        sidecar => format!("{all}, {sidecar} of a sidecar"),
    }
}
