//! Applies a template to a value.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::Value;

use super::{Block, Comparison, Filter, PathStep, Slice, TemplateError, shown};

/// Values of the document, or literals of the template.
type Match<'a> = Vec<Cow<'a, Value>>;

/// Prints all blocks for a value.
pub fn print(blocks: &[Block], value: &Value, out: &mut String) -> Result<(), TemplateError> {
    each(blocks, value, &mut |block, found| match block {
        Block::Text(text) => out.push_str(text),
        Block::Action(steps) => {
            // What the template says itself is written as it stands.
            let literal = matches!(steps.last(), Some(PathStep::Literal(_)));
            let texts = found.iter().map(|value| match value.as_ref() {
                Value::String(text) if literal => text.clone(),
                other => shown(other),
            });
            out.push_str(&texts.collect::<Vec<_>>().join(" "));
        }
        Block::Range(..) => {}
    })
}

/// All values that the actions of a template find.
pub fn find(blocks: &[Block], value: &Value) -> Result<Vec<Value>, TemplateError> {
    let mut all = Vec::new();
    each(blocks, value, &mut |_, found| all.extend(found.into_iter().map(Cow::into_owned)))?;
    Ok(all)
}

/// Calls `told` for each block, those of a range once for each of its values.
fn each(
    blocks: &[Block],
    value: &Value,
    told: &mut impl FnMut(&Block, Match<'_>),
) -> Result<(), TemplateError> {
    for block in blocks {
        match block {
            Block::Text(_) => told(block, Vec::new()),
            Block::Action(steps) => told(block, walk(vec![Cow::Borrowed(value)], steps)?),
            Block::Range(steps, body) => {
                for value in walk(vec![Cow::Borrowed(value)], steps)? {
                    each_of(body, &value, told)?;
                }
            }
        }
    }
    Ok(())
}

/// Ends the recursion of types that `impl FnMut` would make.
fn each_of(
    blocks: &[Block],
    value: &Value,
    mut told: &mut dyn FnMut(&Block, Match<'_>),
) -> Result<(), TemplateError> {
    each(blocks, value, &mut told)
}

fn walk<'a>(start: Match<'a>, steps: &[PathStep]) -> Result<Match<'a>, TemplateError> {
    steps.iter().try_fold(start, step)
}

fn step<'a>(values: Match<'a>, step: &PathStep) -> Result<Match<'a>, TemplateError> {
    Ok(match step {
        // A text stands for itself; a number for each value that came before.
        PathStep::Literal(text @ Value::String(_)) => vec![Cow::Owned(text.clone())],
        PathStep::Literal(value) => values.iter().map(|_| Cow::Owned(value.clone())).collect(),
        PathStep::Field(name) => values.into_iter().filter_map(|value| field(value, name)).collect(),
        PathStep::Wildcard => values.into_iter().flat_map(children).collect(),
        PathStep::Descent => values.into_iter().flat_map(descend).collect(),
        PathStep::Slice(slice) => all(values, |value| cut(value, *slice))?,
        PathStep::Filter(filter) => all(values, |value| filtered(value, filter))?,
        PathStep::Union(parts) => {
            let found: Result<Vec<Match<'a>>, TemplateError> =
                parts.iter().map(|part| walk(values.clone(), part)).collect();
            found?.into_iter().flatten().collect()
        }
    })
}

fn all<'a>(
    values: Match<'a>,
    each: impl FnMut(Cow<'a, Value>) -> Result<Match<'a>, TemplateError>,
) -> Result<Match<'a>, TemplateError> {
    let found: Result<Vec<Match<'a>>, TemplateError> = values.into_iter().map(each).collect();
    Ok(found?.into_iter().flatten().collect())
}

fn field<'a>(value: Cow<'a, Value>, name: &str) -> Option<Cow<'a, Value>> {
    match value {
        Cow::Borrowed(value) => value.as_object()?.get(name).map(Cow::Borrowed),
        Cow::Owned(value) => value.as_object()?.get(name).cloned().map(Cow::Owned),
    }
}

/// The values of an object or a list.
fn children(value: Cow<'_, Value>) -> Match<'_> {
    match value {
        Cow::Borrowed(Value::Object(fields)) => fields.values().map(Cow::Borrowed).collect(),
        Cow::Borrowed(Value::Array(items)) => items.iter().map(Cow::Borrowed).collect(),
        Cow::Owned(Value::Object(fields)) => fields.into_iter().map(|(_, v)| Cow::Owned(v)).collect(),
        Cow::Owned(Value::Array(items)) => items.into_iter().map(Cow::Owned).collect(),
        _ => Vec::new(),
    }
}

/// A value and everything within it. As with kubectl, numbers and bools are not among it.
fn descend(value: Cow<'_, Value>) -> Match<'_> {
    let counts = match value.as_ref() {
        Value::Object(fields) => !fields.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::String(text) => !text.is_empty(),
        _ => false,
    };
    if !counts {
        return Vec::new();
    }
    let mut found = vec![value.clone()];
    found.extend(children(value).into_iter().flat_map(descend));
    found
}

fn cut(value: Cow<'_, Value>, slice: Slice) -> Result<Match<'_>, TemplateError> {
    let length = match value.as_ref() {
        Value::Array(items) => items.len() as i64,
        Value::Null => return Ok(Vec::new()),
        other => return Err(TemplateError(format!("{} is not array or slice", kind(other)))),
    };
    let from = if slice.from < 0 { slice.from + length } else { slice.from };
    let mut to = slice.to.unwrap_or(length);
    if to < 0 || (to == 0 && slice.single) {
        to += length;
    }
    if from == to {
        return Ok(Vec::new());
    }
    let outside =
        |index: i64| Err(TemplateError(format!("array index out of bounds: index {index}, length {length}")));
    if !(0..length).contains(&from) {
        return outside(from);
    }
    if !(0..=length).contains(&to) {
        return outside(to.saturating_sub(1));
    }
    if from > to {
        return Err(TemplateError(format!("starting index {from} is greater than ending index {to}")));
    }
    if slice.step <= 0 {
        return Err(TemplateError("step must be > 0".into()));
    }
    let (skip, take, step) = (from as usize, (to - from) as usize, slice.step as usize);
    Ok(children(value).into_iter().skip(skip).take(take).step_by(step).collect())
}

fn filtered<'a>(value: Cow<'a, Value>, filter: &Filter) -> Result<Match<'a>, TemplateError> {
    if !value.is_array() {
        let kind = kind(&value);
        return Err(TemplateError(format!("{kind} is not array or slice and cannot be filtered")));
    }
    let mut passed = Vec::new();
    for item in children(value) {
        if passes(&item, filter)? {
            passed.push(item);
        }
    }
    Ok(passed)
}

fn passes(item: &Value, filter: &Filter) -> Result<bool, TemplateError> {
    let find = |steps: &[PathStep]| walk(vec![Cow::Borrowed(item)], steps);
    let (left, operator, right) = match filter {
        Filter::Exists(steps) => return Ok(!find(steps)?.is_empty()),
        Filter::Compare(left, operator, right) => (find(left)?, *operator, find(right)?),
    };
    if left.is_empty() || right.is_empty() {
        return Ok(false);
    }
    let ([left], [right]) = (left.as_slice(), right.as_slice()) else {
        return Err(TemplateError("can only compare one element at a time".into()));
    };
    holds(left, operator, right)
}

fn holds(left: &Value, operator: Comparison, right: &Value) -> Result<bool, TemplateError> {
    let order = match (left, right) {
        (Value::String(left), Value::String(right)) => left.cmp(right),
        (Value::Number(left), Value::Number(right)) => number(left, right)?,
        (Value::Bool(left), Value::Bool(right)) if is_equality(operator) => left.cmp(right),
        (Value::Object(_) | Value::Array(_) | Value::Null, _)
        | (_, Value::Object(_) | Value::Array(_) | Value::Null)
        | (Value::Bool(_), Value::Bool(_)) => {
            return Err(TemplateError("invalid type for comparison".into()));
        }
        _ => return Err(TemplateError("incompatible types for comparison".into())),
    };
    Ok(match operator {
        Comparison::Equal => order == Ordering::Equal,
        Comparison::NotEqual => order != Ordering::Equal,
        Comparison::Less => order == Ordering::Less,
        Comparison::LessEqual => order != Ordering::Greater,
        Comparison::Greater => order == Ordering::Greater,
        Comparison::GreaterEqual => order != Ordering::Less,
    })
}

fn is_equality(operator: Comparison) -> bool {
    matches!(operator, Comparison::Equal | Comparison::NotEqual)
}

fn number(left: &serde_json::Number, right: &serde_json::Number) -> Result<Ordering, TemplateError> {
    let whole =
        |number: &serde_json::Number| number.as_i64().map(i128::from).or(number.as_u64().map(i128::from));
    match (whole(left), whole(right)) {
        (Some(left), Some(right)) => Ok(left.cmp(&right)),
        (None, None) => left
            .as_f64()
            .zip(right.as_f64())
            .and_then(|(left, right)| left.partial_cmp(&right))
            .ok_or_else(|| TemplateError("invalid type for comparison".into())),
        _ => Err(TemplateError("incompatible types for comparison".into())),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a bool",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
