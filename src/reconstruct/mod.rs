//! From observations to ranges and a verdict.
//!
//! [`Reconstruction::observe`] takes observations in their order; [`Reconstruction::answer`] may
//! be asked at any time and replays nothing.

pub mod answer;
pub mod around;
pub mod context;
pub mod gate;
pub mod held;
pub mod range;
pub mod reasons;
pub mod refusal;
pub mod refused;
pub mod track;
pub mod verdict;
pub mod view;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::controller::claim::{self, Claim};
use crate::controller::handlers::Handlers;
use crate::controller::profile::{Profile, Version};
use crate::objects::{Key, Lease, Object, Observation, OwnerKind, Pod, ReplicaSet, Resource, What};
use track::{Counts, Track};
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
    tracks: BTreeMap<Id, Track>,
    /// Whether the opening lists are through and changes are followed.
    following: bool,
    listed: BTreeSet<Resource>,
    seen: BTreeSet<Id>,
    first_at: Option<Timestamp>,
    last_at: Option<Timestamp>,
    gaps: Vec<String>,
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
            tracks: BTreeMap::new(),
            following: false,
            listed: BTreeSet::new(),
            seen: BTreeSet::new(),
            first_at: None,
            last_at: None,
            gaps: Vec::new(),
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
            What::Bookmark { resource_version } => self.view.note_version(&resource_version),
            What::Gap(why) => self.miss(why, at),
            What::Log(line) => self.view.note_log(line, at),
            What::End => {}
        }
    }

    fn list(&mut self, resource: Resource, items: Vec<Object>, at: Option<Timestamp>) {
        self.view.quotas_listed |= resource == Resource::Quotas;
        let again = at.is_some() && !self.listed.insert(resource);
        if again {
            self.drop_missing(resource, &items);
        }
        for object in items {
            self.note_seen(&object);
            match again {
                true => drop(self.view.apply(object, false)),
                false => self.view.merge(object),
            }
        }
        if again {
            self.miss(format!("the watch of {} broke and was opened anew", resource.as_str()), at);
        }
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
        let replica_sets: Vec<Arc<ReplicaSet>> = self.view.cache.replica_sets().cloned().collect();
        self.tracks = replica_sets
            .iter()
            .map(|replica_set| {
                let track = Track::missed(self.count(replica_set), at);
                ((replica_set.kind, replica_set.key()), track)
            })
            .collect();
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
        let replica_sets: Vec<Arc<ReplicaSet>> = self.view.cache.replica_sets().cloned().collect();
        for replica_set in replica_sets {
            let counts = self.count(&replica_set);
            let id = (replica_set.kind, replica_set.key());
            self.tracks.insert(id, Track::listed(&replica_set, counts, at));
        }
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
            Change::Pod(old, new) => {
                // A pod that is changed was there before, though a narrow list may not have held it.
                let old = old.or_else(|| new.clone().filter(|_| event == Event::Modified).map(unversioned));
                self.pod_changed(old, new, at);
            }
            Change::ReplicaSet(old, new) => self.replica_set_changed(old, new, at),
            Change::Lease(old, new) => self.lease_changed(old.as_deref(), &new, at),
            Change::Event(event) => self.event_seen(&event, at),
            Change::Namespace(_) | Change::Other => {}
        }
    }

    fn pod_changed(&mut self, old: Option<Arc<Pod>>, new: Option<Arc<Pod>>, at: Timestamp) {
        let namespace = [&old, &new].into_iter().flatten().next().map(|p| p.meta.namespace.clone());
        let Some(namespace) = namespace else { return };
        let touched: Vec<Arc<ReplicaSet>> = [OwnerKind::ReplicaSet, OwnerKind::ReplicationController]
            .into_iter()
            .flat_map(|kind| self.view.cache.replica_sets_in(kind, &namespace))
            .filter(|rs| [&old, &new].into_iter().flatten().any(|pod| concerns(rs, pod)))
            .cloned()
            .collect();
        let is_new = old.as_ref().map(|p| &p.meta.uid) != new.as_ref().map(|p| &p.meta.uid);
        if let (true, Some(pod)) = (is_new, &new) {
            self.note_created(pod, &touched, at);
        }
        for replica_set in &touched {
            if let (Some(old), Some(track)) =
                (&old, self.tracks.get_mut(&(replica_set.kind, replica_set.key())))
            {
                let left = |pod: &Pod| claim::claim(replica_set, pod) != Claim::Keep;
                if !left(old) && new.as_deref().is_some_and(left) {
                    track.lose();
                }
            }
        }
        self.handle_pod(old.as_deref(), new.as_deref());
        let version = [&new, &old].into_iter().flatten().next().map(|p| p.meta.resource_version.clone());
        for replica_set in touched {
            let counts = self.count(&replica_set);
            if let Some(track) = self.tracks.get_mut(&(replica_set.kind, replica_set.key())) {
                track.update(counts, version.as_deref(), at);
            }
        }
    }

    /// Tells the ReplicaSet whose sync made this pod, if one did.
    fn note_created(&mut self, pod: &Pod, touched: &[Arc<ReplicaSet>], at: Timestamp) {
        if !pod.meta.managers.iter().any(|m| m.name == "kube-controller-manager" && m.subresource.is_empty())
        {
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
                let failing = replica_set.status.failure().is_some();
                track.created(pod, named, failing, at);
            }
        }
    }

    /// Runs the controller's handlers over a pod's change.
    fn handle_pod(&mut self, old: Option<&Pod>, new: Option<&Pod>) {
        for kind in [OwnerKind::ReplicaSet, OwnerKind::ReplicationController] {
            let handlers = Handlers { kind, cache: &self.view.cache, profile: &self.profile };
            let effects = match (old, new) {
                (None, Some(new)) => handlers.pod_added(new),
                (Some(old), Some(new)) => handlers.pod_updated(old, new),
                (Some(old), None) => handlers.pod_deleted(old),
                (None, None) => Vec::new(),
            };
            for effect in &effects {
                if let Some(track) = self.tracks.get_mut(&(kind, effect.key().clone())) {
                    track.apply(effect);
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
            }
            return;
        };
        let id = (new.kind, new.key());
        let counts = self.count(&new);
        let same = old.as_ref().filter(|old| old.meta.uid == new.meta.uid);
        let Some(old) = same else {
            // New in the window: before 1.17 it may inherit the entry of its name.
            let inherits = !self.profile.handlers_forget;
            let track = if inherits { Track::missed(counts, at) } else { Track::without_entry(counts, at) };
            self.tracks.insert(id, track);
            return;
        };
        let Some(track) = self.tracks.get_mut(&id) else { return };
        track.update(counts, None, at);
        if old.status != new.status {
            track.status_written(&new, at);
        }
    }

    /// Another holder begins with no entries at all.
    fn lease_changed(&mut self, old: Option<&Lease>, new: &Lease, at: Timestamp) {
        let Some(old) = old else { return };
        let taken = !new.holder.is_empty() && (old.holder != new.holder || old.acquired != new.acquired);
        if !taken {
            return;
        }
        let ids: Vec<Id> = self.tracks.keys().cloned().collect();
        for id in ids {
            if let Some(counts) = self.counts(&id) {
                self.tracks.insert(id, Track::without_entry(counts, at));
            }
        }
    }

    fn event_seen(&mut self, event: &crate::objects::Event, at: Timestamp) {
        let kind = match event.about_kind.as_str() {
            "ReplicaSet" => OwnerKind::ReplicaSet,
            "ReplicationController" => OwnerKind::ReplicationController,
            _ => return,
        };
        let key = Key::new(event.meta.namespace.as_str(), event.about_name.as_str());
        let Some(track) = self.tracks.get_mut(&(kind, key)) else { return };
        match event.reason.as_str() {
            "FailedCreate" | "FailedDelete" => track.refused(),
            "SuccessfulDelete" => track.deleted_by_sync(at),
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

    fn counts(&self, id: &Id) -> Option<Counts> {
        self.view.cache.replica_set(id.0, &id.1).map(|replica_set| self.count(replica_set))
    }

    fn count(&self, replica_set: &ReplicaSet) -> Counts {
        let pods = self.view.cache.considered(replica_set, &self.profile);
        let claims = |wanted: Claim| {
            let found = pods.iter().filter(|pod| pod.is_active() && claim::claim(replica_set, pod) == wanted);
            found.count() as i64
        };
        Counts {
            wanted: i64::from(replica_set.replicas),
            owned: claims(Claim::Keep),
            adoptable: claims(Claim::Adopt),
        }
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
fn unversioned(pod: Arc<Pod>) -> Arc<Pod> {
    let mut before = Pod::clone(&pod);
    before.meta.resource_version.clear();
    Arc::new(before)
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
