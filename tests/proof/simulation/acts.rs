//! What the steps of the driver do.

use jiff::SignedDuration;
use rsexp::objects::pod::{DELETION_COST, Ready};
use rsexp::objects::{
    Labels, Object, Operator, OwnerKind, OwnerReference, Phase, Pod, Quota, ReplicaSet, Requirement,
    Selector, Status, Template,
};

use crate::simulation::driver::{Cascade, Step};
use crate::simulation::server::{Admission, Chore, reference, whole};
use crate::simulation::world::{Happening, NAMESPACE, Verb, World};

fn set_name(number: usize) -> String {
    ["a", "b", "c"][number].into()
}

impl World {
    pub fn drive(&mut self, step: &Step) {
        match step.clone() {
            Step::Open => self.open_window(),
            Step::Create(set, replicas) => self.create_set(set, replicas),
            Step::Scale(set, replicas) => self.change_set(set, |found| found.replicas = replicas),
            Step::Touch(set) => self.change_set(set, |_| {}),
            Step::Recreate(set, replicas) => {
                self.delete_set(set, Cascade::Background);
                self.create_set(set, replicas);
            }
            Step::DeleteSet(set, cascade) => self.delete_set(set, cascade),
            Step::DeletePods(set, count) => {
                self.owned(set, count, false).iter().for_each(|name| self.delete_pod(name));
            }
            Step::Relabel(set, count) => {
                self.change_pods(set, count, |pod| pod.meta.labels = labels("taken-out"));
            }
            Step::Disown(set, count) => self.change_pods(set, count, |pod| pod.meta.owners.clear()),
            Step::Orphans(set, count) => self.strangers(set, count, None),
            Step::Foreign(set, count) => {
                let owner = self.server.replica_sets.get(&set_name(set)).map(reference);
                self.strangers(set, count, owner);
            }
            Step::MakeReady(set, count) => {
                let since = Some(whole(self.now));
                self.change_pods(set, count, |pod| {
                    pod.node = "node-1".into();
                    pod.phase = Phase::Running;
                    pod.ready = Some(Ready { is_true: true, since });
                });
            }
            Step::End(set, count, failed) => self.change_pods(set, count, |pod| {
                pod.phase = if failed { Phase::Failed } else { Phase::Succeeded };
                pod.ready = None;
            }),
            Step::Hold(set, count) => {
                self.change_pods(set, count, |pod| pod.meta.finalizers = vec!["example.org/hold".into()]);
            }
            Step::LetGo => self.let_go(),
            Step::Quota(pods) => self.set_quota(pods),
            Step::Admission(does, after, share) => {
                self.server.admission = (does, SignedDuration::from_millis(after), share);
                if does == Admission::Relabels {
                    let delay = self.random.millis(200, 3000);
                    self.after(delay, Happening::Chore(Chore::Mend));
                }
            }
            Step::Terminate => {
                let mut namespace = self.server.namespace.clone();
                namespace.terminating = true;
                self.store(Verb::Modified, Object::Namespace(namespace));
            }
            Step::Freeze(millis) => {
                self.freeze(self.now + SignedDuration::from_millis(millis));
            }
            Step::Lag(resource, length, by) => {
                let until = self.now + SignedDuration::from_millis(length);
                self.lag(resource, until, SignedDuration::from_millis(by));
            }
            Step::ObserverLag(resource, length, by) => {
                let lag = (self.now + SignedDuration::from_millis(length), SignedDuration::from_millis(by));
                self.observer.watches.entry(resource).or_default().lag = Some(lag);
            }
            Step::Kill(gives_up) if self.controller.leads => self.kill(gives_up),
            Step::Kill(_) => {}
            Step::Break(resource, gap) => self.break_watch(resource, SignedDuration::from_millis(gap)),
        }
    }

    fn create_set(&mut self, set: usize, replicas: i32) {
        let name = set_name(set);
        if self.server.replica_sets.contains_key(&name) || self.server.namespace.terminating {
            return;
        }
        let labels = labels(if self.config.overlap { "a" } else { &name });
        let mut created = ReplicaSet {
            kind: OwnerKind::ReplicaSet,
            meta: Default::default(),
            replicas,
            min_ready_seconds: self.config.min_ready,
            selector: selector(&labels),
            template: Template { labels, ..Template::default() },
            status: Status::default(),
        };
        created.meta.namespace = NAMESPACE.into();
        created.meta.name = name;
        created.meta.uid = self.new_uid();
        created.meta.generation = 1;
        created.meta.created = Some(whole(self.now));
        if self.config.owned {
            created.meta.owners = vec![OwnerReference {
                api_version: "apps/v1".into(),
                kind: "Deployment".into(),
                name: "shop".into(),
                uid: "uid-deployment".into(),
                controller: true,
            }];
        }
        self.store(Verb::Added, Object::ReplicaSet(created));
    }

    fn change_set(&mut self, set: usize, change: impl Fn(&mut ReplicaSet)) {
        let Some(found) = self.server.replica_sets.get(&set_name(set)) else { return };
        let mut changed = found.clone();
        change(&mut changed);
        if changed.replicas != found.replicas {
            changed.meta.generation += 1;
        }
        self.store(Verb::Modified, Object::ReplicaSet(changed));
    }

    fn delete_set(&mut self, set: usize, cascade: Cascade) {
        let Some(mut found) = self.server.replica_sets.get(&set_name(set)).cloned() else { return };
        let uid = found.meta.uid.clone();
        if cascade == Cascade::Foreground && !self.owned(set, 1, true).is_empty() {
            found.meta.deleted = Some(whole(self.now));
            found.meta.finalizers = vec!["foregroundDeletion".into()];
            found.meta.generation += 1;
            self.store(Verb::Modified, Object::ReplicaSet(found));
        } else {
            if cascade == Cascade::Orphan {
                let all: Vec<Pod> = self.server.pods.values().cloned().collect();
                for mut pod in all.into_iter().filter(|pod| pod.meta.owners.iter().any(|o| o.uid == uid)) {
                    pod.meta.owners.clear();
                    self.store(Verb::Modified, Object::Pod(pod));
                }
            }
            self.store(Verb::Deleted, Object::ReplicaSet(found));
        }
        let delay = self.random.millis(5, 1500);
        self.after(delay, Happening::Chore(Chore::Collect(uid)));
    }

    /// Names of pods of a ReplicaSet, at random; those that are over too, if asked for.
    fn owned(&mut self, set: usize, count: usize, all: bool) -> Vec<String> {
        let Some(owner) = self.server.replica_sets.get(&set_name(set)) else { return Vec::new() };
        let uid = owner.meta.uid.clone();
        let owned = |pod: &&Pod| pod.meta.owners.iter().any(|owner| owner.uid == uid);
        let names = self.server.pods.values().filter(owned).filter(|pod| all || pod.is_active());
        let names: Vec<String> = names.map(|pod| pod.meta.name.clone()).collect();
        self.random.some(names, count)
    }

    fn change_pods(&mut self, set: usize, count: usize, change: impl Fn(&mut Pod)) {
        for name in self.owned(set, count, false) {
            let mut pod = self.server.pods[&name].clone();
            change(&mut pod);
            self.store(Verb::Modified, Object::Pod(pod));
        }
    }

    /// Pods that somebody makes by hand.
    fn strangers(&mut self, set: usize, count: usize, owner: Option<OwnerReference>) {
        if self.server.namespace.terminating {
            return;
        }
        let name = set_name(set);
        for _ in 0..count {
            let mut pod = Pod { phase: Phase::Pending, ..Pod::default() };
            pod.meta.namespace = NAMESPACE.into();
            pod.meta.name = self.free_name("by-hand");
            pod.meta.uid = self.new_uid();
            pod.meta.generation = 1;
            pod.meta.created = Some(whole(self.now));
            pod.meta.labels = labels(if self.config.overlap { "a" } else { &name });
            pod.meta.owners = owner.iter().cloned().collect();
            if self.random.percent(10) {
                pod.meta.annotations = [(DELETION_COST, "-5")].into_iter().collect();
            }
            self.create_pod(pod);
        }
    }

    fn let_go(&mut self) {
        let held: Vec<Pod> =
            self.server.pods.values().filter(|pod| !pod.meta.finalizers.is_empty()).cloned().collect();
        for mut pod in held {
            pod.meta.finalizers.clear();
            if pod.meta.deleted.is_some() {
                self.removed(pod);
            } else {
                self.store(Verb::Modified, Object::Pod(pod));
            }
        }
    }

    fn set_quota(&mut self, pods: Option<u64>) {
        let old = self.server.quota.clone();
        match pods {
            None => {
                if let Some(old) = old {
                    self.store(Verb::Deleted, Object::Quota(old));
                }
            }
            Some(pods) => {
                let used = self.server.pods.values().filter(|pod| !pod.phase.is_finished()).count();
                let mut quota = Quota::default();
                quota.meta.namespace = NAMESPACE.into();
                quota.meta.name = "q".into();
                quota.meta.uid = "uid-quota".into();
                quota.hard = vec![("pods".into(), pods.to_string())];
                quota.used = vec![("pods".into(), used.to_string())];
                let verb = if old.is_some() { Verb::Modified } else { Verb::Added };
                self.store(verb, Object::Quota(quota));
            }
        }
    }
}

fn labels(app: &str) -> Labels {
    [("app", app)].into_iter().collect()
}

fn selector(labels: &Labels) -> Selector {
    let requirement = |(key, value): (&str, &str)| Requirement {
        key: key.into(),
        operator: Operator::In,
        values: vec![value.into()],
    };
    Selector::All(labels.iter().map(requirement).collect())
}
