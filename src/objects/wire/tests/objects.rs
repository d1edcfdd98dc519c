use crate::objects::wire::{Read, from_slice, from_str};
use crate::objects::{Object, OwnerKind, Phase, Pod, ReplicaSet, Selector};

const RS: &str = r#"{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"web","namespace":"shop"},
    "spec":{SPEC"template":{"metadata":{"labels":{"app":"web"}}}}}"#;
const SELECTOR: &str = r#""selector":{"matchLabels":{"app":"web"}},"#;

/// The ReplicaSet or ReplicationController, or what is said of it.
fn replica_set(json: &str) -> Result<ReplicaSet, String> {
    match from_str(json).map_err(|invalid| invalid.to_string())? {
        Object::ReplicaSet(found) => Ok(found),
        other => panic!("{other:?}"),
    }
}

fn rs(spec: &str) -> Result<ReplicaSet, String> {
    replica_set(&RS.replace("SPEC", &format!("{spec}{SELECTOR}")))
}

fn pod(fields: &str) -> Pod {
    let text = format!(r#"{{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"a"}}{fields}}}"#);
    match from_str(&text) {
        Ok(Object::Pod(pod)) => pod,
        other => panic!("{other:?}"),
    }
}

#[test]
fn absent_or_null_replicas_mean_one() {
    assert_eq!(rs("").unwrap().replicas, 1);
    assert_eq!(rs(r#""replicas":null,"#).unwrap().replicas, 1);
    assert_eq!(rs(r#""replicas":0,"#).unwrap().replicas, 0);
    assert_eq!(rs(r#""replicas":2147483647,"#).unwrap().replicas, i32::MAX);
}

#[test]
fn replicas_out_of_range_name_the_object_and_the_field() {
    for (value, complaint) in [
        ("-1", "-1 is negative"),
        ("2147483648", "2147483648 is more than 2147483647"),
        ("99999999999999999999", "100000000000000000000 is not a whole number"),
        ("1.5", "1.5 is not a whole number"),
        ("\"3\"", "\"3\" is not a whole number"),
        ("{\"a\":[1]}", "an object is not a whole number"),
        ("[1]", "a list is not a whole number"),
    ] {
        let error = rs(&format!(r#""replicas":{value},"#)).unwrap_err();
        assert_eq!(error, format!("ReplicaSet shop/web: spec.replicas: {complaint}"));
    }
    let error = rs(r#""replicas":NaN,"#).unwrap_err();
    assert_eq!(error, "ReplicaSet shop/web: spec.replicas: expected value");
    let error = rs(r#""minReadySeconds":-5,"#).unwrap_err();
    assert_eq!(error, "ReplicaSet shop/web: spec.minReadySeconds: -5 is negative");
}

#[test]
fn only_old_versions_default_the_selector_of_a_replica_set() {
    let bare = RS.replace("SPEC", "");
    assert_eq!(replica_set(&bare).unwrap_err(), "ReplicaSet shop/web: spec.selector is missing");
    let old = replica_set(&bare.replace("apps/v1", "extensions/v1beta1")).unwrap();
    assert_eq!(old.selector.to_string(), "app=web");
}

#[test]
fn replication_controllers_select_by_a_plain_map_or_the_template_labels() {
    let read = |spec| {
        let text = RS.replace("ReplicaSet", "ReplicationController").replace("apps/v1", "v1");
        replica_set(&text.replace("SPEC", spec)).unwrap()
    };
    let given = read(r#""selector":{"b":"2","a":"1"},"#);
    assert_eq!(
        (given.kind, given.selector.to_string()),
        (OwnerKind::ReplicationController, "a=1,b=2".into())
    );
    assert_eq!(read("").selector.to_string(), "app=web");
    assert_eq!(read(r#""selector":{},"#).selector.to_string(), "app=web");
}

#[test]
fn selectors_that_apimachinery_refuses_are_kept_as_invalid() {
    let read = |expression: &str| {
        let spec = format!(r#""selector":{{"matchExpressions":[{expression}]}},"#);
        replica_set(&RS.replace("SPEC", &spec)).unwrap().selector
    };
    for refused in [
        r#"{"key":"a","operator":"Near","values":["b"]}"#,
        r#"{"key":"a","operator":"In"}"#,
        r#"{"key":"a","operator":"NotIn","values":[]}"#,
        r#"{"key":"a","operator":"Exists","values":["b"]}"#,
        r#"{"key":"a"}"#,
    ] {
        assert!(matches!(read(refused), Selector::Invalid(_)), "{refused}");
    }
    assert_eq!(read(r#"{"key":"a","operator":"NotIn","values":["b"]}"#).to_string(), "a notin (b)");
    let empty = replica_set(&RS.replace("SPEC", r#""selector":{},"#)).unwrap();
    assert_eq!(empty.selector, Selector::All(vec![]));
}

#[test]
fn only_restartable_init_containers_count_as_sidecars() {
    let pod = pod(r#","spec":{"initContainers":[{"name":"once"},{"name":"mesh","restartPolicy":"Always"}]},
        "status":{"phase":"Running","containerStatuses":[{"name":"x","restartCount":2},{"name":"y","restartCount":5}],
        "initContainerStatuses":[{"name":"once","restartCount":9},{"name":"mesh","restartCount":3}]}"#);
    assert_eq!((pod.phase, pod.restarts, pod.sidecar_restarts), (Phase::Running, 5, 3));
}

#[test]
fn the_first_ready_condition_counts_and_null_times_are_none() {
    let pod = pod(r#","status":{"conditions":[{"type":"Initialized","status":"True"},
        {"type":"Ready","status":"False","lastTransitionTime":null},{"type":"Ready","status":"True"}]}"#);
    let ready = pod.ready.unwrap();
    assert!(!ready.is_true && ready.since.is_none());
}

#[test]
fn only_known_annotations_are_kept_and_null_lists_are_empty() {
    let text = r#"{"kind":"Pod","metadata":{"name":"a","creationTimestamp":null,"finalizers":null,
        "annotations":{"x":"\u0041","controller.kubernetes.io/pod-deletion-cost":"7"},
        "managedFields":[{"manager":"m","time":"2026-01-01T00:00:00Z","fieldsV1":{"f:a":{}}}]},
        "spec":{"containers":null}}"#;
    let Ok(Object::Pod(pod)) = from_str(text) else { panic!() };
    assert_eq!(pod.meta.annotations.iter().count(), 1);
    assert_eq!((pod.deletion_cost(), pod.meta.created), (7, None));
    assert_eq!(pod.meta.managers[0].name, "m");
}

#[test]
fn images_are_kept_for_orphans_only() {
    let spec = r#","spec":{"containers":[{"name":"c","image":"i"}]}"#;
    assert_eq!(pod(spec).images, [("c".to_owned(), "i".to_owned())]);
    let owned = r#"{"kind":"Pod","metadata":{"name":"a","ownerReferences":[{"kind":"ReplicaSet","name":"r",
        "uid":"u","controller":true}]},"spec":{"containers":[{"name":"c","image":"i"}]}}"#;
    assert!(matches!(from_str(owned), Ok(Object::Pod(pod)) if pod.images.is_empty()));
}

#[test]
fn unusable_objects_say_what_is_missing() {
    let error = |text: &str| from_str(text).unwrap_err().to_string();
    assert_eq!(error(r#"{"kind":"Pod"}"#), "Pod: metadata is missing");
    assert_eq!(error(r#"{"kind":"Pod","metadata":{}}"#), "Pod: metadata.name is missing");
    assert_eq!(error(r#"{"metadata":{"name":"a"}}"#), "a: kind is missing");
    assert_eq!(
        error(r#"{"kind":"Pod","metadata":{"name":"a","creationTimestamp":"yesterday"}}"#),
        "Pod a: metadata.creationTimestamp: \"yesterday\" is not an RFC 3339 time"
    );
    assert_eq!(
        error(r#"{"kind":"Pod","metadata":{"name":"a","generation":"x"}}"#),
        "Pod a: metadata.generation: invalid type: string \"x\", expected i64"
    );
}

#[test]
fn kinds_of_foreign_groups_are_ignored_by_their_full_name() {
    let read = |text: &str| from_slice(text.as_bytes(), None);
    let knative =
        r#"{"apiVersion":"serving.knative.dev/v1","kind":"Service","metadata":{"name":"a"},"spec":7}"#;
    assert_eq!(read(knative), Ok(Read::Ignored("Service.serving.knative.dev".to_owned())));
    let map = r#"{"apiVersion":"v1","kind":"ConfigMap"}"#;
    assert_eq!(read(map), Ok(Read::Ignored("ConfigMap".to_owned())));
}

#[test]
fn events_of_both_groups_read_alike() {
    let core = r#"{"kind":"Event","apiVersion":"v1","metadata":{"name":"e"},"reason":"R","message":"m","count":3,
        "involvedObject":{"kind":"ReplicaSet","name":"web","uid":"u"},"source":{"component":"c"},
        "firstTimestamp":"2026-01-01T00:00:00Z","lastTimestamp":"2026-01-01T00:01:00Z"}"#;
    let new = r#"{"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"e"},"reason":"R","note":"m",
        "regarding":{"kind":"ReplicaSet","name":"web","uid":"u"},"reportingController":"c",
        "deprecatedCount":1,"eventTime":"2026-01-01T00:00:00Z",
        "series":{"count":3,"lastObservedTime":"2026-01-01T00:01:00Z"}}"#;
    assert_eq!(from_str(core).unwrap(), from_str(new).unwrap());
}
