//! What the flags change about the selected cluster and user.

use kube::config::{AuthInfo, Cluster};

use crate::source::cluster::Flags;
use crate::source::cluster::Secret;
use crate::source::cluster::connect::error::ConfigError;
use crate::source::cluster::connect::kubeconfig::{Selection, given};
use crate::source::cluster::text::shown;

/// Applies the flags.
pub fn apply(flags: &Flags, selection: &mut Selection) -> Result<(), ConfigError> {
    contradictions(flags, &selection.user_name)?;
    apply_to_cluster(flags, &mut selection.cluster);
    apply_to_user(flags, &mut selection.user);
    Ok(())
}

/// kubectl refuses them too.
fn contradictions(flags: &Flags, user: &str) -> Result<(), ConfigError> {
    if secret(&flags.token).is_none() || !is_basic(flags) {
        return Ok(());
    }
    Err(ConfigError::TokenAndPassword { user: shown(user) })
}

fn is_basic(flags: &Flags) -> bool {
    given(&flags.username).is_some() || secret(&flags.password).is_some()
}

/// A secret that is given; an empty one is not.
fn secret(flag: &Option<Secret>) -> Option<&str> {
    flag.as_ref().map(Secret::expose).filter(|word| !word.is_empty())
}

fn apply_to_cluster(flags: &Flags, cluster: &mut Cluster) {
    if let Some(server) = given(&flags.server) {
        cluster.server = Some(server.into());
        // The name belongs to the server that it was written for.
        cluster.tls_server_name = None;
    }
    if let Some(name) = given(&flags.tls_server_name) {
        cluster.tls_server_name = Some(name.into());
    }
    if let Some(insecure) = flags.insecure_skip_tls_verify {
        cluster.insecure_skip_tls_verify = Some(insecure);
        if insecure {
            (cluster.certificate_authority, cluster.certificate_authority_data) = (None, None);
        }
    }
    if let Some(path) = &flags.certificate_authority {
        cluster.certificate_authority = Some(path.to_string_lossy().into());
        cluster.certificate_authority_data = None;
    }
    if let Some(disable) = flags.disable_compression {
        cluster.disable_compression = Some(disable);
    }
}

fn apply_to_user(flags: &Flags, user: &mut AuthInfo) {
    if let Some(token) = secret(&flags.token) {
        forget_identity(user);
        user.token = Some(token.to_owned().into());
    }
    if is_basic(flags) {
        let (username, password) = (user.username.take(), user.password.take());
        forget_identity(user);
        user.username = given(&flags.username).map(Into::into).or(username);
        user.password = secret(&flags.password).map(|word| word.to_owned().into()).or(password);
    }
    if let Some(path) = &flags.client_certificate {
        (user.client_certificate, user.client_certificate_data) = (Some(path.to_string_lossy().into()), None);
        user.exec = None;
    }
    if let Some(path) = &flags.client_key {
        (user.client_key, user.client_key_data) = (Some(path.to_string_lossy().into()), None);
        user.exec = None;
    }
    impersonate(flags, user);
}

/// Drops every identity that is not a certificate.
pub fn forget_identity(user: &mut AuthInfo) {
    (user.token, user.token_file) = (None, None);
    (user.username, user.password) = (None, None);
    (user.auth_provider, user.exec) = (None, None);
}

fn impersonate(flags: &Flags, user: &mut AuthInfo) {
    if let Some(name) = given(&flags.impersonate) {
        user.impersonate = Some(name.into());
    }
    if let Some(uid) = given(&flags.impersonate_uid) {
        user.impersonate_uid = Some(uid.into());
    }
    if !flags.impersonate_groups.is_empty() {
        user.impersonate_groups = Some(flags.impersonate_groups.clone());
    }
    if !flags.impersonate_extra.is_empty() {
        let extra = user.impersonate_user_extra.get_or_insert_default();
        extra.clear();
        for (key, value) in &flags.impersonate_extra {
            extra.entry(key.clone()).or_default().push(value.clone());
        }
    }
}
