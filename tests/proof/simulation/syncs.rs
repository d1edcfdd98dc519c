//! The workers of the simulated controller: each drives a sync of the pure model through its calls.

use jiff::{SignedDuration, Timestamp};
use rsexp::model::claim::Claim;
use rsexp::model::effect::Effect;
use rsexp::model::expectations::Gate;
use rsexp::model::scale_down::Interval;
use rsexp::model::sync::{
    Action, Call, CallErrorKind, End, Inputs, LiveOwner, Next, Response, Sync, SyncStep,
};
use rsexp::objects::log_line::Step as Found;
use rsexp::objects::{Key, LogLine, ReplicaSet, Resource};

use crate::simulation::controller::{KIND, Outcomes};
use crate::simulation::server::{Admission, Ask, Request};
use crate::simulation::world::{Happening, World};

const WORKERS: usize = 5;

/// What a sync did.
#[derive(Debug, Clone, PartialEq)]
pub enum Did {
    Nothing,
    Skipped,
    Create(usize),
    Delete(usize),
}

/// A sync, as it is told afterwards.
#[derive(Debug, Clone)]
pub struct Record {
    pub key: Key,
    pub ended: Option<Timestamp>,
    pub stale: bool,
    pub gate: Gate,
    /// spec.replicas as it read it; None if the ReplicaSet was gone.
    pub need: Option<i32>,
    pub did: Did,
    pub created: usize,
    pub chosen: Vec<String>,
    pub adopted: Vec<String>,
    pub released: Vec<String>,
    pub claim_failed: bool,
    pub error: Option<String>,
    /// The versions of pods and ReplicaSets up to which the handlers had run.
    pub handled: (u64, u64),
    /// The version of the last change of pods and quotas at the server when it began.
    pub server: (u64, u64),
}

#[derive(Debug, Clone)]
pub struct Running {
    sync: Sync,
    call: Call,
    answers: Vec<Option<Outcomes>>,
    owner: Option<ReplicaSet>,
    /// The version that a status write is for.
    version: String,
    /// Its number in the list of syncs.
    number: usize,
}

impl World {
    /// Workers take what is due.
    pub fn poll(&mut self) {
        if !self.controller.leads {
            return;
        }
        let mut due: Vec<(Timestamp, Key)> = self
            .controller
            .keys
            .iter()
            .filter_map(|key| Some((self.controller.queue.due(key)?, key.clone())))
            .filter(|(due, _)| *due <= self.now)
            .collect();
        due.sort();
        for (_, key) in due {
            if self.controller.running.len() >= WORKERS {
                return;
            }
            if self.controller.queue.take(&key, self.now) {
                self.start_sync(&key);
            }
        }
    }

    fn start_sync(&mut self, key: &Key) {
        let controller = &mut self.controller;
        let stale = match controller.profile.stale_guard {
            true => controller.stale_guard.check(key, &controller.read).err(),
            false => None,
        };
        let owner = controller.cache.replica_set(KIND, key).map(|rs| ReplicaSet::clone(rs));
        let gate = controller.expectations.gate(key, self.now);
        let handled = |resource| controller.handled.get(&resource).copied().unwrap_or(0);
        let changed = |resource| self.server.changed.get(&resource).copied().unwrap_or(0);
        let record = Record {
            handled: (handled(Resource::Pods), handled(Resource::ReplicaSets)),
            server: (changed(Resource::Pods), changed(Resource::Quotas)),
            key: key.clone(),
            ended: None,
            stale: stale.is_some(),
            gate,
            need: owner.as_ref().map(|rs| rs.replicas),
            did: Did::Nothing,
            created: 0,
            chosen: Vec::new(),
            adopted: Vec::new(),
            released: Vec::new(),
            claim_failed: false,
            error: None,
        };
        controller.syncs.push(record);
        let inputs = Inputs {
            kind: KIND,
            key: key.clone(),
            gate,
            stale: stale.as_ref().map(|stale| stale.resource.as_str().to_owned()),
            during: Interval::exactly(self.now),
            profile: controller.profile,
        };
        let (sync, step) = Sync::start(inputs, &controller.cache);
        let number = controller.syncs.len() - 1;
        let version = owner.as_ref().map(|rs| rs.meta.resource_version.clone()).unwrap_or_default();
        let found = owner.is_some();
        let running = Running { sync, call: Call::Live, answers: Vec::new(), owner, version, number };
        controller.running.insert(key.clone(), running);
        match (&stale, found) {
            (Some(_), _) => {}
            (None, true) => self.log_gate(key, gate),
            (None, false) => self.log(LogLine::Dropped { key: key.clone() }),
        }
        self.advance(key, step);
        if let Some(stale) = stale {
            let line = LogLine::Stale {
                key: key.clone(),
                resource: stale.resource.as_str().into(),
                read: stale.read,
                written: stale.written,
            };
            self.log(line);
        }
    }

    fn log_gate(&mut self, key: &Key, gate: Gate) {
        let step = match gate {
            Gate::None => return self.log(LogLine::NeverRecorded { key: key.clone() }),
            Gate::Fulfilled => Found::Fulfilled,
            Gate::Waiting => Found::Waiting,
            Gate::Expired => Found::Expired,
        };
        self.log(LogLine::Expectations { step, entry: None, by_handler: None });
    }

    fn record_of(&mut self, key: &Key) -> &mut Record {
        let number = self.controller.running[key].number;
        &mut self.controller.syncs[number]
    }

    fn advance(&mut self, key: &Key, step: SyncStep) {
        let need = self.record_of(key).need.map_or(0, i64::from);
        for effect in &step.effects {
            match effect {
                Effect::ExpectCreations { key, count } => {
                    self.apply(effect, false);
                    self.log(LogLine::Creates { key: key.clone(), need, count: *count });
                    continue;
                }
                Effect::ExpectDeletions { key, pods } => {
                    self.log(LogLine::Deletes { key: key.clone(), need, count: pods.len() as i64 });
                }
                Effect::CreationObserved { key, count } => {
                    self.log(LogLine::SkippedCreates { key: key.clone(), count: *count });
                }
                _ => {}
            }
            self.apply(effect, false);
        }
        match step.next {
            Next::Call(call) => self.issue(key, call),
            Next::End(end) => self.finish(key, end),
        }
    }

    fn issue(&mut self, key: &Key, call: Call) {
        let running = self.controller.running.get_mut(key).unwrap();
        running.call = call.clone();
        let owner = running.owner.clone().unwrap();
        let version = running.version.clone();
        let asks: Vec<Ask> = match call {
            Call::Live => vec![Ask::Live(owner.meta.uid.clone())],
            Call::Patch(patches) => {
                patches.iter().map(|patch| Ask::Patch(Box::new((*patch.pod).clone()), patch.claim)).collect()
            }
            Call::Create(count) => {
                let total = match running.sync.action() {
                    Some(Action::Create(total)) => total,
                    _ => count,
                };
                self.record_of(key).did = Did::Create(total);
                vec![Ask::Create(Box::new(owner), Admission::Passes); count]
            }
            Call::Pick(choice, count) => {
                let possible = choice.possible.iter().map(|candidate| candidate.pod.meta.key()).collect();
                let picked = self.random.some(possible, count);
                return self.resume(key, Response::Picked(picked));
            }
            Call::Delete(pods) => {
                let record = self.record_of(key);
                record.did = Did::Delete(pods.len());
                record.chosen = pods.iter().map(|pod| pod.name.clone()).collect();
                for pod in &pods {
                    self.log(LogLine::DeletingPod { owner: key.name.clone(), pod: pod.clone() });
                }
                pods.into_iter().map(Ask::Delete).collect()
            }
            Call::UpdateStatus(status) => {
                let line = LogLine::WritesStatus {
                    key: key.clone(),
                    old: owner.status.replicas.into(),
                    new: status.replicas.into(),
                    need: owner.replicas.into(),
                    ready: status.ready.into(),
                    available: status.available.into(),
                    generation: status.observed_generation,
                };
                self.log(line);
                vec![Ask::Status(status, version)]
            }
            Call::Refetch => vec![Ask::Refetch],
        };
        self.controller.running.get_mut(key).unwrap().answers = vec![None; asks.len()];
        for (index, ask) in asks.into_iter().enumerate() {
            self.ask(key, index, ask);
        }
    }

    /// A call is answered.
    pub fn answered(&mut self, request: Request, outcomes: Outcomes) {
        if request.incarnation != self.controller.incarnation {
            return;
        }
        if matches!(request.ask, Ask::Event(_)) {
            return self.event_sent();
        }
        let key = request.key.clone();
        self.note_answer(&key, &request, &outcomes);
        let Some(running) = self.controller.running.get_mut(&key) else { return };
        running.answers[request.index] = Some(outcomes);
        if running.answers.iter().any(Option::is_none) {
            return;
        }
        let answers: Vec<Outcomes> = running.answers.drain(..).flatten().collect();
        let answer = match &answers[0] {
            Outcomes::Live(true) => Response::Live(LiveOwner::Same),
            Outcomes::Live(false) => Response::Live(LiveOwner::NoLongerOwner),
            _ => Response::Outcomes(
                answers
                    .iter()
                    .map(|outcomes| match outcomes {
                        Outcomes::One(outcome) => outcome.clone(),
                        _ => Ok(()),
                    })
                    .collect(),
            ),
        };
        self.resume(&key, answer);
    }

    fn resume(&mut self, key: &Key, answer: Response) {
        let controller = &mut self.controller;
        let Some(running) = controller.running.get_mut(key) else { return };
        let step = running.sync.resume(answer, &controller.cache);
        self.advance(key, step);
    }

    /// What the controller does with each answer by itself: records, lines, events.
    fn note_answer(&mut self, key: &Key, request: &Request, outcomes: &Outcomes) {
        let Some(running) = self.controller.running.get_mut(key) else { return };
        let Some(owner) = running.owner.clone() else { return };
        let uid = owner.meta.uid.clone();
        match (&request.ask, outcomes) {
            (Ask::Create(..), Outcomes::Created(pod, version)) => {
                self.controller.stale_guard.wrote(key, &uid, Resource::Pods, version);
                self.record_of(key).created += 1;
                self.log(LogLine::CreatedPod { owner: key.name.clone(), pod: pod.clone() });
                self.record(&owner, "SuccessfulCreate", &format!("Created pod: {}", pod.name));
            }
            (Ask::Create(..), Outcomes::One(Err(error)))
                if error.kind != CallErrorKind::NamespaceTerminating =>
            {
                self.controller.refused_unseen.insert(key.clone());
                self.record(&owner, "FailedCreate", &format!("Error creating: {}", error.message));
            }
            (Ask::Delete(pod), Outcomes::One(Ok(()))) => {
                self.record(&owner, "SuccessfulDelete", &format!("Deleted pod: {}", pod.name));
            }
            (Ask::Patch(pod, claim), Outcomes::Version(version)) => {
                let name = pod.meta.name.clone();
                if *claim == Claim::Adopt {
                    self.controller.stale_guard.wrote(key, &uid, Resource::Pods, version);
                    self.record_of(key).adopted.push(name);
                } else {
                    self.record_of(key).released.push(name);
                }
            }
            (Ask::Status(..), Outcomes::Version(version)) => {
                self.controller.stale_guard.wrote(key, &uid, Resource::ReplicaSets, version);
            }
            (Ask::Refetch, Outcomes::Version(version)) => running.version = version.clone(),
            _ => {}
        }
    }

    fn finish(&mut self, key: &Key, end: End) {
        let Some(running) = self.controller.running.remove(key) else { return };
        let now = self.now;
        let record = &mut self.controller.syncs[running.number];
        record.ended = Some(now);
        record.error = end.error.clone();
        record.claim_failed = running.sync.action().is_none() && end.error.is_some() && !record.stale;
        let stale = record.stale;
        let waits = record.gate == Gate::Waiting && running.sync.action().is_some();
        if waits && record.did == Did::Nothing {
            record.did = Did::Skipped;
        }
        self.log(LogLine::Finished { kind: "ReplicaSet".into(), key: key.clone() });
        self.controller.queue.done(key);
        match end.error {
            Some(error) => {
                if !stale {
                    self.log(LogLine::SyncFailed { key: key.clone(), error });
                }
                let delay = self.controller.queue.add_rate_limited(key, now);
                self.after(delay, Happening::Poll);
            }
            None => {
                self.controller.queue.forget(key);
                if let Some(after) = end.requeue_after {
                    self.enqueue(key, after);
                }
            }
        }
        self.after(SignedDuration::ZERO, Happening::Poll);
    }
}
