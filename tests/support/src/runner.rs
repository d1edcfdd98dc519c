//! Runs the built binary.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use crate::root;

/// How the binary ended and what it printed.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs the binary with nothing on standard input; output that is not UTF-8 fails the test.
pub fn rsexp<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    run(command().args(args))
}

/// Runs it as pages show it: in the repository, 80 columns wide.
pub fn shown<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    run(command().args(args).env("COLUMNS", "80").current_dir(root()))
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The binary under test, which cargo builds before it runs a test.
pub fn binary() -> &'static PathBuf {
    static BINARY: LazyLock<PathBuf> = LazyLock::new(|| {
        // Cargo names it to what it runs; a test that is started by hand finds it above its own directory.
        std::env::var_os("CARGO_BIN_EXE_kubectl-rsexp").map(PathBuf::from).unwrap_or_else(|| {
            let test = std::env::current_exe().unwrap();
            let built = test.parent().and_then(|deps| deps.parent()).unwrap();
            built.join(format!("kubectl-rsexp{}", std::env::consts::EXE_SUFFIX))
        })
    });
    &BINARY
}

/// The binary, in an environment that changes nothing of its output.
pub fn command() -> Command {
    let mut command = Command::new(binary());
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}
