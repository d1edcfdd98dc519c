//! `version`.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::render::print;
use crate::engine::failure::Failure;
use crate::engine::settings::Output;
use crate::model::profile::{NEWEST, OLDEST};
use crate::report::API_VERSION;

/// `packages/build` gives it; a build without it does not know its commit.
const COMMIT: Option<&str> = option_env!("RSEXP_COMMIT");

/// The program's version.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// The format's version.
    #[schemars(extend("const" = API_VERSION))]
    api_version: &'static str,
    /// `Version`.
    #[schemars(extend("const" = "Version"))]
    kind: &'static str,
    /// That of the program, as semantic versioning has it.
    version: &'static str,
    /// The commit that it was built from, with `-modified` if anything differed; null if that is not known.
    commit: Option<&'static str>,
    /// The target that it was built for, as Rust names it.
    target: &'static str,
    /// The Kubernetes versions whose behaviour it knows.
    kubernetes: Kubernetes,
}

/// The Kubernetes versions whose behaviour is known; others are taken as the nearest.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Kubernetes {
    /// `1.N`.
    oldest: String,
    /// `1.N`.
    newest: String,
}

/// The program's version and the Kubernetes versions whose behaviour it knows.
pub(crate) fn show(output: Output) -> Result<String, Failure> {
    let kubernetes = Kubernetes { oldest: format!("1.{OLDEST}"), newest: format!("1.{NEWEST}") };
    let version = env!("CARGO_PKG_VERSION");
    let (commit, target) = (COMMIT.filter(|commit| !commit.is_empty()), env!("RSEXP_TARGET"));
    let value = Version { api_version: API_VERSION, kind: "Version", version, commit, target, kubernetes };
    match output {
        Output::Json => print::json(&value),
        Output::Yaml => print::yaml(&value),
        _ => Ok(format!(
            "kubectl-rsexp {version}\n{}target {target}\nKubernetes {} to {}\n",
            commit.map(|commit| format!("commit {commit}\n")).unwrap_or_default(),
            value.kubernetes.oldest,
            value.kubernetes.newest
        )),
    }
}
