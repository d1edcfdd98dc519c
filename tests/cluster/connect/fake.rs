//! A fake API server: answers by a script, and remembers what it saw.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures::stream::{self, StreamExt};
use http::{HeaderMap, Request, Response};
use http_body_util::StreamBody;
use hyper::body::{Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    pub path: String,
    pub headers: HeaderMap,
    /// The server name of TLS.
    pub sni: Option<String>,
    /// Whether a client certificate was shown.
    pub certificate: bool,
}

impl Seen {
    /// All values of a header.
    pub fn header(&self, name: &str) -> Vec<&str> {
        self.headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect()
    }
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    /// The body in pieces, each after a wait.
    pub pieces: Vec<(Duration, Bytes)>,
    /// Whether the connection is cut after them.
    pub cut: bool,
    /// How long the answer takes to begin.
    pub delay: Duration,
}

impl Reply {
    pub fn new(status: u16, content_type: &str, body: impl Into<Bytes>) -> Reply {
        Reply {
            status,
            headers: vec![("content-type", content_type.into())],
            pieces: vec![(Duration::ZERO, body.into())],
            cut: false,
            delay: Duration::ZERO,
        }
    }

    pub fn json(status: u16, body: &str) -> Reply {
        Reply::new(status, "application/json", body.to_owned())
    }

    /// An empty list.
    pub fn list() -> Reply {
        Reply::json(
            200,
            r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}"#,
        )
    }

    /// A Status as the API server writes it.
    pub fn status(code: u16, reason: &str, message: &str) -> Reply {
        let body = serde_json::json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": message, "reason": reason, "code": code,
        });
        Reply::json(code, &body.to_string())
    }

    pub fn with(mut self, name: &'static str, value: &str) -> Reply {
        self.headers.push((name, value.into()));
        self
    }
}

type Script = Arc<dyn Fn(usize) -> Reply + Send + Sync>;

/// A running server; it ends with the test's runtime.
pub struct Fake {
    pub address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Fake {
    /// Serves in the clear; the script gets the number of the request, from 0.
    pub async fn plain(script: impl Fn(usize) -> Reply + Send + Sync + 'static) -> Fake {
        Fake::start(None, Arc::new(script)).await
    }

    /// Serves with TLS.
    pub async fn tls(acceptor: TlsAcceptor, script: impl Fn(usize) -> Reply + Send + Sync + 'static) -> Fake {
        Fake::start(Some(acceptor), Arc::new(script)).await
    }

    async fn start(acceptor: Option<TlsAcceptor>, script: Script) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let kept = seen.clone();
        tokio::spawn(async move {
            loop {
                let (tcp, _) = listener.accept().await.unwrap();
                let (acceptor, script, seen) = (acceptor.clone(), script.clone(), seen.clone());
                tokio::spawn(async move {
                    match acceptor {
                        None => serve(tcp, None, false, script, seen).await,
                        Some(acceptor) => {
                            let Ok(tls) = acceptor.accept(tcp).await else { return };
                            let session = tls.get_ref().1;
                            let sni = session.server_name().map(str::to_owned);
                            let certificate = session.peer_certificates().is_some();
                            serve(tls, sni, certificate, script, seen).await;
                        }
                    }
                });
            }
        });
        Fake { address, seen: kept }
    }

    /// The address as a server of a kubeconfig.
    pub fn http(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The same with TLS.
    pub fn https(&self) -> String {
        format!("https://{}", self.address)
    }

    /// The requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The only request so far.
    pub fn only(&self) -> Seen {
        let seen = self.seen();
        assert_eq!(seen.len(), 1, "{seen:?}");
        seen[0].clone()
    }
}

async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    sni: Option<String>,
    certificate: bool,
    script: Script,
    seen: Arc<Mutex<Vec<Seen>>>,
) {
    let service = service_fn(move |request: Request<Incoming>| {
        let (sni, script, seen) = (sni.clone(), script.clone(), seen.clone());
        async move {
            assert_eq!(request.method(), "GET", "read-only");
            let path = request.uri().path_and_query().unwrap().to_string();
            let number = {
                let mut seen = seen.lock().unwrap();
                seen.push(Seen { path, headers: request.headers().clone(), sni, certificate });
                seen.len() - 1
            };
            let reply = script(number);
            tokio::time::sleep(reply.delay).await;
            Ok::<_, Infallible>(response(reply))
        }
    });
    // A cut answer is an error here; that is what is wanted.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
}

type Piece = Result<Frame<Bytes>, std::io::Error>;

fn response(reply: Reply) -> Response<StreamBody<stream::BoxStream<'static, Piece>>> {
    let pieces = stream::iter(reply.pieces).then(|(wait, piece)| async move {
        tokio::time::sleep(wait).await;
        Ok(Frame::data(piece))
    });
    let end: Vec<Piece> = if reply.cut { vec![Err(std::io::Error::other("cut"))] } else { Vec::new() };
    let mut response = Response::builder().status(reply.status);
    for (name, value) in reply.headers {
        response = response.header(name, value);
    }
    response.body(StreamBody::new(pieces.chain(stream::iter(end)).boxed())).unwrap()
}
