//! Evidence that was damaged on its way, or lacks a part: there is an answer or clear words, never a
//! panic; and where the damage only takes evidence away, the answer is still right.

use std::fmt::Debug;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use rsexp::engine::ask::{self, Answers};
use rsexp::engine::settings::Settings;
use rsexp::report::style::Style;
use rsexp::report::text;
use rsexp::source::Input;
use serde_json::{Value, json};

use super::cut::{compare, without_paths};
use super::judge::judge;
use super::trace::{Evidence, Trace, time};
use super::{JUDGED, UNKNOWN, of_each_trace};

/// Damaged inputs of each trace, in every run others.
const CASES: u32 = 2;

/// Something that happens to a recording; `Index` is a line but where it says otherwise.
#[derive(Debug, Clone)]
enum Damage {
    /// At a byte.
    Cut(Index),
    /// A byte of a line.
    Flip(Index, Index, u8),
    Drop(Index),
    Repeat(Index, Index),
    Swap(Index, Index),
    /// The clock is set to a time that is none of this world, for one line.
    Odd(Index, &'static str),
    /// The clock is put by so many seconds, from a line on.
    Jump(Index, i64),
    /// One of the opening lists.
    DropList(Index),
    RepeatList(Index, Index),
    Retype(Index, &'static str),
    Reresource(Index, &'static str),
    NoHeader,
    AnotherHeader(Index, &'static str),
    /// Compressed, and cut at a byte.
    CutGzip(Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<Index>;
    let odd = ["0001-01-01T00:00:00Z", "9999-12-30T22:00:00Z", "-009999-01-02T01:59:59Z", "noon", ""];
    let types = ["", "LIST", "DELETED", "ADDED", "SYNC", "ERROR", "BOOKMARK", "END", "\u{1b}[2J"];
    let resources = ["", "pods", "events", "replicasets.apps", "nodes", "widgets.example.com", "\u{202e}"];
    prop_oneof![
        index().prop_map(Damage::Cut),
        (index(), index(), any::<u8>()).prop_map(|(line, at, byte)| Damage::Flip(line, at, byte)),
        index().prop_map(Damage::Drop),
        (index(), index()).prop_map(|(from, to)| Damage::Repeat(from, to)),
        (index(), index()).prop_map(|(a, b)| Damage::Swap(a, b)),
        (index(), prop::sample::select(odd.to_vec())).prop_map(|(line, time)| Damage::Odd(line, time)),
        (index(), -300_000..300_000i64).prop_map(|(line, seconds)| Damage::Jump(line, seconds)),
        index().prop_map(Damage::DropList),
        (index(), index()).prop_map(|(list, to)| Damage::RepeatList(list, to)),
        (index(), prop::sample::select(types.to_vec())).prop_map(|(line, word)| Damage::Retype(line, word)),
        (index(), prop::sample::select(resources.to_vec()))
            .prop_map(|(line, word)| Damage::Reresource(line, word)),
        Just(Damage::NoHeader),
        (index(), prop::sample::select(&["rsexp/v1", "rsexp/v2", ""][..]))
            .prop_map(|(to, version)| Damage::AnotherHeader(to, version)),
        index().prop_map(Damage::CutGzip),
    ]
}

fn damaged(text: &str, damages: &[Damage]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.split_inclusive('\n').map(|line| line.as_bytes().to_vec()).collect();
    let mut gzip_cut = None;
    for damage in damages {
        let is_list = |line: &Vec<u8>| line.windows(13).any(|part| part == br#""type":"LIST""#);
        let lists: Vec<usize> = (0..lines.len()).filter(|at| is_list(&lines[*at])).collect();
        // A line that any damage may hit.
        let line = |at: &Index| at.index(lines.len());
        match damage {
            Damage::Cut(at) => {
                let mut bytes = lines.concat();
                bytes.truncate(at.index(bytes.len()) + 1);
                lines = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            }
            Damage::Flip(at, byte, with) => {
                let line = line(at);
                let byte = byte.index(lines[line].len());
                lines[line][byte] ^= with;
            }
            Damage::Drop(at) if lines.len() > 1 => drop(lines.remove(line(at))),
            Damage::Repeat(from, to) => lines.insert(line(to), lines[line(from)].clone()),
            Damage::Swap(a, b) => {
                let (a, b) = (line(a), line(b));
                lines.swap(a, b);
            }
            Damage::Odd(at, time) => {
                let line = line(at);
                edit(&mut lines[line], "at", |_| json!(time));
            }
            Damage::Jump(at, seconds) => {
                let from = line(at);
                lines[from..].iter_mut().for_each(|line| edit(line, "at", |at| jumped(at, *seconds)));
            }
            Damage::DropList(list) if !lists.is_empty() => drop(lines.remove(lists[list.index(lists.len())])),
            Damage::RepeatList(list, to) if !lists.is_empty() => {
                lines.insert(line(to), lines[lists[list.index(lists.len())]].clone());
            }
            Damage::Retype(at, word) => {
                let line = line(at);
                edit(&mut lines[line], "type", |_| json!(word));
            }
            Damage::Reresource(at, word) => {
                let line = line(at);
                edit(&mut lines[line], "resource", |_| json!(word));
            }
            Damage::NoHeader if lines.len() > 1 => drop(lines.remove(0)),
            Damage::AnotherHeader(to, version) => {
                let mut header = lines[0].clone();
                edit(&mut header, "recording", |_| json!(version));
                lines.insert(line(to), header);
            }
            Damage::CutGzip(at) => gzip_cut = Some(at),
            Damage::Drop(_) | Damage::DropList(_) | Damage::RepeatList(..) | Damage::NoHeader => {}
        }
    }
    let bytes = lines.concat();
    gzip_cut.map_or(bytes.clone(), |at| cut_gzip(&bytes, at))
}

fn cut_gzip(bytes: &[u8], at: &Index) -> Vec<u8> {
    let mut zip = GzEncoder::new(Vec::new(), Compression::fast());
    zip.write_all(bytes).unwrap();
    let mut zipped = zip.finish().unwrap();
    zipped.truncate(at.index(zipped.len()) + 1);
    zipped
}

/// Changes a member of a line that is JSON still.
fn edit(line: &mut Vec<u8>, member: &str, change: impl FnOnce(&Value) -> Value) {
    let Ok(mut value) = serde_json::from_slice::<Value>(line) else { return };
    if !value.is_object() {
        return;
    }
    value[member] = change(&value[member]);
    *line = format!("{value}\n").into_bytes();
}

fn jumped(at: &Value, seconds: i64) -> Value {
    let moved = |at: Timestamp| at.checked_add(SignedDuration::from_secs(seconds)).ok();
    let moved = at.as_str().and_then(|at| moved(at.parse().ok()?));
    moved.map_or_else(|| at.clone(), |at| json!(at.to_string()))
}

/// Something that happens to a log; `Index` is a line but where it says otherwise.
#[derive(Debug, Clone)]
enum LogDamage {
    /// At a byte.
    Cut(Index),
    /// A byte of a line.
    Flip(Index, Index, u8),
    Drop(Index),
    Repeat(Index, Index),
    Swap(Index, Index),
    Insert(Index, &'static str),
    /// Another day, from a line on.
    Day(Index, u8),
    /// Compressed, and cut at a byte.
    CutGzip(Index),
}

fn log_damage() -> impl Strategy<Value = LogDamage> {
    let index = any::<Index>;
    let lines = [
        "",
        "panic: runtime error",
        "\u{1b}[31mI1129 18:00:00.000000 1 a.go:1] \"Adding\"",
        "I1329 25:61:61.000000 1 a.go:1] \"Finished syncing\" kind=\"ReplicaSet\" key=\"plain/a\"",
        "E1129 18:12:00.0 1 a.go:1] \"Unhandled Error\" err=\"sync \\\"plain/a\\\" failed with \\",
        "I1129 18:12:00.000000 1 a.go:1] \"Too few replicas\" replicaSet=\"plain/a\" need=-1 creating=99999999999999999999",
        "I1129 18:12:00.000000 1 a.go:1] \"Controller waiting on deletions\" controller=\"plain/a\" keys=[",
        r#"{"ts":1e300,"msg":"Setting expectations"}"#,
    ];
    prop_oneof![
        index().prop_map(LogDamage::Cut),
        (index(), index(), any::<u8>()).prop_map(|(line, at, byte)| LogDamage::Flip(line, at, byte)),
        index().prop_map(LogDamage::Drop),
        (index(), index()).prop_map(|(from, to)| LogDamage::Repeat(from, to)),
        (index(), index()).prop_map(|(a, b)| LogDamage::Swap(a, b)),
        (index(), prop::sample::select(lines.to_vec())).prop_map(|(to, line)| LogDamage::Insert(to, line)),
        (index(), 0..40u8).prop_map(|(line, day)| LogDamage::Day(line, day)),
        index().prop_map(LogDamage::CutGzip),
    ]
}

fn damaged_log(text: &str, damages: &[LogDamage]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.split_inclusive('\n').map(|line| line.as_bytes().to_vec()).collect();
    let mut gzip_cut = None;
    for damage in damages {
        let line = |at: &Index| at.index(lines.len());
        match damage {
            LogDamage::Cut(at) => {
                let mut bytes = lines.concat();
                bytes.truncate(at.index(bytes.len()) + 1);
                lines = bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            }
            LogDamage::Flip(at, byte, with) => {
                let line = line(at);
                let byte = byte.index(lines[line].len());
                lines[line][byte] ^= with;
            }
            LogDamage::Drop(at) if lines.len() > 1 => drop(lines.remove(line(at))),
            LogDamage::Drop(_) => {}
            LogDamage::Repeat(from, to) => lines.insert(line(to), lines[line(from)].clone()),
            LogDamage::Swap(a, b) => {
                let (a, b) = (line(a), line(b));
                lines.swap(a, b);
            }
            LogDamage::Insert(to, text) => lines.insert(line(to), format!("{text}\n").into_bytes()),
            LogDamage::Day(at, day) => {
                let from = line(at);
                for line in lines[from..].iter_mut().filter(|line| line.len() > 5) {
                    line.splice(3..5, format!("{day:02}").into_bytes());
                }
            }
            LogDamage::CutGzip(at) => gzip_cut = Some(at),
        }
    }
    let bytes = lines.concat();
    gzip_cut.map_or(bytes.clone(), |at| cut_gzip(&bytes, at))
}

/// Files of a test case.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Input {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Input::Path(path)
    }
}

/// The same cases in every run; others each time if `RSEXP_RANDOM` is set.
fn runner(config: ProptestConfig) -> TestRunner {
    match std::env::var_os("RSEXP_RANDOM") {
        Some(_) => TestRunner::new(config),
        None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    }
}

/// Runs a property for each trace with cases of its own.
fn for_each_trace<S: Strategy>(
    cases: u32,
    strategy: impl Fn() -> S + Sync,
    property: impl Fn(&Trace, S::Value) -> Result<(), TestCaseError> + Sync,
) where
    S::Value: Clone + Debug,
{
    let failed = of_each_trace(|trace| {
        let config = ProptestConfig {
            cases,
            failure_persistence: None,
            max_shrink_iters: 200,
            ..ProptestConfig::default()
        };
        let run = runner(config).run(&strategy(), |value| property(trace, value));
        run.err().map(|error| format!("{}: {error}", trace.name))
    });
    let failed: Vec<String> = failed.into_iter().flatten().collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// There is an answer or clear words, and nothing in them acts on a terminal.
fn check_output(answers: &Answers) -> Result<(), TestCaseError> {
    let silent = answers.reports.is_empty() && answers.missing.is_empty() && answers.problems.is_empty();
    prop_assert!(!silent, "neither an answer nor a word");
    let acts = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{200b}".contains(c));
    for report in &answers.reports {
        let json = serde_json::to_value(report).unwrap();
        for field in ["add", "del"] {
            let range = &json["expectations"][field];
            let (min, max) = (range["min"].as_i64(), range["max"].as_i64());
            prop_assert!(min.zip(max).is_none_or(|(min, max)| min <= max), "{range}");
        }
        let text = text::explain(report, &Style::new(false, 80), true);
        prop_assert!(!text.contains(acts), "{text:?}");
    }
    for line in answers.problems.iter().chain(&answers.warnings).chain(&answers.notes) {
        prop_assert!(!line.contains(acts) && !line.contains('\n'), "{line:?}");
    }
    Ok(())
}

/// A question about one ReplicaSet, in the middle of the trace and at the end of time.
fn any_of(trace: &Trace, evidence: Evidence) -> Settings {
    let checkpoint = &trace.checkpoints[trace.checkpoints.len() / 2];
    let mut settings = trace.settings(checkpoint["replicaSet"].as_str().unwrap(), &[checkpoint], evidence);
    settings.at.push("9999-12-30T22:00:00Z".parse().unwrap());
    settings
}

#[test]
fn a_damaged_recording_is_answered_for_or_refused_in_clear_words() {
    let damages = || prop::collection::vec(damage(), 1..5);
    for_each_trace(CASES, damages, |trace, damages| {
        let files = Files::new();
        let input = files.write("recording.jsonl", &damaged(&trace.recording(), &damages));
        let mut settings = any_of(trace, Evidence::Recording);
        settings.inputs = vec![input];
        check_output(&ask::answer(&settings, None).unwrap())?;
        settings.at.clear();
        check_output(&ask::answer(&settings, None).unwrap())
    });
}

#[test]
fn a_damaged_log_is_used_or_refused_in_clear_words() {
    let damages = || prop::collection::vec(log_damage(), 1..5);
    for_each_trace(CASES, damages, |trace, damages| {
        let files = Files::new();
        let log = files.write("kcm.log", &damaged_log(&trace.log(), &damages));
        let settings = Settings { logs: vec![log], ..any_of(trace, Evidence::WithLog) };
        check_output(&ask::answer(&settings, None).unwrap())
    });
}

#[test]
fn a_cut_anywhere_leaves_what_was_answered_for_before_it() {
    for_each_trace(CASES, any::<Index>, |trace, at| {
        let text = trace.recording();
        let cut = &text.as_bytes()[..at.index(text.len()) + 1];
        let complete = cut.iter().rposition(|byte| *byte == b'\n').map_or("", |end| &text[..end]);
        let last: Option<Value> = complete.lines().last().and_then(|line| serde_json::from_str(line).ok());
        let Some(last) = last.and_then(|line| time(&line["at"])) else { return Ok(()) };
        let files = Files::new();
        let input = files.write("recording.jsonl", cut);
        for (replica_set, checkpoints) in trace.by_object() {
            let whole = &JUDGED[0].reports[&(trace.name.clone(), replica_set.to_owned())];
            let before: Vec<&Value> =
                checkpoints.iter().copied().filter(|c| time(&c["at"]).unwrap() < last).collect();
            let mut settings = trace.settings(replica_set, &before, Evidence::Recording);
            settings.inputs = vec![input.clone()];
            if before.is_empty() {
                continue;
            }
            let answers = ask::answer(&settings, None).unwrap();
            if !answers.missing.is_empty() {
                prop_assert!(whole[..before.len()].iter().all(|report| report["object"]["exists"] == false));
                continue;
            }
            for (report, checkpoint) in answers.reports.iter().zip(&before) {
                let place = checkpoints.iter().position(|c| c["id"] == checkpoint["id"]).unwrap();
                let mut differences = Vec::new();
                let report = serde_json::to_value(report).unwrap();
                compare("", &without_paths(&report), &without_paths(&whole[place]), &mut differences);
                prop_assert!(differences.is_empty(), "{}: {differences:?}", checkpoint["id"]);
            }
        }
        Ok(())
    });
}

/// What is wrong in the answers for a trace, but for what nobody can know.
fn wrong(trace: &Trace, recording: Option<&Input>, log: Option<&Input>) -> Vec<String> {
    wrong_where(trace, recording, log, |_| true)
}

/// The same of the checkpoints at these instants.
fn wrong_where(
    trace: &Trace,
    recording: Option<&Input>,
    log: Option<&Input>,
    judged: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut found = Vec::new();
    for (replica_set, checkpoints) in trace.by_object() {
        let mut settings = trace.settings(replica_set, &checkpoints, Evidence::Recording);
        settings.inputs = recording.map_or(settings.inputs, |recording| vec![recording.clone()]);
        settings.logs = log.into_iter().cloned().collect();
        let answers = ask::answer(&settings, None).unwrap();
        assert_eq!(answers.reports.len(), checkpoints.len(), "{} {:?}", trace.name, answers.problems);
        for (checkpoint, report) in checkpoints.iter().zip(&answers.reports) {
            let (_, wrong) = judge(checkpoint, &serde_json::to_value(report).unwrap());
            let id = checkpoint["id"].as_str().unwrap();
            let known = UNKNOWN.iter().any(|(t, c, _)| *t == trace.name && *c == id);
            let judged = !known && judged(checkpoint["at"].as_str().unwrap());
            found.extend(wrong.into_iter().filter(|_| judged).map(|what| format!("{id}: {what}")));
        }
    }
    found
}

/// Judges the answers with one end of the log, cut anywhere.
fn check_half_a_log(half: impl Fn(&str, usize) -> &str + Sync) {
    for_each_trace(1, any::<Index>, |trace, at| {
        let text = trace.log();
        let files = Files::new();
        let at = (0..=at.index(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let log = files.write("kcm.log", half(&text, at).as_bytes());
        // A log that has just ended looks like a controller that is stopped, until its lease is due.
        let last = half(&text, at).lines().rev().find_map(time_of_day);
        let clear = |instant: &str| {
            let seconds = seconds_of(&instant[11..26]);
            last.is_none_or(|last| !(0.0..LEASE).contains(&(seconds - last)))
        };
        let wrong = wrong_where(trace, None, Some(&log), clear);
        prop_assert!(wrong.is_empty(), "{wrong:?}");
        Ok(())
    });
}

/// Seconds after which a controller that lives has renewed its lease, and the observer has seen it.
const LEASE: f64 = 2.5;

/// The time of a line of klog, in seconds of its day.
fn time_of_day(line: &str) -> Option<f64> {
    let time = line.split_whitespace().nth(1)?;
    (line.starts_with(['I', 'E', 'W']) && time.len() == 15).then(|| seconds_of(time))
}

/// Of `HH:MM:SS.uuuuuu`.
fn seconds_of(time: &str) -> f64 {
    time.split(':').fold(0.0, |sum, part| sum * 60.0 + part.parse::<f64>().unwrap())
}

#[test]
fn a_log_that_begins_late_makes_no_answer_wrong() {
    check_half_a_log(|text, at| &text[at..]);
}

#[test]
fn a_log_that_ends_early_makes_no_answer_wrong() {
    check_half_a_log(|text, at| &text[..at]);
}

/// What is wrong with ranges and gates where these resources were not recorded. Whether anybody
/// leads, or creates are refused, is not known then: the verdict may be another.
fn wrong_without(resources: &[&str]) -> Vec<String> {
    let wrong = of_each_trace(|trace| {
        let is_of = |line: &str, resource| line.contains(&format!(r#","resource":"{resource}","type":"#));
        let is_kept = |line: &&str| !resources.iter().any(|resource| is_of(line, resource));
        let mut kept: String = trace.recording().split_inclusive('\n').filter(is_kept).collect();
        resources.iter().for_each(|resource| kept = kept.replacen(&format!(r#","{resource}""#), "", 1));
        let files = Files::new();
        let recording = files.write("recording.jsonl", kept.as_bytes());
        let is_judged = |what: &String| {
            let what = what.split_once(": ").unwrap().1;
            ["add ", "del ", "gate "].iter().any(|part| what.starts_with(part))
        };
        let wrong = wrong(trace, Some(&recording), None).into_iter().filter(is_judged);
        wrong.map(|what| format!("{}, {what}", trace.name)).collect::<Vec<_>>()
    });
    wrong.concat()
}

#[test]
fn ranges_and_gates_hold_without_quotas_and_leases() {
    let wrong = wrong_without(&["resourcequotas", "leases.coordination.k8s.io"]);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn ranges_and_gates_hold_without_events() {
    let wrong = wrong_without(&["events"]);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
