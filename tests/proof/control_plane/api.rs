//! Requests to the API server of a control plane, for tests that play its users, scheduler and kubelet.

use std::cell::RefCell;
use std::path::Path;

use futures::StreamExt;
use kube::Client;
use kube::config::{Config, KubeConfigOptions, Kubeconfig};
use serde_json::Value;
use tokio::runtime::Runtime;

/// How many requests of one call are under way at a time.
const PARALLEL: usize = 16;

/// A request that changes something, or a GET.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: &'static str,
    pub path: String,
    pub body: Option<Value>,
}

impl Request {
    pub fn new(method: &'static str, path: impl Into<String>, body: impl Into<Option<Value>>) -> Request {
        Request { method, path: path.into(), body: body.into() }
    }

    fn to_http(&self) -> http::Request<Vec<u8>> {
        let content = match self.method {
            "PATCH" => "application/merge-patch+json",
            _ => "application/json",
        };
        let body = self.body.as_ref().map_or_else(Vec::new, |body| serde_json::to_vec(body).unwrap());
        let request = http::Request::builder().method(self.method).uri(&self.path);
        request.header("content-type", content).body(body).unwrap()
    }
}

/// A client with its own connection and runtime: one a thread.
pub struct Api {
    runtime: Runtime,
    client: RefCell<Client>,
}

impl Api {
    pub fn connect(kubeconfig: &Path) -> Api {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let client = runtime.block_on(client(kubeconfig));
        Api { runtime, client: RefCell::new(client) }
    }

    /// What the server says to each; an error as its status.
    pub fn all(&self, requests: &[Request]) -> Vec<Result<Value, Value>> {
        let client = self.client.borrow().clone();
        self.runtime.block_on(async {
            futures::stream::iter(requests.iter().map(|request| one(client.clone(), request)))
                .buffered(PARALLEL)
                .collect()
                .await
        })
    }

    /// What the server says; an error as its status.
    pub fn attempt(&self, request: &Request) -> Result<Value, Value> {
        self.all(std::slice::from_ref(request)).remove(0)
    }

    /// The object at a path, None if there is none.
    pub fn find(&self, path: &str) -> Option<Value> {
        match self.attempt(&Request::new("GET", path, None)) {
            Ok(object) => Some(object),
            Err(status) if status["code"] == 404 => None,
            Err(status) => panic!("GET {path}: {status}"),
        }
    }

    /// The items of a list.
    pub fn list(&self, path: &str) -> Vec<Value> {
        let list = self.attempt(&Request::new("GET", path, None));
        let list = list.unwrap_or_else(|status| panic!("GET {path}: {status}"));
        list["items"].as_array().cloned().unwrap_or_default()
    }
}

/// A client of the user of this kubeconfig.
pub async fn client(kubeconfig: &Path) -> Client {
    let kubeconfig = Kubeconfig::read_from(kubeconfig).unwrap();
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    Client::try_from(config.unwrap()).unwrap()
}

async fn one(client: Client, request: &Request) -> Result<Value, Value> {
    match client.request(request.to_http()).await {
        Ok(object) => Ok(object),
        Err(kube::Error::Api(status)) => Err(serde_json::to_value(status).unwrap()),
        Err(error) => panic!("{request:?}: {error}"),
    }
}
