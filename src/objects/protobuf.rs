//! Reads objects as the API server writes them in protobuf, the encoding that costs it and its
//! client least. Only the fields that are kept are decoded.

mod convert;
mod list;
mod wire;

use prost::Message;

use super::json::{Invalid, kind_of};
use super::{Object, Resource};
pub use list::ProtobufList;

/// What every body begins with.
const MAGIC: &[u8] = b"k8s\0";

/// Reads one object of this resource, without the envelope of a body.
pub fn read_as(resource: Resource, bytes: &[u8]) -> Result<Object, Invalid> {
    match resource {
        Resource::ReplicaSets => read(bytes, |w| convert::replica_set(w).map(Object::ReplicaSet)),
        Resource::ReplicationControllers => {
            read(bytes, |w| convert::replication_controller(w).map(Object::ReplicaSet))
        }
        Resource::Pods => read(bytes, |w| convert::pod(w).map(Object::Pod)),
        Resource::Events => read(bytes, |w| convert::event(w).map(Object::Event)),
        Resource::Deployments => read(bytes, |w| convert::deployment(w).map(Object::Deployment)),
        Resource::Namespaces => read(bytes, |w| convert::namespace(w).map(Object::Namespace)),
        Resource::Quotas => read(bytes, |w| convert::quota(w).map(Object::Quota)),
        Resource::Leases => read(bytes, |w| convert::lease(w).map(Object::Lease)),
        Resource::LimitRanges => read(bytes, |w| convert::limit_range(w).map(Object::LimitRange)),
        Resource::ServiceAccounts => read(bytes, |w| convert::service_account(w).map(Object::ServiceAccount)),
        Resource::Services => read(bytes, |w| convert::service(w).map(Object::Service)),
        Resource::Nodes => read(bytes, |w| convert::node(w).map(Object::Node)),
        Resource::Other => Err("is of a kind that is not read".to_owned()),
    }
    .map_err(|text| Invalid { object: identify(resource, bytes), text })
}

fn read<W: Message + Default>(
    bytes: &[u8],
    convert: impl FnOnce(W) -> Result<Object, String>,
) -> Result<Object, String> {
    convert(W::decode(bytes).map_err(|error| error.to_string())?)
}

/// Names an object that could not be read, as far as it can be.
fn identify(resource: Resource, bytes: &[u8]) -> Option<String> {
    let kind = kind_of(resource);
    let metadata = wire::Whole::<wire::Nothing, wire::Nothing>::decode(bytes).ok().and_then(|w| w.metadata);
    Some(match metadata {
        Some(m) if !m.name.is_empty() && !m.namespace.is_empty() => {
            format!("{kind} {}/{}", m.namespace, m.name)
        }
        Some(m) if !m.name.is_empty() => format!("{kind} {}", m.name),
        _ => kind.to_owned(),
    })
}

/// Reads a whole body that holds one object of this resource.
pub fn body(resource: Resource, bytes: &[u8]) -> Result<Object, Invalid> {
    let invalid = |text: String| Invalid { object: Some(kind_of(resource).to_owned()), text };
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| invalid("is not Kubernetes protobuf".to_owned()))?;
    let envelope = wire::Envelope::decode(rest).map_err(|error| invalid(error.to_string()))?;
    match envelope.type_meta {
        Some(said) if said.kind != kind_of(resource) => {
            Err(invalid(format!("the server answered with a {}", said.kind)))
        }
        _ => read_as(resource, &envelope.raw),
    }
}

#[cfg(test)]
mod tests;
