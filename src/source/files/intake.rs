//! Collects what one input yields: objects of snapshots by resource, problems, counts.

use std::collections::BTreeMap;

use crate::objects::wire::{Invalid, Read};
use crate::objects::{Object, Observation, Resource, What};
use crate::source::{Error, Flow, Input, Notes, Problem, Sink};

/// An input with more problems than this is garbage, and reading on would only take time.
const MOST_PROBLEMS: usize = 1000;

/// More kinds than this are counted together.
const MOST_KINDS: usize = 100;

/// A group and a kind are names of DNS: longer ones are none.
const LONGEST_KIND: usize = 400;

/// What cannot be read, and the object that it is about, as far as that is known.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) object: Option<String>,
    pub(crate) error: Error,
}

impl From<Error> for Unreadable {
    fn from(error: Error) -> Unreadable {
        Unreadable { object: None, error }
    }
}

impl From<Invalid> for Unreadable {
    fn from(invalid: Invalid) -> Unreadable {
        Unreadable { object: invalid.object, error: invalid.error.into() }
    }
}

/// One input while it is read.
pub(crate) struct Intake<'a> {
    pub(crate) notes: &'a mut Notes,
    input: &'a Input,
    sink: &'a mut dyn Sink,
    /// What the sink said last.
    flow: Flow,
    lists: BTreeMap<Resource, List>,
    /// Documents begun so far.
    pub(crate) documents: usize,
    first_problem: usize,
    objects: usize,
    ignored: BTreeMap<String, usize>,
}

#[derive(Default)]
struct List {
    resource_version: String,
    items: Vec<Object>,
}

impl<'a> Intake<'a> {
    pub fn new(input: &'a Input, notes: &'a mut Notes, sink: &'a mut dyn Sink) -> Self {
        Intake {
            first_problem: notes.problems.len(),
            notes,
            input,
            sink,
            flow: Flow::Continue,
            lists: BTreeMap::new(),
            documents: 0,
            objects: 0,
            ignored: BTreeMap::new(),
        }
    }

    /// Notes what cannot be read; Enough if there is too much of it.
    pub(crate) fn problem(&mut self, line: Option<usize>, what: impl Into<Unreadable>) -> Flow {
        let count = self.notes.problems.len() - self.first_problem;
        let too_many = count >= MOST_PROBLEMS;
        let Unreadable { object, error } =
            if too_many { Error::TooManyProblems(MOST_PROBLEMS).into() } else { what.into() };
        let document = (self.documents > 0).then_some(self.documents);
        self.notes.problems.push(Problem { input: self.input.clone(), document, line, object, error });
        if too_many { Flow::Enough } else { Flow::Continue }
    }

    /// Notes what is wrong where no object is known.
    pub(crate) fn complain(&mut self, line: Option<usize>, error: impl Into<Error>) -> Flow {
        self.problem(line, error.into())
    }

    /// Notes why the evidence ends early.
    pub(crate) fn incomplete(&mut self, why: &str) {
        let input = self.input;
        self.notes.incomplete.get_or_insert_with(|| format!("{input}: {why}"));
    }

    /// Notes why the evidence may mislead.
    pub(crate) fn doubt(&mut self, why: &str) {
        self.notes.doubts.push(format!("{}: {why}", self.input));
    }

    /// Hands an observation to the sink.
    pub fn observe(&mut self, observation: Observation) -> Flow {
        if self.flow == Flow::Continue {
            self.flow = self.sink.observe(observation);
        }
        self.flow
    }

    /// Counts an object, or a kind that is not read.
    pub(crate) fn count(&mut self, read: Read) -> Option<Object> {
        match read {
            Read::Object(object) => {
                self.objects += 1;
                Some(object)
            }
            Read::Ignored(kind) => {
                let kind = if kind.len() > LONGEST_KIND { "an overlong kind".to_owned() } else { kind };
                let new = self.ignored.len() >= MOST_KINDS && !self.ignored.contains_key(&kind);
                let kind = if new { "other kinds".to_owned() } else { kind };
                *self.ignored.entry(kind).or_default() += 1;
                None
            }
        }
    }

    /// Takes an object of a snapshot; it is handed on with all others of its resource.
    pub(crate) fn keep(&mut self, read: Result<Read, Invalid>) -> Flow {
        match read {
            Ok(read) => {
                if let Some(object) = self.count(read) {
                    self.lists.entry(object.resource()).or_default().items.push(object);
                }
                Flow::Continue
            }
            Err(invalid) => self.problem(None, invalid),
        }
    }

    /// Notes that a resource was listed, even if it has no objects.
    pub(crate) fn listed(&mut self, resource: Resource, resource_version: String) {
        let list = self.lists.entry(resource).or_default();
        if !resource_version.is_empty() {
            list.resource_version = resource_version;
        }
    }

    /// Hands the lists of snapshots to the sink.
    pub(crate) fn flush(&mut self) -> Flow {
        for (resource, list) in std::mem::take(&mut self.lists) {
            let List { resource_version, items } = list;
            self.observe(Observation { at: None, resource, what: What::List { resource_version, items } });
        }
        self.flow
    }

    /// Ends the input.
    pub fn finish(mut self) -> Flow {
        self.flush();
        let quiet = self.notes.problems.len() == self.first_problem;
        if quiet && self.objects == 0 && !self.ignored.is_empty() {
            let kinds: Vec<_> = self.ignored.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
            self.documents = 0;
            self.complain(None, Error::NothingKnown(kinds.join(", ")));
        }
        if self.documents == 1 {
            for problem in self.notes.problems.iter_mut().skip(self.first_problem) {
                problem.document = None;
            }
        }
        self.notes.objects += self.objects;
        for (kind, count) in self.ignored {
            *self.notes.ignored.entry(kind).or_default() += count;
        }
        self.flow
    }
}
