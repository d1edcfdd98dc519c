//! One ReplicaSet followed through a stream: what each observation proves about its entry.
//!
//! The ranges answer for the controller once it has handled what was seen. A create round is
//! proved by the first pod that only a sync can have made; everything outstanding before it is
//! then replaced. That a round is over, and that nothing is left of it, is proved by a status
//! write of the controller whose counts agree with spec and pods.

use jiff::Timestamp;

use super::held::{Existence, Held};
use super::range::{Interval, Range};
use crate::controller::BURST;
use crate::controller::effect::Effect;
use crate::objects::{Pod, ReplicaSet, compare_resource_versions};

/// How much later than a status write a pod can still arrive that was made before it: two watches
/// of one server are rarely apart by more.
const WATCH_LAG: jiff::SignedDuration = jiff::SignedDuration::from_secs(1);

/// A round of which nothing was seen for longer than this is not said to go on: at 20 calls a
/// second for all ReplicaSets together a pod is due far more often.
const PACE: jiff::SignedDuration = jiff::SignedDuration::from_secs(5);

/// The controller may have acted on a change before this observer received it.
fn not_before(seen: Timestamp) -> Option<Timestamp> {
    seen.checked_sub(WATCH_LAG).ok()
}

/// Lowest and highest of the values that a sync may have worked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Values {
    min: i64,
    max: i64,
}

impl Values {
    fn one(value: i64) -> Values {
        Values { min: value, max: value }
    }

    fn hull(self, other: Values) -> Values {
        Values { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// Wanted and active pods as the view has them now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// spec.replicas.
    pub wanted: i64,
    /// Owned and selected active pods.
    pub owned: i64,
    /// Orphans that a sync would adopt.
    pub adoptable: i64,
}

impl Counts {
    fn active(self) -> Values {
        Values { min: self.owned, max: self.owned + self.adoptable }
    }

    /// Whether counts agree whoever adopts.
    fn agree(self) -> bool {
        self.adoptable == 0 && self.owned == self.wanted
    }
}

/// A create round that was seen to begin.
#[derive(Debug, Clone)]
struct Round {
    /// The largest size that it can have.
    largest: i64,
    /// Pods seen of it.
    arrived: i64,
    /// Between which instants it began.
    begun: Interval,
    /// When its last pod arrived.
    last_at: Timestamp,
    /// The version of its first pod.
    first_version: String,
    /// Whether the sync that ran it has ended.
    ended: bool,
}

/// A create round that is being carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnderWay {
    /// Creates that it set out for.
    pub count: i64,
    /// Of these, pods seen.
    pub done: i64,
    /// Between which instants it began.
    pub begun: Interval,
}

/// A status write that agreed with everything.
#[derive(Debug, Clone)]
struct Agreement {
    version: String,
    at: Timestamp,
}

/// A round that may have begun unseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pending {
    /// The smallest size.
    least: i64,
    /// The largest size.
    most: i64,
    /// Not begun before.
    pub since: Timestamp,
}

impl Pending {
    fn join(old: Option<Pending>, least: i64, most: i64, at: Timestamp) -> Option<Pending> {
        Some(match old {
            None => Pending { least, most, since: at },
            Some(old) => Pending { least: old.least.min(least), most: old.most.max(most), since: old.since },
        })
    }
}

/// What is known of one ReplicaSet in the window.
#[derive(Debug, Clone)]
pub struct Track {
    held: Held,
    /// Whether `held` rests on a proof in the window, so that older traps are excluded.
    proved: bool,
    /// Whether a sync under way can only have started from values in `wanted` and `active`.
    bounded: bool,
    wanted: Values,
    active: Values,
    counts: Counts,
    pub(super) create: Option<Pending>,
    pub(super) delete: Option<Pending>,
    round: Option<Round>,
    agreement: Option<Agreement>,
    /// Pods of rounds that lowered nothing: stripped of their owner, or first seen terminating.
    pub(super) stripped: i64,
    /// Pods that left by another way than deletion.
    pub(super) lost: i64,
    /// When a status of the controller was last seen to change.
    pub(super) status_seen: Option<Timestamp>,
    /// When wanted or active pods last changed.
    pub(super) changed: Timestamp,
    /// Whether something was missed.
    pub(super) gap: bool,
    /// Whether creates of the round were refused, which lowers what was not created.
    failing: bool,
    /// Whether a pod of a round has just arrived: later syncs start from there.
    progressed: bool,
    /// Whether a sync ended that must have asked for pods of which none came: a terminating
    /// namespace swallows creates.
    unanswered: bool,
}

impl Track {
    fn new(held: Held, proved: bool, bounded: bool, counts: Counts, at: Timestamp) -> Track {
        Track {
            held,
            proved,
            bounded,
            wanted: Values::one(counts.wanted),
            active: counts.active(),
            counts,
            create: None,
            delete: None,
            round: None,
            agreement: None,
            stripped: 0,
            lost: 0,
            status_seen: None,
            changed: at,
            gap: false,
            failing: false,
            progressed: false,
            unanswered: false,
        }
    }

    /// It was there when the window opened: nothing is known of its entry.
    pub fn listed(replica_set: &ReplicaSet, counts: Counts, at: Timestamp) -> Track {
        let status = &replica_set.status;
        let current = status.observed_generation == replica_set.meta.generation;
        let bounded = current && counts.agree() && i64::from(status.replicas) == counts.owned;
        Track::new(Held::UNKNOWN, false, bounded, counts, at)
    }

    /// It was made in the window, or all entries were lost: there is no entry.
    pub fn without_entry(counts: Counts, at: Timestamp) -> Track {
        let mut track = Track::new(Held::NONE, true, true, counts, at);
        track.consider_rounds(at);
        track
    }

    /// Something was missed: whatever was known before is worth nothing now.
    pub fn missed(counts: Counts, at: Timestamp) -> Track {
        Track { gap: true, ..Track::new(Held::UNKNOWN, false, false, counts, at) }
    }

    /// The ranges at this instant, rounds included that may have begun unseen.
    pub fn held(&self, now: Timestamp) -> Held {
        let mut held = self.held;
        if let Some(create) = self.create {
            let set_at = Interval { earliest: not_before(create.since), latest: Some(now) };
            held = held.hull(Held::set(Range::new(create.least, create.most), Range::ZERO, set_at));
        }
        if let Some(delete) = self.delete {
            let left = delete.most.min(self.counts.active().max + self.lost);
            let set_at = Interval { earliest: not_before(delete.since), latest: Some(now) };
            held = held.hull(Held::set(Range::ZERO, Range::new(0, left), set_at));
        }
        held
    }

    /// The ranges without rounds that may have begun unseen.
    pub fn before_unseen_rounds(&self) -> &Held {
        &self.held
    }

    /// The create round that is being carried out, if its size is known and it goes on.
    pub fn under_way(&self, now: Timestamp) -> Option<UnderWay> {
        let round =
            self.round.as_ref().filter(|round| !round.ended && !self.failing && self.stripped == 0)?;
        let goes_on = round.arrived < round.largest && now.duration_since(round.last_at) < PACE;
        let known =
            self.held.exists == Existence::Yes && self.held.add.is_exact() && self.held.add.is_positive();
        (goes_on && known).then_some(UnderWay {
            count: round.largest,
            done: round.arrived,
            begun: round.begun,
        })
    }

    /// Whether a create round was seen to begin and not to end.
    pub fn round_is_open(&self) -> bool {
        self.round.as_ref().is_some_and(|round| !round.ended && round.arrived < round.largest)
    }

    /// A pod arrived that only a sync of this ReplicaSet can have made; `named` if it names it
    /// as its owner, `failing` if creates were being refused. Called before the effects of its
    /// arrival.
    pub fn created(&mut self, pod: &Pod, named: bool, failing: bool, at: Timestamp) {
        let room = self.round.as_ref().is_some_and(|r| !r.ended && r.arrived < r.largest);
        if !room {
            self.begin_round(pod, failing, at);
        }
        if let Some(round) = &mut self.round {
            round.arrived += 1;
            round.last_at = at;
        }
        self.progressed = true;
        if !named || pod.meta.deleted.is_some() {
            self.stripped += 1;
        }
    }

    /// The gate was open when the round began: it replaces all that was outstanding.
    fn begin_round(&mut self, pod: &Pod, failing: bool, at: Timestamp) {
        let size = if self.bounded { self.create_sizes() } else { None };
        let (least, most) = size.unwrap_or((1, BURST as i64));
        let since = match (self.create, self.bounded) {
            (Some(create), true) => not_before(create.since),
            _ => None,
        };
        let set_at = Interval { earliest: since, latest: Some(at) };
        // While creates are refused, a part of this round may be lowered at any time.
        let least = if failing { 0 } else { least };
        // Creates that nobody here would ask for betray a cache that lags: what it has not seen
        // of earlier rounds will lower this one.
        let lags = self.counts.owned >= self.counts.wanted;
        let add = if lags { Range::UNKNOWN } else { Range::new(least, most) };
        self.held = Held::set(add, Range::ZERO, set_at);
        self.failing = failing;
        self.unanswered = false;
        self.proved = true;
        self.create = None;
        self.delete = None;
        self.stripped = 0;
        self.lost = 0;
        self.agreement = None;
        let first_version = pod.meta.resource_version.clone();
        self.round = Some(Round {
            largest: most,
            arrived: 0,
            begun: set_at,
            last_at: at,
            first_version,
            ended: false,
        });
    }

    /// Sizes that a create round can have; None if none was due.
    fn create_sizes(&self) -> Option<(i64, i64)> {
        let most = (self.wanted.max - self.active.min).min(BURST as i64);
        let least = (self.wanted.min - self.active.max).clamp(1, BURST as i64);
        (most >= 1).then_some((least.min(most), most))
    }

    /// The largest delete round that can have begun; None if none was due.
    fn delete_size(&self) -> Option<i64> {
        let most = (self.active.max - self.wanted.min).min(BURST as i64);
        (most >= 1).then_some(most)
    }

    /// Applies what a handler of the controller does.
    pub fn apply(&mut self, effect: &Effect) {
        match effect {
            Effect::CreationObserved { count, .. } => self.held.lower_add(*count),
            Effect::DeletionObserved { .. } => self.held.lower_del(),
            Effect::Forget { .. } => self.held = Held::NONE,
            _ => {}
        }
    }

    /// A create or delete was refused: what was not done was lowered.
    pub fn refused(&mut self) {
        self.failing = true;
        if self.held.exists != Existence::No {
            self.held.add = self.held.add.hull(Range::ZERO);
            self.held.del = self.held.del.hull(Range::ZERO);
        }
    }

    /// A pod left by release, relabelling or another owner: an awaited deletion of it would
    /// never be seen.
    pub fn lose(&mut self) {
        self.lost += 1;
    }

    /// Takes the counts after an observation and considers which rounds may begin.
    pub fn update(&mut self, counts: Counts, pod_version: Option<&str>, at: Timestamp) {
        self.confirm_agreement(None, at);
        if counts != self.counts {
            self.changed = at;
        }
        self.counts = counts;
        if std::mem::take(&mut self.progressed) {
            // A further round needs an open gate, and so the arrivals of this one.
            self.wanted = Values::one(counts.wanted);
            self.active = counts.active();
        }
        self.wanted = self.wanted.hull(Values::one(counts.wanted));
        self.active = self.active.hull(counts.active());
        self.confirm_agreement(pod_version, at);
        self.consider_rounds(at);
    }

    fn consider_rounds(&mut self, at: Timestamp) {
        if self.held.is_open(at) == Some(false) {
            return;
        }
        if let Some((least, most)) = self.create_sizes() {
            self.create = Pending::join(self.create, least, most, at);
        }
        if let Some(most) = self.delete_size() {
            self.delete = Pending::join(self.delete, 0, most, at);
        }
    }

    /// The controller wrote a status: the sync that did so is over, and later ones start from
    /// what it saw or newer.
    pub fn status_written(&mut self, replica_set: &ReplicaSet, at: Timestamp) {
        self.status_seen = Some(at);
        let version = &replica_set.meta.resource_version;
        let ends_round = self.end_round(version);
        let status = &replica_set.status;
        if status.failure().is_some() {
            self.refused();
        }
        if status.observed_generation != replica_set.meta.generation {
            return;
        }
        let short = i64::from(status.replicas) < self.counts.wanted;
        self.unanswered |= short && !ends_round && self.create.is_some() && status.failure().is_none();
        self.wanted = Values::one(self.counts.wanted);
        self.active = self.counts.active().hull(Values::one(i64::from(status.replicas)));
        self.bounded = true;
        let agrees = self.counts.agree()
            && i64::from(status.replicas) == self.counts.wanted
            && status.failure().is_none()
            && !replica_set.is_deleting();
        self.agreement = agrees.then(|| Agreement { version: version.clone(), at });
    }

    /// Whether a status of this version is the one with which the round's sync ended.
    fn end_round(&mut self, version: &str) -> bool {
        let Some(round) = self.round.as_mut().filter(|round| !round.ended) else { return false };
        let later = compare_resource_versions(version, &round.first_version);
        round.ended = later.is_some_and(|order| order.is_gt());
        round.ended
    }

    /// An event tells that a sync deleted a pod: if a delete round may have begun, it did, and
    /// replaced all that was outstanding.
    pub fn deleted_by_sync(&mut self, at: Timestamp) {
        let Some(delete) = self.delete else { return };
        let left = delete.most.min(self.counts.active().max + self.lost);
        let set_at = Interval { earliest: not_before(delete.since), latest: Some(at) };
        self.held = Held::set(Range::ZERO, Range::new(0, left), set_at);
        self.proved = true;
        self.stripped = 0;
        self.unanswered = false;
    }

    /// Whether a round may have begun unseen that is not the one now due: `short` if creates are
    /// due, else deletes.
    pub fn other_round_unseen(&self, short: bool) -> bool {
        self.unanswered || if short { self.delete.is_some() } else { self.create.is_some() }
    }

    /// Once the pods' watch has passed an agreeing status write, nothing is left of any round
    /// but what a trap holds.
    fn confirm_agreement(&mut self, pod_version: Option<&str>, at: Timestamp) {
        let Some(agreement) = &self.agreement else { return };
        let passed = pod_version
            .and_then(|v| compare_resource_versions(v, &agreement.version))
            .is_some_and(|order| order.is_gt());
        if !passed && at.duration_since(agreement.at) < WATCH_LAG {
            return;
        }
        self.agreement = None;
        if !self.counts.agree() {
            return;
        }
        if self.delete.take().is_some() {
            let set_at = Interval { earliest: None, latest: Some(at) };
            self.held = self.held.hull(Held::set(Range::ZERO, Range::ZERO, set_at));
        }
        if self.unanswered {
            return;
        }
        self.create = None;
        if self.proved {
            self.held.add = self.held.add.at_most(self.stripped);
            self.held.del =
                if self.lost == 0 { Range::ZERO } else { self.held.del.at_most(self.lost).hull(Range::ZERO) };
        }
    }

    /// Time passes without an observation of this ReplicaSet.
    pub fn pass(&mut self, at: Timestamp) {
        self.confirm_agreement(None, at);
    }

    /// Whether nothing at all is known about the entry.
    pub fn is_unknown(&self) -> bool {
        !self.proved && self.held.exists == Existence::Maybe
    }
}
