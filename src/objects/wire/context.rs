//! The objects around a ReplicaSet that explain why a sync cannot do its work.

use super::map::{self, Pair, QuantityPair};
use super::pod::{self, PodCondition};
use super::scalar::{Present, Time};
use super::shape::{Whole, is_default, or_default, shape};
use super::{Error, meta};
use crate::objects::pod::Ready;
use crate::objects::{Lease, LimitRange, Namespace, Node, Quota, Resource, Service, ServiceAccount};

shape! {
    NamespaceStatus {
        string phase = 1,
    }
}

impl TryFrom<Whole<Present, NamespaceStatus>> for Namespace {
    type Error = Error;

    fn try_from(from: Whole<Present, NamespaceStatus>) -> Result<Namespace, Error> {
        let meta = meta::read(from.metadata)?;
        let ends = from.status.is_some_and(|status| status.phase == "Terminating");
        Ok(Namespace { terminating: ends || meta.deleted.is_some(), meta })
    }
}

impl From<&Namespace> for Whole<Present, NamespaceStatus> {
    fn from(from: &Namespace) -> Self {
        let phase = if from.terminating { "Terminating" } else { "Active" };
        Whole::new(Resource::Namespaces, &from.meta, None, Some(NamespaceStatus { phase: phase.to_owned() }))
    }
}

shape! {
    QuotaSpec {
        map QuantityPair hard = 1,
        repeated string scopes = 2,
        Present scope_selector = 3,
    }
}

shape! {
    QuotaStatus {
        map QuantityPair hard = 1,
        map QuantityPair used = 2,
    }
}

impl TryFrom<Whole<QuotaSpec, QuotaStatus>> for Quota {
    type Error = Error;

    fn try_from(from: Whole<QuotaSpec, QuotaStatus>) -> Result<Quota, Error> {
        let spec = from.spec.unwrap_or_default();
        let status = from.status.unwrap_or_default();
        Ok(Quota {
            meta: meta::read(from.metadata)?,
            hard: map::quantities(if status.hard.is_empty() { spec.hard } else { status.hard }),
            used: map::quantities(status.used),
            scoped: spec.scope_selector.is_some() || !spec.scopes.is_empty(),
        })
    }
}

impl From<&Quota> for Whole<QuotaSpec, QuotaStatus> {
    fn from(from: &Quota) -> Self {
        // Which scopes is not kept.
        let scope_selector = from.scoped.then_some(Present {});
        let spec = QuotaSpec { scope_selector, ..QuotaSpec::default() };
        let status =
            QuotaStatus { hard: map::write_quantities(&from.hard), used: map::write_quantities(&from.used) };
        Whole::new(Resource::Quotas, &from.meta, Some(spec), Some(status))
    }
}

shape! {
    LeaseSpec {
        string holder_identity = 1,
        optional int64 lease_duration_seconds = 2,
        Time acquire_time = 3,
        Time renew_time = 4,
    }
}

impl TryFrom<Whole<LeaseSpec, Present>> for Lease {
    type Error = Error;

    fn try_from(from: Whole<LeaseSpec, Present>) -> Result<Lease, Error> {
        let spec = from.spec.unwrap_or_default();
        Ok(Lease {
            meta: meta::read(from.metadata)?,
            holder: spec.holder_identity,
            duration_seconds: spec.lease_duration_seconds.unwrap_or(0),
            acquired: Time::read("spec.acquireTime", spec.acquire_time)?,
            renewed: Time::read("spec.renewTime", spec.renew_time)?,
        })
    }
}

impl From<&Lease> for Whole<LeaseSpec, Present> {
    fn from(from: &Lease) -> Self {
        let spec = LeaseSpec {
            holder_identity: from.holder.clone(),
            lease_duration_seconds: Some(from.duration_seconds),
            acquire_time: from.acquired.map(Time::from),
            renew_time: from.renewed.map(Time::from),
        };
        Whole::new(Resource::Leases, &from.meta, Some(spec), None)
    }
}

shape! {
    LimitRangeSpec {
        repeated LimitRangeItem limits = 1,
    }
}

shape! {
    LimitRangeItem {
        #[serde(rename = "type")]
        string kind = 1,
        map QuantityPair max = 2,
    }
}

impl TryFrom<Whole<LimitRangeSpec, Present>> for LimitRange {
    type Error = Error;

    fn try_from(from: Whole<LimitRangeSpec, Present>) -> Result<LimitRange, Error> {
        let limits = from.spec.unwrap_or_default().limits.into_iter();
        let of_containers = limits.filter(|limit| limit.kind == "Container");
        Ok(LimitRange {
            meta: meta::read(from.metadata)?,
            container_max: of_containers.flat_map(|limit| map::quantities(limit.max)).collect(),
        })
    }
}

impl From<&LimitRange> for Whole<LimitRangeSpec, Present> {
    fn from(from: &LimitRange) -> Self {
        let limit =
            LimitRangeItem { kind: "Container".to_owned(), max: map::write_quantities(&from.container_max) };
        Whole::new(Resource::LimitRanges, &from.meta, Some(LimitRangeSpec { limits: vec![limit] }), None)
    }
}

impl TryFrom<Whole<Present, Present>> for ServiceAccount {
    type Error = Error;

    fn try_from(from: Whole<Present, Present>) -> Result<ServiceAccount, Error> {
        Ok(ServiceAccount { meta: meta::read(from.metadata)? })
    }
}

impl From<&ServiceAccount> for Whole<Present, Present> {
    fn from(from: &ServiceAccount) -> Self {
        Whole::new(Resource::ServiceAccounts, &from.meta, None, None)
    }
}

shape! {
    ServiceSpec {
        map Pair selector = 2,
    }
}

impl TryFrom<Whole<ServiceSpec, Present>> for Service {
    type Error = Error;

    fn try_from(from: Whole<ServiceSpec, Present>) -> Result<Service, Error> {
        let selector = map::labels(from.spec.unwrap_or_default().selector);
        Ok(Service { meta: meta::read(from.metadata)?, selector })
    }
}

impl From<&Service> for Whole<ServiceSpec, Present> {
    fn from(from: &Service) -> Self {
        let spec = ServiceSpec { selector: map::write_labels(&from.selector) };
        Whole::new(Resource::Services, &from.meta, Some(spec), None)
    }
}

shape! {
    NodeStatus {
        repeated PodCondition conditions = 4,
    }
}

impl TryFrom<Whole<Present, NodeStatus>> for Node {
    type Error = Error;

    fn try_from(from: Whole<Present, NodeStatus>) -> Result<Node, Error> {
        let ready = pod::ready(from.status.unwrap_or_default().conditions)?;
        let Ready { is_true, since } = ready.unwrap_or(Ready { is_true: false, since: None });
        Ok(Node { meta: meta::read(from.metadata)?, ready: is_true, since })
    }
}

impl From<&Node> for Whole<Present, NodeStatus> {
    fn from(from: &Node) -> Self {
        let ready = pod::write_ready(Ready { is_true: from.ready, since: from.since });
        Whole::new(Resource::Nodes, &from.meta, None, Some(NodeStatus { conditions: vec![ready] }))
    }
}
