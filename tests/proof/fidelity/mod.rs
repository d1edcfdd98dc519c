//! `docs/fidelity.md`: how faithful the program is to the real controller, from committed figures.

mod faults;
pub mod figures;
mod page;

use figures::{Figures, Source};

/// The rules that no run verifies, as a table.
const UNVERIFIED: &str = include_str!("unverified.md");

#[test]
fn the_page_is_what_the_figures_say() {
    let path = faults::root().join("docs/fidelity.md");
    let page = page::page(&figures::all(), UNVERIFIED, &faults::all());
    if std::env::var_os("RSEXP_WRITE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let same = std::fs::read_to_string(&path).unwrap_or_default() == page;
    assert!(same, "docs/fidelity.md is stale: RSEXP_WRITE=1 cargo test --test proof fidelity:: renews it");
}

#[test]
fn nothing_wrong_is_committed_and_the_counts_add_up() {
    let all = figures::all();
    for source in ["traces-1.34", "traces-1.37", "vectors-1.34", "vectors-1.36", "vectors-1.37"] {
        assert!(all.contains_key(&format!("{source}.json")), "{source}");
    }
    let faults: Vec<String> = all.values().flat_map(Figures::faults).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn files_are_named_by_their_minor() {
    for (name, figures) in figures::all() {
        let minor = figures.kubernetes.rsplit_once('.').unwrap().0;
        assert!(name.ends_with(&format!("-{minor}.json")), "{name} holds figures of {}", figures.kubernetes);
    }
}

const LIVE: &str = r#"{"kubernetes": "1.37.2", "parts": [
    {"part": "scenarios", "mechanism": "slow start against a quota", "seeds": null,
     "checkpoints": 12, "right": 10, "undetermined": 2, "wrong": 0},
    {"part": "random", "mechanism": "all", "seeds": "1..40",
     "checkpoints": 4, "right": 4, "undetermined": 0, "wrong": 0}]}"#;

fn live() -> Figures {
    serde_json::from_str(LIVE).unwrap()
}

#[test]
fn results_of_live_runs_are_read_and_stand_on_the_page() {
    assert_eq!(live().parts[1].part, Source::Random);
    let page = |figures: &[(&str, Figures)]| {
        let named = figures.iter().map(|(name, figures)| ((*name).to_owned(), figures.clone()));
        page::page(&named.collect(), UNVERIFIED, &[])
    };
    let with = page(&[("live-1.37.json", live())]);
    assert!(
        with.contains("| mechanism | 1.37.2 |\n|---|---|\n| slow start against a quota | 10/2/0 of 12 |")
    );
    assert!(with.contains("| all | 4/0/0 of 4, seeds 1..40 |"), "{with}");
    assert!(page(&[]).contains("No results of live runs are kept yet."));
}

#[test]
fn a_figure_that_falls_or_goes_is_told_and_one_that_rises_is_not() {
    let mut now = live();
    now.parts[0].right = 9;
    now.parts[0].undetermined = 3;
    assert_eq!(now.fallen_from(&live()).len(), 1);
    assert_eq!(live().fallen_from(&now), Vec::<String>::new());
    now.parts.remove(1);
    assert_eq!(now.fallen_from(&live()).len(), 2);
}

#[test]
fn wrong_answers_and_counts_that_do_not_add_up_are_told() {
    assert_eq!(live().faults(), Vec::<String>::new());
    let mut wrong = live();
    (wrong.parts[0].right, wrong.parts[0].wrong) = (9, 1);
    assert_eq!(wrong.faults().len(), 1);
    wrong.parts[1].right = 3;
    assert_eq!(wrong.faults().len(), 2);
}

#[test]
fn every_switch_of_versions_is_listed_with_what_no_run_verifies() {
    let profile = std::fs::read_to_string(faults::root().join("src/model/profile.rs")).unwrap();
    let (_, fields) = profile.split_once("pub struct Profile {").unwrap();
    let (fields, _) = fields.split_once("\n}").unwrap();
    let fields = fields.lines().filter(|line| !line.trim().starts_with("//"));
    let fields: Vec<&str> = fields.filter_map(|line| line.split_once(':')?.0.rsplit(' ').next()).collect();
    assert!(fields.len() > 10, "{fields:?}");
    let missing: Vec<&str> = fields
        .into_iter()
        .filter(|field| *field != "version" && !UNVERIFIED.contains(&format!("`{field}`")))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_fault_still_applies_and_names_tests_that_exist() {
    let root = faults::root();
    let sources: String = ["src", "tests"].iter().map(|folder| code(&root.join(folder))).collect();
    let faults = faults::all();
    assert!(faults.len() >= 50, "{}", faults.len());
    for fault in &faults {
        assert!(!fault.tests.is_empty() && !fault.edits.is_empty(), "{}", fault.name);
        for test in &fault.tests {
            let name = test.rsplit([' ', ':']).next().unwrap();
            assert!(sources.contains(&format!("fn {name}()")), "{} names {test}", fault.name);
        }
        for edit in &fault.edits {
            let found = std::fs::read_to_string(root.join(&edit.file)).unwrap().matches(&edit.old).count();
            assert_eq!(found, 1, "{} in {}", fault.name, edit.file);
        }
    }
}

/// All Rust below a folder.
fn code(folder: &std::path::Path) -> String {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .map(|path| match path.extension() {
            _ if path.is_dir() => code(&path),
            Some(extension) if extension == "rs" => std::fs::read_to_string(&path).unwrap(),
            _ => String::new(),
        })
        .collect()
}
