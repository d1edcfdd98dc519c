//! Where things are in the repository, and what the files of `tests/data` hold.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde_json::Value;

/// The repository.
pub fn root() -> &'static Path {
    // This crate is two folders below it.
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// A file or folder of `tests/data`.
pub fn data(path: impl AsRef<Path>) -> PathBuf {
    root().join("tests/data").join(path)
}

/// What stands in a folder, sorted.
pub fn entries(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The text of a gzip file.
pub fn unzipped(path: impl AsRef<Path>) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

/// The names of all recorded runs, sorted.
pub fn traces() -> Vec<String> {
    let folders = entries(data("traces")).into_iter().filter(|path| path.is_dir());
    let names: Vec<String> =
        folders.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    assert!(names.len() > 50, "traces went missing: {names:?}");
    names
}

/// A file of a recorded run.
pub fn trace_file(trace: &str, file: &str) -> String {
    data("traces").join(trace).join(file).to_str().unwrap().to_owned()
}

/// The checkpoints of a recorded run.
pub fn checkpoints(trace: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(&unzipped(trace_file(trace, "checkpoints.json.gz"))).unwrap();
    file["checkpoints"].as_array().unwrap().clone()
}

/// The instants of the checkpoints of a recorded run, each once, in their order.
pub fn instants(trace: &str) -> Vec<String> {
    let all: BTreeSet<String> =
        checkpoints(trace).iter().map(|checkpoint| checkpoint["at"].as_str().unwrap().to_owned()).collect();
    all.into_iter().collect()
}
