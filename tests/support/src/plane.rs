//! A control plane that `tests/control-plane/run` starts, and stops again.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::{Ran, binary, command, root, run, skipped};

/// The script that starts and stops everything.
pub fn script() -> PathBuf {
    root().join("tests/control-plane/run")
}

/// How long the control plane may take for anything.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running control plane.
pub struct Plane {
    directory: TempDir,
    env: BTreeMap<String, String>,
}

impl Plane {
    /// Starts one, if the environment asks for that.
    pub fn start() -> Option<Plane> {
        Plane::start_with(&[])
    }

    /// Starts one with these arguments for `run`, if the environment asks for that.
    pub fn start_with(args: &[&str]) -> Option<Plane> {
        let asked = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty() && value != "0");
        let wanted = asked("RSEXP_CONTROL_PLANE");
        if wanted.is_none() && asked("KUBEBUILDER_ASSETS").is_none() {
            skipped("no control plane (RSEXP_CONTROL_PLANE=1 builds and runs one)");
            return None;
        }
        let directory = tempfile::tempdir().unwrap();
        let mut plane = Plane { directory, env: BTreeMap::new() };
        let mut command = Command::new(script());
        command.args(["--dir".as_ref(), plane.path().as_os_str()]).args(args);
        if let Some(version) = wanted.filter(|value| value.contains('.')) {
            command.args(["--version", &version]);
        }
        said(&mut command, "");
        plane.read_env();
        Some(plane)
    }

    fn read_env(&mut self) {
        let env = fs::read_to_string(self.path().join("env")).unwrap();
        let pairs = env.lines().filter_map(|line| line.split_once('='));
        self.env = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    }

    /// The directory of the control plane; its parent is the test's own.
    pub fn path(&self) -> PathBuf {
        self.directory.path().join("plane")
    }

    /// A value of its file `env` (`tests/control-plane/README.md`).
    pub fn get(&self, key: &str) -> &str {
        &self.env[key]
    }

    /// The version of Kubernetes, such as 1.37.2.
    pub fn version(&self) -> String {
        let version: Value = serde_json::from_str(&self.kubectl(["get", "--raw", "/version"], "")).unwrap();
        version["gitVersion"].as_str().unwrap().trim_start_matches('v').to_owned()
    }

    /// Runs kubectl, which finds the program as its plugin and what completes it, and gives what it prints; a failure fails the test.
    pub fn kubectl<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>, input: &str) -> String {
        let own = binary().parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let completion = root().join("completions");
        let path =
            std::env::join_paths([own, completion].into_iter().chain(std::env::split_paths(&path))).unwrap();
        let mut command = Command::new(Path::new(self.get("RSEXP_BIN")).join("kubectl"));
        command.env("KUBECONFIG", self.get("KUBECONFIG")).env("PATH", path);
        command.env("KUBECACHEDIR", self.directory.path().join("cache"));
        said(command.args(args), input)
    }

    /// Runs the program as an administrator.
    pub fn rsexp<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Ran {
        self.rsexp_as("KUBECONFIG", args)
    }

    /// Runs the program as the user who may nothing but what a test has permitted.
    pub fn rsexp_as_reader<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Ran {
        self.rsexp_as("RSEXP_READER_KUBECONFIG", args)
    }

    fn rsexp_as<S: AsRef<OsStr>>(&self, who: &str, args: impl IntoIterator<Item = S>) -> Ran {
        run(command().env("KUBECONFIG", self.get(who)).args(args))
    }

    /// Starts the program and lets it run until it is ended.
    pub fn follow<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Following {
        let mut command = command();
        command
            .env("KUBECONFIG", self.get("KUBECONFIG"))
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Following { child: Some(command.spawn().unwrap()) }
    }

    /// The names of the pods with label app=NAME.
    pub fn pods(&self, app: &str) -> BTreeSet<String> {
        let selector = format!("app={app}");
        let names = self.kubectl(["get", "pods", "-n", "shop", "-l", &selector, "-o", "name"], "");
        names.lines().map(|line| line.trim_start_matches("pod/").to_owned()).collect()
    }

    /// Waits until a ReplicaSet counts so many pods and has written it.
    pub fn settle(&self, name: &str, count: usize) {
        let wanted = format!("{count} {count}");
        until(&format!("{name} has {count} pods"), || {
            let fields = "jsonpath={.spec.replicas} {.status.replicas}";
            self.kubectl(["get", "rs", name, "-n", "shop", "-o", fields], "") == wanted
        });
    }

    /// Stops the controller manager in its tracks. It must go on before its lease is over.
    pub fn freeze(&self) -> Frozen {
        let pid = self.get("CONTROLLER_MANAGER_PID").to_owned();
        signal("-STOP", &pid);
        Frozen { pid, since: Instant::now() }
    }

    /// The lines of the truth log, if this controller manager writes one.
    pub fn truth(&self) -> Option<Vec<Value>> {
        let path = Some(self.get("RSEXP_TRUTH_LOG")).filter(|path| !path.is_empty())?;
        Some(lines(path))
    }

    /// The lines of the truth log of each controller manager, in the order in which they were started.
    pub fn truths(&self) -> Vec<Vec<Value>> {
        let files = self.numbered("truth", "jsonl");
        files.iter().map(|path| lines(path.to_str().unwrap())).collect()
    }

    /// The logs of the controller managers, in the order in which they were started.
    pub fn controller_logs(&self) -> Vec<PathBuf> {
        self.numbered("controller-manager", "log")
    }

    fn numbered(&self, name: &str, extension: &str) -> Vec<PathBuf> {
        let files = (1..).map(|number| self.path().join(format!("{name}-{number}.{extension}")));
        files.take_while(|path| path.exists()).collect()
    }

    /// Starts or stops a controller manager: words for `run`, in which {} is the directory of the control plane.
    pub fn run(&self, words: &[&str]) {
        let directory = self.path();
        let words = words.iter().map(|word| match *word {
            "{}" => directory.as_os_str(),
            word => word.as_ref(),
        });
        said(Command::new(script()).args(words), "");
    }

    /// What the audit log holds of a client.
    pub fn asked(&self, agent: &str) -> Vec<Value> {
        let mut entries = lines(self.get("RSEXP_AUDIT_LOG"));
        entries.retain(|entry| entry["userAgent"].as_str().is_some_and(|who| who.starts_with(agent)));
        entries
    }
}

impl Drop for Plane {
    fn drop(&mut self) {
        let stopped = Command::new(script()).arg("stop").arg(self.path()).status();
        // A test that panics already must not panic again.
        if !std::thread::panicking() {
            assert!(stopped.unwrap().success(), "the control plane was not stopped");
        }
    }
}

/// A controller manager that stands still.
pub struct Frozen {
    pid: String,
    since: Instant,
}

impl Frozen {
    /// Lets it go on.
    pub fn end(self) {
        let long = self.since.elapsed();
        drop(self);
        assert!(long < Duration::from_secs(10), "frozen for {long:?}: the lease may be lost");
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        signal("-CONT", &self.pid);
    }
}

/// The program while it watches.
pub struct Following {
    child: Option<Child>,
}

impl Following {
    /// Presses Ctrl-C, and gives what was printed.
    pub fn end(mut self) -> String {
        let child = self.child.take().unwrap();
        signal("-INT", &child.id().to_string());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Waits until something is so.
pub fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "not within {PATIENCE:?}: {what}");
        sleep(Duration::from_millis(100));
    }
}

/// Sends a signal to a process of the control plane.
pub fn signal(name: &str, pid: &str) {
    assert!(Command::new("kill").args([name, pid]).status().unwrap().success(), "kill {name} {pid}");
}

/// Runs a command that must succeed, and gives what it prints.
fn said(command: &mut Command, input: &str) -> String {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The whole lines of a file of JSON lines.
fn lines(path: &str) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
