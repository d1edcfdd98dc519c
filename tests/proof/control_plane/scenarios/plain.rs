//! Creation and scaling without trouble, and refusals by a quota.

use serde_json::json;

use super::Scenario;
use super::refusals::backs_off;
use crate::control_plane::stage::Stage;

pub const FREEZING: &[Scenario] =
    &[Scenario { name: "scaling", mechanism: "creation and scaling", play: scaling }];

pub const FLOWING: &[Scenario] =
    &[Scenario { name: "quota", mechanism: "slow start against a quota", play: quota }];

fn scaling(stage: &Stage) {
    stage.replica_set("a", 3);
    stage.settled("a", 3);
    stage.mark("three", "a", &["truth.gate=fulfilled"], &["verdict=settled", "active=3"]);
    stage.frozen(|| {
        stage.scale("a", 8);
        stage.mark("up", "a", &["next.action=create", "next.count=5"], &["verdict=act", "plan.count=5"]);
        stage.ask_live(&["a"]);
    });
    stage.settled("a", 8);
    stage.frozen(|| {
        stage.scale("a", 2);
        stage.mark("down", "a", &["next.action=delete", "next.count=6"], &["verdict=act", "plan.count=6"]);
        stage.ask_live(&["a"]);
    });
    stage.settled("a", 2);
    // The events that tell what the controller awaits come late where many runs share its client.
    stage.mark("two", "a", &["truth.gate=fulfilled"], &["verdict=settled", "active=2"]);
}

fn quota(stage: &Stage) {
    let quotas = format!("/api/v1/namespaces/{}/resourcequotas", stage.namespace);
    stage.change("POST", &quotas, json!({"metadata": {"name": "q"}, "spec": {"hard": {"pods": "5"}}}));
    stage.rest(500);
    stage.replica_set("a", 12);
    stage.has("a", 5);
    // Not while a retry runs.
    backs_off(stage, "a");
    stage.mark("refused", "a", &["truth.gate=fulfilled"], &["verdict=blocked", "reason=QuotaExceeded"]);
}
