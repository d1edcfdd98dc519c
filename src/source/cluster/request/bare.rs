//! Errors without a Status: what client-go makes of their code alone.

use http::StatusCode;

use crate::source::cluster::text::shown;

/// Reason and message, as kubectl prints them.
pub(crate) fn words(code: StatusCode, path: &str, body: &[u8]) -> (&'static str, String) {
    let body = shown(&String::from_utf8_lossy(&body[..body.len().min(2048)]));
    let (reason, mut message) = of_code(code, body);
    if let Some(resource) = resource(path) {
        message.push_str(&format!(" (get {resource})"));
    }
    (reason, message)
}

fn of_code(code: StatusCode, body: String) -> (&'static str, String) {
    let plain = |reason, message: &str| (reason, message.to_owned());
    match code {
        StatusCode::BAD_REQUEST if body.is_empty() => {
            plain("BadRequest", "the server rejected our request for an unknown reason")
        }
        StatusCode::BAD_REQUEST => ("BadRequest", format!("the server rejected our request: {body}")),
        StatusCode::UNAUTHORIZED => {
            plain("Unauthorized", "the server has asked for the client to provide credentials")
        }
        StatusCode::FORBIDDEN if body.is_empty() => {
            plain("Forbidden", "the server does not allow access to the requested resource")
        }
        StatusCode::FORBIDDEN => ("Forbidden", body),
        StatusCode::NOT_FOUND => plain("NotFound", "the server could not find the requested resource"),
        StatusCode::TOO_MANY_REQUESTS => plain(
            "TooManyRequests",
            "the server has received too many requests and has asked us to try again later",
        ),
        StatusCode::SERVICE_UNAVAILABLE => {
            plain("ServiceUnavailable", "the server is currently unable to handle the request")
        }
        StatusCode::GATEWAY_TIMEOUT => plain(
            "Timeout",
            "the server was unable to return a response in the time allotted, but may still be processing the \
             request",
        ),
        code if code.is_server_error() => (
            "InternalError",
            format!("an error on the server (\"{body}\") has prevented the request from succeeding"),
        ),
        code => (
            "",
            format!(
                "the server responded with the status code {} but did not return more information",
                code.as_u16()
            ),
        ),
    }
}

/// The resource that a path is about, with its group and name: `replicasets.apps web`.
fn resource(path: &str) -> Option<String> {
    let path = path.split('?').next().unwrap_or_default();
    let mut parts = path.split('/').filter(|part| !part.is_empty());
    let group = match parts.next()? {
        "apis" => format!(".{}", parts.next()?),
        "api" => String::new(),
        _ => return None,
    };
    let rest: Vec<&str> = parts.skip(1).collect();
    let rest = match rest.as_slice() {
        ["namespaces", _, rest @ ..] if !rest.is_empty() => rest,
        all => all,
    };
    let name = rest.get(1).map_or_else(String::new, |name| format!(" {name}"));
    Some(shown(&format!("{}{group}{name}", rest.first()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_its_resource() {
        let known = [
            ("/api/v1/pods?limit=500", "pods"),
            ("/api/v1/namespaces/shop/pods", "pods"),
            ("/api/v1/namespaces/shop/pods/web-1", "pods web-1"),
            ("/apis/apps/v1/namespaces/shop/replicasets", "replicasets.apps"),
            ("/apis/apps/v1/replicasets", "replicasets.apps"),
            ("/api/v1/namespaces/shop", "namespaces shop"),
            ("/api/v1/namespaces", "namespaces"),
        ];
        for (path, expected) in known {
            assert_eq!(resource(path).as_deref(), Some(expected), "{path}");
        }
        for other in ["/version", "/", "", "/api", "/api/v1", "/apis/apps"] {
            assert_eq!(resource(other), None, "{other}");
        }
    }
}
