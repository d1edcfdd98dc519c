//! Compares what was said of a ReplicaSet with what its first sync did, field by field.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::round::Round;
use super::rows::{Outcome, Outcome::*};
use super::state::State;
use crate::control_plane::truth::Sync;
use crate::traces::judge::inside;
use crate::traces::trace::list;

/// What a first sync did.
pub struct Real<'a> {
    pub sync: &'a Sync,
    pub adopted: BTreeSet<String>,
    pub desired: Value,
    pub deleting: bool,
    /// Whether an earlier status says that creates are refused, which is no longer so.
    pub was_refused: bool,
    pub name: String,
}

/// One thing said: about which mechanism, how it came out, and what is wrong.
pub struct Said {
    pub mechanism: String,
    pub outcome: Outcome,
    pub what: String,
}

impl<'a> Real<'a> {
    pub fn of(round: &'a Round, name: &str) -> Real<'a> {
        let sync = &round.truth.of[&format!("{}/{name}", round.namespace)].syncs[0];
        let object = round.replica_set(name);
        Real {
            sync,
            adopted: adopted(round, name, sync),
            desired: object["spec"]["replicas"].clone(),
            deleting: object["metadata"]["deletionTimestamp"].is_string(),
            was_refused: !list(&object["status"]["conditions"]).is_empty(),
            name: name.to_owned(),
        }
    }

    /// Whether a sync of a sibling may have changed what this one saw: the pods that both select, or the related pods
    /// that it counts to choose victims.
    pub fn is_disturbed(&self, round: &Round, state: &State) -> bool {
        let chooses = !self.sync.chosen.is_empty();
        state.names().filter(|name| *name != self.name).any(|name| {
            let history = &round.truth.of[&format!("{}/{name}", round.namespace)];
            let mut before = history.syncs.iter().filter(|sync| sync.from < self.sync.to);
            before.any(|sync| match state.overlap {
                true => changes(sync) || !adopted(round, name, sync).is_empty(),
                false => state.shared && chooses && !sync.chosen.is_empty(),
            })
        })
    }

    /// All that an answer says, and how right it is.
    pub fn judge(&self, report: &Value) -> Vec<Said> {
        let mut said = vec![self.verdict(report), self.gate(report)];
        said.extend(self.plan(report, &report["plan"]));
        let first = &report["syncs"][0];
        if first.is_object() && first["gate"] != "waiting" {
            said.extend(self.plan(report, &first["plan"]));
        }
        said
    }

    fn action(&self) -> &'static str {
        self.sync.action.unwrap_or("none")
    }

    fn verdict(&self, report: &Value) -> Said {
        let moved = !self.adopted.is_empty() || !self.sync.released.is_empty() || self.action() != "none";
        let fitting = match self.sync.error.is_some() || self.deleting || self.was_refused {
            true => ["blocked", if moved { "act" } else { "settled" }],
            false => [if moved { "act" } else { "settled" }; 2],
        };
        let said = report["verdict"].as_str().unwrap();
        let outcome = Outcome::of(said == "undetermined", fitting.contains(&said));
        let why: Vec<&Value> = list(&report["reasons"]).iter().map(|reason| &reason["code"]).collect();
        Said::of("verdict", outcome, || format!("{said} {why:?} and not {fitting:?}"))
    }

    /// A controller that has just started awaits nothing.
    fn gate(&self, report: &Value) -> Said {
        let said = &report["expectations"];
        let is_open = said["gate"] == "none" || said["gate"] == "fulfilled";
        let holds = inside(&said["add"], 0) && inside(&said["del"], 0);
        let outcome = match said["gate"] == "undetermined" {
            true if holds => Undetermined,
            _ => Outcome::of(false, is_open && holds),
        };
        Said::of("gate", outcome, || format!("{said}"))
    }

    fn plan(&self, report: &Value, plan: &Value) -> Vec<Said> {
        let sync = self.sync;
        let is_open = plan["action"].is_null();
        let mut said = Vec::new();
        let mut same = |mechanism: &str, what: &str, planned: Value, real: Value| {
            let outcome = Outcome::of(is_open, planned == real);
            said.push(Said::of(mechanism, outcome, || format!("{what} {planned} and not {real}")));
        };
        let real = (self.action(), sync.count.unwrap_or(0));
        same("plan", "action and count", json!((&plan["action"], &plan["count"])), json!(real));
        same("plan", "desired", report["desired"].clone(), self.desired.clone());
        if let (Some(active), Some(need)) = (status_field(sync, "replicas"), self.desired.as_i64()) {
            same("plan", "active", report["active"].clone(), json!(active));
            same("plan", "diff", report["diff"].clone(), json!(active - need));
        }
        let created = sync.created.len();
        if created > 0 || plan["create"]["created"] != 0 {
            same("creation", "created", plan["create"]["created"].clone(), json!(created));
        }
        let mut claims = |mechanism: &str, planned: &Value, real: &BTreeSet<String>| {
            let real: BTreeSet<&str> = real.iter().map(|pod| short(pod)).collect();
            if !real.is_empty() || !list(planned).is_empty() {
                same(mechanism, mechanism, planned.clone(), json!(real));
            }
        };
        claims("adoption", &plan["adopt"], &self.adopted);
        claims("release", &plan["release"], &sync.released);
        if sync.action == Some("delete") && !is_open {
            said.extend(self.victims(&plan["delete"]));
        }
        said.push(self.status(plan));
        said
    }

    /// By the rule that decided about a pod.
    fn victims(&self, plan: &Value) -> Vec<Said> {
        let mut rules: BTreeMap<String, (Outcome, Vec<String>)> = BTreeMap::new();
        let mut seen = 0;
        for fate in ["certain", "possible", "safe"] {
            for pod in list(&plan[fate]) {
                let name = pod["pod"].as_str().unwrap();
                let goes = self.sync.chosen.iter().any(|key| short(key) == name);
                seen += usize::from(goes && fate != "safe");
                let outcome = match fate {
                    "possible" => Undetermined,
                    "certain" => Outcome::of(false, goes),
                    _ => Outcome::of(false, !goes),
                };
                let rule = format!("victims: {}", pod["rule"].as_str().unwrap());
                let of_rule = rules.entry(rule).or_insert((Right, Vec::new()));
                of_rule.0 = of_rule.0.max(outcome);
                if outcome == Wrong {
                    of_rule.1.push(format!("{name} is {fate}, but {}", if goes { "goes" } else { "stays" }));
                }
            }
        }
        let mut said: Vec<Said> = rules
            .into_iter()
            .map(|(mechanism, (outcome, wrong))| Said { mechanism, outcome, what: wrong.join(", ") })
            .collect();
        if seen < self.sync.chosen.len() {
            let what = format!("of {:?} only {seen} are named", self.sync.chosen);
            said.push(Said { mechanism: "victims: not named".into(), outcome: Wrong, what });
        }
        said
    }

    fn status(&self, plan: &Value) -> Said {
        let (planned, real) = (&plan["status"], self.sync.status.as_deref());
        if planned.is_null() {
            return Said::of("status", Outcome::of(plan["action"].is_null(), real.is_none()), || {
                format!("none, but {real:?}")
            });
        }
        let Some(text) = real else {
            return Said::of("status", Outcome::of(false, planned["write"] == false), || {
                format!("{planned} though none was written")
            });
        };
        let fields = [
            "replicas",
            "fullyLabeledReplicas",
            "readyReplicas",
            "availableReplicas",
            "terminatingReplicas",
            "observedGeneration",
        ];
        let wrong: Vec<&str> = fields
            .into_iter()
            .filter(|field| planned[*field].as_i64() != status_field(self.sync, field))
            .collect();
        let right = wrong.is_empty() && planned["write"] == true && list(&planned["conditions"]).is_empty();
        Said::of("status", Outcome::of(false, right), || format!("{planned} and not {text}: {wrong:?}"))
    }
}

impl Said {
    fn of(mechanism: &str, outcome: Outcome, what: impl FnOnce() -> String) -> Said {
        let what = if outcome == Wrong { what() } else { String::new() };
        Said { mechanism: mechanism.to_owned(), outcome, what }
    }
}

fn changes(sync: &Sync) -> bool {
    [&sync.created, &sync.chosen, &sync.released].iter().any(|pods| !pods.is_empty())
}

/// What a line such as `replicas 0->3 (need 5), ..., sequence No: 1->1` says was written.
fn status_field(sync: &Sync, field: &str) -> Option<i64> {
    let name = if field == "observedGeneration" { "sequence No:" } else { field };
    let parts = sync.status.as_deref()?.split(", ");
    let value = parts.filter_map(|part| part.strip_prefix(name)).find_map(|rest| rest.split_once("->"))?.1;
    value.split_whitespace().next()?.parse().ok()
}

/// Pods that a sync adopted: those that the controller patched meanwhile and that then were its own.
fn adopted(round: &Round, name: &str, sync: &Sync) -> BTreeSet<String> {
    let uid = &round.replica_set(name)["metadata"]["uid"];
    let owns = |pod: &Value| {
        let mut owners = list(&pod["metadata"]["ownerReferences"]).iter();
        owners.any(|owner| owner["controller"] == true && owner["uid"] == *uid)
    };
    let is_pod = |line: &&Value| line["resource"] == "pods" && line["type"] == "MODIFIED";
    let lines = round.recording.iter().filter(is_pod).filter(|line| owns(&line["object"]));
    let own: BTreeSet<&str> =
        lines.map(|line| line["object"]["metadata"]["name"].as_str().unwrap()).collect();
    let during = round.patches.iter().filter(|(_, at)| *at >= sync.from && *at <= sync.to);
    let patched = during.map(|(pod, _)| pod).filter(|pod| own.contains(pod.as_str()));
    patched.filter(|pod| !sync.released.iter().any(|key| short(key) == *pod)).cloned().collect()
}

fn short(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or(key)
}
