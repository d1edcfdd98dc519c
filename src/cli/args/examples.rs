//! The examples at the end of each help text.

/// For the program.
pub const ALL: &str = "\
Examples:
  kubectl rsexp list -f cluster.yaml
  kubectl rsexp explain rs/web -f cluster.yaml
  kubectl rsexp dry-run rs/web --replicas 3 -f cluster.yaml
  kubectl rsexp timeline rs/web -f web.rsexp.jsonl

To make cluster.yaml: kubectl get rs,pods,events,quota,deploy,lease -A -o yaml > cluster.yaml";

/// For `list`.
pub const LIST: &str = "\
Examples:
  # Which ReplicaSets of a snapshot will not settle without help?
  kubectl rsexp list -f cluster.yaml
  # With their pods, in one namespace, chosen by labels
  kubectl rsexp list --pods -n shop -l 'app in (web,api)' -f cluster.yaml
  # Which ReplicaSets of the cluster will not settle? And all of them, the shortest first
  kubectl rsexp list -A
  kubectl rsexp list -A --all --sort-by .diff
  # In a script: 12 if one is blocked, 13 undetermined, 11 skipped, 10 acted on
  kubectl rsexp list -f cluster.yaml --exit-code -o name
  # Custom columns, and a template in kubectl's syntax
  kubectl rsexp list -A -o custom-columns=NAME:.object.name,WHY:.reasons[*].code,UNTIL:.until.at
  kubectl rsexp list -A -o jsonpath='{range .items[?(@.verdict==\"skip\")]}{.object.name}{\"\\n\"}{end}'";

/// For `explain`.
pub const EXPLAIN: &str = "\
Examples:
  # What does the controller wait for?
  kubectl rsexp explain rs/web -f cluster.yaml
  # What did it wait for at two instants of a recording?
  kubectl rsexp explain deploy/web -f web.rsexp.jsonl --at 2026-01-01T12:00:00Z --at 2026-01-01T12:05:00Z
  # What does the controller's log add? (kubectl logs -n kube-system POD > kcm.log)
  kubectl rsexp explain rs/web -f web.rsexp.jsonl --controller-log kcm.log
  kubectl rsexp explain rs/web --window 10s --controller-log kcm.log
  # Is it as expected? Otherwise exit code 15, with the differences on standard error
  kubectl rsexp explain rs/web -n shop --expect verdict=settled,diff=0 -o name
  # What does a reason code mean? (A word with a capital letter is a code.)
  kubectl rsexp explain ExpectationsUnmet";

/// For `dry-run`.
pub const DRY_RUN: &str = "\
Examples:
  # What do the next syncs do?
  kubectl rsexp dry-run rs/web -f cluster.yaml
  # Which pods are deleted when it is scaled to 3?
  kubectl rsexp dry-run rs/web --replicas 3 -f cluster.yaml
  # What if the fifth create is refused?
  kubectl rsexp dry-run rs/web --replicas 20 --fail-creates QuotaExceeded@5 -f cluster.yaml
  # Would it delete pods? If so, exit code 15
  kubectl rsexp dry-run deploy/web --replicas 5 -n shop --expect delete=0";

/// For `record`.
pub const RECORD: &str = "\
Examples:
  # Record a ReplicaSet until Ctrl-C, and explain it later
  kubectl rsexp record rs/web -n shop --to web.rsexp.jsonl.gz
  kubectl rsexp explain rs/web -f web.rsexp.jsonl.gz
  # Five minutes of a namespace, with names replaced, for a public report
  kubectl rsexp record -n shop --window 5m --redact --to report.rsexp.jsonl";

/// For `timeline`.
pub const TIMELINE: &str = "\
Examples:
  # How did it get there? Seen, inferred (=>) and logged facts, with the pending pods after each
  kubectl rsexp timeline rs/web -f web.rsexp.jsonl
  # Up to an instant, with the controller's own log
  kubectl rsexp timeline rs/web -f web.rsexp.jsonl --controller-log kcm.log --at 2026-01-01T12:00:00Z
  # As it happens, for a minute
  kubectl rsexp timeline rs/web -n shop --window 1m
  # As a picture, on a self-contained page
  kubectl rsexp timeline rs/web -f web.rsexp.jsonl -o html > web.html
  # When did a sync start creating pods?
  kubectl rsexp timeline rs/web -f web.rsexp.jsonl -o json | jq '.lines[] | select(.fact == \"CreatesBegun\")'";

/// For `demo`.
pub const DEMO: &str = "\
Examples:
  # A ReplicaSet that waits, and a list of the other demonstrations
  kubectl rsexp demo
  # Which pods does a scale-down delete?
  kubectl rsexp demo scale-down
  # The reports of a demonstration as JSON
  kubectl rsexp demo quota -o json";

/// For `auth`.
pub const AUTH: &str = "\
Examples:
  # What may I read here?
  kubectl rsexp auth -n shop
  # What may a service account read, in every namespace?
  kubectl rsexp auth -A --as system:serviceaccount:shop:robot";

/// For `completion`.
pub const COMPLETION: &str = "\
Examples:
  # For kubectl-rsexp called directly; kubectl rsexp uses the file kubectl_complete-rsexp on the PATH
  source <(kubectl-rsexp completion bash)
  # For all future shells
  kubectl rsexp completion zsh > ~/.zfunc/_kubectl-rsexp";

/// For `schema`.
pub const SCHEMA: &str = "\
Examples:
  # Each kind of document is a definition in it; docs/json.md describes them
  kubectl rsexp schema > rsexp.dev_v1.json
  # Which kinds are there?
  kubectl rsexp schema | jq -r '.[\"$defs\"] | keys[]'";

/// For `version`.
pub const VERSION: &str = "\
Examples:
  # Which version is it, and which Kubernetes versions does it know?
  kubectl rsexp version
  kubectl rsexp version -o json";

#[cfg(test)]
mod tests {
    use crate::cli::args::{Arguments, Command};
    use crate::engine::settings::{ColorChoice, Settings};

    /// The words of a line as a shell takes them, up to a pipe or a redirection.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quote = None;
        for c in line.chars() {
            match (c, quote) {
                ('|' | '>' | ')', None) => break,
                ('\'' | '"', None) => quote = Some(c),
                (c, Some(open)) if c == open => quote = None,
                (' ', None) => words.push(String::new()),
                (c, _) => words.last_mut().unwrap().push(c),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    /// The settings that the words come to, as far as a command has them.
    fn read(words: &[String]) -> Result<Option<Settings>, Box<dyn std::error::Error>> {
        let arguments = Arguments::read(words.iter().map(Into::into))?;
        let color = ColorChoice::Auto;
        Ok(match arguments.command {
            Command::List(arguments) => Some(arguments.settings(color)?),
            Command::Explain(arguments) if arguments.codes().is_some() => None,
            Command::Explain(arguments) => Some(arguments.settings(color)?),
            Command::DryRun(arguments) => Some(arguments.settings(color)?),
            Command::Timeline(arguments) => Some(arguments.settings(color)?),
            Command::Record(arguments) => Some(arguments.settings()?.about),
            _ => None,
        })
    }

    #[test]
    fn each_command_has_examples_and_they_are_taken_as_they_stand() {
        for command in Arguments::definition().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let lines = help.lines().filter_map(|line| {
                let line = line.trim_start().strip_prefix("source <(").unwrap_or(line.trim_start());
                line.strip_prefix("kubectl rsexp ").or_else(|| line.strip_prefix("kubectl-rsexp "))
            });
            let mut count = 0;
            for line in lines {
                let words = [vec!["kubectl-rsexp".to_owned()], words(line)].concat();
                count += usize::from(words[1] == command.get_name());
                assert!(read(&words).is_ok(), "{line}: {:?}", read(&words));
            }
            assert!(count >= 2, "{} has {count} examples", command.get_name());
        }
    }

    #[test]
    fn flags_stand_under_headings() {
        for command in Arguments::definition().get_subcommands() {
            let flags = command.get_arguments().filter(|arg| arg.get_long().is_some() && !arg.is_hide_set());
            for flag in flags {
                assert!(flag.get_help_heading().is_some(), "{} {flag}", command.get_name());
                assert!(flag.get_help().is_some(), "{} {flag}", command.get_name());
            }
        }
    }
}
