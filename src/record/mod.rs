//! Writes recordings: a line for each observation that a source pushes, each flushed, so that a recorder that is killed loses
//! at most the last one. Objects are written with the fields that the program reads (see [`crate::objects::wire::write`])
//! and no others.
//!
//! May use `source` and `objects`. Start reading at [`Recorder`]; [`file`] is where its lines go, [`redact`] what replaces
//! names on the way.

pub(crate) mod file;
pub mod redact;

use std::io::{self, Write};

use jiff::Timestamp;
use serde::Serialize;

use crate::objects::{Object, Observation, Resource, What, wire};
use crate::source::{Flow, Opening, RECORDING_VERSION, Sink};

/// How much was recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    /// Lines, the first one included.
    pub lines: usize,
    /// Objects in lists.
    pub(crate) listed: usize,
    /// Objects that were added, modified or deleted.
    pub(crate) changes: usize,
}

/// Takes observations and writes them.
#[derive(Debug)]
pub struct Recorder<W> {
    to: W,
    namespace: String,
    resources: Vec<Resource>,
    amount: Amount,
    /// When the last line was received: the time of a line that has none of its own.
    last: Option<Timestamp>,
    /// Why no more can be written.
    failed: Option<io::Error>,
}

/// The first line.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Header<'a> {
    recording: &'static str,
    started_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    server_version: Option<&'a str>,
    namespace: &'a str,
    resources: Vec<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BookmarkObject<'a> {
    kind: &'static str,
    api_version: String,
    metadata: BookmarkObjectMeta<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BookmarkObjectMeta<'a> {
    resource_version: &'a str,
}

/// The object of an error. Its message is the observer's: what the server or the network reported, and what was done about
/// it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatusObject<'a> {
    kind: &'static str,
    api_version: &'static str,
    status: &'static str,
    message: &'a str,
}

impl<W: Write> Recorder<W> {
    /// Writes to this writer.
    pub fn new(to: W) -> Recorder<W> {
        Recorder {
            to,
            namespace: String::new(),
            resources: Vec::new(),
            amount: Amount::default(),
            last: None,
            failed: None,
        }
    }

    /// Ends writing: the writer and how much was written, or why it could not be.
    pub fn finish(self) -> Result<(W, Amount), io::Error> {
        match self.failed {
            None => Ok((self.to, self.amount)),
            Some(error) => Err(error),
        }
    }

    /// When the last line was received.
    pub(crate) fn last(&self) -> Option<Timestamp> {
        self.last
    }

    fn flow(&self) -> Flow {
        if self.failed.is_some() { Flow::Enough } else { Flow::Continue }
    }

    fn line(&mut self, observation: &Observation) -> io::Result<()> {
        let Some(at) = observation.at.or(self.last) else { return Ok(()) };
        self.last = Some(at);
        match &observation.what {
            What::Begin { server_version } => self.header(at, server_version.as_deref())?,
            // The log has a file of its own.
            What::Log(_) => return Ok(()),
            What::End => write!(self.to, r#"{{"at":"{at}","type":"END"}}"#)?,
            what => self.received(at, observation.resource, what)?,
        }
        self.to.write_all(b"\n")?;
        self.to.flush()?;
        self.amount.lines += 1;
        Ok(())
    }

    fn header(&mut self, at: Timestamp, server_version: Option<&str>) -> io::Result<()> {
        self.resources.sort_unstable();
        let header = Header {
            recording: RECORDING_VERSION,
            started_at: at.to_string(),
            server_version,
            namespace: &self.namespace,
            resources: self.resources.iter().map(|resource| resource.as_str()).collect(),
        };
        Ok(serde_json::to_writer(&mut self.to, &header)?)
    }

    /// A line about a resource.
    fn received(&mut self, at: Timestamp, resource: Resource, what: &What) -> io::Result<()> {
        let name = resource.as_str();
        write!(self.to, r#"{{"at":"{at}","resource":"{name}","type":"{}","#, kind(what))?;
        match what {
            What::List { resource_version, items } => self.list(resource_version, items)?,
            What::Added(object) | What::Modified(object) | What::Deleted(object) => {
                self.amount.changes += 1;
                self.to.write_all(br#""object":"#)?;
                wire::write(object, &mut self.to)?;
            }
            What::Bookmark { resource_version } => self.object(&BookmarkObject {
                kind: resource.kind(),
                api_version: resource.api_version(),
                metadata: BookmarkObjectMeta { resource_version },
            })?,
            What::Gap(message) => {
                self.object(&StatusObject { kind: "Status", api_version: "v1", status: "Failure", message })?;
            }
            What::Begin { .. } | What::Log(_) | What::End => {}
        }
        self.to.write_all(b"}")
    }

    /// Item by item: a list may be as large as a cluster.
    fn list(&mut self, version: &str, items: &[Object]) -> io::Result<()> {
        self.to.write_all(br#""resourceVersion":"#)?;
        serde_json::to_writer(&mut self.to, version)?;
        self.to.write_all(br#","items":["#)?;
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.to.write_all(b",")?;
            }
            wire::write(item, &mut self.to)?;
        }
        self.amount.listed += items.len();
        self.to.write_all(b"]")
    }

    fn object(&mut self, object: &impl Serialize) -> io::Result<()> {
        self.to.write_all(br#""object":"#)?;
        Ok(serde_json::to_writer(&mut self.to, object)?)
    }
}

/// The type of a line about a resource.
fn kind(what: &What) -> &'static str {
    match what {
        What::List { .. } => "LIST",
        What::Added(_) => "ADDED",
        What::Modified(_) => "MODIFIED",
        What::Deleted(_) => "DELETED",
        What::Bookmark { .. } => "BOOKMARK",
        What::Gap(_) => "ERROR",
        What::Begin { .. } | What::Log(_) | What::End => "",
    }
}

impl<W: Write> Sink for Recorder<W> {
    fn opened(&mut self, opening: &Opening<'_>) {
        self.namespace = opening.namespace.unwrap_or_default().to_owned();
        self.resources = opening.resources.to_vec();
    }

    fn observe(&mut self, observation: Observation) -> Flow {
        if self.failed.is_none() {
            self.failed = self.line(&observation).err();
        }
        self.flow()
    }

    fn idle(&mut self, _now: Timestamp) -> Flow {
        self.flow()
    }
}
