//! The stale-cache guard (from 1.36): a sync is refused while the informers are older than the controller's own last
//! writes for this ReplicaSet. Without it, a cache that lags by more than five minutes makes the controller create its
//! pods a second time once the expectations expire.
//!
//! Recorded after pod creates, adoptions and status writes; not after deletes, which expectations alone protect, nor after
//! releases. For ReplicaSets only, never for ReplicationControllers. See docs/semantics.md section 8.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::objects::{Key, Resource, compare_resource_versions};

/// The highest versions written for one ReplicaSet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct LastWrites {
    uid: String,
    written: BTreeMap<Resource, String>,
}

/// A sync refused because a cache lags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StaleRead {
    /// The resource whose cache lags.
    pub resource: Resource,
    /// The version that the cache has.
    pub read: String,
    /// The version that was written.
    pub written: String,
}

/// What the controller has written, by ReplicaSet.
#[derive(Debug, Clone, Default)]
pub struct StaleGuard {
    records: BTreeMap<Key, LastWrites>,
}

impl StaleGuard {
    /// Records a write. A lower version than the recorded one changes nothing.
    pub fn wrote(&mut self, key: &Key, uid: &str, resource: Resource, version: &str) {
        let record = self.records.entry(key.clone()).or_default();
        if record.uid != uid {
            *record = LastWrites { uid: uid.into(), written: BTreeMap::new() };
        }
        let written = record.written.entry(resource).or_insert_with(|| version.into());
        if compare_resource_versions(written, version) == Some(Ordering::Less) {
            *written = version.into();
        }
    }

    /// Compares with what the informers have read, at the start of a sync, and drops what is met. Fails open, as the
    /// controller does: a version that is unknown or cannot be compared refuses nothing.
    pub fn check(&mut self, key: &Key, read: &BTreeMap<Resource, String>) -> Result<(), StaleRead> {
        let Some(record) = self.records.get_mut(key) else { return Ok(()) };
        let lags = |resource: &Resource, written: &str| {
            let read = read.get(resource)?;
            let behind = compare_resource_versions(read, written) == Some(Ordering::Less);
            behind.then(|| StaleRead { resource: *resource, read: read.clone(), written: written.into() })
        };
        record.written.retain(|resource, written| lags(resource, written).is_some());
        let first = record.written.iter().find_map(|(resource, written)| lags(resource, written));
        first.map_or(Ok(()), Err)
    }

    /// Drops the record of a ReplicaSet that was deleted, unless it is already that of another one of the same name.
    pub fn forget(&mut self, key: &Key, uid: &str) {
        if self.records.get(key).is_some_and(|record| record.uid == uid) {
            self.records.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(guard: &mut StaleGuard, read: &str) -> Result<(), StaleRead> {
        let read = BTreeMap::from([(Resource::Pods, read.to_owned())]);
        guard.check(&Key::new("shop", "web"), &read)
    }

    fn wrote(version: &str) -> StaleGuard {
        let mut guard = StaleGuard::default();
        guard.wrote(&Key::new("shop", "web"), "uid", Resource::Pods, version);
        guard
    }

    #[test]
    fn sync_is_refused_until_the_cache_holds_the_own_write() {
        let mut guard = wrote("100");
        assert!(check(&mut guard, "99").is_err());
        assert!(check(&mut guard, "100").is_ok());
        assert!(check(&mut guard, "99").is_ok(), "a met record is dropped");
    }

    #[test]
    fn highest_write_counts_and_unknown_versions_leave_the_guard_open() {
        let mut guard = wrote("100");
        guard.wrote(&Key::new("shop", "web"), "uid", Resource::Pods, "90");
        assert!(check(&mut guard, "95").is_err());
        assert!(check(&mut guard, "opaque").is_ok());
        assert!(wrote("1").check(&Key::new("shop", "web"), &BTreeMap::new()).is_ok());
    }

    #[test]
    fn record_of_another_uid_is_replaced_and_not_dropped_for_it() {
        let mut guard = wrote("100");
        guard.forget(&Key::new("shop", "web"), "older");
        assert!(check(&mut guard, "99").is_err());
        guard.wrote(&Key::new("shop", "web"), "newer", Resource::Pods, "50");
        assert!(check(&mut guard, "60").is_ok());
    }
}
