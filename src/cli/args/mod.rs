//! The command line as clap reads it, and its way into plain settings.

mod called;
pub mod connection;
mod examples;
mod formats;
pub mod usage;
pub mod values;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use jiff::Timestamp;
use jiff::tz::Offset;

use self::connection::Connection;
use crate::cli::args::formats::Formats;
use crate::engine::expect;
use crate::engine::settings::{
    Assumption, ColorChoice, FailCreates, LiveSettings, Output, Question, RecordSettings, Settings, SortBy,
    TableSettings, WhatIf,
};
use crate::engine::targets::fields::{self, FieldSelector};
use crate::engine::targets::{selector, target};
use crate::model::profile::Version;
use crate::objects::Selector;
use crate::reconstruct::verdict::Verdict;
use crate::source::cluster::Flags;

/// What a timeline can be written as.
const LINES: &[(&str, Output)] = &[
    ("text", Output::Text),
    ("wide", Output::Wide),
    ("json", Output::Json),
    ("yaml", Output::Yaml),
    ("svg", Output::Svg),
    ("html", Output::Html),
];

const MACHINE_OR_TEXT: &[(&str, Output)] =
    &[("text", Output::Text), ("json", Output::Json), ("yaml", Output::Yaml)];

const COLORS: &[(&str, ColorChoice)] =
    &[("auto", ColorChoice::Auto), ("always", ColorChoice::Always), ("never", ColorChoice::Never)];

const VERDICTS: &[(&str, Verdict)] = &[
    ("settled", Verdict::Settled),
    ("act", Verdict::Act),
    ("skip", Verdict::Skip),
    ("blocked", Verdict::Blocked),
    ("undetermined", Verdict::Undetermined),
];

const ASSUMPTIONS: &[(&str, Assumption)] =
    &[("satisfied", Assumption::Satisfied), ("unmet", Assumption::Unmet)];

/// Explain what the ReplicaSet controller waits for, and simulate its next syncs
#[derive(Debug, Parser)]
#[command(
    name = "kubectl-rsexp",
    bin_name = called::PLUGIN,
    version,
    args_override_self = true,
    max_term_width = 100,
    after_help = examples::ALL
)]
pub struct Arguments {
    /// When to colour the output
    #[arg(long, global = true, value_name = "WHEN", value_parser = values::words(COLORS))]
    #[arg(default_value = "auto", help_heading = "Output")]
    pub color: ColorChoice,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Arguments {
    /// All commands and flags.
    pub fn definition() -> clap::Command {
        connection::anywhere(Arguments::command())
    }

    /// Reads a command line, the program's name first.
    pub fn read(line: impl Iterator<Item = OsString>) -> Result<Arguments, clap::Error> {
        let mut line = line.peekable();
        let mut command = called::named(Arguments::definition(), line.peek().map(OsString::as_os_str));
        let mut matches = command.try_get_matches_from_mut(line)?;
        Arguments::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List ReplicaSets with the verdict about their next sync
    #[command(visible_alias = "get", after_help = examples::LIST)]
    List(ListArguments),
    /// Explain why a ReplicaSet is (not) acted on, or what a reason code means
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArguments),
    /// Simulate the next syncs, as things are or as they might be
    #[command(after_help = examples::DRY_RUN)]
    DryRun(DryRunArguments),
    /// Record what a cluster shows, to ask about it later or elsewhere with -f
    #[command(after_help = examples::RECORD)]
    Record(RecordArguments),
    /// Show how it came about: what changed or proved something, line by line
    #[command(after_help = examples::TIMELINE)]
    #[command(mut_arg("output", |output| {
        let lines = output.value_parser(values::words(LINES)).hide_possible_values(false);
        lines.help("How to write the answer")
    }))]
    Timeline(TimelineArguments),
    /// Show recorded demonstrations, without a cluster
    #[command(after_help = examples::DEMO)]
    Demo(DemoArguments),
    /// Show what this user may read of the cluster, and what is lost without the rest
    #[command(after_help = examples::AUTH)]
    Auth(AuthArguments),
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETION)]
    Completion(CompletionArguments),
    /// Print the JSON Schema of everything that is printed with -o json
    #[command(after_help = examples::SCHEMA)]
    Schema,
    /// Print the version, and the Kubernetes versions that are known
    #[command(after_help = examples::VERSION)]
    Version(VersionArguments),
}

/// Which objects, and from where.
#[derive(Debug, Args)]
pub struct Shared {
    /// TYPE, TYPE NAME... or TYPE/NAME...; a bare NAME is a ReplicaSet. Types are rs, rc, deploy and pod
    #[arg(value_name = "TARGET")]
    pub targets: Vec<String>,

    /// Read this file or directory instead of a cluster (- for standard input); may be repeated
    #[arg(short, long, value_name = "FILE", help_heading = "Input")]
    pub filename: Vec<PathBuf>,
    /// Read the directories of -f with everything below them
    #[arg(short = 'R', long, help_heading = "Input")]
    pub recursive: bool,
    /// Read a log of the controller-manager too; may be repeated. Without -f it is read alone, or
    /// beside the cluster if a flag is about that (--window 5s)
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub controller_log: Vec<PathBuf>,
    /// The zone of the times in a log's text, such as +02:00 [default: UTC]
    #[arg(long, value_name = "OFFSET", value_parser = values::utc_offset, allow_hyphen_values = true)]
    #[arg(help_heading = "Input")]
    pub controller_log_utc_offset: Option<Offset>,
    /// Answer for this instant of a recording (RFC 3339); may be repeated
    #[arg(long, value_name = "TIME", value_parser = values::time, allow_hyphen_values = true, help_heading = "Input")]
    pub at: Vec<Timestamp>,
    /// Take this time as the present (RFC 3339)
    #[arg(long, value_name = "TIME", value_parser = values::time, allow_hyphen_values = true, help_heading = "Input")]
    pub now: Option<Timestamp>,
    /// The control plane's version: 1.N, 1.N.P or v1.N.P
    #[arg(long, value_name = "VERSION", value_parser = values::version, help_heading = "Input")]
    pub server_version: Option<Version>,

    /// Only this namespace
    #[arg(short, long, value_name = "NAME", help_heading = "Selection")]
    pub namespace: Option<String>,
    /// Every namespace
    #[arg(short = 'A', long, help_heading = "Selection")]
    pub all_namespaces: bool,
    /// Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a
    #[arg(short = 'l', long, value_name = "SELECTOR", value_parser = selector::parse)]
    #[arg(help_heading = "Selection")]
    pub selector: Option<Selector>,
    /// Only objects with these fields: metadata.name=web, metadata.namespace!=shop
    #[arg(long, value_name = "SELECTOR", value_parser = fields::parse, help_heading = "Selection")]
    pub field_selector: Option<FieldSelector>,

    /// Watch the cluster for so long before answering [default: 5s; list: 0]
    #[arg(long, value_name = "DURATION", value_parser = values::duration, allow_hyphen_values = true, help_heading = "Live cluster")]
    pub window: Option<Duration>,
    /// Go on watching and show what changes
    #[arg(short, long, help_heading = "Live cluster")]
    pub watch: bool,
    /// Watch until every verdict is this one
    #[arg(long, value_name = "VERDICT", value_parser = values::words(VERDICTS), help_heading = "Live cluster")]
    pub until: Option<Verdict>,
    /// Give up --watch or --until after so long
    #[arg(long, value_name = "DURATION", value_parser = values::duration, allow_hyphen_values = true, help_heading = "Live cluster")]
    pub timeout: Option<Duration>,
    /// Objects a page of a list; 0 asks for all at once
    #[arg(long, value_name = "N", value_parser = values::chunk, allow_negative_numbers = true)]
    #[arg(default_value = "2000", help_heading = "Live cluster")]
    pub chunk_size: u32,

    /// How to write the answer: text, wide, json, yaml, name, jsonpath=TEMPLATE, jsonpath-file=FILE,
    /// jsonpath-as-json=TEMPLATE, custom-columns=HEADER:.PATH,... or custom-columns-file=FILE
    #[arg(short, long, value_name = "FORMAT", value_parser = Formats, hide_possible_values = true)]
    #[arg(default_value = "text", help_heading = "Output")]
    pub output: Output,
    /// Tell the verdict by the exit code: 0 settled, 10 act, 11 skip, 12 blocked, 13 undetermined
    #[arg(long, help_heading = "Output")]
    pub exit_code: bool,
    /// Exit with 15 where an answer is not so: KEY=VALUE or KEY!=VALUE, several with commas between them,
    /// with verdict, action, gate, reason, create, delete, adopt, release, add, del, desired, active or diff
    #[arg(long, value_name = "KEY=VALUE,...", value_parser = expect::parse, help_heading = "Output")]
    pub expect: Vec<expect::Terms>,

    #[command(flatten)]
    connection: Connection,
}

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct ListArguments {
    #[command(flatten)]
    shared: Shared,
    /// Show the pods beneath their ReplicaSet
    #[arg(long, help_heading = "Output")]
    pods: bool,
    /// With -A, show settled ones too, each in a row of its own
    #[arg(long, help_heading = "Output")]
    all: bool,
    /// Show all labels in the last column
    #[arg(long, help_heading = "Output")]
    show_labels: bool,
    /// Show these labels in columns of their own; may be repeated
    #[arg(short = 'L', long, value_name = "LABEL,...", value_delimiter = ',', value_parser = values::label)]
    #[arg(help_heading = "Output")]
    label_columns: Vec<String>,
    #[command(flatten)]
    table: TableArguments,
}

/// How objects are ordered, and tables headed.
#[derive(Debug, Args)]
pub struct TableArguments {
    /// Sort by this field of the JSON, such as .diff or {.plan.count}; also by .metadata.name,
    /// .metadata.creationTimestamp, .spec.replicas, .status.replicas and .status.readyReplicas
    #[arg(long, value_name = "PATH", value_parser = values::sort_by, help_heading = "Output")]
    sort_by: Option<SortBy>,
    /// Leave out the column heads
    #[arg(long, help_heading = "Output")]
    no_headers: bool,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArguments {
    #[command(flatten)]
    shared: Shared,
    /// List every reason code with its meaning
    #[arg(long, conflicts_with = "targets", help_heading = "Output")]
    pub list_codes: bool,
    #[command(flatten)]
    table: TableArguments,
}

/// Arguments of `dry-run`.
#[derive(Debug, Args)]
pub struct DryRunArguments {
    #[command(flatten)]
    shared: Shared,
    /// Suppose that spec.replicas were N
    #[arg(long, value_name = "N", value_parser = values::replicas, allow_negative_numbers = true)]
    #[arg(help_heading = "What if")]
    replicas: Option<i32>,
    /// Suppose that creates fail for a reason code, or only the K-th one
    #[arg(long, value_name = "REASON[@K]", value_parser = values::fail_creates, help_heading = "What if")]
    fail_creates: Option<FailCreates>,
    /// Suppose that the quota admits N more pods
    #[arg(long, value_name = "N", value_parser = values::count, allow_negative_numbers = true)]
    #[arg(help_heading = "What if")]
    quota_left: Option<u64>,
    /// Suppose that the expectations are satisfied, or unmet
    #[arg(long, value_name = "STATE", value_parser = values::words(ASSUMPTIONS), help_heading = "What if")]
    assume_expectations: Option<Assumption>,
    /// Simulate at most N syncs
    #[arg(long, value_name = "N", value_parser = values::syncs, allow_negative_numbers = true)]
    #[arg(default_value = "20", help_heading = "What if")]
    syncs: usize,
    /// Requests a second of the controller's client
    #[arg(long, value_name = "F", value_parser = values::rate, allow_negative_numbers = true)]
    #[arg(default_value = "20", help_heading = "What if")]
    controller_qps: f64,
    /// Requests that the controller's client may make at once
    #[arg(long, value_name = "N", value_parser = values::burst, allow_negative_numbers = true)]
    #[arg(default_value = "30", help_heading = "What if")]
    controller_burst: u32,
    #[command(flatten)]
    table: TableArguments,
}

/// Arguments of `record`.
#[derive(Debug, Args)]
pub struct RecordArguments {
    /// What it is about: TYPE, TYPE NAME... or TYPE/NAME...; all that may decide about it is recorded,
    /// which is its namespace
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,

    /// Write to this file (- for standard output); compressed if it ends in .gz. It stands there once it
    /// is whole, before it is called FILE.partial
    #[arg(long, value_name = "FILE", help_heading = "Recording")]
    to: PathBuf,
    /// Record for so long, 0 for the state alone [default: until Ctrl-C]
    #[arg(long, value_name = "DURATION", value_parser = values::duration, allow_hyphen_values = true, help_heading = "Recording")]
    window: Option<Duration>,
    /// Replace names, labels and images, each by the same everywhere: the answers stay the same
    #[arg(long, help_heading = "Recording")]
    redact: bool,

    /// Only this namespace
    #[arg(short, long, value_name = "NAME", help_heading = "Selection")]
    namespace: Option<String>,
    /// Every namespace
    #[arg(short = 'A', long, help_heading = "Selection")]
    all_namespaces: bool,
    /// What it is about, by labels; all of the namespace is recorded still
    #[arg(short = 'l', long, value_name = "SELECTOR", value_parser = selector::parse)]
    #[arg(help_heading = "Selection")]
    selector: Option<Selector>,

    /// Objects a page of a list; 0 asks for all at once
    #[arg(long, value_name = "N", value_parser = values::chunk, allow_negative_numbers = true)]
    #[arg(default_value = "2000", help_heading = "Live cluster")]
    chunk_size: u32,
    #[command(flatten)]
    connection: Connection,
}

/// Arguments of `timeline`.
#[derive(Debug, Args)]
pub struct TimelineArguments {
    #[command(flatten)]
    shared: Shared,
    /// Show each line on its own and its words whole, not runs of alike ones (as -o wide)
    #[arg(long, help_heading = "Output")]
    full: bool,
}

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub struct DemoArguments {
    /// Which demonstration; without it the first is shown and all are listed
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// How to write the answer, as for list
    #[arg(short, long, value_name = "FORMAT", value_parser = Formats, hide_possible_values = true)]
    #[arg(default_value = "text", help_heading = "Output")]
    pub output: Output,
}

/// Arguments of `auth`.
#[derive(Debug, Args)]
pub struct AuthArguments {
    /// Try this namespace
    #[arg(short, long, value_name = "NAME", help_heading = "Selection")]
    pub namespace: Option<String>,
    /// Try every namespace
    #[arg(short = 'A', long, help_heading = "Selection")]
    pub all_namespaces: bool,
    /// How to write the answer
    #[arg(short, long, value_name = "FORMAT", value_parser = values::words(MACHINE_OR_TEXT))]
    #[arg(default_value = "text", help_heading = "Output")]
    pub output: Output,
    #[command(flatten)]
    connection: Connection,
}

/// Arguments of `completion`.
#[derive(Debug, Args)]
pub struct CompletionArguments {
    /// For which shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Arguments of `version`.
#[derive(Debug, Args)]
pub struct VersionArguments {
    /// How to write the answer
    #[arg(short, long, value_name = "FORMAT", value_parser = values::words(MACHINE_OR_TEXT))]
    #[arg(default_value = "text", help_heading = "Output")]
    pub output: Output,
}

impl AuthArguments {
    /// How the cluster is reached.
    pub fn connection(self) -> Flags {
        self.connection.flags()
    }
}

impl ListArguments {
    /// The plain settings.
    pub fn settings(self, color: ColorChoice) -> Result<Settings, String> {
        let settings = self.shared.settings(Question::List { pods: self.pods }, color);
        let table = TableSettings {
            show_labels: self.show_labels,
            label_columns: self.label_columns,
            all: self.all,
            ..self.table.settings()
        };
        Settings { table, ..settings? }.checked()
    }
}

impl ExplainArguments {
    /// The words that are codes, and how to write about them; `None` if objects are meant.
    pub fn codes(&self) -> Option<(&[String], &Output)> {
        let words = &self.shared.targets;
        let typed = words.first().is_some_and(|first| target::Kind::parse(first).is_some());
        let is_code =
            |word: &String| word.contains(|c: char| c.is_ascii_uppercase()) && !word.contains(['/', ',']);
        (!typed && words.iter().any(is_code)).then_some((words, &self.shared.output))
    }

    /// How to write the answer.
    pub fn output(&self) -> &Output {
        &self.shared.output
    }

    /// The plain settings.
    pub fn settings(self, color: ColorChoice) -> Result<Settings, String> {
        let settings = self.shared.settings(Question::Explain, color);
        Settings { table: self.table.settings(), ..settings? }.checked()
    }
}

impl TimelineArguments {
    /// The plain settings.
    pub fn settings(self, color: ColorChoice) -> Result<Settings, String> {
        let full = self.full || self.shared.output == Output::Wide;
        self.shared.settings(Question::Timeline { full }, color)?.checked()
    }
}

impl DryRunArguments {
    /// The plain settings.
    pub fn settings(self, color: ColorChoice) -> Result<Settings, String> {
        let what_if = WhatIf {
            replicas: self.replicas,
            fail_creates: self.fail_creates,
            quota_left: self.quota_left,
            assume: self.assume_expectations,
            syncs: self.syncs,
            qps: self.controller_qps,
            burst: self.controller_burst,
        };
        let settings = self.shared.settings(Question::DryRun(what_if), color);
        Settings { table: self.table.settings(), ..settings? }.checked()
    }
}

impl RecordArguments {
    /// The plain settings.
    pub fn settings(self) -> Result<RecordSettings, String> {
        let about = Settings {
            namespace: self.namespace,
            all_namespaces: self.all_namespaces,
            selector: self.selector,
            targets: target::parse(&self.targets)?,
            connection: self.connection.flags(),
            live: LiveSettings {
                window: self.window,
                follow: self.window.is_none(),
                chunk_size: self.chunk_size,
                ..LiveSettings::default()
            },
            ..Settings::of(Question::Explain)
        };
        Ok(RecordSettings { about: about.checked()?, to: self.to.into(), redact: self.redact })
    }
}

impl Shared {
    fn settings(self, question: Question, color: ColorChoice) -> Result<Settings, String> {
        let settings = Settings {
            question,
            inputs: self.filename.into_iter().map(Into::into).collect(),
            recursive: self.recursive,
            logs: self.controller_log.into_iter().map(Into::into).collect(),
            log_zone: self.controller_log_utc_offset,
            at: self.at,
            now: self.now,
            version: self.server_version,
            namespace: self.namespace,
            all_namespaces: self.all_namespaces,
            selector: self.selector,
            field_selector: self.field_selector,
            targets: target::parse(&self.targets)?,
            output: self.output,
            table: TableSettings::default(),
            color,
            exit_code: self.exit_code,
            expect: self.expect.into_iter().flat_map(|terms| terms.0).collect(),
            connection: self.connection.flags(),
            live: LiveSettings {
                window: self.window,
                follow: self.watch,
                until: self.until,
                timeout: self.timeout.filter(|timeout| !timeout.is_zero()),
                chunk_size: self.chunk_size,
            },
        };
        Ok(settings)
    }
}

impl TableArguments {
    fn settings(self) -> TableSettings {
        TableSettings { no_headers: self.no_headers, sort_by: self.sort_by, ..TableSettings::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explain(words: &[&str]) -> ExplainArguments {
        let line = ["kubectl-rsexp", "explain"].iter().chain(words);
        match Arguments::try_parse_from(line).unwrap().command {
            Command::Explain(arguments) => arguments,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn definitions_are_consistent() {
        Arguments::definition().debug_assert();
    }

    fn connection(line: &str) -> Flags {
        let line = line.split_whitespace().map(OsString::from);
        match Arguments::read(["kubectl-rsexp".into()].into_iter().chain(line)).unwrap().command {
            Command::List(arguments) => arguments.settings(ColorChoice::Auto).unwrap().connection,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_connection_flag_arrives() {
        let line = "list --kubeconfig k --context c --cluster l --user u -s h --certificate-authority a \
            --insecure-skip-tls-verify --tls-server-name n --disable-compression=false --token t --username w \
            --password p --client-certificate cc --client-key ck --as i --as-group g --as-group h --as-uid d \
            --as-user-extra x=1 --as-user-extra x=2 --request-timeout 1m -v=7";
        let text = |word: &str| Some(word.to_owned());
        let expected = Flags {
            kubeconfig: Some("k".into()),
            context: text("c"),
            cluster: text("l"),
            user: text("u"),
            server: text("h"),
            certificate_authority: Some("a".into()),
            insecure_skip_tls_verify: Some(true),
            tls_server_name: text("n"),
            disable_compression: Some(false),
            token: Some("t".into()),
            username: text("w"),
            password: Some("p".into()),
            client_certificate: Some("cc".into()),
            client_key: Some("ck".into()),
            impersonate: text("i"),
            impersonate_groups: vec!["g".into(), "h".into()],
            impersonate_uid: text("d"),
            impersonate_extra: vec![("x".into(), "1".into()), ("x".into(), "2".into())],
            request_timeout: Some(std::time::Duration::from_secs(60)),
            verbosity: 7,
        };
        assert_eq!(connection(line), expected);
    }

    #[test]
    fn connection_flags_stand_before_the_command_too() {
        let flags = connection("--context c --as-group a --as-group b -v 6 list -n shop --user u");
        assert_eq!((flags.context.as_deref(), flags.user.as_deref()), (Some("c"), Some("u")));
        assert_eq!((flags.impersonate_groups.len(), flags.verbosity), (2, 6));
        assert_eq!(connection("--context c list --context d").context.as_deref(), Some("d"));
    }

    #[test]
    fn flags_without_effect_are_taken() {
        let line = "list --cache-dir d --match-server-version --profile none --profile-output f \
            --log-flush-frequency 5s --vmodule a=1 --warnings-as-errors";
        assert_eq!(connection(line), Flags::default());
    }

    #[test]
    fn debug_output_shows_no_secret() {
        let flags = connection("list --token hunter2");
        assert!(!format!("{flags:?}").contains("hunter2"));
        let flags = connection("list --username u --password hunter2");
        assert!(!format!("{flags:?}").contains("hunter2"));
    }

    #[test]
    fn a_capital_letter_makes_a_code() {
        assert!(explain(&["ExpectationsUnmet"]).codes().is_some());
        assert!(explain(&["web", "ExpectationsUnmet"]).codes().is_some());
        for objects in [&["web"][..], &["rs", "Web"], &["ReplicaSet", "web"], &["rs/Web"], &[]] {
            assert!(explain(objects).codes().is_none(), "{objects:?}");
        }
    }

    #[test]
    fn a_repeated_single_flag_takes_the_last_value() {
        let settings = explain(&["-n", "a", "-n", "b", "-f", "x", "-f", "-"]).settings(ColorChoice::Auto);
        let settings = settings.unwrap();
        assert_eq!(settings.namespace.as_deref(), Some("b"));
        assert_eq!(settings.inputs.len(), 2);
    }
}
