//! One connection to an API server.

use std::future::Future;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::stream::BoxStream;
use http::{HeaderMap, HeaderValue, Request, StatusCode, Uri, header};
use kube::client::Body;

use crate::source::cluster::Flags;
use crate::source::cluster::auth::login::Login;
use crate::source::cluster::connect::config;
use crate::source::cluster::connect::environment::Environment;
use crate::source::cluster::connect::proxy;
use crate::source::cluster::error::ClusterError;
use crate::source::cluster::request::body::{self, Deadline};
use crate::source::cluster::request::retry::{self, Pace};
use crate::source::cluster::request::status::{self, Content, NotKubernetes};
use crate::source::cluster::request::transport::{Route, TransportError};
use crate::source::cluster::text::shown;

/// From this on every request is a line on standard error, as with kubectl.
const VERBOSE: u8 = 6;

/// Which encoding of the answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// Protobuf, JSON as the second choice. For built-in resources.
    Protobuf,
    /// JSON.
    Json,
    /// The metadata of the objects of a list, in protobuf.
    Metadata,
}

impl Accept {
    fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Accept::Protobuf => "application/vnd.kubernetes.protobuf, application/json;q=0.5",
            Accept::Json => "application/json",
            Accept::Metadata => {
                "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
            }
        })
    }
}

/// A successful answer; its body arrives piece by piece.
pub struct Response {
    /// Whether the body is protobuf; JSON otherwise.
    pub protobuf: bool,
    /// The server's `Date`, to estimate the skew of the clocks.
    pub date: Option<jiff::Timestamp>,
    /// The body.
    pub body: BoxStream<'static, Result<Bytes, ClusterError>>,
}

/// A connection.
#[derive(Clone)]
pub struct Client {
    login: Arc<Login>,
    namespace: String,
    /// The server's address, for errors and `-v`.
    server: String,
    route: Route,
    timeout: Option<Duration>,
    verbose: bool,
}

impl Client {
    /// Connects as kubectl would with these flags. Nothing is asked of the server yet.
    pub async fn connect(flags: &Flags) -> Result<Client, ClusterError> {
        Client::connect_in(flags, Environment::of_process()).await
    }

    /// Connects as in a given environment.
    pub async fn connect_in(flags: &Flags, environment: Environment) -> Result<Client, ClusterError> {
        let resolved = config::resolve(flags, &environment)?;
        let address = &resolved.config.cluster_url;
        Ok(Client {
            namespace: resolved.config.default_namespace.clone(),
            server: base(address),
            route: Route {
                server: authority(address),
                address: proxy::address(address),
                proxy: resolved.config.proxy_url.as_ref().map(proxy::address),
            },
            timeout: flags.request_timeout.filter(|timeout| !timeout.is_zero()),
            verbose: flags.verbosity >= VERBOSE,
            login: Arc::new(Login::new(resolved, environment).await?),
        })
    }

    /// The namespace of the context, or of the service account in a cluster.
    pub fn default_namespace(&self) -> &str {
        &self.namespace
    }

    /// GETs a path with its query, for instance `/api/v1/namespaces/shop/pods?limit=500`. Retries
    /// what is worth it; a status other than 2xx is an error. With `&watch=true` the body is the
    /// stream of events, without compression and without a total timeout.
    pub async fn get(&self, path: &str, accept: Accept) -> Result<Response, ClusterError> {
        let deadline = Deadline::after(self.timeout);
        let mut pace = Pace::new(self.timeout);
        loop {
            let answer = self.attempt(path, accept, deadline).await?;
            if answer.status().is_success() {
                return self.opened(path, answer, deadline);
            }
            let wait = pace.next(answer.status(), retry::after(answer.headers()));
            match wait.filter(|wait| deadline.allows(*wait)) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(self.refused(path, answer, deadline).await),
            }
        }
    }

    /// Asks once.
    async fn attempt(
        &self,
        path: &str,
        accept: Accept,
        deadline: Deadline,
    ) -> Result<http::Response<Body>, ClusterError> {
        let request = request(path, accept)?;
        let client = self.login.client().await?;
        let begun = Instant::now();
        let answer = match deadline.limit(client.send(request)).await {
            Some(sent) => sent.map_err(|error| TransportError::of(error, &self.route).into()),
            None => Err(TransportError::NoAnswerInTime.into()),
        };
        if self.verbose {
            let outcome = answer.as_ref().map(http::Response::status);
            let line = line(&self.server, path, outcome, begun.elapsed());
            let _ = std::io::stderr().lock().write_all(line.as_bytes());
        }
        answer
    }

    fn opened(
        &self,
        path: &str,
        answer: http::Response<Body>,
        deadline: Deadline,
    ) -> Result<Response, ClusterError> {
        let (head, body) = answer.into_parts();
        let content = status::content(&head.headers);
        if content == Content::Other {
            return Err(NotKubernetes::new(&self.server, head.status, &head.headers).into());
        }
        let deadline = if is_watch(path) { Deadline::never() } else { deadline };
        Ok(Response {
            protobuf: content == Content::Protobuf,
            date: date(&head.headers),
            body: body::stream(body, deadline),
        })
    }

    async fn refused(&self, path: &str, answer: http::Response<Body>, deadline: Deadline) -> ClusterError {
        let (head, body) = answer.into_parts();
        let body = body::beginning(body, deadline).await;
        status::error(&self.server, path, head.status, &head.headers, &body)
    }
}

/// What reading needs of a connection, so that tests can stand in for one.
pub trait Get {
    /// GETs a path with its query, as [`Client::get`] does.
    fn get(&self, path: &str, accept: Accept) -> impl Future<Output = Result<Response, ClusterError>>;
}

impl Get for Client {
    async fn get(&self, path: &str, accept: Accept) -> Result<Response, ClusterError> {
        Client::get(self, path, accept).await
    }
}

fn request(path: &str, accept: Accept) -> Result<Request<Body>, ClusterError> {
    let mut request = Request::get(path).body(Body::empty()).map_err(|_| ClusterError::Path(shown(path)))?;
    request.headers_mut().insert(header::ACCEPT, accept.header());
    if is_watch(path) {
        let identity = HeaderValue::from_static("identity");
        request.headers_mut().insert(header::ACCEPT_ENCODING, identity);
    }
    Ok(request)
}

/// A line about a request, as kubectl has it under -v=6. No header is in it.
fn line(server: &str, path: &str, outcome: Result<StatusCode, &ClusterError>, took: Duration) -> String {
    let outcome = match outcome {
        Ok(status) => status.to_string(),
        Err(error) => format!("failed ({:?})", error.kind()),
    };
    format!("GET {server}{} {outcome} in {} milliseconds\n", shown(path), took.as_millis())
}

fn is_watch(path: &str) -> bool {
    let query = path.split_once('?').map(|(_, query)| query).unwrap_or_default();
    query.split('&').any(|pair| matches!(pair, "watch=true" | "watch=1"))
}

fn date(headers: &HeaderMap) -> Option<jiff::Timestamp> {
    let text = headers.get(header::DATE)?.to_str().ok()?;
    jiff::fmt::rfc2822::parse(text).ok().map(|time| time.timestamp())
}

/// The address without what may be secret, and without a slash at the end.
fn base(address: &Uri) -> String {
    let scheme = address.scheme_str().unwrap_or("https");
    format!("{scheme}://{}{}", authority(address), address.path().trim_end_matches('/'))
}

/// Host and port as they are given.
fn authority(address: &Uri) -> String {
    let host = address.host().unwrap_or_default();
    address.port_u16().map_or_else(|| host.into(), |port| format!("{host}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_one_line_without_secrets() {
        let address = Uri::from_static("https://u:hunter2@k8s.example:6443/prefix/");
        let took = Duration::from_millis(12);
        let said = line(&base(&address), "/api/v1/pods?limit=5", Ok(StatusCode::OK), took);
        assert_eq!(
            said,
            "GET https://k8s.example:6443/prefix/api/v1/pods?limit=5 200 OK in 12 milliseconds\n"
        );
        let error = TransportError::NoAnswerInTime.into();
        let said = line("https://x", "/a\nb", Err(&error), took);
        assert_eq!(said, "GET https://x/a\\nb failed (Timeout) in 12 milliseconds\n");
    }

    #[test]
    fn a_watch_is_told_from_a_list() {
        assert!(is_watch("/api/v1/pods?limit=1&watch=true") && is_watch("/x?watch=1"));
        assert!(
            !is_watch("/api/v1/pods")
                && !is_watch("/x?labelSelector=watch%3Dtrue")
                && !is_watch("/watch=true")
        );
    }
}
