//! The one unit of input: something an observer saw.

use jiff::Timestamp;

use super::{LogLine, Object};

/// A resource of the API, named as recordings name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// `replicasets.apps`
    ReplicaSets,
    /// `replicationcontrollers`
    ReplicationControllers,
    /// `pods`
    Pods,
    /// `events`
    Events,
    /// `deployments.apps`
    Deployments,
    /// `namespaces`
    Namespaces,
    /// `resourcequotas`
    Quotas,
    /// `leases.coordination.k8s.io`
    Leases,
    /// `limitranges`
    LimitRanges,
    /// `serviceaccounts`
    ServiceAccounts,
    /// `services`
    Services,
    /// `nodes`
    Nodes,
    /// Anything else; counted, not read.
    Other,
}

impl Resource {
    /// Every resource that the program reads, with its name in recordings.
    pub(crate) const NAMES: [(Resource, &'static str); 12] = [
        (Resource::ReplicaSets, "replicasets.apps"),
        (Resource::ReplicationControllers, "replicationcontrollers"),
        (Resource::Pods, "pods"),
        (Resource::Events, "events"),
        (Resource::Deployments, "deployments.apps"),
        (Resource::Namespaces, "namespaces"),
        (Resource::Quotas, "resourcequotas"),
        (Resource::Leases, "leases.coordination.k8s.io"),
        (Resource::LimitRanges, "limitranges"),
        (Resource::ServiceAccounts, "serviceaccounts"),
        (Resource::Services, "services"),
        (Resource::Nodes, "nodes"),
    ];

    /// The name in recordings.
    pub fn as_str(self) -> &'static str {
        Self::NAMES.iter().find(|(r, _)| *r == self).map_or("other", |(_, name)| name)
    }

    /// The resource of this name, `Other` if unknown.
    pub fn parse(name: &str) -> Resource {
        Self::NAMES.iter().find(|(_, n)| *n == name).map_or(Resource::Other, |(r, _)| *r)
    }
}

/// One thing seen. `at` is the receive time on the observer's clock; a file of objects has none.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// When it was received.
    pub at: Option<Timestamp>,
    /// What it is about.
    pub resource: Resource,
    /// What was seen.
    pub what: What,
}

/// What an observation says.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// The observation begins; what the server says of itself.
    Begin {
        /// The version of the API server, if known.
        server_version: Option<String>,
    },
    /// The state at one resourceVersion. A second list of a resource means that its watch
    /// broke: what happened between is unknown.
    List {
        /// The version of the list.
        resource_version: String,
        /// The objects.
        items: Vec<Object>,
    },
    /// A watch event of an object that is new to the watch.
    Added(Object),
    /// A watch event of a changed object.
    Modified(Object),
    /// A watch event with the last state of a removed object.
    Deleted(Object),
    /// The watch is alive and has reached this version.
    Bookmark {
        /// The version reached.
        resource_version: String,
    },
    /// Something was missed, for this reason: an ERROR event, a cut watch, a cut file.
    Gap(String),
    /// A line of the controller's log.
    Log(LogLine),
    /// The observation was closed on purpose.
    End,
}
