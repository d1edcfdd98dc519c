//! The order of a sync (semantics 4) and what its calls cost (semantics 5).

use crate::model::cache::Cache;
use crate::model::effect::Effect;
use crate::model::expectations::Gate;
use crate::model::profile::{Profile, Version};
use crate::model::scale_down::Interval;
use crate::model::sync::{
    Call, CallError, CallErrorKind, End, Inputs, LiveOwner, Next, Outcome, Response, Sync,
};
use crate::model::testing::*;
use crate::objects::{Condition, Key, OwnerKind, ReplicaSet, Selector};

/// What a sync did.
struct Run {
    calls: Vec<Call>,
    effects: Vec<Effect>,
    end: End,
}

fn inputs(gate: Gate, version: &str) -> Inputs {
    let profile = Profile::of(Version::parse(version).unwrap());
    Inputs {
        kind: OwnerKind::ReplicaSet,
        key: key(),
        gate,
        stale: None,
        during: Interval::exactly(now()),
        profile,
    }
}

/// Runs a sync; `fails` says which call, counted from 0 among its kind, is refused.
fn run(inputs: Inputs, cache: &Cache, fails: impl Fn(&Call, usize) -> Option<CallErrorKind>) -> Run {
    let (mut sync, mut step) = Sync::start(inputs, cache);
    let mut run =
        Run { calls: Vec::new(), effects: Vec::new(), end: End { error: None, requeue_after: None } };
    let mut creates = 0;
    loop {
        run.effects.append(&mut step.effects);
        let call = match step.next {
            Next::Call(call) => call,
            Next::End(end) => return Run { end, ..run },
        };
        let outcome = |nth: usize| -> Outcome {
            match fails(&call, nth) {
                Some(kind) => Err(CallError { kind, message: format!("{kind:?} of {nth}") }),
                None => Ok(()),
            }
        };
        let answer = match &call {
            Call::Live => Response::Live(if fails(&call, 0).is_some() {
                LiveOwner::NoLongerOwner
            } else {
                LiveOwner::Same
            }),
            Call::Patch(patches) => Response::Outcomes((0..patches.len()).map(outcome).collect()),
            Call::Create(count) => {
                creates += count;
                Response::Outcomes((creates - count..creates).map(outcome).collect())
            }
            Call::Pick(choice, count) => {
                Response::Picked(choice.possible[..*count].iter().map(|c| c.pod.meta.key()).collect())
            }
            Call::Delete(pods) => Response::Outcomes((0..pods.len()).map(outcome).collect()),
            Call::UpdateStatus(_) | Call::Refetch => Response::Outcomes(vec![outcome(run.calls.len())]),
        };
        step = sync.resume(answer, cache);
        run.calls.push(call);
    }
}

fn succeed(_: &Call, _: usize) -> Option<CallErrorKind> {
    None
}

fn batches(run: &Run) -> Vec<usize> {
    run.calls.iter().filter_map(|call| if let Call::Create(n) = call { Some(*n) } else { None }).collect()
}

fn lowered(run: &Run) -> i64 {
    run.effects
        .iter()
        .filter_map(|e| if let Effect::CreationObserved { count, .. } = e { Some(*count) } else { None })
        .sum()
}

#[test]
fn stale_guard_comes_first_and_does_nothing_at_all() {
    let stale = Inputs { stale: Some("pods".into()), ..inputs(Gate::None, "1.37") };
    let run = run(stale, &cache(&[&web(3)], vec![orphan("a")]), succeed);
    assert!(run.calls.is_empty() && run.effects.is_empty());
    assert!(run.end.error.is_some(), "it is retried with backoff");
}

#[test]
fn sync_of_a_replica_set_that_is_gone_forgets_its_expectations() {
    let run = run(inputs(Gate::Waiting, "1.16"), &Cache::default(), succeed);
    assert_eq!(run.effects, [Effect::Forget { key: key() }]);
    assert_eq!(run.end, End { error: None, requeue_after: None });
}

#[test]
fn invalid_selector_ends_the_sync_without_retry() {
    let mut web = web(3);
    web.selector = Selector::Invalid("x".into());
    let run = run(inputs(Gate::None, "1.37"), &cache(&[&web], vec![]), succeed);
    assert!(run.calls.is_empty() && run.end.error.is_none());
}

#[test]
fn closed_gate_leaves_replicas_alone_but_claims_writes_status_and_clears_the_failure() {
    let mut web = web(3);
    let kind = Condition::REPLICA_FAILURE.into();
    web.status.conditions = vec![Condition { kind, status: "True".into(), ..Condition::default() }];
    let run = run(inputs(Gate::Waiting, "1.37"), &cache(&[&web], vec![orphan("a")]), succeed);
    let [Call::Live, Call::Patch(patches), Call::UpdateStatus(status)] = run.calls.as_slice() else {
        panic!("{:?}", run.calls)
    };
    assert_eq!((patches.len(), status.replicas), (1, 1));
    assert!(status.conditions.is_empty(), "a skipped sync has no error");
    assert!(run.effects.is_empty() && run.end.error.is_none());
}

#[test]
fn expired_gate_acts_as_if_nothing_were_outstanding() {
    let run = run(inputs(Gate::Expired, "1.37"), &cache(&[&web(2)], vec![]), succeed);
    assert_eq!(batches(&run), [1, 1]);
    assert_eq!(run.effects, [Effect::ExpectCreations { key: key(), count: 2 }]);
}

#[test]
fn replica_set_that_is_being_deleted_writes_status_only() {
    let mut web = web(3);
    web.meta.deleted = Some(now());
    let owned = pod("a", &web);
    let run = run(inputs(Gate::None, "1.37"), &cache(&[&web], vec![owned]), succeed);
    assert!(matches!(run.calls.as_slice(), [Call::UpdateStatus(status)] if status.replicas == 1));
}

#[test]
fn claim_error_ends_the_sync_before_replicas_and_status() {
    let cache = cache(&[&web(3)], vec![orphan("a")]);
    let gone = run(inputs(Gate::None, "1.37"), &cache, |call, _| {
        matches!(call, Call::Live).then_some(CallErrorKind::NotFound)
    });
    assert_eq!(gone.calls, [Call::Live]);
    assert!(gone.end.error.is_some());
    let refused = run(inputs(Gate::None, "1.37"), &cache, |call, _| {
        matches!(call, Call::Patch(_)).then_some(CallErrorKind::Invalid)
    });
    assert_eq!(refused.calls.len(), 2, "422 fails an adoption");
    assert!(refused.end.error.is_some());
}

#[test]
fn pod_gone_before_its_adoption_is_skipped_and_not_counted() {
    let run = run(inputs(Gate::None, "1.37"), &cache(&[&web(1)], vec![orphan("a")]), |call, _| {
        matches!(call, Call::Patch(_)).then_some(CallErrorKind::NotFound)
    });
    assert_eq!(batches(&run), [1]);
}

#[test]
fn release_answered_404_or_422_is_no_error() {
    let web = web(0);
    let mut unselected = pod("a", &web);
    unselected.meta.labels = labels(&[]);
    for refusal in [CallErrorKind::NotFound, CallErrorKind::Invalid] {
        let cache = cache(&[&web], vec![unselected.clone()]);
        let run = run(inputs(Gate::None, "1.37"), &cache, |call, _| {
            matches!(call, Call::Patch(_)).then_some(refusal)
        });
        assert_eq!(run.end.error, None);
    }
}

#[test]
fn quota_failure_stops_after_its_batch_and_lowers_what_was_not_created() {
    let run = run(inputs(Gate::None, "1.37"), &cache(&[&web(10)], vec![]), |call, nth| {
        (matches!(call, Call::Create(_)) && nth >= 3).then_some(CallErrorKind::Other)
    });
    assert_eq!(batches(&run), [1, 2, 4]);
    assert_eq!(lowered(&run), 7);
    let Some(Call::UpdateStatus(status)) = run.calls.last() else { panic!("no status") };
    assert_eq!(status.failure().unwrap().reason, "FailedCreate");
    assert_eq!(status.failure().unwrap().message, "Other of 3", "the first error is returned");
}

#[test]
fn retry_of_a_lasting_refusal_costs_one_call_and_no_status_write() {
    let mut web = web(10);
    web.status.replicas = 0;
    let kind = Condition::REPLICA_FAILURE.into();
    web.status.conditions = vec![Condition { kind, status: "True".into(), ..Condition::default() }];
    let run = run(inputs(Gate::Fulfilled, "1.37"), &cache(&[&web], vec![]), |call, _| {
        matches!(call, Call::Create(_)).then_some(CallErrorKind::Other)
    });
    assert_eq!(run.calls, [Call::Create(1)]);
    assert_eq!(lowered(&run), 10);
}

#[test]
fn terminating_namespace_counts_as_success_from_1_17_and_lowers_nothing() {
    let create = |version| {
        run(inputs(Gate::None, version), &cache(&[&web(3)], vec![]), |call, _| {
            matches!(call, Call::Create(_)).then_some(CallErrorKind::NamespaceTerminating)
        })
    };
    let new = create("1.17");
    assert_eq!((batches(&new), lowered(&new), &new.end.error), (vec![1, 2], 0, &None));
    let old = create("1.16");
    assert_eq!((batches(&old), lowered(&old)), (vec![1], 3));
    assert!(old.end.error.is_some());
}

#[test]
fn create_that_times_out_is_swallowed_before_1_18_only() {
    let create = |version| {
        run(inputs(Gate::None, version), &cache(&[&web(1)], vec![]), |call, _| {
            matches!(call, Call::Create(_)).then_some(CallErrorKind::Timeout)
        })
    };
    assert_eq!((lowered(&create("1.16.0")), create("1.16.0").end.error), (0, None));
    assert_eq!(lowered(&create("1.18")), 1);
    assert!(create("1.18").end.error.is_some());
}

#[test]
fn delete_answered_404_is_no_error_and_lowers_from_1_19() {
    let web = web(0);
    let owned = pod("a", &web);
    let delete = |version| {
        run(inputs(Gate::None, version), &cache(&[&web], vec![owned.clone()]), |call, _| {
            matches!(call, Call::Delete(_)).then_some(CallErrorKind::NotFound)
        })
    };
    let observed = Effect::DeletionObserved { key: key(), pod: Key::new("shop", "a") };
    assert!(delete("1.19").effects.contains(&observed) && delete("1.19").end.error.is_none());
    assert!(!delete("1.18.0").effects.contains(&observed) && delete("1.18.0").end.error.is_none());
}

#[test]
fn deletions_are_expected_before_the_calls_and_a_failed_one_is_lowered() {
    let web = web(1);
    let pods = vec![pod("a", &web), pod("b", &web), pod("c", &web)];
    let run = run(inputs(Gate::None, "1.37"), &cache(&[&web], pods), |call, nth| {
        (matches!(call, Call::Delete(_)) && nth == 0).then_some(CallErrorKind::Other)
    });
    let Effect::ExpectDeletions { pods, .. } = &run.effects[0] else { panic!("{:?}", run.effects) };
    assert_eq!(pods.len(), 2);
    assert_eq!(run.effects[1], Effect::DeletionObserved { key: key(), pod: pods[0].clone() });
    let Some(Call::UpdateStatus(status)) = run.calls.last() else { panic!("no status") };
    assert_eq!((status.replicas, status.failure().unwrap().reason.as_str()), (3, "FailedDelete"));
}

#[test]
fn expectations_are_set_before_the_first_call() {
    let first = |web: &ReplicaSet, pods| Sync::start(inputs(Gate::None, "1.37"), &cache(&[web], pods)).1;
    let creates = first(&web(2), vec![]);
    assert_eq!(creates.next, Next::Call(Call::Create(1)));
    assert_eq!(creates.effects, [Effect::ExpectCreations { key: key(), count: 2 }]);
    let (web, gone) = (web(0), vec![Key::new("shop", "a")]);
    let deletes = first(&web, vec![pod("a", &web)]);
    assert_eq!(deletes.next, Next::Call(Call::Delete(gone.clone())));
    assert_eq!(deletes.effects, [Effect::ExpectDeletions { key: key(), pods: gone }]);
}

#[test]
fn burst_caps_creates_and_deletes_at_500() {
    let create = run(inputs(Gate::None, "1.37"), &cache(&[&web(1200)], vec![]), succeed);
    assert_eq!(batches(&create).iter().sum::<usize>(), 500);
    assert_eq!(create.effects, [Effect::ExpectCreations { key: key(), count: 500 }]);
    let web = web(0);
    let pods = (0..700).map(|i| pod(&format!("p{i}"), &web)).collect();
    let delete = run(inputs(Gate::None, "1.37"), &cache(&[&web], pods), succeed);
    assert!(matches!(&delete.effects[0], Effect::ExpectDeletions { pods, .. } if pods.len() == 500));
}

#[test]
fn unchanged_status_is_not_written_and_trails_the_own_creates() {
    let run = run(inputs(Gate::None, "1.37"), &cache(&[&web(1)], vec![]), succeed);
    assert_eq!(run.calls, [Call::Create(1)]);
}

#[test]
fn refused_status_is_written_once_more_after_a_get() {
    let mut web = web(0);
    web.meta.generation = 2;
    let refused = run(inputs(Gate::None, "1.37"), &cache(&[&web], vec![]), |call, _| {
        matches!(call, Call::UpdateStatus(_)).then_some(CallErrorKind::Other)
    });
    assert!(matches!(refused.calls[..], [Call::UpdateStatus(_), Call::Refetch, Call::UpdateStatus(_)]));
    assert!(refused.end.error.is_some());
}

#[test]
fn template_without_labels_fails_before_any_call() {
    let mut web = web(2);
    web.template.labels = labels(&[]);
    let run = run(inputs(Gate::None, "1.37"), &cache(&[&web], vec![]), succeed);
    assert_eq!(batches(&run), [0usize; 0]);
    assert_eq!(lowered(&run), 2);
    assert!(run.end.error.is_some());
}

#[test]
fn terminating_pods_are_counted_in_the_status_from_1_35_and_never_for_a_replication_controller() {
    let mut web = web(0);
    web.status.replicas = 5;
    let mut dying = pod("a", &web);
    dying.meta.deleted = Some(now());
    let written = |version, kind| {
        let mut web = web.clone();
        web.kind = kind;
        let inputs = Inputs { kind, ..inputs(Gate::None, version) };
        let mut dying = dying.clone();
        dying.meta.owners = vec![reference(&web)];
        let run = run(inputs, &cache(&[&web], vec![dying]), succeed);
        match run.calls.last() {
            Some(Call::UpdateStatus(status)) => status.terminating,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(written("1.35", OwnerKind::ReplicaSet), Some(1));
    assert_eq!(written("1.34", OwnerKind::ReplicaSet), None);
    assert_eq!(written("1.37", OwnerKind::ReplicationController), None);
}
