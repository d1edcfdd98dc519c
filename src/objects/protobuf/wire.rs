//! The messages of the API, cut down to the fields that are read. What is not named here is
//! skipped. A field's number never changes; those of one kind stand in the `generated.proto`
//! of k8s.io/api.

use std::fmt::Debug;

use prost::Message;

/// Declares messages: the kind of field, its type, its name, its number.
macro_rules! messages {
    ($($name:ident { $($kind:tt $($more:ident)? : $type:ty = $tag:literal $field:ident,)* })*) => {$(
        #[derive(Clone, PartialEq, Message)]
        pub struct $name {
            $(#[prost($kind $(, $more)?, tag = $tag)] pub $field: $type,)*
        }
    )*};
}

/// An object with the usual parts.
#[derive(Clone, PartialEq, Message)]
pub struct Whole<Spec: Message + Default + Debug, Status: Message + Default + Debug> {
    #[prost(message, optional, tag = 1)]
    pub metadata: Option<Metadata>,
    #[prost(message, optional, tag = 2)]
    pub spec: Option<Spec>,
    #[prost(message, optional, tag = 3)]
    pub status: Option<Status>,
}

/// What stands around an object in a body.
#[derive(Clone, PartialEq, Message)]
pub struct Envelope {
    #[prost(message, optional, tag = 1)]
    pub type_meta: Option<TypeMeta>,
    #[prost(bytes = "vec", tag = 2)]
    pub raw: Vec<u8>,
}

/// A part of which nothing is read.
#[derive(Clone, PartialEq, Message)]
pub struct Nothing {}

messages! {
    ListMeta {
        string: String = 2 resource_version,
        string: String = 3 continue_token,
        int64 optional: Option<i64> = 4 remaining,
    }
    TypeMeta {
        string: String = 1 api_version,
        string: String = 2 kind,
    }
    Metadata {
        string: String = 1 name,
        string: String = 2 generate_name,
        string: String = 3 namespace,
        string: String = 5 uid,
        string: String = 6 resource_version,
        int64: i64 = 7 generation,
        message optional: Option<Time> = 8 creation_timestamp,
        message optional: Option<Time> = 9 deletion_timestamp,
        int64 optional: Option<i64> = 10 deletion_grace_period_seconds,
        message repeated: Vec<Pair> = 11 labels,
        message repeated: Vec<Pair> = 12 annotations,
        message repeated: Vec<Owner> = 13 owner_references,
        string repeated: Vec<String> = 14 finalizers,
        message repeated: Vec<Manager> = 17 managed_fields,
    }
    Time {
        int64 optional: Option<i64> = 1 seconds,
        int32: i32 = 2 nanos,
    }
    Pair {
        string: String = 1 key,
        string: String = 2 value,
    }
    Owner {
        string: String = 1 kind,
        string: String = 3 name,
        string: String = 4 uid,
        string: String = 5 api_version,
        bool: bool = 6 controller,
    }
    Manager {
        string: String = 1 manager,
        message optional: Option<Time> = 4 time,
        string: String = 8 subresource,
    }
    QuantityPair {
        string: String = 1 key,
        message optional: Option<Quantity> = 2 value,
    }
    Quantity {
        string: String = 1 text,
    }
    LabelSelector {
        message repeated: Vec<Pair> = 1 match_labels,
        message repeated: Vec<Expression> = 2 match_expressions,
    }
    Expression {
        string: String = 1 key,
        string: String = 2 operator,
        string repeated: Vec<String> = 3 values,
    }
    ReplicaSetSpec {
        int32 optional: Option<i32> = 1 replicas,
        message optional: Option<LabelSelector> = 2 selector,
        message optional: Option<Template> = 3 template,
        int32: i32 = 4 min_ready_seconds,
    }
    ControllerSpec {
        int32 optional: Option<i32> = 1 replicas,
        message repeated: Vec<Pair> = 2 selector,
        message optional: Option<Template> = 3 template,
        int32: i32 = 4 min_ready_seconds,
    }
    WorkloadStatus {
        int32: i32 = 1 replicas,
        int32: i32 = 2 fully_labeled_replicas,
        int64: i64 = 3 observed_generation,
        int32: i32 = 4 ready_replicas,
        int32: i32 = 5 available_replicas,
        message repeated: Vec<Condition> = 6 conditions,
        int32 optional: Option<i32> = 7 terminating_replicas,
    }
    Condition {
        string: String = 1 kind,
        string: String = 2 status,
        message optional: Option<Time> = 3 last_transition_time,
        string: String = 4 reason,
        string: String = 5 message,
    }
    DeploymentSpec {
        int32 optional: Option<i32> = 1 replicas,
        message optional: Option<LabelSelector> = 2 selector,
    }
    DeploymentStatus {
        int64: i64 = 1 observed_generation,
    }
    Template {
        message optional: Option<TemplateMetadata> = 1 metadata,
        message optional: Option<TemplateSpec> = 2 spec,
    }
    TemplateMetadata {
        message repeated: Vec<Pair> = 11 labels,
    }
    TemplateSpec {
        message repeated: Vec<TemplateContainer> = 2 containers,
        string: String = 8 service_account_name,
        string: String = 9 service_account,
        message repeated: Vec<Nothing> = 33 topology_spread_constraints,
    }
    TemplateContainer {
        string: String = 1 name,
        string: String = 2 image,
        message optional: Option<Resources> = 8 resources,
    }
    Resources {
        message repeated: Vec<QuantityPair> = 1 limits,
    }
    PodSpec {
        message repeated: Vec<PodContainer> = 2 containers,
        string: String = 10 node_name,
        message repeated: Vec<InitContainer> = 20 init_containers,
    }
    PodContainer {
        string: String = 1 name,
        string: String = 2 image,
    }
    InitContainer {
        string: String = 1 name,
        string: String = 24 restart_policy,
    }
    PodStatus {
        string: String = 1 phase,
        message repeated: Vec<PodCondition> = 2 conditions,
        string: String = 4 reason,
        message repeated: Vec<ContainerStatus> = 8 container_statuses,
        message repeated: Vec<ContainerStatus> = 10 init_container_statuses,
    }
    PodCondition {
        string: String = 1 kind,
        string: String = 2 status,
        message optional: Option<Time> = 4 last_transition_time,
    }
    ContainerStatus {
        string: String = 1 name,
        int32: i32 = 5 restart_count,
    }
    Event {
        message optional: Option<Metadata> = 1 metadata,
        message optional: Option<Reference> = 2 involved_object,
        string: String = 3 reason,
        string: String = 4 message,
        message optional: Option<EventSource> = 5 source,
        message optional: Option<Time> = 6 first_timestamp,
        message optional: Option<Time> = 7 last_timestamp,
        int32: i32 = 8 count,
        message optional: Option<Time> = 10 event_time,
        message optional: Option<Series> = 11 series,
        string: String = 14 reporting_component,
    }
    Reference {
        string: String = 1 kind,
        string: String = 3 name,
        string: String = 4 uid,
    }
    EventSource {
        string: String = 1 component,
    }
    Series {
        int32: i32 = 1 count,
        message optional: Option<Time> = 2 last_observed_time,
    }
    NamespaceStatus {
        string: String = 1 phase,
    }
    QuotaSpec {
        message repeated: Vec<QuantityPair> = 1 hard,
        string repeated: Vec<String> = 2 scopes,
        message optional: Option<Nothing> = 3 scope_selector,
    }
    QuotaStatus {
        message repeated: Vec<QuantityPair> = 1 hard,
        message repeated: Vec<QuantityPair> = 2 used,
    }
    LeaseSpec {
        string: String = 1 holder_identity,
        int32: i32 = 2 lease_duration_seconds,
        message optional: Option<Time> = 3 acquire_time,
        message optional: Option<Time> = 4 renew_time,
    }
    LimitRangeSpec {
        message repeated: Vec<Limit> = 1 limits,
    }
    Limit {
        string: String = 1 kind,
        message repeated: Vec<QuantityPair> = 2 max,
    }
    ServiceSpec {
        message repeated: Vec<Pair> = 2 selector,
    }
    NodeStatus {
        message repeated: Vec<PodCondition> = 4 conditions,
    }
}
