//! Validated, slim domain types: only what decides something, without derives of a wire format.
//!
//! [`wire`] converts from and to what the API server, kubectl and recordings write. Start reading at
//! [`ReplicaSet`] and [`Pod`]; [`Observation`] is the one unit of input. Uses nothing of the rest of
//! the program.

pub(crate) mod context;
pub(crate) mod event;
pub(crate) mod instant;
pub(crate) mod labels;
pub mod log_line;
pub(crate) mod meta;
pub(crate) mod observation;
pub mod pod;
pub mod quantity;
pub(crate) mod replica_set;
pub mod wire;

pub use context::{Deployment, Lease, LimitRange, Namespace, Node, Quota, Service, ServiceAccount};
pub use event::Event;
pub use labels::{Labels, Operator, Requirement, Selector};
pub use log_line::LogLine;
pub(crate) use meta::compare_resource_versions;
pub use meta::{Key, Manager, Meta, OwnerReference};
pub use observation::{Observation, Resource, What};
pub use pod::{Container, Phase, Pod};
pub use replica_set::{Condition, OwnerKind, ReplicaSet, Status, Template};

/// One object of the cluster, of a kind that the program understands.
#[derive(Debug, Clone, PartialEq)]
pub enum Object {
    /// A ReplicaSet or a ReplicationController.
    ReplicaSet(ReplicaSet),
    /// A pod.
    Pod(Pod),
    /// An event of the core or the events.k8s.io group.
    Event(Event),
    /// A Deployment: decides the size of its ReplicaSets.
    Deployment(Deployment),
    /// A namespace: a terminating one takes no new pods.
    Namespace(Namespace),
    /// A ResourceQuota: may refuse pods.
    Quota(Quota),
    /// The controller-manager's lease: tells whether anybody syncs.
    Lease(Lease),
    /// A LimitRange: may refuse pods.
    LimitRange(LimitRange),
    /// A ServiceAccount: pods that name a missing one are refused.
    ServiceAccount(ServiceAccount),
    /// A Service: names the pods that an admission webhook needs.
    Service(Service),
    /// A Node: explains pods that stay terminating or not ready.
    Node(Node),
}

impl Object {
    /// The object's metadata.
    pub fn meta(&self) -> &Meta {
        match self {
            Object::ReplicaSet(o) => &o.meta,
            Object::Pod(o) => &o.meta,
            Object::Event(o) => &o.meta,
            Object::Deployment(o) => &o.meta,
            Object::Namespace(o) => &o.meta,
            Object::Quota(o) => &o.meta,
            Object::Lease(o) => &o.meta,
            Object::LimitRange(o) => &o.meta,
            Object::ServiceAccount(o) => &o.meta,
            Object::Service(o) => &o.meta,
            Object::Node(o) => &o.meta,
        }
    }

    /// The resource under which the API serves this object.
    pub fn resource(&self) -> Resource {
        match self {
            Object::ReplicaSet(o) => match o.kind {
                OwnerKind::ReplicaSet => Resource::ReplicaSets,
                OwnerKind::ReplicationController => Resource::ReplicationControllers,
            },
            Object::Pod(_) => Resource::Pods,
            Object::Event(_) => Resource::Events,
            Object::Deployment(_) => Resource::Deployments,
            Object::Namespace(_) => Resource::Namespaces,
            Object::Quota(_) => Resource::Quotas,
            Object::Lease(_) => Resource::Leases,
            Object::LimitRange(_) => Resource::LimitRanges,
            Object::ServiceAccount(_) => Resource::ServiceAccounts,
            Object::Service(_) => Resource::Services,
            Object::Node(_) => Resource::Nodes,
        }
    }
}
