//! One connection to an API server.

use std::io::Write;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::stream::BoxStream;
use http::{HeaderMap, HeaderValue, Request, Uri, header};
use kube::client::Body;

use super::body::{self, Deadline};
use super::config::{self, Resolved};
use super::environment::Environment;
use super::errors::{self, Route};
use super::retry::{self, Pace};
use super::status::{self, Content};
use super::trouble::{Trouble, shown};
use super::{Flags, exec, proxy};

/// From this on every request is a line on standard error, as with kubectl.
const VERBOSE: u8 = 6;

/// Which encoding of the answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    /// Protobuf, JSON as the second choice. For built-in resources.
    Protobuf,
    /// JSON.
    Json,
}

impl Accept {
    fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Accept::Protobuf => "application/vnd.kubernetes.protobuf, application/json;q=0.5",
            Accept::Json => "application/json",
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
    pub body: BoxStream<'static, Result<Bytes, Trouble>>,
}

/// A connection.
#[derive(Clone)]
pub struct Client {
    inner: kube::Client,
    namespace: String,
    /// The server's address, for errors and `-v`.
    server: String,
    route: Route,
    timeout: Option<Duration>,
    verbose: bool,
}

impl Client {
    /// Connects as kubectl would with these flags. Nothing is asked of the server yet.
    pub async fn connect(flags: &Flags) -> Result<Client, Trouble> {
        Client::connect_in(flags, Environment::of_process()).await
    }

    /// Connects as in a given environment.
    pub async fn connect_in(flags: &Flags, environment: Environment) -> Result<Client, Trouble> {
        let mut resolved = config::resolve(flags, &environment)?;
        if resolved.config.auth_info.exec.is_some() {
            resolved = log_in(resolved, environment).await?;
        }
        let config = resolved.config;
        let address = &config.cluster_url;
        Ok(Client {
            namespace: config.default_namespace.clone(),
            server: base(address),
            route: Route {
                server: authority(address),
                address: proxy::address(address),
                proxy: config.proxy_url.as_ref().map(proxy::address),
            },
            timeout: flags.request_timeout.filter(|timeout| !timeout.is_zero()),
            verbose: flags.verbosity >= VERBOSE,
            inner: kube::Client::try_from(config).map_err(|error| unusable(&error))?,
        })
    }

    /// The namespace of the context, or of the service account in a cluster.
    pub fn default_namespace(&self) -> &str {
        &self.namespace
    }

    /// GETs a path with its query, for instance `/api/v1/namespaces/shop/pods?limit=500`. Retries
    /// what is worth it; a status other than 2xx is trouble. With `&watch=true` the body is the
    /// stream of events, without compression and without a total timeout.
    pub async fn get(&self, path: &str, accept: Accept) -> Result<Response, Trouble> {
        let deadline = Deadline::after(self.timeout);
        let mut pace = Pace::new(self.timeout);
        loop {
            let attempt = deadline.limit(self.attempt(path, accept)).await;
            let answer = attempt.unwrap_or_else(|| Err(errors::no_answer_in_time()))?;
            if answer.status().is_success() {
                return self.opened(path, answer, deadline);
            }
            let wait = pace.next(answer.status(), retry::after(answer.headers()));
            match wait.filter(|wait| deadline.allows(*wait)) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(self.refused(answer, deadline).await),
            }
        }
    }

    /// Asks once.
    async fn attempt(&self, path: &str, accept: Accept) -> Result<http::Response<Body>, Trouble> {
        let begun = Instant::now();
        let sent = self.inner.send(request(path, accept)?).await;
        let answer = sent.map_err(|error| errors::transport(&error, &self.route));
        if self.verbose {
            self.log(path, &answer, begun.elapsed());
        }
        answer
    }

    /// A line about a request, as kubectl's -v=6 has it.
    fn log(&self, path: &str, answer: &Result<http::Response<Body>, Trouble>, took: Duration) {
        let what = match answer {
            Ok(answer) => answer.status().to_string(),
            Err(trouble) => format!("failed ({:?})", trouble.kind),
        };
        let line =
            format!("GET {}{} {what} in {} milliseconds\n", self.server, shown(path), took.as_millis());
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }

    fn opened(
        &self,
        path: &str,
        answer: http::Response<Body>,
        deadline: Deadline,
    ) -> Result<Response, Trouble> {
        let (head, body) = answer.into_parts();
        let content = status::content(&head.headers);
        if content == Content::Other {
            return Err(status::not_kubernetes(&self.server, head.status, &head.headers));
        }
        let deadline = if is_watch(path) { Deadline::never() } else { deadline };
        Ok(Response {
            protobuf: content == Content::Protobuf,
            date: date(&head.headers),
            body: body::stream(body, deadline),
        })
    }

    async fn refused(&self, answer: http::Response<Body>, deadline: Deadline) -> Trouble {
        let (head, body) = answer.into_parts();
        let body = body::beginning(body, deadline).await;
        status::trouble(&self.server, head.status, &head.headers, &body)
    }
}

/// Runs the credential plugin, off the thread that everything else runs on.
async fn log_in(mut resolved: Resolved, environment: Environment) -> Result<Resolved, Trouble> {
    let work = tokio::task::spawn_blocking(move || {
        let Resolved { config, cluster } = &mut resolved;
        exec::credentials(&mut config.auth_info, cluster, &environment, std::io::stderr())?;
        Ok(resolved)
    });
    work.await.unwrap_or_else(|_| Err(Trouble::config("the credential plugin was given up")))
}

fn request(path: &str, accept: Accept) -> Result<Request<Body>, Trouble> {
    let mut request = Request::get(path)
        .body(Body::empty())
        .map_err(|_| Trouble::config(format!("not a path of an API: {}", shown(path))))?;
    request.headers_mut().insert(header::ACCEPT, accept.header());
    if is_watch(path) {
        let identity = HeaderValue::from_static("identity");
        request.headers_mut().insert(header::ACCEPT_ENCODING, identity);
    }
    Ok(request)
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

/// kube cannot connect with what is configured. Its text may hold what a plugin has printed.
fn unusable(error: &kube::Error) -> Trouble {
    let text = match error {
        kube::Error::Auth(_) => "the user's credentials are unusable".into(),
        other => shown(&other.to_string()),
    };
    Trouble::config(text)
}
