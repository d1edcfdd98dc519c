//! What the controller's own log says of its expectations.
//!
//! From 1.28 on the entries print as `{}`, but every line that sets or drops one names its
//! ReplicaSet, and at -v=4 the handlers name the pods whose events they ran for. So the entry is
//! known exactly: the last Set, less what failed, less the events handled since. The answer is for
//! the controller once it has handled what the observer has seen: events that the observer had and
//! the log has not are applied on top.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};

use super::KINDS;
use super::detail::CacheVersions;
use super::held::{Existence, Held};
use super::range::{Interval, Range};
use super::rounds::UnderWay;
use crate::objects::log_line::{PodChange, Step};
use crate::objects::{Key, LogLine, OwnerKind};

/// More pods than this of which only the log knows are not kept.
const MOST_EARLY: usize = 20_000;

/// A controller that was stopped for longer hardly leads any more.
const LONG_LAG: SignedDuration = SignedDuration::from_secs(30);

/// How the last sync that the log tells of ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// Without an error.
    Done,
    /// Refused by the stale-cache check of 1.36+.
    Stale,
    /// With this error.
    Failed(String),
}

/// Syncs refused by the stale-cache check.
#[derive(Debug, Clone, PartialEq)]
pub struct Stale {
    /// How many.
    pub(crate) count: u64,
    /// When the first was.
    pub(crate) first: Option<Timestamp>,
    /// The first since a sync last got past the check.
    pub(crate) since: Option<Timestamp>,
    /// The same as it was before the last line that told the end of a sync: that of a refused one
    /// is told first.
    before: Option<Timestamp>,
    /// The resource whose cache lagged in the first, its version, and the one written.
    pub(crate) versions: CacheVersions,
}

/// A round of creates whose end the log has not told yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Running {
    count: i64,
    begun: Option<Timestamp>,
}

/// What the log says of one ReplicaSet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Logged {
    /// The entry as the controller holds it; None if the log does not reach back to where it was set.
    held: Option<Held>,
    /// The number of the line that set it.
    set_line: u64,
    /// Names of pods whose deletion is awaited.
    awaited: BTreeSet<String>,
    /// Of these, those that the observer saw terminating.
    gone: BTreeSet<String>,
    /// Pods that the observer saw added, and the handlers have not.
    unhandled: BTreeMap<String, Timestamp>,
    /// Of these, those that the observer saw end since: a watch that lags or lists anew may show
    /// them terminating first, or never.
    fleeting: BTreeSet<String>,
    /// Pods that the observer saw added just after the entry was set, at -v=2: they may have been
    /// handled before.
    doubtful: i64,
    /// When the observer saw pods added of late that somebody else made.
    strangers: Vec<Timestamp>,
    /// Pods of rounds before the last Set that the observer may still see added, at -v=2.
    overdue: i64,
    running: Option<Running>,
    /// Pods that the rounds in the log still have to make.
    to_come: i64,
    /// Whether the log reaches back to before its first round.
    from_start: bool,
    /// When the log last told that its object was gone.
    dropped_at: Option<Timestamp>,
    /// When a line last named it.
    heard: Option<Timestamp>,
    /// When the first event was received that no line of it follows.
    unanswered: Option<Timestamp>,
    /// Statuses that the log told of, less those that the observer saw written.
    statuses: i64,
    /// When the observer last saw a status written: the end of that sync is told at once.
    written: Option<Timestamp>,
    /// How the last sync ended, and when.
    pub(crate) last: Option<(Option<Timestamp>, Outcome)>,
    /// Syncs refused by the stale-cache check.
    pub(crate) stale: Option<Stale>,
    /// Its kind, where a line told it.
    pub(crate) kind: Option<OwnerKind>,
    /// spec.replicas as the log told it last.
    pub(crate) need: Option<i64>,
    /// Active pods and observedGeneration as a sync wrote them last.
    pub(crate) status: Option<(i64, i64)>,
}

/// What the log says of all.
#[derive(Debug, Clone, Default)]
pub(crate) struct Logs {
    by_key: BTreeMap<Key, Logged>,
    /// Whether the log tells of events too, as it does at -v=4.
    detailed: bool,
    /// When the first and the last line were written.
    begun: Option<Timestamp>,
    last: Option<Timestamp>,
    /// Whether it tells when syncs end.
    tells_ends: bool,
    /// ReplicaSets of which the observer saw what the log should have told of before.
    behind: BTreeSet<Key>,
    line: u64,
    /// Pods whose creation was handled before the observer saw them, with the line.
    early: BTreeMap<Key, u64>,
    /// Pods that the observer saw added, and the handlers have not: whose they are.
    unhandled: BTreeMap<Key, Key>,
    /// Pods that were made and not handled, and whose they are; kept only while nothing else than
    /// the log was seen.
    made: BTreeMap<Key, Key>,
    /// What syncs of which the end was not told yet found of their expectations.
    found: Vec<Step>,
}

impl Logged {
    /// The entry once everything was handled that the observer has seen.
    pub(crate) fn held(&self) -> Option<Held> {
        let mut held = self.held.filter(|_| !self.is_behind())?;
        held.lower_add((self.unhandled.len() - self.fleeting.len()) as i64);
        let sure = held.add;
        held.lower_add(self.fleeting.len() as i64 + self.doubtful);
        held.add = held.add.hull(sure);
        if held.exists == Existence::Yes {
            held.del = held.del.lowered(self.gone.len() as i64);
        }
        Some(held)
    }

    /// Whether the observer saw what the log should have told of before: then it ends earlier.
    fn is_behind(&self) -> bool {
        self.to_come < 0 || self.statuses < 0 || self.written.is_some_and(|at| self.ends_before(at))
    }

    /// The first event that no line follows: a controller that is alive handles it at once.
    pub(crate) fn unanswered(&self) -> Option<Timestamp> {
        self.unanswered.filter(|event| self.ends_before(*event))
    }

    /// Whether no line of it follows what was received at this instant.
    pub(crate) fn ends_before(&self, received: Timestamp) -> bool {
        self.heard.is_none_or(|heard| received.duration_since(heard) > SLOWER)
    }

    /// Pods that the observer saw added, which last, and the handlers have not, and when it had the first.
    pub(crate) fn unhandled(&self) -> Option<(usize, Timestamp)> {
        let lasting = || self.unhandled.iter().filter(|(pod, _)| !self.fleeting.contains(*pod));
        let first = lasting().map(|(_, at)| *at).min()?;
        Some((lasting().count(), first)).filter(|_| !self.is_behind())
    }

    /// Pods whose deletion is awaited, by name.
    pub fn awaited(&self) -> impl Iterator<Item = &str> {
        let expected =
            self.held.is_some_and(|held| held.exists == Existence::Yes && held.del.max() > Some(0));
        self.awaited.iter().filter(move |pod| expected && !self.gone.contains(*pod)).map(String::as_str)
    }

    /// The create round that is being carried out.
    pub(crate) fn under_way(&self) -> Option<UnderWay> {
        let running = self.running?;
        let left = self.held()?.add.max()?.clamp(0, running.count);
        let begun = Interval { earliest: running.begun, latest: running.begun };
        (left > 0).then_some(UnderWay { count: running.count, done: running.count - left, begun })
    }

    fn set(&mut self, (add, del): (i64, i64), at: Option<Timestamp>, line: u64, detailed: bool) {
        let set_at = Interval { earliest: at, latest: at };
        self.held = Some(Held::set(Range::new(add, add), Range::new(del, del), set_at));
        self.set_line = line;
        // A handler may run after the sync that it woke: no gate waits for these pods.
        self.strangers.retain(|seen| at.is_none_or(|at| at.duration_since(*seen) < LONG_LAG));
        self.doubtful = if detailed { 0 } else { self.strangers.len() as i64 };
    }

    /// Whether the entry was set so shortly before that the observer may still receive what was
    /// handled before it.
    fn was_just_set(&self, at: Timestamp) -> bool {
        let set = self.held.and_then(|held| held.set_at.latest);
        set.is_some_and(|set| at.duration_since(set) < BEHIND)
    }

    fn forget(&mut self) {
        self.held = Some(Held::NONE);
        self.awaited.clear();
        self.gone.clear();
    }

    fn forget_unhandled(&mut self) {
        self.unhandled.clear();
        self.fleeting.clear();
    }

    fn take_unhandled(&mut self, pod: &str) {
        self.unhandled.remove(pod);
        self.fleeting.remove(pod);
    }

    fn lower_add(&mut self, count: i64) {
        if let Some(held) = &mut self.held {
            held.lower_add(count);
        }
    }

    /// A pod is no longer awaited; one that is not awaited changes nothing.
    fn lower_del(&mut self, pod: &str) {
        self.gone.remove(pod);
        let awaited = self.awaited.remove(pod);
        if let Some(held) = self.held.as_mut().filter(|held| awaited && held.exists == Existence::Yes) {
            held.del = held.del.lowered(1);
        }
    }

    fn end(&mut self, at: Option<Timestamp>, outcome: Outcome) {
        self.running = None;
        if outcome != Outcome::Stale
            && let Some(stale) = &mut self.stale
        {
            stale.before = stale.since.take();
        }
        self.last = Some((at, outcome));
    }
}

impl Logs {
    /// Whether the log tells of events too, as it does at -v=4.
    pub fn is_detailed(&self) -> bool {
        self.detailed
    }

    /// Whether it ends before what was seen of any ReplicaSet: then it does so for all.
    pub(crate) fn is_behind(&self) -> bool {
        !self.behind.is_empty()
    }

    fn note_behind(&mut self, key: &Key) {
        match self.by_key.get(key).is_some_and(Logged::is_behind) {
            true => drop(self.behind.insert(key.clone())),
            false => drop(self.behind.remove(key)),
        }
    }

    /// Whether any line is as new as this.
    pub(crate) fn reaches(&self, instant: Timestamp) -> bool {
        self.last.is_some_and(|last| last >= instant)
    }

    /// What is said of one ReplicaSet.
    pub fn of(&self, key: &Key) -> Option<&Logged> {
        self.by_key.get(key)
    }

    /// Whether the log tells when a round of creates is over.
    pub(crate) fn tells_ends(&self) -> bool {
        self.detailed || self.tells_ends
    }

    /// All that any line names.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Key, &Logged)> {
        self.by_key.iter()
    }

    /// Takes a line. `owner` tells whose a pod is, where the observer knows it; `gone` whether it
    /// saw the end of a pod of this owner; `starts` whether the controller that starts is its own.
    /// `alone` says that nothing else was seen yet.
    pub fn take(
        &mut self,
        line: &LogLine,
        at: Option<Timestamp>,
        owner: impl Fn(&Key) -> Option<Key>,
        gone: impl Fn(&Key, &str) -> bool,
        starts: impl Fn(&Key) -> bool,
        alone: bool,
    ) {
        self.line += 1;
        self.detailed |= line.is_detailed();
        let (number, detailed) = (self.line, self.detailed);
        self.begun = self.begun.or(at);
        self.last = self.last.max(at);
        if let Some(key) = line.key() {
            let logged = self.logged(key);
            logged.heard = logged.heard.max(at);
        }
        match line {
            LogLine::Creates { key, need, count } => {
                let logged = self.begin_round(key, *need);
                logged.set((*count, 0), at, number, detailed);
                logged.to_come = *count;
                logged.running = Some(Running { count: *count, begun: at });
            }
            LogLine::Deletes { key, need, count } => {
                let logged = self.begin_round(key, *need);
                if !detailed {
                    logged.awaited.clear();
                    logged.gone.clear();
                    logged.set((0, *count), at, number, detailed);
                }
            }
            LogLine::AwaitsDeletions { key, pods } => {
                let logged = self.logged(key);
                logged.awaited = pods.iter().cloned().collect();
                logged.gone = pods.iter().filter(|pod| gone(key, pod)).cloned().collect();
                logged.set((0, logged.awaited.len() as i64), at, number, detailed);
            }
            LogLine::DeletingPod { owner, pod } if !detailed => {
                let key = Key::new(pod.namespace.as_str(), owner.as_str());
                let seen = gone(&key, &pod.name);
                let logged = self.logged(&key);
                logged.awaited.insert(pod.name.clone());
                if seen {
                    logged.gone.insert(pod.name.clone());
                }
            }
            LogLine::SkippedCreates { key, count } => {
                let logged = self.logged(key);
                logged.lower_add(*count);
                logged.to_come -= count;
            }
            LogLine::DeleteFailed { key, pod } | LogLine::DeletionSeen { key, pod } => {
                self.logged(key).lower_del(pod);
            }
            LogLine::NeverRecorded { key } => {
                let logged = self.logged(key);
                logged.forget();
                logged.from_start = true;
            }
            LogLine::Dropped { key } => {
                let logged = self.logged(key);
                logged.forget();
                logged.dropped_at = at;
            }
            LogLine::Started => self.restart(starts),
            LogLine::CreatedPod { owner, pod } if alone => {
                self.created(pod, Key::new(pod.namespace.as_str(), owner.as_str()));
            }
            LogLine::Pod { change: PodChange::Created, orphan: false, pod } => self.handled(pod, owner(pod)),
            // First seen terminating: its creation lowers nothing any more.
            LogLine::Pod { change: PodChange::Deleted, pod, .. } => {
                if let Some(key) = self.unhandled.remove(pod) {
                    self.logged(&key).take_unhandled(&pod.name);
                }
            }
            LogLine::Expectations {
                step: step @ (Step::Fulfilled | Step::Expired | Step::Waiting), ..
            } => {
                self.found.push(*step);
            }
            LogLine::Finished { kind, key } => {
                self.tells_ends = true;
                let step = self.found_by(key);
                let logged = self.logged(key);
                logged.kind = KINDS.into_iter().find(|known| known.as_str() == kind);
                if step == Some(Step::Fulfilled) && logged.held.is_none() {
                    logged.held = Some(Held { add: Range::MET, del: Range::MET, ..Held::UNKNOWN });
                }
                logged.end(at, Outcome::Done);
            }
            LogLine::SyncFailed { key, error } => self.logged(key).end(at, Outcome::Failed(error.clone())),
            LogLine::Stale { key, resource, read, written } => {
                let (resource, cached, written) = (resource.clone(), read.clone(), written.clone());
                self.stale(key, at, CacheVersions { resource, cached, written });
            }
            LogLine::Resized { key, new, .. } => self.logged(key).need = Some(*new),
            LogLine::WritesStatus { key, new, need, generation, .. } => {
                let logged = self.logged(key);
                logged.need = Some(*need);
                logged.status = Some((*new, *generation));
                logged.statuses += 1;
            }
            LogLine::Adding { key } => self.logged(key).from_start = true,
            _ => {}
        }
        if let Some(key) = line.key().filter(|_| !self.behind.is_empty()) {
            self.note_behind(key);
        }
    }

    fn logged(&mut self, key: &Key) -> &mut Logged {
        self.by_key.entry(key.clone()).or_default()
    }

    /// A sync of this ReplicaSet sets expectations, and so replaces what it found. Without the
    /// handlers' lines all that was seen before it counts as handled.
    fn begin_round(&mut self, key: &Key, need: i64) -> &mut Logged {
        if !self.detailed {
            self.unhandled.retain(|_, owner| owner != key);
            let logged = self.logged(key);
            logged.forget_unhandled();
            logged.overdue = logged.to_come.max(0);
            logged.to_come = 0;
            let gone = std::mem::take(&mut logged.gone);
            logged.awaited.retain(|pod| !gone.contains(pod));
        }
        let logged = self.logged(key);
        logged.need = Some(need);
        logged.last = None;
        logged
    }

    /// All entries of a controller are gone; the initial list lowers nothing.
    fn restart(&mut self, starts: impl Fn(&Key) -> bool) {
        for (_, logged) in self.by_key.iter_mut().filter(|(key, _)| starts(key)) {
            logged.forget();
            logged.forget_unhandled();
            logged.running = None;
            logged.from_start = true;
        }
        self.unhandled.retain(|_, owner| !starts(owner));
        self.early.clear();
        self.found.clear();
    }

    /// Another controller-manager leads: it begins without entries.
    pub(crate) fn takeover(&mut self) {
        self.restart(|_| true);
    }

    /// The handlers ran for a new pod.
    fn handled(&mut self, pod: &Key, owner: Option<Key>) {
        if let Some(key) = self.unhandled.remove(pod) {
            let logged = self.logged(&key);
            logged.take_unhandled(&pod.name);
            logged.lower_add(1);
        } else if let Some(key) = self.made.remove(pod).or(owner) {
            self.logged(&key).lower_add(1);
        } else {
            self.early.insert(pod.clone(), self.line);
            if self.early.len() > MOST_EARLY {
                self.early.pop_first();
            }
        }
    }

    /// A create was answered. The handlers may have run before.
    fn created(&mut self, pod: &Key, owner: Key) {
        match self.early.remove(pod) {
            Some(line) if line > self.logged(&owner).set_line => self.logged(&owner).lower_add(1),
            Some(_) => {}
            None => {
                self.made.insert(pod.clone(), owner);
                if self.made.len() > MOST_EARLY {
                    self.made.pop_first();
                }
            }
        }
    }

    /// The observer saw a pod of this owner added; `made` if only a sync can have made it.
    pub fn pod_added(&mut self, key: &Key, pod: &Key, made: bool, at: Timestamp) {
        self.take_added(key, pod, made, at);
        if made && self.by_key.contains_key(key) {
            self.note_behind(key);
        }
    }

    fn take_added(&mut self, key: &Key, pod: &Key, made: bool, at: Timestamp) {
        let Some(logged) = self.by_key.get_mut(key) else {
            self.early.remove(pod);
            return;
        };
        if !made {
            logged.strangers.push(at);
        } else if logged.overdue > 0 {
            logged.overdue -= 1;
            logged.doubtful += 1;
            return;
        } else {
            logged.to_come -= 1;
        }
        match self.early.remove(pod) {
            Some(line) if line > logged.set_line => logged.lower_add(1),
            Some(_) => {}
            None if !self.detailed && !made && logged.was_just_set(at) => logged.doubtful += 1,
            // It may have been handled just before the log begins.
            None if !logged.from_start && !begun_before(self.begun, at) => logged.held = None,
            None => {
                logged.unhandled.insert(pod.name.clone(), at);
                self.unhandled.insert(pod.clone(), key.clone());
            }
        }
    }

    /// The observer's lists may have pods whose creation was handled before; `owner` tells whose
    /// they are.
    pub(crate) fn match_early(&mut self, at: Timestamp, owner: impl Fn(&Key) -> Option<Key>) {
        let known = self.early.keys().filter_map(|pod| Some((pod.clone(), owner(pod)?)));
        for (pod, owner) in known.collect::<Vec<_>>() {
            self.pod_added(&owner, &pod, false, at);
        }
    }

    /// The observer saw a status of this ReplicaSet written: a log at -v=4 told of that before, if it
    /// does not end earlier.
    pub(crate) fn status_seen(&mut self, key: &Key, at: Timestamp) {
        let detailed = self.detailed;
        if let Some(logged) = self.by_key.get_mut(key).filter(|_| detailed) {
            logged.statuses -= 1;
            logged.written = Some(at);
            self.note_behind(key);
        }
    }

    /// The observer saw that a create was refused: the sync that tried it ends at once.
    pub(crate) fn refusal_seen(&mut self, key: &Key, at: Timestamp) {
        let detailed = self.detailed;
        if let Some(logged) = self.by_key.get_mut(key).filter(|logged| detailed && logged.running.is_some()) {
            logged.written = Some(at);
            self.note_behind(key);
        }
    }

    /// The observer received something that a sync of this ReplicaSet follows.
    pub(crate) fn touched(&mut self, key: &Key, at: Timestamp) {
        if let Some(logged) = self.by_key.get_mut(key) {
            let answered = logged.unanswered.is_none_or(|event| !logged.ends_before(event));
            if answered {
                logged.unanswered = Some(at);
            }
        }
    }

    /// The observer's list of pods: without the handlers' lines nobody knows how many of them the
    /// rounds before it had made, nor what came and went.
    pub(crate) fn listed(&mut self) {
        if self.detailed {
            for logged in self.by_key.values_mut() {
                logged.to_come = logged.held().and_then(|held| held.add.max()).unwrap_or(0).max(0);
            }
            return;
        }
        for logged in self.by_key.values_mut() {
            logged.held = logged.held.map(|held| held.hull(Held { exists: held.exists, ..Held::NONE }));
            logged.running = None;
            logged.to_come = 0;
        }
    }

    /// The observer saw the end of a pod of this owner.
    pub(crate) fn pod_gone(&mut self, key: &Key, pod: &str) {
        let Some(logged) = self.by_key.get_mut(key) else { return };
        if logged.awaited.contains(pod) {
            logged.gone.insert(pod.to_owned());
        }
        if logged.unhandled.contains_key(pod) {
            logged.fleeting.insert(pod.to_owned());
        }
    }

    /// The observer saw the ReplicaSet deleted, or another of its name.
    pub(crate) fn dropped(&mut self, key: &Key, at: Timestamp) {
        // What the log has told of by then is of the next object of this name.
        let told = |logged: &&mut Logged| {
            logged.dropped_at.is_some_and(|told| at.duration_since(told).abs() < BEHIND)
        };
        if let Some(logged) = self.by_key.get_mut(key).filter(|logged| !told(logged)) {
            // At -v=2 a round just told of may be the next object's.
            match logged.held.filter(|_| !self.detailed && logged.was_just_set(at)) {
                Some(held) => logged.held = Some(held.hull(Held::NONE)),
                None => logged.forget(),
            }
            logged.forget_unhandled();
            self.unhandled.retain(|_, owner| owner != key);
        }
    }

    /// What the sync that ends found of its expectations, if that can be told: the lines name
    /// nobody, and the workers' lines interleave.
    fn found_by(&mut self, key: &Key) -> Option<Step> {
        let never_recorded = self
            .by_key
            .get(key)
            .and_then(|logged| logged.held)
            .is_some_and(|held| held.exists == Existence::No);
        let step = self.found.last().copied()?;
        let agree = self.found.iter().all(|found| *found == step);
        if never_recorded || !agree {
            self.found.clear();
            return None;
        }
        self.found.pop();
        Some(step)
    }

    fn stale(&mut self, key: &Key, at: Option<Timestamp>, versions: CacheVersions) {
        let logged = self.logged(key);
        let stale =
            logged.stale.get_or_insert(Stale { count: 0, first: at, since: None, before: None, versions });
        stale.count += 1;
        stale.since = stale.since.or(stale.before.take()).or(at);
        logged.end(at, Outcome::Stale);
    }
}

/// Whether the log begins so long before an instant that what was received then and handled before
/// is told of.
fn begun_before(begun: Option<Timestamp>, at: Timestamp) -> bool {
    begun.is_some_and(|begun| at.duration_since(begun) > BEHIND)
}

/// The observer may receive an event so long after the controller handled it.
const SLOWER: SignedDuration = SignedDuration::from_millis(250);

/// The observer is rarely further behind the controller's handlers.
const BEHIND: SignedDuration = SignedDuration::from_secs(1);
