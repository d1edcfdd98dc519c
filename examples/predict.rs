//! Reads state vectors on stdin and prints what the model predicts for each of their ReplicaSets.
//!
//! A vector holds objects, an instant and invented refusals; one JSON a line. The answer has the
//! fields that a comparison with the real controller needs. Every ReplicaSet is synced once on
//! the same unchanged state.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufWriter, Write};
use std::sync::Arc;

use jiff::Timestamp;
use rsexp::model::cache::Cache;
use rsexp::model::claim::Claim;
use rsexp::model::expectations::{ExpectationStore, Gate};
use rsexp::model::profile::{Profile, Version};
use rsexp::model::queue;
use rsexp::model::scale_down::{Ambiguity, Choice, Interval};
use rsexp::model::sync::{
    Action, Call, CallError, CallErrorKind, End, Inputs, LiveOwner, Next, Outcome, Response, Sync,
};
use rsexp::objects::{Key, Object, ReplicaSet, Status, wire};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vector<'a> {
    id: String,
    server_version: String,
    now: Timestamp,
    #[serde(borrow)]
    objects: Vec<&'a RawValue>,
    #[serde(default)]
    failures: Option<Failures>,
}

/// Invented refusals, by `namespace/name`.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Failures {
    create: BTreeMap<String, CreateFailure>,
    delete: BTreeMap<String, String>,
    patch: BTreeMap<String, String>,
    status: BTreeMap<String, String>,
    #[serde(rename = "liveRS")]
    live: BTreeMap<String, String>,
}

/// The `from`-th create to the `to`-th fails, counted from 1.
#[derive(Deserialize)]
struct CreateFailure {
    from: usize,
    to: Option<usize>,
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
    predict(&serde_json::from_str(line)?)
}

fn predict(vector: &Vector) -> Result<Value, Box<dyn std::error::Error>> {
    let version = Version::parse(&vector.server_version).ok_or("unknown serverVersion")?;
    let profile = Profile::of(version);
    let mut cache = Cache::default();
    for object in &vector.objects {
        match wire::from_str(object.get())? {
            Object::ReplicaSet(replica_set) => drop(cache.put_replica_set(Arc::new(replica_set))),
            Object::Pod(pod) => drop(cache.put_pod(Arc::new(pod))),
            _ => {}
        }
    }
    let none = Failures::default();
    let failures = vector.failures.as_ref().unwrap_or(&none);
    let replica_sets: Vec<Value> = cache
        .replica_sets()
        .map(|replica_set| Run::new(replica_set, failures).run(&cache, vector.now, profile))
        .collect();
    Ok(json!({"id": vector.id, "replicaSets": replica_sets}))
}

/// One sync with the answers of a fake API.
struct Run<'a> {
    key: Key,
    failures: &'a Failures,
    adopted: Vec<String>,
    released: Vec<String>,
    batches: Vec<usize>,
    failed_creates: usize,
    choice: Option<Choice>,
    deleted: Vec<String>,
    status: Option<Value>,
    status_tries: usize,
}

impl<'a> Run<'a> {
    fn new(replica_set: &ReplicaSet, failures: &'a Failures) -> Self {
        Run {
            key: replica_set.key(),
            failures,
            adopted: Vec::new(),
            released: Vec::new(),
            batches: Vec::new(),
            failed_creates: 0,
            choice: None,
            deleted: Vec::new(),
            status: None,
            status_tries: 0,
        }
    }

    fn run(mut self, cache: &Cache, now: Timestamp, profile: Profile) -> Value {
        let kind = rsexp::objects::OwnerKind::ReplicaSet;
        let inputs = Inputs {
            kind,
            key: self.key.clone(),
            gate: Gate::None,
            stale: None,
            during: Interval::exactly(now),
            profile,
        };
        let mut store = ExpectationStore::default();
        let (mut sync, mut step) = Sync::start(inputs, cache);
        let end = loop {
            step.effects.iter().for_each(|effect| store.apply(effect, now));
            match step.next {
                Next::Call(call) => step = sync.resume(self.answer(call), cache),
                Next::End(end) => break end,
            }
        };
        self.report(&sync, &store, &end)
    }

    fn answer(&mut self, call: Call) -> Response {
        match call {
            Call::Live => Response::Live(match self.failures.live.get(&self.key.to_string()) {
                Some(_) => LiveOwner::NoLongerOwner,
                None => LiveOwner::Same,
            }),
            Call::Patch(patches) => Response::Outcomes(
                patches.iter().map(|patch| self.patch(&patch.pod.meta.key(), patch.claim)).collect(),
            ),
            Call::Create(count) => {
                let before: usize = self.batches.iter().sum();
                self.batches.push(count);
                Response::Outcomes((before + 1..=before + count).map(|nth| self.create(nth)).collect())
            }
            Call::Pick(choice, count) => {
                let picked = choice.possible.iter().take(count).map(|c| c.pod.meta.key()).collect();
                self.choice = Some(choice);
                Response::Picked(picked)
            }
            Call::Delete(pods) => {
                self.deleted = pods.iter().map(|pod| pod.name.clone()).collect();
                let refused = |pod: &Key| refuse(self.failures.delete.get(&pod.to_string()), "delete");
                Response::Outcomes(pods.iter().map(refused).collect())
            }
            Call::UpdateStatus(status) => Response::Outcomes(vec![self.update_status(&status)]),
            Call::Refetch => Response::Outcomes(vec![Ok(())]),
        }
    }

    fn patch(&mut self, pod: &Key, claim: Claim) -> Outcome {
        let outcome = refuse(self.failures.patch.get(&pod.to_string()), "patch");
        let list = if claim == Claim::Adopt { &mut self.adopted } else { &mut self.released };
        if outcome.is_ok() {
            list.push(pod.name.clone());
        }
        outcome
    }

    fn create(&mut self, nth: usize) -> Outcome {
        let plan = self.failures.create.get(&self.key.to_string());
        let hit = plan.filter(|f| nth >= f.from && f.to.is_none_or(|to| nth <= to));
        self.failed_creates += usize::from(hit.is_some());
        refuse(hit.map(|f| &f.kind), "create")
    }

    fn update_status(&mut self, status: &Status) -> Outcome {
        self.status_tries += 1;
        let plan = self.failures.status.get(&self.key.to_string());
        let hit = plan.filter(|kind| *kind != "409-once" || self.status_tries == 1);
        let body = status_body(status);
        self.status = Some(if hit.is_some() { json!({"refused": body}) } else { body });
        refuse(hit, "status")
    }

    fn report(self, sync: &Sync, store: &ExpectationStore, end: &End) -> Value {
        let (action, n) = match sync.action() {
            Some(Action::Create(n)) => ("create", n),
            Some(Action::Delete(n)) => ("delete", n),
            _ => ("none", 0),
        };
        let calls: usize = self.batches.iter().sum();
        let creates = (action == "create" && !sync.is_held()).then(|| {
            json!({
                "calls": calls, "batches": self.batches, "succeeded": calls - self.failed_creates,
                "failed": self.failed_creates, "neverTried": n - calls,
            })
        });
        let held = sync.is_held();
        let awaiting: Vec<String> = store.pending_deletions(&self.key).map(Key::to_string).collect();
        let entry = store.entry(&self.key);
        let retry = queue::retry_delay(0).as_secs_f64();
        let next = if end.error.is_some() { Some(retry) } else { end.requeue_after.map(|d| d.as_secs_f64()) };
        json!({
            "key": self.key.to_string(),
            "active": sync.claimed().map(<[_]>::len),
            "diff": sync.diff(),
            "plan": if held { json!({"action": "none", "n": 0}) } else { json!({"action": action, "n": n}) },
            "adopted": self.adopted,
            "released": self.released,
            "creates": creates,
            "deletes": (action == "delete" && !held).then(|| self.deletes(sync.choice())),
            "status": self.status,
            "error": end.error,
            "retry": end.error.is_some(),
            "nextSyncSeconds": next,
            "expectations": entry.map(|e| json!({"add": e.add, "del": e.del, "awaiting": awaiting})),
        })
    }

    fn deletes(&self, chosen: Option<&Choice>) -> Value {
        let victims = chosen.into_iter().flat_map(|choice| choice.certain.iter().chain(&choice.possible));
        let rules: BTreeSet<&str> = victims.map(|victim| victim.rule.as_str()).collect();
        let Some(choice) = &self.choice else {
            return json!({"choice": "determined", "certain": self.deleted, "possible": [], "rules": rules});
        };
        let names = |list: &[rsexp::model::scale_down::Candidate]| -> Vec<String> {
            list.iter().map(|c| c.pod.meta.name.clone()).collect()
        };
        let word = if choice.ambiguity == Ambiguity::Tie { "tie" } else { "intransitive" };
        let (certain, possible) = (names(&choice.certain), names(&choice.possible));
        json!({"choice": word, "certain": certain, "possible": possible, "rules": rules})
    }
}

fn refuse(kind: Option<&String>, what: &str) -> Outcome {
    let Some(kind) = kind else { return Ok(()) };
    let error = match kind.as_str() {
        "404" => CallErrorKind::NotFound,
        "422" => CallErrorKind::Invalid,
        "namespace-terminating" => CallErrorKind::NamespaceTerminating,
        "timeout" => CallErrorKind::Timeout,
        _ => CallErrorKind::Other,
    };
    Err(CallError { kind: error, message: format!("{what} refused: {kind}") })
}

fn status_body(status: &Status) -> Value {
    let conditions: Vec<Value> = status
        .conditions
        .iter()
        .map(|c| json!({"type": c.kind, "status": c.status, "reason": c.reason, "message": c.message}))
        .collect();
    json!({
        "replicas": status.replicas, "fullyLabeledReplicas": status.fully_labeled,
        "readyReplicas": status.ready, "availableReplicas": status.available,
        "terminatingReplicas": status.terminating, "observedGeneration": status.observed_generation,
        "conditions": conditions,
    })
}
