//! The command, against a server whose watches are told what to send.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::record::server::Server;

const PATIENCE: Duration = Duration::from_secs(20);

fn replica_set(name: &str) -> String {
    format!(
        r#"{{"metadata":{{"name":"{name}","namespace":"shop","uid":"u-{name}","resourceVersion":"1","generation":1}},
        "spec":{{"replicas":2,"selector":{{"matchLabels":{{"app":"{name}"}}}},"template":{{"metadata":{{"labels":{{"app":"{name}"}}}},
        "spec":{{"containers":[{{"name":"main","image":"i","env":[{{"name":"PASSWORD","value":"hunter2"}}]}}]}}}}}},"status":{{"replicas":0}}}}"#
    )
}

fn pod(name: &str, version: u32) -> String {
    format!(
        r#"{{"metadata":{{"name":"{name}","namespace":"shop","resourceVersion":"{version}","labels":{{"app":"web"}}}}}}"#
    )
}

/// A server with two ReplicaSets and a pod.
fn server(denied: &[&str]) -> Server {
    let objects =
        [("replicasets", replica_set("web")), ("replicasets", replica_set("api")), ("pods", pod("web-1", 2))];
    Server::start(&objects, denied)
}

/// The program, recording from this server with these words in this directory.
fn command(server: &Server, home: &Path, words: &str) -> Command {
    let mut command = support::command();
    command.current_dir(home).env("KUBECONFIG", "nowhere").env("no_proxy", "*");
    command.args(["record", "-n", "shop", "-s", &server.address]).args(words.split_whitespace());
    command
}

/// A recorder that runs.
struct Running(Child);

impl Running {
    fn start(server: &Server, home: &Path, words: &str) -> Running {
        let mut command = command(server, home, words);
        Running(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.0.id().to_string()]).status().unwrap().success());
    }

    /// Waits for the end: exit code, standard output, standard error.
    fn end(mut self) -> (Option<i32>, String, String) {
        let begun = Instant::now();
        while self.0.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            sleep(Duration::from_millis(20));
        }
        let (mut out, mut err) = (String::new(), String::new());
        if let Some(mut stdout) = self.0.stdout.take() {
            stdout.read_to_string(&mut out).unwrap();
        }
        self.0.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        (self.0.wait().unwrap().code(), out, err)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_for(path: &Path, what: &str) {
    let begun = Instant::now();
    while !std::fs::read_to_string(path).is_ok_and(|text| text.contains(what)) {
        assert!(begun.elapsed() < PATIENCE, "{what} is not in {}", path.display());
        sleep(Duration::from_millis(20));
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

/// Type and name or number of items of each line behind the first.
fn words(lines: &[Value], resource: &str) -> Vec<String> {
    let of_it = lines.iter().filter(|line| line["resource"] == resource);
    of_it
        .map(|line| {
            let kind = line["type"].as_str().unwrap();
            match line["items"].as_array() {
                Some(items) => format!("{kind} {}", items.len()),
                None => format!("{kind} {}", line["object"]["metadata"]["name"].as_str().unwrap_or_default()),
            }
        })
        .collect()
}

#[test]
fn ctrl_c_ends_the_recording_with_end_and_puts_it_under_its_name() {
    let (server, home) = (server(&[]), tempfile::tempdir().unwrap());
    let (whole, partial) = (home.path().join("web.jsonl"), home.path().join("web.jsonl.partial"));
    std::fs::write(&whole, "older").unwrap();
    let running = Running::start(&server, home.path(), "rs/web --to web.jsonl");
    server.send("pods", "ADDED", &pod("web-2", 10));
    server.send("pods", "MODIFIED", &pod("web-2", 11));
    server.send("pods", "BOOKMARK", r#"{"kind":"Pod","metadata":{"resourceVersion":"12"}}"#);
    server.send("pods", "DELETED", &pod("web-2", 13));
    wait_for(&partial, "DELETED");
    assert_eq!(std::fs::read_to_string(&whole).unwrap(), "older");
    running.signal("-INT");
    let (code, out, err) = running.end();
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    assert!(!partial.exists());
    let text = std::fs::read_to_string(&whole).unwrap();
    assert!(!text.contains("hunter2") && !text.contains("PASSWORD"));
    let lines = lines(&text);
    assert_eq!(lines[0]["recording"], "rsexp/v1");
    assert_eq!(lines[0]["serverVersion"], "v1.37.2");
    assert_eq!(lines[0]["namespace"], "shop");
    let resources: Vec<&str> =
        lines[0]["resources"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(
        resources,
        [
            "replicasets.apps",
            "pods",
            "events",
            "deployments.apps",
            "namespaces",
            "resourcequotas",
            "leases.coordination.k8s.io"
        ]
    );
    assert_eq!(
        words(&lines, "pods"),
        ["LIST 1", "ADDED web-2", "MODIFIED web-2", "BOOKMARK ", "DELETED web-2"]
    );
    // All of the namespace: others decide too, and may be asked about.
    assert_eq!(words(&lines, "replicasets.apps"), ["LIST 2"]);
    assert_eq!(lines.last().unwrap()["type"], "END");
    let times: Vec<&str> = lines[1..].iter().map(|line| line["at"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let size = format!("{:.1} KiB", text.len() as f64 / 1024.0);
    let told =
        format!("note: recorded {size} to web.jsonl: {} lines, 3 objects listed, 3 changes, ", lines.len());
    assert!(err.contains("note: recording namespace shop into web.jsonl.partial, until Ctrl-C\n"), "{err}");
    assert!(err.contains(&told), "{err}");
    assert!(err.ends_with("note: ask about it: kubectl rsexp explain rs/web -f web.jsonl\n"), "{err}");

    let asked =
        support::command().current_dir(home.path()).args("explain rs/web -f web.jsonl".split(' ')).output();
    let asked = asked.unwrap();
    assert_eq!((asked.status.code(), asked.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn a_killed_recorder_leaves_what_came_until_then() {
    for (file, zipped) in [("a.jsonl", false), ("a.jsonl.gz", true)] {
        let (server, home) = (server(&[]), tempfile::tempdir().unwrap());
        let partial = home.path().join(format!("{file}.partial"));
        let running = Running::start(&server, home.path(), &format!("--to {file}"));
        for version in 10..30 {
            server.send("pods", "ADDED", &pod(&format!("web-{version}"), version));
        }
        let begun = Instant::now();
        let read = || {
            let name = partial.to_str().unwrap();
            let words = ["list", "rs", "--pods", "-o", "text", "-f", name];
            let ran = support::rsexp(words);
            (ran.out, ran.err, ran.code)
        };
        // It can be read while it is written.
        while !partial.exists() || !read().0.contains("web-29") {
            assert!(begun.elapsed() < PATIENCE, "{:?}", read());
            sleep(Duration::from_millis(50));
        }
        running.signal("-KILL");
        let (code, _, err) = running.end();
        assert_eq!(code, None);
        assert!(err.contains(&format!("into {file}.partial, until Ctrl-C")), "{err}");
        assert!(!home.path().join(file).exists());
        let (out, err, code) = read();
        assert_eq!(code, Some(0));
        assert!(out.contains("web-29") && err.contains("the evidence is incomplete"), "{out} {err}");
        if !zipped {
            assert_eq!(words(&lines(&std::fs::read_to_string(&partial).unwrap()), "pods").len(), 21);
        }
        // What was left is not overwritten.
        let next = command(&server, home.path(), &format!("--window 0 --to {file}")).output().unwrap();
        let err = String::from_utf8(next.stderr).unwrap();
        assert!(err.contains(&format!("into {file}.partial-2\n")), "{err}");
        assert!(partial.exists() && home.path().join(file).exists());
    }
}

#[test]
fn a_watch_that_broke_is_an_error_line_and_one_that_expired_a_second_list() {
    let (server, home) = (server(&[]), tempfile::tempdir().unwrap());
    let running = Running::start(&server, home.path(), "--to a.jsonl");
    let partial = home.path().join("a.jsonl.partial");
    server.cut("pods");
    wait_for(&partial, "\"ERROR\"");
    server.send("pods", "ERROR", r#"{"kind":"Status","code":410,"reason":"Expired","message":"too old"}"#);
    wait_for(&partial, "Expired");
    let begun = Instant::now();
    let found = || words(&lines(&std::fs::read_to_string(&partial).unwrap()), "pods");
    while found().last().unwrap() != "LIST 1" {
        assert!(begun.elapsed() < PATIENCE, "{:?}", found());
        sleep(Duration::from_millis(20));
    }
    running.signal("-INT");
    assert_eq!(running.end().0, Some(0));
    let all = lines(&std::fs::read_to_string(home.path().join("a.jsonl")).unwrap());
    assert_eq!(words(&all, "pods"), ["LIST 1", "ERROR ", "ERROR ", "LIST 1"]);
    assert_eq!(all.last().unwrap()["type"], "END");
}

#[test]
fn what_is_denied_is_said_at_once_and_not_in_the_recording() {
    let (server, home) = (server(&["events", "resourcequotas"]), tempfile::tempdir().unwrap());
    let run = command(&server, home.path(), "--window 0 --to a.jsonl").output().unwrap();
    let err = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(0), "{err}");
    assert!(err.contains("warning: events: forbidden: may not list events in namespace shop; "), "{err}");
    assert_eq!(err.matches("forbidden").count(), 2, "{err}");
    let lines = lines(&std::fs::read_to_string(home.path().join("a.jsonl")).unwrap());
    let resources = lines[0]["resources"].to_string();
    assert!(!resources.contains("events") && !resources.contains("quotas"), "{resources}");
    assert!(words(&lines, "events").is_empty());

    let server = self::server(&["pods"]);
    let run = command(&server, home.path(), "--window 0 --to b.jsonl").output().unwrap();
    assert_eq!(run.status.code(), Some(4), "{run:?}");
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1, "nothing is left of it");
}

#[test]
fn a_recording_goes_to_standard_output_until_that_is_closed() {
    let (server, home) = (server(&[]), tempfile::tempdir().unwrap());
    let run = command(&server, home.path(), "--window 0 --to -").output().unwrap();
    let all = lines(&String::from_utf8(run.stdout).unwrap());
    assert_eq!((run.status.code(), all.last().unwrap()["type"].as_str()), (Some(0), Some("END")));
    let err = String::from_utf8(run.stderr).unwrap();
    assert!(err.contains("note: recording namespace shop into standard output\n"), "{err}");

    let mut running = Running::start(&server, home.path(), "--to -");
    let mut out = BufReader::new(running.0.stdout.take().unwrap());
    // The first line and the lists.
    for _ in 0..8 {
        out.read_line(&mut String::new()).unwrap();
    }
    drop(out);
    server.send("pods", "ADDED", &pod("web-2", 10));
    let (code, _, err) = running.end();
    assert_eq!(code, Some(0), "{err}");
    assert!(!err.contains("error"), "{err}");
}

#[test]
fn what_cannot_be_written_is_said_before_the_cluster_is_asked() {
    let server = server(&[]);
    let home = tempfile::tempdir().unwrap();
    let cases = [
        ("--to missing/a.jsonl", "writing to missing/a.jsonl: no such file or directory"),
        ("--to .", "writing to .: is a directory"),
    ];
    for (words, told) in cases {
        let run = command(&server, home.path(), words).output().unwrap();
        let err = String::from_utf8(run.stderr).unwrap();
        assert_eq!(
            (run.status.code(), err.as_str()),
            (Some(1), format!("error: {told}\n").as_str()),
            "{words}"
        );
    }
    let run = command(&server, home.path(), "").output().unwrap();
    let err = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(err.contains("--to <FILE>"), "{err}");
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn what_cannot_be_put_under_its_name_is_left_under_the_other() {
    let (server, home) = (server(&[]), tempfile::tempdir().unwrap());
    let running = Running::start(&server, home.path(), "--to a.jsonl");
    wait_for(&home.path().join("a.jsonl.partial"), "\"pods\"");
    std::fs::create_dir(home.path().join("a.jsonl")).unwrap();
    // Ctrl-C ends the recording once it watches.
    server.send("pods", "ADDED", &pod("web-2", 10));
    wait_for(&home.path().join("a.jsonl.partial"), "web-2");
    running.signal("-INT");
    let (code, _, err) = running.end();
    assert_eq!(code, Some(1), "{err}");
    let told =
        "error: writing to a.jsonl: is a directory; what was recorded until then is in a.jsonl.partial\n";
    assert!(err.ends_with(told), "{err}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_and_a_device_stays_one() {
    let (server, home) = (server(&[]), tempfile::tempdir().unwrap());
    let run = command(&server, home.path(), "--to /dev/full").output().unwrap();
    let err = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(1), "{err}");
    assert!(err.ends_with("error: writing to /dev/full: no space left on device\n"), "{err}");
    let run = command(&server, home.path(), "--window 0 --to /dev/null").output().unwrap();
    assert_eq!(run.status.code(), Some(0));
    use std::os::unix::fs::FileTypeExt;
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn a_link_stays_one() {
    let (server, home) = (server(&[]), tempfile::tempdir().unwrap());
    std::fs::write(home.path().join("real.jsonl"), "older").unwrap();
    std::os::unix::fs::symlink("real.jsonl", home.path().join("link.jsonl")).unwrap();
    let run = command(&server, home.path(), "--window 0 --to link.jsonl").output().unwrap();
    assert_eq!(run.status.code(), Some(0));
    assert!(std::fs::symlink_metadata(home.path().join("link.jsonl")).unwrap().is_symlink());
    assert!(std::fs::read_to_string(home.path().join("real.jsonl")).unwrap().contains("END"));
}

#[test]
fn a_target_that_never_came_is_missing_but_recorded_for() {
    let (server, home) = (server(&[]), tempfile::tempdir().unwrap());
    let run = command(&server, home.path(), "rs/wep --window 0 --to a.jsonl").output().unwrap();
    let err = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(3), "{err}");
    assert!(err.contains(r#"error: replicasets.apps "wep" not found"#), "{err}");
    let run = command(&server, home.path(), "rs/wep rs/web --window 0 --to a.jsonl").output().unwrap();
    assert_eq!(run.status.code(), Some(1));
    assert!(home.path().join("a.jsonl").exists());
}

#[test]
fn a_redacted_recording_is_asked_about_by_its_own_names() {
    let (server, home) = (server(&[]), tempfile::tempdir().unwrap());
    let run = command(&server, home.path(), "rs/web --window 0 --redact --to a.jsonl.gz").output().unwrap();
    let err = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(0), "{err}");
    let command = err.split("kubectl rsexp ").nth(1).unwrap().trim();
    let asked = support::command().current_dir(home.path()).args(command.split(' ')).output().unwrap();
    let out = String::from_utf8(asked.stdout).unwrap();
    assert_eq!(asked.status.code(), Some(0), "{command}");
    assert!(out.contains("wants 2, has 1") && !out.contains("web") && !out.contains("shop"), "{out}");
}
