//! The observer's cache: the newest state of every object that was seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::model::cache::Cache;
use crate::objects::{
    Deployment, Event, Key, Lease, LimitRange, Meta, Namespace, Node, Object, OwnerKind, Pod, Quota,
    ReplicaSet, Resource, Service, compare_resource_versions,
};

/// Everything that was seen, in its newest state.
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    /// ReplicaSets and pods, with the indices of the controller.
    pub(crate) cache: Cache,
    pub(crate) deployments: BTreeMap<Key, Deployment>,
    /// Namespaces by name.
    pub(crate) namespaces: BTreeMap<String, Namespace>,
    /// ResourceQuotas.
    pub(crate) quotas: BTreeMap<Key, Quota>,
    pub(crate) leases: BTreeMap<Key, Lease>,
    /// When what decides on creates in a namespace was last seen to change, by kind.
    pub(crate) admission_changed: BTreeMap<(Resource, String), Timestamp>,
    /// When namespaces were listed last.
    pub(crate) namespaces_listed: Option<Timestamp>,
    /// Whether a list of quotas was seen.
    pub(crate) quotas_listed: bool,
    pub(crate) limit_ranges: BTreeMap<Key, LimitRange>,
    pub(crate) service_accounts: BTreeSet<Key>,
    pub(crate) services: BTreeMap<Key, Service>,
    /// Nodes by name.
    pub(crate) nodes: BTreeMap<String, Node>,
    /// Events by kind and key of the object that they are about.
    events: BTreeMap<(OwnerKind, Key), BTreeMap<String, Arc<Event>>>,
    /// Whether any event was seen, whatever it is about.
    has_events: bool,
    /// The UIDs of objects that stood in the input under one name with several.
    pub(crate) replaced: BTreeMap<(Resource, Key), BTreeSet<String>>,
    /// The highest resourceVersion seen.
    pub(crate) resource_version: Option<String>,
    /// The newest time in any object: the state was taken then or later.
    pub(crate) newest: Option<Timestamp>,
}

/// What an observed object changed.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// A pod: its state before, and its new or last one.
    Pod {
        /// As it was known.
        before: Option<Arc<Pod>>,
        /// As it is now, or was when it was removed.
        now: Arc<Pod>,
        /// Whether it was removed.
        gone: bool,
    },
    /// A ReplicaSet: its old and its new state.
    ReplicaSet(Option<Arc<ReplicaSet>>, Option<Arc<ReplicaSet>>),
    /// The lease of the controller-manager: its old and its new state.
    Lease(Option<Box<Lease>>, Box<Lease>),
    /// What decides whether creates are admitted in a namespace: itself, a limit range, or the limits of a quota.
    Admission(Resource, String),
    /// What is used of a quota of this namespace.
    Usage(String),
    /// An event about an object of this kind.
    Event(OwnerKind, Arc<Event>),
    /// Nothing that moves the controller.
    Other,
}

/// The name of the lease by which the controller-manager leads.
pub(crate) const CONTROLLER_LEASE: &str = "kube-controller-manager";

impl View {
    /// Events about an object, by name.
    pub(crate) fn events(&self, kind: OwnerKind, key: &Key) -> impl Iterator<Item = &Event> + use<'_> {
        let events = self.events.get(&(kind, key.clone())).into_iter().flat_map(BTreeMap::values);
        events.map(|event| &**event)
    }

    /// Whether any event was seen at all.
    pub(crate) fn has_events(&self) -> bool {
        self.has_events
    }

    /// The lease of the controller-manager.
    pub(crate) fn controller_lease(&self) -> Option<&Lease> {
        self.leases.values().find(|lease| lease.meta.name == CONTROLLER_LEASE)
    }

    /// Whether a namespace is known to be terminating.
    pub(crate) fn is_terminating(&self, namespace: &str) -> bool {
        self.namespaces.get(namespace).is_some_and(|ns| ns.terminating)
    }

    /// The level that a namespace enforces on its pods, None if nothing is known of the namespace.
    pub(crate) fn enforced_level(&self, namespace: &str) -> Option<&str> {
        let labels = &self.namespaces.get(namespace)?.meta.labels;
        Some(labels.get("pod-security.kubernetes.io/enforce").unwrap_or("privileged"))
    }

    /// Whether quotas of this namespace were read, so that none there means none.
    pub(crate) fn quotas_known(&self, namespace: &str) -> bool {
        self.quotas_listed || self.quotas.keys().any(|key| key.namespace == namespace)
    }

    /// Stores an object, or drops it if `gone`.
    pub fn apply(&mut self, object: Object, gone: bool) -> Change {
        self.newest = self.newest.max(newest(&object));
        self.note_version(&object.meta().resource_version);
        let key = object.meta().key();
        match object {
            Object::Pod(pod) => {
                let now = Arc::new(pod);
                let before = if gone { self.cache.remove_pod(&key) } else { self.cache.put_pod(now.clone()) };
                Change::Pod { before, now, gone }
            }
            Object::ReplicaSet(replica_set) if gone => {
                self.cache.remove_replica_set(replica_set.kind, &key);
                self.events.remove(&(replica_set.kind, key));
                Change::ReplicaSet(Some(Arc::new(replica_set)), None)
            }
            Object::ReplicaSet(replica_set) => {
                let new = Arc::new(replica_set);
                Change::ReplicaSet(self.cache.put_replica_set(new.clone()), Some(new))
            }
            Object::Lease(lease) => self.apply_lease(key, lease),
            Object::Event(event) => self.apply_event(event, gone),
            Object::Namespace(namespace) => {
                let name = namespace.meta.name.clone();
                put(&mut self.namespaces, name.clone(), namespace, gone);
                Change::Admission(Resource::Namespaces, name)
            }
            Object::Deployment(o) => put(&mut self.deployments, key, o, gone),
            Object::Quota(quota) => {
                let same = self.quotas.get(&key).is_some_and(|old| old.hard == quota.hard);
                let namespace = key.namespace.clone();
                put(&mut self.quotas, key, quota, gone);
                if same { Change::Usage(namespace) } else { Change::Admission(Resource::Quotas, namespace) }
            }
            Object::LimitRange(range) => {
                let namespace = key.namespace.clone();
                put(&mut self.limit_ranges, key, range, gone);
                Change::Admission(Resource::LimitRanges, namespace)
            }
            Object::Service(o) => put(&mut self.services, key, o, gone),
            Object::Node(o) => put(&mut self.nodes, key.name, o, gone),
            Object::ServiceAccount(_) => {
                self.service_accounts.insert(key);
                Change::Other
            }
        }
    }

    /// Stores an object of a snapshot. Of the same object twice the newer version stays; of two
    /// objects under one name the newer one, and that is noted.
    pub(crate) fn merge(&mut self, object: Object) {
        let key = object.meta().key();
        let (mut older, mut uids) = (false, None);
        if let Some(old) = self.stored(&object) {
            let new = object.meta();
            uids = (old.uid != new.uid).then(|| [old.uid.clone(), new.uid.clone()]);
            let order = compare_resource_versions(&new.resource_version, &old.resource_version);
            let by_text = || new.resource_version.cmp(&old.resource_version);
            // Never by the order in the input: the same objects give the same answer.
            let order = order.unwrap_or_else(by_text).then_with(|| new.uid.cmp(&old.uid));
            // The same version with other content comes of a file that was edited: any fixed choice.
            older = order.then_with(|| self.written(&object)).is_lt();
        }
        if let Some(uids) = uids {
            self.replaced.entry((object.resource(), key)).or_default().extend(uids);
        }
        if older {
            return;
        }
        self.apply(object, false);
    }

    fn stored(&self, object: &Object) -> Option<&Meta> {
        let key = object.meta().key();
        match object {
            Object::Pod(_) => self.cache.pod(&key).map(|o| &o.meta),
            Object::ReplicaSet(o) => self.cache.replica_set(o.kind, &key).map(|o| &o.meta),
            Object::Deployment(_) => self.deployments.get(&key).map(|o| &o.meta),
            Object::Namespace(_) => self.namespaces.get(&key.name).map(|o| &o.meta),
            Object::Quota(_) => self.quotas.get(&key).map(|o| &o.meta),
            Object::Lease(_) => self.leases.get(&key).map(|o| &o.meta),
            Object::LimitRange(_) => self.limit_ranges.get(&key).map(|o| &o.meta),
            Object::Service(_) => self.services.get(&key).map(|o| &o.meta),
            Object::Node(_) => self.nodes.get(&key.name).map(|o| &o.meta),
            Object::Event(e) => {
                let about = (followed(&e.about_kind)?, Key::new(key.namespace, e.about_name.clone()));
                self.events.get(&about).and_then(|events| events.get(&key.name)).map(|o| &o.meta)
            }
            Object::ServiceAccount(_) => None,
        }
    }

    /// Orders an object against the stored one by what they hold.
    fn written(&self, object: &Object) -> std::cmp::Ordering {
        let key = object.meta().key();
        let stored = match object {
            Object::Pod(_) => self.cache.pod(&key).map(|o| format!("{o:?}")),
            Object::ReplicaSet(o) => self.cache.replica_set(o.kind, &key).map(|o| format!("{o:?}")),
            _ => None,
        };
        let new = match object {
            Object::Pod(o) => format!("{o:?}"),
            Object::ReplicaSet(o) => format!("{o:?}"),
            _ => String::new(),
        };
        stored.map_or(std::cmp::Ordering::Equal, |stored| new.cmp(&stored))
    }

    /// Keeps the highest version seen.
    pub(crate) fn note_version(&mut self, version: &str) {
        let higher = match &self.resource_version {
            None => !version.is_empty(),
            Some(known) => compare_resource_versions(version, known).is_some_and(|o| o.is_gt()),
        };
        if higher {
            self.resource_version = Some(version.to_owned());
        }
    }

    fn apply_lease(&mut self, key: Key, lease: Lease) -> Change {
        let is_controllers = lease.meta.name == CONTROLLER_LEASE;
        let old = self.leases.insert(key, lease.clone());
        if is_controllers { Change::Lease(old.map(Box::new), Box::new(lease)) } else { Change::Other }
    }

    /// Only events about what is followed are kept, and as long as it is there. An expired event
    /// still happened.
    fn apply_event(&mut self, event: Event, gone: bool) -> Change {
        self.has_events = true;
        let Some(kind) = followed(&event.about_kind) else { return Change::Other };
        let event = Arc::new(event);
        if !gone {
            let about = (kind, Key::new(event.meta.namespace.as_str(), event.about_name.as_str()));
            self.events.entry(about).or_default().insert(event.meta.name.clone(), event.clone());
        }
        Change::Event(kind, event)
    }
}

/// The kind of this name, if its objects are followed.
fn followed(kind: &str) -> Option<OwnerKind> {
    super::KINDS.into_iter().find(|followed| followed.as_str() == kind)
}

/// The newest time that an object holds of something that has happened.
fn newest(object: &Object) -> Option<Timestamp> {
    let meta = object.meta();
    let own = match object {
        Object::Event(event) => event.last,
        Object::Lease(lease) => lease.renewed,
        Object::Pod(pod) => pod.ready_since(),
        _ => None,
    };
    meta.managers.iter().map(|manager| manager.time).chain([meta.created, own]).max().flatten()
}

fn put<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: V, gone: bool) -> Change {
    if gone {
        map.remove(&key);
    } else {
        map.insert(key, value);
    }
    Change::Other
}
