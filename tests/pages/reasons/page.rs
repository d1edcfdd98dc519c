//! The pages as Markdown.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::reasons::examples::Example;
use crate::reasons::text;

const WIDTH: usize = 120;

const EXAMPLE: &str = "\n\n## Example\n\n";

/// A part of a page, and what `explain CODE` calls it.
pub struct Part {
    /// Its label on the page, in bold; none for the meaning and the text.
    pub label: Option<&'static str>,
    /// The field of `explain CODE -o json`.
    pub field: &'static str,
}

/// The parts after the title, in order. The last is on pages of codes that block a sync.
pub const PARTS: [Part; 6] = [
    Part { label: None, field: "meaning" },
    Part { label: None, field: "text" },
    Part { label: Some("How it is recognised"), field: "recognised" },
    Part { label: Some("How sure it is"), field: "tiers" },
    Part { label: Some("What to do"), field: "remedy" },
    Part { label: Some("What triggers a sync"), field: "wakes" },
];

/// The paragraphs before the example, each on one line and without backticks.
pub fn paragraphs(page: &str) -> Vec<String> {
    let (head, _) = page.split_once(EXAMPLE).unwrap();
    head.split("\n\n").map(|paragraph| paragraph.replace('\n', " ").replace('`', "")).collect()
}

/// The page with the example, and the tiers, as the program has them. Everything else is written by hand.
pub fn renewed(page: &str, entry: &Value, example: Option<&Example>) -> String {
    let (head, _) = page.split_once(EXAMPLE).unwrap();
    let sure = wrapped(&format!("**How sure it is.** {}", sure(entry)));
    let head: Vec<&str> = head
        .split("\n\n")
        .map(|paragraph| if paragraph.starts_with("**How sure it is.**") { sure.as_str() } else { paragraph })
        .collect();
    let example = match example {
        Some(Example { about, command, output }) => {
            format!("{about}:\n\n```console\n$ kubectl rsexp {command}\n{output}```\n")
        }
        None => "No recorded run or case of this repository has it.\n".to_owned(),
    };
    format!("{}{EXAMPLE}{example}\n[All reasons](README.md)\n", head.join("\n\n"))
}

fn tiers(entry: &Value) -> Vec<&str> {
    entry["tiers"].as_array().unwrap().iter().map(|tier| tier.as_str().unwrap()).collect()
}

/// How sure a code is, in words.
pub fn sure(entry: &Value) -> String {
    let word = |tier: &&str| match *tier {
        "observed" => "observed: seen in objects, events or the window",
        "logged" => "logged: the controller's log shows it",
        "inferred" => "inferred: it follows from what was observed, by the controller's rules",
        _ => "assumed: a default, or a guess that is marked as one",
    };
    tiers(entry).iter().map(word).collect::<Vec<_>>().join("; or ") + "."
}

/// The page with all codes.
pub fn index(registry: &[Value], examples: &BTreeMap<String, Example>) -> String {
    let about = "Every reason that an answer can have. `kubectl rsexp explain CODE` prints the page of a code without \
                 its example, and `kubectl rsexp explain --list-codes` lists all codes. Codes may be added within v1; a \
                 code never changes its meaning and is never removed.";
    let sure = "Tiers: observed (seen in objects, events or the window), logged (the controller's log shows it), \
                inferred (it follows from what was observed, by the controller's rules), assumed (a default or a guess). \
                An example is the program's own output for a recorded run or a case of this repository.";
    let row = |entry: &Value| {
        let code = text(entry, "code");
        let tiers = tiers(entry).join(", ");
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
