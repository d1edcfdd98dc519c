//! From observations to ranges and a verdict.
//!
//! [`Reconstruction::observe`] takes observations in their order; [`Reconstruction::answer`] may
//! be asked at any time and replays nothing.

pub mod answer;
pub(crate) mod around;
pub(crate) mod by_log;
pub(crate) mod changes;
pub(crate) mod context;
pub(crate) mod detail;
pub(crate) mod facts;
pub(crate) mod follow;
pub(crate) mod gate;
pub(crate) mod held;
pub(crate) mod journal;
pub(crate) mod ledger;
pub(crate) mod logged;
pub(crate) mod pod_change;
pub mod range;
pub(crate) mod reads;

pub(crate) mod refusal;
pub(crate) mod refused;
pub(crate) mod rounds;
pub(crate) mod runs;
pub(crate) mod track;
pub mod verdict;
pub(crate) mod view;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use crate::model::claim::{self, Claim};
use crate::model::profile::{Profile, Version};
use crate::objects::{Key, Observation, OwnerKind, Pod, ReplicaSet, Resource, What};
use crate::reasons::{Code, Tier};
use changes::Event;
use detail::{Detail, Gap};
use journal::Journal;
use logged::Logs;
use track::{Counts, Track};
use view::View;

/// Why a verdict is what it is, with the figures of the case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The code, which `explain CODE` describes.
    pub code: Code,
    /// How it is known.
    pub(crate) tier: Tier,
    /// The figures: `report::sentences` makes the message from them.
    pub(crate) detail: Detail,
}

impl Reason {
    /// A reason with these facts; its code follows from them.
    pub(crate) fn new(tier: Tier, detail: impl Into<Detail>) -> Reason {
        let detail = detail.into();
        Reason { code: detail.code(), tier, detail }
    }
}

/// A ReplicaSet or ReplicationController by kind and key.
pub(crate) type Id = (OwnerKind, Key);

/// The state of the reconstruction.
#[derive(Debug, Clone)]
pub struct Reconstruction {
    profile: Profile,
    given: Option<Version>,
    said: Option<Version>,
    view: View,
    logs: Logs,
    journal: Journal,
    tracks: BTreeMap<Id, Track>,
    /// Whether the opening lists are through and changes are followed.
    following: bool,
    listed: BTreeSet<Resource>,
    seen: BTreeSet<Id>,
    first_at: Option<Timestamp>,
    last_at: Option<Timestamp>,
    gaps: Vec<Gap>,
    /// When the first list was received.
    opened: Option<Timestamp>,
    /// When the controller-manager was last seen to do anything, whatever it was.
    alive: Option<Timestamp>,
    /// When the last object of a name was seen to go.
    removed: BTreeMap<Id, Timestamp>,
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
            journal: Journal::default(),
            tracks: BTreeMap::new(),
            following: false,
            listed: BTreeSet::new(),
            seen: BTreeSet::new(),
            first_at: None,
            last_at: None,
            gaps: Vec::new(),
            opened: None,
            alive: None,
            removed: BTreeMap::new(),
            pods_version: String::new(),
            leaving: OnceCell::new(),
        }
    }

    /// The version whose behaviour is assumed.
    pub(crate) fn version(&self) -> Version {
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
    pub(crate) fn asked_version(&self) -> Option<Version> {
        self.given.or(self.said)
    }

    /// What was seen of the cluster.
    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    /// Every ReplicaSet and ReplicationController that was ever seen.
    pub(crate) fn seen(&self) -> &BTreeSet<Id> {
        &self.seen
    }

    /// The receive time of the first observation; None for a snapshot.
    pub(crate) fn first_at(&self) -> Option<Timestamp> {
        self.first_at
    }

    /// What was missed, in order.
    pub(crate) fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// The behaviour that is assumed.
    pub(crate) fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The receive time of the last observation; None for a snapshot.
    pub(crate) fn last_at(&self) -> Option<Timestamp> {
        self.last_at
    }

    /// Takes one observation.
    pub fn observe(&mut self, observation: Observation) {
        let Observation { at, resource, what } = observation;
        self.leaving.take();
        // A log reaches back and on where nothing was observed: it is not what the window is.
        if let (Some(at), false) = (at, matches!(what, What::Log(_))) {
            self.first_at.get_or_insert(at);
            // After a gap the clock may have gone back.
            let again = matches!(what, What::Gap(_));
            self.last_at = if again { Some(at) } else { self.last_at.max(Some(at)) };
        }
        match what {
            What::Begin { server_version } => self.begin(server_version.as_deref()),
            What::List { resource_version, items } => {
                self.view.note_version(&resource_version);
                self.opened = self.opened.or(at);
                if resource == Resource::Namespaces {
                    self.view.namespaces_listed = at;
                }
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
            What::Gap(what) => self.miss(Gap::Told(what), at),
            What::Log(line) => self.log_line(&line, resource, at),
            What::End => {}
        }
        if let Some(at) = at {
            self.close_journal(at);
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

    pub(super) fn count(&self, replica_set: &ReplicaSet) -> Counts {
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

#[cfg(test)]
mod tests;
