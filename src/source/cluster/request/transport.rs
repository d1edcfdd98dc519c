//! Why no answer came, in kubectl's words: refused, not resolved, TLS, proxies, timeouts.

use std::error::Error;
use std::io;

use kube::client::AuthError;
use rustls::pki_types::ServerName;
use rustls::{CertificateError, InvalidMessage};

use crate::source::cluster::error::ErrorKind;
use crate::source::cluster::text::shown;
use crate::source::cluster::text::{name, os_error};

/// Where requests go, as errors name it; without a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Host and port of the server, as they are configured.
    pub server: String,
    /// The same with the port, even if it is the default.
    pub address: String,
    /// Host and port of the proxy, if one is used.
    pub proxy: Option<String>,
}

/// What an error comes from.
type Cause = Box<dyn Error + Send + Sync>;

/// Why no answer came, or no whole one.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// Nobody listens there.
    #[error("The connection to the server {server} was refused - did you specify the right host or port?")]
    Refused { server: String, source: Cause },
    /// No connection, or it broke.
    #[error("Unable to connect to the server: {why}")]
    Unreachable { why: String, source: Cause },
    /// The system gave the connection up.
    #[error("Unable to connect to the server: {why}")]
    TimedOut { why: String, source: Cause },
    /// `--request-timeout` ran out before the answer began.
    #[error(
        "Unable to connect to the server: context deadline exceeded (Client.Timeout exceeded while awaiting \
         headers)"
    )]
    NoAnswerInTime,
    /// `--request-timeout` ran out before the answer ended.
    #[error(
        "Unable to connect to the server: context deadline exceeded (Client.Timeout or context cancellation while \
         reading body)"
    )]
    NoEndInTime,
    /// The answer broke off.
    #[error("Unable to connect to the server: reading the answer: {why}")]
    Broken { why: String, source: kube::Error },
    /// Credentials could not be renewed. kube's error may hold a part of them, so it is no source.
    #[error("Unable to connect to the server: getting credentials: {why}")]
    Credentials { why: String },
}

impl TransportError {
    /// What lies behind an error of the client.
    pub fn of(error: kube::Error, route: &Route) -> TransportError {
        match reason(&causes(&error), route) {
            Reason::Refused => TransportError::Refused { server: route.server.clone(), source: error.into() },
            Reason::TimedOut(why) => TransportError::TimedOut { why, source: error.into() },
            Reason::Unreachable(why) => TransportError::Unreachable { why, source: error.into() },
            Reason::Credentials(why) => TransportError::Credentials { why },
        }
    }

    /// The answer broke off.
    pub fn broken(error: kube::Error) -> TransportError {
        let deepest = deepest(&causes(&error));
        let early = ["end of file", "before message completed", "unexpected EOF", "incomplete"];
        let is_early = early.iter().any(|text| deepest.contains(text));
        let why = if is_early { "unexpected EOF".into() } else { shown(&deepest) };
        TransportError::Broken { why, source: error }
    }

    /// What to do about it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            TransportError::Refused { .. }
            | TransportError::Unreachable { .. }
            | TransportError::Broken { .. } => ErrorKind::Connection,
            TransportError::TimedOut { .. }
            | TransportError::NoAnswerInTime
            | TransportError::NoEndInTime => ErrorKind::Timeout,
            TransportError::Credentials { .. } => ErrorKind::Config,
        }
    }
}

/// What went wrong, in Go's words where it has words.
enum Reason {
    Refused,
    TimedOut(String),
    Unreachable(String),
    Credentials(String),
}

fn deepest(chain: &[&(dyn Error + 'static)]) -> String {
    chain.last().map(|error| error.to_string()).unwrap_or_default()
}

/// An error and everything that it comes from. An I/O error hides what it wraps from `source`.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> Vec<&'a (dyn Error + 'static)> {
    let mut chain = vec![error];
    let mut current = error;
    loop {
        let wrapped = current.downcast_ref::<io::Error>().and_then(|error| error.get_ref());
        let next: Option<&'a (dyn Error + 'static)> = match wrapped {
            Some(wrapped) => Some(wrapped),
            None => current.source(),
        };
        match next {
            Some(next) if chain.len() < 20 => {
                chain.push(next);
                current = next;
            }
            _ => return chain,
        }
    }
}

fn reason(chain: &[&(dyn Error + 'static)], route: &Route) -> Reason {
    if let Some(error) = chain.iter().find_map(|error| error.downcast_ref::<rustls::Error>()) {
        return Reason::Unreachable(tls(error));
    }
    if let Some(error) = chain.iter().find_map(|error| error.downcast_ref::<AuthError>()) {
        return Reason::Credentials(credentials(error));
    }
    let io = chain.iter().filter_map(|error| error.downcast_ref::<io::Error>()).next_back();
    let tunnel =
        chain.iter().find_map(|error| Some(error.to_string().strip_prefix("tunnel error: ")?.to_owned()));
    if let (Some(why), None, Some(proxy)) = (tunnel, io, &route.proxy) {
        return Reason::Unreachable(format!("proxy {proxy}: {why}"));
    }
    io.and_then(|error| dial(error, route)).unwrap_or_else(|| Reason::Unreachable(shown(&deepest(chain))))
}

fn credentials(error: &AuthError) -> String {
    match error {
        AuthError::ReadTokenFile(error, path) => format!("open {}: {}", name(path), os_error(error)),
        AuthError::Oidc(_) => "the oidc token could not be renewed".into(),
        _ => "the user's credentials are unusable".into(),
    }
}

/// What went wrong before there was a connection, or when it ended.
fn dial(error: &io::Error, route: &Route) -> Option<Reason> {
    let dialled = route.proxy.as_ref().unwrap_or(&route.address);
    let via = if route.proxy.is_some() { "proxyconnect tcp: dial tcp" } else { "dial tcp" };
    if let Some(why) = error.to_string().strip_prefix("failed to lookup address information: ") {
        let host = dialled.rsplit_once(':').map_or(dialled.as_str(), |(host, _)| host);
        return Some(Reason::Unreachable(format!("{via}: lookup {host}: {}", unresolved(why))));
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused if route.proxy.is_none() => Some(Reason::Refused),
        io::ErrorKind::TimedOut => Some(Reason::TimedOut(format!("{via} {dialled}: i/o timeout"))),
        io::ErrorKind::ConnectionReset => Some(Reason::Unreachable("read: connection reset by peer".into())),
        io::ErrorKind::UnexpectedEof => Some(Reason::Unreachable("EOF".into())),
        _ if error.raw_os_error().is_some() => {
            Some(Reason::Unreachable(format!("{via} {dialled}: connect: {}", os_error(error))))
        }
        _ => None,
    }
}

fn unresolved(why: &str) -> String {
    let unknown = ["Name or service not known", "No address associated", "nodename nor servname"];
    if unknown.iter().any(|text| why.contains(text)) { "no such host".into() } else { shown(why) }
}

/// TLS errors as Go words them.
fn tls(error: &rustls::Error) -> String {
    match error {
        rustls::Error::InvalidCertificate(why) => {
            format!("tls: failed to verify certificate: x509: {}", certificate(why))
        }
        rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            "http: server gave HTTP response to HTTPS client".into()
        }
        rustls::Error::AlertReceived(alert) => format!("remote error: tls: {alert:?}"),
        other => format!("tls: {}", shown(&other.to_string())),
    }
}

fn certificate(error: &CertificateError) -> String {
    match error {
        CertificateError::UnknownIssuer => "certificate signed by unknown authority".into(),
        CertificateError::BadSignature => {
            "certificate signed by unknown authority (one of the same name is known, but did not sign it)"
                .into()
        }
        CertificateError::Expired
        | CertificateError::ExpiredContext { .. }
        | CertificateError::NotValidYet
        | CertificateError::NotValidYetContext { .. } => {
            format!("certificate has expired or is not yet valid: {}", shown(&error.to_string()))
        }
        CertificateError::NotValidForNameContext { expected, presented } => {
            other_names(&expected.to_str(), matches!(expected, ServerName::IpAddress(_)), presented)
        }
        CertificateError::NotValidForName => "certificate is not valid for the server's name".into(),
        other => shown(&other.to_string()),
    }
}

/// A certificate that is for others; only names of the kind that was asked for are listed.
fn other_names(expected: &str, address: bool, presented: &[String]) -> String {
    let kind = if address { "IpAddress(" } else { "DnsName(" };
    let bare = |name: &String| Some(shown(name.strip_prefix(kind)?.strip_suffix(')')?.trim_matches('"')));
    let names: Vec<String> = presented.iter().filter_map(bare).collect();
    let expected = shown(expected);
    match names.as_slice() {
        [] if address => {
            format!("cannot validate certificate for {expected} because it doesn't contain any IP SANs")
        }
        [] => format!("certificate is not valid for any names, but wanted to match {expected}"),
        names => format!("certificate is valid for {}, not {expected}", names.join(", ")),
    }
}
