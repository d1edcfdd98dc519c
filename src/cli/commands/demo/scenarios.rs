//! The demonstrations. What is told happened: the recordings come from runs of a real control
//! plane whose own memory was written down beside them.

use super::{Demo, Step};

macro_rules! recording {
    ($name:literal) => {
        include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/", $name, ".rsexp.jsonl.gz"))
    };
}

/// Every demonstration; the first is the one that `demo` tells.
pub const ALL: &[Demo] = &[
    Demo {
        name: "waits",
        about: "scaled up, and nothing happens: no pod, no error",
        bytes: recording!("waits"),
        steps: &[
            Step {
                told: "18:11:50: ReplicaSet a is made with 5 replicas. The controller creates five pods and \
                       notes in its expectations that it waits to see five creations. But a mutating \
                       webhook strips the ownerReference from each pod: the pods arrive as nobody's. The \
                       controller adopts them, yet an adopted pod is none of the creations that it awaits. \
                       For now nobody notices: five pods are there.",
                command: "explain rs/a",
                at: "2026-11-29T18:11:53Z",
            },
            Step {
                told: "18:11:55: a is scaled to 8. No pod is created, and there is no event and no condition. Why?",
                command: "explain rs/a",
                at: "2026-11-29T18:11:57Z",
            },
            Step {
                told: "18:12:03: a pod is deleted, and is not replaced. 18:16:41: somebody touches a, nine \
                       seconds too early: that sync is skipped as well. 18:16:50: the five minutes are over, \
                       and still nothing happens.",
                command: "explain rs/a",
                at: "2026-11-29T18:17:20Z",
            },
            Step {
                told: "18:17:31: a is annotated. That triggers a sync, and four pods are created at once.",
                command: "explain rs/a",
                at: "2026-11-29T18:17:34Z",
            },
        ],
        end: "The expectations live in the controller's memory: no API, metric or event shows them, and \
              since Kubernetes 1.28 its log prints them as {}. Here they were worked out from what can be \
              watched.",
    },
    Demo {
        name: "quota",
        about: "a ResourceQuota refuses the pods",
        bytes: recording!("quota"),
        steps: &[
            Step {
                told: "A quota admits 5 pods, and ReplicaSet a wants 12. The first sync creates five, two \
                       creates are refused, and the rest is not tried. Each retry tries one pod, and the \
                       pause before the next doubles.",
                command: "explain rs/a",
                at: "2026-11-29T18:12:27.5Z",
            },
            Step {
                told: "18:12:31: the quota is raised to 9, and a retry fills it at 18:12:35. 18:12:41: the \
                       quota is deleted, which wakes nobody. 18:12:46: an annotation on a does, and the \
                       last three pods come.",
                command: "explain rs/a",
                at: "2026-11-29T18:12:47.6Z",
            },
        ],
        end: "The controller does not wait for refused creates: it lowers the expectations at once. What holds the \
              ReplicaSet back is the quota, then the pause before the retry.",
    },
    Demo {
        name: "scale-down",
        about: "which pods go, and the rule that decides each",
        bytes: recording!("scale-down"),
        steps: &[
            Step {
                told: "ReplicaSet mix has 10 pods. Which of them would go if it were scaled to 4?",
                command: "dry-run rs/mix --replicas 4",
                at: "2026-11-29T18:16:26.95Z",
            },
            Step {
                told: "Then it is scaled to 4. The controller deletes the six pods that were named: \
                       mix-8ppwb had no node and is gone at once, five are terminating.",
                command: "explain rs/mix",
                at: "2026-11-29T18:16:28.6Z",
            },
        ],
        end: "Where pods are alike the order is open, and the answer says which ones may go \
              (kubectl rsexp explain VictimsUndetermined).",
    },
    Demo {
        name: "burst",
        about: "700 pods: at most 500 a sync, about 20 a second",
        bytes: recording!("burst"),
        steps: &[
            Step {
                told: "18:16:42: ReplicaSet a is made with 700 replicas. Its first sync creates 500 pods, \
                       which takes 24 seconds at the client limits of the controller. Ten seconds later, 268 \
                       of the 500 are still pending (EXPECT: creations/deletions); the status is written \
                       only when the sync ends.",
                command: "list",
                at: "2026-11-29T18:16:53Z",
            },
            Step {
                told: "18:17:06: the 500 are there, and the next sync creates the other 200.",
                command: "list",
                at: "2026-11-29T18:17:20Z",
            },
            Step {
                told: "Later it is scaled to 150. What would it take to get back to 700?",
                command: "dry-run rs/a --replicas 700",
                at: "2026-11-29T18:17:58Z",
            },
        ],
        end: "500 is fixed. The calls a second are set by flags of the controller-manager (--kube-api-qps, \
              --kube-api-burst): give dry-run other values with --controller-qps and --controller-burst.",
    },
    Demo {
        name: "adoption",
        about: "pods without a controller are adopted",
        bytes: recording!("adoption"),
        steps: &[
            Step {
                told: "Three pods made by hand carry the label app=a. Then a ReplicaSet is made that selects \
                       app=a and wants 5. The controller has not synced it yet:",
                command: "explain rs/a",
                at: "2026-11-29T18:13:51.5Z",
            },
            Step {
                told: "18:13:51.8: it does: three pods are adopted and two are created.",
                command: "list --pods",
                at: "2026-11-29T18:13:53.5Z",
            },
        ],
        end: "An adopted pod is deleted at a scale-down like any other.",
    },
    Demo {
        name: "policy",
        about: "pod security or a LimitRange refuses every pod",
        bytes: recording!("policy"),
        steps: &[
            Step {
                told: "The namespace enforces the pod security level restricted; the pod template of \
                       ReplicaSet a does not comply.",
                command: "explain rs/a",
                at: "2026-11-29T18:13:01Z",
            },
            Step {
                told: "18:13:03: the label is removed, 18:13:05: a is touched, and its three pods come. Then \
                       a LimitRange is made, and ReplicaSet b, which asks for more memory than it allows.",
                command: "explain rs/b",
                at: "2026-11-29T18:13:08Z",
            },
            Step {
                told: "18:13:09: the LimitRange is deleted. Nobody touches b: its retry at 18:13:11 succeeds.",
                command: "list",
                at: "2026-11-29T18:13:14.6Z",
            },
        ],
        end: "The pause before a retry doubles up to 1000 seconds: after an hour of refusals a touch saves \
              a long wait (kubectl rsexp explain RetryBackoff).",
    },
    Demo {
        name: "namespace-terminating",
        about: "no pod comes in a namespace that is being deleted",
        bytes: recording!("namespace-terminating"),
        steps: &[
            Step {
                told: "The namespace is deleted while its ReplicaSets live on. 18:14:36: two pods of \
                       ReplicaSet a are deleted, and no pod replaces them.",
                command: "explain rs/a",
                at: "2026-11-29T18:14:38.2Z",
            },
            Step {
                told: "18:14:38: ReplicaSet b is scaled from 2 to 5. No pod, no event, no retry:",
                command: "list",
                at: "2026-11-29T18:14:39.4Z",
            },
        ],
        end: "The controller takes this refusal for a success, so its expectations stay unmet until they \
              expire. It is harmless: the ReplicaSets go with their namespace.",
    },
    Demo {
        name: "rollout",
        about: "in a rollout the Deployment decides the sizes",
        bytes: recording!("rollout"),
        steps: &[
            Step {
                told: "18:59:41: Deployment d, with 8 replicas, gets a new pod template. A second later its \
                       ReplicaSets have the sizes 8 and 2 that it gave them:",
                command: "list deploy/d",
                at: "2026-11-29T18:59:42.2Z",
            },
            Step {
                told: "Both ReplicaSets have the pods that they want, so neither has anything to do. The \
                       rollout goes on when the Deployment changes their sizes.",
                command: "explain rs/d-d559db989",
                at: "2026-11-29T18:59:42.2Z",
            },
            Step {
                told: "Two seconds later the old ReplicaSet has none left:",
                command: "list deploy/d",
                at: "2026-11-29T18:59:44.4Z",
            },
        ],
        end: "A rollout that stands still while its ReplicaSets are settled waits in the Deployment: for \
              pods to become available, or because it is paused. Look at kubectl rollout status.",
    },
];
