//! The simulated ReplicaSet controller: stores, handlers, queue and workers around the pure model.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use rsexp::model::cache::Cache;
use rsexp::model::effect::Effect;
use rsexp::model::expectations::{Entry, ExpectationStore, Gate};
use rsexp::model::handlers::Handlers;
use rsexp::model::profile::Profile;
use rsexp::model::queue::Queue;
use rsexp::model::stale_guard::StaleGuard;
use rsexp::model::sync::Outcome;
use rsexp::objects::log_line::{PodChange, Step as Found};
use rsexp::objects::{Key, LogLine, Object, OwnerKind, Pod, ReplicaSet, Resource};

use crate::simulation::client::{Client, Recorder};
use crate::simulation::driver::Config;
use crate::simulation::server::whole;
use crate::simulation::syncs::{Record, Running};
use crate::simulation::world::{Change, Happening, Verb, World};

pub const KIND: OwnerKind = OwnerKind::ReplicaSet;

/// How a call went.
#[derive(Debug, Clone)]
pub enum Outcomes {
    One(Outcome),
    Live(bool),
    Version(String),
    Created(Key, String),
}

/// A change that the store has taken, for the handlers.
#[derive(Debug, Clone)]
pub struct Seen {
    pub change: Change,
    pub old: Option<Object>,
}

/// One of the controller's watches.
#[derive(Debug, Clone, Default)]
pub struct Stream {
    stores: Option<Timestamp>,
    handles: Option<Timestamp>,
    /// Until when changes are late, and by how much.
    lag: Option<(Timestamp, SignedDuration)>,
}

#[derive(Debug, Clone)]
pub struct Controller {
    pub incarnation: u64,
    /// The version of the lease by which it leads.
    pub takeover: u64,
    /// Whether it syncs: it was elected and has its caches.
    pub leads: bool,
    pub profile: Profile,
    pub frozen_until: Option<Timestamp>,
    pub cache: Cache,
    pub expectations: ExpectationStore,
    pub queue: Queue,
    pub stale_guard: StaleGuard,
    /// The versions that its stores have.
    pub read: BTreeMap<Resource, String>,
    /// The versions up to which the handlers have run.
    pub handled: BTreeMap<Resource, u64>,
    pub streams: BTreeMap<Resource, Stream>,
    pub keys: BTreeSet<Key>,
    pub running: BTreeMap<Key, Running>,
    pub client: Client,
    pub recorder: Recorder,
    /// The syncs that began, in order.
    pub syncs: Vec<Record>,
    /// ReplicaSets whose creates were refused without a sign of it at the observer.
    pub refused_unseen: BTreeSet<Key>,
    /// When an entry last changed.
    pub changed: BTreeMap<Key, Timestamp>,
}

impl Controller {
    pub fn new(config: &Config) -> Controller {
        Controller {
            incarnation: 0,
            takeover: 0,
            leads: false,
            profile: Profile::of(config.version),
            frozen_until: None,
            cache: Cache::default(),
            expectations: ExpectationStore::default(),
            queue: Queue::default(),
            stale_guard: StaleGuard::default(),
            read: BTreeMap::new(),
            handled: BTreeMap::new(),
            streams: BTreeMap::new(),
            keys: BTreeSet::new(),
            running: BTreeMap::new(),
            client: Client::new(config.qps, config.burst),
            recorder: Recorder::default(),
            syncs: Vec::new(),
            refused_unseen: BTreeSet::new(),
            changed: BTreeMap::new(),
        }
    }

    pub fn entry(&self, key: &Key) -> Option<Entry> {
        self.expectations.entry(key).copied()
    }
}

impl World {
    /// The controller's watch of one resource is late for a while.
    pub fn lag(&mut self, resource: Resource, until: Timestamp, by: SignedDuration) {
        self.controller.streams.entry(resource).or_default().lag = Some((until, by));
    }

    pub fn tell_controller(&mut self, change: &Change) {
        let resource = change.object.resource();
        if !self.controller.leads || !matches!(resource, Resource::Pods | Resource::ReplicaSets) {
            return;
        }
        let delay =
            if self.random.percent(5) { self.random.millis(3, 20) } else { self.random.micros(200, 3000) };
        let now = self.now;
        let stream = self.controller.streams.entry(resource).or_default();
        let lag = stream.lag.filter(|(until, _)| *until > now).map_or(SignedDuration::ZERO, |(_, by)| by);
        let just_after = stream.stores.map(|last| last + SignedDuration::from_micros(5));
        let arrives = (now + delay + lag).max(just_after.unwrap_or(now));
        stream.stores = Some(arrives);
        self.at(arrives, Happening::Stores(change.clone()));
    }

    /// The store is updated; the handlers run on their own a little later.
    pub fn stores(&mut self, change: Change) {
        let resource = change.object.resource();
        let old = store(&mut self.controller.cache, &change);
        self.controller.read.insert(resource, change.version.to_string());
        let delay =
            if self.random.percent(5) { self.random.micros(500, 5000) } else { self.random.micros(10, 200) };
        let now = self.now;
        let stream = self.controller.streams.entry(resource).or_default();
        let just_after = stream.handles.map(|last| last + SignedDuration::from_micros(2));
        let runs = (now + delay).max(just_after.unwrap_or(now));
        stream.handles = Some(runs);
        self.at(runs, Happening::Handles(Box::new(Seen { change, old })));
    }

    pub fn handles(&mut self, seen: Seen) {
        self.controller.handled.insert(seen.change.object.resource(), seen.change.version);
        let effects = handle(&self.controller.cache, &self.controller.profile, &seen);
        self.log_handling(&seen, &effects);
        if let (Verb::Deleted, Object::ReplicaSet(gone)) = (seen.change.verb, &seen.change.object) {
            self.controller.stale_guard.forget(&gone.key(), &gone.meta.uid);
        }
        for effect in effects {
            self.apply(&effect, true);
        }
    }

    /// Applies an effect, with the lines that it prints.
    pub fn apply(&mut self, effect: &Effect, by_handler: bool) {
        let now = self.now;
        if let Effect::Enqueue { key, after } = effect {
            return self.enqueue(key, *after);
        }
        let key = effect.key().clone();
        let before = self.controller.entry(&key);
        let was_pending: Vec<Key> = self.controller.expectations.pending_deletions(&key).cloned().collect();
        self.controller.expectations.apply(effect, now);
        if self.controller.entry(&key) != before {
            self.controller.changed.insert(key.clone(), now);
        }
        let names = |keys: &[Key]| keys.iter().map(|key| key.name.clone()).collect();
        let by = self.controller.profile.stale_guard.then_some(by_handler);
        let line = |step| LogLine::Expectations { step, entry: None, by_handler: None };
        match effect {
            Effect::ExpectCreations { .. } => self.log(line(Found::Set)),
            Effect::ExpectDeletions { pods, .. } => {
                if !was_pending.is_empty() {
                    self.log(LogLine::Clobbers { pods: names(&was_pending) });
                }
                self.log(LogLine::AwaitsDeletions { key, pods: names(pods) });
                self.log(line(Found::Set));
            }
            Effect::CreationObserved { count, .. } if before.is_some() => {
                for _ in 0..*count {
                    self.log(LogLine::Expectations { step: Found::Lowered, entry: None, by_handler: by });
                }
            }
            Effect::DeletionObserved { pod, .. } if was_pending.contains(pod) => {
                self.log(LogLine::DeletionSeen { key, pod: pod.name.clone() });
                self.log(LogLine::Expectations { step: Found::Lowered, entry: None, by_handler: by });
            }
            _ => {}
        }
    }

    fn log_handling(&mut self, seen: &Seen, effects: &[Effect]) {
        let pod_line = |change, pod: &Pod| LogLine::Pod {
            change,
            orphan: pod.controller().is_none(),
            pod: pod.meta.key(),
        };
        match (&seen.change.object, seen.change.verb) {
            (Object::Pod(_), _) if effects.is_empty() => {}
            (Object::Pod(pod), verb) => {
                let change = match verb {
                    _ if pod.meta.deleted.is_some() => PodChange::Deleted,
                    Verb::Added => PodChange::Created,
                    Verb::Modified => PodChange::Updated,
                    Verb::Deleted => PodChange::Deleted,
                };
                self.log(pod_line(change, pod));
            }
            (Object::ReplicaSet(new), Verb::Added) => self.log(LogLine::Adding { key: new.key() }),
            (Object::ReplicaSet(gone), Verb::Deleted) => self.log(LogLine::Dropped { key: gone.key() }),
            (Object::ReplicaSet(new), Verb::Modified) => {
                if let Some(Object::ReplicaSet(old)) = &seen.old
                    && old.replicas != new.replicas
                {
                    let (old, new_size) = (i64::from(old.replicas), i64::from(new.replicas));
                    self.log(LogLine::Resized { key: new.key(), old, new: new_size });
                }
            }
            _ => {}
        }
    }

    pub fn enqueue(&mut self, key: &Key, after: SignedDuration) {
        self.controller.keys.insert(key.clone());
        self.controller.queue.add(key, after, self.now);
        self.after(after, Happening::Poll);
    }

    /// The entry once everything was handled that the observer has received.
    pub fn caught_up(&self, key: &Key) -> (Option<Entry>, Vec<Key>, Gate) {
        let mut expectations = self.controller.expectations.clone();
        let mut cache = self.controller.cache.clone();
        let mut pending: Vec<(u64, &Change, Option<&Seen>)> = self
            .put_off
            .iter()
            .chain(self.agenda.values())
            .filter_map(|what| match what {
                Happening::Stores(change) => Some((change.version, change, None)),
                Happening::Handles(seen) => Some((seen.change.version, &seen.change, Some(&**seen))),
                _ => None,
            })
            .filter(|(version, change, _)| *version <= self.observed_version(change.object.resource()))
            .collect();
        pending.sort_by_key(|(version, ..)| *version);
        for (_, change, seen) in pending {
            let taken = match seen {
                Some(seen) => Seen::clone(seen),
                None => Seen { old: store(&mut cache, change), change: change.clone() },
            };
            for effect in handle(&cache, &self.controller.profile, &taken) {
                expectations.apply(&effect, self.now);
            }
        }
        let pending = expectations.pending_deletions(key).cloned().collect();
        (expectations.entry(key).copied(), pending, expectations.gate(key, self.now))
    }

    /// Whether the controller acts on something that the observer has not received yet.
    pub fn ahead(&self) -> bool {
        [Resource::Pods, Resource::ReplicaSets].into_iter().any(|resource| {
            let read = self.controller.read.get(&resource).map_or(0, |read| read.parse().unwrap());
            self.under_way().any(|(_, of, what)| of == resource && version_of(what) <= read)
        })
    }
}

pub fn version_of(what: &rsexp::objects::What) -> u64 {
    use rsexp::objects::What;
    match what {
        What::Added(object) | What::Modified(object) | What::Deleted(object) => {
            object.meta().resource_version.parse().unwrap()
        }
        _ => 0,
    }
}

/// A store takes a change and gives what it had.
fn store(cache: &mut Cache, change: &Change) -> Option<Object> {
    let gone = change.verb == Verb::Deleted;
    match &change.object {
        Object::Pod(pod) if gone => {
            cache.remove_pod(&pod.meta.key()).map(|old| Object::Pod(Pod::clone(&old)))
        }
        Object::Pod(pod) => cache.put_pod(pod.clone().into()).map(|old| Object::Pod(Pod::clone(&old))),
        Object::ReplicaSet(o) if gone => {
            cache.remove_replica_set(KIND, &o.key()).map(|old| Object::ReplicaSet(ReplicaSet::clone(&old)))
        }
        Object::ReplicaSet(o) => {
            cache.put_replica_set(o.clone().into()).map(|old| Object::ReplicaSet(ReplicaSet::clone(&old)))
        }
        _ => None,
    }
}

fn handle(cache: &Cache, profile: &Profile, seen: &Seen) -> Vec<Effect> {
    let handlers = Handlers { kind: KIND, cache, profile };
    let gone = seen.change.verb == Verb::Deleted;
    match (&seen.change.object, &seen.old) {
        (Object::Pod(pod), _) if gone => handlers.pod_deleted(pod),
        (Object::Pod(new), Some(Object::Pod(old))) => handlers.pod_updated(old, new),
        (Object::Pod(new), _) => handlers.pod_added(new),
        (Object::ReplicaSet(o), _) if gone => handlers.replica_set_deleted(o),
        (Object::ReplicaSet(new), Some(Object::ReplicaSet(old))) => handlers.replica_set_updated(old, new),
        (Object::ReplicaSet(new), _) => handlers.replica_set_added(new),
        _ => Vec::new(),
    }
}

/// The second in which something happened, as the API writes times.
pub fn second(at: Timestamp) -> Option<Timestamp> {
    Some(whole(at))
}
