//! The API server, with admission.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use rsexp::model::claim::Claim;
use rsexp::model::sync::{CallError, CallErrorKind};
use rsexp::objects::{
    Event, Key, Lease, Manager, Namespace, Object, OwnerReference, Phase, Pod, Quota, ReplicaSet, Resource,
    Status,
};

use crate::simulation::controller::Outcomes;
use crate::simulation::world::{Change, Happening, NAMESPACE, Verb, World};

pub const MANAGER: &str = "kube-controller-manager";

/// What admission does to created pods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Admission {
    #[default]
    Passes,
    /// The ownerReference is stripped.
    Strips,
    /// Labels are changed, so that no selector matches.
    Relabels,
    /// Refused.
    Denies,
}

/// What the controller asks of the server: `index` is the number of the call in its step.
#[derive(Debug, Clone)]
pub struct Request {
    pub incarnation: u64,
    pub key: Key,
    pub index: usize,
    pub ask: Ask,
}

#[derive(Debug, Clone)]
pub enum Ask {
    Live(String),
    Patch(Box<Pod>, Claim),
    /// A pod of this owner; what admission does is settled when it is sent.
    Create(Box<ReplicaSet>, Admission),
    Delete(Key),
    /// A status, for the object at this version.
    Status(Status, String),
    Refetch,
    Event(Box<Event>),
}

/// Work of others.
#[derive(Debug, Clone)]
pub enum Chore {
    /// The scheduler binds a pod.
    Bind(String),
    /// A kubelet says that a pod is ready.
    Ready(String),
    /// A pod has ended and goes.
    Remove(String),
    /// The quota controller counts.
    Recount,
    /// Somebody mends a webhook that would make the controller create without end.
    Mend,
    /// The garbage collector deletes pods of an owner that is gone.
    Collect(String),
}

#[derive(Debug, Clone, Default)]
pub struct Server {
    pub version: u64,
    /// The version of the last change by resource.
    pub changed: BTreeMap<Resource, u64>,
    uids: u64,
    pub pods: BTreeMap<String, Pod>,
    pub replica_sets: BTreeMap<String, ReplicaSet>,
    pub events: BTreeMap<String, Event>,
    pub lease: Lease,
    pub quota: Option<Quota>,
    pub namespace: Namespace,
    /// What admission does, after how long, and in how many of a hundred creates.
    pub admission: (Admission, SignedDuration, u64),
}

pub fn whole(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap()
}

pub fn refused(kind: CallErrorKind, message: impl Into<String>) -> Outcomes {
    Outcomes::One(Err(CallError { kind, message: message.into() }))
}

pub fn reference(owner: &ReplicaSet) -> OwnerReference {
    OwnerReference {
        api_version: "apps/v1".into(),
        kind: "ReplicaSet".into(),
        name: owner.meta.name.clone(),
        uid: owner.meta.uid.clone(),
        controller: true,
    }
}

impl World {
    pub fn found_namespace(&mut self) {
        self.server.namespace.meta.name = NAMESPACE.into();
        self.server.namespace.meta.uid = "uid-namespace".into();
    }

    pub fn new_uid(&mut self) -> String {
        self.server.uids += 1;
        // The order of UIDs decides between pods: it must not be that of their creation.
        format!("{:08x}-{}", self.random.next() as u32, self.server.uids)
    }

    /// Stores an object at a new version and tells everybody who watches.
    pub fn store(&mut self, verb: Verb, mut object: Object) -> String {
        self.server.version += 1;
        let version = self.server.version.to_string();
        let name = object.meta().name.clone();
        let gone = verb == Verb::Deleted;
        self.server.changed.insert(object.resource(), self.server.version);
        match &mut object {
            Object::Pod(o) => {
                o.meta.resource_version = version.clone();
                put(&mut self.server.pods, name, o, gone);
            }
            Object::ReplicaSet(o) => {
                o.meta.resource_version = version.clone();
                put(&mut self.server.replica_sets, name, o, gone);
            }
            Object::Event(o) => {
                o.meta.resource_version = version.clone();
                put(&mut self.server.events, name, o, gone);
            }
            Object::Lease(o) => {
                o.meta.resource_version = version.clone();
                self.server.lease = o.clone();
            }
            Object::Quota(o) => {
                o.meta.resource_version = version.clone();
                self.server.quota = (!gone).then(|| o.clone());
            }
            Object::Namespace(o) => {
                o.meta.resource_version = version.clone();
                self.server.namespace = o.clone();
            }
            _ => {}
        }
        let change = Change { version: self.server.version, verb, object };
        self.tell_controller(&change);
        self.tell_observer(&change);
        version
    }

    /// A request is carried out.
    pub fn arrives(&mut self, request: Request) {
        let outcomes = match &request.ask {
            Ask::Live(uid) => {
                let found = self.server.replica_sets.get(&request.key.name);
                Outcomes::Live(found.is_some_and(|rs| rs.meta.uid == *uid && rs.meta.deleted.is_none()))
            }
            Ask::Patch(pod, claim) => self.patch_owner(&request.key, pod, *claim),
            Ask::Create(owner, admission) => self.create_for(owner, *admission),
            Ask::Delete(pod) => self.delete_asked(pod),
            Ask::Status(status, version) => self.write_status(&request.key, status, version),
            Ask::Refetch => match self.server.replica_sets.get(&request.key.name) {
                Some(found) => Outcomes::Version(found.meta.resource_version.clone()),
                None => refused(CallErrorKind::NotFound, "replicasets.apps not found"),
            },
            Ask::Event(event) => {
                let known = self.server.events.contains_key(&event.meta.name);
                let verb = if known { Verb::Modified } else { Verb::Added };
                self.store(verb, Object::Event((**event).clone()));
                Outcomes::One(Ok(()))
            }
        };
        let back = self.random.micros(300, 2500);
        self.after(back, Happening::Answered(request, outcomes));
    }

    fn patch_owner(&mut self, key: &Key, seen: &Pod, claim: Claim) -> Outcomes {
        let Some(mut pod) =
            self.server.pods.get(&seen.meta.name).filter(|pod| pod.meta.uid == seen.meta.uid).cloned()
        else {
            return refused(CallErrorKind::NotFound, "pods not found");
        };
        let Some(owner) = self.server.replica_sets.get(&key.name).cloned() else {
            return refused(CallErrorKind::NotFound, "no owner");
        };
        if claim == Claim::Adopt {
            if pod.controller().is_some_and(|other| other.uid != owner.meta.uid) {
                return refused(CallErrorKind::Invalid, "Only one reference can have Controller set to true");
            }
            pod.meta.owners = vec![reference(&owner)];
        } else {
            pod.meta.owners.retain(|o| o.uid != owner.meta.uid);
        }
        Outcomes::Version(self.store(Verb::Modified, Object::Pod(pod)))
    }

    fn create_for(&mut self, owner: &ReplicaSet, admission: Admission) -> Outcomes {
        if self.server.namespace.terminating {
            let message = format!(
                "pods \"{}-\" is forbidden: unable to create new content in namespace {NAMESPACE} because it is being terminated",
                owner.meta.name
            );
            return refused(CallErrorKind::NamespaceTerminating, message);
        }
        let name = self.free_name(&owner.meta.name);
        if admission == Admission::Denies {
            return refused(
                CallErrorKind::Other,
                "admission webhook \"gate.example.org\" denied the request: not today",
            );
        }
        if let Some(quota) = &self.server.quota
            && quota.pods_left() == Some(0)
        {
            let (hard, used) = (&quota.hard[0].1, &quota.used[0].1);
            let message = format!(
                "pods \"{name}\" is forbidden: exceeded quota: q, requested: pods=1, used: pods={used}, limited: pods={hard}"
            );
            return refused(CallErrorKind::Other, message);
        }
        let mut pod = Pod { phase: Phase::Pending, ..Pod::default() };
        pod.meta.namespace = NAMESPACE.into();
        pod.meta.name = name;
        pod.meta.uid = self.new_uid();
        pod.meta.generation = 1;
        pod.meta.created = Some(whole(self.now));
        pod.meta.generate_name = Some(format!("{}-", owner.meta.name));
        pod.meta.labels = owner.template.labels.clone();
        pod.meta.owners = vec![reference(owner)];
        pod.meta.managers =
            vec![Manager { name: MANAGER.into(), subresource: String::new(), time: Some(whole(self.now)) }];
        match admission {
            Admission::Strips => pod.meta.owners.clear(),
            Admission::Relabels => pod.meta.labels = [("app", "changed")].into_iter().collect(),
            _ => {}
        }
        let key = pod.meta.key();
        let version = self.create_pod(pod);
        Outcomes::Created(key, version)
    }

    /// A pod comes to be, whoever made it.
    pub fn create_pod(&mut self, pod: Pod) -> String {
        let name = pod.meta.name.clone();
        let version = self.store(Verb::Added, Object::Pod(pod));
        self.use_quota(1);
        if self.config.kubelet {
            let delay = self.random.millis(5, 60);
            self.after(delay, Happening::Chore(Chore::Bind(name)));
        }
        version
    }

    pub fn free_name(&mut self, owner: &str) -> String {
        const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
        loop {
            let tail: String = (0..5).map(|_| char::from(self.random.choose(LETTERS))).collect();
            let name = format!("{owner}-{tail}");
            if !self.server.pods.contains_key(&name) {
                return name;
            }
        }
    }

    fn delete_asked(&mut self, key: &Key) -> Outcomes {
        match self.server.pods.contains_key(&key.name) {
            true => self.delete_pod(&key.name),
            false => return refused(CallErrorKind::NotFound, format!("pods \"{}\" not found", key.name)),
        }
        Outcomes::One(Ok(()))
    }

    /// A pod's deletion is asked for: it goes at once if nothing holds it.
    pub fn delete_pod(&mut self, name: &str) {
        let Some(mut pod) = self.server.pods.get(name).cloned() else { return };
        if pod.meta.deleted.is_some() {
            return;
        }
        let bound = !pod.node.is_empty() && !pod.phase.is_finished();
        let grace = if bound { 30 } else { 0 };
        pod.meta.deleted = Some(whole(self.now) + SignedDuration::from_secs(grace));
        pod.meta.grace_seconds = Some(grace);
        pod.meta.generation += 1;
        let held = !pod.meta.finalizers.is_empty();
        if !bound && !held {
            self.removed(pod);
            return;
        }
        self.store(Verb::Modified, Object::Pod(pod));
        if bound && !held {
            let delay = match self.random.below(4) {
                0 => self.random.millis(2, 40),
                _ => self.random.millis(50, 3000),
            };
            self.after(delay, Happening::Chore(Chore::Remove(name.into())));
        }
    }

    pub fn removed(&mut self, pod: Pod) {
        let owner = pod.controller().map(|owner| owner.uid.clone());
        self.store(Verb::Deleted, Object::Pod(pod));
        self.end_foreground_deletion(owner);
        let delay = self.random.millis(100, 4000);
        self.after(delay, Happening::Chore(Chore::Recount));
    }

    /// A ReplicaSet that is being deleted goes with its last pod.
    fn end_foreground_deletion(&mut self, uid: Option<String>) {
        let Some(uid) = uid else { return };
        let owned = |pod: &Pod| pod.meta.owners.iter().any(|owner| owner.uid == uid);
        let over = |rs: &&ReplicaSet| rs.meta.uid == uid && rs.is_deleting();
        let Some(owner) = self.server.replica_sets.values().find(over).cloned() else { return };
        if !self.server.pods.values().any(owned) {
            self.store(Verb::Deleted, Object::ReplicaSet(owner));
        }
    }

    fn write_status(&mut self, key: &Key, status: &Status, version: &str) -> Outcomes {
        let Some(mut found) = self.server.replica_sets.get(&key.name).cloned() else {
            return refused(CallErrorKind::NotFound, "replicasets.apps not found");
        };
        if found.meta.resource_version != version {
            return refused(CallErrorKind::Other, "the object has been modified");
        }
        if found.status == *status {
            return Outcomes::Version(found.meta.resource_version);
        }
        found.status = status.clone();
        found.meta.managers =
            vec![Manager { name: MANAGER.into(), subresource: "status".into(), time: Some(whole(self.now)) }];
        Outcomes::Version(self.store(Verb::Modified, Object::ReplicaSet(found)))
    }

    pub fn last_change(&self, resource: Resource) -> u64 {
        self.server.changed.get(&resource).copied().unwrap_or(0)
    }

    /// The objects of one resource as a list shows them.
    pub fn listed(&self, resource: Resource) -> Vec<Object> {
        let server = &self.server;
        match resource {
            Resource::Pods => server.pods.values().cloned().map(Object::Pod).collect(),
            Resource::ReplicaSets => server.replica_sets.values().cloned().map(Object::ReplicaSet).collect(),
            Resource::Events => server.events.values().cloned().map(Object::Event).collect(),
            Resource::Leases => vec![Object::Lease(server.lease.clone())],
            Resource::Quotas => server.quota.iter().cloned().map(Object::Quota).collect(),
            Resource::Namespaces => vec![Object::Namespace(server.namespace.clone())],
            _ => Vec::new(),
        }
    }
}

fn put<V: Clone>(map: &mut BTreeMap<String, V>, name: String, value: &V, gone: bool) {
    if gone {
        map.remove(&name);
    } else {
        map.insert(name, value.clone());
    }
}
