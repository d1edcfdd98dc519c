//! What goes wrong before the server answers, and proxies.

use std::time::Duration;

use rsexp::source::cluster::ErrorKind;
use rsexp::source::cluster::Flags;

use crate::connect::fake::{Fake, Reply};
use crate::connect::proxy::Proxy;
use crate::connect::setting::Setting;
use crate::connect::tls::Authority;

/// An address at which nothing listens.
async fn nowhere() -> std::net::SocketAddr {
    tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap()
}

#[tokio::test]
async fn a_refused_connection() {
    let address = nowhere().await;
    let error = Setting::plain(&format!("https://{address}")).error(&Flags::default()).await;
    assert_eq!(error.kind(), ErrorKind::Connection);
    let expected = format!(
        "The connection to the server {address} was refused - did you specify the right host or port?"
    );
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn a_name_that_is_not_resolved() {
    let error = Setting::plain("https://k8s.invalid:6443").error(&Flags::default()).await;
    assert_eq!(error.kind(), ErrorKind::Connection);
    // Without any name server the system words it differently.
    let text = error.to_string();
    let why = text.strip_prefix("Unable to connect to the server: dial tcp: lookup k8s.invalid: ");
    assert!(matches!(why, Some("no such host" | "Temporary failure in name resolution")), "{error}");
}

#[tokio::test]
async fn a_server_that_accepts_and_says_nothing() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let setting = Setting::plain(&format!("https://{}", listener.local_addr().unwrap()));
    let flags = Flags { request_timeout: Some(Duration::from_millis(200)), ..Flags::default() };
    let error = setting.error(&flags).await;
    assert_eq!(error.kind(), ErrorKind::Timeout);
}

async fn tls_trouble(names: &[&str], until: i32, trusted: Option<&Authority>) -> String {
    let ours = Authority::named("kubernetes");
    let server = Fake::tls(ours.acceptor_until(names, until), |_| Reply::list()).await;
    let trusted = trusted.unwrap_or(&ours).pem();
    let error = Setting::tls(&server.https(), &trusted, "{}").error(&Flags::default()).await;
    assert_eq!(error.kind(), ErrorKind::Connection);
    assert!(server.seen().is_empty());
    error.to_string()
}

#[tokio::test]
async fn an_unknown_authority() {
    let expected = "Unable to connect to the server: tls: failed to verify certificate: x509: certificate signed \
                    by unknown authority";
    assert_eq!(tls_trouble(&["127.0.0.1"], 4096, Some(&Authority::new())).await, expected);
}

#[tokio::test]
async fn another_authority_of_the_same_name() {
    let other = Authority::named("kubernetes");
    let expected = "Unable to connect to the server: tls: failed to verify certificate: x509: certificate signed \
                    by unknown authority (one of the same name is known, but did not sign it)";
    assert_eq!(tls_trouble(&["127.0.0.1"], 4096, Some(&other)).await, expected);
}

#[tokio::test]
async fn a_certificate_for_another_name() {
    let start = "Unable to connect to the server: tls: failed to verify certificate: x509:";
    let said = tls_trouble(&["a.example", "10.0.0.1"], 4096, None).await;
    assert_eq!(said, format!("{start} certificate is valid for 10.0.0.1, not 127.0.0.1"));
    let said = tls_trouble(&["a.example"], 4096, None).await;
    let why = "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs";
    assert_eq!(said, format!("{start} {why}"));
    let authority = Authority::new();
    for (names, why) in [
        (&["a.example", "b.example"][..], "certificate is valid for a.example, b.example, not other.test"),
        (&["127.0.0.1"][..], "certificate is not valid for any names, but wanted to match other.test"),
    ] {
        let server = Fake::tls(authority.acceptor(names), |_| Reply::list()).await;
        let flags = Flags { tls_server_name: Some("other.test".into()), ..Flags::default() };
        let said = Setting::tls(&server.https(), &authority.pem(), "{}").says(&flags).await;
        assert_eq!(said, format!("{start} {why}"));
    }
}

#[tokio::test]
async fn a_certificate_of_the_past() {
    let said = tls_trouble(&["127.0.0.1"], 2001, None).await;
    let expected = "Unable to connect to the server: tls: failed to verify certificate: x509: certificate has \
                    expired or is not yet valid";
    assert!(said.starts_with(expected), "{said}");
}

#[tokio::test]
async fn a_server_without_tls() {
    let server = Fake::plain(|_| Reply::list()).await;
    let said =
        Setting::with(&format!("{{server: '{}'}}", server.https()), "{}").says(&Flags::default()).await;
    assert_eq!(said, "Unable to connect to the server: http: server gave HTTP response to HTTPS client");
}

/// A cluster that only the proxy can find: `cluster.test`.
async fn behind() -> (Fake, Setting) {
    let authority = Authority::new();
    let server = Fake::tls(authority.acceptor(&["cluster.test"]), |_| Reply::list()).await;
    let setting = Setting::tls("https://cluster.test:6443", &authority.pem(), "{token: hunter2}");
    (server, setting)
}

#[tokio::test]
async fn the_proxy_of_the_environment_is_used() {
    let (server, mut setting) = behind().await;
    let proxy = Proxy::start(Some(server.address)).await;
    setting.set("HTTPS_PROXY", &format!("http://{}", proxy.address));
    setting.ask(&Flags::default()).await.unwrap();
    assert!(proxy.heads()[0].starts_with("CONNECT cluster.test:6443 HTTP/1.1\r\n"), "{:?}", proxy.heads());
    assert!(!proxy.heads()[0].contains("hunter2"));
    assert_eq!(server.only().header("authorization"), ["Bearer hunter2"]);
}

#[tokio::test]
async fn the_proxy_of_the_cluster_is_used_with_its_password() {
    let (server, setting) = behind().await;
    let proxy = Proxy::start(Some(server.address)).await;
    let path = setting.home.path().join("config");
    let config = std::fs::read_to_string(&path).unwrap();
    let url = format!("proxy-url: 'http://u:p@{}', server:", proxy.address);
    std::fs::write(&path, config.replace("server:", &url)).unwrap();
    setting.ask(&Flags::default()).await.unwrap();
    let head = proxy.heads()[0].to_lowercase();
    assert!(head.contains("proxy-authorization: basic dtpw\r\n"), "{head}");
}

#[tokio::test]
async fn no_proxy_is_honoured() {
    let (server, mut setting) = behind().await;
    let proxy = Proxy::start(Some(server.address)).await;
    setting.set("HTTPS_PROXY", &format!("http://{}", proxy.address));
    setting.set("NO_PROXY", "10.0.0.0/8,.test");
    let said = setting.says(&Flags::default()).await;
    assert!(said.starts_with("Unable to connect to the server: dial tcp: lookup cluster.test: "), "{said}");
    assert!(proxy.heads().is_empty() && server.seen().is_empty());
}

#[tokio::test]
async fn this_machine_is_reached_without_the_proxy() {
    let server = Fake::plain(|_| Reply::list()).await;
    let mut setting = Setting::plain(&server.http());
    let address = nowhere().await;
    setting.set("HTTP_PROXY", &format!("http://{address}"));
    setting.set("HTTPS_PROXY", &format!("http://{address}"));
    setting.ask(&Flags::default()).await.unwrap();
}

#[tokio::test]
async fn a_proxy_that_refuses() {
    let (_server, mut setting) = behind().await;
    let proxy = Proxy::start(None).await;
    setting.set("HTTPS_PROXY", &format!("http://u:hunter2@{}", proxy.address));
    let said = setting.says(&Flags::default()).await;
    assert_eq!(said, format!("Unable to connect to the server: proxy {}: unsuccessful", proxy.address));
}

#[tokio::test]
async fn a_proxy_that_is_not_there() {
    let (_server, mut setting) = behind().await;
    let address = nowhere().await;
    setting.set("HTTPS_PROXY", &format!("http://u:hunter2@{address}"));
    let expected = format!(
        "Unable to connect to the server: proxyconnect tcp: dial tcp {address}: connect: connection refused"
    );
    assert_eq!(setting.says(&Flags::default()).await, expected);
}
