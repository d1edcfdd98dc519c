//! Pods for a question about one ReplicaSet: metadata of all, in full only those that may concern it.

#![allow(clippy::unwrap_used, reason = "helpers of tests may panic too")]

use rsexp::objects::{Observation, Resource};
use rsexp::source::cluster::Scope;

use super::fake::{Answer, Fake, Step, list};
use super::{run, scope, words};

const WEB: &str = r#"{"metadata":{"name":"web","namespace":"shop","uid":"u"},"spec":{"replicas":1,
    "selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}}}}}"#;

/// A field of a message in protobuf.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    let mut length = content.len();
    while length > 127 {
        bytes.push((length & 127) as u8 | 128);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend_from_slice(content);
    bytes
}

/// Metadata of pods: name, which is the UID too, the label app, the owner's UID.
fn metadata(pods: &[(&str, &str, &str)]) -> Answer {
    let item = |(name, app, owner): &(&str, &str, &str)| {
        let label = [field(1, b"app"), field(2, app.as_bytes())].concat();
        let mut reference = [field(1, b"ReplicaSet"), field(3, b"web"), field(4, owner.as_bytes())].concat();
        reference.extend([6 << 3, 1]);
        let name = name.as_bytes();
        field(1, &[field(1, name), field(5, name), field(11, &label), field(13, &reference)].concat())
    };
    let items: Vec<u8> = pods.iter().flat_map(|pod| field(2, &item(pod))).collect();
    let list = [field(1, &field(2, b"6")), items].concat();
    let kind = field(2, b"PartialObjectMetadataList");
    let body = [b"k8s\0".to_vec(), field(1, &kind), field(2, &list)].concat();
    Answer::Body { protobuf: true, steps: vec![Step::Send(body)] }
}

fn pod(name: &str) -> String {
    format!(r#"{{"metadata":{{"name":"{name}","namespace":"shop","uid":"{name}"}}}}"#)
}

/// Reads about web; the pods that came, and what was asked for them.
async fn read(answers: [Answer; 3], focus: &str) -> (Vec<String>, Vec<String>) {
    let [first, second, third] = answers;
    let fake = Fake::new()
        .on("list replicasets", list("replicasets", "5", &[WEB.to_owned()]))
        .on("list pods", first)
        .on("list pods", second)
        .on("list pods", third);
    let mut seen: Vec<Observation> = Vec::new();
    run(&fake, &Scope { focus: Some(focus.into()), ..scope(0) }, &mut seen).await.unwrap();
    (words(&seen, Resource::Pods), fake.paths("/pods"))
}

const ALL: &str = "/api/v1/namespaces/shop/pods";
const OWN: &str = "/api/v1/namespaces/shop/pods?labelSelector=app%3Dweb";

#[tokio::test(start_paused = true)]
async fn only_its_own_pods_are_read_in_full() {
    let all = metadata(&[("web-1", "web", "u"), ("api-1", "api", "v")]);
    let own = list("pods", "7", &[pod("web-1")]);
    let (seen, asked) = read([all, own, list("pods", "8", &[])], "web").await;
    assert_eq!((seen, asked), (vec!["list 7 web-1".to_owned()], vec![ALL.to_owned(), OWN.to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_its_labels_do_not_find_has_all_read() {
    let all = metadata(&[("web-1", "web", "u"), ("web-2", "lost", "u")]);
    let everything = list("pods", "8", &[pod("web-1"), pod("web-2")]);
    let (seen, asked) = read([all, list("pods", "7", &[pod("web-1")]), everything], "web").await;
    assert_eq!(seen, ["list 8 web-1,web-2"]);
    assert_eq!(asked, [ALL, OWN, ALL]);
}

#[tokio::test(start_paused = true)]
async fn a_server_without_metadata_and_an_unknown_name_have_all_read() {
    let everything = || list("pods", "8", &[pod("web-1")]);
    let json = || list("pods", "6", &[]);
    let (seen, asked) = read([json(), everything(), json()], "web").await;
    assert_eq!((seen, asked.len()), (vec!["list 8 web-1".to_owned()], 2));
    let (seen, _) = read([metadata(&[]), everything(), json()], "wep").await;
    assert_eq!(seen, ["list 8 web-1"]);
}
