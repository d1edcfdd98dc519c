//! Builds the report from an answer of the reconstruction.

use std::sync::Arc;

use jiff::Timestamp;

use super::{
    API_VERSION, AwaitedDeletion, Between, Bounds, ConditionWrite, Counters, Creates, Degraded, Deletes,
    EvidenceReport, ExpectationsReport, ObjectReference, PlanReport, PlannedSync, ReasonReport, Report,
    RunningReport, Server, StatusWrite, SyncAction, UntilReport, Victim, sentences,
};
use crate::model::dry_run::SyncRun;
use crate::model::expectations::EXPIRY;
use crate::model::plan;
use crate::model::scale_down::Candidate;
use crate::model::sync::Action;
use crate::objects::{Pod, Status};
use crate::reconstruct::answer::Answer;
use crate::reconstruct::rounds::UnderWay;
use crate::reconstruct::{held, range};

/// What every report of one run shares.
#[derive(Debug, Clone)]
pub struct SharedParts {
    /// The version, and where it comes from.
    pub server: Server,
    /// What the answers rest on.
    pub evidence: EvidenceReport,
    /// What could not be read.
    pub degraded: Vec<Degraded>,
}

/// The report of an answer; `runs` are the syncs of a dry run.
pub fn report(answer: &Answer, runs: &[SyncRun], frame: &SharedParts) -> Report {
    let object = answer.object.as_deref();
    let active = answer.plan.as_ref().and_then(|plan| plan.active.as_ref()).map(Vec::len);
    Report {
        api_version: API_VERSION,
        kind: "ReplicaSetReport",
        as_of: answer.as_of,
        server: frame.server.clone(),
        object: reference(answer),
        desired: object.map(|o| o.replicas),
        active,
        diff: answer.plan.as_ref().and_then(|plan| plan.diff),
        verdict: answer.verdict,
        reasons: answer.reasons.iter().map(reason).collect(),
        until: answer.until.as_ref().map(|u| UntilReport { at: u.at, then: u.then }),
        wake: answer.wake.clone(),
        expectations: expectations(answer),
        running: answer.running.as_ref().map(running),
        plan: answer.plan.as_ref().map_or_else(PlanReport::none, |plan| build_plan(plan, answer.as_of)),
        syncs: syncs(answer, runs),
        ledger: Vec::new(),
        evidence: frame.evidence.clone(),
        degraded: frame.degraded.clone(),
    }
}

fn reference(answer: &Answer) -> ObjectReference {
    let (kind, key) = &answer.id;
    let object = answer.object.as_deref();
    ObjectReference {
        api_version: (*kind).into(),
        kind: *kind,
        namespace: key.namespace.clone(),
        name: key.name.clone(),
        uid: object.map(|o| o.meta.uid.clone()),
        resource_version: object.map(|o| o.meta.resource_version.clone()),
        generation: object.map(|o| o.meta.generation),
        exists: object.is_some(),
        via: None,
    }
}

fn reason(reason: &crate::reconstruct::Reason) -> ReasonReport {
    ReasonReport { code: reason.code, tier: reason.tier, detail: reason.detail.clone() }
}

pub(super) fn build_range(range: range::Range) -> Bounds {
    Bounds { min: range.min(), max: range.max() }
}

fn between(interval: range::Interval) -> Option<Between> {
    let known = interval.earliest.is_some() || interval.latest.is_some();
    known.then_some(Between { earliest: interval.earliest, latest: interval.latest })
}

fn expectations(answer: &Answer) -> ExpectationsReport {
    let held = &answer.held;
    let exists = held.exists != held::Existence::No;
    ExpectationsReport {
        gate: answer.gate.into(),
        add: build_range(held.add),
        del: build_range(held.del),
        set_at: if exists { between(held.set_at) } else { None },
        expires_at: if exists { between(held.set_at.later(EXPIRY)) } else { None },
        awaited_deletions: answer
            .awaited
            .iter()
            .map(|(pod, certain)| AwaitedDeletion { pod: pod.clone(), certain: *certain })
            .collect(),
    }
}

fn running(running: &UnderWay) -> RunningReport {
    RunningReport {
        action: SyncAction::Create,
        count: running.count,
        done: Bounds { min: Some(running.done), max: Some(running.done) },
        since: Between { earliest: running.begun.earliest, latest: running.begun.latest },
    }
}

fn build_plan(plan: &plan::Plan, now: Timestamp) -> PlanReport {
    let (action, count) = match plan.action {
        None => (None, 0),
        Some(Action::Create(count)) => (Some(SyncAction::Create), count),
        Some(Action::Delete(count)) => (Some(SyncAction::Delete), count),
        Some(Action::Nothing) => (Some(SyncAction::None), 0),
    };
    let names = |pods: &[Arc<Pod>]| {
        let mut names: Vec<String> = pods.iter().map(|pod| pod.meta.name.clone()).collect();
        names.sort();
        names
    };
    let victims =
        |list: &[Candidate]| list.iter().map(|candidate| victim(candidate, now)).collect::<Vec<_>>();
    PlanReport {
        action,
        count,
        capped: plan.capped,
        adopt: names(&plan.adopt),
        release: names(&plan.release),
        create: Creates {
            batches: plan.batches.clone(),
            calls: plan.calls,
            created: plan.created,
            skipped: plan.skipped(),
        },
        delete: plan.choice.as_ref().map_or_else(Deletes::default, |choice| Deletes {
            certain: victims(&choice.certain),
            possible: victims(&choice.possible),
            safe: victims(&choice.safe),
        }),
        status: plan.status.as_ref().map(|status| status_write(status, plan.writes_status)),
    }
}

fn status_write(status: &Status, write: bool) -> StatusWrite {
    StatusWrite {
        replicas: status.replicas,
        fully_labeled_replicas: status.fully_labeled,
        ready_replicas: status.ready,
        available_replicas: status.available,
        terminating_replicas: status.terminating,
        observed_generation: status.observed_generation,
        conditions: status
            .conditions
            .iter()
            .map(|c| ConditionWrite {
                kind: c.kind.clone(),
                status: c.status.clone(),
                reason: c.reason.clone(),
                message: c.message.clone(),
            })
            .collect(),
        write,
    }
}

fn victim(candidate: &Candidate, now: Timestamp) -> Victim {
    Victim {
        pod: candidate.pod.meta.name.clone(),
        rule: candidate.rule,
        why: sentences::victim(candidate, now),
        cost_to_save: candidate.cost_to_save,
        cost_to_doom: candidate.cost_to_doom,
    }
}

/// The syncs of a dry run. What the first one finds is said only as far as it is known.
fn syncs(answer: &Answer, runs: &[SyncRun]) -> Vec<PlannedSync> {
    let mut syncs: Vec<PlannedSync> =
        runs.iter().enumerate().map(|(at, run)| planned_sync(at + 1, run)).collect();
    if let Some(first) = syncs.first_mut() {
        first.gate = answer.gate.into();
    }
    syncs
}

fn planned_sync(number: usize, run: &SyncRun) -> PlannedSync {
    let due = run.plan.diff.is_some_and(|diff| diff != 0);
    PlannedSync {
        sync: number,
        at: run.at,
        gate: Some(run.gate).into(),
        skipped: !run.gate.is_open() && due,
        active: run.plan.active.as_ref().map(Vec::len),
        diff: run.plan.diff,
        plan: build_plan(&run.plan, run.at),
        expectations_after: Counters {
            add: run.after.map(|(add, _)| add),
            del: run.after.map(|(_, del)| del),
        },
        seconds: run.takes.as_secs_f64(),
        error: run.plan.end.error.clone(),
        then: sentences::then(&run.then),
    }
}

/// Several reports as one value, in the order in which they were made.
pub fn list(items: Vec<Report>) -> super::ReportList {
    super::ReportList { api_version: API_VERSION, kind: "ReplicaSetReportList", items }
}
