//! RollingUpdate: the new ReplicaSet grows as far as the surge allows, old ones shrink as far as availability allows
//! (section 7).

use super::new_replica_set::Roles;
use super::state::ReplicaSet;
use super::sync::Run;
use super::write::{Refusal, ScaleReason};

/// Why a scale-down stopped half-way. Up to 1.37 that is swallowed: what was resized before stands.
struct Stopped;

impl Run<'_> {
    pub(super) fn roll(&mut self, claimed: &[ReplicaSet]) -> Result<(), Refusal> {
        let roles = self.roles(claimed, true)?;
        let acted = self.size_new(&roles)? || self.size_old(&roles).unwrap_or(false);
        if !acted && self.is_complete(&self.begun_status()) {
            self.clean_up_history(&roles.old)?;
        }
        self.finish_rollout(&roles)
    }

    fn size_new(&mut self, roles: &Roles) -> Result<bool, Refusal> {
        let Some(new) = &roles.new else { return Ok(false) };
        let wanted = self.deployment.replicas;
        if new.replicas == wanted {
            return Ok(false);
        }
        let to = if new.replicas > wanted { wanted } else { self.room_for_new(roles.total(), new.replicas) };
        if to == new.replicas {
            return Ok(false);
        }
        self.resize(new, to, ScaleReason::New, roles.fresh)
    }

    /// The inequality that blocks a rollout: all pods, less those that must stay available, less new ones that are not
    /// available yet, is how many old ones may go.
    fn size_old(&mut self, roles: &Roles) -> Result<bool, Stopped> {
        let mut active: Vec<ReplicaSet> = roles.old.iter().filter(|old| old.is_active()).cloned().collect();
        if active.is_empty() {
            return Ok(false);
        }
        let must_stay = self.min_available();
        let (size, available) = roles.new.as_ref().map_or((0, 0), |new| (new.replicas, new.status.available));
        let room = roles.total().wrapping_sub(must_stay).wrapping_sub(size.wrapping_sub(available));
        if room <= 0 {
            return Ok(false);
        }
        let cleaned = self.clean_up_unhealthy(&mut active, room)?;
        let all_available = active.iter().map(|old| old.status.available).fold(available, i32::wrapping_add);
        let scaled = self.shrink_old(&active, all_available.wrapping_sub(must_stay))?;
        Ok(cleaned > 0 || scaled > 0)
    }

    /// Pods of old ReplicaSets that are not available go first: they hold nothing up.
    fn clean_up_unhealthy(&mut self, active: &mut [ReplicaSet], room: i32) -> Result<i32, Stopped> {
        let mut cleaned = 0;
        for old in active {
            if cleaned >= room {
                break;
            }
            if old.status.available == old.replicas {
                continue;
            }
            let count = (room - cleaned).min(old.replicas.wrapping_sub(old.status.available));
            let to = old.replicas.wrapping_sub(count);
            // Its status lags behind an earlier reduction.
            if to > old.replicas {
                return Err(Stopped);
            }
            self.resize(old, to, ScaleReason::Unhealthy, false).map_err(|_| Stopped)?;
            self.returned.insert(old.uid.clone());
            old.replicas = to;
            self.take_size_annotations(old);
            cleaned += count;
        }
        Ok(cleaned)
    }

    fn shrink_old(&mut self, active: &[ReplicaSet], spare: i32) -> Result<i32, Stopped> {
        let mut taken = 0;
        for old in active {
            if taken >= spare {
                break;
            }
            if old.replicas == 0 {
                continue;
            }
            let count = old.replicas.min(spare - taken);
            let fresh = self.returned.contains(&old.uid);
            self.resize(old, old.replicas - count, ScaleReason::Old, fresh).map_err(|_| Stopped)?;
            taken += count;
        }
        Ok(taken)
    }
}
