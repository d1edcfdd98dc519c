//! kubectl's flags about the connection.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, Args, Command};

use crate::cli::args::values;
use crate::source::cluster::{Flags, Secret};

const HEADING: &str = "Connection (as kubectl)";

/// Which cluster, as whom, and how.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = HEADING)]
pub struct Connection {
    /// Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// Use this context of the kubeconfig
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    /// Use this cluster of the kubeconfig
    #[arg(long, value_name = "NAME")]
    cluster: Option<String>,
    /// Use this user of the kubeconfig
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// The API server
    #[arg(short, long, value_name = "URL")]
    server: Option<String>,
    /// Trust these certificate authorities
    #[arg(long, value_name = "FILE")]
    certificate_authority: Option<PathBuf>,
    /// Do not verify the server's certificate; this makes the connection insecure
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "true", value_parser = values::boolean)]
    insecure_skip_tls_verify: Option<bool>,
    /// Verify the server's certificate for this name
    #[arg(long, value_name = "NAME")]
    tls_server_name: Option<String>,
    /// Do not request compressed responses
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "true", value_parser = values::boolean)]
    disable_compression: Option<bool>,
    /// Log in with this bearer token
    #[arg(long, value_name = "TOKEN")]
    token: Option<Secret>,
    /// Log in with this name (basic authentication)
    #[arg(long, value_name = "NAME")]
    username: Option<String>,
    /// Log in with this password (basic authentication)
    #[arg(long, value_name = "PASSWORD")]
    password: Option<Secret>,
    /// Log in with this certificate
    #[arg(long, value_name = "FILE")]
    client_certificate: Option<PathBuf>,
    /// The key of the certificate
    #[arg(long, value_name = "FILE")]
    client_key: Option<PathBuf>,
    /// Impersonate this user
    #[arg(long = "as", value_name = "USER")]
    impersonate: Option<String>,
    /// Impersonate this group; may be repeated
    #[arg(long, value_name = "GROUP")]
    as_group: Vec<String>,
    /// Impersonate this UID
    #[arg(long, value_name = "UID")]
    as_uid: Option<String>,
    /// Impersonate with this extra information; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::pair)]
    as_user_extra: Vec<(String, String)>,
    /// Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 for no timeout
    #[arg(long, value_name = "TIME", value_parser = values::duration, allow_hyphen_values = true)]
    request_timeout: Option<Duration>,
    /// Show what an error comes from; from 6 on every request too
    #[arg(short, long = "v", value_name = "N", value_parser = values::level)]
    verbosity: Option<u8>,
    #[command(flatten)]
    ignored: Ignored,
}

/// What kubectl takes too, but what has nothing to act on here.
#[derive(Debug, Default, Args)]
struct Ignored {
    #[arg(long, hide = true, value_name = "DIRECTORY")]
    cache_dir: Option<String>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, value_parser = values::boolean)]
    #[arg(default_missing_value = "true")]
    match_server_version: Option<bool>,
    #[arg(long, hide = true)]
    profile: Option<String>,
    #[arg(long, hide = true)]
    profile_output: Option<String>,
    #[arg(long, hide = true)]
    log_flush_frequency: Option<String>,
    #[arg(long, hide = true)]
    vmodule: Option<String>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true, value_parser = values::boolean)]
    #[arg(default_missing_value = "true")]
    warnings_as_errors: Option<bool>,
}

impl Connection {
    /// Whether `-v` asks for more than the error itself.
    pub fn is_verbose(&self) -> bool {
        self.verbosity.is_some_and(|level| level > 0)
    }

    /// The plain flags.
    pub fn flags(self) -> Flags {
        Flags {
            kubeconfig: self.kubeconfig,
            context: self.context,
            cluster: self.cluster,
            user: self.user,
            server: self.server,
            certificate_authority: self.certificate_authority,
            insecure_skip_tls_verify: self.insecure_skip_tls_verify,
            tls_server_name: self.tls_server_name,
            disable_compression: self.disable_compression,
            token: self.token,
            username: self.username,
            password: self.password,
            client_certificate: self.client_certificate,
            client_key: self.client_key,
            impersonate: self.impersonate,
            impersonate_groups: self.as_group,
            impersonate_uid: self.as_uid,
            impersonate_extra: self.as_user_extra,
            request_timeout: self.request_timeout,
            verbosity: self.verbosity.unwrap_or_default(),
        }
    }
}

/// Lets the flags and the namespace stand before the command too, as kubectl does. They are shown only with the
/// commands that have them.
pub fn anywhere(command: Command) -> Command {
    let namespace = Arg::new("namespace").short('n').long("namespace").value_name("NAME");
    let flags = Connection::augment_args(Command::new("").arg(namespace));
    let flags: Vec<Arg> = flags.get_arguments().map(|flag| flag.clone().global(true).hide(true)).collect();
    command.args(flags)
}
