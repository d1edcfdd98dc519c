//! Creates that the API server refuses: quotas, limits, policies, a namespace that ends.

use std::fs::File;
use std::io::Read;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::Scenario;
use crate::control_plane::stage::{Stage, wait};

pub const FREEZING: &[Scenario] = &[
    Scenario { name: "quota-raised", mechanism: "slow start against a quota", play: quota_raised },
    Scenario {
        name: "quota-full",
        mechanism: "replacement of a deleted pod under a full quota",
        play: quota_full,
    },
    Scenario {
        name: "namespace-ends",
        mechanism: "creates in a namespace that is being deleted",
        play: namespace_ends,
    },
];

pub const FLOWING: &[Scenario] = &[
    Scenario { name: "quota-lifted", mechanism: "retry with growing backoff", play: quota_lifted },
    Scenario { name: "admission", mechanism: "refusals by admission", play: admission },
    Scenario {
        name: "namespace-ended",
        mechanism: "creates in a namespace that is being deleted",
        play: namespace_ended,
    },
];

fn quota(stage: &Stage, pods: i64) {
    let quotas = format!("/api/v1/namespaces/{}/resourcequotas", stage.namespace);
    let pods = pods.to_string();
    stage.change("POST", &quotas, json!({"metadata": {"name": "q"}, "spec": {"hard": {"pods": &pods}}}));
    wait("the quota is in force", || {
        stage.api.find(&format!("{quotas}/q")).unwrap()["status"]["hard"]["pods"] == pods
    });
}

/// What an event of a pod has woken is done by now.
const QUIET: SignedDuration = SignedDuration::from_millis(700);

/// How long questions take.
const QUESTIONS: SignedDuration = SignedDuration::from_millis(1500);

/// Waits until creates or deletes of this ReplicaSet have failed so often that questions fit into the pause before the
/// next try. By the log: events come seconds late, and a sync that waits for a free worker is no pause.
pub fn backs_off(stage: &Stage, name: &str) {
    let mut syncs = Syncs::of(stage, name);
    wait(&format!("{name} backs off"), || {
        syncs.read();
        let (now, failures) = (Timestamp::now(), syncs.failures.min(17));
        let pause = SignedDuration::from_millis(5 << failures.saturating_sub(1));
        !syncs.runs && now > syncs.last + QUIET && now + QUESTIONS < syncs.last + pause
    });
}

/// Waits until the status says that creates or deletes fail.
pub fn refused(stage: &Stage, name: &str) {
    wait(&format!("{name} is refused"), || {
        let conditions = stage.get(name)["status"]["conditions"].clone();
        conditions.as_array().is_some_and(|all| all.iter().any(|one| one["type"] == "ReplicaFailure"))
    });
}

/// The syncs of a ReplicaSet, followed in the truth log.
struct Syncs {
    log: File,
    key: String,
    /// The beginning of a line that is not written to its end yet.
    cut: String,
    /// Failures in a row.
    failures: usize,
    /// Whether one that creates or deletes is under way.
    runs: bool,
    /// Whether the last one has ended, and no failure of it was told so far.
    ended: bool,
    /// When one began or ended last.
    last: Timestamp,
}

impl Syncs {
    fn of(stage: &Stage, name: &str) -> Syncs {
        let log = File::open(stage.plane.get("RSEXP_TRUTH_LOG")).unwrap();
        let last = Timestamp::now();
        Syncs { log, key: stage.key(name), cut: String::new(), failures: 0, runs: false, ended: false, last }
    }

    fn read(&mut self) {
        self.log.read_to_string(&mut self.cut).unwrap();
        let text = std::mem::take(&mut self.cut);
        let (whole, cut) = text.rsplit_once('\n').unwrap_or(("", &text));
        self.cut = cut.to_owned();
        let key = self.key.clone();
        for line in whole.lines().filter(|line| line.contains(&key)) {
            self.take(&serde_json::from_str(line).unwrap());
        }
    }

    fn take(&mut self, line: &Value) {
        let failed = format!("sync \"{}\" failed with ", self.key);
        if line["err"].as_str().is_some_and(|error| error.starts_with(&failed)) {
            self.failures += 1;
            self.ended = false;
            return;
        }
        let ends = line["msg"] == "Finished syncing" && line["key"] == self.key;
        let begins = (line["msg"] == "Too few replicas" || line["msg"] == "Too many replicas")
            && line["replicaSet"] == self.key;
        if ends || begins {
            if self.ended {
                self.failures = 0;
            }
            let at = line["t"].as_str().unwrap().parse().unwrap();
            (self.ended, self.runs, self.last) = (ends, begins, at);
        }
    }
}

fn quota_raised(stage: &Stage) {
    quota(stage, 5);
    stage.replica_set("a", 12);
    stage.has("a", 5);
    backs_off(stage, "a");
    stage.mark(
        "refused",
        "a",
        &["truth.gate=fulfilled", "truth.entry.add=0"],
        &["verdict=blocked", "reason=QuotaExceeded", "reason=RetryBackoff", "plan.count=7"],
    );
    stage.frozen(|| {
        stage.mark("frozen", "a", &[], &["verdict=blocked", "reason=QuotaExceeded"]);
        // The quota controller is frozen too: what admission goes by is the status.
        let path = format!("/api/v1/namespaces/{}/resourcequotas/q", stage.namespace);
        stage.change("PATCH", &path, json!({"spec": {"hard": {"pods": "8"}}}));
        stage.change("PATCH", &format!("{path}/status"), json!({"status": {"hard": {"pods": "8"}}}));
        // The pause may have grown to minutes meanwhile.
        stage.touch("a");
        stage.mark("raised", "a", &["next.action=create", "next.count=7"], &["plan.count=7"]);
        stage.ask_live(&["a"]);
    });
    // What admission keeps of the quota may be older for a moment, and each refusal doubles the pause.
    wait("a has 8 pods", || {
        let has = stage.own("a").len() == 8;
        if !has {
            stage.touch("a");
            stage.rest(1500);
        }
        has
    });
    backs_off(stage, "a");
    stage.mark("again", "a", &["truth.gate=fulfilled"], &["verdict=blocked", "reason=QuotaExceeded"]);
}

fn quota_full(stage: &Stage) {
    quota(stage, 4);
    stage.replica_set("a", 4);
    stage.settled("a", 4);
    let victim = stage.own("a").remove(0);
    stage.mark("full", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
    stage.frozen(|| {
        stage.delete_pod(&victim);
        // The quota still counts the pod that is gone.
        stage.mark("gone", "a", &["next.action=create", "next.count=1"], &["plan.count=1"]);
        stage.ask_live(&["a"]);
    });
    stage.settled("a", 4);
    stage.mark("replaced", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
}

fn quota_lifted(stage: &Stage) {
    quota(stage, 3);
    stage.replica_set("a", 6);
    stage.has("a", 3);
    backs_off(stage, "a");
    stage.mark(
        "refused",
        "a",
        &["truth.gate=fulfilled"],
        &["verdict=blocked", "reason=QuotaExceeded", "reason=RetryBackoff"],
    );
    stage.change("DELETE", &format!("/api/v1/namespaces/{}/resourcequotas/q", stage.namespace), None);
    stage.mark("lifted", "a", &["truth.gate=fulfilled", "next.action=create"], &["reason=RetryBackoff"]);
    stage.settled("a", 6);
    stage.mark("filled", "a", &["truth.gate=fulfilled"], &["verdict=settled"]);
}

/// The spec of a template, as a patch of the ReplicaSet's.
fn template(spec: Value) -> Value {
    json!({"template": {"spec": spec}})
}

/// The resources of the container.
fn resources(resources: Value) -> Value {
    template(json!({"containers": [{"name": "main", "image": "example.org/none", "resources": resources}]}))
}

fn policy(stage: &Stage) {
    let name = format!("{}-policy", stage.namespace);
    let group = "/apis/admissionregistration.k8s.io/v1";
    let body = json!({
        "metadata": {"name": name},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": {
                "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": stage.namespace}},
                "objectSelector": {"matchLabels": {"app": "policy"}},
                "resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"], "operations": ["CREATE"]}],
            },
            "validations": [{"expression": "false", "message": "not today"}],
        },
    });
    stage.change("POST", &format!("{group}/validatingadmissionpolicies"), body);
    let binding =
        json!({"metadata": {"name": name}, "spec": {"policyName": name, "validationActions": ["Deny"]}});
    stage.change("POST", &format!("{group}/validatingadmissionpolicybindings"), binding);
    let path = format!("/api/v1/namespaces/{}/pods?dryRun=All", stage.namespace);
    let probe = crate::control_plane::api::Request::new(
        "POST",
        path,
        crate::control_plane::stage::pod("probe", "policy", None),
    );
    wait("the policy is in force", || stage.api.attempt(&probe).is_err());
}

fn admission(stage: &Stage) {
    let namespace = format!("/api/v1/namespaces/{}", stage.namespace);
    let labels = json!({"metadata": {"labels": {"pod-security.kubernetes.io/enforce": "baseline"}}});
    stage.change("PATCH", &namespace, labels);
    let limits = json!({"type": "Container", "max": {"cpu": "1"}, "default": {"memory": "100Mi"}});
    let limits = json!({"metadata": {"name": "limits"}, "spec": {"limits": [limits]}});
    stage.change("POST", &format!("{namespace}/limitranges"), limits);
    policy(stage);
    stage.replica_set_but("security", 2, template(json!({"hostNetwork": true})));
    stage.replica_set_but("limits", 2, resources(json!({"limits": {"cpu": "2"}})));
    // The limit that is filled in is below the request.
    stage.replica_set_but("invalid", 2, resources(json!({"requests": {"memory": "200Mi"}})));
    stage.replica_set_but("priority", 2, template(json!({"priorityClassName": "none"})));
    stage.replica_set_but("runtime", 2, template(json!({"runtimeClassName": "none"})));
    stage.replica_set("policy", 2);
    let codes = [
        ("security", "PodSecurityViolation"),
        ("limits", "LimitRangeViolation"),
        ("invalid", "PodInvalid"),
        ("priority", "PriorityClassMissing"),
        ("runtime", "CreateRefused"),
        ("policy", "AdmissionPolicyDenied"),
    ];
    for (name, code) in codes {
        backs_off(stage, name);
        stage.mark(
            name,
            name,
            &["truth.gate=fulfilled", "truth.entry.add=0"],
            &["verdict=blocked", &format!("reason={code}"), "reason=RetryBackoff"],
        );
    }
}

/// Ends the namespace, which a finalizer of each pod keeps.
fn end_namespace(stage: &Stage) {
    stage.change("DELETE", &format!("/api/v1/namespaces/{}", stage.namespace), None);
}

fn held_pods(stage: &Stage, name: &str, pods: i64) {
    let held = json!({"template": {"metadata": {"finalizers": ["rsexp.example/held"]}}});
    stage.replica_set_but(name, pods, held);
    stage.settled(name, pods);
}

fn namespace_ends(stage: &Stage) {
    held_pods(stage, "a", 3);
    let victim = stage.own("a").remove(0);
    let frozen = stage.frozen(|| {
        let frozen = Timestamp::now();
        end_namespace(stage);
        stage.delete_pod(&victim);
        stage.mark("ends", "a", &["next.action=create"], &["verdict=blocked", "reason=NamespaceTerminating"]);
        stage.ask_live(&["a"]);
        frozen
    });
    stage.synced("a", frozen);
    stage.mark("ended", "a", &["truth.gate=waiting"], &["verdict=blocked", "reason=NamespaceTerminating"]);
}

fn namespace_ended(stage: &Stage) {
    held_pods(stage, "a", 2);
    end_namespace(stage);
    wait("its pods end", || stage.own("a").is_empty());
    stage.rest(1000);
    let really = ["truth.gate=waiting", "truth.entry.add=2", "next.action=none"];
    stage.mark("ended", "a", &really, &["verdict=blocked", "reason=NamespaceTerminating"]);
    // Nothing more is tried: the first create counts as done.
    stage.touch("a");
    stage.mark("touched", "a", &["truth.gate=waiting"], &["verdict=blocked", "reason=NamespaceTerminating"]);
    stage.scale("a", 0);
    wait("the size is observed", || {
        stage.get("a")["status"]["observedGeneration"] == stage.get("a")["metadata"]["generation"]
    });
    stage.mark("none-wanted", "a", &["truth.gate=waiting"], &["verdict=settled"]);
}
