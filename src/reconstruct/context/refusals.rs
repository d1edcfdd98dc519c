//! Refused creates and deletes: why, since when, and what follows from it.

use super::{pods, version_dependent};
use crate::objects::ReplicaSet;
use crate::reasons::Code;
use crate::reasons::Tier;
use crate::reconstruct::answer::Subject;
use crate::reconstruct::gate::at;
use crate::reconstruct::refused::{self, Refused};
use crate::reconstruct::{Reason, Reconstruction, around, refusal};

impl Reconstruction {
    pub(super) fn about_refusal(&self, subject: &Subject, refused: Option<&Refused>) -> Vec<Reason> {
        let Subject { object, plan, assumptions, .. } = subject;
        let mut reasons = Vec::new();
        let short = plan.diff.is_some_and(|diff| diff < 0);
        let Some(refused) = refused else {
            if let (true, Some((message, swallowed))) = (short, self.timed_out(object)) {
                reasons.push(Reason::new(Code::CreateTimedOut, Tier::Observed, message));
                if swallowed {
                    reasons.push(version_dependent("from 1.18 (and late patches of 1.16 and 1.17) a create that times out is an error with retries; here it counts as done: no error, no retry, no condition"));
                }
            }
            reasons.extend(short.then(|| around::predicted(&self.view, object, assumptions)).flatten());
            return reasons;
        };
        if let Some(last) = refused.last {
            let pause = if refused.at_limit() {
                "has reached its limit of 1000 s".into()
            } else {
                "doubles from 5 ms to 1000 s".to_owned()
            };
            reasons.push(Reason::new(
                Code::RetryBackoff,
                Tier::Inferred,
                format!(
                    "a failed sync is retried after a pause that {pause}; last failure known at {}",
                    at(last)
                ),
            ));
        }
        if let Some(condition) = &refused.outdated {
            reasons.push(Reason::new(
                Code::MessageOutdated,
                Tier::Observed,
                format!("the condition still shows the first failure ({condition}); the newest event names another cause"),
            ));
        }
        if refused.thinned {
            let text = format!(
                "similar events are merged and dropped: at least {} calls failed, perhaps more",
                refused.at_least
            );
            reasons.push(Reason::new(Code::EventsThinned, Tier::Observed, text));
        }
        reasons.extend(self.deadlock(object, refused));
        let active = plan.active.as_ref().map_or(0, Vec::len);
        let by_policy = matches!(
            refused.refusal.code,
            Code::PodSecurityViolation | Code::AdmissionPolicyDenied | Code::LimitRangeViolation
        );
        if by_policy && active > 0 {
            let text = format!(
                "the {} running were admitted earlier; none of them can be replaced while this lasts",
                pods(active)
            );
            reasons.push(Reason::new(Code::PodsIrreplaceable, Tier::Inferred, text));
        }
        reasons.extend(around::predicted(&self.view, object, assumptions).filter(|_| short));
        reasons
    }

    /// The newest failure was a timeout without a condition, and whether this version takes such
    /// a create for done.
    fn timed_out(&self, object: &ReplicaSet) -> Option<(String, bool)> {
        let events = refused::own_events(&self.view, object);
        let newest = events.filter(|e| e.reason == "FailedCreate").max_by_key(|e| e.last)?;
        let code = refusal::classify(&newest.message).code;
        let when = newest.last.map(at).unwrap_or_default();
        let timed_out = matches!(code, Code::CreateTimedOut | Code::WebhookTimedOut);
        timed_out.then(|| {
            (
                format!("the last create known, at {when}, timed out: {}", newest.text()),
                self.profile.swallows_create_timeout,
            )
        })
    }

    /// The webhook that refuses is served by the very pods that cannot be made.
    fn deadlock(&self, object: &ReplicaSet, refused: &Refused) -> Option<Reason> {
        if !matches!(refused.refusal.code, Code::WebhookUnreachable | Code::WebhookTimedOut) {
            return None;
        }
        let namespace = &object.meta.namespace;
        let service = self.view.services.values().find(|service| {
            let name = &service.meta.name;
            let named = refused.message.contains(&format!("//{name}.{namespace}.svc"))
                || refused.message.contains(&format!("service \"{name}\""));
            let selects =
                !service.selector.is_empty() && object.template.labels.contains_all(&service.selector);
            service.meta.namespace == *namespace && named && selects
        })?;
        Some(Reason::new(
            Code::WebhookSelfDeadlock,
            Tier::Inferred,
            format!(
                "the webhook's service {} selects exactly the pods that this ReplicaSet should make: without a pod it has no endpoint, without an endpoint no pod is admitted",
                service.meta.key()
            ),
        ))
    }
}
