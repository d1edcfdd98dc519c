//! `version`.

use serde::Serialize;

use super::failure::Failure;
use super::print;
use super::settings::Output;
use crate::controller::profile::{NEWEST, OLDEST};
use crate::report::API_VERSION;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    api_version: &'static str,
    kind: &'static str,
    version: &'static str,
    kubernetes: Kubernetes,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Kubernetes {
    oldest: String,
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
        Output::Text | Output::Wide | Output::Name => Ok(format!(
            "kubectl-rsexp {version}\nKubernetes {} to {}\n",
            value.kubernetes.oldest, value.kubernetes.newest
        )),
    }
}
