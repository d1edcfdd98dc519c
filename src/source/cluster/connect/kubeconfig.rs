//! Kubeconfig files: which are read, how they merge, and what of them is selected.

use std::io;
use std::path::{Path, PathBuf};

use kube::config::{AuthInfo, Cluster, Kubeconfig, KubeconfigError};

use crate::source::cluster::Flags;
use crate::source::cluster::connect::environment::Environment;
use crate::source::cluster::connect::error::ConfigError;
use crate::source::cluster::text::{name, os_error, shown};
use crate::suggest;

/// What the flags and the current context select.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The cluster's name, for errors; empty without one.
    pub cluster_name: String,
    /// The cluster.
    pub cluster: Cluster,
    /// The user's name, for errors; empty without one.
    pub user_name: String,
    /// The user.
    pub user: AuthInfo,
    /// The context's namespace.
    pub namespace: Option<String>,
}

/// Reads the kubeconfig: the file of `--kubeconfig`, else those of KUBECONFIG, else the one below the home
/// directory. None if there is no such file.
pub fn load(flag: Option<&Path>, environment: &Environment) -> Result<Option<Kubeconfig>, ConfigError> {
    if let Some(path) = flag.filter(|path| !path.as_os_str().is_empty()) {
        let missing = || ConfigError::NoSuchFile { path: name(path) };
        return read(path)?.ok_or_else(missing).map(Some);
    }
    let mut merged: Option<Kubeconfig> = None;
    for path in default_files(environment) {
        let Some(next) = read(&path)? else { continue };
        merged = Some(match merged {
            None => next,
            Some(first) => first.merge(next).map_err(|error| unloadable(&path, error))?,
        });
    }
    Ok(merged)
}

/// The names that a kubeconfig defines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Contexts.
    pub contexts: Vec<String>,
    /// Clusters.
    pub clusters: Vec<String>,
    /// Users.
    pub users: Vec<String>,
}

/// The names in the kubeconfig that these flags select, if it can be read.
pub fn names(flags: &Flags) -> Option<Names> {
    let config = load(flags.kubeconfig.as_deref(), &Environment::of_process()).ok()??;
    Some(Names {
        contexts: config.contexts.into_iter().map(|named| named.name).collect(),
        clusters: config.clusters.into_iter().map(|named| named.name).collect(),
        users: config.auth_infos.into_iter().map(|named| named.name).collect(),
    })
}

/// The files that are read without `--kubeconfig`, whether they exist or not.
pub fn default_files(environment: &Environment) -> Vec<PathBuf> {
    match environment.get("KUBECONFIG") {
        Some(list) => std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty()).collect(),
        None => environment.home().map(|home| home.join(".kube").join("config")).into_iter().collect(),
    }
}

/// Reads one file; None if there is none.
fn read(path: &Path) -> Result<Option<Kubeconfig>, ConfigError> {
    match Kubeconfig::read_from(path) {
        Ok(mut config) => {
            config.current_context = config.current_context.filter(|context| !context.is_empty());
            Ok(Some(config))
        }
        Err(KubeconfigError::ReadConfig(error, _)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(KubeconfigError::Parse(error)) => {
            let place = error.location().map(|place| (place.line(), place.column()));
            Err(ConfigError::Malformed { path: name(path), why: malformed(place) })
        }
        Err(error) => Err(unloadable(path, error)),
    }
}

/// Where a file is wrong, but not what stands there: it may be a token.
fn malformed(place: Option<(u64, u64)>) -> String {
    let place = place.map(|(line, column)| format!("line {line}, column {column}: ")).unwrap_or_default();
    format!("{place}not YAML, or not a kubeconfig")
}

fn unloadable(path: &Path, source: KubeconfigError) -> ConfigError {
    let why = match &source {
        KubeconfigError::ReadConfig(error, _) => os_error(error),
        other => other.to_string(),
    };
    ConfigError::Unloadable { path: name(path), why: shown(&why), source }
}

/// Selects context, cluster and user. A name that does not exist is an error: kube would go on without.
pub fn select(config: &Kubeconfig, flags: &Flags) -> Result<Selection, ConfigError> {
    let wanted = given(&flags.context).or(config.current_context.as_deref());
    let find_context = |name| find("context", &config.contexts, name, |entry| (&entry.name, &entry.context));
    let find_cluster = |name| find("cluster", &config.clusters, name, |entry| (&entry.name, &entry.cluster));
    let find_user =
        |name| find("auth info", &config.auth_infos, name, |entry| (&entry.name, &entry.auth_info));
    let context = wanted.map(find_context).transpose()?.unwrap_or_default();
    let cluster = given(&flags.cluster).or(Some(context.cluster.as_str()).filter(|name| !name.is_empty()));
    let user = given(&flags.user).or(context.user.as_deref().filter(|name| !name.is_empty()));
    if wanted.is_none() && cluster.is_none() && given(&flags.server).is_none() {
        return Err(no_context(config));
    }
    Ok(Selection {
        cluster_name: cluster.unwrap_or_default().into(),
        cluster: cluster.map(find_cluster).transpose()?.unwrap_or_default(),
        user_name: user.unwrap_or_default().into(),
        user: user.map(find_user).transpose()?.unwrap_or_default(),
        namespace: context.namespace.filter(|namespace| !namespace.is_empty()),
    })
}

/// A flag that is given; kubectl takes an empty one as not given.
pub fn given(flag: &Option<String>) -> Option<&str> {
    flag.as_deref().filter(|value| !value.is_empty())
}

/// The entry of this name in one of the lists of a kubeconfig; one without a body is empty, as in kubectl.
fn find<Entry, Body: Clone + Default>(
    what: &'static str,
    entries: &[Entry],
    name: &str,
    parts: impl Fn(&Entry) -> (&str, &Option<Body>),
) -> Result<Body, ConfigError> {
    let mut known = entries.iter().map(&parts);
    known
        .find(|(other, _)| *other == name)
        .map(|(_, body)| body.clone().unwrap_or_default())
        .ok_or_else(|| unknown(what, name, entries.iter().map(|entry| parts(entry).0)))
}

fn unknown<'a>(what: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> ConfigError {
    let hint = shown(&suggest::hint(name, known));
    ConfigError::UnknownName { what, name: shown(name), hint }
}

fn no_context(config: &Kubeconfig) -> ConfigError {
    let known: Vec<String> = config.contexts.iter().take(10).map(|named| shown(&named.name)).collect();
    let hint = match known.len() {
        0 => "the kubeconfig has no contexts; give --server URL, or another --kubeconfig FILE".into(),
        _ => format!("give --context NAME (known: {})", known.join(", ")),
    };
    ConfigError::NoContext { hint }
}
