//! Every message in every form.

use super::*;
use crate::objects::Resource;
use crate::objects::log_line::{LoggedEntry, PodChange, Step};

fn expectations(step: Step, entry: Option<LoggedEntry>) -> LogLine {
    LogLine::Expectations { step, entry, by_handler: None }
}

fn entry(add: i64, del: i64) -> Option<LoggedEntry> {
    Some(LoggedEntry { add, del, key: Some(web()) })
}

/// A message with its fields, as text and as JSON.
fn structured() -> Vec<(&'static str, &'static str, LogLine)> {
    let rs = r#""replicaSet":{"name":"web","namespace":"shop"}"#;
    let json = |text: String| -> &'static str { text.leak() };
    let status = "Updating status for : shop/web, replicas 2->3 (need 5), fullyLabeledReplicas 2->3, readyReplicas 0->1, availableReplicas 4->2, terminatingReplicas nil->0, sequence No: 6->7";
    let steps = [
        ("Setting expectations", Step::Set),
        ("Lowered expectations", Step::Lowered),
        ("Raised expectations", Step::Raised),
        ("Controller expectations fulfilled", Step::Fulfilled),
        ("Controller expectations expired", Step::Expired),
        ("Controller still waiting on expectations", Step::Waiting),
    ];
    let mut all: Vec<(&'static str, &'static str, LogLine)> = vec![
        (
            r#""Too few replicas" logger="replicaset-controller" replicaSet="shop/web" need=5 creating=3"#,
            json(format!(r#""msg":"Too few replicas","v":2,{rs},"need":5,"creating":3"#)),
            LogLine::Creates { key: web(), need: 5, count: 3 },
        ),
        (
            r#""Too many replicas" replicaSet="shop/web" need=2 deleting=3"#,
            json(format!(r#""msg":"Too many replicas","v":2,{rs},"need":2,"deleting":3"#)),
            LogLine::Deletes { key: web(), need: 2, count: 3 },
        ),
        (
            r#""Slow-start failure. Skipping creation of pods, decrementing expectations" podsSkipped=4 kind="ReplicaSet" replicaSet="shop/web""#,
            json(format!(
                r#""msg":"Slow-start failure. Skipping creation of pods, decrementing expectations","podsSkipped":4,"kind":"ReplicaSet",{rs}"#
            )),
            LogLine::SkippedCreates { key: web(), count: 4 },
        ),
        (
            r#""Failed to delete pod, decremented expectations" pod="shop/web-a" kind="ReplicaSet" replicaSet="shop/web""#,
            json(format!(
                r#""msg":"Failed to delete pod, decremented expectations","pod":"shop/web-a","kind":"ReplicaSet",{rs}"#
            )),
            LogLine::DeleteFailed { key: web(), pod: "web-a".into() },
        ),
        (
            r#""Controller created pod" controller="web" pod="shop/web-a""#,
            r#""msg":"Controller created pod","v":4,"controller":"web","pod":{"name":"web-a","namespace":"shop"}"#,
            LogLine::CreatedPod { owner: "web".into(), pod: pod("web-a") },
        ),
        (
            r#""Deleting pod" controller="web" pod="shop/web-a""#,
            r#""msg":"Deleting pod","v":2,"controller":"web","pod":{"name":"web-a","namespace":"shop"}"#,
            LogLine::DeletingPod { owner: "web".into(), pod: pod("web-a") },
        ),
        (
            r#""Controller either never recorded expectations, or the ttl expired" controller="shop/web""#,
            r#""msg":"Controller either never recorded expectations, or the ttl expired","v":4,"controller":"shop/web""#,
            LogLine::NeverRecorded { key: web() },
        ),
        (
            r#""Controller waiting on deletions" controller="shop/web" keys=["shop/web-a","shop/web-b"]"#,
            r#""msg":"Controller waiting on deletions","v":4,"controller":"shop/web","keys":["shop/web-a","shop/web-b"]"#,
            LogLine::AwaitsDeletions { key: web(), pods: vec!["web-a".into(), "web-b".into()] },
        ),
        (
            r#""Controller received delete for pod" controller="shop/web" key="shop/web-a""#,
            r#""msg":"Controller received delete for pod","v":4,"controller":"shop/web","key":"shop/web-a""#,
            LogLine::DeletionSeen { key: web(), pod: "web-a".into() },
        ),
        (
            r#""Clobbering existing delete keys" keys=["shop/web-a"]"#,
            r#""msg":"Clobbering existing delete keys","keys":["shop/web-a"]"#,
            LogLine::Clobbers { pods: vec!["web-a".into()] },
        ),
        (
            r#""Pod created" pod="shop/web-a" detail="&Pod{ObjectMeta:{web-a \"x\" y}""#,
            r#""msg":"Pod created","v":4,"pod":{"name":"web-a","namespace":"shop"},"detail":"&Pod{\"x\"}""#,
            LogLine::Pod { change: PodChange::Created, orphan: false, pod: pod("web-a") },
        ),
        (
            r#""Orphan Pod created" pod="shop/web-a" detail="&Pod{}""#,
            r#""msg":"Orphan Pod created","pod":{"name":"web-a","namespace":"shop"},"detail":"&Pod{}""#,
            LogLine::Pod { change: PodChange::Created, orphan: true, pod: pod("web-a") },
        ),
        (
            r#""Pod objectMeta updated." pod="shop/web-a" oldObjectMeta={"name":"web-a","x":"}"} curObjectMeta={"name":"web-a"}"#,
            r#""msg":"Pod objectMeta updated.","pod":{"name":"web-a","namespace":"shop"},"oldObjectMeta":{"a":1},"curObjectMeta":{"a":2}"#,
            LogLine::Pod { change: PodChange::Updated, orphan: false, pod: pod("web-a") },
        ),
        (
            r#""Orphan Pod objectMeta updated." logger="replicaset-controller" pod="shop/web-a" oldObjectMeta={}"#,
            r#""logger":"replicaset-controller","msg":"Orphan Pod objectMeta updated.","pod":{"name":"web-a","namespace":"shop"}"#,
            LogLine::Pod { change: PodChange::Updated, orphan: true, pod: pod("web-a") },
        ),
        (
            r#""Pod deleted" delete_by="a.b.(*C).updatePod" deletion_timestamp="2026-01-02 03:04:05 +0000 UTC" pod="shop/web-a""#,
            r#""msg":"Pod deleted","delete_by":"a.b.(*C).updatePod","deletion_timestamp":"x","pod":{"name":"web-a","namespace":"shop"}"#,
            LogLine::Pod { change: PodChange::Deleted, orphan: false, pod: pod("web-a") },
        ),
        (
            r#""Adding" logger="replicaset-controller" replicaSet="shop/web""#,
            json(format!(r#""logger":"replicaset-controller","msg":"Adding",{rs}"#)),
            LogLine::Adding { key: web() },
        ),
        (
            r#""replicaSet updated. Desired pod count change." replicaSet="shop/web" oldReplicas=5 newReplicas=2"#,
            json(format!(
                r#""msg":"replicaSet updated. Desired pod count change.",{rs},"oldReplicas":5,"newReplicas":2"#
            )),
            LogLine::Resized { key: web(), old: 5, new: 2 },
        ),
        (
            r#""Deleting" logger="replicaset-controller" replicaSet="shop/web""#,
            json(format!(r#""logger":"replicaset-controller","msg":"Deleting",{rs}"#)),
            LogLine::Dropped { key: web() },
        ),
        (
            r#""deleted" kind="ReplicaSet" key="shop/web""#,
            r#""msg":"deleted","kind":"ReplicaSet","key":"shop/web""#,
            LogLine::Dropped { key: web() },
        ),
        (
            r#""Finished syncing" kind="ReplicaSet" key="shop/web" duration="1.5ms""#,
            r#""msg":"Finished syncing","v":4,"kind":"ReplicaSet","key":"shop/web","duration":"1.5ms""#,
            LogLine::Finished { kind: "ReplicaSet".into(), key: web() },
        ),
        (
            json(format!("\"{status}\" logger=\"replicaset-controller\"")),
            json(format!(r#""msg":"{status}","v":4"#)),
            LogLine::WritesStatus {
                key: web(),
                old: 2,
                new: 3,
                need: 5,
                ready: 1,
                available: 2,
                generation: 7,
            },
        ),
        (
            r#""Event occurred" object="shop/web" fieldPath="" kind="ReplicaSet" apiVersion="apps/v1" type="Normal" reason="SuccessfulCreate" message="Created pod: web-a""#,
            r#""msg":"Event occurred","object":{"name":"web","namespace":"shop"},"fieldPath":"","kind":"ReplicaSet","reason":"SuccessfulCreate","message":"Created pod: web-a""#,
            LogLine::Event {
                key: web(),
                reason: "SuccessfulCreate".into(),
                message: "Created pod: web-a".into(),
            },
        ),
        (
            r#""Unhandled Error" err="sync \"shop/web\" failed with read version: 7 is not as new as written version: 9 for group resource pods" logger="UnhandledError""#,
            r#""logger":"UnhandledError","msg":"Unhandled Error","err":"sync \"shop/web\" failed with read version: 7 is not as new as written version: 9 for group resource pods""#,
            LogLine::Stale { key: web(), resource: "pods".into(), read: "7".into(), written: "9".into() },
        ),
        (
            r#""Unhandled Error" err="sync \"shop/web\" failed with admission webhook \"a\\\\b\" denied: \u00fc" logger="UnhandledError""#,
            r#""msg":"Unhandled Error","err":"sync \"shop/web\" failed with admission webhook \"a\\\\b\" denied: ü""#,
            LogLine::SyncFailed { key: web(), error: r#"admission webhook "a\\b" denied: ü"#.into() },
        ),
        (
            r#"FLAG: --feature-gates="A=true,B=false""#,
            r#""msg":"FLAG: --feature-gates=\"A=true,B=false\"","v":1"#,
            LogLine::Flag { name: "feature-gates".into(), value: "A=true,B=false".into() },
        ),
    ];
    for (message, step) in steps {
        let line = |fields: &str| json(format!("\"{message}\" expectations={fields}"));
        let same = |fields: &str| json(format!(r#""msg":"{message}","v":4,"expectations":{fields}"#));
        all.push((line("{}"), same("{}"), expectations(step, None)));
        all.push((
            line("{add:2 del:0 key:shop/web}"),
            same(r#"{"add":2,"del":0,"key":"shop/web","timestamp":"x"}"#),
            expectations(step, entry(2, 0)),
        ));
    }
    all
}

#[test]
fn structured_messages_mean_the_same_in_text_and_json() {
    for (text, json, meaning) in structured() {
        assert_eq!(said(&format!("{HEAD}{text}\n")), std::slice::from_ref(&meaning), "{text}");
        let json = format!("{{\"ts\":1767323045678.9,\"caller\":\"any.go:1\",{json}}}\n");
        let (seen, counts) = observations(json.as_bytes());
        assert_eq!((seen.len(), counts.foreign), (1, 0), "{json}");
        assert_eq!(seen[0].what, What::Log(meaning), "{json}");
        assert_eq!(seen[0].at, "2026-01-02T03:04:05.6789Z".parse().ok());
    }
}

/// Sentences of 1.16 to 1.27.
#[test]
fn sentences_mean_the_same_as_structured_messages() {
    let dump = r#"&controller.ControlleeExpectations{add:2, del:-1, key:"shop/web", timestamp:time.Time{wall:0x1, ext:2, loc:(*time.Location)(0x3)}}"#;
    let printed = r#"&v1.Pod{ObjectMeta:v1.ObjectMeta{Name:"web-a", GenerateName:"web-", Namespace:"shop", OwnerReferences:[]v1.OwnerReference{v1.OwnerReference{Kind:"ReplicaSet", Name:"web"}}}}."#;
    let meta = "{Name:web-a GenerateName:web- Namespace:shop OwnerReferences:[{APIVersion:apps/v1 Kind:ReplicaSet Name:web}]}";
    let pod_line = |change, orphan| LogLine::Pod { change, orphan, pod: pod("web-a") };
    let nameless = Key::new("", "web-a");
    for (sentence, meaning) in [
        (format!("Setting expectations {dump}"), expectations(Step::Set, entry(2, -1))),
        (format!("Lowered expectations {dump}"), expectations(Step::Lowered, entry(2, -1))),
        (format!("Raised expectations {dump}"), expectations(Step::Raised, entry(2, -1))),
        (format!("Controller expectations fulfilled {dump}"), expectations(Step::Fulfilled, entry(2, -1))),
        (format!("Controller expectations expired {dump}"), expectations(Step::Expired, entry(2, -1))),
        (
            format!("Controller still waiting on expectations {dump}"),
            expectations(Step::Waiting, entry(2, -1)),
        ),
        (
            "Controller shop/web either never recorded expectations, or the ttl expired.".into(),
            LogLine::NeverRecorded { key: web() },
        ),
        (
            "Controller shop/web waiting on deletions for: [shop/web-a shop/web-b]".into(),
            LogLine::AwaitsDeletions { key: web(), pods: vec!["web-a".into(), "web-b".into()] },
        ),
        (
            "Controller shop/web received delete for pod shop/web-a".into(),
            LogLine::DeletionSeen { key: web(), pod: "web-a".into() },
        ),
        (
            "Clobbering existing delete keys: map[shop/web-a:{}]".into(),
            LogLine::Clobbers { pods: Vec::new() },
        ),
        (
            "Too few replicas for ReplicaSet shop/web, need 5, creating 3".into(),
            LogLine::Creates { key: web(), need: 5, count: 3 },
        ),
        (
            "Too many replicas for ReplicaSet shop/web, need 2, deleting 3".into(),
            LogLine::Deletes { key: web(), need: 2, count: 3 },
        ),
        (
            "Slow-start failure. Skipping creation of 4 pods, decrementing expectations for ReplicaSet shop/web".into(),
            LogLine::SkippedCreates { key: web(), count: 4 },
        ),
        (
            "Failed to delete shop/web-a, decremented expectations for ReplicaSet shop/web".into(),
            LogLine::DeleteFailed { key: web(), pod: "web-a".into() },
        ),
        (
            "Failed to delete pod shop/web-a, decrementing expectations for ReplicaSet shop/web".into(),
            LogLine::DeleteFailed { key: web(), pod: "web-a".into() },
        ),
        ("Controller web created pod web-a".into(), LogLine::CreatedPod { owner: "web".into(), pod: nameless }),
        (
            "Controller web deleting pod shop/web-a".into(),
            LogLine::DeletingPod { owner: "web".into(), pod: pod("web-a") },
        ),
        (format!("Pod web-a created: {printed}"), pod_line(PodChange::Created, false)),
        (format!("Orphan Pod web-a created: {printed}"), pod_line(PodChange::Created, true)),
        (format!("Pod web-a updated, objectMeta {meta} -> {meta}."), pod_line(PodChange::Updated, false)),
        (format!("Orphan Pod web-a updated, objectMeta {meta} -> {meta}."), pod_line(PodChange::Updated, true)),
        (
            format!("Pod shop/web-a deleted through k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).updatePod, timestamp <nil>: {printed}"),
            pod_line(PodChange::Deleted, false),
        ),
        ("Adding ReplicaSet shop/web".into(), LogLine::Adding { key: web() }),
        ("Deleting ReplicaSet \"shop/web\"".into(), LogLine::Dropped { key: web() }),
        ("ReplicaSet shop/web has been deleted".into(), LogLine::Dropped { key: web() }),
        (
            "ReplicaSet web updated. Desired pod count change: 5->2".into(),
            LogLine::Resized { key: Key::new("", "web"), old: 5, new: 2 },
        ),
        (
            "Finished syncing ReplicaSet \"shop/web\" (1.5ms)".into(),
            LogLine::Finished { kind: "ReplicaSet".into(), key: web() },
        ),
        (
            "Updating status for ReplicaSet: shop/web, replicas 2->3 (need 5), fullyLabeledReplicas 2->3, readyReplicas 0->1, availableReplicas 4->2, sequence No: 6->7".into(),
            LogLine::WritesStatus { key: web(), old: 2, new: 3, need: 5, ready: 1, available: 2, generation: 7 },
        ),
        (
            "sync \"shop/web\" failed with Post \"https://x\": timeout".into(),
            LogLine::SyncFailed { key: web(), error: "Post \"https://x\": timeout".into() },
        ),
        (
            "Sync \"shop/web\" failed with x".into(),
            LogLine::SyncFailed { key: web(), error: "x".into() },
        ),
        ("Starting replicaset controller".into(), LogLine::Started),
        ("Starting \"replicaset\"".into(), LogLine::Started),
    ] {
        assert_eq!(said(&format!("{HEAD}{sentence}\n")), std::slice::from_ref(&meaning), "{sentence}");
        let json = serde_json::json!({"ts": 1.5, "caller": "x", "msg": sentence}).to_string();
        assert_eq!(said(&json), [meaning], "{json}");
    }
}

#[test]
fn lines_of_other_controllers_are_passed_over() {
    for other in [
        r#""Starting controller" name="daemon sets""#,
        r#""Starting controller" controller="deployment""#,
        r#""Starting controller" name="serving-cert::replicaset""#,
        r#""Finished syncing" kind="Deployment" key="shop/web" duration="1ms""#,
        r#""Finished syncing namespace" namespace="shop""#,
        r#""Finished syncing deployment" deployment="shop/web""#,
        r#""deleted" kind="StatefulSet" key="shop/web""#,
        r#""Event occurred" object="shop/web" kind="Deployment" reason="ScalingReplicaSet" message="x""#,
        r#""Deleting pod" logger="job-controller" controller="web" pod="shop/web-a""#,
        r#""Controller created pod" logger="daemonset-controller" controller="web" pod="shop/web-a""#,
        r#""Pod created" pod="shop/web-a" labels={}"#,
        r#""Pod created" logger="statefulset-controller" pod="shop/web-a" detail="x""#,
        r#""Pod deleted" logger="deployment-controller" pod="shop/web-a""#,
        r#""Pod deleted" pod="shop/web-a""#,
        r#""Pod objectMeta updated" pod="shop/web-a""#,
        r#""Lowered expectations" logger="daemonset-controller" expectations={}"#,
        r#""Setting expectations" logger="job-controller" expectations={}"#,
        r#""Unhandled Error" err="sync of a volume failed" logger="UnhandledError""#,
        r#""Deleting" volume="shop/web""#,
        "Starting deployment controller",
        "Pod web-a created, labels: map[]",
        "Pod web-a updated, objectMeta {Name:web-a Namespace:shop OwnerReferences:[{Kind:StatefulSet Name:web}]} -> {Name:web-a OwnerReferences:[{Kind:StatefulSet Name:web}]}.",
        "Pod shop/web-a deleted through k8s.io/kubernetes/pkg/controller/statefulset.(*StatefulSetController).updatePod, timestamp x: y",
        "Finished syncing deployment \"shop/web\" (1ms)",
        "Adding deployment web",
        "Controller shop/web is odd",
        "Updating status for nothing",
    ] {
        let (seen, counts) = observations(format!("{HEAD}{other}\n").as_bytes());
        assert_eq!((seen, counts.klog, counts.foreign), (Vec::new(), 1, 0), "{other}");
    }
}

#[test]
fn values_that_are_damaged_are_none() {
    for bad in [
        r#""Too few replicas" replicaSet="web" need=5 creating=3"#,
        r#""Too few replicas" replicaSet="shop/web" need=5"#,
        r#""Too few replicas" replicaSet="shop/web" need=x creating=3"#,
        r#""Too few replicas" replicaSet="shop/web" need=99999999999999999999 creating=3"#,
        r#""Too few replicas" replicaSet="shop/web need=5 creating=3"#,
        r#""Too few replicas" replicaSet="shop/we b" need=5 creating=3"#,
        r#""Too few replicas"#,
        r#""Controller waiting on deletions" controller="shop/web" keys=["shop/web-a""#,
        "Too few replicas for ReplicaSet shop/web, need 5, creating",
        "sync \"web\" failed with x",
        "Error syncing \"a/b\" failed with x",
        "sync \"shop/web\"",
        "Updating status for : shop/web, replicas 1->2",
    ] {
        assert_eq!(said(&format!("{HEAD}{bad}\n")), [], "{bad}");
    }
    // An entry that nobody can read is none, but the step was taken.
    let odd = said(&format!("{HEAD}\"Setting expectations\" expectations={{add:x}}\n"));
    assert_eq!(odd, [expectations(Step::Set, None)]);
}

#[test]
fn the_kind_is_told_by_logger_kind_or_name() {
    let resource = |line: &str| observations(format!("{HEAD}{line}\n").as_bytes()).0[0].resource;
    for line in [
        r#""Starting controller" name="replicationcontroller""#,
        r#""Starting controller" controller="replicationcontroller-controller""#,
        r#""Finished syncing" kind="ReplicationController" key="shop/old""#,
        r#""Adding" logger="replicationcontroller-controller" replicaSet="shop/old""#,
        "Too few replicas for ReplicationController shop/old, need 5, creating 3",
        "Starting replicationcontroller controller",
    ] {
        assert_eq!(resource(line), Resource::ReplicationControllers, "{line}");
    }
    assert_eq!(resource(r#""Starting controller" name="replicaset""#), Resource::ReplicaSets);
    assert_eq!(resource(r#""Setting expectations" expectations={}"#), Resource::ReplicaSets);
}

#[test]
fn a_logger_tells_handlers_only_where_syncs_have_none() {
    let lowered = "\"Lowered expectations\" logger=\"replicaset-controller\" expectations={}";
    let plain = "\"Lowered expectations\" expectations={}";
    let handler = "\"Adding\" logger=\"replicaset-controller\" replicaSet=\"shop/web\"";
    let sync = |logger: &str| format!("\"Finished syncing\"{logger} kind=\"ReplicaSet\" key=\"shop/web\"");
    let told = |lines: [&str; 4]| -> Vec<Option<bool>> {
        let text: String = lines.iter().map(|line| format!("{HEAD}{line}\n")).collect();
        let lines = said(&text).into_iter();
        lines
            .filter_map(|line| match line {
                LogLine::Expectations { by_handler, .. } => Some(by_handler),
                _ => None,
            })
            .collect()
    };
    assert_eq!(told([handler, &sync(""), lowered, plain]), [Some(true), Some(false)]);
    assert_eq!(told([handler, &sync(" logger=\"replicaset-controller\""), lowered, plain]), [None, None]);
    assert_eq!(told([lowered, plain, handler, &sync("")]), [None, None], "not known yet");
}
