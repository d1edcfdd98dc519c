//! `dry-run`.

use clap::Args;

use crate::cli::args::shared::{Shared, TableArguments};
use crate::cli::args::values;
use crate::engine::settings::{
    Assumption, ColorChoice, FailCreates, Question, Settings, SettingsError, WhatIf,
};

const ASSUMPTIONS: &[(&str, Assumption)] =
    &[("satisfied", Assumption::Satisfied), ("unmet", Assumption::Unmet)];

/// Arguments of `dry-run`.
#[derive(Debug, Args)]
pub struct DryRunArguments {
    #[command(flatten)]
    pub(super) shared: Shared,
    /// Assume that spec.replicas is N
    #[arg(long, value_name = "N", value_parser = values::replicas, allow_negative_numbers = true)]
    #[arg(help_heading = "What if")]
    replicas: Option<i32>,
    /// Assume that creates fail with this reason code, or only the K-th create
    #[arg(long, value_name = "REASON[@K]", value_parser = values::fail_creates, help_heading = "What if")]
    fail_creates: Option<FailCreates>,
    /// Assume that the quota admits N more pods
    #[arg(long, value_name = "N", value_parser = values::count, allow_negative_numbers = true)]
    #[arg(help_heading = "What if")]
    quota_left: Option<u64>,
    /// Assume that the expectations are satisfied, or unmet
    #[arg(long, value_name = "STATE", value_parser = values::words(ASSUMPTIONS), help_heading = "What if")]
    assume_expectations: Option<Assumption>,
    /// Simulate at most N syncs
    #[arg(long, value_name = "N", value_parser = values::syncs, allow_negative_numbers = true)]
    #[arg(default_value = "20", help_heading = "What if")]
    syncs: usize,
    /// Requests per second of the controller's client
    #[arg(long, value_name = "F", value_parser = values::rate, allow_negative_numbers = true)]
    #[arg(default_value = "20", help_heading = "What if")]
    controller_qps: f64,
    /// Burst of the controller's client
    #[arg(long, value_name = "N", value_parser = values::burst, allow_negative_numbers = true)]
    #[arg(default_value = "30", help_heading = "What if")]
    controller_burst: u32,
    #[command(flatten)]
    pub(super) table: TableArguments,
}

impl DryRunArguments {
    /// The plain settings.
    pub fn settings(self, color: ColorChoice) -> Result<Settings, SettingsError> {
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
