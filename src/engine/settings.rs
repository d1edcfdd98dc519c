//! What a command was asked to do: plain, checked values. Nothing from here on knows clap.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::Offset;

use crate::engine::expect::Expected;
use crate::engine::targets::fields::FieldSelector;
use crate::engine::targets::target::Target;
use crate::model::profile::Version;
use crate::objects::Selector;
use crate::reasons::Code;
use crate::reconstruct::verdict::Verdict;
use crate::record::file::Destination;
use crate::report::template::columns::Columns;
use crate::report::template::jsonpath::JsonPath;
pub use crate::source::Input;
use crate::source::cluster::Flags;

/// How the answer is written.
#[derive(Debug, Clone, PartialEq)]
pub enum Output {
    /// For reading.
    Text,
    /// For reading, with more columns and facts.
    Wide,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
    /// `TYPE/NAME` lines.
    Name,
    /// Pictures in one SVG file; of a timeline only.
    Svg,
    /// A page with pictures; of a timeline only.
    Html,
    /// What a template makes of the JSON.
    JsonPath(JsonPath),
    /// What a template finds in the JSON, as a list.
    JsonPathAsJson(JsonPath),
    /// A table of what paths lead to in each report.
    CustomColumns(Columns),
}

impl Output {
    /// Whether it is for reading, and not a form of the JSON.
    pub fn is_human(&self) -> bool {
        matches!(self, Output::Text | Output::Wide)
    }

    /// Whether it is a document even where there is nothing to tell.
    pub fn is_document(&self) -> bool {
        matches!(self, Output::Json | Output::Yaml | Output::JsonPath(_) | Output::JsonPathAsJson(_))
    }
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorChoice {
    /// As the environment and the terminal tell.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What a dry run supposes of the expectations that it starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assumption {
    /// The gate is open.
    Satisfied,
    /// The gate is closed.
    Unmet,
}

/// Creates that a dry run lets fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailCreates {
    /// Why they fail.
    pub reason: Code,
    /// Only the K-th create, counted from 1; every one if absent.
    pub only: Option<u32>,
}

/// What a dry run supposes.
#[derive(Debug, Clone, PartialEq)]
pub struct WhatIf {
    /// spec.replicas instead of the stored one; never negative.
    pub replicas: Option<i32>,
    /// Creates that fail.
    pub fail_creates: Option<FailCreates>,
    /// How many more pods the quota admits.
    pub quota_left: Option<u64>,
    /// The expectations at the start.
    pub assume: Option<Assumption>,
    /// The most syncs that are simulated: 1 to 1000.
    pub syncs: usize,
    /// Requests a second of the controller's client; above 0.
    pub qps: f64,
    /// Requests that it may make at once; at least 1.
    pub burst: u32,
}

/// Which answer is wanted.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// One line a ReplicaSet.
    List {
        /// With its pods beneath.
        pods: bool,
    },
    /// Everything about the next sync.
    Explain,
    /// The next syncs.
    DryRun(WhatIf),
    /// What changed or proved something, as it came.
    Timeline {
        /// Each line on its own, its words whole.
        full: bool,
    },
}

/// What tables show, and in which order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableSettings {
    /// Without the column heads.
    pub no_headers: bool,
    /// What the objects are sorted by, and how that was written.
    pub sort_by: Option<SortBy>,
    /// With a column of all labels.
    pub show_labels: bool,
    /// With a column for each of these labels.
    pub label_columns: Vec<String>,
    /// With what is settled too, where every namespace is listed.
    pub all: bool,
}

/// A path to what objects are sorted by.
#[derive(Debug, Clone, PartialEq)]
pub struct SortBy {
    /// As it was given.
    pub text: String,
    /// The same, read.
    pub path: JsonPath,
}

/// How a live cluster is read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LiveSettings {
    /// How long to watch; None is the default of the question.
    pub window: Option<Duration>,
    /// Whether to go on and show what changes.
    pub follow: bool,
    /// Whether to watch until all verdicts are this one.
    pub until: Option<Verdict>,
    /// When to give up.
    pub timeout: Option<Duration>,
    /// Objects a page of a list; zero is all at once.
    pub chunk_size: u32,
}

/// Everything that a command about objects was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Which answer is wanted.
    pub question: Question,
    /// What to read; empty means the cluster.
    pub inputs: Vec<Input>,
    /// Whether directories are read with what is below them.
    pub recursive: bool,
    /// Logs of the controller-manager.
    pub logs: Vec<Input>,
    /// The zone of the times in their text; UTC if not told.
    pub log_zone: Option<Offset>,
    /// The instants to answer for; empty means the end of the input.
    pub at: Vec<Timestamp>,
    /// The present, where it is not the input's; never together with `at`.
    pub now: Option<Timestamp>,
    /// The control plane's version, where it was given.
    pub version: Option<Version>,
    /// Only this namespace; none is every namespace of an input.
    pub namespace: Option<String>,
    /// Whether every namespace was asked for; wins over `namespace`.
    pub all_namespaces: bool,
    /// Only objects with such labels.
    pub selector: Option<Selector>,
    /// Only objects with such fields.
    pub field_selector: Option<FieldSelector>,
    /// What was asked about; empty means every ReplicaSet.
    pub targets: Vec<Target>,
    /// How the answer is written.
    pub output: Output,
    /// What its tables show.
    pub table: TableSettings,
    /// When to colour.
    pub color: ColorChoice,
    /// Whether the exit code tells the verdict.
    pub exit_code: bool,
    /// What is expected of each answer.
    pub expect: Vec<Expected>,
    /// How the cluster is reached, where it is one.
    pub connection: Flags,
    /// How the cluster is read.
    pub live: LiveSettings,
}

/// Arguments that no single flag can know to be wrong. Each reads after "error: ".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// What is asked about cannot be read.
    #[error("{0}")]
    Target(String),
    /// Two flags name the instant.
    #[error("--now cannot be used with --at: each --at already is the instant to answer for")]
    NowAndAt,
    /// A timeline has one end.
    #[error("timeline ends at one instant: --at can be given only once")]
    SeveralEnds,
    /// A timeline is not one object.
    #[error("timeline has lines, not one object: -o takes text, wide, json, yaml, svg or html")]
    TimelineFormat,
    /// `--expect` needs an answer that is final.
    #[error("--expect compares one answer: it cannot be used with --watch; --until waits for a verdict")]
    ExpectAndWatch,
    /// Two inputs are standard input.
    #[error("standard input (-) can be read only once")]
    StdinTwice,
    /// Names and a selector.
    #[error("name cannot be provided when a selector is specified")]
    NameAndSelector,
    /// There is no table whose heads could be left out.
    #[error("--no-headers is about a table: give -o custom-columns=... with it, or use list")]
    HeadsOfNoTable,
    /// There is no table to show labels in.
    #[error("--show-labels and -L are about the table of list: -o takes text or wide with them")]
    LabelsOfNoTable,
    /// A flag about watching, with files.
    #[error("{flag} needs a cluster: with -f a file is read, which does not change")]
    NeedsCluster {
        /// The flag.
        flag: &'static str,
    },
}

/// What `record` was asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordSettings {
    /// What the recording is about, and how it is read.
    pub about: Settings,
    /// Where it goes.
    pub to: Destination,
    /// Whether names are replaced.
    pub redact: bool,
}

impl Settings {
    /// A question with nothing else given.
    pub fn of(question: Question) -> Settings {
        Settings {
            question,
            inputs: Vec::new(),
            recursive: false,
            logs: Vec::new(),
            log_zone: None,
            at: Vec::new(),
            now: None,
            version: None,
            namespace: None,
            all_namespaces: false,
            selector: None,
            field_selector: None,
            targets: Vec::new(),
            output: Output::Text,
            table: TableSettings::default(),
            color: ColorChoice::Auto,
            exit_code: false,
            expect: Vec::new(),
            connection: Flags::default(),
            live: LiveSettings::default(),
        }
    }

    /// Refuses what no single flag can know to be wrong; gives the settings back unchanged.
    pub fn checked(self) -> Result<Settings, SettingsError> {
        if self.now.is_some() && !self.at.is_empty() {
            return Err(SettingsError::NowAndAt);
        }
        if matches!(self.question, Question::Timeline { .. }) {
            if self.at.len() > 1 {
                return Err(SettingsError::SeveralEnds);
            }
            let lines = [Output::Text, Output::Wide, Output::Json, Output::Yaml, Output::Svg, Output::Html];
            if !lines.contains(&self.output) {
                return Err(SettingsError::TimelineFormat);
            }
        }
        self.check_table()?;
        self.check_live()?;
        if !self.expect.is_empty() && self.live.follow {
            return Err(SettingsError::ExpectAndWatch);
        }
        let stdin = self.inputs.iter().chain(&self.logs).filter(|input| **input == Input::Stdin).count();
        if stdin > 1 {
            return Err(SettingsError::StdinTwice);
        }
        if self.selector.is_some() && self.targets.iter().any(|target| target.name().is_some()) {
            return Err(SettingsError::NameAndSelector);
        }
        Ok(self)
    }

    /// What is said of tables is said of one that is written.
    fn check_table(&self) -> Result<(), SettingsError> {
        let TableSettings { no_headers, show_labels, label_columns, .. } = &self.table;
        let columns = matches!(self.output, Output::CustomColumns(_));
        if *no_headers && !columns && !matches!(self.question, Question::List { .. }) {
            return Err(SettingsError::HeadsOfNoTable);
        }
        let labels = *show_labels || !label_columns.is_empty();
        if labels && !self.output.is_human() {
            return Err(SettingsError::LabelsOfNoTable);
        }
        Ok(())
    }

    /// What is said of watching a cluster would be without effect on files.
    fn check_live(&self) -> Result<(), SettingsError> {
        let LiveSettings { window, follow, until, timeout, .. } = &self.live;
        let given = [
            ("--window", window.is_some()),
            ("--watch", *follow),
            ("--until", until.is_some()),
            ("--timeout", timeout.is_some()),
        ];
        match given.into_iter().find(|(_, given)| *given && !self.inputs.is_empty()) {
            Some((flag, _)) => Err(SettingsError::NeedsCluster { flag }),
            None => Ok(()),
        }
    }

    /// Whether the targets name one object, so that no other number of answers can come.
    pub fn names_one(&self) -> bool {
        matches!(
            self.targets.as_slice(),
            [Target::ReplicaSet(_) | Target::ReplicationController(_) | Target::Pod(_)]
        )
    }

    /// Whether a whole cluster is listed for reading: what needs a look comes first.
    pub fn is_fleet(&self) -> bool {
        self.all_namespaces
            && self.output.is_human()
            && matches!(self.question, Question::List { .. })
            && self.targets.iter().all(|target| target.name().is_none())
    }

    /// Whether a cluster is asked: nothing else is there to read, or what is said of the cluster or
    /// the window would be without effect otherwise.
    pub fn asks_cluster(&self) -> bool {
        let live = &self.live;
        let window = live.window.is_some() || live.follow || live.until.is_some() || live.timeout.is_some();
        let reached = self.connection != Flags { verbosity: self.connection.verbosity, ..Flags::default() };
        self.inputs.is_empty() && (self.logs.is_empty() || window || reached)
    }

    /// The namespace that the answer is limited to.
    pub fn only_namespace(&self) -> Option<&str> {
        self.namespace.as_deref().filter(|_| !self.all_namespaces)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn settings() -> Settings {
        Settings::of(Question::Explain)
    }

    #[test]
    fn now_excludes_at() {
        let (now, at) = (Some(Timestamp::UNIX_EPOCH), vec![Timestamp::UNIX_EPOCH]);
        assert!(Settings { now, ..settings() }.checked().is_ok());
        assert!(Settings { at: at.clone(), ..settings() }.checked().is_ok());
        assert_eq!(Settings { now, at, ..settings() }.checked(), Err(SettingsError::NowAndAt));
    }

    #[test]
    fn a_timeline_has_one_end_and_no_names() {
        let timeline = || Settings::of(Question::Timeline { full: false });
        let at = vec![Timestamp::UNIX_EPOCH; 2];
        assert!(Settings { at: at[..1].to_vec(), ..timeline() }.checked().is_ok());
        assert_eq!(Settings { at, ..timeline() }.checked(), Err(SettingsError::SeveralEnds));
        assert!(Settings { output: Output::Name, ..timeline() }.checked().is_err());
    }

    #[test]
    fn standard_input_is_read_once() {
        let dash = || vec![Input::from(PathBuf::from("-"))];
        assert!(Settings { inputs: dash(), ..settings() }.checked().is_ok());
        assert!(Settings { inputs: dash(), logs: dash(), ..settings() }.checked().is_err());
    }

    #[test]
    fn a_log_alone_is_read_without_a_cluster_unless_one_is_spoken_of() {
        let log = || Settings { logs: vec![PathBuf::from("kcm.log").into()], ..settings() };
        assert!(settings().asks_cluster());
        assert!(!log().asks_cluster());
        let window = LiveSettings { window: Some(Duration::ZERO), ..LiveSettings::default() };
        assert!(Settings { live: window.clone(), ..log() }.asks_cluster());
        let connection = Flags { context: Some("a".into()), ..Flags::default() };
        assert!(Settings { connection, ..log() }.asks_cluster());
        let verbose = Flags { verbosity: 6, ..Flags::default() };
        assert!(!Settings { connection: verbose, ..log() }.asks_cluster());
        let inputs = vec![PathBuf::from("web.yaml").into()];
        assert!(!Settings { inputs, live: window, ..log() }.asks_cluster());
    }

    #[test]
    fn a_selector_goes_with_types_not_with_names() {
        let selector = Some(Selector::All(Vec::new()));
        let all = vec![Target::All(Vec::new())];
        assert!(Settings { selector: selector.clone(), targets: all, ..settings() }.checked().is_ok());
        let named = vec![Target::ReplicaSet("web".into())];
        assert!(Settings { selector, targets: named, ..settings() }.checked().is_err());
    }

    #[test]
    fn all_namespaces_wins_over_one() {
        let one = Settings { namespace: Some("shop".into()), ..settings() };
        assert_eq!(one.only_namespace(), Some("shop"));
        assert_eq!(Settings { all_namespaces: true, ..one }.only_namespace(), None);
    }
}
