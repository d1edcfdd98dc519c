//! Deployments.

use super::scalar::in_range;
use super::selector::{self, LabelSelector};
use super::shape::{Whole, is_default, shape};
use super::{Error, meta};
use crate::objects::{Deployment, Resource, Selector};

shape! {
    DeploymentSpec {
        count replicas = 1,
        LabelSelector selector = 2,
    }
}

shape! {
    DeploymentStatus {
        optional int64 observed_generation = 1,
    }
}

impl TryFrom<Whole<DeploymentSpec, DeploymentStatus>> for Deployment {
    type Error = Error;

    fn try_from(from: Whole<DeploymentSpec, DeploymentStatus>) -> Result<Deployment, Error> {
        let meta = meta::read(from.metadata)?;
        let spec = from.spec.ok_or(Error::Missing("spec"))?;
        Ok(Deployment {
            meta,
            replicas: in_range("spec.replicas", spec.replicas.unwrap_or(1))?,
            selector: spec.selector.map_or(Selector::Nothing, Selector::from),
            observed_generation: from.status.and_then(|s| s.observed_generation).unwrap_or(0),
        })
    }
}

impl From<&Deployment> for Whole<DeploymentSpec, DeploymentStatus> {
    fn from(from: &Deployment) -> Self {
        let spec = DeploymentSpec {
            replicas: Some(from.replicas.into()),
            selector: selector::write(&from.selector),
        };
        let status = DeploymentStatus { observed_generation: Some(from.observed_generation) };
        Whole::new(Resource::Deployments, &from.meta, Some(spec), Some(status))
    }
}
