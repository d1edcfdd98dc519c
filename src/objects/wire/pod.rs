//! Pods.

use jiff::Timestamp;

use super::scalar::Time;
use super::shape::{Whole, is_default, or_default, shape};
use super::{Error, meta};
use crate::objects::pod::Ready;
use crate::objects::{Phase, Pod, Resource};

/// A sidecar has no name of its own: only the restarts of all are kept.
const SIDECAR: &str = "sidecar";

shape! {
    PodSpec {
        string node_name = 10,
        repeated PodContainer containers = 2,
        repeated PodContainer init_containers = 20,
    }
}

shape! {
    /// A container of a pod. Pods are many: less of it is read than of one in a template.
    PodContainer {
        string name = 1,
        string image = 2,
        string restart_policy = 24,
    }
}

shape! {
    PodStatus {
        string phase = 1,
        string reason = 4,
        repeated PodCondition conditions = 2,
        repeated ContainerStatus container_statuses = 8,
        repeated ContainerStatus init_container_statuses = 10,
    }
}

shape! {
    /// A condition of a pod or of a node.
    PodCondition {
        #[serde(rename = "type")]
        string kind = 1,
        string status = 2,
        Time last_transition_time = 4,
    }
}

shape! {
    ContainerStatus {
        string name = 1,
        int64 restart_count = 5,
    }
}

impl TryFrom<Whole<PodSpec, PodStatus>> for Pod {
    type Error = Error;

    fn try_from(from: Whole<PodSpec, PodStatus>) -> Result<Pod, Error> {
        let meta = meta::read(from.metadata)?;
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
        pod.phase = phase(&status.phase);
        pod.reason = status.reason;
        pod.ready = ready(status.conditions)?;
        let most = |of: &mut dyn Iterator<Item = &ContainerStatus>| of.map(|c| c.restart_count).max();
        pod.restarts = most(&mut status.container_statuses.iter()).unwrap_or(0);
        let mut of_sidecars = status.init_container_statuses.iter().filter(|c| sidecars.contains(&c.name));
        pod.sidecar_restarts = most(&mut of_sidecars).unwrap_or(0);
        Ok(pod)
    }
}

impl From<&Pod> for Whole<PodSpec, PodStatus> {
    fn from(from: &Pod) -> Self {
        let image = |(name, image): &(String, String)| PodContainer {
            name: name.clone(),
            image: image.clone(),
            ..PodContainer::default()
        };
        let sidecar = || PodContainer {
            name: SIDECAR.to_owned(),
            restart_policy: "Always".to_owned(),
            ..PodContainer::default()
        };
        let restarts = |name: &str, restart_count: i64| {
            if restart_count == 0 {
                return Vec::new();
            }
            vec![ContainerStatus { name: name.to_owned(), restart_count }]
        };
        let spec = PodSpec {
            node_name: from.node.clone(),
            containers: from.images.iter().map(image).collect(),
            init_containers: if from.sidecar_restarts == 0 { Vec::new() } else { vec![sidecar()] },
        };
        let status = PodStatus {
            phase: from.phase.as_str().to_owned(),
            reason: from.reason.clone(),
            conditions: from.ready.map(write_ready).into_iter().collect(),
            container_statuses: restarts("", from.restarts),
            init_container_statuses: restarts(SIDECAR, from.sidecar_restarts),
        };
        Whole::new(Resource::Pods, &from.meta, Some(spec), Some(status))
    }
}

fn phase(word: &str) -> Phase {
    match word {
        "" | "Pending" => Phase::Pending,
        "Running" => Phase::Running,
        "Succeeded" => Phase::Succeeded,
        "Failed" => Phase::Failed,
        "Unknown" => Phase::Unknown,
        _ => Phase::Other,
    }
}

/// The first Ready condition: whether it is True, and since when it is what it is.
pub(crate) fn ready(from: Vec<PodCondition>) -> Result<Option<Ready>, Error> {
    let Some(found) = from.into_iter().find(|c| c.kind == "Ready") else { return Ok(None) };
    let since: Option<Timestamp> =
        Time::read("status.conditions.lastTransitionTime", found.last_transition_time)?;
    Ok(Some(Ready { is_true: found.status == "True", since }))
}

pub(crate) fn write_ready(from: Ready) -> PodCondition {
    PodCondition {
        kind: "Ready".to_owned(),
        status: if from.is_true { "True" } else { "False" }.to_owned(),
        last_transition_time: from.since.map(Time::from),
    }
}
