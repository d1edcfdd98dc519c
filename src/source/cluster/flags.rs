//! kubectl's connection flags, as plain values.

use std::path::PathBuf;
use std::time::Duration;

use crate::source::cluster::Secret;

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
