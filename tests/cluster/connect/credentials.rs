//! Credential plugins, and what is never shown.

use rsexp::source::cluster::ErrorKind;
use rsexp::source::cluster::Flags;

use crate::connect::fake::{Fake, Reply};
use crate::connect::setting::Setting;
use crate::connect::tls::Authority;

const API: &str = "client.authentication.k8s.io/v1";

/// A user whose plugin is a shell script; `$RUNS` is a file that it may write to.
fn plugin(script: &str, more: &str) -> String {
    let script = script.replace('\'', "''");
    format!(
        "{{exec: {{apiVersion: {API}, command: /bin/sh, args: ['-c', '{script}'], interactiveMode: Never{more}}}}}"
    )
}

fn answer(status: &str) -> String {
    format!(r#"echo '{{"apiVersion":"{API}","kind":"ExecCredential","status":{status}}}'"#)
}

async fn setting(user: &str) -> (Fake, Setting) {
    let authority = Authority::new();
    let server = Fake::tls(authority.acceptor(&["127.0.0.1"]), |_| Reply::list()).await;
    let mut setting = Setting::tls(&server.https(), &authority.pem(), user);
    let runs = setting.home.path().join("runs");
    setting.set("RUNS", runs.to_str().unwrap());
    (server, setting)
}

async fn says(user: &str) -> String {
    let (server, setting) = setting(user).await;
    let error = setting.error(&Flags::default()).await;
    assert_eq!(error.kind(), ErrorKind::Config);
    assert!(server.seen().is_empty());
    let text = error.to_string();
    let said = text.strip_prefix("Unable to connect to the server: getting credentials: ");
    said.unwrap_or_else(|| panic!("{error}")).to_owned()
}

#[tokio::test]
async fn a_plugin_runs_once_for_several_requests() {
    let user = plugin(&format!("echo run >> $RUNS; {}", answer(r#"{"token":"fresh"}"#)), "");
    let (server, setting) = setting(&user).await;
    let client = setting.connect(&Flags::default()).await.unwrap();
    for _ in 0..3 {
        crate::connect::setting::read(&client, crate::connect::setting::PODS).await.unwrap();
    }
    assert_eq!(std::fs::read_to_string(setting.home.path().join("runs")).unwrap(), "run\n");
    assert!(server.seen().iter().all(|seen| seen.header("authorization") == ["Bearer fresh"]));
    assert_eq!(server.seen().len(), 3);
}

#[tokio::test]
async fn a_plugin_runs_again_when_its_credentials_run_out() {
    let status = r#"{"token":"short","expirationTimestamp":"2026-01-01T00:00:00Z"}"#;
    let user = plugin(&format!("echo run >> $RUNS; {}", answer(status)), "");
    let (_server, setting) = setting(&user).await;
    let client = setting.connect(&Flags::default()).await.unwrap();
    let runs = || std::fs::read_to_string(setting.home.path().join("runs")).unwrap().lines().count();
    crate::connect::setting::read(&client, crate::connect::setting::PODS).await.unwrap();
    assert_eq!(runs(), 1, "what is over when it comes is kept for a moment");
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    crate::connect::setting::read(&client, crate::connect::setting::PODS).await.unwrap();
    assert_eq!(runs(), 2);
}

#[tokio::test]
async fn an_oidc_token_that_cannot_be_renewed() {
    let config = "{id-token: hunter2, client-id: c, client-secret: hunter2, refresh-token: hunter2, \
                  idp-issuer-url: 'https://127.0.0.1:1'}";
    let (_server, setting) = setting(&format!("{{auth-provider: {{name: oidc, config: {config}}}}}")).await;
    let expected =
        "Unable to connect to the server: getting credentials: the oidc token could not be renewed";
    assert_eq!(setting.says(&Flags::default()).await, expected);
}

#[tokio::test]
async fn a_plugin_is_told_what_it_asked_for() {
    let script = format!("echo \"$GREETING $KUBERNETES_EXEC_INFO\" > $RUNS; {}", answer(r#"{"token":"t"}"#));
    let user = plugin(&script, ", provideClusterInfo: true, env: [{name: GREETING, value: hello}]");
    let (server, setting) = setting(&user).await;
    setting.ask(&Flags::default()).await.unwrap();
    let told = std::fs::read_to_string(setting.home.path().join("runs")).unwrap();
    let info: serde_json::Value = serde_json::from_str(told.strip_prefix("hello ").unwrap()).unwrap();
    assert_eq!(info["apiVersion"], API);
    assert_eq!(info["spec"]["interactive"], false);
    assert_eq!(info["spec"]["cluster"]["server"], server.https());
    assert!(info["spec"]["cluster"]["certificate-authority-data"].is_string());
}

#[tokio::test]
async fn a_plugin_may_answer_with_a_certificate() {
    let authority = Authority::new();
    let server = Fake::tls(authority.acceptor(&["127.0.0.1"]), |_| Reply::list()).await;
    let (certificate, key) = authority.client();
    let credential = serde_json::json!({
        "apiVersion": "client.authentication.k8s.io/v1beta1", "kind": "ExecCredential",
        "status": { "clientCertificateData": certificate, "clientKeyData": key },
    });
    let user =
        plugin("read -r answer < $HOME/answer; printf %s \"$answer\"", "").replace("/v1,", "/v1beta1,");
    let setting = Setting::tls(&server.https(), &authority.pem(), &user);
    setting.write("answer", &format!("{credential}\n"));
    setting.ask(&Flags::default()).await.unwrap();
    assert!(server.only().certificate);
}

#[tokio::test]
async fn a_plugin_that_fails() {
    let user = plugin("echo hunter2; exit 3", "");
    assert_eq!(says(&user).await, "exec: executable /bin/sh failed with exit code 3");
}

#[tokio::test]
async fn a_plugin_that_is_missing() {
    let user = "{exec: {apiVersion: client.authentication.k8s.io/v1, command: cloud-login, interactiveMode: Never, \
                installHint: \"Get it:\\n  curl https://get.example | sh\\n\"}}";
    let expected = "exec: executable cloud-login not found; the kubeconfig needs cloud-login to log in; to install \
                    it: Get it: curl https://get.example | sh";
    assert_eq!(says(user).await, expected);
}

#[tokio::test]
async fn a_plugin_whose_answer_is_useless() {
    let cases = [
        ("echo hunter2".into(), "exec plugin: its output is not an ExecCredential".into()),
        (answer("{}"), "exec plugin didn't return a token or cert/key pair".into()),
        (answer("null"), "exec plugin didn't return a status field".into()),
        (
            answer(r#"{"clientKeyData":"hunter2"}"#),
            "exec plugin returned only certificate or key, not both".to_owned(),
        ),
        (
            answer(r#"{"token":"hunter2"}"#).replace("/v1", "/v1beta1"),
            format!("exec plugin is configured to use API version {API}, plugin returned version {API}beta1"),
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(says(&plugin(&script, "")).await, expected);
    }
}

#[tokio::test]
async fn a_plugin_that_must_ask_needs_a_terminal() {
    let user = plugin("exit 0", "").replace("Never", "Always");
    let expected = "exec plugin cannot support interactive mode: standard input is not a terminal";
    assert_eq!(says(&user).await, expected);
}

#[tokio::test]
async fn a_plugin_of_an_old_version() {
    let user = plugin("exit 0", "").replace("/v1,", "/v1alpha1,");
    assert_eq!(
        says(&user).await,
        "exec plugin: invalid apiVersion \"client.authentication.k8s.io/v1alpha1\""
    );
}

#[tokio::test]
async fn removed_providers_name_what_to_use() {
    let said = |name: &str| {
        let user = format!("{{auth-provider: {{name: {name}, config: {{access-token: hunter2}}}}}}");
        async move { setting(&user).await.1.says(&Flags::default()).await }
    };
    let expected = "error: The gcp auth plugin has been removed. Please use the \"gke-gcloud-auth-plugin\" \
                    kubectl/client-go credential plugin instead";
    assert_eq!(said("gcp").await, expected);
    let expected = "error: The azure auth plugin has been removed. Please use the \
                    https://github.com/Azure/kubelogin kubectl/client-go credential plugin instead";
    assert_eq!(said("azure").await, expected);
    assert_eq!(said("openstack").await, "error: no Auth Provider found for name \"openstack\"");
}

#[tokio::test]
async fn a_token_that_cannot_be_sent() {
    let expected = "error: the token has characters that cannot be sent, such as a line end";
    let (_server, setting) = setting("{token: \"hunter2\\nx\"}").await;
    assert_eq!(setting.says(&Flags::default()).await, expected);
    let user = plugin(&answer(r#"{"token":"hunter2\\u0001"}"#), "");
    let (_server, setting) = self::setting(&user).await;
    assert_eq!(setting.says(&Flags::default()).await, expected);
}

#[tokio::test]
async fn a_token_file_may_end_with_a_line_end() {
    let (server, setting) = setting("{tokenFile: token}").await;
    setting.write("token", "filetoken\n");
    setting.ask(&Flags::default()).await.unwrap();
    assert_eq!(server.only().header("authorization"), ["Bearer filetoken"]);
}

#[tokio::test]
async fn no_secret_is_in_any_error() {
    let users = [
        "{token: \"hunter2\\nx\"}",
        "{username: \"u\", password: \"hunter2\\n\"}",
        "{auth-provider: {name: oidc, config: {id-token: hunter2, client-secret: hunter2}}}",
        "{client-certificate-data: hunter2, client-key-data: hunter2}",
        "{client-certificate-data: aHVudGVyMg==, client-key-data: aHVudGVyMg==}",
    ];
    for user in users {
        let (_server, setting) = setting(user).await;
        if let Err(error) = setting.ask(&Flags::default()).await {
            assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
        }
    }
}
