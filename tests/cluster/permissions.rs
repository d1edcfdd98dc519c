//! The RBAC manifests grant what the program reads, and nothing else; `auth` tells what is granted.

use serde::Deserialize;
use serde_json::Value;
use support::server::{Answer, serve};

const CLUSTER: &str = include_str!("../../deploy/rbac-cluster.yaml");
const NAMESPACE: &str = include_str!("../../deploy/rbac-namespace.yaml");

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

/// Grants what the namespaced role grants.
fn least(path: &str) -> Answer {
    let granted = ["/apis/apps/v1/namespaces/shop/replicasets", "/api/v1/namespaces/shop/pods"];
    let Some(rest) = granted.iter().find_map(|prefix| path.strip_prefix(prefix)) else {
        return Some((403, status(403, "Forbidden")));
    };
    match rest.strip_prefix('/') {
        Some(_) => Some((404, status(404, "NotFound"))),
        None => Some((200, r#"{"kind":"List","apiVersion":"v1","metadata":{},"items":[]}"#.into())),
    }
}

/// Grants pods, but no ReplicaSets.
fn too_little(path: &str) -> Answer {
    if path.contains("replicasets") { Some((403, status(403, "Forbidden"))) } else { least(path) }
}

fn status(code: u16, reason: &str) -> String {
    format!(r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"{reason}","code":{code}}}"#)
}

/// Exit code, standard output and standard error.
fn auth(server: &str, output: &str) -> (Option<i32>, String, String) {
    let mut command = support::command();
    command.args(["auth", "-s", server, "-n", "shop", "-o", output]);
    let ran = support::run(command.env("KUBECONFIG", "nowhere").env("no_proxy", "*"));
    (ran.code, ran.out, ran.err)
}

#[test]
fn auth_tells_the_least_role_as_sufficient() {
    let (code, out, err) = auth(&serve(least), "text");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, err.as_str(), lines.len()), (Some(0), "", 9), "{out}");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    assert_eq!(words(lines[1]), ["replicasets.apps", "namespace", "shop", "yes", "yes", "yes", "-"]);
    assert_eq!(words(lines[3])[..6], ["events", "namespace", "shop", "no", "no", "no"]);
    assert!(lines[3].ends_with("refusals are known from the condition alone"), "{}", lines[3]);
}

#[test]
fn auth_exits_4_where_no_answer_is_possible() {
    let (code, out, _) = auth(&serve(too_little), "json");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &report["sufficient"]), (Some(4), &Value::Bool(false)));
    let item = &report["items"][0];
    assert_eq!((&item["resource"], &item["list"]), (&"replicasets.apps".into(), &Value::Bool(false)));
    assert_eq!(report["items"][1]["lost"], Value::Null);
}

#[test]
fn auth_without_a_server_says_why() {
    let (code, out, err) = auth("http://127.0.0.1:9", "text");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.starts_with("The connection to the server 127.0.0.1:9 was refused"), "{err}");
}

/// Grants nothing.
fn nothing(_: &str) -> Answer {
    Some((403, status(403, "Forbidden")))
}

#[test]
fn the_page_about_permissions_tells_of_each_resource_what_auth_tells() {
    let page = include_str!("../../docs/permissions.md");
    let (_, out, _) = auth(&serve(nothing), "json");
    let report: Value = serde_json::from_str(&out).unwrap();
    let items = report["items"].as_array().unwrap();
    assert_eq!(items.len(), EVERYTHING.len());
    for item in items {
        let of = |field: &str| item[field].as_str().unwrap();
        let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", of("resource"))));
        assert!(row.is_some_and(|row| row.contains(of("lost"))), "{item}: {row:?}");
    }
}
