//! Pods as a run needs them: what scheduler, kubelet and user do with all pods of a ReplicaSet at once.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::control_plane::api::Request;
use crate::control_plane::stage::{Stage, wait};
use crate::control_plane::truth::Truth;

/// A finalizer of nobody: it holds an object until somebody takes it off.
pub const HOLD: &str = "example.org/hold";

impl Stage<'_> {
    /// Binds pods to nodes in turn.
    pub fn bind_all(&self, pods: &[String], nodes: &[&str]) {
        let bind = |(pod, node): (&String, &&str)| {
            let target = json!({"apiVersion": "v1", "kind": "Node", "name": node});
            let body =
                json!({"apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod}, "target": target});
            Request::new("POST", format!("{}/binding", self.pod_path(pod)), body)
        };
        let requests: Vec<Request> = pods.iter().zip(nodes.iter().cycle()).map(bind).collect();
        self.all(&requests, false);
    }

    /// Patches the status of pods, of each in its own way.
    pub fn status_all<'s>(&self, statuses: impl IntoIterator<Item = (&'s String, Value)>) {
        let patch = |(pod, status): (&String, Value)| {
            Request::new("PATCH", format!("{}/status", self.pod_path(pod)), json!({"status": status}))
        };
        let requests: Vec<Request> = statuses.into_iter().map(patch).collect();
        self.all(&requests, false);
    }

    /// Waits for so many pods of a ReplicaSet, binds them to nodes in turn and gives all the same status.
    pub fn staff(&self, name: &str, count: usize, nodes: &[&str], status: &Value) -> Vec<String> {
        self.has(name, count);
        let pods = self.own(name);
        self.bind_all(&pods, nodes);
        self.status_all(pods.iter().map(|pod| (pod, status.clone())));
        pods
    }

    /// Waits until the status of a ReplicaSet says this of a count.
    pub fn counts(&self, name: &str, field: &str, count: i64) {
        wait(&format!("{} has {field} {count}", self.key(name)), || self.get(name)["status"][field] == count);
    }

    /// Puts finalizers onto a pod, or takes all off.
    pub fn hold_pod(&self, pod: &str, finalizers: &[&str]) {
        self.patch_pod(pod, json!({"metadata": {"finalizers": finalizers}}));
    }

    /// The pods that terminate.
    pub fn terminating(&self) -> Vec<String> {
        let mut pods = self.api.list(&format!("/api/v1/namespaces/{}/pods", self.namespace));
        pods.retain(|pod| pod["metadata"]["deletionTimestamp"].is_string());
        pods.iter().map(|pod| pod["metadata"]["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Waits until a sync that began since then has ended, also one that nothing else shows.
    pub fn synced(&self, name: &str, since: Timestamp) {
        wait(&format!("{} is synced", self.key(name)), || {
            self.rest(250);
            let truth = Truth::of(self.plane.truths());
            let history = truth.of.get(&self.key(name));
            history.is_some_and(|history| history.syncs.iter().any(|sync| sync.from > since))
        });
    }
}
