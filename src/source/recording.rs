//! Recordings: what an observer saw, a line each, read in memory bounded by the longest line.

use std::io::BufRead;

use jiff::Timestamp;

use super::Flow;
use super::cursor::{Assumed, Broken, Cursor};
use super::documents::{self, Event};
use super::intake::Intake;
use crate::objects::{Observation, Resource, What};

/// The version of the format that is read.
const VERSION: &str = "rsexp/v1";

/// Reads a recording up to the last line received at or before `until`.
pub fn read(reader: &mut dyn BufRead, until: Option<Timestamp>, intake: &mut Intake<'_>) -> Flow {
    intake.notes.recording = true;
    let mut recording = Recording { until, number: 0, at: None, ended: false, begun: false };
    let mut buffer = Vec::new();
    loop {
        recording.number += 1;
        buffer.clear();
        let outcome = reader.read_until(b'\n', &mut buffer);
        let complete = outcome.is_ok() && buffer.last() == Some(&b'\n');
        match recording.line(&buffer, intake) {
            Ok(Next::Line) => {}
            Ok(Next::Stop(flow)) => return flow,
            Err(broken) if broken.cut && !complete => {
                intake.incomplete("its last line is cut off");
            }
            Err(broken) => {
                if intake.problem(Some(recording.number), broken.what) == Flow::Enough {
                    intake.incomplete("the rest of it is not read");
                    return Flow::Enough;
                }
                if recording.gap(Resource::Other, intake) == Flow::Enough {
                    return Flow::Enough;
                }
            }
        }
        match outcome {
            Ok(_) if complete => {}
            Ok(_) => break,
            Err(error) => {
                intake.incomplete("it is cut off");
                return intake.complain(None, super::files::unreadable(&error));
            }
        }
    }
    if !recording.ended {
        intake.incomplete("it has no END line: the recorder did not end by itself");
    }
    Flow::Continue
}

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
            intake.complain(Some(1), "the recording has no first line with its version");
        }
        let Some(at) = line.at else { return Err(cursor.bad("at is missing")) };
        if self.until.is_some_and(|until| at > until) {
            return Ok(Next::Stop(Flow::Continue));
        }
        self.ended = line.kind == "END";
        self.at = Some(at);
        let problems = intake.notes.problems.len();
        let mut flow = deliver(&line, body, self.number, intake)?;
        if flow == Flow::Continue && intake.notes.problems.len() > problems {
            flow = self.gap(line.resource.map_or(Resource::Other, |(resource, _)| resource), intake);
        }
        Ok(if flow == Flow::Enough { Next::Stop(flow) } else { Next::Line })
    }

    /// Tells the sink that what a line said is not known.
    fn gap(&self, resource: Resource, intake: &mut Intake<'_>) -> Flow {
        let what = What::Gap(format!("line {} of the recording cannot be read", self.number));
        intake.observe(Observation { at: self.at.or(intake.notes.started_at), resource, what })
    }

    /// The first line; the cursor stands at the version.
    fn header(&mut self, cursor: &mut Cursor<'_>, intake: &mut Intake<'_>) -> Result<Next, Broken> {
        let version = cursor.value::<String>()?;
        if version != VERSION {
            let text = format!("recording version {version:?} is not known; this program reads {VERSION}");
            intake.complain(None, text);
            return Ok(Next::Stop(Flow::Continue));
        }
        self.begun = true;
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
        let what = What::Begin { server_version };
        Ok(match intake.observe(Observation { at, resource: Resource::Other, what }) {
            Flow::Continue => Next::Line,
            Flow::Enough => Next::Stop(Flow::Enough),
        })
    }
}

fn time(cursor: &mut Cursor<'_>, field: &str) -> Result<Timestamp, Broken> {
    let text = cursor.value::<String>()?;
    text.parse().map_err(|_| cursor.bad(format!("{field}: {text:?} is not a time of RFC 3339")))
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
        Resource::Other => Assumed::Ignored(name),
        known => Assumed::Known(known),
    };
    let what = match (line.kind.as_str(), body) {
        ("END", _) => Some(What::End),
        ("LIST", Some(body)) => list(line, body, &assumed, number, intake)?,
        (kind, Some(body)) => event(kind, body, &assumed, number, intake)?,
        (_, None) => None,
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
