//! The Deployment controller, modelled as the ReplicaSet controller is: pure, no clock, effects as values.
//!
//! A sync asks an [`Api`] to carry out each [`Write`] and goes on with its answer, as the controller does. It never
//! counts pods (but for Recreate): it believes the status of the ReplicaSets. `docs/deployment-semantics.md` is the
//! reference; sections are cited there. Start reading at [`sync`].

mod claim;
mod history;
mod new_replica_set;
mod numbers;
mod recreate;
mod revision;
mod rollback;
mod rolling;
mod scaling;
mod state;
mod status;
mod sync;
mod write;

pub use numbers::{IntOrPercent, Strategy};
pub use state::{Condition, Deployment, DeploymentStatus, OldPod, ReplicaSet, ReplicaSetStatus, Template};
pub use sync::{Branch, Event, Outcome, Requeue, Situation, sync};
pub use write::{Action, Api, Live, Refusal, RefusalKind, ScaleReason, Write};
