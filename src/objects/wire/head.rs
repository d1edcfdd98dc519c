//! What an object says of itself: kind, apiVersion, namespace, name. Read before the object, to know
//! as what it is to be read; and after it, to name one that could not be.

use std::fmt;

use prost::Message;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use super::scalar::{Present, Str};
use super::shape::Whole;
use crate::objects::Resource;

/// The kinds that are read: resource, kind, groups.
const KINDS: [(Resource, &str, &[&str]); 12] = [
    (Resource::ReplicaSets, "ReplicaSet", &["apps", "extensions"]),
    (Resource::ReplicationControllers, "ReplicationController", &[""]),
    (Resource::Pods, "Pod", &[""]),
    (Resource::Events, "Event", &["", "events.k8s.io"]),
    (Resource::Deployments, "Deployment", &["apps", "extensions"]),
    (Resource::Namespaces, "Namespace", &[""]),
    (Resource::Quotas, "ResourceQuota", &[""]),
    (Resource::Leases, "Lease", &["coordination.k8s.io"]),
    (Resource::LimitRanges, "LimitRange", &[""]),
    (Resource::ServiceAccounts, "ServiceAccount", &[""]),
    (Resource::Services, "Service", &[""]),
    (Resource::Nodes, "Node", &[""]),
];

impl Resource {
    /// The kind of its objects.
    pub(crate) fn kind(self) -> &'static str {
        KINDS.iter().find(|(resource, _, _)| *resource == self).map_or("?", |(_, kind, _)| kind)
    }

    /// The apiVersion under which its objects are served today.
    pub(crate) fn api_version(self) -> String {
        let groups = KINDS.iter().find(|(resource, _, _)| *resource == self).map(|(_, _, groups)| *groups);
        match groups.and_then(|groups| groups.first()).copied().unwrap_or_default() {
            "" => "v1".to_owned(),
            group => format!("{group}/v1"),
        }
    }

    /// The resource of a kind, if it is one that is read. A missing apiVersion is no obstacle: items
    /// of a typed list have none.
    pub(crate) fn of_kind(kind: &str, api_version: Option<&str>) -> Option<Resource> {
        let has_group = |groups: &[&str]| api_version.is_none_or(|v| groups.contains(&group_of(v)));
        KINDS.iter().find(|(_, k, groups)| *k == kind && has_group(groups)).map(|(resource, _, _)| *resource)
    }
}

fn group_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

/// The head of an object in JSON or YAML.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Head {
    /// The kind, if given.
    pub(crate) kind: Option<String>,
    /// Group and version, if given.
    pub(crate) api_version: Option<String>,
    namespace: Option<String>,
    name: Option<String>,
}

impl Head {
    /// A kind and its apiVersion.
    pub fn new(kind: &str, api_version: Option<&str>) -> Head {
        Head { kind: Some(kind.to_owned()), api_version: api_version.map(str::to_owned), ..Head::default() }
    }

    /// Reads kind and apiVersion and no further: writers put them first. What cannot be read
    /// stays absent; reading the whole object will say why.
    pub(crate) fn peek<'de, D: Deserializer<'de>>(from: D) -> Head {
        let mut head = Head::default();
        // The early end is an error for the format, hence ignored.
        let _ = from.deserialize_map(HeadVisitor { head: &mut head, names: false });
        head
    }

    /// The resource of this kind, if it is one that is read.
    pub fn resource(&self) -> Option<Resource> {
        Resource::of_kind(self.kind.as_deref()?, self.api_version.as_deref())
    }

    /// The kind with its group as kubectl writes it; None without a kind.
    pub(crate) fn full_kind(&self) -> Option<String> {
        let kind = self.kind.clone().filter(|k| !k.is_empty())?;
        Some(match group_of(self.api_version.as_deref().unwrap_or_default()) {
            "" => kind,
            group => format!("{kind}.{group}"),
        })
    }
}

/// Names an object that could not be read, as far as it can be: `Pod shop/web-x7`. `assumed`
/// is its kind where only its surroundings tell.
pub(crate) fn identify<'de, D: Deserializer<'de>>(assumed: Option<Resource>, from: D) -> Option<String> {
    let mut head = Head::default();
    // What came before an error is what can be said.
    let _ = from.deserialize_map(HeadVisitor { head: &mut head, names: true });
    let kind = head.kind.as_deref().or(assumed.map(Resource::kind)).unwrap_or_default();
    named(kind, head.namespace.as_deref().unwrap_or_default(), head.name.as_deref().unwrap_or_default())
}

/// Names an object in protobuf that could not be read.
pub(crate) fn identify_message(resource: Resource, bytes: &[u8]) -> Option<String> {
    let metadata = Whole::<Present, Present>::decode(bytes).ok().and_then(|whole| whole.metadata);
    let metadata = metadata.unwrap_or_default();
    named(resource.kind(), &metadata.namespace, &metadata.name)
}

fn named(kind: &str, namespace: &str, name: &str) -> Option<String> {
    let key =
        if namespace.is_empty() || name.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") };
    match (kind, key.as_str()) {
        ("", "") => None,
        ("", _) => Some(key),
        (kind, "") => Some(kind.to_owned()),
        (kind, key) => Some(format!("{kind} {key}")),
    }
}

struct HeadVisitor<'h> {
    head: &'h mut Head,
    /// Whether to go on until namespace and name are known.
    names: bool,
}

impl<'de> Visitor<'de> for HeadVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let HeadVisitor { head, names } = self;
        while let Some(key) = map.next_key::<Str<'de>>()? {
            match &*key.0 {
                "kind" => head.kind = owned(map.next_value()?),
                "apiVersion" => head.api_version = owned(map.next_value()?),
                "metadata" if names => map.next_value_seed(NameSeed(head))?,
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
            if !names && head.kind.is_some() && head.api_version.is_some() {
                return Err(A::Error::custom("enough"));
            }
        }
        Ok(())
    }
}

struct NameSeed<'h>(&'h mut Head);

impl<'de> DeserializeSeed<'de> for NameSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NameSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("metadata")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Str<'de>>()? {
            match &*key.0 {
                "namespace" => self.0.namespace = owned(map.next_value()?),
                "name" => self.0.name = owned(map.next_value()?),
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(())
    }
}

fn owned(text: Option<Str<'_>>) -> Option<String> {
    text.map(|s| s.0.into_owned())
}
