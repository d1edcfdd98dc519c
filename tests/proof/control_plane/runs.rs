//! Runs side by side in one control plane.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use crate::control_plane::cut;
use crate::control_plane::freezer::Freezer;
use crate::control_plane::outcome::Outcome;
use support::plane::Plane;

/// Leaves the freezer however the run ends.
pub struct Member<'a>(&'a Freezer<'a>);

impl<'a> Member<'a> {
    pub fn of(freezer: &'a Freezer<'a>) -> Member<'a> {
        Member(freezer)
    }
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// What each gives, None where it panicked, in their order.
pub fn side_by_side<T: Sync, R: Send>(of: &[T], run: impl Fn(&T) -> R + Sync) -> Vec<Option<R>> {
    let run = &run;
    std::thread::scope(|scope| {
        let threads: Vec<_> = of
            .iter()
            .map(|one| scope.spawn(move || catch_unwind(AssertUnwindSafe(|| run(one))).ok()))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Tells how each came out, keeps what failed, and gives what is wrong.
pub fn told(plane: &Plane, outcomes: &[Option<Outcome>]) -> Vec<String> {
    let mut wrong = Vec::new();
    for outcome in outcomes {
        let Some(outcome) = outcome else {
            wrong.push("a run panicked, see above".to_owned());
            continue;
        };
        let faults = outcome.wrong();
        println!("{}: {} answers judged, {} wrong", outcome.name, outcome.judged(), faults.len());
        if !faults.is_empty() {
            let kept = keep(plane, outcome);
            println!("{}: kept in {}", outcome.name, kept.display());
            wrong.extend(faults);
        }
    }
    wrong
}

/// Copies a failing run, with the shortest recording that still fails.
fn keep(plane: &Plane, outcome: &Outcome) -> PathBuf {
    let name = format!("{}-{}", outcome.name, plane.version());
    let target = support::root().join("target/proof").join(name);
    std::fs::create_dir_all(&target).unwrap();
    for entry in std::fs::read_dir(&outcome.directory).unwrap().map(|entry| entry.unwrap()) {
        std::fs::copy(entry.path(), target.join(entry.file_name())).unwrap();
    }
    cut::cut(&target, outcome);
    target
}
