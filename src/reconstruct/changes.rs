//! Watch events: what each does to the ReplicaSets that it concerns.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::around::tightest_quota;
use super::facts;
use super::ledger::Fact;
use super::pod_change::{PodChange, made_by_controller, unversioned};
use super::rounds::is_newer;
use super::track::{Counts, RefusalPace, Track};
use super::view::Change;
use super::{Id, KINDS, Reconstruction, contribution, refusal};
use crate::model::claim::{self, Claim};
use crate::model::effect::Effect;
use crate::model::handlers::Handlers;
use crate::objects::instant::later;
use crate::objects::{Key, Lease, Object, OwnerKind, Pod, ReplicaSet, Resource};

/// A sync of an object that is gone is over after so long, unless its calls hang.
const LONG_SYNC: SignedDuration = SignedDuration::from_secs(30);

/// A watch event of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Added,
    Modified,
    Deleted,
}

impl Reconstruction {
    /// A watch event. Without a receive time it only moves the view: kubectl's streams begin
    /// with events of objects that were there before.
    pub(super) fn change(&mut self, object: Object, event: Event, at: Option<Timestamp>) {
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
            Change::Event(kind, event) => self.event_seen(kind, &event, at),
            Change::Admission(kind, namespace) => self.admission_changed(kind, namespace, at),
            Change::Usage(namespace) => self.usage_changed(&namespace),
            Change::Other => {}
        }
    }

    fn pod_changed(&mut self, changed: &PodChange, at: Timestamp) {
        let touched = self.touched(changed);
        for (id, replica_set) in &touched {
            let made = made_by_controller(&changed.now) && pod_was_made_for(replica_set, &changed.now);
            self.note(id, || facts::pod_fact(replica_set, changed, made));
        }
        let made = changed.is_new() && made_by_controller(&changed.now);
        if made {
            self.alive = Some(at);
        }
        for (id, replica_set) in &touched {
            let Some(track) = self.tracks.get_mut(id) else { continue };
            if made {
                note_created(track, replica_set, &changed.now, at);
            }
            note_lost(track, replica_set, changed);
            note_stranger(track, replica_set, changed, at);
            note_claim(track, replica_set, changed);
        }
        self.handle_pod(changed, at);
        self.pods_version.clone_from(&changed.now.meta.resource_version);
        for (id, replica_set) in touched {
            let Some(track) = self.tracks.get_mut(&id) else { continue };
            let of = |pod: &Pod| contribution(&replica_set, pod, &self.profile);
            let before = changed.before.as_deref().and_then(of);
            let now = if changed.gone { None } else { of(&changed.now) };
            let mut counts = track.counts();
            counts.add(before, -1);
            counts.add(now, 1);
            track.update(&replica_set, counts, &self.pods_version, at);
            self.logs.touched(&id.1, at);
        }
    }

    /// The ReplicaSets that a pod names, could be its own, or did before.
    fn touched(&self, changed: &PodChange) -> Vec<(Id, Arc<ReplicaSet>)> {
        let mut touched: Vec<(Id, Arc<ReplicaSet>)> = Vec::new();
        let mut add = |replica_set: &Arc<ReplicaSet>| {
            if !touched.iter().any(|(_, known)| Arc::ptr_eq(known, replica_set)) {
                touched.push(((replica_set.kind, replica_set.key()), replica_set.clone()));
            }
        };
        let cache = &self.view.cache;
        for pod in changed.states() {
            let namespace = &pod.meta.namespace;
            for kind in KINDS {
                let owner = pod.controller();
                if owner.is_some_and(|owner| owner.kind != kind.as_str()) {
                    continue;
                }
                match owner.and_then(|owner| cache.resolve(kind, namespace, owner)) {
                    Some(named) => add(named),
                    // Seldom: an orphan, or a reference that the cache cannot resolve.
                    None => {
                        let all = cache.replica_sets_in(kind, namespace);
                        all.filter(|replica_set| concerns(replica_set, pod)).for_each(&mut add);
                    }
                }
            }
        }
        touched.sort_by(|(a, _), (b, _)| a.cmp(b));
        touched
    }

    /// Runs the controller's handlers over a pod's change.
    fn handle_pod(&mut self, changed: &PodChange, at: Timestamp) {
        let PodChange { before, now, gone, added } = changed;
        for kind in KINDS {
            // Without a controllerRef of its kind a controller's handlers lower nothing.
            let named = |pod: &Pod| pod.controller().is_some_and(|owner| owner.kind == kind.as_str());
            if !changed.states().any(named) {
                continue;
            }
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
                self.removed.retain(|_, gone| at.duration_since(*gone) < LONG_SYNC);
                self.removed.insert((old.kind, old.key()), at);
                self.note(&(old.kind, old.key()), || Some(Fact::Removed));
                self.tracks.remove(&(old.kind, old.key()));
                self.logs.dropped(&old.key(), at);
            }
            return;
        };
        let id = (new.kind, new.key());
        self.touch(&id);
        for fact in facts::replica_set_facts(old.as_deref(), &new) {
            self.note(&id, || Some(fact));
        }
        let same = old.as_ref().filter(|old| old.meta.uid == new.meta.uid);
        let Some(old) = same else {
            // New in the window: before 1.17 it may inherit the entry of its name.
            let inherits = !self.profile.handlers_forget;
            if old.is_some() && !inherits {
                self.logs.dropped(&id.1, at);
            }
            let begin = if inherits { Track::missed } else { Track::without_entry };
            self.insert_track(&new, begin, at);
            self.note_earlier_pods(&new, at);
            let gone = self.removed.get(&id).copied().or(old.map(|_| at));
            if let Some(track) = self.tracks.get_mut(&id) {
                track.other_until = gone.map(|gone| later(gone, LONG_SYNC));
            }
            return;
        };
        let claims_alike = old.selector == new.selector && old.is_deleting() == new.is_deleting();
        let recounted = (!claims_alike).then(|| self.count(&new));
        let Some(track) = self.tracks.get_mut(&id) else { return };
        let counts = recounted.unwrap_or(Counts { wanted: i64::from(new.replicas), ..track.counts() });
        track.update(&new, counts, &self.pods_version, at);
        self.logs.touched(&id.1, at);
        if old.status != new.status {
            self.alive = Some(at);
            track.status_written(&new, at);
            self.logs.status_seen(&id.1, at);
            if let Some(condition) = new.status.failure() {
                track.refused(refusals(&condition.message), None, at);
            }
        }
    }

    /// Pods of a first round may reach the observer before the ReplicaSet that asked for them.
    fn note_earlier_pods(&mut self, replica_set: &Arc<ReplicaSet>, at: Timestamp) {
        let own = |pod: &&Arc<Pod>| {
            let newer = is_newer(&pod.meta.resource_version, &replica_set.meta.resource_version);
            newer && made_by_controller(pod) && pod_was_made_for(replica_set, pod)
        };
        let earlier: Vec<Arc<Pod>> =
            self.view.cache.pods_in(&replica_set.meta.namespace).filter(own).cloned().collect();
        for pod in &earlier {
            self.view.cache.remove_pod(&pod.meta.key());
        }
        if !earlier.is_empty() {
            self.insert_track(replica_set, Track::without_entry, at);
        }
        for pod in earlier {
            self.view.cache.put_pod(pod.clone());
            self.pod_changed(&PodChange { before: None, now: pod, gone: false, added: true }, at);
        }
    }

    /// Whether creates in a namespace are swallowed: refused, and counted as done.
    pub(super) fn swallows(&self, namespace: &str) -> bool {
        self.profile.ignores_terminating_namespace && self.view.is_terminating(namespace)
    }

    /// How many pods the quotas of a namespace still take, None for any number.
    pub(super) fn room(&self, namespace: &str) -> Option<u64> {
        tightest_quota(&self.view, namespace).map(|(_, left)| left)
    }

    fn usage_changed(&mut self, namespace: &str) {
        let room = self.room(namespace);
        for ((_, key), track) in &mut self.tracks {
            if key.namespace == namespace {
                track.take_room(room);
            }
        }
    }

    fn admission_changed(&mut self, kind: Resource, namespace: String, at: Timestamp) {
        self.usage_changed(&namespace);
        let swallows = self.swallows(&namespace);
        for ((_, key), track) in &mut self.tracks {
            if key.namespace == namespace {
                track.swallows = swallows;
                track.admission_changed();
            }
        }
        self.view.admission_changed.insert((kind, namespace), at);
    }

    /// Another holder begins with no entries at all.
    fn lease_changed(&mut self, old: Option<&Lease>, new: &Lease, at: Timestamp) {
        let Some(old) = old else { return };
        if old.renewed != new.renewed {
            self.alive = Some(at);
        }
        let taken = !new.holder.is_empty() && (old.holder != new.holder || old.acquired != new.acquired);
        if !taken {
            return;
        }
        self.note_all(|| Fact::Takeover { holder: new.holder.clone() });
        self.begin_tracks(Track::led_anew, at);
        self.logs.takeover();
    }

    fn event_seen(&mut self, kind: OwnerKind, event: &crate::objects::Event, at: Timestamp) {
        let id = (kind, Key::new(event.meta.namespace.as_str(), event.about_name.as_str()));
        if event.reason == "FailedCreate" {
            self.logs.refusal_seen(&id.1, at);
        }
        self.note(&id, || facts::event_fact(event));
        let Some(track) = self.tracks.get_mut(&id) else { return };
        let version = event.meta.resource_version.as_str();
        match event.reason.as_str() {
            "FailedCreate" | "FailedDelete" => track.refused(refusals(event.text()), Some(version), at),
            "SuccessfulDelete" => {
                track.deleted_by_sync(event.deleted_pod(), version, at);
            }
            _ => {}
        }
    }
}

/// Tells the ReplicaSet whose sync made this pod.
fn note_created(track: &mut Track, replica_set: &ReplicaSet, pod: &Pod, at: Timestamp) {
    let named = pod.controller().is_some_and(|owner| claim::names(owner, replica_set));
    if pod_was_made_for(replica_set, pod) && (named || pod.controller().is_none()) {
        track.created(pod, named, at);
        track.labelled(replica_set.selector.matches(&pod.meta.labels));
    }
}

/// A pod that leaves by another way than deletion is never seen deleted by its owner.
fn note_lost(track: &mut Track, replica_set: &ReplicaSet, changed: &PodChange) {
    let left = |pod: &Pod| claim::claim(replica_set, pod) != Claim::Keep;
    let before = changed.before.as_deref().is_some_and(|pod| !left(pod) && pod.is_active());
    if !before || changed.gone {
        return;
    }
    if left(&changed.now) {
        track.lose(&changed.now.meta.name);
    } else if !changed.now.is_active() && changed.now.meta.deleted.is_none() {
        track.ended(&changed.now.meta.name);
    }
}

/// A pod that changed from an orphan to its own, or back.
fn note_claim(track: &mut Track, replica_set: &ReplicaSet, changed: &PodChange) {
    let named = |pod: &Pod| pod.controller().is_some_and(|owner| owner.uid == replica_set.meta.uid);
    let Some(before) = changed.before.as_deref() else { return };
    if named(before) != named(&changed.now) {
        track.claimed();
    }
}

/// A new pod that names its owner, though no sync made it.
fn note_stranger(track: &mut Track, replica_set: &ReplicaSet, changed: &PodChange, at: Timestamp) {
    let named = changed.now.controller().is_some_and(|owner| claim::names(owner, replica_set));
    let made = made_by_controller(&changed.now) && pod_was_made_for(replica_set, &changed.now);
    if changed.is_new() && named && !made {
        track.note_stranger(at);
    }
}

/// How a refusal of this text is answered.
fn refusals(message: &str) -> RefusalPace {
    use crate::reasons::Code;
    match refusal::classify(message).code {
        Code::QuotaExceeded
        | Code::PodSecurityViolation
        | Code::LimitRangeViolation
        | Code::ServiceAccountMissing
        | Code::PriorityClassMissing
        | Code::PodInvalid
        | Code::CreateForbidden
        | Code::AdmissionPolicyDenied => RefusalPace::AtOnce,
        _ => RefusalPace::AfterAWhile,
    }
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
