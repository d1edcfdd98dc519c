//! From the messages of the wire to the domain types, as `json` does it for JSON.

use jiff::Timestamp;

use super::wire::{self, Nothing, Whole};
use crate::objects::pod::Ready;
use crate::objects::rules::{self, ANNOTATIONS};
use crate::objects::{
    Condition, Container, Deployment, Event, Labels, Lease, LimitRange, Manager, Meta, Namespace, Node,
    OwnerKind, OwnerReference, Pod, Quota, ReplicaSet, Selector, Service, ServiceAccount, Status, Template,
};

/// What is wrong, beginning with the field.
type Checked<T> = Result<T, String>;

fn meta(from: Option<wire::Metadata>) -> Checked<Meta> {
    let from = from.ok_or("metadata is missing")?;
    if from.name.is_empty() {
        return Err("metadata.name is missing".to_owned());
    }
    let annotations = from.annotations.into_iter().filter(|pair| ANNOTATIONS.contains(&pair.key.as_str()));
    Ok(Meta {
        namespace: from.namespace,
        name: from.name,
        uid: from.uid,
        resource_version: from.resource_version,
        generation: from.generation,
        created: time("metadata.creationTimestamp", from.creation_timestamp)?,
        deleted: time("metadata.deletionTimestamp", from.deletion_timestamp)?,
        grace_seconds: from.deletion_grace_period_seconds,
        generate_name: Some(from.generate_name).filter(|prefix| !prefix.is_empty()),
        labels: labels(from.labels),
        annotations: annotations.map(|pair| (pair.key, pair.value)).collect(),
        owners: from.owner_references.into_iter().map(owner).collect(),
        finalizers: from.finalizers,
        managers: from.managed_fields.into_iter().map(manager).collect::<Checked<_>>()?,
    })
}

fn owner(from: wire::Owner) -> OwnerReference {
    let wire::Owner { kind, name, uid, api_version, controller } = from;
    OwnerReference { api_version, kind, name, uid, controller }
}

fn manager(from: wire::Manager) -> Checked<Manager> {
    let time = time("metadata.managedFields.time", from.time)?;
    Ok(Manager { name: from.manager, subresource: from.subresource, time })
}

pub fn replica_set(from: Whole<wire::ReplicaSetSpec, wire::WorkloadStatus>) -> Checked<ReplicaSet> {
    let meta = meta(from.metadata)?;
    let spec = from.spec.ok_or("spec is missing")?;
    Ok(ReplicaSet {
        kind: OwnerKind::ReplicaSet,
        meta,
        replicas: count("spec.replicas", spec.replicas.unwrap_or(1))?,
        min_ready_seconds: count("spec.minReadySeconds", spec.min_ready_seconds)?,
        selector: spec.selector.map(selector).ok_or("spec.selector is missing")?,
        template: template(spec.template),
        status: status(from.status)?,
    })
}

pub fn replication_controller(
    from: Whole<wire::ControllerSpec, wire::WorkloadStatus>,
) -> Checked<ReplicaSet> {
    let meta = meta(from.metadata)?;
    let spec = from.spec.ok_or("spec is missing")?;
    let template = template(spec.template);
    Ok(ReplicaSet {
        kind: OwnerKind::ReplicationController,
        meta,
        replicas: count("spec.replicas", spec.replicas.unwrap_or(1))?,
        min_ready_seconds: count("spec.minReadySeconds", spec.min_ready_seconds)?,
        selector: rules::controller_selector(&labels(spec.selector), &template),
        template,
        status: status(from.status)?,
    })
}

pub fn deployment(from: Whole<wire::DeploymentSpec, wire::DeploymentStatus>) -> Checked<Deployment> {
    let meta = meta(from.metadata)?;
    let spec = from.spec.ok_or("spec is missing")?;
    Ok(Deployment {
        meta,
        replicas: count("spec.replicas", spec.replicas.unwrap_or(1))?,
        selector: spec.selector.map_or(Selector::Nothing, selector),
        observed_generation: from.status.map_or(0, |s| s.observed_generation),
    })
}

pub fn pod(from: Whole<wire::PodSpec, wire::PodStatus>) -> Checked<Pod> {
    let meta = meta(from.metadata)?;
    let orphan = meta.controller().is_none();
    let mut pod = Pod { meta, ..Pod::default() };
    let mut sidecars = Vec::new();
    if let Some(spec) = from.spec {
        pod.node = spec.node_name;
        let always = spec.init_containers.into_iter().filter(|c| c.restart_policy == "Always");
        sidecars = always.map(|c| c.name).collect();
        if orphan {
            pod.images = spec.containers.into_iter().map(|c| (c.name, c.image)).collect();
        }
    }
    let Some(status) = from.status else { return Ok(pod) };
    pod.phase = rules::phase(&status.phase);
    pod.reason = status.reason;
    pod.ready = ready(status.conditions)?.map(|(is_true, since)| Ready { is_true, since });
    let restarts = |c: &wire::ContainerStatus| i64::from(c.restart_count);
    pod.restarts = status.container_statuses.iter().map(restarts).max().unwrap_or(0);
    let of_sidecars = status.init_container_statuses.iter().filter(|c| sidecars.contains(&c.name));
    pod.sidecar_restarts = of_sidecars.map(restarts).max().unwrap_or(0);
    Ok(pod)
}

pub fn event(from: wire::Event) -> Checked<Event> {
    let (series_count, series_last) = from.series.map_or((0, None), |s| (s.count, s.last_observed_time));
    let at = micro_time("eventTime", from.event_time)?;
    let first = time("firstTimestamp", from.first_timestamp)?;
    let last = time("lastTimestamp", from.last_timestamp)?;
    let series_last = micro_time("series.lastObservedTime", series_last)?;
    let about = from.involved_object.unwrap_or_default();
    let source = from.source.map(|s| s.component).unwrap_or_default();
    Ok(Event {
        meta: meta(from.metadata)?,
        about_kind: about.kind,
        about_name: about.name,
        about_uid: about.uid,
        reason: from.reason,
        message: from.message,
        component: if source.is_empty() { from.reporting_component } else { source },
        count: i64::from(from.count.max(series_count).max(1)),
        first: first.or(at),
        last: last.max(series_last).or(first).or(at),
    })
}

pub fn namespace(from: Whole<Nothing, wire::NamespaceStatus>) -> Checked<Namespace> {
    let meta = meta(from.metadata)?;
    let phase = from.status.map(|s| s.phase).unwrap_or_default();
    Ok(Namespace { terminating: meta.deleted.is_some() || phase == "Terminating", meta })
}

pub fn quota(from: Whole<wire::QuotaSpec, wire::QuotaStatus>) -> Checked<Quota> {
    let spec = from.spec.unwrap_or_default();
    let status = from.status.unwrap_or_default();
    Ok(Quota {
        meta: meta(from.metadata)?,
        scoped: spec.scope_selector.is_some() || !spec.scopes.is_empty(),
        hard: quantities(if status.hard.is_empty() { spec.hard } else { status.hard }),
        used: quantities(status.used),
    })
}

pub fn lease(from: Whole<wire::LeaseSpec, Nothing>) -> Checked<Lease> {
    let spec = from.spec.unwrap_or_default();
    Ok(Lease {
        meta: meta(from.metadata)?,
        holder: spec.holder_identity,
        duration_seconds: i64::from(spec.lease_duration_seconds),
        acquired: micro_time("spec.acquireTime", spec.acquire_time)?,
        renewed: micro_time("spec.renewTime", spec.renew_time)?,
    })
}

pub fn limit_range(from: Whole<wire::LimitRangeSpec, Nothing>) -> Checked<LimitRange> {
    let limits = from.spec.map(|s| s.limits).unwrap_or_default();
    let container = limits.into_iter().filter(|limit| limit.kind == "Container");
    Ok(LimitRange {
        meta: meta(from.metadata)?,
        container_max: container.flat_map(|limit| quantities(limit.max)).collect(),
    })
}

pub fn service_account(from: Whole<Nothing, Nothing>) -> Checked<ServiceAccount> {
    Ok(ServiceAccount { meta: meta(from.metadata)? })
}

pub fn service(from: Whole<wire::ServiceSpec, Nothing>) -> Checked<Service> {
    let selector = labels(from.spec.map(|s| s.selector).unwrap_or_default());
    Ok(Service { meta: meta(from.metadata)?, selector })
}

pub fn node(from: Whole<Nothing, wire::NodeStatus>) -> Checked<Node> {
    let found = ready(from.status.map(|s| s.conditions).unwrap_or_default())?;
    let (ready, since) = found.unwrap_or((false, None));
    Ok(Node { meta: meta(from.metadata)?, ready, since })
}

fn labels(from: Vec<wire::Pair>) -> Labels {
    from.into_iter().map(|pair| (pair.key, pair.value)).collect()
}

fn quantities(from: Vec<wire::QuantityPair>) -> Vec<(String, String)> {
    from.into_iter().map(|pair| (pair.key, pair.value.unwrap_or_default().text)).collect()
}

/// A time in whole seconds; an empty message is Go's zero time, which stands for none.
fn time(field: &str, from: Option<wire::Time>) -> Checked<Option<Timestamp>> {
    micro_time(field, from.map(|time| wire::Time { nanos: 0, ..time }))
}

/// A time in microseconds, as JSON has it too.
fn micro_time(field: &str, from: Option<wire::Time>) -> Checked<Option<Timestamp>> {
    let Some((seconds, nanos)) = from.and_then(|t| Some((t.seconds?, t.nanos))) else { return Ok(None) };
    let time = Timestamp::new(seconds, nanos / 1_000 * 1_000);
    time.map(Some).map_err(|_| format!("{field}: {seconds} s is out of range"))
}

fn count(field: &str, number: i32) -> Checked<i32> {
    rules::count(field, i64::from(number))
}

fn selector(from: wire::LabelSelector) -> Selector {
    let expressions = from.match_expressions.into_iter().map(|e| (e.key, e.operator, e.values));
    rules::selector(&labels(from.match_labels), expressions)
}

fn template(from: Option<wire::Template>) -> Template {
    let Some(from) = from else { return Template::default() };
    let labels = labels(from.metadata.map(|m| m.labels).unwrap_or_default());
    let Some(spec) = from.spec else { return Template { labels, ..Template::default() } };
    let container = |c: wire::TemplateContainer| Container {
        name: c.name,
        image: c.image,
        limits: quantities(c.resources.map(|r| r.limits).unwrap_or_default()),
    };
    let named = !spec.service_account_name.is_empty();
    Template {
        labels,
        service_account: if named { spec.service_account_name } else { spec.service_account },
        containers: spec.containers.into_iter().map(container).collect(),
        spreads: !spec.topology_spread_constraints.is_empty(),
    }
}

fn status(from: Option<wire::WorkloadStatus>) -> Checked<Status> {
    let Some(from) = from else { return Ok(Status::default()) };
    let condition = |c: wire::Condition| {
        let since = time("status.conditions.lastTransitionTime", c.last_transition_time)?;
        Ok(Condition { kind: c.kind, status: c.status, since, reason: c.reason, message: c.message })
    };
    Ok(Status {
        replicas: from.replicas,
        fully_labeled: from.fully_labeled_replicas,
        ready: from.ready_replicas,
        available: from.available_replicas,
        terminating: from.terminating_replicas,
        observed_generation: from.observed_generation,
        conditions: from.conditions.into_iter().map(condition).collect::<Checked<_>>()?,
    })
}

/// The first Ready condition: whether it is True, and since when it is what it is.
fn ready(from: Vec<wire::PodCondition>) -> Checked<Option<(bool, Option<Timestamp>)>> {
    let Some(found) = from.into_iter().find(|c| c.kind == "Ready") else { return Ok(None) };
    let since = time("status.conditions.lastTransitionTime", found.last_transition_time)?;
    Ok(Some((found.status == "True", since)))
}
