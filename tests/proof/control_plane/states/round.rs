//! Puts states in front of a controller manager that is started only then: its caches hold them before its first sync,
//! so that what it does first is an answer to exactly these states.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::state::{Owner, State};
use crate::control_plane::api::{Api, Request};
use crate::control_plane::stage::wait;
use crate::control_plane::truth::Truth;
use crate::simulation::random::Random;
use crate::traces::trace::{list, time};
use support::plane::{Following, Plane};

/// Only the controller in question: the garbage collector would remove what has no owner. Its limits are lifted, so
/// that many states take little time.
pub const MANAGER: [&str; 4] = [
    "--controllers=replicaset-controller",
    "--kube-api-qps=1000",
    "--kube-api-burst=2000",
    "--concurrent-replicaset-syncs=5",
];

const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";

/// Some states in a namespace, with what the program said of them and what the controller then did.
pub struct Round {
    pub namespace: String,
    pub states: Vec<State>,
    /// The answers about the cluster and about the recording, each by the name of the ReplicaSet.
    pub answers: Vec<(&'static str, BTreeMap<String, Value>)>,
    /// ReplicaSets, then pods, as they were then.
    pub objects: Vec<Value>,
    pub recording: Vec<Value>,
    pub truth: Truth,
    /// Pods that the controller patched, and when.
    pub patches: Vec<(String, Timestamp)>,
    pub version: String,
}

impl Round {
    pub fn play(plane: &Plane, api: &Api, number: usize, states: Vec<State>) -> Round {
        let namespace = format!("states-{number}");
        let recorder = Recorder::of(plane, api, &namespace);
        make(api, &namespace, &states);
        let objects = objects(api, &namespace);
        recorder.has(&objects);
        lead(api);
        std::thread::sleep(crate::control_plane::stage::CLEAR);
        let asked = Timestamp::now().to_string();
        let ask = |words: &[&str]| {
            let ran = plane.rsexp([words, &["-n", &namespace, "-o", "json"]].concat());
            assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.err);
            by_name(&serde_json::from_str(&ran.out).unwrap())
        };
        let mut answers = vec![
            ("list", ask(&["list"])),
            ("explain", ask(&["explain", "--window", "0"])),
            ("dry-run", ask(&["dry-run", "--window", "0"])),
        ];
        let truth = sync(plane, api, number, &namespace, &states);
        recorder.has(&self::objects(api, &namespace));
        let (file, recording) = recorder.end();
        answers.push(("recording", ask(&["explain", "-f", &file, "--at", &asked])));
        let patches = patches(plane, &namespace);
        let version = plane.version();
        clear(api, &namespace);
        Round { namespace, states, answers, objects, recording, truth, patches, version }
    }

    /// The ReplicaSet of this name as it was.
    pub fn replica_set(&self, name: &str) -> &Value {
        let found = self
            .objects
            .iter()
            .find(|object| object["kind"] == "ReplicaSet" && object["metadata"]["name"] == name);
        found.expect("it was made")
    }

    /// The objects of a state as one file, on which the program can be asked again.
    pub fn file(&self, state: &State) -> Value {
        let of_it = self.objects.iter().filter(|object| object["metadata"]["labels"]["state"] == state.name);
        json!({"apiVersion": "v1", "kind": "List", "items": of_it.collect::<Vec<_>>()})
    }

    /// Where files about the states are put.
    pub fn directory(plane: &Plane) -> PathBuf {
        let directory = plane.path().with_file_name("states");
        std::fs::create_dir_all(&directory).unwrap();
        directory
    }
}

/// From the audit log.
fn patches(plane: &Plane, namespace: &str) -> Vec<(String, Timestamp)> {
    let text = std::fs::read_to_string(plane.get("RSEXP_AUDIT_LOG")).unwrap();
    let lines = text.lines().filter(|line| line.contains(r#""verb":"patch""#));
    let entries = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok()).filter(|entry| {
        entry["stage"] == "ResponseComplete"
            && entry["user"]["username"] == "system:kube-controller-manager"
            && entry["responseStatus"]["code"] == 200
            && entry["objectRef"]["resource"] == "pods"
            && entry["objectRef"]["namespace"] == namespace
    });
    let pod = |entry: Value| {
        let name = entry["objectRef"]["name"].as_str()?.to_owned();
        Some((name, time(&entry["requestReceivedTimestamp"])?))
    };
    entries.filter_map(pod).collect()
}

/// The program while it records the namespace, from before the first object on.
struct Recorder {
    file: String,
    following: Following,
}

impl Recorder {
    fn of(plane: &Plane, api: &Api, namespace: &str) -> Recorder {
        lead(api);
        change(api, &Request::new("POST", "/api/v1/namespaces", json!({"metadata": {"name": namespace}})));
        let file = plane.path().with_file_name(format!("{namespace}.jsonl")).to_str().unwrap().to_owned();
        let following = plane.follow(["record", "-n", namespace, "--to", &file]);
        let recorder = Recorder { file, following };
        wait("the namespace is recorded", || recorder.text().matches(r#""type":"LIST""#).count() >= 6);
        recorder
    }

    fn text(&self) -> String {
        std::fs::read_to_string(format!("{}.partial", self.file)).unwrap_or_default()
    }

    /// Waits until it has seen the newest of these.
    fn has(&self, objects: &[Value]) {
        let version = |object: &Value| object["metadata"]["resourceVersion"].as_str()?.parse::<u64>().ok();
        let newest = objects.iter().filter_map(version).max().unwrap();
        wait("all is recorded", || self.text().contains(&format!(r#""resourceVersion":"{newest}""#)));
    }

    /// The file, and its lines.
    fn end(self) -> (String, Vec<Value>) {
        self.following.end();
        let text = std::fs::read_to_string(&self.file).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (self.file, lines)
    }
}

/// The ReplicaSets and then the pods of a namespace, as files hold them.
fn objects(api: &Api, namespace: &str) -> Vec<Value> {
    let kinds = [("apps/v1", "ReplicaSet", "/apis/apps/v1", "replicasets"), ("v1", "Pod", "/api/v1", "pods")];
    let of_kind = kinds.into_iter().flat_map(|(version, kind, base, resource)| {
        let mut objects = api.list(&format!("{base}/namespaces/{namespace}/{resource}"));
        for object in &mut objects {
            object["apiVersion"] = json!(version);
            object["kind"] = json!(kind);
        }
        objects
    });
    of_kind.collect()
}

/// Lets a controller manager run until it has synced each ReplicaSet once.
fn sync(plane: &Plane, api: &Api, number: usize, namespace: &str, states: &[State]) -> Truth {
    change(api, &Request::new("DELETE", format!("{LEASES}/kube-controller-manager"), None));
    let truth = plane.path().join(format!("truth-{number}.jsonl"));
    manager(plane, "controller-manager", &MANAGER);
    let keys: Vec<String> =
        states.iter().flat_map(State::names).map(|name| format!("\"{namespace}/{name}\"")).collect();
    wait("each ReplicaSet is synced", || {
        let text = std::fs::read_to_string(&truth).unwrap();
        let ends: String = text.lines().filter(|line| line.contains("Finished syncing")).collect();
        keys.iter().all(|key| ends.contains(key))
    });
    manager(plane, "stop-controller-manager", &[]);
    read(&truth)
}

/// The reports of an answer by the name of their ReplicaSet.
pub fn by_name(answer: &Value) -> BTreeMap<String, Value> {
    let reports = match answer["kind"] == "ReplicaSetReportList" {
        true => list(&answer["items"]).to_vec(),
        false => vec![answer.clone()],
    };
    reports
        .into_iter()
        .map(|report| (report["object"]["name"].as_str().unwrap().to_owned(), report))
        .collect()
}

fn change(api: &Api, request: &Request) -> Value {
    api.attempt(request).unwrap_or_else(|status| panic!("{request:?}: {status}"))
}

fn all(api: &Api, requests: &[Request]) -> Vec<Value> {
    let answers = api.all(requests).into_iter().zip(requests);
    answers.map(|(answer, request)| answer.unwrap_or_else(|status| panic!("{request:?}: {status}"))).collect()
}

/// Renews the lease of a controller manager that leads since long and is about to sync.
fn lead(api: &Api) {
    let now = Timestamp::now();
    let time = |at: Timestamp| format!("{:.6}", at);
    let spec = json!({
        "holderIdentity": "driver", "leaseDurationSeconds": 60, "leaseTransitions": 1,
        "acquireTime": time(now - jiff::SignedDuration::from_hours(1)), "renewTime": time(now),
    });
    let name = "kube-controller-manager";
    let patch = Request::new("PATCH", format!("{LEASES}/{name}"), json!({"spec": spec}));
    if api.attempt(&patch).is_err() {
        let lease = json!({"metadata": {"name": name}, "spec": spec});
        change(api, &Request::new("POST", LEASES, lease));
    }
}

/// Makes all the states, their pods in any order, so that their times of creation differ.
fn make(api: &Api, namespace: &str, states: &[State]) {
    let sets = format!("/apis/apps/v1/namespaces/{namespace}/replicasets");
    let pods = format!("/api/v1/namespaces/{namespace}/pods");
    let planned = || states.iter().flat_map(|state| &state.replica_sets);
    let requests: Vec<Request> =
        planned().map(|set| Request::new("POST", sets.clone(), set.object.clone())).collect();
    let made = all(api, &requests);
    let uids: BTreeMap<String, Value> = made
        .iter()
        .map(|set| (set["metadata"]["name"].as_str().unwrap().to_owned(), set["metadata"]["uid"].clone()))
        .collect();
    let path =
        |object: &Value, base: &str| format!("{base}/{}", object["metadata"]["name"].as_str().unwrap());
    let statuses = planned().filter(|set| !set.status.is_null()).map(|set| {
        Request::new("PATCH", path(&set.object, &sets) + "/status", json!({"status": set.status}))
    });
    all(api, &statuses.collect::<Vec<_>>());
    let deleted = planned().filter(|set| set.deleted);
    all(api, &deleted.map(|set| Request::new("DELETE", path(&set.object, &sets), None)).collect::<Vec<_>>());

    let mut each = Vec::new();
    for state in states {
        let names: Vec<&str> = state.names().collect();
        for pod in &state.pods {
            let mut object = pod.object.clone();
            object["metadata"]["ownerReferences"] = owners(pod.owner, &names, &uids);
            each.push((Request::new("POST", pods.clone(), object), pod));
        }
    }
    let count = each.len();
    let each = Random::new(states.first().map_or(0, |state| state.seed)).some(each, count);
    all(api, &each.iter().map(|(request, _)| request.clone()).collect::<Vec<_>>());
    let statuses = each.iter().map(|(_, pod)| {
        Request::new("PATCH", path(&pod.object, &pods) + "/status", json!({"status": pod.status}))
    });
    all(api, &statuses.collect::<Vec<_>>());
    let deleted = each.iter().filter(|(_, pod)| pod.deleted);
    let deleted = deleted.map(|(_, pod)| Request::new("DELETE", path(&pod.object, &pods), None));
    all(api, &deleted.collect::<Vec<_>>());
}

fn owners(owner: Owner, names: &[&str], uids: &BTreeMap<String, Value>) -> Value {
    let reference = |index: usize| {
        let name = names[index];
        json!({"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": uids[name], "controller": true})
    };
    let (index, field, value) = match owner {
        Owner::None => return json!([]),
        Owner::Of(index) => return json!([reference(index)]),
        Owner::NotController(index) => {
            let mut plain = reference(index);
            plain.as_object_mut().unwrap().remove("controller");
            return json!([plain]);
        }
        Owner::Stranger(index) => (index, "uid", "00000000-0000-4000-8000-000000000000"),
        Owner::WrongKind(index) => (index, "kind", "ReplicationController"),
        Owner::WrongName(index) => (index, "name", "another"),
        Owner::OldGroup(index) => (index, "apiVersion", "extensions/v1beta1"),
    };
    let mut changed = reference(index);
    changed[field] = json!(value);
    json!([changed])
}

fn manager(plane: &Plane, command: &str, args: &[&str]) {
    let output =
        Command::new(support::plane::script()).arg(command).arg(plane.path()).args(args).output().unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
}

fn read(path: &std::path::Path) -> Truth {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    Truth::of(vec![whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()])
}

/// Leaves little to do for the controller of the next round: only what a finalizer holds stays.
fn clear(api: &Api, namespace: &str) {
    change(api, &Request::new("DELETE", format!("/apis/apps/v1/namespaces/{namespace}/replicasets"), None));
    let now = json!({"gracePeriodSeconds": 0});
    change(api, &Request::new("DELETE", format!("/api/v1/namespaces/{namespace}/pods"), now));
}
