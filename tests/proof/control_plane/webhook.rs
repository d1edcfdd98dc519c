//! A server of admission webhooks, which changes, refuses and delays what the controller asks for.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rcgen::CertifiedKey;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::control_plane::api::Request;
use crate::control_plane::stage::{Stage, wait};

/// How long a slow webhook takes.
pub const SLOW: Duration = Duration::from_secs(4);

/// The user as which the controller asks.
const CONTROLLER: &str = "system:kube-controller-manager";

/// What a webhook does to the creates or deletes of pods by the controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    Deny,
    StripOwner,
    ChangeLabels,
    /// Admits after a while.
    Slow,
    /// Answers only after the API server has given up.
    TimeOut,
    /// Nobody listens at its address.
    Unreachable,
}

/// Puts a webhook before the creates or deletes (`operation`) of pods with label app=APP, by the controller; returns
/// once the API server asks it.
pub fn install(stage: &Stage, app: &str, operation: &str, deed: Deed) {
    let server = server();
    let port = if deed == Deed::Unreachable { 1 } else { server.address.port() };
    let body = json!({
        "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": name(stage, app)},
        "webhooks": [{
            "name": "pods.rsexp.example",
            "clientConfig": {
                "url": format!("https://127.0.0.1:{port}/{deed:?}/{operation}"),
                "caBundle": STANDARD.encode(&server.certificate),
            },
            "rules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE", "DELETE"]}],
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": stage.namespace}},
            "objectSelector": {"matchLabels": {"app": app}},
            "admissionReviewVersions": ["v1"], "sideEffects": "None", "failurePolicy": "Fail",
            "timeoutSeconds": if deed == Deed::TimeOut { 1 } else { 10 },
        }],
    });
    stage.change("POST", CONFIGURATIONS, body);
    wait(&format!("the webhook of {app} is asked"), || is_asked(stage, app));
}

/// Takes it away; returns once the API server asks it no more.
pub fn remove(stage: &Stage, app: &str) {
    stage.change("DELETE", &format!("{CONFIGURATIONS}/{}", name(stage, app)), None);
    wait(&format!("the webhook of {app} is asked no more"), || !is_asked(stage, app));
}

const CONFIGURATIONS: &str = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

fn name(stage: &Stage, app: &str) -> String {
    format!("{}-{app}", stage.namespace)
}

/// Whether a create that is only tried reaches the webhook.
fn is_asked(stage: &Stage, app: &str) -> bool {
    let probe = format!("{}-probe-{app}", stage.namespace);
    let path = format!("/api/v1/namespaces/{}/pods?dryRun=All", stage.namespace);
    let answer =
        stage.api.attempt(&Request::new("POST", path, crate::control_plane::stage::pod(&probe, app, None)));
    let unreachable = answer.is_err_and(|status| status.to_string().contains("failed calling webhook"));
    server().probes.lock().unwrap().remove(&probe) || unreachable
}

/// One server for all, as long as the tests run.
struct Server {
    address: SocketAddr,
    certificate: String,
    /// The pods of the tried creates that came.
    probes: Mutex<BTreeSet<String>>,
}

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).unwrap();
        let config = ServerConfig::builder().with_no_client_auth();
        let config = config.with_single_cert(vec![cert.der().clone()], key).unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(serve(listener, TlsAcceptor::from(Arc::new(config))));
        });
        Server { address, certificate: cert.pem(), probes: Mutex::default() }
    })
}

async fn serve(listener: std::net::TcpListener, acceptor: TlsAcceptor) {
    let listener = TcpListener::from_std(listener).unwrap();
    loop {
        let Ok((connection, _)) = listener.accept().await else { continue };
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            if let Ok(connection) = acceptor.accept(connection).await {
                let service = service_fn(|request| async { Ok::<_, Infallible>(answer(request).await) });
                // A caller that gives up is none of our business.
                let _ = http1::Builder::new().serve_connection(TokioIo::new(connection), service).await;
            }
        });
    }
}

async fn answer(request: http::Request<Incoming>) -> http::Response<Full<Bytes>> {
    let path = request.uri().path().to_owned();
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let review: Value = serde_json::from_slice(&body).unwrap();
    let response = respond(&path, &review["request"]).await;
    let review =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response});
    let body = Full::new(Bytes::from(review.to_string()));
    http::Response::builder().header("content-type", "application/json").body(body).unwrap()
}

async fn respond(path: &str, request: &Value) -> Value {
    let uid = &request["uid"];
    let admitted = json!({"uid": uid, "allowed": true});
    let patched = |patch: Value| {
        let patch = STANDARD.encode(json!([patch]).to_string());
        json!({"uid": uid, "allowed": true, "patchType": "JSONPatch", "patch": patch})
    };
    if request["dryRun"] == true {
        let probe = request["name"].as_str().unwrap_or_default().to_owned();
        server().probes.lock().unwrap().insert(probe);
        return admitted;
    }
    let (deed, operation) = path.trim_start_matches('/').split_once('/').unwrap();
    if request["userInfo"]["username"] != CONTROLLER || request["operation"] != operation {
        return admitted;
    }
    match deed {
        "Deny" => json!({"uid": uid, "allowed": false, "status": {"message": "not on Fridays"}}),
        "StripOwner" => patched(json!({"op": "remove", "path": "/metadata/ownerReferences"})),
        "ChangeLabels" => {
            patched(json!({"op": "replace", "path": "/metadata/labels/app", "value": "changed"}))
        }
        "Slow" | "TimeOut" => {
            tokio::time::sleep(SLOW).await;
            admitted
        }
        other => panic!("no such deed: {other}"),
    }
}
