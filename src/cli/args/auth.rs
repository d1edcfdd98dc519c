//! `auth`.

use clap::Args;

use crate::cli::args::connection::Connection;
use crate::cli::args::values;
use crate::engine::settings::Output;
use crate::source::cluster::Flags;

/// Arguments of `auth`.
#[derive(Debug, Args)]
pub struct AuthArguments {
    /// Check this namespace
    #[arg(short, long, value_name = "NAME", help_heading = "Selection")]
    pub namespace: Option<String>,
    /// Check every namespace
    #[arg(short = 'A', long, help_heading = "Selection")]
    pub all_namespaces: bool,
    /// Output format
    #[arg(short, long, value_name = "FORMAT", value_parser = values::words(values::MACHINE_OR_TEXT))]
    #[arg(default_value = "text", help_heading = "Output")]
    pub output: Output,
    #[command(flatten)]
    pub(super) connection: Connection,
}

impl AuthArguments {
    /// How the cluster is reached.
    pub fn connection(self) -> Flags {
        self.connection.flags()
    }
}
