//! Reading a cluster, against a scripted server and a clock that jumps.

mod fake;
mod focus;
mod lists;
mod watches;

use std::future::pending;
use std::time::Duration;

use fake::Fake;
use rsexp::objects::{Observation, Resource, What};
use rsexp::source::Sink;
use rsexp::source::cluster::ClusterError;
use rsexp::source::cluster::{LiveNotes, Scope, window};

/// A scope with a window of so many seconds.
fn scope(seconds: u64) -> Scope {
    Scope { window: Duration::from_secs(seconds), ..Scope::of(Some("shop")) }
}

/// Reads without a Ctrl-C.
async fn run(fake: &Fake, scope: &Scope, sink: &mut dyn Sink) -> Result<LiveNotes, ClusterError> {
    window::run(fake, scope, pending(), sink).await
}

/// What was seen of a resource, a word each.
fn words(seen: &[Observation], resource: Resource) -> Vec<String> {
    let of_it = seen.iter().filter(|o| o.resource == resource);
    of_it
        .map(|o| match &o.what {
            What::Begin { server_version } => format!("begin {}", server_version.as_deref().unwrap_or("?")),
            What::List { resource_version, items } => {
                let names: Vec<&str> = items.iter().map(|item| item.meta().name.as_str()).collect();
                format!("list {resource_version} {}", names.join(","))
            }
            What::Added(object) => format!("added {}", object.meta().name),
            What::Modified(object) => format!("modified {}", object.meta().name),
            What::Deleted(object) => format!("deleted {}", object.meta().name),
            What::Bookmark { resource_version } => format!("bookmark {resource_version}"),
            What::Gap(why) => format!("gap {why}"),
            What::Log(_) => "log".into(),
            What::End => "end".into(),
        })
        .collect()
}
