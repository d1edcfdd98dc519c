//! Runs the built binary.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic too")]
#![allow(dead_code, reason = "not every test needs every helper")]

use std::ffi::OsStr;
use std::process::Command;

/// How the binary ended and what it printed.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs the binary with nothing on standard input; output that is not UTF-8 fails the test.
pub fn rsexp<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    let output = command().args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The binary, in an environment that changes nothing of its output.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kubectl-rsexp"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM"] {
        command.env_remove(name);
    }
    command.stdin(std::process::Stdio::null());
    command
}
