//! Which ReplicaSets a Deployment or a pod stands for. What is said about it: tests/cli/transcripts/target-notes.txt.

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

    /// The exit code, and the names of the ReplicaSets that are answered for.
    fn answers(&self, target: &str) -> (i32, Vec<String>) {
        let ran = self.run(&["list", target, "-o", "name"]);
        let names = ran.out.lines().map(|line| line.split_once('/').unwrap().1.to_owned()).collect();
        (ran.code.unwrap(), names)
    }

    /// By which way each of them was reached, where the target is not itself the ReplicaSet.
    fn via(&self, target: &str) -> Vec<String> {
        let out = self.run(&["list", target, "-o", "json"]).out;
        let answer: Value = serde_json::from_str(&out).unwrap();
        let items = answer["items"].as_array().cloned().unwrap_or_else(|| vec![answer]);
        items.iter().filter_map(|item| Some(item["object"]["via"].as_str()?.to_owned())).collect()
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
fn a_deployment_stands_for_the_replicasets_that_it_owns() {
    let world =
        World::default().deployment(2, "5").owned("web-b", "web-uid", "4").owned("web-a", "web-uid", "5");
    assert_eq!(world.answers("deploy/web"), (0, vec!["web-a".into(), "web-b".into()]));
    let nobody = World::default().owned("web-a", "web-uid", "9");
    assert_eq!(nobody.answers("deploy/web"), (0, vec!["web-a".into()]), "without the Deployment itself");
}

#[test]
fn json_says_which_revision_of_the_deployment_a_replicaset_has() {
    let via = |world: World| world.via("deploy/web");
    let both = World::default().owned("web-a", "web-uid", "9").owned("web-b", "web-uid", "10");
    let [older, current] = <[String; 2]>::try_from(via(both)).unwrap();
    assert!(older.contains("9") && current.contains("10") && older != current, "{older} {current}");
    let twins = World::default().owned("web-a", "web-uid", "3").owned("web-b", "web-uid", "3");
    let [one, other] = <[String; 2]>::try_from(via(twins)).unwrap();
    assert_eq!(one, other, "neither is the current one");
    let newer = World::default().deployment(2, "6").owned("web-a", "web-uid", "5");
    let same =
        World::default().deployment(2, "5").owned("web-a", "web-uid", "5").owned("web-b", "web-uid", "4");
    assert_ne!(via(newer)[0], via(same)[0], "the one of revision 6 was not seen");
}

#[test]
fn replicasets_of_an_earlier_deployment_of_the_name_are_not_taken() {
    let world =
        World::default().deployment(2, "1").owned("old", "earlier-uid", "7").owned("new", "web-uid", "1");
    assert_eq!(world.answers("deploy/web"), (0, vec!["new".into()]));
    let world = World::default().deployment(2, "1").owned("old", "earlier-uid", "7");
    assert_eq!(world.answers("deploy/web"), (3, vec![]));
}

#[test]
fn a_pod_leads_to_its_controller_by_uid() {
    let world = World::default().replica_set("web").replica_set("other").pod(
        "x",
        &owner("ReplicaSet", "web"),
        "Running",
    );
    assert_eq!(world.answers("pod/x"), (0, vec!["web".into()]));
}

#[test]
fn a_pod_without_a_controller_leads_to_who_would_adopt_it() {
    let world = World::default().replica_set("web").pod("x", "", "Running");
    assert_eq!(world.answers("pod/x"), (0, vec!["web".into()]));
    let world = world.replica_set("web2");
    assert_eq!(world.answers("pod/x"), (0, vec!["web".into(), "web2".into()]));
}

#[test]
fn a_pod_that_leads_nowhere_is_answered_with_nothing() {
    let deleted = ", deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30";
    let adopter = || World::default().replica_set("web");
    for world in [
        World::default().pod("x", "", "Running"),
        adopter().pod("x", "", "Failed"),
        adopter().pod("x", deleted, "Running"),
        adopter().pod("x", &owner("StatefulSet", "db"), "Running"),
        adopter().pod("x", &owner("ReplicaSet", "gone"), "Running"),
    ] {
        assert_eq!(world.answers("pod/x"), (3, vec![]), "{}", world.0);
    }
}

#[test]
fn json_says_by_which_way_a_report_was_reached() {
    let world = World::default().owned("web-a", "web-uid", "5");
    assert_eq!(world.via("deploy/web").len(), 1);
    assert_eq!(world.via("rs/web-a"), Vec::<String>::new());
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
    for (target, suggested) in
        [("pod/web-x8", "web-x9"), ("deploy/wbe", "web"), ("rs/web-b", "web-a"), ("pod/web-a", "rs/web-a")]
    {
        let ran = world.run(&["explain", target]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(3), 1), "{target}: {ran:?}");
        assert!(ran.err.contains(&format!("\"{suggested}\"")), "{target}: {ran:?}");
    }
}
