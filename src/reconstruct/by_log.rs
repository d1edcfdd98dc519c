//! The answer where there is nothing but the controller's log: no object was seen.

use std::sync::Arc;

use jiff::Timestamp;

use super::answer::Answer;
use super::detail::{BlockedDetail, GateDetail, LimitDetail, RefusalDetail};
use super::held::Held;
use super::logged::{Logged, Outcome};
use super::range::Range;
use super::verdict::Verdict;
use super::{Id, Reason, Reconstruction, refusal};
use crate::model::BURST;
use crate::model::dry_run::new_pod;
use crate::model::plan::Plan;
use crate::model::slow_start;
use crate::model::sync::{Action, End};
use crate::objects::{Meta, OwnerKind, Pod, ReplicaSet, Selector, Status, Template};
use crate::reasons::Tier;

/// No ReplicaSet is larger in practice; a log may say anything.
const MOST_PODS: i64 = 100_000;

impl Reconstruction {
    /// Whether no object was seen.
    pub(super) fn is_log_alone(&self) -> bool {
        let cache = &self.view.cache;
        cache.replica_sets().next().is_none() && cache.pods().next().is_none() && self.seen.is_empty()
    }

    /// ReplicaSets of which only the log tells; none where any object was seen.
    pub(crate) fn logged_only(&self) -> Vec<Id> {
        if !self.is_log_alone() {
            return Vec::new();
        }
        let kind = |logged: &Logged| logged.kind.unwrap_or(OwnerKind::ReplicaSet);
        self.logs.all().map(|(key, logged)| (kind(logged), key.clone())).collect()
    }

    /// The answer by the log alone: counts are those of the last status that a sync wrote.
    pub(super) fn answer_by_log(&self, id: &Id, now: Timestamp) -> Option<Answer> {
        let logged = self.is_log_alone().then(|| self.logs.of(&id.1))??;
        let need = logged.need?;
        let object = Arc::new(told(id, need, logged.status));
        let held = self.held_by_log_alone(logged);
        let diff = logged.status.map(|(counted, _)| counted - need);
        let failed = failure(logged).filter(|_| diff != Some(0));
        let (gate, open) = (held.gate(now), held.is_open(now));
        let verdict = match (&failed, diff, open) {
            (Some(_), ..) => Verdict::Blocked,
            (_, Some(0), _) => Verdict::Settled,
            (_, Some(_), Some(true)) => Verdict::Act,
            (_, Some(_), Some(false)) => Verdict::Skip,
            _ => Verdict::Undetermined,
        };
        let mut reasons: Vec<Reason> = failed.into_iter().collect();
        if verdict == Verdict::Skip {
            reasons.push(Reason::new(Tier::Logged, GateDetail::UnmetByLog));
        }
        let counted = logged.status.map(|(counted, _)| counted);
        reasons.push(Reason::new(Tier::Logged, LimitDetail::LogAlone { wanted: need, counted }));
        Some(Answer {
            object: Some(object.clone()),
            verdict,
            reasons,
            held,
            gate,
            open,
            running: logged.under_way().filter(|_| self.logs.tells_ends()),
            awaited: logged.awaited().map(|pod| (pod.to_owned(), true)).collect(),
            plan: Some(plan(&object, logged.status.map(|(counted, _)| counted), now)),
            ..Answer::absent(id, now)
        })
    }

    /// At -v=2 the log does not tell what of a round was seen.
    fn held_by_log_alone(&self, logged: &Logged) -> Held {
        let mut held = logged.held().unwrap_or(Held::UNKNOWN);
        if !self.logs.is_detailed() {
            held.add = held.add.hull(Range::ZERO);
            held.del = held.del.hull(Range::ZERO);
        }
        held
    }
}

/// Why the last sync failed.
fn failure(logged: &Logged) -> Option<Reason> {
    match &logged.last.as_ref()?.1 {
        Outcome::Done => None,
        Outcome::Stale => Some(Reason::new(Tier::Logged, BlockedDetail::LastSyncStale)),
        Outcome::Failed(error) if is_of_claim(error) => {
            Some(Reason::new(Tier::Logged, BlockedDetail::ClaimFailed { error: error.clone() }))
        }
        Outcome::Failed(error) => {
            let cause = refusal::classify(error);
            let failed = RefusalDetail::LastSyncFailed { cause, error: error.clone() };
            Some(Reason::new(Tier::Logged, failed))
        }
    }
}

/// Whether a sync failed at adopting a pod: another controller was first, or the owner that is read
/// anew before an adoption is not the one of the cache.
fn is_of_claim(error: &str) -> bool {
    ["can't adopt Pod", "Only one reference can have Controller set"].iter().any(|part| error.contains(part))
}

/// The last sync ended at its claim, by the log.
pub(super) fn claim_failed(logged: &Logged) -> Option<Reason> {
    match &logged.last.as_ref()?.1 {
        Outcome::Failed(error) if is_of_claim(error) => failure(logged),
        _ => None,
    }
}

/// The object as far as the log tells of it.
fn told(id: &Id, need: i64, status: Option<(i64, i64)>) -> ReplicaSet {
    let (counted, generation) = status.unwrap_or_default();
    let number = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
    let meta =
        Meta { namespace: id.1.namespace.clone(), name: id.1.name.clone(), generation, ..Meta::default() };
    let status = Status { replicas: number(counted), observed_generation: generation, ..Status::default() };
    ReplicaSet {
        kind: id.0,
        meta,
        replicas: number(need),
        min_ready_seconds: 0,
        selector: Selector::Nothing,
        template: Template::default(),
        status,
    }
}

/// What a sync does about the difference; which pods are there, the log alone does not tell.
fn plan(object: &ReplicaSet, counted: Option<i64>, now: Timestamp) -> Plan {
    let diff = counted.map(|counted| counted - i64::from(object.replicas));
    let due = diff.unwrap_or_default();
    let count = due.unsigned_abs().min(BURST as u64) as usize;
    let action = diff.map(|diff| match diff {
        0 => Action::Nothing,
        short if short < 0 => Action::Create(count),
        _ => Action::Delete(count),
    });
    let creates = if due < 0 { count } else { 0 };
    let pods = |counted: i64| -> Vec<Arc<Pod>> {
        let numbers = 0..counted.clamp(0, MOST_PODS) as usize;
        numbers.map(|number| Arc::new(new_pod(object, number, now))).collect()
    };
    Plan {
        action,
        capped: due.unsigned_abs() > count as u64,
        active: counted.map(pods),
        diff,
        adopt: Vec::new(),
        release: Vec::new(),
        batches: slow_start::batches(creates),
        calls: creates,
        created: creates,
        choice: None,
        status: None,
        writes_status: false,
        api_calls: count as u64,
        effects: Vec::new(),
        end: End { error: None, requeue_after: None },
    }
}
