//! Those who work beside the controller: scheduler, kubelets, quota controller, garbage collector.

use rsexp::objects::pod::Ready;
use rsexp::objects::{Object, Phase, Pod};

use crate::simulation::server::{Chore, whole};
use crate::simulation::world::{Happening, Verb, World};

impl World {
    pub fn do_chore(&mut self, chore: Chore) {
        match chore {
            Chore::Bind(name) => {
                let Some(mut pod) = self.server.pods.get(&name).cloned() else { return };
                if !pod.node.is_empty() || pod.meta.deleted.is_some() {
                    return;
                }
                pod.node = format!("node-{}", self.random.below(3));
                self.store(Verb::Modified, Object::Pod(pod));
                let delay = self.random.millis(20, 600);
                self.after(delay, Happening::Chore(Chore::Ready(name)));
            }
            Chore::Ready(name) => {
                let Some(mut pod) = self.server.pods.get(&name).cloned() else { return };
                if pod.is_ready() || pod.phase.is_finished() {
                    return;
                }
                pod.phase = Phase::Running;
                pod.ready = Some(Ready { is_true: true, since: Some(whole(self.now)) });
                self.store(Verb::Modified, Object::Pod(pod));
            }
            Chore::Remove(name) => {
                let Some(pod) = self.server.pods.get(&name).cloned() else { return };
                if pod.meta.deleted.is_some() && pod.meta.finalizers.is_empty() {
                    self.removed(pod);
                }
            }
            Chore::Recount => self.recount(),
            Chore::Mend => self.server.admission = Default::default(),
            Chore::Collect(uid) => {
                let owned = |pod: &&Pod| pod.controller().is_some_and(|owner| owner.uid == uid);
                let names: Vec<String> =
                    self.server.pods.values().filter(owned).map(|pod| pod.meta.name.clone()).collect();
                names.iter().for_each(|name| self.delete_pod(name));
            }
        }
    }

    pub fn use_quota(&mut self, count: u64) {
        let Some(mut quota) = self.server.quota.clone() else { return };
        let used: u64 = quota.used[0].1.parse().unwrap();
        quota.used[0].1 = (used + count).to_string();
        self.store(Verb::Modified, Object::Quota(quota));
    }

    pub fn recount(&mut self) {
        let Some(mut quota) = self.server.quota.clone() else { return };
        let counted = |pod: &&Pod| !pod.phase.is_finished();
        let used = self.server.pods.values().filter(counted).count().to_string();
        if quota.used[0].1 != used {
            quota.used[0].1 = used;
            self.store(Verb::Modified, Object::Quota(quota));
        }
    }
}
