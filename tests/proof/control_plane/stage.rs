//! A namespace of the control plane in which a run is played: a driver that is user, scheduler and kubelet, and the
//! program that records it.

use std::cell::{Cell, RefCell};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::control_plane::api::{Api, Request};
use crate::control_plane::checkpoint::{Mark, Step};
use crate::control_plane::freezer::Freezer;
use crate::control_plane::managers::Managers;
use crate::control_plane::proxy::Proxy;
use support::plane::{Following, Plane};

/// How long anything may take that the driver waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long after a change nothing of it is on its way any more, on a busy machine.
pub const CLEAR: Duration = Duration::from_millis(350);

/// A mark, with what its answer must say and the truth must be, as PATH=VALUE.
pub struct Asked {
    pub mark: Mark,
    /// As the program takes it: rs/NAME or rc/NAME.
    pub target: String,
    pub really: Vec<String>,
    pub says: Vec<String>,
}

/// An answer of the program about the cluster itself.
pub struct Live {
    pub replica_set: String,
    pub explain: Value,
    pub dry_run: Value,
}

/// By what a run disturbs the control plane, and its own observer.
pub struct Faults<'a> {
    pub managers: &'a Managers<'a>,
    /// Between the API server and the program that records.
    pub observer: Proxy,
}

/// See the module.
pub struct Stage<'a> {
    pub namespace: String,
    pub plane: &'a Plane,
    pub freezer: Option<&'a Freezer<'a>>,
    pub faults: Option<Faults<'a>>,
    pub api: Api,
    pub directory: PathBuf,
    pub steps: RefCell<Vec<Step>>,
    pub asked: RefCell<Vec<Asked>>,
    pub live: RefCell<Vec<Live>>,
    recorder: Cell<Option<Following>>,
    /// Where the logs of the controller managers ended when the run began.
    logs_from: Vec<u64>,
}

impl<'a> Stage<'a> {
    /// Creates the namespace and begins to record, with these flags too.
    pub fn open(
        plane: &'a Plane,
        freezer: Option<&'a Freezer<'a>>,
        namespace: &str,
        flags: &[&str],
    ) -> Stage<'a> {
        let directory = plane.path().with_file_name(namespace);
        std::fs::create_dir_all(&directory).unwrap();
        let recording = directory.join("recording.jsonl");
        let api = Api::connect(Path::new(plane.get("KUBECONFIG")));
        let logs_from =
            plane.controller_logs().iter().map(|log| std::fs::metadata(log).unwrap().len()).collect();
        let stage = Stage {
            namespace: namespace.to_owned(),
            plane,
            freezer,
            faults: None,
            api,
            directory,
            steps: RefCell::default(),
            asked: RefCell::default(),
            live: RefCell::default(),
            recorder: Cell::new(None),
            logs_from,
        };
        stage.change("POST", "/api/v1/namespaces", json!({"metadata": {"name": namespace}}));
        let file = recording.to_str().unwrap();
        let words = ["record", "rs,rc", "-n", namespace, "--to", file];
        stage.recorder.set(Some(plane.follow(words.iter().chain(flags))));
        let partial = stage.directory.join("recording.jsonl.partial");
        wait(&format!("{namespace} is recorded"), || {
            let text = std::fs::read_to_string(&partial).unwrap_or_default();
            text.lines().filter(|line| line.contains(r#""type":"LIST""#)).count() >= 7
        });
        stage
    }

    /// Ends the recording, and gives its lines.
    pub fn recorded(&self) -> Vec<Value> {
        if let Some(recorder) = self.recorder.take() {
            recorder.end();
        }
        let text = std::fs::read_to_string(self.directory.join("recording.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Keeps the logs of the controller managers of the time of this run, and says where.
    pub fn controller_logs(&self) -> Vec<PathBuf> {
        let logs = self.plane.controller_logs().into_iter().enumerate();
        let kept = logs.filter_map(|(index, log)| {
            let mut text = Vec::new();
            let mut log = std::fs::File::open(log).unwrap();
            log.seek(SeekFrom::Start(self.logs_from.get(index).copied().unwrap_or(0))).unwrap();
            log.read_to_end(&mut text).unwrap();
            let path = self.directory.join(format!("kcm-{}.log", index + 1));
            std::fs::write(&path, &text).unwrap();
            (!text.is_empty()).then_some(path)
        });
        kept.collect()
    }

    /// The key of a ReplicaSet of this namespace, or of a ReplicationController as rc/NAME.
    pub fn key(&self, name: &str) -> String {
        format!("{}/{}", self.namespace, bare(name))
    }

    // ---- what a user does ----

    pub fn replica_set_path(&self, name: &str) -> String {
        match name.strip_prefix("rc/") {
            Some(name) => format!("/api/v1/namespaces/{}/replicationcontrollers/{name}", self.namespace),
            None => format!("/apis/apps/v1/namespaces/{}/replicasets/{name}", self.namespace),
        }
    }

    pub fn pod_path(&self, name: &str) -> String {
        format!("/api/v1/namespaces/{}/pods/{name}", self.namespace)
    }

    /// A change by a user, which must succeed.
    pub fn change(&self, method: &'static str, path: &str, body: impl Into<Option<Value>>) -> Value {
        self.attempt(method, path, body).unwrap_or_else(|status| panic!("{method} {path}: {status}"))
    }

    /// A change by a user.
    pub fn attempt(
        &self,
        method: &'static str,
        path: &str,
        body: impl Into<Option<Value>>,
    ) -> Result<Value, Value> {
        self.request(Request::new(method, path, body), true)
    }

    /// What a scheduler or kubelet does, which must succeed.
    pub fn serve(&self, method: &'static str, path: &str, body: impl Into<Option<Value>>) -> Value {
        let answer = self.request(Request::new(method, path, body), false);
        answer.unwrap_or_else(|status| panic!("{method} {path}: {status}"))
    }

    /// The same for what may be gone meanwhile.
    pub fn serve_if_there(
        &self,
        method: &'static str,
        path: &str,
        body: impl Into<Option<Value>>,
    ) -> Result<Value, Value> {
        self.request(Request::new(method, path, body), false)
    }

    fn request(&self, request: Request, changes: bool) -> Result<Value, Value> {
        let at = Timestamp::now();
        let answer = self.api.attempt(&request);
        self.note(&request, at, answer.as_ref().ok(), changes);
        answer
    }

    /// Several at once, each of which must succeed.
    pub fn all(&self, requests: &[Request], changes: bool) -> Vec<Value> {
        let at = Timestamp::now();
        let answers = self.api.all(requests);
        let each = requests.iter().zip(answers).map(|(request, answer)| {
            let answer = answer.unwrap_or_else(|status| panic!("{request:?}: {status}"));
            self.note(request, at, Some(&answer), changes);
            answer
        });
        each.collect()
    }

    fn note(&self, request: &Request, at: Timestamp, answer: Option<&Value>, changes: bool) {
        let body = request.body.as_ref().map(|body| format!(" {body}")).unwrap_or_default();
        let is_observed = request.path.contains("/pods") || request.path.contains("/replica");
        let is_binding = request.path.ends_with("/binding") || request.method == "DELETE";
        let version = answer.filter(|_| is_observed && !is_binding);
        let version = version.and_then(|answer| answer["metadata"]["resourceVersion"].as_str()?.parse().ok());
        let what = format!("{} {}{body}", request.method, request.path);
        self.steps.borrow_mut().push(Step { at, what, changes, version });
    }

    /// A ReplicaSet whose pods have the label app=NAME.
    pub fn replica_set(&self, name: &str, replicas: i64) -> Value {
        self.replica_set_but(name, replicas, json!({}))
    }

    /// The same, with another spec where this one says so (a merge patch).
    pub fn replica_set_but(&self, name: &str, replicas: i64, spec: Value) -> Value {
        let path = format!("/apis/apps/v1/namespaces/{}/replicasets", self.namespace);
        self.change("POST", &path, replica_set(name, replicas, &spec))
    }

    pub fn patch(&self, name: &str, patch: Value) {
        self.change("PATCH", &self.replica_set_path(name), patch);
    }

    pub fn scale(&self, name: &str, replicas: i64) {
        self.patch(name, json!({"spec": {"replicas": replicas}}));
    }

    /// Wakes the ReplicaSet.
    pub fn touch(&self, name: &str) {
        self.patch(name, json!({"metadata": {"annotations": {"touched": Timestamp::now().to_string()}}}));
    }

    /// A pod with the label app=APP, of this controller if one is given (name and UID).
    pub fn pod(&self, name: &str, app: &str, controller: Option<(&str, &str)>) -> Value {
        let path = format!("/api/v1/namespaces/{}/pods", self.namespace);
        self.change("POST", &path, pod(name, app, controller))
    }

    pub fn patch_pod(&self, name: &str, patch: Value) {
        self.change("PATCH", &self.pod_path(name), patch);
    }

    pub fn delete_pod(&self, name: &str) {
        self.change("DELETE", &self.pod_path(name), None);
    }

    // ---- what a scheduler and a kubelet do ----

    pub fn bind(&self, pod: &str, node: &str) {
        let target = json!({"apiVersion": "v1", "kind": "Node", "name": node});
        let body =
            json!({"apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod}, "target": target});
        self.serve("POST", &format!("{}/binding", self.pod_path(pod)), body);
    }

    /// Patches the status.
    pub fn status(&self, pod: &str, status: Value) {
        self.serve("PATCH", &format!("{}/status", self.pod_path(pod)), json!({"status": status}));
    }

    /// The last of a pod that terminates.
    pub fn finish(&self, pod: &str) {
        self.serve("DELETE", &self.pod_path(pod), json!({"gracePeriodSeconds": 0}));
    }

    // ---- what is there ----

    /// The pods whose controller is this ReplicaSet, by name, but for those that terminate.
    pub fn own_pods(&self, name: &str) -> Vec<Value> {
        let mut pods = self.api.list(&format!("/api/v1/namespaces/{}/pods", self.namespace));
        pods.retain(|pod| {
            let owners = pod["metadata"]["ownerReferences"].as_array();
            let owned = owners.is_some_and(|owners| {
                owners.iter().any(|owner| owner["controller"] == true && owner["name"] == bare(name))
            });
            owned && pod["metadata"]["deletionTimestamp"].is_null()
        });
        pods.sort_by_key(|pod| pod["metadata"]["name"].as_str().unwrap_or_default().to_owned());
        pods
    }

    /// Their names.
    pub fn own(&self, name: &str) -> Vec<String> {
        self.own_pods(name).iter().map(|pod| pod["metadata"]["name"].as_str().unwrap().to_owned()).collect()
    }

    pub fn get(&self, name: &str) -> Value {
        self.api.find(&self.replica_set_path(name)).unwrap_or(Value::Null)
    }

    /// Waits until so many pods are there and the status says so.
    pub fn settled(&self, name: &str, pods: i64) {
        wait(&format!("{} has {pods} pods", self.key(name)), || {
            let object = self.get(name);
            object["status"]["replicas"] == pods
                && object["status"]["observedGeneration"] == object["metadata"]["generation"]
                && self.own(name).len() as i64 == pods
        });
    }

    /// Waits until so many pods are there, whatever the status says.
    pub fn has(&self, name: &str, pods: usize) {
        wait(&format!("{} has {pods} pods", self.key(name)), || self.own(name).len() == pods);
    }

    // ---- questions ----

    /// An instant at which to ask later, from the recording, with what must be true and said then.
    pub fn mark(&self, id: &str, name: &str, really: &[&str], says: &[&str]) {
        sleep(CLEAR);
        self.mark_now(id, name, really, says);
        sleep(Duration::from_millis(70));
    }

    /// The same without keeping clear of what is on its way.
    pub fn mark_now(&self, id: &str, name: &str, really: &[&str], says: &[&str]) {
        let owned = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect();
        let mark = Mark { id: id.to_owned(), at: Timestamp::now(), replica_set: self.key(name) };
        let (target, really, says) = (target(name), owned(really), owned(says));
        self.asked.borrow_mut().push(Asked { mark, target, really, says });
    }

    /// Asks the program about the cluster as it is, while the controller is frozen.
    pub fn ask_live(&self, names: &[&str]) {
        for name in names {
            let target = target(name);
            let ask = |command: &str| {
                let window = if command == "explain" { "300ms" } else { "0" };
                let ran = self.plane.rsexp([
                    command,
                    &target,
                    "-n",
                    &self.namespace,
                    "-o",
                    "json",
                    "--window",
                    window,
                ]);
                assert_eq!(ran.code, Some(0), "{ran:?}");
                serde_json::from_str(&ran.out).unwrap()
            };
            let (explain, dry_run) = (ask("explain"), ask("dry-run"));
            self.live.borrow_mut().push(Live { replica_set: self.key(name), explain, dry_run });
        }
    }

    /// Does this while the controller is frozen, together with all other runs that freeze.
    pub fn frozen<T>(&self, work: impl FnOnce() -> T) -> T {
        self.freezer.expect("a run that freezes").during(work)
    }

    /// What a run of the group that disturbs can do.
    pub fn faults(&self) -> &Faults<'a> {
        self.faults.as_ref().expect("a run that disturbs")
    }

    pub fn rest(&self, millis: u64) {
        sleep(Duration::from_millis(millis));
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        if let Some(recorder) = self.recorder.take() {
            drop(recorder);
        }
    }
}

/// The name without its kind.
fn bare(name: &str) -> &str {
    name.strip_prefix("rc/").unwrap_or(name)
}

/// How the program is asked about it.
fn target(name: &str) -> String {
    if name.starts_with("rc/") { name.to_owned() } else { format!("rs/{name}") }
}

/// Waits until something is so.
pub fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        sleep(Duration::from_millis(50));
    }
}

/// A status of a pod that runs and is ready since so many seconds.
pub fn ready(seconds: i64) -> Value {
    let since = Timestamp::now() - jiff::SignedDuration::from_secs(seconds);
    let since = since.round(jiff::Unit::Second).unwrap().to_string();
    json!({
        "phase": "Running",
        "conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": since}],
        "containerStatuses": [{"name": "main", "ready": true, "restartCount": 0, "image": "none", "imageID": "none", "state": {"running": {"startedAt": since}}}],
    })
}

/// A ReplicaSet, with another spec where a merge patch says so.
pub fn replica_set(name: &str, replicas: i64, spec: &Value) -> Value {
    let mut object = json!({
        "apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": name},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": name}},
            "template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "main", "image": "example.org/none"}]}},
        },
    });
    merge(&mut object["spec"], spec);
    object
}

/// A pod with the label app=APP, of a controller if one is given (name and UID).
pub fn pod(name: &str, app: &str, controller: Option<(&str, &str)>) -> Value {
    let owners: Vec<Value> = controller
        .iter()
        .map(|(name, uid)| {
            json!({"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": uid, "controller": true, "blockOwnerDeletion": true})
        })
        .collect();
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "labels": {"app": app}, "ownerReferences": owners},
        "spec": {"containers": [{"name": "main", "image": "example.org/none"}]},
    })
}

/// A merge patch (RFC 7386).
pub fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(fields) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = json!({});
    }
    for (name, value) in fields {
        match value {
            Value::Null => drop(target.as_object_mut().map(|object| object.remove(name))),
            value => merge(&mut target[name.as_str()], value),
        }
    }
}
