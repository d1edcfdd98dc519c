//! Pods that are adopted or released, or nearly so.

use std::sync::Arc;

use super::names;
use crate::model::plan::Plan;
use crate::objects::{OwnerKind, Pod, ReplicaSet};
use crate::reasons::Tier;
use crate::reconstruct::detail::{ClaimDetail, NearMiss};
use crate::reconstruct::{Reason, Reconstruction};

impl Reconstruction {
    pub(super) fn about_claims(&self, object: &ReplicaSet, plan: &Plan) -> Vec<Reason> {
        let mut reasons = Vec::new();
        if !plan.adopt.is_empty() {
            reasons.push(Reason::new(Tier::Inferred, ClaimDetail::Adopts { pods: names(&plan.adopt) }));
            reasons.extend(plan.adopt.iter().find_map(|pod| differs_from_template(object, pod)));
        }
        if !plan.release.is_empty() {
            reasons.push(Reason::new(Tier::Inferred, ClaimDetail::Releases { pods: names(&plan.release) }));
        }
        let others: Vec<String> =
            self.overlapping(object).iter().map(|other| other.meta.name.clone()).collect();
        if !others.is_empty() {
            reasons.push(Reason::new(Tier::Observed, ClaimDetail::Overlaps { others }));
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
        let misses: Vec<NearMiss> = self
            .view
            .cache
            .orphans_in(&object.meta.namespace)
            .filter(|pod| pod.is_active() && !self.is_selected(pod))
            .filter_map(|pod| {
                let failing = object.selector.failing(&pod.meta.labels);
                if failing.is_empty() || failing.len() >= wanted {
                    return None;
                }
                let value = |key: &str| pod.meta.labels.get(key).map(str::to_owned);
                let failing = failing.into_iter().map(|r| (r.clone(), value(&r.key))).collect();
                Some(NearMiss { pod: pod.meta.name.clone(), failing })
            })
            .collect();
        if misses.is_empty() {
            return Vec::new();
        }
        let orphans = ClaimDetail::Orphans { count: misses.len() };
        [ClaimDetail::NearMisses(misses), orphans].map(|detail| Reason::new(Tier::Observed, detail)).into()
    }
}

fn differs_from_template(object: &ReplicaSet, pod: &Pod) -> Option<Reason> {
    let (name, image) = pod.images.first()?;
    let wanted = object.template.containers.first()?;
    let same = object.template.containers.iter().any(|c| c.image == *image);
    (!same).then(|| {
        let differs = ClaimDetail::DiffersFromTemplate {
            pod: pod.meta.name.clone(),
            container: name.clone(),
            image: image.clone(),
            template_image: wanted.image.clone(),
        };
        Reason::new(Tier::Observed, differs)
    })
}
