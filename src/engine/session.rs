//! One run: takes the observations of any source, and answers when the instants asked for are reached.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::engine::ask::Answers;
use crate::engine::origin::Origin;
use crate::engine::settings::{Assumption, Question as Asked, Settings, WhatIf};
use crate::engine::targets::choose;
use crate::engine::targets::target::Target;
use crate::engine::targets::via;
use crate::engine::told::{Answered, Row, Seen, Shared, fingerprint, pod_status};
use crate::model::dry_run::{ClientRate, Start, SyncRun, dry_run, refusal_of};
use crate::model::expectations::{EXPIRY, Gate};
use crate::model::plan::{Assumptions, RefusedCreates};
use crate::objects::instant::later;
use crate::objects::{Key, Observation, Pod, ReplicaSet, What};
use crate::reasons::Code;
use crate::reasons::Tier;
use crate::reconstruct::answer::{Answer, Question, coming};
use crate::reconstruct::detail::LimitDetail;
use crate::reconstruct::ledger::Ledger;
use crate::reconstruct::runs::Run;
use crate::reconstruct::verdict::Verdict;
use crate::reconstruct::{Id, Reason, Reconstruction};
use crate::report::table::PodRow;
use crate::report::{Report, Server, VersionSource, Window};
use crate::source::{Flow, Sink};
use crate::suggest;

/// More objects than this are not answered for at every event just to end a window early.
const FEW: usize = 100;

/// One run: takes the observations, and answers when the instants asked for are reached.
pub struct Session<'a> {
    settings: &'a Settings,
    reconstruction: Reconstruction,
    /// The instants still to be answered for, the next one last, each with its place in the
    /// settings.
    instants: Vec<(Timestamp, usize)>,
    answered: BTreeMap<(Id, usize), Answered>,
    /// What was seen by each instant.
    seen: BTreeMap<usize, Seen>,
    /// What each named target turned out to be.
    found: BTreeMap<usize, Vec<Id>>,
    /// How targets were understood, each line once.
    notes: Vec<String>,
    /// How many of them are said.
    noted: usize,
    /// What a live source says of itself while it is open.
    live: Option<Origin>,
    /// Who is told while it runs.
    listeners: Listeners<'a>,
    /// What was emitted last of each object.
    emitted: BTreeMap<Id, String>,
    /// When the run began.
    begun: Timestamp,
    /// When the first observation came, whether or not it was still wanted.
    first: Option<Timestamp>,
    /// The time of the last line of a log.
    last_line: Option<Timestamp>,
}

/// Takes reports as they change, and says whether it wants more.
pub type Emit<'a> = Box<dyn FnMut(Answers) -> Flow + 'a>;

/// Takes the lines of the ledger as they come.
pub trait Lines {
    /// Lines may be new, and whether more are wanted.
    fn told(&mut self, reconstruction: &mut Reconstruction) -> Flow;

    /// Nothing new has come by this instant.
    fn idle(&mut self, now: Timestamp) -> Flow;
}

/// Who is told while a run goes on.
#[derive(Default)]
pub struct Listeners<'a> {
    /// Of reports as they change, while a cluster is followed.
    pub changes: Option<Emit<'a>>,
    /// Of the lines of the ledger.
    pub lines: Option<&'a mut dyn Lines>,
}

/// So many of the last runs of the ledger are told beside an answer.
const LAST_RUNS: usize = 6;

impl Sink for Session<'_> {
    fn observe(&mut self, observation: Observation) -> Flow {
        if let Some(at) = observation.at {
            if !matches!(observation.what, What::Log(_)) {
                self.first.get_or_insert(at);
            }
            self.answer_before(Some(at));
            if !self.settings.at.is_empty() && self.instants.is_empty() {
                return Flow::Enough;
            }
        }
        if matches!(observation.what, What::Log(_)) {
            self.last_line = self.last_line.max(observation.at);
        }
        self.reconstruction.observe(observation);
        self.tell_lines()
    }

    fn idle(&mut self, now: Timestamp) -> Flow {
        if self.emit_changes(now) == Flow::Enough || self.has_enough(now) {
            return Flow::Enough;
        }
        self.listeners.lines.as_mut().map_or(Flow::Continue, |lines| lines.idle(now))
    }
}

impl<'a> Session<'a> {
    /// Nothing seen yet.
    pub fn new(settings: &'a Settings, listeners: Listeners<'a>) -> Self {
        let mut instants: Vec<(Timestamp, usize)> = settings.at.iter().copied().zip(0..).collect();
        instants.sort_by_key(|(at, place)| std::cmp::Reverse((*at, *place)));
        let mut reconstruction = Reconstruction::new(settings.version);
        match settings.question {
            Asked::Timeline { .. } => reconstruction.keep(Ledger::streaming(choose::names(settings))),
            Asked::Explain => reconstruction.keep(Ledger::keeping(choose::names(settings), LAST_RUNS)),
            _ => {}
        }
        Session {
            settings,
            reconstruction,
            instants,
            answered: BTreeMap::new(),
            seen: BTreeMap::new(),
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

    /// Reads a live source: this is said of it while it is open.
    pub fn follow(&mut self, origin: Origin) {
        self.live = Some(origin);
    }

    /// Hands on new lines of the ledger, if somebody wants them.
    fn tell_lines(&mut self) -> Flow {
        let Session { listeners, reconstruction, .. } = self;
        listeners.lines.as_mut().map_or(Flow::Continue, |lines| lines.told(reconstruction))
    }

    /// Whether no further evidence is wanted: the verdict waited for is there, or nothing that a
    /// short window shows could change the verdicts.
    fn has_enough(&self, now: Timestamp) -> bool {
        let until = self.settings.live.until;
        // A list is through at once, and a timeline lasts as long as its window.
        let goes_on = matches!(self.settings.question, Asked::List { .. } | Asked::Timeline { .. });
        let final_answer = self.listeners.changes.is_none() && !goes_on;
        if until.is_none() && !final_answer {
            return false;
        }
        let ids = choose::choose(&self.reconstruction, self.settings).ids;
        let satisfied = |id: &Id| {
            let answer = self.reconstruction.answer(id, now, &self.question());
            match until {
                Some(wanted) => answer.verdict == wanted,
                None => answer.verdict == Verdict::Settled || answer.object.is_some_and(|o| o.is_deleting()),
            }
        };
        (until.is_none() || !ids.is_empty()) && ids.len() <= FEW && ids.iter().all(satisfied)
    }

    /// Hands on what has changed, if somebody wants that.
    fn emit_changes(&mut self, now: Timestamp) -> Flow {
        let Some(origin) = self.live.clone().filter(|_| self.listeners.changes.is_some()) else {
            return Flow::Continue;
        };
        self.answer_at(now, 0);
        let (reports, rows) = self.tell(&origin);
        let mut changed = Answers::default();
        for (report, row) in reports.into_iter().zip(rows) {
            let key = Key::new(report.object.namespace.as_str(), report.object.name.as_str());
            let print = fingerprint(self.settings, &report, &row);
            if self.emitted.insert((report.object.kind, key), print.clone()).as_ref() != Some(&print) {
                changed.reports.push(report);
                changed.rows.push(row);
            }
        }
        if changed.reports.is_empty() {
            return Flow::Continue;
        }
        changed.notes = self.unsaid();
        self.listeners.changes.as_mut().map_or(Flow::Continue, |emit| emit(changed))
    }

    /// The notes that were not said yet.
    fn unsaid(&mut self) -> Vec<String> {
        let unsaid = self.notes[self.noted..].to_vec();
        self.noted = self.notes.len();
        unsaid
    }

    fn note(&mut self, notes: Vec<String>) {
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// What was seen so far.
    pub fn reconstruction(&self) -> &Reconstruction {
        &self.reconstruction
    }

    /// The latest instant asked for.
    pub fn last_instant(&self) -> Option<Timestamp> {
        self.settings.at.iter().max().copied()
    }

    /// Answers for every instant before the next observation; for all that are left at the end.
    fn answer_before(&mut self, next: Option<Timestamp>) {
        while let Some((at, place)) = self.instants.last().copied() {
            if next.is_some_and(|next| at >= next) {
                return;
            }
            self.instants.pop();
            self.answer_at(at, place);
        }
    }

    fn answer_at(&mut self, now: Timestamp, place: usize) {
        let chosen = choose::choose(&self.reconstruction, self.settings);
        for (target, ids) in chosen.by_target.iter().enumerate() {
            self.found.entry(target).or_default().extend(ids.iter().cloned());
        }
        let mut via = via::told(&self.reconstruction, self.settings, &chosen);
        self.note(via.notes);
        let seen = self.seen_so_far();
        self.seen.insert(place, seen.clone());
        for id in chosen.ids.clone() {
            let via = via.of.remove(&id);
            let mut question = self.question();
            if !self.takes_size(&id, &chosen.by_target) {
                question.replicas = None;
            }
            let answer = self.reconstruction.answer(&id, now, &question);
            let runs = self.runs(&answer);
            let row = self.row(&answer, now);
            let ledger = self.last_runs(&id);
            let answered = Answered { answer, via, runs, row, seen: seen.clone(), ledger };
            self.answered.insert((id, place), answered);
        }
        if self.listeners.lines.is_some() {
            self.reconstruction.end_ledger(now);
            self.tell_lines();
        }
    }

    fn last_runs(&self, id: &Id) -> Vec<Run> {
        self.reconstruction.ledger().map(|ledger| ledger.runs(id)).unwrap_or_default()
    }

    /// Whether `--replicas` is about this ReplicaSet. A Deployment's size goes to the one of its
    /// ReplicaSets that has one; while a rollout goes on, the Deployment decides how it is divided.
    fn takes_size(&self, id: &Id, by_target: &[Vec<Id>]) -> bool {
        let cache = &self.reconstruction.view().cache;
        let sized = |id: &&Id| cache.replica_set(id.0, &id.1).is_some_and(|rs| rs.replicas > 0);
        let mut of_deployments = self
            .settings
            .targets
            .iter()
            .zip(by_target)
            .filter(|(target, ids)| matches!(target, Target::Deployment(_)) && ids.contains(id))
            .map(|(_, ids)| ids.iter().filter(sized).collect::<Vec<_>>());
        of_deployments.all(|sized| sized == [id])
    }

    /// The instant of the answer where none is asked for. The clock is read once, so that all
    /// answers of a run are for the same instant.
    fn present(&self) -> Timestamp {
        let last = self.reconstruction.last_at().or(self.last_line);
        self.settings.now.or(last).unwrap_or(self.begun)
    }

    fn question(&self) -> Question {
        let taken_now = self.settings.now.is_some();
        let Asked::DryRun(what_if) = &self.settings.question else {
            return Question { taken_now, ..Question::default() };
        };
        Question {
            replicas: what_if.replicas,
            assumptions: assumptions(what_if),
            gate: what_if.assume.map(|assume| assume == Assumption::Satisfied),
            taken_now,
        }
    }

    /// The syncs of a dry run; none for other questions.
    fn runs(&self, answer: &Answer) -> Vec<SyncRun> {
        let (Asked::DryRun(what_if), Some(object)) = (&self.settings.question, &answer.object) else {
            return Vec::new();
        };
        let mut cache = self.reconstruction.view().cache.clone();
        cache.put_replica_set(object.clone());
        for pod in coming(answer.running.as_ref(), object, answer.as_of) {
            cache.put_pod(pod);
        }
        let assumed = what_if.assume == Some(Assumption::Unmet);
        let expires = if assumed { Some(answer.as_of) } else { answer.held.set_at.latest };
        let start = Start {
            kind: answer.id.0,
            key: answer.id.1.clone(),
            now: answer.as_of,
            gate: match (answer.open, &answer.running) {
                (_, Some(_)) => Gate::Fulfilled,
                (Some(false), None) => Gate::Waiting,
                _ => answer.gate.unwrap_or(Gate::Fulfilled),
            },
            entry: answer.held.entry().filter(|_| what_if.assume.is_none() && answer.running.is_none()),
            expires: expires.map(|set| later(set, EXPIRY)),
            failures: answer.failures,
            assumptions: answer.assumptions.clone(),
            rate: ClientRate { qps: what_if.qps, burst: what_if.burst },
            choice_delay: self.reconstruction.choice_delay(),
            most: what_if.syncs,
        };
        dry_run(&start, &cache, self.reconstruction.profile())
    }

    fn row(&self, answer: &Answer, now: Timestamp) -> Row {
        let Some(object) = &answer.object else { return Row::default() };
        let wants_pods = matches!(self.settings.question, Asked::List { pods: true, .. });
        Row {
            current: Some(object.status.replicas),
            ready: Some(object.status.ready),
            age: object.meta.created.map(|created| now.duration_since(created)),
            pods: if wants_pods { self.pods(object, now) } else { Vec::new() },
            labels: object.meta.labels.clone(),
            created: object.meta.created,
            owner: object.meta.controller().map(|owner| match owner.kind.as_str() {
                "Deployment" => format!("deploy/{}", owner.name),
                kind => format!("{}/{}", kind.to_lowercase(), owner.name),
            }),
        }
    }

    fn pods(&self, object: &ReplicaSet, now: Timestamp) -> Vec<PodRow> {
        let cache = &self.reconstruction.view().cache;
        let own = |pod: &Pod| {
            let owned = pod.controller().is_some_and(|owner| owner.uid == object.meta.uid);
            owned || (pod.controller().is_none() && object.selector.matches(&pod.meta.labels))
        };
        cache
            .pods_in(&object.meta.namespace)
            .filter(|pod| own(pod))
            .map(|pod| PodRow {
                name: pod.meta.name.clone(),
                ready: if pod.is_ready() { "yes" } else { "no" }.into(),
                status: pod_status(pod),
                restarts: pod.restarts,
                age: pod.meta.created.map(|created| now.duration_since(created)),
                node: Some(pod.node.clone()).filter(|node| !node.is_empty()),
                note: String::new(),
            })
            .collect()
    }

    /// Answers for what is left, and tells everything.
    pub fn finish(mut self, origin: Origin) -> Answers {
        self.answer_before(None);
        if self.settings.at.is_empty() {
            self.answer_at(self.present(), 0);
        }
        self.answer_for_absent();
        let missing = self.missing();
        // Each missing target says so itself where nothing was seen at any instant.
        let too_early = if missing.is_empty() || self.reconstruction.first_at().is_some() {
            self.too_early()
        } else {
            Vec::new()
        };
        let warnings = [origin.warnings.clone(), too_early, self.divided()].concat();
        let (reports, rows) = self.tell(&origin);
        let notes = self.unsaid();
        Answers { missing, reports, rows, notes, warnings, problems: origin.problems, ..Answers::default() }
    }

    /// Deployments whose new size cannot be given to one ReplicaSet.
    fn divided(&self) -> Vec<String> {
        let asks = matches!(&self.settings.question, Asked::DryRun(what_if) if what_if.replicas.is_some());
        let cache = &self.reconstruction.view().cache;
        let sized = |id: &&Id| cache.replica_set(id.0, &id.1).is_some_and(|rs| rs.replicas > 0);
        let targets = self.settings.targets.iter().enumerate().filter(|_| asks);
        targets
            .filter_map(|(at, target)| match target {
                Target::Deployment(name) => Some((name, self.found.get(&at)?.iter().filter(sized).count())),
                _ => None,
            })
            .filter(|(_, sized)| *sized != 1)
            .map(|(name, sized)| {
                format!("--replicas is not applied to deploy/{name}: {sized} of its ReplicaSets have a size, and the Deployment decides how it is divided; name one ReplicaSet instead")
            })
            .collect()
    }

    /// Instants asked for at which nothing had been seen yet.
    fn too_early(&self) -> Vec<String> {
        self.early().map(|(at, first)| before(at, first) + ": nothing had been seen yet").collect()
    }

    /// Instants before the first observation, and that.
    fn early(&self) -> impl Iterator<Item = (Timestamp, Timestamp)> {
        let first = self.first;
        let at = self.settings.at.iter().copied();
        at.filter_map(move |at| Some((at, first?))).filter(|(at, first)| at < first)
    }

    /// The reports of what was answered, in their order.
    fn tell(&mut self, origin: &Origin) -> (Vec<Report>, Vec<Row>) {
        let mut ordered: Vec<_> = std::mem::take(&mut self.answered).into_iter().collect();
        ordered.sort_by(|((a, x), _), ((b, y), _)| (&a.1, a.0, x).cmp(&(&b.1, b.0, y)));
        let shared = Shared {
            server: self.server(origin),
            version: self.version_reason(),
            sources: origin.sources.clone(),
            has_log: origin.has_log,
            degraded: origin.degraded.clone(),
        };
        ordered.into_iter().map(|(_, answered)| shared.report(answered)).unzip()
    }

    /// An object asked for by name that existed at another instant only is answered for too.
    fn answer_for_absent(&mut self) {
        let names_something = self.settings.targets.iter().any(|target| target.name().is_some());
        if !names_something {
            return;
        }
        let ids: Vec<Id> = self.found.values().flatten().cloned().collect();
        let seen = choose::seen(&self.reconstruction, self.settings);
        let end = self.settings.at.is_empty().then(|| self.present());
        let instants = self.settings.at.iter().copied().chain(end);
        let places: Vec<(usize, Timestamp)> = instants.enumerate().collect();
        for id in ids.into_iter().chain(seen) {
            for (place, at) in &places {
                let (runs, row) = (Vec::new(), Row::default());
                let seen = self.seen.get(place).cloned().unwrap_or_else(|| self.seen_so_far());
                let answer = Answer::absent(&id, *at);
                // What the ledger held by then was not kept for it.
                let ledger = Vec::new();
                let absent = Answered { answer, via: None, runs, row, seen, ledger };
                self.answered.entry((id.clone(), *place)).or_insert(absent);
            }
        }
    }

    fn missing(&self) -> Vec<String> {
        let answered = |target: usize, named: &Target| {
            let found = self.found.get(&target).is_some_and(|ids| !ids.is_empty());
            found || !choose::seen_by(&self.reconstruction, self.settings, named).is_empty()
        };
        let named = self.settings.targets.iter().enumerate().filter(|(_, target)| target.name().is_some());
        let missing = named.filter(|(at, target)| !answered(*at, target));
        missing.map(|(_, target)| self.why_missing(target)).collect()
    }

    fn why_missing(&self, target: &Target) -> String {
        let mut early = self.early();
        if let Some((at, first)) = early.next().filter(|_| early.count() + 1 == self.settings.at.len()) {
            let name = target.name().map_or("", |(_, name)| name);
            return format!("{}: nothing is known of {name} by then", before(at, first));
        }
        via::nothing(&self.reconstruction, self.settings, target)
            .unwrap_or_else(|| target.not_found() + &self.similar(target))
    }

    /// A name that was seen, or a code, and looks like the missing one.
    fn similar(&self, target: &Target) -> String {
        let Some((_, name)) = target.name() else { return String::new() };
        let code = Code::ALL.iter().map(|code| code.as_str()).find(|code| code.eq_ignore_ascii_case(name));
        if let Some(code) = code.filter(|_| self.settings.question == Asked::Explain) {
            return format!("; did you mean the code {code}?");
        }
        let seen = self.reconstruction.seen();
        // The same name under the other kind is the likeliest slip.
        match seen.iter().find(|(_, key)| key.name == name) {
            Some((kind, _)) => format!("; did you mean \"{}/{name}\"?", kind.short()),
            None => suggest::hint(name, seen.iter().map(|(_, key)| key.name.as_str())),
        }
    }

    fn server(&self, origin: &Origin) -> Server {
        let source = match (self.settings.version, self.reconstruction.asked_version()) {
            (Some(version), _) if version.nearest() == version => VersionSource::Flag,
            (Some(_), _) => VersionSource::Assumed,
            (None, Some(_)) => origin.version_source,
            (None, None) => VersionSource::Assumed,
        };
        Server { minor: self.reconstruction.version().minor_name(), source }
    }

    fn seen_so_far(&self) -> Seen {
        let reconstruction = &self.reconstruction;
        let complete = reconstruction.gaps().is_empty();
        let window = reconstruction.first_at().zip(reconstruction.last_at());
        Seen {
            window: window.map(|(from, to)| Window { from, to, complete }),
            resource_version: reconstruction.view().resource_version.clone(),
        }
    }

    /// A version that nobody told, or that has no profile of its own, is an assumption.
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

/// That an instant lies before the first observation.
fn before(at: Timestamp, first: Timestamp) -> String {
    format!("--at {at} is before the recording, which begins at {first}")
}

fn assumptions(what_if: &WhatIf) -> Assumptions {
    Assumptions {
        refuse: what_if.fail_creates.map(|fail| RefusedCreates {
            nth: fail.only.map(u64::from),
            error: refusal_of(fail.reason.as_str()),
        }),
        quota: what_if
            .quota_left
            .map(|left| (left, format!("exceeded quota: room for {left} more in all, as assumed"))),
        namespace_terminating: what_if
            .fail_creates
            .is_some_and(|fail| fail.reason == Code::NamespaceTerminating && fail.only.is_none()),
    }
}
