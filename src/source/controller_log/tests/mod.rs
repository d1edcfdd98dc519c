//! Logs in every form that they have, through the reader.

use super::*;
use crate::objects::{Key, LogLine, Observation, What};

mod lines;
mod merged;
mod messages;

const HEAD: &str = "I0102 03:04:05.678901       1 any.go:1] ";

fn observations(text: &[u8]) -> (Vec<Observation>, Counts) {
    let mut lines = LogLines::new(text, Clock::near("2026-01-03T00:00:00Z".parse().ok()));
    let mut seen = Vec::new();
    while let Some(observation) = lines.next(true).unwrap() {
        seen.push(observation);
    }
    (seen, lines.counts())
}

fn said(text: &str) -> Vec<LogLine> {
    let lines = observations(text.as_bytes()).0.into_iter();
    lines
        .map(|observation| match observation.what {
            What::Log(line) => line,
            other => panic!("{other:?}"),
        })
        .collect()
}

fn web() -> Key {
    Key::new("shop", "web")
}

fn pod(name: &str) -> Key {
    Key::new("shop", name)
}
