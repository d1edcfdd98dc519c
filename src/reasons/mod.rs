//! Every reason that a verdict can give, written in one place: its code, its one-line meaning, the
//! texts that `explain CODE` shows, and the remedy. Docs and schema are made from it.
//!
//! The entries stand in a file for each family, in the order in which [`Code`] declares them.

use std::fmt;

use serde::Serialize;

mod tier;

pub use tier::Tier;

/// What is known about a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// One line, at most 72 characters, without a full stop at its end.
    pub meaning: &'static str,
    /// What it is, what ends it, and where versions differ.
    pub text: &'static str,
    /// By what evidence it is recognised.
    pub recognised: &'static str,
    /// How sure it is: the tiers that it is given with. Empty if no answer gives it yet.
    pub tiers: &'static [Tier],
    /// What to do next.
    pub remedy: &'static str,
    /// What starts the sync that ends it; `None` where it keeps no sync from anything.
    pub wakes: Option<&'static str>,
}

/// The command that makes the controller sync a ReplicaSet.
macro_rules! wake {
    () => {
        "kubectl annotate rs NAME touched=\"$(date)\" --overwrite"
    };
}

mod blocked;
mod claim;
mod deployment;
mod gate;
mod limits;
mod plan;
mod refusals;
mod status;

macro_rules! codes {
    ($($family:ident: $($code:ident),*;)*) => {
        /// The code of a reason, in the CamelCase of Kubernetes conditions. Ordered as declared:
        /// gate, blocked, refusals, plan, claim, status, deployment, traps and evidence.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[allow(missing_docs, reason = "the entry of each code says what it means")]
        pub enum Code {
            $($($code,)*)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &[Code] = &[$($(Code::$code,)*)*];

            /// The code as it is written.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($(Code::$code => stringify!($code),)*)*
                }
            }

            /// What is known about the reason.
            pub fn entry(self) -> &'static Entry {
                match self {
                    $($(Code::$code => &$family::$code,)*)*
                }
            }

            /// The family that it belongs to.
            pub fn family(self) -> &'static str {
                match self {
                    $($(Code::$code => stringify!($family),)*)*
                }
            }
        }
    };
}

codes! {
    gate: ExpectationsUnmet, ExpectationsExpired, ExpectationsUnknown, NegativeExpectations, NothingWakes, RetryBackoff, SyncRunning, SyncDue, CacheLags;
    blocked: DeletionInProgress, SelectorInvalid, ClaimFailed, StaleCache, StaleCheckPassed, ControllerNotRunning, NamespaceTerminating;
    refusals: QuotaExceeded, LimitRangeViolation, WebhookDenied, AdmissionPolicyDenied, WebhookUnreachable, WebhookTimedOut, WebhookSelfDeadlock, PodSecurityViolation, ServiceAccountMissing, PriorityClassMissing, PodInvalid, CreateForbidden, NameClash, ServerOverloaded, CreateTimedOut, CreateRefused, DeleteRefused, MessageOutdated, EventsThinned, RefusalPredicted, PodsIrreplaceable;
    plan: BurstCapped, SlowStart, ClientRate, AgeBucketTie, RanksFixed, VictimsUndetermined, TopologyNotConsulted, VersionDependent, BucketMoving;
    claim: AdoptionDue, ReleaseDue, AdoptedDiffersFromTemplate, SelectorOverlap, LabelMismatch, OrphanPods;
    status: StatusBehind, TerminatingNotCounted, FinishedNotCounted, AvailabilityPending, PodOnLostNode, EvictionSuspended;
    deployment: DeploymentDecides, ScaledByHand, AdoptableByDeployment;
    limits: OwnerReferenceStripped, LabelsMutated, DeletionReleased, ReplacedObject, WatchGap, EvidenceIncomplete, VersionAssumed, LogAlone, ReadDenied;
}

impl Code {
    /// The code that a whole word names, in upper or lower case.
    pub fn parse(word: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str().eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_code_has_its_own_name_and_texts() {
        let of = |f: fn(&'static Entry) -> &'static str| {
            Code::ALL.iter().map(|code| f(code.entry())).collect::<HashSet<_>>().len()
        };
        let names: HashSet<_> = Code::ALL.iter().map(|code| code.as_str().to_ascii_lowercase()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        assert_eq!(of(|entry| entry.meaning), Code::ALL.len());
        assert_eq!(of(|entry| entry.text), Code::ALL.len());
    }

    #[test]
    fn a_meaning_is_one_short_line() {
        for code in Code::ALL {
            let meaning = code.entry().meaning;
            assert!(!meaning.is_empty() && meaning.len() <= 72, "{code}: {} long", meaning.len());
            assert!(!meaning.ends_with('.') && !meaning.contains('\n'), "{code}");
        }
    }

    #[test]
    fn texts_and_remedies_are_whole_sentences() {
        for code in Code::ALL {
            let entry = code.entry();
            assert_eq!(entry.code, *code);
            assert!(entry.text.ends_with('.') && entry.recognised.ends_with('.'), "{code}");
            assert!(!entry.remedy.is_empty(), "{code}");
            assert!(entry.wakes.is_none_or(|wakes| wakes.ends_with('.')), "{code}");
            for text in [entry.text, entry.recognised, entry.remedy].into_iter().chain(entry.wakes) {
                assert!(!text.contains("  ") && !text.contains('\n') && text.is_ascii(), "{code}");
            }
        }
    }

    #[test]
    fn a_code_is_parsed_from_its_name_and_only_from_that() {
        for code in Code::ALL {
            assert_eq!(Code::parse(code.as_str()), Some(*code));
            assert_eq!(Code::parse(&code.as_str().to_uppercase()), Some(*code));
            assert_eq!(Code::parse(&code.as_str()[1..]), None);
        }
        assert_eq!(Code::parse(""), None);
        assert_eq!(Code::parse("InSync"), None);
    }

    #[test]
    fn codes_are_ordered_as_declared() {
        assert!(Code::ALL.is_sorted());
    }
}
