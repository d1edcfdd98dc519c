//! What was read, written and read again is the same object, whatever it holds.

use jiff::Timestamp;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use rsexp::objects::pod::{DELETION_COST, Ready};
use rsexp::objects::wire::{from_str, write};
use rsexp::objects::{
    Condition, Container, Deployment, Event, Labels, Lease, LimitRange, Manager, Meta, Namespace, Node,
    Object, Operator, OwnerKind, OwnerReference, Phase, Pod, Quota, ReplicaSet, Requirement, Selector,
    Service, ServiceAccount, Status, Template,
};

fn text() -> BoxedStrategy<String> {
    prop_oneof!["[a-z]{0,3}", "\\PC{0,5}", Just("a\"\\\n\u{0}b".to_owned())].boxed()
}

fn time() -> impl Strategy<Value = Option<Timestamp>> {
    let at = (-377_705_000_000i64..253_402_000_000, prop_oneof![Just(0), 0..1_000_000_000]);
    option::of(at.prop_map(|(seconds, nanos)| Timestamp::new(seconds, nanos).unwrap()))
}

fn labels() -> BoxedStrategy<Labels> {
    vec((text(), text()), 0..3).prop_map(|pairs| pairs.into_iter().collect()).boxed()
}

fn quantities() -> BoxedStrategy<Vec<(String, String)>> {
    vec((text(), text()), 0..3).boxed()
}

fn owner() -> impl Strategy<Value = OwnerReference> {
    (text(), text(), text(), text(), any::<bool>()).prop_map(|(api_version, kind, name, uid, controller)| {
        OwnerReference { api_version, kind, name, uid, controller }
    })
}

fn manager() -> impl Strategy<Value = Manager> {
    (text(), text(), time()).prop_map(|(name, subresource, time)| Manager { name, subresource, time })
}

fn meta() -> BoxedStrategy<Meta> {
    let names = (text(), text(), text(), text(), option::of("[a-z]-"));
    let times = (any::<i64>(), time(), time(), option::of(any::<i64>()));
    let lists = (vec(owner(), 0..2), vec(text(), 0..2), vec(manager(), 0..2));
    (names, times, lists, labels(), option::of(text()))
        .prop_map(|(names, times, lists, labels, cost)| {
            let (namespace, name, uid, resource_version, generate_name) = names;
            let (generation, created, deleted, grace_seconds) = times;
            let (owners, finalizers, managers) = lists;
            Meta {
                namespace,
                name: name + "x",
                uid,
                resource_version,
                generation,
                created,
                deleted,
                grace_seconds,
                generate_name,
                labels,
                annotations: cost.into_iter().map(|cost| (DELETION_COST, cost)).collect(),
                owners,
                finalizers,
                managers,
            }
        })
        .boxed()
}

fn requirement() -> impl Strategy<Value = Requirement> {
    let named = (prop_oneof![Just(Operator::In), Just(Operator::NotIn)], vec(text(), 1..3));
    let bare = (prop_oneof![Just(Operator::Exists), Just(Operator::DoesNotExist)], Just(Vec::new()));
    ("[ab]", prop_oneof![named, bare]).prop_map(|(key, (operator, values))| Requirement {
        key,
        operator,
        values,
    })
}

fn selector() -> BoxedStrategy<Selector> {
    let all = vec(requirement(), 0..5).prop_map(|mut requirements| {
        requirements.sort_by(|a, b| a.key.cmp(&b.key));
        Selector::All(requirements)
    });
    let refused = prop_oneof![
        Just("\"Like\" is not a valid label selector operator"),
        Just("for 'in', 'notin' operators, values set can't be empty"),
        Just("values set must be empty for exists and does not exist"),
    ];
    prop_oneof![4 => all, 1 => refused.prop_map(|why| Selector::Invalid(why.into()))].boxed()
}

fn template() -> BoxedStrategy<Template> {
    let container =
        (text(), text(), quantities()).prop_map(|(name, image, limits)| Container { name, image, limits });
    (labels(), text(), vec(container, 0..3), any::<bool>())
        .prop_map(|(labels, service_account, containers, spreads)| Template {
            labels,
            service_account,
            containers,
            spreads,
        })
        .boxed()
}

fn status() -> BoxedStrategy<Status> {
    let condition =
        (text(), text(), time(), text(), text()).prop_map(|(kind, status, since, reason, message)| {
            Condition { kind, status, since, reason, message }
        });
    let counts = (any::<i32>(), any::<i32>(), any::<i32>(), any::<i32>(), option::of(any::<i32>()));
    (counts, any::<i64>(), vec(condition, 0..2))
        .prop_map(|(counts, observed_generation, conditions)| {
            let (replicas, fully_labeled, ready, available, terminating) = counts;
            Status { replicas, fully_labeled, ready, available, terminating, observed_generation, conditions }
        })
        .boxed()
}

fn replica_set() -> impl Strategy<Value = ReplicaSet> {
    let numbers = (0..=i32::MAX, 0..=i32::MAX, any::<bool>());
    (meta(), numbers, selector(), template(), status()).prop_map(
        |(meta, (replicas, min_ready_seconds, controller), selector, template, status)| {
            // A ReplicationController selects by labels, if none are given by those of its template.
            let equal = |(key, value): (&str, &str)| Requirement {
                key: key.into(),
                operator: Operator::In,
                values: vec![value.into()],
            };
            let (kind, selector) = match controller {
                true => (
                    OwnerKind::ReplicationController,
                    Selector::All(template.labels.iter().map(equal).collect()),
                ),
                false => (OwnerKind::ReplicaSet, selector),
            };
            ReplicaSet { kind, meta, replicas, min_ready_seconds, selector, template, status }
        },
    )
}

fn pod() -> impl Strategy<Value = Pod> {
    let phases =
        [Phase::Pending, Phase::Running, Phase::Succeeded, Phase::Failed, Phase::Unknown, Phase::Other];
    let ready = option::of((any::<bool>(), time()).prop_map(|(is_true, since)| Ready { is_true, since }));
    let words = (text(), proptest::sample::select(phases.to_vec()), text(), ready);
    (meta(), words, any::<i64>(), any::<i64>(), vec((text(), text()), 0..3)).prop_map(
        |(meta, (node, phase, reason, ready), restarts, sidecar_restarts, images)| {
            let images = if meta.controller().is_some() { Vec::new() } else { images };
            Pod { meta, node, phase, reason, ready, restarts, sidecar_restarts, images }
        },
    )
}

fn event() -> impl Strategy<Value = Event> {
    let about = (text(), text(), text());
    (meta(), about, (text(), text(), text()), 1..i64::MAX, time(), time()).prop_map(
        |(meta, about, (reason, message, component), count, first, last)| Event {
            meta,
            about_kind: about.0,
            about_name: about.1,
            about_uid: about.2,
            reason,
            message,
            component,
            count,
            first,
            last: last.or(first),
        },
    )
}

fn around() -> impl Strategy<Value = Object> {
    prop_oneof![
        (meta(), 0..=i32::MAX, selector(), any::<i64>(), any::<bool>()).prop_map(
            |(meta, replicas, selector, observed_generation, none)| {
                let selector = if none { Selector::Nothing } else { selector };
                Object::Deployment(Deployment { meta, replicas, selector, observed_generation })
            }
        ),
        (meta(), any::<bool>()).prop_map(|(meta, terminating)| {
            Object::Namespace(Namespace { terminating: terminating || meta.deleted.is_some(), meta })
        }),
        (meta(), quantities(), quantities(), any::<bool>())
            .prop_map(|(meta, hard, used, scoped)| Object::Quota(Quota { meta, hard, used, scoped })),
        (meta(), text(), any::<i64>(), time(), time()).prop_map(
            |(meta, holder, duration_seconds, acquired, renewed)| {
                Object::Lease(Lease { meta, holder, duration_seconds, acquired, renewed })
            }
        ),
        (meta(), quantities())
            .prop_map(|(meta, container_max)| Object::LimitRange(LimitRange { meta, container_max })),
        meta().prop_map(|meta| Object::ServiceAccount(ServiceAccount { meta })),
        (meta(), labels()).prop_map(|(meta, selector)| Object::Service(Service { meta, selector })),
        (meta(), any::<bool>(), time()).prop_map(|(meta, ready, since)| Object::Node(Node {
            meta,
            ready,
            since
        })),
    ]
}

fn object() -> impl Strategy<Value = Object> {
    prop_oneof![
        replica_set().prop_map(Object::ReplicaSet).boxed(),
        pod().prop_map(Object::Pod).boxed(),
        event().prop_map(Object::Event).boxed(),
        around().boxed(),
    ]
}

proptest! {
    #[test]
    fn any_object_is_read_as_it_was_written(object in object()) {
        let mut json = Vec::new();
        write(&object, &mut json).unwrap();
        let json = String::from_utf8(json).unwrap();
        prop_assert!(!json.contains('\n'));
        prop_assert_eq!(from_str(&json), Ok(object), "{}", json);
    }
}

/// The keys of an object and of all within it.
fn keys(value: &serde_json::Value, into: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(map) => map.iter().for_each(|(key, item)| {
            into.push(key.clone());
            keys(item, into);
        }),
        serde_json::Value::Array(list) => list.iter().for_each(|item| keys(item, into)),
        _ => {}
    }
}

#[test]
fn nothing_else_is_written() {
    let pod = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","annotations":{"secret":"s","controller.kubernetes.io/pod-deletion-cost":"5"},
        "managedFields":[{"manager":"m","fieldsV1":{"f:secret":{}}}]},
        "spec":{"containers":[{"name":"main","image":"i","env":[{"name":"P","value":"secret"}],"command":["secret"]}],
        "volumes":[{"name":"secret"}],"hostname":"secret"},"status":{"hostIP":"secret","podIP":"secret"}}"#;
    let mut json = Vec::new();
    write(&from_str(pod).unwrap(), &mut json).unwrap();
    let json = String::from_utf8(json).unwrap();
    assert!(!json.contains("secret"), "{json}");
    let mut found = Vec::new();
    keys(&serde_json::from_str(&json).unwrap(), &mut found);
    found.sort();
    let wanted = "annotations apiVersion containers controller.kubernetes.io/pod-deletion-cost image kind \
        managedFields manager metadata name name phase spec status";
    assert_eq!(found.join(" "), wanted);
}
