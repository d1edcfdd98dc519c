//! What a driver does at random.

use serde_json::{Value, json};

use crate::control_plane::stage::{Stage, pod};
use crate::simulation::random::Random;

/// The ReplicaSets of a run.
const NAMES: &[&str] = &["a", "b", "c"];

/// The nodes to which pods are bound.
const NODES: &[&str] = &["n1", "n2", "n3"];

/// See the module.
pub struct Driver<'a, 's> {
    stage: &'a Stage<'s>,
    random: Random,
    orphans: usize,
}

impl<'a, 's> Driver<'a, 's> {
    /// Creates the ReplicaSets.
    pub fn new(stage: &'a Stage<'s>, random: Random) -> Driver<'a, 's> {
        let mut driver = Driver { stage, random, orphans: 0 };
        for name in NAMES {
            driver.create(name);
        }
        driver
    }

    fn create(&mut self, name: &str) {
        let replicas = self.random.between(0, 7);
        let seconds = if self.random.percent(20) { 2 } else { 0 };
        // Names of ReplicaSets may still be taken by one that is being deleted.
        let object =
            crate::control_plane::stage::replica_set(name, replicas, &json!({"minReadySeconds": seconds}));
        let path = format!("/apis/apps/v1/namespaces/{}/replicasets", self.stage.namespace);
        let _ = self.stage.attempt("POST", &path, object);
    }

    /// Acts, and asks while the controller runs.
    pub fn free(&mut self, round: usize) {
        self.act_some();
        self.stage.rest(600 + self.random.below(600));
        self.mark(&format!("free-{round}"));
        self.serve();
        self.stage.rest(400);
    }

    /// Asks while the controller is frozen, after acting; then lets it go on.
    pub fn frozen(&mut self, round: usize) {
        if self.random.percent(40) {
            self.act_some();
            self.stage.rest(self.random.below(120));
        }
        let stage = self.stage;
        stage.frozen(|| {
            self.act_some();
            self.mark(&format!("frozen-{round}"));
            let name = self.random.choose(NAMES);
            if self.random.percent(50) && !stage.get(name).is_null() {
                stage.ask_live(&[name]);
            }
        });
        stage.rest(900);
        self.serve();
        stage.rest(300);
    }

    /// The last question, in peace.
    pub fn end(&mut self) {
        self.stage.rest(1000);
        self.mark("end");
        self.stage.rest(300);
    }

    fn mark(&self, id: &str) {
        self.stage.rest(crate::control_plane::stage::CLEAR.as_millis() as u64);
        for name in NAMES {
            self.stage.mark_now(&format!("{id}-{name}"), name, &[], &[]);
        }
        self.stage.rest(70);
    }

    fn act_some(&mut self) {
        for _ in 0..1 + self.random.below(3) {
            self.act();
        }
    }

    /// One thing that a user does. What is gone meanwhile is no failure.
    fn act(&mut self) {
        let name = self.random.choose(NAMES);
        let object = self.stage.get(name);
        if object.is_null() {
            return self.create(name);
        }
        match self.random.below(100) {
            0..30 => {
                let replicas = self.random.between(0, 9);
                self.patch(&self.stage.replica_set_path(name), json!({"spec": {"replicas": replicas}}));
            }
            30..42 => self.of_pod(name, |stage, path| drop(stage.attempt("DELETE", path, None))),
            42..50 => {
                let labels = json!({"metadata": {"labels": {"app": "lost"}}});
                self.of_pod(name, |stage, path| drop(stage.attempt("PATCH", path, labels)));
            }
            50..58 => self.create_orphan(name, None),
            58..61 => {
                let uid = object["metadata"]["uid"].as_str().unwrap().to_owned();
                self.create_orphan(name, Some((name, &uid)));
            }
            61..68 => self.quota(),
            68..74 => self.hold(name),
            74..79 => self.cost(name),
            79..85 => self.policy(),
            85..90 => {
                let touched = self.random.below(1000).to_string();
                let patch = json!({"metadata": {"labels": {"touched": touched}}});
                self.patch(&self.stage.replica_set_path(name), patch);
            }
            90..94 => self.fail(name),
            94..97 => self.serve(),
            _ => self.delete(name),
        }
    }

    fn patch(&self, path: &str, patch: Value) {
        let _ = self.stage.attempt("PATCH", path, patch);
    }

    fn any_pod(&mut self, name: &str) -> Option<String> {
        let own = self.stage.own(name);
        (!own.is_empty()).then(|| self.random.choose(&own))
    }

    fn of_pod(&mut self, name: &str, act: impl FnOnce(&Stage, &str)) {
        if let Some(pod) = self.any_pod(name) {
            act(self.stage, &self.stage.pod_path(&pod));
        }
    }

    fn create_orphan(&mut self, app: &str, controller: Option<(&str, &str)>) {
        self.orphans += 1;
        let path = format!("/api/v1/namespaces/{}/pods", self.stage.namespace);
        let _ = self.stage.attempt("POST", &path, pod(&format!("orphan-{}", self.orphans), app, controller));
    }

    /// A quota comes, changes or goes.
    fn quota(&mut self) {
        let path = format!("/api/v1/namespaces/{}/resourcequotas", self.stage.namespace);
        let pods = self.random.between(4, 18).to_string();
        let spec = json!({"spec": {"hard": {"pods": pods}}});
        match self.random.below(3) {
            0 => drop(self.stage.attempt("DELETE", &format!("{path}/q"), None)),
            1 => self.patch(&format!("{path}/q"), spec),
            _ => {
                let mut quota = spec;
                quota["metadata"] = json!({"name": "q"});
                let _ = self.stage.attempt("POST", &path, quota);
            }
        }
    }

    /// A finalizer holds a pod, which is deleted, or the finalizer goes.
    fn hold(&mut self, name: &str) {
        let held = json!({"metadata": {"finalizers": ["example.org/hold"]}});
        let delete = self.random.percent(60);
        self.of_pod(name, |stage, path| {
            let _ = stage.attempt("PATCH", path, held);
            if delete {
                let _ = stage.attempt("DELETE", path, None);
            }
        });
    }

    fn cost(&mut self, name: &str) {
        let cost = self.random.between(-5, 5).to_string();
        let patch =
            json!({"metadata": {"annotations": {"controller.kubernetes.io/pod-deletion-cost": cost}}});
        self.of_pod(name, |stage, path| drop(stage.attempt("PATCH", path, patch)));
    }

    /// A policy that refuses the pods comes or goes.
    fn policy(&mut self) {
        let level = if self.random.percent(35) { json!("restricted") } else { Value::Null };
        let labels = json!({"metadata": {"labels": {"pod-security.kubernetes.io/enforce": level}}});
        self.patch(&format!("/api/v1/namespaces/{}", self.stage.namespace), labels);
    }

    fn fail(&mut self, name: &str) {
        let phase = if self.random.percent(50) { "Failed" } else { "Succeeded" };
        self.of_pod(name, |stage, path| {
            let _ = stage.attempt("PATCH", &format!("{path}/status"), json!({"status": {"phase": phase}}));
        });
    }

    /// The ReplicaSet goes, with its pods or without; or comes anew at once.
    fn delete(&mut self, name: &str) {
        let policy = self.random.choose(&["Background", "Orphan", "Foreground"]);
        let options = json!({"propagationPolicy": policy});
        let _ = self.stage.attempt("DELETE", &self.stage.replica_set_path(name), options);
        if self.random.percent(40) {
            self.create(name);
        }
    }

    /// Plays scheduler and kubelet for some pods.
    fn serve(&mut self) {
        let pods = self.stage.api.list(&format!("/api/v1/namespaces/{}/pods", self.stage.namespace));
        for pod in &pods {
            let name = pod["metadata"]["name"].as_str().unwrap().to_owned();
            let path = self.stage.pod_path(&name);
            let ends = pod["metadata"]["deletionTimestamp"].is_string();
            let bound = pod["spec"]["nodeName"].is_string();
            if ends && self.random.percent(60) {
                let free = json!({"metadata": {"finalizers": null}});
                let _ = self.stage.serve_if_there("PATCH", &path, free);
                let _ = self.stage.serve_if_there("DELETE", &path, json!({"gracePeriodSeconds": 0}));
            } else if !ends && !bound && self.random.percent(40) {
                let target = json!({"apiVersion": "v1", "kind": "Node", "name": self.random.choose(NODES)});
                let binding = json!({"apiVersion": "v1", "kind": "Binding", "metadata": {"name": name}, "target": target});
                let _ = self.stage.serve_if_there("POST", &format!("{path}/binding"), binding);
            } else if !ends && bound && pod["status"]["phase"] == "Pending" && self.random.percent(70) {
                let ready = crate::control_plane::stage::ready(self.random.between(0, 500));
                let _ =
                    self.stage.serve_if_there("PATCH", &format!("{path}/status"), json!({"status": ready}));
            }
        }
    }
}
