//! Which behaviour a Kubernetes version has: the one table of versions. The rest of the model asks a field, never a number.
//! See docs/semantics.md section 1.
//!
//! Where the release of a backport is not certain, the first patch that can hold it is taken.

use std::fmt;

/// A version of the control plane. Without a patch the last one of its minor is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The minor of 1.x.
    pub minor: u16,
    /// The patch release, if known.
    pub patch: Option<u16>,
}

/// The oldest minor with a profile of its own.
pub(crate) const OLDEST: u16 = 16;
/// The newest minor with a profile of its own.
pub(crate) const NEWEST: u16 = 37;

impl Version {
    /// The newest version with a profile: the default where none is known.
    pub const LATEST: Version = Version { minor: NEWEST, patch: None };

    /// Reads `1.N`, `1.N.P`, `v1.N.P` and what vendors append (`1.29+`, `v1.30.2-gke.7`).
    pub fn parse(text: &str) -> Option<Version> {
        let rest = text.trim().trim_start_matches('v').strip_prefix("1.")?;
        let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
        let (minor, rest) = rest.split_at(digits(rest));
        let patch = rest.strip_prefix('.').map(|p| &p[..digits(p)]);
        let whole = match patch {
            Some(p) => &rest[1 + p.len()..],
            None => rest,
        };
        let suffixed = whole.is_empty() || whole.starts_with(['+', '-']);
        if !suffixed || patch == Some("") {
            return None;
        }
        Some(Version { minor: minor.parse().ok()?, patch: patch.map(|p| p.parse().ok()).unwrap_or(None) })
    }

    /// The nearest version that has a profile: itself from 1.16 to 1.37.
    pub(crate) fn nearest(self) -> Version {
        match self.minor {
            m if m < OLDEST => Version { minor: OLDEST, patch: Some(0) },
            m if m > NEWEST => Version::LATEST,
            _ => self,
        }
    }

    /// `1.N` without the patch.
    pub(crate) fn minor_name(self) -> String {
        format!("1.{}", self.minor)
    }

    fn at_least(self, minor: u16, patch: u16) -> bool {
        self.minor > minor || (self.minor == minor && self.patch.is_none_or(|p| p >= patch))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.patch {
            Some(patch) => write!(f, "1.{}.{}", self.minor, patch),
            None => write!(f, "1.{}", self.minor),
        }
    }
}

/// How the controller finds the pods that a ReplicaSet owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnerMatch {
    /// By the controllerRef's UID alone.
    Uid,
    /// By the controllerRef's kind, name and UID.
    KindNameUid,
}

/// The behaviour of one version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// The version that this was made for.
    pub(crate) version: Version,
    /// A create that times out counts as a success: nothing is lowered (up to 1.17, its last patches apart).
    pub(crate) ignores_create_timeout: bool,
    /// A create refused because the namespace terminates counts as a success (1.17).
    pub(crate) ignores_terminating_namespace: bool,
    /// The handlers drop expectations when a ReplicaSet is deleted or changes its UID (1.17).
    pub(crate) handlers_forget: bool,
    /// Rule 5 of the scale-down choice: nodes with more related pods first (1.17).
    pub(crate) ranks_related_pods: bool,
    /// A delete answered 404 lowers its expectation (1.19 and backports).
    pub(crate) lowers_missing_delete: bool,
    /// Rule 4 of the scale-down choice: the deletion cost (gate on from 1.22).
    pub(crate) deletion_cost: bool,
    /// Ages compare in powers of two, ties by UID (gate on from 1.22).
    pub(crate) age_buckets: bool,
    /// Restarts of sidecar containers break ties of rule 7 (1.31).
    pub(crate) sidecar_restarts: bool,
    /// How owned pods are found (1.34, its first patches apart).
    pub(crate) owner_match: OwnerMatch,
    /// Availability is re-checked at the exact time, its boundary included (1.34).
    pub(crate) exact_availability: bool,
    /// A Recreate Deployment finds old pods by owner, not by its selector and the owner's UID (1.36).
    pub(crate) recreate_finds_pods_by_owner: bool,
    /// The status counts terminating pods (gate on from 1.35).
    pub terminating_replicas: bool,
    /// A sync is refused while the cache is older than the own writes (gate on from 1.36).
    pub stale_guard: bool,
}

impl Profile {
    /// The profile of a version, with the default feature gates of that version; outside 1.16
    /// to 1.37 the nearest one.
    pub fn of(version: Version) -> Profile {
        let version = version.nearest();
        let from = |minor| version.minor >= minor;
        let backported = |picks: &[(u16, u16)]| {
            picks.iter().any(|(minor, patch)| version.minor == *minor && version.at_least(*minor, *patch))
        };
        Profile {
            version,
            ignores_create_timeout: !from(18) && !backported(&[(16, 5), (17, 1)]),
            ignores_terminating_namespace: from(17),
            handlers_forget: from(17),
            ranks_related_pods: from(17),
            lowers_missing_delete: from(19) || backported(&[(17, 7), (18, 4)]),
            deletion_cost: from(22),
            age_buckets: from(22),
            sidecar_restarts: from(31),
            owner_match: if version.at_least(34, 2) { OwnerMatch::KindNameUid } else { OwnerMatch::Uid },
            exact_availability: from(34),
            recreate_finds_pods_by_owner: from(36),
            terminating_replicas: from(35),
            stale_guard: from(36),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(version: &str) -> Profile {
        Profile::of(Version::parse(version).unwrap())
    }

    #[test]
    fn versions_are_read_as_servers_and_users_write_them() {
        let version = |minor, patch| Some(Version { minor, patch });
        assert_eq!(Version::parse("1.37"), version(37, None));
        assert_eq!(Version::parse("v1.34.4"), version(34, Some(4)));
        assert_eq!(Version::parse("1.29+"), version(29, None));
        assert_eq!(Version::parse("v1.30.2-gke.7"), version(30, Some(2)));
        for junk in ["", "2.1", "1.", "1.x", "1.30.", "1.30x", "30"] {
            assert_eq!(Version::parse(junk), None, "{junk:?}");
        }
    }

    #[test]
    fn versions_outside_the_known_ones_take_the_nearest_profile() {
        assert_eq!(profile("1.5"), profile("1.16.0"));
        assert_eq!(profile("1.99.3"), profile("1.37"));
    }

    #[test]
    fn backports_depend_on_the_patch_and_a_bare_minor_means_its_last() {
        assert!(profile("1.16.0").ignores_create_timeout);
        assert!(!profile("1.16").ignores_create_timeout);
        assert_eq!(profile("1.34.1").owner_match, OwnerMatch::Uid);
        assert_eq!(profile("1.34").owner_match, OwnerMatch::KindNameUid);
        assert_eq!(profile("1.33.9").owner_match, OwnerMatch::Uid);
        assert!(!profile("1.18.3").lowers_missing_delete);
        assert!(profile("1.18").lowers_missing_delete);
    }

    #[test]
    fn each_behaviour_begins_with_its_minor() {
        type Has = fn(&Profile) -> bool;
        let switches: [(u16, Has); 10] = [
            (17, |p| p.ignores_terminating_namespace),
            (17, |p| p.handlers_forget),
            (17, |p| p.ranks_related_pods),
            (22, |p| p.deletion_cost),
            (22, |p| p.age_buckets),
            (31, |p| p.sidecar_restarts),
            (34, |p| p.exact_availability),
            (36, |p| p.recreate_finds_pods_by_owner),
            (35, |p| p.terminating_replicas),
            (36, |p| p.stale_guard),
        ];
        for (first, has) in switches {
            let at = |minor| has(&Profile::of(Version { minor, patch: None }));
            assert!(!at(first - 1), "already in 1.{}", first - 1);
            assert!(at(first) && at(NEWEST), "missing from 1.{first}");
        }
    }
}
