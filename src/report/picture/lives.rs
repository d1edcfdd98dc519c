//! The pods of a picture: when each came, how it fared, and when it went.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;

use crate::reconstruct::ledger::{Fact, There};

/// So many pods are followed; further ones are only counted.
const MOST_PODS: usize = 5000;

/// How a pod came into the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LifeBegin {
    /// A sync made it.
    Created,
    /// Somebody else made it.
    Arrived,
    /// It was there when the window opened.
    There,
    /// It was first seen in another state than new.
    Noticed,
    /// Only the controller's log tells of it.
    Logged,
}

/// How a pod fares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PodState {
    /// Without this owner.
    Unowned,
    /// Its own.
    Owned,
    /// Failed or Succeeded.
    Ended,
    /// With a deletionTimestamp.
    Terminating,
}

/// How a pod left the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LifeEnd {
    /// It was removed.
    Gone,
    /// It went while nobody watched.
    Unseen,
    /// It got another owner, or none.
    Released,
    /// Its ReplicaSet went, and with it the reason to follow it.
    Left,
}

/// One pod.
#[derive(Debug, Clone)]
pub(super) struct Life {
    pub(super) pod: String,
    pub(super) begin: LifeBegin,
    /// The states, each from its instant on.
    pub(super) states: Vec<(Timestamp, PodState)>,
    pub(super) end: Option<(Timestamp, LifeEnd)>,
    /// When the controller's log says that it saw it come or go.
    pub(super) logged: Vec<Timestamp>,
}

impl Life {
    /// When it came.
    pub(super) fn from(&self) -> Option<Timestamp> {
        self.states.first().map(|(at, _)| *at)
    }

    /// What it is called where one word must do.
    pub(super) fn came(&self) -> &'static str {
        match self.begin {
            LifeBegin::Created => "created",
            LifeBegin::Arrived => "made by somebody else",
            LifeBegin::There => "there when the window opened",
            LifeBegin::Noticed => "first seen",
            LifeBegin::Logged => "in the controller's log",
        }
    }

    /// It is seen, which the log may have told before.
    fn shows(&mut self, at: Timestamp, begin: LifeBegin, state: PodState) {
        if self.begin == LifeBegin::Logged {
            (self.begin, self.states) = (begin, Vec::new());
        }
        self.becomes(at, state);
    }

    fn becomes(&mut self, at: Timestamp, state: PodState) {
        if self.states.last().is_none_or(|(_, last)| *last != state) {
            self.states.push((at, state));
        }
    }
}

impl PodState {
    /// What happened when a pod came into it.
    pub(super) fn word(self) -> &'static str {
        match self {
            PodState::Unowned => "without owner",
            PodState::Owned => "owned",
            PodState::Ended => "ended",
            PodState::Terminating => "terminating",
        }
    }
}

impl LifeEnd {
    pub(super) fn word(self) -> &'static str {
        match self {
            LifeEnd::Gone => "gone",
            LifeEnd::Unseen => "gone unseen",
            LifeEnd::Released => "released",
            LifeEnd::Left => "not followed after its ReplicaSet was gone",
        }
    }
}

/// All pods, in the order in which they came.
#[derive(Debug, Clone, Default)]
pub(super) struct Lives {
    all: Vec<Life>,
    /// The pods that have not left, by name.
    open: HashMap<String, usize>,
    /// Pods beyond the most.
    pub(super) further: usize,
}

impl Lives {
    /// All of them.
    pub(super) fn all(&self) -> &[Life] {
        &self.all
    }

    /// Takes what happened at this instant.
    pub(super) fn take(&mut self, fact: &Fact, at: Timestamp) {
        match fact {
            Fact::Opened { there } => self.are_there(there, at, LifeBegin::There),
            Fact::Missed { there, .. } => {
                let there_still: HashSet<&str> = there.iter().map(|there| there.pod.as_str()).collect();
                self.end_all(at, LifeEnd::Unseen, |pod| !there_still.contains(pod));
                self.are_there(there, at, LifeBegin::Noticed);
            }
            Fact::Removed | Fact::Recreated => self.end_all(at, LifeEnd::Left, |_| true),
            // In a snapshot that is all.
            Fact::Asked { there } => self.are_there(there, at, LifeBegin::There),
            Fact::Created { pod, named } => self.begins(pod, at, LifeBegin::Created, owned_state(*named)),
            Fact::Arrived { pod, named } => self.begins(pod, at, LifeBegin::Arrived, owned_state(*named)),
            Fact::Adopted { pod } => self.becomes(pod, at, PodState::Owned),
            Fact::Ended { pod } => self.becomes(pod, at, PodState::Ended),
            Fact::Terminating { pod } => self.becomes(pod, at, PodState::Terminating),
            Fact::Gone { pod } => self.ends(pod, at, LifeEnd::Gone),
            Fact::Lost { pod } => self.ends(pod, at, LifeEnd::Released),
            Fact::LogCreation(pod) | Fact::LogDeletion(pod) => self.logged(pod, at),
            _ => {}
        }
    }

    fn are_there(&mut self, there: &[There], at: Timestamp, begin: LifeBegin) {
        for pod in there {
            let state = match pod {
                There { terminating: true, .. } => PodState::Terminating,
                There { ended: true, .. } => PodState::Ended,
                There { owned, .. } => owned_state(*owned),
            };
            match self.open.get(&pod.pod).copied() {
                Some(life) => self.all[life].becomes(at, state),
                None => self.begins(&pod.pod, at, begin, state),
            }
        }
    }

    fn begins(&mut self, pod: &str, at: Timestamp, begin: LifeBegin, state: PodState) {
        if let Some(life) = self.open.get(pod).copied() {
            return self.all[life].shows(at, begin, state);
        }
        if self.all.len() >= MOST_PODS {
            self.further += 1;
            return;
        }
        self.open.insert(pod.to_owned(), self.all.len());
        let states = vec![(at, state)];
        self.all.push(Life { pod: pod.to_owned(), begin, states, end: None, logged: Vec::new() });
    }

    fn becomes(&mut self, pod: &str, at: Timestamp, state: PodState) {
        match self.open.get(pod).copied() {
            Some(life) => self.all[life].becomes(at, state),
            None => self.begins(pod, at, LifeBegin::Noticed, state),
        }
    }

    fn ends(&mut self, pod: &str, at: Timestamp, end: LifeEnd) {
        if !self.open.contains_key(pod) {
            self.begins(pod, at, LifeBegin::Noticed, PodState::Owned);
        }
        if let Some(life) = self.open.remove(pod) {
            self.all[life].end = Some((at, end));
        }
    }

    fn end_all(&mut self, at: Timestamp, end: LifeEnd, these: impl Fn(&str) -> bool) {
        let pods: Vec<String> = self.open.keys().filter(|pod| these(pod)).cloned().collect();
        pods.iter().for_each(|pod| self.ends(pod, at, end));
    }

    /// The log may name a pod before it is seen, or after it is gone.
    fn logged(&mut self, pod: &str, at: Timestamp) {
        let open = self.open.get(pod).copied();
        let known = open.or_else(|| self.all.iter().rposition(|life| life.pod == pod));
        match known {
            Some(life) => self.all[life].logged.push(at),
            None => {
                self.begins(pod, at, LifeBegin::Logged, PodState::Owned);
                if let Some(life) = self.open.get(pod).copied() {
                    self.all[life].logged.push(at);
                }
            }
        }
    }
}

fn owned_state(owned: bool) -> PodState {
    if owned { PodState::Owned } else { PodState::Unowned }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + second).unwrap()
    }

    fn lives(facts: Vec<Fact>) -> Vec<Life> {
        let mut lives = Lives::default();
        (0..).zip(facts).for_each(|(second, fact)| lives.take(&fact, at(second)));
        lives.all
    }

    fn there(pod: &str) -> There {
        There { pod: pod.into(), owned: true, terminating: false, ended: false }
    }

    #[test]
    fn a_pod_that_the_log_tells_of_first_was_still_created() {
        let created = Fact::Created { pod: "a".into(), named: true };
        let lives = lives(vec![Fact::LogCreation("a".into()), created]);
        assert_eq!((lives.len(), lives[0].begin, lives[0].from()), (1, LifeBegin::Created, Some(at(1))));
        assert_eq!(lives[0].logged, [at(0)]);
    }

    #[test]
    fn a_gap_ends_what_is_no_longer_there_and_shows_what_is() {
        let missed = Fact::Missed {
            gap: crate::reconstruct::detail::Gap::Told("x".into()),
            there: vec![there("b"), there("c")],
        };
        let lives = lives(vec![Fact::Opened { there: vec![there("a"), there("b")] }, missed]);
        let told: Vec<_> = lives.iter().map(|life| (life.pod.as_str(), life.begin, life.end)).collect();
        assert_eq!(
            told,
            [
                ("a", LifeBegin::There, Some((at(1), LifeEnd::Unseen))),
                ("b", LifeBegin::There, None),
                ("c", LifeBegin::Noticed, None)
            ]
        );
    }

    #[test]
    fn a_stripped_pod_is_without_owner_until_it_is_adopted() {
        let lives = lives(vec![
            Fact::Created { pod: "a".into(), named: false },
            Fact::Adopted { pod: "a".into() },
            Fact::Terminating { pod: "a".into() },
            Fact::Gone { pod: "a".into() },
            Fact::Created { pod: "a".into(), named: true },
        ]);
        let states: Vec<PodState> = lives[0].states.iter().map(|(_, state)| *state).collect();
        assert_eq!(states, [PodState::Unowned, PodState::Owned, PodState::Terminating]);
        assert_eq!((lives[0].end, lives[1].end), (Some((at(3), LifeEnd::Gone)), None));
    }

    #[test]
    fn pods_of_a_replica_set_that_goes_are_not_followed() {
        let created = Fact::Created { pod: "a".into(), named: true };
        assert_eq!(lives(vec![created, Fact::Removed])[0].end, Some((at(1), LifeEnd::Left)));
    }
}
