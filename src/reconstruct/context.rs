//! What else holds: facts around a verdict that an operator would ask about next.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use super::around;
use super::gate::{at, words};
use super::reasons::Code;
use super::refused::{self, Refused};
use super::{Reason, Reconstruction, Tier};
use crate::controller::claim::{self, Claim};
use crate::controller::plan::Plan;
use crate::controller::profile::{Profile, Version};
use crate::controller::scale_down::{self, Choice, Open, Rule};
use crate::controller::status;
use crate::controller::sync::Action;
use crate::objects::{Key, LogLine, OwnerKind, Pod, ReplicaSet, Resource, instant};

/// Names in a message; the report itself lists all.
const NAMED: usize = 3;

impl Reconstruction {
    /// Every reason beside the one that decided.
    pub(super) fn context(
        &self,
        object: &ReplicaSet,
        plan: &Plan,
        refused: Option<&Refused>,
        now: Timestamp,
    ) -> Vec<Reason> {
        let mut reasons = Vec::new();
        reasons.extend(self.about_refusal(object, plan, refused));
        reasons.extend(self.about_evidence(object));
        reasons.extend(about_size(plan));
        reasons.extend(self.about_choice(object, plan, now));
        reasons.extend(self.about_claims(object, plan));
        reasons.extend(self.about_deployment(object, plan));
        reasons.extend(self.about_status(object, plan, now));
        reasons.extend(self.about_pods(object, now));
        reasons
    }

    fn about_refusal(&self, object: &ReplicaSet, plan: &Plan, refused: Option<&Refused>) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let short = plan.diff.is_some_and(|diff| diff < 0);
        let Some(refused) = refused else {
            if let (true, Some((message, swallowed))) = (short, self.timed_out(object)) {
                reasons.push(Reason::new(Code::CreateTimedOut, Tier::Observed, message));
                if swallowed {
                    reasons.push(version_dependent("from 1.18 (and late patches of 1.16 and 1.17) a create that times out is an error with retries; here it counts as done: no error, no retry, no condition"));
                }
            }
            reasons.extend(short.then(|| around::predicted(&self.view, object)).flatten());
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
        reasons.extend(around::predicted(&self.view, object).filter(|_| short));
        reasons
    }

    /// The newest failure was a timeout without a condition, and whether this version takes such
    /// a create for done.
    fn timed_out(&self, object: &ReplicaSet) -> Option<(String, bool)> {
        let events = refused::own_events(&self.view, object);
        let newest = events.filter(|e| e.reason == "FailedCreate").max_by_key(|e| e.last)?;
        let code = super::refusal::classify(&newest.message).code;
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

    fn about_evidence(&self, object: &ReplicaSet) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let resource = match object.kind {
            OwnerKind::ReplicaSet => Resource::ReplicaSets,
            OwnerKind::ReplicationController => Resource::ReplicationControllers,
        };
        let key = object.key();
        if let Some(uids) = self.view.replaced.get(&(resource, key.clone())) {
            let uids = uids.iter().map(String::as_str).collect::<Vec<_>>().join(" and ");
            let text =
                format!("{key} stands in the input with the UIDs {uids}; the newer one is answered for");
            reasons.push(Reason::new(Code::ReplacedObject, Tier::Observed, text));
        }
        if let Some(gap) = self.gaps.last() {
            reasons.push(Reason::new(
                Code::WatchGap,
                Tier::Observed,
                format!("{gap}: what happened meanwhile is unknown"),
            ));
        }
        reasons.extend(self.stale_lines(object));
        reasons
    }

    fn stale_lines(&self, object: &ReplicaSet) -> Option<Reason> {
        let lines = self.view.logs.get(&object.key())?;
        let stale: Vec<_> = lines
            .iter()
            .filter_map(|(at, line)| match line {
                LogLine::Stale { resource, read, written, .. } => Some((at, resource, read, written)),
                LogLine::SyncFailed { .. } => None,
            })
            .collect();
        let (first, resource, read, written) = stale.first()?;
        let when = first.map(at).unwrap_or_default();
        let text = format!(
            "the log has {} refused by the stale-cache check (first {when}): the controller's cache of {resource} had version {read} and its own write was {written}; such a sync is retried within milliseconds and does no harm unless it repeats for minutes",
            if stale.len() == 1 { "1 sync".into() } else { format!("{} syncs", stale.len()) }
        );
        Some(Reason::new(Code::StaleCheckPassed, Tier::Logged, text))
    }

    fn about_choice(&self, object: &ReplicaSet, plan: &Plan, now: Timestamp) -> Vec<Reason> {
        let Some(choice) = &plan.choice else { return Vec::new() };
        let mut reasons = Vec::new();
        let rules = || choice.certain.iter().chain(&choice.possible).map(|c| c.rule);
        if rules().any(|rule| rule == Rule::Rank) {
            let text = "pods go first from the node that holds more pods of the same owner; the numbers are counted once, before the choice, and not lowered as pods are taken";
            reasons.push(Reason::new(Code::RanksFixed, Tier::Inferred, text.into()));
        }
        if rules().any(|rule| rule == Rule::Uid) {
            let text = "pods whose ages lie in the same power of two of nanoseconds are told apart by UID, the smaller one first, not by age";
            reasons.push(Reason::new(Code::AgeBucketTie, Tier::Inferred, text.into()));
        }
        if choice.open != Open::Nothing {
            let open = match plan.action {
                Some(Action::Delete(count)) => count - choice.certain.len(),
                _ => 0,
            };
            let why = match choice.open {
                Open::Tie => "nothing tells them apart and the controller's sort is not stable",
                _ => "their order depends on the exact instant, or on the order in which the sort meets them",
            };
            let text = format!("{open} of {} go, which ones is open: {why}", pods(choice.possible.len()));
            reasons.push(Reason::new(Code::VictimsUndetermined, Tier::Inferred, text));
        }
        if object.template.spreads {
            let text = "topology spread constraints bind the scheduler when a pod is placed; the choice of pods to delete does not look at them";
            reasons.push(Reason::new(Code::TopologyNotConsulted, Tier::Inferred, text.into()));
        }
        reasons.extend(self.other_choice(object, plan, choice, now));
        reasons
    }

    /// Versions before 1.22 compare ages exactly and know no deletion cost.
    fn other_choice(
        &self,
        object: &ReplicaSet,
        plan: &Plan,
        choice: &Choice,
        now: Timestamp,
    ) -> Option<Reason> {
        let (word, minor) = if self.profile.age_buckets { ("up to 1.21", 21) } else { ("from 1.22", 22) };
        let other = Profile::of(Version { minor, patch: None });
        let active = plan.active.as_deref()?;
        let Some(Action::Delete(count)) = plan.action else { return None };
        let per_node = scale_down::related_per_node(&self.view.cache, object, &other);
        let chosen = scale_down::choose(active, &per_node, count, (now, now), &other);
        let names = |choice: &Choice| named(choice.certain.iter().map(|c| c.pod.meta.name.as_str()));
        let differs =
            names(&chosen) != names(choice) && choice.open == Open::Nothing && chosen.open == Open::Nothing;
        differs.then(|| version_dependent(&format!("{word} the choice would be {}", names(&chosen))))
    }

    fn about_claims(&self, object: &ReplicaSet, plan: &Plan) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let names = |pods: &[Arc<Pod>]| named(pods.iter().map(|p| p.meta.name.as_str()));
        if !plan.adopt.is_empty() {
            let text = format!(
                "{} without a controller match the selector and are adopted, whatever they run: {}",
                pods(plan.adopt.len()),
                names(&plan.adopt)
            );
            reasons.push(Reason::new(Code::AdoptionDue, Tier::Inferred, text));
            reasons.extend(plan.adopt.iter().find_map(|pod| differs_from_template(object, pod)));
        }
        if !plan.release.is_empty() {
            let text = format!(
                "{} of its own no longer match the selector and are released: {}",
                pods(plan.release.len()),
                names(&plan.release)
            );
            reasons.push(Reason::new(Code::ReleaseDue, Tier::Inferred, text));
        }
        let overlapping = named(self.overlapping(object).iter().map(|rs| rs.meta.name.as_str()));
        if !overlapping.is_empty() {
            let text = format!(
                "its pods also match the selector of {overlapping}: each keeps what names it as controller, an orphan goes to whichever syncs first"
            );
            reasons.push(Reason::new(Code::SelectorOverlap, Tier::Observed, text));
        }
        reasons.extend(self.near_misses(object));
        reasons
    }

    fn overlapping(&self, object: &ReplicaSet) -> Vec<&Arc<ReplicaSet>> {
        let others = self.view.cache.replica_sets_in(object.kind, &object.meta.namespace);
        others
            .filter(|other| other.meta.uid != object.meta.uid && !other.is_deleting())
            .filter(|other| {
                other.selector.matches(&object.template.labels)
                    && object.selector.matches(&other.template.labels)
            })
            .collect()
    }

    /// Orphans that look like its own but fail the selector.
    fn near_misses(&self, object: &ReplicaSet) -> Vec<Reason> {
        let wanted = object.selector.requirements().len();
        let misses: Vec<String> = self
            .view
            .cache
            .orphans_in(&object.meta.namespace)
            .filter(|pod| pod.is_active())
            .filter_map(|pod| {
                let failing = object.selector.failing(&pod.meta.labels);
                if failing.is_empty() || failing.len() >= wanted {
                    return None;
                }
                let why: Vec<String> = failing
                    .iter()
                    .map(|r| {
                        format!(
                            "{r} ({})",
                            pod.meta.labels.get(&r.key).map_or("label absent".into(), |v| format!("has {v}"))
                        )
                    })
                    .collect();
                Some(format!("{} fails {}", pod.meta.name, why.join(", ")))
            })
            .collect();
        if misses.is_empty() {
            return Vec::new();
        }
        let text = format!("not adopted: {}", named_by("; ", misses.iter().map(String::as_str)));
        let orphans = format!(
            "{} without a controller and of no ReplicaSet's selector: nothing here adopts, replaces or deletes them",
            pods(misses.len())
        );
        vec![
            Reason::new(Code::LabelMismatch, Tier::Observed, text),
            Reason::new(Code::OrphanPods, Tier::Observed, orphans),
        ]
    }

    fn about_deployment(&self, object: &ReplicaSet, plan: &Plan) -> Vec<Reason> {
        let namespace = object.meta.namespace.as_str();
        let Some(owner) = object.meta.controller() else {
            let adopters = self
                .view
                .deployments
                .values()
                .filter(|d| d.meta.namespace == namespace && d.selector.matches(&object.meta.labels));
            return adopters
                .map(|d| Reason::new(Code::AdoptableByDeployment, Tier::Inferred, format!("it has no controller and matches the selector of Deployment {}, which will adopt it and count its pods as its own", d.meta.name)))
                .collect();
        };
        let Some(deployment) = self.view.deployments.get(&Key::new(namespace, owner.name.as_str())) else {
            return Vec::new();
        };
        if deployment.meta.uid != owner.uid {
            return Vec::new();
        }
        let siblings = self
            .view
            .cache
            .replica_sets_in(object.kind, namespace)
            .filter(|rs| rs.meta.controller().is_some_and(|c| c.uid == owner.uid) && rs.replicas > 0)
            .count();
        let name = &deployment.meta.name;
        if siblings <= 1 && object.replicas != deployment.replicas && object.replicas > 0 {
            let wants = deployment.replicas;
            let back = if plan.diff.is_some_and(|diff| diff < 0) {
                "; what is created now is deleted again"
            } else {
                ""
            };
            let text = format!(
                "its size is {} while Deployment {name} wants {wants} and no rollout is under way: the Deployment sets it back{back}",
                object.replicas
            );
            return vec![Reason::new(Code::ScaledByHand, Tier::Inferred, text), decides(name)];
        }
        if siblings > 1 || plan.is_due() {
            return vec![decides(name)];
        }
        Vec::new()
    }

    fn about_status(&self, object: &ReplicaSet, plan: &Plan, now: Timestamp) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let stored = &object.status;
        let generation = object.meta.generation;
        if stored.observed_generation < generation {
            let text = format!(
                "the status is of generation {} and the spec of {generation}: no sync has ended since the spec changed",
                stored.observed_generation
            );
            reasons.push(Reason::new(Code::StatusBehind, Tier::Observed, text));
        } else if let Some(computed) =
            plan.status.as_ref().filter(|s| (s.replicas, s.ready) != (stored.replicas, stored.ready))
        {
            let text = format!(
                "the stored status says {} replicas, {} ready, {} available; a sync would write {}, {} and {}",
                stored.replicas,
                stored.ready,
                stored.available,
                computed.replicas,
                computed.ready,
                computed.available
            );
            reasons.push(Reason::new(Code::StatusBehind, Tier::Inferred, text));
        }
        reasons.extend(self.available_later(object, plan, now));
        reasons
    }

    fn available_later(&self, object: &ReplicaSet, plan: &Plan, now: Timestamp) -> Vec<Reason> {
        let active = plan.active.as_deref().unwrap_or_default();
        let mut later: Vec<(SignedDuration, &str)> = active
            .iter()
            .filter_map(|pod| {
                Some((status::until_available(pod, object.min_ready_seconds, now)?, pod.meta.name.as_str()))
            })
            .filter(|(left, _)| *left > SignedDuration::ZERO)
            .collect();
        later.sort();
        let Some((first, _)) = later.first() else { return Vec::new() };
        let exact = at(instant::later(now, *first));
        let list = named(
            later
                .iter()
                .map(|(left, name)| format!("{name} at {}", at(instant::later(now, *left))))
                .collect::<Vec<_>>()
                .iter()
                .map(String::as_str),
        );
        let check = if self.profile.exact_availability {
            format!("the controller looks again at {exact}")
        } else {
            format!(
                "the controller looks again only {} s after its last look, so they may be counted late",
                object.min_ready_seconds
            )
        };
        let text = format!("minReadySeconds {}: available later: {list}; {check}", object.min_ready_seconds);
        let mut reasons = vec![Reason::new(Code::AvailabilityPending, Tier::Inferred, text)];
        if !self.profile.exact_availability {
            let text = format!("from 1.34 the controller looks again at {exact}, at the exact time");
            reasons.push(version_dependent(&text));
        }
        reasons
    }

    fn about_pods(&self, object: &ReplicaSet, now: Timestamp) -> Vec<Reason> {
        let owned = self.owned(object);
        let mut reasons = Vec::new();
        let own = |pod: &&Arc<Pod>| claim::claim(object, pod) == Claim::Keep;
        let terminating: Vec<&Arc<Pod>> =
            owned.iter().filter(|pod| pod.is_terminating()).filter(own).collect();
        if !terminating.is_empty() {
            let list = named(
                terminating
                    .iter()
                    .map(|pod| terminating_words(pod, now))
                    .collect::<Vec<_>>()
                    .iter()
                    .map(String::as_str),
            );
            let text = format!(
                "{} terminating, counted no more since the deletion was asked for: {list}",
                pods(terminating.len())
            );
            reasons.push(Reason::new(Code::TerminatingNotCounted, Tier::Observed, text));
        }
        let finished: Vec<&Arc<Pod>> =
            owned.iter().filter(|pod| pod.phase.is_finished()).filter(own).collect();
        if !finished.is_empty() {
            reasons.push(Reason::new(Code::FinishedNotCounted, Tier::Observed, finished_words(&finished)));
        }
        reasons.extend(self.lost_nodes(&owned, now));
        reasons
    }

    fn lost_nodes(&self, owned: &[Arc<Pod>], now: Timestamp) -> Vec<Reason> {
        let mut lost: BTreeMap<&str, usize> = BTreeMap::new();
        for pod in owned.iter().filter(|pod| !pod.phase.is_finished()) {
            if self.view.nodes.get(&pod.node).is_some_and(|node| !node.ready) {
                *lost.entry(pod.node.as_str()).or_default() += 1;
            }
        }
        if lost.is_empty() {
            return Vec::new();
        }
        let list = named(
            lost.keys()
                .map(|name| {
                    let since = self.view.nodes[*name]
                        .since
                        .map(|since| format!(" for {}", words(now.duration_since(since))));
                    format!("{name} (not ready{})", since.unwrap_or_default())
                })
                .collect::<Vec<_>>()
                .iter()
                .map(String::as_str),
        );
        let count = lost.values().sum();
        let text = format!(
            "{} on lost nodes: {list}; they count by their phase until somebody deletes them, and a terminating one stays until its kubelet answers or its Node is removed",
            pods(count)
        );
        let mut reasons = vec![Reason::new(Code::PodOnLostNode, Tier::Observed, text)];
        if self.view.nodes.values().all(|node| !node.ready) {
            let text = format!(
                "all {} nodes seen are not ready: eviction from lost nodes is suspended then",
                self.view.nodes.len()
            );
            reasons.push(Reason::new(Code::EvictionSuspended, Tier::Inferred, text));
        }
        reasons
    }
}

fn about_size(plan: &Plan) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if plan.capped {
        let all = plan.diff.unwrap_or(0).unsigned_abs();
        let text = format!(
            "one sync creates or deletes at most 500 of {all}; the rest follows once these were seen"
        );
        reasons.push(Reason::new(Code::BurstCapped, Tier::Inferred, text));
    }
    if let (Some(Action::Create(count)), true) = (plan.action, plan.batches.len() > 1) {
        let text = format!(
            "{count} creates go out in batches of {}; a refusal ends the sync after its batch",
            plan.batches.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
        );
        reasons.push(Reason::new(Code::SlowStart, Tier::Inferred, text));
    }
    if plan.api_calls > 60 {
        let text = "all ReplicaSets share the controller's client: 20 calls a second after 30 at once, unless its flags say otherwise";
        reasons.push(Reason::new(Code::ClientRate, Tier::Assumed, text.into()));
    }
    reasons
}

fn decides(name: &str) -> Reason {
    Reason::new(
        Code::DeploymentDecides,
        Tier::Observed,
        format!("Deployment {name} decides its size; scale the Deployment, not the ReplicaSet"),
    )
}

fn version_dependent(text: &str) -> Reason {
    Reason::new(Code::VersionDependent, Tier::Inferred, text.into())
}

fn differs_from_template(object: &ReplicaSet, pod: &Pod) -> Option<Reason> {
    let (name, image) = pod.images.first()?;
    let wanted = object.template.containers.first()?;
    let same = object.template.containers.iter().any(|c| c.image == *image);
    (!same).then(|| {
        Reason::new(
            Code::AdoptedDiffersFromTemplate,
            Tier::Observed,
            format!("{} runs {image} in container {name} where the template has {}; the template is never compared", pod.meta.name, wanted.image),
        )
    })
}

fn terminating_words(pod: &Pod, now: Timestamp) -> String {
    let name = &pod.meta.name;
    match pod.meta.deleted {
        Some(ends) if ends < now => format!("{name} (overdue by {})", words(now.duration_since(ends))),
        Some(ends) => format!("{name} (until {})", at(ends)),
        None => name.clone(),
    }
}

fn finished_words(finished: &[&Arc<Pod>]) -> String {
    let mut by_reason: BTreeMap<&str, usize> = BTreeMap::new();
    for pod in finished {
        let reason = if pod.reason.is_empty() { pod.phase.as_str() } else { pod.reason.as_str() };
        *by_reason.entry(reason).or_default() += 1;
    }
    let list: Vec<String> = by_reason.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    format!(
        "{} ended ({}): the ReplicaSet neither counts nor deletes them; each was replaced at once, without backoff",
        pods(finished.len()),
        list.join(", ")
    )
}

/// `1 pod`, `2 pods`.
fn pods(count: usize) -> String {
    if count == 1 { "1 pod".into() } else { format!("{count} pods") }
}

fn named<'a>(names: impl Iterator<Item = &'a str>) -> String {
    named_by(", ", names)
}

/// The first names, and how many more there are.
fn named_by<'a>(separator: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    let mut text = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(separator);
    if names.len() > NAMED {
        text.push_str(&format!("{separator}{} more", names.len() - NAMED));
    }
    text
}
