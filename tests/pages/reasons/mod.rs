//! A page for each reason code. Its text is written by hand and compiled into the program; its example is what the
//! program prints for a recorded run or a case: `RSEXP_WRITE=1 cargo test --test pages reasons::` renews the examples.

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

fn read(code: &str) -> String {
    let path = root().join(format!("docs/reasons/{code}.md"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pages by file name, as they should be.
fn renewed() -> BTreeMap<String, String> {
    let examples: &BTreeMap<String, Example> = &FOUND.examples;
    let mut pages: BTreeMap<String, String> = REGISTRY
        .iter()
        .map(|entry| {
            let code = text(entry, "code");
            (format!("{code}.md"), page::renewed(&read(code), entry, examples.get(code)))
        })
        .collect();
    pages.insert("README.md".into(), page::index(&REGISTRY, examples));
    pages
}

#[test]
fn examples_are_what_the_program_prints() {
    let directory = root().join("docs/reasons");
    let pages = renewed();
    if std::env::var_os("RSEXP_WRITE").is_some() {
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
    assert_eq!(written.len(), pages.len(), "docs/reasons has a page without a code");
}

/// The page of a code and `explain CODE` have the same parts, in the same order and words.
#[test]
fn a_page_has_the_parts_that_explain_prints() {
    for entry in &*REGISTRY {
        let code = text(entry, "code");
        let parts = page::PARTS.iter().filter(|part| !entry[part.field].is_null());
        let (mut of_page, mut of_text) = (vec![format!("# {code}")], code.to_owned());
        for part in parts {
            let said =
                if part.field == "tiers" { page::sure(entry) } else { text(entry, part.field).to_owned() };
            of_page.push(match part.label {
                Some(label) => format!("**{label}.** {said}"),
                None if part.field == "meaning" => format!("**{said}.**"),
                None => said.clone(),
            });
            of_text += &part.label.map_or_else(|| format!(" {said}"), |label| format!(" {label}: {said}"));
        }
        assert_eq!(page::paragraphs(&read(code)), of_page, "{code}");
        let printed = support::rsexp(["explain", code]).out;
        assert_eq!(printed.split_whitespace().collect::<Vec<_>>().join(" "), of_text, "{code}");
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

/// The tiers of the registry cover those that answers have.
#[test]
fn tiers_of_the_registry_are_those_that_occur() {
    for entry in &*REGISTRY {
        let code = text(entry, "code");
        let listed: Vec<&str> =
            entry["tiers"].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
        let given = FOUND.tiers.get(code).into_iter().flatten();
        let unlisted: Vec<&String> = given.filter(|tier| !listed.contains(&tier.as_str())).collect();
        assert!(unlisted.is_empty(), "{code} is given as {unlisted:?}, but the registry has {listed:?}");
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
