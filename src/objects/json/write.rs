//! From the domain types back to the shapes of the wire. What was read, written and read again is
//! the same object; where several shapes mean the same, the usual one is written.

use std::borrow::Cow;
use std::io::Write;

use jiff::Timestamp;
use serde::Serialize;

use super::wire::{self, Annotations, Count, Pairs, Present, Scalar, Str, Whole, WorkloadSpec};
use super::{api_version_of, kind_of};
use crate::objects::rules::{self, ANNOTATIONS};
use crate::objects::{
    Condition, Container, Deployment, Event, Labels, Lease, LimitRange, Manager, Meta, Namespace, Node,
    Object, Operator, OwnerKind, OwnerReference, Pod, Quota, ReplicaSet, Requirement, Selector, Service,
    Status, Template,
};

/// A sidecar has no name of its own: only the restarts of all are kept.
const SIDECAR: &str = "sidecar";

/// Writes an object as JSON in one line, with its kind.
pub fn write(object: &Object, to: impl Write) -> serde_json::Result<()> {
    match object {
        Object::ReplicaSet(o) => match o.kind {
            OwnerKind::ReplicaSet => {
                put(to, whole(object, Some(replica_set(o)), Some(workload_status(&o.status))))
            }
            OwnerKind::ReplicationController => {
                put(to, whole(object, Some(replication_controller(o)), Some(workload_status(&o.status))))
            }
        },
        Object::Pod(o) => put(to, whole(object, Some(pod_spec(o)), Some(pod_status(o)))),
        Object::Event(o) => put(to, event(object, o)),
        Object::Deployment(o) => {
            let observed_generation = Some(o.observed_generation);
            let status = wire::WorkloadStatus { observed_generation, ..Default::default() };
            put(to, whole(object, Some(deployment(o)), Some(status)))
        }
        Object::Namespace(o) => put(to, whole(object, None::<Present>, Some(namespace(o)))),
        Object::Quota(o) => put(to, whole(object, Some(quota_spec(o)), Some(quota_status(o)))),
        Object::Lease(o) => put(to, whole(object, Some(lease(o)), None::<Present>)),
        Object::LimitRange(o) => put(to, whole(object, Some(limit_range(o)), None::<Present>)),
        Object::ServiceAccount(_) => put(to, whole(object, None::<Present>, None::<Present>)),
        Object::Service(o) => put(to, whole(object, Some(service(o)), None::<Present>)),
        Object::Node(o) => put(to, whole(object, None::<Present>, Some(node(o)))),
    }
}

fn put(to: impl Write, shape: impl Serialize) -> serde_json::Result<()> {
    serde_json::to_writer(to, &shape)
}

fn whole<Spec, Status>(
    object: &Object,
    spec: Option<Spec>,
    status: Option<Status>,
) -> Whole<'_, Spec, Status> {
    let (api_version, kind) = said_of_itself(object);
    Whole { api_version, kind, metadata: Some(meta(object.meta())), spec, status }
}

/// apiVersion and kind.
fn said_of_itself(object: &Object) -> (Option<Str<'_>>, Option<Str<'_>>) {
    let resource = object.resource();
    (Some(Str(Cow::Owned(api_version_of(resource)))), text(kind_of(resource)))
}

fn meta(from: &Meta) -> wire::Metadata<'_> {
    let known = |(key, value)| Some((*ANNOTATIONS.iter().find(|known| **known == key)?, borrowed(value)));
    let annotations: Vec<_> = from.annotations.iter().filter_map(known).collect();
    wire::Metadata {
        namespace: text(&from.namespace),
        name: text(&from.name),
        uid: text(&from.uid),
        resource_version: text(&from.resource_version),
        generation: Some(from.generation).filter(|generation| *generation != 0),
        creation_timestamp: time(from.created),
        deletion_timestamp: time(from.deleted),
        deletion_grace_period_seconds: from.grace_seconds,
        generate_name: from.generate_name.as_deref().and_then(text),
        labels: labels(&from.labels),
        annotations: Some(Annotations(annotations)).filter(|annotations| !annotations.0.is_empty()),
        owner_references: list(&from.owners, owner),
        finalizers: list(&from.finalizers, |finalizer| borrowed(finalizer)),
        managed_fields: list(&from.managers, manager),
        ..Default::default()
    }
}

fn owner(from: &OwnerReference) -> wire::Owner<'_> {
    wire::Owner {
        api_version: text(&from.api_version),
        kind: text(&from.kind),
        name: text(&from.name),
        uid: text(&from.uid),
        controller: Some(true).filter(|_| from.controller),
        ..Default::default()
    }
}

fn manager(from: &Manager) -> wire::Manager<'_> {
    wire::Manager {
        manager: text(&from.name),
        subresource: text(&from.subresource),
        time: time(from.time),
        ..Default::default()
    }
}

fn replica_set(from: &ReplicaSet) -> WorkloadSpec<'_, wire::LabelSelector<'_>> {
    WorkloadSpec {
        replicas: count(from.replicas),
        min_ready_seconds: count(from.min_ready_seconds).filter(|_| from.min_ready_seconds != 0),
        selector: selector(&from.selector),
        template: Some(template(&from.template)),
    }
}

fn replication_controller(from: &ReplicaSet) -> WorkloadSpec<'_, Pairs<Str<'_>>> {
    let equal = |r: &'_ Requirement| (r.key.clone(), Str(Cow::Owned(r.values.concat())));
    let pairs: Vec<_> = from.selector.requirements().iter().map(equal).collect();
    WorkloadSpec {
        replicas: count(from.replicas),
        min_ready_seconds: count(from.min_ready_seconds).filter(|_| from.min_ready_seconds != 0),
        selector: Some(Pairs(pairs)),
        template: Some(template(&from.template)),
    }
}

fn deployment(from: &Deployment) -> WorkloadSpec<'_, wire::LabelSelector<'_>> {
    WorkloadSpec {
        replicas: count(from.replicas),
        min_ready_seconds: None,
        selector: selector(&from.selector),
        template: None,
    }
}

/// The first requirement of a key that asks for one value stands among the labels, where reading
/// puts it before the others of its key.
fn selector(from: &Selector) -> Option<wire::LabelSelector<'_>> {
    let requirements = match from {
        Selector::Nothing => return None,
        Selector::Invalid(why) => {
            let (key, operator, values) = rules::refused(why);
            let owned = |text: String| Str(Cow::Owned(text));
            let values = Some(values.into_iter().map(owned).collect());
            let (key, operator) = (Some(owned(key)), Some(owned(operator)));
            let refused = wire::Expression { key, operator, values, ..Default::default() };
            return Some(wire::LabelSelector {
                match_expressions: Some(vec![refused]),
                ..Default::default()
            });
        }
        Selector::All(requirements) => requirements,
    };
    let (mut labels, mut expressions) = (Vec::new(), Vec::new());
    let mut before: Option<&str> = None;
    for requirement in requirements {
        match (requirement.operator, requirement.values.as_slice()) {
            (Operator::In, [one]) if before != Some(requirement.key.as_str()) => {
                labels.push((requirement.key.clone(), borrowed(one)));
            }
            _ => expressions.push(expression(requirement)),
        }
        before = Some(&requirement.key);
    }
    Some(wire::LabelSelector {
        match_labels: Some(Pairs(labels)).filter(|pairs| !pairs.0.is_empty()),
        match_expressions: Some(expressions).filter(|expressions| !expressions.is_empty()),
        ..Default::default()
    })
}

fn expression(from: &Requirement) -> wire::Expression<'_> {
    wire::Expression {
        key: text(&from.key),
        operator: text(from.operator.as_str()),
        values: list(&from.values, |value| borrowed(value)),
        ..Default::default()
    }
}

fn template(from: &Template) -> wire::Template<'_> {
    let metadata = wire::TemplateMetadata { labels: labels(&from.labels), ..Default::default() };
    let spec = wire::TemplateSpec {
        service_account_name: text(&from.service_account),
        containers: list(&from.containers, container),
        topology_spread_constraints: from.spreads.then(|| vec![Present]),
        ..Default::default()
    };
    wire::Template { metadata: Some(metadata), spec: Some(spec), ..Default::default() }
}

fn container(from: &Container) -> wire::TemplateContainer<'_> {
    let limits = quantities(&from.limits);
    wire::TemplateContainer {
        name: text(&from.name),
        image: text(&from.image),
        resources: limits.map(|limits| wire::Resources { limits: Some(limits), ..Default::default() }),
        ..Default::default()
    }
}

fn workload_status(from: &Status) -> wire::WorkloadStatus<'_> {
    wire::WorkloadStatus {
        replicas: Some(from.replicas),
        fully_labeled_replicas: Some(from.fully_labeled),
        ready_replicas: Some(from.ready),
        available_replicas: Some(from.available),
        terminating_replicas: from.terminating,
        observed_generation: Some(from.observed_generation),
        conditions: list(&from.conditions, condition),
        ..Default::default()
    }
}

fn condition(from: &Condition) -> wire::Condition<'_> {
    wire::Condition {
        kind: text(&from.kind),
        status: text(&from.status),
        last_transition_time: time(from.since),
        reason: text(&from.reason),
        message: text(&from.message),
        ..Default::default()
    }
}

fn pod_spec(from: &Pod) -> wire::PodSpec<'_> {
    let image = |(name, image): &'_ (String, String)| wire::PodContainer {
        name: Some(Str(Cow::Owned(name.clone()))),
        image: Some(Str(Cow::Owned(image.clone()))),
        ..Default::default()
    };
    let sidecar =
        wire::PodContainer { name: text(SIDECAR), restart_policy: text("Always"), ..Default::default() };
    wire::PodSpec {
        node_name: text(&from.node),
        containers: list(&from.images, image),
        init_containers: (from.sidecar_restarts != 0).then(|| vec![sidecar]),
        ..Default::default()
    }
}

fn pod_status(from: &Pod) -> wire::PodStatus<'_> {
    let restarts = |name: &'static str, restarts: i64| {
        let status =
            wire::ContainerStatus { name: text(name), restart_count: Some(restarts), ..Default::default() };
        (restarts != 0).then(|| vec![status])
    };
    let ready = from.ready.map(|ready| vec![ready_condition(ready.is_true, ready.since)]);
    wire::PodStatus {
        phase: text(from.phase.as_str()),
        reason: text(&from.reason),
        conditions: ready,
        container_statuses: restarts("", from.restarts),
        init_container_statuses: restarts(SIDECAR, from.sidecar_restarts),
        ..Default::default()
    }
}

fn ready_condition(is_true: bool, since: Option<Timestamp>) -> wire::PodCondition<'static> {
    wire::PodCondition {
        kind: text("Ready"),
        status: text(if is_true { "True" } else { "False" }),
        last_transition_time: time(since),
        ..Default::default()
    }
}

fn event<'a>(object: &'a Object, from: &'a Event) -> wire::Event<'a> {
    let (api_version, kind) = said_of_itself(object);
    wire::Event {
        api_version,
        kind,
        metadata: Some(meta(&from.meta)),
        involved_object: Some(wire::Reference {
            kind: text(&from.about_kind),
            name: text(&from.about_name),
            uid: text(&from.about_uid),
            ..Default::default()
        }),
        reason: text(&from.reason),
        message: text(&from.message),
        source: Some(wire::EventSource { component: text(&from.component), ..Default::default() }),
        count: Some(from.count),
        first_timestamp: time(from.first),
        last_timestamp: time(from.last),
        ..Default::default()
    }
}

fn namespace(from: &Namespace) -> wire::NamespaceStatus<'_> {
    let phase = if from.terminating { "Terminating" } else { "Active" };
    wire::NamespaceStatus { phase: text(phase), ..Default::default() }
}

fn quota_spec(from: &Quota) -> wire::QuotaSpec<'_> {
    // Which scopes is not kept.
    wire::QuotaSpec { scope_selector: from.scoped.then_some(Present), ..Default::default() }
}

fn quota_status(from: &Quota) -> wire::QuotaStatus<'_> {
    wire::QuotaStatus { hard: quantities(&from.hard), used: quantities(&from.used), ..Default::default() }
}

fn lease(from: &Lease) -> wire::LeaseSpec<'_> {
    wire::LeaseSpec {
        holder_identity: text(&from.holder),
        lease_duration_seconds: Some(from.duration_seconds),
        acquire_time: time(from.acquired),
        renew_time: time(from.renewed),
        ..Default::default()
    }
}

fn limit_range(from: &LimitRange) -> wire::LimitRangeSpec<'_> {
    let limit =
        wire::Limit { kind: text("Container"), max: quantities(&from.container_max), ..Default::default() };
    wire::LimitRangeSpec { limits: Some(vec![limit]), ..Default::default() }
}

fn service(from: &Service) -> wire::ServiceSpec<'_> {
    wire::ServiceSpec { selector: labels(&from.selector), ..Default::default() }
}

fn node(from: &Node) -> wire::NodeStatus<'_> {
    let ready = ready_condition(from.ready, from.since);
    wire::NodeStatus { conditions: Some(vec![ready]), ..Default::default() }
}

fn borrowed(text: &str) -> Str<'_> {
    Str(Cow::Borrowed(text))
}

/// The text, absent where empty.
fn text(from: &str) -> Option<Str<'_>> {
    (!from.is_empty()).then_some(borrowed(from))
}

/// The elements, absent where there are none.
fn list<'a, T, W>(from: &'a [T], element: impl Fn(&'a T) -> W) -> Option<Vec<W>> {
    (!from.is_empty()).then(|| from.iter().map(element).collect())
}

fn labels(from: &Labels) -> Option<Pairs<Str<'_>>> {
    let pairs: Vec<_> = from.iter().map(|(key, value)| (key.to_owned(), borrowed(value))).collect();
    Some(Pairs(pairs)).filter(|pairs| !pairs.0.is_empty())
}

fn quantities(from: &[(String, String)]) -> Option<Pairs<Scalar<'_>>> {
    let pairs: Vec<_> =
        from.iter().map(|(key, value)| (key.clone(), Scalar(Cow::Borrowed(value.as_str())))).collect();
    Some(Pairs(pairs)).filter(|pairs| !pairs.0.is_empty())
}

fn time(from: Option<Timestamp>) -> Option<Str<'static>> {
    from.map(|at| Str(Cow::Owned(at.to_string())))
}

fn count(from: i32) -> Option<Count> {
    Some(Count::Int(i64::from(from)))
}
