//! Objects around a ReplicaSet that explain why a sync cannot do its work.

use jiff::Timestamp;

use super::{Labels, Meta, Selector};

/// A Deployment.
#[derive(Debug, Clone, PartialEq)]
pub struct Deployment {
    /// Its metadata.
    pub meta: Meta,
    /// Wanted pods.
    pub replicas: i32,
    /// Which ReplicaSets it may own.
    pub selector: Selector,
    /// Generation that its controller has read.
    pub observed_generation: i64,
}

/// A namespace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Namespace {
    /// Its metadata.
    pub meta: Meta,
    /// Whether it is being deleted: no object can be created in it.
    pub terminating: bool,
}

/// A ResourceQuota.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Quota {
    /// Its metadata.
    pub meta: Meta,
    /// Hard limits by resource, as written.
    pub hard: Vec<(String, String)>,
    /// Usage by resource as the quota controller counted it.
    pub used: Vec<(String, String)>,
    /// Whether scopes restrict the quota to some pods.
    pub scoped: bool,
}

impl Quota {
    /// How many pods the quota still takes by its count of pods; None if it does not count
    /// pods, or restricts them to a scope.
    pub fn pods_left(&self) -> Option<u64> {
        if self.scoped {
            return None;
        }
        let value = |list: &[(String, String)], key: &str| {
            list.iter().find(|(k, _)| k == key).and_then(|(_, v)| v.parse::<u64>().ok())
        };
        ["pods", "count/pods"]
            .iter()
            .filter_map(|key| Some(value(&self.hard, key)?.saturating_sub(value(&self.used, key)?)))
            .min()
    }
}

/// The lease by which one controller-manager leads.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lease {
    /// Its metadata.
    pub meta: Meta,
    /// Who leads; empty after a clean stop.
    pub holder: String,
    /// Seconds without renewal after which another may lead.
    pub duration_seconds: i64,
    /// Since when the holder leads, on the holder's clock.
    pub acquired: Option<Timestamp>,
    /// Last renewal, on the holder's clock.
    pub renewed: Option<Timestamp>,
}

/// A LimitRange: its maximum per container.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LimitRange {
    /// Its metadata.
    pub meta: Meta,
    /// Maximum per container by resource, as written.
    pub container_max: Vec<(String, String)>,
}

/// A ServiceAccount.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServiceAccount {
    /// Its metadata.
    pub meta: Meta,
}

/// A Service.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Service {
    /// Its metadata.
    pub meta: Meta,
    /// Labels of the pods behind it; empty for a Service without a selector.
    pub selector: Labels,
}

/// A Node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Node {
    /// Its metadata.
    pub meta: Meta,
    /// Whether its Ready condition is True.
    pub ready: bool,
    /// Since when the condition is what it is.
    pub since: Option<Timestamp>,
}
