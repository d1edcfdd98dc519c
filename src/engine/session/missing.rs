//! Targets that were named and not found, and instants before anything was observed.

use jiff::Timestamp;

use super::Session;
use crate::engine::settings::Question as Asked;
use crate::engine::targets::target::{Kind, Target};
use crate::engine::targets::{lineage, resolve};
use crate::reasons::Code;
use crate::suggest;

/// An instant asked for that lies before the first observation.
#[derive(Clone, Copy)]
struct TooEarly {
    at: Timestamp,
    first: Timestamp,
}

impl std::fmt::Display for TooEarly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "--at {} is before the recording, which begins at {}", self.at, self.first)
    }
}

impl Session<'_> {
    /// A line for each named target that was not found at any instant.
    pub(super) fn missing(&self) -> Vec<String> {
        let found = |place: usize, target: &Target| {
            let found = self.found.get(&place).is_some_and(|ids| !ids.is_empty());
            found || !resolve::ever_named(&self.reconstruction, self.settings, target).is_empty()
        };
        let named = self.settings.targets.iter().enumerate().filter(|(_, target)| target.name().is_some());
        let missing = named.filter(|(place, target)| !found(*place, target));
        missing.map(|(_, target)| self.why_missing(target)).collect()
    }

    /// A warning for each instant at which nothing had been observed yet.
    pub(super) fn too_early(&self) -> Vec<String> {
        self.early_instants().iter().map(|early| format!("{early}: nothing had been seen yet")).collect()
    }

    fn early_instants(&self) -> Vec<TooEarly> {
        let Some(first) = self.first else { return Vec::new() };
        let early = self.settings.at.iter().filter(|at| **at < first);
        early.map(|at| TooEarly { at: *at, first }).collect()
    }

    fn why_missing(&self, target: &Target) -> String {
        let early = self.early_instants();
        if let Some(first) = early.first()
            && early.len() == self.settings.at.len()
        {
            let name = target.name().map_or("", |(_, name)| name);
            return format!("{first}: {name} had not been observed at that time");
        }
        lineage::why_nothing(&self.reconstruction, self.settings, target)
            .unwrap_or_else(|| target.not_found() + &self.similar(target))
    }

    /// A name that was seen, or a code, and looks like the missing one.
    fn similar(&self, target: &Target) -> String {
        let Some((kind, name)) = target.name() else { return String::new() };
        let code = Code::ALL.iter().map(|code| code.as_str()).find(|code| code.eq_ignore_ascii_case(name));
        if let Some(code) = code
            && self.settings.question == Asked::Explain
        {
            return format!("; did you mean the code {code}?");
        }
        let seen = self.reconstruction.seen();
        // The same name under another kind is the likeliest slip.
        if let Some((kind, _)) = seen.iter().find(|(_, key)| key.name == name) {
            return format!("; did you mean \"{}/{name}\"?", kind.short());
        }
        let view = self.reconstruction.view();
        let here = |namespace: &str| self.settings.only_namespace().is_none_or(|only| only == namespace);
        match kind {
            Kind::Pod => {
                let pods = view.cache.pods().filter(|pod| here(&pod.meta.namespace));
                suggest::hint(name, pods.map(|pod| pod.meta.name.as_str()))
            }
            Kind::Deployment => {
                let deployments = view.deployments.keys().filter(|key| here(&key.namespace));
                suggest::hint(name, deployments.map(|key| key.name.as_str()))
            }
            Kind::ReplicaSet | Kind::ReplicationController => {
                suggest::hint(name, seen.iter().map(|(_, key)| key.name.as_str()))
            }
        }
    }
}
