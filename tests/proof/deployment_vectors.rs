//! The model of the Deployment controller against answers of the real one, field by field.

#[allow(dead_code, reason = "its main is the example's")]
#[path = "../../examples/predict_deployments.rs"]
mod predict_deployments;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};

use flate2::read::MultiGzDecoder;
use predict_deployments::predict_line;
use serde_json::{Value, json};

const PREFIX: &str = "deployment.kubernetes.io/";

/// Counts comparisons, and keeps what differs.
#[derive(Default)]
struct Tally {
    compared: usize,
    differing: Vec<String>,
}

impl Tally {
    fn compare(&mut self, place: &str, field: &str, right: &Value, predicted: &Value) {
        self.compared += 1;
        if right != predicted {
            self.differing.push(format!("{place}: {field}: right is {right}, predicted {predicted}"));
        }
    }

    fn sync(&mut self, place: &str, answer: &Value, predicted: &Value) {
        for (field, right) in expected(answer).as_object().into_iter().flatten() {
            match field.as_str() {
                "status" => self.status(place, right, &predicted["status"]),
                "deleted" | "adopted" | "released" => {
                    self.compare(place, field, right, &sorted(&predicted[field]));
                }
                _ => self.compare(place, field, right, &predicted[field]),
            }
        }
    }

    fn status(&mut self, place: &str, right: &Value, predicted: &Value) {
        self.compare(
            place,
            "whether status is written",
            &json!(right.is_null()),
            &json!(predicted.is_null()),
        );
        let counts =
            ["observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas"];
        for field in counts.into_iter().chain(["unavailableReplicas"]) {
            let number = |status: &Value| json!(status[field].as_i64().unwrap_or(0));
            self.compare(place, field, &number(right), &number(predicted));
        }
        for field in ["terminatingReplicas", "collisionCount"] {
            self.compare(place, field, &right[field], &predicted[field]);
        }
        let by_type = |status: &Value| -> BTreeMap<String, Value> {
            list(&status["conditions"]).iter().map(|c| (c["type"].to_string(), c.clone())).collect()
        };
        self.compare(place, "conditions", &json!(by_type(right)), &json!(by_type(predicted)));
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn sorted(names: &Value) -> Value {
    let mut names: Vec<&str> = list(names).iter().filter_map(Value::as_str).collect();
    names.sort_unstable();
    json!(names)
}

/// A recorded answer in the form of a prediction.
fn expected(answer: &Value) -> Value {
    let actions = list(&answer["actions"]);
    let done = || actions.iter().filter(|action| action["failed"].is_null());
    let of = |verb: &'static str| done().filter(move |action| action["verb"] == verb);
    let names = |verb: &'static str| sorted(&of(verb).map(|action| action["rs"].clone()).collect());
    let replica_sets = list(&answer["replicaSets"]);
    let sizes: BTreeMap<&str, &Value> =
        replica_sets.iter().map(|rs| (rs["name"].as_str().unwrap(), &rs["to"])).collect();
    let created = of("create").next_back().map(|action| {
        let set = |key: &str| &action["set"][format!("{PREFIX}{key}")];
        json!({"name": action["rs"], "replicas": action["to"], "revision": set("revision"), "desired": set("desired-replicas"),
            "max": set("max-replicas"), "minReadySeconds": action["minReadySeconds"].as_i64().unwrap_or(0)})
    });
    let mut annotations: BTreeMap<&str, BTreeMap<&str, &Value>> = BTreeMap::new();
    for action in done().filter(|action| action["verb"] == "scale" || action["verb"] == "annotate") {
        for (key, value) in action["set"].as_object().into_iter().flatten() {
            annotations.entry(action["rs"].as_str().unwrap()).or_default().insert(key, value);
        }
    }
    let update = actions.iter().find(|action| action["verb"] == "update").map(|action| {
        let set = if action["set"].is_null() { json!({}) } else { action["set"].clone() };
        json!({"set": set, "unset": sorted(&action["unset"]), "template": action["template"]})
    });
    let events: Value = list(&answer["events"]).iter().map(|e| json!([e["reason"], e["message"]])).collect();
    json!({
        "sizes": sizes,
        "scales": of("scale").map(|a| json!([a["rs"], a["from"], a["to"]])).collect::<Value>(),
        "paths": of("scale").map(|a| a["path"].clone()).collect::<Value>(),
        "created": created,
        "deleted": names("delete"), "adopted": names("adopt"), "released": names("release"),
        "status": answer["status"],
        "statusRefused": !answer["statusRefused"].is_null(),
        "statusWrites": actions.iter().filter(|action| action["verb"] == "status").count(),
        "revision": answer["revision"],
        "retry": answer["retry"],
        "requeueAfterSeconds": answer["requeueAfterSeconds"],
        "requeueNow": answer["requeueNow"].as_bool().unwrap_or(false),
        "branch": answer["branch"],
        "newReplicaSet": replica_sets.iter().find(|rs| rs["role"] == "new").map(|rs| &rs["name"]),
        "annotations": annotations,
        "events": events,
        "maxSurge": answer["maxSurge"], "maxUnavailable": answer["maxUnavailable"],
        "deploymentUpdate": update,
    })
}

fn judge(file: &str) -> Tally {
    let path = support::data("deployment-vectors").join(file);
    let mut tally = Tally::default();
    for line in BufReader::new(MultiGzDecoder::new(std::fs::File::open(path).unwrap())).lines() {
        let line = line.unwrap();
        let vector: Value = serde_json::from_str(&line).unwrap();
        let id = vector["id"].as_str().unwrap();
        let predicted = predict_line(&line).unwrap();
        for answer in list(&vector["answer"]) {
            let of_key = list(&predicted["deployments"]).iter().find(|p| p["key"] == answer["key"]);
            tally.sync(&format!("{id} {}", answer["key"]), answer, of_key.unwrap_or(&Value::Null));
        }
        let rounds = list(&vector["rounds"]);
        tally.compare(id, "end", &vector["end"], &predicted["end"]);
        tally.compare(id, "rounds", &json!(rounds.len()), &json!(list(&predicted["rounds"]).len()));
        for (number, (round, predicted)) in rounds.iter().zip(list(&predicted["rounds"])).enumerate() {
            let place = format!("{id} round {}", number + 1);
            tally.sync(&place, &round["answer"], predicted);
            tally.compare(&place, "after", &round["after"], &predicted["after"]);
            tally.compare(&place, "now", &round["now"], &predicted["now"]);
        }
    }
    tally
}

#[test]
fn the_model_of_deployments_agrees_with_recorded_syncs_of_the_real_controller() {
    for file in ["single-1.37.jsonl.gz", "single-1.36.jsonl.gz", "single-1.34.jsonl.gz"] {
        let tally = judge(file);
        assert!(tally.compared > 5000, "{file}: only {} comparisons", tally.compared);
        assert!(
            tally.differing.is_empty(),
            "{file}: {:#?}",
            &tally.differing[..tally.differing.len().min(20)]
        );
    }
}

#[test]
fn the_model_of_deployments_agrees_with_recorded_rollouts_until_nothing_changes() {
    for file in ["chains-1.37.jsonl.gz", "chains-1.36.jsonl.gz", "chains-1.34.jsonl.gz"] {
        let tally = judge(file);
        assert!(tally.compared > 5000, "{file}: only {} comparisons", tally.compared);
        assert!(
            tally.differing.is_empty(),
            "{file}: {:#?}",
            &tally.differing[..tally.differing.len().min(20)]
        );
    }
}
