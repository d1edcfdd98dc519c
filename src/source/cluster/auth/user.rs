//! Who the requests are from: what of the selected user is sent to a server.

use http::{HeaderValue, Uri};
use kube::config::AuthInfo;
use secrecy::ExposeSecret;

use crate::source::cluster::auth::error::UserError;
use crate::source::cluster::connect::config::read;
use crate::source::cluster::connect::kubeconfig::Selection;
use crate::source::cluster::connect::overrides;
use crate::source::cluster::text::shown;

/// Who the requests are from. Without TLS only impersonation is sent, as kubectl does: no secret goes over
/// the wire in the clear.
pub fn identity(selection: &Selection, server: &Uri) -> Result<AuthInfo, UserError> {
    let user = &selection.user;
    let pretends = user.impersonate_uid.is_some()
        || user.impersonate_groups.as_ref().is_some_and(|groups| !groups.is_empty())
        || user.impersonate_user_extra.as_ref().is_some_and(|extra| !extra.is_empty());
    if pretends && user.impersonate.as_deref().is_none_or(str::is_empty) {
        return Err(UserError::NobodyImpersonated { user: shown(&selection.user_name) });
    }
    let mut user = user.clone();
    if server.scheme_str() == Some("http") {
        overrides::forget_identity(&mut user);
        (user.client_certificate, user.client_certificate_data) = (None, None);
        (user.client_key, user.client_key_data) = (None, None);
        return Ok(user);
    }
    user.token = user.token.filter(|token| !token.expose_secret().is_empty());
    if user.username.as_deref().is_some_and(|name| !name.is_empty()) {
        user.password.get_or_insert_with(|| String::new().into());
    } else {
        (user.username, user.password) = (None, None);
    }
    token_file(selection, &mut user)?;
    readable(selection, &user)?;
    provider(&user)?;
    Ok(user)
}

/// A token file is left to kube, which reads it again now and then. But kube sends white space around the
/// token too, so such a file is read here, once.
fn token_file(selection: &Selection, user: &mut AuthInfo) -> Result<(), UserError> {
    let (None, Some(path)) = (&user.token, &user.token_file) else { return Ok(()) };
    let bytes = read("tokenFile", path, &selection.user_name)?;
    let text = String::from_utf8(bytes).map_err(|_| UserError::TokenFileNotText)?;
    if text.trim() != text {
        user.token = Some(text.trim().to_owned().into());
    }
    Ok(())
}

/// Refuses a token that no header can hold; kube would panic.
pub fn sendable(user: &AuthInfo) -> Result<(), UserError> {
    let Some(token) = &user.token else { return Ok(()) };
    match HeaderValue::from_str(token.expose_secret()) {
        Ok(_) => Ok(()),
        Err(_) => Err(UserError::UnsendableToken),
    }
}

/// Reads what kube will read, for the better error.
fn readable(selection: &Selection, user: &AuthInfo) -> Result<(), UserError> {
    let owner = &selection.user_name;
    if let (None, Some(path)) = (&user.client_certificate_data, &user.client_certificate) {
        read("client-cert", path, owner)?;
    }
    if let (None, Some(path)) = (&user.client_key_data, &user.client_key) {
        read("client-key", path, owner)?;
    }
    let certificate = user.client_certificate.is_some() || user.client_certificate_data.is_some();
    let key = user.client_key.is_some() || user.client_key_data.is_some();
    let lacking = match (certificate, key) {
        (true, false) => "client-key-data or client-key",
        (false, true) => "client-certificate-data or client-certificate",
        _ => return Ok(()),
    };
    Err(UserError::HalfCertificate { lacking, user: shown(owner) })
}

/// Refuses the built-in providers that kubectl has removed too.
fn provider(user: &AuthInfo) -> Result<(), UserError> {
    let Some(provider) = &user.auth_provider else { return Ok(()) };
    let instead = match provider.name.as_str() {
        "oidc" => return Ok(()),
        "gcp" => "\"gke-gcloud-auth-plugin\"",
        "azure" => "https://github.com/Azure/kubelogin",
        other => return Err(UserError::UnknownProvider { name: shown(other) }),
    };
    Err(UserError::RemovedProvider { name: provider.name.clone(), instead })
}
