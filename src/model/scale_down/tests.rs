use jiff::SignedDuration;

use super::*;
use crate::model::profile::Version;
use crate::objects::Phase;
use crate::objects::pod::{DELETION_COST, Ready};

const NOW: i64 = 1_700_000_000;

fn at(age: i64) -> Timestamp {
    Timestamp::from_second(NOW - age).unwrap()
}

/// A running pod, ready and created `age` seconds ago.
fn pod(name: &str, age: i64) -> Pod {
    let mut pod = Pod { node: "node-1".into(), phase: Phase::Running, ..Pod::default() };
    pod.meta.name = name.into();
    pod.meta.uid = name.into();
    pod.meta.created = Some(at(age));
    pod.ready = Some(Ready { is_true: true, since: Some(at(age)) });
    pod
}

fn pick(pods: Vec<Pod>, count: usize, version: &str) -> Choice {
    let pods: Vec<_> = pods.into_iter().map(Arc::new).collect();
    let profile = Profile::of(Version::parse(version).unwrap());
    choose(&pods, &BTreeMap::new(), count, Interval::exactly(at(0)), &profile)
}

fn names(candidates: &[Candidate]) -> Vec<(&str, Rule)> {
    candidates.iter().map(|c| (c.pod.meta.name.as_str(), c.rule)).collect()
}

#[test]
fn all_pods_go_without_a_comparison() {
    let choice = pick(vec![pod("a", 1), pod("b", 1)], 2, "1.37");
    assert_eq!(names(&choice.certain), [("a", Rule::All), ("b", Rule::All)]);
}

#[test]
fn equal_pods_are_a_tie() {
    let choice = pick(vec![pod("a", 1), pod("b", 1), pod("c", 100)], 1, "1.37");
    assert_eq!(names(&choice.possible), [("a", Rule::Tie), ("b", Rule::Tie)]);
    assert_eq!(names(&choice.safe), [("c", Rule::ReadyTime)]);
    assert_eq!(choice.ambiguity, Ambiguity::Tie);
}

#[test]
fn within_an_age_bucket_the_smaller_uid_goes_from_1_22_and_the_younger_before() {
    let pods = || vec![pod("a", 100), pod("b", 90)];
    assert_eq!(names(&pick(pods(), 1, "1.22").certain), [("a", Rule::Uid)]);
    assert_eq!(names(&pick(pods(), 1, "1.21").certain), [("b", Rule::ReadyTime)]);
}

#[test]
fn cycle_of_uid_and_restarts_is_open() {
    // a and c are ready equally long: restarts say c first. b lies between by UID: a, b, c.
    let mut c = pod("c", 100);
    c.restarts = 5;
    let choice = pick(vec![pod("a", 100), pod("b", 90), c], 1, "1.37");
    assert_eq!(choice.possible.len(), 3);
    assert_eq!(choice.ambiguity, Ambiguity::Intransitive);
}

#[test]
fn bucket_that_moves_within_the_interval_leaves_the_choice_open() {
    let boundary = SignedDuration::from_nanos(1 << 37);
    let young = at(0) - boundary + SignedDuration::from_secs(2);
    let mut a = pod("a", 200);
    let mut b = pod("b", 0);
    a.meta.uid = "1".into();
    b.meta.uid = "2".into();
    b.ready = Some(Ready { is_true: true, since: Some(young) });
    let pods: Vec<_> = [a, b].into_iter().map(Arc::new).collect();
    let profile = Profile::of(Version::LATEST);
    let choose = |seconds| {
        let until = at(0) + SignedDuration::from_secs(seconds);
        choose(&pods, &BTreeMap::new(), 1, Interval { earliest: at(0), latest: until }, &profile)
    };
    assert_eq!(names(&choose(1).certain), [("b", Rule::ReadyTime)]);
    assert_eq!(choose(3).possible.len(), 2);
}

#[test]
fn deletion_cost_that_saves_or_dooms_a_pod_is_given() {
    let costly = |name: &str, cost: &str| {
        let mut pod = pod(name, 100);
        pod.meta.annotations = [(DELETION_COST, cost)].into_iter().collect();
        pod
    };
    let choice = pick(vec![costly("a", "1"), costly("b", "5"), costly("c", "9")], 1, "1.37");
    assert_eq!(choice.certain[0].cost_to_save, Some(6));
    assert_eq!(choice.safe[0].cost_to_doom, Some(0));
    let mut unready = pod("x", 100);
    unready.ready = None;
    let choice = pick(vec![unready, costly("a", "1")], 1, "1.37");
    assert_eq!(choice.certain[0].cost_to_save, None, "readiness is asked before the cost");
}
