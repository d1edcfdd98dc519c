//! `demo`, `completion` and `version`, which ask nothing about a cluster.

use clap::Args;
use clap_complete::Shell;

use crate::cli::args::formats::Formats;
use crate::cli::args::values;
use crate::engine::settings::Output;

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub struct DemoArguments {
    /// The demonstration; by default the first one is shown and all are listed
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Output format, as for list
    #[arg(short, long, value_name = "FORMAT", value_parser = Formats, hide_possible_values = true)]
    #[arg(default_value = "text", help_heading = "Output")]
    pub output: Output,
}

/// Arguments of `completion`.
#[derive(Debug, Args)]
pub struct CompletionArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// Arguments of `version`.
#[derive(Debug, Args)]
pub struct VersionArguments {
    /// Output format
    #[arg(short, long, value_name = "FORMAT", value_parser = values::words(values::MACHINE_OR_TEXT))]
    #[arg(default_value = "text", help_heading = "Output")]
    pub output: Output,
}
