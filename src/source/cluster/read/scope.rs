//! What is read of a cluster, as narrowly as the question allows.
//!
//! Looked at: the request builder of kube (`kube::core::Request`). It does not escape what it puts into the
//! path, has no metadata in protobuf, and gives a whole request that can fail where a path is wanted.

use std::fmt::Write;
use std::time::Duration;

use crate::objects::{OwnerKind, Resource};

/// How long a watch may outlast the window on the server.
const MARGIN: Duration = Duration::from_secs(10);

/// How long one watch lasts where there is no end in sight; then it is opened anew.
const ROUND: Duration = Duration::from_secs(300);

/// The controller-manager's lease and where it is.
const LEASE: (&str, &str) = ("kube-system", "kube-controller-manager");

/// Everything that one reading of a cluster is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// The namespace; None for all.
    pub namespace: Option<String>,
    /// What to list and watch.
    pub reads: Vec<Read>,
    /// How long to watch; zero lists only.
    pub window: Duration,
    /// Whether to watch until the sink has enough or the user ends it, whatever the window.
    pub follow: bool,
    /// When to end at the latest where there is no window.
    pub timeout: Option<Duration>,
    /// How many objects a page of a list holds; zero asks for all at once.
    pub chunk_size: u32,
    /// The one ReplicaSet of the namespace that the question is about: of the pods only those that
    /// may concern it are listed.
    pub focus: Option<String>,
}

impl Scope {
    /// ReplicaSets, pods and events of ReplicaSets in one namespace, or in all; without a window.
    /// All pods of the namespace: orphans may be adopted, and ranks count the pods of siblings.
    pub fn of(namespace: Option<&str>) -> Scope {
        let namespace = namespace.map(str::to_owned);
        let mut events = Read::new(Resource::Events, namespace.clone());
        events.field_selector = Some("involvedObject.kind=ReplicaSet".into());
        let reads = vec![
            Read::new(Resource::ReplicaSets, namespace.clone()),
            Read::new(Resource::Pods, namespace.clone()),
            events,
        ];
        Scope {
            namespace,
            reads,
            window: Duration::ZERO,
            follow: false,
            timeout: None,
            chunk_size: 0,
            focus: None,
        }
    }

    /// Narrows the events to those of one object.
    pub fn about(mut self, kind: OwnerKind, name: &str) -> Scope {
        let selector = format!("involvedObject.kind={},involvedObject.name={name}", kind.as_str());
        self.events(selector);
        self
    }

    /// Reads this too; each resource once. ReplicationControllers bring their events along.
    pub fn with(mut self, resource: Resource) -> Scope {
        if self.reads.iter().any(|read| read.resource == resource) {
            return self;
        }
        let mut read = Read::new(resource, self.namespace.clone());
        match resource {
            Resource::ReplicationControllers => {
                self.events("involvedObject.kind!=Pod,involvedObject.kind!=Node".into());
            }
            Resource::Leases => {
                read.namespace = Some(LEASE.0.into());
                read = read.named(LEASE.1);
            }
            Resource::Namespaces => {
                read.namespace = None;
                if let Some(namespace) = &self.namespace {
                    read = read.named(namespace);
                }
            }
            _ => {}
        }
        self.reads.push(read);
        self
    }

    /// The focus and the two reads that it is listed by.
    pub fn focused(&self) -> Option<(&str, &Read, &Read)> {
        let of = |resource| self.reads.iter().find(|read| read.resource == resource);
        Some((self.focus.as_deref()?, of(Resource::ReplicaSets)?, of(Resource::Pods)?))
    }

    fn events(&mut self, selector: String) {
        if let Some(read) = self.reads.iter_mut().find(|read| read.resource == Resource::Events) {
            read.field_selector = Some(selector);
        }
    }

    /// How long the window is open at the most; None for no end.
    pub fn limit(&self) -> Option<Duration> {
        if self.follow { self.timeout } else { Some(self.window) }
    }

    /// After how long the server may end a watch.
    pub fn round(&self) -> Duration {
        self.limit().map_or(ROUND, |limit| ROUND.min(limit + MARGIN))
    }
}

/// One resource to list and watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Read {
    /// The resource.
    pub resource: Resource,
    /// The namespace; None for all, and for resources that have none.
    pub namespace: Option<String>,
    /// Only objects with such labels.
    pub label_selector: Option<String>,
    /// Only objects with such fields.
    pub field_selector: Option<String>,
    /// The only object that is wanted: it is read by itself where lists are denied.
    pub name: Option<String>,
    /// Whether there is no answer without it.
    pub required: bool,
}

impl Read {
    /// Every object of a resource in one namespace, or in all.
    pub fn new(resource: Resource, namespace: Option<String>) -> Read {
        let required = matches!(resource, Resource::ReplicaSets | Resource::Pods);
        Read { resource, namespace, label_selector: None, field_selector: None, name: None, required }
    }

    /// The one object of this name.
    pub fn named(mut self, name: &str) -> Read {
        self.field_selector = Some(format!("metadata.name={name}"));
        self.name = Some(name.to_owned());
        self
    }

    /// What is lost without it.
    pub fn lost(&self) -> &'static str {
        match self.resource {
            Resource::ReplicaSets => "the owner of the pods and the desired number are unknown",
            Resource::ReplicationControllers => "the owner of a ReplicationController's pods is unknown",
            Resource::Pods => "pods cannot be counted",
            Resource::Events => "refusals are known from the condition alone",
            Resource::Leases => "it is unknown whether a controller-manager is leading",
            Resource::Quotas => "a full quota is noticed only once it refuses pods",
            Resource::Namespaces => "a terminating namespace is noticed only once it refuses pods",
            Resource::Deployments => "it is unknown which ReplicaSet is the current one",
            _ => "what it would explain stays unexplained",
        }
    }

    /// As texts name it: `pods in namespace shop`.
    pub fn place(&self) -> String {
        let name = self.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        match &self.namespace {
            Some(namespace) => format!("{}{name} in namespace {namespace}", self.resource.as_str()),
            None => format!("{}{name}", self.resource.as_str()),
        }
    }

    /// The path of the collection.
    fn collection(&self) -> String {
        let name = self.resource.as_str();
        let (plural, group) = name.split_once('.').unwrap_or((name, ""));
        let mut path = if group.is_empty() { "/api/v1".to_owned() } else { format!("/apis/{group}/v1") };
        if let Some(namespace) = &self.namespace {
            path.push_str("/namespaces/");
            encode(namespace, &mut path);
        }
        path.push('/');
        path.push_str(plural);
        path
    }

    /// The path of the one object.
    pub fn object_path(&self, name: &str) -> String {
        let mut path = self.collection() + "/";
        encode(name, &mut path);
        path
    }

    /// The path of a page of a list.
    pub fn list_path(&self, limit: u32, token: &str) -> String {
        let mut path = Query::of(self.collection());
        path.add_some("labelSelector", self.label_selector.as_deref());
        path.add_some("fieldSelector", self.field_selector.as_deref());
        if limit > 0 && self.name.is_none() {
            path.add("limit", &limit.to_string());
        }
        if !token.is_empty() {
            path.add("continue", token);
        }
        path.path
    }

    /// The path of a watch of now that ends soon.
    pub fn brief_watch_path(&self) -> String {
        self.watch_path("0", Duration::from_secs(1))
    }

    /// The path of a watch from this version.
    pub fn watch_path(&self, version: &str, round: Duration) -> String {
        let mut path = Query::of(self.collection());
        path.add("watch", "true");
        path.add("allowWatchBookmarks", "true");
        path.add("resourceVersion", version);
        path.add("timeoutSeconds", &round.as_secs().max(1).to_string());
        path.add_some("labelSelector", self.label_selector.as_deref());
        path.add_some("fieldSelector", self.field_selector.as_deref());
        path.path
    }
}

/// A path with its query under way.
struct Query {
    path: String,
    next: char,
}

impl Query {
    fn of(path: String) -> Query {
        Query { path, next: '?' }
    }

    fn add(&mut self, key: &str, value: &str) {
        self.path.push(std::mem::replace(&mut self.next, '&'));
        self.path.push_str(key);
        self.path.push('=');
        encode(value, &mut self.path);
    }

    fn add_some(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }
}

/// Writes a text so that no character of it means anything in a URL.
fn encode(text: &str, to: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => to.push(char::from(byte)),
            // Writing to a string cannot fail.
            _ => {
                let _ = write!(to, "%{byte:02X}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_group_namespace_and_selectors() {
        let scope = Scope::of(Some("shop")).about(OwnerKind::ReplicaSet, "web");
        let paths: Vec<String> = scope.reads.iter().map(|read| read.list_path(500, "a+/=")).collect();
        assert_eq!(
            paths,
            [
                "/apis/apps/v1/namespaces/shop/replicasets?limit=500&continue=a%2B%2F%3D",
                "/api/v1/namespaces/shop/pods?limit=500&continue=a%2B%2F%3D",
                "/api/v1/namespaces/shop/events?fieldSelector=involvedObject.kind%3DReplicaSet%2C\
                 involvedObject.name%3Dweb&limit=500&continue=a%2B%2F%3D",
            ]
        );
        assert_eq!(Scope::of(None).reads[1].list_path(0, ""), "/api/v1/pods");
    }

    #[test]
    fn the_lease_and_the_namespace_are_single_objects() {
        let scope = Scope::of(Some("shop")).with(Resource::Leases).with(Resource::Namespaces);
        assert_eq!(
            scope.reads[3].list_path(0, ""),
            "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases?\
             fieldSelector=metadata.name%3Dkube-controller-manager"
        );
        assert_eq!(scope.reads[4].object_path("shop"), "/api/v1/namespaces/shop");
        assert_eq!(scope.reads[4].list_path(0, ""), "/api/v1/namespaces?fieldSelector=metadata.name%3Dshop");
        assert_eq!(
            Scope::of(None).with(Resource::Namespaces).reads[3].list_path(0, ""),
            "/api/v1/namespaces"
        );
    }

    #[test]
    fn a_watch_outlasts_its_window_on_the_server() {
        let mut scope = Scope::of(Some("shop"));
        scope.window = Duration::from_secs(5);
        assert_eq!(
            scope.reads[1].watch_path("77", scope.round()),
            "/api/v1/namespaces/shop/pods?watch=true&allowWatchBookmarks=true&resourceVersion=77&timeoutSeconds=15"
        );
        scope.follow = true;
        assert_eq!(scope.round(), ROUND);
    }

    #[test]
    fn controllers_bring_their_events_and_are_read_once() {
        let scope =
            Scope::of(None).with(Resource::ReplicationControllers).with(Resource::ReplicationControllers);
        assert_eq!(scope.reads.len(), 4);
        assert_eq!(
            scope.reads[2].field_selector.as_deref(),
            Some("involvedObject.kind!=Pod,involvedObject.kind!=Node")
        );
    }
}
