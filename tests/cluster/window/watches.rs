//! The watches of a window.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rsexp::objects::{Observation, Resource, What};
use rsexp::source::cluster::ErrorKind;
use rsexp::source::cluster::{Closed, Scope, window};
use rsexp::source::{Flow, Sink, Unread};

use super::fake::{Fake, Step, line, list, pod, refused, wait, watch};
use super::{run, scope, words};

const BOOKMARK: &str = r#"{"kind":"Pod","metadata":{"resourceVersion":"120"}}"#;
const EXPIRED: &str = r#"{"kind":"Status","code":410,"reason":"Expired","message":"too old"}"#;

fn versions(fake: &Fake) -> Vec<String> {
    let paths = fake.paths("/pods?watch=true");
    let version = |path: &String| path.split_once("resourceVersion=")?.1.split('&').next().map(str::to_owned);
    paths.iter().filter_map(version).collect()
}

#[tokio::test(start_paused = true)]
async fn events_and_bookmarks_arrive_with_their_times_until_the_timer() {
    let fake = Fake::new().on("list pods", list("pods", "100", &[pod("a", "1")])).on(
        "watch pods",
        watch(vec![
            wait(1),
            line("ADDED", &pod("b", "101")),
            line("MODIFIED", &pod("a", "102")),
            wait(1),
            line("DELETED", &pod("b", "103")),
            line("BOOKMARK", BOOKMARK),
            Step::Hang,
        ]),
    );
    let mut seen: Vec<Observation> = Vec::new();
    let notes = run(&fake, &scope(5), &mut seen).await.unwrap();
    assert_eq!(
        words(&seen, Resource::Pods),
        ["list 100 a", "added b", "modified a", "deleted b", "bookmark 120"]
    );
    let after = |o: &Observation| o.at.unwrap().duration_since(notes.started_at);
    let pods: Vec<SignedDuration> = seen.iter().filter(|o| o.resource == Resource::Pods).map(after).collect();
    assert_eq!(pods, [0, 1, 1, 2, 2].map(SignedDuration::from_secs));
    assert_eq!(after(seen.last().unwrap()), SignedDuration::from_secs(5));
    assert_eq!(notes.closed_because, Closed::Timer);
    assert!(notes.interruptions.is_empty());
    let opened = fake.paths("watch=true");
    assert_eq!(opened.len(), 3);
    let wanted = "watch=true&allowWatchBookmarks=true&resourceVersion=100&timeoutSeconds=15";
    assert!(opened.iter().all(|path| path.contains(wanted)), "{opened:?}");
}

#[tokio::test(start_paused = true)]
async fn a_version_that_is_gone_leads_to_a_second_list() {
    let while_open = watch(vec![wait(1), line("ERROR", EXPIRED)]);
    let at_once = refused(ErrorKind::Expired);
    for (first, why) in [(while_open, "Expired: too old"), (at_once, "Error from server: Expired")] {
        let fake = Fake::new()
            .on("list pods", list("pods", "100", &[pod("a", "1")]))
            .on("watch pods", first)
            .on("list pods", list("pods", "200", &[pod("b", "150")]))
            .on("watch pods", watch(vec![line("ADDED", &pod("c", "201")), Step::Hang]));
        let mut seen: Vec<Observation> = Vec::new();
        let notes = run(&fake, &scope(5), &mut seen).await.unwrap();
        let words = words(&seen, Resource::Pods);
        let gap = format!("gap the watch of pods in namespace shop: {why}; to be listed again");
        assert_eq!(words[1], gap);
        assert_eq!([&words[0], &words[2], &words[3]], ["list 100 a", "list 200 b", "added c"]);
        assert_eq!(versions(&fake), ["100", "200"]);
        assert_eq!((notes.closed_because, notes.interruptions.len()), (Closed::Timer, 1));
    }
}

#[tokio::test(start_paused = true)]
async fn a_busy_server_is_asked_again_when_it_says() {
    let busy = || refused(ErrorKind::TooManyRequests(Some(Duration::from_secs(3))));
    let fake = Fake::new()
        .on("watch pods", busy())
        .on("watch pods", watch(vec![line("ADDED", &pod("a", "101")), Step::Hang]));
    let mut seen: Vec<Observation> = Vec::new();
    run(&fake, &scope(5), &mut seen).await.unwrap();
    assert_eq!(fake.times("/pods?watch=true"), [0, 3_000]);
    assert_eq!(words(&seen, Resource::Pods)[2], "added a");
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_is_cut_goes_on_where_it_was() {
    let half = Step::Send(br#"{"type":"ADDED","object":{"metadata":{"na"#.to_vec());
    for cut in [vec![half.clone()], vec![half.clone(), Step::Break], vec![Step::Break]] {
        let mut steps = vec![wait(1), line("ADDED", &pod("a", "101")), line("BOOKMARK", BOOKMARK)];
        steps.extend(cut);
        let fake = Fake::new()
            .on("watch pods", watch(steps))
            .on("watch pods", watch(vec![line("ADDED", &pod("b", "121")), Step::Hang]));
        let mut seen: Vec<Observation> = Vec::new();
        let notes = run(&fake, &scope(5), &mut seen).await.unwrap();
        let words = words(&seen, Resource::Pods);
        assert_eq!([&words[1], &words[2], &words[4]], ["added a", "bookmark 120", "added b"]);
        assert!(
            words[3].contains("was cut") && words[3].ends_with("; to go on from version 120"),
            "{words:?}"
        );
        assert_eq!(versions(&fake), ["100", "120"]);
        assert_eq!(notes.interruptions.len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_keeps_ending_is_opened_ever_more_slowly() {
    let fake = (0..100).fold(Fake::new(), |fake, _| fake.on("watch pods", watch(Vec::new())));
    let mut seen: Vec<Observation> = Vec::new();
    let notes = run(&fake, &scope(5), &mut seen).await.unwrap();
    assert_eq!(fake.times("/pods?watch=true"), [0, 0, 500, 1_500, 3_500]);
    let words = words(&seen, Resource::Pods);
    assert!(words[1].contains("ended early, after 0 s; to go on from version 100"), "{words:?}");
    assert!(words.last().unwrap().contains("was broken when the window closed"), "{words:?}");
    assert!(matches!(notes.closed_because, Closed::Cut(_)));
}

#[tokio::test(start_paused = true)]
async fn an_outage_is_one_gap_however_often_the_server_is_asked() {
    let down = |fake: Fake| fake.on("watch pods", refused(ErrorKind::Connection));
    let fake = down(down(down(Fake::new().on("watch pods", watch(vec![wait(1), Step::Break])))))
        .on("watch pods", watch(vec![line("ADDED", &pod("a", "101")), Step::Hang]));
    let mut seen: Vec<Observation> = Vec::new();
    let notes = run(&fake, &scope(9), &mut seen).await.unwrap();
    let words = words(&seen, Resource::Pods);
    assert_eq!((words.len(), words[2].as_str()), (3, "added a"), "{words:?}");
    assert_eq!((notes.interruptions.len(), notes.closed_because), (1, Closed::Timer));
}

#[tokio::test(start_paused = true)]
async fn the_server_may_end_a_long_watch_without_a_gap() {
    let fake = Fake::new()
        .on("watch pods", watch(vec![line("ADDED", &pod("a", "101")), wait(300)]))
        .on("watch pods", watch(vec![wait(100), line("ADDED", &pod("b", "102")), Step::Hang]));
    let scope = Scope { follow: true, timeout: Some(Duration::from_secs(450)), ..scope(5) };
    let mut seen: Vec<Observation> = Vec::new();
    let notes = run(&fake, &scope, &mut seen).await.unwrap();
    let words = words(&seen, Resource::Pods);
    assert_eq!([&words[1], &words[2]], ["added a", "added b"]);
    assert_eq!(versions(&fake), ["100", "101"]);
    assert_eq!(notes.closed_because, Closed::TimedOut);
    // The other two fell silent, which no server does.
    assert!(notes.interruptions.iter().all(|why| why.contains("fell silent")), "{:?}", notes.interruptions);
}

/// Wants nothing more after so many observations, or after so many seconds.
struct Until {
    left: usize,
    idle: Option<(Timestamp, i64)>,
    seen: Vec<Observation>,
}

impl Sink for Until {
    fn observe(&mut self, observation: Observation) -> Flow {
        self.seen.push(observation);
        self.left = self.left.saturating_sub(1);
        if self.left == 0 { Flow::Enough } else { Flow::Continue }
    }

    fn idle(&mut self, now: Timestamp) -> Flow {
        let Some((from, seconds)) = self.idle else { return Flow::Continue };
        if now.duration_since(from).as_secs() >= seconds { Flow::Enough } else { Flow::Continue }
    }
}

#[tokio::test(start_paused = true)]
async fn the_window_closes_as_soon_as_the_sink_has_enough() {
    let steps = |n: usize| (0..n).map(|i| line("ADDED", &pod(&format!("p{i}"), &format!("{}", 101 + i))));
    let fake = Fake::new()
        .on("watch pods", watch(steps(2).flat_map(|step| [wait(1), step]).chain([Step::Hang]).collect()));
    let mut sink = Until { left: 5, idle: None, seen: Vec::new() };
    let notes = run(&fake, &scope(60), &mut sink).await.unwrap();
    // Begin, three lists, one event; and the end.
    assert_eq!(sink.seen.len(), 6);
    assert!(matches!(sink.seen[5].what, What::End));
    assert_eq!(notes.closed_because, Closed::Enough);
    let lasted = sink.seen[5].at.unwrap().duration_since(notes.started_at);
    assert_eq!(lasted, SignedDuration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn the_sink_may_have_enough_of_the_lists_but_not_before_they_are_through() {
    let mut sink = Until { left: 4, idle: None, seen: Vec::new() };
    let fake = Fake::new();
    assert_eq!(run(&fake, &scope(60), &mut sink).await.unwrap().closed_because, Closed::Enough);
    assert!(fake.paths("watch=true").is_empty());
    let mut sink = Until { left: 1, idle: None, seen: Vec::new() };
    assert_eq!(run(&Fake::new(), &scope(60), &mut sink).await.unwrap().closed_because, Closed::Enough);
    assert_eq!(sink.seen.len(), 5);
}

#[tokio::test(start_paused = true)]
async fn time_alone_may_be_enough() {
    let mut sink = Until { left: 0, idle: Some((Timestamp::now(), 3)), seen: Vec::new() };
    sink.left = usize::MAX;
    let notes = run(&Fake::new(), &scope(60), &mut sink).await.unwrap();
    assert_eq!(notes.closed_because, Closed::Enough);
    let lasted = sink.seen.last().unwrap().at.unwrap().duration_since(notes.started_at);
    assert!((2..=4).contains(&lasted.as_secs()), "{lasted:?}");
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_ends_the_window_with_what_was_seen() {
    let fake = Fake::new().on("watch pods", watch(vec![line("ADDED", &pod("a", "101")), Step::Hang]));
    let interrupt = tokio::time::sleep(Duration::from_secs(2));
    let mut seen: Vec<Observation> = Vec::new();
    let notes = window::run(&fake, &scope(60), interrupt, &mut seen).await.unwrap();
    assert_eq!(notes.closed_because, Closed::Interrupted);
    assert_eq!(words(&seen, Resource::Pods)[1], "added a");
    assert_eq!(words(&seen, Resource::Other).last().unwrap(), "end");
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_is_denied_is_a_gap_and_degrades_once() {
    let fake = Fake::new().on("watch pods", refused(ErrorKind::Forbidden));
    let mut seen: Vec<Observation> = Vec::new();
    let notes = run(&fake, &scope(5), &mut seen).await.unwrap();
    assert_eq!(
        words(&seen, Resource::Pods)[1],
        "gap pods in namespace shop cannot be watched: Error from server: Forbidden"
    );
    let why = "forbidden: may not watch pods in namespace shop; its changes go unseen";
    assert_eq!(notes.degraded, [Unread { what: "pods".into(), why: why.into(), denied: true }]);
    assert_eq!(notes.closed_because, Closed::Timer);
}

#[tokio::test(start_paused = true)]
async fn without_any_watch_the_window_is_cut_and_has_no_end() {
    let fake = ["pods", "replicasets", "events"]
        .iter()
        .fold(Fake::new(), |fake, name| fake.on(&format!("watch {name}"), refused(ErrorKind::Forbidden)));
    let mut seen: Vec<Observation> = Vec::new();
    let notes = run(&fake, &scope(5), &mut seen).await.unwrap();
    assert!(matches!(&notes.closed_because, Closed::Cut(why) if why.contains("pods in namespace shop")));
    assert_eq!(words(&seen, Resource::Other), ["begin v1.37.2"]);
    assert_eq!(notes.degraded.len(), 3);
}
