//! `explain`.

use clap::Args;

use crate::cli::args::shared::{Shared, TableArguments};
use crate::engine::settings::{ColorChoice, Output, Question, Settings, SettingsError};
use crate::engine::targets::target;

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArguments {
    #[command(flatten)]
    pub(super) shared: Shared,
    /// List every reason code with its meaning
    #[arg(long, conflicts_with = "targets", help_heading = "Output")]
    pub list_codes: bool,
    #[command(flatten)]
    pub(super) table: TableArguments,
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
    pub fn settings(self, color: ColorChoice) -> Result<Settings, SettingsError> {
        let settings = self.shared.settings(Question::Explain, color);
        Settings { table: self.table.settings(), ..settings? }.checked()
    }
}
