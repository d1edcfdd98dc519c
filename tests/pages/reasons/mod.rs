//! A page for each reason code, made from the registry and from what the program says of recorded runs
//! and cases: `RSEXP_WRITE=1 cargo test --test pages reasons::` writes them anew.

mod examples;
mod page;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use examples::Example;
use serde_json::Value;

/// Everything that the registry knows, in its order.
static REGISTRY: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let ran = support::rsexp(["explain", "--list-codes", "-o", "json"]);
    let list: Value = serde_json::from_str(&ran.out).unwrap();
    list["items"].as_array().unwrap().clone()
});

static FOUND: LazyLock<examples::Found> = LazyLock::new(examples::search);

fn root() -> PathBuf {
    support::root().to_owned()
}

fn text<'a>(entry: &'a Value, field: &str) -> &'a str {
    entry[field].as_str().unwrap_or_else(|| panic!("{field} of {entry}"))
}

/// The pages by file name.
fn pages() -> BTreeMap<String, String> {
    let examples: &BTreeMap<String, Example> = &FOUND.examples;
    let mut pages: BTreeMap<String, String> = REGISTRY
        .iter()
        .map(|entry| {
            let code = text(entry, "code");
            (format!("{code}.md"), page::of(entry, examples.get(code)))
        })
        .collect();
    pages.insert("README.md".into(), page::index(&REGISTRY, examples));
    pages
}

#[test]
fn pages_are_what_the_registry_and_the_program_say() {
    let directory = root().join("docs/reasons");
    let pages = pages();
    if std::env::var_os("RSEXP_WRITE").is_some() {
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).unwrap();
        pages.iter().for_each(|(name, page)| std::fs::write(directory.join(name), page).unwrap());
    }
    let written: BTreeMap<String, String> = std::fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path: PathBuf| (name(&path), std::fs::read_to_string(&path).unwrap()))
        .collect();
    let stale: Vec<&String> = pages.keys().filter(|name| written.get(*name) != pages.get(*name)).collect();
    let renew = "RSEXP_WRITE=1 cargo test --test pages reasons:: renews them";
    assert!(stale.is_empty(), "stale in docs/reasons: {stale:?}; {renew}");
    assert_eq!(written.len(), pages.len(), "a page too many in docs/reasons; {renew}");
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

/// How sure a reason is said to be covers how sure it turns out to be.
#[test]
fn tiers_of_the_registry_are_those_that_occur() {
    for entry in &*REGISTRY {
        let code = text(entry, "code");
        let said: Vec<&str> =
            entry["tiers"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
        let given = FOUND.tiers.get(code).into_iter().flatten();
        let unsaid: Vec<&String> = given.filter(|tier| !said.contains(&tier.as_str())).collect();
        assert!(unsaid.is_empty(), "{code} is given as {unsaid:?} and said to be {said:?}");
    }
}

/// Most codes have an example; those without are not given, or need input that nobody recorded.
#[test]
fn an_example_shows_its_code() {
    for (code, example) in &FOUND.examples {
        assert!(example.output.contains(code.as_str()), "{code}: {}", example.output);
    }
    assert!(FOUND.examples.len() >= 50, "{:?}", FOUND.examples.keys());
}
