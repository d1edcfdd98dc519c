//! A change of one pod, as a watch event tells it.

use std::sync::Arc;

use crate::objects::Pod;

/// A pod's change.
pub(super) struct PodChange {
    pub(super) before: Option<Arc<Pod>>,
    /// Its new state, or its last one.
    pub(super) now: Arc<Pod>,
    /// Whether it was removed.
    pub(super) gone: bool,
    /// Whether the watch calls it new.
    pub(super) added: bool,
}

impl PodChange {
    /// The pod before, where it was known, and now.
    pub(super) fn states(&self) -> impl Iterator<Item = &Pod> {
        [self.before.as_deref(), Some(&*self.now)].into_iter().flatten()
    }

    /// Whether it was not there before, or was another one of the same name.
    pub(super) fn is_new(&self) -> bool {
        let before = self.before.as_ref().map(|pod| &pod.meta.uid);
        !self.gone && before != Some(&self.now.meta.uid) && (self.added || before.is_some())
    }
}

/// Whether the controller-manager made this pod, whichever of its controllers.
pub(super) fn made_by_controller(pod: &Pod) -> bool {
    pod.meta.managers.iter().any(|m| m.name == "kube-controller-manager" && m.subresource.is_empty())
}

/// A pod as it may have been before: the same, at another version.
pub(super) fn unversioned(pod: &Pod) -> Pod {
    let mut before = pod.clone();
    before.meta.resource_version.clear();
    before
}
