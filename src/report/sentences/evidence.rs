//! What an answer rests on, and what it lacks.

use crate::reasons::Tier;
use crate::report::format::{at, exact};
use crate::report::{Degraded, Report, VersionSource, WindowReport};

/// How a fact is known.
pub(crate) fn known_from(tier: Tier) -> &'static str {
    match tier {
        Tier::Observed => "observed",
        Tier::Logged => "from the controller's log",
        Tier::Inferred => "inferred",
        Tier::Assumed => "assumed",
    }
}

/// `as of 2026-01-01T12:00:00Z; watched since 11:59:55Z without a gap; ...`
pub(crate) fn rests_on(report: &Report) -> String {
    let evidence = &report.evidence;
    let version = evidence.resource_version.as_ref().map(|version| format!("; resourceVersion {version}"));
    format!(
        "as of {}; {}{}; {}",
        exact(report.as_of),
        window(evidence.window.as_ref(), report),
        version.unwrap_or_default(),
        server(report)
    )
}

fn window(window: Option<&WindowReport>, report: &Report) -> String {
    let Some(window) = window else { return "a snapshot: earlier changes were not observed".to_owned() };
    let gaps = if window.complete { "without a gap" } else { "with gaps" };
    let (from, to) = (at(window.from, report.as_of), at(window.to, report.as_of));
    if to == at(report.as_of, report.as_of) {
        format!("watched since {from} {gaps}")
    } else {
        format!("watched {from} to {to} {gaps}")
    }
}

fn server(report: &Report) -> String {
    let source = match report.server.source {
        VersionSource::Cluster => "read from the cluster",
        VersionSource::Recording => "read from the recording",
        VersionSource::Flag => "as given",
        VersionSource::Assumed => "assumed",
    };
    format!("Kubernetes {} ({source})", report.server.minor)
}

/// `events: not recorded: ...`
pub(crate) fn missing(lost: &Degraded) -> String {
    format!("{}: {}", lost.what, lost.why)
}

/// What the input lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lacking {
    Pods,
    Events,
    Leases,
    Quotas,
}

impl Lacking {
    /// The resource.
    pub(crate) fn resource(self) -> &'static str {
        match self {
            Lacking::Pods => "pods",
            Lacking::Events => "events",
            Lacking::Leases => "leases.coordination.k8s.io",
            Lacking::Quotas => "resourcequotas",
        }
    }

    /// What is lost by that.
    pub(crate) fn consequence(self) -> &'static str {
        match self {
            Lacking::Pods => {
                "the input has no pods, although a status counts some: if they were left out, every count is wrong \
                 (kubectl get rs,pods,events -o yaml)"
            }
            Lacking::Events => "not recorded: refusals are known only from the condition",
            Lacking::Leases => "not recorded: whether a controller-manager leads is unknown",
            Lacking::Quotas => "not recorded: an exhausted quota shows only once it refuses",
        }
    }
}
