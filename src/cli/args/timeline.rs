//! `timeline`.

use clap::Args;

use crate::cli::args::shared::Shared;
use crate::engine::settings::{ColorChoice, Output, Question, Settings, SettingsError};

/// What a timeline can be written as.
pub(super) const LINES: &[(&str, Output)] = &[
    ("text", Output::Text),
    ("wide", Output::Wide),
    ("json", Output::Json),
    ("yaml", Output::Yaml),
    ("svg", Output::Svg),
    ("html", Output::Html),
];

/// Arguments of `timeline`.
#[derive(Debug, Args)]
pub struct TimelineArguments {
    #[command(flatten)]
    pub(super) shared: Shared,
    /// Show each line separately and in full, without merging equal ones (as -o wide)
    #[arg(long, help_heading = "Output")]
    full: bool,
}

impl TimelineArguments {
    /// The plain settings.
    pub fn settings(self, color: ColorChoice) -> Result<Settings, SettingsError> {
        let full = self.full || self.shared.output == Output::Wide;
        self.shared.settings(Question::Timeline { full }, color)?.checked()
    }
}
