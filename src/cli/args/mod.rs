//! The command line as clap reads it, a file for each command, and its way into plain settings.

mod auth;
mod called;
pub mod connection;
mod dry_run;
mod examples;
mod explain;
mod formats;
mod list;
mod other;
mod record;
mod shared;
mod timeline;
pub mod usage;
pub mod values;

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub use auth::AuthArguments;
pub use dry_run::DryRunArguments;
pub use explain::ExplainArguments;
pub use list::ListArguments;
pub use other::{CompletionArguments, DemoArguments, VersionArguments};
pub use record::RecordArguments;
pub use timeline::TimelineArguments;

use crate::engine::settings::ColorChoice;

const COLORS: &[(&str, ColorChoice)] =
    &[("auto", ColorChoice::Auto), ("always", ColorChoice::Always), ("never", ColorChoice::Never)];

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
    /// Explain why the controller acts or does not act, or what a reason code means
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArguments),
    /// Simulate the next syncs, as things are or under assumptions
    #[command(after_help = examples::DRY_RUN)]
    DryRun(DryRunArguments),
    /// Record what a cluster shows, for later use with -f
    #[command(after_help = examples::RECORD)]
    Record(RecordArguments),
    /// Show what changed or proved something, line by line
    #[command(after_help = examples::TIMELINE)]
    #[command(mut_arg("output", |output| {
        let lines = output.value_parser(values::words(timeline::LINES)).hide_possible_values(false);
        lines.help("Output format")
    }))]
    Timeline(TimelineArguments),
    /// Show recorded demonstrations, without a cluster
    #[command(after_help = examples::DEMO)]
    Demo(DemoArguments),
    /// Show what this user may read, and what is lost without the rest
    #[command(after_help = examples::AUTH)]
    Auth(AuthArguments),
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETION)]
    Completion(CompletionArguments),
    /// Print the JSON Schema of all -o json output
    #[command(after_help = examples::SCHEMA)]
    Schema,
    /// Print the version and the supported Kubernetes versions
    #[command(after_help = examples::VERSION)]
    Version(VersionArguments),
}

impl Command {
    /// Whether an error is to show what it comes from (`-v`).
    pub fn is_verbose(&self) -> bool {
        let connection = match self {
            Command::List(arguments) => &arguments.shared.connection,
            Command::Explain(arguments) => &arguments.shared.connection,
            Command::DryRun(arguments) => &arguments.shared.connection,
            Command::Timeline(arguments) => &arguments.shared.connection,
            Command::Record(arguments) => &arguments.connection,
            Command::Auth(arguments) => &arguments.connection,
            Command::Demo(_) | Command::Completion(_) | Command::Schema | Command::Version(_) => {
                return false;
            }
        };
        connection.is_verbose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::cluster::Flags;

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
