//! Which old ReplicaSets are deleted (section 12).

use std::cmp::Ordering;

use super::revision::revision_of;
use super::state::ReplicaSet;
use super::sync::Run;
use super::write::{Refusal, RefusalKind, Write};

impl Run<'_> {
    /// Deletes the oldest revisions above the limit. One that still has pods is skipped and not replaced by a later one.
    pub(super) fn clean_up_history(&mut self, old: &[ReplicaSet]) -> Result<(), Refusal> {
        let Some(limit) = self.deployment.history_limit else { return Ok(()) };
        let mut kept: Vec<&ReplicaSet> = old.iter().filter(|old| !old.deleting).collect();
        let above = kept.len().saturating_sub(usize::try_from(limit).unwrap_or(0));
        kept.sort_by(|a, b| by_revision(a, b));
        for old in kept.into_iter().take(above) {
            let empty = old.replicas == 0 && old.status.replicas == 0;
            if !empty || old.status.observed_generation < old.generation {
                continue;
            }
            match self.write(Write::Delete(old.name.clone())) {
                Err(refusal) if refusal.kind != RefusalKind::NotFound => return Err(refusal),
                _ => {}
            }
        }
        Ok(())
    }
}

fn by_revision(a: &ReplicaSet, b: &ReplicaSet) -> Ordering {
    match (revision_of(a), revision_of(b)) {
        (Some(x), Some(y)) if x != y => x.cmp(&y),
        _ => a.by_age(b),
    }
}
