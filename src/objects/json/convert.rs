//! From the shapes of the wire to the domain types: defaults, ranges and times are checked here.

use jiff::Timestamp;

use super::wire::{self, Count, Pairs, Present, Scalar, Str, Whole, WorkloadSpec};
use crate::objects::pod::Ready;
use crate::objects::rules;
use crate::objects::{
    Condition, Container, Deployment, Event, Labels, Lease, LimitRange, Manager, Meta, Namespace, Node,
    OwnerKind, OwnerReference, Pod, Quota, ReplicaSet, Selector, Service, ServiceAccount, Status, Template,
};

/// What is wrong, beginning with the field.
type Checked<T> = Result<T, String>;

pub fn meta(from: Option<wire::Metadata<'_>>) -> Checked<Meta> {
    let from = from.ok_or("metadata is missing")?;
    let name = text(from.name);
    if name.is_empty() {
        return Err("metadata.name is missing".to_owned());
    }
    Ok(Meta {
        namespace: text(from.namespace),
        name,
        uid: text(from.uid),
        resource_version: text(from.resource_version),
        generation: from.generation.unwrap_or(0),
        created: time("metadata.creationTimestamp", from.creation_timestamp)?,
        deleted: time("metadata.deletionTimestamp", from.deletion_timestamp)?,
        grace_seconds: from.deletion_grace_period_seconds,
        generate_name: from.generate_name.map(|s| s.0.into_owned()).filter(|s| !s.is_empty()),
        labels: labels(from.labels),
        annotations: from
            .annotations
            .map(|a| a.0.into_iter().map(|(k, v)| (k, v.0)).collect())
            .unwrap_or_default(),
        owners: list(from.owner_references).map(owner).collect(),
        finalizers: list(from.finalizers).map(|s| s.0.into_owned()).collect(),
        managers: list(from.managed_fields).map(manager).collect::<Checked<_>>()?,
    })
}

pub fn replica_set(
    from: Whole<'_, WorkloadSpec<'_, wire::LabelSelector<'_>>, wire::WorkloadStatus<'_>>,
) -> Checked<ReplicaSet> {
    let defaulted = from.api_version.as_ref().is_some_and(|v| v.0.starts_with("extensions/"));
    let meta = meta(from.metadata)?;
    let spec = from.spec.ok_or("spec is missing")?;
    let template = template(spec.template);
    let selector = match spec.selector {
        Some(given) => selector(given),
        None if defaulted => rules::equals(&template.labels),
        None => return Err("spec.selector is missing".to_owned()),
    };
    Ok(ReplicaSet {
        kind: OwnerKind::ReplicaSet,
        meta,
        replicas: count("spec.replicas", spec.replicas, 1)?,
        min_ready_seconds: count("spec.minReadySeconds", spec.min_ready_seconds, 0)?,
        selector,
        template,
        status: status(from.status)?,
    })
}

pub fn replication_controller(
    from: Whole<'_, WorkloadSpec<'_, Pairs<Str<'_>>>, wire::WorkloadStatus<'_>>,
) -> Checked<ReplicaSet> {
    let meta = meta(from.metadata)?;
    let spec = from.spec.ok_or("spec is missing")?;
    let template = template(spec.template);
    Ok(ReplicaSet {
        kind: OwnerKind::ReplicationController,
        meta,
        replicas: count("spec.replicas", spec.replicas, 1)?,
        min_ready_seconds: count("spec.minReadySeconds", spec.min_ready_seconds, 0)?,
        selector: rules::controller_selector(&labels(spec.selector), &template),
        template,
        status: status(from.status)?,
    })
}

pub fn deployment(
    from: Whole<'_, WorkloadSpec<'_, wire::LabelSelector<'_>>, wire::WorkloadStatus<'_>>,
) -> Checked<Deployment> {
    let meta = meta(from.metadata)?;
    let spec = from.spec.ok_or("spec is missing")?;
    Ok(Deployment {
        meta,
        replicas: count("spec.replicas", spec.replicas, 1)?,
        selector: spec.selector.map_or(Selector::Nothing, selector),
        observed_generation: from.status.and_then(|s| s.observed_generation).unwrap_or(0),
    })
}

pub fn pod(from: Whole<'_, wire::PodSpec<'_>, wire::PodStatus<'_>>) -> Checked<Pod> {
    let meta = meta(from.metadata)?;
    let orphan = meta.controller().is_none();
    let mut pod = Pod { meta, ..Pod::default() };
    let mut sidecars = Vec::new();
    if let Some(spec) = from.spec {
        pod.node = text(spec.node_name);
        let always = |c: &wire::PodContainer<'_>| c.restart_policy.as_ref().is_some_and(|p| p.0 == "Always");
        sidecars = list(spec.init_containers).filter(always).filter_map(|c| c.name).collect();
        if orphan {
            pod.images = list(spec.containers).map(|c| (text(c.name), text(c.image))).collect();
        }
    }
    let Some(status) = from.status else { return Ok(pod) };
    pod.phase = rules::phase(&text(status.phase));
    pod.reason = text(status.reason);
    pod.ready = ready(status.conditions)?.map(|(is_true, since)| Ready { is_true, since });
    let restarts = |c: wire::ContainerStatus<'_>| c.restart_count.unwrap_or(0);
    pod.restarts = list(status.container_statuses).map(restarts).max().unwrap_or(0);
    let sidecar = |c: &wire::ContainerStatus<'_>| c.name.as_ref().is_some_and(|n| sidecars.contains(n));
    pod.sidecar_restarts =
        list(status.init_container_statuses).filter(sidecar).map(restarts).max().unwrap_or(0);
    Ok(pod)
}

pub fn event(from: wire::Event<'_>) -> Checked<Event> {
    let (series_count, series_last) = from.series.map_or((None, None), |s| (s.count, s.last_observed_time));
    let at = time("eventTime", from.event_time)?;
    let first = time("firstTimestamp", from.first_timestamp)?;
    let last = time("lastTimestamp", from.last_timestamp)?;
    let series_last = time("series.lastObservedTime", series_last)?;
    let about = from.involved_object;
    let (kind, name, uid) = about.map_or((None, None, None), |a| (a.kind, a.name, a.uid));
    let source = text(from.source.and_then(|s| s.component));
    Ok(Event {
        meta: meta(from.metadata)?,
        about_kind: text(kind),
        about_name: text(name),
        about_uid: text(uid),
        reason: text(from.reason),
        message: text(from.message),
        component: if source.is_empty() { text(from.reporting_component) } else { source },
        count: from.count.max(series_count).unwrap_or(1).max(1),
        first: first.or(at),
        last: last.max(series_last).or(first).or(at),
    })
}

pub fn namespace(from: Whole<'_, Present, wire::NamespaceStatus<'_>>) -> Checked<Namespace> {
    let meta = meta(from.metadata)?;
    let phase = text(from.status.and_then(|s| s.phase));
    Ok(Namespace { terminating: meta.deleted.is_some() || phase == "Terminating", meta })
}

pub fn quota(from: Whole<'_, wire::QuotaSpec<'_>, wire::QuotaStatus<'_>>) -> Checked<Quota> {
    let (spec_hard, scoped) = from.spec.map_or((None, false), |s| {
        (s.hard, s.scope_selector.is_some() || s.scopes.is_some_and(|scopes| !scopes.is_empty()))
    });
    let (hard, used) = from.status.map_or((None, None), |s| (s.hard, s.used));
    Ok(Quota {
        meta: meta(from.metadata)?,
        hard: quantities(hard.filter(|h| !h.0.is_empty()).or(spec_hard)),
        used: quantities(used),
        scoped,
    })
}

pub fn lease(from: Whole<'_, wire::LeaseSpec<'_>, Present>) -> Checked<Lease> {
    let meta = meta(from.metadata)?;
    let Some(spec) = from.spec else { return Ok(Lease { meta, ..Lease::default() }) };
    Ok(Lease {
        meta,
        holder: text(spec.holder_identity),
        duration_seconds: spec.lease_duration_seconds.unwrap_or(0),
        acquired: time("spec.acquireTime", spec.acquire_time)?,
        renewed: time("spec.renewTime", spec.renew_time)?,
    })
}

pub fn limit_range(from: Whole<'_, wire::LimitRangeSpec<'_>, Present>) -> Checked<LimitRange> {
    let limits = list(from.spec.and_then(|s| s.limits));
    let container = limits.filter(|l| l.kind.as_ref().is_some_and(|k| k.0 == "Container"));
    Ok(LimitRange {
        meta: meta(from.metadata)?,
        container_max: container.flat_map(|l| quantities(l.max)).collect(),
    })
}

pub fn service_account(from: Whole<'_, Present, Present>) -> Checked<ServiceAccount> {
    Ok(ServiceAccount { meta: meta(from.metadata)? })
}

pub fn service(from: Whole<'_, wire::ServiceSpec<'_>, Present>) -> Checked<Service> {
    Ok(Service { meta: meta(from.metadata)?, selector: labels(from.spec.and_then(|s| s.selector)) })
}

pub fn node(from: Whole<'_, Present, wire::NodeStatus<'_>>) -> Checked<Node> {
    let ready = ready(from.status.and_then(|s| s.conditions))?;
    let (ready, since) = ready.unwrap_or((false, None));
    Ok(Node { meta: meta(from.metadata)?, ready, since })
}

/// The text, empty where absent.
fn text(from: Option<Str<'_>>) -> String {
    from.map(|s| s.0.into_owned()).unwrap_or_default()
}

/// The elements, none where the list is absent.
fn list<T>(from: Option<Vec<T>>) -> std::vec::IntoIter<T> {
    from.unwrap_or_default().into_iter()
}

fn labels(from: Option<Pairs<Str<'_>>>) -> Labels {
    from.map(|pairs| pairs.0.into_iter().map(|(k, v)| (k, v.0)).collect()).unwrap_or_default()
}

fn quantities(from: Option<Pairs<Scalar<'_>>>) -> Vec<(String, String)> {
    from.map(|pairs| pairs.0.into_iter().map(|(k, v)| (k, v.0.into_owned())).collect()).unwrap_or_default()
}

fn time(field: &str, from: Option<Str<'_>>) -> Checked<Option<Timestamp>> {
    let Some(Str(text)) = from else { return Ok(None) };
    text.parse().map(Some).map_err(|_| format!("{field}: {text:?} is not a time of RFC 3339"))
}

/// A number of pods or seconds: 0 to 2^31 - 1, as the API's validation has it.
fn count(field: &str, from: Option<Count>, default: i32) -> Checked<i32> {
    match from {
        None => Ok(default),
        Some(Count::Int(number)) => rules::count(field, number),
        Some(Count::Other(found)) => Err(format!("{field}: {found} is not a whole number")),
    }
}

fn owner(from: wire::Owner<'_>) -> OwnerReference {
    OwnerReference {
        api_version: text(from.api_version),
        kind: text(from.kind),
        name: text(from.name),
        uid: text(from.uid),
        controller: from.controller.unwrap_or(false),
    }
}

fn manager(from: wire::Manager<'_>) -> Checked<Manager> {
    Ok(Manager {
        name: text(from.manager),
        subresource: text(from.subresource),
        time: time("metadata.managedFields.time", from.time)?,
    })
}

fn selector(from: wire::LabelSelector<'_>) -> Selector {
    let expressions = list(from.match_expressions).map(|e| {
        let values = list(e.values).map(|s| s.0.into_owned()).collect();
        (text(e.key), text(e.operator), values)
    });
    rules::selector(&labels(from.match_labels), expressions)
}

fn template(from: Option<wire::Template<'_>>) -> Template {
    let Some(from) = from else { return Template::default() };
    let labels = labels(from.metadata.and_then(|m| m.labels));
    let Some(spec) = from.spec else { return Template { labels, ..Template::default() } };
    let container = |c: wire::TemplateContainer<'_>| Container {
        name: text(c.name),
        image: text(c.image),
        limits: quantities(c.resources.and_then(|r| r.limits)),
    };
    Template {
        labels,
        service_account: text(spec.service_account_name.or(spec.service_account)),
        containers: list(spec.containers).map(container).collect(),
        spreads: spec.topology_spread_constraints.is_some_and(|c| !c.is_empty()),
    }
}

fn status(from: Option<wire::WorkloadStatus<'_>>) -> Checked<Status> {
    let Some(from) = from else { return Ok(Status::default()) };
    let condition = |c: wire::Condition<'_>| {
        Ok(Condition {
            kind: text(c.kind),
            status: text(c.status),
            since: time("status.conditions.lastTransitionTime", c.last_transition_time)?,
            reason: text(c.reason),
            message: text(c.message),
        })
    };
    Ok(Status {
        replicas: from.replicas.unwrap_or(0),
        fully_labeled: from.fully_labeled_replicas.unwrap_or(0),
        ready: from.ready_replicas.unwrap_or(0),
        available: from.available_replicas.unwrap_or(0),
        terminating: from.terminating_replicas,
        observed_generation: from.observed_generation.unwrap_or(0),
        conditions: list(from.conditions).map(condition).collect::<Checked<_>>()?,
    })
}

/// The first Ready condition: whether it is True, and since when it is what it is.
fn ready(from: Option<Vec<wire::PodCondition<'_>>>) -> Checked<Option<(bool, Option<Timestamp>)>> {
    let is_ready = |c: &wire::PodCondition<'_>| c.kind.as_ref().is_some_and(|k| k.0 == "Ready");
    let Some(found) = list(from).find(is_ready) else { return Ok(None) };
    let since = time("status.conditions.lastTransitionTime", found.last_transition_time)?;
    Ok(Some((found.status.is_some_and(|s| s.0 == "True"), since)))
}
