//! Rows of semantics 4.1.

use crate::model::claim::{Claim, claim, considers};
use crate::model::profile::{Profile, Version};
use crate::model::testing::*;

#[test]
fn pods_are_kept_released_or_adopted_by_controller_and_selector() {
    let web = web(3);
    let mut other = web.clone();
    other.meta.uid = "uid-other".into();
    let unselected = |mut pod: crate::objects::Pod| {
        pod.meta.labels = labels(&[("app", "api")]);
        pod
    };
    assert_eq!(claim(&web, &pod("a", &web)), Claim::Keep);
    assert_eq!(claim(&web, &unselected(pod("a", &web))), Claim::Release);
    assert_eq!(claim(&web, &orphan("a")), Claim::Adopt);
    assert_eq!(claim(&web, &unselected(orphan("a"))), Claim::Ignore);
    assert_eq!(claim(&web, &pod("a", &other)), Claim::Ignore);
}

#[test]
fn replica_set_that_is_being_deleted_keeps_but_neither_adopts_nor_releases() {
    let mut web = web(3);
    web.meta.deleted = Some(now());
    let mut unselected = pod("b", &web);
    unselected.meta.labels = labels(&[]);
    assert_eq!(claim(&web, &pod("a", &web)), Claim::Keep);
    assert_eq!(claim(&web, &unselected), Claim::Ignore);
    assert_eq!(claim(&web, &orphan("a")), Claim::Ignore);
}

#[test]
fn terminating_orphan_is_not_adopted() {
    let mut dying = orphan("a");
    dying.meta.deleted = Some(now());
    assert_eq!(claim(&web(3), &dying), Claim::Ignore);
}

#[test]
fn owner_of_right_uid_but_wrong_name_is_counted_up_to_1_34_1_only() {
    let web = web(3);
    let mut restored = pod("a", &web);
    restored.meta.owners[0].name = "web-before".into();
    let considered = |version| considers(&web, &restored, &Profile::of(Version::parse(version).unwrap()));
    assert!(considered("1.33") && considered("1.34.1"));
    assert!(!considered("1.34.2") && !considered("1.37"));
}
