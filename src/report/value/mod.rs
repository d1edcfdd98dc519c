//! The answer as a value. Its fields and their order are the contract with scripts
//! (`apiVersion: rsexp.dev/v1`): additive only, camelCase, an absent fact is null and never left out.
//!
//! What a script compares is an enum; where the model or the reconstruction has that choice, it is theirs.
//! Start at [`Report`].

mod expectations;
pub(crate) mod open;
mod plan;
mod timeline;

pub use expectations::{
    AwaitedDeletion, Between, Bounds, Counters, ExpectationsReport, GateState, RunningReport,
};
use open::Open;
pub use plan::{ConditionWrite, Creates, Deletes, PlanReport, PlannedSync, StatusWrite, SyncAction, Victim};
pub use timeline::{DueSync, FactCode, LedgerLine, TimelineLine, TimelineObject, TimelineReport};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::objects::OwnerKind;
use crate::reasons::{Code, Tier};
use crate::reconstruct::answer::{Change, Trigger};
use crate::reconstruct::detail::Detail;
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
    pub reasons: Vec<ReasonReport>,
    /// When it changes by itself; null if never, or if that is not known.
    pub until: Option<UntilReport>,
    /// What would wake the ReplicaSet, in words; where one is of use, a command to type comes last.
    #[schemars(with = "Vec<String>")]
    pub(crate) wake: Vec<Trigger>,
    /// What the controller awaits.
    pub expectations: ExpectationsReport,
    /// The sync under way, as far as one is known; verdict and plan are about the one after it.
    pub running: Option<RunningReport>,
    /// What a sync does once its gate lets it through.
    pub plan: PlanReport,
    /// The syncs of a dry run, in order; empty but for `dry-run`.
    pub syncs: Vec<PlannedSync>,
    /// What changed or proved something last, oldest first; empty but for `explain`.
    pub ledger: Vec<LedgerLine>,
    /// What the answer rests on.
    pub evidence: EvidenceReport,
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
    pub source: VersionSource,
}

/// Where the control plane's version comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum VersionSource {
    /// The cluster said it.
    Cluster,
    /// The input says it.
    Recording,
    /// It was given with --server-version.
    Flag,
    /// Nothing tells it: the newest that is known, or the nearest to what was told.
    Assumed,
}

/// The API version of an object: that of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
#[allow(missing_docs, reason = "a description of each would change the schema")]
pub enum ObjectVersion {
    #[serde(rename = "apps/v1")]
    Apps,
    #[serde(rename = "v1")]
    Core,
}

impl From<OwnerKind> for ObjectVersion {
    fn from(kind: OwnerKind) -> ObjectVersion {
        match kind {
            OwnerKind::ReplicaSet => ObjectVersion::Apps,
            OwnerKind::ReplicationController => ObjectVersion::Core,
        }
    }
}

/// The object of a report.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ObjectReference {
    /// Its API version.
    pub api_version: ObjectVersion,
    /// ReplicaSet or ReplicationController.
    pub kind: OwnerKind,
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
#[schemars(rename = "Reason")]
pub struct ReasonReport {
    /// A code of the registry; `explain CODE` tells more.
    #[schemars(with = "Open<Code>")]
    pub code: Code,
    /// How it is known.
    pub tier: Tier,
    /// One sentence with the figures of this case.
    #[serde(rename = "message")]
    #[schemars(with = "String")]
    pub(crate) detail: Detail,
}

/// When a verdict changes by itself.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Until")]
pub struct UntilReport {
    /// The latest instant.
    pub at: Timestamp,
    /// What happens then.
    #[schemars(with = "String")]
    pub(crate) then: Change,
}

/// What the answer rests on.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Evidence")]
pub struct EvidenceReport {
    /// The window in which changes were seen; null for a snapshot.
    pub window: Option<WindowReport>,
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
#[schemars(rename = "Window")]
pub struct WindowReport {
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
    /// Whether the user may not read it.
    #[serde(skip)]
    pub denied: bool,
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

#[cfg(test)]
mod tests {
    use schemars::generate::SchemaSettings;
    use serde_json::Value;

    use super::*;
    use crate::model::scale_down::Rule;

    /// The words that the schema of a choice has.
    fn schema_words<T: JsonSchema>() -> Vec<String> {
        let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
        let constants = schema.get("oneOf").and_then(Value::as_array).expect("constants");
        constants.iter().map(|constant| constant["const"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Each value with the word of `as_str`.
    fn assert_one_word<T: JsonSchema + Serialize>(values: &[(T, &str)]) {
        let printed: Vec<Value> =
            values.iter().map(|(value, _)| serde_json::to_value(value).unwrap()).collect();
        let named: Vec<&str> = values.iter().map(|(_, name)| *name).collect();
        assert_eq!(printed, named);
        assert_eq!(schema_words::<T>(), named);
    }

    #[test]
    fn text_json_and_schema_have_the_same_words() {
        use Rule::*;
        let rules = [
            All,
            Unassigned,
            Phase,
            NotReady,
            DeletionCost,
            Rank,
            ReadyTime,
            Restarts,
            CreationTime,
            Uid,
            Tie,
        ];
        assert_one_word(&rules.map(|rule| (rule, rule.as_str())));
        let tiers = [Tier::Observed, Tier::Logged, Tier::Inferred, Tier::Assumed];
        assert_one_word(&tiers.map(|tier| (tier, tier.as_str())));
        let kinds = [OwnerKind::ReplicaSet, OwnerKind::ReplicationController];
        assert_one_word(&kinds.map(|kind| (kind, kind.as_str())));
        let verdicts =
            [Verdict::Settled, Verdict::Act, Verdict::Skip, Verdict::Blocked, Verdict::Undetermined];
        assert_one_word(&verdicts.map(|verdict| (verdict, verdict.as_str())));
        let codes: Vec<_> = Code::ALL.iter().map(|code| (*code, code.as_str())).collect();
        assert_one_word(&codes);
    }
}
