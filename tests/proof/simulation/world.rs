//! The world: one clock, one agenda, and the parties that it calls.
//!
//! Everything is one value that can be cloned, so that a question may be put to the future without
//! disturbing the present.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use rsexp::objects::{Key, LogLine, Object, Observation, Resource, What};

use crate::simulation::controller::{Controller, Outcomes, Seen};
use crate::simulation::driver::{Config, Step};
use crate::simulation::observer::Observer;
use crate::simulation::random::Random;
use crate::simulation::server::{Chore, Request, Server};

pub const NAMESPACE: &str = "sim";

pub fn key(name: &str) -> Key {
    Key::new(NAMESPACE, name)
}

pub fn start() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

/// A kind of change, as a watch names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Added,
    Modified,
    Deleted,
}

/// A change as the server made it.
#[derive(Debug, Clone)]
pub struct Change {
    pub version: u64,
    pub verb: Verb,
    pub object: Object,
}

/// Something that is due.
#[derive(Debug, Clone)]
pub enum Happening {
    /// A request of the controller reaches the server.
    Arrives(Request),
    /// Something that kubelets, the scheduler and other controllers do.
    Chore(Chore),
    /// The controller's store takes a change.
    Stores(Change),
    /// The controller's handlers run for it.
    Handles(Box<Seen>),
    /// A request got its token.
    Sends(Request),
    /// A request is answered.
    Answered(Request, Outcomes),
    /// A key may be due.
    Poll,
    /// The lease is to be renewed.
    Renews,
    /// Another incarnation leads.
    TakesOver,
    /// Controllers of the new leader begin.
    Begins,
    /// The observer receives something.
    Observes(Resource, u64, What),
    /// The observer opens a watch.
    Opens(Resource),
    /// The controller is no longer frozen.
    Thaws,
}

impl Happening {
    /// Whether it waits while the controller is frozen.
    pub fn is_controllers(&self) -> bool {
        matches!(
            self,
            Happening::Stores(_)
                | Happening::Handles(_)
                | Happening::Sends(_)
                | Happening::Answered(..)
                | Happening::Poll
                | Happening::Renews
        )
    }
}

#[derive(Debug, Clone)]
pub struct World {
    pub now: Timestamp,
    pub random: Random,
    pub config: Config,
    sequence: u64,
    pub agenda: BTreeMap<(Timestamp, u64), Happening>,
    /// What a frozen controller is kept from, in order.
    pub put_off: Vec<Happening>,
    /// The driver's steps that are still to come.
    pub steps: Vec<(Timestamp, Step)>,
    pub server: Server,
    pub controller: Controller,
    pub observer: Observer,
    /// What the observer received and was not yet taken by the judge.
    pub received: Vec<Observation>,
}

impl World {
    pub fn new(seed: u64, config: Config, mut steps: Vec<(Timestamp, Step)>) -> World {
        steps.reverse();
        let mut world = World {
            now: start(),
            random: Random::new(seed ^ 0xabcd_ef01),
            sequence: 0,
            agenda: BTreeMap::new(),
            put_off: Vec::new(),
            steps,
            server: Server::default(),
            controller: Controller::new(&config),
            observer: Observer::default(),
            received: Vec::new(),
            config,
        };
        world.found_namespace();
        world.lead();
        world
    }

    pub fn after(&mut self, delay: SignedDuration, what: Happening) {
        self.at(self.now + delay, what);
    }

    pub fn at(&mut self, when: Timestamp, what: Happening) {
        self.sequence += 1;
        self.agenda.insert((when.max(self.now), self.sequence), what);
    }

    /// Runs until this instant, and stops there.
    pub fn run_until(&mut self, end: Timestamp) {
        while self.step_before(end) {}
        self.now = end;
    }

    /// Takes one step if one is due by `end`.
    pub fn step_before(&mut self, end: Timestamp) -> bool {
        let due = self.agenda.first_key_value().map(|((at, _), _)| *at);
        let step = self.steps.last().map(|(at, _)| *at);
        if let Some(at) = step.filter(|at| *at <= end && due.is_none_or(|due| *at <= due)) {
            let Some((_, step)) = self.steps.pop() else { return false };
            self.now = self.now.max(at);
            self.drive(&step);
            return true;
        }
        if due.is_none_or(|due| due > end) {
            return false;
        }
        let Some(((at, _), what)) = self.agenda.pop_first() else { return false };
        self.now = at;
        if self.controller.frozen_until.is_some() && what.is_controllers() {
            self.put_off.push(what);
        } else {
            self.happen(what);
        }
        true
    }

    fn happen(&mut self, what: Happening) {
        match what {
            Happening::Arrives(request) => self.arrives(request),
            Happening::Chore(chore) => self.do_chore(chore),
            Happening::Stores(change) => self.stores(change),
            Happening::Handles(seen) => self.handles(*seen),
            Happening::Sends(request) => self.sends(request),
            Happening::Answered(request, outcomes) => self.answered(request, outcomes),
            Happening::Poll => self.poll(),
            Happening::Renews => self.renews(),
            Happening::TakesOver => self.takes_over(),
            Happening::Begins => self.begins(),
            Happening::Observes(resource, watch, what) => self.observes(resource, watch, what),
            Happening::Opens(resource) => self.opens(resource),
            Happening::Thaws => self.thaws(),
        }
    }

    /// The controller prints a line.
    pub fn log(&mut self, line: LogLine) {
        let observation =
            Observation { at: Some(self.now), resource: Resource::ReplicaSets, what: What::Log(line) };
        self.received.push(observation);
    }

    /// The controller stops, calls in flight and all.
    pub fn freeze(&mut self, until: Timestamp) {
        self.controller.frozen_until = self.controller.frozen_until.max(Some(until));
        self.at(until, Happening::Thaws);
    }

    /// The controller goes on with what it was kept from, in the same order.
    fn thaws(&mut self) {
        if self.controller.frozen_until.is_some_and(|until| until <= self.now) {
            self.controller.frozen_until = None;
            for what in std::mem::take(&mut self.put_off) {
                self.at(self.now, what);
            }
        }
    }

    /// The controller goes on at once, and the driver rests.
    pub fn undisturbed(&mut self) {
        self.steps.clear();
        self.controller.frozen_until = self.controller.frozen_until.map(|_| self.now);
        self.thaws();
    }
}
