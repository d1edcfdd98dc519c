//! The observer: one list and one watch a resource, each with its own delays.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use rsexp::objects::{Object, Observation, Resource, What};

use crate::simulation::world::{Change, Happening, Verb, World, key};

/// A watch of the observer.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Counts lists: what an older watch still had is lost.
    number: u64,
    /// When the last event arrives.
    last: Option<Timestamp>,
    /// The version that was received.
    pub version: u64,
    /// Until when events are late, and by how much.
    pub lag: Option<(Timestamp, SignedDuration)>,
    open: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Observer {
    pub watches: BTreeMap<Resource, Watch>,
}

impl World {
    pub fn open_window(&mut self) {
        for resource in self.config.watched.clone() {
            let delay = self.random.micros(500, 5000);
            self.after(delay, Happening::Opens(resource));
        }
    }

    /// The watch breaks; it is opened anew after a while.
    pub fn break_watch(&mut self, resource: Resource, gap: SignedDuration) {
        let Some(watch) = self.observer.watches.get_mut(&resource) else { return };
        watch.open = false;
        watch.number += 1;
        self.after(gap, Happening::Opens(resource));
    }

    pub fn opens(&mut self, resource: Resource) {
        let items = self.listed(resource);
        let version = self.server.version;
        let changed = self.last_change(resource);
        let watch = self.observer.watches.entry(resource).or_default();
        watch.number += 1;
        watch.open = true;
        watch.version = changed;
        let what = What::List { resource_version: version.to_string(), items };
        self.received.push(Observation { at: Some(self.now), resource, what });
    }

    pub fn tell_observer(&mut self, change: &Change) {
        let resource = change.object.resource();
        let delay = match self.random.below(100) {
            0 => self.random.millis(5, 200),
            1..20 => self.random.micros(1000, 5000),
            _ => self.random.micros(150, 1500),
        };
        let Some(watch) = self.observer.watches.get_mut(&resource).filter(|watch| watch.open) else { return };
        let lag = watch.lag.filter(|(until, _)| *until > self.now).map_or(SignedDuration::ZERO, |(_, by)| by);
        let just_after = watch.last.map(|last| last + SignedDuration::from_micros(10));
        let arrives = (self.now + delay + lag).max(just_after.unwrap_or(self.now));
        watch.last = Some(arrives);
        let object = change.object.clone();
        let what = match change.verb {
            Verb::Added => What::Added(object),
            Verb::Modified => What::Modified(object),
            Verb::Deleted => What::Deleted(object),
        };
        let number = watch.number;
        self.at(arrives, Happening::Observes(resource, number, what));
    }

    pub fn observes(&mut self, resource: Resource, number: u64, what: What) {
        let Some(watch) = self.observer.watches.get_mut(&resource).filter(|watch| watch.number == number)
        else {
            return;
        };
        if let What::Added(object) | What::Modified(object) | What::Deleted(object) = &what {
            watch.version = object.meta().resource_version.parse().unwrap();
            let told = match object {
                Object::ReplicaSet(rs) if rs.status.failure().is_some() => Some(rs.key()),
                Object::Event(event) if event.reason == "FailedCreate" => Some(key(&event.about_name)),
                _ => None,
            };
            told.map(|key| self.controller.refused_unseen.remove(&key));
        }
        self.received.push(Observation { at: Some(self.now), resource, what });
    }

    /// What is on its way to the observer.
    pub fn under_way(&self) -> impl Iterator<Item = (Timestamp, Resource, &What)> {
        self.agenda.iter().filter_map(|((at, _), happening)| match happening {
            Happening::Observes(resource, number, what)
                if self.observer.watches.get(resource).is_some_and(|watch| watch.number == *number) =>
            {
                Some((*at, *resource, what))
            }
            _ => None,
        })
    }

    /// Whether a watch is being opened: what it will show is not known yet.
    pub fn unlisted(&self) -> bool {
        self.config.watched.iter().any(|r| self.observer.watches.get(r).is_none_or(|watch| !watch.open))
    }

    pub fn observed_version(&self, resource: Resource) -> u64 {
        self.observer.watches.get(&resource).map_or(0, |watch| watch.version)
    }
}
