//! Asks a live cluster: what to read for a question, and what came of it.

use std::time::Duration;

use crate::engine::ask::Answers;
use crate::engine::failure::Failure;
use crate::engine::provenance::Provenance;
use crate::engine::session::{Listeners, Session};
use crate::engine::settings::{Question, Settings};
use crate::engine::targets::target::{Kind, Target};
use crate::objects::{OwnerKind, Resource};
use crate::source::Notes;
use crate::source::cluster::{Closed, Live, LiveNotes, Scope};
use crate::source::controller_log::{LogOptions, Merge};

/// How long to watch where nothing else is said. A list answers from the snapshot.
const WINDOW: Duration = Duration::from_secs(5);

/// Connects, reads and answers.
pub fn answer<'a>(settings: &'a Settings, listeners: Listeners<'a>) -> Result<Answers, Failure> {
    let live = Live::connect(&settings.connection)?;
    let default = live.default_namespace().to_owned();
    let namespace =
        if settings.all_namespaces { None } else { Some(settings.namespace.as_deref().unwrap_or(&default)) };
    let scope = scope(settings, namespace);
    let mut session = Session::new(settings, listeners);
    session.opened(Provenance::of_open_cluster());
    let (notes, of_logs) = read(&live, &scope, settings, &mut session)?;
    let place = namespace.map_or("all namespaces".to_owned(), |namespace| format!("namespace {namespace}"));
    let shown = settings.live.follow && !matches!(settings.question, Question::Timeline { .. });
    let mut answers = session.finish(Provenance::of_cluster(&notes, &of_logs, &place));
    answers.timed_out = settings.live.until.is_some() && notes.closed_because == Closed::TimedOut;
    if shown {
        // Everything was printed as it came.
        answers.reports.clear();
        answers.rows.clear();
    }
    Ok(answers)
}

/// Reads the cluster, and logs beside it up to the end of the window.
fn read(
    live: &Live,
    scope: &Scope,
    settings: &Settings,
    session: &mut Session<'_>,
) -> Result<(LiveNotes, Notes), Failure> {
    let mut of_logs = Notes::default();
    if settings.logs.is_empty() {
        return Ok((live.read(scope, session)?, of_logs));
    }
    let options = LogOptions {
        files: settings.logs.clone(),
        zone: settings.log_zone,
        growing: true,
        ..LogOptions::default()
    };
    let mut merge = Merge::new(session, options, Vec::new());
    let notes = live.read(scope, &mut merge)?;
    merge.finish(&mut of_logs);
    Ok((notes, of_logs))
}

/// As narrow as the question allows.
fn scope(settings: &Settings, namespace: Option<&str>) -> Scope {
    let mut scope = Scope::of(namespace);
    match settings.targets.as_slice() {
        [Target::ReplicaSet(name)] => {
            scope = scope.about(OwnerKind::ReplicaSet, name);
            scope.focus = namespace.map(|_| name.clone());
        }
        [Target::ReplicationController(name)] => scope = scope.about(OwnerKind::ReplicationController, name),
        _ => {}
    }
    with_context(scope, settings)
}

/// The same for a recording, which will be asked about others than it was made for: all pods and
/// events of the namespace.
pub(crate) fn recorded_scope(settings: &Settings, namespace: Option<&str>) -> Scope {
    with_context(Scope::of(namespace), settings)
}

/// Adds what decides about ReplicaSets beside themselves, and how long is watched.
fn with_context(scope: Scope, settings: &Settings) -> Scope {
    let mut scope = scope.with(Resource::Leases);
    if matches!(settings.question, Question::List { .. }) {
        // The condition shows refusals; events of a whole cluster cost more than they add.
        scope.reads.retain(|read| read.resource != Resource::Events);
    } else {
        scope = scope.with(Resource::Quotas).with(Resource::Namespaces).with(Resource::Deployments);
    }
    let wants = |kind: Kind| settings.targets.iter().any(|target| asks_for(target, kind));
    if wants(Kind::ReplicationController) || wants(Kind::Pod) {
        scope = scope.with(Resource::ReplicationControllers);
    }
    if wants(Kind::Deployment) {
        scope = scope.with(Resource::Deployments);
    }
    let window = match settings.question {
        Question::List { .. } => Duration::ZERO,
        _ => WINDOW,
    };
    scope.window = settings.live.window.unwrap_or(window);
    scope.follow = settings.live.follow || settings.live.until.is_some();
    scope.timeout = settings.live.timeout;
    scope.chunk_size = settings.live.chunk_size;
    scope
}

fn asks_for(target: &Target, kind: Kind) -> bool {
    match target {
        Target::All(kinds) => kinds.contains(&kind),
        named => named.name().is_some_and(|(named, _)| named == kind),
    }
}
