//! Answers that are no success, in kubectl's words.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use prost::Message;

use crate::objects::wire::envelope::{Envelope, MAGIC, Status, TypeMeta};
use crate::source::cluster::error::{ClusterError, ErrorKind};
use crate::source::cluster::request::bare;
use crate::source::cluster::request::retry;
use crate::source::cluster::text::shown;

/// What an answer's content type says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Protobuf.
    Protobuf,
    /// JSON, or nothing was said.
    Json,
    /// Something that Kubernetes does not send.
    Other,
}

/// Reads the content type.
pub fn content(headers: &HeaderMap) -> Content {
    let value = headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or("?"));
    let essence = value.map(|value| value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    match essence.as_deref() {
        Some("application/vnd.kubernetes.protobuf") => Content::Protobuf,
        None | Some("application/json") => Content::Json,
        Some(other) if other.ends_with("+json") => Content::Json,
        Some(_) => Content::Other,
    }
}

/// An answer that does not come from Kubernetes, but from something on the way.
#[derive(Debug, thiserror::Error)]
#[error(
    "{server} answered {status} with {content_type}{redirect}, which is not a Kubernetes API: is a proxy or a login \
     page on the way?"
)]
pub struct NotKubernetes {
    server: String,
    status: StatusCode,
    content_type: String,
    redirect: String,
}

impl NotKubernetes {
    pub fn new(server: &str, status: StatusCode, headers: &HeaderMap) -> NotKubernetes {
        let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let essence = |value: &str| shown(value.split(';').next().unwrap_or(""));
        let redirect = redirect(headers).map_or_else(String::new, |host| format!(", sent on to {host}"));
        NotKubernetes {
            server: server.to_owned(),
            status,
            content_type: content_type.map_or_else(|| "no content type".into(), essence),
            redirect,
        }
    }
}

/// The host that a redirect leads to; the rest of the address may hold secrets.
fn redirect(headers: &HeaderMap) -> Option<String> {
    let target: http::Uri = headers.get(header::LOCATION)?.to_str().ok()?.parse().ok()?;
    target.host().map(shown)
}

/// The error behind an answer that is no success.
pub fn error(server: &str, path: &str, code: StatusCode, headers: &HeaderMap, body: &Bytes) -> ClusterError {
    if let Some(status) = parse(body) {
        return refusal(&status, code, headers);
    }
    if is_page(headers, body) || code.is_redirection() || code.is_informational() {
        return NotKubernetes::new(server, code, headers).into();
    }
    let (reason, message) = bare::words(code, path, body);
    let kind = kind(reason, code, retry::after(headers));
    let reason = (!reason.is_empty()).then(|| reason.to_owned());
    ClusterError::Status { kind, reason, message }
}

/// Reads a Status, in whatever encoding it is.
fn parse(body: &Bytes) -> Option<Status> {
    if body.starts_with(MAGIC) {
        let envelope = Envelope::decode(body.slice(MAGIC.len()..)).ok()?;
        let is_status = envelope.type_meta.is_some_and(|typed| typed.kind == "Status");
        return if is_status { Status::decode(envelope.raw).ok() } else { None };
    }
    let typed: TypeMeta = serde_json::from_slice(body).ok()?;
    if typed.kind == "Status" { serde_json::from_slice(body).ok() } else { None }
}

fn is_page(headers: &HeaderMap, body: &[u8]) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.starts_with("text/html") || body.trim_ascii_start().starts_with(b"<")
}

fn refusal(status: &Status, code: StatusCode, headers: &HeaderMap) -> ClusterError {
    let filled = |text: &str| Some(shown(text)).filter(|text| !text.is_empty());
    let reason = filled(&status.reason);
    let message = filled(&status.message).unwrap_or_else(|| "unknown".into());
    let kind = kind(reason.as_deref().unwrap_or_default(), code, retry::after(headers));
    ClusterError::Status { kind, reason, message }
}

fn kind(reason: &str, code: StatusCode, after: Option<Duration>) -> ErrorKind {
    match reason {
        "Unauthorized" => ErrorKind::Unauthorized,
        "Forbidden" => ErrorKind::Forbidden,
        "NotFound" => ErrorKind::NotFound,
        "Expired" | "Gone" => ErrorKind::Expired,
        "TooManyRequests" => ErrorKind::TooManyRequests(after),
        "Timeout" | "ServerTimeout" => ErrorKind::Timeout,
        _ => match code {
            StatusCode::UNAUTHORIZED => ErrorKind::Unauthorized,
            StatusCode::FORBIDDEN => ErrorKind::Forbidden,
            StatusCode::NOT_FOUND => ErrorKind::NotFound,
            StatusCode::GONE => ErrorKind::Expired,
            StatusCode::TOO_MANY_REQUESTS => ErrorKind::TooManyRequests(after),
            StatusCode::GATEWAY_TIMEOUT => ErrorKind::Timeout,
            _ => ErrorKind::Other,
        },
    }
}
