//! The last part of a sync: its status, which is always attempted once the claim succeeded, and how it ends.
//!
//! The status counts the pods from before this sync's own creates and deletes, so that it trails by one sync. See
//! docs/semantics.md sections 4.2 and 4.3.

use std::sync::Arc;

use super::{Call, Claim, End, Next, Outcome, Stage, Sync, SyncStep, claim};
use crate::model::status;
use crate::objects::{OwnerKind, Pod, ReplicaSet};

impl Sync {
    /// Terminating pods that are this ReplicaSet's and selected; None where they are not counted.
    fn terminating(&self, replica_set: &ReplicaSet) -> Option<usize> {
        let counted = self.inputs.profile.terminating_replicas && self.inputs.kind == OwnerKind::ReplicaSet;
        let own = |pod: &&Arc<Pod>| pod.is_terminating() && claim::claim(replica_set, pod) == Claim::Keep;
        counted.then(|| self.considered.iter().filter(own).count())
    }

    pub(super) fn write_status(&mut self) -> SyncStep {
        let Some(replica_set) = self.replica_set.clone() else { return self.end(None) };
        let written = status::calculate(
            &replica_set,
            &self.claimed,
            self.terminating(&replica_set),
            self.manage_error.as_deref(),
            self.inputs.during.earliest,
            &self.inputs.profile,
        );
        let differs = status::needs_write(&replica_set, &written);
        self.written = Some(written);
        if differs { self.put_status() } else { self.finish() }
    }

    fn put_status(&mut self) -> SyncStep {
        self.status_tries += 1;
        let status = self.written.clone().unwrap_or_default();
        self.call(Stage::Status, Call::UpdateStatus(status))
    }

    /// A refused status write is repeated once, after a GET.
    pub(super) fn after_status(&mut self, outcomes: &[Outcome]) -> SyncStep {
        match outcomes.first() {
            Some(Err(error)) if self.status_tries > 1 => self.end(Some(error.message.clone())),
            Some(Err(_)) => self.call(Stage::Refetch, Call::Refetch),
            _ => self.finish(),
        }
    }

    pub(super) fn after_refetch(&mut self, outcomes: &[Outcome]) -> SyncStep {
        match outcomes.first() {
            Some(Err(error)) => self.end(Some(error.message.clone())),
            _ => self.put_status(),
        }
    }

    fn finish(&mut self) -> SyncStep {
        if let Some(error) = self.manage_error.clone() {
            return self.end(Some(error));
        }
        let (Some(replica_set), Some(written)) = (&self.replica_set, &self.written) else {
            return self.end(None);
        };
        let now = self.inputs.during.earliest;
        let requeue_after =
            status::requeue_after(replica_set, written, &self.claimed, now, &self.inputs.profile);
        self.stage = Stage::Over;
        SyncStep { effects: Vec::new(), next: Next::End(End { error: None, requeue_after }) }
    }
}
