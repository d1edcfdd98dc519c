//! The list of a whole cluster: what will not settle comes first, equal causes share a row, the last line
//! counts. Only the table is so; scripts are told everything.

use std::path::PathBuf;

use serde_json::{Value, json};
use support::{Ran, rsexp};
use tempfile::TempDir;

const REFUSED: &str =
    "pods \"x\" is forbidden: exceeded quota: pods, requested: pods=1, used: pods=9, limited: pods=9";

/// A ReplicaSet and the pods that it has; `refused`: its creates are.
fn replica_set(namespace: &str, name: &str, want: usize, have: usize, refused: bool) -> Vec<Value> {
    let uid = format!("{namespace}-{name}");
    let owner = |kind: &str, name: &str, uid: &str| json!([{ "apiVersion": "apps/v1", "kind": kind, "name": name, "uid": uid, "controller": true }]);
    let meta = |name: &str, uid: &str, owner: Value| {
        json!({ "name": name, "namespace": namespace, "uid": uid, "resourceVersion": "9", "generation": 1,
            "creationTimestamp": "2026-01-01T10:00:00Z", "labels": {"app": "web"}, "ownerReferences": owner })
    };
    let failure = json!([{ "type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": REFUSED,
        "lastTransitionTime": "2026-01-01T11:00:00Z" }]);
    let set = json!({ "apiVersion": "apps/v1", "kind": "ReplicaSet",
        "metadata": meta(name, &uid, owner("Deployment", "web", "d")),
        "spec": { "replicas": want, "selector": {"matchLabels": {"app": "web"}},
            "template": { "metadata": {"labels": {"app": "web"}}, "spec": {"containers": []} } },
        "status": { "replicas": have, "readyReplicas": have, "observedGeneration": 1,
            "conditions": if refused { failure } else { json!([]) } } });
    let pod = |n: usize| {
        json!({ "apiVersion": "v1", "kind": "Pod",
            "metadata": meta(&format!("{name}-{n}"), &format!("{uid}-{n}"), owner("ReplicaSet", name, &uid)),
            "spec": {"nodeName": "node"},
            "status": { "phase": "Running", "conditions": [{ "type": "Ready", "status": "True" }] } })
    };
    std::iter::once(set).chain((0..have).map(pod)).collect()
}

/// 8 settled ones in two namespaces, 7 refused ones in one and 2 in another, 1 that acts.
fn cluster() -> (TempDir, PathBuf) {
    let mut items = Vec::new();
    for n in 0..8 {
        items.extend(replica_set(["a", "z"][n % 2], &format!("calm-{n}"), 1, 1, false));
    }
    for n in 0..7 {
        items.extend(replica_set("shop", &format!("web-{n}"), 3, 1, true));
    }
    items.extend(replica_set("ops", "tool-9", 3, 1, true));
    items.extend(replica_set("ops", "tool-10", 2, 1, true));
    items.extend(replica_set("ops", "late", 3, 1, false));
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("cluster.json");
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": items });
    std::fs::write(&file, list.to_string()).unwrap();
    (directory, file)
}

fn list(flags: &[&str]) -> Ran {
    let (_directory, file) = cluster();
    let ran =
        rsexp([&["list", "-f", file.to_str().unwrap(), "--now", "2026-01-01T12:00:00Z"], flags].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{flags:?}: {ran:?}");
    ran
}

/// The first two words of each line, the head left out.
fn names(ran: &Ran) -> Vec<String> {
    let lines = ran.out.lines().filter(|line| !line.starts_with("NAME"));
    lines.map(|line| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn what_will_not_settle_comes_first_and_equal_causes_share_a_row() {
    let table = "\
NAMESPACE NAME            DESIRED CURRENT READY AGE  SYNC    EXPECT WHY                 UNTIL
ops       tool-10         2       1       1     120m blocked ?/?    QuotaExceeded       -
ops       tool-9          3       1       1     120m blocked ?/?    QuotaExceeded       -
shop      7 of deploy/web 21      7       7     -    blocked -      QuotaExceeded       -
ops       late            3       1       1     120m act     ?/?    ExpectationsExpired -
18 ReplicaSets: 8 settled, 1 act, 9 blocked
";
    assert_eq!(list(&["-A"]).out, table);
    assert_eq!(list(&["-A", "-n", "ops"]).out, table, "-A wins over -n");
}

#[test]
fn all_shows_the_settled_ones_too_and_each_in_its_own_row() {
    let all = list(&["-A", "--all"]);
    let names = names(&all);
    assert_eq!(names.len(), 19, "{all:?}");
    assert_eq!(
        (names[0].as_str(), names[9].as_str(), names[10].as_str()),
        ("ops tool-10", "ops late", "a calm-0")
    );
    assert_eq!(names[18], "18 ReplicaSets:");
}

#[test]
fn wide_rows_pods_and_an_order_of_its_own_collapse_nothing() {
    for flags in [&["-o", "wide"][..], &["--sort-by", ".metadata.name"], &["-L", "app"]] {
        let ran = list(&[&["-A"], flags].concat());
        assert_eq!(names(&ran).len(), 11, "{flags:?}: {ran:?}");
        assert!(!ran.out.contains("calm"), "{flags:?}");
    }
    let sorted = names(&list(&["-A", "--sort-by=.metadata.name", "--no-headers"]));
    assert_eq!(sorted[..3], ["ops late", "ops tool-9", "ops tool-10"], "names with numbers go by their size");
    assert!(list(&["-A", "--pods"]).out.contains("web-6-0"));
}

#[test]
fn without_heads_there_is_no_summary() {
    assert_eq!(names(&list(&["-A", "--no-headers"])), ["ops tool-10", "ops tool-9", "shop 7", "ops late"]);
}

#[test]
fn scripts_are_told_everything_in_the_usual_order() {
    assert_eq!(list(&["-A", "-o", "name"]).out.lines().count(), 18);
    let first = list(&["-A", "-o", "jsonpath={.items[0].object.name} {.items[*].kind}"]).out;
    assert!(first.starts_with("calm-0 ") && first.matches("ReplicaSetReport").count() == 18, "{first}");
    let columns = list(&["-A", "-o", "custom-columns=NAME:.object.name", "--no-headers"]);
    assert_eq!(columns.out.lines().count(), 18);
    assert_eq!(list(&[]).out.lines().count(), 19, "one namespace after the other, all of them");
    assert_eq!(names(&list(&["-n", "ops"])), ["late 3", "tool-10 2", "tool-9 3"]);
}

#[test]
fn sorting_orders_every_format() {
    let by_size = ["-n", "ops", "--sort-by={.spec.replicas}"];
    assert_eq!(names(&list(&by_size)), ["tool-10 2", "late 3", "tool-9 3"]);
    let json = list(&[&by_size[..], &["-o", "jsonpath={.items[*].object.name}"]].concat());
    assert_eq!(json.out, "tool-10 late tool-9");
}

#[test]
fn a_field_that_no_object_has_cannot_be_sorted_by() {
    let (_directory, file) = cluster();
    let ran = rsexp(["list", "-f", file.to_str().unwrap(), "--sort-by", ".metadata.nme"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (Some(1), "", 1), "{ran:?}");
    assert!(ran.err.contains("--sort-by .metadata.nme"), "{ran:?}");
}
