//! What else holds: facts around a verdict that an operator would ask about next.

mod choice;
mod claims;
mod evidence;
mod pods;
mod refusals;
mod status;

use jiff::Timestamp;

use super::answer::Subject;
use super::refused::Refused;
use super::{Reason, Reconstruction};
use crate::model::plan::Plan;
use crate::model::sync::Action;
use crate::reasons::Code;
use crate::reasons::Tier;

/// Names in a message; the report itself lists all.
const NAMED: usize = 3;

impl Reconstruction {
    /// Every reason beside the one that decided.
    pub(super) fn context(
        &self,
        subject: &Subject,
        refused: Option<&Refused>,
        now: Timestamp,
    ) -> Vec<Reason> {
        let Subject { object, plan, what_if, .. } = subject;
        let mut reasons = self.about_refusal(subject, refused);
        reasons.extend(self.about_evidence(object));
        reasons.extend(self.about_claims(object, plan));
        // The stored status says nothing about a size that is only asked about.
        if !what_if {
            reasons.extend(self.about_status(object, plan, now));
        }
        reasons.extend(self.about_choice(object, plan, now));
        reasons.extend(self.about_deployment(object, plan));
        reasons.extend(self.about_pods(object, now));
        reasons.extend(about_size(plan));
        reasons
    }
}

fn about_size(plan: &Plan) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if plan.capped {
        let all = plan.diff.unwrap_or(0).unsigned_abs();
        let text = format!(
            "one sync creates or deletes at most 500 of {all}; the rest follows once these were seen"
        );
        reasons.push(Reason::new(Code::BurstCapped, Tier::Inferred, text));
    }
    if let (Some(Action::Create(count)), true) = (plan.action, plan.batches.len() > 1) {
        let text = format!(
            "{count} creates go out in batches of {}; a refusal ends the sync after its batch",
            plan.batches.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
        );
        reasons.push(Reason::new(Code::SlowStart, Tier::Inferred, text));
    }
    if plan.api_calls > 60 {
        let text = "all ReplicaSets share the controller's client; by default it makes 20 calls a second after 30 at once";
        reasons.push(Reason::new(Code::ClientRate, Tier::Assumed, text.into()));
    }
    reasons
}

fn version_dependent(text: &str) -> Reason {
    Reason::new(Code::VersionDependent, Tier::Inferred, text.into())
}

/// `1 pod`, `2 pods`.
fn pods(count: usize) -> String {
    if count == 1 { "1 pod".into() } else { format!("{count} pods") }
}

fn named<'a>(names: impl Iterator<Item = &'a str>) -> String {
    named_by(", ", names)
}

/// The first names, and how many more there are.
fn named_by<'a>(separator: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    let mut text = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(separator);
    if names.len() > NAMED {
        text.push_str(&format!("{separator}{} more", names.len() - NAMED));
    }
    text
}
