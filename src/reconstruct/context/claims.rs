//! Pods that are adopted or released, or nearly so.

use std::sync::Arc;

use super::{named, named_by, pods};
use crate::model::plan::Plan;
use crate::objects::{OwnerKind, Pod, ReplicaSet};
use crate::reasons::Code;
use crate::reasons::Tier;
use crate::reconstruct::{Reason, Reconstruction};

impl Reconstruction {
    pub(super) fn about_claims(&self, object: &ReplicaSet, plan: &Plan) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let names = |pods: &[Arc<Pod>]| named(pods.iter().map(|p| p.meta.name.as_str()));
        if !plan.adopt.is_empty() {
            let text = format!(
                "it adopts {} that no controller owns and its selector matches, whatever {}: {}",
                pods(plan.adopt.len()),
                if plan.adopt.len() == 1 { "it runs" } else { "they run" },
                names(&plan.adopt)
            );
            reasons.push(Reason::new(Code::AdoptionDue, Tier::Inferred, text));
            reasons.extend(plan.adopt.iter().find_map(|pod| differs_from_template(object, pod)));
        }
        if !plan.release.is_empty() {
            let text = format!(
                "it releases {} of its own that its selector no longer matches: {}",
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
        // Most differ in the first label already; in a namespace of thousands every look counts.
        let first = object.selector.requirements().first();
        others
            .filter(|other| first.is_none_or(|first| first.matches(&other.template.labels)))
            .filter(|other| other.meta.uid != object.meta.uid && !other.is_deleting())
            .filter(|other| {
                other.selector.matches(&object.template.labels)
                    && object.selector.matches(&other.template.labels)
            })
            .collect()
    }

    /// Whether any ReplicaSet or ReplicationController selects a pod.
    fn is_selected(&self, pod: &Pod) -> bool {
        let kinds = [OwnerKind::ReplicaSet, OwnerKind::ReplicationController];
        let mut all =
            kinds.into_iter().flat_map(|kind| self.view.cache.replica_sets_in(kind, &pod.meta.namespace));
        all.any(|rs| rs.selector.matches(&pod.meta.labels))
    }

    /// Orphans that look like its own but fail the selector, and that no other selects.
    fn near_misses(&self, object: &ReplicaSet) -> Vec<Reason> {
        let wanted = object.selector.requirements().len();
        let misses: Vec<String> = self
            .view
            .cache
            .orphans_in(&object.meta.namespace)
            .filter(|pod| pod.is_active() && !self.is_selected(pod))
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
            "{} without a controller and of no ReplicaSet's selector: nothing here adopts, replaces or deletes {}",
            pods(misses.len()),
            if misses.len() == 1 { "it" } else { "them" }
        );
        vec![
            Reason::new(Code::LabelMismatch, Tier::Observed, text),
            Reason::new(Code::OrphanPods, Tier::Observed, orphans),
        ]
    }
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
