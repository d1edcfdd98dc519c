//! A proxy in front of the API server, whose watches a test holds, cuts, or ends with an error that forces a new list.
//!
//! Plain HTTP towards its client, TLS and the identity of a kubeconfig towards the server. Watches are asked for in
//! JSON, so that an event is a line.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::{Bytes, BytesMut};
use futures::stream::{self, Stream};
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, HOST, HeaderValue, TRANSFER_ENCODING,
};
use http::{Request, Response};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use kube::Client;
use kube::client::Body;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::watch;

type Answer = UnsyncBoxBody<Bytes, Box<dyn std::error::Error + Send + Sync>>;

/// What is done to the watches of a resource.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Orders {
    /// Whether what comes is kept back; also on watches yet to come.
    is_held: bool,
    /// How often watches were cut, and how often ended as expired: this concerns those open at that time.
    cuts: usize,
    expiries: usize,
}

type Rules = BTreeMap<String, Orders>;

/// See the module; it ends with the test.
pub struct Proxy {
    pub address: String,
    rules: watch::Sender<Rules>,
    /// Watches that were begun.
    begun: Arc<AtomicUsize>,
}

impl Proxy {
    /// Passes everything on, as the user of this kubeconfig.
    pub fn before(kubeconfig: &Path) -> Proxy {
        let (rules, orders) = watch::channel(Rules::new());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client = {
            let _entered = runtime.enter();
            runtime.block_on(crate::control_plane::api::client(kubeconfig))
        };
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let begun = Arc::new(AtomicUsize::new(0));
        let shared = Shared { client, orders, begun: begun.clone() };
        std::thread::spawn(move || runtime.block_on(serve(listener, shared)));
        Proxy { address, rules, begun }
    }

    /// Keeps back what the watches of a resource bring.
    pub fn hold(&self, resource: &str) {
        self.order(resource, |orders| orders.is_held = true);
    }

    /// Lets go what was kept back.
    pub fn release(&self, resource: &str) {
        self.order(resource, |orders| orders.is_held = false);
    }

    /// Breaks the connections of the watches of a resource; what was kept back is lost.
    pub fn cut(&self, resource: &str) {
        self.order(resource, |orders| {
            orders.is_held = false;
            orders.cuts += 1;
        });
    }

    /// Tells the watches of a resource that their version is too old: what was kept back is lost, and a new list due.
    pub fn expire(&self, resource: &str) {
        self.order(resource, |orders| {
            orders.is_held = false;
            orders.expiries += 1;
        });
    }

    /// How many watches were begun until now.
    pub fn begun(&self) -> usize {
        self.begun.load(Ordering::SeqCst)
    }

    fn order(&self, resource: &str, change: impl FnOnce(&mut Orders)) {
        self.rules.send_modify(|rules| change(rules.entry(resource.to_owned()).or_default()));
    }
}

#[derive(Clone)]
struct Shared {
    client: Client,
    orders: watch::Receiver<Rules>,
    begun: Arc<AtomicUsize>,
}

async fn serve(listener: TcpListener, shared: Shared) {
    while let Ok((tcp, _)) = listener.accept().await {
        let shared = shared.clone();
        tokio::spawn(async move {
            let answer = service_fn(|request| pass_on(request, shared.clone()));
            // A client that goes away is its own affair.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(tcp), answer).await;
        });
    }
}

async fn pass_on(request: Request<Incoming>, shared: Shared) -> Result<Response<Answer>, Infallible> {
    let (mut head, body) = request.into_parts();
    let resource = watched(&head);
    // Connections are between two parties each; and lines are read here.
    for name in [HOST, CONNECTION, TRANSFER_ENCODING, CONTENT_LENGTH] {
        head.headers.remove(name);
    }
    head.headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    if resource.is_some() {
        head.headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    }
    let body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    let answer = match shared.client.send(Request::from_parts(head, Body::from(body.to_vec()))).await {
        Ok(answer) => answer,
        Err(error) => {
            let text = http_body_util::Full::from(error.to_string());
            return Ok(Response::builder().status(502).body(boxed(text)).unwrap());
        }
    };
    let (mut head, body) = answer.into_parts();
    for name in [CONNECTION, TRANSFER_ENCODING] {
        head.headers.remove(name);
    }
    let body = match resource.filter(|_| head.status.is_success()) {
        Some(resource) => {
            shared.begun.fetch_add(1, Ordering::SeqCst);
            boxed(StreamBody::new(Watch::new(resource, body, shared.orders).lines()))
        }
        None => boxed(body),
    };
    Ok(Response::from_parts(head, body))
}

fn boxed<B>(body: B) -> Answer
where
    B: hyper::body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    body.map_err(Into::into).boxed_unsync()
}

/// The resource that a request watches whole objects of.
fn watched(head: &http::request::Parts) -> Option<String> {
    let is_watch =
        head.uri.query().unwrap_or_default().split('&').any(|pair| matches!(pair, "watch=true" | "watch=1"));
    let accept = head.headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_whole = !accept.contains(";as=");
    (is_watch && is_whole).then(|| head.uri.path().rsplit('/').next().unwrap_or_default().to_owned())
}

/// One watch under way.
struct Watch {
    resource: String,
    body: Body,
    rules: watch::Receiver<Rules>,
    /// The orders of its beginning.
    first: Orders,
    /// What came of a line whose end has not.
    rest: BytesMut,
}

/// What a watch does next.
enum Next {
    Lines(Bytes),
    Cut,
    Expire,
    End,
}

impl Watch {
    fn new(resource: String, body: Body, rules: watch::Receiver<Rules>) -> Watch {
        let first = Watch::orders(&rules, &resource);
        Watch { resource, body, rules, first, rest: BytesMut::new() }
    }

    fn orders(rules: &watch::Receiver<Rules>, resource: &str) -> Orders {
        rules.borrow().get(resource).copied().unwrap_or_default()
    }

    fn lines(self) -> impl Stream<Item = Result<Frame<Bytes>, std::io::Error>> {
        stream::unfold(Some(self), |watch| async {
            let mut watch = watch?;
            match watch.next().await {
                Next::Lines(lines) => Some((Ok(Frame::data(lines)), Some(watch))),
                Next::Cut => Some((Err(std::io::Error::other("cut by the test")), None)),
                Next::Expire => Some((Ok(Frame::data(expired())), None)),
                Next::End => None,
            }
        })
    }

    /// Waits for whole lines that may go on, or for an order that ends the watch.
    async fn next(&mut self) -> Next {
        loop {
            let orders = Watch::orders(&self.rules, &self.resource);
            if orders.cuts > self.first.cuts {
                return Next::Cut;
            }
            if orders.expiries > self.first.expiries {
                return Next::Expire;
            }
            tokio::select! {
                changed = self.rules.changed() => if changed.is_err() {
                    return Next::Cut;
                },
                frame = self.body.frame(), if !orders.is_held => {
                    let Some(Ok(frame)) = frame else { return Next::End };
                    self.rest.extend_from_slice(frame.data_ref().map_or(&[], |data| data));
                    if let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') {
                        return Next::Lines(self.rest.split_to(end + 1).freeze());
                    }
                }
            }
        }
    }
}

/// What the API server says of a version that it no longer has.
fn expired() -> Bytes {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": "too old resource version: 1 (2)", "reason": "Expired", "code": 410,
    });
    format!("{}\n", json!({"type": "ERROR", "object": status})).into()
}
