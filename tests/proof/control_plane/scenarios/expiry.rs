//! Expectations that expire, which wakes nothing.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::Scenario;
use crate::control_plane::stage::Stage;
use crate::control_plane::truth::TIMEOUT;
use crate::control_plane::webhook::{self, Deed};

pub const FLOWING: &[Scenario] =
    &[Scenario { name: "expiry", mechanism: "expiry wakes nothing", play: expiry }];

/// Both kinds side by side: an awaited creation (a) and an awaited deletion (b) that never come.
fn expiry(stage: &Stage) {
    webhook::install(stage, "a", "CREATE", Deed::StripOwner);
    stage.replica_set("b", 3);
    stage.settled("b", 3);
    webhook::install(stage, "b", "DELETE", Deed::Slow);
    stage.replica_set("a", 3);
    lose_a_deletion(stage, "b");
    let set = Timestamp::now();
    stage.settled("a", 3);
    webhook::remove(stage, "a");
    stage.scale("a", 5);
    stage.settled("b", 2);
    // An observer knows only that the deletes were asked for before the pod was gone.
    let seen = Timestamp::now();
    webhook::remove(stage, "b");
    stage.scale("b", 4);
    let waiting = ["truth.gate=waiting", "next.action=none"];
    let unmet = ["verdict=skip", "expectations.gate=waiting", "reason=ExpectationsUnmet"];
    // A second after the status of a sync that did nothing it is known that none of its pods is on the way.
    stage.rest(2500);
    stage.mark("waiting-a", "a", &waiting, &unmet);
    stage.mark("waiting-b", "b", &waiting, &unmet);
    until(set + TIMEOUT - SignedDuration::from_secs(20));
    stage.mark("nearly-a", "a", &waiting, &unmet);
    stage.mark("nearly-b", "b", &waiting, &unmet);
    until(seen + TIMEOUT + SignedDuration::from_secs(10));
    let expired = ["truth.gate=expired", "next.action=none"];
    let due = ["verdict=act", "expectations.gate=expired", "reason=ExpectationsExpired"];
    stage.mark("expired-a", "a", &expired, &due);
    stage.mark("expired-b", "b", &expired, &due);
    // Long enough that it is no coincidence that nothing happens.
    stage.rest(5000);
    for (name, pods) in [("a", 5), ("b", 4)] {
        stage.touch(name);
        stage.settled(name, pods);
        stage.mark(&format!("woken-{name}"), name, &["truth.gate=fulfilled"], &["verdict=settled"]);
    }
}

/// A pod that is chosen loses its owner while the delete is under way: the end of an orphan lowers nothing.
fn lose_a_deletion(stage: &Stage, name: &str) {
    let victim = stage.own(name).remove(0);
    let cost = json!({"metadata": {"annotations": {"controller.kubernetes.io/pod-deletion-cost": "-5"}}});
    stage.patch_pod(&victim, cost);
    stage.rest(500);
    stage.scale(name, 2);
    stage.rest(1500);
    stage.patch_pod(&victim, json!({"metadata": {"ownerReferences": null}}));
}

fn until(at: Timestamp) {
    let left = at.duration_since(Timestamp::now());
    std::thread::sleep(Duration::try_from(left).unwrap_or_default());
}
