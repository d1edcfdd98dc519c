//! Reads objects as the API server and kubectl write them, in JSON or YAML, and writes back in JSON
//! what is kept of them.
//!
//! One malformed object is an error of its own, with its kind and name and the field that is
//! wrong. Parsing borrows from the input and skips what is not kept (managedFields,
//! environment, volumes), so a large list costs little more than scanning its bytes.

mod convert;
mod list;
mod wire;
mod write;

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::{Object, ReplicaSet, Resource};
pub use list::JsonList;
pub(crate) use wire::Str;
pub use write::write;

/// What was read. It lives for a moment only, so its size does not matter.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant)]
pub enum Read {
    /// An object that the program understands.
    Object(Object),
    /// An object of another kind, named as kubectl names it: `ConfigMap`,
    /// `EndpointSlice.discovery.k8s.io`.
    Ignored(String),
}

/// An object that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// Its kind, namespace and name, as far as they could be read.
    pub object: Option<String>,
    /// What is wrong, beginning with the field.
    pub text: String,
}

impl Invalid {
    /// Names an object without a name by its place in a list, counted from 0.
    pub fn in_list(self, index: usize) -> Invalid {
        let object = match self.object {
            Some(named) if named.contains(' ') => named,
            Some(kind) => format!("{kind} items[{index}]"),
            None => format!("items[{index}]"),
        };
        Invalid { object: Some(object), ..self }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.object {
            Some(object) => write!(f, "{object}: {}", self.text),
            None => write!(f, "{}", self.text),
        }
    }
}

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

/// What an object says of itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Head {
    /// The kind, if given.
    pub kind: Option<String>,
    /// Group and version, if given.
    pub api_version: Option<String>,
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
    pub fn peek<'de, D: Deserializer<'de>>(from: D) -> Head {
        let mut head = Head::default();
        // The early end is an error for the format, hence ignored.
        let _ = from.deserialize_map(HeadVisitor { head: &mut head, names: false });
        head
    }

    /// The resource of this kind, if it is one that is read. A missing apiVersion is no
    /// obstacle: items of a typed list have none.
    pub fn resource(&self) -> Option<Resource> {
        resource_of(self.kind.as_deref()?, self.api_version.as_deref())
    }

    /// The kind with its group as kubectl writes it; None without a kind.
    pub fn full_kind(&self) -> Option<String> {
        let kind = self.kind.clone().filter(|k| !k.is_empty())?;
        Some(match group_of(self.api_version.as_deref().unwrap_or_default()) {
            "" => kind,
            group => format!("{kind}.{group}"),
        })
    }
}

fn group_of(api_version: &str) -> &str {
    api_version.split_once('/').map_or("", |(group, _)| group)
}

fn resource_of(kind: &str, api_version: Option<&str>) -> Option<Resource> {
    let has_group = |groups: &[&str]| api_version.is_none_or(|v| groups.contains(&group_of(v)));
    KINDS.iter().find(|(_, k, groups)| *k == kind && has_group(groups)).map(|(resource, _, _)| *resource)
}

/// The kind of the objects of this resource.
pub(crate) fn kind_of(resource: Resource) -> &'static str {
    KINDS.iter().find(|(r, _, _)| *r == resource).map_or("?", |(_, kind, _)| kind)
}

/// The apiVersion under which the objects of this resource are served today.
pub(crate) fn api_version_of(resource: Resource) -> String {
    let groups = KINDS.iter().find(|(r, _, _)| *r == resource).map(|(_, _, groups)| *groups);
    match groups.and_then(|groups| groups.first()).copied().unwrap_or_default() {
        "" => "v1".to_owned(),
        group => format!("{group}/v1"),
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
                _ => drop(map.next_value::<IgnoredAny>()?),
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
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

fn owned(text: Option<Str<'_>>) -> Option<String> {
    text.map(|s| s.0.into_owned())
}

/// Names an object that could not be read, as far as it can be: `Pod shop/web-x7`. `assumed`
/// is its kind where only its surroundings tell.
pub fn identify<'de, D: Deserializer<'de>>(assumed: Option<Resource>, from: D) -> Option<String> {
    let mut head = Head::default();
    // What came before an error is what can be said.
    let _ = from.deserialize_map(HeadVisitor { head: &mut head, names: true });
    let kind = head.kind.or_else(|| assumed.map(|r| kind_of(r).to_owned())).unwrap_or_default();
    let name = head.name.map(|name| match head.namespace {
        Some(namespace) if !namespace.is_empty() => format!("{namespace}/{name}"),
        _ => name,
    });
    match (kind.is_empty(), name) {
        (true, name) => name,
        (false, None) => Some(kind),
        (false, Some(name)) => Some(format!("{kind} {name}")),
    }
}

/// Reads an object of this resource. The outer error is that of the format (bad syntax, a
/// field of a wrong type); the inner one names a field whose value cannot be used.
pub fn read_as<'de, D: Deserializer<'de>>(
    resource: Resource,
    from: D,
) -> Result<Result<Object, String>, D::Error> {
    match resource {
        Resource::ReplicaSets => read(resource, from, |w| convert::replica_set(w).map(Object::ReplicaSet)),
        Resource::ReplicationControllers => {
            read(resource, from, |w| convert::replication_controller(w).map(Object::ReplicaSet))
        }
        Resource::Pods => read(resource, from, |w| convert::pod(w).map(Object::Pod)),
        Resource::Events => read(resource, from, |w| convert::event(w).map(Object::Event)),
        Resource::Deployments => read(resource, from, |w| convert::deployment(w).map(Object::Deployment)),
        Resource::Namespaces => read(resource, from, |w| convert::namespace(w).map(Object::Namespace)),
        Resource::Quotas => read(resource, from, |w| convert::quota(w).map(Object::Quota)),
        Resource::Leases => read(resource, from, |w| convert::lease(w).map(Object::Lease)),
        Resource::LimitRanges => read(resource, from, |w| convert::limit_range(w).map(Object::LimitRange)),
        Resource::ServiceAccounts => {
            read(resource, from, |w| convert::service_account(w).map(Object::ServiceAccount))
        }
        Resource::Services => read(resource, from, |w| convert::service(w).map(Object::Service)),
        Resource::Nodes => read(resource, from, |w| convert::node(w).map(Object::Node)),
        Resource::Other => Ok(Err("is of a kind that is not read".to_owned())),
    }
}

/// Parses, checks the kind if one is given, converts.
fn read<'de, D: Deserializer<'de>, W: wire::Typed + Deserialize<'de>>(
    resource: Resource,
    from: D,
    convert: impl FnOnce(W) -> Result<Object, String>,
) -> Result<Result<Object, String>, D::Error> {
    let parsed = W::deserialize(from)?;
    if let Some(kind) = parsed.kind()
        && resource_of(kind, parsed.api_version()) != Some(resource)
    {
        return Ok(Err(format!("is no {}", kind_of(resource))));
    }
    Ok(convert(parsed))
}

/// Reads an object again to say which field the format's error is about.
pub fn explain<'de, D: Deserializer<'de>>(resource: Resource, from: D) -> String {
    let mut track = serde_path_to_error::Track::new();
    match read_as(resource, serde_path_to_error::Deserializer::new(from, &mut track)) {
        Ok(Ok(_)) => "cannot be read".to_owned(),
        Ok(Err(text)) => text,
        Err(error) => {
            let (path, error) = (track.path().to_string(), error.to_string());
            // The position is one within the object, not within the file.
            let error = error.rsplit_once(" at line ").map_or(error.as_str(), |(text, _)| text);
            if path == "." { error.to_owned() } else { format!("{path}: {error}") }
        }
    }
}

/// Reads one object in JSON. `assumed` is its resource where only its surroundings tell.
pub fn from_slice(json: &[u8], assumed: Option<Resource>) -> Result<Read, Invalid> {
    let format = || serde_json::Deserializer::from_slice(json);
    let invalid = |text| Invalid { object: identify(assumed, &mut format()), text };
    let resource = match which(assumed, || Head::peek(&mut format())) {
        Ok(resource) => resource,
        Err(Some(kind)) => return Ok(Read::Ignored(kind)),
        Err(None) => {
            let syntax = serde_json::from_slice::<IgnoredAny>(json).err().map(|e| e.to_string());
            return Err(invalid(syntax.unwrap_or_else(|| "kind is missing".to_owned())));
        }
    };
    let mut whole = format();
    match read_as(resource, &mut whole) {
        Ok(Ok(object)) => match whole.end() {
            Ok(()) => Ok(Read::Object(object)),
            Err(_) => Err(invalid("something follows the object".to_owned())),
        },
        Ok(Err(text)) => Err(invalid(text)),
        Err(_) => Err(invalid(explain(resource, &mut format()))),
    }
}

/// Reads one object from a tree of YAML.
pub fn from_value(value: &serde_yaml::Value, assumed: Option<Resource>) -> Result<Read, Invalid> {
    let invalid = |text| Invalid { object: identify(assumed, value), text };
    let resource = match which(assumed, || Head::peek(value)) {
        Ok(resource) => resource,
        Err(Some(kind)) => return Ok(Read::Ignored(kind)),
        Err(None) if value.is_mapping() => return Err(invalid("kind is missing".to_owned())),
        Err(None) => return Err(invalid("is not an object".to_owned())),
    };
    match read_as(resource, value) {
        Ok(Ok(object)) => Ok(Read::Object(object)),
        Ok(Err(text)) => Err(invalid(text)),
        Err(_) => Err(invalid(explain(resource, value))),
    }
}

/// The resource to read, or the kind that is not read.
fn which(assumed: Option<Resource>, peek: impl FnOnce() -> Head) -> Result<Resource, Option<String>> {
    if let Some(resource) = assumed {
        return Ok(resource);
    }
    let head = peek();
    head.resource().ok_or_else(|| head.full_kind())
}

/// Reads one object in JSON, of a kind that the program understands.
pub fn object_from_str(json: &str) -> Result<Object, String> {
    match from_slice(json.as_bytes(), None) {
        Ok(Read::Object(object)) => Ok(object),
        Ok(Read::Ignored(kind)) => Err(format!("{kind} is not a kind that is read")),
        Err(invalid) => Err(invalid.to_string()),
    }
}

/// Reads one ReplicaSet or ReplicationController in JSON.
pub fn replica_set(json: &str) -> Result<ReplicaSet, String> {
    match object_from_str(json)? {
        Object::ReplicaSet(found) => Ok(found),
        other => Err(format!("{} is no ReplicaSet", kind_of(other.resource()))),
    }
}

#[cfg(test)]
mod tests;
