//! Refused creates and deletes: why, since when, and what follows from it.

use super::version_dependent;
use crate::objects::ReplicaSet;
use crate::reasons::Code;
use crate::reasons::Tier;
use crate::reconstruct::answer::Subject;
use crate::reconstruct::detail::{GateDetail, RefusalDetail, VersionDifference};
use crate::reconstruct::refused::{self, StandingRefusal};
use crate::reconstruct::{Reason, Reconstruction, around, refusal};

impl Reconstruction {
    pub(super) fn about_refusal(&self, subject: &Subject, refused: Option<&StandingRefusal>) -> Vec<Reason> {
        let Subject { object, plan, assumptions, .. } = subject;
        let mut reasons = Vec::new();
        let short = plan.diff.is_some_and(|diff| diff < 0);
        let Some(refused) = refused else {
            if let Some(timed_out) = self.timed_out(object).filter(|_| short) {
                reasons.push(timed_out);
                if self.profile.ignores_create_timeout {
                    reasons.push(version_dependent(VersionDifference::TimeoutIsError));
                }
            }
            reasons.extend(short.then(|| around::predicted(&self.view, object, assumptions)).flatten());
            return reasons;
        };
        if let Some(last) = refused.last {
            let backoff = GateDetail::RetryBackoff { at_limit: refused.at_limit(), last };
            reasons.push(Reason::new(Tier::Inferred, backoff));
        }
        if let Some(condition) = &refused.outdated {
            let outdated = RefusalDetail::MessageOutdated { condition: condition.clone() };
            reasons.push(Reason::new(Tier::Observed, outdated));
        }
        if refused.thinned {
            let thinned = RefusalDetail::EventsThinned { at_least: refused.at_least };
            reasons.push(Reason::new(Tier::Observed, thinned));
        }
        reasons.extend(self.deadlock(object, refused));
        let active = plan.active.as_ref().map_or(0, Vec::len);
        let by_policy = matches!(
            refused.cause.code,
            Code::PodSecurityViolation | Code::AdmissionPolicyDenied | Code::LimitRangeViolation
        );
        if by_policy && active > 0 {
            reasons.push(Reason::new(Tier::Inferred, RefusalDetail::PodsIrreplaceable { active }));
        }
        reasons.extend(around::predicted(&self.view, object, assumptions).filter(|_| short));
        reasons
    }

    /// The newest failure was a timeout without a condition.
    fn timed_out(&self, object: &ReplicaSet) -> Option<Reason> {
        let events = refused::own_events(&self.view, object);
        let newest = events.filter(|e| e.reason == "FailedCreate").max_by_key(|e| e.last)?;
        let code = refusal::classify(&newest.message).code;
        let timed_out = matches!(code, Code::CreateTimedOut | Code::WebhookTimedOut);
        let message = newest.text().to_owned();
        timed_out.then(|| Reason::new(Tier::Observed, RefusalDetail::TimedOut { at: newest.last, message }))
    }

    /// The webhook that refuses is served by the very pods that cannot be made.
    fn deadlock(&self, object: &ReplicaSet, refused: &StandingRefusal) -> Option<Reason> {
        if !matches!(refused.cause.code, Code::WebhookUnreachable | Code::WebhookTimedOut) {
            return None;
        }
        let namespace = &object.meta.namespace;
        let called = refused.cause.service.as_ref()?;
        let service = self.view.services.values().find(|service| {
            let named = service.meta.name == called.name
                && called.namespace.as_ref().is_none_or(|called| called == namespace);
            let selects =
                !service.selector.is_empty() && object.template.labels.contains_all(&service.selector);
            service.meta.namespace == *namespace && named && selects
        })?;
        let service = service.meta.key();
        Some(Reason::new(Tier::Inferred, RefusalDetail::WebhookSelfDeadlock { service }))
    }
}
