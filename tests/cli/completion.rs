//! Completion: the scripts in the repository, and what kubectl is answered.

use std::path::Path;
use std::time::{Duration, Instant};

use support::command;
use support::server::{Answer, serve};
use tempfile::TempDir;

/// A kubeconfig for this server: two contexts, in the namespace `shop` and in `other`.
fn kubeconfig(server: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: here\n\
         clusters: [{{name: one, cluster: {{server: '{server}'}}}}]\n\
         users: [{{name: jane, user: {{}}}}, {{name: 'j$(id)', user: {{}}}}]\n\
         contexts:\n\
         - {{name: here, context: {{cluster: one, user: jane, namespace: shop}}}}\n\
         - {{name: 'arn:aws:cluster/there', context: {{cluster: one, user: jane, namespace: other}}}}\n"
    );
    std::fs::write(directory.path().join("config"), text).unwrap();
    directory
}

/// What is answered for a line; standard error stays empty.
fn complete(kubeconfig: &Path, words: &[&str]) -> String {
    let run = command()
        .arg("__complete")
        .args(words)
        .env("KUBECONFIG", kubeconfig)
        .env("no_proxy", "*")
        .env_remove("http_proxy")
        .output()
        .unwrap();
    assert!(run.status.success() && run.stderr.is_empty(), "{words:?}: {run:?}");
    String::from_utf8(run.stdout).unwrap()
}

fn replica_set(name: &str, owner: &str) -> String {
    let owner = match owner {
        "" => String::new(),
        _ => format!(
            r#","annotations":{{"deployment.kubernetes.io/desired-replicas":"4"}},"ownerReferences":[{{"apiVersion":"apps/v1","kind":"Deployment","name":"{owner}","uid":"d","controller":true}}]"#
        ),
    };
    format!(
        r#"{{"metadata":{{"name":"{name}","namespace":"shop","uid":"{name}","resourceVersion":"1"{owner}}},"spec":{{"replicas":3,"selector":{{"matchLabels":{{"app":"web"}}}},"template":{{"metadata":{{"labels":{{"app":"web"}}}},"spec":{{"containers":[]}}}}}},"status":{{"replicas":2}}}}"#
    )
}

fn cluster(path: &str) -> Answer {
    let list = |kind: &str, api: &str, items: &[String]| {
        let items = items.join(",");
        Some((
            200,
            format!(
                r#"{{"kind":"{kind}","apiVersion":"{api}","metadata":{{"resourceVersion":"9"}},"items":[{items}]}}"#
            ),
        ))
    };
    let object = |meta: &str| format!(r#"{{"metadata":{{"resourceVersion":"1","uid":"u",{meta}}}}}"#);
    match path {
        "/apis/apps/v1/namespaces/shop/replicasets" => {
            let sets =
                [("web-b", "web"), ("web-a", "web"), ("api", ""), ("web$(id)", ""), ("web-\\u001b[1m", "")];
            list("ReplicaSetList", "apps/v1", &sets.map(|(name, owner)| replica_set(name, owner)))
        }
        "/apis/apps/v1/namespaces/other/replicasets" => {
            list("ReplicaSetList", "apps/v1", &[replica_set("elsewhere", "")])
        }
        "/api/v1/namespaces/shop/pods" => {
            let meta = r#""name":"web-x","namespace":"shop""#;
            list("PodList", "v1", &[object(meta)])
        }
        "/api/v1/namespaces" => {
            list("NamespaceList", "v1", &[object(r#""name":"shop""#), object(r#""name":"other""#)])
        }
        _ => None,
    }
}

#[test]
fn the_scripts_in_the_repository_are_those_that_are_generated() {
    let scripts = [
        ("bash", "kubectl-rsexp.bash"),
        ("zsh", "_kubectl-rsexp"),
        ("fish", "kubectl-rsexp.fish"),
        ("powershell", "_kubectl-rsexp.ps1"),
        ("elvish", "kubectl-rsexp.elv"),
    ];
    for (shell, file) in scripts {
        let kept = std::fs::read_to_string(Path::new("completions").join(file)).unwrap();
        let made = support::rsexp(["completion", shell]);
        assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
        assert!(kept == made.out, "kubectl-rsexp completion {shell} > completions/{file}");
    }
}

#[cfg(unix)]
#[test]
fn bash_completes_what_stands_behind_a_command() {
    let type_words = |words: &str, cursor: usize| {
        let script = format!(
            "source completions/kubectl-rsexp.bash; COMP_WORDS=({words}); COMP_CWORD={cursor}; \
             _kubectl__rsexp kubectl-rsexp \"${{COMP_WORDS[cursor]}}\" \"${{COMP_WORDS[cursor - 1]}}\"; \
             echo ${{COMPREPLY[@]}}"
        );
        let script = script.replace("[cursor", &format!("[{cursor}"));
        let run = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
        String::from_utf8(run.stdout).unwrap()
    };
    assert_eq!(type_words("kubectl-rsexp ex", 1), "explain\n");
    assert_eq!(type_words("kubectl-rsexp list --no-", 2), "--no-headers\n");
    assert_eq!(type_words("kubectl-rsexp auth -o ''", 3), "text json yaml\n");
    assert_eq!(type_words("kubectl-rsexp dry-run -o n", 3), "name\n");
}

#[cfg(unix)]
#[test]
fn kubectls_executable_hands_the_words_on() {
    let program = support::binary().parent().unwrap();
    let run = std::process::Command::new("completions/kubectl_complete-rsexp")
        .args(["demo", "scale"])
        .env("PATH", format!("{}:/usr/bin:/bin", program.display()))
        .output()
        .unwrap();
    let out = String::from_utf8(run.stdout).unwrap();
    assert_eq!(out, "scale-down\twhich pods go, and the rule that decides each\n:4\n");
}

#[test]
fn names_come_with_wanted_and_present_pods() {
    let home = kubeconfig(&serve(cluster));
    let config = home.path().join("config");
    let cases: [(&[&str], &str); 9] = [
        (&["explain", "rs/w"], "rs/web-a\t3/2\nrs/web-b\t3/2\n:4\n"),
        (&["explain", "a"], "api\t3/2\n:4\n"),
        (&["list", "rs", "web-a", "web"], "web-b\t3/2\n:4\n"),
        (&["dry-run", "deployment/"], "deployment/web\t4/4\n:4\n"),
        (&["explain", "pod", ""], "web-x\tPending\n:4\n"),
        (&["explain", "-n", "other", "rs", ""], "elsewhere\t3/2\n:4\n"),
        (&["--context=arn:aws:cluster/there", "explain", "rs/"], "rs/elsewhere\t3/2\n:4\n"),
        (&["explain", "--namespace="], "other\nshop\n:4\n"),
        (&["auth", "-n", "s"], "shop\n:4\n"),
    ];
    for (words, answer) in cases {
        assert_eq!(complete(&config, words), answer, "{words:?}");
    }
}

#[test]
fn the_kubeconfigs_names_are_completed_but_not_what_a_shell_would_run() {
    let home = kubeconfig("http://127.0.0.1:9");
    let config = home.path().join("config");
    assert_eq!(complete(&config, &["list", "--context", ""]), "here\narn:aws:cluster/there\n:4\n");
    assert_eq!(complete(&config, &["--user", ""]), "jane\n:4\n");
    assert_eq!(
        complete(Path::new("nowhere"), &["list", "--kubeconfig", config.to_str().unwrap(), "--cluster", ""]),
        "one\n:4\n"
    );
}

#[test]
fn fixed_words_need_no_cluster() {
    let nowhere = Path::new("nowhere");
    let cases: [(&[&str], &str); 8] = [
        (&["li"], "list\tList ReplicaSets with the verdict about their next sync\n:4\n"),
        (&["list", "--no-h"], "--no-headers\tOmit the column headers\n:4\n"),
        (&["list", "--no-headers", "--no-h"], ":4\n"),
        (&["list", "-o", "j"], "json\njsonpath\njsonpath-file\njsonpath-as-json\n:4\n"),
        (&["list", "--until=s"], "settled\nskip\n:4\n"),
        (&["dry-run", "--assume-expectations", ""], "satisfied\nunmet\n:4\n"),
        (&["list", "-f", ""], ":0\n"),
        (&["explain", "-f", "x.yaml", "d"], "deploy\tthe ReplicaSets of Deployments\n:4\n"),
    ];
    for (words, answer) in cases {
        assert_eq!(complete(nowhere, words), answer, "{words:?}");
    }
    let codes = complete(nowhere, &["explain", "ExpectationsUn"]);
    assert!(codes.starts_with("ExpectationsUnmet\t") && codes.contains("\nExpectationsUnknown\t"), "{codes}");
    assert!(complete(nowhere, &["dry-run", "--fail-creates", "Quota"]).starts_with("QuotaExceeded\t"));
}

#[test]
fn whatever_fails_is_silent() {
    let refused = kubeconfig("http://127.0.0.1:9");
    let config = refused.path().join("config");
    let cases: [&[&str]; 7] = [
        &[],
        &["frobnicate", ""],
        &["explain", "rs/"],
        &["explain", "-v=9", "rs/"],
        &["list", "--context", "none", "rs", ""],
        &["list", "--token", "t", "--username", "u", "rs", ""],
        &["explain", "svc/"],
    ];
    for words in cases {
        assert_eq!(complete(&config, words), ":4\n", "{words:?}");
    }
    assert_eq!(complete(Path::new("nowhere"), &["explain", "rs/"]), ":4\n");
}

#[test]
fn a_server_that_does_not_answer_is_not_waited_for() {
    let silent = kubeconfig(&serve(|_| None));
    let begun = Instant::now();
    assert_eq!(complete(&silent.path().join("config"), &["explain", "rs/"]), ":4\n");
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}
