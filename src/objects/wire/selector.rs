//! Label selectors, judged as apimachinery does.

use super::map::{self, Pair};
use super::shape::{is_default, or_default, shape};
use crate::objects::{Labels, Operator, Requirement, Selector, Template};

shape! {
    LabelSelector {
        map Pair match_labels = 1,
        repeated SelectorExpression match_expressions = 2,
    }
}

shape! {
    SelectorExpression {
        string key = 1,
        string operator = 2,
        repeated string values = 3,
    }
}

const NO_OPERATOR: &str = " is not a valid label selector operator";
const NO_VALUES: &str = "for 'in', 'notin' operators, values set can't be empty";
const VALUES: &str = "values set must be empty for exists and does not exist";

impl From<LabelSelector> for Selector {
    /// The requirements in the order of their keys, as apimachinery keeps them. What apimachinery
    /// refuses becomes `Invalid` with its words.
    fn from(from: LabelSelector) -> Selector {
        let mut requirements = equals(&map::labels(from.match_labels)).requirements().to_vec();
        for SelectorExpression { key, operator, values } in from.match_expressions {
            let operator = match operator.as_str() {
                "In" => Operator::In,
                "NotIn" => Operator::NotIn,
                "Exists" => Operator::Exists,
                "DoesNotExist" => Operator::DoesNotExist,
                _ => return Selector::Invalid(format!("{operator:?}{NO_OPERATOR}")),
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
}

/// The selector that asks for each of these labels.
pub(crate) fn equals(labels: &Labels) -> Selector {
    let equal = |(key, value): (&str, &str)| Requirement {
        key: key.to_owned(),
        operator: Operator::In,
        values: vec![value.to_owned()],
    };
    Selector::All(labels.iter().map(equal).collect())
}

/// The selector of a ReplicationController: that of its template where none is given, as the API
/// defaults it.
pub(crate) fn of_controller(given: Vec<Pair>, template: &Template) -> Selector {
    if given.is_empty() { equals(&template.labels) } else { equals(&map::labels(given)) }
}

/// None where nothing is selected.
pub fn write(from: &Selector) -> Option<LabelSelector> {
    match from {
        Selector::Nothing => None,
        Selector::Invalid(why) => {
            Some(LabelSelector { match_expressions: vec![refused(why)], ..LabelSelector::default() })
        }
        Selector::All(requirements) => Some(write_all(requirements)),
    }
}

/// The first requirement of a key that asks for one value stands among the labels, where reading
/// puts it before the others of its key.
fn write_all(requirements: &[Requirement]) -> LabelSelector {
    let mut written = LabelSelector::default();
    let mut before: Option<&str> = None;
    for requirement in requirements {
        let Requirement { key, operator, values } = requirement;
        match (operator, values.as_slice()) {
            (Operator::In, [one]) if before != Some(key.as_str()) => {
                written.match_labels.push(Pair { key: key.clone(), value: one.clone() });
            }
            _ => written.match_expressions.push(SelectorExpression {
                key: key.clone(),
                operator: operator.as_str().to_owned(),
                values: values.clone(),
            }),
        }
        before = Some(key);
    }
    written
}

/// An expression that is refused with this text.
fn refused(why: &str) -> SelectorExpression {
    let (operator, values) = match why {
        NO_VALUES => ("In", vec![]),
        VALUES => ("Exists", vec![String::new()]),
        _ => (why.strip_suffix(NO_OPERATOR).unwrap_or_default().trim_matches('"'), vec![]),
    };
    SelectorExpression { key: String::new(), operator: operator.to_owned(), values }
}
