//! Answers that are no success, in kubectl's words.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use prost::Message;

use crate::objects::wire::envelope::{Envelope, MAGIC, Status, TypeMeta};
use crate::source::cluster::request::bare;
use crate::source::cluster::request::retry;
use crate::source::cluster::text::shown;
use crate::source::cluster::trouble::{Kind, Trouble};

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
    let told = headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or("?"));
    let essence = told.map(|told| told.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    match essence.as_deref() {
        Some("application/vnd.kubernetes.protobuf") => Content::Protobuf,
        None | Some("application/json") => Content::Json,
        Some(other) if other.ends_with("+json") => Content::Json,
        Some(_) => Content::Other,
    }
}

/// An answer that does not come from Kubernetes, but from something on the way.
pub fn not_kubernetes(server: &str, status: StatusCode, headers: &HeaderMap) -> Trouble {
    let told = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let told =
        told.map_or_else(|| "no content type".into(), |told| shown(told.split(';').next().unwrap_or("")));
    let elsewhere = redirect(headers).map_or_else(String::new, |host| format!(", sent on to {host}"));
    Trouble::new(
        Kind::NotKubernetes,
        format!(
            "error: {server} answered {status} with {told}{elsewhere}, which is not a Kubernetes API: is a proxy \
             or a login page on the way?"
        ),
    )
}

/// The host that a redirect leads to; the rest of the address may hold secrets.
fn redirect(headers: &HeaderMap) -> Option<String> {
    let target: http::Uri = headers.get(header::LOCATION)?.to_str().ok()?.parse().ok()?;
    target.host().map(shown)
}

/// The trouble behind an answer that is no success.
pub fn trouble(server: &str, path: &str, code: StatusCode, headers: &HeaderMap, body: &Bytes) -> Trouble {
    match parse(body) {
        Some(status) => told(&status, code, headers),
        None if is_page(headers, body) || code.is_redirection() || code.is_informational() => {
            not_kubernetes(server, code, headers)
        }
        None => {
            let (reason, message) = bare::words(code, path, body);
            let kind = kind(reason, code, retry::after(headers));
            Trouble::new(kind, words(Some(reason).filter(|reason| !reason.is_empty()), &message))
        }
    }
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
    let told = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    told.starts_with("text/html") || body.trim_ascii_start().starts_with(b"<")
}

/// What a Status tells, as kubectl prints it.
fn told(status: &Status, code: StatusCode, headers: &HeaderMap) -> Trouble {
    let filled = |text: &str| Some(shown(text)).filter(|text| !text.is_empty());
    let reason = filled(&status.reason);
    let message = filled(&status.message).unwrap_or_else(|| "unknown".into());
    let kind = kind(reason.as_deref().unwrap_or_default(), code, retry::after(headers));
    Trouble::new(kind, words(reason.as_deref(), &message))
}

fn words(reason: Option<&str>, message: &str) -> String {
    match reason {
        Some("Unauthorized") => format!("error: You must be logged in to the server ({message})"),
        Some(reason) => format!("Error from server ({reason}): {message}"),
        None => format!("Error from server: {message}"),
    }
}

fn kind(reason: &str, code: StatusCode, after: Option<Duration>) -> Kind {
    match reason {
        "Unauthorized" => Kind::Unauthorized,
        "Forbidden" => Kind::Forbidden,
        "NotFound" => Kind::NotFound,
        "Expired" | "Gone" => Kind::Expired,
        "TooManyRequests" => Kind::TooManyRequests(after),
        "Timeout" | "ServerTimeout" => Kind::Timeout,
        _ => match code {
            StatusCode::UNAUTHORIZED => Kind::Unauthorized,
            StatusCode::FORBIDDEN => Kind::Forbidden,
            StatusCode::NOT_FOUND => Kind::NotFound,
            StatusCode::GONE => Kind::Expired,
            StatusCode::TOO_MANY_REQUESTS => Kind::TooManyRequests(after),
            StatusCode::GATEWAY_TIMEOUT => Kind::Timeout,
            _ => Kind::Other,
        },
    }
}

impl Trouble {
    /// The trouble of a `Status`, in JSON or protobuf, that a watch brings as an ERROR event.
    pub fn of_status(body: &Bytes) -> Trouble {
        let Some(status) = parse(body) else {
            return Trouble::new(
                Kind::Other,
                "Error from server: a watch brought an error that is not a Status",
            );
        };
        let code = status.code.and_then(|code| StatusCode::from_u16(code.try_into().ok()?).ok());
        told(&status, code.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), &HeaderMap::new())
    }
}
