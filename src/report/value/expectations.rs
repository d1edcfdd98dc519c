//! What the controller waits for.

use std::fmt;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::SyncAction;
use crate::model::expectations::Gate;

/// A range of whole numbers; a null end is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Range")]
pub struct Bounds {
    /// The lowest possible value.
    pub(crate) min: Option<i64>,
    /// The highest possible value.
    pub(crate) max: Option<i64>,
}

/// Two instants between which something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Between {
    /// Not before; null if open.
    pub(crate) earliest: Option<Timestamp>,
    /// Not after; null if open.
    pub(crate) latest: Option<Timestamp>,
}

/// What the controller awaits, once it has handled everything that was seen.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Expectations")]
pub struct ExpectationsReport {
    /// What a sync finds.
    pub(crate) gate: GateState,
    /// Creations awaited; below zero where pods of others were counted.
    pub(crate) add: Bounds,
    /// Deletions awaited.
    pub(crate) del: Bounds,
    /// When they were set; null if nothing bounds it, or without an entry.
    pub(crate) set_at: Option<Between>,
    /// When they expire: strictly after this; null as `setAt`.
    pub(crate) expires_at: Option<Between>,
    /// Pods whose deletion is awaited, by name.
    pub(crate) awaited_deletions: Vec<AwaitedDeletion>,
}

/// A pod whose deletion is awaited.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AwaitedDeletion {
    /// Its name.
    pub(crate) pod: String,
    /// Whether that is sure.
    pub(crate) certain: bool,
}

/// A sync under way.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Running")]
pub struct RunningReport {
    /// What it does.
    pub(crate) action: SyncAction,
    /// How many it set out for.
    pub(crate) count: i64,
    /// How many are done.
    pub(crate) done: Bounds,
    /// When it began.
    pub(crate) since: Between,
}

/// The two counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counters {
    /// Creations awaited; null if unknown.
    pub(crate) add: Option<i64>,
    /// Deletions awaited; null if unknown.
    pub(crate) del: Option<i64>,
}

/// What a sync finds when it asks whether its expectations are satisfied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Gate")]
pub enum GateState {
    /// There is no entry: open.
    None,
    /// Nothing is awaited: open.
    Fulfilled,
    /// Something is awaited, for five minutes at most: closed.
    Waiting,
    /// Something is awaited for more than five minutes: open, as if nothing were outstanding.
    Expired,
    /// The evidence leaves it open.
    Undetermined,
}

impl GateState {
    /// Each of them.
    pub const ALL: [GateState; 5] = [
        GateState::None,
        GateState::Fulfilled,
        GateState::Waiting,
        GateState::Expired,
        GateState::Undetermined,
    ];
}

impl From<Option<Gate>> for GateState {
    fn from(gate: Option<Gate>) -> GateState {
        match gate {
            Some(Gate::None) => GateState::None,
            Some(Gate::Fulfilled) => GateState::Fulfilled,
            Some(Gate::Waiting) => GateState::Waiting,
            Some(Gate::Expired) => GateState::Expired,
            None => GateState::Undetermined,
        }
    }
}

impl fmt::Display for GateState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}
