//! The live cluster: the kube client, the only async part of the program.

pub mod access;
pub mod client;
pub mod clock;
pub mod environment;
pub mod get;
pub mod scope;
pub mod trouble;
pub mod window;

mod countdown;
mod focus;
mod frames;
mod interrupt;
mod list;
mod live;
mod watch;

mod bare;
mod body;
mod config;
mod connect;
mod errors;
mod exec;
mod kubeconfig;
mod login;
mod no_proxy;
mod overrides;
mod proxy;
mod retry;
mod secret;
mod status;

use std::path::PathBuf;
use std::time::Duration;

pub use kubeconfig::{Names, names, os_error};
pub use live::{Live, read};
pub use scope::Scope;
pub use secret::Secret;
pub use window::{Closed, LiveNotes};

/// kubectl's connection flags, checked. None is what the kubeconfig says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flags {
    /// `--kubeconfig`
    pub kubeconfig: Option<PathBuf>,
    /// `--context`
    pub context: Option<String>,
    /// `--cluster`
    pub cluster: Option<String>,
    /// `--user`
    pub user: Option<String>,
    /// `--server`
    pub server: Option<String>,
    /// `--certificate-authority`
    pub certificate_authority: Option<PathBuf>,
    /// `--insecure-skip-tls-verify`
    pub insecure_skip_tls_verify: Option<bool>,
    /// `--tls-server-name`
    pub tls_server_name: Option<String>,
    /// `--disable-compression`
    pub disable_compression: Option<bool>,
    /// `--token`
    pub token: Option<Secret>,
    /// `--username`
    pub username: Option<String>,
    /// `--password`
    pub password: Option<Secret>,
    /// `--client-certificate`
    pub client_certificate: Option<PathBuf>,
    /// `--client-key`
    pub client_key: Option<PathBuf>,
    /// `--as`
    pub impersonate: Option<String>,
    /// `--as-group`, repeatable
    pub impersonate_groups: Vec<String>,
    /// `--as-uid`
    pub impersonate_uid: Option<String>,
    /// `--as-user-extra`, repeatable `key=value`
    pub impersonate_extra: Vec<(String, String)>,
    /// `--request-timeout`; None or zero is no limit.
    pub request_timeout: Option<Duration>,
    /// `-v`
    pub verbosity: u8,
}
