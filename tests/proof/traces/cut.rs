//! An answer for an instant rests on what was received by then, and on nothing else.

use jiff::Timestamp;
use rsexp::source::Input;
use serde_json::Value;

use super::trace::{Evidence, Trace, reports, time};
use super::{JUDGED, Judged, of_each_trace};

/// Bytes of a trace that are read for its checkpoints, all together: more takes its time in a build
/// that is not optimised. `RSEXP_EVERY=1` asks at every checkpoint.
const MOST_BYTES: usize = 6_000_000;

#[test]
fn an_answer_is_the_same_without_what_was_received_later() {
    check_cuts(&JUDGED[0]);
}

#[test]
fn an_answer_is_the_same_without_what_was_logged_later() {
    check_cuts(&JUDGED[1]);
}

fn check_cuts(judged: &Judged) {
    let differences = of_each_trace(|trace| cuts(trace, judged)).concat();
    assert!(differences.is_empty(), "{} differences: {differences:#?}", differences.len());
}

/// Where an answer from the cut evidence is another one.
fn cuts(trace: &Trace, judged: &Judged) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        Input::Path(path)
    };
    let (recording, log) = (trace.recording(), trace.log());
    let step = match std::env::var_os("RSEXP_EVERY") {
        Some(_) => 1,
        None => (recording.len() * trace.checkpoints.len()).div_ceil(MOST_BYTES),
    };
    let mut differences = Vec::new();
    for (replica_set, checkpoints) in trace.by_object() {
        let whole = &judged.reports[&(trace.name.clone(), replica_set.to_owned())];
        // The last ones rest on the most.
        for (checkpoint, whole) in checkpoints.iter().zip(whole).rev().step_by(step) {
            let at = time(&checkpoint["at"]).unwrap();
            let mut settings = trace.settings(replica_set, &[checkpoint], judged.evidence);
            settings.inputs = vec![write("recording.jsonl", cut_recording(&recording, at))];
            if judged.evidence == Evidence::WithLog {
                settings.logs = vec![write("kcm.log", &cut_log(&log, at))];
            }
            let mut found = Vec::new();
            match reports(&settings) {
                Some(cut) => compare("", &without_paths(&cut[0]), &without_paths(whole), &mut found),
                // The whole recording knows the name from a later line.
                None => compare("object.exists", &false.into(), &whole["object"]["exists"], &mut found),
            }
            let told = found.iter().map(|what| format!("{} {}: {what}", trace.name, checkpoint["id"]));
            differences.extend(told);
        }
    }
    differences
}

/// Tells where two values differ.
pub fn compare(place: &str, cut: &Value, whole: &Value, differences: &mut Vec<String>) {
    match (cut, whole) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            a.iter().for_each(|(key, value)| compare(&format!("{place}.{key}"), value, &b[key], differences));
        }
        _ if cut == whole => {}
        _ => differences.push(format!("{place}: {cut} after a cut, {whole} from the whole")),
    }
}

/// The lines received by this instant; END is later than all of them.
fn cut_recording(text: &str, at: Timestamp) -> &str {
    let received = |line: &str| {
        // A line begins with its time; the header does not.
        let time = line.strip_prefix("{\"at\":\"")?.split('"').next()?;
        time.parse::<Timestamp>().ok()
    };
    let is_kept =
        |line: &&str| received(line).is_none_or(|received| received <= at) && !line.contains("\"END\"");
    let kept = text.split_inclusive('\n').take_while(is_kept).map(str::len).sum();
    &text[..kept]
}

/// The lines that the log held by this instant. Lines of several threads are not quite in order.
fn cut_log(text: &str, at: Timestamp) -> String {
    // The day and the time of day, as klog writes them.
    let day_and_time = at.strftime("%m%d %H:%M:%S%.6f").to_string();
    text.split_inclusive('\n')
        .filter(|line| line[1..].get(..day_and_time.len()) <= Some(&day_and_time))
        .collect()
}

/// A report but for the names of the files.
pub fn without_paths(report: &Value) -> Value {
    let mut report = report.clone();
    let is_path = |source: &Value| source.as_str().unwrap().contains(std::path::MAIN_SEPARATOR);
    report["evidence"]["sources"].as_array_mut().unwrap().retain(|source| !is_path(source));
    report
}

#[test]
fn the_same_evidence_gives_the_same_bytes() {
    let bytes = |trace: &Trace, replica_set: &str, checkpoints: &[&Value]| {
        let settings = trace.settings(replica_set, checkpoints, Evidence::WithLog);
        let answers = rsexp::engine::ask::answer(&settings, None).unwrap();
        serde_json::to_string(&answers.reports).unwrap() + &format!("{answers:?}")
    };
    let differ = of_each_trace(|trace| {
        let by_object = trace.by_object();
        let differ = by_object.iter().filter(|(replica_set, checkpoints)| {
            bytes(trace, replica_set, checkpoints) != bytes(trace, replica_set, checkpoints)
        });
        differ.map(|(replica_set, _)| (*replica_set).to_owned()).collect::<Vec<String>>()
    });
    assert_eq!(differ.concat(), Vec::<String>::new());
}
