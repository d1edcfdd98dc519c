//! Small objects for the tests of the model.

use std::sync::Arc;

use jiff::Timestamp;

use super::cache::Cache;
use crate::objects::pod::Ready;
use crate::objects::{
    Key, Labels, Operator, OwnerKind, OwnerReference, Phase, Pod, ReplicaSet, Requirement, Selector, Status,
    Template,
};

/// The instant of every test.
pub(crate) fn now() -> Timestamp {
    Timestamp::from_second(1_700_000_000).unwrap()
}

pub fn key() -> Key {
    Key::new("shop", "web")
}

pub(crate) fn labels(pairs: &[(&str, &str)]) -> Labels {
    pairs.iter().copied().collect()
}

/// `shop/web`, which selects `app=web`; its status agrees with `replicas` ready pods.
pub(crate) fn web(replicas: i32) -> ReplicaSet {
    let requirement = Requirement { key: "app".into(), operator: Operator::In, values: vec!["web".into()] };
    let mut web = ReplicaSet {
        kind: OwnerKind::ReplicaSet,
        meta: Default::default(),
        replicas,
        min_ready_seconds: 0,
        selector: Selector::All(vec![requirement]),
        template: Template { labels: labels(&[("app", "web")]), ..Template::default() },
        status: Status { observed_generation: 1, terminating: Some(0), ..Status::default() },
    };
    web.meta.namespace = "shop".into();
    web.meta.name = "web".into();
    web.meta.uid = "uid-web".into();
    web.meta.generation = 1;
    web.meta.resource_version = "1".into();
    web
}

pub(crate) fn reference(owner: &ReplicaSet) -> OwnerReference {
    OwnerReference {
        api_version: "apps/v1".into(),
        kind: owner.kind.as_str().into(),
        name: owner.meta.name.clone(),
        uid: owner.meta.uid.clone(),
        controller: true,
    }
}

/// A running, ready pod of `app=web` without a controller.
pub(crate) fn orphan(name: &str) -> Pod {
    let mut pod = Pod { node: "node-1".into(), phase: Phase::Running, ..Pod::default() };
    pod.meta.namespace = "shop".into();
    pod.meta.name = name.into();
    pod.meta.uid = format!("uid-{name}");
    pod.meta.resource_version = "1".into();
    pod.meta.labels = labels(&[("app", "web")]);
    pod.meta.created = Some(now());
    pod.ready = Some(Ready { is_true: true, since: Some(now()) });
    pod
}

/// The same, owned.
pub fn pod(name: &str, owner: &ReplicaSet) -> Pod {
    let mut pod = orphan(name);
    pod.meta.owners = vec![reference(owner)];
    pod
}

pub(crate) fn cache(replica_sets: &[&ReplicaSet], pods: Vec<Pod>) -> Cache {
    let mut cache = Cache::default();
    for replica_set in replica_sets {
        cache.put_replica_set(Arc::new((*replica_set).clone()));
    }
    for pod in pods {
        cache.put_pod(Arc::new(pod));
    }
    cache
}
