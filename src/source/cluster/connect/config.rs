//! From flags, kubeconfig and environment to everything that a connection needs.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::{HeaderValue, Uri, header};
use kube::config::{AuthInfo, Cluster, Kubeconfig};
use rustls::pki_types::{CertificateDer, pem::PemObject};

use crate::source::cluster::Flags;
use crate::source::cluster::connect::environment::Environment;
use crate::source::cluster::connect::error::ConfigError;
use crate::source::cluster::connect::kubeconfig::{self, Selection, given};
use crate::source::cluster::connect::overrides;
use crate::source::cluster::connect::proxy;
use crate::source::cluster::text::{name, os_error, shown};

/// A resolved connection: all that is needed to connect but for the login.
#[derive(Clone)]
pub struct Resolved {
    /// What kube connects with, but for the user.
    pub config: kube::Config,
    /// The cluster and user with the flags applied.
    pub selection: Selection,
}

/// Resolves a connection as kubectl does.
pub fn resolve(flags: &Flags, environment: &Environment) -> Result<Resolved, ConfigError> {
    let mut selection = selection(flags, environment)?;
    overrides::apply(flags, &mut selection)?;
    let server = server(&selection)?;
    let mut config = kube::Config::new(server.clone());
    config.root_cert = authority(&selection)?;
    config.accept_invalid_certs = selection.cluster.insecure_skip_tls_verify.unwrap_or(false);
    config.tls_server_name = selection.cluster.tls_server_name.clone().filter(|name| !name.is_empty());
    config.disable_compression = selection.cluster.disable_compression.unwrap_or(false);
    config.proxy_url = proxy::choose(selection.cluster.proxy_url.as_deref(), &server, environment)?;
    if !uses_tls(&server, config.proxy_url.as_ref()) {
        // Else the certificates of the system would be read, and be missed on a small image.
        config.root_cert = Some(Vec::new());
    }
    config.default_namespace = selection.namespace.clone().unwrap_or_else(|| "default".into());
    config.headers.push((header::USER_AGENT, HeaderValue::from_static(USER_AGENT)));
    config.default_retry = false;
    Ok(Resolved { config, selection })
}

fn uses_tls(server: &Uri, proxy: Option<&Uri>) -> bool {
    [Some(server), proxy].into_iter().flatten().any(|uri| uri.scheme_str() == Some("https"))
}

/// What audit logs see.
const USER_AGENT: &str = concat!("kubectl-rsexp/", env!("CARGO_PKG_VERSION"));

/// The kubeconfig's selection, or the service account's where there is no kubeconfig and this is a pod.
fn selection(flags: &Flags, environment: &Environment) -> Result<Selection, ConfigError> {
    if let Some(config) = kubeconfig::load(flags.kubeconfig.as_deref(), environment)? {
        return kubeconfig::select(&config, flags);
    }
    let names_one =
        [&flags.context, &flags.cluster, &flags.user].into_iter().any(|flag| given(flag).is_some());
    if !names_one && let Some(pod) = in_cluster(environment) {
        return Ok(pod);
    }
    if names_one || given(&flags.server).is_some() {
        return kubeconfig::select(&Kubeconfig::default(), flags);
    }
    Err(no_kubeconfig(environment))
}

fn no_kubeconfig(environment: &Environment) -> ConfigError {
    let looked_at = match environment.get("KUBECONFIG") {
        None => "neither KUBECONFIG nor ~/.kube/config exist".into(),
        Some(list) => format!("no file of KUBECONFIG={} exists", shown(&list.to_string_lossy())),
    };
    ConfigError::NoKubeconfig { looked_at }
}

/// The service account of a pod, if this is one.
fn in_cluster(environment: &Environment) -> Option<Selection> {
    let host = environment.first(&["KUBERNETES_SERVICE_HOST"])?;
    let port = environment.first(&["KUBERNETES_SERVICE_PORT"])?;
    let path = |file: &str| Some(environment.service_account.join(file).to_str()?.to_owned());
    let token = path("token").filter(|token| Path::new(token).exists())?;
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    let namespace = fs::read_to_string(environment.service_account.join("namespace")).ok();
    Some(Selection {
        cluster_name: "in-cluster".into(),
        cluster: Cluster {
            server: Some(format!("https://{host}:{port}")),
            certificate_authority: path("ca.crt").filter(|authority| Path::new(authority).exists()),
            ..Cluster::default()
        },
        user_name: "service account".into(),
        user: AuthInfo { token_file: Some(token), ..AuthInfo::default() },
        namespace: namespace.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()),
    })
}

/// The server's address: http where no scheme is given, no query, no password.
fn server(selection: &Selection) -> Result<Uri, ConfigError> {
    let missing = || ConfigError::NoServer { cluster: shown(&selection.cluster_name) };
    let text = selection.cluster.server.as_deref().filter(|server| !server.is_empty()).ok_or_else(missing)?;
    let wrong = |why| {
        let address = shown(text.rsplit('@').next().unwrap_or(""));
        ConfigError::ServerAddress { address, why }
    };
    let text = text.split(['?', '#']).next().unwrap_or_default();
    let with_scheme = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let uri: Uri = with_scheme.parse().map_err(|_| wrong("not a URL"))?;
    if !matches!(uri.scheme_str(), Some("https" | "http")) {
        return Err(wrong("the scheme must be https or http"));
    }
    match uri.authority() {
        Some(authority) if authority.host().is_empty() => Err(wrong("names no host")),
        Some(authority) if authority.as_str().contains('@') => {
            Err(wrong("a password in the address is not supported; give --username and --password"))
        }
        _ => Ok(uri),
    }
}

/// The certificates that the server's must be issued by; None for those of the system.
fn authority(selection: &Selection) -> Result<Option<Vec<Vec<u8>>>, ConfigError> {
    let cluster = &selection.cluster;
    let Some(pem) = authority_pem(selection)? else { return Ok(None) };
    if cluster.insecure_skip_tls_verify == Some(true) {
        return Err(ConfigError::InsecureWithAuthority);
    }
    let certificates: Vec<Vec<u8>> = CertificateDer::pem_slice_iter(&pem)
        .filter_map(Result::ok)
        .map(|certificate| certificate.to_vec())
        .collect();
    if certificates.is_empty() {
        let place = cluster.certificate_authority.as_deref().unwrap_or("certificate-authority-data");
        return Err(ConfigError::NoCertificate { place: shown(place) });
    }
    Ok(Some(certificates))
}

fn authority_pem(selection: &Selection) -> Result<Option<Vec<u8>>, ConfigError> {
    let cluster = &selection.cluster;
    if let Some(data) = cluster.certificate_authority_data.as_deref().filter(|data| !data.is_empty()) {
        return decode("certificate-authority-data", data).map(Some);
    }
    let path = cluster.certificate_authority.as_deref().filter(|path| !path.is_empty());
    path.map(|path| read("certificate-authority", path, &selection.cluster_name)).transpose()
}

fn decode(field: &'static str, data: &str) -> Result<Vec<u8>, ConfigError> {
    let data: String = data.split_whitespace().collect();
    BASE64.decode(data).map_err(|source| ConfigError::NotBase64 { field, source })
}

/// Reads a file that the kubeconfig names for a cluster or user.
pub fn read(what: &'static str, path: &str, owner: &str) -> Result<Vec<u8>, ConfigError> {
    fs::read(path).map_err(|source| ConfigError::Unreadable {
        what,
        path: name(Path::new(path)),
        owner: shown(owner),
        why: os_error(&source),
        source,
    })
}
