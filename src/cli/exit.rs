//! The exit codes: the one documented list. They are the same under every `-o`.
//!
//! Of several that apply, the first of these is taken: 2 and 4, before which nothing is answered; 14; 3; 1;
//! 15; then, with `--exit-code`, the most telling verdict of all objects, 12 before 13, 11, 10 and 0.

use crate::engine::failure::Failure;
use crate::report::Verdict;
use crate::source::cluster::ErrorKind;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Exit {
    /// Answered, also where an optional read was denied. With `--exit-code`: all is settled.
    /// A closed standard output ends with it too.
    Answered = 0,
    /// A runtime error; or some input was unusable, or one of several targets is missing,
    /// though the rest was answered.
    Error = 1,
    /// The arguments are wrong.
    Usage = 2,
    /// No target exists.
    Missing = 3,
    /// Not permitted to read what is asked for.
    Forbidden = 4,
    /// With `--exit-code`: a next sync creates, deletes, adopts or releases.
    Act = 10,
    /// With `--exit-code`: a next sync is held back by unmet expectations.
    Skip = 11,
    /// With `--exit-code`: a next sync cannot run or is refused.
    Blocked = 12,
    /// With `--exit-code`: the evidence leaves a next sync open.
    Undetermined = 13,
    /// `--until` timed out.
    TimedOut = 14,
    /// `--expect` differs.
    Differs = 15,
    /// A second Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// The number for the operating system.
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// What they mean, in the order and words of the README and the man pages.
pub const TABLE: &[(&[Exit], &str)] = &[
    (&[Exit::Answered], "answered"),
    (&[Exit::Error], "an error, or some of the input or targets could not be used"),
    (&[Exit::Usage], "wrong usage"),
    (&[Exit::Missing], "none of the named objects exists"),
    (&[Exit::Forbidden], "not permitted to read the requested objects"),
    (
        &[Exit::Act, Exit::Skip, Exit::Blocked, Exit::Undetermined],
        "with `--exit-code`: act, skip, blocked, undetermined; of several the first in the order 12, 13, 11, 10, 0",
    ),
    (&[Exit::TimedOut], "with a cluster: `--timeout` expired before the verdict of `--until` was reached"),
    (&[Exit::Differs], "an answer differs from `--expect`"),
    (&[Exit::Interrupted], "ended by a second Ctrl-C"),
];

impl From<&Failure> for Exit {
    fn from(failure: &Failure) -> Exit {
        match failure {
            Failure::Usage(_) | Failure::Settings(_) | Failure::BeforeTheEnd { .. } => Exit::Usage,
            Failure::Missing(_) => Exit::Missing,
            Failure::Cluster(error) if error.kind() == ErrorKind::Forbidden => Exit::Forbidden,
            Failure::Cluster(_)
            | Failure::UnknownCode { .. }
            | Failure::Template(_)
            | Failure::SortBy { .. }
            | Failure::Json(_)
            | Failure::Yaml(_)
            | Failure::Output(_)
            | Failure::Recording { .. }
            | Failure::Demonstration { .. } => Exit::Error,
            Failure::Closed => Exit::Answered,
        }
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Settled => Exit::Answered,
            Verdict::Act => Exit::Act,
            Verdict::Skip => Exit::Skip,
            Verdict::Blocked => Exit::Blocked,
            Verdict::Undetermined => Exit::Undetermined,
        }
    }
}

/// What decides how a question about objects ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// `--timeout` expired before the verdict of `--until` was reached.
    pub timed_out: bool,
    /// Some input could not be used.
    pub unusable: bool,
    /// A named target does not exist.
    pub missing: bool,
    /// Something was answered for.
    pub answered: bool,
    /// An answer differs from `--expect`.
    pub differs: bool,
    /// What `--exit-code` tells.
    pub verdict: Option<Exit>,
}

/// How it ends. A part of the input that could not be used comes before a missing target: it may have
/// held it.
pub fn of(ending: Ending) -> Exit {
    match ending {
        Ending { timed_out: true, .. } => Exit::TimedOut,
        Ending { missing: true, unusable: false, answered: false, .. } => Exit::Missing,
        Ending { missing: true, .. } | Ending { unusable: true, .. } => Exit::Error,
        Ending { differs: true, .. } => Exit::Differs,
        Ending { verdict, .. } => verdict.unwrap_or(Exit::Answered),
    }
}

/// The exit for `--exit-code`: that of the most telling verdict, 12 before 13, 11, 10 and 0.
pub fn telling(verdicts: impl Iterator<Item = Verdict>) -> Exit {
    verdicts.max_by_key(|verdict| weight(*verdict)).map_or(Exit::Answered, Exit::from)
}

fn weight(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Settled => 0,
        Verdict::Act => 1,
        Verdict::Skip => 2,
        Verdict::Undetermined => 3,
        Verdict::Blocked => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Verdict; 5] =
        [Verdict::Settled, Verdict::Act, Verdict::Skip, Verdict::Blocked, Verdict::Undetermined];

    #[test]
    fn codes_are_those_documented() {
        let codes = [
            (Exit::Answered, 0),
            (Exit::Error, 1),
            (Exit::Usage, 2),
            (Exit::Missing, 3),
            (Exit::Forbidden, 4),
            (Exit::Act, 10),
            (Exit::Skip, 11),
            (Exit::Blocked, 12),
            (Exit::Undetermined, 13),
            (Exit::TimedOut, 14),
            (Exit::Differs, 15),
            (Exit::Interrupted, 130),
        ];
        for (exit, code) in codes {
            assert_eq!(exit.code(), code, "{exit:?}");
        }
    }

    #[test]
    fn closed_output_ends_well() {
        assert_eq!(Exit::from(&Failure::Closed), Exit::Answered);
    }

    #[test]
    fn each_missing_target_has_its_line() {
        let failure = Failure::Missing(vec!["a".into(), "b".into()]);
        assert_eq!(Exit::from(&failure), Exit::Missing);
        assert_eq!(failure.to_string().lines().count(), 2);
    }

    #[test]
    fn one_verdict_tells_its_own_code() {
        assert_eq!(ALL.map(|v| telling([v].into_iter()).code()), [0, 10, 11, 12, 13]);
    }

    #[test]
    fn blocked_tells_before_undetermined_skip_act_and_settled() {
        let order = [Verdict::Blocked, Verdict::Undetermined, Verdict::Skip, Verdict::Act, Verdict::Settled];
        for at in 0..order.len() {
            let expected = Exit::from(order[at]);
            assert_eq!(telling(order[at..].iter().copied()), expected);
            assert_eq!(telling(order[at..].iter().rev().copied()), expected);
        }
    }

    #[test]
    fn nothing_to_tell_is_answered() {
        assert_eq!(telling(std::iter::empty()), Exit::Answered);
    }
}
