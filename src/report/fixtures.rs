//! Small hand-made reports for the tests of the renderings.

use jiff::Timestamp;

use super::*;
use crate::model::scale_down::Rule;
use crate::objects::{Key, OwnerKind};
use crate::reasons::Tier;
use crate::reconstruct::answer::{Change, Trigger};
use crate::reconstruct::detail::{Detail, GateDetail, RefusalDetail};
use crate::reconstruct::range::Range;
use crate::reconstruct::refusal;

pub(super) fn time(text: &str) -> Timestamp {
    format!("2026-01-01T{text}Z").parse().unwrap()
}

fn known(value: i64) -> Bounds {
    Bounds { min: Some(value), max: Some(value) }
}

pub(super) fn status(replicas: i32, write: bool) -> StatusWrite {
    StatusWrite {
        replicas,
        fully_labeled_replicas: replicas,
        ready_replicas: replicas,
        available_replicas: replicas,
        terminating_replicas: Some(0),
        observed_generation: 4,
        conditions: vec![],
        write,
    }
}

pub(super) fn reason(tier: Tier, detail: impl Into<Detail>) -> ReasonReport {
    let detail = detail.into();
    ReasonReport { code: detail.code(), tier, detail }
}

fn annotate() -> Trigger {
    Trigger::Annotate { kind: OwnerKind::ReplicaSet, key: Key::new("shop", "web") }
}

pub(super) fn victim(pod: &str, rule: Rule, why: &str) -> Victim {
    Victim { pod: pod.to_owned(), rule, why: why.to_owned(), cost_to_save: None, cost_to_doom: None }
}

pub(super) fn creating(count: usize, batches: &[usize]) -> PlanReport {
    PlanReport {
        action: Some(SyncAction::Create),
        count,
        create: Creates { batches: batches.to_vec(), calls: count, created: count, skipped: 0 },
        ..PlanReport::none()
    }
}

/// 10 wanted, 10 there, nothing outstanding.
pub(super) fn settled() -> Report {
    Report {
        api_version: API_VERSION,
        kind: "ReplicaSetReport",
        as_of: time("12:00:00"),
        server: Server { minor: "1.37".into(), source: VersionSource::Cluster },
        object: ObjectReference {
            api_version: ObjectVersion::Apps,
            kind: OwnerKind::ReplicaSet,
            namespace: "shop".into(),
            name: "web".into(),
            uid: Some("5f0c".into()),
            resource_version: Some("123".into()),
            generation: Some(4),
            exists: true,
            via: None,
        },
        desired: Some(10),
        active: Some(10),
        diff: Some(0),
        verdict: Verdict::Settled,
        reasons: vec![],
        until: None,
        wake: vec![],
        expectations: ExpectationsReport {
            gate: GateState::Fulfilled,
            add: known(0),
            del: known(0),
            set_at: None,
            expires_at: None,
            awaited_deletions: vec![],
        },
        running: None,
        plan: PlanReport { status: Some(status(10, false)), ..PlanReport::none() },
        syncs: vec![],
        ledger: vec![],
        evidence: EvidenceReport {
            window: Some(WindowReport { from: time("11:59:55"), to: time("12:00:00"), complete: true }),
            resource_version: Some("123".into()),
            sources: vec!["watch of pods in shop".into(), "events".into()],
            has_log: false,
        },
        degraded: vec![],
    }
}

/// 3 short, and 3 creations awaited.
pub(super) fn skip() -> Report {
    let settled = settled();
    let expires = time("12:04:10");
    Report {
        active: Some(7),
        diff: Some(-3),
        verdict: Verdict::Skip,
        reasons: vec![
            reason(Tier::Observed, GateDetail::Unmet { add: Range::new(3, 3), del: Range::ZERO }),
            reason(Tier::Inferred, GateDetail::NothingWakes { expired: None }),
        ],
        until: Some(UntilReport { at: expires, then: Change::Expiry { pods_may_come: true } }),
        wake: vec![Trigger::AnyEvent, annotate()],
        expectations: ExpectationsReport {
            gate: GateState::Waiting,
            add: known(3),
            set_at: Some(Between { earliest: Some(time("11:59:08")), latest: Some(time("11:59:10")) }),
            expires_at: Some(Between { earliest: Some(time("12:04:08")), latest: Some(expires) }),
            ..settled.expectations.clone()
        },
        plan: PlanReport { status: Some(status(7, false)), ..creating(3, &[1, 2]) },
        ..settled
    }
}

/// 3 to go of 5: 1 certainly, 2 of 3 others.
pub(super) fn scale_down() -> Report {
    let fuller = |pod| Victim {
        cost_to_save: Some(6),
        cost_to_doom: Some(-1),
        ..victim(pod, Rule::Rank, "its node holds 3 pods of this owner, the others' 2")
    };
    Report {
        desired: Some(2),
        active: Some(5),
        diff: Some(3),
        verdict: Verdict::Act,
        expectations: ExpectationsReport { gate: GateState::None, ..settled().expectations },
        plan: PlanReport {
            action: Some(SyncAction::Delete),
            count: 3,
            delete: Deletes {
                certain: vec![Victim {
                    cost_to_save: Some(6),
                    ..victim("web-c", Rule::NotReady, "it is not ready, the others are")
                }],
                possible: vec![fuller("web-a"), fuller("web-b"), fuller("web-d")],
                safe: vec![Victim {
                    cost_to_doom: Some(-1),
                    ..victim("web-e", Rule::Rank, "its node holds 2 pods of this owner")
                }],
            },
            status: Some(status(5, true)),
            ..PlanReport::none()
        },
        ..settled()
    }
}

/// 1200 wanted, none there, and an orphan to adopt.
pub(super) fn burst() -> Report {
    Report {
        desired: Some(1201),
        active: Some(1),
        diff: Some(-1200),
        verdict: Verdict::Act,
        plan: PlanReport {
            capped: true,
            adopt: vec!["stray".into()],
            ..creating(500, &[1, 2, 4, 8, 16, 32, 64, 128, 245])
        },
        ..settled()
    }
}

/// A quota is exhausted.
pub(super) fn refused() -> Report {
    let message = "pods \"web-x2f7k\" is forbidden: exceeded quota: small, requested: pods=1, used: pods=5, \
         limited: pods=5";
    let refusal = RefusalDetail::Standing {
        cause: refusal::classify(message),
        deletes: false,
        at_least: 3,
        last: Some(time("11:59:58")),
        message: message.into(),
    };
    Report {
        desired: Some(500),
        active: Some(5),
        diff: Some(-495),
        verdict: Verdict::Blocked,
        reasons: vec![reason(Tier::Observed, refusal)],
        until: Some(UntilReport { at: time("12:16:40"), then: Change::Retry { at_limit: false } }),
        wake: vec![Trigger::AnyEvent, annotate()],
        plan: PlanReport {
            create: Creates {
                batches: vec![1, 2, 4, 8, 16, 32, 64, 128, 240],
                calls: 1,
                created: 0,
                skipped: 494,
            },
            status: Some(StatusWrite {
                conditions: vec![ConditionWrite {
                    kind: "ReplicaFailure".into(),
                    status: "True".into(),
                    reason: "FailedCreate".into(),
                    message: message.into(),
                }],
                ..status(5, true)
            }),
            ..creating(495, &[])
        },
        degraded: vec![Degraded {
            what: "resourcequotas".into(),
            why: "forbidden: cannot list".into(),
            denied: true,
        }],
        ..settled()
    }
}

/// A snapshot that leaves the gate open.
pub(super) fn undetermined() -> Report {
    let skip = skip();
    let unknown = Bounds { min: None, max: Some(500) };
    Report {
        verdict: Verdict::Undetermined,
        server: Server { minor: "1.37".into(), source: VersionSource::Assumed },
        reasons: vec![reason(Tier::Inferred, GateDetail::Unknown)],
        until: None,
        expectations: ExpectationsReport {
            gate: GateState::Undetermined,
            add: unknown,
            del: Bounds { min: Some(0), max: Some(500) },
            set_at: Some(Between { earliest: None, latest: Some(time("12:00:00")) }),
            expires_at: Some(Between { earliest: None, latest: Some(time("12:05:00")) }),
            awaited_deletions: vec![
                AwaitedDeletion { pod: "web-a".into(), certain: true },
                AwaitedDeletion { pod: "web-b".into(), certain: false },
            ],
        },
        evidence: EvidenceReport {
            window: None,
            resource_version: None,
            sources: vec!["web.yaml".into()],
            has_log: false,
        },
        ..skip
    }
}

/// Deleted before the report's instant.
pub(super) fn absent() -> Report {
    let settled = settled();
    Report {
        desired: None,
        active: None,
        diff: None,
        object: ObjectReference { exists: false, uid: None, ..settled.object.clone() },
        ..settled
    }
}

/// One of each kind.
pub(super) fn all() -> Vec<Report> {
    vec![settled(), skip(), scale_down(), burst(), refused(), undetermined(), absent()]
}

/// The report with two syncs: its plan, and one that finds everything done.
pub(super) fn dry(mut report: Report) -> Report {
    let counters = |add, del| Counters { add: Some(add), del: Some(del) };
    let plan = report.plan.clone();
    let (made, gone) =
        if plan.action == Some(SyncAction::Delete) { (0, plan.count) } else { (plan.create.created, 0) };
    let waits = report.verdict == Verdict::Skip;
    let first = PlannedSync {
        sync: 1,
        at: if waits { time("12:04:10.1") } else { report.as_of },
        gate: if waits { GateState::Expired } else { report.expectations.gate },
        skipped: false,
        active: report.active,
        diff: report.diff,
        expectations_after: counters(i64::try_from(made).unwrap(), i64::try_from(gone).unwrap()),
        seconds: if plan.capped { 23.5 } else { 0.0 },
        error: (plan.create.skipped > 0).then(|| "exceeded quota: small".to_owned()),
        then: "its pods are seen".into(),
        plan,
    };
    report.syncs = vec![first.clone()];
    if first.error.is_none() && !first.plan.capped {
        let active = report.active.map(|n| n + made - gone);
        let after = active.zip(report.desired).map(|(a, d)| a as i64 - i64::from(d));
        let plan =
            PlanReport { status: Some(status(active.unwrap_or(0) as i32, true)), ..PlanReport::none() };
        report.syncs.push(PlannedSync {
            sync: 2,
            gate: GateState::Fulfilled,
            active,
            diff: after,
            plan,
            expectations_after: counters(0, 0),
            then: String::new(),
            ..first
        });
    }
    report
}
