//! The answer for one ReplicaSet at one instant: ranges, gate, plan, verdict and reasons.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::around;
use super::by_log;
use super::detail::{BlockedDetail, ClaimDetail, GateDetail, LimitDetail, RefusalDetail};
use super::gate::{self, Finding};
use super::held::Held;
use super::logged::Logged;
use super::refused::{self, StandingRefusal};
use super::rounds::UnderWay;
use super::verdict::{Grounds, Verdict, decide};
use super::{Id, Reason, Reconstruction};
use crate::model::dry_run::new_pod;
use crate::model::expectations::{EXPIRY, Gate};
use crate::model::plan::{Assumptions, Plan, Planned, plan};
use crate::model::scale_down::Interval;
use crate::objects::instant::later;
use crate::objects::{Key, OwnerKind, Pod, ReplicaSet, Selector, Status};
use crate::reasons::Code;
use crate::reasons::Tier;

/// How long after the instant asked for the next sync may choose its victims: age buckets move.
const CHOICE_DELAY: SignedDuration = SignedDuration::from_secs(10);

/// The controller's watch is said to lag when an event is unhandled for longer than this.
const LAG: SignedDuration = SignedDuration::from_secs(3);

/// After a burst of writes a cache lags for less than this, and the retry comes at once.
const ORDINARY_STALENESS: SignedDuration = SignedDuration::from_secs(1);

/// Lease renewals may be late by this much before nobody is said to lead.
const LEASE_GRACE: SignedDuration = SignedDuration::from_secs(1);

/// What a caller asks besides the object and the instant.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Another spec.replicas than the observed one.
    pub(crate) replicas: Option<i32>,
    /// Whether `replicas` is the new size of its Deployment, and not set on the ReplicaSet by hand.
    pub(crate) by_deployment: bool,
    /// How creates are answered; quotas and the namespace are added from what was seen.
    pub(crate) assumptions: Assumptions,
    /// The gate, where it is not to be judged.
    pub(crate) gate: Option<bool>,
    /// Whether a snapshot is known to have been taken at the instant asked for.
    pub(crate) taken_now: bool,
}

/// What is answered about.
pub(super) struct Subject {
    /// The object, at the size asked about.
    pub(super) object: Arc<ReplicaSet>,
    /// What a sync does with an open gate.
    pub(super) plan: Plan,
    /// The assumptions of the plan.
    pub(super) assumptions: Assumptions,
    /// Whether the size is the asker's, not the stored one.
    pub(super) what_if: bool,
    /// Whether it is the Deployment's new size.
    pub(super) by_deployment: bool,
    /// The create round under way.
    pub(super) running: Option<UnderWay>,
    /// Until when the state is known.
    pub(super) seen: Timestamp,
}

/// When a verdict changes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Until {
    /// The latest instant.
    pub(crate) at: Timestamp,
    /// What happens then.
    pub(crate) then: Change,
}

/// What changes a verdict by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// The expectations expire.
    Expiry {
        /// Whether the pending pods may still be seen before.
        pods_may_come: bool,
    },
    /// A failed sync is retried.
    Retry {
        /// Whether the pause between retries has reached its limit.
        at_limit: bool,
    },
}

/// What starts a sync.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// Any event of the ReplicaSet or of one of its pods.
    AnyEvent,
    /// An annotation on it.
    Annotate {
        /// The kind of the object.
        kind: OwnerKind,
        /// Its namespace and name.
        key: Key,
    },
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What it is about.
    pub(crate) id: Id,
    /// The instant.
    pub(crate) as_of: Timestamp,
    /// The object; None if it does not exist at that instant.
    pub object: Option<Arc<ReplicaSet>>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why.
    pub reasons: Vec<Reason>,
    /// When it changes by itself.
    pub(crate) until: Option<Until>,
    /// What would start its next sync.
    pub(crate) wake: Vec<Trigger>,
    /// The create round under way, if any: verdict and plan are about the sync after it.
    pub running: Option<UnderWay>,
    /// The ranges.
    pub held: Held,
    /// Pods whose deletion is awaited, as far as they are known by name, and whether that is sure.
    pub(crate) awaited: Vec<(String, bool)>,
    /// The gate; None if it is not known which.
    pub gate: Option<Gate>,
    /// Whether the gate is open; None if unknown.
    pub open: Option<bool>,
    /// What a sync does once its gate is open; None if there is no object.
    pub plan: Option<Plan>,
    /// The assumptions of the plan.
    pub(crate) assumptions: Assumptions,
    /// Failed syncs in a row that are known; the real number may be higher.
    pub failures: u32,
}

impl Answer {
    /// The object does not exist at that instant.
    pub(crate) fn absent(id: &Id, now: Timestamp) -> Answer {
        Answer {
            id: id.clone(),
            as_of: now,
            object: None,
            verdict: Verdict::Settled,
            reasons: Vec::new(),
            until: None,
            wake: Vec::new(),
            running: None,
            held: Held::NONE,
            awaited: Vec::new(),
            gate: Some(Gate::None),
            open: Some(true),
            plan: None,
            assumptions: Assumptions::default(),
            failures: 0,
        }
    }
}

impl Reconstruction {
    /// Answers for one ReplicaSet at one instant, not before the last observation.
    pub fn answer(&self, id: &Id, now: Timestamp, question: &Question) -> Answer {
        let Some(found) = self.view.cache.replica_set(id.0, &id.1) else {
            return self.answer_by_log(id, now).unwrap_or_else(|| Answer::absent(id, now));
        };
        let object = scaled(found, question.replicas);
        let mut cache = Cow::Borrowed(&self.view.cache);
        if question.replicas.is_some() {
            cache.to_mut().put_replica_set(object.clone());
        }
        let assumptions = around::assumptions(&self.view, &object, &question.assumptions);
        let logged = self.by_log(id);
        let running = match logged {
            Some(logged) if self.logs.tells_ends() => logged.under_way(),
            _ => self.tracks.get(id).and_then(|track| track.under_way(now)),
        };
        // A quota that is nearly full ends the round before its size is reached.
        let room = assumptions.quota.as_ref().map_or(u64::MAX, |(left, _)| *left);
        let running = running.filter(|running| (running.count - running.done) as u64 <= room);
        for pod in coming(running.as_ref(), found, now) {
            cache.to_mut().put_pod(pod);
        }
        let planned = Planned {
            kind: id.0,
            key: &id.1,
            gate: Gate::None,
            during: Interval { earliest: now, latest: later(now, self.choice_delay()) },
            profile: &self.profile,
            earlier_creates: 0,
        };
        let plan = plan(&planned, &cache, &assumptions);
        let seen = self.seen_until(now, question);
        let mut finding = self.judge_gate(id, found, &plan, (now, seen));
        if running.is_some() {
            // The sync after the round begins once its pods are seen.
            finding.open = Some(true);
        }
        if let Some(open) = question.gate {
            assume_gate(&mut finding, open);
        }
        let what_if = question.replicas.is_some();
        let by_deployment = question.by_deployment;
        let subject = Subject { object, plan, assumptions, what_if, by_deployment, running, seen };
        self.conclude(id, now, subject, finding)
    }

    fn judge_gate(
        &self,
        id: &Id,
        replica_set: &ReplicaSet,
        plan: &Plan,
        (now, taken): (Timestamp, Timestamp),
    ) -> Finding {
        // A copy, so that time may pass without an observation.
        let track = self.tracks.get(id).cloned().map(|mut track| {
            track.pass(&self.pods_version, now);
            track
        });
        let owned = self.owned(replica_set);
        let owned: Vec<&Pod> = owned.iter().map(|pod| &**pod).collect();
        let last_event = refused::own_events(&self.view, replica_set).filter_map(|e| e.last).max();
        let evidence = gate::Evidence {
            replica_set,
            track: track.as_ref(),
            counts: self.count(replica_set),
            status_is_current: plan.status.as_ref().is_some_and(|s| counts_agree(s, &replica_set.status)),
            owned: &owned,
            terminating: self.view.is_terminating(&replica_set.meta.namespace),
            last_event,
            now,
            taken,
            has_events: self.view.has_events(),
        };
        match self.by_log(id).and_then(Logged::held) {
            Some(held) => gate::by_log(&held, &evidence),
            None => gate::find(&evidence),
        }
    }

    /// Pods whose deletion is awaited, by name.
    fn awaited(&self, id: &Id, held: &Held) -> Vec<(String, bool)> {
        if held.del.is_met() {
            return Vec::new();
        }
        match (self.by_log(id), self.tracks.get(id)) {
            (Some(logged), _) => logged.awaited().map(|pod| (pod.to_owned(), true)).collect(),
            (None, Some(track)) => track.awaited(held),
            (None, None) => Vec::new(),
        }
    }

    /// How long after the instant asked for a sync may choose its victims. A snapshot is asked about for the very
    /// instant; what was watched goes on.
    pub(crate) fn choice_delay(&self) -> SignedDuration {
        self.last_at.map_or(SignedDuration::ZERO, |_| CHOICE_DELAY)
    }

    /// Until when the state is known: the end of what was watched, or the newest time in a
    /// snapshot of which nobody says when it was taken.
    fn seen_until(&self, now: Timestamp, question: &Question) -> Timestamp {
        match self.last_at {
            Some(last) => last.min(now),
            None if question.taken_now => now,
            None => self.view.newest.map_or(now, |newest| newest.min(now)),
        }
    }

    /// Its pods in any state.
    pub(super) fn owned(&self, replica_set: &ReplicaSet) -> Vec<Arc<Pod>> {
        self.view.cache.owned_by(replica_set, &self.profile).cloned().collect()
    }

    fn conclude(&self, id: &Id, now: Timestamp, subject: Subject, finding: Finding) -> Answer {
        let Subject { object, plan, assumptions, .. } = &subject;
        // Where two ReplicaSets could adopt the same orphan, the first sync takes it.
        let contested = self.contested(object, plan);
        let diff = plan.diff.filter(|_| contested.is_none());
        let refused = diff.and_then(|diff| refused::find(&self.view, object, diff));
        let mut obstacles = self.obstacles(object, plan, subject.seen);
        let stands = refused.as_ref().filter(|r| around::still_refused(&self.view, object, r, assumptions));
        obstacles.extend(stands.map(refusal_reason));
        let lags = self.cache_lags(id, now);
        // What was refused is tried again in backoff, or at once if anything wakes it.
        let in_backoff = refused.is_some() && stands.is_none();
        let verdict = decide(Grounds {
            powerless: object.is_deleting() || matches!(object.selector, Selector::Invalid(_)),
            blocked: !obstacles.is_empty(),
            diff,
            claims: !plan.adopt.is_empty() || !plan.release.is_empty(),
            open: finding.open.filter(|_| !in_backoff && lags.is_none()),
        });
        let until = until(verdict, &finding, stands, now);
        let mut reasons = obstacles;
        reasons.extend(contested);
        reasons.extend(lags);
        reasons.extend(self.by_log(id).and_then(by_log::claim_failed));
        // The gate comes first where it decides, last where it is only an assumption.
        let gate = match &subject.running {
            Some(running) => vec![running_reason(running)],
            None => gate_reasons(&finding, verdict, subject.what_if),
        };
        let known = verdict == Verdict::Undetermined && finding.gate.is_some() && reasons.is_empty();
        reasons.extend(known.then(|| incomplete(in_backoff)));
        let context = self.context(&subject, refused.as_ref(), now);
        let decides =
            verdict != Verdict::Act || finding.gate == Some(Gate::Expired) || subject.running.is_some();
        let (first, last) = if decides { (gate, context) } else { (context, gate) };
        reasons.extend(first.into_iter().chain(last));
        around::keep_first(&mut reasons);
        Answer {
            id: id.clone(),
            as_of: now,
            verdict,
            until,
            wake: wake(&subject.object, verdict, &reasons),
            running: subject.running,
            awaited: self.awaited(id, &finding.held),
            held: finding.held,
            gate: finding.gate,
            open: finding.open,
            failures: refused.as_ref().map_or(0, StandingRefusal::failures),
            plan: Some(subject.plan),
            assumptions: subject.assumptions,
            reasons,
            object: Some(subject.object),
        }
    }

    /// The log shows that the handlers have not run for what was seen here.
    fn cache_lags(&self, id: &Id, now: Timestamp) -> Option<Reason> {
        let (events, first) = self.by_log(id)?.unhandled()?;
        let waited = now.duration_since(first);
        (waited > LAG)
            .then(|| Reason::new(Tier::Logged, GateDetail::CacheLags { pods: events, since: waited }))
    }

    /// Why the outcome of the claim is open: a pod that two ReplicaSets could adopt, or one that
    /// another owner is about to release to this one.
    fn contested(&self, object: &ReplicaSet, plan: &Plan) -> Option<Reason> {
        self.wanted_by_two(object, plan).or_else(|| self.about_to_come(object))
    }

    fn wanted_by_two(&self, object: &ReplicaSet, plan: &Plan) -> Option<Reason> {
        if plan.adopt.is_empty() {
            return None;
        }
        let namespace = object.meta.namespace.as_str();
        let mut others = [OwnerKind::ReplicaSet, OwnerKind::ReplicationController]
            .into_iter()
            .flat_map(|kind| self.view.cache.replica_sets_in(kind, namespace))
            .filter(|other| other.meta.uid != object.meta.uid && !other.is_deleting());
        let (other, pod) = others.find_map(|other| {
            let wanted = plan.adopt.iter().find(|pod| other.selector.matches(&pod.meta.labels));
            wanted.map(|pod| (other, pod))
        })?;
        let (pod, other) = (pod.meta.name.clone(), other.meta.name.clone());
        Some(Reason::new(Tier::Observed, ClaimDetail::WantedByTwo { pod, other }))
    }

    fn about_to_come(&self, object: &ReplicaSet) -> Option<Reason> {
        if object.is_deleting() {
            return None;
        }
        let foreign = |pod: &&Arc<Pod>| pod.controller().is_some_and(|owner| owner.uid != object.meta.uid);
        let mut leaving = self.leaving(&object.meta.namespace).iter().filter(foreign);
        let pod = leaving.find(|pod| object.selector.matches(&pod.meta.labels))?;
        let owner = pod.controller().map(|owner| owner.name.clone()).unwrap_or_default();
        let coming = ClaimDetail::AboutToCome { pod: pod.meta.name.clone(), owner };
        Some(Reason::new(Tier::Inferred, coming))
    }

    /// What keeps any sync from its work, where work is due.
    fn obstacles(&self, object: &ReplicaSet, plan: &Plan, now: Timestamp) -> Vec<Reason> {
        let mut found = Vec::new();
        if object.is_deleting() {
            found.push(Reason::new(Tier::Observed, BlockedDetail::Deleting));
        }
        if let Selector::Invalid(why) = &object.selector {
            found.push(Reason::new(Tier::Observed, BlockedDetail::SelectorInvalid { why: why.clone() }));
        }
        found.extend(self.nobody_leads(now));
        found.extend(self.stale_cache(object, now));
        let short = plan.diff.is_some_and(|diff| diff < 0);
        if short
            && self.view.is_terminating(&object.meta.namespace)
            && self.profile.ignores_terminating_namespace
        {
            let namespace = object.meta.namespace.clone();
            found.push(Reason::new(Tier::Observed, BlockedDetail::NamespaceTerminating { namespace }));
        }
        found
    }

    /// The log has the last syncs refused by the stale-cache check, for longer than is ordinary.
    fn stale_cache(&self, object: &ReplicaSet, now: Timestamp) -> Option<Reason> {
        let stale = self.by_log(&(object.kind, object.key()))?.stale.as_ref()?;
        let lasted = now.duration_since(stale.since.filter(|_| self.logs.tells_ends())?);
        let versions = stale.versions.clone();
        (lasted > ORDINARY_STALENESS)
            .then(|| Reason::new(Tier::Logged, BlockedDetail::StaleCache { lasted, versions }))
    }

    /// The lease of the controller-manager is not being renewed.
    fn nobody_leads(&self, now: Timestamp) -> Option<Reason> {
        let lease = self.view.controller_lease()?;
        let renewed = lease.renewed?;
        let stale = now.duration_since(renewed);
        let lasts = SignedDuration::from_secs(lease.duration_seconds.max(0));
        let lasts_seconds = lease.duration_seconds;
        (stale > lasts + LEASE_GRACE).then(|| {
            let nobody = BlockedDetail::NobodyLeads { since: stale, renewed, lasts_seconds };
            Reason::new(Tier::Observed, nobody)
        })
    }
}

/// Whether a status counts what the pods are now.
fn counts_agree(computed: &Status, stored: &Status) -> bool {
    let counts = |s: &Status| (s.replicas, s.fully_labeled, s.ready, s.available);
    counts(computed) == counts(stored)
}

fn scaled(found: &Arc<ReplicaSet>, replicas: Option<i32>) -> Arc<ReplicaSet> {
    match replicas {
        Some(replicas) if replicas != found.replicas => {
            let mut scaled = ReplicaSet::clone(found);
            scaled.replicas = replicas;
            scaled.meta.generation += 1;
            Arc::new(scaled)
        }
        _ => found.clone(),
    }
}

fn assume_gate(finding: &mut Finding, open: bool) {
    finding.open = Some(open);
    finding.gate = Some(if open { Gate::Fulfilled } else { Gate::Waiting });
    finding.reasons = vec![Reason::new(Tier::Assumed, GateDetail::Assumed { open })];
}

/// The pods that a round under way will still make.
pub(crate) fn coming(running: Option<&UnderWay>, owner: &ReplicaSet, now: Timestamp) -> Vec<Arc<Pod>> {
    let numbers = running.into_iter().flat_map(|running| running.done + 1..=running.count);
    numbers.map(|number| Arc::new(new_pod(owner, number as usize, now))).collect()
}

fn running_reason(running: &UnderWay) -> Reason {
    let UnderWay { count, done, .. } = *running;
    Reason::new(Tier::Inferred, GateDetail::SyncRunning { count, created: done })
}

/// Why the verdict is open though the gate is known.
fn incomplete(in_backoff: bool) -> Reason {
    let open = if in_backoff { LimitDetail::RetryIsOpen } else { LimitDetail::StatesDisagree };
    Reason::new(Tier::Inferred, open)
}

fn refusal_reason(refused: &StandingRefusal) -> Reason {
    let standing = RefusalDetail::Standing {
        cause: refused.cause.clone(),
        deletes: refused.deletes,
        at_least: refused.at_least,
        last: refused.last,
        message: refused.message.clone(),
    };
    Reason::new(Tier::Observed, standing)
}

/// What the gate's state adds to the reasons.
fn gate_reasons(finding: &Finding, verdict: Verdict, what_if: bool) -> Vec<Reason> {
    if matches!(verdict, Verdict::Settled | Verdict::Blocked) {
        return Vec::new();
    }
    let mut reasons = finding.reasons.clone();
    let held = &finding.held;
    let told = |code: Code| finding.reasons.iter().any(|reason| reason.code == code);
    match finding.gate {
        Some(Gate::Waiting) if !told(Code::ExpectationsUnmet) => {
            let unmet = GateDetail::Unmet { add: held.add, del: held.del };
            reasons.insert(0, Reason::new(Tier::Inferred, unmet));
        }
        Some(Gate::Expired) if !told(Code::ExpectationsExpired) => {
            let expired = GateDetail::Expired { add: held.add, del: held.del };
            reasons.insert(0, Reason::new(Tier::Inferred, expired));
        }
        None if verdict == Verdict::Undetermined && reasons.is_empty() => {
            reasons.push(Reason::new(Tier::Observed, GateDetail::Unknown));
        }
        _ => {}
    }
    if held.add.max().is_some_and(|max| max < 0) {
        reasons.push(Reason::new(Tier::Inferred, GateDetail::Negative));
    }
    // A change of its size would be the event that wakes it.
    if finding.gate == Some(Gate::Expired) && verdict == Verdict::Act && !what_if {
        let expired = held.set_at.latest.map(|set| later(set, EXPIRY));
        reasons.push(Reason::new(Tier::Inferred, GateDetail::NothingWakes { expired }));
    }
    reasons
}

fn until(
    verdict: Verdict,
    finding: &Finding,
    refused: Option<&StandingRefusal>,
    now: Timestamp,
) -> Option<Until> {
    match (verdict, refused) {
        (Verdict::Skip, _) => {
            let at = finding.held.set_at.latest.map(|set| later(set, EXPIRY))?;
            let trap = |reason: &Reason| {
                matches!(reason.code, Code::OwnerReferenceStripped | Code::DeletionReleased)
            };
            let pods_may_come = !finding.reasons.iter().any(trap);
            Some(Until { at, then: Change::Expiry { pods_may_come } })
        }
        (Verdict::Blocked, Some(refused)) => {
            let at = refused.due_by().filter(|due| *due > now)?;
            Some(Until { at, then: Change::Retry { at_limit: refused.at_limit() } })
        }
        _ => None,
    }
}

/// What would start the next sync, where that helps.
fn wake(object: &ReplicaSet, verdict: Verdict, reasons: &[Reason]) -> Vec<Trigger> {
    let has = |code: Code| reasons.iter().any(|reason| reason.code == code);
    // Whoever leads next syncs every ReplicaSet by itself.
    let nothing_helps = [Code::DeletionInProgress, Code::NamespaceTerminating, Code::ControllerNotRunning]
        .into_iter()
        .any(has);
    if verdict == Verdict::Settled || nothing_helps {
        return Vec::new();
    }
    let mut wake = vec![Trigger::AnyEvent];
    // What has just changed has woken it already.
    if verdict != Verdict::Act || has(Code::NothingWakes) {
        wake.push(Trigger::Annotate { kind: object.kind, key: object.key() });
    }
    wake
}
