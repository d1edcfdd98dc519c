//! `timeline -o svg` and `-o html`: collects the lines, and draws them when there are no more.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::settings::Output;
use crate::reconstruct::Id;
use crate::reconstruct::ledger::Line;
use crate::report::picture::{self, Picture};

/// So many ReplicaSets are drawn in one file.
const MOST: usize = 50;

/// The pictures of a run.
pub(crate) struct Pictures {
    html: bool,
    full: bool,
    /// In the order in which their first lines came.
    all: Vec<(Id, Picture)>,
    places: BTreeMap<Id, usize>,
    /// ReplicaSets beyond the most.
    further: BTreeSet<Id>,
}

impl Pictures {
    /// None collected yet; nothing where the output is another.
    pub(crate) fn wanted(output: &Output, full: bool) -> Option<Pictures> {
        let html = match output {
            Output::Html => true,
            Output::Svg => false,
            _ => return None,
        };
        Some(Pictures { html, full, all: Vec::new(), places: BTreeMap::new(), further: BTreeSet::new() })
    }

    /// Takes a line.
    pub fn take(&mut self, id: &Id, line: Line) {
        let place = match self.places.get(id) {
            Some(place) => *place,
            None if self.all.len() < MOST => {
                self.all.push((id.clone(), Picture::new(id, self.full)));
                self.places.insert(id.clone(), self.all.len() - 1);
                self.all.len() - 1
            }
            None => {
                self.further.insert(id.clone());
                return;
            }
        };
        if let Some((_, picture)) = self.all.get_mut(place) {
            picture.take(line);
        }
    }

    /// What is written, with what is said of each in the end, and what is left out.
    pub fn finish(self, verdict: impl Fn(&Id) -> String) -> (String, Option<String>) {
        let end = |(id, mut picture): (Id, Picture)| {
            picture.end(verdict(&id));
            picture
        };
        let pictures: Vec<Picture> = self.all.into_iter().map(end).collect();
        let further = self.further.len();
        let left_out = (further > 0).then(|| {
            format!("the first {MOST} ReplicaSets are drawn, {further} more are not: name those that matter")
        });
        let notes: Vec<String> = left_out.iter().cloned().collect();
        let text = if self.html { picture::page(&pictures, &notes) } else { picture::svg(&pictures) };
        (text, left_out)
    }
}
