//! The program against the real controller: what `explain` and `dry-run` say is compared with what the controller held
//! (its truth log) and with what it then did. Needs a control plane (`tests/control-plane`); without one it is skipped.

mod api;
mod checkpoint;
mod cut;
mod freezer;
mod managers;
mod outcome;
mod pods;
mod proxy;
mod random;
mod recorded;
mod results;
mod runs;
mod scenarios;
mod stage;
mod states;
mod truth;
mod webhook;
