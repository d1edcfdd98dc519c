//! Reads the inputs and answers the question of the settings.

use super::demo::Demo;
use super::failure::Failure;
use super::settings::{ColorChoice, Output, Settings};
use crate::report::Report;

/// What was found out.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers {
    /// One report for each object and instant, ordered by namespace, name and instant as given.
    pub reports: Vec<Report>,
    /// What the user should know about the inputs, one line each.
    pub warnings: Vec<String>,
    /// Whether some input could not be used.
    pub unusable: bool,
    /// Named targets that do not exist: [`Target::not_found`](super::target::Target::not_found) of each.
    pub missing: Vec<String>,
}

/// Answers for the objects that the settings name.
pub fn answer(settings: &Settings) -> Result<Answers, Failure> {
    if settings.inputs.is_empty() {
        return Err(Failure::Runtime(
            "reading a live cluster is not built in yet; give objects or a recording with -f FILE (kubectl \
             get rs,pods,events -o yaml > FILE), or try \"kubectl rsexp demo\""
                .into(),
        ));
    }
    Err(Failure::Runtime("reading files is not built in yet".into()))
}

/// Answers for a demonstration, with the settings that its answer is to be printed with.
pub fn demo(demo: &Demo, _output: Output, _color: ColorChoice) -> Result<(Settings, Answers), Failure> {
    Err(Failure::Runtime(format!("the demonstration \"{}\" is not built in yet", demo.name)))
}
