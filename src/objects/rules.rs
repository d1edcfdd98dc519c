//! What follows from the written fields, the same in every format.

use super::{Labels, Operator, Phase, Requirement, Selector, Template};

/// The annotations that decide or explain something; all others are skipped.
pub const ANNOTATIONS: [&str; 4] = [
    super::pod::DELETION_COST,
    "deployment.kubernetes.io/desired-replicas",
    "deployment.kubernetes.io/max-replicas",
    "deployment.kubernetes.io/revision",
];

/// The selector that asks for each of these labels.
pub fn equals(labels: &Labels) -> Selector {
    let equal = |(key, value): (&str, &str)| Requirement {
        key: key.to_owned(),
        operator: Operator::In,
        values: vec![value.to_owned()],
    };
    Selector::All(labels.iter().map(equal).collect())
}

/// The selector of a ReplicationController: that of its template where none is given, as the API defaults it.
pub fn controller_selector(given: &Labels, template: &Template) -> Selector {
    equals(if given.is_empty() { &template.labels } else { given })
}

/// One expression of a label selector as it is written: key, operator, values.
pub type Expression = (String, String, Vec<String>);

const NO_OPERATOR: &str = " is not a valid label selector operator";
const NO_VALUES: &str = "for 'in', 'notin' operators, values set can't be empty";
const VALUES: &str = "values set must be empty for exists and does not exist";

/// An expression that is refused with this text.
pub fn refused(why: &str) -> Expression {
    let (operator, values) = match why {
        NO_VALUES => ("In", vec![]),
        VALUES => ("Exists", vec![String::new()]),
        _ => (why.strip_suffix(NO_OPERATOR).unwrap_or_default().trim_matches('"'), vec![]),
    };
    (String::new(), operator.to_owned(), values)
}

/// A label selector with its requirements in the order of their keys, as apimachinery keeps
/// them. What apimachinery refuses becomes `Invalid` with its words.
pub fn selector(labels: &Labels, expressions: impl Iterator<Item = Expression>) -> Selector {
    let mut requirements = equals(labels).requirements().to_vec();
    for (key, name, values) in expressions {
        let operator = match name.as_str() {
            "In" => Operator::In,
            "NotIn" => Operator::NotIn,
            "Exists" => Operator::Exists,
            "DoesNotExist" => Operator::DoesNotExist,
            _ => return Selector::Invalid(format!("{name:?}{NO_OPERATOR}")),
        };
        let wants_values = matches!(operator, Operator::In | Operator::NotIn);
        if wants_values && values.is_empty() {
            return Selector::Invalid(NO_VALUES.to_owned());
        }
        if !wants_values && !values.is_empty() {
            return Selector::Invalid(VALUES.to_owned());
        }
        requirements.push(Requirement { key, operator, values });
    }
    requirements.sort_by(|a, b| a.key.cmp(&b.key));
    Selector::All(requirements)
}

/// A number of pods or seconds: 0 to 2^31 - 1, as the API's validation has it.
pub fn count(field: &str, number: i64) -> Result<i32, String> {
    if number < 0 {
        return Err(format!("{field}: {number} is negative"));
    }
    i32::try_from(number).map_err(|_| format!("{field}: {number} is more than {}", i32::MAX))
}

/// The phase of this word.
pub fn phase(word: &str) -> Phase {
    match word {
        "" | "Pending" => Phase::Pending,
        "Running" => Phase::Running,
        "Succeeded" => Phase::Succeeded,
        "Failed" => Phase::Failed,
        "Unknown" => Phase::Unknown,
        _ => Phase::Other,
    }
}
