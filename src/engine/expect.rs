//! `--expect`: what a script expects of each answer, and where the answer differs.

use std::fmt;

use crate::reasons::Code;
use crate::report::{Bounds, GateState, Report, SyncAction, Verdict, format};
use crate::suggest;

/// What is expected of one fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    key: FactName,
    value: ExpectedValue,
    equal: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExpectedValue {
    Verdict(Verdict),
    Action(PlannedAction),
    Gate(GateState),
    Reason(Code),
    Number(i64),
}

impl fmt::Display for ExpectedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpectedValue::Verdict(verdict) => f.write_str(verdict.as_str()),
            ExpectedValue::Action(action) => action.fmt(f),
            ExpectedValue::Gate(gate) => gate.fmt(f),
            ExpectedValue::Reason(code) => code.fmt(f),
            ExpectedValue::Number(number) => number.fmt(f),
        }
    }
}

/// What the next sync does to the number of pods; None where the report leaves it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PlannedAction(Option<SyncAction>);

impl fmt::Display for PlannedAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(action) => action.fmt(f),
            None => f.write_str("unknown"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FactName {
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

const KEYS: [(&str, FactName); 13] = [
    ("verdict", FactName::Verdict),
    ("action", FactName::Action),
    ("gate", FactName::Gate),
    ("reason", FactName::Reason),
    ("create", FactName::Create),
    ("delete", FactName::Delete),
    ("adopt", FactName::Adopt),
    ("release", FactName::Release),
    ("add", FactName::Add),
    ("del", FactName::Del),
    ("desired", FactName::Desired),
    ("active", FactName::Active),
    ("diff", FactName::Diff),
];

const VERDICTS: [Verdict; 5] =
    [Verdict::Settled, Verdict::Act, Verdict::Skip, Verdict::Blocked, Verdict::Undetermined];

const ACTIONS: [Option<SyncAction>; 4] =
    [Some(SyncAction::Create), Some(SyncAction::Delete), Some(SyncAction::None), None];

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

fn wanted(key: FactName, name: &str, value: &str) -> Result<ExpectedValue, String> {
    let choices: Vec<ExpectedValue> = match key {
        FactName::Verdict => VERDICTS.map(ExpectedValue::Verdict).to_vec(),
        FactName::Action => ACTIONS.map(|action| ExpectedValue::Action(PlannedAction(action))).to_vec(),
        FactName::Gate => GateState::ALL.map(ExpectedValue::Gate).to_vec(),
        FactName::Reason => Code::ALL.iter().copied().map(ExpectedValue::Reason).collect(),
        _ => {
            let number = value.parse().map(ExpectedValue::Number);
            return number.map_err(|_| format!("{name} takes a whole number, not \"{value}\""));
        }
    };
    let words: Vec<String> = choices.iter().map(ExpectedValue::to_string).collect();
    match words.iter().position(|word| word.eq_ignore_ascii_case(value)) {
        Some(place) => Ok(choices[place]),
        None => {
            let hint = suggest::hint(value, words.iter().map(String::as_str));
            Err(format!("{name} takes one of {}, not \"{value}\"{hint}", words.join(", ")))
        }
    }
}

/// Where the reports differ from what is expected, one line each that names the object.
pub(crate) fn differences(expected: &[Expected], reports: &[Report]) -> Vec<String> {
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
        format!("{name}{sign}{}", self.value)
    }

    fn difference(&self, report: &Report, instants: bool) -> Option<String> {
        let but = match self.value {
            ExpectedValue::Verdict(verdict) => {
                self.unlike(verdict == report.verdict, report.verdict.as_str())?
            }
            ExpectedValue::Action(wanted) => {
                let planned = PlannedAction(report.plan.action);
                self.unlike(wanted == planned, planned)?
            }
            ExpectedValue::Gate(gate) => {
                self.unlike(gate == report.expectations.gate, report.expectations.gate)?
            }
            ExpectedValue::Reason(code) => self.among_reasons(code, report)?,
            ExpectedValue::Number(number) => self.unlike_number(number, report)?,
        };
        let at = if instants { format!(" at {}", report.as_of) } else { String::new() };
        Some(format!("{}{at}: expected {}, but {but}", name(report), self.text()))
    }

    fn among_reasons(&self, code: Code, report: &Report) -> Option<String> {
        let codes: Vec<&str> = report.reasons.iter().map(|reason| reason.code.as_str()).collect();
        if report.reasons.iter().any(|reason| reason.code == code) == self.equal {
            return None;
        }
        Some(match codes.len() {
            0 => "there is no reason".into(),
            1 => format!("the reason is {}", codes[0]),
            _ => format!("the reasons are {}", codes.join(", ")),
        })
    }

    fn unlike(&self, same: bool, found: impl fmt::Display) -> Option<String> {
        (same != self.equal).then(|| format!("it is {found}"))
    }

    /// A number that is not known is neither equal nor different.
    fn unlike_number(&self, wanted: i64, report: &Report) -> Option<String> {
        let range = number(self.key, report)?;
        let known = range.min.is_some() && range.min == range.max;
        let possible = range.min.is_none_or(|min| min <= wanted) && range.max.is_none_or(|max| wanted <= max);
        let holds = if self.equal { known && possible } else { !possible };
        (!holds).then(|| match (range.min, range.max) {
            (None, None) => "it is unknown".into(),
            _ => format!("it is {}", format::range(range)),
        })
    }
}

/// What a number of the report is among, every number where an end is open. None for a key that takes a word.
fn number(key: FactName, report: &Report) -> Option<Bounds> {
    let plan = &report.plan;
    let exactly = |number: Option<i64>| Bounds { min: number, max: number };
    let count = |count: usize| i64::try_from(count).ok();
    let of_action = |action: SyncAction, pods: usize| match plan.action {
        Some(planned) if planned == action => count(pods),
        Some(_) => Some(0),
        None => None,
    };
    Some(match key {
        FactName::Verdict | FactName::Action | FactName::Gate | FactName::Reason => return None,
        FactName::Create => exactly(of_action(SyncAction::Create, plan.create.created)),
        FactName::Delete => exactly(of_action(SyncAction::Delete, plan.count)),
        FactName::Adopt => exactly(count(plan.adopt.len())),
        FactName::Release => exactly(count(plan.release.len())),
        FactName::Add => report.expectations.add,
        FactName::Del => report.expectations.del,
        FactName::Desired => exactly(report.desired.map(i64::from)),
        FactName::Active => exactly(report.active.and_then(count)),
        FactName::Diff => exactly(report.diff),
    })
}

fn name(report: &Report) -> String {
    format!("{}/{} ({})", report.object.kind.short(), report.object.name, report.object.namespace)
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
            assert!(parse(&format!("{name}=?")).unwrap_err().contains(name), "{name}");
        }
        for wrong in ["", "verdict", "verdict=act,", "=act", "verdict>act", "verdict="] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse("verdict=setled").unwrap_err().contains("\"settled\""));
        assert!(parse("creates=1").unwrap_err().contains("\"create\""));
    }

    #[test]
    fn nothing_to_compare_with_is_a_difference() {
        let Terms(terms) = parse("verdict=settled").unwrap();
        assert_eq!(differences(&terms, &[]).len(), 1);
        assert!(differences(&[], &[]).is_empty());
    }
}
