//! Controller managers of one control plane that watch through a proxy, and come and go.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jiff::Timestamp;
use serde_json::json;

use crate::control_plane::proxy::Proxy;
use crate::control_plane::stage::wait;
use crate::control_plane::truth::ENDED;
use support::plane::{Plane, signal};

/// See the module.
pub struct Managers<'a> {
    plane: &'a Plane,
    /// Between them and the API server.
    pub proxy: Proxy,
    kubeconfig: PathBuf,
}

impl<'a> Managers<'a> {
    /// Starts the first one of this control plane.
    pub fn start(plane: &'a Plane) -> Managers<'a> {
        let proxy = Proxy::before(&plane.path().join("controller-manager.kubeconfig"));
        let kubeconfig = plane.path().with_file_name("proxied.kubeconfig");
        let config = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "proxied",
            "clusters": [{"name": "proxied", "cluster": {"server": proxy.address}}],
            "users": [{"name": "proxied", "user": {}}],
            "contexts": [{"name": "proxied", "context": {"cluster": "proxied", "user": "proxied"}}],
        });
        fs::write(&kubeconfig, config.to_string()).unwrap();
        let managers = Managers { plane, proxy, kubeconfig };
        managers.another();
        // A list that is held before it is read once keeps the controller from starting.
        for kind in ["*v1.Pod", "*v1.ReplicaSet"] {
            managers.logs(1, &["Caches populated", &format!("type=\"{kind}\"")]);
        }
        managers
    }

    /// Starts one more, which waits for the lease: here, if no other lives.
    pub fn another(&self) {
        let kubeconfig = format!("--kubeconfig={}", self.kubeconfig.display());
        self.plane.run(&["controller-manager", "{}", &kubeconfig]);
    }

    /// How many were started.
    pub fn started(&self) -> usize {
        self.pids().len()
    }

    /// Stops one, counted from 1, and waits for its end.
    pub fn stop(&self, number: usize) {
        self.end(number, "-TERM");
    }

    /// Kills one.
    pub fn kill(&self, number: usize) {
        self.end(number, "-KILL");
    }

    /// Stops one in its tracks.
    pub fn pause(&self, number: usize) {
        signal("-STOP", &self.pids()[number - 1]);
    }

    /// Lets it go on.
    pub fn go_on(&self, number: usize) {
        signal("-CONT", &self.pids()[number - 1]);
    }

    /// Waits until one has ended by itself.
    pub fn ends(&self, number: usize) {
        let pid = &self.pids()[number - 1];
        wait(&format!("controller manager {number} ends"), || has_ended(pid));
    }

    /// Waits until the ReplicaSet controller of one works.
    pub fn works(&self, number: usize) {
        self.logs(number, &["Starting controller", "name=\"replicaset\""]);
    }

    /// Waits until the last one has handled the creation of this pod (NAMESPACE/NAME).
    pub fn has_seen(&self, pod: &str) {
        self.logs(self.started(), &["\"Pod created\"", &format!("pod=\"{pod}\"")]);
    }

    fn logs(&self, number: usize, words: &[&str]) {
        let log = &self.plane.controller_logs()[number - 1];
        wait(&format!("controller manager {number} logs {words:?}"), || {
            let text = fs::read(log).unwrap();
            let text = String::from_utf8_lossy(&text);
            text.lines().any(|line| words.iter().all(|word| line.contains(word)))
        });
    }

    fn end(&self, number: usize, name: &str) {
        signal(name, &self.pids()[number - 1]);
        self.ends(number);
        note_end(&self.plane.path().join(format!("truth-{number}.jsonl")));
    }

    fn pids(&self) -> Vec<String> {
        let env = fs::read_to_string(self.plane.path().join("env")).unwrap();
        env.lines()
            .filter_map(|line| line.strip_prefix("CONTROLLER_MANAGER_PID="))
            .map(str::to_owned)
            .collect()
    }
}

/// A zombie has ended too: only its parent has not noticed.
fn has_ended(pid: &str) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
    let state = String::from_utf8_lossy(&output.stdout);
    state.trim().is_empty() || state.starts_with('Z')
}

/// Writes the end below what a process has written; its last line may lack its end.
fn note_end(truth: &Path) {
    let mut text = fs::read_to_string(truth).unwrap();
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    text.push_str(&format!("{}\n", json!({"t": Timestamp::now().to_string(), "msg": ENDED})));
    fs::write(truth, text).unwrap();
}
