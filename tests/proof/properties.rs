//! What holds for any input: nothing panics, order does not matter, and the arithmetic of the
//! controller keeps its promises.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use proptest::sample::Index;
use rsexp::engine::ask;
use rsexp::engine::settings::{Assumption, Question, Settings, WhatIf};
use rsexp::model::cache::Cache;
use rsexp::model::dry_run::{ClientRate, Start, SyncRun, Then, dry_run};
use rsexp::model::effect::Effect;
use rsexp::model::expectations::{ExpectationStore, Gate};
use rsexp::model::handlers::Handlers;
use rsexp::model::plan::{Assumptions, Planned, plan};
use rsexp::model::profile::{Profile, Version};
use rsexp::model::queue::{LONGEST_RETRY, Queue, retry_delay};
use rsexp::model::scale_down::{self, Candidate, Choice, Interval};
use rsexp::model::slow_start;
use rsexp::model::sync::Action;
use rsexp::objects::pod::{DELETION_COST, Ready};
use rsexp::objects::{Key, Object, OwnerKind, OwnerReference, Phase, Pod, wire as reader};
use rsexp::report::Report;
use rsexp::report::style::Style;
use rsexp::report::text;
use rsexp::source::Input;
use serde_json::{Map, Value, json};

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

// Any objects.

fn choice<T: Clone + std::fmt::Debug + 'static>(values: &[T]) -> impl Strategy<Value = T> + use<T> {
    prop::sample::select(values.to_vec())
}

/// Mostly the first, sometimes the second: too much that is odd leaves nothing to answer.
fn mostly<T: std::fmt::Debug>(
    usual: impl Strategy<Value = T> + 'static,
    odd: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = T> {
    prop_oneof![15 => usual, 1 => odd]
}

fn time() -> impl Strategy<Value = Value> {
    let usual = choice(&[
        json!("2026-01-01T00:00:00Z"),
        json!("2025-12-31T23:59:57Z"),
        json!("2025-12-31T21:00:00Z"),
        json!("2026-01-01T00:10:00Z"),
        Value::Null,
    ]);
    let odd = choice(&[
        json!("2026-01-01T00:00:00.123456789+02:00"),
        json!("2016-12-31T23:59:60Z"),
        json!("0001-01-01T00:00:00Z"),
        json!("-009999-01-02T01:59:59Z"),
        json!("9999-12-30T22:00:00.999999999Z"),
        json!("9999-12-31T23:59:59Z"),
        json!("yesterday"),
        json!(""),
        json!(1.7e9),
    ]);
    mostly(usual, odd)
}

fn number() -> impl Strategy<Value = Value> {
    let odd = choice(&[
        json!(-1),
        json!(600),
        json!(2_147_483_647),
        json!(2_147_483_648i64),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e300),
        json!(0.5),
        json!("3"),
        Value::Null,
    ]);
    mostly((0..5i64).prop_map(Value::from), odd)
}

fn name(usual: &[&'static str]) -> impl Strategy<Value = Value> + use<> {
    let long = "n".repeat(300);
    let odd = choice(&["", "a\u{1b}[2J", "\u{202e}b\nc", "d\u{0}", "ü\u{200b}😀"]).prop_map(Value::from);
    mostly(choice(usual).prop_map(Value::from), prop_oneof![4 => odd, 1 => Just(json!(long))])
}

fn labels() -> impl Strategy<Value = Value> {
    let usual = choice(&[
        json!({"app": "web"}),
        json!({"app": "web", "pod-template-hash": "1"}),
        json!({"app": "old"}),
        json!({}),
        Value::Null,
    ]);
    mostly(usual, choice(&[json!({"": "\u{7}"}), json!({"app": 1})]))
}

fn owners() -> impl Strategy<Value = Value> {
    let owner = |kind: &str, name: &str, uid: &str, controller: bool| json!({"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": uid, "controller": controller});
    let usual = choice(&[
        json!([owner("ReplicaSet", "web", "u1", true)]),
        json!([owner("ReplicaSet", "web", "u2", true), owner("ReplicaSet", "old", "u2", true)]),
        json!([owner("ReplicationController", "web", "u1", true)]),
        json!([owner("Deployment", "dep", "d1", true)]),
        json!([]),
        Value::Null,
    ]);
    mostly(usual, choice(&[json!([owner("", "", "", false)]), json!("me")]))
}

/// Leaves out the fields that the bits of `present` do not name.
fn some(fields: Vec<(&str, Value)>, present: u32) -> Value {
    let kept = fields.into_iter().enumerate().filter(|(bit, _)| present & (1 << bit) != 0);
    Value::Object(kept.map(|(_, (name, value))| (name.to_owned(), value)).collect::<Map<_, _>>())
}

/// Mostly whole, sometimes with holes.
fn present() -> impl Strategy<Value = u32> {
    mostly(Just(u32::MAX), any::<u32>().prop_map(|bits| bits | 1))
}

fn meta(names: &[&'static str], uids: &[&'static str]) -> impl Strategy<Value = Value> + use<> {
    let uid = choice(uids);
    let deleted = prop_oneof![5 => Just(Value::Null), 1 => time()];
    (name(names), uid, labels(), owners(), time(), deleted, number(), present()).prop_map(
        |(name, uid, labels, owners, created, deleted, version, present)| {
            let cost =
                json!({DELETION_COST: version.to_string(), "deployment.kubernetes.io/desired-replicas": "x"});
            some(
                vec![
                    ("name", name),
                    ("namespace", json!("shop")),
                    ("uid", json!(uid)),
                    ("labels", labels),
                    ("ownerReferences", owners),
                    ("creationTimestamp", created),
                    ("deletionTimestamp", deleted),
                    ("generation", version.clone()),
                    ("deletionGracePeriodSeconds", version.clone()),
                    ("resourceVersion", json!(version.to_string())),
                    ("annotations", cost),
                    ("generateName", json!("web-")),
                ],
                present,
            )
        },
    )
}

fn condition(kind: &'static str) -> impl Strategy<Value = Value> {
    let message = choice(&[
        "exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5",
        "pods \"web-\" is forbidden: violates PodSecurity \"restricted:latest\": a\u{1b}",
        "failed calling webhook \"x\": context deadline exceeded",
        "",
    ]);
    (choice(&["True", "False", "?"]), time(), message, present()).prop_map(
        move |(status, time, message, present)| {
            let fields = vec![
                ("type", json!(kind)),
                ("status", json!(status)),
                ("lastTransitionTime", time),
                ("reason", json!("FailedCreate")),
                ("message", json!(message)),
            ];
            some(fields, present)
        },
    )
}

fn replica_set() -> impl Strategy<Value = Value> {
    let usual = choice(&[
        json!({"matchLabels": {"app": "web"}}),
        json!({"matchExpressions": [{"key": "app", "operator": "Exists"}]}),
    ]);
    let odd = choice(&[
        json!({"matchExpressions": [{"key": "app", "operator": "Around", "values": []}]}),
        json!({"app": "web"}),
        json!({}),
        Value::Null,
    ]);
    let selector = mostly(usual, odd);
    let kind = choice(&["ReplicaSet", "ReplicaSet", "ReplicationController"]);
    let status =
        (number(), number(), condition("ReplicaFailure"), present()).prop_map(|(n, m, failure, present)| {
            some(
                vec![
                    ("replicas", n.clone()),
                    ("readyReplicas", m.clone()),
                    ("observedGeneration", m),
                    ("availableReplicas", n),
                    ("conditions", json!([failure])),
                ],
                present,
            )
        });
    (kind, meta(&["web", "old"], &["u1", "u2"]), number(), number(), selector, labels(), status, present())
        .prop_map(|(kind, meta, replicas, ready, selector, labels, status, present)| {
            let spec = some(
                vec![
                    (
                        "template",
                        json!({"metadata": {"labels": labels}, "spec": {"containers": [{"image": "a"}]}}),
                    ),
                    ("selector", selector),
                    ("replicas", replicas),
                    ("minReadySeconds", ready),
                ],
                present | 2,
            );
            json!({"kind": kind, "metadata": meta, "spec": spec, "status": status})
        })
}

fn pod() -> impl Strategy<Value = Value> {
    let phase = choice(&["Pending", "Running", "Running", "Succeeded", "Failed", "Unknown", "Bananas", ""]);
    let node = choice(&["n1", "n2", "", "n\u{1b}"]);
    (
        meta(&["web-1", "web-2", "web-3", "web-4", "web-5", "web-6"], &["p1", "p2", "p3", ""]),
        phase,
        node,
        number(),
        condition("Ready"),
        present(),
    )
        .prop_map(|(meta, phase, node, restarts, ready, present)| {
            let status = some(
                vec![
                    ("phase", json!(phase)),
                    ("conditions", json!([ready])),
                    ("containerStatuses", json!([{"name": "c", "restartCount": restarts}])),
                    ("reason", json!("Evicted")),
                ],
                present,
            );
            json!({"kind": "Pod", "metadata": meta, "spec": {"nodeName": node}, "status": status})
        })
}

fn around() -> impl Strategy<Value = Value> {
    let event = (meta(&["x", "y"], &["d1"]), number(), time(), condition("x")).prop_map(
        |(meta, count, time, condition)| {
            json!({
                "kind": "Event", "metadata": meta, "reason": "FailedCreate", "count": count,
                "firstTimestamp": time, "lastTimestamp": time, "message": condition["message"],
                "involvedObject": {"kind": "ReplicaSet", "namespace": "shop", "name": "web", "uid": "u1"},
            })
        },
    );
    let quota = (meta(&["x", "y"], &["d1"]), number(), number()).prop_map(|(meta, hard, used)| {
        json!({
            "kind": "ResourceQuota", "metadata": meta,
            "status": {"hard": {"pods": hard.to_string()}, "used": {"pods": used.to_string()}},
        })
    });
    let lease = (time(), number()).prop_map(|(time, seconds)| {
        json!({
            "kind": "Lease", "apiVersion": "coordination.k8s.io/v1",
            "metadata": {"name": "kube-controller-manager", "namespace": "kube-system"},
            "spec": {"holderIdentity": "a", "renewTime": time, "acquireTime": time, "leaseDurationSeconds": seconds},
        })
    });
    let deployment = (meta(&["x", "y"], &["d1"]), number()).prop_map(|(meta, replicas)| {
        json!({"kind": "Deployment", "apiVersion": "apps/v1", "metadata": meta,
            "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": "web"}}}})
    });
    prop_oneof![event, quota, lease, deployment]
}

fn objects() -> impl Strategy<Value = Vec<Value>> {
    let object = prop_oneof![2 => replica_set(), 4 => pod(), 1 => around()];
    prop::collection::vec(object, 0..25)
}

// Any question.

fn question() -> impl Strategy<Value = Question> {
    let what_if = (
        prop::option::of(choice(&[0, 1, 7, 1200, i32::MAX])),
        prop::option::of(0..3u64),
        prop::option::of(choice(&[Assumption::Satisfied, Assumption::Unmet])),
        1..6usize,
        choice(&[20.0, 1e-300, f64::MAX, f64::MIN_POSITIVE]),
        choice(&[1, 30, u32::MAX]),
    )
        .prop_map(|(replicas, quota_left, assume, syncs, qps, burst)| {
            Question::DryRun(WhatIf { replicas, fail_creates: None, quota_left, assume, syncs, qps, burst })
        });
    prop_oneof![Just(Question::Explain), what_if, Just(Question::List { pods: true })]
}

fn instant() -> impl Strategy<Value = Timestamp> {
    let at = |text: &str| text.parse().unwrap();
    choice(&[
        at("2026-01-01T00:00:00Z"),
        at("2026-01-01T00:05:00.000000001Z"),
        at("1969-01-01T00:00:00Z"),
        Timestamp::MIN,
        Timestamp::MAX,
    ])
}

fn asked(content: &[u8], settings: Settings) -> ask::Answers {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("input.json");
    std::fs::write(&path, content).unwrap();
    let settings = Settings { inputs: vec![Input::Path(path)], ..settings };
    let mut answers = ask::answer(&settings, None).unwrap();
    // The directory has another name each time.
    answers.reports.iter_mut().for_each(|report| report.evidence.sources.clear());
    answers
}

fn pages(report: &Report, width: usize) -> String {
    let style = Style::new(false, width);
    [
        text::explain(report, &style, false),
        text::explain(report, &style, true),
        text::dry_run(report, &style, false),
        text::dry_run(report, &style, true),
    ]
    .concat()
}

fn check_output(answers: &ask::Answers, width: usize) -> Result<(), TestCaseError> {
    for report in &answers.reports {
        let json: Value = serde_json::from_str(&serde_json::to_string(report).unwrap()).unwrap();
        prop_assert_eq!(&json["object"]["name"], &report.object.name);
        let text = pages(report, width);
        let acts = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{200b}".contains(c));
        prop_assert!(!text.contains(acts), "{text:?}");
    }
    for problem in &answers.problems {
        prop_assert_eq!(problem.lines().count(), 1, "{}", problem);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn odd_objects_never_panic_and_print_plainly(
        objects in objects(), question in question(), now in instant(), minor in 5..40u16, width in 1..200usize,
    ) {
        let content = json!({"kind": "List", "items": objects}).to_string();
        let version = Some(Version { minor, patch: None });
        let answers = asked(content.as_bytes(), Settings { now: Some(now), version, ..Settings::of(question) });
        check_output(&answers, width)?;
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn order_of_the_objects_does_not_matter(
        (objects, shuffled) in objects().prop_flat_map(|objects| {
            let mut objects = objects;
            // Two copies of one version that differ have no order of their own.
            for (version, object) in objects.iter_mut().enumerate() {
                object["metadata"]["resourceVersion"] = json!((version + 1).to_string());
            }
            (Just(objects.clone()), Just(objects).prop_shuffle())
        }),
        question in question(),
    ) {
        let ask = |objects: &[Value]| {
            let content = json!({"kind": "List", "items": objects}).to_string();
            let now = Some("2026-01-01T00:00:00Z".parse().unwrap());
            let answers = asked(content.as_bytes(), Settings { now, ..Settings::of(question.clone()) });
            let text: String = answers.reports.iter().map(|report| pages(report, 100)).collect();
            (serde_json::to_string_pretty(&answers.reports).unwrap(), text, answers.rows)
        };
        prop_assert_eq!(ask(&objects), ask(&shuffled));
    }
}

// Arithmetic of the controller.

fn key() -> Key {
    Key::new("shop", "web")
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + seconds).unwrap()
}

fn effect() -> impl Strategy<Value = Effect> {
    let pod = |n: u8| Key::new("shop", format!("web-{n}"));
    let pods = prop::collection::vec(0..6u8, 0..5);
    prop_oneof![
        1 => (0..5i64).prop_map(|count| Effect::ExpectCreations { key: key(), count }),
        1 => pods.prop_map(move |pods| Effect::ExpectDeletions { key: key(), pods: pods.into_iter().map(pod).collect() }),
        3 => (1..4i64).prop_map(|count| Effect::CreationObserved { key: key(), count }),
        3 => (0..6u8).prop_map(move |n| Effect::DeletionObserved { key: key(), pod: pod(n) }),
        1 => Just(Effect::Forget { key: key() }),
    ]
}

proptest! {
    #[test]
    fn slow_start_batches_double_and_sum_to_the_count(count in 0..2000usize, fails_at in any::<Index>()) {
        let batches = slow_start::batches(count);
        prop_assert_eq!(batches.iter().sum::<usize>(), count);
        for (nth, batch) in batches.iter().enumerate() {
            prop_assert!(*batch == 1 << nth || (nth + 1 == batches.len() && *batch < 1 << nth));
        }
        if count > 0 {
            let failing = fails_at.index(batches.len());
            let mut round = slow_start::SlowStart::new(count);
            (0..=failing).for_each(|nth| round.finish_batch(usize::from(nth == failing)));
            prop_assert_eq!(round.next_batch(), 0);
            prop_assert_eq!(round.succeeded(), batches[..=failing].iter().sum::<usize>() - 1);
        }
    }

    #[test]
    fn expectations_are_lowered_only_where_there_is_an_entry(effects in prop::collection::vec(effect(), 0..40)) {
        let mut store = ExpectationStore::default();
        for (second, effect) in (0..).zip(&effects) {
            let before = store.entry(&key()).copied();
            let awaited: BTreeSet<Key> = store.pending_deletions(&key()).cloned().collect();
            store.apply(effect, at(second));
            let after = store.entry(&key()).copied();
            match effect {
                Effect::CreationObserved { count, .. } => {
                    prop_assert_eq!(after.map(|e| e.add), before.map(|e| e.add - count));
                    prop_assert_eq!(after.map(|e| (e.del, e.set_at)), before.map(|e| (e.del, e.set_at)));
                }
                Effect::DeletionObserved { pod, .. } => {
                    let by = i64::from(awaited.contains(pod));
                    prop_assert_eq!(after.map(|e| e.del), before.map(|e| e.del - by));
                    prop_assert_eq!(after.map(|e| (e.add, e.set_at)), before.map(|e| (e.add, e.set_at)));
                    prop_assert!(!store.pending_deletions(&key()).any(|awaited| awaited == pod));
                }
                Effect::ExpectCreations { count, .. } => {
                    prop_assert_eq!(after.map(|e| (e.add, e.del, e.set_at)), Some((*count, 0, at(second))));
                }
                Effect::ExpectDeletions { pods, .. } => {
                    let distinct: BTreeSet<&Key> = pods.iter().collect();
                    let del = distinct.len() as i64;
                    prop_assert_eq!(after.map(|e| (e.add, e.del, e.set_at)), Some((0, del, at(second))));
                    prop_assert_eq!(store.pending_deletions(&key()).collect::<BTreeSet<_>>(), distinct);
                }
                Effect::Forget { .. } | Effect::Enqueue { .. } => prop_assert_eq!(after, None),
            }
        }
    }

    #[test]
    fn retries_wait_longer_with_each_failure(failures in 0..u32::MAX, keys in 1..4usize) {
        prop_assert!(retry_delay(failures) <= retry_delay(failures + 1));
        prop_assert!(retry_delay(failures + 1) <= LONGEST_RETRY);
        let keys: Vec<Key> = (0..keys).map(|n| Key::new("shop", n.to_string())).collect();
        let mut queue = Queue::default();
        let mut last = BTreeMap::new();
        for nth in 0..30 {
            for key in &keys {
                let delay = queue.add_rate_limited(key, at(0));
                prop_assert!(last.insert(key, delay).is_none_or(|before| before <= delay));
                prop_assert_eq!(queue.failures(key), nth + 1);
                prop_assert!(queue.due(key).is_some_and(|due| due <= at(0) + delay), "the earliest time stands");
            }
        }
    }
}

// Choices of victims.

/// Ages in seconds: few, so that equal ones meet; and those at which an age bucket ends.
fn age() -> impl Strategy<Value = SignedDuration> {
    prop_oneof![
        2 => choice(&[0, 1, 60, 90, 100, 130, 5000]).prop_map(SignedDuration::from_secs),
        1 => (30..45u32, -1..2i64).prop_map(|(bits, off)| SignedDuration::from_nanos((1 << bits) + off * 3_000_000_000)),
    ]
}

fn candidate() -> impl Strategy<Value = Pod> {
    let phase = choice(&[Phase::Running, Phase::Running, Phase::Running, Phase::Pending, Phase::Unknown]);
    let cost = choice(&["", "", "", "0", "1", "-5", "2147483647", "+1"]);
    let node = choice(&["n1", "n1", "n2", ""]);
    let ready = prop::option::weighted(0.8, prop::option::weighted(0.95, age()));
    (phase, cost, node, ready, age(), choice(&[0, 0, 0, 1, 2]), any::<u16>()).prop_map(
        |(phase, cost, node, ready, created, restarts, uid)| {
            let mut pod = Pod { phase, node: node.into(), restarts, ..Pod::default() };
            pod.meta.uid = uid.to_string();
            pod.meta.created = Some(at(0) - created);
            pod.ready = ready.map(|since| Ready { is_true: true, since: since.map(|age| at(0) - age) });
            if !cost.is_empty() {
                pod.meta.annotations = [(DELETION_COST, cost)].into_iter().collect();
            }
            pod
        },
    )
}

fn candidates() -> impl Strategy<Value = Vec<Arc<Pod>>> {
    prop::collection::vec(candidate(), 1..10).prop_map(|pods| {
        let named = pods.into_iter().enumerate().map(|(n, mut pod)| {
            pod.meta.namespace = "shop".into();
            pod.meta.name = format!("web-{n}");
            Arc::new(pod)
        });
        named.collect()
    })
}

fn names(candidates: &[Candidate]) -> BTreeSet<&str> {
    candidates.iter().map(|c| c.pod.meta.name.as_str()).collect()
}

fn chosen(pods: &[Arc<Pod>], count: usize, during: Interval, minor: u16) -> Choice {
    let per_node = BTreeMap::from([("n1".to_owned(), 3), ("n2".to_owned(), 2)]);
    let profile = Profile::of(Version { minor, patch: None });
    scale_down::choose(pods, &per_node, count, during, &profile)
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn a_choice_sorts_every_pod_once_and_leaves_room_for_the_count(
        (pods, shuffled) in candidates().prop_flat_map(|pods| (Just(pods.clone()), Just(pods).prop_shuffle())),
        count in 0..10usize, minor in choice(&[16, 21, 22, 33, 37]),
    ) {
        let count = count.min(pods.len());
        let choice = chosen(&pods, count, Interval::exactly(at(0)), minor);
        let (certain, possible, safe) = (names(&choice.certain), names(&choice.possible), names(&choice.safe));
        prop_assert_eq!(certain.len() + possible.len() + safe.len(), pods.len());
        let all: BTreeSet<&str> = [&certain, &possible, &safe].into_iter().flatten().copied().collect();
        prop_assert_eq!(all.len(), pods.len());
        prop_assert!(certain.len() <= count && count <= certain.len() + possible.len());
        prop_assert!(possible.is_empty() || certain.len() < count && count < certain.len() + possible.len());
        let other = chosen(&shuffled, count, Interval::exactly(at(0)), minor);
        prop_assert_eq!((certain, possible, safe), (names(&other.certain), names(&other.possible), names(&other.safe)));
        prop_assert_eq!(choice.ambiguity, other.ambiguity);
    }

    #[test]
    fn more_victims_save_none(pods in candidates(), minor in choice(&[16, 21, 22, 37])) {
        let choices: Vec<Choice> =
            (0..=pods.len()).map(|count| chosen(&pods, count, Interval::exactly(at(0)), minor)).collect();
        for pair in choices.windows(2) {
            prop_assert!(names(&pair[0].certain).is_subset(&names(&pair[1].certain)));
            prop_assert!(names(&pair[1].safe).is_subset(&names(&pair[0].safe)));
        }
    }

    #[test]
    fn what_is_sure_for_an_interval_is_sure_at_each_of_its_instants(
        pods in candidates(), count in 0..10usize, seconds in 0..300i64, within in prop::collection::vec(0.0..=1.0f64, 4),
    ) {
        let count = count.min(pods.len());
        let span = SignedDuration::from_secs(seconds);
        let whole = chosen(&pods, count, Interval { earliest: at(0), latest: at(0) + span }, 37);
        for share in within.into_iter().chain([0.0, 1.0]) {
            let instant = at(0) + SignedDuration::from_secs_f64(seconds as f64 * share);
            let one = chosen(&pods, count, Interval::exactly(instant), 37);
            prop_assert!(names(&whole.certain).is_subset(&names(&one.certain)), "at {}", instant);
            prop_assert!(names(&whole.safe).is_subset(&names(&one.safe)), "at {}", instant);
        }
    }
}

// Whole syncs.

fn web(replicas: i32) -> rsexp::objects::ReplicaSet {
    let object = json!({
        "kind": "ReplicaSet", "metadata": {"name": "web", "namespace": "shop", "uid": "u1"},
        "spec": {
            "replicas": replicas, "selector": {"matchLabels": {"app": "web"}},
            "template": {"metadata": {"labels": {"app": "web"}}},
        },
    });
    let Ok(Object::ReplicaSet(read)) = reader::from_str(&object.to_string()) else { panic!("{object}") };
    read
}

fn own_pod(name: String) -> Pod {
    let mut pod = Pod::default();
    pod.meta.namespace = "shop".into();
    pod.meta.uid.clone_from(&name);
    pod.meta.name = name;
    pod.meta.created = Some(at(0));
    pod.meta.labels = [("app", "web")].into_iter().collect();
    pod.meta.owners = vec![OwnerReference {
        api_version: "apps/v1".into(),
        kind: "ReplicaSet".into(),
        name: "web".into(),
        uid: "u1".into(),
        controller: true,
    }];
    pod
}

fn cluster(replicas: i32, pods: usize) -> Cache {
    let mut cache = Cache::default();
    cache.put_replica_set(Arc::new(web(replicas)));
    for n in 0..pods {
        cache.put_pod(Arc::new(own_pod(format!("web-{n}"))));
    }
    cache
}

proptest! {
    #![proptest_config(config(40))]

    #[test]
    fn a_dry_run_settles_in_as_few_syncs_as_the_burst_cap_allows(
        replicas in 0..2500usize, pods in 0..1500usize, waits in any::<bool>(),
    ) {
        let start = Start {
            kind: OwnerKind::ReplicaSet,
            key: key(),
            now: at(0),
            gate: if waits { Gate::Waiting } else { Gate::None },
            entry: None,
            expires: Some(at(10)),
            failures: 0,
            assumptions: Assumptions::default(),
            rate: ClientRate::default(),
            choice_delay: SignedDuration::ZERO,
            most: 50,
        };
        let profile = Profile::of(Version::LATEST);
        let runs = dry_run(&start, &cluster(replicas as i32, pods), &profile);
        let last = runs.last().unwrap();
        prop_assert_eq!(&last.then, &Then::Settled);
        prop_assert_eq!(last.plan.diff, Some(0));
        prop_assert_eq!(last.plan.active.as_ref().map(Vec::len), Some(replicas));
        let acts = |run: &&SyncRun| run.gate != Gate::Waiting && run.plan.diff != Some(0);
        prop_assert_eq!(runs.iter().filter(acts).count(), replicas.abs_diff(pods).div_ceil(500));
        for run in &runs {
            let sets = run.plan.effects.iter().any(is_set);
            prop_assert_eq!(sets, acts(&run), "a sync with unmet expectations plans nothing");
            prop_assert!(run.plan.batches.iter().sum::<usize>() <= 500);
        }
        prop_assert!(runs.windows(2).all(|pair| pair[0].at <= pair[1].at));
    }
}

fn is_set(effect: &Effect) -> bool {
    matches!(effect, Effect::ExpectCreations { .. } | Effect::ExpectDeletions { .. })
}

/// What happens in a cluster with a cache that lags behind it.
#[derive(Debug, Clone)]
enum Step {
    Sync,
    /// The controller sees the next change of a pod.
    See,
    Wait(i64),
}

/// A controller whose cache lags behind the cluster.
struct Lagging {
    cache: Cache,
    store: ExpectationStore,
    profile: Profile,
    pods: BTreeSet<Key>,
    /// Changes that the controller has not seen: the pod, and whether it is gone.
    unseen: VecDeque<(Arc<Pod>, bool)>,
    now: Timestamp,
    made: usize,
    expired: bool,
}

impl Lagging {
    fn see(&mut self) {
        let Some((pod, gone)) = self.unseen.pop_front() else { return };
        if gone {
            self.cache.remove_pod(&pod.meta.key());
        } else {
            self.cache.put_pod(pod.clone());
        }
        let handlers = Handlers { kind: OwnerKind::ReplicaSet, cache: &self.cache, profile: &self.profile };
        let effects = if gone { handlers.pod_deleted(&pod) } else { handlers.pod_added(&pod) };
        effects.iter().for_each(|effect| self.store.apply(effect, self.now));
    }

    fn sync(&mut self) -> Result<(), TestCaseError> {
        let gate = self.store.gate(&key(), self.now);
        self.expired |= gate == Gate::Expired;
        let unmet = self.store.entry(&key()).is_some_and(|entry| !entry.is_fulfilled());
        let planned = Planned {
            kind: OwnerKind::ReplicaSet,
            key: &key(),
            gate,
            during: Interval::exactly(self.now),
            profile: &self.profile,
            earlier_creates: 0,
        };
        let plan = plan(&planned, &self.cache, &Assumptions::default());
        let sets = plan.effects.iter().any(is_set);
        prop_assert!(!sets || !unmet || gate == Gate::Expired, "two plans in flight");
        prop_assert!(sets || (plan.calls == 0 && plan.choice.is_none()), "calls without expectations");
        plan.effects.iter().for_each(|effect| self.store.apply(effect, self.now));
        if !sets {
            return Ok(());
        }
        match plan.action {
            Some(Action::Create(count)) => {
                for _ in 0..count {
                    self.made += 1;
                    let pod = Arc::new(own_pod(format!("new-{}", self.made)));
                    self.pods.insert(pod.meta.key());
                    self.unseen.push_back((pod, false));
                }
            }
            _ => {
                for effect in plan.effects {
                    let Effect::ExpectDeletions { pods, .. } = effect else { continue };
                    for key in pods.into_iter().filter(|key| self.pods.remove(key)) {
                        let pod = self.cache.pod(&key).unwrap().clone();
                        self.unseen.push_back((pod, true));
                    }
                }
            }
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn a_cache_that_lags_never_makes_the_controller_overshoot(
        replicas in 0..12usize, pods in 0..12usize, minor in choice(&[16, 21, 37]),
        steps in prop::collection::vec(
            prop_oneof![2 => Just(Step::Sync), 2 => Just(Step::See), 1 => (0..200i64).prop_map(Step::Wait)], 0..40,
        ),
    ) {
        let cache = cluster(replicas as i32, pods);
        let mut cluster = Lagging {
            pods: cache.pods().map(|pod| pod.meta.key()).collect(),
            cache,
            store: ExpectationStore::default(),
            profile: Profile::of(Version { minor, patch: None }),
            unseen: VecDeque::new(),
            now: at(0),
            made: 0,
            expired: false,
        };
        for step in steps {
            match step {
                Step::Sync => cluster.sync()?,
                Step::See => cluster.see(),
                Step::Wait(seconds) => cluster.now += SignedDuration::from_secs(seconds),
            }
            let between = replicas.min(pods)..=replicas.max(pods);
            prop_assert!(cluster.expired || between.contains(&cluster.pods.len()), "{} pods", cluster.pods.len());
        }
        for _ in 0..4 {
            while !cluster.unseen.is_empty() {
                cluster.see();
            }
            cluster.now += SignedDuration::from_mins(6);
            cluster.sync()?;
        }
        prop_assert_eq!(cluster.pods.len(), replicas);
    }
}
