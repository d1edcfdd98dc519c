//! Whose a pod is: adoption, release, pods that others made, and ReplicaSets that are being deleted or come again.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::Scenario;
use crate::control_plane::pods::HOLD;
use crate::control_plane::stage::{Stage, wait};

pub const FREEZING: &[Scenario] = &[
    Scenario { name: "claims", mechanism: "adoption and release", play: claims },
    Scenario { name: "overlap", mechanism: "overlapping selectors", play: overlap },
    Scenario { name: "foreign", mechanism: "pods made by hand lower add", play: foreign },
    Scenario { name: "deleting", mechanism: "no adoption while being deleted", play: deleting },
    Scenario { name: "recreated", mechanism: "the same name with another UID", play: recreated },
];

/// Each by one event alone, so that one sync shows it.
fn claims(stage: &Stage) {
    let names = ["surplus", "again", "release"];
    for name in names {
        stage.replica_set(name, 2);
    }
    for name in names {
        stage.settled(name, 2);
    }
    let (disowned, released) = (stage.own("again").remove(0), stage.own("release").remove(0));
    stage.frozen(|| {
        stage.pod("stray", "surplus", None);
        stage.patch_pod(&disowned, json!({"metadata": {"ownerReferences": null}}));
        stage.patch_pod(&released, json!({"metadata": {"labels": {"app": "lost"}}}));
        stage.mark(
            "too-many",
            "surplus",
            &["next.adopted=[\"claims/stray\"]", "next.action=delete", "next.count=1"],
            &["verdict=act", "plan.adopt=[\"stray\"]", "plan.action=delete", "plan.count=1"],
        );
        stage.mark_now(
            "enough",
            "again",
            &[&format!("next.adopted=[\"claims/{disowned}\"]"), "next.action=none"],
            &["verdict=act", &format!("plan.adopt=[\"{disowned}\"]"), "plan.action=none", "active=2"],
        );
        stage.mark_now(
            "too-few",
            "release",
            &[&format!("next.released=[\"claims/{released}\"]"), "next.action=create", "next.count=1"],
            &["verdict=act", &format!("plan.release=[\"{released}\"]"), "plan.count=1", "active=1"],
        );
        stage.ask_live(&names);
    });
    wait("it is released", || !stage.own("release").contains(&released));
    for name in names {
        stage.settled(name, 2);
    }
    stage.mark("settled", "again", &["truth.gate=fulfilled"], &["verdict=settled", "active=2"]);
    stage.mark_now("settled", "release", &["truth.gate=fulfilled"], &["verdict=settled", "active=2"]);
}

/// Both want the stray pod, one gets it; the other's patch is refused.
fn overlap(stage: &Stage) {
    let one = json!({"selector": {"matchLabels": {"app": "x"}}, "template": {"metadata": {"labels": {"app": "x"}}}});
    for name in ["a", "b"] {
        stage.replica_set_but(name, 2, one.clone());
    }
    stage.settled("a", 2);
    stage.settled("b", 2);
    stage.mark("apart", "a", &["truth.gate=fulfilled"], &["verdict=settled", "active=2"]);
    stage.frozen(|| {
        stage.pod("stray", "x", None);
        stage.mark("stray", "a", &["observed.desired=2"], &["reason=SelectorOverlap"]);
        stage.mark_now("stray", "b", &["observed.desired=2"], &["reason=SelectorOverlap"]);
        stage.ask_live(&["a"]);
    });
    // One list, so that it is one instant.
    wait("the stray is taken and one pod is deleted", || {
        let pods = stage.api.list(&format!("/api/v1/namespaces/{}/pods", stage.namespace));
        pods.len() == 4 && pods.iter().all(|pod| pod["metadata"]["ownerReferences"].is_array())
    });
    stage.settled("a", 2);
    stage.settled("b", 2);
    stage.mark("over", "a", &["truth.gate=fulfilled"], &["verdict=settled", "active=2"]);
    stage.mark_now("over", "b", &["truth.gate=fulfilled"], &["verdict=settled", "active=2"]);
}

/// Pods that name a ReplicaSet as their controller count, were not expected, and are kept only if they match.
fn foreign(stage: &Stage) {
    for name in ["matching", "other"] {
        stage.replica_set(name, 3);
    }
    let made = |name: &str, app: &str| {
        let uid = stage.get(name)["metadata"]["uid"].as_str().unwrap().to_owned();
        stage.pod(&format!("by-hand-{name}"), app, Some((name, &uid)));
    };
    stage.settled("matching", 3);
    stage.settled("other", 3);
    stage.frozen(|| {
        made("matching", "matching");
        made("other", "lost");
        let really = ["next.action=delete", "next.count=1", "truth.caughtUp.add=-1"];
        stage.mark("too-many", "matching", &really, &["verdict=act", "active=4", "plan.count=1"]);
        let really =
            ["next.released=[\"foreign/by-hand-other\"]", "next.action=none", "truth.caughtUp.add=-1"];
        let says = ["verdict=act", "plan.release=[\"by-hand-other\"]", "plan.action=none"];
        stage.mark_now("released", "other", &really, &says);
        stage.ask_live(&["matching", "other"]);
    });
    stage.settled("matching", 3);
    stage.settled("other", 3);
    let says = ["verdict=settled", "expectations.gate=fulfilled", "expectations.add.min=-1"];
    stage.mark("lowered", "other", &["truth.entry.add=-1", "truth.gate=fulfilled"], &says);
}

/// Deleted in the foreground and held: it keeps its pods, and takes no others.
fn deleting(stage: &Stage) {
    stage.replica_set("a", 2);
    stage.settled("a", 2);
    stage.patch("a", json!({"metadata": {"finalizers": [HOLD]}}));
    for pod in stage.own("a") {
        stage.hold_pod(&pod, &[HOLD]);
    }
    stage.change("DELETE", &stage.replica_set_path("a"), json!({"propagationPolicy": "Foreground"}));
    wait("its pods are being deleted", || stage.own("a").is_empty());
    stage.counts("a", "replicas", 0);
    let says = ["verdict=blocked", "reason=DeletionInProgress"];
    stage.mark("deleting", "a", &["observed.deleting=true"], &says);
    let since = stage.frozen(|| {
        stage.pod("stray", "a", None);
        let really = ["observed.deleting=true", "next.action=none", "next.adopted=[]"];
        stage.mark("stray", "a", &really, &["reason=DeletionInProgress", "plan.adopt=[]"]);
        stage.ask_live(&["a"]);
        Timestamp::now()
    });
    stage.synced("a", since);
    assert!(stage.own("a").is_empty(), "nothing is adopted or created");
}

/// Deleted while the controller stands still, or with its pods left over, and created again.
fn recreated(stage: &Stage) {
    stage.replica_set("swapped", 2);
    stage.replica_set("left", 3);
    stage.settled("swapped", 2);
    stage.settled("left", 3);
    let pods: Vec<String> = stage.own("left");
    stage.change("DELETE", &stage.replica_set_path("left"), json!({"propagationPolicy": "Orphan"}));
    wait("it is gone, and its pods are not", || stage.api.find(&stage.replica_set_path("left")).is_none());
    stage.mark("gone", "left", &["observed.exists=false"], &["object.exists=false", "verdict=settled"]);
    let keys: Value = pods.iter().map(|pod| stage.key(pod)).collect();
    stage.frozen(|| {
        stage.change(
            "DELETE",
            &stage.replica_set_path("swapped"),
            json!({"propagationPolicy": "Background"}),
        );
        stage.replica_set("swapped", 3);
        stage.replica_set("left", 2);
        let really = ["next.action=create", "next.count=3", "next.gate=none"];
        stage.mark("new", "swapped", &really, &["verdict=act", "plan.action=create", "plan.count=3"]);
        let really = [&format!("next.adopted={keys}"), "next.action=delete", "next.count=1"];
        let says = [&format!("plan.adopt={}", json!(pods)), "verdict=act", "expectations.gate=none"];
        stage.mark_now("new", "left", &really, &says);
        stage.ask_live(&["swapped", "left"]);
    });
    stage.settled("swapped", 3);
    stage.settled("left", 2);
    stage.mark("again", "swapped", &["truth.gate=fulfilled"], &["verdict=settled", "active=3"]);
}
