//! What is doubtful about the evidence itself.

use crate::objects::{OwnerKind, ReplicaSet, Resource};
use crate::reasons::Tier;
use crate::reconstruct::detail::{BlockedDetail, LimitDetail};
use crate::reconstruct::{Reason, Reconstruction};

impl Reconstruction {
    pub(super) fn about_evidence(&self, object: &ReplicaSet) -> Vec<Reason> {
        let mut reasons = Vec::new();
        let resource = match object.kind {
            OwnerKind::ReplicaSet => Resource::ReplicaSets,
            OwnerKind::ReplicationController => Resource::ReplicationControllers,
        };
        let key = object.key();
        if let Some(uids) = self.view.replaced.get(&(resource, key.clone())) {
            let uids = uids.iter().cloned().collect();
            reasons.push(Reason::new(Tier::Observed, LimitDetail::ReplacedObject { key, uids }));
        }
        if let Some(gap) = self.gaps.last() {
            reasons.push(Reason::new(Tier::Observed, LimitDetail::WatchGap(gap.clone())));
        }
        reasons.extend(self.stale_lines(object));
        reasons.extend(self.mutated_labels(object));
        reasons
    }

    /// Each such pod is released at once and replaced, without end: no expectation stays unmet.
    fn mutated_labels(&self, object: &ReplicaSet) -> Option<Reason> {
        let mutated = self.tracks.get(&(object.kind, object.key()))?.mutated;
        (mutated > 0).then(|| Reason::new(Tier::Observed, LimitDetail::LabelsMutated { pods: mutated }))
    }

    fn stale_lines(&self, object: &ReplicaSet) -> Option<Reason> {
        let stale = self.logged(&(object.kind, object.key()))?.stale.as_ref()?;
        if stale.since.is_some() && self.logs.tells_ends() {
            return None;
        }
        let passed = BlockedDetail::StaleCheckPassed {
            count: stale.count,
            first: stale.first,
            versions: stale.versions.clone(),
        };
        Some(Reason::new(Tier::Logged, passed))
    }
}
