//! Orders values as `kubectl --sort-by` does: numbers by size, quantities by what they stand for,
//! times by the clock, other text with the numbers in it by size; what is missing comes first.

use std::cmp::Ordering;

use jiff::Timestamp;
use serde_json::Value;

use super::{JsonPath, TemplateError};

/// What one object is sorted by; None where it has no such field.
#[derive(Debug, Clone, PartialEq)]
struct SortKey(Option<Value>);

/// The places of objects in the wanted order, equal ones as they stood.
pub fn order(path: &JsonPath, values: &[Value]) -> Result<Vec<usize>, TemplateError> {
    let keys: Vec<SortKey> = values.iter().map(|value| SortKey::of(path, value)).collect::<Result<_, _>>()?;
    if !keys.is_empty() && keys.iter().all(|key| key.0.is_none()) {
        return Err(TemplateError("couldn't find any field with this path in the list of objects".into()));
    }
    let unsortable = keys.iter().flat_map(|key| &key.0).find(|value| value.is_object() || value.is_array());
    if let Some(value) = unsortable {
        let kind = if value.is_array() { "a list" } else { "an object" };
        return Err(TemplateError(format!("it leads to {kind}, which has no order")));
    }
    let mut places: Vec<usize> = (0..keys.len()).collect();
    places.sort_by(|a, b| keys[*a].compare(&keys[*b]));
    Ok(places)
}

impl SortKey {
    fn of(path: &JsonPath, value: &Value) -> Result<SortKey, TemplateError> {
        Ok(SortKey(path.find(value)?.into_iter().next()))
    }

    fn compare(&self, other: &SortKey) -> Ordering {
        let rank = |key: &SortKey| match &key.0 {
            None => 0,
            Some(Value::Null) => 1,
            Some(Value::Bool(_)) => 2,
            Some(Value::Number(_)) => 3,
            Some(_) => 4,
        };
        match (&self.0, &other.0) {
            (Some(Value::Bool(a)), Some(Value::Bool(b))) => a.cmp(b),
            (Some(Value::Number(a)), Some(Value::Number(b))) => size(a).total_cmp(&size(b)),
            (Some(Value::String(a)), Some(Value::String(b))) => text(a, b),
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

fn size(number: &serde_json::Number) -> f64 {
    number.as_f64().unwrap_or_default()
}

fn text(a: &str, b: &str) -> Ordering {
    let time = |text: &str| text.parse::<Timestamp>().ok();
    if let (Some(a), Some(b)) = (time(a), time(b)) {
        return a.cmp(&b);
    }
    if let (Some(a), Some(b)) = (quantity(a), quantity(b)) {
        return a.total_cmp(&b);
    }
    natural(a, b)
}

/// A Kubernetes quantity: `100m`, `1.5Gi`, `2e3`.
fn quantity(text: &str) -> Option<f64> {
    const SUFFIXES: [(&str, f64); 16] = [
        ("Ki", 1024.0),
        ("Mi", 1048576.0),
        ("Gi", 1073741824.0),
        ("Ti", 1099511627776.0),
        ("Pi", 1125899906842624.0),
        ("Ei", 1152921504606846976.0),
        ("n", 1e-9),
        ("u", 1e-6),
        ("m", 1e-3),
        ("k", 1e3),
        ("M", 1e6),
        ("G", 1e9),
        ("T", 1e12),
        ("P", 1e15),
        ("E", 1e18),
        ("", 1.0),
    ];
    if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) {
        return None;
    }
    SUFFIXES.iter().find_map(|(suffix, factor)| {
        let number: f64 = text.strip_suffix(suffix)?.parse().ok()?;
        number.is_finite().then_some(number * factor)
    })
}

/// Text by its characters, but runs of digits by size: `web-9` before `web-10`.
fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (digits, others) = (split(left), split(right));
        match (digits, others) {
            (None, None) => return a.cmp(b),
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some((a, after_a)), Some((b, after_b))) => {
                let order = match (is_digits(a), is_digits(b)) {
                    (true, true) => by_size(a, b),
                    _ => a.cmp(b),
                };
                if order != Ordering::Equal {
                    return order;
                }
                (left, right) = (after_a, after_b);
            }
        }
    }
}

/// The first run of digits, or the first character.
fn split(text: &str) -> Option<(&str, &str)> {
    let first = text.chars().next()?;
    let end = if first.is_ascii_digit() {
        text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
    } else {
        first.len_utf8()
    };
    Some(text.split_at(end))
}

fn is_digits(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn by_size(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}
