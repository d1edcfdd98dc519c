//! Replaces the names in what is recorded, so that the recording can be shown to others: a name by the same pseudonym
//! everywhere, so that all answers stay the same but for names.
//!
//! UIDs stay, and with them the order that they decide. So do times, counts, kinds and reasons of
//! Kubernetes, and the keys of labels that Kubernetes defines.

mod names;
mod text;

use names::Pseudonyms;

use crate::objects::{
    Condition, Labels, Meta, Object, Observation, OwnerReference, Quota, ReplicaSet, Selector, Template, What,
};

/// Keys of labels without a domain that controllers of Kubernetes set.
const LABELS: [&str; 3] = ["pod-template-hash", "pod-template-generation", "controller-revision-hash"];

/// Kinds that own pods or ReplicaSets, or that events are about.
const KINDS: [&str; 12] = [
    "ReplicaSet",
    "ReplicationController",
    "Deployment",
    "StatefulSet",
    "DaemonSet",
    "Job",
    "CronJob",
    "Pod",
    "Node",
    "Namespace",
    "ResourceQuota",
    "Service",
];

/// Who reports events.
const COMPONENTS: [&str; 5] = [
    "replicaset-controller",
    "replication-controller",
    "deployment-controller",
    "default-scheduler",
    "kubelet",
];

/// What stands for the names of a recording.
#[derive(Debug, Default)]
pub struct Redactor {
    names: Pseudonyms,
}

impl Redactor {
    /// What stands for a name.
    pub fn name(&mut self, name: &str) -> String {
        self.names.name(name)
    }

    /// A selector without names.
    pub(crate) fn selector(&mut self, selector: &Selector) -> Selector {
        let mut redacted = selector.clone();
        self.replace_in(&mut redacted);
        redacted
    }

    /// An observation without names.
    pub fn observation(&mut self, mut observation: Observation) -> Observation {
        match &mut observation.what {
            What::List { items, .. } => items.iter_mut().for_each(|item| self.object(item)),
            What::Added(object) | What::Modified(object) | What::Deleted(object) => self.object(object),
            What::Gap(why) => *why = self.names.text(why),
            What::Begin { .. } | What::Bookmark { .. } | What::Log(_) | What::End => {}
        }
        observation
    }

    fn object(&mut self, object: &mut Object) {
        match object {
            Object::ReplicaSet(o) => self.replica_set(o),
            Object::Pod(o) => {
                self.meta(&mut o.meta);
                self.replace(&mut o.node);
                o.images.iter_mut().for_each(|(name, image)| self.both(name, image));
            }
            Object::Event(o) => {
                self.meta(&mut o.meta);
                self.kind(&mut o.about_kind);
                self.replace(&mut o.about_name);
                o.message = self.names.text(&o.message);
                if !COMPONENTS.contains(&o.component.as_str()) {
                    self.replace(&mut o.component);
                }
            }
            Object::Deployment(o) => {
                self.meta(&mut o.meta);
                self.replace_in(&mut o.selector);
            }
            Object::Namespace(o) => self.meta(&mut o.meta),
            Object::Quota(o) => self.quota(o),
            Object::Lease(o) => {
                self.meta(&mut o.meta);
                self.replace(&mut o.holder);
            }
            Object::LimitRange(o) => {
                self.meta(&mut o.meta);
                self.quantities(&mut o.container_max);
            }
            Object::ServiceAccount(o) => self.meta(&mut o.meta),
            Object::Service(o) => {
                self.meta(&mut o.meta);
                self.labels(&mut o.selector);
            }
            Object::Node(o) => self.meta(&mut o.meta),
        }
    }

    fn meta(&mut self, meta: &mut Meta) {
        self.both(&mut meta.namespace, &mut meta.name);
        if let Some(prefix) = &mut meta.generate_name {
            *prefix = self.names.prefix(prefix);
        }
        self.labels(&mut meta.labels);
        // A number, or what counts as none.
        let number = |(key, value): (&str, &str)| {
            let value = if value.parse::<i64>().is_ok() { value } else { "-" };
            (key.to_owned(), value.to_owned())
        };
        meta.annotations = meta.annotations.iter().map(number).collect();
        meta.owners.iter_mut().for_each(|owner| self.owner(owner));
        for finalizer in &mut meta.finalizers {
            if finalizer.contains('/') && !is_of_kubernetes(finalizer) {
                self.replace(finalizer);
            }
        }
        for manager in &mut meta.managers {
            if !manager.name.starts_with("kube") {
                self.replace(&mut manager.name);
            }
        }
    }

    fn owner(&mut self, owner: &mut OwnerReference) {
        if !KINDS.contains(&owner.kind.as_str()) {
            self.both(&mut owner.kind, &mut owner.api_version);
        }
        self.replace(&mut owner.name);
    }

    fn kind(&mut self, kind: &mut String) {
        if !KINDS.contains(&kind.as_str()) {
            self.replace(kind);
        }
    }

    fn replica_set(&mut self, object: &mut ReplicaSet) {
        self.meta(&mut object.meta);
        self.replace_in(&mut object.selector);
        self.template(&mut object.template);
        object.status.conditions.iter_mut().for_each(|condition| self.condition(condition));
    }

    fn condition(&mut self, condition: &mut Condition) {
        condition.message = self.names.text(&condition.message);
    }

    fn template(&mut self, template: &mut Template) {
        self.labels(&mut template.labels);
        self.replace(&mut template.service_account);
        for container in &mut template.containers {
            self.both(&mut container.name, &mut container.image);
            self.quantities(&mut container.limits);
        }
    }

    fn quota(&mut self, quota: &mut Quota) {
        self.meta(&mut quota.meta);
        self.quantities(&mut quota.hard);
        self.quantities(&mut quota.used);
    }

    fn quantities(&mut self, quantities: &mut [(String, String)]) {
        for (resource, _) in quantities {
            if !text::is_resource(resource) {
                self.replace(resource);
            }
        }
    }

    fn replace_in(&mut self, selector: &mut Selector) {
        let Selector::All(requirements) = selector else { return };
        for requirement in requirements {
            requirement.key = self.key(&requirement.key);
            requirement.values.iter_mut().for_each(|value| self.replace(value));
        }
    }

    fn labels(&mut self, labels: &mut Labels) {
        *labels = labels.iter().map(|(key, value)| (self.key(key), self.names.name(value))).collect();
    }

    /// The key of a label.
    fn key(&mut self, key: &str) -> String {
        let known = LABELS.contains(&key) || is_of_kubernetes(key);
        if known { key.to_owned() } else { self.names.name(key) }
    }

    fn both(&mut self, one: &mut String, other: &mut String) {
        self.replace(one);
        self.replace(other);
    }

    fn replace(&mut self, name: &mut String) {
        *name = self.names.name(name);
    }
}

/// Whether a key stands in a domain of Kubernetes.
fn is_of_kubernetes(key: &str) -> bool {
    let domain = key.split_once('/').map_or("", |(domain, _)| domain);
    ["kubernetes.io", "k8s.io"]
        .iter()
        .any(|own| domain.strip_suffix(own).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_keys_of_kubernetes_stay() {
        let mut redactor = Redactor::default();
        for key in
            ["app.kubernetes.io/name", "pod-template-hash", "topology.kubernetes.io/zone", "x.k8s.io/y"]
        {
            assert_eq!(redactor.key(key), key);
        }
        for key in ["app", "acme.io/team", "notkubernetes.io/x", "kubernetes.io"] {
            assert_ne!(redactor.key(key), key);
        }
    }

    #[test]
    fn annotations_are_numbers() {
        let mut redactor = Redactor::default();
        let cost = crate::objects::pod::DELETION_COST;
        for (value, kept) in [("-7", "-7"), ("+5", "+5"), ("secret", "-"), ("", "-")] {
            let mut meta = Meta { annotations: [(cost, value)].into_iter().collect(), ..Meta::default() };
            redactor.meta(&mut meta);
            assert_eq!(meta.annotations.get(cost), Some(kept));
        }
    }
}
