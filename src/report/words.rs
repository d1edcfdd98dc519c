//! The words of the report that scripts compare, and what each means: for the schema.
//!
//! Words that a type of the model has ([`Tier`](crate::reasons::Tier) and others) are told there.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::reasons;

macro_rules! words {
    ($(#[doc = $about:literal] $name:ident: $schema:ident {
        $($word:literal: $meaning:literal,)*
    })*) => {$(
        #[doc = $about]
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}

        impl $name {
            /// Each word with its meaning.
            pub const ALL: &[(&str, &str)] = &[$(($word, $meaning),)*];
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema($about.trim(), $name::ALL.iter().copied())
            }
        }
    )*};
}

/// The code of a reason.
#[derive(Debug, Clone, Copy)]
pub enum Code {}

impl JsonSchema for Code {
    fn schema_name() -> Cow<'static, str> {
        "Code".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let codes = reasons::Code::ALL.iter().map(|code| (code.as_str(), code.entry().meaning));
        open("The code of a reason; explain CODE tells more. Others may come within v1.", codes)
    }
}

/// One of these words, and within v1 no other.
fn closed<'a>(about: &str, words: impl Iterator<Item = (&'a str, &'a str)>) -> Schema {
    json_schema!({ "description": about, "oneOf": constants(words) })
}

/// One of these words, or one that is not there yet.
fn open<'a>(about: &str, words: impl Iterator<Item = (&'a str, &'a str)>) -> Schema {
    json_schema!({
        "description": about,
        "type": "string",
        "anyOf": [{ "oneOf": constants(words) }, { "description": "A word that came later.", "type": "string" }],
    })
}

fn constants<'a>(words: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<Value> {
    let constant = |(word, meaning)| json!({ "description": meaning, "type": "string", "const": word });
    words.map(constant).collect()
}

words! {
    /// The kind of the object.
    OwnerKind: closed {
        "ReplicaSet": "A ReplicaSet of apps/v1.",
        "ReplicationController": "A ReplicationController of v1, which the same controller code serves.",
    }

    /// Where the control plane's version comes from.
    VersionSource: closed {
        "cluster": "The cluster said it.",
        "recording": "The input says it.",
        "flag": "It was given with --server-version.",
        "assumed": "Nothing tells it: the newest that is known, or the nearest to what was told.",
    }

    /// What a sync finds when it asks whether its expectations are satisfied.
    Gate: closed {
        "none": "There is no entry: open.",
        "fulfilled": "Nothing is awaited: open.",
        "waiting": "Something is awaited, for five minutes at most: closed.",
        "expired": "Something is awaited for more than five minutes: open, as if nothing were outstanding.",
        "undetermined": "The evidence leaves it open.",
    }

    /// What a sync does to the number of pods.
    Action: closed {
        "create": "It creates pods.",
        "delete": "It deletes pods.",
        "none": "Neither.",
    }

    /// The rule that decided about a pod, the first one that does. Kubernetes may get others.
    Rule: open {
        "All": "Every active pod goes, nothing is compared.",
        "Unassigned": "Pods without a node first.",
        "Phase": "Pending, then Unknown, then Running.",
        "NotReady": "Pods that are not ready first.",
        "DeletionCost": "The lower deletion cost first.",
        "Rank": "Pods on nodes with more related pods first.",
        "ReadyTime": "Pods ready for less time first.",
        "Restarts": "Pods with more restarts first.",
        "CreationTime": "Pods created later first.",
        "Uid": "Times differ but share an age bucket: the lexically smaller UID first.",
        "Tie": "Nothing tells them apart.",
    }

    /// How a line is known.
    Basis: closed {
        "seen": "It was received.",
        "inferred": "It follows from what was received, by the controller's rules.",
        "logged": "The controller's log says it.",
        "gap": "Something was missed here: nothing before it counts after it.",
    }

    /// What happened. Other facts may come within v1: ignore what you do not know.
    Fact: open {
        "WindowOpened": "The ReplicaSet was there when the window opened.",
        "Appeared": "It was made.",
        "Recreated": "It was made anew under its name.",
        "Deleting": "It got a deletionTimestamp.",
        "Removed": "It was removed.",
        "Scaled": "spec.replicas changed.",
        "StatusWritten": "Status or conditions changed.",
        "PodCreated": "A pod came that only a sync can have made.",
        "PodArrived": "A pod came that somebody else made.",
        "PodAdopted": "A pod got this owner.",
        "PodLost": "A pod left by another way than deletion.",
        "PodEnded": "A pod ended: Failed or Succeeded.",
        "PodTerminating": "A pod got a deletionTimestamp.",
        "PodGone": "A pod was removed.",
        "EventSent": "An event of the controller: a refusal, or a deletion by name.",
        "LeaderChanged": "Another controller-manager leads, or the same anew: it has no entries.",
        "CreatesBegun": "A sync has set expectations for creates.",
        "DeletesBegun": "A sync has set expectations for deletes.",
        "CallsOver": "That sync has ended, and what its calls did was seen.",
        "CreatesSwallowed": "A terminating namespace refused its creates, which counts as done.",
        "ExpectationsExpired": "Five minutes have passed since the expectations were set.",
        "InstantAsked": "The end: the instant that was asked for.",
        "WatchGap": "A watch broke, or lines were missed.",
        "LogCreates": "The log: a sync sets out to create pods.",
        "LogDeletes": "The log: a sync sets out to delete pods.",
        "LogCreatesSkipped": "The log: creates failed or were not tried.",
        "LogDeletionSeen": "The log: a handler saw an awaited deletion.",
        "LogPodSeen": "The log: a handler saw a new pod.",
        "LogControllerStarted": "The log: the controller started, and has no entries.",
        "LogStaleCache": "The log: the stale-cache check refused a sync.",
        "LogSyncFailed": "The log: a sync failed.",
        "LogEntryDropped": "The log: the entry was dropped.",
    }
}

#[cfg(test)]
mod tests {
    use schemars::generate::SchemaSettings;

    use super::*;
    use crate::model::expectations::Gate as Found;
    use crate::model::scale_down::Rule as Decided;
    use crate::objects;
    use crate::reasons::Tier;
    use crate::report::build::gate_word;

    fn words_of<T: JsonSchema>() -> Vec<String> {
        let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
        let constants = schema.get("oneOf").and_then(Value::as_array).expect("constants");
        constants.iter().map(|constant| constant["const"].as_str().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn words_are_those_that_the_model_prints() {
        let gates = [Found::None, Found::Fulfilled, Found::Waiting, Found::Expired].map(Some);
        let gates = gates.into_iter().chain([None]).map(gate_word);
        assert!(gates.eq(Gate::ALL.iter().map(|(word, _)| *word)));
        use Decided::*;
        let rules = [All, Unassigned, Phase, NotReady, DeletionCost, Rank, ReadyTime, Restarts, CreationTime];
        let rules = rules.into_iter().chain([Uid, Tie]).map(Decided::as_str);
        assert!(rules.eq(Rule::ALL.iter().map(|(word, _)| *word)));
        let kinds = [objects::OwnerKind::ReplicaSet, objects::OwnerKind::ReplicationController];
        assert!(kinds.map(|kind| kind.as_str()).iter().eq(OwnerKind::ALL.iter().map(|(word, _)| word)));
    }

    #[test]
    fn derived_words_are_those_that_the_model_prints() {
        let tiers = [Tier::Observed, Tier::Logged, Tier::Inferred, Tier::Assumed];
        assert_eq!(words_of::<Tier>(), tiers.map(Tier::as_str));
    }
}
