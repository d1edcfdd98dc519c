//! The RBAC manifests grant what the program reads, and nothing else.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic too")]

use serde::Deserialize;
use serde_json::Value;

const CLUSTER: &str = include_str!("../deploy/rbac-cluster.yaml");
const NAMESPACE: &str = include_str!("../deploy/rbac-namespace.yaml");

/// The manifests with the rules that stand in comments; prose stands behind a single blank.
fn uncommented(text: &str) -> String {
    let is_rule = |rest: &&str| !rest.starts_with(' ') || rest.starts_with("  ");
    text.lines()
        .map(|line| line.strip_prefix('#').filter(is_rule).unwrap_or(line).to_owned() + "\n")
        .collect()
}

fn documents(text: &str) -> Vec<Value> {
    serde_yaml::Deserializer::from_str(text).map(|document| Value::deserialize(document).unwrap()).collect()
}

fn rules(text: &str) -> Vec<Value> {
    let with_rules = documents(text).into_iter().filter(|document| !document["rules"].is_null());
    with_rules.flat_map(|document| document["rules"].as_array().unwrap().clone()).collect()
}

/// `GROUP/RESOURCE` of all rules, sorted.
fn resources(rules: &[Value]) -> Vec<String> {
    let strings = |value: &Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    let mut all = Vec::new();
    for rule in rules {
        for group in strings(&rule["apiGroups"]) {
            all.extend(strings(&rule["resources"]).iter().map(|resource| format!("{group}/{resource}")));
        }
    }
    all.sort();
    all
}

const EVERYTHING: [&str; 8] = [
    "/events",
    "/namespaces",
    "/pods",
    "/replicationcontrollers",
    "/resourcequotas",
    "apps/deployments",
    "apps/replicasets",
    "coordination.k8s.io/leases",
];

#[test]
fn no_rule_grants_more_than_get_list_and_watch() {
    for text in [CLUSTER.to_owned(), NAMESPACE.to_owned(), uncommented(NAMESPACE)] {
        let rules = rules(&text);
        assert!(!rules.is_empty());
        for rule in rules {
            assert_eq!(rule["verbs"], serde_json::json!(["get", "list", "watch"]), "{rule}");
        }
    }
}

#[test]
fn the_namespaced_role_needs_replicasets_and_pods_alone() {
    assert_eq!(resources(&rules(NAMESPACE)), ["/pods", "apps/replicasets"]);
    assert!(documents(NAMESPACE).iter().all(|document| document["metadata"]["namespace"] == "shop"));
}

#[test]
fn the_cluster_role_and_the_commented_rules_cover_all_that_is_read() {
    assert_eq!(resources(&rules(CLUSTER)), EVERYTHING);
    assert_eq!(resources(&rules(&uncommented(NAMESPACE))), EVERYTHING);
}

#[test]
fn bindings_name_their_roles() {
    for text in [CLUSTER.to_owned(), NAMESPACE.to_owned(), uncommented(NAMESPACE)] {
        let documents = documents(&text);
        for pair in documents.chunks(2) {
            assert_eq!(pair[1]["roleRef"]["kind"], pair[0]["kind"]);
            assert_eq!(pair[1]["roleRef"]["name"], pair[0]["metadata"]["name"]);
            assert_eq!(pair[1]["metadata"]["namespace"], pair[0]["metadata"]["namespace"]);
        }
    }
}
