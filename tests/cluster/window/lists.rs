//! The opening lists.

use rsexp::objects::{Observation, OwnerKind, Resource, What};
use rsexp::source::cluster::ErrorKind;
use rsexp::source::cluster::{Closed, Scope};

use super::fake::{Answer, Fake, Step, list, list_text, page, pod, refused, text, wait, watch};
use super::{run, scope, words};

#[tokio::test(start_paused = true)]
async fn a_snapshot_is_lists_alone_in_either_encoding() {
    let protobuf = std::fs::read("tests/data/protobuf/pods.pb").unwrap();
    let chunks = protobuf.chunks(100).map(|chunk| Step::Send(chunk.to_vec())).collect();
    let event = r#"{"metadata":{"name":"e"}}"#.to_owned();
    let fake = Fake::new()
        .on("list pods", Answer::Body { protobuf: true, steps: chunks })
        .on("list pods", list("pods", "1", &[]))
        .on("list events", list("events", "7", &[event]));
    let mut seen: Vec<Observation> = Vec::new();
    let notes = run(&fake, &scope(0), &mut seen).await.unwrap();
    // The sample says that more follows; the second page is empty.
    assert_eq!(words(&seen, Resource::Pods), ["list 1 owned,orphan,bare,odd"]);
    assert_eq!(words(&seen, Resource::Events), ["list 7 e"]);
    assert_eq!(words(&seen, Resource::Other), ["begin v1.37.2", "end"]);
    assert_eq!(notes.closed_because, Closed::Snapshot);
    assert_eq!(notes.server_version.as_deref(), Some("v1.37.2"));
    assert!(matches!(seen.first().unwrap().what, What::Begin { .. }));
    assert!(matches!(seen.last().unwrap().what, What::End));
    assert!(fake.paths("watch=true").is_empty());
    assert!(notes.skew.is_some());
    assert!(notes.degraded.is_empty() && notes.problems.is_empty() && notes.interruptions.is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_next_page_is_asked_for_while_this_one_arrives() {
    let first = list_text("pods", "50", "T/1", &[pod("a", "1"), pod("b", "2")]);
    let (head, tail) = first.split_at(first.find("\"items\":[").unwrap() + 9);
    let slow = vec![Step::Send(head.into()), wait(3), Step::Send(tail.into())];
    let fake = Fake::new()
        .on("list pods", Answer::Body { protobuf: false, steps: slow })
        .on("list pods", page("pods", "50", "", &[pod("c", "3")]));
    let mut seen: Vec<Observation> = Vec::new();
    run(&fake, &Scope { chunk_size: 2, ..scope(0) }, &mut seen).await.unwrap();
    assert_eq!(words(&seen, Resource::Pods), ["list 50 a,b,c"]);
    assert_eq!(
        fake.paths("/pods"),
        ["/api/v1/namespaces/shop/pods?limit=2", "/api/v1/namespaces/shop/pods?limit=2&continue=T%2F1"]
    );
    assert_eq!(fake.times("/pods"), [0, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_list_that_expires_half_way_is_asked_for_in_one_piece() {
    let fake = Fake::new()
        .on("list pods", page("pods", "50", "t", &[pod("a", "1")]))
        .on("list pods", refused(ErrorKind::Expired))
        .on("list pods", list("pods", "60", &[pod("a", "1"), pod("b", "2")]));
    let mut seen: Vec<Observation> = Vec::new();
    let notes = run(&fake, &Scope { chunk_size: 1, ..scope(0) }, &mut seen).await.unwrap();
    assert_eq!(words(&seen, Resource::Pods), ["list 60 a,b"]);
    assert_eq!(fake.paths("/pods").last().unwrap(), "/api/v1/namespaces/shop/pods");
    assert_eq!(
        notes.interruptions,
        ["the list of pods in namespace shop was started again: Error from server: Expired"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_list_that_is_cut_is_asked_for_once_more_but_not_for_ever() {
    let whole = list_text("pods", "50", "", &[pod("a", "1")]);
    let half = |end: Option<Step>| {
        let steps = [Some(Step::Send(whole[..whole.len() - 9].into())), end];
        Answer::Body { protobuf: false, steps: steps.into_iter().flatten().collect() }
    };
    for end in [None, Some(Step::Break)] {
        let once = Fake::new().on("list pods", half(end.clone())).on("list pods", text(&whole));
        let mut seen: Vec<Observation> = Vec::new();
        let notes = run(&once, &scope(0), &mut seen).await.unwrap();
        assert_eq!(words(&seen, Resource::Pods), ["list 50 a"]);
        assert_eq!(notes.interruptions.len(), 1);
        let twice = Fake::new().on("list pods", half(end.clone())).on("list pods", half(end));
        let error = run(&twice, &scope(0), &mut Vec::new()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Connection);
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_needed_and_denied_ends_it_what_is_useful_is_said_once() {
    let fake = Fake::new().on("list pods", refused(ErrorKind::Forbidden));
    assert_eq!(run(&fake, &scope(0), &mut Vec::new()).await.unwrap_err().kind(), ErrorKind::Forbidden);

    let fake = Fake::new()
        .on("list events", refused(ErrorKind::Forbidden))
        .on("list resourcequotas", refused(ErrorKind::NotFound))
        .on("list leases", refused(ErrorKind::Other));
    let scope = scope(5).with(Resource::Quotas).with(Resource::Quotas).with(Resource::Leases);
    let mut seen: Vec<Observation> = Vec::new();
    let notes = run(&fake, &scope, &mut seen).await.unwrap();
    let wanted = [
        (
            "events",
            "forbidden: may not list events in namespace shop; refusals are known from the condition alone",
        ),
        (
            "resourcequotas",
            "the server does not have this resource; a full quota is noticed only once it refuses pods",
        ),
        (
            "leases.coordination.k8s.io",
            "list leases.coordination.k8s.io kube-controller-manager in namespace kube-system: Error from server: \
             Other; it is unknown whether a controller-manager is leading",
        ),
    ];
    let found: Vec<(&str, &str)> =
        notes.degraded.iter().map(|unread| (unread.what.as_str(), unread.why.as_str())).collect();
    assert_eq!(found, wanted);
    assert_eq!(notes.resources.len(), 2);
    assert!(fake.paths("events").len() == 1 && fake.paths("leases").len() == 1);
}

#[tokio::test(start_paused = true)]
async fn credentials_that_are_refused_are_no_detail() {
    let fake = Fake::new().on("list events", refused(ErrorKind::Unauthorized));
    assert_eq!(run(&fake, &scope(0), &mut Vec::new()).await.unwrap_err().kind(), ErrorKind::Unauthorized);
}

#[tokio::test(start_paused = true)]
async fn a_single_object_is_got_where_it_may_not_be_listed() {
    let namespace = r#"{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"shop","resourceVersion":"5"},
        "status":{"phase":"Terminating"}}"#;
    let fake =
        Fake::new().on("list namespaces", refused(ErrorKind::Forbidden)).on("get shop", text(namespace));
    let mut seen: Vec<Observation> = Vec::new();
    let notes = run(&fake, &scope(2).with(Resource::Namespaces), &mut seen).await.unwrap();
    assert_eq!(words(&seen, Resource::Namespaces), ["list 5 shop"]);
    assert_eq!(notes.degraded.len(), 1);
    assert!(!fake.paths("watch=true").iter().any(|path| path.contains("fieldSelector=metadata.name")));
}

#[tokio::test(start_paused = true)]
async fn an_object_that_cannot_be_used_costs_only_itself() {
    let bad = r#"{"metadata":{"name":"bad","namespace":"shop","creationTimestamp":"noon"}}"#.to_owned();
    let fake = Fake::new().on("list pods", list("pods", "9", &[pod("a", "1"), bad]));
    let mut seen: Vec<Observation> = Vec::new();
    let notes = run(&fake, &scope(0), &mut seen).await.unwrap();
    let words = words(&seen, Resource::Pods);
    assert_eq!(words[0], "list 9 a");
    assert!(words[1].starts_with("gap an object cannot be used: Pod shop/bad: "), "{words:?}");
    assert_eq!(notes.problems.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_login_page_is_no_list() {
    let html = "<html><body>Sign in</body></html>";
    let fake = Fake::new().on("list replicasets", text(html)).on("list replicasets", text(html));
    let error = run(&fake, &scope(0), &mut Vec::new()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotKubernetes, "{error}");
}

#[tokio::test(start_paused = true)]
async fn one_replica_set_reads_its_events_and_its_namespace_only() {
    let fake = Fake::new().on("watch pods", watch(vec![Step::Hang]));
    let scope = scope(1).about(OwnerKind::ReplicaSet, "web");
    run(&fake, &scope, &mut Vec::new()).await.unwrap();
    let asked = fake.paths("/");
    assert!(asked.iter().all(|path| path == "/version" || path.contains("/namespaces/shop/")), "{asked:?}");
    let events = fake.paths("/events");
    assert_eq!(events.len(), 2);
    assert!(events.iter().all(|path| path.contains("involvedObject.name%3Dweb")));
}
