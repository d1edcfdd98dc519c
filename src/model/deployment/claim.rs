//! Which ReplicaSets belong to the Deployment: adopt, release, keep (section 4).

use super::state::ReplicaSet;
use super::sync::Run;
use super::write::{Live, Refusal, RefusalKind, Write};

impl Run<'_> {
    /// The claimed ReplicaSets, oldest first. All claims are tried before an error ends the sync.
    pub(super) fn claim(&mut self, all: &[ReplicaSet]) -> Result<Vec<ReplicaSet>, Refusal> {
        let mut sorted: Vec<&ReplicaSet> = all.iter().collect();
        sorted.sort_by(|a, b| a.name.cmp(&b.name));
        let (mut claimed, mut error, mut live) = (Vec::new(), None, None);
        for replica_set in sorted {
            let matches = self.deployment.selector.matches(&replica_set.labels);
            let kept = match &replica_set.controller {
                Some(uid) if *uid != self.deployment.uid => false,
                Some(_) if matches => true,
                Some(_) if self.deployment.deleting => false,
                Some(_) => {
                    self.release(replica_set, &mut error);
                    false
                }
                None if !matches || replica_set.deleting || self.deployment.deleting => false,
                None => {
                    let live = *live.get_or_insert_with(|| self.api.live());
                    self.adopt(replica_set, live, &mut error)
                }
            };
            if kept {
                claimed.push(replica_set.clone());
            }
        }
        claimed.sort_by(ReplicaSet::by_age);
        self.claimed.clone_from(&claimed);
        let new = claimed.iter().find(|replica_set| replica_set.template == self.deployment.template);
        self.new = new.map(|new| new.name.clone());
        match error {
            Some(error) => Err(error),
            None => Ok(claimed),
        }
    }

    fn release(&mut self, replica_set: &ReplicaSet, error: &mut Option<Refusal>) {
        match self.patch(replica_set, Write::Release(replica_set.name.clone())) {
            // Gone, or another object of that name: nothing is left to release.
            Err(refusal) if !matches!(refusal.kind, RefusalKind::NotFound | RefusalKind::Invalid) => {
                error.get_or_insert(refusal);
            }
            _ => {}
        }
    }

    fn adopt(&mut self, replica_set: &ReplicaSet, live: Live, error: &mut Option<Refusal>) -> bool {
        if live == Live::Changed {
            let message = format!("can't adopt ReplicaSet {}: the Deployment has changed", replica_set.name);
            error.get_or_insert(Refusal { kind: RefusalKind::Other, message });
            return false;
        }
        match self.patch(replica_set, Write::Adopt(replica_set.name.clone())) {
            Ok(()) => true,
            Err(refusal) => {
                if refusal.kind != RefusalKind::NotFound {
                    error.get_or_insert(refusal);
                }
                false
            }
        }
    }
}
