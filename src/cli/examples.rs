//! The examples at the end of each help text.

/// For the program.
pub const ALL: &str = "\
Examples:
  kubectl rsexp list -f cluster.yaml
  kubectl rsexp explain rs/web -f cluster.yaml
  kubectl rsexp dry-run rs/web --replicas 3 -f cluster.yaml
  kubectl rsexp timeline rs/web -f web.rsexp.jsonl

Where cluster.yaml comes from: kubectl get rs,pods,events,quota,deploy,lease -A -o yaml > cluster.yaml";

/// For `list`.
pub const LIST: &str = "\
Examples:
  # Which ReplicaSets of a snapshot will not settle by themselves?
  kubectl rsexp list -f cluster.yaml
  # With their pods, in one namespace, chosen by labels
  kubectl rsexp list --pods -n shop -l 'app in (web,api)' -f cluster.yaml
  # In a script: 12 if one is blocked, 13 undetermined, 11 skipped, 10 acted on
  kubectl rsexp list -f cluster.yaml --exit-code -o name";

/// For `explain`.
pub const EXPLAIN: &str = "\
Examples:
  # What does the controller wait for?
  kubectl rsexp explain rs/web -f cluster.yaml
  # And what did it wait for at two instants of a recording?
  kubectl rsexp explain deploy/web -f web.rsexp.jsonl --at 2026-01-01T12:00:00Z --at 2026-01-01T12:05:00Z
  # What does the controller's log add? (kubectl logs -n kube-system POD > kcm.log)
  kubectl rsexp explain rs/web -f web.rsexp.jsonl --controller-log kcm.log
  kubectl rsexp explain rs/web --window 10s --controller-log kcm.log
  # What does a reason code mean? (A word with a capital letter is a code.)
  kubectl rsexp explain ExpectationsUnmet";

/// For `dry-run`.
pub const DRY_RUN: &str = "\
Examples:
  # What do the next syncs do?
  kubectl rsexp dry-run rs/web -f cluster.yaml
  # Which pods go when it is scaled to 3?
  kubectl rsexp dry-run rs/web --replicas 3 -f cluster.yaml
  # And if the fifth create is refused?
  kubectl rsexp dry-run rs/web --replicas 20 --fail-creates QuotaExceeded@5 -f cluster.yaml";

/// For `record`.
pub const RECORD: &str = "\
Examples:
  # Keep what happens to a ReplicaSet from now on, until Ctrl-C, and ask about it
  kubectl rsexp record rs/web -n shop --to web.rsexp.jsonl.gz
  kubectl rsexp explain rs/web -f web.rsexp.jsonl.gz
  # Five minutes of a namespace, with other names, for a public report
  kubectl rsexp record -n shop --window 5m --redact --to report.rsexp.jsonl";

/// For `timeline`.
pub const TIMELINE: &str = "\
Examples:
  # How did it get there? Seen, inferred (=>) and logged facts, with what was awaited after each
  kubectl rsexp timeline rs/web -f web.rsexp.jsonl
  # Up to an instant, with what the controller's own log tells
  kubectl rsexp timeline rs/web -f web.rsexp.jsonl --controller-log kcm.log --at 2026-01-01T12:00:00Z
  # As it happens, for a minute
  kubectl rsexp timeline rs/web -n shop --window 1m
  # As a picture, on a page that needs nothing else
  kubectl rsexp timeline rs/web -f web.rsexp.jsonl -o html > web.html
  # When did a sync begin?
  kubectl rsexp timeline rs/web -f web.rsexp.jsonl -o json | jq '.lines[] | select(.fact == \"CreatesBegun\")'";

/// For `demo`.
pub const DEMO: &str = "\
Examples:
  # A ReplicaSet that waits, and which other demonstrations there are
  kubectl rsexp demo
  # Which pods go at a scale-down?
  kubectl rsexp demo scale-down
  # The reports of a demonstration as JSON
  kubectl rsexp demo quota -o json";

/// For `auth`.
pub const AUTH: &str = "\
Examples:
  # What may I read here?
  kubectl rsexp auth -n shop
  # And what may a service account read, in every namespace?
  kubectl rsexp auth -A --as system:serviceaccount:shop:robot";

/// For `completion`.
pub const COMPLETION: &str = "\
Examples:
  # For kubectl-rsexp called by its own name; the file kubectl_complete-rsexp on the PATH serves kubectl rsexp
  source <(kubectl-rsexp completion bash)";

/// For `schema`.
pub const SCHEMA: &str = "\
Examples:
  # Every kind of document is a definition in it; docs/json.md tells how to read them
  kubectl rsexp schema > rsexp.dev_v1.json";

/// For `version`.
pub const VERSION: &str = "\
Examples:
  kubectl rsexp version
  kubectl rsexp version -o json";
