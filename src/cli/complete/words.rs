//! The candidates of each place of a line.

use clap::builder::ValueHint;
use clap::{Arg, ArgAction};

use super::cluster::{self, Place};
use super::line::{Line, Wanted};
use super::{Candidate, Found};
use crate::cli::args::values;
use crate::cli::commands::demo;
use crate::engine::targets::target::Kind;
use crate::reasons::Code;
use crate::source::cluster::{Names, names};

const TYPES: [(&str, &str); 4] = [
    ("rs", "ReplicaSets"),
    ("deploy", "the ReplicaSets of Deployments"),
    ("pod", "the ReplicaSets of pods"),
    ("rc", "ReplicationControllers"),
];

/// The candidates that begin with what is typed.
pub fn of(line: &Line) -> Found {
    let found = match &line.wanted {
        Wanted::Command => Found::of(commands(line)),
        Wanted::Flag => Found::of(flags(line)),
        Wanted::Value(flag) => value(line, flag),
        Wanted::Argument => Found::of(arguments(line)),
    };
    found.beginning(&line.partial)
}

fn commands(line: &Line) -> Vec<Candidate> {
    let shown = line.command.get_subcommands().filter(|command| !command.is_hide_set());
    shown.map(|command| Candidate::new(command.get_name(), text(command.get_about()))).collect()
}

/// The flags that may still be given.
fn flags(line: &Line) -> Vec<Candidate> {
    let open = |flag: &&Arg| {
        let repeatable = matches!(flag.get_action(), ArgAction::Append | ArgAction::Count);
        !flag.is_hide_set() && (repeatable || !line.has(flag.get_id().as_str()))
    };
    let spellings = |flag: &Arg| {
        let about = text(flag.get_help());
        let long = flag.get_long().map(|name| Candidate::new(format!("--{name}"), about.as_str()));
        let short = flag.get_short().map(|letter| Candidate::new(format!("-{letter}"), about.as_str()));
        long.into_iter().chain(short)
    };
    line.command.get_arguments().filter(open).flat_map(spellings).collect()
}

fn value(line: &Line, flag: &Arg) -> Found {
    let fixed = possible(flag);
    if !fixed.is_empty() {
        return Found::of(fixed);
    }
    match flag.get_id().as_str() {
        "namespace" => {
            Found::of(Place::of(line).map(|place| cluster::namespaces(&place)).unwrap_or_default())
        }
        "context" => Found::of(configured(line, |names| names.contexts)),
        "cluster" => Found::of(configured(line, |names| names.clusters)),
        "user" => Found::of(configured(line, |names| names.users)),
        "fail_creates" => Found::of(values::refusals().map(code)),
        _ if flag.get_value_hint() == ValueHint::AnyPath => Found::files(),
        _ => Found::default(),
    }
}

fn possible(argument: &Arg) -> Vec<Candidate> {
    let values = argument.get_possible_values();
    let shown = values.iter().filter(|value| !value.is_hide_set());
    shown.map(|value| Candidate::new(value.get_name(), text(value.get_help()))).collect()
}

fn configured(line: &Line, of: impl Fn(Names) -> Vec<String>) -> Vec<Candidate> {
    let found = Place::of(line).and_then(|place| names(&place.flags)).map(of).unwrap_or_default();
    found.into_iter().map(|name| Candidate::new(name, "")).collect()
}

fn arguments(line: &Line) -> Vec<Candidate> {
    match line.command.get_name() {
        "list" | "dry-run" | "record" | "timeline" => targets(line),
        "explain" if wants_code(line) => Code::ALL.iter().copied().map(code).collect(),
        "explain" => targets(line),
        "help" => commands(line),
        _ if !line.arguments.is_empty() => Vec::new(),
        "demo" => demo::ALL.iter().map(|demo| Candidate::new(demo.name, demo.about)).collect(),
        _ => line.command.get_positionals().next().map(possible).unwrap_or_default(),
    }
}

/// Codes begin with a capital letter, objects do not.
fn wants_code(line: &Line) -> bool {
    let capital = |word: &str| word.starts_with(|c: char| c.is_ascii_uppercase());
    let first = line.arguments.first().unwrap_or(&line.partial);
    capital(first) && Kind::parse(first).is_none()
}

fn code(code: Code) -> Candidate {
    Candidate::new(code.as_str(), code.page().meaning)
}

/// Types and names, as far as they fit what stands before.
fn targets(line: &Line) -> Vec<Candidate> {
    let kinds = |word: &str| word.split(',').map(Kind::parse).collect::<Option<Vec<Kind>>>();
    if let Some(kinds) = line.arguments.first().and_then(|first| kinds(first)) {
        let mut names: Vec<Candidate> = kinds.into_iter().flat_map(|kind| objects(line, kind)).collect();
        names.retain(|name| !line.arguments[1..].contains(&name.value));
        return names;
    }
    let mut found = match line.partial.split_once('/') {
        Some((word, _)) => {
            let names = Kind::parse(word).map(|kind| objects(line, kind)).unwrap_or_default();
            let slashed = |name: Candidate| Candidate::new(format!("{word}/{}", name.value), name.about);
            names.into_iter().map(slashed).collect()
        }
        None => objects(line, Kind::ReplicaSet),
    };
    if line.arguments.is_empty() && !line.partial.contains('/') {
        found.splice(0..0, TYPES.map(|(word, about)| Candidate::new(word, about)));
    }
    found.retain(|candidate| !line.arguments.contains(&candidate.value));
    found
}

/// The objects of a kind in the cluster; with `-f` it is not asked.
fn objects(line: &Line, kind: Kind) -> Vec<Candidate> {
    if line.has("filename") || line.has("controller_log") {
        return Vec::new();
    }
    Place::of(line).map(|place| cluster::objects(&place, kind)).unwrap_or_default()
}

fn text(styled: Option<&clap::builder::StyledStr>) -> String {
    styled.map(ToString::to_string).unwrap_or_default()
}
