//! `timeline`: writes the lines of the ledger while the input is read.
//!
//! Text has a section for each ReplicaSet. The lines of the first are written as they come; those of
//! others wait for their section, the last [`MOST_ROWS`] of each. JSON and YAML are one document, all
//! lines in the order in which they came, then the reports: nothing waits. Pictures are drawn at the end.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::{SignedDuration, Timestamp};

use crate::cli::commands::pictures::Pictures;
use crate::cli::render::output::{self, Terminal};
use crate::cli::render::print;
use crate::engine::ask::Answers;
use crate::engine::failure::Failure;
use crate::engine::session::LedgerListener;
use crate::engine::settings::{Input, Output, Question, Settings};
use crate::engine::targets::resolve;
use crate::engine::targets::target::Target;
use crate::objects::Key;
use crate::reasons::Code;
use crate::reconstruct::ledger::{Fact, Line};
use crate::reconstruct::runs::{Run, Runs};
use crate::reconstruct::{Id, Reconstruction};
use crate::report::format::date;
use crate::report::sanitize::{escape, escape_json};
use crate::report::style::Style;
use crate::report::timeline::Layout;
use crate::report::{API_VERSION, Report, text};
use crate::report::{TimelineLine, ledger};
use crate::source::Flow;

/// So many rows of a section wait at most.
const MOST_ROWS: usize = 5000;

/// After a silence of so long runs are written, though more could join them.
const SILENCE: SignedDuration = SignedDuration::from_secs(2);

const MARKS: &str = "=> is inferred, log the controller's own log";

const MORE: &str = "More: explain, with the same arguments; --full for each line on its own";

const LOG_ALONE: &str = "No lines: the controller's log alone does not show the objects that it is about. \
                         Give what was seen of them too: -f with a recording (kubectl rsexp record), or with \
                         the output of kubectl get rs,pods,events -o yaml.";

const SNAPSHOT: &str = "A snapshot: what came before it was not seen. A recording or a window shows more.";

/// See the module.
pub struct Timeline<'a> {
    settings: &'a Settings,
    out: Terminal,
    style: Style,
    full: bool,
    /// Whether lines are wanted at once by whoever reads them.
    hurry: bool,
    /// Whether lines of an object are shown, as far as that is decided.
    shown: BTreeMap<Id, bool>,
    sections: BTreeMap<Id, Section>,
    /// Whose rows are written as they come.
    streamed: Option<Id>,
    /// Whether the document was begun, and how many lines stand in it.
    document: Option<u64>,
    /// What is drawn, where that is wanted.
    pictures: Option<Pictures>,
    /// Whether anything was written.
    begun: bool,
    failed: Option<Failure>,
}

/// The rows of one ReplicaSet.
#[derive(Default)]
struct Section {
    runs: Runs,
    date: String,
    newest: Option<Timestamp>,
    waiting: VecDeque<String>,
    dropped: u64,
}

impl LedgerListener for Timeline<'_> {
    fn advanced(&mut self, reconstruction: &mut Reconstruction) -> Flow {
        let new = reconstruction.ledger_mut().map(|ledger| ledger.take()).unwrap_or_default();
        for (id, lines) in new {
            if self.is_shown(&id, &lines, reconstruction) {
                lines.into_iter().for_each(|line| self.line(&id, line));
            }
        }
        self.flow()
    }

    fn idle(&mut self, now: Timestamp) -> Flow {
        let silent = |section: &Section| section.newest.is_some_and(|at| now.duration_since(at) > SILENCE);
        let silent: Vec<Id> =
            self.sections.iter().filter(|(_, section)| silent(section)).map(|(id, _)| id.clone()).collect();
        for id in silent {
            let runs = self.sections.get_mut(&id).map(|section| section.runs.take_all());
            self.rows(&id, &runs.unwrap_or_default());
        }
        self.flow()
    }
}

impl<'a> Timeline<'a> {
    /// Nothing written yet.
    pub fn new(settings: &'a Settings) -> Self {
        let out = Terminal::new(settings.color);
        let look = out.look();
        let full = matches!(settings.question, Question::Timeline { full: true });
        Timeline {
            settings,
            style: Style::new(look.colour, look.width).of_text(),
            out,
            full,
            hurry: settings.asks_cluster() || settings.inputs.contains(&Input::Stdin),
            shown: BTreeMap::new(),
            sections: BTreeMap::new(),
            streamed: None,
            document: None,
            pictures: Pictures::wanted(&settings.output, full),
            begun: false,
            failed: None,
        }
    }

    /// Whether this object was asked about. What was, stays: it may be gone by now.
    fn is_shown(&mut self, id: &Id, lines: &[Line], reconstruction: &Reconstruction) -> bool {
        let comes = |line: &Line| matches!(line.fact, Fact::Opened { .. } | Fact::Appeared | Fact::Recreated);
        // A pod may lead to it later, or a label.
        let may_come = self.settings.selector.is_some()
            || self.settings.targets.iter().any(|target| matches!(target, Target::Pod(_)));
        match self.shown.get(id) {
            Some(true) => return true,
            Some(false) if !may_come && !lines.iter().any(comes) => return false,
            _ => {}
        }
        let shown = resolve::resolve(reconstruction, self.settings).ids.contains(id);
        self.shown.insert(id.clone(), shown);
        shown
    }

    fn flow(&mut self) -> Flow {
        if self.hurry && self.failed.is_none() {
            self.failed = self.out.flush().err();
        }
        if self.failed.is_some() { Flow::Enough } else { Flow::Continue }
    }

    fn write(&mut self, text: &str) {
        self.begun |= !text.is_empty();
        if self.failed.is_none() {
            self.failed = self.out.write(text).err();
        }
    }

    fn line(&mut self, id: &Id, line: Line) {
        if let Some(pictures) = &mut self.pictures {
            return pictures.take(id, line);
        }
        if self.is_document() {
            return self.member(id, line);
        }
        let section = self.sections.entry(id.clone()).or_default();
        section.newest = section.newest.max(Some(line.at));
        let runs = match self.full {
            true => vec![Run::of(line)],
            false => {
                section.runs.push(line);
                section.runs.take_ended()
            }
        };
        self.rows(id, &runs);
    }

    /// Writes the rows of runs, or keeps them for their section.
    fn rows(&mut self, id: &Id, runs: &[Run]) {
        if self.streamed.is_none() && !runs.is_empty() {
            self.streamed = Some(id.clone());
            let heading = heading(id, &self.style);
            self.write(&heading);
        }
        let streams = self.streamed.as_ref() == Some(id);
        let mut text = String::new();
        let Some(section) = self.sections.get_mut(id) else { return };
        for run in runs {
            let rows = section.text(run, &Layout { style: &self.style, full: self.full, brief: false });
            if streams { text.push_str(&rows) } else { section.wait(rows) }
        }
        self.write(&text);
    }

    fn is_document(&self) -> bool {
        matches!(self.settings.output, Output::Json | Output::Yaml)
    }

    /// A line of the document.
    fn member(&mut self, id: &Id, line: Line) {
        let value = TimelineLine::new(id, ledger::ledger_line(&Run::of(line)));
        self.begin_document();
        let number = self.document.unwrap_or_default();
        let text = if self.settings.output == Output::Yaml {
            let head = if number == 0 { "lines:\n" } else { "" };
            print::yaml(&[value]).map(|text| format!("{head}{text}"))
        } else {
            let head = if number == 0 { "\n    " } else { ",\n    " };
            let text = serde_json::to_string(&value).map_err(Failure::Json);
            text.map(|text| format!("{head}{}", escape_json(&text)))
        };
        self.document = Some(number + 1);
        match text {
            Ok(text) => self.write(&text),
            Err(failure) => self.failed = Some(failure),
        }
    }

    fn begin_document(&mut self) {
        if self.document.is_some() {
            return;
        }
        self.document = Some(0);
        let text = match self.settings.output {
            Output::Yaml => format!("apiVersion: \"{API_VERSION}\"\nkind: \"TimelineReport\"\n"),
            _ => format!(
                "{{\n  \"apiVersion\": \"{API_VERSION}\",\n  \"kind\": \"TimelineReport\",\n  \"lines\": ["
            ),
        };
        self.write(&text);
    }

    /// Writes what is left: waiting sections, the verdicts, the end of the document. Without answers
    /// only what was begun is ended.
    pub fn finish(mut self, answers: Option<&Answers>) -> Result<(), Failure> {
        let reports = answers.map_or(&[][..], |answers| answers.reports.as_slice());
        if let Some(pictures) = self.pictures.take() {
            if answers.is_some_and(|answers| answers.missing.is_empty() || !reports.is_empty()) {
                self.draw(pictures, reports);
            }
        } else if self.is_document() {
            let asked = answers.is_some_and(|answers| answers.missing.is_empty() || !reports.is_empty());
            if asked || self.document.is_some() {
                self.end_document(reports)?;
            }
        } else {
            self.end_sections(reports);
        }
        match self.failed {
            Some(failure) => Err(failure),
            None => self.out.finish(),
        }
    }

    fn draw(&mut self, pictures: Pictures, reports: &[Report]) {
        let plain = Style::new(false, usize::MAX);
        let verdict = |id: &Id| match reports.iter().find(|report| id_of(report) == *id) {
            Some(report) => text::verdict(report, &plain),
            None => format!("{} is gone: there is nothing to sync", name(id)),
        };
        let (text, left_out) = pictures.finish(verdict);
        left_out.iter().for_each(|line| output::warning(line));
        self.write(&text);
    }

    fn end_document(&mut self, reports: &[Report]) -> Result<(), Failure> {
        self.begin_document();
        let empty = self.document == Some(0);
        let text = if self.settings.output == Output::Yaml {
            let lines = if empty { "lines: []\n" } else { "" };
            let reports = if reports.is_empty() { "[]\n".into() } else { print::yaml(&reports)? };
            let gap = if reports.starts_with('[') { " " } else { "\n" };
            format!("{lines}reports:{gap}{reports}")
        } else {
            let end = if empty { "" } else { "\n  " };
            let reports = print::json(&reports)?.trim_end().replace('\n', "\n  ");
            format!("{end}],\n  \"reports\": {reports}\n}}\n")
        };
        self.write(&text);
        Ok(())
    }

    /// The section that is written already comes first.
    fn end_sections(&mut self, reports: &[Report]) {
        let reports: BTreeMap<Id, &Report> = reports.iter().map(|report| (id_of(report), report)).collect();
        let ids: BTreeSet<Id> = self.sections.keys().chain(reports.keys()).cloned().collect();
        let first = self.streamed.clone();
        let others = ids.iter().filter(|id| first.as_ref() != Some(id));
        for id in first.iter().chain(others) {
            self.end_section(id, reports.get(id).copied());
        }
    }

    fn end_section(&mut self, id: &Id, report: Option<&Report>) {
        let runs = self.sections.get_mut(id).map(|section| section.runs.take_all());
        self.rows(id, &runs.unwrap_or_default());
        let style = self.style;
        let mut text = String::new();
        if self.streamed.as_ref() != Some(id) {
            let gap = if self.begun { "\n" } else { "" };
            text = format!("{gap}{}", heading(id, &style));
            text += &self.sections.remove(id).map(Section::left).unwrap_or_default();
        }
        let unseen = match report {
            Some(report) if is_by_log_alone(report) => Some(LOG_ALONE),
            Some(report) if report.evidence.window.is_none() => Some(SNAPSHOT),
            _ => None,
        };
        text += &unseen.map(|why| style.paragraph("", 2, why) + "\n").unwrap_or_default();
        let verdict = match report {
            Some(report) => text::verdict(report, &style),
            None => style.paragraph("", 2, &format!("{} is gone: there is nothing to sync", name(id))) + "\n",
        };
        self.write(&format!("{text}\n{verdict}{}\n", style.paragraph("", 2, MORE)));
    }
}

impl Section {
    /// The rows of a run, under the date and the heads of the columns where the date is new.
    fn text(&mut self, run: &Run, layout: &Layout) -> String {
        let line = ledger::ledger_line(run);
        let mut text = String::new();
        let date = date(line.at);
        if self.date != date {
            text = layout.heads(&date) + "\n";
            self.date = date;
        }
        text + &layout.rows(&line) + "\n"
    }

    fn wait(&mut self, rows: String) {
        self.waiting.push_back(rows);
        if self.waiting.len() > MOST_ROWS {
            self.waiting.pop_front();
            self.dropped += 1;
        }
    }

    fn left(self) -> String {
        let dropped = match self.dropped {
            0 => String::new(),
            dropped => {
                format!("... {dropped} earlier lines left out: name this ReplicaSet alone to see them\n")
            }
        };
        dropped + &self.waiting.into_iter().collect::<String>()
    }
}

fn heading(id: &Id, style: &Style) -> String {
    let name = style.bold(&name(id));
    style.paragraph("", 2, &format!("{name} ({}): {MARKS}", escape(&id.1.namespace))) + "\n"
}

fn name((kind, key): &Id) -> String {
    format!("{}/{}", kind.short(), escape(&key.name))
}

fn is_by_log_alone(report: &Report) -> bool {
    report.reasons.iter().any(|reason| reason.code == Code::LogAlone)
}

fn id_of(report: &Report) -> Id {
    (report.object.kind, Key::new(report.object.namespace.as_str(), report.object.name.as_str()))
}
