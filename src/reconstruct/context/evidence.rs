//! What is doubtful about the evidence itself.

use crate::objects::{OwnerKind, ReplicaSet, Resource};
use crate::reasons::Code;
use crate::reasons::Tier;
use crate::reconstruct::gate::at;
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
        reasons.extend(self.mutated_labels(object));
        reasons
    }

    /// Each such pod is released at once and replaced, without end: no expectation stays unmet.
    fn mutated_labels(&self, object: &ReplicaSet) -> Option<Reason> {
        let mutated = self.tracks.get(&(object.kind, object.key()))?.mutated;
        (mutated > 0).then(|| {
            let text = format!(
                "the last {} that its syncs made came with labels that its selector does not match: something changes them on creation; each is released and another one created, without end",
                if mutated == 1 { "pod".into() } else { format!("{mutated} pods") }
            );
            Reason::new(Code::LabelsMutated, Tier::Observed, text)
        })
    }

    fn stale_lines(&self, object: &ReplicaSet) -> Option<Reason> {
        let stale = self.logged(&(object.kind, object.key()))?.stale.as_ref()?;
        if stale.since.is_some() && self.logs.tells_ends() {
            return None;
        }
        let (resource, read, written) = &stale.versions;
        let when = stale.first.map(at).unwrap_or_default();
        let text = format!(
            "the log has {} refused by the stale-cache check (first {when}): the controller's cache of {resource} had version {read} and its own write was {written}; such a sync is retried within milliseconds and does no harm unless it repeats for minutes",
            if stale.count == 1 { "1 sync".into() } else { format!("{} syncs", stale.count) }
        );
        Some(Reason::new(Code::StaleCheckPassed, Tier::Logged, text))
    }
}
