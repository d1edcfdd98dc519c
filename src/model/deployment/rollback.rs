//! The deprecated rollback annotation (section 9).

use std::collections::{BTreeMap, BTreeSet};

use super::revision::{ROLLBACK, is_skipped, revision_of};
use super::state::ReplicaSet;
use super::sync::Run;
use super::write::{Refusal, Write};

impl Run<'_> {
    /// The revision that the annotation asks for, if it is a number.
    pub(super) fn rollback_to(&self) -> Option<i64> {
        self.deployment.annotations.get(ROLLBACK)?.parse().ok()
    }

    pub(super) fn roll_back(&mut self, claimed: &[ReplicaSet], to: i64) -> Result<(), Refusal> {
        let roles = self.roles(claimed, true)?;
        let all: Vec<&ReplicaSet> = roles.all().collect();
        let to = if to == 0 { second_highest(&all) } else { to };
        if to == 0 {
            self.note("DeploymentRollbackRevisionNotFound", "Unable to find last revision.".into());
            return self.end_rollback(None);
        }
        let Some(found) = all.into_iter().find(|replica_set| revision_of(replica_set) == Some(to)).cloned()
        else {
            let text = "Unable to find the revision to rollback to.";
            self.note("DeploymentRollbackRevisionNotFound", text.into());
            return self.end_rollback(None);
        };
        if found.template == self.deployment.template {
            let text = format!(
                "The rollback revision contains the same template as current deployment \"{}\"",
                self.deployment.key.name
            );
            self.note("DeploymentRollbackTemplateUnchanged", text);
            return self.end_rollback(None);
        }
        self.end_rollback(Some(&found))?;
        let text = format!("Rolled back deployment \"{}\" to revision {to}", self.deployment.key.name);
        self.note("DeploymentRollback", text);
        Ok(())
    }

    /// The annotation goes in every case; with a ReplicaSet its template and annotations come.
    fn end_rollback(&mut self, from: Option<&ReplicaSet>) -> Result<(), Refusal> {
        let mut annotations = self.deployment.annotations.clone();
        if let Some(from) = from {
            annotations.retain(|key, _| is_skipped(key));
            let others = from.annotations.iter().filter(|(key, _)| !is_skipped(key));
            annotations.extend(others.map(|(key, value)| (key.clone(), value.clone())));
        }
        annotations.remove(ROLLBACK);
        let before = &self.begun.annotations;
        let set: BTreeMap<String, String> = annotations
            .iter()
            .filter(|(key, value)| before.get(*key) != Some(*value))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let unset: BTreeSet<String> =
            before.keys().filter(|key| !annotations.contains_key(*key)).cloned().collect();
        let template = from.map(|from| from.template.clone());
        self.update_deployment(Write::Rollback {
            set,
            unset,
            template,
            from: from.map(|from| from.name.clone()),
        })
    }
}

/// The second highest revision; of equal ones the first moves down. 0 if there is none.
fn second_highest(all: &[&ReplicaSet]) -> i64 {
    let (mut highest, mut second) = (0, 0);
    for revision in all.iter().filter_map(|replica_set| revision_of(replica_set)) {
        if revision >= highest {
            second = highest;
            highest = revision;
        } else if revision > second {
            second = revision;
        }
    }
    second
}
