//! Expectations: how many creations and deletions the controller has asked for and not yet seen.
//!
//! One entry per key with two counters and the time of the last Set, and beside it the set of pods whose deletion is
//! pending. Alike in all versions. See docs/semantics.md section 2.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use super::effect::Effect;
use crate::objects::Key;

/// After more than this since the last Set an unmet entry no longer holds syncs back. At exactly five minutes it still
/// does. Nothing happens at that instant: no timer triggers a sync, the next event does.
pub(crate) const EXPIRY: SignedDuration = SignedDuration::from_mins(5);

/// One entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Pending creations. May be negative: any pod whose controllerRef names the owner lowers it.
    pub add: i64,
    /// Pending deletions. May be negative through a key left over from an expired deletion.
    pub del: i64,
    /// When the entry was set. Lowering does not refresh it, so a long burst may expire while its pods still arrive.
    pub set_at: Timestamp,
}

impl Entry {
    /// Whether nothing is pending any more. One counter below zero does not make up for the other.
    pub fn is_fulfilled(&self) -> bool {
        self.add <= 0 && self.del <= 0
    }

    /// Whether the entry is older than five minutes, strictly.
    pub(crate) fn is_expired(&self, now: Timestamp) -> bool {
        now.duration_since(self.set_at) > EXPIRY
    }
}

/// What SatisfiedExpectations finds (semantics 2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gate {
    /// There is no entry: open.
    None,
    /// Nothing is pending: open.
    Fulfilled,
    /// Something is pending, for five minutes at most: closed.
    Waiting,
    /// Something is pending, for too long: open, as if nothing were.
    Expired,
}

impl Gate {
    /// Whether a sync may create and delete.
    pub(crate) fn is_open(self) -> bool {
        self != Gate::Waiting
    }

    /// The gate that an entry makes.
    pub fn of(entry: Option<&Entry>, now: Timestamp) -> Gate {
        match entry {
            None => Gate::None,
            Some(entry) if entry.is_fulfilled() => Gate::Fulfilled,
            Some(entry) if entry.is_expired(now) => Gate::Expired,
            Some(_) => Gate::Waiting,
        }
    }
}

/// The store of one controller (ReplicaSets and ReplicationControllers have one each).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectationStore {
    entries: BTreeMap<Key, Entry>,
    pending_deletions: BTreeMap<Key, BTreeSet<Key>>,
}

impl ExpectationStore {
    /// A store that holds one entry, as an observer may know it: the counters without the pods.
    pub fn with(key: &Key, entry: Entry) -> ExpectationStore {
        ExpectationStore {
            entries: BTreeMap::from([(key.clone(), entry)]),
            pending_deletions: BTreeMap::new(),
        }
    }

    /// The entry of a ReplicaSet.
    pub fn entry(&self, key: &Key) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// The pods whose deletion is pending.
    pub fn pending_deletions(&self, key: &Key) -> impl Iterator<Item = &Key> {
        self.pending_deletions.get(key).into_iter().flatten()
    }

    /// What a sync of this key would find.
    pub fn gate(&self, key: &Key, now: Timestamp) -> Gate {
        Gate::of(self.entry(key), now)
    }

    /// Applies an effect; `now` becomes the time of a Set.
    pub fn apply(&mut self, effect: &Effect, now: Timestamp) {
        match effect {
            Effect::ExpectCreations { key, count } => {
                self.entries.insert(key.clone(), Entry { add: *count, del: 0, set_at: now });
            }
            Effect::ExpectDeletions { key, pods } => {
                let pods: BTreeSet<Key> = pods.iter().cloned().collect();
                let entry = Entry { add: 0, del: pods.len() as i64, set_at: now };
                self.entries.insert(key.clone(), entry);
                self.pending_deletions.insert(key.clone(), pods);
            }
            Effect::CreationObserved { key, count } => {
                if let Some(entry) = self.entries.get_mut(key) {
                    entry.add -= count;
                }
            }
            Effect::DeletionObserved { key, pod } => {
                let was_pending = self.pending_deletions.get_mut(key).is_some_and(|pods| pods.remove(pod));
                // The entry may be another one meanwhile: a key outlives the entry that it was set with.
                if was_pending && let Some(entry) = self.entries.get_mut(key) {
                    entry.del -= 1;
                }
            }
            Effect::Forget { key } => {
                self.entries.remove(key);
                self.pending_deletions.remove(key);
            }
            Effect::Enqueue { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        Key::new("shop", "web")
    }

    fn pod(name: &str) -> Key {
        Key::new("shop", name)
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + seconds).unwrap()
    }

    fn after(effects: &[Effect]) -> ExpectationStore {
        let mut store = ExpectationStore::default();
        effects.iter().for_each(|e| store.apply(e, at(0)));
        store
    }

    #[test]
    fn expired_entry_lets_the_sync_act_only_after_more_than_five_minutes() {
        let store = after(&[Effect::ExpectCreations { key: key(), count: 1 }]);
        assert_eq!(store.gate(&key(), at(300)), Gate::Waiting);
        let just_after = at(300) + SignedDuration::from_nanos(1);
        assert_eq!(store.gate(&key(), just_after), Gate::Expired);
        assert_eq!(store.entry(&key()).unwrap().add, 1, "the counters stay");
    }

    #[test]
    fn lowering_does_not_restart_the_five_minutes() {
        let pods = vec![pod("a"), pod("b")];
        for (set, lower) in [
            (
                Effect::ExpectCreations { key: key(), count: 2 },
                Effect::CreationObserved { key: key(), count: 1 },
            ),
            (
                Effect::ExpectDeletions { key: key(), pods },
                Effect::DeletionObserved { key: key(), pod: pod("a") },
            ),
        ] {
            let mut store = after(&[set]);
            store.apply(&lower, at(299));
            assert_eq!(store.gate(&key(), at(299)), Gate::Waiting);
            assert_eq!(store.gate(&key(), at(301)), Gate::Expired);
        }
    }

    #[test]
    fn one_counter_above_zero_keeps_the_gate_closed() {
        let gate = |add, del| Gate::of(Some(&Entry { add, del, set_at: at(0) }), at(1));
        assert_eq!([gate(1, 0), gate(0, 1), gate(1, -1), gate(-1, 1)], [Gate::Waiting; 4]);
        assert_eq!([gate(0, 0), gate(-1, 0), gate(0, -1)], [Gate::Fulfilled; 3]);
    }

    #[test]
    fn pending_pod_lowers_del_once_and_others_do_not() {
        let observed = |name| Effect::DeletionObserved { key: key(), pod: pod(name) };
        let pods = vec![pod("a"), pod("b"), pod("a")];
        let mut store = after(&[Effect::ExpectDeletions { key: key(), pods }]);
        assert_eq!(store.entry(&key()).unwrap().del, 2, "distinct keys count");
        for name in ["a", "a", "other"] {
            store.apply(&observed(name), at(1));
        }
        assert_eq!(store.entry(&key()).unwrap().del, 1);
        assert_eq!(store.pending_deletions(&key()).collect::<Vec<_>>(), [&pod("b")]);
    }

    #[test]
    fn set_replaces_the_entry_but_creations_keep_the_pending_pods() {
        let store = after(&[
            Effect::ExpectDeletions { key: key(), pods: vec![pod("a")] },
            Effect::ExpectCreations { key: key(), count: 3 },
            Effect::DeletionObserved { key: key(), pod: pod("a") },
        ]);
        let entry = store.entry(&key()).unwrap();
        assert_eq!((entry.add, entry.del), (3, -1), "a left-over key lowers a later del");
    }

    #[test]
    fn negative_counters_mean_fulfilled_and_no_entry_is_never_lowered() {
        let lower = Effect::CreationObserved { key: key(), count: 2 };
        let store = after(&[Effect::ExpectCreations { key: key(), count: 1 }, lower.clone()]);
        assert_eq!(store.gate(&key(), at(0)), Gate::Fulfilled);
        assert_eq!(after(&[lower]), ExpectationStore::default());
    }

    #[test]
    fn forgetting_drops_entry_and_pending_pods() {
        let store = after(&[
            Effect::ExpectDeletions { key: key(), pods: vec![pod("a")] },
            Effect::Forget { key: key() },
        ]);
        assert_eq!(store.gate(&key(), at(0)), Gate::None);
        assert_eq!(store.pending_deletions(&key()).count(), 0);
    }
}
