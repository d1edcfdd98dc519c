//! What an observed stream proves, rule by rule.

use jiff::{SignedDuration, Timestamp};

use super::answer::{Answer, Question};
use super::verdict::Verdict;
use super::{Id, Reconstruction};
use crate::model::expectations::Gate;
use crate::model::testing::{key, now, orphan, reference, web};
use crate::objects::log_line::PodChange;
use crate::objects::{
    Event, Key, Lease, LogLine, Manager, Namespace, Object, Observation, OwnerKind, Phase, Pod, ReplicaSet,
    Resource, What,
};
use crate::reasons::Code;

/// A stream of observations, one a second.
struct Stream {
    reconstruction: Reconstruction,
    seconds: i64,
    version: u32,
}

impl Stream {
    /// The lists of a window that opens on these objects.
    fn open(replica_sets: Vec<ReplicaSet>, pods: Vec<Pod>) -> Stream {
        let mut stream = Stream { reconstruction: Reconstruction::new(None), seconds: 0, version: 100 };
        stream.list(Resource::ReplicaSets, replica_sets.into_iter().map(Object::ReplicaSet).collect());
        stream.list(Resource::Pods, pods.into_iter().map(Object::Pod).collect());
        stream
    }

    fn at(&self) -> Timestamp {
        now() + SignedDuration::from_secs(self.seconds)
    }

    fn see(&mut self, resource: Resource, what: What) {
        self.seconds += 1;
        self.reconstruction.observe(Observation { at: Some(self.at()), resource, what });
    }

    fn list(&mut self, resource: Resource, items: Vec<Object>) {
        self.see(resource, What::List { resource_version: "100".into(), items });
    }

    fn next_version(&mut self) -> String {
        self.version += 1;
        self.version.to_string()
    }

    fn pod(&mut self, mut pod: Pod, what: fn(Object) -> What) {
        pod.meta.resource_version = self.next_version();
        self.see(Resource::Pods, what(Object::Pod(pod)));
    }

    fn replica_set(&mut self, mut replica_set: ReplicaSet, what: fn(Object) -> What) {
        replica_set.meta.resource_version = self.next_version();
        self.see(Resource::ReplicaSets, what(Object::ReplicaSet(replica_set)));
    }

    /// The controller writes that it saw this many pods.
    fn status(&mut self, mut replica_set: ReplicaSet, replicas: i32) {
        replica_set.status.replicas = replicas;
        replica_set.status.observed_generation = replica_set.meta.generation;
        self.replica_set(replica_set, What::Modified);
    }

    fn answer(&self) -> Answer {
        let id: Id = (OwnerKind::ReplicaSet, key());
        self.reconstruction.answer(&id, self.at(), &Question::default())
    }

    fn counters(&self) -> [(Option<i64>, Option<i64>); 2] {
        let held = self.answer().held;
        [held.add, held.del].map(|range| (range.min(), range.max()))
    }
}

fn sized(replicas: i32, generation: i64) -> ReplicaSet {
    let mut web = web(replicas);
    web.meta.generation = generation;
    web.status.observed_generation = 0;
    web.status.terminating = None;
    web
}

/// A pod as only a sync of `web` makes it.
fn made(name: &str, owner: &ReplicaSet) -> Pod {
    let mut pod = orphan(name);
    pod.phase = Phase::Pending;
    pod.ready = None;
    pod.meta.generate_name = Some("web-".into());
    pod.meta.owners = vec![reference(owner)];
    pod.meta.managers = vec![Manager { name: "kube-controller-manager".into(), ..Manager::default() }];
    pod
}

fn exactly(value: i64) -> (Option<i64>, Option<i64>) {
    (Some(value), Some(value))
}

/// `web` appears with 3 replicas, and so many of its pods arrive.
fn growing(pods: usize) -> Stream {
    let mut stream = Stream::open(vec![], vec![]);
    let web = sized(3, 1);
    stream.replica_set(web.clone(), What::Added);
    for number in 0..pods {
        stream.pod(made(&format!("web-{number}"), &web), What::Added);
    }
    stream
}

#[test]
fn opening_of_a_window_leaves_the_counters_unknown() {
    let mut settled = sized(0, 1);
    settled.status.observed_generation = 1;
    let stream = Stream::open(vec![settled], vec![]);
    assert_eq!(stream.counters(), [(None, Some(500)); 2]);
    assert_eq!(stream.answer().verdict, Verdict::Settled);
}

#[test]
fn replica_set_made_in_the_window_has_no_entry_and_its_first_pod_proves_the_round() {
    assert_eq!(growing(0).counters()[0], (Some(0), Some(3)), "its sync may have begun");
    assert_eq!(growing(1).counters(), [exactly(2), exactly(0)]);
    assert_eq!(growing(1).answer().gate, Some(Gate::Waiting));
    assert_eq!(growing(3).answer().gate, Some(Gate::Fulfilled));
}

#[test]
fn pods_stripped_of_their_owner_leave_add_up_though_all_are_there() {
    let mut stream = Stream::open(vec![], vec![]);
    let web = sized(2, 1);
    stream.replica_set(web.clone(), What::Added);
    for name in ["web-a", "web-b"] {
        let mut stripped = made(name, &web);
        stripped.meta.owners.clear();
        stream.pod(stripped, What::Added);
        stream.pod(made(name, &web), What::Modified);
    }
    stream.status(web, 2);
    stream.replica_set(sized(5, 2), What::Modified);
    let answer = stream.answer();
    assert_eq!(stream.counters()[0], exactly(2));
    assert_eq!((answer.gate, answer.verdict), (Some(Gate::Waiting), Verdict::Skip));
    assert!(answer.reasons.iter().any(|reason| reason.code == Code::OwnerReferenceStripped));
}

#[test]
fn changed_pod_that_no_list_held_was_not_created_just_now() {
    let mut stream = growing(1);
    stream.pod(made("web-older", &sized(3, 1)), What::Modified);
    assert_eq!(stream.counters()[0], exactly(2), "only an ADDED pod lowers add");
}

#[test]
fn foreign_pod_lowers_add_below_zero_and_that_means_fulfilled() {
    let mut stream = growing(3);
    let mut foreign = made("by-hand", &sized(3, 1));
    foreign.meta.generate_name = None;
    foreign.meta.managers.clear();
    stream.pod(foreign, What::Added);
    assert_eq!(stream.counters()[0].0, Some(-1));
}

#[test]
fn second_list_makes_all_entries_unknown_also_of_what_it_shows_first() {
    let mut stream = growing(3);
    let mut newer = sized(3, 1);
    newer.meta.name = "newer".into();
    newer.meta.uid = "uid-newer".into();
    stream.list(
        Resource::ReplicaSets,
        vec![Object::ReplicaSet(sized(3, 1)), Object::ReplicaSet(newer.clone())],
    );
    assert_eq!(stream.counters(), [(None, Some(500)); 2]);
    assert!(stream.answer().reasons.iter().any(|reason| reason.code == Code::WatchGap));
    newer.meta.resource_version = "900".into();
    stream.replica_set(newer.clone(), What::Modified);
    let id = (OwnerKind::ReplicaSet, newer.key());
    let held = stream.reconstruction.answer(&id, stream.at(), &Question::default()).held;
    assert_eq!(held.add.max(), Some(500), "it did not begin with the list");
}

#[test]
fn new_leader_begins_without_entries() {
    let lease = |holder: &str, seconds: i64| {
        let mut lease = Lease { holder: holder.into(), duration_seconds: 15, ..Lease::default() };
        lease.meta.name = "kube-controller-manager".into();
        lease.meta.namespace = "kube-system".into();
        lease.renewed = Some(now() + SignedDuration::from_secs(seconds));
        Object::Lease(lease)
    };
    let mut stream = growing(1);
    stream.list(Resource::Leases, vec![lease("a", 3)]);
    stream.see(Resource::Leases, What::Modified(lease("a", 5)));
    assert_eq!(stream.counters()[0], exactly(2), "a renewal changes nothing");
    stream.see(Resource::Leases, What::Modified(lease("b", 6)));
    // A pod of its first list may still lower what it has set anew.
    assert_eq!(stream.counters()[0], (Some(-1), Some(2)), "lost, or set anew by the new leader");
}

#[test]
fn replica_set_deleted_and_made_anew_does_not_inherit_the_entry() {
    let mut stream = growing(1);
    stream.replica_set(sized(3, 1), What::Deleted);
    assert!(stream.answer().object.is_none());
    let mut again = sized(0, 1);
    again.meta.uid = "uid-again".into();
    stream.replica_set(again, What::Added);
    assert_eq!(stream.counters(), [exactly(0); 2]);
}

#[test]
fn nobody_acts_while_the_lease_is_not_renewed() {
    let mut stream = growing(0);
    let mut lease =
        Lease { holder: "a".into(), duration_seconds: 15, renewed: Some(now()), ..Lease::default() };
    lease.meta.name = "kube-controller-manager".into();
    stream.list(Resource::Leases, vec![Object::Lease(lease)]);
    assert_eq!(stream.answer().verdict, Verdict::Act, "it is not known to be late yet");
    stream.seconds = 19;
    stream.see(Resource::Pods, What::Bookmark { resource_version: "100".into() });
    let answer = stream.answer();
    assert_eq!(answer.verdict, Verdict::Blocked);
    assert_eq!(answer.reasons[0].code, Code::ControllerNotRunning);
}

#[test]
fn agreeing_status_ends_what_may_have_begun_unseen() {
    let mut stream = growing(3);
    stream.status(sized(3, 1), 3);
    stream.pod(made("web-0", &sized(3, 1)), What::Modified);
    assert_eq!(stream.counters(), [exactly(0), exactly(0)]);
}

/// `web` of no size, after another object of its name went.
fn made_anew(replicas: i32) -> (Stream, ReplicaSet) {
    let mut stream = growing(1);
    stream.replica_set(sized(3, 1), What::Deleted);
    let mut again = sized(replicas, 1);
    again.meta.uid = "uid-again".into();
    stream.replica_set(again.clone(), What::Added);
    (stream, again)
}

#[test]
fn stripped_pod_may_be_of_an_older_object_of_the_name() {
    let (mut stream, again) = made_anew(1);
    let mut stripped = made("web-late", &again);
    stripped.meta.owners.clear();
    stream.pod(stripped, What::Added);
    assert_eq!(stream.counters()[0], (Some(0), Some(1)), "a round of this one, or of the other");
}

#[test]
fn first_status_after_another_object_of_the_name_proves_no_sync_of_this_one() {
    let (mut stream, again) = made_anew(1);
    let mut namespace = Namespace { terminating: true, ..Namespace::default() };
    namespace.meta.name = "shop".into();
    stream.see(Resource::Namespaces, What::Added(Object::Namespace(namespace)));
    stream.status(again, 0);
    stream.seconds += 5;
    assert_eq!(stream.counters()[0].0, Some(0), "the other's sync may have written it");
}

#[test]
fn pod_of_somebody_else_may_be_handled_after_the_round_that_deletes_it() {
    let mut stream = Stream::open(vec![], vec![]);
    let web = sized(0, 1);
    stream.replica_set(web.clone(), What::Added);
    let mut foreign = made("by-hand", &web);
    foreign.meta.generate_name = None;
    foreign.meta.managers.clear();
    stream.pod(foreign.clone(), What::Added);
    stream.pod(foreign, What::Deleted);
    let mut event = Event { reason: "SuccessfulDelete".into(), count: 1, ..Event::default() };
    event.meta.namespace = "shop".into();
    event.meta.name = "web.1".into();
    event.meta.resource_version = stream.next_version();
    event.about_kind = "ReplicaSet".into();
    event.about_name = "web".into();
    event.message = "Deleted pod: by-hand".into();
    stream.see(Resource::Events, What::Added(Object::Event(event)));
    assert_eq!(stream.counters()[0], (Some(-1), Some(0)));
}

#[test]
fn brief_log_counts_what_was_seen_before_a_set_as_handled() {
    let mut stream = growing(0);
    let pod = |name: &str| Key::new("shop", name);
    let say = |stream: &mut Stream, line| stream.see(Resource::ReplicaSets, What::Log(line));
    say(&mut stream, LogLine::Creates { key: key(), need: 3, count: 1 });
    stream.pod(made("web-0", &sized(3, 1)), What::Added);
    say(&mut stream, LogLine::Deletes { key: key(), need: 0, count: 1 });
    say(&mut stream, LogLine::DeletingPod { owner: "web".into(), pod: pod("web-0") });
    stream.pod(made("web-0", &sized(3, 1)), What::Deleted);
    say(&mut stream, LogLine::Creates { key: key(), need: 3, count: 3 });
    assert_eq!(stream.counters(), [exactly(3), exactly(0)]);
}

#[test]
fn log_that_told_of_a_deletion_before_it_was_seen_is_ahead() {
    let mut stream = growing(0);
    stream.seconds -= 1;
    let half = stream.at() + SignedDuration::from_millis(500);
    for line in [
        LogLine::NeverRecorded { key: key() },
        LogLine::Dropped { key: key() },
        LogLine::Adding { key: key() },
        LogLine::Creates { key: key(), need: 1, count: 1 },
    ] {
        let what = What::Log(line);
        stream.reconstruction.observe(Observation { at: Some(half), resource: Resource::ReplicaSets, what });
    }
    stream.replica_set(sized(3, 1), What::Deleted);
    stream.seconds -= 1;
    let mut again = sized(1, 1);
    again.meta.uid = "uid-again".into();
    stream.replica_set(again, What::Added);
    assert_eq!(stream.counters()[0], exactly(1));
}

#[test]
fn difference_that_a_sync_has_seen_is_not_simply_due() {
    let mut stream = growing(3);
    stream.pod(made("web-0", &sized(3, 1)), What::Deleted);
    assert_eq!(stream.answer().verdict, Verdict::Act);
    stream.status(sized(3, 1), 2);
    assert_eq!(stream.answer().verdict, Verdict::Undetermined, "its pod may be on its way, or it waited");
    stream.seconds += 2;
    assert_eq!(stream.answer().verdict, Verdict::Skip);
}

#[test]
fn pod_that_ends_before_the_log_tells_of_its_creation_may_never_lower_add() {
    let mut stream = growing(0);
    let say = |stream: &mut Stream, line| stream.see(Resource::ReplicaSets, What::Log(line));
    say(&mut stream, LogLine::NeverRecorded { key: key() });
    say(&mut stream, LogLine::Creates { key: key(), need: 3, count: 3 });
    let handled = |name: &str, change| LogLine::Pod { change, orphan: false, pod: Key::new("shop", name) };
    for name in ["web-0", "web-1", "web-2"] {
        stream.pod(made(name, &sized(3, 1)), What::Added);
    }
    assert_eq!(stream.counters()[0], exactly(0));
    stream.pod(made("web-0", &sized(3, 1)), What::Deleted);
    assert_eq!(stream.counters()[0], (Some(0), Some(1)), "a watch that begins anew never shows it");
    say(&mut stream, handled("web-1", PodChange::Created));
    say(&mut stream, handled("web-2", PodChange::Created));
    let synced = || LogLine::Finished { kind: "ReplicaSet".into(), key: key() };
    say(&mut stream, synced());
    assert_eq!(stream.counters()[0], (Some(0), Some(1)));
    say(&mut stream, handled("web-0", PodChange::Deleted));
    say(&mut stream, synced());
    assert_eq!(stream.counters()[0], exactly(1), "first seen terminating");
}
