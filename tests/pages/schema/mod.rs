//! The JSON that is printed is what the schema in the repository says, and the schema only ever grows.

mod everything;
mod evolution;
mod strict;
mod table;

use std::path::PathBuf;

use serde_json::Value;
use strict::Strict;

const COMMITTED: &str = "schema/rsexp.dev_v1.json";

/// The schema of the last release. It is replaced by the committed one when a release is made.
const RELEASED: &str = "tests/data/schema/v1-released.json";

fn path(file: &str) -> PathBuf {
    support::root().join(file)
}

fn schema(file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path(file)).unwrap()).unwrap()
}

/// What the binary prints, as JSON; it must end well.
fn printed(args: &[&str]) -> Value {
    let ran = support::rsexp(args);
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{args:?}: {error}"))
}

#[test]
fn the_schema_in_the_repository_is_that_of_the_types() {
    let printed = support::rsexp(["schema"]).out;
    if std::env::var_os("RSEXP_WRITE").is_some() {
        std::fs::write(path(COMMITTED), &printed).unwrap();
    }
    let committed = std::fs::read_to_string(path(COMMITTED)).unwrap();
    assert!(
        committed == printed,
        "{COMMITTED} is stale: RSEXP_WRITE=1 cargo test --test pages schema:: renews it"
    );
    assert!(jsonschema::meta::is_valid(&schema(COMMITTED)));
}

#[test]
fn nothing_that_was_released_is_taken_back() {
    let broken = evolution::broken(&schema(RELEASED), &schema(COMMITTED));
    assert!(broken.is_empty(), "scripts that read {RELEASED} would break: {broken:#?}");
}

#[test]
fn readers_may_meet_fields_and_codes_that_they_do_not_know() {
    let open = jsonschema::validator_for(&schema(COMMITTED)).unwrap();
    let demo = printed(&["demo", "waits", "-o", "json"]);
    let reasoned = |report: &&Value| !report["reasons"].as_array().unwrap().is_empty();
    let mut report = demo["items"].as_array().unwrap().iter().find(reasoned).unwrap().clone();
    assert!(open.is_valid(&report));
    report["new"] = 1.into();
    report["reasons"][0]["code"] = "NewReason".into();
    assert!(open.is_valid(&report));
    assert!(!Strict::new().wrong(&report).is_empty());
    report["verdict"] = "perhaps".into();
    assert!(!open.is_valid(&report));
}
