//! How fast a long recording is replayed, and how much memory that takes: figures and ratios.
//!
//! `cargo bench --bench replay -- 100000` does it with fewer events than a million; `-- write PATH` and
//! `-- observe PATH` write and replay one recording, for a profiler.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot run must fail")]

mod long;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rsexp::engine::ask;
use rsexp::engine::settings::{Question, Settings};
use rsexp::objects::Observation;
use rsexp::reconstruct::Reconstruction;
use rsexp::source::{Flow, Input, Sink, read};

use long::Template;

const EVENTS: usize = 1_000_000;

/// Namespaces that live at the same time in the recording of many small ReplicaSets.
const TOGETHER: usize = 40;

/// Observations that are decoded before they are timed: few enough to be in the cache still.
const CHUNK: usize = 1000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [part, path] = args.as_slice() {
        return child(part, Path::new(path));
    }
    let events = args.first().map_or(EVENTS, |arg| arg.parse().unwrap());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("long.jsonl");
    let small = small();

    println!(
        "| events | MB | parsed alone | explain -f | share of parsing's speed | peak memory | of parsing alone |"
    );
    println!(
        "|-------:|---:|-------------:|-----------:|-------------------------:|------------:|-----------------:|"
    );
    for events in [events / 10, events * 3 / 10, events] {
        let bytes = long::write(&path, &small, TOGETHER, events);
        let [parsed, explained] = ["parse", "explain"].map(|part| measured(part, &path));
        let mb = bytes as f64 / 1e6;
        println!(
            "| {events} | {mb:.0} | {:.0} MB/s | {:.0} MB/s | {:.2} | {:.1} MB | {:.1} MB |",
            mb / parsed.time.as_secs_f64(),
            mb / explained.time.as_secs_f64(),
            parsed.time.as_secs_f64() / explained.time.as_secs_f64(),
            explained.peak as f64 / 1e6,
            parsed.peak as f64 / 1e6,
        );
    }
    println!();
    println!("| reconstruction alone | observations | a second | in the first tenth | in the last tenth |");
    println!("|----------------------|-------------:|---------:|-------------------:|------------------:|");
    observed(&format!("small ReplicaSets, {TOGETHER} namespaces"), &path);
    let large = [Template::read("burst-700")];
    long::write(&path, &large, 1, events / 10);
    observed("one ReplicaSet of up to 700 pods", &path);
}

fn small() -> Vec<Template> {
    (1..=15).map(|n| Template::read(&format!("random-{n:02}"))).collect()
}

fn observed(what: &str, path: &Path) {
    let run = measured("observe", path);
    let [count, first, last] = run.more[..] else { panic!("{:?}", run.more) };
    let rate = count as f64 / run.time.as_secs_f64();
    println!("| {what} | {count} | {rate:.0} | {first} | {last} |");
}

struct Measured {
    time: Duration,
    peak: u64,
    more: Vec<u64>,
}

/// Runs a part in a process of its own, so that its memory is its own: the fastest of three, as
/// whatever else the machine does only slows it down.
fn measured(part: &str, path: &Path) -> Measured {
    let runs = (0..3).map(|_| {
        let output = Command::new(std::env::current_exe().unwrap()).arg(part).arg(path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let numbers: Vec<u64> = text.split_whitespace().map(|n| n.parse().unwrap()).collect();
        Measured { time: Duration::from_micros(numbers[0]), peak: numbers[1], more: numbers[2..].to_vec() }
    });
    runs.min_by_key(|run| run.time).unwrap()
}

/// Prints the microseconds that a part takes, the peak of memory in bytes, and what else it found.
fn child(part: &str, path: &Path) {
    let begin = Instant::now();
    let mut more = String::new();
    let mut time = None;
    match part {
        "parse" => replay(path, &mut Dropped),
        "write" => drop(long::write(path, &small(), TOGETHER, EVENTS)),
        "explain" => explain(path),
        "observe" => {
            let mut observed = Observed::new();
            replay(path, &mut observed);
            observed.take();
            time = Some(observed.times.iter().sum());
            more = observed.told();
        }
        other => panic!("unknown part {other}"),
    }
    println!("{} {} {more}", time.unwrap_or_else(|| begin.elapsed()).as_micros(), peak());
}

fn replay(path: &Path, sink: &mut dyn Sink) {
    let notes = read(&[Input::Path(PathBuf::from(path))], false, None, sink);
    assert_eq!((notes.problems, notes.incomplete), (vec![], None));
}

fn explain(path: &Path) {
    let inputs = vec![Input::Path(path.to_owned())];
    let answers = ask::answer(&Settings { inputs, ..Settings::of(Question::Explain) }, None).unwrap();
    assert!(!answers.reports.is_empty() && answers.problems.is_empty() && answers.warnings.is_empty());
}

/// The least that reading can mean.
struct Dropped;

impl Sink for Dropped {
    fn observe(&mut self, observation: Observation) -> Flow {
        std::hint::black_box(&observation);
        Flow::Continue
    }
}

/// Times the reconstruction without the reading, a chunk at a time.
struct Observed {
    reconstruction: Reconstruction,
    chunk: Vec<Observation>,
    times: Vec<Duration>,
    count: usize,
}

impl Observed {
    fn new() -> Observed {
        let chunk = Vec::with_capacity(CHUNK);
        Observed { reconstruction: Reconstruction::new(None), chunk, times: Vec::new(), count: 0 }
    }

    fn take(&mut self) {
        self.count += self.chunk.len();
        let begin = Instant::now();
        for observation in self.chunk.drain(..) {
            self.reconstruction.observe(observation);
        }
        self.times.push(begin.elapsed());
    }

    /// The count, and how many a second there were in the first and the last tenth.
    fn told(&self) -> String {
        let tenth = (self.times.len() / 10).max(1);
        let rate =
            |times: &[Duration]| (times.len() * CHUNK) as f64 / times.iter().sum::<Duration>().as_secs_f64();
        let whole = self.times.len() - 1;
        let last = whole.saturating_sub(tenth);
        format!("{} {:.0} {:.0}", self.count, rate(&self.times[..tenth]), rate(&self.times[last..whole]))
    }
}

impl Sink for Observed {
    fn observe(&mut self, observation: Observation) -> Flow {
        self.chunk.push(observation);
        if self.chunk.len() == CHUNK {
            self.take();
        }
        Flow::Continue
    }
}

/// The most memory that this process ever had, in bytes; 0 where the system does not tell.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}
