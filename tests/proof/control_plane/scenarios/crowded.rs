//! Bursts: what needs all the requests that the controller may make, and what can be done meanwhile.

use serde_json::json;

use super::Scenario;
use crate::control_plane::api::Request;
use crate::control_plane::stage::{Stage, wait};

pub const CROWDED: &[Scenario] = &[
    Scenario { name: "burst", mechanism: "burst limit of 500, scaling while a sync runs", play: burst },
    Scenario { name: "awaited", mechanism: "pods released or made by hand while calls wait", play: awaited },
];

/// 700 pods take two syncs, and so do 600 deletions.
fn burst(stage: &Stage) {
    stage.replica_set("a", 0);
    stage.settled("a", 0);
    stage.frozen(|| {
        stage.scale("a", 700);
        let says = ["verdict=act", "plan.count=500", "plan.capped=true"];
        stage.mark("before", "a", &["next.action=create", "next.count=500"], &says);
        stage.ask_live(&["a"]);
    });
    wait("it creates", || stage.own("a").len() > 100);
    let running = ["running.action=create", "running.count=500"];
    stage.mark("running", "a", &running, &running);
    stage.scale("a", 650);
    stage.mark("running-changed", "a", &running, &running);
    wait("the first sync is over", || stage.own("a").len() > 500);
    let running_rest = ["running.action=create", "running.count=150"];
    stage.mark("second", "a", &running_rest, &running_rest);
    stage.settled("a", 650);
    stage.mark("up", "a", &["truth.gate=fulfilled"], &["verdict=settled", "active=650"]);
    stage.frozen(|| {
        stage.scale("a", 100);
        let says = ["verdict=act", "plan.count=500", "plan.capped=true"];
        stage.mark("before-down", "a", &["next.action=delete", "next.count=500"], &says);
        stage.ask_live(&["a"]);
    });
    wait("it deletes", || stage.own("a").len() < 550);
    // A user can delete as many: what was seen so far does not tell.
    stage.mark("deleting", "a", &["running.action=delete", "running.count=500"], &[]);
    wait("the first sync is over", || stage.own("a").len() < 150);
    stage.mark_now("deleting-rest", "a", &["observed.desired=100"], &[]);
    stage.settled("a", 100);
    stage.mark("down", "a", &["truth.gate=fulfilled"], &["verdict=settled", "active=100"]);
}

/// Pods that are taken away while the call that deletes one of them waits its turn: it is awaited for five minutes.
/// A pod that comes while the calls that create others wait theirs: it is taken for one of them.
fn awaited(stage: &Stage) {
    stage.replica_set("a", 3);
    let early = stage.replica_set("early", 0);
    stage.settled("a", 3);
    stage.settled("early", 0);
    stage.replica_set("crowd", 0);
    stage.settled("crowd", 0);
    stage.frozen(|| {
        stage.scale("crowd", 150);
        stage.mark("crowd", "crowd", &["next.count=150"], &["plan.count=150", "plan.capped=false"]);
    });
    wait("all calls are used up", || stage.own("crowd").len() > 35);
    stage.scale("a", 2);
    stage.scale("early", 3);
    stage.rest(300);
    stage.pod("by-hand", "early", Some(("early", early["metadata"]["uid"].as_str().unwrap())));
    let pods = stage.own("a");
    assert_eq!(pods.len(), 3, "none is deleted yet");
    stage.mark_now("calling", "a", &["running.action=delete", "truth.entry.del=1"], &[]);
    let away = json!({"metadata": {"ownerReferences": null, "labels": {"app": "lost"}}});
    let away = |pod: &String| Request::new("PATCH", stage.pod_path(pod), away.clone());
    stage.all(&pods.iter().map(away).collect::<Vec<_>>(), true);
    stage.mark("foreign", "early", &["running.action=create", "truth.entry.add=2"], &[]);
    let lost = || pods.iter().filter(|pod| stage.api.find(&stage.pod_path(pod)).is_some()).count();
    wait("one is deleted", || lost() == 2);
    stage.settled("crowd", 150);
    stage.settled("early", 3);
    wait("the status is written", || stage.get("a")["status"]["replicas"] == 0);
    stage.rest(500);
    stage.mark(
        "trapped",
        "a",
        &["truth.gate=waiting", "truth.entry.del=1", "next.action=none"],
        &["verdict=skip", "expectations.gate=waiting", "expectations.del.max=1"],
    );
    stage.scale("a", 5);
    wait("it was looked at", || stage.get("a")["status"]["observedGeneration"] == 3);
    stage.rest(1500);
    stage.mark("scaled", "a", &["truth.gate=waiting"], &["verdict=skip", "expectations.gate=waiting"]);
    stage.touch("a");
    stage.rest(500);
    assert!(stage.own("a").is_empty(), "it waits");
}
