//! When it goes on by itself, and what starts a sync.

use crate::reconstruct::answer::{Change, Trigger};

/// What happens at the instant of `until`.
pub(crate) fn change(change: Change) -> String {
    match change {
        Change::Expiry { pods_may_come: false } => "expectations expire, which wakes nobody".into(),
        Change::Expiry { pods_may_come: true } => {
            "expectations expire, which wakes nobody; the awaited pods may come earlier".into()
        }
        Change::Retry { at_limit } => {
            let about = if at_limit {
                "the next retry is due about then"
            } else {
                "the next retry is due by then, probably earlier"
            };
            format!("{about}: the pause doubles with each failure up to 1000 s")
        }
    }
}

/// What starts a sync, in words or as a command.
pub(crate) fn trigger(trigger: &Trigger) -> String {
    match trigger {
        Trigger::AnyEvent => "any event of one of its pods, or a change of the ReplicaSet".into(),
        Trigger::Annotate { kind, key } => format!(
            "kubectl annotate -n {} {} touched=\"$(date)\" --overwrite",
            quoted(&key.namespace),
            quoted(&format!("{}/{}", kind.short(), key.name))
        ),
    }
}

/// A name as a shell takes it; names of the API need no quotes, names in files may.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/');
    if !name.is_empty() && name.chars().all(plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', r"'\''"))
    }
}
