//! Instants at which to ask, with what was true: the form of `tests/data/traces`.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::control_plane::truth::{Entry, History, Sync, TIMEOUT, Truth};
use crate::traces::trace::{list, time};

/// A line that comes so soon after an instant may have been on its way already.
const EDGE: SignedDuration = SignedDuration::from_millis(10);

/// How long a lease that nobody renews is still taken to be held.
const LEASE: SignedDuration = SignedDuration::from_secs(16);

/// Something that the driver did.
#[derive(Debug, Clone)]
pub struct Step {
    pub at: Timestamp,
    pub what: String,
    /// Whether it changes the question: not so what a kubelet or a freeze does.
    pub changes: bool,
    /// The resourceVersion that it led to.
    pub version: Option<u64>,
}

/// An instant at which to ask about a ReplicaSet.
#[derive(Debug, Clone)]
pub struct Mark {
    pub id: String,
    pub at: Timestamp,
    /// NAMESPACE/NAME.
    pub replica_set: String,
}

/// All that is known of a run in one namespace.
pub struct Run<'a> {
    pub recording: &'a [Value],
    pub truth: &'a Truth,
    pub steps: &'a [Step],
    pub end: Timestamp,
}

impl Run<'_> {
    /// The truth about a ReplicaSet (NAMESPACE/NAME) at an instant, for an observer who looks on since `window_from`.
    pub fn checkpoint(&self, mark: &Mark, window_from: Timestamp) -> Value {
        let nothing = History::default();
        let history = self.truth.of.get(&mark.replica_set).unwrap_or(&nothing);
        let seen = Seen::until(self, mark.at, &mark.replica_set);
        let horizon = self.next_change(mark.at);
        // One that found nothing is not about what the observer sees, which the controller has yet to hear of.
        let concerns = |sync: &&Sync| sync.from > mark.at && !(sync.gone && seen.exists);
        let next = history.syncs.iter().find(concerns);
        let plan = history.syncs.iter().find(|sync| sync.from > mark.at && sync.action.is_some());
        let running = history.syncs.iter().find(|sync| sync.from <= mark.at && mark.at < sync.to);
        let next_from = next.map(|next| next.from);
        let next = match next.filter(|next| next.from < horizon) {
            Some(next) => {
                let mut value = self.sync(next, &seen);
                let mut behind = self.not_yet_handled(mark.at, next, &seen);
                let late = |at: &Timestamp| *at > next.from && *at < horizon;
                if history.spec_changes.iter().any(late) || history.forgotten.iter().any(late) {
                    behind.insert(mark.replica_set.clone());
                }
                value["notYetHandled"] = json!(behind);
                value
            }
            None => json!({"at": null, "action": "none", "until": horizon.to_string()}),
        };
        let plan = plan.map(|plan| {
            let mut value = self.sync(plan, &seen);
            value["afterDriverStep"] = json!(horizon <= plan.from);
            value
        });
        json!({
            "id": mark.id, "at": mark.at.to_string(), "replicaSet": mark.replica_set,
            "windowFrom": window_from.to_string(),
            "truth": self.held(history, mark, &seen),
            "running": running.map(|sync| self.sync(sync, &seen)),
            "next": next, "plan": plan,
            "observed": {
                "exists": seen.exists, "deleting": seen.deleting, "desired": seen.desired, "uid": seen.uid,
                "edge": self.is_edge(mark, &seen), "unknowable": self.is_unknowable(history, mark.at),
                "otherLeader": self.is_left_to_another(next_from, mark.at),
                "terminatingNamespace": self.is_terminating(mark),
            },
        })
    }

    /// When the driver changes the question next, or the run ends.
    fn next_change(&self, at: Timestamp) -> Timestamp {
        let next = self.steps.iter().find(|step| step.changes && step.at > at);
        next.map_or(self.end, |step| step.at)
    }

    fn held(&self, history: &History, mark: &Mark, seen: &Seen) -> Value {
        let at = mark.at;
        let (since, entry, until) = history.held(at);
        let expiry = entry.filter(|entry| !entry.is_fulfilled()).map(|entry| entry.timestamp + TIMEOUT);
        let since = since.max(expiry.filter(|expiry| *expiry <= at));
        let until = [until, expiry.filter(|expiry| *expiry > at)].into_iter().flatten().min();
        let gate = |entry: Option<&Entry>| entry.map_or("none", |entry| entry.gate(at));
        let caught_up = self.caught_up(history, mark, seen, entry);
        let awaited = history.awaited(at);
        json!({
            "entry": entry.map(|entry| json!({"add": entry.add, "del": entry.del, "timestamp": entry.timestamp.to_string()})),
            "awaitedDeletions": awaited, "gate": gate(entry),
            "since": since.map(|at| at.to_string()), "until": until.map(|at| at.to_string()),
            "caughtUp": {
                "add": caught_up.as_ref().map_or(0, |entry| entry.add),
                "del": caught_up.as_ref().map_or(0, |entry| entry.del),
                "gate": gate(caught_up.as_ref()),
            },
        })
    }

    /// What is held once all that the observer has seen is handled: what was handled later is taken off.
    fn caught_up(&self, history: &History, mark: &Mark, seen: &Seen, held: Option<&Entry>) -> Option<Entry> {
        let gone = history.forgotten.iter().filter(|at| **at <= mark.at).count();
        if seen.deletions > gone {
            return None;
        }
        let mut entry = held?.clone();
        let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
        // What a later leader handles lowers what it has set itself.
        let later = self.truth.started.iter().find(|start| **start > mark.at);
        for handled in self.truth.handled.iter().filter(|line| later.is_none_or(|start| line.at < *start)) {
            let number = counted.entry(&handled.pod).or_default();
            *number += 1;
            let had = seen.events.get(handled.pod.as_str()).is_some_and(|events| *number <= *events);
            let Some((key, add, del)) = handled.lowered.as_ref().filter(|_| had && handled.at > mark.at)
            else {
                continue;
            };
            if *key == mark.replica_set {
                entry.add -= add;
                entry.del -= del;
            }
        }
        self.never_handled(mark, seen, &mut entry);
        Some(entry)
    }

    /// What a controller that ends (or is no longer the leader) would have handled next.
    fn never_handled(&self, mark: &Mark, seen: &Seen, entry: &mut Entry) {
        let Some(loss) = self.truth.lost(mark.at) else { return };
        let is_handled =
            |pod: &str| self.truth.handled.iter().any(|handled| handled.pod == pod && handled.at < loss);
        let history = &self.truth.of[&mark.replica_set];
        let awaited = history.awaited(loss - SignedDuration::from_nanos(1));
        let mut added = BTreeSet::new();
        let mut ended = BTreeSet::new();
        for (received, line) in timed(self).filter(|(received, line)| *received <= mark.at && matters(line)) {
            let pod = key(&line["object"]);
            let is_end =
                line["type"] == "DELETED" || line["object"]["metadata"]["deletionTimestamp"].is_string();
            if is_end && awaited.contains(&pod) {
                ended.insert(pod);
            } else if line["type"] == "ADDED" && received > entry.timestamp && !is_end {
                let is_own = controller(&line["object"]).is_some_and(|owner| *owner == seen.uid);
                added.extend((is_own && !is_handled(&pod)).then_some(pod));
            }
        }
        entry.add -= added.len() as i64;
        entry.del -= ended.len() as i64;
    }

    /// Pods of this ReplicaSet, and orphans, of which the observer had an event by `at` that the controller handled only
    /// after that sync began.
    fn not_yet_handled(&self, at: Timestamp, next: &Sync, seen: &Seen) -> BTreeSet<String> {
        let mut handled: BTreeMap<&str, usize> = BTreeMap::new();
        for line in self.truth.handled.iter().filter(|line| line.at <= next.from) {
            *handled.entry(&line.pod).or_default() += 1;
        }
        let own = self.of_interest(at, &seen.uid);
        let behind = seen.events.iter().filter(|(pod, events)| {
            own.contains(*pod) && handled.get(pod.as_str()).is_none_or(|done| done < *events)
        });
        behind.map(|(pod, _)| pod.to_string()).chain(self.changed_between(at, next, &own)).collect()
    }

    /// What somebody changed after the question and before that sync decided, or while its creates were answered.
    fn changed_between(&self, at: Timestamp, next: &Sync, own: &BTreeSet<String>) -> BTreeSet<String> {
        let later = timed(self).filter(|(received, _)| *received > at);
        let counts = later.filter(|(received, line)| match line["resource"].as_str() {
            Some("pods") => *received <= next.from && matters(line) && own.contains(&key(&line["object"])),
            Some("resourcequotas" | "namespaces") => *received <= next.to && line["object"].is_object(),
            _ => false,
        });
        counts.map(|(_, line)| key(&line["object"])).collect()
    }

    /// Pods that were seen with this controller, or without any.
    fn of_interest(&self, at: Timestamp, uid: &Value) -> BTreeSet<String> {
        let seen = pods(self).filter(|(received, _)| *received <= at);
        let own = seen.filter(|(_, pod)| controller(pod).is_none_or(|owner| owner == uid));
        own.map(|(_, pod)| key(pod)).collect()
    }

    fn sync(&self, sync: &Sync, seen: &Seen) -> Value {
        let deleted: BTreeSet<&String> = sync.chosen.difference(&sync.failed).collect();
        let action = match (sync.gate, sync.action) {
            (_, Some(action)) => action,
            (Some("waiting" | "stale"), _) => "skipped",
            _ => "none",
        };
        json!({
            "at": sync.from.to_string(), "finishedAt": sync.to.to_string(), "gate": sync.gate, "action": action,
            "need": sync.need, "count": sync.count, "created": sync.created, "deleted": deleted,
            "chosen": sync.chosen, "released": sync.released, "adopted": self.adopted(sync, seen),
            "skippedCreates": sync.skipped, "error": sync.error, "status": sync.status,
        })
    }

    /// Pods that got this ReplicaSet as their controller while the sync ran; their events come a little later.
    fn adopted(&self, sync: &Sync, seen: &Seen) -> BTreeSet<String> {
        let mut had: BTreeMap<String, bool> = BTreeMap::new();
        let mut adopted = BTreeSet::new();
        for (received, pod) in pods(self) {
            let key = key(pod);
            let own = controller(pod).is_some_and(|owner| *owner == seen.uid);
            let before = had.insert(key.clone(), own);
            let during = received >= sync.from && received <= sync.to + SignedDuration::from_millis(200);
            if own && before == Some(false) && during {
                adopted.insert(key);
            }
        }
        adopted
    }

    /// Whether nobody leads, or the next sync is that of a later leader.
    fn is_left_to_another(&self, next: Option<Timestamp>, at: Timestamp) -> bool {
        let is_later = |start: &Timestamp| *start > at && next.is_some_and(|next| *start <= next);
        self.truth.leaderless(at).is_some() || self.truth.started.iter().any(is_later)
    }

    /// Whether the controller that waited has ended, and its lease does not tell so yet; or its log tells what it is about
    /// to lower, where the freeze came between the two.
    fn is_unknowable(&self, history: &History, at: Timestamp) -> bool {
        let lowers_next = |sync: &Sync| {
            let (since, _, _) = history.held(at);
            sync.skipped_at.is_some_and(|told| told <= at && since.is_none_or(|since| since < told))
                && at < sync.to
        };
        if history.syncs.iter().any(lowers_next) {
            return true;
        }
        self.truth.leaderless(at).is_some_and(|ended| {
            let (_, before, _) = history.held(ended - SignedDuration::from_nanos(1));
            let has_waited = before.is_some_and(|entry| entry.gate(ended) == "waiting");
            has_waited && at <= ended + LEASE
        })
    }

    /// Whether its namespace was seen to be deleted: no pod can come into it.
    fn is_terminating(&self, mark: &Mark) -> bool {
        let namespace = mark.replica_set.split('/').next().unwrap_or_default();
        let until = timed(self).filter(|(received, _)| *received <= mark.at);
        let mut lines = until.filter(|(_, line)| line["resource"] == "namespaces");
        lines.any(|(_, line)| {
            let metadata = &line["object"]["metadata"];
            metadata["name"] == namespace && metadata["deletionTimestamp"].is_string()
        })
    }

    /// Whether something was on its way: a line that comes right after, or a write of the driver's that has not come.
    fn is_edge(&self, mark: &Mark, seen: &Seen) -> bool {
        let (_, name) = mark.replica_set.split_once('/').expect("NAMESPACE/NAME");
        let soon = self.recording.iter().any(|line| {
            let matters = matters(line)
                && (line["resource"] != "replicasets.apps" || line["object"]["metadata"]["name"] == name);
            let received = time(&line["at"]);
            matters && received.is_some_and(|received| received > mark.at && received <= mark.at + EDGE)
        });
        let written =
            self.steps.iter().filter(|step| step.at <= mark.at).filter_map(|step| step.version).max();
        soon || written.is_some_and(|written| written > seen.version)
    }
}

/// What the recording shows by an instant.
#[derive(Default)]
struct Seen {
    exists: bool,
    deleting: bool,
    desired: Value,
    uid: Value,
    /// How often it was seen to be deleted.
    deletions: usize,
    /// The newest resourceVersion of pods and ReplicaSets.
    version: u64,
    /// How many events of each pod came, by NAMESPACE/NAME.
    events: BTreeMap<String, usize>,
}

impl Seen {
    fn until(run: &Run, at: Timestamp, replica_set: &str) -> Seen {
        let mut seen = Seen { events: events(run, at), ..Seen::default() };
        for (_, line) in timed(run).filter(|(received, _)| *received <= at) {
            let objects: Vec<&Value> = match line["type"].as_str() {
                Some("LIST") => list(&line["items"]).iter().collect(),
                _ => vec![&line["object"]],
            };
            if !["pods", "replicasets.apps", "replicationcontrollers"]
                .iter()
                .any(|name| line["resource"] == *name)
            {
                continue;
            }
            for object in objects {
                let version =
                    object["metadata"]["resourceVersion"].as_str().and_then(|text| text.parse().ok());
                seen.version = seen.version.max(version.unwrap_or(0));
                if line["resource"] != "pods" && line["type"] != "BOOKMARK" && key(object) == replica_set {
                    seen.take(line["type"] == "DELETED", object);
                }
            }
        }
        seen
    }

    fn take(&mut self, is_deleted: bool, object: &Value) {
        let uid = object["metadata"]["uid"].clone();
        // A second object of the name: the first one's end is implied where it was not seen.
        self.deletions += usize::from(is_deleted);
        self.exists = !is_deleted;
        self.uid = uid;
        self.deleting = !is_deleted && object["metadata"]["deletionTimestamp"].is_string();
        self.desired = match is_deleted {
            true => Value::Null,
            false => object["spec"]["replicas"].clone(),
        };
    }
}

fn key(object: &Value) -> String {
    let part = |name: &str| object["metadata"][name].as_str().unwrap_or_default();
    format!("{}/{}", part("namespace"), part("name"))
}

fn timed<'a>(run: &'a Run) -> impl Iterator<Item = (Timestamp, &'a Value)> {
    run.recording.iter().filter_map(|line| Some((time(&line["at"])?, line)))
}

/// The pods of the recording, as they came.
fn pods<'a>(run: &'a Run) -> impl Iterator<Item = (Timestamp, &'a Value)> {
    timed(run).filter(|(_, line)| line["resource"] == "pods").flat_map(|(at, line)| {
        let listed = list(&line["items"]).iter();
        let object = Some(&line["object"]).filter(|object| object.is_object() && line["type"] != "BOOKMARK");
        listed.chain(object).map(move |pod| (at, pod))
    })
}

/// How many watch events of each pod came by an instant of which the controller's handlers write a line.
fn events(run: &Run, at: Timestamp) -> BTreeMap<String, usize> {
    let replica_sets: Vec<&Value> = objects(run, &["replicasets.apps", "replicationcontrollers"]).collect();
    let mut counts = BTreeMap::new();
    let mut last: BTreeMap<String, &Value> = BTreeMap::new();
    for (_, line) in timed(run).filter(|(received, _)| *received <= at) {
        if line["resource"] == "pods" && matters(line) {
            let pod = &line["object"];
            let before = last.insert(key(pod), pod);
            if is_logged(&line["type"], before, pod, &replica_sets) {
                *counts.entry(key(pod)).or_default() += 1;
            }
        }
    }
    counts
}

/// Handlers tell of pods whose controller they know, and of orphans that came or changed and that somebody selects.
fn is_logged(kind: &Value, before: Option<&Value>, pod: &Value, replica_sets: &[&Value]) -> bool {
    if let Some(owner) = controller(pod) {
        return replica_sets.iter().any(|object| object["metadata"]["uid"] == *owner);
    }
    let same = |before: &Value| {
        before["metadata"]["labels"] == pod["metadata"]["labels"] && controller(before).is_none()
    };
    let news = kind == "ADDED" || (kind == "MODIFIED" && !before.is_some_and(same));
    let selected = |object: &&Value| {
        let selector = &object["spec"]["selector"];
        let labels = selector.get("matchLabels").unwrap_or(selector).as_object();
        labels.is_some_and(|labels| {
            labels.iter().all(|(name, value)| pod["metadata"]["labels"][name] == *value)
        })
    };
    news && pod["metadata"]["deletionTimestamp"].is_null() && replica_sets.iter().any(selected)
}

/// The objects of these resources, in every state that came.
fn objects<'a>(run: &'a Run, resources: &'a [&str]) -> impl Iterator<Item = &'a Value> {
    let lines =
        run.recording.iter().filter(move |line| resources.iter().any(|name| line["resource"] == *name));
    lines.flat_map(|line| {
        let object = Some(&line["object"]).filter(|object| object.is_object() && line["type"] != "BOOKMARK");
        list(&line["items"]).iter().chain(object)
    })
}

/// The UID of the controller of a pod.
fn controller(pod: &Value) -> Option<&Value> {
    let owner = list(&pod["metadata"]["ownerReferences"]).iter().find(|owner| owner["controller"] == true);
    owner.map(|owner| &owner["uid"])
}

fn matters(line: &Value) -> bool {
    ["ADDED", "MODIFIED", "DELETED"].iter().any(|kind| line["type"] == *kind)
        && ["pods", "replicasets.apps", "replicationcontrollers"].iter().any(|name| line["resource"] == *name)
}
