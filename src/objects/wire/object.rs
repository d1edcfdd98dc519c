//! One object: read from JSON, YAML or protobuf, written as JSON.

use std::io::Write;
use std::marker::PhantomData;

use prost::Message;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny};

use super::context::{
    LeaseSpec, LimitRangeSpec, NamespaceStatus, NodeStatus, QuotaSpec, QuotaStatus, ServiceSpec,
};
use super::deployment::{DeploymentSpec, DeploymentStatus};
use super::event::EventShape;
use super::head::{Head, identify, identify_message};
use super::pod::{PodSpec, PodStatus};
use super::replica_set::{ReplicaSetSpec, ReplicaSetStatus, ReplicationControllerSpec};
use super::scalar::Present;
use super::shape::{Typed, Whole};
use super::{Error, Invalid};
use crate::objects::{
    Deployment, Event, Lease, LimitRange, Namespace, Node, Object, OwnerKind, Pod, Quota, ReplicaSet,
    Resource, Service, ServiceAccount,
};

/// What was read. It lives for a moment only, so its size does not matter.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant)]
pub(crate) enum Read {
    /// An object that the program understands.
    Object(Object),
    /// An object of another kind, named as kubectl names it: `ConfigMap`,
    /// `EndpointSlice.discovery.k8s.io`.
    Ignored(String),
}

/// An encoding that shapes are parsed from.
trait Encoded {
    type Error;

    fn parse<W: Message + Default + DeserializeOwned>(self) -> Result<W, Self::Error>;
}

/// JSON or YAML.
struct Text<'de, D>(D, PhantomData<&'de ()>);

impl<'de, D: Deserializer<'de>> Encoded for Text<'de, D> {
    type Error = D::Error;

    fn parse<W: Message + Default + DeserializeOwned>(self) -> Result<W, D::Error> {
        W::deserialize(self.0)
    }
}

struct Protobuf<'b>(&'b [u8]);

impl Encoded for Protobuf<'_> {
    type Error = prost::DecodeError;

    fn parse<W: Message + Default + DeserializeOwned>(self) -> Result<W, prost::DecodeError> {
        W::decode(self.0)
    }
}

/// Reads an object of this resource. The outer error is that of the encoding (bad syntax, a field of
/// a wrong type); the inner one names a field whose value cannot be used.
fn read<E: Encoded>(resource: Resource, from: E) -> Result<Result<Object, Error>, E::Error> {
    match resource {
        Resource::ReplicaSets => shape(resource, from, |w: Whole<ReplicaSetSpec, ReplicaSetStatus>| {
            ReplicaSet::try_from(w).map(Object::ReplicaSet)
        }),
        Resource::ReplicationControllers => {
            shape(resource, from, |w: Whole<ReplicationControllerSpec, ReplicaSetStatus>| {
                ReplicaSet::try_from(w).map(Object::ReplicaSet)
            })
        }
        Resource::Pods => {
            shape(resource, from, |w: Whole<PodSpec, PodStatus>| Pod::try_from(w).map(Object::Pod))
        }
        Resource::Events => shape(resource, from, |w: EventShape| Event::try_from(w).map(Object::Event)),
        Resource::Deployments => shape(resource, from, |w: Whole<DeploymentSpec, DeploymentStatus>| {
            Deployment::try_from(w).map(Object::Deployment)
        }),
        Resource::Namespaces => shape(resource, from, |w: Whole<Present, NamespaceStatus>| {
            Namespace::try_from(w).map(Object::Namespace)
        }),
        Resource::Quotas => {
            shape(resource, from, |w: Whole<QuotaSpec, QuotaStatus>| Quota::try_from(w).map(Object::Quota))
        }
        Resource::Leases => {
            shape(resource, from, |w: Whole<LeaseSpec, Present>| Lease::try_from(w).map(Object::Lease))
        }
        Resource::LimitRanges => shape(resource, from, |w: Whole<LimitRangeSpec, Present>| {
            LimitRange::try_from(w).map(Object::LimitRange)
        }),
        Resource::ServiceAccounts => shape(resource, from, |w: Whole<Present, Present>| {
            ServiceAccount::try_from(w).map(Object::ServiceAccount)
        }),
        Resource::Services => {
            shape(resource, from, |w: Whole<ServiceSpec, Present>| Service::try_from(w).map(Object::Service))
        }
        Resource::Nodes => {
            shape(resource, from, |w: Whole<Present, NodeStatus>| Node::try_from(w).map(Object::Node))
        }
        Resource::Other => Ok(Err(Error::UnknownKind)),
    }
}

/// Parses, checks the kind if one is given, converts.
fn shape<E: Encoded, W: Typed + Message + Default + DeserializeOwned>(
    resource: Resource,
    from: E,
    convert: impl FnOnce(W) -> Result<Object, Error>,
) -> Result<Result<Object, Error>, E::Error> {
    let parsed = from.parse::<W>()?;
    let (api_version, kind) = parsed.type_meta();
    let api_version = Some(api_version).filter(|version| !version.is_empty());
    if !kind.is_empty() && Resource::of_kind(kind, api_version) != Some(resource) {
        return Ok(Err(Error::OtherKind(resource.kind())));
    }
    Ok(convert(parsed))
}

/// Reads an object of this resource in JSON or YAML, as [`read`].
pub(crate) fn read_as<'de, D: Deserializer<'de>>(
    resource: Resource,
    from: D,
) -> Result<Result<Object, Error>, D::Error> {
    read(resource, Text(from, PhantomData))
}

/// Reads an object again to find the field that the format's error is about.
fn explain<'de, D: Deserializer<'de>>(resource: Resource, from: D) -> Error {
    let mut track = serde_path_to_error::Track::new();
    match read_as(resource, serde_path_to_error::Deserializer::new(from, &mut track)) {
        Ok(Ok(_)) => Error::Format { path: None, text: "cannot be read".to_owned() },
        Ok(Err(error)) => error,
        Err(error) => {
            let path = Some(track.path().to_string()).filter(|path| path != ".");
            let error = error.to_string();
            let text = error.rsplit_once(" at line ").map_or(error.as_str(), |(text, _)| text).to_owned();
            Error::Format { path, text }
        }
    }
}

/// Reads one object in JSON. `assumed` is its resource where only its surroundings tell.
pub(crate) fn from_slice(json: &[u8], assumed: Option<Resource>) -> Result<Read, Invalid> {
    let format = || serde_json::Deserializer::from_slice(json);
    let invalid = |error| Invalid { object: identify(assumed, &mut format()), error };
    let resource = match which(assumed, || Head::peek(&mut format())) {
        Ok(resource) => resource,
        Err(Some(kind)) => return Ok(Read::Ignored(kind)),
        Err(None) => {
            let syntax = serde_json::from_slice::<IgnoredAny>(json).err();
            let syntax = syntax.map(|e| Error::Format { path: None, text: e.to_string() });
            return Err(invalid(syntax.unwrap_or(Error::Missing("kind"))));
        }
    };
    let mut whole = format();
    match read_as(resource, &mut whole) {
        Ok(Ok(object)) => match whole.end() {
            Ok(()) => Ok(Read::Object(object)),
            Err(_) => Err(invalid(Error::Trailing)),
        },
        Ok(Err(error)) => Err(invalid(error)),
        Err(_) => Err(invalid(explain(resource, &mut format()))),
    }
}

/// Reads one object from a tree of YAML.
pub(crate) fn from_value(value: &serde_yaml::Value, assumed: Option<Resource>) -> Result<Read, Invalid> {
    let invalid = |error| Invalid { object: identify(assumed, value), error };
    let resource = match which(assumed, || Head::peek(value)) {
        Ok(resource) => resource,
        Err(Some(kind)) => return Ok(Read::Ignored(kind)),
        Err(None) if value.is_mapping() => return Err(invalid(Error::Missing("kind"))),
        Err(None) => return Err(invalid(Error::NotAnObject)),
    };
    match read_as(resource, value) {
        Ok(Ok(object)) => Ok(Read::Object(object)),
        Ok(Err(error)) => Err(invalid(error)),
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

/// Reads one object of this resource in protobuf, without the envelope of a body.
pub(crate) fn from_protobuf(resource: Resource, bytes: &[u8]) -> Result<Object, Invalid> {
    let object = read(resource, Protobuf(bytes)).map_err(Error::from).flatten();
    object.map_err(|error| Invalid { object: identify_message(resource, bytes), error })
}

/// Reads one object in JSON, of a kind that the program understands.
pub fn from_str(json: &str) -> Result<Object, Invalid> {
    match from_slice(json.as_bytes(), None)? {
        Read::Object(object) => Ok(object),
        Read::Ignored(kind) => Err(Invalid { object: Some(kind), error: Error::UnknownKind }),
    }
}

/// Writes an object as JSON in one line, with its kind. What was read, written and read again is the
/// same object; where several shapes mean the same, the usual one is written.
pub fn write(object: &Object, to: impl Write) -> serde_json::Result<()> {
    match object {
        Object::ReplicaSet(o) if o.kind == OwnerKind::ReplicaSet => {
            serde_json::to_writer(to, &Whole::<ReplicaSetSpec, ReplicaSetStatus>::from(o))
        }
        Object::ReplicaSet(o) => {
            serde_json::to_writer(to, &Whole::<ReplicationControllerSpec, ReplicaSetStatus>::from(o))
        }
        Object::Pod(o) => serde_json::to_writer(to, &Whole::<PodSpec, PodStatus>::from(o)),
        Object::Event(o) => serde_json::to_writer(to, &EventShape::from(o)),
        Object::Deployment(o) => {
            serde_json::to_writer(to, &Whole::<DeploymentSpec, DeploymentStatus>::from(o))
        }
        Object::Namespace(o) => serde_json::to_writer(to, &Whole::<Present, NamespaceStatus>::from(o)),
        Object::Quota(o) => serde_json::to_writer(to, &Whole::<QuotaSpec, QuotaStatus>::from(o)),
        Object::Lease(o) => serde_json::to_writer(to, &Whole::<LeaseSpec, Present>::from(o)),
        Object::LimitRange(o) => serde_json::to_writer(to, &Whole::<LimitRangeSpec, Present>::from(o)),
        Object::ServiceAccount(o) => serde_json::to_writer(to, &Whole::<Present, Present>::from(o)),
        Object::Service(o) => serde_json::to_writer(to, &Whole::<ServiceSpec, Present>::from(o)),
        Object::Node(o) => serde_json::to_writer(to, &Whole::<Present, NodeStatus>::from(o)),
    }
}
