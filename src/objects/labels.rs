//! Labels and label selectors, as apimachinery evaluates them.

/// Labels of an object, sorted by key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Labels(Box<[(Box<str>, Box<str>)]>);

impl Labels {
    /// The value of one label.
    pub fn get(&self, key: &str) -> Option<&str> {
        let at = self.0.binary_search_by(|(k, _)| (**k).cmp(key)).ok()?;
        Some(&self.0[at].1)
    }

    /// All labels in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(k, v)| (&**k, &**v))
    }

    /// Whether there is no label at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every label of `wanted` is here with the same value.
    pub(crate) fn contains_all(&self, wanted: &Labels) -> bool {
        wanted.iter().all(|(k, v)| self.get(k) == Some(v))
    }
}

impl<K: Into<Box<str>>, V: Into<Box<str>>> FromIterator<(K, V)> for Labels {
    /// The last value of a repeated key wins, as in a JSON object.
    fn from_iter<T: IntoIterator<Item = (K, V)>>(pairs: T) -> Self {
        let sorted: std::collections::BTreeMap<Box<str>, Box<str>> =
            pairs.into_iter().map(|(k, v)| (k.into(), v.into())).collect();
        Labels(sorted.into_iter().collect())
    }
}

/// How a requirement compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// The value is one of those given.
    In,
    /// The label is absent or has another value.
    NotIn,
    /// The label is present.
    Exists,
    /// The label is absent.
    DoesNotExist,
}

impl Operator {
    /// The word of the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Operator::In => "In",
            Operator::NotIn => "NotIn",
            Operator::Exists => "Exists",
            Operator::DoesNotExist => "DoesNotExist",
        }
    }
}

/// One requirement of a selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The label's key.
    pub key: String,
    /// How it is compared.
    pub operator: Operator,
    /// The values of `In` and `NotIn`.
    pub values: Vec<String>,
}

impl Requirement {
    /// Whether these labels meet the requirement.
    pub(crate) fn matches(&self, labels: &Labels) -> bool {
        let value = labels.get(&self.key);
        let listed = value.is_some_and(|v| self.values.iter().any(|w| w == v));
        match self.operator {
            Operator::In => listed,
            Operator::NotIn => !listed,
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
        }
    }
}

impl std::fmt::Display for Requirement {
    /// As `kubectl -l` takes it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.operator, self.values.as_slice()) {
            (Operator::In, [one]) => write!(f, "{}={}", self.key, one),
            (Operator::In, many) => write!(f, "{} in ({})", self.key, many.join(",")),
            (Operator::NotIn, many) => write!(f, "{} notin ({})", self.key, many.join(",")),
            (Operator::Exists, _) => write!(f, "{}", self.key),
            (Operator::DoesNotExist, _) => write!(f, "!{}", self.key),
        }
    }
}

/// A label selector: every requirement must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// No selector was given: selects nothing.
    Nothing,
    /// The requirements; an empty list selects everything.
    All(Vec<Requirement>),
    /// The selector cannot be parsed; the controller logs this text and ends the sync.
    Invalid(String),
}

impl Selector {
    /// Whether the selector selects an object with these labels.
    pub(crate) fn matches(&self, labels: &Labels) -> bool {
        match self {
            Selector::All(requirements) => requirements.iter().all(|r| r.matches(labels)),
            Selector::Nothing | Selector::Invalid(_) => false,
        }
    }

    /// Whether the selector would select everything. Lookups from a pod to its
    /// ReplicaSets skip such selectors.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Selector::All(requirements) if requirements.is_empty())
    }

    /// The requirements that these labels fail.
    pub(crate) fn failing<'a>(&'a self, labels: &'a Labels) -> Vec<&'a Requirement> {
        match self {
            Selector::All(requirements) => requirements.iter().filter(|r| !r.matches(labels)).collect(),
            Selector::Nothing | Selector::Invalid(_) => Vec::new(),
        }
    }

    /// The requirements, empty where there are none.
    pub(crate) fn requirements(&self) -> &[Requirement] {
        match self {
            Selector::All(requirements) => requirements,
            Selector::Nothing | Selector::Invalid(_) => &[],
        }
    }
}

impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Selector::Nothing => write!(f, "<none>"),
            Selector::Invalid(why) => write!(f, "<invalid: {why}>"),
            Selector::All(requirements) => {
                for (at, requirement) in requirements.iter().enumerate() {
                    let comma = if at == 0 { "" } else { "," };
                    write!(f, "{comma}{requirement}")?;
                }
                Ok(())
            }
        }
    }
}
