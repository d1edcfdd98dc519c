//! Every flag that has an effect, proved by what the server saw or by the error.

use std::path::PathBuf;

use rsexp::source::cluster::ErrorKind;
use rsexp::source::cluster::Flags;

use crate::connect::fake::{Fake, Reply, Seen};
use crate::connect::setting::{Setting, kubeconfig};
use crate::connect::tls::Authority;

fn some(text: &str) -> Option<String> {
    Some(text.into())
}

/// A TLS server and a setting whose user is given as YAML.
async fn tls(user: &str) -> (Fake, Setting) {
    let authority = Authority::new();
    let server = Fake::tls(authority.acceptor(&["127.0.0.1", "other.test"]), |_| Reply::list()).await;
    let setting = Setting::tls(&server.https(), &authority.pem(), user);
    (server, setting)
}

/// What the server sees of one request.
async fn seen(user: &str, flags: Flags) -> Seen {
    let (server, setting) = tls(user).await;
    setting.ask(&flags).await.unwrap();
    server.only()
}

/// A user of a kind that the flags must take the place of.
const WITH_EXEC: &str = "{exec: {apiVersion: client.authentication.k8s.io/v1, command: /nonexistent/plugin, interactiveMode: Never}}";

#[tokio::test]
async fn context_cluster_and_user() {
    let authority = Authority::new();
    let server = Fake::tls(authority.acceptor(&["127.0.0.1"]), |_| Reply::list()).await;
    let mut setting = Setting::tls("https://127.0.0.1:1", &authority.pem(), "{token: main-token}");
    let text = std::fs::read_to_string(setting.home.path().join("config")).unwrap();
    let data = text.lines().find(|line| line.contains("cluster: {server")).unwrap().trim();
    let cluster = data.strip_prefix("cluster: ").unwrap().replace("https://127.0.0.1:1", &server.https());
    let second = setting.write("second", &kubeconfig("second", &cluster, "{token: second-token}"));
    let first = setting.home.path().join("config");
    setting.set("KUBECONFIG", &format!("{}:{}", first.display(), second.display()));
    let second = Flags { context: some("second"), ..Flags::default() };
    assert_eq!(setting.connect(&second).await.unwrap().default_namespace(), "second-space");
    setting.ask(&second).await.unwrap();
    setting.ask(&Flags { user: some("main-user"), ..second.clone() }).await.unwrap();
    setting.ask(&Flags { cluster: some("second-cluster"), ..Flags::default() }).await.unwrap();
    let tokens: Vec<String> =
        server.seen().iter().map(|seen| seen.header("authorization")[0].to_owned()).collect();
    assert_eq!(tokens, ["Bearer second-token", "Bearer main-token", "Bearer main-token"]);
}

#[tokio::test]
async fn server_alone_needs_no_kubeconfig() {
    let server = Fake::plain(|_| Reply::list()).await;
    let setting = Setting::new();
    let flags = Flags { server: Some(server.http() + "/prefix/"), ..Flags::default() };
    let client = setting.connect(&flags).await.unwrap();
    assert_eq!(client.default_namespace(), "default");
    setting.ask(&flags).await.unwrap();
    assert_eq!(server.only().path, format!("/prefix{}", crate::connect::setting::PODS));
    // Without a scheme it is http, as with kubectl.
    setting.ask(&Flags { server: Some(server.address.to_string()), ..Flags::default() }).await.unwrap();
}

#[tokio::test]
async fn certificate_authority() {
    let authority = Authority::new();
    let server = Fake::tls(authority.acceptor(&["127.0.0.1"]), |_| Reply::list()).await;
    let setting = Setting::tls(&server.https(), &Authority::new().pem(), "{}");
    let path = setting.write("ca.pem", &authority.pem());
    let flags = Flags { certificate_authority: Some(path.clone()), ..Flags::default() };
    setting.ask(&flags).await.unwrap();
    let both = Flags { insecure_skip_tls_verify: Some(true), ..flags };
    let expected = "error: specifying a root certificates file with the insecure flag is \
                    not allowed";
    assert_eq!(setting.says(&both).await, expected);
    let missing = Flags { certificate_authority: Some(setting.home.path().join("x")), ..Flags::default() };
    let expected = "error: unable to read certificate-authority ~/x for main-cluster due to \
                    open ~/x: no such file or directory";
    assert_eq!(setting.says(&missing).await, expected);
    std::fs::write(&path, "no certificate").unwrap();
    let empty = Flags { certificate_authority: Some(path), ..Flags::default() };
    assert_eq!(
        setting.says(&empty).await,
        "error: unable to load root certificates: no PEM certificate in ~/ca.pem"
    );
}

#[tokio::test]
async fn insecure_skip_tls_verify() {
    let server = Fake::tls(Authority::new().acceptor(&["a.example"]), |_| Reply::list()).await;
    let setting = Setting::tls(&server.https(), &Authority::new().pem(), "{}");
    assert_eq!(setting.error(&Flags::default()).await.kind(), ErrorKind::Connection);
    setting.ask(&Flags { insecure_skip_tls_verify: Some(true), ..Flags::default() }).await.unwrap();
}

#[tokio::test]
async fn tls_server_name() {
    let flags = Flags { tls_server_name: some("other.test"), ..Flags::default() };
    assert_eq!(seen("{}", flags).await.sni.as_deref(), Some("other.test"));
    assert_eq!(seen("{}", Flags::default()).await.sni, None, "addresses have no server name");
}

#[tokio::test]
async fn another_server_has_another_name() {
    let authority = Authority::new();
    let server = Fake::tls(authority.acceptor(&["127.0.0.1"]), |_| Reply::list()).await;
    let setting = Setting::tls("https://127.0.0.1:1', tls-server-name: 'main.test", &authority.pem(), "{}");
    setting.ask(&Flags { server: Some(server.https()), ..Flags::default() }).await.unwrap();
    assert_eq!(server.only().sni, None, "the name belongs to the server of the kubeconfig");
}

#[tokio::test]
async fn disable_compression() {
    assert_eq!(seen("{}", Flags::default()).await.header("accept-encoding"), ["gzip"]);
    let flags = Flags { disable_compression: Some(true), ..Flags::default() };
    assert_eq!(seen("{}", flags).await.header("accept-encoding"), [""; 0]);
}

#[tokio::test]
async fn token_takes_the_place_of_every_other_identity() {
    let users = [
        "{}",
        "{token: old}",
        "{tokenFile: /nonexistent/token}",
        "{username: u, password: p}",
        "{auth-provider: {name: gcp}}",
        WITH_EXEC,
    ];
    for user in users {
        let flags = Flags { token: Some("new".into()), ..Flags::default() };
        assert_eq!(seen(user, flags).await.header("authorization"), ["Bearer new"], "{user}");
    }
}

#[tokio::test]
async fn username_and_password() {
    for user in ["{}", "{token: old}", WITH_EXEC] {
        let flags = Flags { username: some("u"), password: Some("hunter2".into()), ..Flags::default() };
        assert_eq!(seen(user, flags).await.header("authorization"), ["Basic dTpodW50ZXIy"], "{user}");
    }
    let (_server, setting) = tls("{}").await;
    let both = Flags { token: Some("t".into()), username: some("u"), ..Flags::default() };
    assert_eq!(
        setting.says(&both).await,
        "error: more than one authentication method found for main-user; found [token basicAuth], only one is allowed"
    );
}

#[tokio::test]
async fn client_certificate_and_key() {
    let authority = Authority::new();
    let server = Fake::tls(authority.acceptor(&["127.0.0.1"]), |_| Reply::list()).await;
    let setting = Setting::tls(&server.https(), &authority.pem(), WITH_EXEC);
    let (certificate, key) = authority.client();
    let (certificate, key) = (setting.write("c.pem", &certificate), setting.write("k.pem", &key));
    let flags = |certificate: &PathBuf, key: &PathBuf| Flags {
        client_certificate: Some(certificate.clone()),
        client_key: Some(key.clone()),
        ..Flags::default()
    };
    setting.ask(&flags(&certificate, &key)).await.unwrap();
    assert!(server.only().certificate);
    let missing = setting.home.path().join("x");
    let expected = "error: unable to read client-key ~/x for main-user due to open ~/x: no \
                    such file or directory";
    assert_eq!(setting.says(&flags(&certificate, &missing)).await, expected);
    let half = Flags { client_certificate: Some(certificate.clone()), ..Flags::default() };
    let expected = "error: client-key-data or client-key must be specified for main-user to \
                    use the clientCert authentication method.";
    assert_eq!(setting.says(&half).await, expected);
    // A key that is cut: whatever is said does not show it.
    let secret = std::fs::read_to_string(&key).unwrap();
    std::fs::write(&key, &secret[..secret.len() - 30]).unwrap();
    let expected = "error: the client certificate or its key is not valid PEM";
    assert_eq!(setting.says(&flags(&certificate, &key)).await, expected);
}

#[tokio::test]
async fn impersonation() {
    let flags = Flags {
        impersonate: some("eve"),
        impersonate_groups: vec!["dev".into(), "ops".into()],
        impersonate_uid: some("7"),
        impersonate_extra: vec![("a.io/x".into(), "1".into()), ("a.io/x".into(), "2".into())],
        ..Flags::default()
    };
    let seen = seen("{as: mallory, as-groups: [root], token: t}", flags).await;
    assert_eq!(seen.header("impersonate-user"), ["eve"]);
    assert_eq!(seen.header("impersonate-group"), ["dev", "ops"]);
    assert_eq!(seen.header("impersonate-uid"), ["7"]);
    assert_eq!(seen.header("impersonate-extra-a.io%2fx"), ["1", "2"]);
    assert_eq!(seen.header("authorization"), ["Bearer t"]);
    let (_server, setting) = tls("{}").await;
    let nobody = Flags { impersonate_groups: vec!["dev".into()], ..Flags::default() };
    let expected = "error: requesting uid, groups or user-extra for main-user without \
                    impersonating a user";
    assert_eq!(setting.says(&nobody).await, expected);
}

#[tokio::test]
async fn no_secret_is_sent_without_tls() {
    let server = Fake::plain(|_| Reply::list()).await;
    let setting = Setting::with(&format!("{{server: '{}'}}", server.http()), WITH_EXEC);
    let flags = Flags { token: Some("hunter2".into()), impersonate: some("eve"), ..Flags::default() };
    setting.ask(&flags).await.unwrap();
    setting.ask(&Flags::default()).await.unwrap();
    let seen = server.seen();
    assert!(seen.iter().all(|seen| seen.header("authorization").is_empty()));
    assert_eq!(seen[0].header("impersonate-user"), ["eve"]);
}
