//! Recordings: what an observer saw, a line each, read in memory bounded by the longest line.

use std::io::{BufRead, ErrorKind};

use jiff::{SignedDuration, Timestamp};

use super::cursor::{Assumed, Broken, Cursor};
use super::documents::{self, Event};
use super::intake::Intake;
use crate::objects::{Observation, Resource, What};
use crate::source::{Error, Flow};

/// The version of the format that is read and written.
pub const VERSION: &str = "rsexp/v1";

/// Lines that are less than this out of order were written by watches that ran side by side.
const JITTER: SignedDuration = SignedDuration::from_secs(1);

/// A recording whose time goes back more often than this, or that begins anew, is in no order at all.
const MOST_BREAKS: usize = 1000;

/// Reads a recording up to the last line received at or before `until`.
pub fn read(reader: &mut dyn BufRead, until: Option<Timestamp>, intake: &mut Intake<'_>) -> Flow {
    intake.notes.recording = true;
    let mut recording = Recording { until, ..Recording::default() };
    let flow = recording.lines(reader, intake);
    recording.order.doubts().iter().for_each(|doubt| intake.doubt(doubt));
    flow
}

#[derive(Default)]
struct Recording {
    until: Option<Timestamp>,
    /// The line, counted from 1.
    number: usize,
    /// When the last line was received.
    at: Option<Timestamp>,
    /// Whether the last line is END.
    ended: bool,
    /// Whether a header was read, or its lack noted.
    begun: bool,
    order: Order,
}

/// Lines stand in the order in which they were received. Where their times do not, the clock was
/// set back, or lines were moved.
#[derive(Default)]
struct Order {
    latest: Option<Timestamp>,
    /// Lines that were received before the one above them.
    back: Breaks,
    /// Headers below the first line.
    headers: Breaks,
}

/// Lines that break the order.
#[derive(Default)]
struct Breaks {
    /// The first of them, counted from 1.
    first: usize,
    count: usize,
}

impl Breaks {
    fn note(&mut self, line: usize) {
        if self.count == 0 {
            self.first = line;
        }
        self.count += 1;
    }

    /// The lines as text; None if there are none.
    fn text(&self) -> Option<String> {
        match self.count {
            0 => None,
            1 => Some(format!("line {}", self.first)),
            count => Some(format!("line {}, and {} more", self.first, count - 1)),
        }
    }
}

impl Order {
    /// When this line was received, and whether time went back to it.
    fn take(&mut self, number: usize, at: Timestamp) -> (Timestamp, bool) {
        let Some(latest) = self.latest.filter(|latest| at < *latest) else {
            self.latest = Some(at);
            return (at, false);
        };
        self.back.note(number);
        if latest.duration_since(at) < JITTER {
            return (latest, false);
        }
        self.latest = Some(at);
        (at, true)
    }

    /// Another recorder has another clock.
    fn restart(&mut self, number: usize) {
        self.headers.note(number);
        self.latest = None;
    }

    fn is_lost(&self) -> bool {
        self.back.count > MOST_BREAKS || self.headers.count > MOST_BREAKS
    }

    fn doubts(&self) -> Vec<String> {
        let back = self.back.text().map(|lines| {
            format!("{lines}: received before the line before; the clock was set back, or lines were moved")
        });
        let headers = self.headers.text().map(|lines| {
            format!("{lines}: another recording begins; what happened between the two is unknown")
        });
        back.into_iter().chain(headers).collect()
    }
}

/// How to go on after a line.
enum Next {
    Line,
    Stop(Flow),
}

/// The members of a line before its objects.
#[derive(Default)]
struct Line {
    at: Option<Timestamp>,
    resource: Option<(Resource, String)>,
    kind: String,
    version: String,
}

impl Line {
    /// Whether the objects can be read as they come.
    fn is_known(&self) -> bool {
        self.at.is_some() && self.resource.is_some() && !self.kind.is_empty()
    }
}

impl Recording {
    fn lines(&mut self, reader: &mut dyn BufRead, intake: &mut Intake<'_>) -> Flow {
        let mut buffer = Vec::new();
        loop {
            self.number += 1;
            buffer.clear();
            let outcome = reader.read_until(b'\n', &mut buffer);
            let complete = outcome.is_ok() && buffer.last() == Some(&b'\n');
            match self.line(&buffer, intake) {
                Ok(Next::Line) => {}
                Ok(Next::Stop(flow)) => return flow,
                Err(broken) if broken.cut && !complete => {
                    intake.incomplete("its last line is cut off");
                }
                Err(broken) => {
                    if intake.problem(Some(self.number), broken.what) == Flow::Enough {
                        intake.incomplete("the rest of it is not read");
                        return Flow::Enough;
                    }
                    if self.gap(Resource::Other, intake) == Flow::Enough {
                        return Flow::Enough;
                    }
                }
            }
            match outcome {
                Ok(_) if complete => {}
                Ok(_) => break,
                // What a killed recorder leaves, compressed or not, is read alike.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    intake.incomplete("it is cut off");
                    return Flow::Continue;
                }
                Err(error) => {
                    intake.incomplete("it is cut off");
                    return intake.complain(None, &error);
                }
            }
        }
        if !self.ended {
            intake.incomplete("it has no END line: the recorder did not end by itself");
        }
        Flow::Continue
    }

    fn line(&mut self, text: &[u8], intake: &mut Intake<'_>) -> Result<Next, Broken> {
        let mut cursor = Cursor::new(text);
        if cursor.next().is_none() {
            return Ok(Next::Line);
        }
        if !cursor.eat(b'{') {
            return Err(cursor.unexpected("a JSON object"));
        }
        let mut line = Line::default();
        let mut body = None;
        while let Some(key) = cursor.key()? {
            match &*key {
                "recording" => return self.header(&mut cursor, intake),
                "at" => line.at = Some(time(&mut cursor, "at")?),
                "type" => line.kind = cursor.value()?,
                "resource" => {
                    let name = cursor.value::<String>()?;
                    line.resource = Some((Resource::parse(&name), name));
                }
                "resourceVersion" => line.version = cursor.value::<Option<String>>()?.unwrap_or_default(),
                "items" | "object" => {
                    cursor.next();
                    body = Some(cursor.clone());
                    if line.is_known() {
                        break;
                    }
                    cursor.skip()?;
                }
                _ => cursor.skip()?,
            }
        }
        if !std::mem::replace(&mut self.begun, true) {
            intake.complain(Some(1), Error::NoHeader);
        }
        let Some(at) = line.at else { return Err(cursor.bad(Error::Missing("at"))) };
        let (at, went_back) = self.order.take(self.number, at);
        line.at = Some(at);
        if self.until.is_some_and(|until| at > until) {
            intake.notes.goes_on = true;
            return Ok(Next::Stop(Flow::Continue));
        }
        self.ended = line.kind == "END";
        self.at = Some(at);
        // How long ago anything was, nobody knows any more.
        if went_back && let Some(stop) = self.break_off(format!("time goes back to {at}"), intake) {
            return Ok(stop);
        }
        let problems = intake.notes.problems.len();
        let mut flow = deliver(&line, body, self.number, intake)?;
        if flow == Flow::Continue && intake.notes.problems.len() > problems {
            flow = self.gap(line.resource.map_or(Resource::Other, |(resource, _)| resource), intake);
        }
        Ok(if flow == Flow::Enough { Next::Stop(flow) } else { Next::Line })
    }

    /// Tells the sink that what a line said is not known.
    fn gap(&self, resource: Resource, intake: &mut Intake<'_>) -> Flow {
        self.miss(format!("line {} of the recording cannot be read", self.number), resource, intake)
    }

    /// Tells the sink that something was missed.
    fn miss(&self, why: String, resource: Resource, intake: &mut Intake<'_>) -> Flow {
        let at = self.at.or(intake.notes.started_at);
        intake.observe(Observation { at, resource, what: What::Gap(why) })
    }

    /// Tells the sink that what comes does not follow what came; gives an end if that is too often.
    fn break_off(&self, why: String, intake: &mut Intake<'_>) -> Option<Next> {
        if self.order.is_lost() {
            intake.incomplete("its lines are in no order, the rest of it is not read");
            return Some(Next::Stop(Flow::Continue));
        }
        let why = format!("{why} at line {} of the recording", self.number);
        (self.miss(why, Resource::Other, intake) == Flow::Enough).then_some(Next::Stop(Flow::Enough))
    }

    /// The first line; the cursor stands at the version.
    fn header(&mut self, cursor: &mut Cursor<'_>, intake: &mut Intake<'_>) -> Result<Next, Broken> {
        let version = cursor.value::<String>()?;
        if version != VERSION {
            let line = (self.number > 1).then_some(self.number);
            intake.complain(line, Error::UnknownVersion { found: version });
            return Ok(Next::Stop(Flow::Continue));
        }
        let another = std::mem::replace(&mut self.begun, true);
        let (mut at, mut server_version) = (None, None);
        while let Some(key) = cursor.key()? {
            match &*key {
                "startedAt" => {
                    let started = time(cursor, "startedAt")?;
                    at = Some(started);
                    intake.notes.started_at.get_or_insert(started);
                }
                "serverVersion" => server_version = cursor.value::<Option<String>>()?,
                "namespace" => intake.notes.namespace = cursor.value()?,
                "resources" => {
                    intake.notes.resources = cursor.value::<Option<Vec<String>>>()?.unwrap_or_default()
                }
                _ => cursor.skip()?,
            }
        }
        intake.notes.server_version = intake.notes.server_version.take().or(server_version.clone());
        if another {
            if self.until.is_some_and(|until| at.is_some_and(|at| at > until)) {
                intake.notes.goes_on = true;
                return Ok(Next::Stop(Flow::Continue));
            }
            self.at = at.or(self.at);
            self.order.restart(self.number);
            if let Some(stop) = self.break_off("another recording begins".to_owned(), intake) {
                return Ok(stop);
            }
        }
        let what = What::Begin { server_version };
        Ok(match intake.observe(Observation { at, resource: Resource::Other, what }) {
            Flow::Continue => Next::Line,
            Flow::Enough => Next::Stop(Flow::Enough),
        })
    }
}

fn time(cursor: &mut Cursor<'_>, field: &'static str) -> Result<Timestamp, Broken> {
    let found = cursor.value::<String>()?;
    found.parse().map_err(|_| cursor.bad(Error::BadTime { field, found }))
}

/// Hands what a line says to the sink.
fn deliver(
    line: &Line,
    body: Option<Cursor<'_>>,
    number: usize,
    intake: &mut Intake<'_>,
) -> Result<Flow, Broken> {
    let (resource, name) = line.resource.clone().unwrap_or((Resource::Other, "no resource".to_owned()));
    let assumed = match resource {
        Resource::Other => Assumed::Ignored(name.clone()),
        known => Assumed::Known(known),
    };
    let what = match (line.kind.as_str(), body) {
        ("END", _) => Some(What::End),
        ("LIST", Some(body)) => list(line, body, &assumed, number, intake)?,
        (kind, Some(body)) => event(kind, body, &assumed, number, intake)?,
        (_, None) => None,
    };
    let what = match what {
        // What the API server says of a watch does not name it.
        Some(What::Gap(why)) if line.resource.is_some() && !why.contains(&name) => {
            Some(What::Gap(format!("the watch of {name}: {why}")))
        }
        what => what,
    };
    match what {
        // Resources that are not read are counted only; an error concerns every reader.
        Some(what) if resource != Resource::Other || matches!(what, What::End | What::Gap(_)) => {
            Ok(intake.observe(Observation { at: line.at, resource, what }))
        }
        _ => Ok(Flow::Continue),
    }
}

/// A list, with the items that can be read. One that is cut off is an error: half a list
/// would say that the other half does not exist.
fn list(
    line: &Line,
    mut body: Cursor<'_>,
    assumed: &Assumed,
    number: usize,
    intake: &mut Intake<'_>,
) -> Result<Option<What>, Broken> {
    let mut items = Vec::new();
    match body.next() {
        Some(b'[') => {
            documents::items(&mut body, assumed, &mut |read| match read {
                Ok(read) => {
                    items.extend(intake.count(read));
                    Flow::Continue
                }
                Err(invalid) => intake.problem(Some(number), invalid),
            })?;
        }
        _ => body.skip()?,
    }
    body.skip_members()?;
    Ok(Some(What::List { resource_version: line.version.clone(), items }))
}

fn event(
    kind: &str,
    mut body: Cursor<'_>,
    assumed: &Assumed,
    number: usize,
    intake: &mut Intake<'_>,
) -> Result<Option<What>, Broken> {
    let read = documents::event(kind, &mut body, assumed)?;
    body.skip_members()?;
    Ok(match read {
        Ok(Some(Event::Object(read))) => intake.count(read).map(|object| documents::change(kind, object)),
        Ok(Some(Event::Other(_, what))) => Some(what),
        Ok(None) => None,
        Err(invalid) => {
            intake.problem(Some(number), invalid);
            None
        }
    })
}
