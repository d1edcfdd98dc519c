//! Who leads: the lease, and what a new leader begins with.

use jiff::SignedDuration;
use rsexp::objects::{LogLine, Object, ReplicaSet, Resource};

use crate::simulation::controller::Controller;
use crate::simulation::server::MANAGER;
use crate::simulation::world::{Happening, Verb, World, start};

impl World {
    /// The first leader, from the start on.
    pub fn lead(&mut self) {
        let mut lease = self.server.lease.clone();
        lease.meta.name = MANAGER.into();
        lease.meta.namespace = "kube-system".into();
        lease.meta.uid = "uid-lease".into();
        lease.duration_seconds = 15;
        self.server.lease = lease;
        self.takes_over();
    }

    pub fn renews(&mut self) {
        let mut lease = self.server.lease.clone();
        lease.renewed = Some(self.now);
        self.store(Verb::Modified, Object::Lease(lease));
        self.after(SignedDuration::from_secs(2), Happening::Renews);
    }

    /// The controller is gone; another takes over once the lease has run out, or was given up.
    pub fn kill(&mut self, gives_up: bool) {
        self.put_off.clear();
        self.agenda.retain(|_, what| {
            !what.is_controllers() && !matches!(what, Happening::TakesOver | Happening::Begins)
        });
        let (incarnation, keys) = (self.controller.incarnation, self.controller.keys.clone());
        let syncs = std::mem::take(&mut self.controller.syncs);
        self.controller = Controller { incarnation, syncs, ..Controller::new(&self.config) };
        for key in keys {
            self.controller.changed.insert(key, self.now);
        }
        let wait = if gives_up { self.random.millis(500, 4000) } else { self.random.millis(15_000, 19_000) };
        if gives_up {
            let mut lease = self.server.lease.clone();
            lease.holder.clear();
            self.store(Verb::Modified, Object::Lease(lease));
        }
        self.after(wait, Happening::TakesOver);
    }

    pub fn takes_over(&mut self) {
        self.controller.incarnation += 1;
        let mut lease = self.server.lease.clone();
        lease.holder = format!("controller_{}", self.controller.incarnation);
        lease.acquired = Some(self.now);
        lease.renewed = Some(self.now);
        self.controller.takeover = self.store(Verb::Modified, Object::Lease(lease)).parse().unwrap();
        self.after(SignedDuration::from_secs(2), Happening::Renews);
        let delay = if self.now == start() { SignedDuration::ZERO } else { self.random.millis(20, 200) };
        self.after(delay, Happening::Begins);
    }

    /// The caches are filled; every ReplicaSet is synced.
    pub fn begins(&mut self) {
        self.log(LogLine::Started);
        let version = self.server.version.to_string();
        for resource in [Resource::Pods, Resource::ReplicaSets] {
            self.controller.read.insert(resource, version.clone());
            self.controller.handled.insert(resource, self.server.version);
        }
        for pod in self.server.pods.values() {
            self.controller.cache.put_pod(pod.clone().into());
        }
        let names: Vec<ReplicaSet> = self.server.replica_sets.values().cloned().collect();
        self.controller.leads = true;
        for replica_set in names {
            let key = replica_set.key();
            self.controller.cache.put_replica_set(replica_set.into());
            self.log(LogLine::Adding { key: key.clone() });
            self.enqueue(&key, SignedDuration::ZERO);
        }
    }
}
