//! By which name the help calls the program: `kubectl rsexp`, or `kubectl-rsexp` where it was typed so.

use std::ffi::OsStr;
use std::path::Path;

use clap::Command;

/// As kubectl's users type it. clap's definitions and the examples say it.
pub(crate) const PLUGIN: &str = "kubectl rsexp";

/// The binary itself.
const BINARY: &str = "kubectl-rsexp";

/// The same definition, under the name by which it was called.
pub(crate) fn named(command: Command, program: Option<&OsStr>) -> Command {
    if !is_typed(program, std::env::var_os("_").as_deref()) {
        return command;
    }
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let command = names.into_iter().fold(command, |command, name| command.mut_subcommand(name, renamed));
    renamed(command).bin_name(BINARY)
}

/// Whether a shell was told to run the binary. kubectl calls a plugin by its whole path, and so may
/// others; then `_` tells, in which most shells leave the path of what they were told to run.
fn is_typed(program: Option<&OsStr>, told: Option<&OsStr>) -> bool {
    let is_binary = |path: &OsStr| Path::new(path).file_stem() == Some(OsStr::new(BINARY));
    let bare = |path: &OsStr| Path::new(path).components().count() == 1;
    program.is_some_and(|program| is_binary(program) && (bare(program) || told.is_some_and(is_binary)))
}

fn renamed(command: Command) -> Command {
    let help = command.get_after_help().map(|help| help.to_string());
    match help {
        Some(help) => command.after_help(help.replace(&format!("{PLUGIN} "), &format!("{BINARY} "))),
        None => command,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kubectl_calls_it_by_path_and_a_shell_by_name_or_tells() {
        let typed =
            |program: &str, told: Option<&str>| is_typed(Some(OsStr::new(program)), told.map(OsStr::new));
        assert!(typed("kubectl-rsexp", Some("/usr/bin/kubectl-rsexp")) && typed("kubectl-rsexp", None));
        assert!(typed("/usr/bin/kubectl-rsexp", Some("/usr/bin/kubectl-rsexp")));
        assert!(!typed("/usr/bin/kubectl-rsexp", Some("/usr/bin/kubectl")));
        assert!(!typed("/usr/bin/kubectl-rsexp", None) && !typed("rsexp", None));
    }
}
