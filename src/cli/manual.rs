//! What the man pages say of the program's surroundings; of commands and flags the help has it all.

/// The environment variables that are read, and for what.
pub const ENVIRONMENT: &[(&str, &str)] = &[
    ("KUBECONFIG", "the kubeconfigs to merge, as kubectl does, instead of `~/.kube/config`"),
    ("HOME", "where `~` is; on Windows it is USERPROFILE"),
    (
        "HTTPS_PROXY, HTTP_PROXY, NO_PROXY",
        "through which proxy a server is reached, by the scheme of its URL, and which hosts without one; also in \
         lower case",
    ),
    (
        "KUBERNETES_SERVICE_HOST, KUBERNETES_SERVICE_PORT",
        "in a pod, the API server, where there is no kubeconfig",
    ),
    ("NO_COLOR", "if not empty, `--color=auto` means never"),
    ("CLICOLOR_FORCE", "if not empty and not 0, `--color=auto` means always, but for NO_COLOR"),
    ("TERM", "if it is dumb, `--color=auto` means never"),
    ("COLUMNS", "the width to write for, before that of the terminal"),
];

/// The files that are read without being named.
pub const FILES: &[(&str, &str)] = &[
    ("~/.kube/config", "the kubeconfig, without `--kubeconfig` and KUBECONFIG"),
    (
        "/var/run/secrets/kubernetes.io/serviceaccount",
        "in a pod, the token, the namespace and the certificate authorities of its service account",
    ),
    ("kubectl_complete-rsexp", "on the PATH beside kubectl-rsexp: what kubectl runs to complete the words"),
];
