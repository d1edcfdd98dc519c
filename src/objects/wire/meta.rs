//! Metadata of objects.

use super::Error;
use super::map::{self, Pair};
use super::scalar::Time;
use super::shape::{is_default, or_default, shape};
use crate::objects::{Manager, Meta, OwnerReference};

/// The annotations that decide or explain something; all others are skipped.
const ANNOTATIONS: &[&str] = &[
    crate::objects::pod::DELETION_COST,
    "deployment.kubernetes.io/desired-replicas",
    "deployment.kubernetes.io/max-replicas",
    "deployment.kubernetes.io/revision",
];

shape! {
    ObjectMeta {
        string namespace = 3,
        string name = 1,
        string uid = 5,
        string resource_version = 6,
        int64 generation = 7,
        Time creation_timestamp = 8,
        Time deletion_timestamp = 9,
        optional int64 deletion_grace_period_seconds = 10,
        string generate_name = 2,
        map Pair labels = 11,
        map("annotations") Pair annotations = 12,
        repeated OwnerRef owner_references = 13,
        repeated string finalizers = 14,
        repeated ManagedFields managed_fields = 17,
    }
}

shape! {
    OwnerRef {
        string api_version = 5,
        string kind = 1,
        string name = 3,
        string uid = 4,
        bool controller = 6,
    }
}

shape! {
    /// fieldsV1, the bulk of it, is skipped.
    ManagedFields {
        string manager = 1,
        string subresource = 8,
        Time time = 4,
    }
}

/// As other maps, but for what is skipped.
mod annotations {
    use serde::Deserializer;

    use super::{ANNOTATIONS, Pair, map};

    pub(crate) use map::serialize;

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Pair>, D::Error> {
        map::only(ANNOTATIONS, from)
    }
}

pub fn read(from: Option<ObjectMeta>) -> Result<Meta, Error> {
    let from = from.ok_or(Error::Missing("metadata"))?;
    if from.name.is_empty() {
        return Err(Error::Missing("metadata.name"));
    }
    let known = from.annotations.into_iter().filter(|pair| ANNOTATIONS.contains(&pair.key.as_str()));
    Ok(Meta {
        namespace: from.namespace,
        name: from.name,
        uid: from.uid,
        resource_version: from.resource_version,
        generation: from.generation,
        created: Time::read("metadata.creationTimestamp", from.creation_timestamp)?,
        deleted: Time::read("metadata.deletionTimestamp", from.deletion_timestamp)?,
        grace_seconds: from.deletion_grace_period_seconds,
        generate_name: Some(from.generate_name).filter(|prefix| !prefix.is_empty()),
        labels: map::labels(from.labels),
        annotations: known.map(|pair| (pair.key, pair.value)).collect(),
        owners: from.owner_references.into_iter().map(OwnerReference::from).collect(),
        finalizers: from.finalizers,
        managers: from.managed_fields.into_iter().map(Manager::try_from).collect::<Result<_, Error>>()?,
    })
}

pub fn write(from: &Meta) -> ObjectMeta {
    let known = from.annotations.iter().filter(|(key, _)| ANNOTATIONS.contains(key));
    ObjectMeta {
        namespace: from.namespace.clone(),
        name: from.name.clone(),
        uid: from.uid.clone(),
        resource_version: from.resource_version.clone(),
        generation: from.generation,
        creation_timestamp: from.created.map(Time::from),
        deletion_timestamp: from.deleted.map(Time::from),
        deletion_grace_period_seconds: from.grace_seconds,
        generate_name: from.generate_name.clone().unwrap_or_default(),
        labels: map::write_labels(&from.labels),
        annotations: known
            .map(|(key, value)| Pair { key: key.to_owned(), value: value.to_owned() })
            .collect(),
        owner_references: from.owners.iter().map(OwnerRef::from).collect(),
        finalizers: from.finalizers.clone(),
        managed_fields: from.managers.iter().map(ManagedFields::from).collect(),
    }
}

impl From<OwnerRef> for OwnerReference {
    fn from(from: OwnerRef) -> OwnerReference {
        let OwnerRef { api_version, kind, name, uid, controller } = from;
        OwnerReference { api_version, kind, name, uid, controller }
    }
}

impl From<&OwnerReference> for OwnerRef {
    fn from(from: &OwnerReference) -> OwnerRef {
        let OwnerReference { api_version, kind, name, uid, controller } = from.clone();
        OwnerRef { api_version, kind, name, uid, controller }
    }
}

impl TryFrom<ManagedFields> for Manager {
    type Error = Error;

    fn try_from(from: ManagedFields) -> Result<Manager, Error> {
        let time = Time::read("metadata.managedFields.time", from.time)?;
        Ok(Manager { name: from.manager, subresource: from.subresource, time })
    }
}

impl From<&Manager> for ManagedFields {
    fn from(from: &Manager) -> ManagedFields {
        ManagedFields {
            manager: from.name.clone(),
            subresource: from.subresource.clone(),
            time: from.time.map(Time::from),
        }
    }
}
