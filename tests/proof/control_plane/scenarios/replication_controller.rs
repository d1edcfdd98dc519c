//! The same controller for ReplicationControllers: a queue, expectations and a client of its own, no stale cache guard.

use serde_json::json;

use super::Scenario;
use crate::control_plane::stage::Stage;

pub const FREEZING: &[Scenario] = &[Scenario {
    name: "replication-controller",
    mechanism: "ReplicationControllers",
    play: replication_controllers,
}];

fn replication_controllers(stage: &Stage) {
    for (name, replicas) in [("up", 2), ("down", 5), ("adopting", 2)] {
        create(stage, name, replicas);
    }
    for (name, replicas) in [("rc/up", 2), ("rc/down", 5), ("rc/adopting", 2)] {
        stage.settled(name, replicas);
    }
    stage.mark("settled", "rc/up", &["truth.gate=fulfilled"], &["verdict=settled", "active=2"]);
    let pods = stage.own("rc/down");
    stage.bind_all(&pods[..3], &["n1"]);
    stage.frozen(|| {
        stage.scale("rc/up", 6);
        stage.scale("rc/down", 3);
        stage.pod("stray", "adopting", None);
        let says = ["verdict=act", "plan.count=4", "object.kind=ReplicationController"];
        stage.mark("up", "rc/up", &["next.action=create", "next.count=4"], &says);
        let says = ["verdict=act", "plan.count=2", "plan.delete.certain.1.rule=Unassigned"];
        stage.mark_now("down", "rc/down", &["next.action=delete", "next.count=2"], &says);
        let really = ["next.adopted=[\"replication-controller/stray\"]", "next.action=delete"];
        let says = ["verdict=act", "plan.adopt=[\"stray\"]", "plan.count=1"];
        stage.mark_now("stray", "rc/adopting", &really, &says);
        stage.ask_live(&["rc/up", "rc/down"]);
    });
    for (name, replicas) in [("rc/up", 6), ("rc/down", 3), ("rc/adopting", 2)] {
        stage.settled(name, replicas);
    }
    stage.mark("done", "rc/up", &["truth.gate=fulfilled"], &["verdict=settled", "active=6"]);
}

fn create(stage: &Stage, name: &str, replicas: i64) {
    let path = format!("/api/v1/namespaces/{}/replicationcontrollers", stage.namespace);
    let labels = json!({"app": name});
    let template = json!({"metadata": {"labels": labels}, "spec": {"containers": [{"name": "main", "image": "example.org/none"}]}});
    let spec = json!({"replicas": replicas, "selector": labels, "template": template});
    stage.change("POST", &path, json!({"metadata": {"name": name}, "spec": spec}));
}
