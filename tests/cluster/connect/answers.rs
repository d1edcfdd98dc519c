//! What the server answers, and what the user sees.

use std::time::{Duration, Instant};

use futures::StreamExt;
use rsexp::source::cluster::ErrorKind;
use rsexp::source::cluster::Flags;
use rsexp::source::cluster::client::Accept;

use crate::connect::fake::{Fake, Reply};
use crate::connect::setting::{PODS, Setting, read};

fn within(milliseconds: u64) -> Flags {
    Flags { request_timeout: Some(Duration::from_millis(milliseconds)), ..Flags::default() }
}

/// What is said about a request that failed.
#[derive(Debug)]
struct Refused {
    kind: ErrorKind,
    message: String,
}

/// The error after one script, and how often the server was asked.
async fn error(flags: &Flags, script: impl Fn(usize) -> Reply + Send + Sync + 'static) -> (Refused, usize) {
    let server = Fake::plain(script).await;
    let error = Setting::plain(&server.http()).error(flags).await;
    let message = error.to_string().replace(&server.http(), "http://SERVER");
    (Refused { kind: error.kind(), message }, server.seen().len())
}

#[tokio::test]
async fn a_list_arrives() {
    let date = "Thu, 01 Jan 2026 12:00:00 GMT";
    let server = Fake::plain(move |_| Reply::list().with("date", date)).await;
    let client = Setting::plain(&server.http()).connect(&Flags::default()).await.unwrap();
    assert_eq!(client.default_namespace(), "main-space");
    let response = client.get(PODS, Accept::Protobuf).await.unwrap();
    assert!(!response.protobuf);
    assert_eq!(response.date, Some("2026-01-01T12:00:00Z".parse().unwrap()));
    assert!(read(&client, PODS).await.unwrap().contains("PodList"));
    let seen = &server.seen()[0];
    assert_eq!(seen.path, PODS);
    assert_eq!(seen.header("accept"), ["application/vnd.kubernetes.protobuf, application/json;q=0.5"]);
    assert_eq!(seen.header("user-agent"), [concat!("kubectl-rsexp/", env!("CARGO_PKG_VERSION"))]);
}

#[tokio::test]
async fn a_compressed_list_arrives() {
    let server = Fake::plain(|_| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut gzip, b"{\"kind\":\"PodList\"}").unwrap();
        Reply::new(200, "application/json", gzip.finish().unwrap()).with("content-encoding", "gzip")
    })
    .await;
    let text = Setting::plain(&server.http()).ask(&Flags::default()).await.unwrap();
    assert_eq!(text, "{\"kind\":\"PodList\"}");
}

#[tokio::test]
async fn protobuf_is_told_from_json() {
    let server = Fake::plain(|_| Reply::new(200, "application/vnd.kubernetes.protobuf", &b"k8s\0"[..])).await;
    let client = Setting::plain(&server.http()).connect(&Flags::default()).await.unwrap();
    assert!(client.get(PODS, Accept::Protobuf).await.unwrap().protobuf);
    client.get(PODS, Accept::Json).await.unwrap();
    assert_eq!(server.seen()[1].header("accept"), ["application/json"]);
}

#[tokio::test]
async fn what_is_forbidden_is_said_as_kubectl_does() {
    let text = "pods is forbidden: User \"eve\" cannot list resource \"pods\" in API group \"\" in the namespace \"shop\"";
    let (error, asked) = error(&Flags::default(), move |_| Reply::status(403, "Forbidden", text)).await;
    assert_eq!((error.kind, asked), (ErrorKind::Forbidden, 1));
    assert_eq!(error.message, format!("Error from server (Forbidden): {text}"));
}

#[tokio::test]
async fn a_refused_token_is_said_as_kubectl_does() {
    let (error, _) = error(&Flags::default(), |_| Reply::status(401, "Unauthorized", "Unauthorized")).await;
    assert_eq!(error.kind, ErrorKind::Unauthorized);
    assert_eq!(error.message, "error: You must be logged in to the server (Unauthorized)");
}

#[tokio::test]
async fn what_is_gone_or_missing_has_its_kind() {
    let cases = [
        (404, "NotFound", ErrorKind::NotFound, "pods \"x\" not found"),
        (410, "Expired", ErrorKind::Expired, "The provided continue parameter is too old"),
        (410, "Gone", ErrorKind::Expired, "too old resource version: 1 (2)"),
        (504, "Timeout", ErrorKind::Timeout, "Timeout: request did not complete within the allotted timeout"),
    ];
    for (code, reason, kind, text) in cases {
        let flags = within(300);
        let (error, _) = error(&flags, move |_| Reply::status(code, reason, text)).await;
        assert_eq!((error.kind, error.message), (kind, format!("Error from server ({reason}): {text}")));
    }
}

#[tokio::test]
async fn errors_without_a_status_get_client_gos_words() {
    let cases = [
        (
            401,
            ErrorKind::Unauthorized,
            "error: You must be logged in to the server (the server has asked for the client to provide credentials (get pods))",
        ),
        (
            403,
            ErrorKind::Forbidden,
            "Error from server (Forbidden): the server does not allow access to the requested resource (get pods)",
        ),
        (
            404,
            ErrorKind::NotFound,
            "Error from server (NotFound): the server could not find the requested resource (get pods)",
        ),
        (
            418,
            ErrorKind::Other,
            "Error from server: the server responded with the status code 418 but did not return more information (get pods)",
        ),
    ];
    for (code, kind, text) in cases {
        let (error, _) = error(&Flags::default(), move |_| Reply::new(code, "text/plain", "")).await;
        assert_eq!((error.kind, error.message.as_str()), (kind, text));
    }
}

#[tokio::test]
async fn a_status_in_protobuf_is_understood() {
    // An Unknown with type meta v1/Status, and a Status with message, reason and code.
    let status = b"\x12\x07Failure\x1a\x0apods is no\x22\x09Forbidden\x30\x93\x03";
    let mut body = b"k8s\0\x0a\x0c\x0a\x02v1\x12\x06Status\x12".to_vec();
    body.push(status.len() as u8);
    body.extend_from_slice(status);
    let (error, _) = error(&Flags::default(), move |_| {
        Reply::new(403, "application/vnd.kubernetes.protobuf", body.clone())
    })
    .await;
    assert_eq!(error.kind, ErrorKind::Forbidden);
    assert_eq!(error.message, "Error from server (Forbidden): pods is no");
}

#[tokio::test]
async fn text_of_the_server_is_one_harmless_line() {
    let (error, _) =
        error(&Flags::default(), |_| Reply::status(400, "BadRequest", "a\u{1b}[31m\nb\u{202e}c")).await;
    assert_eq!(error.message, "Error from server (BadRequest): a\\u{1b}[31m\\nb\\u{202e}c");
}

#[tokio::test]
async fn an_internal_error_is_not_asked_for_again() {
    let text = "etcdserver: leader changed";
    let (said, asked) = error(&Flags::default(), move |_| Reply::status(500, "InternalError", text)).await;
    assert_eq!((said.kind, asked), (ErrorKind::Other, 1));
    assert_eq!(said.message, "Error from server (InternalError): etcdserver: leader changed");
    let (said, _) = error(&Flags::default(), |_| Reply::new(500, "text/plain", "panic\n")).await;
    let expected = "Error from server (InternalError): an error on the server (\"panic\") has prevented the request from succeeding (get pods)";
    assert_eq!(said.message, expected);
}

#[tokio::test]
async fn an_unavailable_server_is_asked_again() {
    let server = Fake::plain(|number| match number {
        0 => Reply::status(503, "ServiceUnavailable", "not yet"),
        _ => Reply::list(),
    })
    .await;
    assert!(Setting::plain(&server.http()).ask(&Flags::default()).await.is_ok());
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn an_unavailable_server_is_given_up_after_three_more() {
    let begun = Instant::now();
    let (error, asked) = error(&Flags::default(), |_| Reply::new(503, "text/plain", "no")).await;
    assert_eq!((error.kind, asked), (ErrorKind::Other, 4));
    let expected = "Error from server (ServiceUnavailable): the server is currently unable to handle the request (get pods)";
    assert_eq!(error.message, expected);
    let took = begun.elapsed();
    assert!(took >= Duration::from_millis(1400) && took < Duration::from_secs(3), "{took:?}");
}

#[tokio::test]
async fn a_busy_server_is_obeyed() {
    let server = Fake::plain(|number| match number {
        0 => Reply::status(429, "TooManyRequests", "slowly").with("retry-after", "1"),
        _ => Reply::list(),
    })
    .await;
    let begun = Instant::now();
    assert!(Setting::plain(&server.http()).ask(&Flags::default()).await.is_ok());
    assert!(begun.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn a_busy_server_is_not_waited_for_beyond_the_timeout() {
    let text = "Too many requests, please try again later.";
    let busy = move |_| Reply::status(429, "TooManyRequests", text).with("retry-after", "7");
    let begun = Instant::now();
    let (error, asked) = error(&within(2000), busy).await;
    assert_eq!((error.kind, asked), (ErrorKind::TooManyRequests(Some(Duration::from_secs(7))), 1));
    assert_eq!(error.message, format!("Error from server (TooManyRequests): {text}"));
    assert!(begun.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn a_page_is_not_kubernetes() {
    for (status, shown) in [(200, "200 OK"), (404, "404 Not Found"), (502, "502 Bad Gateway")] {
        let page = move |_| Reply::new(status, "text/html; charset=utf-8", "<html>Log in, secret=1</html>");
        let (error, asked) = error(&Flags::default(), page).await;
        assert_eq!((error.kind, asked), (ErrorKind::NotKubernetes, 1));
        let expected = format!(
            "error: http://SERVER answered {shown} with text/html, which is not a Kubernetes API: is a proxy or \
             a login page on the way?"
        );
        assert_eq!(error.message, expected);
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let target = "https://login.example/oauth?state=secret";
    let (error, asked) =
        error(&Flags::default(), move |_| Reply::new(302, "text/html", "").with("location", target)).await;
    assert_eq!((error.kind, asked), (ErrorKind::NotKubernetes, 1));
    let expected = "error: http://SERVER answered 302 Found with text/html, sent on to login.example, which is \
                    not a Kubernetes API: is a proxy or a login page on the way?";
    assert_eq!(error.message, expected);
}

#[tokio::test]
async fn an_answer_that_does_not_begin_runs_into_the_timeout() {
    let slow = |_| Reply { delay: Duration::from_secs(30), ..Reply::list() };
    let (error, _) = error(&within(300), slow).await;
    assert_eq!(error.kind, ErrorKind::Timeout);
    let expected = "Unable to connect to the server: context deadline exceeded (Client.Timeout exceeded while \
                    awaiting headers)";
    assert_eq!(error.message, expected);
}

#[tokio::test]
async fn an_answer_that_does_not_end_runs_into_the_timeout() {
    let slow = |_| {
        let mut reply = Reply::list();
        reply.pieces.push((Duration::from_secs(30), " ".into()));
        reply
    };
    let (error, _) = error(&within(300), slow).await;
    assert_eq!(error.kind, ErrorKind::Timeout);
    let expected = "Unable to connect to the server: context deadline exceeded (Client.Timeout or context \
                    cancellation while reading body)";
    assert_eq!(error.message, expected);
}

#[tokio::test]
async fn a_cut_answer_is_an_error() {
    let (error, _) = error(&Flags::default(), |_| Reply { cut: true, ..Reply::list() }).await;
    assert_eq!(error.kind, ErrorKind::Connection);
    assert_eq!(error.message, "Unable to connect to the server: reading the answer: unexpected EOF");
}

#[tokio::test]
async fn a_watch_has_no_total_timeout_and_no_compression() {
    let server = Fake::plain(|_| {
        let event = |n: u32| (Duration::from_millis(300), format!("{{\"type\":\"{n}\"}}\n").into());
        Reply { pieces: (0..3).map(event).collect(), ..Reply::list() }
    })
    .await;
    let client = Setting::plain(&server.http()).connect(&within(500)).await.unwrap();
    let response = client.get("/api/v1/pods?watch=true", Accept::Json).await.unwrap();
    let events: Vec<_> = response.body.collect().await;
    assert_eq!(events.len(), 3);
    assert!(events.iter().all(Result::is_ok));
    assert_eq!(server.only().header("accept-encoding"), ["identity"]);
}
