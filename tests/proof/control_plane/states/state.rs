//! A random state: ReplicaSets that may be siblings, and pods of all kinds around them, as requests can make them.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::simulation::random::Random;

/// To what a pod's reference to its controller points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    None,
    Of(usize),
    /// The name and kind of a ReplicaSet of the state, but another UID.
    Stranger(usize),
    /// The UID and name of a ReplicaSet, as if it were of another kind.
    WrongKind(usize),
    /// The UID of a ReplicaSet with another name.
    WrongName(usize),
    /// As a server of long ago wrote it.
    OldGroup(usize),
    /// A ReplicaSet, but not as its controller: an orphan.
    NotController(usize),
}

/// A pod to be made.
pub struct PlannedPod {
    pub object: Value,
    pub owner: Owner,
    pub status: Value,
    pub deleted: bool,
}

/// A ReplicaSet to be made.
pub struct PlannedSet {
    pub object: Value,
    /// Null: it was never synced.
    pub status: Value,
    pub deleted: bool,
}

/// A state of some ReplicaSets that nothing outside of it touches: the label `state` keeps it apart.
pub struct State {
    pub name: String,
    pub seed: u64,
    /// Whether its ReplicaSets have one controller.
    pub shared: bool,
    /// Whether their selectors overlap.
    pub overlap: bool,
    pub replica_sets: Vec<PlannedSet>,
    pub pods: Vec<PlannedPod>,
}

/// The rules of the scale-down choice in order, which a state can leave to a later one: all before it are alike.
const RULES: u64 = 8;

/// Seconds around the age buckets and the usual minReadySeconds, and far from them.
const AGES: [i64; 12] = [2, 9, 20, 21, 50, 55, 100, 170, 400, 3000, 90_000, 3_000_000];

struct Maker {
    random: Random,
    now: Timestamp,
    name: String,
    /// Up to which rule all pods of the state are alike; 0: none.
    alike: u64,
    ages: Vec<i64>,
    min_ready: i64,
}

impl State {
    /// The state of a seed, with ages as of `now`.
    pub fn of(seed: u64, now: Timestamp) -> State {
        let mut random = Random::new(seed);
        let alike = if random.percent(35) { 0 } else { random.below(RULES) };
        let count = random.between(2, 5) as usize;
        let ages = random.some(AGES.to_vec(), count);
        let min_ready = random.choose(&[0, 0, 0, 5, 60, 600]);
        let mut maker = Maker { random, now, name: format!("s{seed}"), alike, ages, min_ready };
        let sets = maker.random.choose(&[1, 1, 1, 2, 2, 3]);
        let shared = maker.random.percent(75).then(|| maker.uid());
        let overlap = sets > 1 && maker.random.percent(12);
        let mut state = State {
            name: maker.name.clone(),
            seed,
            shared: shared.is_some(),
            overlap,
            replica_sets: Vec::new(),
            pods: Vec::new(),
        };
        for index in 0..sets {
            let set = maker.set(index, shared.as_deref(), overlap);
            // The first one may select pods of another label too, as its siblings' pods have once these release them.
            state.overlap |= sets > 1 && set.object["spec"]["selector"].to_string().contains("other");
            state.pods.extend(maker.pods(index, &set.object));
            state.replica_sets.push(set);
        }
        state
    }

    /// The names of its ReplicaSets.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.replica_sets.iter().map(|set| set.object["metadata"]["name"].as_str().unwrap())
    }
}

impl Maker {
    fn uid(&mut self) -> String {
        let (a, b) = (self.random.next(), self.random.next());
        let part = |value: u64, from: u32, digits: usize| {
            format!("{:0digits$x}", (value >> from) & ((1 << (4 * digits)) - 1))
        };
        format!(
            "{}-{}-{}-{}-{}",
            part(a, 0, 8),
            part(a, 32, 4),
            part(a, 48, 4),
            part(b, 0, 4),
            part(b, 16, 12)
        )
    }

    fn set(&mut self, index: usize, controller: Option<&str>, overlap: bool) -> PlannedSet {
        let name = format!("{}-{}", self.name, (b'a' + index as u8) as char);
        let app = format!("app{index}");
        let mut selector = json!({"matchLabels": {"state": self.name}});
        if !overlap {
            match self.random.below(4) {
                0 if index == 0 => {
                    selector["matchExpressions"] =
                        json!([{"key": "app", "operator": "In", "values": [app, "other"]}])
                }
                1 => {
                    selector = json!({"matchExpressions": [
                        {"key": "state", "operator": "In", "values": [self.name]},
                        {"key": "app", "operator": "In", "values": [app]},
                        {"key": "retired", "operator": "DoesNotExist"},
                    ]});
                }
                _ => selector["matchLabels"]["app"] = json!(app),
            }
        }
        let replicas = self.random.between(0, 12);
        let mut object = json!({
            "apiVersion": "apps/v1", "kind": "ReplicaSet",
            "metadata": {"name": name, "labels": {"state": self.name, "app": app}},
            "spec": {
                "replicas": replicas, "minReadySeconds": self.min_ready, "selector": selector,
                "template": {
                    "metadata": {"labels": {"state": self.name, "app": app, "tier": "web"}},
                    "spec": {"containers": [{"name": "main", "image": "example.org/none"}]},
                },
            },
        });
        let metadata = &mut object["metadata"];
        if let Some(uid) = controller {
            metadata["ownerReferences"] = json!([{
                "apiVersion": "apps/v1", "kind": "Deployment", "name": self.name, "uid": uid, "controller": true,
            }]);
            metadata["annotations"] =
                json!({"deployment.kubernetes.io/desired-replicas": replicas.to_string()});
        }
        let deleted = self.random.percent(6);
        if deleted {
            metadata["finalizers"] = json!(["example.org/hold"]);
        }
        let status = if self.random.percent(25) { self.set_status(replicas) } else { Value::Null };
        PlannedSet { object, status, deleted }
    }

    /// What an earlier sync may have written.
    fn set_status(&mut self, replicas: i64) -> Value {
        let ready = self.random.between(0, replicas);
        let mut status = json!({
            "replicas": replicas, "fullyLabeledReplicas": replicas, "readyReplicas": ready,
            "availableReplicas": if self.min_ready == 0 { ready } else { 0 }, "observedGeneration": 1,
        });
        if self.random.percent(30) {
            status["conditions"] = json!([{
                "type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": "it was refused",
                "lastTransitionTime": self.ago(500),
            }]);
        }
        status
    }

    fn ago(&self, seconds: i64) -> String {
        (self.now - SignedDuration::from_secs(seconds)).to_string()
    }

    fn pods(&mut self, set: usize, object: &Value) -> Vec<PlannedPod> {
        let replicas = object["spec"]["replicas"].as_i64().unwrap();
        let off = match self.random.below(10) {
            0..2 => 0,
            2..4 => self.random.between(-5, -1),
            _ => self.random.between(1, 7),
        };
        let owned = (replicas + off).max(0);
        let strays = if self.random.percent(50) { 0 } else { self.random.between(1, 4) };
        (0..owned + strays).map(|index| self.pod(set, index, index >= owned)).collect()
    }

    fn pod(&mut self, set: usize, index: i64, stray: bool) -> PlannedPod {
        let mut labels = json!({"state": self.name, "app": format!("app{set}"), "tier": "web"});
        let owner = match stray {
            false => Owner::Of(set),
            true => self.random.choose(&[
                Owner::None,
                Owner::None,
                Owner::Stranger(set),
                Owner::WrongKind(set),
                Owner::WrongName(set),
                Owner::OldGroup(set),
                Owner::NotController(set),
            ]),
        };
        if self.random.percent(if stray { 25 } else { 4 }) {
            labels["app"] = json!(self.random.choose(&["elsewhere", "other"]));
        }
        if self.random.percent(8) {
            labels["tier"] = self.random.choose(&[json!("db"), Value::Null]);
        }
        if self.random.percent(5) {
            labels["retired"] = json!("yes");
        }
        if labels["tier"].is_null() {
            labels.as_object_mut().unwrap().remove("tier");
        }
        let mut object = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": format!("{}-{set}-{index}", self.name), "labels": labels},
            "spec": {
                "containers": [{"name": "main", "image": "example.org/none"}, {"name": "second", "image": "example.org/none"}],
                "initContainers": [{"name": "mesh", "image": "example.org/none", "restartPolicy": "Always"}],
            },
        });
        if self.alike >= 1 || self.random.percent(70) {
            object["spec"]["nodeName"] = json!(format!("node-{}", self.node()));
        }
        if let Some(cost) = self.cost() {
            object["metadata"]["annotations"] = json!({"controller.kubernetes.io/pod-deletion-cost": cost});
        }
        let deleted = self.random.percent(7);
        if deleted {
            object["metadata"]["finalizers"] = json!(["example.org/hold"]);
        }
        PlannedPod { object, owner, status: self.pod_status(), deleted }
    }

    fn node(&mut self) -> u64 {
        if self.alike >= 5 { 0 } else { self.random.below(3) }
    }

    fn cost(&mut self) -> Option<&'static str> {
        let varied = self.alike < 4 && self.random.percent(if self.alike == 3 { 70 } else { 25 });
        varied.then(|| self.random.choose(&["-100", "-7", "0", "5", "5", "100", "2147483647", "-2147483648"]))
    }

    fn pod_status(&mut self) -> Value {
        let ended = self.random.percent(6);
        let phase = match self.alike {
            _ if ended => self.random.choose(&["Succeeded", "Failed"]),
            0 | 1 => self.random.choose(&["Running", "Running", "Running", "Pending", "Unknown"]),
            _ => "Running",
        };
        let ready = phase != "Pending" && (self.alike >= 3 || self.random.percent(75));
        let since = if self.alike >= 6 { self.ages[0] } else { self.random.choose(&self.ages) };
        let since = if self.random.percent(3) { -20 } else { since };
        let mut condition = json!({"type": "Ready", "status": if ready { "True" } else { "False" }});
        if !self.random.percent(3) {
            condition["lastTransitionTime"] = json!(self.ago(since));
        }
        if self.random.percent(3) {
            condition["type"] = json!("ContainersReady");
        }
        let mut restarts = || match self.alike {
            7.. => 0,
            _ => self.random.choose(&[0, 0, 0, 1, 2, 7]),
        };
        let container = |name: &str, restarts: i64| {
            json!({
                "name": name, "ready": ready, "restartCount": restarts, "image": "none", "imageID": "none",
                "state": {"running": {"startedAt": null}},
            })
        };
        json!({
            "phase": phase,
            "conditions": [condition],
            "containerStatuses": [container("main", restarts()), container("second", restarts())],
            "initContainerStatuses": [container("mesh", restarts())],
        })
    }
}
