//! What pods go through: ended, terminating, held by a finalizer, available after a while; and slow start.

use serde_json::json;

use super::Scenario;
use crate::control_plane::pods::HOLD;
use crate::control_plane::stage::{Stage, ready, wait};

pub const FREEZING: &[Scenario] = &[
    Scenario { name: "ended", mechanism: "active pods: succeeded and failed ones", play: ended },
    Scenario { name: "terminating", mechanism: "active pods: terminating ones", play: terminating },
    Scenario { name: "batches", mechanism: "slow start", play: batches },
    Scenario { name: "available", mechanism: "status and the delayed requeue", play: available },
];

/// Pods that ended stay, and are replaced.
fn ended(stage: &Stage) {
    let phases = [("succeeded", "Succeeded"), ("failed", "Failed")];
    for (name, _) in phases {
        stage.replica_set(name, 2);
        stage.staff(name, 2, &["n1", "n2"], &ready(100));
        stage.counts(name, "readyReplicas", 2);
    }
    stage.frozen(|| {
        for (name, phase) in phases {
            stage.status(&stage.own(name)[0], json!({"phase": phase}));
        }
        for (name, _) in phases {
            let says = ["verdict=act", "active=1", "plan.action=create", "plan.count=1"];
            stage.mark("ended", name, &["next.action=create", "next.count=1"], &says);
        }
        stage.ask_live(&["succeeded", "failed"]);
    });
    for (name, _) in phases {
        stage.has(name, 3);
        stage.counts(name, "replicas", 2);
        stage.mark("replaced", name, &["truth.gate=fulfilled"], &["verdict=settled", "active=2"]);
    }
}

/// A deletionTimestamp is enough: for the count, and for what is awaited.
fn terminating(stage: &Stage) {
    stage.replica_set("held", 3);
    stage.replica_set("hanging", 3);
    stage.settled("held", 3);
    let held = stage.own("held").remove(0);
    stage.hold_pod(&held, &[HOLD]);
    // Without a node the collector of garbage pods would let it fail.
    stage.bind_all(std::slice::from_ref(&held), &["n1"]);
    stage.staff("hanging", 3, &["n1", "n2"], &ready(100));
    stage.counts("hanging", "readyReplicas", 3);
    stage.frozen(|| {
        stage.delete_pod(&held);
        stage.scale("hanging", 1);
        let really = ["next.action=create", "next.count=1"];
        stage.mark("deleted", "held", &really, &["verdict=act", "active=2", "plan.count=1"]);
        stage.mark_now("down", "hanging", &["next.action=delete", "next.count=2"], &["verdict=act"]);
        stage.ask_live(&["held", "hanging"]);
    });
    stage.settled("held", 3);
    stage.settled("hanging", 1);
    let really = ["truth.entry.del=0", "truth.awaitedDeletions=[]"];
    stage.mark("hangs", "hanging", &really, &["verdict=settled", "active=1"]);
    stage.mark_now("hangs", "held", &["truth.gate=fulfilled"], &["verdict=settled", "active=3"]);
    // 1.34 does not count them yet.
    if !stage.plane.version().starts_with("1.34.") {
        stage.counts("hanging", "terminatingReplicas", 2);
        stage.counts("held", "terminatingReplicas", 1);
    }
    stage.hold_pod(&held, &[]);
    for pod in stage.terminating() {
        stage.finish(&pod);
    }
    wait("they are gone", || stage.terminating().is_empty());
    stage.mark("gone", "hanging", &["truth.entry.del=0"], &["verdict=settled", "active=1"]);
    stage.mark_now("gone", "held", &["truth.gate=fulfilled"], &["verdict=settled", "active=3"]);
}

/// Batches double, and the last one is what is left.
fn batches(stage: &Stage) {
    for name in ["one", "ten", "more"] {
        stage.replica_set(name, 0);
    }
    stage.replica_set("some", 4);
    for (name, count) in [("one", 0), ("ten", 0), ("more", 0), ("some", 4)] {
        stage.settled(name, count);
    }
    stage.frozen(|| {
        let scales = [
            ("one", 1, "next.count=1", "plan.create.batches=[1]"),
            ("ten", 10, "next.count=10", "plan.create.batches=[1,2,4,3]"),
            ("more", 16, "next.count=16", "plan.create.batches=[1,2,4,8,1]"),
            ("some", 7, "next.count=3", "plan.create.batches=[1,2]"),
        ];
        for (name, replicas, _, _) in scales {
            stage.scale(name, replicas);
        }
        stage.rest(350);
        for (name, _, count, batches) in scales {
            stage.mark_now("up", name, &["next.action=create", count], &["verdict=act", batches]);
        }
        stage.ask_live(&["ten", "some"]);
    });
    for (name, count) in [("one", 1), ("ten", 10), ("more", 16), ("some", 7)] {
        stage.settled(name, count);
    }
    stage.mark("done", "more", &["truth.entry.add=0"], &["verdict=settled", "expectations.add.max=0"]);
}

/// Pods become available without any event, by a sync that was put off.
fn available(stage: &Stage) {
    stage.replica_set_but("a", 2, json!({"minReadySeconds": 4}));
    stage.settled("a", 2);
    stage.staff("a", 2, &["n1"], &ready(0));
    stage.counts("a", "readyReplicas", 2);
    let says = ["verdict=settled", "plan.status.readyReplicas=2"];
    stage.mark("ready", "a", &["truth.gate=fulfilled"], &says);
    stage.counts("a", "availableReplicas", 2);
    stage.mark("available", "a", &[], &["verdict=settled", "plan.status.availableReplicas=2"]);
    let pod = stage.own("a").remove(0);
    stage.frozen(|| {
        stage.status(&pod, json!({"conditions": [{"type": "Ready", "status": "False"}]}));
        let says = ["verdict=settled", "plan.status.readyReplicas=1", "plan.status.availableReplicas=1"];
        stage.mark("not-ready", "a", &["next.action=none"], &says);
        stage.ask_live(&["a"]);
    });
    stage.counts("a", "availableReplicas", 1);
}
