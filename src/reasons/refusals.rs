//! Refusals: creates or deletes that fail.
#![allow(non_upper_case_globals, reason = "an entry is named as its code")]

use super::{Code, Entry};
use crate::reasons::Tier;

const RETRIED: &str = "The retry, after 5 ms that double with each failure up to 1000 s, by when nothing of the cause may \
                       have changed; or any event of the ReplicaSet or of one of its pods, at once. The end of the cause \
                       itself starts nothing.";

pub const QuotaExceeded: Entry = Entry {
    code: Code::QuotaExceeded,
    meaning: "A ResourceQuota refuses the pods",
    text: "The API server refuses the create with \"exceeded quota\", or with \"failed quota\" when the \
         quota demands requests or limits that the template lacks. Failed and untried creates are lowered \
         at once, so this is backoff and not unmet expectations. The quota's status.used decides, and it \
         trails: the replacement of a deleted pod can be refused because the quota controller frees the \
         usage a little later.",
    recognised: "The newest FailedCreate event, the condition ReplicaFailure or the log has a message of the \
         quota plugin: exceeded quota, failed quota, status unknown for quota, insufficient quota to \
         match these scopes.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!(
        "See kubectl describe quota, then raise the quota, free usage or lower spec.replicas. The \
             controller does not notice that the quota was raised: wake the ReplicaSet: ",
        wake!()
    ),
    wakes: Some(RETRIED),
};

pub const LimitRangeViolation: Entry = Entry {
    code: Code::LimitRangeViolation,
    meaning: "A LimitRange of the namespace refuses the pod template",
    text: "The requests or limits of the template are outside what a LimitRange allows. It is checked when \
         a pod is created: pods made before it was changed run on, so it shows only when another has to \
         be made. Each failed create is an event, and the sync is retried with a growing delay.",
    recognised: "The message of the refusal names a maximum or minimum usage per container or pod, or a max limit \
         to request ratio.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!(
        "See kubectl describe limitrange. Change the LimitRange or the template's resources, then: ",
        wake!()
    ),
    wakes: Some(RETRIED),
};

pub const WebhookDenied: Entry = Entry {
    code: Code::WebhookDenied,
    meaning: "An admission webhook denies the pods",
    text: "The create reached an admission webhook, and the webhook said no. What follows \"denied the \
         request\" are the webhook's own words, whatever they resemble. Failed and untried creates are \
         lowered at once, so expectations are not what is waited for; the sync is retried with a growing \
         delay.",
    recognised: "The message of the refusal begins with admission webhook \"NAME\" denied the request.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!(
        "Read the webhook's reason; change the template, or the policy behind the webhook. Then: ",
        wake!()
    ),
    wakes: Some(RETRIED),
};

pub const AdmissionPolicyDenied: Entry = Entry {
    code: Code::AdmissionPolicyDenied,
    meaning: "A ValidatingAdmissionPolicy denies the pods",
    text: "The API server evaluated a ValidatingAdmissionPolicy itself and refused the pod; no webhook was \
         called. The message names the policy and its binding, and then what the policy says. The sync is \
         retried with a growing delay.",
    recognised: "The message of the refusal begins with ValidatingAdmissionPolicy 'NAME' with binding 'NAME'.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!(
        "See kubectl get validatingadmissionpolicy POLICY -o yaml and its binding. Change the \
             template, the policy or the binding, then: ",
        wake!()
    ),
    wakes: Some(RETRIED),
};

pub const WebhookUnreachable: Entry = Entry {
    code: Code::WebhookUnreachable,
    meaning: "An admission webhook cannot be called, so pods are refused",
    text: "The API server could not call an admission webhook, or got no usable answer, and the webhook's \
         failure policy is Fail. The message tells why: no endpoints, connection refused, an unknown name \
         or Service, a certificate that is not trusted. Every create that the webhook applies to fails \
         until it answers again. The sync is retried with a growing delay.",
    recognised: "The message of the refusal begins with failed calling webhook \"NAME\", and it is not about a \
         timeout.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!(
        "Look at the pods and the Service behind the webhook: kubectl get \
             mutatingwebhookconfigurations,validatingwebhookconfigurations. Repair it, or exclude this \
             namespace by its namespaceSelector, then: ",
        wake!()
    ),
    wakes: Some(RETRIED),
};

pub const WebhookTimedOut: Entry = Entry {
    code: Code::WebhookTimedOut,
    meaning: "An admission webhook did not answer in time, so pods are refused",
    text: "The API server called an admission webhook, got no answer within its timeout, and the failure \
         policy is Fail. Each attempt lasts as long as the timeout, and the sync with it. The webhook may \
         be overloaded, or a network policy may drop its packets. The sync is retried with a growing \
         delay.",
    recognised: "The message of the refusal begins with failed calling webhook \"NAME\" and goes on with context \
         deadline exceeded or another timeout.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!(
        "Look at the webhook's own pods and at the network between the API server and them. Then: ",
        wake!()
    ),
    wakes: Some(RETRIED),
};

pub const WebhookSelfDeadlock: Entry = Entry {
    code: Code::WebhookSelfDeadlock,
    meaning: "The webhook that refuses the pods needs these very pods to run",
    text: "Creates fail because a webhook cannot be called, and its Service selects the pods that this \
         ReplicaSet is to make. Without a pod the webhook has no endpoint, and without an endpoint no pod \
         is admitted. It cannot recover by itself, and no retry helps.",
    recognised: "A webhook cannot be called, its message names a Service of this namespace, and that Service \
         selects the labels of the pod template. Services are read from files (-f) only, not from a cluster.",
    tiers: &[Tier::Inferred],
    remedy: "Exclude the namespace or these pods from the webhook (namespaceSelector or objectSelector), or \
         delete the webhook's configuration, let a pod start, and put it back.",
    wakes: Some("Nothing: every retry is refused until the webhook no longer applies."),
};

pub const PodSecurityViolation: Entry = Entry {
    code: Code::PodSecurityViolation,
    meaning: "The pod security rules of the namespace refuse the pod template",
    text: "The API server itself refuses the pod: the template does not meet the level that the namespace \
         enforces (label pod-security.kubernetes.io/enforce) or, in older clusters, no PodSecurityPolicy \
         admits it (on OpenShift: no security context constraint). No quota and no webhook is involved. \
         Pods admitted earlier are not touched, but cannot be replaced. The sync is retried with a \
         growing delay.",
    recognised: "The message of the refusal begins with violates PodSecurity \"LEVEL\", or with those of the \
         older pod security policies and security context constraints.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!(
        "Fix the securityContext of the template (a new rollout), or relax the label of the \
             namespace. Then: ",
        wake!()
    ),
    wakes: Some(RETRIED),
};

pub const ServiceAccountMissing: Entry = Entry {
    code: Code::ServiceAccountMissing,
    meaning: "The ServiceAccount that the template names does not exist",
    text: "A pod is admitted only if its ServiceAccount exists in the pod's own namespace. One of the same \
         name in another namespace does not help; that is a frequent mistake in manifests. The delay \
         between the tries doubles, so after the repair the next one may be minutes away.",
    recognised: "The message of the refusal says that looking up the service account failed because it is not \
         found, or that it has no API token.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!("Create it: kubectl create serviceaccount ACCOUNT -n NAMESPACE. Then: ", wake!()),
    wakes: Some(RETRIED),
};

pub const PriorityClassMissing: Entry = Entry {
    code: Code::PriorityClassMissing,
    meaning: "The PriorityClass that the template names does not exist",
    text: "A pod that names a PriorityClass is refused unless that class exists; classes are not \
         namespaced. Each failed create is an event, and the sync is retried with a growing delay.",
    recognised: "The message of the refusal says that no PriorityClass of that name was found.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!(
        "Create the class (kubectl get priorityclass lists those there are) or change \
             priorityClassName in the template. Then: ",
        wake!()
    ),
    wakes: Some(RETRIED),
};

pub const PodInvalid: Entry = Entry {
    code: Code::PodInvalid,
    meaning: "The API server finds the pod invalid",
    text: "The pod that the template makes does not pass validation (answer 422); the message names the \
         field. A mutating webhook can be what made it invalid. A retry sends the same pod, so only a \
         change ends this.",
    recognised: "The message of the refusal says that the Pod is invalid, and names the field.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!("Correct the field in the template, or what the webhook puts there. Then: ", wake!()),
    wakes: Some(RETRIED),
};

pub const CreateForbidden: Entry = Entry {
    code: Code::CreateForbidden,
    meaning: "The controller's own account may not create the pods",
    text: "The API server refuses the create because the user named in the message lacks the permission; it \
         is the account of the controller-manager, not that of whoever made the ReplicaSet. The bootstrap \
         roles normally grant it, so they were probably changed. The same code stands for an \
         ownerReference that this account may not set.",
    recognised: "The message of the refusal says which user cannot create pods, or that blockOwnerDeletion cannot \
         be set.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!(
        "Compare the ClusterRole system:controller:replicaset-controller and its binding with a \
             healthy cluster. Then: ",
        wake!()
    ),
    wakes: Some(RETRIED),
};

pub const NameClash: Entry = Entry {
    code: Code::NameClash,
    meaning: "A generated pod name already existed",
    text: "The API server makes the end of a pod's name at random, and the name was taken. To the \
         controller that is an ordinary error: the batch fails and is retried. It is likely only with \
         thousands of names under one prefix, and rarer from 1.31, where the API server tries other names \
         itself.",
    recognised: "The message of the refusal says that pods of that name already exist.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: "None: the retry draws another name. If it repeats, delete finished pods of this ReplicaSet.",
    wakes: Some(RETRIED),
};

pub const ServerOverloaded: Entry = Entry {
    code: Code::ServerOverloaded,
    meaning: "The API server or etcd could not take the request for the moment",
    text: "The refusal says nothing about the pod: too many requests, the server unable to handle the \
         request, etcd slow or changing its leader, a connection refused, or a quota that too many \
         creates update at once. The controller treats it as any failed create. The delay grows with each \
         try and may outlast the trouble.",
    recognised: "The message of the refusal is one of the API server or etcd and says nothing about the pod: \
         unable to handle the request, too many requests, etcdserver, connection refused, or a conflict \
         while the quota was updated.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!("Look at the API server and at etcd. Once they are well: ", wake!()),
    wakes: Some(RETRIED),
};

pub const CreateTimedOut: Entry = Entry {
    code: Code::CreateTimedOut,
    meaning: "A create ended without an answer; it may have been done all the same",
    text: "The request timed out or its connection broke, so the controller does not know whether the pod \
         was made. Before 1.18 (but for late patches of 1.15 to 1.17) a timeout counts as a success: no \
         retry, and the pod is awaited for five minutes. Since then it is an error that is retried; if \
         the pod was made nonetheless, add is lowered twice, and the retry can make one pod too many, \
         which is deleted later. A slow admission webhook is the usual suspect.",
    recognised: "The message of the newest FailedCreate event is a timeout or a broken connection. Where a \
         version counts that as a success, pods are too few without the condition ReplicaFailure.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!(
        "Look for what is slow: admission webhooks, the API server, etcd. If no pod came, wake the \
             ReplicaSet: ",
        wake!()
    ),
    wakes: Some(
        "Before 1.18 (but for late patches of 1.15 to 1.17): any event after five minutes. Since then the \
         retry, after 5 ms that double with each failure up to 1000 s, or any event of the ReplicaSet or \
         of one of its pods, at once.",
    ),
};

pub const CreateRefused: Entry = Entry {
    code: Code::CreateRefused,
    meaning: "Creates are refused, for a reason that is not classified",
    text: "The controller's creates fail with a message that none of the known patterns matches; the \
         message is given as it is. Failed and untried creates are lowered at once, so this is backoff \
         and not unmet expectations: the sync is retried with a growing delay.",
    recognised: "A FailedCreate event, the condition ReplicaFailure or the log has a message that no other code \
         of a refusal fits.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!("Read the message, remove its cause, then: ", wake!()),
    wakes: Some(RETRIED),
};

pub const DeleteRefused: Entry = Entry {
    code: Code::DeleteRefused,
    meaning: "Deletes of surplus pods are refused",
    text: "The controller's deletes fail (FailedDelete). Each failed delete is lowered at once, the first \
         error is returned and the sync is retried with a growing delay. The next sync chooses its \
         victims anew. A pod that was gone already (404) is no such error.",
    recognised: "A FailedDelete event or the condition ReplicaFailure with the reason FailedDelete stands, and \
         its message is not one of a webhook, of a policy or of an overloaded server: those keep their \
         own codes.",
    tiers: &[Tier::Observed, Tier::Logged],
    remedy: concat!(
        "Read the message: an admission webhook on deletes, or a missing permission. Then: ",
        wake!()
    ),
    wakes: Some(RETRIED),
};

pub const MessageOutdated: Entry = Entry {
    code: Code::MessageOutdated,
    meaning: "The condition keeps an old message; the newest event tells another cause",
    text: "ReplicaFailure is set only while it is absent, so its reason and message are those of the first \
         failure, however many others follow (kubernetes issue 127081). The newest FailedCreate or \
         FailedDelete event has the present cause. The condition goes with the first sync that has no \
         such error, also with one that created nothing because expectations were unmet.",
    recognised: "The message of the condition and that of the newest event have different causes.",
    tiers: &[Tier::Observed],
    remedy: "Trust the event: kubectl get events --field-selector involvedObject.name=NAME \
         --sort-by=.lastTimestamp.",
    wakes: None,
};

pub const EventsThinned: Entry = Entry {
    code: Code::EventsThinned,
    meaning: "Events were merged or dropped: their counts are lower bounds",
    text: "From the tenth different message of one reason on, with no ten minutes between them, events \
         merge into one \"(combined from similar events)\" that shows the latest message. And each object \
         has 25 events at first and one more every five minutes, over all reasons; the rest is dropped \
         silently. So an event proves that something happened, and its absence proves nothing.",
    recognised: "An event begins with (combined from similar events).",
    tiers: &[Tier::Observed],
    remedy: "Count pods or status, not events. The controller-manager's log has every create and delete, at \
         level 3 from 1.30 on and at the default level before.",
    wakes: None,
};

pub const RefusalPredicted: Entry = Entry {
    code: Code::RefusalPredicted,
    meaning: "The next create will be refused, as far as the objects tell",
    text: "The create has not been tried yet. A quota, a LimitRange, a missing ServiceAccount or another \
         object that was read refuses such a pod as things stand. The forecast cannot know what changes \
         first, nor what admission webhooks do.",
    recognised: "Pods are too few, and an object that was read refuses the next one: the ServiceAccount is \
         missing where others of the namespace were read, a container's limit is above the maximum of a \
         LimitRange, or a ResourceQuota on pods has no room by its status.used. Of a cluster only quotas are read; ServiceAccounts and LimitRanges come from files (-f).",
    tiers: &[Tier::Inferred],
    remedy: "Remove the cause before the next sync; the message names the object.",
    wakes: None,
};

pub const PodsIrreplaceable: Entry = Entry {
    code: Code::PodsIrreplaceable,
    meaning: "Running pods could not be created again under the present rules",
    text: "These pods were admitted before the rule that now refuses their template. They run on untouched. \
         But each eviction, drain, node failure or rollout takes one away that cannot be replaced.",
    recognised: "A standing refusal is one by pod security, by an admission policy or by a LimitRange, and pods \
         of this ReplicaSet are active.",
    tiers: &[Tier::Inferred],
    remedy: "Repair the cause of the refusal before the next drain or rollout.",
    wakes: None,
};
