//! The deliberate faults that `tests/model-faults/run` puts into the model.

use std::path::{Path, PathBuf};

/// One file of `tests/model-faults/faults`.
pub struct Fault {
    pub name: String,
    pub what: String,
    /// The tests that must fail, as arguments of cargo: target and name.
    pub tests: Vec<String>,
    pub edits: Vec<Edit>,
}

/// A text of a file that is replaced.
pub struct Edit {
    pub file: String,
    pub old: String,
}

/// All of them, by name.
pub fn all() -> Vec<Fault> {
    let files = std::fs::read_dir(root().join("tests/model-faults/faults")).unwrap();
    let mut faults: Vec<Fault> = files.map(|file| read(&file.unwrap().path())).collect();
    faults.sort_by(|a, b| a.name.cmp(&b.name));
    faults
}

fn read(path: &Path) -> Fault {
    let text = std::fs::read_to_string(path).unwrap();
    let of = |word: &'static str| text.lines().filter_map(move |line| line.strip_prefix(word));
    let olds = text.split("--- old\n").skip(1).map(|rest| rest.split_once("\n--- new\n").unwrap().0);
    let mut files = of("file: ");
    let mut file = files.next().unwrap().to_owned();
    let edits = olds
        .map(|old| {
            let edit = Edit { file: file.clone(), old: old.to_owned() };
            // Several edits of one file may name it once.
            file = files.next().map_or_else(|| file.clone(), str::to_owned);
            edit
        })
        .collect();
    Fault {
        name: path.file_name().unwrap().to_str().unwrap().to_owned(),
        what: text.lines().next().unwrap().to_owned(),
        tests: of("test: ").map(str::to_owned).collect(),
        edits,
    }
}

pub fn root() -> PathBuf {
    support::root().to_owned()
}
