//! An API server in process: answers in the order of a script, bodies in chunks over time.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use rsexp::source::cluster::client::Get;
use rsexp::source::cluster::client::{Accept, Response};
use rsexp::source::cluster::{ClusterError, ErrorKind};
use tokio::time::{Instant, sleep};

use support::list_kind;

/// What happens while a body is sent.
#[derive(Debug, Clone)]
pub enum Step {
    /// These bytes arrive.
    Send(Vec<u8>),
    /// Nothing arrives for so long.
    Wait(Duration),
    /// The connection breaks.
    Break,
    /// Nothing arrives any more, and the connection stays open.
    Hang,
}

/// One answer.
#[derive(Debug, Clone)]
pub enum Answer {
    Body { protobuf: bool, steps: Vec<Step> },
    Refused(ErrorKind),
}

/// The server. What has no script is an empty list, or a watch on which nothing happens.
pub struct Fake {
    scripts: RefCell<BTreeMap<String, VecDeque<Answer>>>,
    begun: Instant,
    /// What was asked for: milliseconds since the start, path.
    pub asked: RefCell<Vec<(u128, String)>>,
}

impl Fake {
    pub fn new() -> Fake {
        Fake {
            scripts: RefCell::new(BTreeMap::new()),
            begun: Instant::now(),
            asked: RefCell::new(Vec::new()),
        }
    }

    /// The next answer to `list pods`, `watch events`, `get shop` and the like.
    pub fn on(self, what: &str, answer: Answer) -> Fake {
        self.scripts.borrow_mut().entry(what.to_owned()).or_default().push_back(answer);
        self
    }

    /// The paths that were asked for and contain this.
    pub fn paths(&self, part: &str) -> Vec<String> {
        let asked = self.asked.borrow();
        asked.iter().filter(|(_, path)| path.contains(part)).map(|(_, path)| path.clone()).collect()
    }

    /// When the paths that contain this were asked for.
    pub fn times(&self, part: &str) -> Vec<u128> {
        let asked = self.asked.borrow();
        asked.iter().filter(|(_, path)| path.contains(part)).map(|(at, _)| *at).collect()
    }
}

impl Get for Fake {
    async fn get(&self, path: &str, _accept: Accept) -> Result<Response, ClusterError> {
        let at = self.begun.elapsed().as_millis();
        self.asked.borrow_mut().push((at, path.to_owned()));
        let (collection, query) = path.split_once('?').unwrap_or((path, ""));
        let name = collection.rsplit('/').next().unwrap_or_default();
        let lists = [
            "pods",
            "replicasets",
            "events",
            "leases",
            "namespaces",
            "resourcequotas",
            "deployments",
            "replicationcontrollers",
        ];
        let verb = match name {
            _ if query.contains("watch=true") => "watch",
            _ if lists.contains(&name) => "list",
            _ => "get",
        };
        let scripted =
            self.scripts.borrow_mut().get_mut(&format!("{verb} {name}")).and_then(VecDeque::pop_front);
        match scripted.unwrap_or_else(|| otherwise(verb, name)) {
            Answer::Refused(kind) => Err(error(kind)),
            Answer::Body { protobuf, steps } => Ok(response(protobuf, steps)),
        }
    }
}

fn otherwise(verb: &str, name: &str) -> Answer {
    match verb {
        "watch" => watch(vec![Step::Hang]),
        "list" => list(name, "100", &[]),
        _ if name == "version" => text(r#"{"major":"1","gitVersion":"v1.37.2"}"#),
        _ => Answer::Refused(ErrorKind::NotFound),
    }
}

fn response(protobuf: bool, steps: Vec<Step>) -> Response {
    let steps = VecDeque::from(steps);
    let body = futures::stream::unfold(steps, |mut steps| async move {
        loop {
            let item = match steps.pop_front()? {
                Step::Send(bytes) => Ok(Bytes::from(bytes)),
                Step::Wait(time) => {
                    sleep(time).await;
                    continue;
                }
                Step::Hang => std::future::pending().await,
                Step::Break => Err(error(ErrorKind::Connection)),
            };
            return Some((item, steps));
        }
    });
    Response { protobuf, date: "2026-01-01T12:00:00Z".parse().ok(), body: body.boxed() }
}

/// A refusal of this kind.
pub fn error(kind: ErrorKind) -> ClusterError {
    ClusterError::Status { kind, reason: None, message: format!("{kind:?}") }
}

pub fn refused(kind: ErrorKind) -> Answer {
    Answer::Refused(kind)
}

pub fn text(body: &str) -> Answer {
    Answer::Body { protobuf: false, steps: vec![Step::Send(body.as_bytes().to_vec())] }
}

pub fn watch(steps: Vec<Step>) -> Answer {
    Answer::Body { protobuf: false, steps }
}

/// A line of a watch.
pub fn line(kind: &str, object: &str) -> Step {
    Step::Send(format!("{{\"type\":\"{kind}\",\"object\":{object}}}\n").into_bytes())
}

pub fn wait(seconds: u64) -> Step {
    Step::Wait(Duration::from_secs(seconds))
}

pub fn pod(name: &str, version: &str) -> String {
    format!(r#"{{"metadata":{{"name":"{name}","namespace":"shop","resourceVersion":"{version}"}}}}"#)
}

/// The text of a list: with a token, more of it follows.
pub fn list_text(name: &str, version: &str, token: &str, items: &[String]) -> String {
    let kind = list_kind(name);
    format!(
        r#"{{"kind":"{kind}","metadata":{{"resourceVersion":"{version}","continue":"{token}"}},"items":[{}]}}"#,
        items.join(",")
    )
}

pub fn list(name: &str, version: &str, items: &[String]) -> Answer {
    text(&list_text(name, version, "", items))
}

pub fn page(name: &str, version: &str, token: &str, items: &[String]) -> Answer {
    text(&list_text(name, version, token, items))
}
