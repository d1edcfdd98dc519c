//! Every reason that a verdict can give, written in one place: its code, its one-line meaning, the
//! long text that `explain CODE` shows, and the remedy. Docs and schema are made from it.

use std::fmt;

/// What is known about a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// One line, at most 72 characters, without a full stop at its end.
    pub meaning: &'static str,
    /// What it is, how it is recognised, what ends it, and where versions differ.
    pub text: &'static str,
    /// What to do next.
    pub remedy: &'static str,
}

/// The command that makes the controller sync a ReplicaSet.
macro_rules! wake {
    () => {
        "kubectl annotate rs NAME touched=\"$(date)\" --overwrite"
    };
}

macro_rules! registry {
    ($($code:ident: $meaning:literal, $text:expr, $remedy:expr;)*) => {
        /// The code of a reason, in the CamelCase of Kubernetes conditions. Ordered as declared:
        /// gate, blocked, refusals, plan, claim, status, deployment, traps and evidence.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $code,)*
        }

        impl Code {
            /// Every code, in order.
            pub const ALL: &[Code] = &[$(Code::$code,)*];

            /// The code as it is written.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Code::$code => stringify!($code),)*
                }
            }

            /// What is known about the reason.
            pub fn entry(self) -> &'static Entry {
                match self {
                    $(Code::$code => &Entry {
                        code: Code::$code,
                        meaning: $meaning,
                        text: $text,
                        remedy: $remedy,
                    },)*
                }
            }
        }
    };
}

impl Code {
    /// The code that a whole word names, in upper or lower case.
    pub fn parse(word: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str().eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

registry! {
    // The gate: whether a sync may create or delete.

    ExpectationsUnmet: "The controller still waits to see pods that it created or deleted",
    "When a sync creates or deletes pods it first sets expectations: add or del. Each new pod that the \
     controller sees lowers add, each awaited pod that it sees terminating or gone lowers del. While one is \
     above zero and not more than five minutes have passed since it was set, a sync neither creates nor \
     deletes; it still adopts, releases and writes status. A change of spec.replicas is not acted on \
     meanwhile. The expected pod events end the wait at once; the end of the five minutes starts no sync. \
     Kubernetes shows expectations in no API, metric or event, so the numbers are reconstructed from what \
     was seen, and from the controller's log where it was given.",
    concat!("Wait a few seconds: usually the pods are seen. If it lasts, look which pods are awaited, and \
     once the five minutes have passed wake the ReplicaSet: ", wake!());

    ExpectationsExpired: "Expectations are unmet but older than five minutes: the gate is open",
    "Strictly more than five minutes after expectations were set, a sync acts as if nothing were \
     outstanding. Lowering them does not restart the five minutes. The counters stay as they are until the \
     next sync that creates or deletes replaces them. The expiry itself starts no sync. If the controller's \
     cache lags, 1.35 and older may create pods a second time and later delete the surplus; from 1.36 the \
     stale-cache check holds such a sync of a ReplicaSet back as long as the cache lags.",
    concat!("Wake the ReplicaSet: ", wake!());

    ExpectationsUnknown: "The evidence does not fix what the controller expects",
    "A watch shows pods that come and go, but not the expectations that were set before it began. Then add \
     and del are known only to be at most 500 each; add can even be below zero. They become known when a \
     sync is seen to create or delete pods, when the ReplicaSet is replaced or another controller-manager \
     takes over, or from the controller's log. Five minutes after the latest time at which they can have \
     been set the gate is open, whatever the counters.",
    "Watch for longer (--window), record what happens (kubectl rsexp record rs/NAME --to FILE), or give the \
     controller-manager's log of level 4 (--controller-log FILE).";

    NegativeExpectations: "A counter is below zero, so the gate can open too early",
    "Any pod that appears with this ReplicaSet as its controllerRef lowers add, also one that the controller \
     did not create: a restored or hand-made pod, or one whose create was reported as timed out. A counter \
     below zero counts as fulfilled and is never corrected; the next sync that creates or deletes replaces \
     it. If a created pod was still awaited at that time, the gate opened although that pod had not been \
     seen. The next sync may then create too many and delete the surplus later.",
    "Nothing is needed for the counter. Find who makes pods with this controllerRef: kubectl get pods -o \
     yaml --show-managed-fields.";

    NothingWakes: "When the five minutes end, no sync starts by itself",
    "A sync that finds expectations unmet sets no timer and returns no error, so the ReplicaSet leaves the \
     queue. When the expectations expire, nothing happens. The next event of the ReplicaSet or of one of its \
     pods starts the sync that acts; without one it is the informer's resync, which comes every 12 to 24 \
     hours by default.",
    concat!("After the expiry wake the ReplicaSet; any change of its metadata will do (rc instead of rs for \
     a ReplicationController): ", wake!());

    RetryBackoff: "The last sync failed and is retried with a growing delay",
    "A sync that ends with an error is retried after 5 ms, doubled with each failure in a row up to 1000 s \
     (about 17 minutes). Any sync without an error resets the delay. Refused creates show as FailedCreate \
     events and as the condition ReplicaFailure; the exact time of the next retry cannot be seen, only \
     bounded. Creates begin with a batch of one again, so a lasting refusal costs one call a retry. An event \
     of the ReplicaSet or of its pods starts a sync at once, without waiting for the delay.",
    concat!("Remove the cause first, then do not wait for the retry but wake the ReplicaSet: ", wake!());

    SyncRunning: "A sync of this ReplicaSet is under way",
    "One ReplicaSet is synced by one worker at a time: what changes meanwhile is looked at when the sync \
     ends. A sync that creates or deletes many pods lasts long, since its calls share 20 requests a second \
     after a burst of 30 by default: 500 creates take about 24 seconds. The five minutes of its expectations \
     already run. Its end is usually seen by a status write. The verdict is about the sync after it.",
    "Wait for its end.";

    SyncDue: "A change was seen that no sync is known to have handled yet",
    "Something was seen that puts the ReplicaSet into the controller's queue, and nothing shows that a sync \
     has handled it. The next sync is expected at once. Busy workers and the shared client limits can delay \
     it. When nothing follows for longer, the controller may not run, or a sync may have ended early without \
     a trace in the API (stale cache, claim error).",
    "Look again in some seconds. If it stays so, look at the controller-manager: its lease (kubectl -n \
     kube-system get lease kube-controller-manager), its log, and its workqueue metrics with the name \
     replicaset.";

    CacheLags: "The controller has not handled yet what was seen here",
    "The controller works from a cache of its own, filled by its own watch. Its log shows that for seconds \
     its handlers have not run for events that were received here. Either it is stopped or starved, or its \
     watch is delayed. A sync that begins now works on the older state: it may create pods a second time, \
     choose other victims, or do nothing. Ranges answer for the time when it has caught up.",
    "Look at the controller-manager's own watches and load (its log, its metrics), and at the API server. Ask \
     again in some seconds.";

    // Blocked: no sync can run, or it ends before it gets to its replicas.

    DeletionInProgress: "The ReplicaSet is being deleted: its syncs create and delete nothing",
    "The ReplicaSet has a deletionTimestamp and stays until its finalizers are removed. Its syncs neither \
     create nor delete pods, adopt no orphan and release no pod; they still write status. spec.replicas has \
     no effect any more.",
    "See what holds it: kubectl get rs NAME -o jsonpath='{.metadata.finalizers}'.";

    SelectorInvalid: "The selector cannot be parsed, so every sync ends at it",
    "A sync parses the selector before it lists pods. If that fails it logs the failure and ends without a \
     retry: no claim, no create, no delete, no status. Nothing changes until the selector does.",
    "Make the ReplicaSet anew with a valid selector. kubectl delete rs NAME --cascade=orphan keeps its pods, \
     and the new one adopts those that match.";

    ClaimFailed: "Adopting or releasing a pod failed, and the sync ended there",
    "A sync claims pods before it creates, deletes or writes status. An error there ends it: none of the \
     three is done. It is retried with a growing delay. No event and no condition tell of it, only the \
     controller's log. Two common causes: another controller adopted the same orphan first (answer 422, \
     \"Only one reference can have Controller set\"), or the live ReplicaSet is being deleted or has another \
     UID than the one in the controller's cache.",
    "Wait for the retry. If it repeats, read the controller-manager's log for sync \"NAMESPACE/NAME\" \
     failed, and look for other controllers whose selector matches the same pods.";

    StaleCache: "The stale-cache check holds the sync back (1.36 and later)",
    "From 1.36 a ReplicaSet is synced only when the controller's cache shows the controller's own last \
     writes: creates, adoptions and status, not deletes (gate StaleControllerConsistencyReplicaSet, on by \
     default). Else the sync ends with an error, read version: A is not as new as written version: B: no \
     claim, no create, no delete, no status; it is retried with a growing delay. For some milliseconds after \
     a write that is ordinary. While the cache lags it lasts, also past the five minutes of expectations, \
     and since the delay grows to 1000 s it can outlast the lag. From the API alone it cannot be told from \
     waiting; the log and the counter replicaset_controller_stale_sync_skips_total show it. A \
     ReplicationController is never checked.",
    concat!("If it lasts for minutes, look at the controller-manager's watches and the API server. Once the \
     cache has caught up, do not wait for the retry: ", wake!());

    StaleCheckPassed: "The stale-cache check failed once and passed since: harmless",
    "From 1.36 the controller refuses to sync a ReplicaSet before its cache shows its own last write, and \
     logs read version: A is not as new as written version: B. That is ordinary after a status write and at \
     the end of a burst. It is not a rejected write, not a conflict and not a fault of the workload. The \
     retry comes milliseconds later, and here a later sync passed the check.",
    "None. Take the pattern out of log alerts, or alert only on its repetition for one ReplicaSet; the \
     counter replicaset_controller_stale_sync_skips_total shows the rate.";

    ControllerNotRunning: "No controller-manager leads: its lease is not renewed",
    "The lease kube-system/kube-controller-manager names the leader, and it was not renewed for longer than \
     it lasts. Without a leader no ReplicaSet is synced, and the other controllers of that process stand \
     still too. When one takes over it has no expectations, syncs every ReplicaSet and acts at once. Clocks \
     that differ can feign this; and a leader that was only stopped may go on for seconds when it continues. \
     Managed clusters may not show the lease.",
    "Look at the lease (kubectl -n kube-system get lease kube-controller-manager -o yaml), then at the \
     controller-manager itself: its static pod, its command line, its certificates.";

    NamespaceTerminating: "The namespace is being deleted and takes no new pods",
    "The API server refuses every create in a terminating namespace. From 1.17 the controller counts that \
     refusal as a success: no event, no ReplicaFailure, no retry, and expectations that stay unmet. That \
     does no harm, since nothing can be created there. Before 1.17 it was an error that was retried.",
    "Nothing for this ReplicaSet: it goes with the namespace. See what holds the namespace: kubectl get \
     namespace NAMESPACE -o jsonpath='{.status.conditions}'.";

    // Refusals: creates or deletes that fail.

    QuotaExceeded: "A ResourceQuota refuses the pods",
    "The API server refuses the create with \"exceeded quota\", or with \"failed quota\" when the quota \
     demands requests or limits that the template lacks. Failed and untried creates are lowered at once, so \
     this is backoff and not unmet expectations. The quota's status.used decides, and it trails: the \
     replacement of a deleted pod can be refused because the quota controller frees the usage a little later.",
    concat!("See kubectl describe quota, then raise the quota, free usage or lower spec.replicas. The \
     controller does not notice that the quota was raised: wake the ReplicaSet: ", wake!());

    LimitRangeViolation: "A LimitRange of the namespace refuses the pod template",
    "The requests or limits of the template are outside what a LimitRange allows. It is checked when a pod \
     is created: pods made before it was changed run on, so it shows only when another has to be made. Each \
     failed create is an event, and the sync is retried with a growing delay.",
    concat!("See kubectl describe limitrange. Change the LimitRange or the template's resources, then: ", wake!());

    WebhookDenied: "An admission webhook denies the pods",
    "The create reached an admission webhook, and the webhook said no. What follows \"denied the request\" \
     are the webhook's own words, whatever they resemble. Failed and untried creates are lowered at once, so \
     expectations are not what is waited for; the sync is retried with a growing delay.",
    concat!("Read the webhook's reason; change the template, or the policy behind the webhook. Then: ", wake!());

    AdmissionPolicyDenied: "A ValidatingAdmissionPolicy denies the pods",
    "The API server evaluated a ValidatingAdmissionPolicy itself and refused the pod; no webhook was called. \
     The message names the policy and its binding, and then what the policy says. The sync is retried with a \
     growing delay.",
    concat!("See kubectl get validatingadmissionpolicy POLICY -o yaml and its binding. Change the template, \
     the policy or the binding, then: ", wake!());

    WebhookUnreachable: "An admission webhook cannot be called, so pods are refused",
    "The API server could not call an admission webhook, or got no usable answer, and the webhook's failure \
     policy is Fail. The message tells why: no endpoints, connection refused, an unknown name or Service, a \
     certificate that is not trusted. Every create that the webhook applies to fails until it answers again. \
     The sync is retried with a growing delay.",
    concat!("Look at the pods and the Service behind the webhook: kubectl get \
     mutatingwebhookconfigurations,validatingwebhookconfigurations. Repair it, or exclude this namespace by \
     its namespaceSelector, then: ", wake!());

    WebhookTimedOut: "An admission webhook did not answer in time, so pods are refused",
    "The API server called an admission webhook, got no answer within its timeout, and the failure policy is \
     Fail. Each attempt lasts as long as the timeout, and the sync with it. The webhook may be overloaded, \
     or a network policy may drop its packets. The sync is retried with a growing delay.",
    concat!("Look at the webhook's own pods and at the network between the API server and them. Then: ", wake!());

    WebhookSelfDeadlock: "The webhook that refuses the pods needs these very pods to run",
    "Creates fail because a webhook cannot be called, and its Service selects the pods that this ReplicaSet \
     is to make. Without a pod the webhook has no endpoint, and without an endpoint no pod is admitted. It \
     cannot recover by itself, and no retry helps.",
    "Exclude the namespace or these pods from the webhook (namespaceSelector or objectSelector), or delete \
     the webhook's configuration, let a pod start, and put it back.";

    PodSecurityViolation: "The pod security rules of the namespace refuse the pod template",
    "The API server itself refuses the pod: the template does not meet the level that the namespace enforces \
     (label pod-security.kubernetes.io/enforce) or, in older clusters, no PodSecurityPolicy admits it (on \
     OpenShift: no security context constraint). No quota and no webhook is involved. Pods admitted earlier \
     are not touched, but cannot be replaced. The sync is retried with a growing delay.",
    concat!("Fix the securityContext of the template (a new rollout), or relax the label of the namespace. \
     Then: ", wake!());

    ServiceAccountMissing: "The ServiceAccount that the template names does not exist",
    "A pod is admitted only if its ServiceAccount exists in the pod's own namespace. One of the same name in \
     another namespace does not help; that is a frequent mistake in manifests. The delay between the tries \
     doubles, so after the repair the next one may be minutes away.",
    concat!("Create it: kubectl create serviceaccount ACCOUNT -n NAMESPACE. Then: ", wake!());

    PriorityClassMissing: "The PriorityClass that the template names does not exist",
    "A pod that names a PriorityClass is refused unless that class exists; classes are not namespaced. Each \
     failed create is an event, and the sync is retried with a growing delay.",
    concat!("Create the class (kubectl get priorityclass lists those there are) or change priorityClassName \
     in the template. Then: ", wake!());

    PodInvalid: "The API server finds the pod invalid",
    "The pod that the template makes does not pass validation (answer 422); the message names the field. A \
     mutating webhook can be what made it invalid. A retry sends the same pod, so only a change ends this.",
    concat!("Correct the field in the template, or what the webhook puts there. Then: ", wake!());

    CreateForbidden: "The controller's own account may not create the pods",
    "The API server refuses the create because the user named in the message lacks the permission; it is the \
     account of the controller-manager, not that of whoever made the ReplicaSet. The bootstrap roles \
     normally grant it, so they were probably changed. The same code stands for an ownerReference that this \
     account may not set.",
    concat!("Compare the ClusterRole system:controller:replicaset-controller and its binding with a healthy \
     cluster. Then: ", wake!());

    NameClash: "A generated pod name already existed",
    "The API server makes the end of a pod's name at random, and the name was taken. To the controller that \
     is an ordinary error: the batch fails and is retried. It is likely only with thousands of names under \
     one prefix, and rarer from 1.31, where the API server tries other names itself.",
    "None: the retry draws another name. If it repeats, delete finished pods of this ReplicaSet.";

    ServerOverloaded: "The API server or etcd could not take the request for the moment",
    "The refusal says nothing about the pod: too many requests, the server unable to handle the request, \
     etcd slow or changing its leader, a connection refused, or a quota that too many creates update at \
     once. The controller treats it as any failed create. The delay grows with each try and may outlast the \
     trouble.",
    concat!("Look at the API server and at etcd. Once they are well: ", wake!());

    CreateTimedOut: "A create ended without an answer; it may have been done all the same",
    "The request timed out or its connection broke, so the controller does not know whether the pod was \
     made. Before 1.18 (but for late patches of 1.15 to 1.17) a timeout counts as a success: no retry, and \
     the pod is awaited for five minutes. Since then it is an error that is retried; if the pod was made \
     nonetheless, add is lowered twice, and the retry can make one pod too many, which is deleted later. A \
     slow admission webhook is the usual suspect.",
    concat!("Look for what is slow: admission webhooks, the API server, etcd. If no pod came, wake the \
     ReplicaSet: ", wake!());

    CreateRefused: "Creates are refused, for a reason that is not classified",
    "The controller's creates fail with a message that none of the known patterns matches; the message is \
     given as it is. Failed and untried creates are lowered at once, so this is backoff and not unmet \
     expectations: the sync is retried with a growing delay.",
    concat!("Read the message, remove its cause, then: ", wake!());

    DeleteRefused: "Deletes of surplus pods are refused",
    "The controller's deletes fail (FailedDelete). Each failed delete is lowered at once, the first error is \
     returned and the sync is retried with a growing delay. The next sync chooses its victims anew. A pod \
     that was gone already (404) is no such error.",
    concat!("Read the message: an admission webhook on deletes, or a missing permission. Then: ", wake!());

    MessageOutdated: "The condition keeps an old message; the newest event tells another cause",
    "ReplicaFailure is set only while it is absent, so its reason and message are those of the first \
     failure, however many others follow (kubernetes issue 127081). The newest FailedCreate or FailedDelete \
     event has the present cause. The condition goes with the first sync that has no such error, also with \
     one that created nothing because expectations were unmet.",
    "Trust the event: kubectl get events --field-selector involvedObject.name=NAME --sort-by=.lastTimestamp.";

    EventsThinned: "Events were merged or dropped: their counts are lower bounds",
    "From the tenth different message of one reason on, with no ten minutes between them, events merge into \
     one \"(combined from similar events)\" that shows the latest message. And each object has 25 events at \
     first and one more every five minutes, over all reasons; the rest is dropped silently. So an event \
     proves that something happened, and its absence proves nothing.",
    "Count pods or status, not events. The controller-manager's log has every create and delete, at level 3 \
     from 1.30 on and at the default level before.";

    RefusalPredicted: "The next create will be refused, as far as the objects tell",
    "The create has not been tried yet. A quota, a LimitRange, a missing ServiceAccount or another object \
     that was read refuses such a pod as things stand. The forecast cannot know what changes first, nor what \
     admission webhooks do.",
    "Remove the cause before the next sync; the message names the object.";

    PodsIrreplaceable: "Running pods could not be created again under the present rules",
    "These pods were admitted before the rule that now refuses their template. They run on untouched. But \
     each eviction, drain, node failure or rollout takes one away that cannot be replaced.",
    "Repair the cause of the refusal before the next drain or rollout.";

    // Plan: how a sync goes about its work.

    BurstCapped: "One sync creates or deletes at most 500 pods",
    "The difference is larger than the burst limit of 500, so it takes several syncs. The next one acts only \
     when the expectations of this one are fulfilled (all its pods have been seen) or expired. It waits for \
     pods to be seen, not for them to be scheduled or ready. A change of spec.replicas takes effect between \
     two such syncs.",
    "Nothing. If the number is a mistake, change spec.replicas now; it takes effect when the present pods \
     have been seen.";

    SlowStart: "Creates go in batches of 1, 2, 4, 8, ...; an error ends them",
    "The calls inside a batch are parallel, and each batch is up to twice as large as the one before. If a \
     call fails, its batch is finished and the rest is not tried; failed and skipped creates are lowered at \
     once. With room for 3 of 10 pods that is 1, 2 and 4 calls, of which 3 succeed. A retry begins with a \
     batch of one again.",
    "Nothing: it spares the API server creates that would fail alike.";

    ClientRate: "The speed is that of the controller's client: 20 requests a second",
    "By default the ReplicaSet controller may send 30 requests at once and then 20 a second (--kube-api-qps, \
     --kube-api-burst). All its ReplicaSets share that, with status writes, adoptions and events. 500 \
     creates take at least 23.5 seconds. The flags are not in the API; if they were not read from a log or \
     given, the defaults are assumed.",
    "Nothing, or raise --kube-api-qps and --kube-api-burst of the controller-manager. Tell this program with \
     --controller-qps and --controller-burst.";

    AgeBucketTie: "Pods of one age bucket: the smaller UID goes first, not the younger pod",
    "Times are compared in powers of two (the logarithm of the age in nanoseconds, rounded down). Pods whose \
     times differ but fall in one bucket are ordered by UID, which is as good as random, and no later rule \
     is asked. The oldest pod can thus go first. On by default from 1.22, always from 1.37; up to 1.21 \
     (unless switched on there) the youngest goes.",
    "To keep a pod, give it a higher cost (1.22+): kubectl annotate pod POD \
     controller.kubernetes.io/pod-deletion-cost=100. A deletion cost is looked at before any age.";

    RanksFixed: "Pods on fuller nodes go first, and fullness is counted only once",
    "From 1.17 pods on nodes with more related pods (active pods that match the selector of any ReplicaSet \
     of the same owner) are deleted first, if readiness and deletion cost do not decide. The number is \
     counted before the choice and not lowered as pods are taken: of 3 pods on node A and 2 on node B, a \
     scale-down by 3 takes all three of A. Age is a later rule and may never be reached. A ReplicaSet \
     without a controller has no ranks; the error \"ReplicaSet has no controller\" that it logs at a \
     scale-down is harmless.",
    "Expected. If the spread matters, scale down one at a time, or set \
     controller.kubernetes.io/pod-deletion-cost on the pods (1.22+).";

    VictimsUndetermined: "Which of some equal pods will be deleted is left open",
    "These pods tie in every rule, or the rules contradict each other in a circle, so the choice depends on \
     an order that cannot be seen from outside. Times of the API have whole seconds, so ties are common. \
     Certain victims and safe pods are listed apart from these.",
    "To decide it, annotate the pods: kubectl annotate pod POD \
     controller.kubernetes.io/pod-deletion-cost=100 (the lower cost goes first; 1.22+).";

    TopologyNotConsulted: "Scale-down does not look at spread constraints",
    "topologySpreadConstraints bind the scheduler when it places a pod. The choice of victims knows no \
     zones; its only rule about spread counts related pods on each node. So a zone can be left without a \
     pod. PodDisruptionBudgets and the state of the nodes are not looked at either.",
    "Set controller.kubernetes.io/pod-deletion-cost by zone (1.22+), or rebalance afterwards with a \
     descheduler.";

    VersionDependent: "Another server version would answer differently",
    "A rule that matters here has changed between versions, and the message tells how the answers differ. \
     The server's version decides, and behind it feature gates, which the API does not show; their defaults \
     are assumed.",
    "If the version is assumed, give it: --server-version 1.N (patches can matter: 1.N.P).";

    BucketMoving: "An age bucket ends soon, and the choice of victims may change with it",
    "The age buckets are powers of two and are taken at the moment of the choice, so pods move from one to \
     the next as they grow older. One that counts here is about to be crossed. The victims named hold for \
     the time of this answer only.",
    "If a certain pod must stay, do not rely on ages: set controller.kubernetes.io/pod-deletion-cost on it \
     (1.22+).";

    // Claim: which pods are the ReplicaSet's.

    AdoptionDue: "The next sync adopts pods that match the selector and have no controller",
    "An active pod without a controller whose labels match the selector is adopted by the next sync, also \
     while expectations are unmet, unless the ReplicaSet is being deleted. It counts at once, so fewer pods \
     are created, or a surplus is deleted. Finished and terminating pods are not adopted. Adoption lowers no \
     expectation.",
    "If the pod is not meant to belong here, take off a label that the selector requires: kubectl label pod \
     POD KEY-.";

    ReleaseDue: "The next sync releases pods whose labels no longer match",
    "An active pod of this ReplicaSet whose labels do not match the selector is released: its ownerReference \
     is removed. That happens also while expectations are unmet, but not while the ReplicaSet is being \
     deleted. The pod runs on without a controller and no longer counts; if pods are then too few, another \
     is created.",
    "To keep the pod, put its label back. If it was taken out on purpose, to be inspected, delete it when \
     done.";

    AdoptedDiffersFromTemplate: "An adopted pod counts although it differs from the template",
    "Adoption looks at labels and at the controllerRef only; the template is never compared. The pod counts \
     as a replica whatever it runs. It can be chosen at a later scale-down, and goes with the ReplicaSet \
     when that is deleted.",
    "Use labels that no bare pod carries. Taking the label off the pod releases it, and another is created \
     from the template.";

    SelectorOverlap: "Selectors of several controllers match the same pods",
    "A pod has one controller at most, so pods that are owned are not mixed up. But an orphan that matches \
     several is adopted by whichever is first. The loser's patch is answered 422, its sync ends with a claim \
     error and is retried. For the ranks of a scale-down, pods count that match the selector of any \
     ReplicaSet with the same owner.",
    "Give each controller labels of its own. The selector of an apps/v1 ReplicaSet cannot be changed: make \
     it anew.";

    LabelMismatch: "Pods that look as if they belonged here fail the selector",
    "These pods have no controller and fulfil only a part of the selector, so they are not adopted and do \
     not count. Often it is the label pod-template-hash, which is missing or of an older template. A \
     Deployment adopts ReplicaSets, never pods; only a ReplicaSet whose whole selector matches adopts them.",
    "To hand a pod over, give it the missing label; it then counts, and a surplus is deleted. Else delete it.";

    OrphanPods: "Pods without a controller: nothing replaces or deletes them",
    "These pods have no controllerRef, and no ReplicaSet that was read matches their labels, so no \
     ReplicaSet counts, replaces or deletes them. They come from a restore, a release, hand work, or a \
     deletion with --cascade=orphan.",
    "Delete them when they are not needed, or give them the labels of the ReplicaSet that shall adopt them.";

    // Status: what the written counts mean.

    StatusBehind: "The status does not describe the present state yet",
    "A sync writes status from the pods that it found before its own creates and deletes, so status trails \
     by one sync. It also differs while a change is not yet handled. Who computes from the old numbers, such \
     as the Deployment, goes by them. Normally the next pod event brings the next status.",
    concat!("Wait some seconds. If it stays wrong even after a wake, no sync gets to its end: look at the \
     controller-manager's log. To wake the ReplicaSet: ", wake!());

    TerminatingNotCounted: "Terminating pods do not count, though they may still run",
    "A pod that has a deletionTimestamp is no longer active: it is out of the counts and is replaced at \
     once, however long its grace period or a finalizer keeps it. So more pods can run than status says. \
     From 1.35 status.terminatingReplicas tells how many (in 1.33 and 1.34 only with its feature gate, never \
     for a ReplicationController).",
    "Wait for the grace period. Do not read 0 replicas as stopped before 1.35: list the pods themselves.";

    FinishedNotCounted: "Succeeded and Failed pods are neither counted nor deleted",
    "Only pods that are neither Succeeded nor Failed, and not terminating, are active. A finished pod is \
     replaced at once and stays listed. There is a growing delay for creates that fail, but none for pods \
     that fail after they were created: if a node keeps rejecting them, failed pods pile up.",
    "Find out why the pods end (kubectl describe pod POD), then delete them: kubectl delete pods -l SELECTOR \
     --field-selector=status.phase=Failed.";

    AvailabilityPending: "Pods are ready, but not yet for minReadySeconds",
    "A pod is available when it has been ready for minReadySeconds, and a sync has to run to see it. From \
     1.34 that sync is scheduled for the exact time. Up to 1.33 the check can come later, up to \
     minReadySeconds late when several pods become ready one after another; any event brings it forward.",
    concat!("Wait. Up to 1.33 this brings the check forward: ", wake!());

    PodOnLostNode: "A pod is on a node that is not ready or gone",
    "A pod counts by its phase and its deletionTimestamp, not by the state of its node. One that is not \
     terminating goes on counting and is not replaced. One that is terminating does not count and has been \
     replaced or will be; it stays listed until its kubelet confirms, or until the Node object is removed. \
     Moving pods off dead nodes is the work of the node lifecycle controller, not of the ReplicaSet.",
    "If the machine is really off, delete the Node, or taint it (1.24+): kubectl taint node NODE \
     node.kubernetes.io/out-of-service=nodeshutdown:NoExecute. Force the deletion of a pod only if its \
     workload bears a twin.";

    EvictionSuspended: "No node is ready, so no pod is evicted from the dead nodes",
    "When all nodes are not ready, the node lifecycle controller stops evicting: it takes it that the \
     control plane is what is cut off. Pods on these nodes keep their phase, go on counting and are not \
     replaced. It stays so for as long as all are not ready.",
    "Bring a node back, or delete the Node objects that are really gone: their pods are then removed and \
     replaced.";

    // Deployment: who decides the size.

    DeploymentDecides: "The Deployment decides the size of this ReplicaSet",
    "This ReplicaSet belongs to a Deployment, whose controller sets spec.replicas and may change it at any \
     time, above all during a rollout. The ReplicaSet's sync acts on the number it finds. A dry run for \
     another size shows what the ReplicaSet would do, not what the Deployment will ask for.",
    "Scale the Deployment: kubectl scale deployment DEPLOYMENT --replicas=N.";

    ScaledByHand: "The ReplicaSet was scaled past its Deployment, which sets it back",
    "spec.replicas differs from what the Deployment wants, and no rollout explains it: there is one \
     ReplicaSet. Its sync acts on that number; then the Deployment sets it back and the sync after it undoes \
     the work.",
    "Scale the Deployment, not its ReplicaSet: kubectl scale deployment DEPLOYMENT --replicas=N. If it \
     happens again and again, find who does it in the managedFields (--show-managed-fields).";

    AdoptableByDeployment: "A Deployment's selector matches this ReplicaSet without an owner",
    "This ReplicaSet has no controller, for instance since its Deployment was deleted with --cascade=orphan, \
     and the selector of a Deployment matches its labels. The Deployment adopts it and counts its pods as \
     its own. It then has more replicas than it wants and scales a ReplicaSet down, so pods that were meant \
     to survive are deleted.",
    "Before that happens, change the labels of the ReplicaSet and of its pods, or give the Deployment \
     another selector.";

    // Traps, and the limits of the evidence.

    OwnerReferenceStripped: "Pods arrived without their controllerRef, so they stay awaited",
    "Something, usually a mutating webhook, takes or changes the ownerReference of new pods. They arrive as \
     orphans or as another's, so add is not lowered. Orphans that match are adopted by the next sync and \
     counted, but adoption lowers no expectation either. The count is right and the gate stays closed until \
     five minutes have passed and an event comes.",
    concat!("Repair the webhook so that it keeps metadata.ownerReferences. To go on now, wait for the \
     expiry, then: ", wake!());

    LabelsMutated: "New pods lose the labels that the selector requires, and are released",
    "Something, usually a mutating webhook, changes labels of new pods. Each pod lowers add when it arrives \
     and is then released, because it does not match. The next sync is short again and creates another. That \
     does not stop by itself: pods without a controller pile up.",
    "Scale to 0 to stop it (the Deployment, if there is one), repair the webhook, then delete the pods \
     without a controller.";

    DeletionReleased: "A pod lost its controllerRef while its deletion was awaited",
    "The controller deleted the pod and waits to see that. The pod was released or orphaned first, so its \
     deletion is seen as that of a pod without this owner and does not lower del. The gate stays closed \
     although the pod is gone or going. It opens when five minutes have passed; then the next event starts \
     the sync.",
    concat!("Wait for the expiry, then: ", wake!());

    ReplacedObject: "The ReplicaSet was made anew under the same name",
    "The name is the same and the UID another. From 1.17 the expectations of the old one are wiped when the \
     controller sees the change; before, the new one inherits them and may wait for pods of the old one. A \
     sync of the old one that still runs can write its status onto the new one (seen on 1.34), so \
     observedGeneration proves nothing until the next status write. Pods of the old one are not the new \
     one's: their controllerRef has the old UID.",
    concat!("Nothing from 1.17 on. Before: wait for five minutes, then: ", wake!());

    WatchGap: "A watch was interrupted: pods may have come and gone unseen",
    "After a gap a watch begins with a new list, which shows the outcome but not what happened between. If \
     the gap is the controller's, a pod that was created and was gone before the list is never seen: add \
     stays up until five minutes have passed and an event comes. If the gap is this program's, what it \
     concluded before holds only in wider ranges.",
    concat!("For a firm answer record a window without a gap. If the ReplicaSet is short after the expiry: ",
     wake!());

    EvidenceIncomplete: "What was seen leaves more than one answer open",
    "The states of the controller that fit everything seen lead to different next syncs. The ranges in the \
     answer contain the truth, but are not narrow enough to decide. A longer window, events, the lease or \
     the controller's log can decide it; the message names what is missing.",
    "Watch for longer (--window), or add the controller-manager's log (--controller-log FILE). To learn what \
     it would do in either case: kubectl rsexp dry-run rs/NAME --assume-expectations satisfied (or unmet).";

    VersionAssumed: "The server's version or settings are assumed, not read",
    "The input does not tell the server's version, or it is outside the versions known here (1.16 to 1.37), \
     and the nearest one is taken. Feature gates and flags of the controller-manager are not in the API, so \
     their defaults are assumed. Where this matters for the answer, the reason VersionDependent says so.",
    "Give the version: --server-version 1.N. A controller-manager log that reaches back to its start holds \
     the flags: --controller-log FILE.";

    LogAlone: "Answered from the controller's log alone: no object was seen",
    "The log tells the size that a sync saw, the active pods that it counted for status, and every change of \
     expectations (at -v=4). It does not tell which pods there are, nor what has changed since its last line. \
     So the counts are those of the last sync, and victims cannot be named.",
    "Give the objects too: -f with the output of kubectl get rs,pods,events -o yaml, a recording, or ask the \
     cluster itself with --controller-log FILE and --window 5s.";

    ReadDenied: "Something could not be read, and the answer does without it",
    "The API server did not permit a read, and the answer rests on the rest. What was denied is listed as \
     degraded. Without it some reasons cannot be found, and ranges are wider than they need be.",
    "Ask for the permission named in the message (get, list and watch are enough); check it with kubectl \
     auth can-i list events -n NAMESPACE, for instance.";
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_code_has_its_own_name_and_texts() {
        let of = |f: fn(&'static Entry) -> &'static str| {
            Code::ALL.iter().map(|code| f(code.entry())).collect::<HashSet<_>>().len()
        };
        let names: HashSet<_> = Code::ALL.iter().map(|code| code.as_str().to_ascii_lowercase()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        assert_eq!(of(|entry| entry.meaning), Code::ALL.len());
        assert_eq!(of(|entry| entry.text), Code::ALL.len());
    }

    #[test]
    fn a_meaning_is_one_short_line() {
        for code in Code::ALL {
            let meaning = code.entry().meaning;
            assert!(!meaning.is_empty() && meaning.len() <= 72, "{code}: {} long", meaning.len());
            assert!(!meaning.ends_with('.') && !meaning.contains('\n'), "{code}");
        }
    }

    #[test]
    fn texts_and_remedies_are_whole_sentences() {
        for code in Code::ALL {
            let entry = code.entry();
            assert_eq!(entry.code, *code);
            assert!(entry.text.ends_with('.'), "{code}");
            assert!(!entry.remedy.is_empty(), "{code}");
            for text in [entry.text, entry.remedy] {
                assert!(!text.contains("  ") && !text.contains('\n') && text.is_ascii(), "{code}");
            }
        }
    }

    #[test]
    fn a_code_is_parsed_from_its_name_and_only_from_that() {
        for code in Code::ALL {
            assert_eq!(Code::parse(code.as_str()), Some(*code));
            assert_eq!(Code::parse(&code.as_str().to_uppercase()), Some(*code));
            assert_eq!(Code::parse(&code.as_str()[1..]), None);
        }
        assert_eq!(Code::parse(""), None);
        assert_eq!(Code::parse("InSync"), None);
    }

    #[test]
    fn codes_are_ordered_as_declared() {
        assert!(Code::ALL.is_sorted());
    }
}
