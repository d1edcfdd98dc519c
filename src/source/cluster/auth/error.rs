//! Why nobody could be logged in. Texts from outside are escaped already; what a plugin answers is never in
//! them, and neither is an error of kube, which may hold it.

use std::io;

use crate::source::cluster::connect::error::ConfigError;

/// What is wrong with the selected user.
#[derive(Debug, thiserror::Error)]
pub enum UserError {
    #[error(transparent)]
    File(#[from] ConfigError),
    #[error("requesting uid, groups or user-extra for {user} without impersonating a user")]
    NobodyImpersonated { user: String },
    #[error("the tokenFile is not text")]
    TokenFileNotText,
    #[error("the token has characters that cannot be sent, such as a line end")]
    UnsendableToken,
    #[error("{lacking} must be specified for {user} to use the clientCert authentication method.")]
    HalfCertificate { lacking: &'static str, user: String },
    #[error("no Auth Provider found for name \"{name}\"")]
    UnknownProvider { name: String },
    #[error(
        "The {name} auth plugin has been removed. Please use the {instead} kubectl/client-go credential plugin \
         instead"
    )]
    RemovedProvider { name: String, instead: &'static str },
    #[error("the user's credentials are unusable")]
    Unusable,
    #[error("the client certificate or its key is not valid PEM")]
    InvalidCertificate,
    #[error("{0}")]
    Client(String),
}

/// Why a credential plugin gave no credentials.
#[derive(Debug, thiserror::Error)]
pub enum PluginError {
    #[error("exec: command must be specified")]
    NoCommand,
    #[error("exec plugin: invalid apiVersion \"{given}\"")]
    UnknownVersion { given: String },
    #[error("exec plugin cannot support interactive mode: standard input is not a terminal")]
    NoTerminal,
    #[error("{0}")]
    ClusterInfo(String),
    #[error("exec: executable {command} not found; the kubeconfig needs {file} to log in{hint}")]
    NotFound { command: String, file: String, hint: String },
    #[error("exec: executable {command}: {why}")]
    Run { command: String, why: String, source: io::Error },
    #[error("exec: executable {command} {ending}")]
    Failed { command: String, ending: String },
    #[error("exec plugin: its output is not an ExecCredential")]
    NotACredential,
    #[error("exec plugin is configured to use API version {wanted}, plugin returned version {given}")]
    OtherVersion { wanted: String, given: String },
    #[error("exec plugin didn't return a status field")]
    NoStatus,
    #[error("exec plugin didn't return a token or cert/key pair")]
    NoCredential,
    #[error("exec plugin returned only certificate or key, not both")]
    HalfCertificate,
    #[error("exec: the credential plugin was given up")]
    GivenUp,
}
