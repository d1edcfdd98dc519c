//! The watch of one resource, opened again whenever it ends before the window does.

use std::time::Duration;

use futures::StreamExt;
use futures::channel::mpsc::UnboundedSender;
use tokio::time::{Instant, sleep, timeout};

use crate::objects::{Observation, Resource, What};
use crate::source::cluster::error::{ClusterError, ErrorKind};
use crate::source::cluster::read::frames::{Frame, Lines, parse};
use crate::source::cluster::read::list::{Listed, Reader};
use crate::source::cluster::read::scope::Read;
use crate::source::cluster::request::client::Get;
use crate::source::cluster::request::client::{Accept, Response};

/// How long past its end a silent watch is waited for.
const GRACE: Duration = Duration::from_secs(20);

/// A watch that ends so much before its time has ended early.
const EARLY: Duration = Duration::from_secs(1);

/// What the watches send to the window.
#[derive(Debug)]
#[expect(clippy::large_enum_variant)]
pub enum Seen {
    /// Something for the sink.
    Observation(Observation),
    /// An object that cannot be used.
    Problem(String),
    /// Why a watch is not what it should be.
    Note(String),
    /// Whether the watch is open.
    Open(bool),
    /// Watching is denied.
    Denied(ClusterError),
}

/// One resource that is watched.
pub struct Watch<'a, G> {
    reader: &'a Reader<'a, G>,
    read: &'a Read,
    /// The version that was reached.
    version: String,
    round: Duration,
    out: UnboundedSender<(Resource, Seen)>,
    /// Attempts in a row that brought nothing.
    failures: u32,
    /// Whether it was opened since the last gap.
    open: bool,
}

/// How a watch ended.
enum Ended {
    /// The server closed it when it was told to.
    InTime,
    /// Before its time, for this reason.
    Early(String),
    /// The server has no time; ask again after so long.
    Busy(String, Option<Duration>),
    /// The version is gone: only a new list helps.
    Expired(String),
    /// It will not be opened at all.
    Denied(ClusterError),
}

impl<'a, G: Get> Watch<'a, G> {
    /// Watches from this version on; the server ends each watch after a round.
    pub fn new(
        reader: &'a Reader<'a, G>,
        read: &'a Read,
        version: String,
        round: Duration,
        out: UnboundedSender<(Resource, Seen)>,
    ) -> Watch<'a, G> {
        Watch { reader, read, version, round, out, failures: 0, open: true }
    }

    /// Watches for as long as it is allowed; says why it is not.
    pub async fn follow(mut self) -> String {
        loop {
            match self.once().await {
                Ended::InTime => continue,
                Ended::Early(why) => {
                    self.broken(format!("{why}; to go on from version {}", self.version));
                    self.pause(None).await;
                }
                Ended::Busy(why, after) => {
                    self.broken(format!("{why}; to go on from version {}", self.version));
                    self.pause(after).await;
                }
                Ended::Expired(why) => {
                    self.broken(format!("{why}; to be listed again"));
                    self.pause(None).await;
                    if let Err(error) = self.relist().await {
                        return self.denied(error);
                    }
                }
                Ended::Denied(error) => return self.denied(error),
            }
        }
    }

    /// One watch from its opening to its end.
    async fn once(&mut self) -> Ended {
        let opened = Instant::now();
        let path = self.read.watch_path(&self.version, self.round);
        let response = match self.reader.get(&path, Accept::Json).await {
            Ok(response) => response,
            Err(error) => return refused(error),
        };
        if !std::mem::replace(&mut self.open, true) {
            self.send(Seen::Open(true));
        }
        match timeout(self.round + GRACE, self.receive(response)).await {
            Err(_) => Ended::Early("fell silent".to_owned()),
            Ok(Some(ended)) => ended,
            Ok(None) if opened.elapsed() + EARLY >= self.round => Ended::InTime,
            Ok(None) => Ended::Early(format!("ended early, after {} s", opened.elapsed().as_secs())),
        }
    }

    /// Hands on what arrives; None when the server closes the watch.
    async fn receive(&mut self, mut response: Response) -> Option<Ended> {
        let mut lines = Lines::default();
        while let Some(chunk) = response.body.next().await {
            let chunk = match chunk {
                Ok(chunk) => chunk,
                Err(error) => return Some(Ended::Early(format!("was cut: {error}"))),
            };
            let mut ended = None;
            let pushed = lines.push(&chunk, |line| {
                if ended.is_none() {
                    ended = self.line(line);
                }
            });
            if let Err(error) = pushed {
                return Some(Ended::Early(error.to_string()));
            }
            if ended.is_some() {
                return ended;
            }
        }
        lines.is_cut().then(|| Ended::Early("was cut in the middle of a line".to_owned()))
    }

    /// Hands on what a line says, unless it ends the watch.
    fn line(&mut self, line: &[u8]) -> Option<Ended> {
        match parse(line, self.read.resource) {
            Ok(Frame::Event(what, version)) => {
                self.failures = 0;
                if !version.is_empty() {
                    self.version = version;
                }
                self.observe(what);
            }
            Ok(Frame::Invalid(text)) => {
                self.gap(format!("sent an object that cannot be used: {text}"));
                self.send(Seen::Problem(text));
            }
            Ok(Frame::Error { text, expired: true }) => return Some(Ended::Expired(text)),
            Ok(Frame::Error { text, expired: false }) => return Some(Ended::Early(text)),
            Ok(Frame::Nothing) => {}
            Err(error) => return Some(Ended::Early(error.to_string())),
        }
        None
    }

    /// Lists until it works or is denied.
    async fn relist(&mut self) -> Result<(), ClusterError> {
        loop {
            match self.reader.list(self.read).await {
                Ok(listed) => {
                    self.relisted(listed);
                    return Ok(());
                }
                Err(error) if is_final(&error) => return Err(error),
                Err(error) => {
                    self.send(Seen::Note(format!("{} cannot be listed again: {error}", self.read.place())));
                    self.pause(retry_after(&error)).await;
                }
            }
        }
    }

    fn relisted(&mut self, listed: Listed) {
        listed.problems.into_iter().for_each(|problem| self.send(Seen::Problem(problem)));
        listed.note.into_iter().for_each(|note| self.send(Seen::Note(note)));
        self.version = listed.version.clone();
        self.observe(What::List { resource_version: listed.version, items: listed.items });
    }

    /// Waits as long as the server asks, or longer from failure to failure; the first time not
    /// at all.
    async fn pause(&mut self, asked: Option<Duration>) {
        let own = match self.failures {
            0 => Duration::ZERO,
            n => Duration::from_millis(250 << n.min(5)),
        };
        self.failures += 1;
        sleep(asked.unwrap_or(own)).await;
    }

    fn denied(&self, error: ClusterError) -> String {
        let why = format!("{} cannot be watched: {error}", self.read.place());
        self.observe(What::Gap(why.clone()));
        self.send(Seen::Denied(error));
        why
    }

    /// Says that the watch broke; once, however often it cannot be opened again.
    fn broken(&mut self, why: String) {
        if std::mem::replace(&mut self.open, false) {
            self.gap(why);
            self.send(Seen::Open(false));
        }
    }

    fn gap(&self, why: String) {
        let why = format!("the watch of {}: {why}", self.read.place());
        self.observe(What::Gap(why.clone()));
        self.send(Seen::Note(why));
    }

    fn observe(&self, what: What) {
        let at = Some(self.reader.clock.now());
        self.send(Seen::Observation(Observation { at, resource: self.read.resource, what }));
    }

    fn send(&self, seen: Seen) {
        // Nobody listens once the window is closed.
        let _ = self.out.unbounded_send((self.read.resource, seen));
    }
}

fn refused(error: ClusterError) -> Ended {
    match error.kind() {
        ErrorKind::Expired => Ended::Expired(error.to_string()),
        ErrorKind::TooManyRequests(after) => Ended::Busy(error.to_string(), after),
        _ if is_final(&error) => Ended::Denied(error),
        _ => Ended::Early(error.to_string()),
    }
}

fn retry_after(error: &ClusterError) -> Option<Duration> {
    match error.kind() {
        ErrorKind::TooManyRequests(after) => after,
        _ => None,
    }
}

/// Whether asking again is of no use.
fn is_final(error: &ClusterError) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Unauthorized | ErrorKind::Forbidden | ErrorKind::NotFound | ErrorKind::Config
    )
}
