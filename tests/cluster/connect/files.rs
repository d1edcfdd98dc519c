//! Which kubeconfig is read, and what is selected of it.

use rsexp::source::cluster::ErrorKind;
use rsexp::source::cluster::Flags;

use crate::connect::fake::{Fake, Reply};
use crate::connect::setting::{Setting, kubeconfig};

fn flags(context: &str) -> Flags {
    Flags { context: Some(context.into()), ..Flags::default() }
}

#[tokio::test]
async fn no_kubeconfig_at_all() {
    let mut setting = Setting::new();
    let expected = "error: no kubeconfig: neither KUBECONFIG nor ~/.kube/config exist and this is not a pod; \
                    give --kubeconfig FILE, read files with -f, or try \"kubectl rsexp demo\"";
    let error = setting.error(&Flags::default()).await;
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Config, expected));
    setting.set("KUBECONFIG", "");
    assert_eq!(setting.error(&Flags::default()).await.to_string(), expected);
    setting.set("KUBECONFIG", "/nonexistent/a:/nonexistent/b");
    let expected = "error: no kubeconfig: no file of KUBECONFIG=/nonexistent/a:/nonexistent/b exists and this is \
                    not a pod; give --kubeconfig FILE, read files with -f, or try \"kubectl rsexp demo\"";
    assert_eq!(setting.error(&Flags::default()).await.to_string(), expected);
}

#[tokio::test]
async fn the_file_of_the_home_directory() {
    let server = Fake::plain(|_| Reply::list()).await;
    let setting = Setting::new();
    setting.write(".kube/config", &kubeconfig("home", &format!("{{server: '{}'}}", server.http()), "{}"));
    let client = setting.connect(&Flags::default()).await.unwrap();
    assert_eq!(client.default_namespace(), "home-space");
    setting.ask(&Flags::default()).await.unwrap();
}

#[tokio::test]
async fn several_files_merge_and_missing_ones_are_skipped() {
    let (first, second) = (Fake::plain(|_| Reply::list()).await, Fake::plain(|_| Reply::list()).await);
    let mut setting = Setting::new();
    let text = |name, server: &Fake| kubeconfig(name, &format!("{{server: '{}'}}", server.http()), "{}");
    let a = setting.write("a", &text("one", &first));
    // The second file names the same cluster and another: the first wins.
    let b = setting.write("b", &(text("two", &second) + "preferences: {}\n"));
    let c = setting.write("c", &text("one", &second));
    let list = ["/nonexistent/config", "", a.to_str().unwrap(), b.to_str().unwrap(), c.to_str().unwrap()];
    setting.set("KUBECONFIG", &list.join(":"));
    let client = setting.connect(&Flags::default()).await.unwrap();
    assert_eq!(client.default_namespace(), "one-space");
    setting.ask(&Flags::default()).await.unwrap();
    assert_eq!((first.seen().len(), second.seen().len()), (1, 0));
    setting.ask(&flags("two")).await.unwrap();
    assert_eq!((first.seen().len(), second.seen().len()), (1, 1));
}

#[tokio::test]
async fn the_flag_wins_and_its_file_must_exist() {
    let server = Fake::plain(|_| Reply::list()).await;
    let mut setting = Setting::new();
    setting.set("KUBECONFIG", "/nonexistent/config");
    let path = setting.write("own", &kubeconfig("own", &format!("{{server: '{}'}}", server.http()), "{}"));
    setting.ask(&Flags { kubeconfig: Some(path), ..Flags::default() }).await.unwrap();
    let missing = Flags { kubeconfig: Some(setting.home.path().join("none")), ..Flags::default() };
    assert_eq!(setting.says(&missing).await, "error: stat ~/none: no such file or directory");
}

#[tokio::test]
async fn a_file_that_is_no_kubeconfig_does_not_show_its_secrets() {
    let mut setting = Setting::new();
    for text in ["users:\n- name: u\n  user: hunter2\n", "token: 'hunter2\n", "hunter2", "users: hunter2"] {
        let path = setting.write("config", text);
        setting.set("KUBECONFIG", path.to_str().unwrap());
        let said = setting.says(&Flags::default()).await;
        assert!(said.starts_with("error: error loading config file \"~/config\": "), "{said}");
        assert!(said.ends_with("not YAML, or not a kubeconfig"), "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }
}

#[tokio::test]
async fn unknown_names_are_errors_with_a_hint() {
    let mut setting = Setting::plain("http://127.0.0.1:1");
    let said = setting.says(&flags("mian")).await;
    assert_eq!(said, "error: context \"mian\" does not exist; did you mean \"main\"?");
    let cluster = Flags { cluster: Some("main-clutser".into()), ..Flags::default() };
    let expected = "error: cluster \"main-clutser\" does not exist; did you mean \"main-cluster\"?";
    assert_eq!(setting.says(&cluster).await, expected);
    let user = Flags { user: Some("zoe".into()), ..Flags::default() };
    assert_eq!(setting.says(&user).await, "error: auth info \"zoe\" does not exist");
    setting.environment.variables.remove("KUBECONFIG".as_ref() as &std::ffi::OsStr);
    assert_eq!(setting.says(&flags("main")).await, "error: context \"main\" does not exist");
}

#[tokio::test]
async fn a_kubeconfig_without_a_current_context() {
    let mut setting = Setting::plain("http://127.0.0.1:1");
    let path = setting.home.path().join("config");
    let text =
        std::fs::read_to_string(&path).unwrap().replace("current-context: main", "current-context: ''");
    std::fs::write(&path, text).unwrap();
    let expected = "error: current-context is not set: give --context NAME (known: main)";
    assert_eq!(setting.says(&Flags::default()).await, expected);
    let empty = setting.write("empty", "");
    setting.set("KUBECONFIG", empty.to_str().unwrap());
    let expected = "error: current-context is not set: the kubeconfig has no contexts; give --server URL, or \
                    another --kubeconfig FILE";
    assert_eq!(setting.says(&Flags::default()).await, expected);
}

#[tokio::test]
async fn a_cluster_without_a_usable_server() {
    let cases = [
        ("{}", "no server found for cluster \"main-cluster\""),
        ("{server: 'ftp://x'}", "server \"ftp://x\": the scheme must be https or http"),
        ("{server: 'https://'}", "server \"https://\": not a URL"),
        (
            "{server: 'https://u:hunter2@x'}",
            "server \"x\": a password in the address is not supported; give --username and --password",
        ),
    ];
    for (cluster, expected) in cases {
        let said = Setting::with(cluster, "{}").says(&Flags::default()).await;
        assert_eq!(said, format!("error: {expected}"));
    }
}

#[tokio::test]
async fn in_a_pod_the_service_account_is_used() {
    let authority = crate::connect::tls::Authority::new();
    let server = Fake::tls(authority.acceptor(&["127.0.0.1"]), |_| Reply::list()).await;
    let mut setting = Setting::new();
    setting.set("KUBERNETES_SERVICE_HOST", "127.0.0.1");
    setting.set("KUBERNETES_SERVICE_PORT", &server.address.port().to_string());
    setting.write("serviceaccount/token", "podtoken\n");
    setting.write("serviceaccount/namespace", "podspace");
    setting.write("serviceaccount/ca.crt", &authority.pem());
    let client = setting.connect(&Flags::default()).await.unwrap();
    assert_eq!(client.default_namespace(), "podspace");
    setting.ask(&Flags::default()).await.unwrap();
    assert_eq!(server.only().header("authorization"), ["Bearer podtoken"]);
    // A kubeconfig wins over the pod.
    setting.write(".kube/config", &kubeconfig("home", "{server: 'http://127.0.0.1:1'}", "{}"));
    assert_eq!(setting.connect(&Flags::default()).await.unwrap().default_namespace(), "home-space");
}

#[tokio::test]
async fn relative_paths_start_at_their_file() {
    let authority = crate::connect::tls::Authority::new();
    let server = Fake::tls(authority.acceptor(&["127.0.0.1"]), |_| Reply::list()).await;
    let mut setting = Setting::new();
    setting.write("sub/ca.pem", &authority.pem());
    setting.write("sub/token", "filetoken");
    let cluster = format!("{{server: '{}', certificate-authority: ca.pem}}", server.https());
    let path = setting.write("sub/config", &kubeconfig("main", &cluster, "{tokenFile: token}"));
    setting.set("KUBECONFIG", path.to_str().unwrap());
    setting.ask(&Flags::default()).await.unwrap();
    assert_eq!(server.only().header("authorization"), ["Bearer filetoken"]);
}
