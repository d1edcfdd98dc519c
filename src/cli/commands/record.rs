//! `record`: keeps what `explain` would read of a cluster, to be asked about later or elsewhere.

use std::io::{self, ErrorKind};
use std::path::Path;

use jiff::{SignedDuration, Timestamp};

use crate::cli::exit::Exit;
use crate::cli::render::output;
use crate::engine::failure::Failure;
use crate::engine::live::recorded_scope;
use crate::engine::settings::RecordSettings;
use crate::engine::targets::target::{Kind, Target};
use crate::objects::{Object, Observation, What};
use crate::record::file::{Destination, RecordingFile};
use crate::record::redact::Redactor;
use crate::record::{Amount, Recorder};
use crate::report::format::{age, count};
use crate::source::cluster::{Closed, Live, LiveNotes, os_error};
use crate::source::{Flow, Opening, Sink, Unread};

/// Records until the window closes, and says what came of it.
pub fn record(settings: &RecordSettings) -> Result<Exit, Failure> {
    settings.to.check().map_err(|error| unwritten(&settings.to, None, error))?;
    let live = Live::connect(&settings.about.connection)?;
    let default = live.default_namespace().to_owned();
    let namespace = match settings.about.all_namespaces {
        true => None,
        false => Some(settings.about.namespace.as_deref().unwrap_or(&default)),
    };
    let mut recording = Recording::new(settings);
    let notes = live.read(&recorded_scope(&settings.about, namespace), &mut recording)?;
    recording.close(&notes)
}

/// A recording under way.
struct Recording<'a> {
    settings: &'a RecordSettings,
    redactor: Option<Redactor>,
    /// None before the first observation, and where the file could not be begun.
    recorder: Option<Recorder<RecordingFile>>,
    /// Why the file could not be begun.
    failed: Option<Failure>,
    /// The name of the file until it is whole.
    partial: Option<String>,
    /// The named targets that were not seen.
    unseen: Vec<Target>,
    /// What was said of resources that cannot be read.
    said: Vec<String>,
}

impl Sink for Recording<'_> {
    fn opened(&mut self, opening: &Opening<'_>) {
        match self.settings.to.open() {
            Ok(output) => self.begin(output, opening),
            Err(error) => self.failed = Some(unwritten(&self.settings.to, None, error)),
        }
    }

    fn observe(&mut self, observation: Observation) -> Flow {
        let Some(recorder) = &mut self.recorder else { return Flow::Enough };
        see(&mut self.unseen, &observation.what);
        recorder.observe(match &mut self.redactor {
            Some(redactor) => redactor.observation(observation),
            None => observation,
        })
    }

    fn idle(&mut self, now: Timestamp) -> Flow {
        self.recorder.as_mut().map_or(Flow::Enough, |recorder| recorder.idle(now))
    }
}

impl<'a> Recording<'a> {
    fn new(settings: &'a RecordSettings) -> Recording<'a> {
        let named = settings.about.targets.iter().filter(|target| target.name().is_some());
        Recording {
            settings,
            redactor: settings.redact.then(Redactor::default),
            recorder: None,
            failed: None,
            partial: None,
            unseen: named.cloned().collect(),
            said: Vec::new(),
        }
    }

    fn begin(&mut self, output: RecordingFile, opening: &Opening<'_>) {
        self.partial = output.partial().map(|path| path.display().to_string());
        let place = match opening.namespace {
            Some(namespace) => format!("namespace {namespace}"),
            None => "all namespaces".to_owned(),
        };
        let to = self.partial.clone().unwrap_or_else(|| self.settings.to.to_string());
        let until = if self.settings.about.live.follow { ", until Ctrl-C" } else { "" };
        output::note(&format!("recording {place} into {to}{until}"));
        for Unread { what, why, .. } in opening.degraded {
            output::warning(&format!("{what}: {why}"));
            self.said.push(what.clone());
        }
        let mut recorder = Recorder::new(output);
        let namespace = match (&mut self.redactor, opening.namespace) {
            (Some(redactor), Some(namespace)) => Some(redactor.name(namespace)),
            (_, namespace) => namespace.map(str::to_owned),
        };
        recorder.opened(&Opening { namespace: namespace.as_deref(), ..*opening });
        self.recorder = Some(recorder);
    }

    /// Puts the file under its name and says what is in it.
    fn close(mut self, notes: &LiveNotes) -> Result<Exit, Failure> {
        let to = &self.settings.to;
        let Some(recorder) = self.recorder.take() else {
            return Err(self.failed.unwrap_or(Failure::Closed));
        };
        let last = recorder.last().unwrap_or(notes.started_at);
        let partial = self.partial.as_deref();
        let closed = recorder.finish().and_then(|(output, amount)| Ok((output.close()?, amount)));
        let (bytes, amount) = closed.map_err(|error| unwritten(to, partial, error))?;
        output::note(&summary(to, bytes, amount, last.duration_since(notes.started_at)));
        output::note(&format!("ask about it: {}", self.question()));
        Ok(self.tell(notes))
    }

    /// Says what the recording lacks.
    fn tell(&self, notes: &LiveNotes) -> Exit {
        let unsaid = notes.degraded.iter().filter(|unread| !self.said.contains(&unread.what));
        unsaid.for_each(|unread| output::warning(&format!("{}: {}", unread.what, unread.why)));
        notes.interruptions.iter().for_each(|line| output::warning(line));
        notes.problems.iter().for_each(|line| output::error(line));
        self.unseen.iter().for_each(|target| output::error(&target.not_found()));
        if let Closed::Cut(why) = &notes.closed_because {
            output::error(&format!("the recording ends before it was to: {why}"));
            return Exit::Error;
        }
        match (self.unseen.len(), self.settings.about.targets.len()) {
            _ if !notes.problems.is_empty() => Exit::Error,
            (0, _) => Exit::Answered,
            (unseen, all) if unseen == all => Exit::Missing,
            _ => Exit::Error,
        }
    }

    /// The command that asks about the recording.
    fn question(&mut self) -> String {
        let mut words = vec!["kubectl rsexp".to_owned()];
        let targets = &self.settings.about.targets;
        words.push(if targets.is_empty() { "list" } else { "explain" }.to_owned());
        for target in targets {
            words.extend(written(target, self.redactor.as_mut()));
        }
        if let Some(selector) = &self.settings.about.selector {
            let redacted = self.redactor.as_mut().map(|redactor| redactor.selector(selector));
            words.push(format!("-l {}", quoted(&redacted.as_ref().unwrap_or(selector).to_string())));
        }
        let file = match &self.settings.to {
            Destination::Stdout => "FILE".to_owned(),
            Destination::Path(path) => quoted(&path.display().to_string()),
        };
        words.push(format!("-f {file}"));
        words.join(" ")
    }
}

/// Drops the targets that are seen.
fn see(unseen: &mut Vec<Target>, what: &What) {
    let mut one = |object: &Object| {
        let (resource, name) = (object.resource().as_str(), object.meta().name.as_str());
        let is_it =
            |target: &Target| target.name().is_some_and(|(kind, n)| kind.resource() == resource && n == name);
        unseen.retain(|target| !is_it(target));
    };
    match what {
        What::List { items, .. } => items.iter().for_each(one),
        What::Added(object) | What::Modified(object) | What::Deleted(object) => one(object),
        _ => {}
    }
}

/// A target as it is asked for in the recording.
fn written(target: &Target, redactor: Option<&mut Redactor>) -> Vec<String> {
    match target {
        Target::All(kinds) => {
            let kinds: Vec<&str> = kinds.iter().map(|kind| short(*kind)).collect();
            vec![kinds.join(",")]
        }
        named => {
            let (kind, name) = named.name().unwrap_or((Kind::ReplicaSet, ""));
            let name = redactor.map_or_else(|| name.to_owned(), |redactor| redactor.name(name));
            vec![quoted(&format!("{}/{name}", short(kind)))]
        }
    }
}

fn short(kind: Kind) -> &'static str {
    match kind {
        Kind::ReplicaSet => "rs",
        Kind::ReplicationController => "rc",
        Kind::Deployment => "deploy",
        Kind::Pod => "pod",
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Why a recording could not be written, and what is left of it.
fn unwritten(to: &Destination, partial: Option<&str>, error: io::Error) -> Failure {
    if *to == Destination::Stdout && error.kind() == ErrorKind::BrokenPipe {
        return Failure::Closed;
    }
    let left = partial.filter(|name| Path::new(name).exists());
    let left = left.map(|name| format!("; what was recorded until then is in {name}")).unwrap_or_default();
    Failure::Recording { place: to.to_string(), why: os_error(&error), left, source: error }
}

fn summary(to: &Destination, bytes: u64, amount: Amount, took: SignedDuration) -> String {
    let Amount { lines, listed, changes } = amount;
    format!(
        "recorded {} to {to}: {}, {} listed, {}, {}",
        size(bytes),
        count(lines, "line"),
        count(listed, "object"),
        count(changes, "change"),
        age(took)
    )
}

fn size(bytes: u64) -> String {
    const KI: f64 = 1024.0;
    let many = bytes as f64;
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{:.1} KiB", many / KI),
        _ => format!("{:.1} MiB", many / KI / KI),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_only_if_a_shell_would_not_take_them() {
        assert_eq!(quoted("web.rsexp.jsonl.gz"), "web.rsexp.jsonl.gz");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn sizes_have_a_unit_that_reads_well() {
        assert_eq!([12, 1023, 1024, 1_572_864].map(size), ["12 bytes", "1023 bytes", "1.0 KiB", "1.5 MiB"]);
        assert_eq!(count(1, "line"), "1 line");
    }
}
