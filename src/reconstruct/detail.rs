//! What a reason is about, as values: `report::sentences` makes its sentence from them. An enum for
//! each family of codes.

use jiff::{SignedDuration, Timestamp};

use super::range::Range;
use super::refusal::RefusalCause;
use crate::model::profile::Version;
use crate::objects::{Key, Requirement, Resource};
use crate::reasons::Code;

/// The facts of a reason. Its code follows from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Detail {
    Gate(GateDetail),
    Blocked(BlockedDetail),
    Refusal(RefusalDetail),
    Plan(PlanDetail),
    Claim(ClaimDetail),
    Status(StatusDetail),
    Deployment(DeploymentDetail),
    Limit(LimitDetail),
}

impl Detail {
    /// The code that stands for such facts.
    pub(crate) fn code(&self) -> Code {
        match self {
            Detail::Gate(detail) => detail.code(),
            Detail::Blocked(detail) => detail.code(),
            Detail::Refusal(detail) => detail.code(),
            Detail::Plan(detail) => detail.code(),
            Detail::Claim(detail) => detail.code(),
            Detail::Status(detail) => detail.code(),
            Detail::Deployment(detail) => detail.code(),
            Detail::Limit(detail) => detail.code(),
        }
    }
}

macro_rules! families {
    ($($family:ident($detail:ident),)*) => {$(
        impl From<$detail> for Detail {
            fn from(detail: $detail) -> Detail {
                Detail::$family(detail)
            }
        }
    )*};
}

families! {
    Gate(GateDetail),
    Blocked(BlockedDetail),
    Refusal(RefusalDetail),
    Plan(PlanDetail),
    Claim(ClaimDetail),
    Status(StatusDetail),
    Deployment(DeploymentDetail),
    Limit(LimitDetail),
}

/// What is known of the expectations, and what leads to the next sync.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GateDetail {
    Unmet {
        add: Range,
        del: Range,
    },
    /// The log alone shows that something is outstanding, not how much.
    UnmetByLog,
    /// Something is outstanding; the clocks leave open whether the five minutes are over.
    UnmetOrExpired {
        expires_by: Option<Timestamp>,
    },
    /// The sync that wrote the status saw the difference and did nothing about it.
    SyncWaited {
        expired: bool,
        written: Timestamp,
        replicas: i32,
        generation: i64,
    },
    Expired {
        add: Range,
        del: Range,
    },
    /// The same as `SyncWaited` without a date; the last sign of the controller is old enough.
    SyncWaitedLongAgo {
        replicas: i32,
        last_event: Option<SignedDuration>,
    },
    /// The asker decides.
    Assumed {
        open: bool,
    },
    Unknown,
    /// No status was written for longer than any expectation lasts.
    Quiet {
        since: SignedDuration,
    },
    /// A snapshot in which nothing is younger than five minutes.
    SnapshotOfOldPods {
        has_events: bool,
    },
    /// A snapshot whose status counts all pods as they are.
    SnapshotOfCurrentStatus,
    SnapshotTooYoung {
        taken_is_known: bool,
    },
    Negative,
    /// The expectations have expired, and the expiry starts no sync.
    NothingWakes {
        expired: Option<Timestamp>,
    },
    RetryBackoff {
        at_limit: bool,
        last: Timestamp,
    },
    SyncRunning {
        count: i64,
        created: i64,
    },
    /// A sync is due and nothing that was seen holds it back.
    Overdue {
        waited: SignedDuration,
    },
    NeverSynced,
    CacheLags {
        pods: usize,
        since: SignedDuration,
    },
}

impl GateDetail {
    fn code(&self) -> Code {
        match self {
            GateDetail::Unmet { .. } | GateDetail::UnmetByLog | GateDetail::UnmetOrExpired { .. } => {
                Code::ExpectationsUnmet
            }
            GateDetail::SyncWaited { expired: false, .. } => Code::ExpectationsUnmet,
            GateDetail::SyncWaited { expired: true, .. }
            | GateDetail::Expired { .. }
            | GateDetail::SyncWaitedLongAgo { .. } => Code::ExpectationsExpired,
            GateDetail::Assumed { .. }
            | GateDetail::Unknown
            | GateDetail::Quiet { .. }
            | GateDetail::SnapshotOfOldPods { .. }
            | GateDetail::SnapshotOfCurrentStatus
            | GateDetail::SnapshotTooYoung { .. } => Code::ExpectationsUnknown,
            GateDetail::Negative => Code::NegativeExpectations,
            GateDetail::NothingWakes { .. } => Code::NothingWakes,
            GateDetail::RetryBackoff { .. } => Code::RetryBackoff,
            GateDetail::SyncRunning { .. } => Code::SyncRunning,
            GateDetail::Overdue { .. } | GateDetail::NeverSynced => Code::SyncDue,
            GateDetail::CacheLags { .. } => Code::CacheLags,
        }
    }
}

/// What keeps any sync from its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BlockedDetail {
    Deleting,
    SelectorInvalid {
        why: String,
    },
    ClaimFailed {
        error: String,
    },
    /// Syncs are being refused by the stale-cache check, for so long.
    StaleCache {
        lasted: SignedDuration,
        versions: CacheVersions,
    },
    /// The log alone: the last sync was refused by it.
    LastSyncStale,
    /// Syncs were refused by it, but no longer are, or not for long.
    StaleCheckPassed {
        count: u64,
        first: Option<Timestamp>,
        versions: CacheVersions,
    },
    NobodyLeads {
        since: SignedDuration,
        renewed: Timestamp,
        lasts_seconds: i64,
    },
    NamespaceTerminating {
        namespace: String,
    },
}

/// What the stale-cache check compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CacheVersions {
    pub(crate) resource: String,
    /// The version that the controller's cache has reached.
    pub(crate) cached: String,
    /// The version of the controller's own write.
    pub(crate) written: String,
}

impl BlockedDetail {
    fn code(&self) -> Code {
        match self {
            BlockedDetail::Deleting => Code::DeletionInProgress,
            BlockedDetail::SelectorInvalid { .. } => Code::SelectorInvalid,
            BlockedDetail::ClaimFailed { .. } => Code::ClaimFailed,
            BlockedDetail::StaleCache { .. } | BlockedDetail::LastSyncStale => Code::StaleCache,
            BlockedDetail::StaleCheckPassed { .. } => Code::StaleCheckPassed,
            BlockedDetail::NobodyLeads { .. } => Code::ControllerNotRunning,
            BlockedDetail::NamespaceTerminating { .. } => Code::NamespaceTerminating,
        }
    }
}

/// Creates or deletes that were refused, or will be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RefusalDetail {
    /// They are being refused; the message is that of the API server.
    Standing {
        cause: RefusalCause,
        deletes: bool,
        at_least: i64,
        last: Option<Timestamp>,
        message: String,
    },
    /// The log alone: so its last sync ended.
    LastSyncFailed {
        cause: RefusalCause,
        error: String,
    },
    /// The last known create had no answer, and no condition shows it.
    TimedOut {
        at: Option<Timestamp>,
        message: String,
    },
    /// The condition keeps the message of an older cause.
    MessageOutdated {
        condition: String,
    },
    EventsThinned {
        at_least: i64,
    },
    /// The webhook that refuses is served by the pods that cannot be created.
    WebhookSelfDeadlock {
        service: Key,
    },
    /// Running pods that the present rules would refuse.
    PodsIrreplaceable {
        active: usize,
    },
    Predicted(Foreseen),
}

/// What will refuse the next create, as far as the objects show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Foreseen {
    ServiceAccountMissing { name: String, namespace: String, exists_in: Vec<String> },
    AboveLimit { limit_range: String, resource: String, max: String, container: String, limit: String },
    QuotaFull { quota: String },
}

impl RefusalDetail {
    fn code(&self) -> Code {
        match self {
            RefusalDetail::Standing { cause, .. } | RefusalDetail::LastSyncFailed { cause, .. } => cause.code,
            RefusalDetail::TimedOut { .. } => Code::CreateTimedOut,
            RefusalDetail::MessageOutdated { .. } => Code::MessageOutdated,
            RefusalDetail::EventsThinned { .. } => Code::EventsThinned,
            RefusalDetail::WebhookSelfDeadlock { .. } => Code::WebhookSelfDeadlock,
            RefusalDetail::PodsIrreplaceable { .. } => Code::PodsIrreplaceable,
            RefusalDetail::Predicted(_) => Code::RefusalPredicted,
        }
    }
}

/// How the next sync creates or deletes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlanDetail {
    BurstCapped {
        due: u64,
    },
    SlowStart {
        count: usize,
        batches: Vec<usize>,
    },
    ClientRate,
    AgeBucketTie,
    RanksFixed,
    /// `open` of the `among` pods that may go do go; `tied` if they are indistinguishable.
    VictimsUndetermined {
        open: usize,
        among: usize,
        tied: bool,
    },
    TopologyNotConsulted,
    VersionDependent(VersionDifference),
    /// The victims of a sync at this very instant.
    BucketMoving {
        victims: Vec<String>,
    },
}

/// What another version would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum VersionDifference {
    /// The victims up to 1.21.
    ChoiceUpTo1_21(Vec<String>),
    /// The victims from 1.22 on.
    ChoiceFrom1_22(Vec<String>),
    /// A create that times out counts as done here, and is an error later.
    TimeoutIsError,
    /// From 1.34 on availability is checked at the exact time.
    ExactAvailability { at: Timestamp },
}

impl PlanDetail {
    fn code(&self) -> Code {
        match self {
            PlanDetail::BurstCapped { .. } => Code::BurstCapped,
            PlanDetail::SlowStart { .. } => Code::SlowStart,
            PlanDetail::ClientRate => Code::ClientRate,
            PlanDetail::AgeBucketTie => Code::AgeBucketTie,
            PlanDetail::RanksFixed => Code::RanksFixed,
            PlanDetail::VictimsUndetermined { .. } => Code::VictimsUndetermined,
            PlanDetail::TopologyNotConsulted => Code::TopologyNotConsulted,
            PlanDetail::VersionDependent(_) => Code::VersionDependent,
            PlanDetail::BucketMoving { .. } => Code::BucketMoving,
        }
    }
}

/// Pods that are adopted or released, or nearly so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ClaimDetail {
    Adopts {
        pods: Vec<String>,
    },
    Releases {
        pods: Vec<String>,
    },
    DiffersFromTemplate {
        pod: String,
        container: String,
        image: String,
        template_image: String,
    },
    /// Other ReplicaSets whose selector matches its pods.
    Overlaps {
        others: Vec<String>,
    },
    /// An orphan that two could adopt.
    WantedByTwo {
        pod: String,
        other: String,
    },
    /// A pod that its present owner is about to release to this one.
    AboutToCome {
        pod: String,
        owner: String,
    },
    /// Orphans that fail part of the selector.
    NearMisses(Vec<NearMiss>),
    Orphans {
        count: usize,
    },
}

/// A pod that fails part of a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NearMiss {
    pub(crate) pod: String,
    /// What it fails, with the label's value on the pod.
    pub(crate) failing: Vec<(Requirement, Option<String>)>,
}

impl ClaimDetail {
    fn code(&self) -> Code {
        match self {
            ClaimDetail::Adopts { .. } => Code::AdoptionDue,
            ClaimDetail::Releases { .. } => Code::ReleaseDue,
            ClaimDetail::DiffersFromTemplate { .. } => Code::AdoptedDiffersFromTemplate,
            ClaimDetail::Overlaps { .. }
            | ClaimDetail::WantedByTwo { .. }
            | ClaimDetail::AboutToCome { .. } => Code::SelectorOverlap,
            ClaimDetail::NearMisses(_) => Code::LabelMismatch,
            ClaimDetail::Orphans { .. } => Code::OrphanPods,
        }
    }
}

/// What the counts of the status say, and what they leave out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StatusDetail {
    NeverWritten,
    OfOldGeneration {
        observed: i64,
        generation: i64,
    },
    /// Replicas, ready and available as stored, and as a sync would write them.
    Differs {
        stored: StatusCounts,
        computed: StatusCounts,
    },
    AvailabilityPending {
        min_ready_seconds: i32,
        /// Each pod with the time when it is available, the first one first.
        pods: Vec<(String, Timestamp)>,
        /// When the controller looks again, where that is known.
        next_look: Option<Timestamp>,
    },
    Terminating(Vec<(String, Grace)>),
    /// How many finished, by their reason or phase.
    Finished {
        by_reason: Vec<(String, usize)>,
    },
    OnLostNodes {
        pods: usize,
        /// Each node, and for how long it has not been ready.
        nodes: Vec<(String, Option<SignedDuration>)>,
    },
    EvictionSuspended {
        nodes: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StatusCounts {
    pub(crate) replicas: i32,
    pub(crate) ready: i32,
    pub(crate) available: i32,
}

/// How much of its grace period a terminating pod has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grace {
    Until(Timestamp),
    OverdueBy(SignedDuration),
    Unknown,
}

impl StatusDetail {
    fn code(&self) -> Code {
        match self {
            StatusDetail::NeverWritten
            | StatusDetail::OfOldGeneration { .. }
            | StatusDetail::Differs { .. } => Code::StatusBehind,
            StatusDetail::AvailabilityPending { .. } => Code::AvailabilityPending,
            StatusDetail::Terminating(_) => Code::TerminatingNotCounted,
            StatusDetail::Finished { .. } => Code::FinishedNotCounted,
            StatusDetail::OnLostNodes { .. } => Code::PodOnLostNode,
            StatusDetail::EvictionSuspended { .. } => Code::EvictionSuspended,
        }
    }
}

/// What a Deployment does about the size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DeploymentDetail {
    Decides {
        deployment: String,
    },
    /// `creates`: the next sync creates pods that the Deployment will have deleted.
    ScaledByHand {
        deployment: String,
        replicas: i32,
        wants: i32,
        creates: bool,
    },
    Adopts {
        deployment: String,
    },
}

impl DeploymentDetail {
    fn code(&self) -> Code {
        match self {
            DeploymentDetail::Decides { .. } => Code::DeploymentDecides,
            DeploymentDetail::ScaledByHand { .. } => Code::ScaledByHand,
            DeploymentDetail::Adopts { .. } => Code::AdoptableByDeployment,
        }
    }
}

/// Traps that no sync gets out of, and limits of the evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LimitDetail {
    OwnerReferenceStripped {
        pods: i64,
    },
    LabelsMutated {
        pods: i64,
    },
    DeletionReleased {
        pods: usize,
    },
    ReplacedObject {
        key: Key,
        uids: Vec<String>,
    },
    WatchGap(Gap),
    /// Whether the next try of what was refused is refused too.
    RetryIsOpen,
    /// The possible states lead to different syncs.
    StatesDisagree,
    /// The server's version is unknown: that of `used` is assumed.
    VersionUnknown {
        used: Version,
    },
    /// The nearest known version stands in.
    VersionOutside {
        asked: Version,
        used: Version,
    },
    /// Only the log shows it: the pods that the controller last wanted, and counted.
    LogAlone {
        wanted: i64,
        counted: Option<i64>,
    },
    ReadDenied {
        what: Vec<String>,
    },
}

/// Something that the observer missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Gap {
    /// The resource was listed again, because its watch had broken.
    Relisted(Resource),
    /// What the source says was missed.
    Told(String),
}

impl LimitDetail {
    fn code(&self) -> Code {
        match self {
            LimitDetail::OwnerReferenceStripped { .. } => Code::OwnerReferenceStripped,
            LimitDetail::LabelsMutated { .. } => Code::LabelsMutated,
            LimitDetail::DeletionReleased { .. } => Code::DeletionReleased,
            LimitDetail::ReplacedObject { .. } => Code::ReplacedObject,
            LimitDetail::WatchGap(_) => Code::WatchGap,
            LimitDetail::RetryIsOpen | LimitDetail::StatesDisagree => Code::EvidenceIncomplete,
            LimitDetail::VersionUnknown { .. } | LimitDetail::VersionOutside { .. } => Code::VersionAssumed,
            LimitDetail::LogAlone { .. } => Code::LogAlone,
            LimitDetail::ReadDenied { .. } => Code::ReadDenied,
        }
    }
}
