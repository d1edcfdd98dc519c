//! Reads files of every kind, whole and damaged, through the library.

use std::io::Write;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use rsexp::objects::{LogLine, Observation, Resource, What};
use rsexp::source::{Error, Flow, Input, Notes, Problem, Sink, read, read_log};

const RECORDING: &[u8] = include_bytes!("../data/readers/web.rsexp.jsonl");
const LIST: &[u8] = include_bytes!("../data/readers/list.json");
const YAML: &[u8] = include_bytes!("../data/readers/list.yaml");
const WATCH: &[u8] = include_bytes!("../data/readers/watch.json");
const LOG: &[u8] = include_bytes!("../data/readers/kcm.log");

/// A directory with one file of this content, and the file.
fn file(content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("input");
    std::fs::write(&path, content).unwrap();
    (dir, path)
}

fn read_path(path: &Path, until: Option<&str>) -> (Vec<Observation>, Notes) {
    let mut seen = Vec::new();
    let until = until.map(|t| t.parse().unwrap());
    let notes = read(&[Input::Path(path.to_owned())], false, until, &mut seen);
    (seen, notes)
}

fn read_bytes(content: &[u8]) -> (Vec<Observation>, Notes) {
    let (_dir, path) = file(content);
    read_path(&path, None)
}

/// The problems of this content, each of them one line; what the lines say: tests/cli/transcripts/bad-files.txt.
fn problems(content: &[u8]) -> Vec<Problem> {
    let (_dir, path) = file(content);
    let (_, notes) = read_path(&path, None);
    let name = format!("{}: ", path.display());
    for problem in &notes.problems {
        let line = problem.to_string();
        assert!(
            line.starts_with(&name) && line.lines().count() == 1 && !problem.error.to_string().is_empty(),
            "{line}"
        );
    }
    notes.problems
}

/// Which objects the problems are about.
fn objects(problems: &[Problem]) -> Vec<Option<&str>> {
    problems.iter().map(|problem| problem.object.as_deref()).collect()
}

fn names(seen: &[Observation]) -> Vec<String> {
    let name = |o: &rsexp::objects::Object| o.meta().name.clone();
    let line = |o: &Observation| match &o.what {
        What::Begin { server_version } => format!("begin {}", server_version.as_deref().unwrap_or("?")),
        What::List { items, .. } => {
            format!("{} {}", o.resource.as_str(), items.iter().map(name).collect::<Vec<_>>().join(" "))
        }
        What::Added(object) => format!("+{}", name(object)),
        What::Modified(object) => format!("~{}", name(object)),
        What::Deleted(object) => format!("-{}", name(object)),
        What::Bookmark { resource_version } => format!("@{resource_version}"),
        What::Gap(why) => why.clone(),
        What::Log(_) => "log".to_owned(),
        What::End => "END".to_owned(),
    };
    seen.iter().map(line).collect()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut zip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    zip.write_all(content).unwrap();
    zip.finish().unwrap()
}

#[test]
fn a_list_becomes_one_list_per_resource() {
    let (seen, notes) = read_bytes(LIST);
    assert_eq!(names(&seen), ["replicasets.apps web", "pods web-a web-b"]);
    assert_eq!((notes.problems.len(), notes.objects, notes.ignored.get("ConfigMap")), (0, 3, Some(&1)));
    assert!(seen.iter().all(|o| o.at.is_none()));
}

#[test]
fn yaml_documents_and_lists_read_alike() {
    let (seen, notes) = read_bytes(YAML);
    assert_eq!(names(&seen), ["replicasets.apps web", "pods web-a web-b"]);
    assert_eq!((notes.problems, notes.ignored.len()), (vec![], 1));
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    for content in [LIST, YAML, RECORDING] {
        let marked = [b"\xef\xbb\xbf", content].concat();
        assert_eq!(read_bytes(&marked).0, read_bytes(content).0);
    }
}

#[test]
fn compressed_input_reads_like_plain_input() {
    for content in [LIST, YAML, RECORDING, WATCH] {
        assert_eq!(read_bytes(&gzip(content)).0, read_bytes(content).0);
    }
}

#[test]
fn a_typed_list_tells_the_kind_of_its_items_even_from_behind() {
    let item = r#"{"metadata":{"name":"a"}}"#;
    for list in [
        format!(
            r#"{{"kind":"PodList","apiVersion":"v1","metadata":{{"resourceVersion":"7"}},"items":[{item}]}}"#
        ),
        format!(
            r#"{{"items":[{item}],"metadata":{{"resourceVersion":"7"}},"apiVersion":"v1","kind":"PodList"}}"#
        ),
    ] {
        let (seen, notes) = read_bytes(list.as_bytes());
        assert_eq!(notes.problems, []);
        assert_eq!(names(&seen), ["pods a"]);
        assert!(matches!(&seen[0].what, What::List { resource_version, .. } if resource_version == "7"));
    }
    let (seen, _) = read_bytes(br#"{"kind":"PodList","apiVersion":"v1","items":[]}"#);
    assert_eq!(names(&seen), ["pods "]);
    let (seen, _) = read_bytes(b"kind: PodList\napiVersion: v1\nitems:\n- metadata: {name: a}\n");
    assert_eq!(names(&seen), ["pods a"]);
}

#[test]
fn a_watch_stream_keeps_its_order_and_has_no_times() {
    let (seen, notes) = read_bytes(WATCH);
    assert_eq!(names(&seen), ["+web", "+web-a", "~web-a", "-web-a"]);
    assert!(notes.problems.is_empty() && seen.iter().all(|o| o.at.is_none()));
}

#[test]
fn a_recording_is_read_line_by_line() {
    let (seen, notes) = read_bytes(RECORDING);
    let gap = "the watch of pods: Expired: too old resource version";
    let follow = ["+web-b", "@22", "-web-a", gap, "END"];
    assert_eq!(names(&seen)[..3], ["begin v1.37.2", "replicasets.apps web", "pods web-a"]);
    assert_eq!(names(&seen)[3..], follow);
    assert!(seen.iter().all(|o| o.at.is_some()));
    assert_eq!(notes.server_version.as_deref(), Some("v1.37.2"));
    assert_eq!((notes.recording, notes.incomplete, notes.problems.len()), (true, None, 0));
}

#[test]
fn lines_after_until_are_not_delivered() {
    let (_dir, path) = file(RECORDING);
    let (seen, notes) = read_path(&path, Some("2026-01-01T12:00:02.5Z"));
    assert_eq!(names(&seen), ["begin v1.37.2", "replicasets.apps web", "pods web-a", "+web-b"]);
    assert_eq!(notes.incomplete, None);
}

#[test]
fn a_sink_that_has_enough_ends_the_reading() {
    struct One(usize);
    impl Sink for One {
        fn observe(&mut self, _: Observation) -> Flow {
            self.0 += 1;
            Flow::Enough
        }
    }
    for content in [LIST, YAML, RECORDING, WATCH, LOG] {
        let (_dir, path) = file(content);
        let mut sink = One(0);
        read(&[Input::Path(path.clone()), Input::Path(path)], false, None, &mut sink);
        assert_eq!(sink.0, 1);
    }
}

#[test]
fn a_recording_that_is_cut_is_read_to_the_cut_and_called_incomplete() {
    let before_end = RECORDING.windows(8).position(|w| w == b"12:00:07").unwrap();
    let (seen, notes) = read_bytes(&RECORDING[..before_end]);
    assert_eq!(seen.len(), 7);
    assert!(notes.incomplete.is_some());
    let without_end = RECORDING.iter().rposition(|b| *b == b'{').unwrap();
    let (seen, notes) = read_bytes(&RECORDING[..without_end]);
    assert_eq!((seen.len(), notes.problems.len(), notes.incomplete.is_some()), (7, 0, true));
}

#[test]
fn a_bad_line_of_a_recording_is_a_gap_and_leaves_the_others() {
    let text = String::from_utf8_lossy(RECORDING)
        .replace(r#""type":"ADDED","object":{"#, r#""type":"ADDED","object":{,"#);
    let (seen, notes) = read_bytes(text.as_bytes());
    assert_eq!(seen.len(), 8);
    assert!(matches!(&seen[3].what, What::Gap(_)), "{seen:?}");
    assert_eq!(notes.problems.len(), 1);
    assert_eq!((notes.problems[0].line, notes.incomplete), (Some(4), None));
    let text = String::from_utf8_lossy(RECORDING).replace("12:00:02.5Z", "noon");
    let problems = problems(text.as_bytes());
    assert_eq!((problems.len(), problems[0].line), (1, Some(4)));
    assert!(matches!(problems[0].error, Error::BadTime { field: "at", .. }), "{}", problems[0]);
}

#[test]
fn a_bad_item_of_a_recorded_list_is_a_gap_of_its_resource() {
    let text = String::from_utf8_lossy(RECORDING).replacen("Running", "\",\"phase\":\"", 1);
    let (seen, notes) = read_bytes(text.as_bytes());
    assert_eq!(names(&seen)[2], "pods ");
    assert!(matches!(&seen[3].what, What::Gap(_)), "{seen:?}");
    assert_eq!((seen[3].resource, notes.problems.len()), (Resource::Pods, 1));
}

#[test]
fn an_unknown_version_of_a_recording_is_refused_by_name() {
    let text = String::from_utf8_lossy(RECORDING).replace("rsexp/v1", "rsexp/v2");
    let [problem] = <[Problem; 1]>::try_from(problems(text.as_bytes())).unwrap();
    assert_eq!(problem.error, Error::UnknownVersion { found: "rsexp/v2".into() });
    assert_eq!(read_bytes(text.as_bytes()).0, []);
}

/// The lines of the recording, with a change.
fn edited(edit: impl FnOnce(&mut Vec<String>)) -> (Vec<Observation>, Notes) {
    let mut lines: Vec<String> = std::str::from_utf8(RECORDING).unwrap().lines().map(str::to_owned).collect();
    edit(&mut lines);
    let (seen, mut notes) = read_bytes((lines.join("\n") + "\n").as_bytes());
    let without_path = |doubt: &String| doubt.split_once(": ").unwrap().1.to_owned();
    notes.doubts = notes.doubts.iter().map(without_path).collect();
    (seen, notes)
}

#[test]
fn time_that_goes_back_in_a_recording_is_a_gap_and_said_once() {
    let (seen, notes) = edited(|lines| lines[4] = lines[4].replace("12:00:03.5Z", "11:00:03Z"));
    assert_eq!((seen.len(), &notes.problems, notes.incomplete), (9, &vec![], None));
    assert!(matches!(&seen[4].what, What::Gap(_)), "{seen:?}");
    assert!(notes.doubts.len() == 1 && notes.doubts[0].starts_with("line 5: "), "{:?}", notes.doubts);
    let (seen, notes) = edited(|lines| {
        let (first, second) = (lines[3].clone(), lines[4].clone());
        lines.splice(5..5, [first.clone(), second.clone(), first, second]);
    });
    assert_eq!((seen.len(), notes.problems), (14, vec![]));
    assert!(
        notes.doubts.len() == 1 && notes.doubts[0].starts_with("line 6, and 1 more: "),
        "{:?}",
        notes.doubts
    );
}

#[test]
fn lines_a_moment_out_of_order_are_taken_as_received_together() {
    let (seen, notes) = edited(|lines| lines[4] = lines[4].replace("12:00:03.5Z", "12:00:02.4Z"));
    assert_eq!((seen.len(), notes.doubts.len()), (8, 1));
    assert_eq!(seen[4].at, seen[3].at);
}

#[test]
fn a_recording_in_no_order_is_given_up() {
    let (seen, notes) = edited(|lines| {
        let (first, second) = (lines[3].clone(), lines[4].clone());
        (0..2000).for_each(|_| lines.extend([first.clone(), second.clone()]));
    });
    assert!(notes.incomplete.is_some());
    assert!(notes.doubts.len() == 1 && seen.len() < 3100);
}

#[test]
fn a_second_header_is_a_gap_and_a_later_version_ends_the_reading() {
    let (seen, notes) = edited(|lines| lines.insert(5, lines[0].clone()));
    assert!(matches!(&seen[5].what, What::Gap(_)), "{seen:?}");
    assert_eq!(names(&seen)[6], "begin v1.37.2");
    assert!(notes.doubts.len() == 1 && notes.doubts[0].starts_with("line 6: "), "{:?}", notes.doubts);
    let (seen, notes) = edited(|lines| lines.insert(5, lines[0].replace("/v1", "/v9")));
    assert_eq!((seen.len(), notes.problems.len()), (5, 1));
    assert_eq!(notes.problems[0].line, Some(6));
    assert_eq!(notes.problems[0].error, Error::UnknownVersion { found: "rsexp/v9".into() });
}

#[test]
fn half_a_list_in_a_recording_is_not_delivered() {
    let at = RECORDING.windows(6).position(|w| w == b"\"pods\"").unwrap();
    let cut = &RECORDING[..at + 600];
    assert_eq!(names(&read_bytes(cut).0), ["begin v1.37.2", "replicasets.apps web"]);
}

#[test]
fn a_cut_json_list_keeps_the_items_before_the_cut() {
    let cut = LIST.windows(5).rposition(|w| w == b"web-b").unwrap() + 40;
    let (seen, notes) = read_bytes(&LIST[..cut]);
    assert_eq!(names(&seen), ["replicasets.apps web", "pods web-a"]);
    assert_eq!(notes.problems.len(), 1);
    assert_eq!(objects(&notes.problems), [Some("Pod shop/web-b")]);
}

#[test]
fn cut_gzip_data_are_used_and_reported() {
    let read_cut = |content: &[u8]| {
        let zipped = gzip(&[content, &[b' '; 100]].concat());
        let (seen, notes) = read_bytes(&zipped[..zipped.len() - 9]);
        assert!(!seen.is_empty());
        (notes.problems.len(), notes.incomplete.is_some())
    };
    for content in [LIST, YAML] {
        assert_eq!(read_cut(content).0, 1);
    }
    // A recorder may be killed: its recording is incomplete, and fit to be read.
    assert_eq!(read_cut(RECORDING), (0, true));
}

#[test]
fn one_malformed_object_does_not_sink_the_list() {
    for (good, bad, field) in [
        (r#""phase": "Running""#, r#""phase": 7"#, "status.phase: "),
        (r#""phase": "Running""#, r#""phase": NaN"#, "status.phase: "),
        (
            r#""lastTransitionTime": ""#,
            r#""lastTransitionTime": "~"#,
            "status.conditions[0].lastTransitionTime: ",
        ),
    ] {
        let text = String::from_utf8_lossy(LIST).replacen(good, bad, 1);
        let (seen, notes) = read_bytes(text.as_bytes());
        assert_eq!(names(&seen), ["replicasets.apps web", "pods web-b"]);
        assert_eq!(objects(&notes.problems), [Some("Pod shop/web-a")]);
        assert!(notes.problems[0].error.to_string().starts_with(field), "{}", notes.problems[0]);
    }
}

#[test]
fn objects_without_a_name_are_named_by_their_place() {
    let list = br#"{"kind":"List","items":[{"kind":"Pod"},7,{"kind":"Pod","metadata":{"name":"a"}}]}"#;
    assert_eq!(objects(&problems(list)), [Some("Pod items[0]"), Some("items[1]")]);
    let yaml = b"kind: List\nitems:\n- kind: Pod\n- 7\n- {kind: Pod, metadata: {name: a}}\n";
    assert_eq!(objects(&problems(yaml)), [Some("Pod items[0]"), Some("items[1]")]);
}

#[test]
fn problems_name_the_document_where_there_are_several() {
    let rs = |replicas| {
        format!(
            "kind: ReplicaSet\napiVersion: apps/v1\nmetadata: {{name: web, namespace: shop}}\n\
             spec: {{replicas: {replicas}, selector: {{}}}}\n"
        )
    };
    let second = problems(format!("{}---\n{}", rs("3"), rs("-1")).as_bytes());
    assert_eq!((second.len(), second[0].document), (1, Some(2)));
    for value in ["-1", "2147483648", ".nan", "many"] {
        let problems = problems(rs(value).as_bytes());
        assert_eq!((objects(&problems), problems[0].document), (vec![Some("ReplicaSet shop/web")], None));
        assert!(problems[0].error.to_string().starts_with("spec.replicas: "), "{}", problems[0]);
    }
}

#[test]
fn a_bad_yaml_document_leaves_the_others() {
    let text = [b"a: [\n---\n", YAML, b"---\nb: 'x\n"].concat();
    let (seen, notes) = read_bytes(&text);
    assert_eq!(names(&seen), ["replicasets.apps web", "pods web-a web-b"]);
    assert_eq!(notes.problems.iter().map(|p| p.document).collect::<Vec<_>>(), [Some(1), Some(5)]);
}

#[test]
fn bad_input_is_one_clear_line() {
    let bomb = {
        let line = |i: u8| {
            let before = char::from(b'a' + i - 1);
            format!("{}: &{0} [{}]\n", char::from(b'a' + i), vec![format!("*{before}"); 9].join(","))
        };
        format!("a: &a [x,x,x]\n{}", (1..20).map(line).collect::<String>())
    };
    let indented = (0..500).map(|i| format!("{}a:\n", " ".repeat(i))).collect::<String>();
    for content in [
        b"".as_slice(),
        b" \n\t\n",
        b"\x1f\x8b",
        b"# only a comment\n",
        b"\xff\xfe{\0}\0",
        b"{\0}\0",
        b"\x7fELF\0\0\0",
        b"a: \xff\n",
        b"just text",
        b"{}",
        b"{",
        b"[",
        b"{\"kind\":\"Pod\"} nonsense",
        br#"{"kind":"ConfigMap","apiVersion":"v1"}"#,
        b"kind: ConfigMap",
        b"kind: Pod\nmetadata:\n  - [",
        bomb.as_bytes(),
        indented.as_bytes(),
        &[b"a: ", [b'['; 100_000].as_slice()].concat(),
        &[b'['; 100_000],
        &[b'{'; 100_000],
        &[b'a'; 3 << 20],
    ] {
        let start = String::from_utf8_lossy(&content[..content.len().min(40)]);
        assert!((1..=2).contains(&problems(content).len()), "{start}");
    }
}

#[test]
fn deeply_nested_json_in_a_field_that_is_not_read_does_no_harm() {
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let pod = format!(r#"{{"kind":"Pod","metadata":{{"name":"a"}},"extra":{deep}}}"#);
    assert_eq!(read_bytes(pod.as_bytes()).1.objects, 1);
}

#[test]
fn garbage_is_given_up_after_a_thousand_problems() {
    let said = problems("{}".repeat(5000).as_bytes());
    assert_eq!(said.len(), 1001);
}

#[test]
fn a_directory_is_read_in_the_order_of_its_names() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, pod: &str| {
        std::fs::write(dir.path().join(name), format!("kind: Pod\nmetadata: {{name: {pod}}}\n")).unwrap();
    };
    std::fs::create_dir(dir.path().join("sub")).unwrap();
    assert!(read_path(dir.path(), None).1.problems[0].to_string().contains("-R"));
    write("b.yaml", "b");
    write("a.yml", "a");
    write("notes.txt", "x");
    write("sub/c.yaml", "c");
    std::fs::write(dir.path().join("broken.json"), "{").unwrap();
    let (seen, notes) = read_path(dir.path(), None);
    assert_eq!(names(&seen), ["pods a", "pods b"]);
    assert_eq!(notes.problems.len(), 1);
    let mut seen = Vec::new();
    read(&[Input::Path(dir.path().to_owned())], true, None, &mut seen);
    assert_eq!(names(&seen), ["pods a", "pods b", "pods c"]);
}

#[test]
fn a_missing_file_leaves_the_other_inputs() {
    let (_dir, path) = file(LIST);
    let missing = path.with_file_name("missing.json");
    let mut seen = Vec::new();
    let notes = read(&[Input::Path(missing), Input::Path(path)], false, None, &mut seen);
    assert_eq!((seen.len(), notes.problems.len()), (2, 1));
    assert!(notes.problems[0].input.to_string().ends_with("missing.json"));
}

#[cfg(unix)]
#[test]
fn a_path_need_not_be_utf8_and_stays_on_one_line() {
    use std::os::unix::ffi::OsStrExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(std::ffi::OsStr::from_bytes(b"a\xff\nb.json"));
    std::fs::write(&path, "{}").unwrap();
    let (_, notes) = read_path(dir.path(), None);
    assert!(notes.problems[0].to_string().contains("a\u{fffd}\\nb.json: "));
}

fn log_lines(content: &[u8], reference: Option<&str>) -> Vec<Observation> {
    let (_dir, path) = file(content);
    let mut seen = Vec::new();
    let notes = read_log(&Input::Path(path), reference.map(|t| t.parse().unwrap()), &mut seen);
    assert_eq!(notes.problems, []);
    seen
}

#[test]
fn failed_syncs_are_read_from_a_log_of_any_form() {
    let seen = log_lines(LOG, Some("2026-10-01T00:00:00Z"));
    let keys = ["shop/web-9895", "shop/old"];
    assert_eq!(seen[0].what, What::Log(LogLine::Started));
    let seen = &seen[1..];
    assert_eq!(seen.len(), 2);
    for (line, wanted) in seen.iter().zip(keys) {
        let (What::Log(LogLine::Stale { key, .. }) | What::Log(LogLine::SyncFailed { key, .. })) = &line.what
        else {
            panic!("{line:?}")
        };
        assert_eq!((key.to_string().as_str(), line.resource), (wanted, Resource::ReplicaSets));
    }
    assert!(matches!(&seen[0].what, What::Log(LogLine::Stale { resource, read, written, .. })
        if resource == "replicasets.apps" && read == "295731570" && written == "295731572"));
    let json =
        br#"{"ts":1795982040820.7024,"msg":"Unhandled Error","err":"sync \"shop/web\" failed with x"}"#;
    let seen = log_lines(json, None);
    assert_eq!(seen[0].at, Some("2026-11-29T19:54:00.820702Z".parse().unwrap()));
    let stamped = [b"2024-09-19T15:54:58.1Z stderr F ", LOG.split(|b| *b == b'\n').nth(3).unwrap()].concat();
    assert_eq!(log_lines(&stamped, None)[0].at, Some("2024-09-19T15:54:58Z".parse().unwrap()));
}

#[test]
fn a_log_without_a_year_ends_at_most_a_day_after_its_reference() {
    let at = |reference| log_lines(LOG, reference)[1].at.map(|t| t.to_string());
    let this_year = Some("2026-09-19T15:54:57.858842Z".to_owned());
    assert_eq!(at(Some("2026-09-19T15:54:58Z")), this_year);
    assert_eq!(at(Some("2026-09-18T15:54:58Z")), this_year);
    assert_eq!(at(Some("2026-09-18T15:54:49Z")), Some("2025-09-19T15:54:57.858842Z".to_owned()));
    assert_eq!(at(None), None);
}

#[test]
fn a_log_takes_its_year_from_a_recording_given_later() {
    let (_a, log) = file(LOG);
    let (_b, recording) = file(RECORDING);
    let mut seen = Vec::new();
    read(&[Input::Path(log), Input::Path(recording)], false, None, &mut seen);
    let lines: Vec<_> = seen.iter().take_while(|seen| matches!(seen.what, What::Log(_))).collect();
    assert_eq!(lines.len(), 3, "lines from before the recording come before it");
    assert_eq!(lines[2].at.unwrap().to_string(), "2025-09-19T15:54:58Z");
}

proptest! {
    #[test]
    fn damaged_input_never_panics(
        which in 0usize..5,
        cut in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        zipped in any::<bool>(),
    ) {
        let mut content = [RECORDING, LIST, YAML, WATCH, LOG][which].to_vec();
        if zipped {
            content = gzip(&content);
        }
        for (at, byte) in changes {
            let at = at.index(content.len());
            content[at] = byte;
        }
        content.truncate(cut.index(content.len() * 2).max(1));
        let (_dir, path) = file(&content);
        let (_, notes) = read_path(&path, None);
        for problem in notes.problems {
            prop_assert_eq!(problem.to_string().lines().count(), 1);
        }
        let mut seen = Vec::new();
        read_log(&Input::Path(path), None, &mut seen);
    }
}
