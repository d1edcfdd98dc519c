//! The samples are written by the API's own code, see `tests/data/protobuf/generate`.

use std::path::PathBuf;

use proptest::prelude::*;

use crate::objects::wire::envelope::ListMeta;
use crate::objects::wire::{Error, Invalid, ListDecoder};
use crate::objects::{Object, Resource};

type Items = Vec<Result<Object, Invalid>>;

fn sample(resource: Resource, protobuf: bool) -> Vec<u8> {
    let ending = if protobuf { "pb" } else { "json" };
    let name = format!("tests/data/protobuf/{}.{ending}", resource.as_str());
    std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

fn decode(
    resource: Resource,
    protobuf: bool,
    bytes: &[u8],
    chunk: usize,
) -> (Items, Result<ListMeta, Error>) {
    let mut decoder = ListDecoder::new(resource, protobuf);
    let mut items = Vec::new();
    for chunk in bytes.chunks(chunk) {
        if let Err(text) = decoder.push(chunk, &mut |item| items.push(item)) {
            return (items, Err(text));
        }
    }
    (items, decoder.finish())
}

#[test]
fn both_encodings_give_the_same_objects_in_chunks_of_any_size() {
    for (resource, name) in Resource::NAMES {
        let json = sample(resource, false);
        let wanted = decode(resource, false, &json, json.len());
        let meta = wanted.1.as_ref().unwrap();
        assert!(!wanted.0.is_empty(), "{name}");
        assert_eq!(meta.remaining_item_count, (resource != Resource::Nodes).then_some(7));
        for protobuf in [false, true] {
            let bytes = sample(resource, protobuf);
            for chunk in [1, 7, 1000, bytes.len()] {
                let found = decode(resource, protobuf, &bytes, chunk);
                assert_eq!(found, wanted, "{name} protobuf {protobuf} chunk {chunk}");
            }
        }
    }
}

#[test]
fn items_that_cannot_be_used_are_named_and_cost_only_themselves() {
    let bytes = sample(Resource::ReplicaSets, true);
    let (items, _) = decode(Resource::ReplicaSets, true, &bytes, 100);
    let bad: Vec<String> = items.iter().filter_map(|i| i.as_ref().err()).map(ToString::to_string).collect();
    assert_eq!(items.iter().filter(|i| i.is_ok()).count(), 3);
    assert_eq!(
        bad,
        [
            "ReplicaSet shop/negative: spec.replicas: -1 is negative",
            "ReplicaSet shop/unselective: spec.selector is missing"
        ]
    );
}

#[test]
fn metadata_is_known_before_the_items() {
    for protobuf in [false, true] {
        let bytes = sample(Resource::Pods, protobuf);
        let mut decoder = ListDecoder::new(Resource::Pods, protobuf);
        let mut known_at_first = None;
        let metas: Vec<bool> = bytes
            .chunks(1)
            .map(|byte| {
                let mut emitted = false;
                decoder.push(byte, &mut |_| emitted = true).unwrap();
                if emitted && known_at_first.is_none() {
                    known_at_first = Some(decoder.meta().is_some());
                }
                decoder.meta().is_some()
            })
            .collect();
        assert_eq!(known_at_first, Some(true));
        assert!(!metas[0]);
    }
}

#[test]
fn half_a_list_is_an_error() {
    for protobuf in [false, true] {
        let bytes = sample(Resource::Pods, protobuf);
        let end = if protobuf { bytes.len() - 8 } else { bytes.len() - 2 };
        for cut in 0..end {
            let (_, ended) = decode(Resource::Pods, protobuf, &bytes[..cut], 64);
            assert!(ended.is_err(), "protobuf {protobuf} cut at {cut}");
        }
    }
}

#[test]
fn another_kind_is_refused() {
    for protobuf in [false, true] {
        let bytes = sample(Resource::Services, protobuf);
        let (_, ended) = decode(Resource::Pods, protobuf, &bytes, 64);
        assert_eq!(
            ended.unwrap_err().to_string(),
            "the server answered with a ServiceList instead of a PodList"
        );
    }
    let (_, ended) = decode(Resource::Pods, true, b"<html>", 64);
    assert_eq!(ended.unwrap_err().to_string(), "is not Kubernetes protobuf");
}

#[test]
fn a_json_list_may_have_its_metadata_last_or_no_items() {
    let last = br#"{"kind":"PodList","items": [ {"metadata":{"name":"a]}\"{["}} , {"metadata":{"name":"b"}} ],"metadata":{"resourceVersion":"5"}}"#;
    let (items, meta) = decode(Resource::Pods, false, last, 3);
    assert_eq!(items.len(), 2);
    assert_eq!(items[0].as_ref().unwrap().meta().name, "a]}\"{[");
    assert_eq!(meta.unwrap().resource_version, "5");
    for none in ["null", "[]", "[ ]"] {
        let text = format!(r#"{{"kind":"PodList","metadata":{{"resourceVersion":"5"}},"items":{none}}}"#);
        let (items, meta) = decode(Resource::Pods, false, text.as_bytes(), 2);
        assert_eq!((items.len(), meta.unwrap().resource_version.as_str()), (0, "5"));
    }
}

proptest! {
    #[test]
    fn changed_bytes_never_panic(at in 0usize..3000, byte: u8, protobuf: bool, chunk in 1usize..500) {
        for resource in [Resource::Pods, Resource::ReplicaSets, Resource::Events] {
            let mut bytes = sample(resource, protobuf);
            let at = at % bytes.len();
            bytes[at] = byte;
            let _ = decode(resource, protobuf, &bytes, chunk);
        }
    }
}
