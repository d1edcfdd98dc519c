//! `--expect`: what a script takes for granted about each answer, and where the answer differs.

use crate::engine::told::kind_of;
use crate::reasons::Code;
use crate::report::{Range, Report};
use crate::suggest;

/// What is expected of one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    key: Key,
    value: Wanted,
    equal: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    Word(&'static str),
    Number(i64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Verdict,
    Action,
    Gate,
    Reason,
    Create,
    Delete,
    Adopt,
    Release,
    Add,
    Del,
    Desired,
    Active,
    Diff,
}

const KEYS: [(&str, Key); 13] = [
    ("verdict", Key::Verdict),
    ("action", Key::Action),
    ("gate", Key::Gate),
    ("reason", Key::Reason),
    ("create", Key::Create),
    ("delete", Key::Delete),
    ("adopt", Key::Adopt),
    ("release", Key::Release),
    ("add", Key::Add),
    ("del", Key::Del),
    ("desired", Key::Desired),
    ("active", Key::Active),
    ("diff", Key::Diff),
];

const VERDICTS: [&str; 5] = ["settled", "act", "skip", "blocked", "undetermined"];
const ACTIONS: [&str; 4] = ["create", "delete", "none", "unknown"];
const GATES: [&str; 5] = ["none", "fulfilled", "waiting", "expired", "undetermined"];

/// What the answer says of a fact.
enum Fact {
    Word(&'static str),
    /// What it is among; every number where an end is open.
    Number(Range),
}

/// The terms of one `--expect`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms(pub Vec<Expected>);

/// Reads `verdict=act,create=3,reason!=WatchGap`.
pub fn parse(text: &str) -> Result<Terms, String> {
    text.split(',').map(|term| term_of(term.trim())).collect::<Result<_, _>>().map(Terms)
}

fn term_of(term: &str) -> Result<Expected, String> {
    let names = || KEYS.iter().map(|(name, _)| *name);
    let form = || {
        let names: Vec<&str> = names().collect();
        format!(
            "expected KEY=VALUE or KEY!=VALUE, several with commas between them; keys are {}",
            names.join(", ")
        )
    };
    let (name, value, equal) = match term.split_once("!=") {
        Some((name, value)) => (name, value, false),
        None => term
            .split_once('=')
            .map(|(name, value)| (name, value.trim_start_matches('='), true))
            .ok_or_else(form)?,
    };
    let (name, value) = (name.trim(), value.trim());
    let Some((_, key)) = KEYS.iter().find(|(known, _)| *known == name) else {
        return Err(format!("unknown key \"{name}\"{}: {}", suggest::hint(name, names()), form()));
    };
    Ok(Expected { key: *key, value: wanted(*key, name, value)?, equal })
}

fn wanted(key: Key, name: &str, value: &str) -> Result<Wanted, String> {
    let words: Vec<&'static str> = match key {
        Key::Verdict => VERDICTS.to_vec(),
        Key::Action => ACTIONS.to_vec(),
        Key::Gate => GATES.to_vec(),
        Key::Reason => Code::ALL.iter().map(|code| code.as_str()).collect(),
        _ => {
            let number = value.parse().map(Wanted::Number);
            return number.map_err(|_| format!("{name} takes a whole number, not \"{value}\""));
        }
    };
    words.iter().find(|word| word.eq_ignore_ascii_case(value)).map(|word| Wanted::Word(word)).ok_or_else(
        || {
            let hint = suggest::hint(value, words.iter().copied());
            format!("{name} takes one of {}, not \"{value}\"{hint}", words.join(", "))
        },
    )
}

/// Where the reports differ from what is expected, one line each that names the object.
pub fn differences(expected: &[Expected], reports: &[Report]) -> Vec<String> {
    if expected.is_empty() {
        return Vec::new();
    }
    if reports.is_empty() {
        let terms: Vec<String> = expected.iter().map(Expected::text).collect();
        return vec![format!("expected {}, but there is no ReplicaSet to compare with", terms.join(","))];
    }
    let instants = reports.iter().any(|report| report.as_of != reports[0].as_of);
    let each = |report| expected.iter().filter_map(move |one| one.difference(report, instants));
    reports.iter().flat_map(each).collect()
}

impl Expected {
    fn text(&self) -> String {
        let name = KEYS.iter().find(|(_, key)| *key == self.key).map_or("", |(name, _)| name);
        let sign = if self.equal { "=" } else { "!=" };
        match &self.value {
            Wanted::Word(word) => format!("{name}{sign}{word}"),
            Wanted::Number(number) => format!("{name}{sign}{number}"),
        }
    }

    fn difference(&self, report: &Report, instants: bool) -> Option<String> {
        let but = match (&self.value, self.key) {
            (Wanted::Word(code), Key::Reason) => self.among_reasons(code, report)?,
            (Wanted::Word(word), _) => self.unlike_word(word, report)?,
            (Wanted::Number(number), _) => self.unlike_number(*number, report)?,
        };
        let at = if instants { format!(" at {}", report.as_of) } else { String::new() };
        Some(format!("{}{at}: expected {}, but {but}", name(report), self.text()))
    }

    fn among_reasons(&self, code: &str, report: &Report) -> Option<String> {
        let codes: Vec<&str> = report.reasons.iter().map(|reason| reason.code).collect();
        if codes.contains(&code) == self.equal {
            return None;
        }
        Some(match codes.len() {
            0 => "there is no reason".into(),
            1 => format!("the reason is {}", codes[0]),
            _ => format!("the reasons are {}", codes.join(", ")),
        })
    }

    fn unlike_word(&self, wanted: &str, report: &Report) -> Option<String> {
        let Fact::Word(word) = fact(self.key, report) else { return None };
        ((word == wanted) != self.equal).then(|| format!("it is {word}"))
    }

    /// A number that is not known is neither equal nor different.
    fn unlike_number(&self, wanted: i64, report: &Report) -> Option<String> {
        let Fact::Number(range) = fact(self.key, report) else { return None };
        let known = range.min.is_some() && range.min == range.max;
        let possible = range.min.is_none_or(|min| min <= wanted) && range.max.is_none_or(|max| wanted <= max);
        let holds = if self.equal { known && possible } else { !possible };
        (!holds).then(|| match (range.min, range.max) {
            (Some(min), Some(max)) if min == max => format!("it is {min}"),
            (Some(min), Some(max)) => format!("it is {min}..{max}"),
            (Some(min), None) => format!("it is at least {min}"),
            (None, Some(max)) => format!("it is at most {max}"),
            (None, None) => "it is not known".into(),
        })
    }
}

fn fact(key: Key, report: &Report) -> Fact {
    let plan = &report.plan;
    let number = |number: Option<i64>| Fact::Number(Range { min: number, max: number });
    let count = |count: usize| i64::try_from(count).ok();
    let of_action = |action: &str, pods: usize| match plan.action {
        Some(planned) if planned == action => count(pods),
        Some(_) => Some(0),
        None => None,
    };
    match key {
        Key::Verdict => Fact::Word(report.verdict.as_str()),
        Key::Action => Fact::Word(plan.action.unwrap_or("unknown")),
        Key::Gate => Fact::Word(report.expectations.gate),
        Key::Reason => Fact::Word(""),
        Key::Create => number(of_action("create", plan.create.created)),
        Key::Delete => number(of_action("delete", plan.count)),
        Key::Adopt => number(count(plan.adopt.len())),
        Key::Release => number(count(plan.release.len())),
        Key::Add => Fact::Number(report.expectations.add),
        Key::Del => Fact::Number(report.expectations.del),
        Key::Desired => number(report.desired.map(i64::from)),
        Key::Active => number(report.active.and_then(count)),
        Key::Diff => number(report.diff),
    }
}

fn name(report: &Report) -> String {
    format!("{}/{} ({})", kind_of(report).short(), report.object.name, report.object.namespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_read_with_blanks_and_any_case() {
        let Terms(terms) = parse("verdict=ACT, create = 3,diff==-2,reason!=watchgap").unwrap();
        let texts: Vec<String> = terms.iter().map(Expected::text).collect();
        assert_eq!(texts, ["verdict=act", "create=3", "diff=-2", "reason!=WatchGap"]);
    }

    #[test]
    fn every_key_is_offered_and_refuses_a_bad_value() {
        for (name, _) in KEYS {
            assert!(parse("colour=red").unwrap_err().contains(name), "{name}");
            assert!(parse(&format!("{name}=?")).unwrap_err().contains(&format!("{name} takes ")), "{name}");
        }
        for wrong in ["", "verdict", "verdict=act,", "=act", "verdict>act", "verdict="] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse("verdict=setled").unwrap_err().ends_with("did you mean \"settled\"?"));
        assert!(parse("creates=1").unwrap_err().contains("did you mean \"create\"?"));
    }

    #[test]
    fn nothing_to_compare_with_is_a_difference() {
        let Terms(terms) = parse("verdict=settled").unwrap();
        assert_eq!(differences(&terms, &[]).len(), 1);
        assert!(differences(&[], &[]).is_empty());
    }
}
