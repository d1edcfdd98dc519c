//! Writes long recordings: those of real control planes repeated, several at a time, each under a
//! namespace and UIDs of its own and with its time moved on.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::io::{BufWriter, Read, Write};
use std::path::Path;

use flate2::read::GzDecoder;
use jiff::Timestamp;
use serde_json::Value;

/// When the long recording begins, in seconds since 1970.
const BEGIN: i64 = 1_798_000_000;

/// Versions of one copy lie below those of the next.
const VERSIONS: u64 = 1_000_000;

/// A piece of a line.
enum Piece {
    /// The same in every copy.
    Text(String),
    Namespace(String),
    /// What follows the first eight digits.
    Uid(String),
    /// Seconds since 1970, and what follows them.
    Time(i64, String),
    Version(u64),
}

/// A line of which copies are made.
struct Line {
    at: Timestamp,
    pieces: Vec<Piece>,
}

/// A recording of which copies are made. At its end it deletes what it has left.
pub struct Template {
    /// Its header and opening lists.
    opening: Vec<String>,
    lines: Vec<Line>,
    begin: i64,
    seconds: i64,
}

impl Template {
    /// Reads a trace of `tests/data/traces` that begins with empty lists.
    pub fn read(trace: &str) -> Template {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data/traces")
            .join(trace)
            .join("recording.jsonl.gz");
        let mut text = String::new();
        GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
        let (mut opening, mut lines) = (Vec::new(), Vec::new());
        // The last line of each object that is there, ReplicaSets before their pods.
        let mut alive: BTreeMap<(bool, String), String> = BTreeMap::new();
        let mut last = String::new();
        for line in text.lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            let (kind, resource) = (value["type"].as_str(), value["resource"].as_str().unwrap_or_default());
            match kind {
                None | Some("LIST") => opening.push(line.to_owned()),
                Some("ADDED" | "MODIFIED" | "DELETED") if !resource.starts_with("leases") => {
                    let id = (resource != "replicasets.apps", value["object"]["metadata"]["uid"].to_string());
                    match kind {
                        Some("DELETED") => drop(alive.remove(&id)),
                        _ => drop(alive.insert(id, line.to_owned())),
                    }
                    last = value["at"].as_str().unwrap().to_owned();
                    lines.push(split(line));
                }
                // Another holder of the lease would drop what all others have; END is the last line.
                _ => {}
            }
        }
        for line in alive.into_values() {
            let resource: Value = serde_json::from_str(&line).unwrap();
            let object = line.find(r#""object":"#).unwrap();
            lines.push(split(&format!(
                r#"{{"at":"{last}","resource":{},"type":"DELETED",{}"#,
                resource["resource"],
                &line[object..]
            )));
        }
        let (begin, end) = (lines[0].at.as_second(), lines[lines.len() - 1].at.as_second());
        Template { opening, lines, begin, seconds: end - begin + 1 }
    }
}

/// Splits a line where copies differ.
fn split(line: &str) -> Line {
    let value: Value = serde_json::from_str(line).unwrap();
    let (mut pieces, mut text, mut rest) = (Vec::new(), String::new(), line);
    while let Some(quote) = rest.find('"') {
        text.push_str(&rest[..=quote]);
        rest = &rest[quote + 1..];
        let Some(end) = rest.find(['"', '\\']) else { break };
        let word = &rest[..end];
        let piece = if text.ends_with(r#""namespace":""#) {
            Some(Piece::Namespace(word.to_owned()))
        } else if text.ends_with(r#""resourceVersion":""#) {
            word.parse().ok().map(Piece::Version)
        } else if is_uid(word) {
            Some(Piece::Uid(word[8..].to_owned()))
        } else {
            time(word)
        };
        if let Some(piece) = piece {
            pieces.extend([Piece::Text(std::mem::take(&mut text)), piece]);
            rest = &rest[end..];
        }
    }
    pieces.push(Piece::Text(text + rest + "\n"));
    Line { at: value["at"].as_str().unwrap().parse().unwrap(), pieces }
}

fn is_uid(word: &str) -> bool {
    let dashes = [8, 13, 18, 23];
    let fits =
        |(at, byte): (usize, u8)| if dashes.contains(&at) { byte == b'-' } else { byte.is_ascii_hexdigit() };
    word.len() == 36 && word.bytes().enumerate().all(fits)
}

fn time(word: &str) -> Option<Piece> {
    let is_time = word.len() >= 20 && word.starts_with("20") && word.ends_with('Z');
    let at: Timestamp = word.parse().ok().filter(|_| is_time)?;
    Some(Piece::Time(at.as_second(), word[19..].to_owned()))
}

/// A copy that is being written.
struct Copy<'a> {
    template: &'a Template,
    number: u32,
    /// By how many seconds its time is moved on.
    shift: i64,
    next: usize,
}

impl Copy<'_> {
    fn at(&self) -> i128 {
        self.template.lines[self.next].at.as_nanosecond() + i128::from(self.shift) * 1_000_000_000
    }

    fn write(&mut self, out: &mut impl Write) -> std::io::Result<usize> {
        let mut text = Vec::new();
        for piece in &self.template.lines[self.next].pieces {
            match piece {
                Piece::Text(same) => text.extend_from_slice(same.as_bytes()),
                Piece::Namespace(name) => write!(text, "{name}-{}", self.number)?,
                Piece::Uid(rest) => write!(text, "{:08x}{rest}", self.number)?,
                Piece::Time(second, rest) => {
                    let at = Timestamp::from_second(second + self.shift).unwrap();
                    write!(text, "{}{rest}", at.to_string().trim_end_matches('Z'))?;
                }
                Piece::Version(version) => write!(text, "{}", version + VERSIONS * u64::from(self.number))?,
            }
        }
        self.next += 1;
        out.write_all(&text)?;
        Ok(text.len())
    }
}

/// Writes a recording of so many events, of so many copies at a time; gives its bytes.
pub fn write(path: &Path, templates: &[Template], together: usize, events: usize) -> u64 {
    let mut out = BufWriter::with_capacity(1 << 20, std::fs::File::create(path).unwrap());
    for line in &templates[0].opening {
        // Of all namespaces, and before everything else.
        let line = line.replace(&templates[0].namespace(), r#""namespace":"""#);
        let mut value: Value = serde_json::from_str(&line).unwrap();
        let begin = Timestamp::from_second(BEGIN).unwrap().to_string();
        let field = if value["at"].is_null() { "startedAt" } else { "at" };
        value[field] = Value::from(begin);
        writeln!(out, "{value}").unwrap();
    }
    let mut made = 0;
    let mut copy = |not_before: i64| {
        let template = &templates[made as usize % templates.len()];
        made += 1;
        Copy { template, number: made, shift: not_before - template.begin, next: 0 }
    };
    let mut copies: Vec<Copy<'_>> = (0..together).map(|lane| copy(BEGIN + 1 + lane as i64)).collect();
    let mut order: BinaryHeap<_> =
        copies.iter().enumerate().map(|(lane, copy)| Reverse((copy.at(), lane))).collect();
    for _ in 0..events {
        let Some(Reverse((_, lane))) = order.pop() else { break };
        copies[lane].write(&mut out).unwrap();
        if copies[lane].next == copies[lane].template.lines.len() {
            copies[lane] =
                copy(copies[lane].template.begin + copies[lane].shift + copies[lane].template.seconds);
        }
        order.push(Reverse((copies[lane].at(), lane)));
    }
    let end = order.pop().map_or(0, |Reverse((at, _))| at);
    writeln!(out, r#"{{"at":"{}","type":"END"}}"#, Timestamp::from_nanosecond(end).unwrap()).unwrap();
    out.flush().unwrap();
    path.metadata().unwrap().len()
}

impl Template {
    /// The namespace as the header has it.
    fn namespace(&self) -> String {
        let header: Value = serde_json::from_str(&self.opening[0]).unwrap();
        format!(r#""namespace":{}"#, header["namespace"])
    }
}
