//! The world of one test: a home directory, kubeconfigs, an environment.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use futures::StreamExt;
use rsexp::source::cluster::ClusterError;
use rsexp::source::cluster::Flags;
use rsexp::source::cluster::client::{Accept, Client};
use rsexp::source::cluster::environment::Environment;

/// What most tests ask for.
pub const PODS: &str = "/api/v1/namespaces/shop/pods?limit=500";

/// A home directory and an environment.
pub struct Setting {
    pub home: tempfile::TempDir,
    pub environment: Environment,
}

impl Setting {
    pub fn new() -> Setting {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment {
            variables: [("HOME".into(), home.path().into())].into(),
            service_account: home.path().join("serviceaccount"),
            terminal: false,
            quiet: false,
        };
        Setting { home, environment }
    }

    /// With one cluster, one user and one context in the file that KUBECONFIG names.
    pub fn with(cluster: &str, user: &str) -> Setting {
        let mut setting = Setting::new();
        let path = setting.write("config", &kubeconfig("main", cluster, user));
        setting.set("KUBECONFIG", path.to_str().unwrap());
        setting
    }

    /// With a server of no TLS.
    pub fn plain(server: &str) -> Setting {
        Setting::with(&format!("{{server: '{server}'}}"), "{}")
    }

    /// With a server whose certificate is issued by an authority.
    pub fn tls(server: &str, authority: &str, user: &str) -> Setting {
        let data = BASE64.encode(authority);
        Setting::with(&format!("{{server: '{server}', certificate-authority-data: {data}}}"), user)
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.variables.insert(name.into(), value.into());
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.home.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub async fn connect(&self, flags: &Flags) -> Result<Client, ClusterError> {
        Client::connect_in(flags, self.environment.clone()).await
    }

    /// Connects, asks once and reads to the end.
    pub async fn ask(&self, flags: &Flags) -> Result<String, ClusterError> {
        let client = self.connect(flags).await?;
        read(&client, PODS).await
    }

    /// The error of asking.
    pub async fn error(&self, flags: &Flags) -> ClusterError {
        self.ask(flags).await.expect_err("error")
    }

    /// What the user sees of it, with the paths of this test as `~`.
    pub async fn says(&self, flags: &Flags) -> String {
        let message = self.error(flags).await.to_string();
        assert!(!message.contains('\n'), "{message}");
        message.replace(self.home.path().to_str().unwrap(), "~")
    }
}

/// Asks once and reads to the end.
pub async fn read(client: &Client, path: &str) -> Result<String, ClusterError> {
    let mut body = client.get(path, Accept::Protobuf).await?.body;
    let mut text = Vec::new();
    while let Some(piece) = body.next().await {
        text.extend_from_slice(&piece?);
    }
    Ok(String::from_utf8(text).unwrap())
}

/// A kubeconfig with one of each; cluster and user are YAML.
pub fn kubeconfig(name: &str, cluster: &str, user: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: {name}\n\
         clusters:\n- name: {name}-cluster\n  cluster: {cluster}\n\
         users:\n- name: {name}-user\n  user: {user}\n\
         contexts:\n- name: {name}\n  context: {{cluster: {name}-cluster, user: {name}-user, namespace: {name}-space}}\n"
    )
}
