//! What the next sync may read: each state of the ReplicaSet and of its pods that the controller's
//! caches may still hold, oldest first.
//!
//! The caches pass through the states that the observer saw, in the same order, each resource by
//! itself. So a proof that a sync read one state excludes all older ones for every later sync.

use std::collections::VecDeque;

use jiff::Timestamp;

use crate::model::BURST;

/// More states than this are joined, the oldest first: memory stays bounded, ranges get wider.
const LONGEST: usize = 64;

/// Lowest and highest of the values that a sync may have worked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Values {
    /// The lowest.
    pub(crate) min: i64,
    /// The highest.
    pub(crate) max: i64,
}

impl Values {
    fn hull(self, other: Values) -> Values {
        Values { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    fn contains(self, value: i64) -> bool {
        self.min <= value && value <= self.max
    }
}

/// A spec that may be read.
#[derive(Debug, Clone, Copy)]
struct Spec {
    generation: i64,
    wanted: Option<Values>,
    seen: Timestamp,
}

/// A state of the pods that may be read.
#[derive(Debug, Clone, Copy)]
struct State {
    /// Counted from the beginning of the track.
    number: u64,
    active: Values,
    /// Whether a sync that reads it adopts or releases pods first. These patches come before it
    /// sets expectations, and are seen: a round has the size that the state after them asks for.
    claims: bool,
    seen: Timestamp,
}

/// Sizes that a round can have, and the earliest instant at which it can have been due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// The smallest.
    pub(crate) least: i64,
    /// The largest.
    pub(crate) most: i64,
    /// When the observer received the state that makes it possible.
    pub(crate) since: Timestamp,
}

/// See the module.
#[derive(Debug, Clone)]
pub(crate) struct Reads {
    specs: VecDeque<Spec>,
    states: VecDeque<State>,
    /// The number of the first state that a further round can read: others can only be read by
    /// syncs that were held back.
    round_from: u64,
    /// The number of the state that the last adoption or release led to.
    claimed: u64,
    /// The number of the first state that the last sync can have read.
    read_from: u64,
    next: u64,
}

impl Reads {
    /// Only what is there now.
    pub fn new(
        generation: i64,
        wanted: Option<i64>,
        (active, claims): (Values, bool),
        at: Timestamp,
    ) -> Reads {
        let mut reads = Reads {
            specs: VecDeque::new(),
            states: VecDeque::new(),
            round_from: 0,
            claimed: 0,
            read_from: 0,
            next: 0,
        };
        reads.spec(generation, wanted, at);
        reads.state(active, claims, at);
        reads
    }

    /// The observer received this spec.
    /// None is wanted of one that is being deleted: its syncs create and delete nothing.
    pub(crate) fn spec(&mut self, generation: i64, wanted: Option<i64>, seen: Timestamp) {
        let wanted = wanted.map(|wanted| Values { min: wanted, max: wanted });
        if self.specs.back().is_some_and(|spec| spec.generation == generation && spec.wanted == wanted) {
            return;
        }
        self.specs.push_back(Spec { generation, wanted, seen });
        if self.specs.len() > LONGEST
            && let (Some(first), Some(second)) = (self.specs.pop_front(), self.specs.front_mut())
        {
            second.wanted = match (first.wanted, second.wanted) {
                (Some(first), Some(second)) => Some(second.hull(first)),
                (first, second) => second.or(first),
            };
            second.seen = first.seen;
        }
    }

    /// The most pods that a generation of the spec asks for, if it is among those kept.
    pub(crate) fn wanted(&self, generation: i64) -> Option<i64> {
        self.specs
            .iter()
            .rev()
            .find(|spec| spec.generation == generation)
            .and_then(|spec| spec.wanted)
            .map(|wanted| wanted.max)
    }

    /// The observer received pods of which so many are active; returns the number of this state.
    pub(crate) fn state(&mut self, active: Values, claims: bool, seen: Timestamp) -> u64 {
        let same = |state: &&State| state.active == active && state.claims == claims;
        if let Some(state) = self.states.back().filter(same) {
            return state.number;
        }
        let number = self.next;
        self.next += 1;
        self.states.push_back(State { number, active, claims, seen });
        if self.states.len() > LONGEST
            && let (Some(first), Some(second)) = (self.states.pop_front(), self.states.front_mut())
            && first.number >= self.round_from
        {
            second.active = second.active.hull(first.active);
            second.claims &= first.claims;
            second.seen = first.seen;
        }
        number
    }

    /// An adoption or a release was seen, which leads to the next state.
    pub fn claimed(&mut self) {
        self.claimed = self.next;
    }

    /// The number of the newest state.
    pub(crate) fn newest(&self) -> u64 {
        self.states.back().map_or(0, |state| state.number)
    }

    /// The first state that a further round can read.
    pub(crate) fn round_from(&self) -> u64 {
        self.states.front().map_or(self.round_from, |state| state.number.max(self.round_from))
    }

    /// Further rounds read this state of the pods or a later one.
    pub(crate) fn rounds_from(&mut self, number: u64) {
        self.round_from = self.round_from.max(number.min(self.newest()));
    }

    /// Further syncs read the newest spec.
    pub(crate) fn newest_spec_only(&mut self) {
        let newest = self.specs.pop_back();
        self.specs.clear();
        self.specs.extend(newest);
    }

    /// A sync deleted pods: it read a spec that asks for that, and further syncs read the same or a
    /// later one.
    pub(crate) fn deleted(&mut self, before: u64) {
        let read = self.states.iter().filter(|s| s.number >= self.round_from && s.number < before);
        let Some(most_active) = read.map(|state| state.active.max).max() else { return };
        while self.specs.len() > 1
            && self
                .specs
                .front()
                .is_some_and(|spec| spec.wanted.is_none_or(|wanted| wanted.min >= most_active))
        {
            self.specs.pop_front();
        }
    }

    /// The first state in which a sync counts so many pods: one that did read it or a later one,
    /// if it did not read one that is older than all that are kept. Asked in the order of the
    /// syncs, since none reads an older state than the one before.
    pub(crate) fn first_with(&mut self, replicas: i64) -> Option<u64> {
        let counts = |state: &&State| {
            // A sync that cannot adopt what it should ends without a status.
            if state.claims { state.active.max == replicas } else { state.active.contains(replicas) }
        };
        let mut states = self.states.iter().filter(|state| state.number >= self.read_from);
        let number = states.find(counts).map(|state| state.number)?;
        self.read_from = number;
        Some(number)
    }

    /// A sync ended that read this generation, and this state of the pods or a later one.
    pub(crate) fn synced(&mut self, generation: i64, number: Option<u64>) {
        while self.specs.len() > 1 && self.specs.front().is_some_and(|spec| spec.generation < generation) {
            self.specs.pop_front();
        }
        let Some(number) = number else { return };
        while self.states.len() > 1 && self.states.front().is_some_and(|state| state.number < number) {
            self.states.pop_front();
        }
    }

    /// Sizes that a further create round can have; None if none is due in any state.
    pub(crate) fn creates(&self) -> Option<Sizes> {
        self.sizes(|wanted, active| (wanted.min - active.max, wanted.max - active.min), u64::MAX)
    }

    /// Sizes that a further delete round can have; None if none is due in any state.
    pub(crate) fn deletes(&self) -> Option<Sizes> {
        self.deletes_before(u64::MAX)
    }

    /// The same, of a round that read a state older than this one.
    pub(crate) fn deletes_before(&self, number: u64) -> Option<Sizes> {
        self.sizes(|wanted, active| (active.min - wanted.max, active.max - wanted.min), number)
    }

    /// `due` gives the lowest and highest number of calls that one spec and one state ask for.
    fn sizes(&self, due: impl Fn(Values, Values) -> (i64, i64), before: u64) -> Option<Sizes> {
        let burst = BURST as i64;
        // The patches of a claim are seen: where none was since, no sync got past its claims.
        let states = self.states.iter().filter(|state| {
            state.number >= self.round_from
                && state.number < before
                && (!state.claims || state.number < self.claimed)
        });
        let mut sizes: Option<Sizes> = None;
        for state in states {
            // A sync that cannot adopt what it should goes no further.
            let adopted = Values { min: state.active.max, max: state.active.max };
            let active = if state.claims { adopted } else { state.active };
            for spec in &self.specs {
                let Some(wanted) = spec.wanted else { continue };
                let (low, high) = due(wanted, active);
                if high < 1 {
                    continue;
                }
                let (least, most) = (low.clamp(1, burst), high.min(burst));
                let since = spec.seen.max(state.seen);
                sizes = Some(sizes.map_or(Sizes { least, most, since }, |sizes| Sizes {
                    least: sizes.least.min(least),
                    most: sizes.most.max(most),
                    since: sizes.since.min(since),
                }));
            }
        }
        sizes
    }
}
