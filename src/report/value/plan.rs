//! What one sync does.

use std::fmt;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::open::Open;
use super::{Counters, GateState};
use crate::model::scale_down::Rule;

/// What a sync does to the number of pods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Action")]
pub enum SyncAction {
    /// It creates pods.
    Create,
    /// It deletes pods.
    Delete,
    /// Neither.
    None,
}

impl fmt::Display for SyncAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// What one sync does.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Plan")]
pub struct PlanReport {
    /// What it does to the number of pods; null when it cannot be said.
    pub(crate) action: Option<SyncAction>,
    /// How many pods, after the burst cap.
    pub(crate) count: usize,
    /// Whether the burst cap of 500 cuts the difference.
    pub(crate) capped: bool,
    /// Pods to be adopted, by name.
    pub(crate) adopt: Vec<String>,
    /// Pods to be released, by name.
    pub(crate) release: Vec<String>,
    /// The creates.
    pub(crate) create: Creates,
    /// The deletes.
    pub(crate) delete: Deletes,
    /// The status that the sync writes, with the counts from before its creates and deletes; null if it
    /// writes none, or if that cannot be said.
    pub(crate) status: Option<StatusWrite>,
}

impl PlanReport {
    /// That of a sync that does nothing.
    pub(crate) fn none() -> PlanReport {
        PlanReport {
            action: Some(SyncAction::None),
            count: 0,
            capped: false,
            adopt: Vec::new(),
            release: Vec::new(),
            create: Creates::default(),
            delete: Deletes::default(),
            status: None,
        }
    }
}

/// The creates of a sync.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Creates {
    /// The slow-start batches if nothing is refused.
    pub(crate) batches: Vec<usize>,
    /// Calls, as far as known refusals let it come.
    pub(crate) calls: usize,
    /// Of these, pods that come to be.
    pub(crate) created: usize,
    /// Creates never tried.
    pub(crate) skipped: usize,
}

/// The deletes of a sync.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deletes {
    /// Pods that go.
    pub(crate) certain: Vec<Victim>,
    /// Pods of which some go.
    pub(crate) possible: Vec<Victim>,
    /// Pods that stay.
    pub(crate) safe: Vec<Victim>,
}

/// One pod of a scale-down.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Victim {
    /// Its name.
    pub(crate) pod: String,
    /// The rule that decided.
    #[schemars(with = "Open<Rule>")]
    pub(crate) rule: Rule,
    /// The rule in words, with the values compared.
    pub(crate) why: String,
    /// The smallest pod-deletion-cost with which it surely stays; null if none helps or it stays.
    pub(crate) cost_to_save: Option<i32>,
    /// The highest pod-deletion-cost with which it surely goes; null if none does or it goes.
    pub(crate) cost_to_doom: Option<i32>,
}

/// The status that a sync writes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusWrite {
    /// Active pods.
    pub(crate) replicas: i32,
    /// Of these, with all template labels.
    pub(crate) fully_labeled_replicas: i32,
    /// Of these, ready.
    pub(crate) ready_replicas: i32,
    /// Of these, available.
    pub(crate) available_replicas: i32,
    /// Terminating pods; null where the version does not count them.
    pub(crate) terminating_replicas: Option<i32>,
    /// The generation that the sync has read.
    pub(crate) observed_generation: i64,
    /// Conditions.
    pub(crate) conditions: Vec<ConditionWrite>,
    /// Whether it differs from the stored one and so is written.
    pub(crate) write: bool,
}

/// A condition of a written status.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConditionWrite {
    /// Its type.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// Its status.
    pub(crate) status: String,
    /// Its reason.
    pub(crate) reason: String,
    /// Its message.
    pub(crate) message: String,
}

/// One sync of a dry run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlannedSync {
    /// Counted from 1.
    pub(crate) sync: usize,
    /// When it begins, at the earliest.
    pub(crate) at: Timestamp,
    /// The gate that it finds.
    pub(crate) gate: GateState,
    /// Whether it leaves replicas alone because of that gate.
    pub(crate) skipped: bool,
    /// Active pods that it finds, adopted ones included; null if the claim fails.
    pub(crate) active: Option<usize>,
    /// Active less desired; null if the claim fails.
    pub(crate) diff: Option<i64>,
    /// What it does.
    pub(crate) plan: PlanReport,
    /// The expectations when it ends, before its pods are seen.
    pub(crate) expectations_after: Counters,
    /// Seconds that its calls take at the least at the client's limits.
    pub(crate) seconds: f64,
    /// The error that it returns; null if none.
    pub(crate) error: Option<String>,
    /// What leads to the next sync.
    pub(crate) then: String,
}
