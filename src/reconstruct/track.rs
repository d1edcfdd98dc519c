//! One ReplicaSet followed through a stream: what each observation proves about its entry.
//!
//! The ranges answer for the controller once it has handled what was seen. Three proofs carry
//! them (`docs/reconstruction.md` has the reasoning):
//! - a pod that only a sync can have made, or an event that names a pod which a sync deleted,
//!   proves a round; it replaced everything outstanding before it;
//! - while the gate is surely closed no round begins, so a further round reads the state that
//!   opened the gate or a later one;
//! - a status write of the controller proves that no call of an earlier sync is open. Once the
//!   pods' watch has passed it, what such calls did was seen.

use std::collections::{BTreeMap, VecDeque};

use jiff::{SignedDuration, Timestamp};

use super::held::{CLOCK_SKEW, Existence, Held};
use super::range::{Interval, Range};
use super::reads::{Reads, Sizes, Values};
use super::rounds::{CreateRound, DeleteRound, Terminations, UnderWay, is_newer};
use crate::model::BURST;
use crate::model::claim::Claim;
use crate::model::effect::Effect;
use crate::model::expectations::{EXPIRY, Gate};
use crate::objects::instant::later;
use crate::objects::{Pod, ReplicaSet};

/// How much later than a write a pod can still arrive that was made before it: two watches of one
/// server are rarely apart by more.
const WATCH_LAG: SignedDuration = SignedDuration::from_secs(1);

/// A round of which nothing was seen for longer than this is not said to go on: at 20 calls a
/// second for all ReplicaSets together a pod is due far more often.
const PACE: SignedDuration = SignedDuration::from_secs(5);

/// More pods of others that may be unhandled are not kept apart.
const MOST_STRANGERS: usize = 1000;

/// More writes that the pods' watch has not passed are not kept apart.
const MOST_WRITES: usize = 16;

/// The controller may have acted on a change before this observer received it.
fn not_before(seen: Timestamp) -> Option<Timestamp> {
    seen.checked_sub(WATCH_LAG).ok()
}

/// Wanted and active pods as the view has them now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// spec.replicas.
    pub(crate) wanted: i64,
    /// Owned and selected active pods.
    pub(crate) owned: i64,
    /// Orphans that a sync would adopt.
    pub(crate) adoptable: i64,
    /// Active pods of its own that a sync would release.
    pub(crate) leaving: i64,
}

impl Counts {
    fn active(self) -> Values {
        Values { min: self.owned, max: self.owned + self.adoptable }
    }

    /// Adds `count` pods with which a sync does this.
    pub fn add(&mut self, claim: Option<Claim>, count: i64) {
        match claim {
            Some(Claim::Keep) => self.owned += count,
            Some(Claim::Adopt) => self.adoptable += count,
            Some(Claim::Release) => self.leaving += count,
            Some(Claim::Ignore) | None => {}
        }
    }

    /// Whether a sync has pods to adopt or release.
    fn claims(self) -> bool {
        self.adoptable > 0 || self.leaving > 0
    }

    /// Whether counts agree whoever adopts.
    fn agree(self) -> bool {
        self.adoptable == 0 && self.owned == self.wanted
    }
}

/// A write of the controller that the pods' watch has not passed yet.
#[derive(Debug, Clone)]
struct Write {
    version: String,
    at: Timestamp,
    /// What its sync read; None for an event.
    read: Option<Read>,
}

/// What a sync read, by the status that it wrote.
#[derive(Debug, Clone, Copy)]
struct Read {
    generation: i64,
    /// The first state of the pods that it can have read.
    state: Option<u64>,
    /// The creates that it asked for without a trace of any yet, if its gate was open.
    short: Option<Sizes>,
}

/// How the creates of a ReplicaSet are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusalPace {
    /// By an admission check inside the API server, which answers at once.
    AtOnce,
    /// By something that may take its time, for instance a webhook.
    AfterAWhile,
}

/// How often what was followed here, for the ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    /// Create rounds that began.
    pub(crate) creates: u64,
    /// Delete rounds that began.
    pub(crate) deletes: u64,
    /// Smallest and largest size of the last one.
    pub(crate) sizes: (i64, i64),
    /// Rounds of which everything was seen.
    pub(crate) settled: u64,
    /// Rounds that a terminating namespace swallowed.
    pub(crate) swallowed: u64,
}

/// What is known of one ReplicaSet in the window.
#[derive(Debug, Clone)]
pub(crate) struct Track {
    held: Held,
    /// `held` before the observation that is being taken.
    before: Held,
    /// Whether `held` rests on a proof in the window, so that older traps are excluded.
    proved: bool,
    /// Whether a sync under way can only have started from what was read in the window.
    bounded: bool,
    counts: Counts,
    reads: Reads,
    creates: Option<CreateRound>,
    deletes: Option<DeleteRound>,
    writes: VecDeque<Write>,
    terminations: Terminations,
    /// Pods of rounds that lowered nothing: stripped of their owner, or first seen terminating.
    pub(super) stripped: i64,
    /// Pods of rounds that came with labels which the selector does not match, since one came with
    /// labels that it does.
    pub(super) mutated: i64,
    /// Pods that left by another way than deletion since the last round began, each with the state
    /// of the pods that followed.
    pub(super) lost: BTreeMap<String, u64>,
    /// Pods that failed or succeeded since the last round began: a deletion of one may be on its way.
    ended: BTreeMap<String, u64>,
    /// When pods arrived of late that name this owner and were made by somebody else.
    strangers: VecDeque<Timestamp>,
    /// How many of these came since the last round was seen to begin: one that nobody saw begin may be lowered by them.
    strangers_since: i64,
    /// When a status of the controller was last seen to change.
    pub(super) status_seen: Option<Timestamp>,
    /// When wanted or active pods last changed.
    pub(super) changed: Timestamp,
    /// When anything was last seen that puts it into the queue.
    touched: Timestamp,
    /// Since when it was followed, if it was there before.
    pub(super) opened: Option<Timestamp>,
    /// Until when a sync of another object of its name may go on: it may write the first status here,
    /// which may name the same generation, and its pods may come.
    pub(super) other_until: Option<Timestamp>,
    /// Whether a status was seen written.
    written: bool,
    /// Whether a sync wrote of an older spec since the last round was seen to begin.
    wrote_of_older: bool,
    /// Whether something was missed.
    pub(super) gap: bool,
    /// How creates are being refused, if they are.
    refusals: Option<RefusalPace>,
    /// Whether a pod of a round has just arrived: later syncs start from there.
    progressed: bool,
    /// Whether a sync ended that must have asked for pods of which none came: a terminating
    /// namespace swallows creates.
    unanswered: bool,
    /// Whether its namespace is known to be terminating.
    pub(super) swallows: bool,
    /// How many pods the quotas of its namespace still take, None for any number.
    room: Option<i64>,
    marks: Marks,
}

impl Track {
    fn new(
        held: Held,
        proved: bool,
        bounded: bool,
        (replica_set, counts): (&ReplicaSet, Counts),
        at: Timestamp,
    ) -> Track {
        Track {
            held,
            before: held,
            proved,
            bounded,
            counts,
            reads: Reads::new(
                replica_set.meta.generation,
                asked(replica_set),
                (counts.active(), counts.claims()),
                at,
            ),
            creates: None,
            deletes: None,
            writes: VecDeque::new(),
            terminations: Terminations::default(),
            stripped: 0,
            mutated: 0,
            lost: BTreeMap::new(),
            ended: BTreeMap::new(),
            strangers: VecDeque::new(),
            strangers_since: 0,
            status_seen: None,
            changed: at,
            touched: at,
            opened: None,
            other_until: None,
            written: false,
            wrote_of_older: false,
            gap: false,
            refusals: None,
            progressed: false,
            unanswered: false,
            swallows: false,
            room: None,
            marks: Marks::default(),
        }
    }

    /// It was there when the window opened: nothing is known of its entry.
    pub(crate) fn listed(replica_set: &ReplicaSet, counts: Counts, at: Timestamp) -> Track {
        let status = &replica_set.status;
        let current = status.observed_generation == replica_set.meta.generation;
        let bounded = current && counts.agree() && i64::from(status.replicas) == counts.owned;
        let track = Track::new(Held::UNKNOWN, false, bounded, (replica_set, counts), at);
        Track { opened: Some(at), ..track }
    }

    /// It was made in the window, or all entries were lost: there is no entry.
    pub(crate) fn without_entry(replica_set: &ReplicaSet, counts: Counts, at: Timestamp) -> Track {
        Track::new(Held::NONE, true, true, (replica_set, counts), at)
    }

    /// Another controller leads, without an entry. The handlers of its first list may run after its first sync: then
    /// pods that are there already lower what that sync has set.
    pub(crate) fn led_anew(replica_set: &ReplicaSet, counts: Counts, at: Timestamp) -> Track {
        let mut track = Track::without_entry(replica_set, counts, at);
        (0..counts.owned).for_each(|_| track.note_stranger(at));
        track
    }

    /// Something was missed: whatever was known before is worth nothing now.
    pub(crate) fn missed(replica_set: &ReplicaSet, counts: Counts, at: Timestamp) -> Track {
        let track = Track::new(Held::UNKNOWN, false, false, (replica_set, counts), at);
        Track { gap: true, opened: Some(at), ..track }
    }

    /// The ranges at this instant, rounds included that may have begun unseen.
    pub(crate) fn held(&self, now: Timestamp) -> Held {
        let mut held = self.held;
        if self.creates.as_ref().is_some_and(|round| round.may_be_refused(self.room)) {
            held.add = held.add.hull(Range::ZERO);
        }
        if held.is_open(now) == Some(false) || self.expired_unnoticed(now) {
            return held;
        }
        if let Some(sizes) = self.reads.creates() {
            // What is refused is lowered at once, before foreign pods lower what is left.
            let least = if self.strangers_since > 0 { -self.strangers_since } else { sizes.least };
            let add = Range::new(least, sizes.most);
            held = held.hull(Held::set(add, Range::ZERO, since(sizes, now)));
        }
        if let Some(sizes) = self.reads.deletes() {
            let left = Range::new(0, sizes.most.min(self.others()));
            let add = Range::new(-self.strangers_since, 0);
            held = held.hull(Held::set(add, left, since(sizes, now)));
        }
        held
    }

    /// The end of the five minutes wakes nobody: without an event after it no sync has run since.
    fn expired_unnoticed(&self, now: Timestamp) -> bool {
        let over = self.held.set_at.earliest.map(|set| later(set, EXPIRY - CLOCK_SKEW));
        let untouched = over.is_some_and(|over| self.touched < over);
        untouched && self.held.gate(now) == Some(Gate::Expired)
    }

    /// Pods of which an awaited deletion was not seen.
    fn others(&self) -> i64 {
        self.counts.active().max + (self.lost.len() + self.ended.len()) as i64
    }

    /// The ranges without rounds that may have begun unseen.
    pub(crate) fn before_unseen_rounds(&self) -> &Held {
        &self.held
    }

    /// The create round that is being carried out, if its size is known and it goes on.
    pub(crate) fn under_way(&self, now: Timestamp) -> Option<UnderWay> {
        let goes_on = |round: &&CreateRound| {
            round.ended_by.is_none()
                && !round.refused
                && !round.may_be_refused(self.room)
                && round.least == round.most
                && round.arrived < round.most
                && now.duration_since(round.last_at) < PACE
        };
        let round = self.creates.as_ref().filter(goes_on)?;
        let known = self.held.exists == Existence::Yes
            && self.held.add.is_exact()
            && self.held.add.is_positive()
            && self.refusals.is_none()
            && self.stripped == 0;
        known.then_some(UnderWay { count: round.most, done: round.arrived, begun: round.begun })
    }

    /// Whether a create round was seen to begin and not to end.
    pub(crate) fn round_is_open(&self) -> bool {
        self.creates.as_ref().is_some_and(|round| round.ended_by.is_none() && round.arrived < round.most)
    }

    fn may_follow(&self, at: Timestamp) -> bool {
        self.other_until.is_some_and(|until| at < until)
    }

    /// A pod arrived that only a sync of this ReplicaSet can have made; `named` if it names it
    /// as its owner. Called before the effects of its arrival.
    pub(crate) fn created(&mut self, pod: &Pod, named: bool, at: Timestamp) {
        let before = self.held;
        self.take_created(pod, named, at);
        // Without its owner it may also be of an older object of this name.
        if !named && self.may_follow(at) {
            self.held = self.held.hull(before);
            if let Some(round) = &mut self.creates {
                round.doubted = true;
            }
        }
    }

    /// A pod of a round came; `selected` if its labels are those that were asked for.
    pub(crate) fn labelled(&mut self, selected: bool) {
        self.mutated = if selected { 0 } else { self.mutated + 1 };
    }

    fn take_created(&mut self, pod: &Pod, named: bool, at: Timestamp) {
        let version = &pod.meta.resource_version;
        let goes_on = self.creates.as_ref().is_some_and(|round| round.takes(version) && !round.refused);
        if !goes_on {
            self.begin_creates(pod, at);
        }
        if let Some(round) = &mut self.creates {
            round.arrived += 1;
            round.last_at = at;
        }
        self.progressed = true;
        if !named || pod.meta.deleted.is_some() {
            self.stripped += 1;
        }
    }

    /// A pod arrived that names this owner and was made by somebody else.
    pub(crate) fn note_stranger(&mut self, at: Timestamp) {
        self.strangers_since += 1;
        self.strangers.push_back(at);
        if self.strangers.len() > MOST_STRANGERS {
            self.strangers.pop_front();
        }
    }

    /// Pods that no gate waits for, and so may be handled after a Set though they were seen before.
    fn late_strangers(&self) -> i64 {
        self.strangers.len() as i64
    }

    /// The gate was open when the round began: it replaces all that was outstanding.
    fn begin_creates(&mut self, pod: &Pod, at: Timestamp) {
        let due = self.reads.creates().filter(|_| self.bounded);
        let old = self.creates.take().filter(|round| round.takes(&pod.meta.resource_version));
        // A refused round may go on with pods of the batch that failed.
        let rest = old.map_or(0, |round| round.most - round.arrived);
        let (least, most) = due.map_or((1, BURST as i64), |sizes| (sizes.least, sizes.most.max(rest)));
        let earliest = due.and_then(|sizes| not_before(sizes.since));
        let set_at = Interval { earliest, latest: Some(at) };
        // While creates are refused, a part of this round may be lowered at any time.
        let surely = if self.refusals.is_some() || rest > 0 { 0 } else { least };
        // Creates that nobody here would ask for betray a cache that lags: what it has not seen
        // of earlier rounds will lower this one.
        let lags = self.counts.owned >= self.counts.wanted;
        let late = self.late_strangers();
        let add = if lags { Range::UNKNOWN } else { Range::new(surely - late, most) };
        self.set(Held::set(add, Range::ZERO, set_at));
        self.deletes = None;
        self.marks.creates += 1;
        self.marks.sizes = (surely, most);
        self.creates = Some(CreateRound {
            least: surely,
            most,
            arrived: 0,
            lowered: 0,
            late,
            doubted: false,
            begun: set_at,
            after_state: self.reads.newest(),
            last_at: at,
            first_version: pod.meta.resource_version.clone(),
            ended_by: None,
            refused: false,
            admission_changed: false,
            settled: false,
        });
    }

    fn set(&mut self, held: Held) {
        self.held = held;
        self.proved = true;
        self.bounded = true;
        self.unanswered = false;
        self.wrote_of_older = false;
        self.stripped = 0;
        self.strangers_since = 0;
        let read = self.reads.round_from();
        self.lost.retain(|_, number| *number > read);
        self.ended.retain(|_, number| *number > read);
    }

    /// Applies what a handler of the controller does.
    pub fn apply(&mut self, effect: &Effect) {
        match effect {
            Effect::CreationObserved { count, .. } => {
                self.held.lower_add(*count);
                if let Some(round) = &mut self.creates {
                    round.lowered += count;
                }
            }
            Effect::DeletionObserved { pod, .. } => self.terminated(&pod.name),
            Effect::Forget { .. } => self.held = Held::NONE,
            _ => {}
        }
    }

    /// A pod of its own was seen terminating, or gone.
    fn terminated(&mut self, pod: &str) {
        // The state that follows gets its number when the counts are taken.
        if !self.terminations.note(pod, self.reads.newest() + 1) {
            return;
        }
        self.ended.remove(pod);
        self.held.lower_del();
        self.doubt_by_deletion();
        if let Some(round) = &mut self.deletes {
            round.note_terminated(pod);
        }
    }

    /// A sync may have deleted this pod, though no event tells of it: events are dropped, or not read.
    fn doubt_by_deletion(&mut self) {
        let closed = self.before.is_open(self.changed) == Some(false);
        if closed || self.deletes.as_ref().is_some_and(|round| !round.settled) {
            return;
        }
        if let Some(sizes) = self.reads.deletes() {
            let left = Range::new(0, self.lost_since_read());
            let set_at = Interval { earliest: not_before(sizes.since), latest: None };
            self.held = self.held.hull(Held::set(Range::ZERO, left, set_at));
            if let Some(round) = &mut self.creates {
                round.doubted = true;
            }
        }
    }

    /// From now on other creates may be refused: those of a round under way too, and before anything tells of it.
    pub(crate) fn admission_changed(&mut self) {
        if let Some(round) = &mut self.creates {
            round.admission_changed = true;
        }
    }

    /// How many pods the quotas of its namespace still take, None for any number.
    pub(crate) fn take_room(&mut self, room: Option<u64>) {
        self.room = room.map(|room| i64::try_from(room).unwrap_or(i64::MAX));
    }

    /// A create or delete was refused, as an event or the condition tells: what was not done was
    /// lowered. `version` is that of the event.
    pub(crate) fn refused(&mut self, how: RefusalPace, version: Option<&str>, at: Timestamp) {
        self.refusals = Some(how);
        if self.held.exists != Existence::No {
            self.held.add = self.held.add.hull(Range::new(-self.strangers_since, 0));
            self.held.del = self.held.del.hull(Range::ZERO);
        }
        if let Some(round) = &mut self.creates {
            round.refused = true;
        }
        if let Some(round) = &mut self.deletes {
            round.least = 0;
        }
        // The batch that failed is the last of its sync.
        if let (RefusalPace::AtOnce, Some(version)) = (how, version) {
            if let Some(round) = &mut self.creates {
                round.end(version);
            }
            self.note_write(Write { version: version.to_owned(), at, read: None });
        }
    }

    /// A pod left by release, relabelling or another owner: an awaited deletion of it would
    /// never be seen.
    pub(crate) fn lose(&mut self, pod: &str) {
        self.lost.insert(pod.to_owned(), self.reads.newest() + 1);
    }

    /// A pod was adopted or released: a sync got to its claims.
    pub fn claimed(&mut self) {
        self.reads.claimed();
    }

    /// A pod of its own failed or succeeded: it is no longer active, and not deleted.
    pub(crate) fn ended(&mut self, pod: &str) {
        self.ended.insert(pod.to_owned(), self.reads.newest() + 1);
    }

    /// Takes the counts after an observation; `pods_version` is what the watch of pods has reached.
    pub(crate) fn update(
        &mut self,
        replica_set: &ReplicaSet,
        counts: Counts,
        pods_version: &str,
        at: Timestamp,
    ) {
        if counts != self.counts {
            self.changed = at;
        }
        self.counts = counts;
        self.touched = at;
        self.reads.spec(replica_set.meta.generation, asked(replica_set), at);
        let number = self.reads.state(counts.active(), counts.claims(), at);
        // A further round needs an open gate, and so what has just opened it.
        if std::mem::take(&mut self.progressed) {
            self.reads.rounds_from(number);
            self.reads.newest_spec_only();
        } else if self.before.is_open(at) == Some(false) {
            self.reads.rounds_from(number);
        }
        let others = self.others();
        if let Some(round) = self.deletes.as_ref().filter(|round| !round.settled) {
            self.held.del = round.outstanding(others);
        }
        self.pass_writes(pods_version, at);
        if self.held.is_open(at) == Some(false) {
            self.reads.rounds_from(number);
        }
        self.before = self.held;
    }

    /// The controller wrote a status: no call of an earlier sync is open any more.
    pub(crate) fn status_written(&mut self, replica_set: &ReplicaSet, at: Timestamp) {
        let status = &replica_set.status;
        let generation = status.observed_generation;
        // A sync of an older object of this name may write to the new one.
        if generation > replica_set.meta.generation {
            return;
        }
        self.status_seen = Some(at);
        // A controller that writes has handled what was seen so long before.
        self.strangers.retain(|seen| at.duration_since(*seen) < WATCH_LAG);
        let first = !std::mem::replace(&mut self.written, true);
        if first && self.may_follow(at) && status.failure().is_none() {
            return;
        }
        let version = &replica_set.meta.resource_version;
        let ends = self.creates.as_mut().is_some_and(|round| round.end(version));
        if let Some(round) = &mut self.deletes {
            round.ended |= is_newer(version, &round.version);
        }
        if status.failure().is_none() {
            self.refusals = None;
        }
        let replicas = i64::from(status.replicas);
        let current = generation == replica_set.meta.generation;
        let wanted = self.reads.wanted(generation);
        // Pods that have come since its sync read them are not missing.
        let missing =
            wanted.filter(|wanted| self.counts.owned < *wanted).map_or(0, |wanted| wanted - replicas);
        let open = self.held.is_open(at) == Some(true) && status.failure().is_none();
        let short = (missing > 0 && open && !ends).then(|| {
            let size = missing.min(BURST as i64);
            // The sync before may have asked for others, of an older spec.
            let least = if self.wrote_of_older { 1 } else { size };
            Sizes { least, most: size, since: self.changed }
        });
        self.wrote_of_older |= !current;
        self.bounded |= current;
        let read = Read { generation, state: self.reads.first_with(replicas), short };
        self.note_write(Write { version: version.clone(), at, read: Some(read) });
    }

    fn note_write(&mut self, write: Write) {
        self.writes.push_back(write);
        if self.writes.len() > MOST_WRITES {
            self.writes.pop_front();
        }
    }

    /// An event tells that a sync deleted a pod, with its name where it is told.
    pub(crate) fn deleted_by_sync(&mut self, pod: Option<&str>, version: &str, at: Timestamp) {
        let gone = pod.and_then(|pod| self.terminations.number(pod));
        let left = gone.or_else(|| self.lost.get(pod?).copied());
        // Events are sent apart from the calls: this one may be about a round before the last.
        let older = |round: &CreateRound| left.is_some_and(|left| left <= round.after_state);
        if self.creates.as_ref().is_some_and(older) || self.held.is_open(at) == Some(false) {
            return;
        }
        if !self.deletes.as_ref().is_some_and(DeleteRound::takes) {
            let Some(sizes) = self.reads.deletes_before(gone.unwrap_or(u64::MAX)) else { return };
            let terminated = self.terminations.after(self.reads.round_from());
            self.reads.deleted(gone.unwrap_or(u64::MAX));
            // An event may come after the status that ended its round, and seem to tell of another.
            let of_last = self.deletes.as_ref().map_or(0, |round| round.late);
            let late = self.late_strangers().max(of_last);
            self.set(Held::set(Range::new(-late, 0), Range::ZERO, since(sizes, at)));
            self.creates = None;
            self.marks.deletes += 1;
            self.marks.sizes = (sizes.least, sizes.most);
            self.deletes = Some(DeleteRound { late, ..DeleteRound::begun(sizes, terminated) });
        }
        let others = self.others();
        let Some(round) = &mut self.deletes else { return };
        round.note_event(pod, gone.is_some(), version);
        self.held.del = round.outstanding(others);
        if let Some(gone) = gone {
            self.reads.rounds_from(gone);
        }
        self.before = self.held;
    }

    /// Whether a round may have begun unseen that is not the one now due: `short` if creates are
    /// due, else deletes.
    pub(crate) fn other_round_unseen(&self, short: bool) -> bool {
        self.unanswered || if short { self.reads.deletes().is_some() } else { self.reads.creates().is_some() }
    }

    /// Takes the writes that the pods' watch has passed.
    fn pass_writes(&mut self, pods_version: &str, at: Timestamp) {
        while let Some(write) = self.writes.front() {
            let passed = is_newer(pods_version, &write.version);
            if !passed && at.duration_since(write.at) < WATCH_LAG {
                return;
            }
            if let Some(write) = self.writes.pop_front() {
                self.settle(&write);
            }
        }
    }

    /// Pods that left since a further round can have chosen them.
    fn lost_since_read(&self) -> i64 {
        let read = self.reads.round_from();
        self.lost.values().filter(|number| **number > read).count() as i64
    }

    /// What calls before this write did was seen: nothing is left of them but what a trap holds.
    fn settle(&mut self, write: &Write) {
        let over = |round: &&mut CreateRound| !round.settled && round.had_ended(&write.version);
        if let Some(round) = self.creates.as_mut().filter(over) {
            let all_came = round.arrived >= round.least && !self.swallows;
            if all_came && self.proved {
                round.settled = true;
                self.marks.settled += 1;
                self.held.add = match (self.refusals, self.held.add.min()) {
                    (None, Some(_)) if !round.doubted => {
                        Range::new(round.outstanding() - round.late, round.outstanding())
                    }
                    _ => self.held.add.at_most(round.outstanding().max(0)),
                };
            }
        }
        let over = |round: &&mut DeleteRound| round.ended && is_newer(&write.version, &round.version);
        if let Some(round) = self.deletes.as_mut().filter(over) {
            round.settled = true;
            self.marks.settled += 1;
            self.held.del = self.held.del.at_most(self.lost.len() as i64);
        }
        let Some(read) = write.read else { return };
        if let Some(sizes) = read.short.filter(|_| !self.came_since(write)) {
            self.unanswered = true;
            self.nothing_came(sizes, write.at);
        }
        self.settle_unseen_deletes(write.at);
        self.reads.synced(read.generation, read.state);
    }

    /// A delete round may have come and gone without an event. It replaced the entry, and still
    /// awaits what left by another way than deletion.
    fn settle_unseen_deletes(&mut self, at: Timestamp) {
        if self.held.is_open(at) == Some(false) {
            return;
        }
        if let Some(sizes) = self.reads.deletes() {
            let left = Range::new(0, sizes.most.min(self.lost_since_read()));
            self.held = self.held.hull(Held::set(Range::ZERO, left, since(sizes, at)));
        }
    }

    /// A sync ended that was short of so many pods, and none came of it.
    fn nothing_came(&mut self, sizes: Sizes, at: Timestamp) {
        let asked = Held::set(Range::new(sizes.least, sizes.most), Range::ZERO, since(sizes, at));
        match self.held.is_open(at) {
            // It waited for what an earlier one had asked for.
            Some(false) => {}
            Some(true) if self.swallows => {
                self.marks.swallowed += 1;
                self.creates = None;
                self.set(asked);
            }
            // Why nothing came is not known: a namespace may be terminating unseen.
            _ => {
                self.held = self.held.hull(Held { add: Range::new(1, sizes.most), ..asked });
                if let Some(round) = &mut self.creates {
                    round.doubted = true;
                }
            }
        }
    }

    /// Whether a pod of a round has arrived since a write was seen.
    fn came_since(&self, write: &Write) -> bool {
        self.creates.as_ref().is_some_and(|round| round.last_at >= write.at)
    }

    /// Time passes without an observation of this ReplicaSet.
    pub(crate) fn pass(&mut self, pods_version: &str, at: Timestamp) {
        self.pass_writes(pods_version, at);
        if self.held.is_open(at) == Some(false) {
            self.reads.rounds_from(self.reads.newest());
        }
    }

    /// Pods whose deletion may be awaited, and whether that is sure: victims that an event names,
    /// and pods that left while deletions were awaited.
    pub fn awaited(&self, held: &Held) -> Vec<(String, bool)> {
        let named = self.deletes.iter().flat_map(|round| &round.named);
        let sure = held.del.min() == Some(self.lost.len() as i64) && held.del.is_exact();
        let lost = self.lost.keys().map(|pod| (pod.clone(), sure));
        let mut awaited: Vec<_> = named.map(|pod| (pod.clone(), true)).chain(lost).collect();
        awaited.sort();
        awaited.dedup_by(|a, b| a.0 == b.0);
        awaited
    }

    /// Whether a pod of its own was seen terminating or gone of late.
    pub(crate) fn saw_end(&self, pod: &str) -> bool {
        self.terminations.number(pod).is_some()
    }

    /// Since when creates or deletes are due, if they are.
    pub(crate) fn due_since(&self) -> Option<Timestamp> {
        (!self.counts.agree()).then_some(self.changed)
    }

    /// How often what was followed here.
    pub(crate) fn marks(&self) -> Marks {
        self.marks
    }

    /// Wanted and active pods as they were taken last.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

/// The size that syncs of this object work towards.
fn asked(replica_set: &ReplicaSet) -> Option<i64> {
    (!replica_set.is_deleting()).then_some(i64::from(replica_set.replicas))
}

/// Between which instants a round was set that may have begun unseen.
fn since(sizes: Sizes, now: Timestamp) -> Interval {
    Interval { earliest: not_before(sizes.since), latest: Some(now) }
}
