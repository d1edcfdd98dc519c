//! Pods, as far as the ReplicaSet controller looks at them.

use jiff::Timestamp;

use super::{Meta, OwnerReference};

/// The annotation that holds a pod's deletion cost.
pub const DELETION_COST: &str = "controller.kubernetes.io/pod-deletion-cost";

/// A pod's phase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Not yet running.
    #[default]
    Pending,
    /// At least one container runs or is starting.
    Running,
    /// All containers ended well.
    Succeeded,
    /// All containers ended, one badly.
    Failed,
    /// The node could not be asked.
    Unknown,
    /// A word that Kubernetes does not define.
    Other,
}

impl Phase {
    /// Whether the pod has ended: such pods are neither counted nor deleted.
    pub fn is_finished(self) -> bool {
        matches!(self, Phase::Succeeded | Phase::Failed)
    }

    /// The word of the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Pending => "Pending",
            Phase::Running => "Running",
            Phase::Succeeded => "Succeeded",
            Phase::Failed => "Failed",
            Phase::Unknown => "Unknown",
            Phase::Other => "?",
        }
    }
}

/// The Ready condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ready {
    /// Whether its status is "True".
    pub is_true: bool,
    /// Since when; None if the API holds no time.
    pub since: Option<Timestamp>,
}

/// A container of a pod or of a template: only what explains a refusal or an adoption.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Container {
    /// Its name.
    pub name: String,
    /// Its image.
    pub image: String,
    /// Its limits by resource, as written.
    pub limits: Vec<(String, String)>,
}

/// A pod.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Pod {
    /// Its metadata.
    pub meta: Meta,
    /// The node that it is bound to, empty before.
    pub node: String,
    /// Its phase.
    pub phase: Phase,
    /// Why it failed, for instance `OutOfcpu`; empty otherwise.
    pub reason: String,
    /// The first Ready condition.
    pub ready: Option<Ready>,
    /// The highest restart count over the regular containers.
    pub restarts: i64,
    /// The highest restart count over the sidecar (restartable init) containers.
    pub sidecar_restarts: i64,
    /// Images of the containers as `(name, image)`; kept for orphans only.
    pub images: Vec<(String, String)>,
}

impl Pod {
    /// Active pods are counted: not finished and not being deleted (docs/semantics.md section 4, step 6).
    pub fn is_active(&self) -> bool {
        !self.phase.is_finished() && self.meta.deleted.is_none()
    }

    /// Being deleted and not finished (docs/semantics.md section 4, step 8).
    pub(crate) fn is_terminating(&self) -> bool {
        !self.phase.is_finished() && self.meta.deleted.is_some()
    }

    /// Whether the Ready condition is True.
    pub fn is_ready(&self) -> bool {
        self.ready.is_some_and(|r| r.is_true)
    }

    /// Since when the pod is ready; None when it is not, or the time is unknown.
    pub(crate) fn ready_since(&self) -> Option<Timestamp> {
        self.ready.filter(|r| r.is_true).and_then(|r| r.since)
    }

    /// The owner reference that names the controller.
    pub fn controller(&self) -> Option<&OwnerReference> {
        self.meta.controller()
    }

    /// The deletion cost as the annotation is parsed: a signed 32 bit decimal without a plus
    /// sign or leading zeros (after a minus they are accepted); 0 for everything else.
    pub(crate) fn deletion_cost(&self) -> i32 {
        let Some(text) = self.meta.annotations.get(DELETION_COST) else { return 0 };
        if text.starts_with('+') || (text.len() > 1 && text.starts_with('0')) {
            return 0;
        }
        text.parse().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deletion_cost_takes_only_a_plain_32_bit_decimal() {
        let cost = |text: &str| {
            let mut pod = Pod::default();
            pod.meta.annotations = [(DELETION_COST, text)].into_iter().collect();
            pod.deletion_cost()
        };
        assert_eq!(cost("5"), 5);
        assert_eq!(cost("-7"), -7);
        assert_eq!(cost("-07"), -7);
        assert_eq!(cost("0"), 0);
        for junk in ["+5", "01", "", "x", "2147483648", "1.5", " 1"] {
            assert_eq!(cost(junk), 0, "{junk:?}");
        }
        assert_eq!(Pod::default().deletion_cost(), 0);
    }
}
