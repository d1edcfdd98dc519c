//! Which ReplicaSets a Deployment or a pod stands for, and what is said about it.

use std::fmt::Write;

use serde_json::Value;
use support::rsexp;

/// A file of objects.
#[derive(Default)]
struct World(String);

impl World {
    fn add(mut self, kind: &str, name: &str, rest: &str) -> World {
        let api = if matches!(kind, "Pod") { "v1" } else { "apps/v1" };
        write!(
            self.0,
            "---\napiVersion: {api}\nkind: {kind}\nmetadata: {{namespace: shop, name: {name}, uid: {name}-uid, \
             resourceVersion: '5', creationTimestamp: '2026-01-01T00:00:00Z', {rest}\n"
        )
        .unwrap();
        self
    }

    fn deployment(self, generation: u32, revision: &str) -> World {
        let rest = format!(
            "generation: {generation}{}}}\nspec: {{replicas: 1, selector: {{matchLabels: {{app: web}}}}}}\n\
             status: {{observedGeneration: 2}}",
            annotation(revision)
        );
        self.add("Deployment", "web", &rest)
    }

    /// A ReplicaSet that names the Deployment web of this UID.
    fn owned(self, name: &str, owner: &str, revision: &str) -> World {
        let rest = format!(
            "generation: 1{}, ownerReferences: [{{apiVersion: apps/v1, kind: Deployment, name: web, uid: {owner}, \
             controller: true}}]}}\n{SPEC}",
            annotation(revision)
        );
        self.add("ReplicaSet", name, &rest)
    }

    fn replica_set(self, name: &str) -> World {
        self.add("ReplicaSet", name, &format!("generation: 1}}\n{SPEC}"))
    }

    /// A pod with these fields of metadata, in a phase.
    fn pod(self, name: &str, meta: &str, phase: &str) -> World {
        self.add("Pod", name, &format!("labels: {{app: web}}{meta}}}\nstatus: {{phase: {phase}}}"))
    }

    /// Exit code and standard error.
    fn explain(&self, target: &str) -> (i32, String) {
        let ran = self.run(&["explain", target]);
        (ran.code.unwrap(), ran.err)
    }

    fn run(&self, args: &[&str]) -> support::Ran {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("world.yaml");
        std::fs::write(&path, &self.0).unwrap();
        rsexp(args.iter().chain(&["-f", path.to_str().unwrap()]))
    }
}

const SPEC: &str = "spec: {replicas: 1, selector: {matchLabels: {app: web}}, template: {metadata: {labels: \
                    {app: web}}, spec: {containers: [{name: c, image: i}]}}}\nstatus: {replicas: 0}";

fn annotation(revision: &str) -> String {
    match revision {
        "" => String::new(),
        _ => format!(", annotations: {{deployment.kubernetes.io/revision: '{revision}'}}"),
    }
}

fn owner(kind: &str, name: &str) -> String {
    format!(
        ", ownerReferences: [{{apiVersion: apps/v1, kind: {kind}, name: {name}, uid: {name}-uid, \
         controller: true}}]"
    )
}

#[test]
fn the_replicaset_of_the_deployments_revision_is_the_current_one() {
    let world =
        World::default().deployment(2, "5").owned("web-b", "web-uid", "4").owned("web-a", "web-uid", "5");
    let note = "note: deploy/web: rs/web-a (current: revision 5 is the Deployment's) and rs/web-b (older: \
                revision 4)\n";
    assert_eq!(world.explain("deploy/web"), (0, note.into()));
}

#[test]
fn without_the_deployment_the_newest_revision_is_the_current_one() {
    let world = World::default().owned("web-a", "web-uid", "9").owned("web-b", "web-uid", "10");
    let note =
        "note: deploy/web: rs/web-b (current: revision 10 is the newest) and rs/web-a (older: revision 9)\n";
    assert_eq!(world.explain("deploy/web"), (0, note.into()));
}

#[test]
fn a_current_one_that_is_in_doubt_is_said_to_be() {
    let cases = [
        (2, "6", "5", "(older: revision 5); the one of revision 6, the Deployment's, was not seen"),
        (2, "4", "5", "(current: revision 5; the Deployment still says 4)"),
        (
            3,
            "5",
            "5",
            "(current: revision 5 is the Deployment's); its controller has not acted on its newest spec yet",
        ),
        (2, "", "", "(its only one)"),
        (2, "5", "", "(its only one)"),
    ];
    for (generation, said, own, text) in cases {
        let world = World::default().deployment(generation, said).owned("web-a", "web-uid", own);
        assert_eq!(world.explain("deploy/web"), (0, format!("note: deploy/web: rs/web-a {text}\n")));
    }
    let twins = World::default().owned("web-a", "web-uid", "3").owned("web-b", "web-uid", "3");
    let (_, note) = twins.explain("deploy/web");
    assert!(note.contains("rs/web-a (revision 3, as another one)") && !note.contains("current"), "{note}");
}

#[test]
fn replicasets_of_an_earlier_deployment_of_the_name_are_not_taken() {
    let world =
        World::default().deployment(2, "1").owned("old", "earlier-uid", "7").owned("new", "web-uid", "1");
    let (code, note) = world.explain("deploy/web");
    assert_eq!((code, note.contains("rs/new"), note.contains("rs/old")), (0, true, false), "{note}");
    let world = World::default().deployment(2, "1").owned("old", "earlier-uid", "7");
    let error =
        "error: deploy/web owns no ReplicaSet; rs/old belonged to an earlier one of this name (UID)\n";
    assert_eq!(world.explain("deploy/web"), (3, error.into()));
}

#[test]
fn many_older_ones_are_counted() {
    let world = (1..=9).fold(World::default(), |world, revision| {
        world.owned(&format!("web-{revision}"), "web-uid", &revision.to_string())
    });
    let (_, note) = world.explain("deploy/web");
    assert!(note.ends_with("rs/web-6 (older: revision 6) and 5 more\n"), "{note}");
}

#[test]
fn a_pod_leads_to_its_controller_by_uid() {
    let world = World::default().replica_set("web").replica_set("other").pod(
        "x",
        &owner("ReplicaSet", "web"),
        "Running",
    );
    assert_eq!(world.explain("pod/x"), (0, "note: pod/x: rs/web, its controller\n".into()));
}

#[test]
fn a_pod_without_a_controller_leads_to_who_would_adopt_it() {
    let world = World::default().replica_set("web").pod("x", "", "Running");
    let note = "note: pod/x has no controller; rs/web would adopt it\n";
    assert_eq!(world.explain("pod/x"), (0, note.into()));
    let world = world.replica_set("web2");
    let note = "note: pod/x has no controller; the first of rs/web and rs/web2 to sync would adopt it\n";
    assert_eq!(world.explain("pod/x"), (0, note.into()));
}

#[test]
fn a_pod_that_leads_nowhere_says_why() {
    let deleted = ", deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30";
    let cases = [
        (World::default().pod("x", "", "Running"), "has no controller; no ReplicaSet selects it"),
        (
            World::default().replica_set("web").pod("x", "", "Failed"),
            "has no controller; it is finished: nothing adopts it",
        ),
        (
            World::default().replica_set("web").pod("x", deleted, "Running"),
            "has no controller; it is terminating: nothing adopts it",
        ),
        (
            World::default().replica_set("web").pod("x", &owner("StatefulSet", "db"), "Running"),
            "is controlled by StatefulSet db, no ReplicaSet",
        ),
        (
            World::default().replica_set("web").pod("x", &owner("ReplicaSet", "gone"), "Running"),
            "is controlled by ReplicaSet gone (UID gone-uid), which was not seen",
        ),
    ];
    for (world, text) in cases {
        assert_eq!(world.explain("pod/x"), (3, format!("error: pod/x {text}\n")));
    }
}

#[test]
fn json_says_by_which_way_a_report_was_reached() {
    let world = World::default().owned("web-a", "web-uid", "5");
    let via = |target: &str| {
        let out = world.run(&["explain", target, "-o", "json"]).out;
        serde_json::from_str::<Value>(&out).unwrap()["object"]["via"].clone()
    };
    assert_eq!(via("deploy/web"), "deploy/web: current: revision 5 is the newest");
    assert_eq!(via("rs/web-a"), Value::Null);
}

#[test]
fn a_deployments_new_size_was_not_set_by_hand() {
    let world = World::default().deployment(2, "5").owned("web-a", "web-uid", "5");
    let codes = |target: &str| {
        let out = world.run(&["dry-run", target, "--replicas", "3", "-o", "json"]).out;
        let report: Value = serde_json::from_str(&out).unwrap();
        let reasons = report["reasons"].as_array().unwrap();
        reasons.iter().map(|reason| reason["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let by_deployment = codes("deploy/web");
    assert!(by_deployment.contains(&"DeploymentDecides".to_owned()), "{by_deployment:?}");
    assert!(!by_deployment.contains(&"ScaledByHand".to_owned()), "{by_deployment:?}");
    assert!(codes("rs/web-a").contains(&"ScaledByHand".to_owned()));
}

#[test]
fn a_mistyped_name_suggests_an_object_of_its_kind() {
    let world =
        World::default().deployment(2, "5").owned("web-a", "web-uid", "5").pod("web-x9", "", "Running");
    let error = |target: &str| world.explain(target).1;
    assert_eq!(error("pod/web-x8"), "error: pods \"web-x8\" not found; did you mean \"web-x9\"?\n");
    assert_eq!(error("deploy/wbe"), "error: deployments.apps \"wbe\" not found; did you mean \"web\"?\n");
    assert_eq!(error("rs/web-b"), "error: replicasets.apps \"web-b\" not found; did you mean \"web-a\"?\n");
    assert_eq!(error("pod/web-a"), "error: pods \"web-a\" not found; did you mean \"rs/web-a\"?\n");
}
