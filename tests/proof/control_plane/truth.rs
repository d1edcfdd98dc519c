//! What the controller held and did, from the truth log (`tests/control-plane/truth.go`).

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::traces::trace::time;

/// How long unmet expectations hold.
pub const TIMEOUT: SignedDuration = SignedDuration::from_mins(5);

/// The expectations of one ReplicaSet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub add: i64,
    pub del: i64,
    pub timestamp: Timestamp,
}

impl Entry {
    pub fn is_fulfilled(&self) -> bool {
        self.add <= 0 && self.del <= 0
    }

    /// The gate's word at this instant.
    pub fn gate(&self, at: Timestamp) -> &'static str {
        match self.is_fulfilled() {
            true => "fulfilled",
            false if at.duration_since(self.timestamp) > TIMEOUT => "expired",
            false => "waiting",
        }
    }
}

/// One call of syncReplicaSet.
#[derive(Debug, Clone, Default)]
pub struct Sync {
    pub from: Timestamp,
    pub to: Timestamp,
    /// The word of the gate, "stale" where the stale cache guard ended it, None if it did not get so far.
    pub gate: Option<&'static str>,
    /// "create", "delete", or none of both.
    pub action: Option<&'static str>,
    pub need: Option<i64>,
    pub count: Option<i64>,
    pub created: BTreeSet<String>,
    pub chosen: BTreeSet<String>,
    pub failed: BTreeSet<String>,
    pub released: BTreeSet<String>,
    pub skipped: Option<i64>,
    /// When it told so: it lowers them right after.
    pub skipped_at: Option<Timestamp>,
    pub error: Option<String>,
    pub status: Option<String>,
    /// Whether it found that the ReplicaSet is no more.
    pub gone: bool,
}

/// A line of a handler: which pod, and by how much its expectations were lowered for it.
#[derive(Debug, Clone)]
pub struct Handled {
    pub at: Timestamp,
    pub pod: String,
    /// Of which ReplicaSet, add and del.
    pub lowered: Option<(String, i64, i64)>,
}

/// What happened to one ReplicaSet.
#[derive(Debug, Default)]
pub struct History {
    /// None: there was no entry from then on.
    pub entries: Vec<(Timestamp, Option<Entry>)>,
    pub awaited: Vec<(Timestamp, BTreeSet<String>)>,
    pub syncs: Vec<Sync>,
    /// When its deletion was handled.
    pub forgotten: Vec<Timestamp>,
    /// When a change of the number of pods that it wants was handled.
    pub spec_changes: Vec<Timestamp>,
}

impl History {
    /// What was held at an instant: since when, the entry, and until when.
    pub fn held(&self, at: Timestamp) -> (Option<Timestamp>, Option<&Entry>, Option<Timestamp>) {
        let next = self.entries.partition_point(|(since, _)| *since <= at);
        let now = next.checked_sub(1).map(|index| &self.entries[index]);
        let until = self.entries.get(next).map(|(since, _)| *since);
        (now.map(|(since, _)| *since), now.and_then(|(_, entry)| entry.as_ref()), until)
    }

    pub fn awaited(&self, at: Timestamp) -> BTreeSet<String> {
        let next = self.awaited.partition_point(|(since, _)| *since <= at);
        next.checked_sub(1).map(|index| self.awaited[index].1.clone()).unwrap_or_default()
    }
}

/// The whole log of one control plane.
#[derive(Debug, Default)]
pub struct Truth {
    pub of: BTreeMap<String, History>,
    /// In the order of the log.
    pub handled: Vec<Handled>,
    /// Of which ReplicaSets a sync has not ended when the log does.
    pub unfinished: BTreeSet<String>,
    /// When a leader ended.
    pub ended: Vec<Timestamp>,
    /// When the workers of a leader started.
    pub started: Vec<Timestamp>,
}

impl Truth {
    /// From the lines of each controller manager, in the order in which they led. What a former leader goes on to say
    /// once the next one has begun counts no more.
    pub fn of(managers: Vec<Vec<Value>>) -> Truth {
        let begun =
            |lines: &Vec<Value>| lines.iter().find(|line| is_start(line)).and_then(|line| time(&line["t"]));
        let starts: Vec<Option<Timestamp>> = managers.iter().map(begun).collect();
        let mut reader = Reader::default();
        for (index, lines) in managers.iter().enumerate() {
            let end = starts[index + 1..].iter().flatten().min();
            let own = lines.iter().filter(|line| time(&line["t"]).zip(end).is_none_or(|(at, end)| at < *end));
            own.for_each(|line| reader.take(line));
        }
        reader.truth.unfinished = reader.running.into_keys().collect();
        reader.truth
    }

    /// When what is held at an instant is lost with its holder.
    pub fn lost(&self, at: Timestamp) -> Option<Timestamp> {
        self.ended.iter().chain(&self.started).filter(|loss| **loss > at).min().copied()
    }

    /// Whether the last leader has ended at an instant, and no other works yet; since when.
    pub fn leaderless(&self, at: Timestamp) -> Option<Timestamp> {
        let ended = self.ended.iter().filter(|ended| **ended <= at).max()?;
        let is_followed = self.started.iter().any(|start| start > ended && *start <= at);
        (!is_followed).then_some(*ended)
    }
}

/// The last line of a controller manager that was stopped or killed; the test writes it, once the process is gone.
pub const ENDED: &str = "Ended";

/// Whether the workers of the controller start.
fn is_start(line: &Value) -> bool {
    line["msg"].as_str().is_some_and(|message| message.starts_with("Starting controller"))
        && line["name"] == "replicaset"
}

/// Reads line by line; one sync a ReplicaSet is under way at a time.
#[derive(Default)]
struct Reader {
    truth: Truth,
    running: BTreeMap<String, Sync>,
    /// Whether the last line of a handler can still be followed by what it lowers.
    may_lower: bool,
}

impl Reader {
    fn take(&mut self, line: &Value) {
        let (Some(message), Some(at)) = (line["msg"].as_str(), time(&line["t"])) else { return };
        self.handler(message, line, at);
        if let Some(key) = line["expectations"]["key"].as_str() {
            self.expectations(key, message, &line["expectations"], at);
            return;
        }
        if message == ENDED || is_start(line) {
            self.forget_all(at, message == ENDED);
            return;
        }
        if let Some(error) = line["err"].as_str().or(Some(message)).filter(|text| text.starts_with("sync \""))
        {
            self.failed(error);
        }
        let pod = line["pod"].as_str().unwrap_or_default();
        let namespace = pod.split('/').next().unwrap_or_default();
        let owner = line["controller"].as_str().map(|name| match name.contains('/') {
            true => name.to_owned(),
            false => format!("{namespace}/{name}"),
        });
        let own = line["replicaSet"].as_str().map(str::to_owned).or(owner);
        let own = own.or_else(|| line["key"].as_str().map(str::to_owned)).unwrap_or_default();
        match message {
            "Controller either never recorded expectations, or the ttl expired" => {
                self.sync(&own, at).gate = Some("none");
            }
            "Too few replicas" => self.plan(&own, "create", line, "creating", at),
            "Too many replicas" => self.plan(&own, "delete", line, "deleting", at),
            "Controller created pod" => drop(self.sync(&own, at).created.insert(pod.to_owned())),
            "Deleting pod" => drop(self.sync(&own, at).chosen.insert(pod.to_owned())),
            "Patching pod to remove its controllerRef" => {
                self.sync(&own, at).released.insert(pod.to_owned());
            }
            "Failed to delete pod, decremented expectations" => {
                self.sync(&own, at).failed.insert(pod.to_owned());
            }
            message if message.starts_with("Slow-start failure") => {
                let sync = self.sync(&own, at);
                sync.skipped = line["podsSkipped"].as_i64();
                sync.skipped_at = Some(at);
            }
            "Controller waiting on deletions" => {
                let keys = line["keys"].as_array().into_iter().flatten().filter_map(Value::as_str);
                self.awaits(&own, at, keys.map(str::to_owned).collect());
            }
            "Controller received delete for pod" => {
                let controller = line["controller"].as_str().unwrap_or_default();
                let mut left = self.history(controller).awaited(at);
                left.remove(line["key"].as_str().unwrap_or_default());
                self.awaits(controller, at, left);
            }
            "Deleting" if line["replicaSet"].is_string() => self.forget(&own, at, true),
            "deleted" => {
                self.sync(&own, at).gone = true;
                self.forget(&own, at, false);
            }
            "replicaSet updated. Desired pod count change." => self.history(&own).spec_changes.push(at),
            "Finished syncing" => self.finish(&own, line, at),
            _ => {
                let status = message.strip_prefix("Updating status for ").and_then(|rest| {
                    let (key, rest) = rest.split_once(": ")?.1.split_once(", ")?;
                    Some((key.to_owned(), rest.to_owned()))
                });
                if let Some((key, rest)) = status {
                    self.sync(&key, at).status = Some(rest);
                }
            }
        }
    }

    /// A new leader holds nothing, and nobody holds what one that has ended held.
    fn forget_all(&mut self, at: Timestamp, has_ended: bool) {
        for (key, mut sync) in std::mem::take(&mut self.running) {
            sync.to = at;
            self.history(&key).syncs.push(sync);
        }
        for history in self.truth.of.values_mut() {
            history.entries.push((at, None));
            history.awaited.push((at, BTreeSet::new()));
        }
        match has_ended {
            true => self.truth.ended.push(at),
            false => self.truth.started.push(at),
        }
    }

    fn history(&mut self, key: &str) -> &mut History {
        self.truth.of.entry(key.to_owned()).or_default()
    }

    fn sync(&mut self, key: &str, at: Timestamp) -> &mut Sync {
        self.running.entry(key.to_owned()).or_insert_with(|| Sync { from: at, to: at, ..Sync::default() })
    }

    fn plan(&mut self, key: &str, action: &'static str, line: &Value, count: &str, at: Timestamp) {
        let sync = self.sync(key, at);
        sync.action = Some(action);
        sync.need = line["need"].as_i64();
        sync.count = line[count].as_i64();
    }

    fn awaits(&mut self, key: &str, at: Timestamp, keys: BTreeSet<String>) {
        self.history(key).awaited.push((at, keys));
    }

    fn forget(&mut self, key: &str, at: Timestamp, by_handler: bool) {
        self.awaits(key, at, BTreeSet::new());
        let history = self.history(key);
        history.entries.push((at, None));
        history.forgotten.extend(by_handler.then_some(at));
    }

    fn expectations(&mut self, key: &str, message: &str, value: &Value, at: Timestamp) {
        let gate = match message {
            "Controller expectations fulfilled" => Some("fulfilled"),
            "Controller expectations expired" => Some("expired"),
            "Controller still waiting on expectations" => Some("waiting"),
            _ => None,
        };
        if let Some(gate) = gate {
            let sync = self.sync(key, at);
            // A sync asks once, at its start: what was open is one whose end is in no line.
            if sync.gate.is_some() {
                *sync = Sync { from: at, to: at, ..Sync::default() };
            }
            sync.gate = Some(gate);
            return;
        }
        let entry = Entry {
            add: value["add"].as_i64().unwrap(),
            del: value["del"].as_i64().unwrap(),
            timestamp: time(&value["timestamp"]).unwrap_or(at),
        };
        if message == "Lowered expectations" && std::mem::take(&mut self.may_lower) {
            let held = self.history(key).held(at).1.cloned();
            let by = held.map_or((0, 0), |held| (held.add - entry.add, held.del - entry.del));
            let handled = self.truth.handled.last_mut().expect("a handler may lower");
            handled.lowered = Some((key.to_owned(), by.0, by.1));
        }
        self.history(key).entries.push((at, Some(entry)));
    }

    /// The lines of the pod handlers, which run one after the other.
    fn handler(&mut self, message: &str, line: &Value, at: Timestamp) {
        let is_handler = matches!(
            message,
            "Pod created"
                | "Orphan Pod created"
                | "Pod objectMeta updated."
                | "Orphan Pod objectMeta updated."
                | "Pod deleted"
        );
        if is_handler {
            let pod = line["pod"].as_str().unwrap_or_default().to_owned();
            self.truth.handled.push(Handled { at, pod, lowered: None });
            self.may_lower = message == "Pod created" || message == "Pod deleted";
        }
    }

    fn failed(&mut self, error: &str) {
        let Some(key) = error.strip_prefix("sync \"").and_then(|rest| rest.split('"').next()) else { return };
        let is_stale = error.contains("\" failed with read version: ");
        if let Some(sync) = self.history(key).syncs.last_mut() {
            sync.gate = if is_stale { Some("stale") } else { sync.gate };
            sync.error = Some(error.to_owned());
        }
    }

    fn finish(&mut self, key: &str, line: &Value, at: Timestamp) {
        let took = line["duration"].as_str().and_then(duration).unwrap_or_default();
        let mut sync = self.running.remove(key).unwrap_or_default();
        sync.from = at - took;
        sync.to = at;
        self.history(key).syncs.push(sync);
    }
}

/// A duration as Go prints it: 1m2.5s, 39.98ms, 37.3µs, 512ns.
fn duration(text: &str) -> Option<SignedDuration> {
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = rest.split_at(end);
        let length = unit.find(|c: char| c.is_ascii_digit()).unwrap_or(unit.len());
        let factor = match &unit[..length] {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "µs" | "μs" => 1e-6,
            "ns" => 1e-9,
            _ => return None,
        };
        seconds += number.parse::<f64>().ok()? * factor;
        rest = &unit[length..];
    }
    SignedDuration::try_from_secs_f64(seconds).ok()
}
