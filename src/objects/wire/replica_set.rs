//! ReplicaSets and ReplicationControllers, and the template of their pods.

use super::map::{self, Pair, QuantityPair};
use super::scalar::{Present, Time, in_range};
use super::selector::{self, LabelSelector};
use super::shape::{Whole, is_default, or_default, shape};
use super::{Error, meta};
use crate::objects::{Condition, Container, OwnerKind, ReplicaSet, Resource, Selector, Status, Template};

shape! {
    ReplicaSetSpec {
        count replicas = 1,
        count min_ready_seconds = 4,
        LabelSelector selector = 2,
        PodTemplate template = 3,
    }
}

shape! {
    ReplicationControllerSpec {
        count replicas = 1,
        count min_ready_seconds = 4,
        map Pair selector = 2,
        PodTemplate template = 3,
    }
}

shape! {
    /// The status of either.
    ReplicaSetStatus {
        optional int32 replicas = 1,
        optional int32 fully_labeled_replicas = 2,
        optional int32 ready_replicas = 4,
        optional int32 available_replicas = 5,
        optional int32 terminating_replicas = 7,
        optional int64 observed_generation = 3,
        repeated ReplicaSetCondition conditions = 6,
    }
}

shape! {
    ReplicaSetCondition {
        #[serde(rename = "type")]
        string kind = 1,
        string status = 2,
        Time last_transition_time = 3,
        string reason = 4,
        string message = 5,
    }
}

shape! {
    PodTemplate {
        PodTemplateMeta metadata = 1,
        PodTemplateSpec spec = 2,
    }
}

shape! {
    PodTemplateMeta {
        map Pair labels = 11,
    }
}

shape! {
    PodTemplateSpec {
        string service_account_name = 8,
        string service_account = 9,
        repeated TemplateContainer containers = 2,
        repeated Present topology_spread_constraints = 33,
    }
}

shape! {
    TemplateContainer {
        string name = 1,
        string image = 2,
        ContainerResources resources = 8,
    }
}

shape! {
    ContainerResources {
        map QuantityPair limits = 1,
    }
}

impl TryFrom<Whole<ReplicaSetSpec, ReplicaSetStatus>> for ReplicaSet {
    type Error = Error;

    fn try_from(from: Whole<ReplicaSetSpec, ReplicaSetStatus>) -> Result<ReplicaSet, Error> {
        let meta = meta::read(from.metadata)?;
        let spec = from.spec.ok_or(Error::Missing("spec"))?;
        let template = spec.template.map(Template::from).unwrap_or_default();
        let selector = match spec.selector {
            Some(given) => Selector::from(given),
            // The old versions default it.
            None if from.api_version.starts_with("extensions/") => selector::equals(&template.labels),
            None => return Err(Error::Missing("spec.selector")),
        };
        Ok(ReplicaSet {
            kind: OwnerKind::ReplicaSet,
            meta,
            replicas: in_range("spec.replicas", spec.replicas.unwrap_or(1))?,
            min_ready_seconds: in_range("spec.minReadySeconds", spec.min_ready_seconds.unwrap_or(0))?,
            selector,
            template,
            status: status(from.status)?,
        })
    }
}

impl TryFrom<Whole<ReplicationControllerSpec, ReplicaSetStatus>> for ReplicaSet {
    type Error = Error;

    fn try_from(from: Whole<ReplicationControllerSpec, ReplicaSetStatus>) -> Result<ReplicaSet, Error> {
        let meta = meta::read(from.metadata)?;
        let spec = from.spec.ok_or(Error::Missing("spec"))?;
        let template = spec.template.map(Template::from).unwrap_or_default();
        Ok(ReplicaSet {
            kind: OwnerKind::ReplicationController,
            meta,
            replicas: in_range("spec.replicas", spec.replicas.unwrap_or(1))?,
            min_ready_seconds: in_range("spec.minReadySeconds", spec.min_ready_seconds.unwrap_or(0))?,
            selector: selector::of_controller(spec.selector, &template),
            template,
            status: status(from.status)?,
        })
    }
}

fn status(from: Option<ReplicaSetStatus>) -> Result<Status, Error> {
    let Some(from) = from else { return Ok(Status::default()) };
    Ok(Status {
        replicas: from.replicas.unwrap_or(0),
        fully_labeled: from.fully_labeled_replicas.unwrap_or(0),
        ready: from.ready_replicas.unwrap_or(0),
        available: from.available_replicas.unwrap_or(0),
        terminating: from.terminating_replicas,
        observed_generation: from.observed_generation.unwrap_or(0),
        conditions: from.conditions.into_iter().map(Condition::try_from).collect::<Result<_, Error>>()?,
    })
}

impl TryFrom<ReplicaSetCondition> for Condition {
    type Error = Error;

    fn try_from(from: ReplicaSetCondition) -> Result<Condition, Error> {
        let ReplicaSetCondition { kind, status, last_transition_time, reason, message } = from;
        let since = Time::read("status.conditions.lastTransitionTime", last_transition_time)?;
        Ok(Condition { kind, status, since, reason, message })
    }
}

impl From<PodTemplate> for Template {
    fn from(from: PodTemplate) -> Template {
        let labels = map::labels(from.metadata.unwrap_or_default().labels);
        let spec = from.spec.unwrap_or_default();
        let named = !spec.service_account_name.is_empty();
        let container = |c: TemplateContainer| Container {
            name: c.name,
            image: c.image,
            limits: map::quantities(c.resources.unwrap_or_default().limits),
        };
        Template {
            labels,
            service_account: if named { spec.service_account_name } else { spec.service_account },
            containers: spec.containers.into_iter().map(container).collect(),
            spreads: !spec.topology_spread_constraints.is_empty(),
        }
    }
}

impl From<&ReplicaSet> for Whole<ReplicaSetSpec, ReplicaSetStatus> {
    fn from(from: &ReplicaSet) -> Self {
        let spec = ReplicaSetSpec {
            replicas: Some(from.replicas.into()),
            min_ready_seconds: unless_zero(from.min_ready_seconds),
            selector: selector::write(&from.selector),
            template: Some(PodTemplate::from(&from.template)),
        };
        Whole::new(Resource::ReplicaSets, &from.meta, Some(spec), Some(ReplicaSetStatus::from(&from.status)))
    }
}

impl From<&ReplicaSet> for Whole<ReplicationControllerSpec, ReplicaSetStatus> {
    fn from(from: &ReplicaSet) -> Self {
        let requirements = from.selector.requirements();
        let spec = ReplicationControllerSpec {
            replicas: Some(from.replicas.into()),
            min_ready_seconds: unless_zero(from.min_ready_seconds),
            selector: requirements
                .iter()
                .map(|r| Pair { key: r.key.clone(), value: r.values.concat() })
                .collect(),
            template: Some(PodTemplate::from(&from.template)),
        };
        let status = ReplicaSetStatus::from(&from.status);
        Whole::new(Resource::ReplicationControllers, &from.meta, Some(spec), Some(status))
    }
}

fn unless_zero(number: i32) -> Option<i64> {
    (number != 0).then_some(number.into())
}

impl From<&Status> for ReplicaSetStatus {
    fn from(from: &Status) -> ReplicaSetStatus {
        ReplicaSetStatus {
            replicas: Some(from.replicas),
            fully_labeled_replicas: Some(from.fully_labeled),
            ready_replicas: Some(from.ready),
            available_replicas: Some(from.available),
            terminating_replicas: from.terminating,
            observed_generation: Some(from.observed_generation),
            conditions: from.conditions.iter().map(ReplicaSetCondition::from).collect(),
        }
    }
}

impl From<&Condition> for ReplicaSetCondition {
    fn from(from: &Condition) -> ReplicaSetCondition {
        let Condition { kind, status, since, reason, message } = from.clone();
        ReplicaSetCondition { kind, status, last_transition_time: since.map(Time::from), reason, message }
    }
}

impl From<&Template> for PodTemplate {
    fn from(from: &Template) -> PodTemplate {
        let container = |c: &Container| TemplateContainer {
            name: c.name.clone(),
            image: c.image.clone(),
            resources: (!c.limits.is_empty())
                .then(|| ContainerResources { limits: map::write_quantities(&c.limits) }),
        };
        PodTemplate {
            metadata: Some(PodTemplateMeta { labels: map::write_labels(&from.labels) }),
            spec: Some(PodTemplateSpec {
                service_account_name: from.service_account.clone(),
                service_account: String::new(),
                containers: from.containers.iter().map(container).collect(),
                topology_spread_constraints: if from.spreads { vec![Present {}] } else { Vec::new() },
            }),
        }
    }
}
