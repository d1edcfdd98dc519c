//! Why no answer came, in kubectl's words: refused, not resolved, TLS, proxies, timeouts.

use std::error::Error;
use std::io;

use kube::client::AuthError;
use rustls::pki_types::ServerName;
use rustls::{CertificateError, InvalidMessage};

use crate::source::cluster::text::shown;
use crate::source::cluster::text::{name, os_error};
use crate::source::cluster::trouble::{Kind, Trouble};

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

/// The trouble behind an error of the client.
pub fn transport(error: &(dyn Error + 'static), route: &Route) -> Trouble {
    let chain = causes(error);
    known(&chain, route).unwrap_or_else(|| {
        let deepest = chain.last().map(|error| error.to_string()).unwrap_or_default();
        unable(Kind::Connection, &shown(&deepest))
    })
}

/// `--request-timeout` ran out before the answer began.
pub fn no_answer_in_time() -> Trouble {
    unable(Kind::Timeout, "context deadline exceeded (Client.Timeout exceeded while awaiting headers)")
}

/// `--request-timeout` ran out before the answer ended.
pub fn no_end_in_time() -> Trouble {
    unable(
        Kind::Timeout,
        "context deadline exceeded (Client.Timeout or context cancellation while reading body)",
    )
}

/// The answer broke off.
pub fn broken(error: &(dyn Error + 'static)) -> Trouble {
    let chain = causes(error);
    let deepest = chain.last().map(|error| error.to_string()).unwrap_or_default();
    let early = ["end of file", "before message completed", "unexpected EOF", "incomplete"];
    let text = if early.iter().any(|text| deepest.contains(text)) {
        "unexpected EOF".into()
    } else {
        shown(&deepest)
    };
    unable(Kind::Connection, &format!("reading the answer: {text}"))
}

fn unable(kind: Kind, why: &str) -> Trouble {
    Trouble::new(kind, format!("Unable to connect to the server: {why}"))
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

fn known(chain: &[&(dyn Error + 'static)], route: &Route) -> Option<Trouble> {
    if let Some(error) = chain.iter().find_map(|error| error.downcast_ref::<rustls::Error>()) {
        return Some(unable(Kind::Connection, &tls(error)));
    }
    if let Some(error) = chain.iter().find_map(|error| error.downcast_ref::<AuthError>()) {
        return Some(credentials(error));
    }
    let io = chain.iter().filter_map(|error| error.downcast_ref::<io::Error>()).next_back();
    let text = chain.iter().map(|error| error.to_string()).find(|text| text.starts_with("tunnel error: "));
    if let (Some(text), None, Some(proxy)) = (text, io, &route.proxy) {
        return Some(unable(
            Kind::Connection,
            &format!("proxy {proxy}: {}", &text["tunnel error: ".len()..]),
        ));
    }
    io.and_then(|error| dial(error, route))
}

/// Credentials that could not be renewed. kube's own texts may hold a part of them.
fn credentials(error: &AuthError) -> Trouble {
    let why = match error {
        AuthError::ReadTokenFile(error, path) => format!("open {}: {}", name(path), os_error(error)),
        AuthError::Oidc(_) => "the oidc token could not be renewed".into(),
        _ => "the user's credentials are unusable".into(),
    };
    unable(Kind::Config, &format!("getting credentials: {why}"))
}

/// What went wrong before there was a connection, or when it ended.
fn dial(error: &io::Error, route: &Route) -> Option<Trouble> {
    let dialled = route.proxy.as_ref().unwrap_or(&route.address);
    let via = if route.proxy.is_some() { "proxyconnect tcp: dial tcp" } else { "dial tcp" };
    if let Some(why) = error.to_string().strip_prefix("failed to lookup address information: ") {
        let host = dialled.rsplit_once(':').map_or(dialled.as_str(), |(host, _)| host);
        return Some(unable(Kind::Connection, &format!("{via}: lookup {host}: {}", unresolved(why))));
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused if route.proxy.is_none() => Some(refused(route)),
        io::ErrorKind::TimedOut => Some(unable(Kind::Timeout, &format!("{via} {dialled}: i/o timeout"))),
        io::ErrorKind::ConnectionReset => Some(unable(Kind::Connection, "read: connection reset by peer")),
        io::ErrorKind::UnexpectedEof => Some(unable(Kind::Connection, "EOF")),
        _ if error.raw_os_error().is_some() => {
            Some(unable(Kind::Connection, &format!("{via} {dialled}: connect: {}", os_error(error))))
        }
        _ => None,
    }
}

fn refused(route: &Route) -> Trouble {
    let server = &route.server;
    Trouble::new(
        Kind::Connection,
        format!(
            "The connection to the server {server} was refused - did you specify the right host or port?"
        ),
    )
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

/// A certificate that is for others; only names of the kind that was asked for are told.
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
