//! The driver: what users and nodes do, at random, and how the world is set up.

use jiff::{SignedDuration, Timestamp};
use rsexp::model::profile::Version;
use rsexp::objects::Resource;

use crate::simulation::random::Random;
use crate::simulation::server::Admission;
use crate::simulation::world::start;

/// How the world is set up.
#[derive(Debug, Clone)]
pub struct Config {
    pub version: Version,
    pub qps: i64,
    pub burst: i32,
    /// Whether a scheduler and kubelets are at work.
    pub kubelet: bool,
    /// What the observer watches.
    pub watched: Vec<Resource>,
    pub min_ready: i32,
    /// Whether all ReplicaSets select the same pods.
    pub overlap: bool,
    /// Whether they have a controller, so that pods are ranked by node.
    pub owned: bool,
    /// Whether the log reaches back to the start of the controller.
    pub whole_log: bool,
}

/// What becomes of the pods of a deleted ReplicaSet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cascade {
    Background,
    Foreground,
    Orphan,
}

/// One act. Numbers stand for ReplicaSets, then for how many pods.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    Open,
    Create(usize, i32),
    Scale(usize, i32),
    Touch(usize),
    Recreate(usize, i32),
    DeleteSet(usize, Cascade),
    DeletePods(usize, usize),
    Relabel(usize, usize),
    Disown(usize, usize),
    Orphans(usize, usize),
    Foreign(usize, usize),
    MakeReady(usize, usize),
    End(usize, usize, bool),
    Hold(usize, usize),
    LetGo,
    Quota(Option<u64>),
    /// What, after so many milliseconds, in how many of a hundred creates.
    Admission(Admission, i64, u64),
    Terminate,
    Freeze(i64),
    /// A watch of the controller is late: for so long, by so much.
    Lag(Resource, i64, i64),
    ObserverLag(Resource, i64, i64),
    Kill(bool),
    Break(Resource, i64),
}

/// Everything that a run follows from.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub noise: u64,
    pub config: Config,
    pub steps: Vec<(Timestamp, Step)>,
    pub asks: Vec<Timestamp>,
}

impl Scenario {
    pub fn of(seed: u64) -> Scenario {
        let random = &mut Random::new(seed);
        let config = config(random);
        let sets = if random.percent(60) { 1 } else { random.between(2, 3) as usize };
        let mut steps = Vec::new();
        let mut asks = Vec::new();
        let mut now = start() + random.millis(20, 1000);
        let opens = if random.percent(60) { 0 } else { random.between(0, 5) as usize };
        for number in 0..sets {
            if number == opens {
                steps.push((now, Step::Open));
                now += random.millis(10, 60);
            }
            steps.push((now, Step::Create(number, size(random))));
            now += gap(random);
        }
        let count = random.between(2, 14) as usize;
        for number in sets..sets + count {
            if number == opens {
                steps.push((now, Step::Open));
                now += random.millis(10, 60);
            }
            steps.push((now, step(random, sets, &config)));
            let next = now + gap(random);
            if random.percent(15) {
                // What is asked just after this step meets a controller that has not reacted yet.
                let freeze = Step::Freeze(random.between(20, 3000));
                steps.insert(steps.len() - 1, (now - SignedDuration::from_micros(300), freeze));
            }
            for _ in 0..random.between(1, 3) {
                let close = random.percent(60);
                let wait = next.duration_since(now).as_micros() as i64;
                asks.push(now + if close { random.micros(500, 60_000) } else { random.micros(0, wait) });
            }
            now = next;
        }
        asks.push(now + random.millis(0, 3000));
        asks.sort();
        Scenario { noise: seed, config, steps, asks }
    }
}

fn config(random: &mut Random) -> Config {
    let minor = random.choose(&[37, 37, 37, 36, 34, 34, 35, 30]);
    let mut watched = vec![Resource::ReplicaSets, Resource::Pods];
    for (resource, share) in
        [(Resource::Events, 85), (Resource::Leases, 80), (Resource::Quotas, 80), (Resource::Namespaces, 90)]
    {
        if random.percent(share) {
            watched.push(resource);
        }
    }
    let slow = random.percent(15);
    Config {
        version: Version { minor, patch: None },
        qps: if slow { 10 } else { 20 },
        burst: if slow { 10 } else { 30 },
        kubelet: random.percent(60),
        watched,
        min_ready: if random.percent(10) { random.between(1, 3) as i32 } else { 0 },
        overlap: random.percent(10),
        owned: random.percent(20),
        whole_log: random.percent(60),
    }
}

fn size(random: &mut Random) -> i32 {
    let most = random.choose(&[2, 5, 5, 12, 12, 40, 90]);
    let most = if random.percent(2) { 700 } else { most };
    random.between(0, most) as i32
}

fn gap(random: &mut Random) -> SignedDuration {
    match random.below(100) {
        0..25 => random.micros(100, 60_000),
        25..70 => random.millis(60, 2500),
        70..93 => random.millis(2500, 15_000),
        93..97 => random.millis(60_000, 240_000),
        _ => random.millis(290_000, 320_000),
    }
}

fn step(random: &mut Random, sets: usize, config: &Config) -> Step {
    let set = random.below(sets as u64) as usize;
    let few = random.choose(&[1, 1, 1, 2, 3, 8]);
    let watched = random.choose(&config.watched);
    let own = random.choose(&[Resource::Pods, Resource::ReplicaSets]);
    match random.below(100) {
        0..24 => Step::Scale(set, size(random)),
        24..34 => Step::DeletePods(set, few),
        34..38 => Step::Relabel(set, few),
        38..40 => Step::Disown(set, few),
        40..45 => Step::Orphans(set, few),
        45..48 => Step::Foreign(set, few),
        48..52 => Step::MakeReady(set, few),
        52..56 => Step::End(set, few, random.percent(50)),
        56..60 => Step::Hold(set, few),
        60..62 => Step::LetGo,
        62..65 => Step::Recreate(set, size(random)),
        65..67 => {
            let cascades = [Cascade::Background, Cascade::Foreground, Cascade::Orphan];
            Step::DeleteSet(set, random.choose(&cascades))
        }
        67..71 => Step::Touch(set),
        71..74 => Step::Quota(random.percent(70).then(|| random.below(12))),
        74..82 => {
            let all = [
                Admission::Passes,
                Admission::Strips,
                Admission::Relabels,
                Admission::Denies,
                Admission::Denies,
            ];
            let admission = random.choose(&all);
            let after = if random.percent(50) { 0 } else { random.between(5, 5000) };
            Step::Admission(admission, after, random.choose(&[100, 100, 60, 30]))
        }
        82..84 if random.percent(50) => Step::Terminate,
        82..89 => Step::Freeze(random.between(200, 8000)),
        89..92 => Step::Lag(own, random.between(500, 8000), random.between(30, 6000)),
        92..94 => Step::ObserverLag(watched, random.between(50, 3000), random.between(5, 200)),
        94..96 if config.watched.contains(&Resource::Leases) => Step::Kill(random.percent(30)),
        96..98 => Step::Break(watched, random.between(20, 3000)),
        _ => Step::Scale(set, size(random)),
    }
}
