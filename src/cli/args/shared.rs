//! The flags that all questions about ReplicaSets share: which objects, from where, how written.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use jiff::Timestamp;
use jiff::tz::Offset;

use crate::cli::args::connection::Connection;
use crate::cli::args::formats::Formats;
use crate::cli::args::values;
use crate::engine::expect;
use crate::engine::settings::{
    ColorChoice, LiveSettings, Output, Question, Settings, SettingsError, SortBy, TableSettings,
};
use crate::engine::targets::fields::{self, FieldSelector};
use crate::engine::targets::{selector, target};
use crate::model::profile::Version;
use crate::objects::Selector;
use crate::reconstruct::verdict::Verdict;

const VERDICTS: &[(&str, Verdict)] = &[
    ("settled", Verdict::Settled),
    ("act", Verdict::Act),
    ("skip", Verdict::Skip),
    ("blocked", Verdict::Blocked),
    ("undetermined", Verdict::Undetermined),
];

/// Which objects, and from where.
#[derive(Debug, Args)]
pub struct Shared {
    /// TYPE, TYPE NAME... or TYPE/NAME...; a bare NAME is a ReplicaSet. Types are rs, rc, deploy and pod
    #[arg(value_name = "TARGET")]
    pub targets: Vec<String>,

    /// Read this file or directory instead of a cluster (- for standard input); may be repeated
    #[arg(short, long, value_name = "FILE", help_heading = "Input")]
    pub filename: Vec<PathBuf>,
    /// Read the directories of -f recursively
    #[arg(short = 'R', long, help_heading = "Input")]
    pub recursive: bool,
    /// Also read a log of the controller-manager; may be repeated. Without -f it is read alone, or
    /// with the cluster if a flag requires one (--window 5s)
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub controller_log: Vec<PathBuf>,
    /// The time zone of the log's text format, such as +02:00 [default: UTC]
    #[arg(long, value_name = "OFFSET", value_parser = values::utc_offset, allow_hyphen_values = true)]
    #[arg(help_heading = "Input")]
    pub controller_log_utc_offset: Option<Offset>,
    /// Answer for this instant of a recording (RFC 3339); may be repeated
    #[arg(long, value_name = "TIME", value_parser = values::time, allow_hyphen_values = true, help_heading = "Input")]
    pub at: Vec<Timestamp>,
    /// Use this time as the current time (RFC 3339)
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

    /// Watch the cluster for this long before answering [default: 5s; list: 0]
    #[arg(long, value_name = "DURATION", value_parser = values::duration, allow_hyphen_values = true, help_heading = "Live cluster")]
    pub window: Option<Duration>,
    /// Keep watching and show what changes
    #[arg(short, long, help_heading = "Live cluster")]
    pub watch: bool,
    /// Watch until every verdict is this one
    #[arg(long, value_name = "VERDICT", value_parser = values::words(VERDICTS), help_heading = "Live cluster")]
    pub until: Option<Verdict>,
    /// Give up --watch or --until after this time
    #[arg(long, value_name = "DURATION", value_parser = values::duration, allow_hyphen_values = true, help_heading = "Live cluster")]
    pub timeout: Option<Duration>,
    /// Objects per page of a list; 0 requests all at once
    #[arg(long, value_name = "N", value_parser = values::chunk, allow_negative_numbers = true)]
    #[arg(default_value = "2000", help_heading = "Live cluster")]
    pub chunk_size: u32,

    /// Output format: text, wide, json, yaml, name, jsonpath=TEMPLATE, jsonpath-file=FILE,
    /// jsonpath-as-json=TEMPLATE, custom-columns=HEADER:.PATH,... or custom-columns-file=FILE
    #[arg(short, long, value_name = "FORMAT", value_parser = Formats, hide_possible_values = true)]
    #[arg(default_value = "text", help_heading = "Output")]
    pub output: Output,
    /// Return the verdict as the exit code: 0 settled, 10 act, 11 skip, 12 blocked, 13 undetermined
    #[arg(long, help_heading = "Output")]
    pub exit_code: bool,
    /// Exit with 15 if an answer differs: KEY=VALUE or KEY!=VALUE, separated by commas,
    /// with verdict, action, gate, reason, create, delete, adopt, release, add, del, desired, active or diff
    #[arg(long, value_name = "KEY=VALUE,...", value_parser = expect::parse, help_heading = "Output")]
    pub expect: Vec<expect::Terms>,

    #[command(flatten)]
    pub(super) connection: Connection,
}

impl Shared {
    pub(super) fn settings(self, question: Question, color: ColorChoice) -> Result<Settings, SettingsError> {
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
            targets: target::parse(&self.targets)
                .map_err(|error| SettingsError::Target(error.to_string()))?,
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

/// How objects are ordered, and tables headed.
#[derive(Debug, Args)]
pub struct TableArguments {
    /// Sort by this field of the JSON, such as .diff or {.plan.count}, or by .metadata.name,
    /// .metadata.creationTimestamp, .spec.replicas, .status.replicas and .status.readyReplicas
    #[arg(long, value_name = "PATH", value_parser = values::sort_by, help_heading = "Output")]
    sort_by: Option<SortBy>,
    /// Omit the column headers
    #[arg(long, help_heading = "Output")]
    no_headers: bool,
}

impl TableArguments {
    pub(super) fn settings(self) -> TableSettings {
        TableSettings { no_headers: self.no_headers, sort_by: self.sort_by, ..TableSettings::default() }
    }
}
