//! What is wrong with a kubeconfig, a flag or the environment. Texts from outside are escaped already.

use std::io;

use kube::config::KubeconfigError;

/// Why there is no cluster to connect to.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error(
        "no kubeconfig: {looked_at} and this is not a pod; give --kubeconfig FILE, read files with -f, or try \
         \"kubectl rsexp demo\""
    )]
    NoKubeconfig { looked_at: String },
    #[error("stat {path}: no such file or directory")]
    NoSuchFile { path: String },
    /// The error of the YAML reader is no source: it shows the line, and in it may be a token.
    #[error("error loading config file \"{path}\": {why}")]
    Malformed { path: String, why: String },
    #[error("error loading config file \"{path}\": {why}")]
    Unloadable { path: String, why: String, source: KubeconfigError },
    #[error("{what} \"{name}\" does not exist{hint}")]
    UnknownName { what: &'static str, name: String, hint: String },
    #[error("current-context is not set: {hint}")]
    NoContext { hint: String },
    #[error("no server found for cluster \"{cluster}\"")]
    NoServer { cluster: String },
    #[error("server \"{address}\": {why}")]
    ServerAddress { address: String, why: &'static str },
    #[error("specifying a root certificates file with the insecure flag is not allowed")]
    InsecureWithAuthority,
    #[error("unable to load root certificates: no PEM certificate in {place}")]
    NoCertificate { place: String },
    #[error("{field} is not base64")]
    NotBase64 { field: &'static str, source: base64::DecodeError },
    #[error("unable to read {what} {path} for {owner} due to open {path}: {why}")]
    Unreadable { what: &'static str, path: String, owner: String, why: String, source: io::Error },
    #[error(
        "more than one authentication method found for {user}; found [token basicAuth], only one is allowed"
    )]
    TokenAndPassword { user: String },
    /// The address is not shown: it may hold a password.
    #[error("{place}: {why}")]
    ProxyAddress { place: &'static str, why: &'static str },
    #[error("{place}: unsupported scheme \"{scheme}\", must be http, https, or socks5")]
    ProxyScheme { place: &'static str, scheme: String },
}
