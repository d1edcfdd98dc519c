//! A window onto the cluster: lists, then watches, in one stream as a recording holds it.

use std::collections::BTreeSet;
use std::future::{Future, pending};
use std::time::Duration;

use futures::StreamExt;
use futures::channel::mpsc;
use futures::future::{join_all, try_join_all, try_join3};
use jiff::Timestamp;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use crate::objects::{Observation, Resource, What};
use crate::source::cluster::error::{ClusterError, ErrorKind};
use crate::source::cluster::read::clock::{Clock, Skew};
use crate::source::cluster::read::countdown::Countdown;
use crate::source::cluster::read::focus;
use crate::source::cluster::read::list::{Listed, Reader};
use crate::source::cluster::read::scope::{Read, Scope};
use crate::source::cluster::read::watch::{Seen, Watch};
use crate::source::cluster::request::client::Get;
use crate::source::{Flow, Opening, Sink, Unread};

/// How often the sink is asked while nothing arrives.
const TICK: Duration = Duration::from_secs(1);

/// Why nothing more was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closed {
    /// There was no window: the lists are all.
    Snapshot,
    /// The window was open for as long as was asked.
    Timer,
    /// Nothing more was wanted.
    Enough,
    /// The user ended it with Ctrl-C.
    Interrupted,
    /// `--timeout` ran out.
    TimedOut,
    /// Watches could not be kept open until the end, for this reason.
    Cut(String),
}

/// What reading a cluster has shown beside the observations.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveNotes {
    /// The version of the server, if it says so.
    pub server_version: Option<String>,
    /// When reading began, on the observer's clock.
    pub started_at: Timestamp,
    /// Why it ended.
    pub closed_because: Closed,
    /// How far the server's clock is ahead.
    pub skew: Option<Skew>,
    /// What could not be read, and what is lost by that; each once.
    pub degraded: Vec<Unread>,
    /// Objects that cannot be used.
    pub problems: Vec<String>,
    /// What was not as it should be: lists started again, watches that broke.
    pub interruptions: Vec<String>,
    /// The resources that were listed.
    pub resources: Vec<Resource>,
}

/// A resource that was listed.
struct Opened<'s> {
    read: &'s Read,
    listed: Listed,
    /// Whether only this object may be read, and not watched.
    single: bool,
}

/// Reads what the scope says into the sink. `interrupt` resolves at a Ctrl-C.
pub async fn run<G: Get>(
    client: &G,
    scope: &Scope,
    interrupt: impl Future<Output = ()>,
    sink: &mut dyn Sink,
) -> Result<LiveNotes, ClusterError> {
    let clock = Clock::start();
    let reader = Reader::new(client, clock, scope.chunk_size);
    let mut notes = LiveNotes {
        server_version: None,
        started_at: clock.now(),
        closed_because: Closed::Snapshot,
        skew: None,
        degraded: Vec::new(),
        problems: Vec::new(),
        interruptions: Vec::new(),
        resources: Vec::new(),
    };
    let focus = scope.focused();
    let others = scope.reads.iter().filter(|read| match focus {
        Some(_) => !matches!(read.resource, Resource::ReplicaSets | Resource::Pods),
        None => true,
    });
    let lists = try_join_all(others.map(|read| open(&reader, read)));
    let version = async { Ok(reader.server_version().await) };
    let (server_version, mut opened, focused) =
        try_join3(version, lists, open_focused(&reader, focus)).await?;
    opened.extend(focused.into_iter().map(Ok));
    notes.server_version = server_version.clone();
    let lists = notes.opened(opened);
    sink.opened(&Opening {
        namespace: scope.namespace.as_deref(),
        resources: &notes.resources,
        degraded: &notes.degraded,
    });
    let begin = What::Begin { server_version };
    sink.observe(Observation { at: Some(notes.started_at), resource: Resource::Other, what: begin });
    let (watched, flow) = deliver(lists, &mut notes, sink);
    let mut window = Window { reader: &reader, scope, notes, sink, flow, broken: BTreeSet::new() };
    window.notes.closed_because = match scope.limit() {
        _ if window.is_enough() => Closed::Enough,
        Some(Duration::ZERO) => Closed::Snapshot,
        _ => window.watch(&watched, interrupt).await,
    };
    Ok(window.close())
}

/// Lists a resource; what is denied or absent and not required is an answer too.
async fn open<'s, G: Get>(
    reader: &Reader<'_, G>,
    read: &'s Read,
) -> Result<Result<Opened<'s>, (&'s Read, ClusterError)>, ClusterError> {
    let error = match reader.list(read).await {
        Ok(listed) => return Ok(Ok(Opened { read, listed, single: false })),
        Err(error) if read.required || error.kind() == ErrorKind::Unauthorized => return Err(error),
        Err(error) => error,
    };
    if let (ErrorKind::Forbidden, Some(name)) = (&error.kind(), &read.name)
        && let Ok(listed) = reader.single(read, name).await
    {
        return Ok(Ok(Opened { read, listed, single: true }));
    }
    Ok(Err((read, error)))
}

/// Lists ReplicaSets and pods for a question about one ReplicaSet.
async fn open_focused<'s, G: Get>(
    reader: &Reader<'_, G>,
    focus: Option<(&str, &'s Read, &'s Read)>,
) -> Result<Vec<Opened<'s>>, ClusterError> {
    let Some((name, replica_sets, pods)) = focus else { return Ok(Vec::new()) };
    let (listed, found) = focus::list(reader, replica_sets, pods, name).await?;
    let opened = |read, listed| Opened { read, listed, single: false };
    Ok(vec![opened(replica_sets, listed), opened(pods, found)])
}

/// Hands the lists to the sink; gives what to watch from where, and what the sink said to the last
/// one: before that it cannot know enough.
fn deliver<'s>(
    lists: Vec<Opened<'s>>,
    notes: &mut LiveNotes,
    sink: &mut dyn Sink,
) -> (Vec<(&'s Read, String)>, Flow) {
    let mut flow = Flow::Continue;
    let mut watched = Vec::new();
    for Opened { read, listed, single } in lists {
        let Listed { at, version, items, problems, note } = listed;
        let mut observe = |what| sink.observe(Observation { at, resource: read.resource, what });
        flow = observe(What::List { resource_version: version.clone(), items });
        for problem in &problems {
            flow = observe(What::Gap(format!("an object cannot be used: {problem}")));
        }
        notes.problems.extend(problems);
        notes.interruptions.extend(note);
        if !single {
            watched.push((read, version));
        }
    }
    (watched, flow)
}

impl LiveNotes {
    /// Notes what could be listed and what not; gives the lists in the order in which they came.
    fn opened<'s>(&mut self, opened: Vec<Result<Opened<'s>, (&'s Read, ClusterError)>>) -> Vec<Opened<'s>> {
        let mut lists = Vec::new();
        for result in opened {
            match result {
                Ok(opened) => lists.push(opened),
                Err((read, error)) => self.degrade(read, "list", &error),
            }
        }
        lists.sort_by_key(|opened| opened.listed.at);
        for Opened { read, single, .. } in &lists {
            self.resources.push(read.resource);
            if *single {
                let why =
                    format!("forbidden: may not list {}; read once, its changes go unseen", read.place());
                let what = read.resource.as_str().to_owned();
                self.degraded.push(Unread { what, why, denied: true });
            }
        }
        lists
    }

    fn degrade(&mut self, read: &Read, verb: &str, error: &ClusterError) {
        let lost = if verb == "watch" { "its changes go unseen" } else { read.lost() };
        let why = match error.kind() {
            ErrorKind::Forbidden => format!("forbidden: may not {verb} {}; {lost}", read.place()),
            ErrorKind::NotFound => format!("the server does not have this resource; {lost}"),
            _ => format!("{verb} {}: {error}; {lost}", read.place()),
        };
        let what = read.resource.as_str().to_owned();
        if !self.degraded.iter().any(|known| known.what == what) {
            self.degraded.push(Unread { what, why, denied: error.kind() == ErrorKind::Forbidden });
        }
    }
}

struct Window<'a, 'c, G> {
    reader: &'a Reader<'c, G>,
    scope: &'a Scope,
    notes: LiveNotes,
    sink: &'a mut dyn Sink,
    /// What the sink said last.
    flow: Flow,
    /// The watches that are not open at the moment.
    broken: BTreeSet<Resource>,
}

impl<G: Get> Window<'_, '_, G> {
    /// Whether the sink wants no more, by what it said last or says now.
    fn is_enough(&mut self) -> bool {
        self.flow == Flow::Enough || self.sink.idle(self.reader.clock.now()) == Flow::Enough
    }

    /// Watches until something ends it.
    async fn watch(&mut self, watched: &[(&Read, String)], interrupt: impl Future<Output = ()>) -> Closed {
        let limit = self.scope.limit();
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let (sender, mut seen) = mpsc::unbounded::<(Resource, Seen)>();
        let round = self.scope.round();
        let watches = join_all(watched.iter().map(|(read, version)| {
            Watch::new(self.reader, read, version.clone(), round, sender.clone()).follow()
        }));
        let timer = async {
            match deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => pending().await,
            }
        };
        tokio::pin!(watches, timer, interrupt);
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut countdown = Countdown::new();
        loop {
            tokio::select! {
                biased;
                () = &mut interrupt => return Closed::Interrupted,
                Some((resource, first)) = seen.next() => {
                    self.take(resource, first, watched);
                    while let Ok((resource, more)) = seen.try_recv() {
                        self.take(resource, more, watched);
                    }
                }
                () = &mut timer => {
                    return if self.scope.follow { Closed::TimedOut } else { Closed::Timer };
                }
                why = &mut watches => {
                    while let Ok((resource, more)) = seen.try_recv() {
                        self.take(resource, more, watched);
                    }
                    return Closed::Cut(why.join("; "));
                }
                _ = tick.tick() => {
                    countdown.show(deadline.map(|deadline| deadline - Instant::now()));
                }
            }
            if self.is_enough() {
                return Closed::Enough;
            }
        }
    }

    fn take(&mut self, resource: Resource, seen: Seen, watched: &[(&Read, String)]) {
        match seen {
            Seen::Observation(observation) => {
                if self.sink.observe(observation) == Flow::Enough {
                    self.flow = Flow::Enough;
                }
            }
            Seen::Problem(problem) => self.notes.problems.push(problem),
            Seen::Note(note) => self.notes.interruptions.push(note),
            Seen::Open(true) => {
                self.broken.remove(&resource);
            }
            Seen::Open(false) => {
                self.broken.insert(resource);
            }
            Seen::Denied(error) => {
                if let Some((read, _)) = watched.iter().find(|(read, _)| read.resource == resource) {
                    self.notes.degrade(read, "watch", &error);
                }
            }
        }
    }

    /// Tells the sink that the end is one on purpose, if it is, or what is not known until here.
    fn close(mut self) -> LiveNotes {
        self.notes.skew = self.reader.skew();
        let at = Some(self.reader.clock.now());
        for resource in &self.broken {
            let why = format!("the watch of {} was broken when the window closed", resource.as_str());
            self.sink.observe(Observation { at, resource: *resource, what: What::Gap(why) });
        }
        if matches!(self.notes.closed_because, Closed::Timer | Closed::TimedOut) && !self.broken.is_empty() {
            let names: Vec<&str> = self.broken.iter().map(|resource| resource.as_str()).collect();
            let why = format!("the watch of {} was broken when the window closed", names.join(", "));
            self.notes.closed_because = Closed::Cut(why);
        }
        if !matches!(self.notes.closed_because, Closed::Cut(_)) {
            self.sink.observe(Observation { at, resource: Resource::Other, what: What::End });
        }
        self.notes
    }
}
