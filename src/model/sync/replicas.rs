//! The second part of a sync (manageReplicas): creates or deletes, at most [`BURST`] of them.
//!
//! Expectations are set before the first call goes out. Set afterwards, a pod that the watch delivers earlier would lower
//! the old entry, and the new one would wait for it until it expires. See docs/semantics.md section 5.

use std::cmp::Ordering;

use super::{Action, Call, CallError, CallErrorKind, Outcome, Stage, Sync, SyncStep};
use crate::model::BURST;
use crate::model::cache::Cache;
use crate::model::effect::Effect;
use crate::model::scale_down;
use crate::model::slow_start::SlowStart;
use crate::objects::{Key, ReplicaSet};

impl Sync {
    pub(super) fn manage_replicas(&mut self, cache: &Cache) -> SyncStep {
        let Some(replica_set) = self.replica_set.clone() else { return self.end(None) };
        if let Some(error) = self.claim_error.clone() {
            return self.end(Some(error));
        }
        let wanted = usize::try_from(replica_set.replicas).unwrap_or(0);
        let active = self.claimed.len();
        let action = match active.cmp(&wanted) {
            Ordering::Less => Action::Create((wanted - active).min(BURST)),
            Ordering::Greater => Action::Delete((active - wanted).min(BURST)),
            Ordering::Equal => Action::Nothing,
        };
        self.action = Some(action);
        match action {
            _ if self.is_held() => self.write_status(),
            Action::Create(count) => self.begin_creates(count, &replica_set),
            Action::Delete(count) => self.begin_deletes(count, &replica_set, cache),
            Action::Nothing => self.write_status(),
        }
    }

    fn begin_creates(&mut self, count: usize, replica_set: &ReplicaSet) -> SyncStep {
        let key = self.inputs.key.clone();
        let expect = Effect::ExpectCreations { key, count: count as i64 };
        self.creates = Some((SlowStart::new(count), count));
        let mut step = if replica_set.template.labels.is_empty() {
            self.fail_first_batch("unable to create pods, no labels")
        } else {
            self.next_batch()
        };
        step.effects.insert(0, expect);
        step
    }

    /// A pod that cannot even be made from the template ends the creates before any call.
    fn fail_first_batch(&mut self, error: &str) -> SyncStep {
        self.manage_error = Some(error.into());
        if let Some((creates, _)) = &mut self.creates {
            creates.finish_batch(1);
        }
        self.next_batch()
    }

    /// Starts the next batch, or ends the creates: those that failed or were never tried are lowered, since no pod will
    /// come of them.
    fn next_batch(&mut self) -> SyncStep {
        let Some((creates, count)) = self.creates.clone() else { return self.write_status() };
        if creates.next_batch() > 0 {
            return self.call(Stage::Creates, Call::Create(creates.next_batch()));
        }
        let skipped = count - creates.succeeded();
        let mut step = self.write_status();
        if skipped > 0 {
            let key = self.inputs.key.clone();
            step.effects.insert(0, Effect::CreationObserved { key, count: skipped as i64 });
        }
        step
    }

    pub(super) fn after_batch(&mut self, outcomes: &[Outcome]) -> SyncStep {
        let failures: Vec<&CallError> =
            outcomes.iter().filter_map(|o| o.as_ref().err()).filter(|e| !self.counts_as_success(e)).collect();
        if let Some(first) = failures.first() {
            self.manage_error.get_or_insert_with(|| first.message.clone());
        }
        let failed = failures.len();
        if let Some((creates, _)) = &mut self.creates {
            creates.finish_batch(failed);
        }
        self.next_batch()
    }

    /// Errors that the controller ignores. Nothing is lowered for them, so that the expectation stays until it expires,
    /// unless the pod comes after all.
    fn counts_as_success(&self, error: &CallError) -> bool {
        let profile = &self.inputs.profile;
        match error.kind {
            CallErrorKind::NamespaceTerminating => profile.ignores_terminating_namespace,
            CallErrorKind::Timeout => profile.ignores_create_timeout,
            _ => false,
        }
    }

    fn begin_deletes(&mut self, count: usize, replica_set: &ReplicaSet, cache: &Cache) -> SyncStep {
        let profile = &self.inputs.profile;
        let per_node = scale_down::related_per_node(cache, replica_set, profile);
        let choice = scale_down::choose(&self.claimed, &per_node, count, self.inputs.during, profile);
        let open = count.saturating_sub(choice.certain.len());
        self.choice = Some(choice.clone());
        self.victims = choice.certain.iter().map(|victim| victim.pod.meta.key()).collect();
        if open > 0 {
            return self.call(Stage::Picks, Call::Pick(choice, open));
        }
        self.delete(&[])
    }

    pub(super) fn delete(&mut self, picked: &[Key]) -> SyncStep {
        self.victims.extend_from_slice(picked);
        let pods = self.victims.clone();
        let mut step = self.call(Stage::Deletes, Call::Delete(pods.clone()));
        step.effects.push(Effect::ExpectDeletions { key: self.inputs.key.clone(), pods });
        step
    }

    pub(super) fn after_deletes(&mut self, outcomes: &[Outcome]) -> SyncStep {
        let key = self.inputs.key.clone();
        let mut effects = Vec::new();
        for (pod, outcome) in std::mem::take(&mut self.victims).into_iter().zip(outcomes) {
            let Err(error) = outcome else { continue };
            let missing = error.kind == CallErrorKind::NotFound;
            if !missing || self.inputs.profile.lowers_missing_delete {
                effects.push(Effect::DeletionObserved { key: key.clone(), pod });
            }
            if !missing {
                self.manage_error.get_or_insert_with(|| error.message.clone());
            }
        }
        let mut step = self.write_status();
        step.effects.splice(0..0, effects);
        step
    }
}
