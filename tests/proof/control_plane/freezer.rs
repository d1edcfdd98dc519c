//! One freeze of the controller serves all namespaces: it begins once every member has asked for it, and ends when
//! the last one is through with its questions.

use std::sync::{Condvar, Mutex, MutexGuard};

use support::plane::{Frozen, Plane};

/// See the module.
pub struct Freezer<'a> {
    plane: &'a Plane,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    members: usize,
    waiting: usize,
    inside: usize,
    /// How many freezes there were.
    round: usize,
    frozen: Option<Frozen>,
}

impl<'a> Freezer<'a> {
    pub fn of(plane: &'a Plane, members: usize) -> Freezer<'a> {
        Freezer { plane, state: Mutex::new(State { members, ..State::default() }), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Waits for the others, then does this while the controller stands still; returns once it goes on.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut state = self.state();
        // A freeze that others are still in must end first.
        while state.frozen.is_some() {
            state = self.wait(state);
        }
        state.waiting += 1;
        let round = state.round;
        self.begin_if_all_wait(&mut state);
        while state.round == round {
            state = self.wait(state);
        }
        drop(state);
        let inside = Inside(self);
        let result = work();
        drop(inside);
        result
    }

    /// One member fewer, however it ended.
    pub fn leave(&self) {
        let mut state = self.state();
        state.members -= 1;
        self.begin_if_all_wait(&mut state);
    }

    fn begin_if_all_wait(&self, state: &mut State) {
        if state.waiting > 0 && state.waiting == state.members {
            state.frozen = Some(self.plane.freeze());
            state.inside = std::mem::take(&mut state.waiting);
            state.round += 1;
            self.changed.notify_all();
        }
    }

    fn wait<'g>(&self, guard: MutexGuard<'g, State>) -> MutexGuard<'g, State> {
        self.changed.wait(guard).unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A member that asks its questions.
struct Inside<'a>(&'a Freezer<'a>);

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.inside -= 1;
        if state.inside == 0 {
            let frozen = state.frozen.take().expect("somebody was inside");
            match std::thread::panicking() {
                true => drop(frozen),
                false => frozen.end(),
            }
            self.0.changed.notify_all();
        } else if !std::thread::panicking() {
            while state.frozen.is_some() {
                state = self.0.wait(state);
            }
        }
    }
}
