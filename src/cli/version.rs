//! `version`.

use schemars::JsonSchema;
use serde::Serialize;

use super::failure::Failure;
use super::print;
use super::settings::Output;
use crate::controller::profile::{NEWEST, OLDEST};
use crate::report::API_VERSION;

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
pub fn show(output: Output) -> Result<String, Failure> {
    let kubernetes = Kubernetes { oldest: format!("1.{OLDEST}"), newest: format!("1.{NEWEST}") };
    let version = env!("CARGO_PKG_VERSION");
    let value = Version { api_version: API_VERSION, kind: "Version", version, kubernetes };
    match output {
        Output::Json => print::json(&value),
        Output::Yaml => print::yaml(&value),
        _ => Ok(format!(
            "kubectl-rsexp {version}\nKubernetes {} to {}\n",
            value.kubernetes.oldest, value.kubernetes.newest
        )),
    }
}
