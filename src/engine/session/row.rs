//! What a table shows of a ReplicaSet beside its report.

use jiff::{SignedDuration, Timestamp};

use super::Session;
use crate::engine::settings::Question as Asked;
use crate::objects::{Labels, Pod, ReplicaSet};
use crate::reconstruct::answer::Answer;
use crate::report::Report;
use crate::report::table::{ListRow, PodRow};

/// The word for a pod that is being deleted.
pub(super) const TERMINATING: &str = "Terminating";

/// See the module.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// status.replicas.
    pub(crate) current: Option<i32>,
    /// status.readyReplicas.
    pub(crate) ready: Option<i32>,
    /// Time since its creation.
    pub(crate) age: Option<SignedDuration>,
    pub(crate) pods: Vec<PodRow>,
    pub(crate) labels: Labels,
    /// When it was created.
    pub(crate) created: Option<Timestamp>,
    /// What it belongs to, as `deploy/web`.
    pub(crate) owner: Option<String>,
}

impl Row {
    /// The row of a table.
    pub(crate) fn beside<'a>(&self, report: &'a Report) -> ListRow<'a> {
        let Row { current, ready, age, pods, labels, owner, .. } = self.clone();
        ListRow { report, current, ready, age, pods, labels, owner, group: None }
    }
}

impl Session<'_> {
    pub(super) fn row(&self, answer: &Answer, now: Timestamp) -> Row {
        let Some(object) = &answer.object else { return Row::default() };
        let wants_pods = matches!(self.settings.question, Asked::List { pods: true });
        Row {
            current: Some(object.status.replicas),
            ready: Some(object.status.ready),
            age: object.meta.created.map(|created| now.duration_since(created)),
            pods: if wants_pods { self.pods(object, now) } else { Vec::new() },
            labels: object.meta.labels.clone(),
            created: object.meta.created,
            owner: object.meta.controller().map(|owner| match owner.kind.as_str() {
                "Deployment" => format!("deploy/{}", owner.name),
                kind => format!("{}/{}", kind.to_lowercase(), owner.name),
            }),
        }
    }

    fn pods(&self, object: &ReplicaSet, now: Timestamp) -> Vec<PodRow> {
        let own = |pod: &Pod| match pod.controller() {
            Some(owner) => owner.uid == object.meta.uid,
            None => object.selector.matches(&pod.meta.labels),
        };
        let row = |pod: &Pod| PodRow {
            name: pod.meta.name.clone(),
            ready: if pod.is_ready() { "yes" } else { "no" }.into(),
            status: pod_status(pod),
            restarts: pod.restarts,
            age: pod.meta.created.map(|created| now.duration_since(created)),
            node: Some(pod.node.clone()).filter(|node| !node.is_empty()),
            note: String::new(),
        };
        let cache = &self.reconstruction.view().cache;
        cache.pods_in(&object.meta.namespace).filter(|pod| own(pod)).map(|pod| row(pod)).collect()
    }
}

/// The word that kubectl shows for a pod, as far as the program reads pods.
fn pod_status(pod: &Pod) -> String {
    if pod.meta.deleted.is_some() {
        return TERMINATING.into();
    }
    if pod.reason.is_empty() { pod.phase.as_str().into() } else { pod.reason.clone() }
}
