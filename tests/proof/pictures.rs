//! `timeline -o svg` and `-o html`: pictures of recordings of real control planes, and of hostile ones.

use std::collections::BTreeSet;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::{Value, json};
use support::{rsexp, trace_file, traces};

/// Traces of all kinds: these are asked about where all would take too long.
const SOME: [&str; 8] = [
    "plain",
    "burst-700",
    "webhook-strips",
    "quota",
    "restart",
    "random-05",
    "awaited-deletion-trap.late",
    "namespace-terminating",
];

fn timeline(trace: &str, more: &[&str]) -> String {
    let recording = trace_file(trace, "recording.jsonl.gz");
    let ran = rsexp([&["timeline", "-f", &recording], more].concat());
    assert_eq!(ran.code, Some(0), "{trace} {more:?}: {}", ran.err);
    ran.out
}

/// The timeline of this text as a file.
fn timeline_of(text: &str, more: &[&str]) -> support::Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input.jsonl");
    std::fs::write(&path, text).unwrap();
    rsexp([&["timeline", "-f", path.to_str().unwrap()], more].concat())
}

fn recording(trace: &str) -> String {
    support::unzipped(trace_file(trace, "recording.jsonl.gz"))
}

fn parsed(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}: {text:.400}"))
}

fn elements<'a, 'input>(
    document: &'a Document<'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    document.descendants().filter(move |node| node.tag_name().name() == name)
}

/// All text of an element.
fn text(node: Node) -> String {
    node.descendants().filter(|node| node.is_text()).filter_map(|node| node.text()).collect()
}

/// Nothing is fetched, run or let in: only elements and attributes that draw and tell.
fn assert_harmless(document: &Document, trace: &str) {
    let drawing = ["svg", "style", "g", "title", "path", "rect", "text"];
    let page = [
        "html", "head", "meta", "body", "main", "h1", "h2", "p", "nav", "ul", "li", "a", "section", "div",
        "table", "caption", "thead", "tbody", "tr", "th", "td", "small", "footer", "script",
    ];
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(drawing.contains(&name) || page.contains(&name), "{trace}: <{name}>");
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(
                !name.starts_with("on") && !["src", "style", "srcset"].contains(&name),
                "{trace}: {name}"
            );
            assert!(name != "href" || value.starts_with("#s"), "{trace}: {value}");
        }
    }
}

fn assert_self_contained(text: &str, trace: &str) {
    let rest = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for link in ["http:", "https:", "url(", "src=", "@import", "<link", "<iframe", "<foreignObject", "xlink"]
    {
        assert!(!rest.contains(link), "{trace}: {link}");
    }
}

#[test]
fn pictures_of_every_trace_are_well_formed_and_whole_in_themselves() {
    for trace in traces() {
        let svg = timeline(&trace, &["-o", "svg"]);
        let html = timeline(&trace, &["-o", "html"]);
        for text in [&svg, &html] {
            assert_harmless(&parsed(text), &trace);
            assert_self_contained(text, &trace);
        }
        assert_eq!(elements(&parsed(&svg), "script").count(), 0, "{trace}");
        assert_eq!(elements(&parsed(&html), "script").count(), 1, "{trace}");
    }
}

#[test]
fn same_input_gives_the_same_bytes() {
    for trace in SOME {
        for output in ["svg", "html"] {
            assert_eq!(timeline(trace, &["-o", output]), timeline(trace, &["-o", output]), "{trace}");
        }
    }
}

#[test]
fn every_pod_of_the_timeline_is_in_the_picture() {
    for trace in traces() {
        let lines: Value = serde_json::from_str(&timeline(&trace, &["-o", "json"])).unwrap();
        let svg = timeline(&trace, &["-o", "svg"]);
        let drawn = drawn_pods(&parsed(&svg));
        for line in lines["lines"].as_array().unwrap() {
            let about_a_pod = line["fact"].as_str().unwrap().starts_with("Pod");
            for pod in line["pods"].as_array().unwrap().iter().filter(|_| about_a_pod) {
                assert!(drawn.contains(pod.as_str().unwrap()), "{trace}: {pod} is not drawn");
            }
        }
    }
}

/// The names of the pods that a picture tells of.
fn drawn_pods(document: &Document) -> BTreeSet<String> {
    let titles = elements(document, "title").map(text);
    titles.filter_map(|title| Some(title.strip_prefix("pod ")?.split_once(": ")?.0.to_owned())).collect()
}

#[test]
fn pods_that_were_there_when_the_window_opened_are_told_from_created_ones() {
    let svg = timeline("quiet-window.late", &["-o", "svg"]);
    let document = parsed(&svg);
    assert_eq!(drawn_pods(&document).len(), 4);
    let there = elements(&document, "title").map(text).filter(|title| title.starts_with("pod "));
    assert!(there.into_iter().all(|title| title.contains(": there when the window opened ")));
    assert!(
        svg.contains(">was there before<") && !timeline("plain", &["-o", "svg"]).contains("there before")
    );
}

/// The rows of the text: their times and words, of all sections in the order of the text.
fn rows_of_text(page: &str) -> Vec<(String, String)> {
    let is_time = |word: &str| word.len() == 12 && word.as_bytes()[2] == b':' && word.as_bytes()[8] == b'.';
    let rows = page.lines().filter(|row| row.get(..12).is_some_and(is_time));
    rows.map(|row| (row[..12].to_owned(), row[17.min(row.len())..].to_owned())).collect()
}

#[test]
fn the_table_has_the_rows_of_the_text_and_each_act_of_a_sync_has_its_mark() {
    for trace in SOME {
        let log = trace_file(trace, "kcm.log.gz");
        let with_log = ["--controller-log", log.as_str()];
        for more in [&[][..], if Path::new(&log).exists() { &with_log } else { &[] }] {
            let html = timeline(trace, &[&["-o", "html"], more].concat());
            let document = parsed(&html);
            let expected = rows_of_text(&timeline(trace, more));
            let mut sections: Vec<Vec<String>> = Vec::new();
            let mut marked = 0;
            for section in elements(&document, "section") {
                let rows: Vec<Node> = section
                    .descendants()
                    .filter(|node| node.has_tag_name("tr") && node.attribute("class") != Some("day"))
                    .filter(|row| row.parent().unwrap().has_tag_name("tbody"))
                    .collect();
                let marks: BTreeSet<usize> = section
                    .descendants()
                    .filter_map(|node| node.attribute("data-rows"))
                    .flat_map(|rows| rows.split(' ').map(|row| row.parse::<usize>().unwrap()))
                    .collect();
                for (place, row) in rows.iter().enumerate() {
                    let what = text(row.children().nth(2).unwrap());
                    let act =
                        ["a sync ", "that sync ", "scaled ", "refused", "the five minutes", "a new leader"]
                            .iter()
                            .any(|act| what.starts_with(act));
                    assert!(!act || marks.contains(&place), "{trace}: no mark for {what}");
                    marked += usize::from(act);
                }
                let time = |row: &Node| text(row.first_element_child().unwrap());
                sections.push(rows.iter().map(time).collect());
            }
            let mut times: Vec<String> = sections.concat();
            let mut text_times: Vec<String> = expected.into_iter().map(|(time, _)| time).collect();
            // Sections of the text stand in another order.
            times.sort();
            text_times.sort();
            assert_eq!(times, text_times, "{trace} {more:?}");
            assert!(marked > 0 || trace.ends_with(".late"), "{trace}");
        }
    }
}

#[test]
fn a_burst_of_700_pods_stays_small_and_shows_all_of_them() {
    for (output, most) in [("svg", 400_000), ("html", 420_000)] {
        let text = timeline("burst-700", &["-o", output]);
        assert!(text.len() < most, "{output}: {} bytes", text.len());
        let document = parsed(&text);
        assert_eq!(drawn_pods(&document).len(), 700);
        // So many stops would be no way through the picture.
        assert!(elements(&document, "g").filter(|node| node.has_attribute("tabindex")).count() < 150);
    }
}

#[test]
fn what_can_have_the_focus_has_a_name_and_both_papers_have_their_colours() {
    for trace in SOME {
        for output in ["svg", "html"] {
            let text = timeline(trace, &["-o", output]);
            assert!(text.contains("@media screen and (prefers-color-scheme:dark)"), "{trace}");
            let document = parsed(&text);
            let stops = document.descendants().filter(|node| node.has_attribute("tabindex"));
            let names: Vec<_> = stops.map(|node| node.attribute("aria-label").unwrap_or_default()).collect();
            assert!(names.len() > 4 && names.iter().all(|name| !name.is_empty()), "{trace}");
        }
        assert!(timeline(trace, &["-o", "html"]).contains("@media print"), "{trace}");
    }
}

#[test]
fn only_the_script_of_the_page_may_run() {
    let html = timeline("plain", &["-o", "html"]);
    let document = parsed(&html);
    let policy = elements(&document, "meta").find_map(|meta| {
        (meta.attribute("http-equiv") == Some("Content-Security-Policy")).then(|| meta.attribute("content"))
    });
    let policy = policy.flatten().unwrap();
    let hash = |text: &str| {
        let digest = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
        format!("'sha256-{}'", STANDARD.encode(digest))
    };
    let inside = |open: &str, close: &str| {
        let (_, rest) = html.split_once(open).unwrap();
        rest.split_once(close).unwrap().0.to_owned()
    };
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(policy.contains(&format!("script-src {};", hash(&inside("<script>", "</script>")))), "{policy}");
    assert!(policy.contains(&format!("style-src {};", hash(&inside("<style>", "</style>")))), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
}

#[test]
fn nothing_of_a_cluster_becomes_markup() {
    let attack = "</title></svg></script><script>alert(1)</script>\"'><img src=x onerror=alert(1)> ]]>&lt; \u{202e}\u{1b}[31m";
    let quoted = serde_json::to_string(attack).unwrap();
    let quoted = &quoted[1..quoted.len() - 1];
    for (trace, from) in
        [("quota", "exceeded quota"), ("quota", "a-zdbrm"), ("plain", "a-lq924"), ("plain", "\"a\"")]
    {
        let quoted = if from == "\"a\"" { format!("\"{quoted}\"") } else { quoted.to_owned() };
        let hostile = recording(trace).replace(from, &quoted);
        for output in ["svg", "html"] {
            let ran = timeline_of(&hostile, &["-o", output, "--full"]);
            assert_eq!(ran.code, Some(0), "{from}: {}", ran.err);
            let document = parsed(&ran.out);
            assert_harmless(&document, from);
            assert_eq!(elements(&document, "script").count(), usize::from(output == "html"), "{from}");
            assert!(!ran.out.contains(['\u{202e}', '\u{1b}']), "{from}");
            let said: String =
                document.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
            // A picture alone does not quote the messages of refusals.
            assert!(said.contains("alert(1)") || (output == "svg" && from == "exceeded quota"), "{from}");
        }
    }
}

#[test]
fn a_gap_is_drawn_across_and_pods_that_went_meanwhile_end_there() {
    let lines = recording("plain");
    let mut lines: Vec<&str> = lines.lines().collect();
    let list = lines.iter().find(|line| line.contains(r#""resource":"pods","type":"LIST""#)).unwrap();
    let mut again: Value = serde_json::from_str(list).unwrap();
    let at: Value = serde_json::from_str(lines[40]).unwrap();
    (again["at"], again["items"]) = (at["at"].clone(), json!([]));
    let again = again.to_string();
    lines.insert(40, &again);
    let ran = timeline_of(&(lines.join("\n") + "\n"), &["-o", "svg"]);
    let document = parsed(&ran.out);
    let titles: Vec<String> = elements(&document, "title").map(text).collect();
    assert!(titles.iter().any(|title| title.contains("gap: the watch of pods broke")), "{titles:?}");
    assert!(titles.iter().any(|title| title.starts_with("pod ") && title.contains(", gone unseen ")));
}

/// A List of ReplicaSets, each with so many pods.
fn cluster(replica_sets: usize, pods: usize) -> String {
    let mut items = Vec::new();
    for number in 0..replica_sets {
        let (name, uid) = (format!("web-{number}"), format!("uid-{number}"));
        items.push(json!({"apiVersion": "apps/v1", "kind": "ReplicaSet",
            "metadata": {"name": name, "namespace": "shop", "uid": uid, "creationTimestamp": "2026-01-01T12:00:00Z"},
            "spec": {"replicas": pods, "selector": {"matchLabels": {"app": name}},
                "template": {"metadata": {"labels": {"app": name}}}},
            "status": {"replicas": pods}}));
        for pod in 0..pods {
            items.push(json!({"apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": format!("{name}-{pod}"), "namespace": "shop", "labels": {"app": name},
                    "creationTimestamp": "2026-01-01T12:00:00Z",
                    "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": uid,
                        "controller": true}]},
                "spec": {}, "status": {"phase": "Running"}}));
        }
    }
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

#[test]
fn pods_beyond_a_thousand_are_counted() {
    let ran = timeline_of(&cluster(1, 1234), &["-o", "svg", "--now", "2026-01-01T13:00:00Z"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let document = parsed(&ran.out);
    assert_eq!(drawn_pods(&document).len(), 1000);
    assert!(elements(&document, "text").any(|node| text(node).contains("234")));
}

#[test]
fn several_replica_sets_stand_one_below_the_other_and_not_endlessly() {
    let both = timeline("webhook-strips", &["-o", "svg"]);
    let document = parsed(&both);
    let heads: Vec<String> = elements(&document, "text")
        .filter(|node| node.attribute("class") == Some("head"))
        .map(text)
        .collect();
    assert_eq!(heads, ["rs/a (webhook-strips)", "rs/b (webhook-strips)"]);
    let many = timeline_of(&cluster(60, 1), &["-o", "html", "--now", "2026-01-01T13:00:00Z"]);
    assert_eq!(elements(&parsed(&many.out), "section").count(), 50);
    let left_out = many.err.trim_end().strip_prefix("warning: ").expect("what is left out is said");
    assert!(left_out.contains("10") && many.out.contains(left_out), "on the page too: {left_out}");
}

#[test]
fn what_does_not_exist_is_not_drawn() {
    let recording = trace_file("plain", "recording.jsonl.gz");
    let ran = rsexp(["timeline", "rs/none", "-f", &recording, "-o", "html"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
}

#[test]
fn only_a_timeline_is_drawn() {
    for command in ["list", "explain", "dry-run", "demo"] {
        let ran = rsexp([command, "-o", "svg"]);
        assert_eq!(ran.code, Some(2), "{}", ran.out);
        assert!(ran.err.contains("--output") && ran.err.contains("'svg'"), "{}", ran.err);
    }
}

/// `RSEXP_WRITE=1 cargo test --test proof pictures::` draws it anew.
#[test]
fn picture_in_docs_is_the_one_that_is_drawn() {
    let root = support::root();
    let recording = root.join("examples/waits.rsexp.jsonl.gz");
    let ran = rsexp(["timeline", "rs/a", "-o", "svg", "-f", recording.to_str().unwrap()]);
    let path = root.join("docs/timeline.svg");
    if std::env::var_os("RSEXP_WRITE").is_some() {
        std::fs::write(&path, &ran.out).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == ran.out, "docs/timeline.svg is out of date");
}
