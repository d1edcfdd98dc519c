//! What webhooks do to the pods that the controller creates and deletes.

use jiff::Timestamp;
use serde_json::json;

use super::Scenario;
use super::refusals::{backs_off, refused};
use crate::control_plane::stage::{Stage, wait};
use crate::control_plane::webhook::{self, Deed, SLOW};

pub const FREEZING: &[Scenario] = &[
    Scenario { name: "webhook-strips", mechanism: "a webhook strips the owner reference", play: strips },
    Scenario { name: "webhook-denies", mechanism: "a webhook denies creates", play: denies },
    Scenario { name: "deletes-denied", mechanism: "a webhook denies deletes", play: deletes_denied },
];

pub const FLOWING: &[Scenario] = &[
    Scenario { name: "webhook-fails", mechanism: "a webhook fails", play: fails },
    Scenario { name: "webhook-relabels", mechanism: "a webhook changes the labels", play: relabels },
    Scenario { name: "webhook-slow", mechanism: "a sync that waits for its creates", play: slow },
    Scenario { name: "deletes-slow", mechanism: "a sync that waits for its deletes", play: deletes_slow },
];

fn strips(stage: &Stage) {
    webhook::install(stage, "a", "CREATE", Deed::StripOwner);
    stage.replica_set("a", 3);
    // They come as orphans, and the next sync adopts them although it waits.
    stage.settled("a", 3);
    stage.mark(
        "adopted",
        "a",
        &["truth.gate=waiting", "truth.entry.add=3"],
        &["verdict=settled", "expectations.gate=waiting", "expectations.add.min=3", "expectations.add.max=3"],
    );
    webhook::remove(stage, "a");
    let frozen = stage.frozen(|| {
        let frozen = Timestamp::now();
        stage.scale("a", 5);
        stage.mark(
            "up",
            "a",
            &["truth.gate=waiting", "next.action=skipped"],
            &["verdict=skip", "reason=ExpectationsUnmet", "reason=OwnerReferenceStripped"],
        );
        stage.ask_live(&["a"]);
        frozen
    });
    stage.synced("a", frozen);
    stage.mark(
        "still",
        "a",
        &["truth.gate=waiting", "next.action=none"],
        &["verdict=skip", "expectations.add.min=3", "expectations.add.max=3"],
    );
}

fn denies(stage: &Stage) {
    stage.replica_set("a", 2);
    stage.settled("a", 2);
    webhook::install(stage, "a", "CREATE", Deed::Deny);
    stage.frozen(|| {
        stage.scale("a", 4);
        stage.mark(
            "unforeseen",
            "a",
            &["next.action=create", "next.count=2"],
            &["verdict=act", "plan.count=2"],
        );
        stage.ask_live(&["a"]);
    });
    backs_off(stage, "a");
    let blocked = ["verdict=blocked", "reason=WebhookDenied", "reason=RetryBackoff"];
    stage.mark("denied", "a", &["truth.gate=fulfilled", "truth.entry.add=0"], &blocked);
    stage.frozen(|| {
        stage.mark("frozen", "a", &[], &blocked);
        stage.ask_live(&["a"]);
    });
    // The retry that the freeze held up must have been refused too.
    backs_off(stage, "a");
    webhook::remove(stage, "a");
    stage.touch("a");
    stage.settled("a", 4);
    stage.mark("admitted", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
}

fn deletes_denied(stage: &Stage) {
    stage.replica_set("a", 4);
    stage.settled("a", 4);
    webhook::install(stage, "a", "DELETE", Deed::Deny);
    stage.scale("a", 2);
    backs_off(stage, "a");
    let really = ["truth.gate=fulfilled", "truth.entry.del=0"];
    let blocked = ["verdict=blocked", "reason=WebhookDenied", "reason=RetryBackoff"];
    stage.mark("denied", "a", &really, &blocked);
    stage.frozen(|| {
        stage.mark("frozen", "a", &[], &blocked);
        stage.ask_live(&["a"]);
    });
    // The retry that the freeze held up must have been refused too.
    backs_off(stage, "a");
    webhook::remove(stage, "a");
    stage.touch("a");
    stage.settled("a", 2);
    stage.mark("admitted", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
}

fn fails(stage: &Stage) {
    webhook::install(stage, "late", "CREATE", Deed::TimeOut);
    webhook::install(stage, "gone", "CREATE", Deed::Unreachable);
    stage.replica_set("late", 2);
    stage.replica_set("gone", 2);
    refused(stage, "gone");
    stage.mark("gone", "gone", &[], &["verdict=blocked", "reason=WebhookUnreachable", "reason=RetryBackoff"]);
    refused(stage, "late");
    stage.mark("late", "late", &[], &["reason=WebhookTimedOut"]);
}

/// Pods are created and released without end: a quota ends it.
fn relabels(stage: &Stage) {
    let quotas = format!("/api/v1/namespaces/{}/resourcequotas", stage.namespace);
    stage.change("POST", &quotas, json!({"metadata": {"name": "q"}, "spec": {"hard": {"pods": "20"}}}));
    wait("the quota is in force", || {
        stage.api.find(&format!("{quotas}/q")).unwrap()["status"]["hard"].is_object()
    });
    webhook::install(stage, "a", "CREATE", Deed::ChangeLabels);
    stage.replica_set("a", 2);
    wait("some are released", || stage.api.list(&stage.pod_path("")).len() > 4);
    for number in 1..=3 {
        stage.mark_now(&format!("endless-{number}"), "a", &[], &[]);
        stage.rest(100);
    }
    wait("the quota ends it", || stage.api.list(&stage.pod_path("")).len() == 20);
    backs_off(stage, "a");
    stage.mark(
        "ended",
        "a",
        &["truth.gate=fulfilled"],
        &["verdict=blocked", "reason=LabelsMutated", "reason=QuotaExceeded"],
    );
}

fn slow(stage: &Stage) {
    webhook::install(stage, "a", "CREATE", Deed::Slow);
    stage.replica_set("a", 3);
    stage.rest(1500);
    stage.mark("first", "a", &["running.action=create", "running.count=3", "truth.entry.add=3"], &[]);
    stage.has("a", 1);
    stage.rest(1000);
    // A change while the sync runs waits for its end.
    stage.scale("a", 4);
    stage.mark(
        "second",
        "a",
        &["running.action=create", "truth.entry.add=2"],
        &["running.action=create", "expectations.add.max=2"],
    );
    stage.has("a", 3);
    stage.rest(SLOW.as_millis() as u64 / 4);
    stage.mark("third", "a", &["running.action=create", "running.count=1"], &[]);
    stage.settled("a", 4);
    stage.mark("done", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
}

fn deletes_slow(stage: &Stage) {
    stage.replica_set("a", 3);
    stage.settled("a", 3);
    webhook::install(stage, "a", "DELETE", Deed::Slow);
    stage.scale("a", 1);
    stage.rest(1000);
    stage.mark("asked", "a", &["running.action=delete", "running.count=2", "truth.entry.del=2"], &[]);
    stage.settled("a", 1);
    stage.mark("done", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
}
