//! One report value, and its renderings.
//!
//! The fields and their order are the contract with scripts (`apiVersion: rsexp.dev/v1`):
//! additive only, camelCase, an absent fact is null and never left out.

pub mod build;
pub mod columns;
#[cfg(test)]
mod fixtures;
pub mod fleet;
pub mod jsonpath;
pub mod ledger;
pub mod moment;
pub mod picture;
pub mod sanitize;
pub mod style;
pub mod table;
pub mod text;
pub mod timeline;
pub mod words;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::reasons::Tier;
pub use crate::reconstruct::verdict::Verdict;

/// The version of the report's format.
pub const API_VERSION: &str = "rsexp.dev/v1";

/// What is known of one ReplicaSet at one instant, and what its next sync does.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReplicaSetReport")]
pub struct Report {
    /// The format's version.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: &'static str,
    /// `ReplicaSetReport`.
    #[schemars(extend("const" = "ReplicaSetReport"))]
    pub kind: &'static str,
    /// The instant that the answer is for.
    pub as_of: Timestamp,
    /// Whose behaviour was assumed.
    pub server: Server,
    /// The object.
    pub object: ObjectReference,
    /// spec.replicas, or the number of a what-if; null if the object does not exist.
    pub desired: Option<i32>,
    /// Active pods after the claim that the next sync makes: what it adopts counts, what it releases does
    /// not. Null if that is open, or if the object does not exist.
    pub active: Option<usize>,
    /// Active less desired: negative if pods are too few; null as they are.
    pub diff: Option<i64>,
    /// The verdict about the next sync.
    pub verdict: Verdict,
    /// Why, the deciding one first.
    pub reasons: Vec<Reason>,
    /// When it changes by itself; null if never, or if that is not known.
    pub until: Option<Until>,
    /// What would wake the ReplicaSet, in words; where one is of use, a command to type comes last.
    pub wake: Vec<String>,
    /// What the controller awaits.
    pub expectations: Expectations,
    /// The sync under way, as far as one is known; verdict and plan are about the one after it.
    pub running: Option<Running>,
    /// What a sync does once its gate lets it through.
    pub plan: Plan,
    /// The syncs of a dry run, in order; empty but for `dry-run`.
    pub syncs: Vec<PlannedSync>,
    /// What changed or proved something last, oldest first; empty but for `explain`.
    pub ledger: Vec<LedgerLine>,
    /// What the answer rests on.
    pub evidence: Evidence,
    /// What could not be read.
    pub degraded: Vec<Degraded>,
}

/// The control plane's version.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Server {
    /// `1.N`: the minor whose behaviour was used.
    pub minor: String,
    /// Where it comes from.
    #[schemars(with = "words::VersionSource")]
    pub source: &'static str,
}

/// The object of a report.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectReference {
    /// Its API version.
    #[schemars(extend("enum" = ["apps/v1", "v1"]))]
    pub api_version: &'static str,
    /// ReplicaSet or ReplicationController.
    #[schemars(with = "words::OwnerKind")]
    pub kind: &'static str,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Its UID; null if it does not exist.
    pub uid: Option<String>,
    /// The version that the answer rests on; null if it does not exist.
    pub resource_version: Option<String>,
    /// Its generation; null if it does not exist.
    pub generation: Option<i64>,
    /// Whether it existed at that instant.
    pub exists: bool,
    /// The Deployment or pod that was asked for, and why it led here; null if the object itself was.
    pub via: Option<String>,
}

/// One reason.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// A code of the registry; `explain CODE` tells more.
    #[schemars(with = "words::Code")]
    pub code: &'static str,
    /// How it is known.
    #[schemars(with = "Tier")]
    pub tier: &'static str,
    /// One sentence with the figures of this case.
    pub message: String,
}

/// When a verdict changes by itself.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Until {
    /// The latest instant.
    pub at: Timestamp,
    /// What happens then.
    pub then: String,
}

/// A range of whole numbers; a null end is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Range {
    /// The lowest possible value.
    pub min: Option<i64>,
    /// The highest possible value.
    pub max: Option<i64>,
}

/// Two instants between which something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Between {
    /// Not before; null if open.
    pub earliest: Option<Timestamp>,
    /// Not after; null if open.
    pub latest: Option<Timestamp>,
}

/// What the controller awaits, once it has handled everything that was seen.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Expectations {
    /// What a sync finds.
    #[schemars(with = "words::Gate")]
    pub gate: &'static str,
    /// Creations awaited; below zero where pods of others were counted.
    pub add: Range,
    /// Deletions awaited.
    pub del: Range,
    /// When they were set; null if nothing bounds it, or without an entry.
    pub set_at: Option<Between>,
    /// When they expire: strictly after this; null as `setAt`.
    pub expires_at: Option<Between>,
    /// Pods whose deletion is awaited, by name.
    pub awaited_deletions: Vec<AwaitedDeletion>,
}

/// A pod whose deletion is awaited.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AwaitedDeletion {
    /// Its name.
    pub pod: String,
    /// Whether that is sure.
    pub certain: bool,
}

/// A sync under way.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Running {
    /// What it does.
    #[schemars(with = "words::Action")]
    pub action: &'static str,
    /// How many it set out for.
    pub count: i64,
    /// How many are done.
    pub done: Range,
    /// When it began.
    pub since: Between,
}

/// What one sync does.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// What it does to the number of pods; null when it cannot be said.
    #[schemars(with = "Option<words::Action>")]
    pub action: Option<&'static str>,
    /// How many pods, after the burst cap.
    pub count: usize,
    /// Whether the burst cap of 500 cuts the difference.
    pub capped: bool,
    /// Pods to be adopted, by name.
    pub adopt: Vec<String>,
    /// Pods to be released, by name.
    pub release: Vec<String>,
    /// The creates.
    pub create: Creates,
    /// The deletes.
    pub delete: Deletes,
    /// The status that the sync writes, with the counts from before its creates and deletes; null if it
    /// writes none, or if that cannot be said.
    pub status: Option<StatusWrite>,
}

impl Plan {
    /// That of a sync that does nothing.
    pub(crate) fn none() -> Plan {
        Plan {
            action: Some("none"),
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
    pub batches: Vec<usize>,
    /// Calls, as far as known refusals let it come.
    pub calls: usize,
    /// Of these, pods that come to be.
    pub created: usize,
    /// Creates never tried.
    pub skipped: usize,
}

/// The deletes of a sync.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deletes {
    /// Pods that go.
    pub certain: Vec<Victim>,
    /// Pods of which some go.
    pub possible: Vec<Victim>,
    /// Pods that stay.
    pub safe: Vec<Victim>,
}

/// One pod of a scale-down.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Victim {
    /// Its name.
    pub pod: String,
    /// The rule that decided.
    #[schemars(with = "words::Rule")]
    pub rule: &'static str,
    /// The rule in words, with the values compared.
    pub why: String,
    /// The smallest pod-deletion-cost with which it surely stays; null if none helps or it stays.
    pub cost_to_save: Option<i32>,
    /// The highest pod-deletion-cost with which it surely goes; null if none does or it goes.
    pub cost_to_doom: Option<i32>,
}

/// The status that a sync writes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StatusWrite {
    /// Active pods.
    pub replicas: i32,
    /// Of these, with all template labels.
    pub fully_labeled_replicas: i32,
    /// Of these, ready.
    pub ready_replicas: i32,
    /// Of these, available.
    pub available_replicas: i32,
    /// Terminating pods; null where the version does not count them.
    pub terminating_replicas: Option<i32>,
    /// The generation that the sync has read.
    pub observed_generation: i64,
    /// Conditions.
    pub conditions: Vec<ConditionWrite>,
    /// Whether it differs from the stored one and so is written.
    pub write: bool,
}

/// A condition of a written status.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConditionWrite {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its status.
    pub status: String,
    /// Its reason.
    pub reason: String,
    /// Its message.
    pub message: String,
}

/// One sync of a dry run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlannedSync {
    /// Counted from 1.
    pub sync: usize,
    /// When it begins, at the earliest.
    pub at: Timestamp,
    /// The gate that it finds.
    #[schemars(with = "words::Gate")]
    pub gate: &'static str,
    /// Whether it leaves replicas alone because of that gate.
    pub skipped: bool,
    /// Active pods that it finds, adopted ones included; null if the claim fails.
    pub active: Option<usize>,
    /// Active less desired; null if the claim fails.
    pub diff: Option<i64>,
    /// What it does.
    pub plan: Plan,
    /// The expectations when it ends, before its pods are seen.
    pub expectations_after: Counters,
    /// Seconds that its calls take at the least at the client's limits.
    pub seconds: f64,
    /// The error that it returns; null if none.
    pub error: Option<String>,
    /// What leads to the next sync.
    pub then: String,
}

/// A line of the ledger, or a run of lines that say the same.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerLine {
    /// When it was received, the first of a run; for what is inferred, when it could be.
    pub at: Timestamp,
    /// When the last of a run was; null for a single line.
    pub until: Option<Timestamp>,
    /// How many lines.
    pub count: u64,
    /// How it is known.
    #[schemars(with = "words::Basis")]
    pub basis: &'static str,
    /// What happened, as a word for scripts.
    #[schemars(with = "words::Fact")]
    pub fact: &'static str,
    /// The same in words.
    pub text: String,
    /// What an event or a failure says, whole; null for other facts.
    pub message: Option<String>,
    /// The pod that it is about; of a run its first and its last one.
    pub pods: Vec<String>,
    /// Creations awaited after it; null if there is no ReplicaSet.
    pub add: Option<Range>,
    /// Deletions awaited after it; null if there is no ReplicaSet.
    pub del: Option<Range>,
    /// The gate after it; null if there is no ReplicaSet.
    #[schemars(with = "Option<words::Gate>")]
    pub gate: Option<&'static str>,
    /// What a sync would have done then; null if there is no ReplicaSet or it is being deleted.
    pub sync: Option<DueSync>,
}

/// What a sync would have done at an instant, by the counts alone: no refusal is foreseen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DueSync {
    /// Whether it could create and delete; null if that is not known.
    pub open: Option<bool>,
    /// What was due.
    #[schemars(with = "words::Action")]
    pub action: &'static str,
    /// How many pods, after the burst cap.
    pub count: i64,
    /// Pods to be adopted, whatever the gate.
    pub adopt: i64,
    /// Pods to be released, whatever the gate.
    pub release: i64,
}

/// The two counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counters {
    /// Creations awaited; null if unknown.
    pub add: Option<i64>,
    /// Deletions awaited; null if unknown.
    pub del: Option<i64>,
}

/// What the answer rests on.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The window in which changes were seen; null for a snapshot.
    pub window: Option<Window>,
    /// The highest resourceVersion seen; null if none was.
    pub resource_version: Option<String>,
    /// Where it comes from, one line a source.
    pub sources: Vec<String>,
    /// Whether a log of the controller is among them: what is advised depends on it.
    #[serde(skip)]
    pub has_log: bool,
}

/// A window of observation.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// Its begin.
    pub from: Timestamp,
    /// Its end.
    pub to: Timestamp,
    /// Whether nothing was missed between.
    pub complete: bool,
}

/// Something that could not be read.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Degraded {
    /// What, for instance `events`.
    pub what: String,
    /// Why, and what is lost.
    pub why: String,
}

/// Several reports.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReplicaSetReportList")]
pub struct ReportList {
    /// The format's version.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: &'static str,
    /// `ReplicaSetReportList`.
    #[schemars(extend("const" = "ReplicaSetReportList"))]
    pub kind: &'static str,
    /// Sorted by namespace and name.
    pub items: Vec<Report>,
}
