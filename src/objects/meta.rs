//! Metadata that every object carries.

use std::cmp::Ordering;

use jiff::Timestamp;

use super::Labels;

/// Namespace and name: what the controller calls a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The namespace, empty for objects that have none.
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl Key {
    /// A key from its two parts.
    pub fn new(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Key { namespace: namespace.into(), name: name.into() }
    }
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.namespace.is_empty() {
            write!(f, "{}", self.name)
        } else {
            write!(f, "{}/{}", self.namespace, self.name)
        }
    }
}

/// The metadata that decides something. Times are the API server's, in whole seconds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Meta {
    /// The namespace, empty for objects that have none.
    pub namespace: String,
    /// The name.
    pub name: String,
    /// What tells two objects of one name apart.
    pub uid: String,
    /// The version of the object; comparable as a number since 1.35, in practice before.
    pub resource_version: String,
    /// Counts changes of the spec.
    pub generation: i64,
    /// When the API server created it.
    pub created: Option<Timestamp>,
    /// Set while the object is being deleted: when its grace period ends.
    pub deleted: Option<Timestamp>,
    /// Grace period of the deletion, in seconds.
    pub grace_seconds: Option<i64>,
    /// The prefix from which the API server made the name.
    pub generate_name: Option<String>,
    /// Labels.
    pub labels: Labels,
    /// The annotations that the program reads (see `json`), sorted by key.
    pub annotations: Labels,
    /// Owner references in their order.
    pub owners: Vec<OwnerReference>,
    /// Finalizers hold a deletion back.
    pub finalizers: Vec<String>,
    /// Who wrote, from managedFields.
    pub managers: Vec<Manager>,
}

impl Meta {
    /// The object's key.
    pub fn key(&self) -> Key {
        Key::new(self.namespace.as_str(), self.name.as_str())
    }

    /// The owner reference that names the controller, the controllerRef.
    pub fn controller(&self) -> Option<&OwnerReference> {
        self.owners.iter().find(|o| o.controller)
    }

    /// When the object's status was last written by the controller-manager, as far as
    /// managedFields tell: whole seconds of the server's clock.
    pub(crate) fn status_written_by_controller(&self) -> Option<Timestamp> {
        let wrote = |m: &&Manager| m.name == "kube-controller-manager" && m.subresource == "status";
        self.managers.iter().filter(wrote).filter_map(|m| m.time).max()
    }
}

/// One owner reference.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnerReference {
    /// Group and version of the owner's kind; not compared by the controller.
    pub api_version: String,
    /// The owner's kind.
    pub kind: String,
    /// The owner's name.
    pub name: String,
    /// The owner's UID.
    pub uid: String,
    /// Whether this owner is the controller.
    pub controller: bool,
}

/// One writer of an object, from managedFields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manager {
    /// The writer's name, for instance `kube-controller-manager`.
    pub name: String,
    /// `status`, or empty for the object itself.
    pub subresource: String,
    /// When it last changed a field, whole seconds.
    pub time: Option<Timestamp>,
}

/// Compares two resource versions as numbers. None where one is not a number: such versions
/// cannot be ordered.
pub(crate) fn compare_resource_versions(a: &str, b: &str) -> Option<Ordering> {
    let number = |s: &str| !s.is_empty() && s.bytes().all(|c| c.is_ascii_digit());
    if !number(a) || !number(b) {
        return None;
    }
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    Some(a.len().cmp(&b.len()).then_with(|| a.cmp(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resource_versions_compare_as_numbers_of_any_length() {
        assert_eq!(compare_resource_versions("9", "10"), Some(Ordering::Less));
        assert_eq!(compare_resource_versions("99999999999999999999999", "100"), Some(Ordering::Greater));
        assert_eq!(compare_resource_versions("007", "7"), Some(Ordering::Equal));
        assert_eq!(compare_resource_versions("", "1"), None);
        assert_eq!(compare_resource_versions("a1", "1"), None);
    }
}
