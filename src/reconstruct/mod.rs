//! From observations to ranges and a verdict.
//!
//! [`Reconstruction::observe`] takes observations in their order; [`Reconstruction::answer`] may
//! be asked at any time and replays nothing.

pub mod answer;
pub mod around;
pub mod context;
pub mod gate;
pub mod held;
pub mod logged;
pub mod range;
pub mod reads;
pub mod reasons;
pub mod refusal;
pub mod refused;
pub mod rounds;
pub mod track;
pub mod verdict;
pub mod view;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::controller::claim::{self, Claim};
use crate::controller::effect::Effect;
use crate::controller::handlers::Handlers;
use crate::controller::profile::{Profile, Version};
use crate::objects::{Key, Lease, LogLine, Object, Observation, OwnerKind, Pod, ReplicaSet, Resource, What};
use logged::{Logged, Logs};
use track::{Counts, Refusals, Track};
use view::{Change, View};

/// How a fact is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Seen in objects, events or the window.
    Observed,
    /// Said by the controller's log.
    Logged,
    /// Follows from observed facts by the controller's rules.
    Inferred,
    /// A default, or a guess that is said to be one.
    Assumed,
}

impl Tier {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::Observed => "observed",
            Tier::Logged => "logged",
            Tier::Inferred => "inferred",
            Tier::Assumed => "assumed",
        }
    }
}

/// Why a verdict is what it is, with the figures of the case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The code, which `explain CODE` tells more about.
    pub code: reasons::Code,
    /// How it is known.
    pub tier: Tier,
    /// One sentence.
    pub message: String,
}

impl Reason {
    /// A reason from its parts.
    pub fn new(code: reasons::Code, tier: Tier, message: String) -> Reason {
        Reason { code, tier, message }
    }
}

/// A ReplicaSet or ReplicationController by kind and key.
pub type Id = (OwnerKind, Key);

/// The state of the reconstruction.
#[derive(Debug, Clone)]
pub struct Reconstruction {
    profile: Profile,
    given: Option<Version>,
    said: Option<Version>,
    view: View,
    logs: Logs,
    tracks: BTreeMap<Id, Track>,
    /// Whether the opening lists are through and changes are followed.
    following: bool,
    listed: BTreeSet<Resource>,
    seen: BTreeSet<Id>,
    first_at: Option<Timestamp>,
    last_at: Option<Timestamp>,
    gaps: Vec<String>,
    /// The version that the watch of pods has reached.
    pods_version: String,
    /// Pods that their owner is due to release, by namespace; found when asked for, and again
    /// after an observation.
    leaving: OnceCell<BTreeMap<String, Vec<Arc<Pod>>>>,
}

impl Reconstruction {
    /// Nothing seen yet. Without a version the server's own is taken, or the newest known.
    pub fn new(version: Option<Version>) -> Self {
        Reconstruction {
            profile: Profile::of(version.unwrap_or(Version::LATEST)),
            given: version,
            said: None,
            view: View::default(),
            logs: Logs::default(),
            tracks: BTreeMap::new(),
            following: false,
            listed: BTreeSet::new(),
            seen: BTreeSet::new(),
            first_at: None,
            last_at: None,
            gaps: Vec::new(),
            pods_version: String::new(),
            leaving: OnceCell::new(),
        }
    }

    /// The version whose behaviour is assumed.
    pub fn version(&self) -> Version {
        self.profile.version
    }

    /// The server's version as a recording or the cluster says it, where the caller gave none.
    fn begin(&mut self, server_version: Option<&str>) {
        let said = server_version.and_then(Version::parse);
        if let (None, Some(version)) = (self.given, said) {
            self.profile = Profile::of(version);
            self.said = Some(version);
        }
    }

    /// The version that the caller gave, or that the server said.
    pub fn asked_version(&self) -> Option<Version> {
        self.given.or(self.said)
    }

    /// What was seen of the cluster.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Every ReplicaSet and ReplicationController that was ever seen.
    pub fn seen(&self) -> &BTreeSet<Id> {
        &self.seen
    }

    /// The receive time of the first observation; None for a snapshot.
    pub fn first_at(&self) -> Option<Timestamp> {
        self.first_at
    }

    /// What was missed, in order.
    pub fn gaps(&self) -> &[String] {
        &self.gaps
    }

    /// The behaviour that is assumed.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The receive time of the last observation; None for a snapshot.
    pub fn last_at(&self) -> Option<Timestamp> {
        self.last_at
    }

    /// Takes one observation.
    pub fn observe(&mut self, observation: Observation) {
        let Observation { at, resource, what } = observation;
        self.leaving.take();
        // A log reaches back and on where nothing was observed: it is not what the window is.
        if let (Some(at), false) = (at, matches!(what, What::Log(_))) {
            self.first_at.get_or_insert(at);
            self.last_at = self.last_at.max(Some(at));
        }
        match what {
            What::Begin { server_version } => self.begin(server_version.as_deref()),
            What::List { resource_version, items } => {
                self.view.note_version(&resource_version);
                self.list(resource, items, at);
            }
            What::Added(object) => self.change(object, Event::Added, at),
            What::Modified(object) => self.change(object, Event::Modified, at),
            What::Deleted(object) => self.change(object, Event::Deleted, at),
            What::Bookmark { resource_version } => {
                self.view.note_version(&resource_version);
                if resource == Resource::Pods {
                    self.pods_version = resource_version;
                }
            }
            What::Gap(why) => self.miss(why, at),
            What::Log(line) => self.log_line(&line, at),
            What::End => {}
        }
    }

    fn log_line(&mut self, line: &LogLine, at: Option<Timestamp>) {
        let Reconstruction { logs, view, tracks, .. } = self;
        let owner = |pod: &Key| owner_key(view, view.cache.pod(pod)?);
        let gone = |key: &Key, pod: &str| {
            KINDS.iter().any(|kind| tracks.get(&(*kind, key.clone())).is_some_and(|track| track.saw_end(pod)))
        };
        logs.take(line, at, owner, gone);
    }

    /// What the log says of one object; nothing where two kinds share a name.
    pub(crate) fn logged(&self, id: &Id) -> Option<&Logged> {
        let other = KINDS.into_iter().find(|kind| *kind != id.0)?;
        if self.view.cache.replica_set(other, &id.1).is_some() {
            return None;
        }
        self.logs.of(&id.1)
    }

    fn list(&mut self, resource: Resource, items: Vec<Object>, at: Option<Timestamp>) {
        self.view.quotas_listed |= resource == Resource::Quotas;
        let again = at.is_some() && !self.listed.insert(resource);
        if again {
            self.drop_missing(resource, &items);
        }
        for object in items {
            self.note_seen(&object);
            if let (true, Some(at), Object::Pod(pod)) = (again, at, &object)
                && let Some(owner) = owner_key(&self.view, pod)
                && self.view.cache.pod(&pod.meta.key()).is_none()
            {
                self.logs.pod_added(&owner, &pod.meta.key(), false, at);
            }
            match again {
                true => drop(self.view.apply(object, false)),
                false => self.view.merge(object),
            }
        }
        self.match_early(at);
        if again {
            self.miss(format!("the watch of {} broke and was opened anew", resource.as_str()), at);
        }
    }

    /// The log may have told of pods before the observer saw them, or their owner.
    fn match_early(&mut self, at: Option<Timestamp>) {
        let (Some(at), view) = (at, &self.view) else { return };
        self.logs.match_early(at, |pod| owner_key(view, view.cache.pod(pod)?));
    }

    /// Objects that a second list no longer has went unseen.
    fn drop_missing(&mut self, resource: Resource, items: &[Object]) {
        let kept: BTreeSet<Key> = items.iter().map(|o| o.meta().key()).collect();
        match resource {
            Resource::Pods => {
                let gone: Vec<Key> =
                    self.view.cache.pods().map(|p| p.meta.key()).filter(|k| !kept.contains(k)).collect();
                gone.iter().for_each(|key| drop(self.view.cache.remove_pod(key)));
            }
            Resource::ReplicaSets | Resource::ReplicationControllers => {
                let kind = match resource {
                    Resource::ReplicaSets => OwnerKind::ReplicaSet,
                    _ => OwnerKind::ReplicationController,
                };
                let all = self.view.cache.replica_sets().filter(|rs| rs.kind == kind);
                let gone: Vec<Key> = all.map(|rs| rs.key()).filter(|k| !kept.contains(k)).collect();
                for key in gone {
                    self.view.cache.remove_replica_set(kind, &key);
                    self.tracks.remove(&(kind, key));
                }
            }
            _ => {}
        }
    }

    /// Something was missed: nothing is known any more of any entry.
    fn miss(&mut self, why: String, at: Option<Timestamp>) {
        self.gaps.push(why);
        let Some(at) = at else { return };
        self.following = true;
        self.tracks.clear();
        self.begin_tracks(Track::missed, at);
    }

    /// Begins to follow every ReplicaSet anew.
    fn begin_tracks(&mut self, begin: fn(&ReplicaSet, Counts, Timestamp) -> Track, at: Timestamp) {
        let replica_sets: Vec<Arc<ReplicaSet>> = self.view.cache.replica_sets().cloned().collect();
        replica_sets.iter().for_each(|replica_set| self.insert_track(replica_set, begin, at));
    }

    fn note_seen(&mut self, object: &Object) {
        if let Object::ReplicaSet(replica_set) = object {
            self.seen.insert((replica_set.kind, replica_set.key()));
        }
    }

    /// Begins to follow changes, once the opening lists are through.
    fn follow(&mut self, at: Timestamp) {
        if self.following {
            return;
        }
        self.following = true;
        self.begin_tracks(Track::listed, at);
    }

    /// A watch event. Without a receive time it only moves the view: kubectl's streams begin
    /// with events of objects that were there before.
    fn change(&mut self, object: Object, event: Event, at: Option<Timestamp>) {
        self.note_seen(&object);
        let gone = event == Event::Deleted;
        let Some(at) = at else {
            self.view.apply(object, gone);
            return;
        };
        self.follow(at);
        match self.view.apply(object, gone) {
            Change::Pod { before, now, gone } => {
                let changed = PodChange { before, now, gone, added: event == Event::Added };
                self.pod_changed(&changed, at);
            }
            Change::ReplicaSet(old, new) => self.replica_set_changed(old, new, at),
            Change::Lease(old, new) => self.lease_changed(old.as_deref(), &new, at),
            Change::Event(event) => self.event_seen(&event, at),
            Change::Namespace(name) => self.namespace_changed(&name),
            Change::Other => {}
        }
    }

    fn pod_changed(&mut self, changed: &PodChange, at: Timestamp) {
        let touched = self.touched(changed);
        if changed.is_new() {
            self.note_created(&changed.now, &touched, at);
        }
        for replica_set in &touched {
            self.note_lost(changed, replica_set);
        }
        self.handle_pod(changed, at);
        self.pods_version = changed.now.meta.resource_version.clone();
        for replica_set in touched {
            let Some(track) = self.tracks.get_mut(&(replica_set.kind, replica_set.key())) else { continue };
            let of = |pod: &Pod| contribution(&replica_set, pod, &self.profile);
            let before = changed.before.as_deref().and_then(of);
            let now = if changed.gone { None } else { of(&changed.now) };
            let mut counts = track.counts();
            counts.add(before, -1);
            counts.add(now, 1);
            track.update(&replica_set, counts, &self.pods_version, at);
        }
    }

    /// The ReplicaSets that a pod names, could be its own, or did before.
    fn touched(&self, changed: &PodChange) -> Vec<Arc<ReplicaSet>> {
        let states = [changed.before.as_deref(), Some(&*changed.now)];
        let mut touched: Vec<Arc<ReplicaSet>> = Vec::new();
        for pod in states.into_iter().flatten() {
            for kind in KINDS {
                let named = pod
                    .controller()
                    .and_then(|owner| self.view.cache.resolve(kind, &pod.meta.namespace, owner));
                match named {
                    Some(named) => touched.push(named.clone()),
                    // Seldom: an orphan, or a reference that the cache cannot resolve.
                    None => touched.extend(
                        self.view
                            .cache
                            .replica_sets_in(kind, &pod.meta.namespace)
                            .filter(|replica_set| concerns(replica_set, pod))
                            .cloned(),
                    ),
                }
            }
        }
        touched.sort_by(|a, b| (a.kind, &a.meta.name).cmp(&(b.kind, &b.meta.name)));
        touched.dedup_by(|a, b| Arc::ptr_eq(a, b));
        touched
    }

    /// A pod that leaves by another way than deletion is never seen deleted by its owner.
    fn note_lost(&mut self, changed: &PodChange, replica_set: &ReplicaSet) {
        let left = |pod: &Pod| claim::claim(replica_set, pod) != Claim::Keep;
        let before = changed.before.as_deref().is_some_and(|pod| !left(pod) && pod.is_active());
        if !before || changed.gone || !left(&changed.now) {
            return;
        }
        if let Some(track) = self.tracks.get_mut(&(replica_set.kind, replica_set.key())) {
            track.lose(&changed.now.meta.name);
        }
    }

    /// Tells the ReplicaSet whose sync made this pod, if one did.
    fn note_created(&mut self, pod: &Pod, touched: &[Arc<ReplicaSet>], at: Timestamp) {
        if !made_by_controller(pod) {
            return;
        }
        let Some(prefix) = pod.meta.generate_name.as_deref() else { return };
        for replica_set in touched {
            let made_by = prefix.strip_suffix('-') == Some(replica_set.meta.name.as_str());
            let named = pod.controller().is_some_and(|owner| claim::names(owner, replica_set));
            if !made_by || (!named && pod.controller().is_some()) {
                continue;
            }
            if let Some(track) = self.tracks.get_mut(&(replica_set.kind, replica_set.key())) {
                track.created(pod, named, at);
            }
        }
    }

    /// Runs the controller's handlers over a pod's change.
    fn handle_pod(&mut self, changed: &PodChange, at: Timestamp) {
        let PodChange { before, now, gone, added } = changed;
        for kind in KINDS {
            let handlers = Handlers { kind, cache: &self.view.cache, profile: &self.profile };
            let effects = match before {
                _ if *gone => handlers.pod_deleted(now),
                Some(before) => handlers.pod_updated(before, now),
                None if *added => handlers.pod_added(now),
                // It was there before, though a narrow list did not hold it.
                None => handlers.pod_updated(&unversioned(now), now),
            };
            for effect in &effects {
                if let Some(track) = self.tracks.get_mut(&(kind, effect.key().clone())) {
                    track.apply(effect);
                }
                match effect {
                    Effect::CreationObserved { key, .. } => {
                        let made = made_by_controller(now);
                        self.logs.pod_added(key, &now.meta.key(), made, at);
                    }
                    Effect::DeletionObserved { key, pod } => self.logs.pod_gone(key, &pod.name),
                    _ => {}
                }
            }
        }
    }

    fn replica_set_changed(
        &mut self,
        old: Option<Arc<ReplicaSet>>,
        new: Option<Arc<ReplicaSet>>,
        at: Timestamp,
    ) {
        let Some(new) = new else {
            if let Some(old) = old {
                self.tracks.remove(&(old.kind, old.key()));
                self.logs.dropped(&old.key());
            }
            return;
        };
        let id = (new.kind, new.key());
        let same = old.as_ref().filter(|old| old.meta.uid == new.meta.uid);
        let Some(old) = same else {
            // New in the window: before 1.17 it may inherit the entry of its name.
            let inherits = !self.profile.handlers_forget;
            if old.is_some() && !inherits {
                self.logs.dropped(&id.1);
            }
            let begin = if inherits { Track::missed } else { Track::without_entry };
            self.insert_track(&new, begin, at);
            return;
        };
        let claims_alike = old.selector == new.selector && old.is_deleting() == new.is_deleting();
        let recounted = (!claims_alike).then(|| self.count(&new));
        let Some(track) = self.tracks.get_mut(&id) else { return };
        let counts = recounted.unwrap_or(Counts { wanted: i64::from(new.replicas), ..track.counts() });
        track.update(&new, counts, &self.pods_version, at);
        if old.status != new.status {
            track.status_written(&new, at);
            if let Some(condition) = new.status.failure() {
                track.refused(refusals(&condition.message), None, at);
            }
        }
    }

    fn insert_track(
        &mut self,
        replica_set: &ReplicaSet,
        begin: fn(&ReplicaSet, Counts, Timestamp) -> Track,
        at: Timestamp,
    ) {
        let mut track = begin(replica_set, self.count(replica_set), at);
        track.swallows = self.swallows(&replica_set.meta.namespace);
        self.tracks.insert((replica_set.kind, replica_set.key()), track);
    }

    /// Whether creates in a namespace are swallowed: refused, and counted as done.
    fn swallows(&self, namespace: &str) -> bool {
        self.profile.ignores_terminating_namespace && self.view.is_terminating(namespace)
    }

    fn namespace_changed(&mut self, name: &str) {
        let swallows = self.swallows(name);
        for ((_, key), track) in &mut self.tracks {
            if key.namespace == name {
                track.swallows = swallows;
            }
        }
    }

    /// Another holder begins with no entries at all.
    fn lease_changed(&mut self, old: Option<&Lease>, new: &Lease, at: Timestamp) {
        let Some(old) = old else { return };
        let taken = !new.holder.is_empty() && (old.holder != new.holder || old.acquired != new.acquired);
        if !taken {
            return;
        }
        self.begin_tracks(Track::without_entry, at);
        self.logs.takeover();
    }

    fn event_seen(&mut self, event: &crate::objects::Event, at: Timestamp) {
        let kind = match event.about_kind.as_str() {
            "ReplicaSet" => OwnerKind::ReplicaSet,
            "ReplicationController" => OwnerKind::ReplicationController,
            _ => return,
        };
        let key = Key::new(event.meta.namespace.as_str(), event.about_name.as_str());
        let Some(track) = self.tracks.get_mut(&(kind, key)) else { return };
        let version = event.meta.resource_version.as_str();
        match event.reason.as_str() {
            "FailedCreate" | "FailedDelete" => track.refused(refusals(event.text()), Some(version), at),
            "SuccessfulDelete" => {
                track.deleted_by_sync(event.text().strip_prefix("Deleted pod: "), version, at);
            }
            _ => {}
        }
    }

    /// Active pods of a namespace that their owner is due to release.
    fn leaving(&self, namespace: &str) -> &[Arc<Pod>] {
        let all = self.leaving.get_or_init(|| {
            let mut leaving: BTreeMap<String, Vec<Arc<Pod>>> = BTreeMap::new();
            for replica_set in self.view.cache.replica_sets() {
                let owned = self.view.cache.owned_by(replica_set, &self.profile);
                let due =
                    |pod: &&Arc<Pod>| pod.is_active() && claim::claim(replica_set, pod) == Claim::Release;
                let of_namespace = leaving.entry(replica_set.meta.namespace.clone()).or_default();
                of_namespace.extend(owned.filter(due).cloned());
            }
            leaving
        });
        all.get(namespace).map_or(&[], Vec::as_slice)
    }

    fn count(&self, replica_set: &ReplicaSet) -> Counts {
        let pods = self.view.cache.considered(replica_set, &self.profile);
        let mut counts = Counts { wanted: i64::from(replica_set.replicas), ..Counts::default() };
        pods.iter().for_each(|pod| counts.add(contribution(replica_set, pod, &self.profile), 1));
        counts
    }
}

/// Both kinds whose controllers are this one.
const KINDS: [OwnerKind; 2] = [OwnerKind::ReplicaSet, OwnerKind::ReplicationController];

/// What a sync does with an active pod that it looks at.
fn contribution(replica_set: &ReplicaSet, pod: &Pod, profile: &Profile) -> Option<Claim> {
    let counted = pod.is_active() && claim::considers(replica_set, pod, profile);
    counted.then(|| claim::claim(replica_set, pod))
}

/// Whether the controller-manager made this pod, whichever of its controllers.
fn made_by_controller(pod: &Pod) -> bool {
    pod.meta.managers.iter().any(|m| m.name == "kube-controller-manager" && m.subresource.is_empty())
}

/// The key of the ReplicaSet or ReplicationController that a pod names as its controller.
fn owner_key(view: &View, pod: &Pod) -> Option<Key> {
    let owner = pod.controller()?;
    let mut found = KINDS.iter().filter_map(|kind| view.cache.resolve(*kind, &pod.meta.namespace, owner));
    found.next().map(|owner| owner.key())
}

/// How a refusal of this text is answered.
fn refusals(message: &str) -> Refusals {
    use reasons::Code;
    match refusal::classify(message).code {
        Code::QuotaExceeded
        | Code::PodSecurityViolation
        | Code::LimitRangeViolation
        | Code::ServiceAccountMissing
        | Code::PriorityClassMissing
        | Code::PodInvalid
        | Code::CreateForbidden
        | Code::AdmissionPolicyDenied => Refusals::AtOnce,
        Code::CreateTimedOut | Code::WebhookTimedOut => Refusals::Unsure,
        _ => Refusals::AfterAWhile,
    }
}

/// A pod's change.
struct PodChange {
    before: Option<Arc<Pod>>,
    /// Its new state, or its last one.
    now: Arc<Pod>,
    /// Whether it was removed.
    gone: bool,
    /// Whether the watch calls it new.
    added: bool,
}

impl PodChange {
    /// Whether it was not there before, or was another one of the same name.
    fn is_new(&self) -> bool {
        let before = self.before.as_ref().map(|pod| &pod.meta.uid);
        !self.gone && before != Some(&self.now.meta.uid) && (self.added || before.is_some())
    }
}

/// A watch event of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Added,
    Modified,
    Deleted,
}

/// A pod as it may have been before: the same, at another version.
fn unversioned(pod: &Pod) -> Pod {
    let mut before = pod.clone();
    before.meta.resource_version.clear();
    before
}

/// Whether a pod names this ReplicaSet or could be its own.
fn concerns(replica_set: &ReplicaSet, pod: &Pod) -> bool {
    match pod.controller() {
        Some(owner) => owner.uid == replica_set.meta.uid,
        None => replica_set.selector.matches(&pod.meta.labels) || pod_was_made_for(replica_set, pod),
    }
}

fn pod_was_made_for(replica_set: &ReplicaSet, pod: &Pod) -> bool {
    pod.meta.generate_name.as_deref().and_then(|prefix| prefix.strip_suffix('-'))
        == Some(replica_set.meta.name.as_str())
}

#[cfg(test)]
mod tests;
