//! The files of a directory.

use std::io;
use std::path::{Path, PathBuf};

use super::intake::Intake;
use crate::source::{Error, Input, Notes, Sink};

/// Endings of the files that are read in a directory.
const ENDINGS: [&str; 6] = ["json", "jsonl", "yaml", "yml", "gz", "log"];

/// The files that an input stands for.
pub(crate) fn expand(input: &Input, recursive: bool, notes: &mut Notes, sink: &mut dyn Sink) -> Vec<Input> {
    let Input::Path(path) = input else { return vec![Input::Stdin] };
    if !path.is_dir() {
        return vec![input.clone()];
    }
    let mut intake = Intake::new(input, notes, sink);
    let mut found = Found::default();
    found.directory(path, recursive, &mut intake);
    if found.files.is_empty() && found.problems == 0 {
        let endings = ENDINGS.map(|e| format!(".{e}")).join(" ");
        intake.complain(None, Error::NoFiles { endings, passed: found.passed > 0 });
    }
    found.files.into_iter().map(Input::Path).collect()
}

#[derive(Default)]
struct Found {
    files: Vec<PathBuf>,
    /// Subdirectories that were passed over.
    passed: usize,
    problems: usize,
}

impl Found {
    /// Collects the files of a directory in the order of their names. Links to directories are
    /// not followed, they may lead in circles.
    fn directory(&mut self, path: &Path, recursive: bool, intake: &mut Intake<'_>) {
        let entries = std::fs::read_dir(path).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
        let mut paths = match entries {
            Ok(entries) => entries.iter().map(std::fs::DirEntry::path).collect::<Vec<_>>(),
            Err(error) => {
                self.problems += 1;
                let source = Box::new(Error::from(&error));
                intake.complain(None, Error::Directory { path: path.display().to_string(), source });
                return;
            }
        };
        paths.sort();
        for path in paths {
            let is_link = path.is_symlink();
            if path.is_dir() {
                if recursive && !is_link {
                    self.directory(&path, recursive, intake);
                } else {
                    self.passed += 1;
                }
            } else if has_ending(&path) && (path.is_file() || !path.exists()) {
                // A link that leads nowhere is a problem of its own when it is opened.
                self.files.push(path);
            }
        }
    }
}

fn has_ending(path: &Path) -> bool {
    let ending = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}
