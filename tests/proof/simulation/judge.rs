//! Judges an answer by what is true in the world, and by what the controller does next.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use jiff::SignedDuration;
use rsexp::model::expectations::{Entry, Gate};
use rsexp::model::sync::Action;
use rsexp::objects::{Key, Resource};
use rsexp::reconstruct::answer::Answer;
use rsexp::reconstruct::range::Range;
use rsexp::reconstruct::verdict::Verdict;

use crate::simulation::controller::version_of;
use crate::simulation::server::Admission;
use crate::simulation::syncs::{Did, Record};
use crate::simulation::world::World;

/// A recording lags by so much: near a change either value is fair.
const NEAR: SignedDuration = SignedDuration::from_millis(50);
/// Just before something arrives at the observer nothing is judged.
const EDGE: SignedDuration = SignedDuration::from_millis(10);
/// For so long the future is looked at.
const HORIZON: SignedDuration = SignedDuration::from_secs(20);

/// What is wrong: a word for its kind, and the figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub kind: &'static str,
    pub text: String,
}

/// What is true at one instant, and what follows: the latter is found only if it is asked for.
pub struct Truth<'w> {
    world: &'w World,
    key: &'w Key,
    pub entry: Option<Entry>,
    pub gate: Gate,
    pub caught_up: (Option<Entry>, Vec<Key>, Gate),
    near: OnceCell<bool>,
    /// Whether a sync of this ReplicaSet is under way.
    running: bool,
    /// Whether verdicts can be judged: the observer has what the server has.
    settled_view: bool,
    future: OnceCell<Future>,
    alive: bool,
    /// Whether no webhook refuses any more.
    lifted: bool,
}

/// What happens without further steps of the driver.
#[derive(Debug, Clone, Default)]
struct Future {
    stale: bool,
    next: Option<Record>,
    quiet: SignedDuration,
    /// The next sync read less than the observer had.
    older: bool,
    /// Pods or quotas changed before it began.
    changed: bool,
}

/// The truth, unless nobody could know at this instant.
pub fn truth<'w>(world: &'w World, key: &'w Key) -> Option<Truth<'w>> {
    let now = world.now;
    let matters = [Resource::Pods, Resource::ReplicaSets, Resource::Namespaces];
    let edge = world
        .under_way()
        .any(|(at, resource, _)| matters.contains(&resource) && at.duration_since(now) <= EDGE);
    // What the controller has lost is not known before another leads, and its lease was seen.
    let unseen = |(_, resource, what): (_, Resource, &_)| {
        resource == Resource::Leases && version_of(what) <= world.controller.takeover
    };
    let lost = !world.controller.leads || world.under_way().any(unseen);
    // A refusal is told by an event or a status, which wait for the client's tokens.
    let refused = world.controller.refused_unseen.contains(key);
    if edge || lost || refused || world.ahead() || world.unlisted() {
        return None;
    }
    let held =
        |(_, resource, _): (_, Resource, _)| resource != Resource::Events && resource != Resource::Leases;
    Some(Truth {
        world,
        key,
        entry: world.controller.entry(key),
        gate: world.controller.expectations.gate(key, now),
        caught_up: world.caught_up(key),
        near: OnceCell::new(),
        running: world.controller.running.contains_key(key),
        settled_view: !world.under_way().any(held),
        future: OnceCell::new(),
        alive: world.controller.leads,
        lifted: world.server.admission.0 != Admission::Denies || world.server.admission.2 < 100,
    })
}

impl Truth<'_> {
    /// Whether the entry changes about now.
    fn near(&self) -> bool {
        *self.near.get_or_init(|| {
            let changed = |world: &World| world.controller.changed.get(self.key).copied();
            let now = self.world.now;
            if changed(self.world).is_some_and(|at| now.duration_since(at) < NEAR) {
                return true;
            }
            let mut soon = self.world.clone();
            soon.run_until(now + NEAR);
            changed(&soon) != changed(self.world)
        })
    }

    fn future(&self) -> &Future {
        self.future.get_or_init(|| future(self.world, self.key))
    }
}

fn future(world: &World, key: &Key) -> Future {
    let mut later = world.clone();
    later.undisturbed();
    let first = later.controller.syncs.len();
    let end = world.now + HORIZON;
    let ended = |record: &Record| record.key == *key && !record.stale && record.ended.is_some();
    let mut known = first;
    while later.step_before(end) {
        // A long one need not be waited for: what it set out to do is known.
        let syncs = &later.controller.syncs;
        if syncs[known.min(syncs.len())..].iter().any(ended) {
            break;
        }
        while known < syncs.len() && (syncs[known].stale || syncs[known].key != *key) {
            known += 1;
        }
    }
    let of_key: Vec<&Record> = later.controller.syncs[first..].iter().filter(|r| r.key == *key).collect();
    let next = of_key.iter().find(|record| !record.stale).map(|record| (*record).clone());
    let pods = world.observed_version(Resource::Pods);
    let sets = world.observed_version(Resource::ReplicaSets);
    let (pods_changed, quotas) = (world.last_change(Resource::Pods), world.last_change(Resource::Quotas));
    Future {
        stale: of_key.iter().any(|record| record.stale),
        quiet: later.now.duration_since(world.now),
        older: next.as_ref().is_some_and(|next| next.handled.0 < pods || next.handled.1 < sets),
        changed: next.as_ref().is_some_and(|next| next.server != (pods_changed, quotas)),
        next,
    }
}

/// How often what was judged.
#[derive(Debug, Clone, Default)]
pub struct Tally(pub std::collections::BTreeMap<&'static str, u64>);

impl Tally {
    pub fn count(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }
}

/// Compares an answer with the truth.
pub fn judge(answer: &Answer, truth: &Truth<'_>, tally: &mut Tally) -> Option<Fault> {
    tally.count("judged");
    let fault = ranges(answer, truth, tally).or_else(|| gate(answer, truth, tally));
    if fault.is_some() || answer.object.is_none() {
        return fault;
    }
    let diff = answer.plan.as_ref().and_then(|plan| plan.diff).unwrap_or(0);
    let due = diff != 0 || truth.gate == Gate::Waiting;
    if due {
        tally.count("due");
    }
    if answer.verdict == Verdict::Undetermined {
        return None;
    }
    tally.count("verdict decided");
    if due {
        tally.count("due decided");
    }
    if truth.running || !truth.settled_view || !truth.alive {
        return None;
    }
    verdict(answer, truth, diff, tally)
}

fn inside(range: Range, value: i64) -> bool {
    range.min().is_none_or(|min| min <= value) && range.max().is_none_or(|max| value <= max)
}

fn ranges(answer: &Answer, truth: &Truth<'_>, tally: &mut Tally) -> Option<Fault> {
    let both = |entry: Option<Entry>| entry.map_or((0, 0), |entry| (entry.add, entry.del));
    let (held, caught_up) = (both(truth.entry), both(truth.caught_up.0));
    let pairs =
        [("add", answer.held.add, caught_up.0, held.0), ("del", answer.held.del, caught_up.1, held.1)];
    for (kind, range, caught_up, held) in pairs {
        if range.is_exact() {
            tally.count(if kind == "add" { "add exact" } else { "del exact" });
        }
        if !inside(range, caught_up) && !inside(range, held) && !truth.near() {
            let text = format!("{kind} {range:?} without {caught_up} (caught up) and {held} (held)");
            return Some(Fault { kind, text });
        }
    }
    None
}

fn gate(answer: &Answer, truth: &Truth<'_>, tally: &mut Tally) -> Option<Fault> {
    let gate = answer.gate?;
    let same = |other: Gate| {
        let open = |gate| matches!(gate, Gate::None | Gate::Fulfilled);
        gate == other || (open(gate) && open(other))
    };
    if same(truth.caught_up.2) || same(truth.gate) || truth.near() {
        tally.count("gate decided");
        return None;
    }
    Some(Fault { kind: "gate", text: format!("gate {gate:?} and not {:?}", truth.caught_up.2) })
}

fn verdict(answer: &Answer, truth: &Truth<'_>, diff: i64, tally: &mut Tally) -> Option<Fault> {
    let future = truth.future();
    let fault = |text: String| Some(Fault { kind: "verdict", text });
    if future.stale && answer.verdict == Verdict::Blocked {
        return None;
    }
    let Some(next) = &future.next else {
        if future.stale {
            return None;
        }
        tally.count("no sync followed");
        return no_sync(answer, truth, diff).and_then(fault);
    };
    if future.older || future.changed || next.claim_failed || next.need.is_none() {
        return None;
    }
    let desired = answer.object.as_ref().map(|object| object.replicas);
    if next.need != desired {
        return None;
    }
    let real = really(answer, truth, next, diff);
    // That a webhook lets pods through again is seen nowhere.
    let lifted = answer.verdict == Verdict::Blocked && answer.failures > 0 && truth.lifted;
    if !real.contains(&answer.verdict) && lifted {
        return None;
    }
    if !real.contains(&answer.verdict) {
        return fault(format!("verdict {:?} and not {real:?}: {next:?}", answer.verdict));
    }
    tally.count("verdict judged by a sync");
    if answer.verdict == Verdict::Act { plan(answer, next, tally) } else { None }
}

/// Nothing was due, or it waits, or nothing woke it, or it backs off.
fn no_sync(answer: &Answer, truth: &Truth<'_>, diff: i64) -> Option<String> {
    let deleting = answer.object.as_ref().is_some_and(|object| object.is_deleting());
    let waiting = truth.caught_up.2 == Gate::Waiting;
    let open = matches!(truth.caught_up.2, Gate::None | Gate::Fulfilled);
    let wrong = |is_wrong: bool, why: &str| {
        is_wrong.then(|| {
            format!("{:?}, no sync followed for {}, and {why}", answer.verdict, truth.future().quiet)
        })
    };
    match answer.verdict {
        Verdict::Settled => wrong(diff != 0 && !deleting, "there is a difference"),
        Verdict::Skip => wrong(!waiting && !truth.near(), "the gate is not closed"),
        Verdict::Act => wrong(waiting && !truth.near(), "it waits").or(wrong(open, "its gate is open")),
        Verdict::Blocked => wrong(diff == 0 && !deleting, "nothing is due"),
        Verdict::Undetermined => None,
    }
}

/// The verdicts that fit what the next sync did.
fn really(answer: &Answer, truth: &Truth<'_>, next: &Record, diff: i64) -> BTreeSet<Verdict> {
    let moved = !next.adopted.is_empty() || !next.released.is_empty();
    let mut fitting = BTreeSet::new();
    match next.did {
        Did::Create(_) | Did::Delete(_) => drop(fitting.insert(Verdict::Act)),
        Did::Skipped => {
            fitting.insert(Verdict::Skip);
            fitting.extend(moved.then_some(Verdict::Act));
            fitting.extend((diff == 0).then_some(Verdict::Settled));
        }
        Did::Nothing => drop(fitting.insert(if moved { Verdict::Act } else { Verdict::Settled })),
    }
    if answer.object.as_ref().is_some_and(|object| object.is_deleting()) {
        fitting.extend([Verdict::Blocked, Verdict::Settled]);
    }
    // A namespace that takes no pods comes before a closed gate.
    let swallowed = truth.world.server.namespace.terminating && diff < 0;
    fitting.extend(swallowed.then_some(Verdict::Blocked));
    let refused = matches!(next.did, Did::Create(_)) && next.created == 0;
    fitting.extend((next.error.is_some() || refused).then_some(Verdict::Blocked));
    fitting
}

fn plan(answer: &Answer, next: &Record, tally: &mut Tally) -> Option<Fault> {
    let plan = answer.plan.as_ref()?;
    let fault = |text: String| Some(Fault { kind: "plan", text });
    let same = match (&next.did, plan.action) {
        (Did::Create(count), Some(Action::Create(said))) => *count == said,
        (Did::Delete(count), Some(Action::Delete(said))) => *count == said,
        (Did::Create(_) | Did::Delete(_), _) => false,
        _ => return None,
    };
    if !same {
        return fault(format!("plan {:?} and not {:?}", plan.action, next.did));
    }
    tally.count("plan right");
    let choice = plan.choice.as_ref().filter(|_| matches!(next.did, Did::Delete(_)))?;
    let really: BTreeSet<&str> = next.chosen.iter().map(String::as_str).collect();
    let names = |list: &[rsexp::model::scale_down::Candidate]| -> BTreeSet<String> {
        list.iter().map(|candidate| candidate.pod.meta.name.clone()).collect()
    };
    let (certain, possible) = (names(&choice.certain), names(&choice.possible));
    let spared = certain.iter().any(|pod| !really.contains(pod.as_str()));
    let unforeseen = really.iter().any(|pod| !certain.contains(*pod) && !possible.contains(*pod));
    if spared || unforeseen {
        return Some(Fault {
            kind: "victims",
            text: format!("certain {certain:?}, possible {possible:?}, really {really:?}"),
        });
    }
    None
}
