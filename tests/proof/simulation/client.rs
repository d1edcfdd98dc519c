//! The controller's client with its limits, and the recorder that sends events.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::{SignedDuration, Timestamp};
use rsexp::objects::{Event, Key, LogLine, ReplicaSet};

use crate::simulation::controller::second;
use crate::simulation::server::{Admission, Ask, Request};
use crate::simulation::world::{Happening, NAMESPACE, World};

/// So many calls a second after a burst, for all that the controller does.
#[derive(Debug, Clone)]
pub struct Client {
    interval: SignedDuration,
    burst: i32,
    next: Option<Timestamp>,
}

impl Client {
    pub fn new(qps: i64, burst: i32) -> Client {
        Client { interval: SignedDuration::from_micros(1_000_000 / qps), burst, next: None }
    }

    fn take(&mut self, now: Timestamp) -> Timestamp {
        let oldest = now - self.interval * (self.burst - 1);
        let due = self.next.map_or(oldest, |next| next.max(oldest));
        self.next = Some(due + self.interval);
        due.max(now)
    }
}

/// Sends events one by one, thinned as client-go does (docs/semantics.md section 5.1).
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    similar: BTreeMap<(String, String), (BTreeSet<String>, Option<Timestamp>)>,
    sent: BTreeMap<(String, String, String), Event>,
    /// Tokens used by object, and when one was last given back.
    spent: BTreeMap<String, (u32, Timestamp)>,
    waiting: VecDeque<Event>,
    sending: bool,
    count: u64,
}

impl Recorder {
    fn thinned(&mut self, owner: &ReplicaSet, reason: &str, message: &str, now: Timestamp) -> Option<Event> {
        let uid = owner.meta.uid.clone();
        let (messages, last) = self.similar.entry((uid.clone(), reason.into())).or_default();
        if last.is_some_and(|last| now.duration_since(last).as_secs() > 600) {
            messages.clear();
        }
        *last = Some(now);
        messages.insert(message.into());
        let combined = messages.len() >= 10;
        let identity = if combined { String::new() } else { message.into() };
        let text = match combined {
            true => format!("(combined from similar events): {message}"),
            false => message.to_owned(),
        };
        self.count += 1;
        let number = self.count;
        let event = self.sent.entry((uid.clone(), reason.into(), identity)).or_insert_with(|| {
            let mut event = Event {
                about_kind: "ReplicaSet".into(),
                about_name: owner.meta.name.clone(),
                about_uid: uid.clone(),
                reason: reason.into(),
                component: "replicaset-controller".into(),
                first: second(now),
                ..Event::default()
            };
            event.meta.namespace = NAMESPACE.into();
            event.meta.name = format!("{}.{}{number:x}", owner.meta.name, now.as_microsecond());
            event.meta.uid = format!("event-{number}-{}", now.as_microsecond());
            event.meta.created = second(now);
            event
        });
        event.count += 1;
        event.message = text;
        event.last = second(now);
        let event = event.clone();
        let (spent, since) = self.spent.entry(uid).or_insert((0, now));
        let back = now.duration_since(*since).as_secs() / 300;
        *since += SignedDuration::from_secs(back * 300);
        *spent = spent.saturating_sub(back as u32);
        if *spent >= 25 {
            return None;
        }
        *spent += 1;
        Some(event)
    }
}

impl World {
    /// Puts a call into the client's queue.
    pub fn ask(&mut self, key: &Key, index: usize, ask: Ask) {
        let due = self.controller.client.take(self.now);
        let request = Request { incarnation: self.controller.incarnation, key: key.clone(), index, ask };
        self.at(due, Happening::Sends(request));
    }

    /// A request leaves; what a webhook does to it is settled here.
    pub fn sends(&mut self, mut request: Request) {
        let mut delay = self.random.micros(400, 2500);
        if let Ask::Create(_, admission) = &mut request.ask {
            let (does, after, share) = self.server.admission;
            if self.random.percent(share) {
                *admission = does;
                delay += after;
            } else {
                *admission = Admission::Passes;
            }
        }
        self.after(delay, Happening::Arrives(request));
    }

    /// The controller tells of something by an event.
    pub fn record(&mut self, owner: &ReplicaSet, reason: &str, message: &str) {
        self.log(LogLine::Event { key: owner.key(), reason: reason.into(), message: message.into() });
        let now = self.now;
        if let Some(event) = self.controller.recorder.thinned(owner, reason, message, now) {
            self.controller.recorder.waiting.push_back(event);
            self.send_event();
        }
    }

    fn send_event(&mut self) {
        let recorder = &mut self.controller.recorder;
        if recorder.sending {
            return;
        }
        let Some(event) = recorder.waiting.pop_front() else { return };
        recorder.sending = true;
        let key = Key::new(NAMESPACE, event.about_name.as_str());
        self.ask(&key, 0, Ask::Event(Box::new(event)));
    }

    pub fn event_sent(&mut self) {
        self.controller.recorder.sending = false;
        self.send_event();
    }
}
