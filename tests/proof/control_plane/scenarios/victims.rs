//! Which pods a scale-down takes: each rule of the choice with a ReplicaSet of its own, and nodes that are doubled up
//! during the rollout of a Deployment.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::Scenario;
use crate::control_plane::pods::HOLD;
use crate::control_plane::stage::{Stage, merge, ready, wait};

pub const FREEZING: &[Scenario] = &[
    Scenario { name: "victims-state", mechanism: "scale-down choice: rules 1 to 4, all", play: state },
    Scenario { name: "victims-age", mechanism: "scale-down choice: rules 6 to 8, ties", play: age },
    Scenario { name: "victims-rank", mechanism: "scale-down choice: rule 5, related pods", play: rank },
    Scenario {
        name: "rollout",
        mechanism: "scale-down choice: doubled-up nodes in a rollout",
        play: rollout,
    },
];

/// More than a bucket of age away from its neighbours, and far from the edge of its own for minutes.
const LONG: i64 = 800;

/// Rules that look at a pod's state.
fn state(stage: &Stage) {
    let same = ready(LONG);
    let running = json!({"phase": "Running"});
    for name in ["unassigned", "phase", "not-ready", "cost"] {
        stage.replica_set(name, 3);
    }
    stage.replica_set("all", 2);
    stage.has("unassigned", 3);
    let pods = stage.own("unassigned");
    stage.bind_all(&pods[..1], &["n1"]);
    stage.has("phase", 3);
    let pods = stage.own("phase");
    stage.bind_all(&pods, &["n1", "n2"]);
    stage.status_all(pods[1..].iter().map(|pod| (pod, running.clone())));
    let pods = stage.staff("not-ready", 3, &["n1", "n2"], &same);
    stage.status_all([(&pods[1], json!({"conditions": [{"type": "Ready", "status": "False"}]}))]);
    let pods = stage.staff("cost", 3, &["n1", "n2"], &same);
    for (pod, cost) in pods.iter().zip(["10", "-5", "-07"]) {
        stage.patch_pod(pod, costs(cost));
    }
    stage.staff("all", 2, &["n1", "n2"], &same);
    stage.frozen(|| {
        let first = |rule: &str| format!("plan.delete.certain.0.rule={rule}");
        let scales = [
            ("unassigned", 1, "next.count=2", first("Unassigned")),
            ("phase", 2, "next.count=1", first("Phase")),
            ("not-ready", 2, "next.count=1", first("NotReady")),
            ("cost", 1, "next.count=2", first("DeletionCost")),
            ("all", 0, "next.count=2", first("All")),
        ];
        taken(stage, &scales);
        stage.ask_live(&["cost", "all"]);
    });
    for (name, left) in [("unassigned", 1), ("phase", 2), ("not-ready", 2), ("cost", 1), ("all", 0)] {
        stage.settled(name, left);
    }
    stage.mark("zero", "all", &["truth.gate=fulfilled"], &["verdict=settled", "active=0"]);
}

/// Rules that look at times.
fn age(stage: &Stage) {
    stage.replica_set("created", 1);
    stage.has("created", 1);
    let created = Timestamp::now();
    for name in ["ready-time", "uid", "restarts"] {
        stage.replica_set(name, 3);
    }
    let sidecar = json!([{"name": "side", "image": "example.org/none", "restartPolicy": "Always"}]);
    stage.replica_set_but("sidecar", 3, json!({"template": {"spec": {"initContainers": sidecar}}}));
    at_once(stage, "tie", 3);
    let pods = stage.staff("ready-time", 3, &["n1"], &json!({}));
    stage.status_all(pods.iter().zip([ready(LONG), ready(LONG / 8), ready(LONG * 8)]));
    let pods = stage.staff("uid", 3, &["n1"], &json!({}));
    stage.status_all(pods.iter().zip([ready(LONG), ready(LONG + 40), ready(LONG - 40)]));
    let same = ready(LONG);
    let pods = stage.staff("restarts", 3, &["n1"], &same);
    stage.status_all([(&pods[2], restarts(&same, "containerStatuses", 4))]);
    let pods = stage.staff("sidecar", 3, &["n1"], &same);
    stage.status_all([(&pods[1], restarts(&same, "initContainerStatuses", 1))]);
    // The one is nine seconds older, and stays in another bucket than the other while the freeze lasts.
    wait("the first pod is of age", || Timestamp::now().duration_since(created).as_secs() >= 9);
    stage.scale("created", 2);
    stage.settled("created", 2);
    stage.frozen(|| {
        let fate = |fate: &str, rule: &str| format!("plan.delete.{fate}.0.rule={rule}");
        let scales = [
            ("created", 1, "next.count=1", fate("certain", "CreationTime")),
            ("ready-time", 2, "next.count=1", fate("certain", "ReadyTime")),
            ("uid", 1, "next.count=2", fate("certain", "Uid")),
            ("restarts", 2, "next.count=1", fate("certain", "Restarts")),
            ("sidecar", 2, "next.count=1", fate("certain", "Restarts")),
            ("tie", 1, "next.count=2", fate("possible", "Tie")),
        ];
        taken(stage, &scales);
        stage.ask_live(&["ready-time", "tie"]);
    });
    for (name, left) in
        [("created", 1), ("ready-time", 2), ("uid", 1), ("restarts", 2), ("sidecar", 2), ("tie", 1)]
    {
        stage.settled(name, left);
    }
}

/// Two ReplicaSets of one controller, and one without a controller, which has no related pods.
fn rank(stage: &Stage) {
    let same = ready(LONG);
    let owner = format!("/api/v1/namespaces/{}/configmaps", stage.namespace);
    let owner = stage.change("POST", &owner, json!({"metadata": {"name": "owner"}}));
    let reference = json!({"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["metadata"]["uid"], "controller": true});
    for (name, count) in [("old", 3), ("new", 2), ("lone", 3)] {
        stage.replica_set(name, count);
    }
    for name in ["old", "new"] {
        stage.patch(name, json!({"metadata": {"ownerReferences": [reference]}}));
    }
    stage.staff("old", 3, &["n1", "n2", "n3"], &same);
    stage.staff("new", 2, &["n2"], &same);
    let lone = stage.staff("lone", 3, &["n1", "n2", "n2"], &same);
    stage.patch_pod(&lone[0], costs("-1"));
    stage.frozen(|| {
        let rule = |rule: &str| format!("plan.delete.certain.0.rule={rule}");
        let scales =
            [("old", 2, "next.count=1", rule("Rank")), ("lone", 2, "next.count=1", rule("DeletionCost"))];
        taken(stage, &scales);
        stage.ask_live(&["old", "lone"]);
    });
    stage.settled("old", 2);
    stage.settled("lone", 2);
}

/// A Deployment that is being deleted rolls no further: so its old ReplicaSet can be scaled by hand.
fn rollout(stage: &Stage) {
    let path = format!("/apis/apps/v1/namespaces/{}/deployments", stage.namespace);
    let mut deployment = crate::control_plane::stage::replica_set("web", 4, &json!({}));
    let strategy = json!({"rollingUpdate": {"maxSurge": 2, "maxUnavailable": 1}});
    merge(&mut deployment, &json!({"kind": "Deployment", "spec": {"strategy": strategy}}));
    stage.change("POST", &path, deployment);
    let sets = || replica_sets(stage);
    wait("the Deployment has a ReplicaSet", || sets().len() == 1);
    let old = sets().remove(0);
    let same = ready(LONG);
    stage.staff(&old, 4, &["n1", "n2", "n3", "n4"], &same);
    stage.counts(&old, "availableReplicas", 4);
    stage.mark("before", &old, &["truth.gate=fulfilled"], &["verdict=settled", "active=4"]);
    let web = format!("{path}/web");
    let hold = json!({"metadata": {"finalizers": [HOLD]}});
    stage.change("PATCH", &web, hold);
    let other = json!([{"name": "main", "image": "example.org/other"}]);
    stage.change("PATCH", &web, json!({"spec": {"template": {"spec": {"containers": other}}}}));
    wait("the rollout began", || sets().len() == 2);
    let new = sets().into_iter().find(|name| *name != old).unwrap();
    // One is missing at most, two are too many at most.
    stage.settled(&old, 3);
    stage.settled(&new, 3);
    stage.mark("middle", &old, &["truth.gate=fulfilled"], &["verdict=settled", "active=3"]);
    stage.change("DELETE", &web, json!({"propagationPolicy": "Background"}));
    stage.rest(500);
    let node = stage.own_pods(&old)[1]["spec"]["nodeName"].as_str().unwrap().to_owned();
    stage.staff(&new, 3, &[&node, "n5", "n6"], &same);
    stage.counts(&new, "readyReplicas", 3);
    stage.frozen(|| {
        let rule = "plan.delete.certain.0.rule=Rank".to_owned();
        taken(stage, &[(&old, 2, "next.count=1", rule)]);
        stage.ask_live(&[&old, &new]);
    });
    stage.settled(&old, 2);
}

/// Scales several, and asks which pods go, with what must come and the rule that must be named.
fn taken(stage: &Stage, scales: &[(&str, i64, &str, String)]) {
    for (name, replicas, _, _) in scales {
        stage.scale(name, *replicas);
    }
    stage.rest(crate::control_plane::stage::CLEAR.as_millis() as u64);
    for (name, _, count, rule) in scales {
        stage.mark_now("victims", name, &["next.action=delete", count], &["verdict=act", rule]);
    }
}

/// So many pods, all created within one second: nothing tells them apart.
fn at_once(stage: &Stage, name: &str, count: usize) {
    stage.replica_set(name, count as i64);
    loop {
        stage.settled(name, count as i64);
        let pods = stage.own_pods(name);
        let times: BTreeSet<&str> =
            pods.iter().filter_map(|pod| pod["metadata"]["creationTimestamp"].as_str()).collect();
        if times.len() == 1 {
            return;
        }
        stage.scale(name, 0);
        stage.settled(name, 0);
        stage.scale(name, count as i64);
    }
}

fn replica_sets(stage: &Stage) -> Vec<String> {
    let list = stage.api.list(&format!("/apis/apps/v1/namespaces/{}/replicasets", stage.namespace));
    list.iter().map(|object| object["metadata"]["name"].as_str().unwrap().to_owned()).collect()
}

fn costs(cost: &str) -> Value {
    json!({"metadata": {"annotations": {"controller.kubernetes.io/pod-deletion-cost": cost}}})
}

/// The same status with so many restarts of a container of the one kind or the other.
fn restarts(status: &Value, kind: &str, count: i64) -> Value {
    let mut status = status.clone();
    let name = if kind == "containerStatuses" { "main" } else { "side" };
    let container = json!({"name": name, "ready": true, "restartCount": count, "image": "none", "imageID": "none", "state": {"running": {}}});
    status[kind] = json!([container]);
    status
}
