//! Field selectors: the two fields by which ReplicaSets can be selected.

use crate::objects::Meta;

/// Conditions that must all hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldSelector(Vec<Condition>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Condition {
    field: Field,
    value: String,
    equal: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Name,
    Namespace,
}

impl FieldSelector {
    /// Whether an object with this metadata is selected.
    pub(crate) fn matches(&self, meta: &Meta) -> bool {
        self.0.iter().all(|condition| {
            let value = match condition.field {
                Field::Name => &meta.name,
                Field::Namespace => &meta.namespace,
            };
            (*value == condition.value) == condition.equal
        })
    }
}

/// Reads `metadata.name=web,metadata.namespace!=shop`.
pub fn parse(text: &str) -> Result<FieldSelector, String> {
    text.split(',')
        .filter(|term| !term.trim().is_empty())
        .map(condition)
        .collect::<Result<_, _>>()
        .map(FieldSelector)
}

fn condition(term: &str) -> Result<Condition, String> {
    let (field, value, equal) = ["!=", "==", "="]
        .into_iter()
        .find_map(|operator| term.split_once(operator).map(|(field, value)| (field, value, operator != "!=")))
        .ok_or_else(|| format!("{term:?} has no =, == or !="))?;
    let field = match field.trim() {
        "metadata.name" => Field::Name,
        "metadata.namespace" => Field::Namespace,
        other => {
            return Err(format!(
                "field label not supported: {other}; metadata.name and metadata.namespace are"
            ));
        }
    };
    Ok(Condition { field, value: value.trim().to_owned(), equal })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selects(text: &str, name: &str) -> bool {
        let meta = Meta { name: name.into(), namespace: "shop".into(), ..Meta::default() };
        parse(text).unwrap().matches(&meta)
    }

    #[test]
    fn name_and_namespace_select_with_all_three_operators() {
        assert!(selects("metadata.name=web", "web") && !selects("metadata.name==web", "api"));
        assert!(selects("metadata.name!=web,metadata.namespace=shop", "api"));
        assert!(!selects("metadata.namespace!=shop", "web"));
        assert!(selects("", "web"));
    }

    #[test]
    fn other_fields_are_refused_by_name() {
        assert!(parse("spec.replicas=3").unwrap_err().contains("spec.replicas"));
        assert!(parse("metadata.name").unwrap_err().contains("no ="));
    }
}
