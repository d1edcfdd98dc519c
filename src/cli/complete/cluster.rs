//! The names of a cluster's objects, each with how many pods it wants and has.

use std::collections::BTreeMap;
use std::ffi::OsString;

use clap::CommandFactory;

use super::Candidate;
use super::line::Line;
use crate::cli::args::{Arguments, Command};
use crate::engine::targets::target::Kind;
use crate::objects::{Object, Pod, ReplicaSet, Resource};
use crate::source::cluster::scope::Read;
use crate::source::cluster::{Flags, Live};

/// A Deployment notes on its ReplicaSets what it wants.
const DESIRED: &str = "deployment.kubernetes.io/desired-replicas";

/// Which cluster the line is about, and where in it.
#[derive(Debug)]
pub(crate) struct Place {
    /// How the cluster is reached.
    pub(crate) flags: Flags,
    /// The namespace that is named.
    namespace: Option<String>,
    everywhere: bool,
}

impl Place {
    /// By the flags that are on the line already; None if they contradict each other.
    pub fn of(line: &Line) -> Option<Place> {
        // `auth` has the flags that tell it, and no others that matter.
        let program = Arguments::command();
        let auth = program.find_subcommand("auth")?;
        let mut words: Vec<OsString> = vec!["kubectl-rsexp".into(), "auth".into()];
        for (id, value) in line.flags.iter().filter(|(id, _)| !matches!(id.as_str(), "output" | "verbosity"))
        {
            let flag = auth.get_arguments().find(|flag| flag.get_id() == id.as_str());
            let Some(name) = flag.and_then(|flag| flag.get_long()) else { continue };
            words.push(
                if value.is_empty() { format!("--{name}") } else { format!("--{name}={value}") }.into(),
            );
        }
        let Command::Auth(auth) = Arguments::read(words.into_iter()).ok()?.command else { return None };
        let (namespace, everywhere) = (auth.namespace.clone(), auth.all_namespaces);
        Some(Place { flags: auth.connection(), namespace, everywhere })
    }

    fn list(&self, resource: Resource) -> Vec<Object> {
        let Ok(live) = Live::connect_silently(&self.flags) else { return Vec::new() };
        let namespace = self.namespace.clone().unwrap_or_else(|| live.default_namespace().to_owned());
        let namespace = (!self.everywhere && resource != Resource::Namespaces).then_some(namespace);
        live.list(&Read::new(resource, namespace)).unwrap_or_default()
    }
}

pub(crate) fn namespaces(place: &Place) -> Vec<Candidate> {
    let candidate = |object| match object {
        Object::Namespace(namespace) => {
            let about = if namespace.terminating { "Terminating" } else { "" };
            Some(Candidate::new(namespace.meta.name, about))
        }
        _ => None,
    };
    sorted(place.list(Resource::Namespaces).into_iter().filter_map(candidate).collect())
}

/// The objects of a kind. Deployments are those that own ReplicaSets: these may be read by whoever may
/// read anything here.
pub(crate) fn objects(place: &Place, kind: Kind) -> Vec<Candidate> {
    let resource = match kind {
        Kind::ReplicaSet | Kind::Deployment => Resource::ReplicaSets,
        Kind::ReplicationController => Resource::ReplicationControllers,
        Kind::Pod => Resource::Pods,
    };
    of_list(place.list(resource), kind)
}

fn of_list(objects: Vec<Object>, kind: Kind) -> Vec<Candidate> {
    if kind == Kind::Deployment {
        return deployments(objects);
    }
    let candidate = |object| match object {
        Object::ReplicaSet(rs) => {
            Some(Candidate::new(rs.meta.name, counts(rs.replicas.into(), rs.status.replicas.into())))
        }
        Object::Pod(pod) => Some(Candidate::new(pod.meta.name.as_str(), status(&pod))),
        _ => None,
    };
    sorted(objects.into_iter().filter_map(candidate).collect())
}

/// `3/2`: wants 3, has 2.
fn counts(desired: i64, current: i64) -> String {
    format!("{desired}/{current}")
}

fn status(pod: &Pod) -> &'static str {
    if pod.meta.deleted.is_some() { "Terminating" } else { pod.phase.as_str() }
}

fn deployments(objects: Vec<Object>) -> Vec<Candidate> {
    let mut found: BTreeMap<String, Vec<ReplicaSet>> = BTreeMap::new();
    for object in objects {
        let Object::ReplicaSet(rs) = object else { continue };
        let Some(owner) = rs.meta.controller().filter(|owner| owner.kind == "Deployment") else { continue };
        found.entry(owner.name.clone()).or_default().push(rs);
    }
    let candidate = |(name, owned): (String, Vec<ReplicaSet>)| {
        let sum = |count: fn(&ReplicaSet) -> i32| owned.iter().map(|rs| i64::from(count(rs))).sum();
        let told = owned.iter().find_map(|rs| rs.meta.annotations.get(DESIRED)?.parse().ok());
        let desired = told.unwrap_or_else(|| sum(|rs| rs.replicas));
        Candidate::new(name, counts(desired, sum(|rs| rs.status.replicas)))
    };
    found.into_iter().map(candidate).collect()
}

fn sorted(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|a, b| a.value.cmp(&b.value));
    candidates
}
