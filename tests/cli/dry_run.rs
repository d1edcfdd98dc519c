//! What a dry run says of victims whose order moves with time.

use serde_json::{Value, json};
use support::rsexp;

const NOW: &str = "2026-01-01T12:00:00Z";

/// Two pods of which one has to go: `young` by its time at NOW, `old` by its UID from when the young one is 17.2 s old
/// until it is 34.4 s old itself.
fn objects() -> [Value; 2] {
    let labels = json!({"app": "web"});
    let replica_set = json!({
        "metadata": {"name": "web", "namespace": "shop", "uid": "r", "resourceVersion": "1", "generation": 1,
            "creationTimestamp": "2026-01-01T11:00:00Z"},
        "spec": {"replicas": 1, "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}}},
        "status": {"replicas": 2, "fullyLabeledReplicas": 2, "readyReplicas": 2, "availableReplicas": 2, "observedGeneration": 1},
    });
    let pod = |name: &str, uid: &str, ready: &str| {
        let owner = json!({"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "r", "controller": true});
        json!({
            "metadata": {"name": name, "namespace": "shop", "uid": uid, "resourceVersion": "1", "labels": labels,
                "creationTimestamp": "2026-01-01T11:00:00Z", "ownerReferences": [owner]},
            "spec": {"nodeName": "n", "containers": [{"name": "main"}]},
            "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": ready}]},
        })
    };
    let pods = [pod("young", "2", "2026-01-01T11:59:44Z"), pod("old", "1", "2026-01-01T11:59:30Z")];
    [json!([replica_set]), json!(pods)]
}

/// The victims of the first simulated sync, and those of the plan.
fn victims(file: &str, time: &str) -> [Vec<(&'static str, String)>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input");
    std::fs::write(&path, file).unwrap();
    let ran = rsexp(["dry-run", "rs/web", "-o", "json", "-f", path.to_str().unwrap(), time, NOW]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    [&report["syncs"][0]["plan"], &report["plan"]].map(|plan| {
        let of = |fate| {
            let pods = plan["delete"][fate].as_array().unwrap().iter();
            pods.map(move |pod| (fate, pod["pod"].as_str().unwrap().to_owned()))
        };
        of("certain").chain(of("possible")).collect()
    })
}

#[test]
fn what_was_watched_goes_on_so_the_first_sync_may_choose_later_than_asked() {
    let [replica_sets, pods] = objects();
    let file = format!(
        "{{\"recording\":\"rsexp/v1\",\"startedAt\":\"{NOW}\",\"serverVersion\":\"v1.37.2\",\"namespace\":\"shop\",\"resources\":[\"replicasets.apps\",\"pods\"]}}\n\
         {{\"at\":\"{NOW}\",\"resource\":\"replicasets.apps\",\"type\":\"LIST\",\"resourceVersion\":\"1\",\"items\":{replica_sets}}}\n\
         {{\"at\":\"{NOW}\",\"resource\":\"pods\",\"type\":\"LIST\",\"resourceVersion\":\"1\",\"items\":{pods}}}\n"
    );
    let both = vec![("possible", "old".to_owned()), ("possible", "young".to_owned())];
    assert_eq!(victims(&file, "--at"), [both.clone(), both]);
}

#[test]
fn a_snapshot_is_asked_about_for_the_very_instant() {
    let [replica_sets, pods] = objects();
    let kind = |objects: Value, api: &str, kind: &str| -> Vec<Value> {
        let mut objects = objects.as_array().unwrap().clone();
        for object in &mut objects {
            object["apiVersion"] = json!(api);
            object["kind"] = json!(kind);
        }
        objects
    };
    let items = [kind(replica_sets, "apps/v1", "ReplicaSet"), kind(pods, "v1", "Pod")].concat();
    let file = json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string();
    let young = vec![("certain", "young".to_owned())];
    assert_eq!(victims(&file, "--now"), [young.clone(), young]);
}
