//! What happened, line by line.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::open::Open;
use super::{API_VERSION, Bounds, GateState, Report, SyncAction};
use crate::objects::OwnerKind;
use crate::reconstruct::Id;
use crate::reconstruct::ledger::{Basis, Fact};

/// A line of the ledger, or a run of lines that say the same.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerLine {
    /// When it was received, the first of a run; for what is inferred, when it could be.
    pub(crate) at: Timestamp,
    /// When the last of a run was; null for a single line.
    pub(crate) until: Option<Timestamp>,
    /// How many lines.
    pub(crate) count: u64,
    /// How it is known.
    pub(crate) basis: Basis,
    /// What happened, as a word for scripts.
    #[schemars(with = "Open<FactCode>")]
    pub(crate) fact: FactCode,
    /// The same in words.
    pub(crate) text: String,
    /// What an event or a failure says, whole; null for other facts.
    pub(crate) message: Option<String>,
    /// The pod that it is about; of a run its first and its last one.
    pub(crate) pods: Vec<String>,
    /// Creations awaited after it; null if there is no ReplicaSet.
    pub(crate) add: Option<Bounds>,
    /// Deletions awaited after it; null if there is no ReplicaSet.
    pub(crate) del: Option<Bounds>,
    /// The gate after it; null if there is no ReplicaSet.
    pub(crate) gate: Option<GateState>,
    /// What a sync would have done then; null if there is no ReplicaSet or it is being deleted.
    pub(crate) sync: Option<DueSync>,
}

/// What a sync would have done at an instant, by the counts alone: no refusal is foreseen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DueSync {
    /// Whether it could create and delete; null if that is not known.
    pub(crate) open: Option<bool>,
    /// What was due.
    pub(crate) action: SyncAction,
    /// How many pods, after the burst cap.
    pub(crate) count: i64,
    /// Pods to be adopted, whatever the gate.
    pub(crate) adopt: i64,
    /// Pods to be released, whatever the gate.
    pub(crate) release: i64,
}

/// What happened. Other facts may come within v1: ignore what you do not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Fact")]
pub enum FactCode {
    /// The ReplicaSet was there when the window opened.
    WindowOpened,
    /// It was made.
    Appeared,
    /// It was made anew under its name.
    Recreated,
    /// It got a deletionTimestamp.
    Deleting,
    /// It was removed.
    Removed,
    /// spec.replicas changed.
    Scaled,
    /// Status or conditions changed.
    StatusWritten,
    /// A pod came that only a sync can have made.
    PodCreated,
    /// A pod came that somebody else made.
    PodArrived,
    /// A pod got this owner.
    PodAdopted,
    /// A pod left by another way than deletion.
    PodLost,
    /// A pod ended: Failed or Succeeded.
    PodEnded,
    /// A pod got a deletionTimestamp.
    PodTerminating,
    /// A pod was removed.
    PodGone,
    /// An event of the controller: a refusal, or a deletion by name.
    EventSent,
    /// Another controller-manager leads, or the same anew: it has no entries.
    LeaderChanged,
    /// A sync has set expectations for creates.
    CreatesBegun,
    /// A sync has set expectations for deletes.
    DeletesBegun,
    /// That sync has ended, and what its calls did was seen.
    CallsOver,
    /// A terminating namespace refused its creates, which counts as done.
    CreatesSwallowed,
    /// Five minutes have passed since the expectations were set.
    ExpectationsExpired,
    /// The end: the instant that was asked for.
    InstantAsked,
    /// A watch broke, or lines were missed.
    WatchGap,
    /// The log: a sync sets out to create pods.
    LogCreates,
    /// The log: a sync sets out to delete pods.
    LogDeletes,
    /// The log: creates failed or were not tried.
    LogCreatesSkipped,
    /// The log: a handler saw an awaited deletion.
    LogDeletionSeen,
    /// The log: a handler saw a new pod.
    LogPodSeen,
    /// The log: the controller started, and has no entries.
    LogControllerStarted,
    /// The log: the stale-cache check refused a sync.
    LogStaleCache,
    /// The log: a sync failed.
    LogSyncFailed,
    /// The log: the entry was dropped.
    LogEntryDropped,
}

impl From<&Fact> for FactCode {
    fn from(fact: &Fact) -> FactCode {
        match fact {
            Fact::Opened { .. } => FactCode::WindowOpened,
            Fact::Appeared => FactCode::Appeared,
            Fact::Recreated => FactCode::Recreated,
            Fact::Deleting => FactCode::Deleting,
            Fact::Removed => FactCode::Removed,
            Fact::Scaled { .. } => FactCode::Scaled,
            Fact::StatusWritten { .. } => FactCode::StatusWritten,
            Fact::Created { .. } => FactCode::PodCreated,
            Fact::Arrived { .. } => FactCode::PodArrived,
            Fact::Adopted { .. } => FactCode::PodAdopted,
            Fact::Lost { .. } => FactCode::PodLost,
            Fact::Ended { .. } => FactCode::PodEnded,
            Fact::Terminating { .. } => FactCode::PodTerminating,
            Fact::Gone { .. } => FactCode::PodGone,
            Fact::Event { .. } => FactCode::EventSent,
            Fact::Takeover { .. } => FactCode::LeaderChanged,
            Fact::CreatesBegun { .. } => FactCode::CreatesBegun,
            Fact::DeletesBegun { .. } => FactCode::DeletesBegun,
            Fact::Settled => FactCode::CallsOver,
            Fact::Swallowed => FactCode::CreatesSwallowed,
            Fact::Expired => FactCode::ExpectationsExpired,
            Fact::Asked { .. } => FactCode::InstantAsked,
            Fact::Missed { .. } => FactCode::WatchGap,
            Fact::LogCreates(_) => FactCode::LogCreates,
            Fact::LogDeletes(_) => FactCode::LogDeletes,
            Fact::LogSkipped(_) => FactCode::LogCreatesSkipped,
            Fact::LogDeletion(_) => FactCode::LogDeletionSeen,
            Fact::LogCreation(_) => FactCode::LogPodSeen,
            Fact::LogStarted => FactCode::LogControllerStarted,
            Fact::LogStale => FactCode::LogStaleCache,
            Fact::LogFailed(_) => FactCode::LogSyncFailed,
            Fact::LogDropped => FactCode::LogEntryDropped,
        }
    }
}

/// A line of a timeline: the object that it is about, and the line.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineLine {
    /// The object.
    pub(crate) object: TimelineObject,
    /// What happened.
    #[serde(flatten)]
    pub(crate) line: LedgerLine,
}

/// The document of `timeline`. It is written piece by piece while the input is read; this is the whole.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineReport {
    /// The format's version.
    #[schemars(extend("const" = API_VERSION))]
    pub(crate) api_version: &'static str,
    /// `TimelineReport`.
    #[schemars(extend("const" = "TimelineReport"))]
    pub(crate) kind: &'static str,
    /// What changed or proved something, of all objects asked about, in the order in which it came.
    pub(crate) lines: Vec<TimelineLine>,
    /// The reports of `explain` for the end, one for each object that exists then or was named.
    pub(crate) reports: Vec<Report>,
}

/// The object that a line is about.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineObject {
    /// ReplicaSet or ReplicationController.
    pub(crate) kind: OwnerKind,
    /// Its namespace.
    pub(crate) namespace: String,
    /// Its name.
    pub(crate) name: String,
}

impl TimelineLine {
    /// A line of this object.
    pub fn new(id: &Id, line: LedgerLine) -> TimelineLine {
        let (kind, key) = id;
        let (namespace, name) = (key.namespace.clone(), key.name.clone());
        TimelineLine { object: TimelineObject { kind: *kind, namespace, name }, line }
    }
}
