//! `record`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::cli::args::connection::Connection;
use crate::cli::args::values;
use crate::engine::settings::{LiveSettings, Question, RecordSettings, Settings, SettingsError};
use crate::engine::targets::{selector, target};
use crate::objects::Selector;

/// Arguments of `record`.
#[derive(Debug, Args)]
pub struct RecordArguments {
    /// What to record: TYPE, TYPE NAME... or TYPE/NAME...; everything that can affect it is recorded,
    /// that is, its namespace
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,

    /// Write to this file (- for standard output); compressed if it ends in .gz. Until the recording is
    /// complete it is named FILE.partial
    #[arg(long, value_name = "FILE", help_heading = "Recording")]
    to: PathBuf,
    /// Record for this long, 0 for the current state only [default: until Ctrl-C]
    #[arg(long, value_name = "DURATION", value_parser = values::duration, allow_hyphen_values = true, help_heading = "Recording")]
    window: Option<Duration>,
    /// Replace names, labels and images consistently; the answers stay the same
    #[arg(long, help_heading = "Recording")]
    redact: bool,

    /// Only this namespace
    #[arg(short, long, value_name = "NAME", help_heading = "Selection")]
    namespace: Option<String>,
    /// Every namespace
    #[arg(short = 'A', long, help_heading = "Selection")]
    all_namespaces: bool,
    /// What to record, by labels; the whole namespace is recorded nevertheless
    #[arg(short = 'l', long, value_name = "SELECTOR", value_parser = selector::parse)]
    #[arg(help_heading = "Selection")]
    selector: Option<Selector>,

    /// Objects per page of a list; 0 requests all at once
    #[arg(long, value_name = "N", value_parser = values::chunk, allow_negative_numbers = true)]
    #[arg(default_value = "2000", help_heading = "Live cluster")]
    chunk_size: u32,
    #[command(flatten)]
    pub(super) connection: Connection,
}

impl RecordArguments {
    /// The plain settings.
    pub fn settings(self) -> Result<RecordSettings, SettingsError> {
        let about = Settings {
            namespace: self.namespace,
            all_namespaces: self.all_namespaces,
            selector: self.selector,
            targets: target::parse(&self.targets)
                .map_err(|error| SettingsError::Target(error.to_string()))?,
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
