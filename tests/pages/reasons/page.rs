//! The pages as Markdown.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::reasons::examples::Example;
use crate::reasons::text;

const WIDTH: usize = 120;

/// The page of a code.
pub fn of(entry: &Value, example: Option<&Example>) -> String {
    let code = text(entry, "code");
    let mut parts = vec![
        format!("# {code}"),
        format!("**{}.**", text(entry, "meaning")),
        text(entry, "text").to_owned(),
        format!("**How it is recognised.** {}", text(entry, "recognised")),
        format!("**How sure it is.** {}", sure(entry)),
        format!("**What to do.** {}", text(entry, "remedy")),
    ];
    parts.extend(entry["wakes"].as_str().map(|wakes| format!("**What wakes it.** {wakes}")));
    let mut page: String = parts.iter().map(|part| wrapped(part) + "\n\n").collect();
    page += "## Example\n\n";
    page += &match example {
        Some(Example { about, command, output }) => {
            format!("{about}:\n\n```console\n$ kubectl rsexp {command}\n{output}```\n")
        }
        None => wrapped("No recorded run and no case of this repository has it, so there is none.") + "\n",
    };
    page + "\n[All reasons](README.md)\n"
}

fn tiers(entry: &Value) -> Vec<&str> {
    entry["tiers"].as_array().unwrap().iter().map(|tier| tier.as_str().unwrap()).collect()
}

fn sure(entry: &Value) -> String {
    let word = |tier: &&str| match *tier {
        "observed" => "observed: seen in objects, events or the window",
        "logged" => "logged: the controller's log says it",
        "inferred" => "inferred: it follows from what was seen, by the controller's rules",
        _ => "assumed: a default, or a guess that is said to be one",
    };
    match tiers(entry).as_slice() {
        [] => "No answer gives this code yet.".into(),
        tiers => tiers.iter().map(word).collect::<Vec<_>>().join("; or ") + ".",
    }
}

/// The page with all codes.
pub fn index(registry: &[Value], examples: &BTreeMap<String, Example>) -> String {
    let about = "Every reason that an answer can give. `kubectl rsexp explain CODE` prints the same, and \
                 `kubectl rsexp explain --list-codes` all of them. Codes may be added within v1; a code never changes \
                 its meaning and is never taken back. These pages are made from the program: see CONTRIBUTING.md.";
    let sure = "Tiers: observed (seen), logged (the controller's log says it), inferred (follows from what was seen, by \
                the controller's rules), assumed (a default or a guess). An example is the program's own output on a \
                recorded run or a case of this repository.";
    let row = |entry: &Value| {
        let code = text(entry, "code");
        let tiers = match tiers(entry).as_slice() {
            [] => "not given yet".into(),
            tiers => tiers.join(", "),
        };
        let example = if examples.contains_key(code) { "yes" } else { "none" };
        format!("| [{code}]({code}.md) | {} | {tiers} | {example} |\n", text(entry, "meaning"))
    };
    format!(
        "# Reasons\n\n{}\n\n{}\n\n| code | meaning | tiers | example |\n|---|---|---|---|\n{}",
        wrapped(about),
        wrapped(sure),
        registry.iter().map(row).collect::<String>()
    )
}

fn wrapped(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}
