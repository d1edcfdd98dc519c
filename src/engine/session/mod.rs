//! One run: takes the observations of any source, and answers when the instants asked for are reached.
//!
//! Here it observes and finishes. While the source is open, [`follow`] decides whether enough was seen and
//! hands on what changed; [`answering`] answers for one instant, [`supposed`] for what a dry run supposes;
//! [`row`] and [`report`] make of the answers what is printed, [`missing`] names the targets that have none.

mod answering;
mod follow;
mod missing;
mod report;
mod row;
mod supposed;

use std::collections::BTreeMap;

use jiff::Timestamp;

pub(crate) use self::follow::{ChangeListener, LedgerListener, Listeners};
pub(crate) use self::report::list_options;
pub(crate) use self::row::Row;

use self::report::{Answered, Observed, ReportContext};
use crate::engine::ask::Answers;
use crate::engine::provenance::Provenance;
use crate::engine::settings::{Question as Asked, Settings};
use crate::engine::targets::resolve;
use crate::objects::{Observation, What};
use crate::reasons::Tier;
use crate::reconstruct::detail::LimitDetail;
use crate::reconstruct::ledger::Ledger;
use crate::reconstruct::{Id, Reason, Reconstruction};
use crate::report::{Report, Server, VersionSource, WindowReport};
use crate::source::{Flow, Sink};

/// So many of the last runs of the ledger stand beside an answer.
const LAST_RUNS: usize = 6;

/// An instant to answer for.
#[derive(Clone, Copy)]
struct Instant {
    at: Timestamp,
    /// Its place among those asked for.
    place: usize,
}

/// See the module.
pub(crate) struct Session<'a> {
    settings: &'a Settings,
    reconstruction: Reconstruction,
    /// The instants still to be answered for, the next one last.
    instants: Vec<Instant>,
    /// The answers, by object and place of the instant.
    answered: BTreeMap<(Id, usize), Answered>,
    /// What was observed until each instant, by its place.
    observed: BTreeMap<usize, Observed>,
    /// What each target, by its place, turned out to be.
    found: BTreeMap<usize, Vec<Id>>,
    /// How targets were understood, each line once.
    notes: Vec<String>,
    /// How many of them were handed on.
    noted: usize,
    /// Where the answers come from while a live source is open.
    live: Option<Provenance>,
    /// Who is notified while it runs.
    listeners: Listeners<'a>,
    /// A fingerprint of what was handed on last of each object.
    emitted: BTreeMap<Id, String>,
    /// When the run began.
    begun: Timestamp,
    /// When the first observation came, whether or not it was still wanted.
    first: Option<Timestamp>,
    /// The time of the last line of a log.
    last_line: Option<Timestamp>,
}

impl Sink for Session<'_> {
    fn observe(&mut self, observation: Observation) -> Flow {
        let is_log = matches!(observation.what, What::Log(_));
        if let Some(at) = observation.at {
            if !is_log {
                self.first.get_or_insert(at);
            }
            self.answer_before(Some(at));
            if !self.settings.at.is_empty() && self.instants.is_empty() {
                return Flow::Enough;
            }
        }
        if is_log {
            self.last_line = self.last_line.max(observation.at);
        }
        self.reconstruction.observe(observation);
        self.hand_on_ledger()
    }

    fn idle(&mut self, now: Timestamp) -> Flow {
        self.follow(now)
    }
}

impl<'a> Session<'a> {
    /// Nothing observed yet.
    pub fn new(settings: &'a Settings, listeners: Listeners<'a>) -> Self {
        let mut instants: Vec<Instant> =
            settings.at.iter().zip(0..).map(|(at, place)| Instant { at: *at, place }).collect();
        instants.sort_by_key(|instant| std::cmp::Reverse((instant.at, instant.place)));
        let mut reconstruction = Reconstruction::new(settings.version);
        match settings.question {
            Asked::Timeline { .. } => reconstruction.keep(Ledger::streaming(resolve::names(settings))),
            Asked::Explain => reconstruction.keep(Ledger::keeping(resolve::names(settings), LAST_RUNS)),
            _ => {}
        }
        Session {
            settings,
            reconstruction,
            instants,
            answered: BTreeMap::new(),
            observed: BTreeMap::new(),
            found: BTreeMap::new(),
            notes: Vec::new(),
            noted: 0,
            live: None,
            listeners,
            emitted: BTreeMap::new(),
            begun: Timestamp::now(),
            first: None,
            last_line: None,
        }
    }

    /// What was observed so far.
    pub(crate) fn reconstruction(&self) -> &Reconstruction {
        &self.reconstruction
    }

    /// The latest instant asked for.
    pub(crate) fn last_instant(&self) -> Option<Timestamp> {
        self.settings.at.iter().max().copied()
    }

    /// Answers for what is left, and gives all answers.
    pub fn finish(mut self, provenance: Provenance) -> Answers {
        self.answer_before(None);
        if self.settings.at.is_empty() {
            self.answer_at(Instant { at: self.present(), place: 0 });
        }
        self.answer_for_absent();
        let missing = self.missing();
        // Each missing target has its own line where nothing was observed at any instant.
        let too_early = if missing.is_empty() || self.reconstruction.first_at().is_some() {
            self.too_early()
        } else {
            Vec::new()
        };
        let warnings = [provenance.warnings.clone(), too_early, self.sizes_not_applied()].concat();
        let (reports, rows) = self.take_reports(&provenance);
        let notes = self.new_notes();
        let problems = provenance.problems;
        Answers { missing, reports, rows, notes, warnings, problems, ..Answers::default() }
    }

    /// The instant of the answer where none is asked for. The clock is read once, so that all
    /// answers of a run are for the same instant.
    fn present(&self) -> Timestamp {
        let last = self.reconstruction.last_at().or(self.last_line);
        self.settings.now.or(last).unwrap_or(self.begun)
    }

    /// The reports of what was answered, in their order.
    fn take_reports(&mut self, provenance: &Provenance) -> (Vec<Report>, Vec<Row>) {
        let mut ordered: Vec<_> = std::mem::take(&mut self.answered).into_iter().collect();
        ordered.sort_by(|((a, x), _), ((b, y), _)| (&a.1, a.0, x).cmp(&(&b.1, b.0, y)));
        let context = ReportContext {
            server: self.server(provenance),
            version: self.version_reason(),
            sources: provenance.sources.clone(),
            has_log: provenance.has_log,
            degraded: provenance.degraded.clone(),
        };
        ordered.into_iter().map(|(_, answered)| context.report(answered)).unzip()
    }

    fn observed_so_far(&self) -> Observed {
        let reconstruction = &self.reconstruction;
        let complete = reconstruction.gaps().is_empty();
        let window = reconstruction.first_at().zip(reconstruction.last_at());
        Observed {
            window: window.map(|(from, to)| WindowReport { from, to, complete }),
            resource_version: reconstruction.view().resource_version.clone(),
        }
    }

    fn server(&self, provenance: &Provenance) -> Server {
        let source = match (self.settings.version, self.reconstruction.asked_version()) {
            (Some(version), _) if version.nearest() == version => VersionSource::Flag,
            (Some(_), _) => VersionSource::Assumed,
            (None, Some(_)) => provenance.version_source,
            (None, None) => VersionSource::Assumed,
        };
        Server { minor: self.reconstruction.version().minor_name(), source }
    }

    /// A version that was not given, or that has no profile of its own, is an assumption.
    fn version_reason(&self) -> Option<Reason> {
        let used = self.reconstruction.version();
        let assumed = match self.reconstruction.asked_version() {
            None => LimitDetail::VersionUnknown { used },
            Some(asked) if asked.nearest() != asked => LimitDetail::VersionOutside { asked, used },
            Some(_) => return None,
        };
        Some(Reason::new(Tier::Assumed, assumed))
    }
}
