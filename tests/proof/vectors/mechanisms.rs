//! Which mechanisms of the controller the sync of a state is about, by what the real one did.

use serde_json::Value;

use super::{Vector, list, names};

/// The mechanisms of one ReplicaSet of a state; `predicted` tells by which rules it chose victims.
pub fn of(vector: &Vector, predicted: &Value, real: &Value) -> Vec<String> {
    let mut mechanisms = actions(real);
    mechanisms.extend(refusals(vector, real));
    mechanisms.extend(vector.tags.iter().map(|tag| format!("state: {}", tag.replace('-', " "))));
    if !real["deletes"].is_null() {
        mechanisms
            .extend(names(&predicted["deletes"]["rules"]).iter().map(|rule| format!("victims by {rule}")));
    }
    mechanisms
}

fn actions(real: &Value) -> Vec<String> {
    let plan = real["plan"]["action"].as_str().unwrap();
    let status = &real["status"];
    let words = [
        (plan == "create", "creates"),
        (plan == "create" && list(&real["creates"]["batches"]).len() > 1, "creates in several batches"),
        (plan == "delete", "deletes"),
        (plan == "none", "neither creates nor deletes"),
        (real["plan"]["n"] == 500, "is cut by the burst limit"),
        (!list(&real["adopted"]).is_empty(), "adopts"),
        (!list(&real["released"]).is_empty(), "releases"),
        (!status.is_null(), "writes a status"),
        (status.is_null(), "writes no status"),
        (status["terminatingReplicas"].as_i64() > Some(0), "counts terminating pods"),
        (real["error"].is_null() && !real["nextSyncSeconds"].is_null(), "waits for pods to become available"),
    ];
    words.iter().filter(|(is_true, _)| *is_true).map(|(_, word)| format!("sync: {word}")).collect()
}

fn refusals(vector: &Vector, real: &Value) -> Vec<String> {
    let key = real["key"].as_str().unwrap();
    let mut refusals = Vec::new();
    if let Some(kind) = vector.failures["create"][key]["kind"]
        .as_str()
        .filter(|_| real["creates"]["failed"].as_u64() > Some(0))
    {
        refusals.push(format!("refused: create, {}", kind.replace('-', " ")));
    }
    if let Some(kind) = vector.failures["status"][key].as_str().filter(|_| !real["status"].is_null()) {
        refusals.push(format!("refused: status, {}", kind.replace('-', " ")));
    }
    let words = [
        (!real["deletes"]["failed"].is_null(), "delete"),
        (!real["patchFailed"].is_null(), "adoption or release"),
        (
            !vector.failures["liveRS"][key].is_null() && !real["liveGets"].is_null(),
            "adoption, since the live ReplicaSet is another",
        ),
    ];
    refusals.extend(words.iter().filter(|(is, _)| *is).map(|(_, word)| format!("refused: {word}")));
    refusals
}
