//! How fast the model answers, a large list is read, and the binary starts: figures and ratios.
//!
//! Ratios compare with something that does no more than it must (parsing alone, an empty program),
//! so they say something on any machine.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run must fail")]

#[allow(dead_code, reason = "its main is the example's")]
#[path = "../examples/predict.rs"]
mod predict;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flate2::read::MultiGzDecoder;
use rsexp::objects::{Observation, What};
use rsexp::source::controller_log::{Clock, LogLines};
use rsexp::source::{Flow, Input, Sink, read};
use serde::Deserialize;

const PODS: usize = 20_000;
/// Bytes of a pod, as with sidecars and managedFields.
const POD_BYTES: usize = 9_500;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, part, path] = args.as_slice()
        && ["read", "slim"].contains(&part.as_str())
    {
        return child(part, Path::new(path));
    }
    vectors();
    large_list();
    logs();
    start();
}

// The model.

fn vectors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors/1.37.jsonl.gz");
    let file = BufReader::new(MultiGzDecoder::new(std::fs::File::open(path).unwrap()));
    let lines: Vec<String> = file.lines().map(Result::unwrap).collect();
    let bytes: usize = lines.iter().map(String::len).sum();
    let time =
        median(5, || lines.iter().for_each(|line| drop(black_box(predict::predict_line(line).unwrap()))));
    let seconds = time.as_secs_f64();
    println!(
        "model: {} vectors ({} MB) in {time:.0?}: {:.0} a second, {:.0} MB/s with their parsing",
        lines.len(),
        bytes / 1_000_000,
        lines.len() as f64 / seconds,
        bytes as f64 / 1e6 / seconds,
    );
}

// A log.

/// A text again and again, so many bytes of it in all.
struct Repeats {
    text: Vec<u8>,
    at: usize,
    left: usize,
}

impl Read for Repeats {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let rest = &self.text[self.at..];
        let size = rest.len().min(buffer.len()).min(self.left);
        buffer[..size].copy_from_slice(&rest[..size]);
        self.at = (self.at + size) % self.text.len();
        self.left -= size;
        Ok(size)
    }
}

fn logs() {
    const BYTES: usize = 300_000_000;
    for (format, file) in [("text", "kcm-1.37-v4.log.gz"), ("JSON", "kcm-1.37-v4-json.log.gz")] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/logs").join(file);
        let mut whole = Vec::new();
        MultiGzDecoder::new(std::fs::File::open(path).unwrap()).read_to_end(&mut whole).unwrap();
        let foreign = foreign(&whole);
        for (what, text) in [("all lines", whole), ("other controllers' lines", foreign)] {
            let repeats = Repeats { text, at: 0, left: BYTES };
            let begun = Instant::now();
            let mut lines = LogLines::new(BufReader::with_capacity(64 << 10, repeats), Clock::default());
            let mut count = 0;
            while black_box(lines.next(true).unwrap()).is_some() {
                count += 1;
            }
            let seconds = begun.elapsed().as_secs_f64();
            println!(
                "log: {format}, {what}: {:.0} MB/s, {count} understood of {}",
                BYTES as f64 / 1e6 / seconds,
                lines.counts().lines
            );
        }
    }
}

/// The lines of a log that mean nothing here.
fn foreign(log: &[u8]) -> Vec<u8> {
    let lines = log.split_inclusive(|byte| *byte == b'\n').filter(|line| {
        let mut alone = LogLines::new(*line, Clock::default());
        !line.starts_with(b"\t") && !line.starts_with(b" ") && alone.next(true).unwrap().is_none()
    });
    lines.collect::<Vec<_>>().concat()
}

// A large list.

fn large_list() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("list.json");
    let bytes = write_list(&path);
    let ours = measured("read", &path);
    let slim = measured("slim", &path);
    let (mb, time) = (bytes as f64 / 1e6, |m: &Measured| m.time.as_secs_f64());
    println!(
        "list: {PODS} pods, {mb:.0} MB: read in {:.2} s ({:.0} MB/s), parsing alone {:.2} s, ratio {:.2}",
        time(&ours),
        mb / time(&ours),
        time(&slim),
        time(&ours) / time(&slim),
    );
    println!(
        "list: peak memory {:.0} MB to read, {:.0} MB to parse alone; ratio to the file {:.2}",
        ours.peak as f64 / 1e6,
        slim.peak as f64 / 1e6,
        ours.peak as f64 / bytes as f64,
    );
}

/// A pod as clusters hold it: mostly what nobody here reads.
fn pod(number: usize) -> String {
    let owner = number / 100;
    let head = format!(
        r#"{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"web-{owner}-{number}","generateName":"web-{owner}-","namespace":"shop","uid":"00000000-0000-4000-8000-{number:012}","resourceVersion":"{number}","creationTimestamp":"2026-01-01T00:00:00Z","labels":{{"app":"web-{owner}","pod-template-hash":"{owner}"}},"ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-{owner}","uid":"rs-{owner}","controller":true,"blockOwnerDeletion":true}}],"managedFields":[{{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{{"#
    );
    let tail = format!(
        r#""f:end":{{}}}}}}]}},"spec":{{"nodeName":"node-{}","containers":[{{"name":"app","image":"app:v1","env":["#,
        number % 50
    );
    let status = r#"{"name":"LAST","value":"x"}]}]},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:10Z"}],"containerStatuses":[{"name":"app","ready":true,"restartCount":0,"image":"app:v1"}]}}"#;
    let mut text = head;
    for field in 0.. {
        if text.len() > POD_BYTES / 2 {
            break;
        }
        text.push_str(&format!(r#""f:field-{field}":{{".":{{}},"f:name":{{}},"f:value":{{}}}},"#));
    }
    text.push_str(&tail);
    for variable in 0.. {
        if text.len() + status.len() > POD_BYTES {
            break;
        }
        text.push_str(&format!(
            r#"{{"name":"VARIABLE_{variable}","value":"some \"quoted\" value {variable}"}},"#
        ));
    }
    text + status
}

fn write_list(path: &Path) -> u64 {
    let mut out = BufWriter::new(std::fs::File::create(path).unwrap());
    write!(out, r#"{{"apiVersion":"v1","kind":"List","items":["#).unwrap();
    for number in 0..PODS {
        let comma = if number > 0 { "," } else { "" };
        write!(out, "{comma}{}", pod(number)).unwrap();
    }
    write!(out, "]}}").unwrap();
    out.flush().unwrap();
    path.metadata().unwrap().len()
}

struct Measured {
    time: Duration,
    peak: u64,
}

/// Runs a part in a process of its own, so that its memory is its own: the median of three.
fn measured(part: &str, path: &Path) -> Measured {
    let mut runs: Vec<Measured> = (0..3)
        .map(|_| {
            let output = Command::new(std::env::current_exe().unwrap()).arg(part).arg(path).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let text = String::from_utf8(output.stdout).unwrap();
            let numbers: Vec<u64> = text.split_whitespace().map(|n| n.parse().unwrap()).collect();
            Measured { time: Duration::from_micros(numbers[0]), peak: numbers[1] }
        })
        .collect();
    runs.sort_by_key(|run| run.time);
    runs.swap_remove(1)
}

/// Prints the microseconds that a part takes, and the peak of memory in bytes.
fn child(part: &str, path: &Path) {
    let begin = Instant::now();
    let pods = match part {
        "read" => read_pods(path),
        "slim" => parse_pods(path),
        other => panic!("unknown part {other}"),
    };
    let time = begin.elapsed();
    assert_eq!(pods, PODS);
    println!("{} {}", time.as_micros(), peak());
}

/// Counts objects, and keeps them as the program does.
#[derive(Default)]
struct Kept(Vec<Observation>);

impl Sink for Kept {
    fn observe(&mut self, observation: Observation) -> Flow {
        self.0.push(observation);
        Flow::Continue
    }
}

fn read_pods(path: &Path) -> usize {
    let mut kept = Kept::default();
    let notes = read(&[Input::Path(PathBuf::from(path))], false, None, &mut kept);
    assert_eq!(notes.problems, []);
    let items = |o: &Observation| match &o.what {
        What::List { items, .. } => items.len(),
        _ => 0,
    };
    kept.0.iter().map(items).sum()
}

/// The least that reading can mean: the bytes into structs with the fields that count.
fn parse_pods(path: &Path) -> usize {
    let text = std::fs::read(path).unwrap();
    let list: List = serde_json::from_slice(&text).unwrap();
    black_box(&list).items.len()
}

macro_rules! slim {
    ($($name:ident { $($field:ident : $type:ty,)* })*) => {$(
        #[derive(Debug, Deserialize)]
        #[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'a"))]
        #[derive(Default)]
        #[allow(dead_code, reason = "parsed to be measured")]
        struct $name<'a> {
            $(#[serde(borrow)] $field: $type,)*
        }
    )*};
}

slim! {
    List { items: Vec<SlimPod<'a>>, }
    SlimPod { kind: Cow<'a, str>, metadata: SlimMeta<'a>, spec: SlimSpec<'a>, status: SlimStatus<'a>, }
    SlimMeta {
        name: Cow<'a, str>,
        namespace: Cow<'a, str>,
        uid: Cow<'a, str>,
        resource_version: Cow<'a, str>,
        creation_timestamp: Cow<'a, str>,
        labels: BTreeMap<Cow<'a, str>, Cow<'a, str>>,
        owner_references: Vec<BTreeMap<Cow<'a, str>, &'a serde_json::value::RawValue>>,
    }
    SlimSpec { node_name: Cow<'a, str>, }
    SlimStatus { phase: Cow<'a, str>, conditions: Vec<BTreeMap<Cow<'a, str>, Cow<'a, str>>>, }
}

/// The most memory that this process ever had, in bytes; 0 where the system does not tell.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

// The start.

fn start() {
    let small = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cases/C13.yaml");
    let ours = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-rsexp"));
        command.args(["explain", "-A", "--now", "2026-01-01T00:00:00Z", "-f"]).arg(&small);
        assert!(!first_line(command).is_empty());
    };
    let empty = || assert!(first_line(Command::new("true")).is_empty());
    let (ours, empty) = (median(20, ours), median(20, empty));
    println!(
        "start: first line after {:.2} ms, an empty program {:.2} ms, ratio {:.2} (medians of 20)",
        ours.as_secs_f64() * 1e3,
        empty.as_secs_f64() * 1e3,
        ours.as_secs_f64() / empty.as_secs_f64(),
    );
}

/// Runs until the first line is there, or the end; then waits for the end.
fn first_line(mut command: Command) -> String {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.wait().unwrap();
    line
}

/// The median time of so many runs, after one that does not count.
fn median(runs: usize, mut run: impl FnMut()) -> Duration {
    run();
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let begin = Instant::now();
            run();
            begin.elapsed()
        })
        .collect();
    times.sort();
    times[runs / 2]
}
