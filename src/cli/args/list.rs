//! `list`.

use clap::Args;

use crate::cli::args::shared::{Shared, TableArguments};
use crate::cli::args::values;
use crate::engine::settings::{ColorChoice, Question, Settings, SettingsError, TableSettings};

/// Arguments of `list`.
#[derive(Debug, Args)]
pub struct ListArguments {
    #[command(flatten)]
    pub(super) shared: Shared,
    /// Show the pods beneath their ReplicaSet
    #[arg(long, help_heading = "Output")]
    pods: bool,
    /// With -A, show settled ReplicaSets too, each in its own row
    #[arg(long, help_heading = "Output")]
    all: bool,
    /// Show all labels in the last column
    #[arg(long, help_heading = "Output")]
    show_labels: bool,
    /// Show these labels in separate columns; may be repeated
    #[arg(short = 'L', long, value_name = "LABEL,...", value_delimiter = ',', value_parser = values::label)]
    #[arg(help_heading = "Output")]
    label_columns: Vec<String>,
    #[command(flatten)]
    pub(super) table: TableArguments,
}

impl ListArguments {
    /// The plain settings.
    pub fn settings(self, color: ColorChoice) -> Result<Settings, SettingsError> {
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
