//! An API server whose watches send what a test tells them to, when it tells them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use support::list_kind;

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running server; it ends with the test.
pub struct Server {
    pub address: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The items of each list, and what its watch sends; both by the last part of the path.
    items: BTreeMap<String, Vec<String>>,
    /// The resources that may not be listed.
    denied: Vec<String>,
    /// The open watches.
    watches: BTreeMap<String, TcpStream>,
}

impl Server {
    /// With these objects: resource, JSON.
    pub fn start(objects: &[(&str, String)], denied: &[&str]) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let mut state = State::default();
        for (resource, json) in objects {
            state.items.entry((*resource).to_owned()).or_default().push(json.clone());
        }
        state.denied = denied.iter().map(|resource| (*resource).to_owned()).collect();
        let state = Arc::new(Mutex::new(state));
        let shared = state.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = shared.clone();
                std::thread::spawn(move || answer(stream, &shared));
            }
        });
        Server { address, state }
    }

    /// Sends a watch event once the resource is watched.
    pub fn send(&self, resource: &str, kind: &str, object: &str) {
        let line = format!("{{\"type\":\"{kind}\",\"object\":{object}}}\n");
        self.with_watch(resource, |watch| {
            watch.write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes()).unwrap();
        });
    }

    /// Cuts the watch of a resource.
    pub fn cut(&self, resource: &str) {
        self.with_watch(resource, |watch| watch.shutdown(std::net::Shutdown::Both).unwrap());
        self.state.lock().unwrap().watches.remove(resource);
    }

    fn with_watch(&self, resource: &str, act: impl FnOnce(&mut TcpStream)) {
        let begun = Instant::now();
        loop {
            if let Some(watch) = self.state.lock().unwrap().watches.get_mut(resource) {
                return act(watch);
            }
            assert!(begun.elapsed() < PATIENCE, "{resource} is not watched");
            sleep(Duration::from_millis(20));
        }
    }
}

fn answer(mut stream: TcpStream, state: &Mutex<State>) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    let first = lines.next()?.ok()?;
    while !lines.next()?.ok()?.is_empty() {}
    let path = first.strip_prefix("GET ")?.split(' ').next()?.to_owned();
    let (collection, query) = path.split_once('?').unwrap_or((&path, ""));
    let resource = collection.rsplit('/').next()?.to_owned();
    let mut state = state.lock().unwrap();
    if query.contains("watch=true") {
        let head = "HTTP/1.1 200 -\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
        stream.write_all(head.as_bytes()).ok()?;
        state.watches.insert(resource, stream);
        return Some(());
    }
    let (status, body) = match resource.as_str() {
        "version" => (200, r#"{"major":"1","minor":"37","gitVersion":"v1.37.2"}"#.to_owned()),
        _ if state.denied.contains(&resource) => {
            (403, r#"{"kind":"Status","code":403,"reason":"Forbidden","message":"no"}"#.to_owned())
        }
        _ => (200, list(&resource, state.items.get(&resource).map_or(&[][..], Vec::as_slice))),
    };
    let head = "content-type: application/json\r\nconnection: close\r\ncontent-length:";
    write!(stream, "HTTP/1.1 {status} -\r\n{head} {}\r\n\r\n{body}", body.len()).ok()
}

fn list(resource: &str, items: &[String]) -> String {
    let kind = list_kind(resource);
    let items = items.join(",");
    format!(r#"{{"kind":"{kind}","metadata":{{"resourceVersion":"9"}},"items":[{items}]}}"#)
}
