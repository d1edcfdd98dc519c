//! Reads state vectors of Deployments on stdin, one JSON a line, and prints what the model predicts: for each Deployment one
//! sync, or for a chain every round until nothing changes.
//!
//! A vector holds objects, an instant and invented refusals; one JSON a line. The ideal rest of the cluster that a chain
//! supposes stands in [`settle`].

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufWriter, Write as _};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use rsexp::model::deployment::{
    Action, Api, Condition, Deployment, DeploymentStatus, IntOrPercent, Live, OldPod, Outcome, Refusal,
    RefusalKind, ReplicaSet, ReplicaSetStatus, Requeue, Situation, Strategy, Template, Write, sync,
};
use rsexp::model::profile::{Profile, Version};
use rsexp::objects::{Key, Labels, Operator, Requirement, Selector, quantity};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector {
    id: String,
    server_version: String,
    now: Timestamp,
    objects: Vec<Value>,
    names: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    failures: Option<Failures>,
    #[serde(default)]
    plan: Option<Plan>,
}

/// Invented refusals, by `namespace/name`.
#[derive(Deserialize, Default, Clone)]
#[serde(rename_all = "camelCase", default)]
struct Failures {
    create: BTreeMap<String, String>,
    status: BTreeMap<String, String>,
    update_deployment: BTreeMap<String, String>,
    update: BTreeMap<String, String>,
    delete: BTreeMap<String, String>,
    patch: BTreeMap<String, String>,
    live: BTreeMap<String, String>,
}

/// How the rest of the cluster behaves in a chain.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Plan {
    ready: Readiness,
    #[serde(default)]
    linger: bool,
    step_seconds: i64,
    #[serde(default)]
    limit: i32,
    #[serde(default)]
    create_refused: Option<CreateRefused>,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "camelCase")]
enum Readiness {
    Ready,
    Late,
    Soak,
    Stuck,
    Limit,
}

#[derive(Deserialize)]
struct CreateRefused {
    rounds: usize,
    kind: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        writeln!(out, "{}", predict_line(&line?)?)?;
    }
    Ok(out.flush()?)
}

/// The prediction for one line of a file of vectors.
pub fn predict_line(line: &str) -> Result<Value, Box<dyn std::error::Error>> {
    let vector: Vector = serde_json::from_str(line)?;
    let version = Version::parse(&vector.server_version).ok_or("unknown serverVersion")?;
    let state = State::read(&vector.objects);
    let profile = Profile::of(version);
    match &vector.plan {
        Some(plan) => Ok(chain(&vector, plan, state, &profile)),
        None => {
            let answers: Vec<Value> = state
                .deployments
                .iter()
                .map(|d| {
                    answer(
                        d,
                        &state,
                        &vector.names,
                        &vector.failures.clone().unwrap_or_default(),
                        &profile,
                        vector.now,
                    )
                    .0
                })
                .collect();
            Ok(json!({"id": vector.id, "deployments": answers}))
        }
    }
}

/// A Deployment, and the labels and text of its template.
struct Read {
    deployment: Deployment,
    labels: Labels,
    template: Value,
}

struct State {
    deployments: Vec<Read>,
    /// With the namespace of each.
    replica_sets: Vec<(String, ReplicaSet)>,
    pods: Vec<(String, String, OldPod)>,
    templates: BTreeMap<Arc<str>, Value>,
}

impl State {
    fn read(objects: &[Value]) -> State {
        let mut state = State {
            deployments: Vec::new(),
            replica_sets: Vec::new(),
            pods: Vec::new(),
            templates: BTreeMap::new(),
        };
        for object in objects {
            let namespace = text(&object["metadata"]["namespace"]);
            match object["kind"].as_str() {
                Some("Deployment") => state.deployments.push(read_deployment(object)),
                Some("ReplicaSet") => {
                    let template = &object["spec"]["template"];
                    state.templates.insert(canonical(template), without_hash(template));
                    state.replica_sets.push((namespace, read_replica_set(object)));
                }
                Some("Pod") => {
                    let name = text(&object["metadata"]["name"]);
                    state.pods.push((namespace, name, read_pod(object)));
                }
                _ => {}
            }
        }
        state
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn int(value: &Value) -> i32 {
    value.as_i64().and_then(|n| i32::try_from(n).ok()).unwrap_or_default()
}

fn time(value: &Value) -> Option<Timestamp> {
    value.as_str().and_then(|text| text.parse().ok())
}

fn pairs(value: &Value) -> BTreeMap<String, String> {
    value.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), text(v))).collect()
}

fn selector(value: &Value) -> Selector {
    let mut requirements: Vec<Requirement> = pairs(&value["matchLabels"])
        .into_iter()
        .map(|(key, value)| Requirement { key, operator: Operator::In, values: vec![value] })
        .collect();
    for expression in value["matchExpressions"].as_array().into_iter().flatten() {
        let operator = match expression["operator"].as_str() {
            Some("In") => Operator::In,
            Some("NotIn") => Operator::NotIn,
            Some("Exists") => Operator::Exists,
            _ => Operator::DoesNotExist,
        };
        let values = expression["values"].as_array().into_iter().flatten().map(text).collect();
        requirements.push(Requirement { key: text(&expression["key"]), operator, values });
    }
    Selector::All(requirements)
}

fn int_or_percent(value: &Value) -> IntOrPercent {
    let percent = value.as_str().and_then(IntOrPercent::parse_percent);
    percent.unwrap_or(if value.is_null() { IntOrPercent::Percent(25) } else { IntOrPercent::Int(int(value)) })
}

fn limited(value: &Value, default: i32) -> Option<i32> {
    match value.as_i64() {
        None => Some(default),
        Some(number) if number == i64::from(i32::MAX) => None,
        Some(number) => i32::try_from(number).ok(),
    }
}

fn read_condition(value: &Value) -> Condition {
    Condition {
        kind: text(&value["type"]),
        status: text(&value["status"]),
        updated: time(&value["lastUpdateTime"]),
        changed: time(&value["lastTransitionTime"]),
        reason: text(&value["reason"]),
        message: text(&value["message"]),
    }
}

fn read_deployment(object: &Value) -> Read {
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    let strategy = match spec["strategy"]["type"].as_str() {
        Some("Recreate") => Strategy::Recreate,
        _ => Strategy::RollingUpdate {
            max_surge: int_or_percent(&spec["strategy"]["rollingUpdate"]["maxSurge"]),
            max_unavailable: int_or_percent(&spec["strategy"]["rollingUpdate"]["maxUnavailable"]),
        },
    };
    let optional = |value: &Value| value.as_i64().and_then(|n| i32::try_from(n).ok());
    let deployment = Deployment {
        key: Key::new(text(&meta["namespace"]), text(&meta["name"])),
        uid: text(&meta["uid"]),
        generation: meta["generation"].as_i64().unwrap_or_default(),
        annotations: pairs(&meta["annotations"]),
        deleting: meta["deletionTimestamp"].is_string(),
        replicas: optional(&spec["replicas"]).unwrap_or(1),
        selector: selector(&spec["selector"]),
        strategy,
        paused: spec["paused"].as_bool().unwrap_or(false),
        min_ready_seconds: int(&spec["minReadySeconds"]),
        progress_deadline: limited(&spec["progressDeadlineSeconds"], 600),
        history_limit: limited(&spec["revisionHistoryLimit"], 10),
        template: Template { canonical: canonical(&spec["template"]) },
        status: DeploymentStatus {
            observed_generation: status["observedGeneration"].as_i64().unwrap_or_default(),
            replicas: int(&status["replicas"]),
            updated: int(&status["updatedReplicas"]),
            ready: int(&status["readyReplicas"]),
            available: int(&status["availableReplicas"]),
            unavailable: int(&status["unavailableReplicas"]),
            terminating: optional(&status["terminatingReplicas"]),
            collisions: optional(&status["collisionCount"]),
            conditions: status["conditions"].as_array().into_iter().flatten().map(read_condition).collect(),
        },
    };
    let labels = pairs(&spec["template"]["metadata"]["labels"]).into_iter().collect();
    Read { deployment, labels, template: without_hash(&spec["template"]) }
}

fn controller(meta: &Value) -> Option<&Value> {
    meta["ownerReferences"].as_array()?.iter().find(|owner| owner["controller"] == true)
}

fn read_replica_set(object: &Value) -> ReplicaSet {
    let (meta, spec, status) = (&object["metadata"], &object["spec"], &object["status"]);
    let failure = status["conditions"].as_array().into_iter().flatten().map(read_condition);
    ReplicaSet {
        name: text(&meta["name"]),
        uid: text(&meta["uid"]),
        created: time(&meta["creationTimestamp"]),
        generation: meta["generation"].as_i64().unwrap_or_default(),
        labels: pairs(&meta["labels"]).into_iter().collect(),
        annotations: pairs(&meta["annotations"]),
        controller: controller(meta).map(|owner| text(&owner["uid"])),
        deleting: meta["deletionTimestamp"].is_string(),
        replicas: spec["replicas"].as_i64().map_or(1, |_| int(&spec["replicas"])),
        min_ready_seconds: int(&spec["minReadySeconds"]),
        template: Template { canonical: canonical(&spec["template"]) },
        status: ReplicaSetStatus {
            replicas: int(&status["replicas"]),
            ready: int(&status["readyReplicas"]),
            available: int(&status["availableReplicas"]),
            terminating: status["terminatingReplicas"].as_i64().and_then(|n| i32::try_from(n).ok()),
            observed_generation: status["observedGeneration"].as_i64().unwrap_or_default(),
            failure: failure.into_iter().find(|condition| condition.kind == "ReplicaFailure"),
        },
    }
}

fn read_pod(object: &Value) -> OldPod {
    let owner = controller(&object["metadata"]).cloned().unwrap_or_default();
    OldPod {
        labels: pairs(&object["metadata"]["labels"]).into_iter().collect(),
        owner_kind: text(&owner["kind"]),
        owner_name: text(&owner["name"]),
        owner_uid: text(&owner["uid"]),
        finished: matches!(object["status"]["phase"].as_str(), Some("Failed" | "Succeeded")),
    }
}

fn without_hash(template: &Value) -> Value {
    let mut template = template.clone();
    if let Some(labels) = template["metadata"]["labels"].as_object_mut() {
        labels.remove("pod-template-hash");
    }
    template
}

/// A template's text: quantities by value, empty equals absent, the hash label removed.
fn canonical(template: &Value) -> Arc<str> {
    normal(&without_hash(template), false).unwrap_or_default().to_string().into()
}

fn normal(value: &Value, quantities: bool) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Object(fields) => {
            let fields: BTreeMap<String, Value> = fields
                .iter()
                .filter_map(|(key, value)| {
                    let inner = quantities || matches!(key.as_str(), "limits" | "requests" | "overhead");
                    Some((key.clone(), normal(value, inner)?))
                })
                .collect();
            if fields.is_empty() { None } else { Some(json!(fields)) }
        }
        Value::Array(items) if items.is_empty() => None,
        Value::Array(items) => {
            Some(items.iter().map(|item| normal(item, quantities).unwrap_or_default()).collect())
        }
        Value::String(text) if text.is_empty() => None,
        Value::String(text) if quantities => {
            Some(quantity::parse_milli(text).map_or_else(|| value.clone(), |milli| json!(milli.to_string())))
        }
        other => Some(other.clone()),
    }
}

/// Answers as the vector's invented refusals say, and as the API server would of itself.
struct Server<'a> {
    failures: &'a Failures,
    namespace: &'a str,
    deployment: String,
    taken: BTreeSet<String>,
    once: BTreeSet<String>,
}

impl Server<'_> {
    fn refusal(&mut self, table: &str, key: &str, kind: Option<&String>) -> Result<(), Refusal> {
        let Some(kind) = kind else { return Ok(()) };
        if kind == "409-once" && !self.once.insert(format!("{table} {key}")) {
            return Ok(());
        }
        Err(refusal(kind))
    }
}

fn refusal(kind: &str) -> Refusal {
    let kind = match kind {
        "409" | "409-once" => RefusalKind::Conflict,
        "404" => RefusalKind::NotFound,
        "422" => RefusalKind::Invalid,
        "already-exists" => RefusalKind::AlreadyExists,
        "namespace-terminating" => RefusalKind::NamespaceTerminating,
        _ => RefusalKind::Other,
    };
    Refusal { kind, message: "refused".into() }
}

/// What the vectors' API server says of a refused create.
fn words(kind: Option<&String>, name: &str) -> String {
    let subject = format!("replicasets.apps \"{name}\"");
    match kind.map_or("", String::as_str) {
        "403" => format!("{subject} is forbidden: User \"system:serviceaccount:kube-system:deployment-controller\" cannot do this"),
        "quota" => format!("{subject} is forbidden: exceeded quota: counts, requested: count/replicasets.apps=1, used: count/replicasets.apps=10, limited: count/replicasets.apps=10"),
        "timeout" => "Timeout: request did not complete within the allotted timeout".into(),
        "422" => format!("{subject} is invalid"),
        _ => "Internal error occurred: failed calling webhook \"policy.test\": failed to call webhook: connection refused".into(),
    }
}

impl Api for Server<'_> {
    fn answer(&mut self, write: &Write) -> Result<(), Refusal> {
        let key = |name: &str| format!("{}/{name}", self.namespace);
        let failures = self.failures;
        match write {
            Write::Adopt(name) | Write::Release(name) => {
                let key = key(name);
                self.refusal("patch", &key, failures.patch.get(&key))
            }
            Write::Create(new) => {
                let own = self.deployment.clone();
                let refused = self.refusal("create", &own, failures.create.get(&own));
                refused.map_err(|refusal| Refusal {
                    message: words(failures.create.get(&own), &new.name),
                    ..refusal
                })?;
                if self.taken.contains(&new.name) { Err(refusal("already-exists")) } else { Ok(()) }
            }
            Write::Scale { name, to, .. } => {
                let key = key(name);
                self.refusal("update", &key, failures.update.get(&key))?;
                if *to < 0 {
                    Err(Refusal { kind: RefusalKind::Negative, message: String::new() })
                } else {
                    Ok(())
                }
            }
            Write::Annotate { name, .. } => {
                let key = key(name);
                self.refusal("update", &key, failures.update.get(&key))
            }
            Write::Delete(name) => {
                let key = key(name);
                self.refusal("delete", &key, failures.delete.get(&key))
            }
            Write::Status(_) => {
                let own = self.deployment.clone();
                self.refusal("status", &own, failures.status.get(&own))
            }
            Write::Rollback { .. } => {
                let own = self.deployment.clone();
                self.refusal("updateDeployment", &own, failures.update_deployment.get(&own))
            }
        }
    }

    fn live(&mut self) -> Live {
        if self.failures.live.contains_key(&self.deployment) { Live::Changed } else { Live::Same }
    }
}

fn answer(
    read: &Read,
    state: &State,
    names: &BTreeMap<String, Vec<String>>,
    failures: &Failures,
    profile: &Profile,
    now: Timestamp,
) -> (Value, Outcome) {
    let key = read.deployment.key.to_string();
    let namespace = read.deployment.key.namespace.as_str();
    let all: Vec<ReplicaSet> = of_namespace(state, namespace);
    let pods: Vec<OldPod> =
        state.pods.iter().filter(|(of, ..)| of == namespace).map(|(_, _, pod)| pod.clone()).collect();
    let mut server = Server {
        failures,
        namespace,
        deployment: key.clone(),
        taken: all.iter().map(|replica_set| replica_set.name.clone()).collect(),
        once: BTreeSet::new(),
    };
    let name = names.get(&key).and_then(|names| names.first()).map_or("", String::as_str);
    let situation = Situation {
        deployment: &read.deployment,
        replica_sets: &all,
        pods: &pods,
        name,
        template_labels: &read.labels,
        profile,
        now,
    };
    let outcome = sync(&situation, &mut server);
    (written(read, state, &outcome), outcome)
}

fn of_namespace(state: &State, namespace: &str) -> Vec<ReplicaSet> {
    state
        .replica_sets
        .iter()
        .filter(|(of, _)| of == namespace)
        .map(|(_, replica_set)| replica_set.clone())
        .collect()
}

fn done(outcome: &Outcome) -> impl Iterator<Item = &Write> {
    outcome.actions.iter().filter(|action| action.refused.is_none()).map(|action| &action.write)
}

/// The fields that a comparison with the real controller needs.
fn written(read: &Read, state: &State, outcome: &Outcome) -> Value {
    let mut sizes: BTreeMap<&str, Option<i32>> =
        outcome.claimed.iter().map(|claimed| (claimed.name.as_str(), Some(claimed.replicas))).collect();
    let (mut scales, mut created) = (Vec::new(), Value::Null);
    let mut annotations: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    let (mut deleted, mut adopted, mut released) = (Vec::new(), Vec::new(), Vec::new());
    for write in done(outcome) {
        match write {
            Write::Adopt(name) => adopted.push(name),
            Write::Release(name) => released.push(name),
            Write::Delete(name) => {
                deleted.push(name);
                sizes.insert(name, None);
            }
            Write::Create(new) => {
                sizes.insert(&new.name, Some(new.replicas));
                let of = |key: &str| new.annotations.get(&format!("deployment.kubernetes.io/{key}"));
                created = json!({"name": new.name, "replicas": new.replicas, "revision": of("revision"), "desired": of("desired-replicas"),
                    "max": of("max-replicas"), "minReadySeconds": new.min_ready_seconds});
            }
            Write::Scale { name, from, to, annotations: set, .. } => {
                sizes.insert(name, Some(*to));
                scales.push(json!([name, from, to]));
                annotations
                    .entry(name)
                    .or_default()
                    .extend(set.iter().map(|(k, v)| (k.as_str(), v.as_str())));
            }
            Write::Annotate { name, annotations: set, .. } if !set.is_empty() => {
                annotations
                    .entry(name)
                    .or_default()
                    .extend(set.iter().map(|(k, v)| (k.as_str(), v.as_str())));
            }
            _ => {}
        }
    }
    annotations.retain(|_, set| !set.is_empty());
    let update = outcome.actions.iter().find_map(|action| match &action.write {
        Write::Rollback { set, unset, template, .. } => Some(json!({"set": set, "unset": unset,
            "template": template.as_ref().and_then(|template| state.templates.get(&template.canonical))})),
        _ => None,
    });
    let deployment = &read.deployment;
    let requeue = match outcome.requeue {
        Some(Requeue::After(after)) => json!(after.as_secs()),
        _ => Value::Null,
    };
    let status_writes = outcome.actions.iter().filter(|a| matches!(a.write, Write::Status(_))).count();
    json!({
        "key": deployment.key.to_string(),
        "branch": branch(outcome),
        "sizes": sizes,
        "scales": scales,
        "paths": paths(&outcome.actions),
        "created": created,
        "deleted": deleted, "adopted": adopted, "released": released,
        "status": outcome.status().map(|(status, _)| status_json(status)),
        "statusRefused": outcome.status().is_some_and(|(_, refused)| refused),
        "statusWrites": status_writes,
        "revision": outcome.revision,
        "retry": outcome.is_retried(),
        "requeueAfterSeconds": requeue,
        "requeueNow": outcome.requeue == Some(Requeue::Now),
        "newReplicaSet": outcome.new.as_deref().filter(|name| sizes.contains_key(name)),
        "annotations": annotations,
        "maxSurge": deployment.strategy.surge(deployment.replicas),
        "maxUnavailable": deployment.strategy.unavailable(deployment.replicas),
        "deploymentUpdate": update,
        "events": outcome.events.iter().map(|event| [event.reason, &event.message]).collect::<Vec<_>>(),
    })
}

fn branch(outcome: &Outcome) -> &'static str {
    use rsexp::model::deployment::Branch::*;
    match outcome.branch {
        SelectingAll => "selecting-all",
        ClaimFailed => "claim-failed",
        Deleting => "deleting",
        Paused => "paused",
        Rollback => "rollback",
        Scaling => "scaling",
        Recreate => "recreate",
        Rolling => "rolling",
    }
}

fn paths(actions: &[Action]) -> Vec<&'static str> {
    use rsexp::model::deployment::ScaleReason::*;
    let scales = actions.iter().filter(|action| action.refused.is_none());
    scales
        .filter_map(|action| match &action.write {
            Write::Scale { reason, .. } => Some(match reason {
                Single => "scaleSingle",
                Saturated => "scaleSaturated",
                Proportional => "scaleProportional",
                New => "scaleNew",
                Unhealthy => "cleanupUnhealthy",
                Old => "scaleDownOld",
                RecreateDown => "recreateDown",
                RecreateUp => "recreateUp",
            }),
            _ => None,
        })
        .collect()
}

fn status_json(status: &DeploymentStatus) -> Value {
    let conditions: Vec<Value> = status
        .conditions
        .iter()
        .map(|c| {
            json!({"type": c.kind, "status": c.status, "reason": c.reason, "message": c.message,
                "lastUpdateTime": c.updated, "lastTransitionTime": c.changed})
        })
        .collect();
    json!({"observedGeneration": status.observed_generation, "replicas": status.replicas, "updatedReplicas": status.updated,
        "readyReplicas": status.ready, "availableReplicas": status.available, "unavailableReplicas": status.unavailable,
        "terminatingReplicas": status.terminating, "collisionCount": status.collisions, "conditions": conditions})
}

/// Runs both controllers in turn until nothing changes.
fn chain(vector: &Vector, plan: &Plan, mut state: State, profile: &Profile) -> Value {
    const MOST: usize = 20;
    let (mut now, mut rounds, mut end) = (vector.now, Vec::new(), "rounds");
    let mut removed_before = 0;
    let mut names = vector.names.clone();
    for round in 1..=MOST {
        let mut failures = vector.failures.clone().unwrap_or_default();
        let key = state.deployments[0].deployment.key.to_string();
        if let Some(refused) = plan.create_refused.as_ref().filter(|refused| round <= refused.rounds) {
            failures.create.insert(key.clone(), refused.kind.clone());
        }
        let (mut answer, outcome) = answer(&state.deployments[0], &state, &names, &failures, profile, now);
        let wrote = outcome.actions.iter().any(|action| action.refused.is_none());
        apply(&mut state, &outcome, &mut names);
        let settled = settle(&mut state, plan, profile);
        let after: BTreeMap<String, Vec<i32>> = state
            .replica_sets
            .iter()
            .map(|(_, rs)| {
                let mut counts = vec![rs.replicas, rs.status.replicas, rs.status.ready, rs.status.available];
                counts.extend(rs.status.terminating.filter(|_| profile.terminating_replicas));
                (rs.name.clone(), counts)
            })
            .collect();
        answer["after"] = json!(after);
        answer["now"] = json!(now);
        rounds.push(answer);
        let quiet =
            !wrote && outcome.error.is_none() && !settled.changed && settled.removed == removed_before;
        removed_before = settled.removed;
        let step = SignedDuration::from_secs(plan.step_seconds);
        now += match (quiet, outcome.requeue) {
            (false, _) | (true, Some(Requeue::Now)) => step,
            (true, Some(Requeue::After(after))) => SignedDuration::from_secs(after.as_secs()),
            (true, None) => {
                end = "settled";
                break;
            }
        };
    }
    json!({"id": vector.id, "rounds": rounds, "end": end})
}

/// What the API server stores of a sync's writes.
fn apply(state: &mut State, outcome: &Outcome, names: &mut BTreeMap<String, Vec<String>>) {
    let read = &mut state.deployments[0];
    let namespace = read.deployment.key.namespace.clone();
    let uid = read.deployment.uid.clone();
    for write in done(outcome) {
        match write {
            Write::Adopt(name) => of(&mut state.replica_sets, name).controller = Some(uid.clone()),
            Write::Release(name) => of(&mut state.replica_sets, name).controller = None,
            Write::Create(new) => {
                state
                    .templates
                    .entry(new.template.canonical.clone())
                    .or_insert_with(|| read.template.clone());
                state.replica_sets.push((namespace.clone(), (**new).clone()));
            }
            Write::Scale { name, to, annotations, .. } => {
                let replica_set = of(&mut state.replica_sets, name);
                replica_set.replicas = *to;
                replica_set.generation += 1;
                replica_set.annotations.extend(annotations.clone());
            }
            Write::Annotate { name, annotations, min_ready_seconds } => {
                let replica_set = of(&mut state.replica_sets, name);
                replica_set.annotations.extend(annotations.clone());
                if let Some(seconds) = min_ready_seconds {
                    replica_set.min_ready_seconds = *seconds;
                    replica_set.generation += 1;
                }
            }
            Write::Delete(name) => state.replica_sets.retain(|(_, replica_set)| replica_set.name != *name),
            Write::Status(status) => {
                let before = read.deployment.status.collisions;
                read.deployment.status = (**status).clone();
                if status.collisions != before
                    && let Some(names) = names.get_mut(&read.deployment.key.to_string())
                {
                    names.remove(0);
                }
            }
            Write::Rollback { set, unset, template, .. } => {
                read.deployment.annotations.extend(set.clone());
                read.deployment.annotations.retain(|key, _| !unset.contains(key));
                read.deployment.generation += 1;
                if let Some(template) = template {
                    read.deployment.template = template.clone();
                }
            }
        }
    }
    if let Some(revision) = &outcome.revision {
        read.deployment.annotations.insert("deployment.kubernetes.io/revision".into(), revision.clone());
    }
}

fn of<'a>(all: &'a mut [(String, ReplicaSet)], name: &str) -> &'a mut ReplicaSet {
    let found = all.iter_mut().find(|(_, replica_set)| replica_set.name == name);
    &mut found.expect("a write names a ReplicaSet of the state").1
}

struct Settled {
    changed: bool,
    removed: i32,
}

/// An ideal ReplicaSet controller, and pods that behave as the plan says.
fn settle(state: &mut State, plan: &Plan, profile: &Profile) -> Settled {
    let current = state.deployments[0].deployment.template.clone();
    let recreate = state.deployments[0].deployment.strategy == Strategy::Recreate;
    let mut settled = Settled { changed: false, removed: 0 };
    state.pods.clear();
    for (namespace, replica_set) in &mut state.replica_sets {
        let before = replica_set.status.clone();
        let (want, had) = (replica_set.replicas, before.replicas);
        let (ready, available) = (before.ready.min(want), before.available.min(want));
        let is_current = replica_set.template == current;
        let removed = (had - want).max(0);
        settled.removed += removed;
        let readiness = match plan.ready {
            Readiness::Stuck | Readiness::Limit if !is_current => Readiness::Ready,
            readiness => readiness,
        };
        let status = &mut replica_set.status;
        (status.ready, status.available) = match readiness {
            Readiness::Ready => (want, want),
            Readiness::Late => (had.min(want), had.min(want)),
            Readiness::Soak => (want, had.min(want)),
            Readiness::Stuck => (ready, available),
            Readiness::Limit => {
                let available = want.min(available.max(plan.limit));
                (ready.max(available), available)
            }
        };
        status.replicas = want;
        status.observed_generation = replica_set.generation;
        status.failure = None;
        status.terminating = profile.terminating_replicas.then_some(if plan.linger { removed } else { 0 });
        settled.changed |= *status != before;
        if recreate {
            let pods = want + if plan.linger { removed } else { 0 };
            let pod = OldPod {
                labels: replica_set.labels.clone(),
                owner_kind: "ReplicaSet".into(),
                owner_name: replica_set.name.clone(),
                owner_uid: replica_set.uid.clone(),
                finished: false,
            };
            state.pods.extend((0..pods).map(|_| (namespace.clone(), String::new(), pod.clone())));
        }
    }
    settled
}
