//! Events about a ReplicaSet. They are thinned and merged, so they are lower bounds.

use jiff::Timestamp;

use super::Meta;

/// An event.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Event {
    /// Its metadata.
    pub meta: Meta,
    /// Kind of the object that it is about.
    pub about_kind: String,
    /// Name of the object that it is about.
    pub about_name: String,
    /// UID of the object that it is about; empty where not given.
    pub about_uid: String,
    /// A word, for instance FailedCreate.
    pub reason: String,
    /// A sentence.
    pub message: String,
    /// Who reported it, for instance replicaset-controller.
    pub component: String,
    /// How often; at least 1.
    pub count: i64,
    /// First time, whole seconds.
    pub first: Option<Timestamp>,
    /// Last time, whole seconds.
    pub last: Option<Timestamp>,
}

impl Event {
    /// Whether similar events were merged into this one: its message is the latest of several.
    pub(crate) fn is_combined(&self) -> bool {
        self.message.starts_with("(combined from similar events)")
    }

    /// The pod that a SuccessfulDelete names.
    pub(crate) fn deleted_pod(&self) -> Option<&str> {
        deleted_pod(self.text())
    }

    /// The message without the note about merged events.
    pub(crate) fn text(&self) -> &str {
        self.message.strip_prefix("(combined from similar events): ").unwrap_or(&self.message)
    }
}

/// The pod in the message of a SuccessfulDelete.
pub(crate) fn deleted_pod(message: &str) -> Option<&str> {
    message.strip_prefix("Deleted pod: ")
}
