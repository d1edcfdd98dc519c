//! What a dry run supposes, and the syncs that it runs.

use super::Session;
use crate::engine::settings::{Assumption, Question as Asked, WhatIf};
use crate::engine::targets::resolve::Resolved;
use crate::engine::targets::target::Target;
use crate::model::dry_run::{ClientRate, Start, SyncRun, dry_run};
use crate::model::expectations::{EXPIRY, Gate};
use crate::model::plan::{Assumptions, RefusedCreates};
use crate::model::sync::{CallError, CallErrorKind};
use crate::objects::instant::later;
use crate::reasons::Code;
use crate::reconstruct::Id;
use crate::reconstruct::answer::{Answer, Question, coming};

impl Session<'_> {
    pub(super) fn question(&self) -> Question {
        let taken_now = self.settings.now.is_some();
        let Asked::DryRun(what_if) = &self.settings.question else {
            return Question { taken_now, ..Question::default() };
        };
        Question {
            replicas: what_if.replicas,
            assumptions: assumptions(what_if),
            by_deployment: false,
            gate: what_if.assume.map(|assume| assume == Assumption::Satisfied),
            taken_now,
        }
    }

    /// The question about one of the objects that the targets turned out to be. A Deployment's size
    /// goes to the one of its ReplicaSets that has pods to run; during a rollout the Deployment decides
    /// how it is divided.
    pub(super) fn question_about(&self, id: &Id, resolved: &Resolved) -> Question {
        let by_target = self.settings.targets.iter().zip(&resolved.by_target);
        let of_deployments: Vec<&Vec<Id>> = by_target
            .filter(|(target, ids)| matches!(target, Target::Deployment(_)) && ids.contains(id))
            .map(|(_, ids)| ids)
            .collect();
        let mut question = self.question();
        if of_deployments.iter().any(|ids| self.with_replicas(ids) != [id]) {
            question.replicas = None;
        }
        question.by_deployment = question.replicas.is_some() && !of_deployments.is_empty();
        question
    }

    /// Those that want pods.
    fn with_replicas<'i>(&self, ids: &'i [Id]) -> Vec<&'i Id> {
        let cache = &self.reconstruction.view().cache;
        ids.iter().filter(|id| cache.replica_set(id.0, &id.1).is_some_and(|rs| rs.replicas > 0)).collect()
    }

    /// A warning for each Deployment whose new size cannot be given to one ReplicaSet.
    pub(super) fn sizes_not_applied(&self) -> Vec<String> {
        let asks = matches!(&self.settings.question, Asked::DryRun(what_if) if what_if.replicas.is_some());
        if !asks {
            return Vec::new();
        }
        let warning = |(place, target): (usize, &Target)| {
            let Target::Deployment(name) = target else { return None };
            let sized = self.with_replicas(self.found.get(&place)?).len();
            (sized != 1).then(|| format!("--replicas is not applied to deploy/{name}: {sized} of its ReplicaSets have a size, and the Deployment decides how it is divided; name one ReplicaSet instead"))
        };
        self.settings.targets.iter().enumerate().filter_map(warning).collect()
    }

    /// The syncs of a dry run; none for other questions.
    pub(super) fn dry_run(&self, answer: &Answer) -> Vec<SyncRun> {
        let (Asked::DryRun(what_if), Some(object)) = (&self.settings.question, &answer.object) else {
            return Vec::new();
        };
        let mut cache = self.reconstruction.view().cache.clone();
        cache.put_replica_set(object.clone());
        for pod in coming(answer.running.as_ref(), object, answer.as_of) {
            cache.put_pod(pod);
        }
        let assumed_unmet = what_if.assume == Some(Assumption::Unmet);
        let set = if assumed_unmet { Some(answer.as_of) } else { answer.held.set_at.latest };
        let keeps_entry = what_if.assume.is_none() && answer.running.is_none();
        let start = Start {
            kind: answer.id.0,
            key: answer.id.1.clone(),
            now: answer.as_of,
            gate: match (answer.open, &answer.running) {
                (_, Some(_)) => Gate::Fulfilled,
                (Some(false), None) => Gate::Waiting,
                _ => answer.gate.unwrap_or(Gate::Fulfilled),
            },
            entry: if keeps_entry { answer.held.entry() } else { None },
            expires: set.map(|set| later(set, EXPIRY)),
            failures: answer.failures,
            assumptions: answer.assumptions.clone(),
            rate: ClientRate { qps: what_if.qps, burst: what_if.burst },
            choice_delay: self.reconstruction.choice_delay(),
            most: what_if.syncs,
        };
        dry_run(&start, &cache, self.reconstruction.profile())
    }
}

fn assumptions(what_if: &WhatIf) -> Assumptions {
    Assumptions {
        refuse: what_if
            .fail_creates
            .map(|fail| RefusedCreates { nth: fail.only.map(u64::from), error: refusal_of(fail.reason) }),
        quota: what_if
            .quota_left
            .map(|left| (left, format!("exceeded quota: room for {left} more in all, as assumed"))),
        namespace_terminating: what_if
            .fail_creates
            .is_some_and(|fail| fail.reason == Code::NamespaceTerminating && fail.only.is_none()),
    }
}

/// The refusal that `--fail-creates` means by a reason code: the failures that the controller treats specially, and an
/// ordinary error for everything else.
fn refusal_of(reason: Code) -> CallError {
    let kind = match reason {
        Code::NamespaceTerminating => CallErrorKind::NamespaceTerminating,
        Code::CreateTimedOut => CallErrorKind::Timeout,
        Code::PodInvalid => CallErrorKind::Invalid,
        _ => CallErrorKind::Other,
    };
    CallError { kind, message: format!("assumed refusal: {}", reason.as_str()) }
}
