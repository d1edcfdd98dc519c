//! The codes of reasons: each with its family and the tiers that it is given with. What a code means is written in
//! `docs/reasons/CODE.md`, which [`page`] includes; `explain CODE` and the schema are made from that page.
//!
//! A new code needs a line in the table below and a page. Uses nothing of the other folders.

use std::fmt;

use serde::Serialize;

mod page;
mod tier;

pub(crate) use page::Page;
pub(crate) use tier::Tier;

macro_rules! codes {
    ($($family:ident { $($code:ident: $($tier:ident)+;)+ })+) => {
        /// The code of a reason, in the CamelCase of Kubernetes conditions. Ordered as declared.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[allow(missing_docs, reason = "the page of each code describes it")]
        pub enum Code {
            $($($code,)+)+
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &[Code] = &[$($(Code::$code,)+)+];

            /// The code as it is written.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($(Code::$code => stringify!($code),)+)+
                }
            }

            /// What its page says.
            pub(crate) fn page(self) -> &'static Page {
                match self {
                    $($(Code::$code => {
                        const SOURCE: &str =
                            include_str!(concat!("../../docs/reasons/", stringify!($code), ".md"));
                        static HEAD: [u8; page::head_len(SOURCE)] = page::head(SOURCE);
                        static PAGE: Page = Page::parse(stringify!($code), &HEAD);
                        &PAGE
                    })+)+
                }
            }

            /// How sure it is: the tiers that it is given with.
            pub(crate) fn tiers(self) -> &'static [Tier] {
                match self {
                    $($(Code::$code => &[$(Tier::$tier),+],)+)+
                }
            }

            /// The family that it belongs to.
            pub(crate) fn family(self) -> &'static str {
                match self {
                    $($(Code::$code => stringify!($family),)+)+
                }
            }
        }
    };
}

codes! {
    gate {
        ExpectationsUnmet: Inferred Logged;
        ExpectationsExpired: Inferred;
        ExpectationsUnknown: Observed Inferred Assumed;
        NegativeExpectations: Inferred;
        NothingWakes: Inferred;
        RetryBackoff: Inferred;
        SyncRunning: Inferred;
        SyncDue: Inferred;
        CacheLags: Logged;
    }
    blocked {
        DeletionInProgress: Observed;
        SelectorInvalid: Observed;
        ClaimFailed: Logged;
        StaleCache: Logged;
        StaleCheckPassed: Logged;
        ControllerNotRunning: Observed;
        NamespaceTerminating: Observed Logged;
    }
    refusals {
        QuotaExceeded: Observed Logged;
        LimitRangeViolation: Observed Logged;
        WebhookDenied: Observed Logged;
        AdmissionPolicyDenied: Observed Logged;
        WebhookUnreachable: Observed Logged;
        WebhookTimedOut: Observed Logged;
        WebhookSelfDeadlock: Inferred;
        PodSecurityViolation: Observed Logged;
        ServiceAccountMissing: Observed Logged;
        PriorityClassMissing: Observed Logged;
        PodInvalid: Observed Logged;
        CreateForbidden: Observed Logged;
        NameClash: Observed Logged;
        ServerOverloaded: Observed Logged;
        CreateTimedOut: Observed Logged;
        CreateRefused: Observed Logged;
        DeleteRefused: Observed Logged;
        MessageOutdated: Observed;
        EventsThinned: Observed;
        RefusalPredicted: Inferred;
        PodsIrreplaceable: Inferred;
    }
    plan {
        BurstCapped: Inferred;
        SlowStart: Inferred;
        ClientRate: Assumed;
        AgeBucketTie: Inferred;
        RanksFixed: Inferred;
        VictimsUndetermined: Inferred;
        TopologyNotConsulted: Inferred;
        VersionDependent: Inferred;
        BucketMoving: Inferred;
    }
    claim {
        AdoptionDue: Inferred;
        ReleaseDue: Inferred;
        AdoptedDiffersFromTemplate: Observed;
        SelectorOverlap: Observed Inferred;
        LabelMismatch: Observed;
        OrphanPods: Observed;
    }
    status {
        StatusBehind: Observed Inferred;
        TerminatingNotCounted: Observed;
        FinishedNotCounted: Observed;
        AvailabilityPending: Inferred;
        PodOnLostNode: Observed;
        EvictionSuspended: Inferred;
    }
    deployment {
        DeploymentDecides: Observed;
        ScaledByHand: Inferred;
        AdoptableByDeployment: Inferred;
    }
    limits {
        OwnerReferenceStripped: Inferred;
        LabelsMutated: Observed;
        DeletionReleased: Inferred;
        ReplacedObject: Observed;
        WatchGap: Observed;
        EvidenceIncomplete: Inferred;
        VersionAssumed: Assumed;
        LogAlone: Logged;
        ReadDenied: Observed;
    }
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
        let of = |f: fn(&'static Page) -> &'static str| {
            Code::ALL.iter().map(|code| f(code.page())).collect::<HashSet<_>>().len()
        };
        let names: HashSet<_> = Code::ALL.iter().map(|code| code.as_str().to_ascii_lowercase()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        assert_eq!(of(|page| page.meaning), Code::ALL.len());
        assert_eq!(of(|page| page.text), Code::ALL.len());
    }

    #[test]
    fn a_meaning_is_one_short_line() {
        for code in Code::ALL {
            let meaning = code.page().meaning;
            assert!(!meaning.is_empty() && meaning.len() <= 72, "{code}: {} long", meaning.len());
            assert!(!meaning.ends_with('.') && !meaning.contains('\n'), "{code}");
        }
    }

    #[test]
    fn texts_and_remedies_are_whole_sentences() {
        for code in Code::ALL {
            let page = code.page();
            assert!(page.text.ends_with('.') && page.recognised.ends_with('.'), "{code}");
            assert!(!page.remedy.is_empty(), "{code}");
            assert!(page.trigger.is_none_or(|trigger| trigger.ends_with('.')), "{code}");
            for text in [page.text, page.recognised, page.remedy].into_iter().chain(page.trigger) {
                assert!(!text.contains("  ") && !text.contains('\n') && text.is_ascii(), "{code}: {text}");
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
