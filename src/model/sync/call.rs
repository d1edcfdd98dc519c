//! What a sync asks of the API server, and what it can get back.

use std::sync::Arc;

use crate::model::claim::Claim;
use crate::model::scale_down::Choice;
use crate::objects::{Key, Pod, Status};

/// What the sync asks for next. The calls of one step are parallel.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    /// GET the ReplicaSet before adopting. Answered by [`Response::Live`].
    Live,
    /// Adoptions and releases. Answered by [`Response::Outcomes`] in the same order.
    Patch(Vec<Patch>),
    /// One batch of creates. Answered by [`Response::Outcomes`].
    Create(usize),
    /// No call of the controller: its unstable sort takes so many of the possible victims, and the driver says which.
    /// Answered by [`Response::Picked`].
    Pick(Choice, usize),
    /// All deletes at once. Answered by [`Response::Outcomes`] in the same order.
    Delete(Vec<Key>),
    /// PUT of the status. Answered by one outcome.
    UpdateStatus(Status),
    /// GET of the ReplicaSet after a refused status. Answered by one outcome.
    Refetch,
}

/// A patch of the claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// The pod.
    pub pod: Arc<Pod>,
    /// Adopt or Release.
    pub claim: Claim,
}

/// The response to a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Response {
    /// To [`Call::Live`].
    Live(LiveOwner),
    /// To the calls that have one outcome each.
    Outcomes(Vec<Outcome>),
    /// To [`Call::Pick`].
    Picked(Vec<Key>),
}

/// What the live GET before the first adoption finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiveOwner {
    /// The same object, not being deleted.
    Same,
    /// It is gone, has another UID, is being deleted, or the GET failed.
    NoLongerOwner,
}

/// The outcome of one call.
pub type Outcome = Result<(), CallError>;

/// A failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallError {
    /// What the controller makes of it.
    pub kind: CallErrorKind,
    /// The text that ends up in events, condition and log.
    pub message: String,
}

/// Why a call failed, as far as the controller distinguishes failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallErrorKind {
    /// 404.
    NotFound,
    /// 422.
    Invalid,
    /// 403 with the cause that the namespace is terminating.
    NamespaceTerminating,
    /// The client gave up waiting: the server may have carried the call out or not.
    Timeout,
    /// Anything else.
    Other,
}
