//! The stale-cache guard of 1.36+ (semantics 8): a sync is refused while the informers are older
//! than the controller's own last writes of this ReplicaSet.
//!
//! Recorded after pod creates, adoptions and status writes; not after deletes and releases. Kept
//! for ReplicaSets only, never for ReplicationControllers.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::objects::{Key, Resource, compare_resource_versions};

/// The highest versions written for one ReplicaSet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Record {
    uid: String,
    written: BTreeMap<Resource, String>,
}

/// A sync refused because a cache lags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stale {
    /// The resource whose cache lags.
    pub resource: Resource,
    /// The version that the cache has.
    pub read: String,
    /// The version that was written.
    pub written: String,
}

/// What the controller has written, by ReplicaSet.
#[derive(Debug, Clone, Default)]
pub struct Consistency {
    records: BTreeMap<Key, Record>,
}

impl Consistency {
    /// Records a write. A lower version than the recorded one changes nothing.
    pub fn wrote(&mut self, key: &Key, uid: &str, resource: Resource, version: &str) {
        let record = self.records.entry(key.clone()).or_default();
        if record.uid != uid {
            *record = Record { uid: uid.into(), written: BTreeMap::new() };
        }
        let written = record.written.entry(resource).or_insert_with(|| version.into());
        if compare_resource_versions(written, version) == Some(Ordering::Less) {
            *written = version.into();
        }
    }

    /// Compares with what the informers have read, at the start of a sync; drops what is met.
    /// Open where a version is unknown or cannot be compared.
    pub fn check(&mut self, key: &Key, read: &BTreeMap<Resource, String>) -> Result<(), Stale> {
        let Some(record) = self.records.get_mut(key) else { return Ok(()) };
        let lags = |resource: &Resource, written: &str| {
            let read = read.get(resource)?;
            let behind = compare_resource_versions(read, written) == Some(Ordering::Less);
            behind.then(|| Stale { resource: *resource, read: read.clone(), written: written.into() })
        };
        record.written.retain(|resource, written| lags(resource, written).is_some());
        let first = record.written.iter().find_map(|(resource, written)| lags(resource, written));
        first.map_or(Ok(()), Err)
    }

    /// Drops the record of a ReplicaSet that went, if it is this one's.
    pub fn forget(&mut self, key: &Key, uid: &str) {
        if self.records.get(key).is_some_and(|record| record.uid == uid) {
            self.records.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(consistency: &mut Consistency, read: &str) -> Result<(), Stale> {
        let read = BTreeMap::from([(Resource::Pods, read.to_owned())]);
        consistency.check(&Key::new("shop", "web"), &read)
    }

    fn wrote(version: &str) -> Consistency {
        let mut consistency = Consistency::default();
        consistency.wrote(&Key::new("shop", "web"), "uid", Resource::Pods, version);
        consistency
    }

    #[test]
    fn sync_is_refused_until_the_cache_holds_the_own_write() {
        let mut consistency = wrote("100");
        assert!(check(&mut consistency, "99").is_err());
        assert!(check(&mut consistency, "100").is_ok());
        assert!(check(&mut consistency, "99").is_ok(), "a met record is dropped");
    }

    #[test]
    fn highest_write_counts_and_unknown_versions_leave_the_guard_open() {
        let mut consistency = wrote("100");
        consistency.wrote(&Key::new("shop", "web"), "uid", Resource::Pods, "90");
        assert!(check(&mut consistency, "95").is_err());
        assert!(check(&mut consistency, "opaque").is_ok());
        assert!(wrote("1").check(&Key::new("shop", "web"), &BTreeMap::new()).is_ok());
    }

    #[test]
    fn record_of_another_uid_is_replaced_and_not_dropped_for_it() {
        let mut consistency = wrote("100");
        consistency.forget(&Key::new("shop", "web"), "older");
        assert!(check(&mut consistency, "99").is_err());
        consistency.wrote(&Key::new("shop", "web"), "newer", Resource::Pods, "50");
        assert!(check(&mut consistency, "60").is_ok());
    }
}
