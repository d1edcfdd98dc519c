//! The control plane itself is disturbed: its watches, its controller managers, and the watches of the observer.
//! One after the other, since what is done concerns all namespaces.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jiff::{SignedDuration, Timestamp};

use super::{Scenario, chosen, conclude};
use crate::control_plane::managers::Managers;
use crate::control_plane::outcome::Outcome;
use crate::control_plane::proxy::Proxy;
use crate::control_plane::stage::{Faults, Stage, wait};
use support::plane::Plane;

/// In the order in which they are played.
pub const DISTURBING: &[Scenario] = &[
    Scenario { name: "informer-lag", mechanism: "informer lag", play: informer_lag },
    Scenario { name: "unseen-pod", mechanism: "pod created and gone inside a watch gap", play: unseen_pod },
    Scenario { name: "seen-terminating", mechanism: "pod first seen terminating", play: seen_terminating },
    Scenario { name: "own-status-unread", mechanism: "stale cache guard", play: own_status_unread },
    Scenario { name: "observer-cut", mechanism: "the observer's watch is cut", play: observer_cut },
    Scenario { name: "observer-expired", mechanism: "the observer's watch expires", play: observer_expired },
    Scenario { name: "restart", mechanism: "controller restart", play: restart },
    Scenario { name: "leadership-lost", mechanism: "new leader", play: leadership_lost },
    Scenario { name: "killed-in-burst", mechanism: "controller killed in a burst", play: killed_in_burst },
];

#[test]
fn disturbed_it_is_not_wrong() {
    let Some(plane) = Plane::start_with(&["--no-controller-manager"]) else { return };
    let managers = Managers::start(&plane);
    let scenarios = chosen(&[DISTURBING]);
    let one = |scenario: &&Scenario| {
        let observer = Proxy::before(plane.get("KUBECONFIG").as_ref());
        let server = observer.address.clone();
        let mut stage = Stage::open(&plane, None, scenario.name, &["-s", &server]);
        stage.faults = Some(Faults { managers: &managers, observer });
        (scenario.play)(&stage);
        Outcome::of(&stage)
    };
    let outcomes: Vec<Option<Outcome>> =
        scenarios.iter().map(|scenario| catch_unwind(AssertUnwindSafe(|| one(scenario))).ok()).collect();
    conclude(&plane, &scenarios, &outcomes);
}

/// From 1.36 on a cache that does not have the controller's own writes holds it back.
fn has_guard(stage: &Stage) -> bool {
    let version = stage.plane.version();
    let minor: u32 = version.split('.').nth(1).unwrap().parse().unwrap();
    minor >= 36
}

fn informer_lag(stage: &Stage) {
    let proxy = &stage.faults().managers.proxy;
    proxy.hold("pods");
    stage.replica_set("a", 3);
    stage.has("a", 3);
    stage.rest(1000);
    stage.mark(
        "created",
        "a",
        &["truth.gate=waiting", "truth.entry.add=3"],
        &["active=3", "verdict=settled"],
    );
    stage.scale("a", 5);
    let held = if has_guard(stage) { "next.gate=stale" } else { "truth.gate=waiting" };
    stage.mark("scaled", "a", &[held, "truth.entry.add=3"], &["diff=-2"]);
    stage.rest(4000);
    stage.mark("ignored", "a", &["truth.entry.add=3"], &["diff=-2"]);
    stage.rest(2000);
    proxy.release("pods");
    stage.settled("a", 5);
    stage.mark("caught-up", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
}

fn unseen_pod(stage: &Stage) {
    let proxy = &stage.faults().managers.proxy;
    proxy.hold("pods");
    stage.replica_set("a", 3);
    stage.has("a", 3);
    stage.delete_pod(&stage.own("a")[0]);
    stage.has("a", 2);
    relist(stage, "a");
    stage.rest(300);
    stage.mark("one-short", "a", &["truth.gate=waiting", "truth.entry.add=1"], &["diff=-1"]);
    stage.touch("a");
    stage.mark("touched", "a", &["truth.gate=waiting", "truth.entry.add=1"], &["diff=-1"]);
    stage.rest(4000);
    let says = ["diff=-1", "verdict=skip", "log:verdict=skip"];
    stage.mark("still-short", "a", &["truth.gate=waiting", "truth.entry.add=1"], &says);
    stage.rest(2000);
}

fn seen_terminating(stage: &Stage) {
    let proxy = &stage.faults().managers.proxy;
    proxy.hold("pods");
    stage.replica_set("a", 3);
    stage.has("a", 3);
    let pod = &stage.own("a")[0];
    stage.bind(pod, "n1");
    stage.delete_pod(pod);
    stage.has("a", 2);
    relist(stage, "a");
    stage.rest(300);
    stage.mark("one-short", "a", &["truth.gate=waiting", "truth.entry.add=1"], &["diff=-1"]);
    stage.finish(pod);
    stage.rest(1000);
    stage.mark("gone", "a", &["truth.gate=waiting", "truth.entry.add=1"], &["diff=-1"]);
    stage.rest(4000);
    let says = ["diff=-1", "verdict=skip", "log:verdict=skip", "log:expectations.add.min=1"];
    stage.mark("still-short", "a", &["truth.gate=waiting", "truth.entry.add=1"], &says);
    stage.rest(2000);
}

/// What was kept back is lost, and a new list read.
fn relist(stage: &Stage, name: &str) {
    let managers = stage.faults().managers;
    managers.proxy.expire("pods");
    for pod in stage.own(name) {
        managers.has_seen(&stage.key(&pod));
    }
}

fn own_status_unread(stage: &Stage) {
    let proxy = &stage.faults().managers.proxy;
    stage.replica_set("a", 2);
    stage.settled("a", 2);
    proxy.hold("replicasets");
    stage.delete_pod(&stage.own("a")[0]);
    stage.has("a", 2);
    stage.rest(5000);
    stage.mark("unread", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
    stage.delete_pod(&stage.own("a")[0]);
    if has_guard(stage) {
        stage.rest(2500);
        stage.mark(
            "held-back",
            "a",
            &["next.gate=stale"],
            &["diff=-1", "log:reason=StaleCache", "log:verdict=blocked"],
        );
        stage.rest(2000);
    } else {
        stage.has("a", 2);
    }
    proxy.release("replicasets");
    stage.settled("a", 2);
    stage.mark("read", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
}

fn observer_cut(stage: &Stage) {
    disturb_observer(stage, Proxy::cut);
}

fn observer_expired(stage: &Stage) {
    disturb_observer(stage, Proxy::expire);
}

/// Pods come and go behind the observer's back; then it must notice.
fn disturb_observer(stage: &Stage, end: fn(&Proxy, &str)) {
    let observer = &stage.faults().observer;
    stage.replica_set("a", 4);
    stage.settled("a", 4);
    stage.mark("before", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
    observer.hold("pods");
    for pod in stage.own("a").iter().take(2) {
        stage.delete_pod(pod);
    }
    stage.settled("a", 4);
    stage.scale("a", 6);
    stage.settled("a", 6);
    let again = stage.own("a");
    stage.scale("a", 3);
    stage.settled("a", 3);
    assert_eq!(again.len(), 6);
    let begun = observer.begun();
    end(observer, "pods");
    wait("the observer watches anew", || observer.begun() > begun);
    stage.rest(500);
    stage.mark("after", "a", &["truth.gate=fulfilled"], &["active=3", "verdict=settled", "reason=WatchGap"]);
    stage.scale("a", 5);
    stage.settled("a", 5);
    stage.mark("later", "a", &["truth.gate=fulfilled"], &["active=5", "verdict=settled"]);
}

fn restart(stage: &Stage) {
    let managers = stage.faults().managers;
    stage.replica_set("b", 2);
    stage.settled("b", 2);
    managers.proxy.hold("pods");
    stage.replica_set("a", 3);
    stage.has("a", 3);
    stage.rest(500);
    stage.mark("waits", "a", &["truth.gate=waiting", "truth.entry.add=3"], &[]);
    managers.stop(managers.started());
    let ended = Timestamp::now();
    managers.proxy.release("pods");
    stage.scale("a", 4);
    stage.scale("b", 4);
    stage.mark("ended-a", "a", &["truth.gate=none"], &["diff=-1"]);
    stage.mark("ended-b", "b", &["truth.gate=none"], &["diff=-2"]);
    wait("the lease is over", || Timestamp::now().duration_since(ended) > SignedDuration::from_secs(17));
    // A line that tells the observer that the lease has not come meanwhile.
    stage.touch("a");
    stage.touch("b");
    stage.mark("nobody-a", "a", &["truth.gate=none"], &["verdict=blocked", "reason=ControllerNotRunning"]);
    stage.mark("nobody-b", "b", &["truth.gate=none"], &["verdict=blocked", "reason=ControllerNotRunning"]);
    managers.another();
    stage.settled("a", 4);
    stage.settled("b", 4);
    stage.mark("again-a", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
    stage.mark("again-b", "b", &["truth.gate=fulfilled"], &["verdict=settled"]);
}

fn leadership_lost(stage: &Stage) {
    let managers = stage.faults().managers;
    let old = managers.started();
    managers.another();
    managers.proxy.hold("pods");
    stage.replica_set("a", 3);
    stage.has("a", 3);
    stage.rest(500);
    stage.mark("waits", "a", &["truth.gate=waiting", "truth.entry.add=3"], &[]);
    managers.pause(old);
    managers.proxy.release("pods");
    stage.scale("a", 5);
    stage.mark("paused", "a", &["truth.gate=waiting"], &["diff=-2"]);
    managers.works(old + 1);
    stage.settled("a", 5);
    stage.mark("taken-over", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
    managers.go_on(old);
    managers.ends(old);
    stage.scale("a", 2);
    stage.settled("a", 2);
    stage.mark("alone", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
}

fn killed_in_burst(stage: &Stage) {
    let managers = stage.faults().managers;
    let old = managers.started();
    managers.another();
    stage.replica_set("a", 120);
    wait("the burst is under way", || stage.own("a").len() >= 40);
    managers.kill(old);
    stage.rest(1000);
    stage.mark("killed", "a", &["truth.gate=none"], &[]);
    managers.works(old + 1);
    stage.settled("a", 120);
    // The handlers of the new leader's first list may have run after its first sync: a log tells that only nearly.
    stage.scale("a", 118);
    stage.settled("a", 118);
    stage.mark("completed", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
}
