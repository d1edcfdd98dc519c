//! The shapes of the API on the wire, cut down to the fields that are read.
//!
//! Every field is optional and null counts as absent, as in Go. Strings are borrowed from the
//! input where they hold no escape, so that what is not kept is never copied. The same shapes are
//! written: what is not named here cannot be, neither an environment nor another annotation.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::objects::rules::ANNOTATIONS;

/// A string, borrowed if possible. (`Option<Cow<str>>` would always be copied.)
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Str<'a>(pub Cow<'a, str>);

/// A string or a number as text: quantities are written either way.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Scalar<'a>(pub Cow<'a, str>);

/// A number that decides something; whatever else stands there is kept as text for the error.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Count {
    /// A whole number.
    Int(i64),
    /// Something else, as it reads.
    Other(String),
}

/// A map of strings in the order written.
#[derive(Debug)]
pub struct Pairs<V>(pub Vec<(String, V)>);

/// The annotations that are kept; the values of all others are skipped.
#[derive(Debug)]
pub struct Annotations<'a>(pub Vec<(&'static str, Str<'a>)>);

/// Something of which nothing counts but that it is there.
#[derive(Debug, Default)]
pub struct Present;

impl<'de> Deserialize<'de> for Present {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(from).map(|_| Present)
    }
}

impl Serialize for Present {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map::<&str, &str, _>([])
    }
}

impl<V: Serialize> Serialize for Pairs<V> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl Serialize for Annotations<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(TextVisitor).map(Str)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a number")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Scalar(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Scalar(Cow::Owned(text.to_owned())))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Scalar(Cow::Owned(number.to_string())))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Scalar(Cow::Owned(number.to_string())))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Scalar(Cow::Owned(number.to_string())))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Scalar<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ScalarVisitor)
    }
}

struct CountVisitor;

impl<'de> Visitor<'de> for CountVisitor {
    type Value = Count;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Count, E> {
        Ok(Count::Int(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Count, E> {
        Ok(i64::try_from(number).map_or_else(|_| Count::Other(number.to_string()), Count::Int))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Count, E> {
        Ok(Count::Other(number.to_string()))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Count, E> {
        Ok(Count::Other(value.to_string()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Count, E> {
        Ok(Count::Other(format!("\"{text}\"")))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Count, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Count::Other("an object".to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Count, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Count::Other("a list".to_owned()))
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(CountVisitor)
    }
}

struct PairsVisitor<V>(std::marker::PhantomData<V>);

impl<'de, V: Deserialize<'de> + Default> Visitor<'de> for PairsVisitor<V> {
    type Value = Pairs<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, Option<V>>()? {
            pairs.push((key, value.unwrap_or_default()));
        }
        Ok(Pairs(pairs))
    }
}

impl<'de, V: Deserialize<'de> + Default> Deserialize<'de> for Pairs<V> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(PairsVisitor(std::marker::PhantomData))
    }
}

struct AnnotationsVisitor;

impl<'de> Visitor<'de> for AnnotationsVisitor {
    type Value = Annotations<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut kept = Vec::new();
        while let Some(key) = map.next_key::<Str<'de>>()? {
            match ANNOTATIONS.iter().find(|a| **a == key.0) {
                Some(name) => kept.push((*name, map.next_value::<Option<Str<'de>>>()?.unwrap_or_default())),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(Annotations(kept))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Annotations<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(AnnotationsVisitor)
    }
}

/// Declares structs of the wire: camelCase names, every field an `Option`.
macro_rules! wire {
    ($($(#[$doc:meta])* $name:ident { $($(#[$attr:meta])* $field:ident : $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Default, Deserialize, Serialize)]
        #[serde(rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
        pub struct $name<'a> {
            $(
                $(#[$attr])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>,
            )*
            #[serde(skip)]
            pub borrowed: std::marker::PhantomData<&'a ()>,
        }
    )*};
}

/// An object with the usual parts.
#[derive(Debug, Deserialize, Serialize)]
#[serde(
    rename_all = "camelCase",
    bound(deserialize = "'de: 'a, Spec: Deserialize<'de>, Status: Deserialize<'de>")
)]
pub struct Whole<'a, Spec, Status> {
    pub api_version: Option<Str<'a>>,
    pub kind: Option<Str<'a>>,
    pub metadata: Option<Metadata<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spec: Option<Spec>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
}

/// What says of itself what it is.
pub trait Typed {
    fn kind(&self) -> Option<&str>;
    fn api_version(&self) -> Option<&str>;
}

impl<Spec, Status> Typed for Whole<'_, Spec, Status> {
    fn kind(&self) -> Option<&str> {
        self.kind.as_ref().map(|s| &*s.0)
    }

    fn api_version(&self) -> Option<&str> {
        self.api_version.as_ref().map(|s| &*s.0)
    }
}

impl Typed for Event<'_> {
    fn kind(&self) -> Option<&str> {
        self.kind.as_ref().map(|s| &*s.0)
    }

    fn api_version(&self) -> Option<&str> {
        self.api_version.as_ref().map(|s| &*s.0)
    }
}

/// The spec of a ReplicaSet, Deployment (selector: `LabelSelector`) or ReplicationController
/// (selector: a plain map).
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "'de: 'a, S: Deserialize<'de>"))]
pub struct WorkloadSpec<'a, S> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_ready_seconds: Option<Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<S>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<Template<'a>>,
}

wire! {
    Metadata {
        namespace: Str<'a>,
        name: Str<'a>,
        uid: Str<'a>,
        resource_version: Str<'a>,
        generation: i64,
        creation_timestamp: Str<'a>,
        deletion_timestamp: Str<'a>,
        deletion_grace_period_seconds: i64,
        generate_name: Str<'a>,
        labels: Pairs<Str<'a>>,
        annotations: Annotations<'a>,
        owner_references: Vec<Owner<'a>>,
        finalizers: Vec<Str<'a>>,
        managed_fields: Vec<Manager<'a>>,
    }
    Owner {
        api_version: Str<'a>,
        kind: Str<'a>,
        name: Str<'a>,
        uid: Str<'a>,
        controller: bool,
    }
    /// fieldsV1, the bulk of it, is skipped.
    Manager {
        manager: Str<'a>,
        subresource: Str<'a>,
        time: Str<'a>,
    }
    LabelSelector {
        match_labels: Pairs<Str<'a>>,
        match_expressions: Vec<Expression<'a>>,
    }
    Expression {
        key: Str<'a>,
        operator: Str<'a>,
        values: Vec<Str<'a>>,
    }
    Template {
        metadata: TemplateMetadata<'a>,
        spec: TemplateSpec<'a>,
    }
    TemplateMetadata {
        labels: Pairs<Str<'a>>,
    }
    TemplateSpec {
        service_account_name: Str<'a>,
        service_account: Str<'a>,
        containers: Vec<TemplateContainer<'a>>,
        topology_spread_constraints: Vec<Present>,
    }
    TemplateContainer {
        name: Str<'a>,
        image: Str<'a>,
        resources: Resources<'a>,
    }
    Resources {
        limits: Pairs<Scalar<'a>>,
    }
    WorkloadStatus {
        replicas: i32,
        fully_labeled_replicas: i32,
        ready_replicas: i32,
        available_replicas: i32,
        terminating_replicas: i32,
        observed_generation: i64,
        conditions: Vec<Condition<'a>>,
    }
    Condition {
        #[serde(rename = "type")]
        kind: Str<'a>,
        status: Str<'a>,
        last_transition_time: Str<'a>,
        reason: Str<'a>,
        message: Str<'a>,
    }
    PodSpec {
        node_name: Str<'a>,
        containers: Vec<PodContainer<'a>>,
        init_containers: Vec<PodContainer<'a>>,
    }
    PodContainer {
        name: Str<'a>,
        image: Str<'a>,
        restart_policy: Str<'a>,
    }
    PodStatus {
        phase: Str<'a>,
        reason: Str<'a>,
        conditions: Vec<PodCondition<'a>>,
        container_statuses: Vec<ContainerStatus<'a>>,
        init_container_statuses: Vec<ContainerStatus<'a>>,
    }
    PodCondition {
        #[serde(rename = "type")]
        kind: Str<'a>,
        status: Str<'a>,
        last_transition_time: Str<'a>,
    }
    ContainerStatus {
        name: Str<'a>,
        restart_count: i64,
    }
    /// Both the core and the events.k8s.io form.
    Event {
        api_version: Str<'a>,
        kind: Str<'a>,
        metadata: Metadata<'a>,
        #[serde(alias = "regarding")]
        involved_object: Reference<'a>,
        reason: Str<'a>,
        #[serde(alias = "note")]
        message: Str<'a>,
        #[serde(alias = "reportingController")]
        reporting_component: Str<'a>,
        #[serde(alias = "deprecatedSource")]
        source: EventSource<'a>,
        #[serde(alias = "deprecatedCount")]
        count: i64,
        #[serde(alias = "deprecatedFirstTimestamp")]
        first_timestamp: Str<'a>,
        #[serde(alias = "deprecatedLastTimestamp")]
        last_timestamp: Str<'a>,
        event_time: Str<'a>,
        series: Series<'a>,
    }
    Reference {
        kind: Str<'a>,
        name: Str<'a>,
        uid: Str<'a>,
    }
    EventSource {
        component: Str<'a>,
    }
    Series {
        count: i64,
        last_observed_time: Str<'a>,
    }
    NamespaceStatus {
        phase: Str<'a>,
    }
    QuotaSpec {
        hard: Pairs<Scalar<'a>>,
        scopes: Vec<Present>,
        scope_selector: Present,
    }
    QuotaStatus {
        hard: Pairs<Scalar<'a>>,
        used: Pairs<Scalar<'a>>,
    }
    LeaseSpec {
        holder_identity: Str<'a>,
        lease_duration_seconds: i64,
        acquire_time: Str<'a>,
        renew_time: Str<'a>,
    }
    LimitRangeSpec {
        limits: Vec<Limit<'a>>,
    }
    Limit {
        #[serde(rename = "type")]
        kind: Str<'a>,
        max: Pairs<Scalar<'a>>,
    }
    ServiceSpec {
        selector: Pairs<Str<'a>>,
    }
    NodeStatus {
        conditions: Vec<PodCondition<'a>>,
    }
}
