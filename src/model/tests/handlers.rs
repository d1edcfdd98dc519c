//! Rows of semantics 3.

use jiff::SignedDuration;

use crate::model::cache::Cache;
use crate::model::effect::Effect;
use crate::model::handlers::Handlers;
use crate::model::profile::{Profile, Version};
use crate::model::testing::*;
use crate::objects::{Key, OwnerKind, Pod, ReplicaSet};

fn with<T>(version: &str, cache: &Cache, run: impl FnOnce(Handlers<'_>) -> T) -> T {
    let profile = Profile::of(Version::parse(version).unwrap());
    run(Handlers { kind: OwnerKind::ReplicaSet, cache, profile: &profile })
}

fn lowered_add() -> Effect {
    Effect::CreationObserved { key: key(), count: 1 }
}

fn lowered_del(name: &str) -> Effect {
    Effect::DeletionObserved { key: key(), pod: Key::new("shop", name) }
}

fn woken() -> Effect {
    Effect::enqueue(key())
}

fn changed(pod: &Pod, change: impl FnOnce(&mut Pod)) -> Pod {
    let mut new = pod.clone();
    new.meta.resource_version = "2".into();
    change(&mut new);
    new
}

fn updated(web: &ReplicaSet, old: &Pod, new: &Pod) -> Vec<Effect> {
    with("1.37", &cache(&[web], vec![new.clone()]), |h| h.pod_updated(old, new))
}

#[test]
fn added_pod_lowers_add_of_its_owner_and_wakes_it() {
    let web = web(3);
    let added = |pod: &Pod| with("1.37", &cache(&[&web], vec![]), |h| h.pod_added(pod));
    assert_eq!(added(&pod("a", &web)), [lowered_add(), woken()]);
    assert_eq!(added(&orphan("a")), [woken()], "an orphan only wakes who selects it");
    let mut stranger = pod("a", &web);
    stranger.meta.owners[0].uid = "uid-before".into();
    assert_eq!(added(&stranger), [], "the UID must match");
    stranger.meta.owners = vec![reference(&web)];
    stranger.meta.owners[0].kind = "Job".into();
    assert_eq!(added(&stranger), [], "the kind must match");
}

#[test]
fn pod_first_seen_terminating_lowers_del_and_never_add() {
    let web = web(3);
    let mut dying = pod("a", &web);
    dying.meta.deleted = Some(now());
    let effects = with("1.37", &cache(&[&web], vec![]), |h| h.pod_added(&dying));
    assert_eq!(effects, [lowered_del("a"), woken()]);
}

#[test]
fn resync_of_a_pod_does_nothing() {
    let web = web(3);
    assert_eq!(updated(&web, &pod("a", &web), &pod("a", &web)), []);
}

#[test]
fn terminating_pod_is_handled_as_deleted_also_with_its_old_labels() {
    let web = web(3);
    let old = pod("a", &web);
    let dying = changed(&old, |pod| pod.meta.deleted = Some(now()));
    assert_eq!(updated(&web, &old, &dying), [lowered_del("a"), woken()]);
    let relabelled = changed(&dying, |pod| pod.meta.labels = labels(&[]));
    let twice = [lowered_del("a"), woken(), lowered_del("a"), woken()];
    assert_eq!(updated(&web, &old, &relabelled), twice);
}

#[test]
fn deletion_seen_together_with_the_loss_of_the_owner_lowers_nothing() {
    let web = web(3);
    let old = pod("a", &web);
    let gone = changed(&old, |pod| {
        pod.meta.deleted = Some(now());
        pod.meta.owners.clear();
    });
    assert_eq!(updated(&web, &old, &gone), []);
}

#[test]
fn released_pod_wakes_its_old_owner_and_whoever_selects_it() {
    let web = web(3);
    let old = pod("a", &web);
    let orphaned = changed(&old, |pod| pod.meta.owners.clear());
    assert_eq!(updated(&web, &old, &orphaned), [woken(), woken()]);
    let unselected = changed(&orphaned, |pod| pod.meta.labels = labels(&[]));
    assert_eq!(updated(&web, &old, &unselected), [woken()]);
}

#[test]
fn adoption_is_an_update_and_never_lowers_add() {
    let web = web(3);
    let old = orphan("a");
    let adopted = changed(&old, |pod| pod.meta.owners = vec![reference(&web)]);
    assert_eq!(updated(&web, &old, &adopted), [woken()]);
}

#[test]
fn orphan_wakes_its_selectors_only_when_labels_or_owner_changed() {
    let web = web(3);
    let old = orphan("a");
    assert_eq!(updated(&web, &old, &changed(&old, |pod| pod.node = "node-2".into())), []);
}

#[test]
fn pod_that_becomes_ready_wakes_its_owner_again_after_min_ready_seconds() {
    let mut web = web(3);
    web.min_ready_seconds = 10;
    let ready = pod("a", &web);
    let old = changed(&ready, |pod| pod.ready = None);
    let ready = changed(&ready, |pod| pod.meta.resource_version = "3".into());
    let wakes = |version| {
        let cache = cache(&[&web], vec![ready.clone()]);
        let effects = with(version, &cache, |h| h.pod_updated(&old, &ready));
        effects
            .into_iter()
            .map(|effect| match effect {
                Effect::Enqueue { after, .. } => after,
                other => panic!("{other:?}"),
            })
            .collect::<Vec<_>>()
    };
    let seconds = SignedDuration::from_secs;
    assert_eq!(wakes("1.33"), [seconds(0), seconds(11)]);
    assert_eq!(wakes("1.34"), [seconds(0), seconds(10)]);
}

#[test]
fn deleted_pod_lowers_del_of_the_owner_in_its_last_state() {
    let web = web(3);
    let deleted = |pod: &Pod| with("1.37", &cache(&[&web], vec![]), |h| h.pod_deleted(pod));
    assert_eq!(deleted(&pod("a", &web)), [lowered_del("a"), woken()]);
    assert_eq!(deleted(&orphan("a")), []);
}

#[test]
fn replica_set_deleted_or_of_another_uid_forgets_its_expectations_from_1_17() {
    let old = web(3);
    let mut new = web(3);
    new.meta.uid = "uid-new".into();
    let forgotten = Effect::Forget { key: key() };
    let effects = |version| {
        with(version, &cache(&[&new], vec![]), |h| {
            (h.replica_set_deleted(&old), h.replica_set_updated(&old, &new))
        })
    };
    let (deleted, updated) = effects("1.37");
    assert_eq!(deleted, [forgotten.clone(), woken()]);
    assert_eq!(updated, [forgotten, woken(), woken()]);
    assert_eq!(effects("1.16"), (vec![woken()], vec![woken()]));
}

#[test]
fn own_status_write_wakes_the_replica_set_and_changes_nothing() {
    let web = web(3);
    let effects = with("1.37", &cache(&[&web], vec![]), |h| {
        (h.replica_set_updated(&web, &web), h.replica_set_added(&web))
    });
    assert_eq!(effects, (vec![woken()], vec![woken()]));
}

#[test]
fn empty_selector_is_not_woken_by_orphans() {
    let mut web = web(3);
    web.selector = crate::objects::Selector::All(Vec::new());
    let effects = with("1.37", &cache(&[&web], vec![]), |h| h.pod_added(&orphan("a")));
    assert_eq!(effects, []);
}
