//! `auth`: what this user may read of a cluster, and what is lost without the rest.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::args::AuthArguments;
use crate::cli::exit::Exit;
use crate::cli::render::print;
use crate::engine::failure::Failure;
use crate::engine::settings::Output;
use crate::objects::Resource;
use crate::report::{API_VERSION, table};
use crate::source::cluster::access::{Access, Allowed};
use crate::source::cluster::{Live, Scope};

const HEADS: [&str; 6] = ["RESOURCE", "SCOPE", "GET", "LIST", "WATCH", "LOST WITHOUT IT"];

/// What this user may read.
#[derive(Debug)]
pub struct Rights {
    /// Where; None for every namespace.
    namespace: Option<String>,
    access: Vec<Access>,
}

/// What this user may read.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccessReport<'a> {
    /// The format's version.
    #[schemars(extend("const" = API_VERSION))]
    api_version: &'static str,
    /// `AccessReport`.
    #[schemars(extend("const" = "AccessReport"))]
    kind: &'static str,
    /// The namespace asked about; null for every namespace.
    namespace: Option<&'a str>,
    /// Whether there are answers at all with these rights.
    sufficient: bool,
    /// One for each resource that is read.
    items: Vec<Item<'a>>,
}

/// What this user may read of one resource.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Access")]
struct Item<'a> {
    /// As RBAC names it, with its group: `replicasets.apps`.
    resource: &'static str,
    /// Whether it is read in one namespace or in all.
    #[schemars(extend("enum" = ["namespace", "cluster"]))]
    scope: &'static str,
    /// The namespace in which it is read; null for all.
    namespace: Option<&'a str>,
    /// The one object that is read; null for all.
    name: Option<&'a str>,
    /// Whether there is no answer at all without it.
    required: bool,
    /// Whether get is permitted; null if that could not be found out.
    get: Option<bool>,
    /// Whether list is permitted; null if that could not be found out.
    list: Option<bool>,
    /// Whether watch is permitted; null if that could not be found out.
    watch: Option<bool>,
    /// What is lost; null if nothing is.
    lost: Option<&'static str>,
}

impl<'a> From<&'a Access> for Item<'a> {
    fn from(access: &'a Access) -> Item<'a> {
        let read = &access.read;
        Item {
            resource: read.resource.as_str(),
            scope: if read.namespace.is_some() { "namespace" } else { "cluster" },
            namespace: read.namespace.as_deref(),
            name: read.name.as_deref(),
            required: read.required,
            get: known(&access.get),
            list: known(&access.list),
            watch: known(&access.watch),
            lost: access.lost(),
        }
    }
}

/// Tries everything that the commands read.
pub fn find_out(arguments: AuthArguments) -> Result<Rights, Failure> {
    let (namespace, everywhere) = (arguments.namespace.clone(), arguments.all_namespaces);
    let live = Live::connect(&arguments.connection())?;
    let namespace = (!everywhere).then(|| namespace.unwrap_or_else(|| live.default_namespace().to_owned()));
    let access = live.probe(&everything(namespace.as_deref()).reads)?;
    Ok(Rights { namespace, access })
}

/// What any command may read.
fn everything(namespace: Option<&str>) -> Scope {
    [
        Resource::Deployments,
        Resource::Quotas,
        Resource::Namespaces,
        Resource::Leases,
        Resource::ReplicationControllers,
    ]
    .into_iter()
    .fold(Scope::of(namespace), Scope::with)
}

impl Rights {
    /// The answer in this format.
    pub fn show(&self, output: Output) -> Result<String, Failure> {
        let report = AccessReport {
            api_version: API_VERSION,
            kind: "AccessReport",
            namespace: self.namespace.as_deref(),
            sufficient: self.is_sufficient(),
            items: self.access.iter().map(Item::from).collect(),
        };
        match output {
            Output::Json => print::json(&report),
            Output::Yaml => print::yaml(&report),
            _ => Ok(self.table()),
        }
    }

    /// 4 if there is no answer at all with these rights.
    pub fn exit(&self) -> Exit {
        if self.is_sufficient() { Exit::Answered } else { Exit::Forbidden }
    }

    /// Why something is not known, one line each.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        for access in &self.access {
            for answer in [&access.get, &access.list, &access.watch] {
                if let Allowed::Unknown(error) = answer {
                    problems.push(format!("{}: {error}", access.read.place()));
                }
            }
        }
        problems.dedup();
        problems
    }

    fn is_sufficient(&self) -> bool {
        !self.access.iter().any(Access::is_fatal)
    }

    fn table(&self) -> String {
        let rows: Vec<Vec<String>> = self.access.iter().map(row).collect();
        table::plain(&HEADS, &rows)
    }
}

fn row(access: &Access) -> Vec<String> {
    let read = &access.read;
    let name = read.name.as_ref().filter(|_| read.resource != Resource::Namespaces);
    let resource = match name {
        Some(name) => format!("{}/{name}", read.resource.as_str()),
        None => read.resource.as_str().to_owned(),
    };
    let scope = match (&read.namespace, &read.name) {
        (Some(namespace), _) => format!("namespace {namespace}"),
        (None, Some(name)) => format!("namespace {name}"),
        (None, None) => "cluster".to_owned(),
    };
    let lost = match access.lost() {
        Some(lost) if access.is_fatal() => format!("everything: {lost}"),
        Some(lost) => lost.to_owned(),
        None => "-".to_owned(),
    };
    vec![resource, scope, word(&access.get), word(&access.list), word(&access.watch), lost]
}

fn word(allowed: &Allowed) -> String {
    match known(allowed) {
        Some(true) => "yes",
        Some(false) => "no",
        None => "?",
    }
    .to_owned()
}

fn known(allowed: &Allowed) -> Option<bool> {
    match allowed {
        Allowed::Yes => Some(true),
        Allowed::No => Some(false),
        Allowed::Unknown(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All rights in namespace shop but those that are denied, as `resource verb`.
    fn rights(denied: &[&str]) -> Rights {
        let answer = |resource: Resource, verb: &str| {
            let asked = format!("{} {verb}", resource.as_str());
            if denied.contains(&asked.as_str()) { Allowed::No } else { Allowed::Yes }
        };
        let access = |read: crate::source::cluster::scope::Read| Access {
            get: answer(read.resource, "get"),
            list: answer(read.resource, "list"),
            watch: answer(read.resource, "watch"),
            read,
        };
        let reads = everything(Some("shop")).reads;
        Rights { namespace: Some("shop".into()), access: reads.into_iter().map(access).collect() }
    }

    fn lost(rights: &Rights, resource: Resource) -> Option<&'static str> {
        rights.access.iter().find(|access| access.read.resource == resource).unwrap().lost()
    }

    #[test]
    fn only_replicasets_and_pods_are_required() {
        assert_eq!(rights(&[]).exit(), Exit::Answered);
        let others = ["events list", "deployments.apps list", "resourcequotas list", "namespaces list"];
        assert_eq!(rights(&others).exit(), Exit::Answered);
        assert_eq!(rights(&["pods watch", "pods get"]).exit(), Exit::Answered);
        assert_eq!(rights(&["pods list"]).exit(), Exit::Forbidden);
        assert_eq!(rights(&["replicasets.apps list"]).exit(), Exit::Forbidden);
    }

    #[test]
    fn what_is_denied_says_what_is_lost() {
        let all = rights(&[]);
        assert!(all.access.iter().all(|access| access.lost().is_none()));
        let some =
            rights(&["events list", "events watch", "pods watch", "namespaces list", "namespaces watch"]);
        for resource in [Resource::Events, Resource::Pods, Resource::Namespaces] {
            assert!(lost(&some, resource).is_some(), "{}", resource.as_str());
        }
        let less =
            rights(&["events list", "events watch", "pods list", "namespaces get", "namespaces watch"]);
        assert_ne!(lost(&some, Resource::Pods), lost(&less, Resource::Pods), "changes, or everything");
    }

    #[test]
    fn the_table_has_a_line_for_each_resource() {
        let table = rights(&["pods list"]).table();
        assert_eq!(table.lines().count(), 9, "{table}");
    }
}
