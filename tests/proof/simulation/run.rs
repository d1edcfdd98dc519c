//! Runs a scenario: the world goes on, the reconstruction watches, and is asked.

use std::collections::BTreeSet;

use jiff::Timestamp;
use rsexp::objects::{LogLine, Object, Observation, Resource, What};
use rsexp::reconstruct::Reconstruction;
use rsexp::reconstruct::answer::{Answer, Question};

use crate::simulation::controller::KIND;
use crate::simulation::driver::Scenario;
use crate::simulation::judge::{Fault, Tally, judge, truth};
use crate::simulation::random::Random;
use crate::simulation::world::{World, key, start};

/// What the reconstruction is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Given {
    /// What the API shows.
    Api,
    /// The log at -v=4 too.
    Detailed,
    /// The log at -v=2 too.
    Brief,
}

pub const GIVEN: [Given; 3] = [Given::Api, Given::Detailed, Given::Brief];

impl Given {
    fn takes(self, line: &LogLine) -> bool {
        match self {
            Given::Api => false,
            Given::Detailed => true,
            Given::Brief => {
                !line.is_detailed() && !matches!(line, LogLine::Finished { .. } | LogLine::Event { .. })
            }
        }
    }
}

/// A fault, with what was seen before it.
pub struct Failure {
    pub given: Given,
    pub name: &'static str,
    pub at: Timestamp,
    pub fault: Fault,
    pub story: Vec<String>,
    pub answer: String,
}

/// Runs to the end, or until each of those who were asked has failed once.
pub fn run(scenario: &Scenario, given: &[Given], tallies: &mut [Tally; 3]) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut world = World::new(scenario.noise, scenario.config.clone(), scenario.steps.clone());
    let mut random = Random::new(scenario.noise ^ 0x1357);
    let mut watchers: Vec<(Given, Reconstruction)> =
        given.iter().map(|given| (*given, Reconstruction::new(Some(scenario.config.version)))).collect();
    let mut asks: BTreeSet<Timestamp> = scenario.asks.iter().copied().collect();
    let mut story = Vec::new();
    let mut extra = 40;
    let mut opened = false;
    while let Some(at) = asks.pop_first().filter(|_| failures.len() < given.len()) {
        loop {
            let more = world.step_before(at);
            for observation in std::mem::take(&mut world.received) {
                let is_log = matches!(observation.what, What::Log(_));
                opened |= !is_log;
                if is_log && !opened && !scenario.config.whole_log {
                    continue;
                }
                story.push(told(&observation));
                let matters = !is_log && !matches!(observation.resource, Resource::Leases);
                if matters && extra > 0 && random.percent(6) {
                    extra -= 1;
                    asks.insert(world.now + random.micros(100, 40_000));
                }
                for (given, watcher) in &mut watchers {
                    match &observation.what {
                        What::Log(line) if !given.takes(line) => {}
                        _ => watcher.observe(observation.clone()),
                    }
                }
            }
            if !more {
                break;
            }
            // An instant that came up just now may lie before the next one.
            if asks.first().is_some_and(|first| *first < at) {
                break;
            }
        }
        let sooner = asks.first().is_some_and(|first| *first < at);
        if sooner {
            asks.insert(at);
            continue;
        }
        world.now = at;
        if !opened {
            continue;
        }
        for name in ["a", "b", "c"] {
            let asked = key(name);
            let Some(truth) = truth(&world, &asked) else { continue };
            watchers.retain(|(given, watcher)| {
                let answer = watcher.answer(&(KIND, key(name)), at, &Question::default());
                let Some(fault) = judge(&answer, &truth, &mut tallies[*given as usize]) else { return true };
                let (answer, story) = (summary(&answer), story.clone());
                failures.push(Failure { given: *given, name, at, fault, story, answer });
                false
            });
        }
    }
    failures
}

fn summary(answer: &Answer) -> String {
    let plan = answer.plan.as_ref().map(|plan| (plan.action, plan.diff));
    format!(
        "{:?}, gate {:?}, open {:?}, held {:?}, running {:?}, plan {plan:?}, {:#?}",
        answer.verdict, answer.gate, answer.open, answer.held, answer.running, answer.reasons
    )
}

/// Seconds since the start.
pub fn seconds(at: Timestamp) -> String {
    format!("{:9.4}", at.duration_since(start()).as_secs_f64())
}

fn told(observation: &Observation) -> String {
    let when = observation.at.map(seconds).unwrap_or_default();
    let what = match &observation.what {
        What::List { resource_version, items } => {
            let names: Vec<&str> = items.iter().map(|object| object.meta().name.as_str()).collect();
            format!("LIST v{resource_version} {names:?}")
        }
        What::Added(object) => format!("ADDED {}", object_told(object)),
        What::Modified(object) => format!("MODIFIED {}", object_told(object)),
        What::Deleted(object) => format!("DELETED {}", object_told(object)),
        What::Log(line) => format!("    log {line:?}"),
        other => format!("{other:?}"),
    };
    format!("{when} {} {what}", observation.resource.as_str())
}

fn object_told(object: &Object) -> String {
    let meta = object.meta();
    let name = format!("{} v{}", meta.name, meta.resource_version);
    match object {
        Object::Pod(pod) => {
            let owner = pod.controller().map_or("-", |owner| owner.name.as_str());
            let deleted = if meta.deleted.is_some() { " terminating" } else { "" };
            let app = meta.labels.get("app").unwrap_or("");
            format!("{name} owner {owner} app {app} {:?}{deleted}", pod.phase)
        }
        Object::ReplicaSet(rs) => {
            let status = &rs.status;
            let failure = status.failure().map_or("", |_| " FAILURE");
            let deleted = if meta.deleted.is_some() { " terminating" } else { "" };
            format!(
                "{name} uid {} gen {} wants {} has {} seen {}{failure}{deleted}",
                meta.uid, meta.generation, rs.replicas, status.replicas, status.observed_generation
            )
        }
        Object::Event(event) => format!("{name} {} x{} {}", event.reason, event.count, event.message),
        Object::Lease(lease) => format!("{name} {}", lease.holder),
        Object::Quota(quota) => format!("{name} {:?} of {:?}", quota.used, quota.hard),
        Object::Namespace(namespace) => format!("{name} terminating {}", namespace.terminating),
        _ => name,
    }
}
