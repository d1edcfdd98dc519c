//! What of the process the connection depends on, as a value: nothing below reads it elsewhere.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Where a pod finds its service account.
const SERVICE_ACCOUNT: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The process around the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// The environment variables; credential plugins inherit them.
    pub variables: BTreeMap<OsString, OsString>,
    /// The directory of the service account, if this is a pod.
    pub service_account: PathBuf,
    /// Whether standard input is a terminal, so that a credential plugin may ask.
    pub terminal: bool,
    /// Whether nothing may be said on standard error: what a credential plugin writes there is dropped.
    pub quiet: bool,
}

impl Environment {
    pub(crate) fn of_process() -> Environment {
        Environment {
            variables: std::env::vars_os().collect(),
            service_account: SERVICE_ACCOUNT.into(),
            terminal: std::io::stdin().is_terminal(),
            quiet: false,
        }
    }

    /// That of this process where nobody is to be asked or told anything.
    pub(crate) fn silent() -> Environment {
        Environment { terminal: false, quiet: true, ..Environment::of_process() }
    }

    /// A variable that is set and not empty.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// The first of some variables that is set, not empty and UTF-8.
    pub(crate) fn first(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.get(name)?.to_str())
    }

    /// The home directory.
    pub(crate) fn home(&self) -> Option<&Path> {
        let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        self.get(name).map(Path::new)
    }
}
