//! Why a create or delete was refused, read from the words of the refusal.
//!
//! A message is peeled from the outside: what stands outermost was added by the API server, what
//! stands inside may be anybody's words (a webhook that denies a pod with "exceeded quota" is
//! still a webhook that denies a pod).

use crate::reasons::Code;

/// What a message says about the refusal of a create or delete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RefusalCause {
    /// The kind of refusal.
    pub(crate) code: Code,
    /// Who or what refused, or is missing: the quota, the webhook, `namespace/serviceaccount`, the
    /// pod security level, the policy, the user without permission, the invalid field.
    pub(crate) who: Option<String>,
    /// Whether it is the number of pods that a quota refuses.
    pub(crate) counts_pods: bool,
    /// The Service of a webhook that could not be called.
    pub(crate) service: Option<WebhookService>,
}

/// The Service that a failed call of a webhook names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WebhookService {
    /// Its namespace, where the message has it.
    pub(crate) namespace: Option<String>,
    pub(crate) name: String,
}

impl RefusalCause {
    fn new(code: Code) -> Self {
        RefusalCause { code, who: None, counts_pods: false, service: None }
    }

    fn by(code: Code, who: &str) -> Self {
        RefusalCause { who: (!who.is_empty()).then(|| who.to_owned()), ..RefusalCause::new(code) }
    }
}

/// Classifies the message of a FailedCreate or FailedDelete event, or of a ReplicaFailure condition
/// whose reason is FailedCreate. A message that begins with "Error deleting: " is read as
/// [`classify_deletion`] reads it.
pub(crate) fn classify(message: &str) -> RefusalCause {
    match peel(message) {
        (Some(Call::Delete), text) => deletion(text),
        (_, text) => cause(text),
    }
}

/// Classifies the message of a refused delete, with or without its prefix, which is another one in
/// a ReplicaFailure condition whose reason is FailedDelete than in an event.
pub(crate) fn classify_deletion(message: &str) -> RefusalCause {
    deletion(peel(message).1)
}

/// The message without what the event recorder and the controller put in front.
pub(crate) fn bare(message: &str) -> &str {
    peel(message).1
}

/// Whether two messages name the same cause, whatever pod names, figures, addresses and ports they
/// carry. Used to compare the ReplicaFailure condition, which keeps the first message, with the
/// newest event.
pub(crate) fn same_cause(a: &str, b: &str) -> bool {
    let ((call_a, text_a), (call_b, text_b)) = (peel(a), peel(b));
    if let (Some(a), Some(b)) = (call_a, call_b)
        && a != b
    {
        return false;
    }
    let read = if call_a.or(call_b) == Some(Call::Delete) { deletion } else { cause };
    let (a, b) = (read(text_a), read(text_b));
    if a.code != b.code {
        return false;
    }
    match a.code {
        // No words of these tell one cause from another, and a clash names the pod.
        Code::NameClash | Code::ServerOverloaded | Code::CreateTimedOut => true,
        Code::WebhookTimedOut | Code::NamespaceTerminating => a.who == b.who,
        _ => a.who == b.who && essence(text_a) == essence(text_b),
    }
}

/// Which call was refused, as far as the prefix tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Create,
    Delete,
}

/// Takes off what the event recorder and the controller put in front.
fn peel(message: &str) -> (Option<Call>, &str) {
    let mut call = None;
    let mut text = message.trim();
    loop {
        let rest = if let Some(rest) = text.strip_prefix("(combined from similar events):") {
            rest
        } else if let Some(rest) = text.strip_prefix("Error creating:") {
            call = call.or(Some(Call::Create));
            rest
        } else if let Some(rest) =
            text.strip_prefix("Error deleting:").or_else(|| text.strip_prefix("unable to delete pods:"))
        {
            call = call.or(Some(Call::Delete));
            rest
        } else {
            return (call, text);
        };
        text = rest.trim_start();
    }
}

/// The cause of a refused delete. Codes that speak of creating a pod do not fit one.
fn deletion(text: &str) -> RefusalCause {
    let found = cause(text);
    match found.code {
        Code::WebhookDenied
        | Code::WebhookUnreachable
        | Code::WebhookTimedOut
        | Code::AdmissionPolicyDenied
        | Code::ServerOverloaded => found,
        _ => RefusalCause { code: Code::DeleteRefused, ..found },
    }
}

/// The cause of a refused create, from a message without prefixes.
fn cause(text: &str) -> RefusalCause {
    let text = text.strip_prefix("Internal error occurred: ").unwrap_or(text);
    if let Some(found) = webhook(text) {
        return found;
    }
    if let Some((name, rest)) = subject(text) {
        if let Some(rest) = rest.strip_prefix(" is forbidden:") {
            let rest = rest.trim_start();
            return webhook(rest).unwrap_or_else(|| admission(rest));
        }
        if let Some(rest) = rest.strip_prefix(" is invalid: ") {
            let field = rest.trim_start_matches('[').split(": ").next().unwrap_or_default();
            return RefusalCause::by(Code::PodInvalid, field);
        }
        if rest.starts_with(" already exists") {
            return RefusalCause::by(Code::NameClash, name);
        }
    }
    server(text).map_or_else(|| RefusalCause::new(Code::CreateRefused), RefusalCause::new)
}

/// `admission webhook "NAME" denied the request...` and `failed calling webhook "NAME": ...`.
fn webhook(text: &str) -> Option<RefusalCause> {
    if let Some(rest) = text.strip_prefix("admission webhook ") {
        let (name, rest) = quoted(rest, '"')?;
        let denied = rest.starts_with(" denied the request");
        return denied.then(|| RefusalCause::by(Code::WebhookDenied, name));
    }
    let rest = text
        .strip_prefix("failed calling webhook ")
        .or_else(|| text.strip_prefix("failed calling admission webhook "))?;
    let (name, rest) = quoted(rest, '"')?;
    let service = called_service(rest);
    let rest = rest.to_ascii_lowercase();
    // The body of an answer with an error status is the webhook's own text.
    let answered = rest.contains("an error on the server (");
    let late = ["context deadline exceeded", "client.timeout", "i/o timeout", "handshake timeout"];
    let timed_out = !answered && late.iter().any(|words| rest.contains(words));
    let code = if timed_out { Code::WebhookTimedOut } else { Code::WebhookUnreachable };
    Some(RefusalCause { service, ..RefusalCause::by(code, name) })
}

/// `Post "https://NAME.NAMESPACE.svc:443/..."`, `service "NAME" not found`.
fn called_service(text: &str) -> Option<WebhookService> {
    let host = |rest: &str| {
        let (name, rest) = rest.split_once('.')?;
        let (namespace, rest) = rest.split_once('.')?;
        let service = WebhookService { namespace: Some(namespace.to_owned()), name: name.to_owned() };
        rest.starts_with("svc").then_some(service)
    };
    let by_url = text.split("//").skip(1).find_map(host);
    by_url.or_else(|| {
        let (_, rest) = text.split_once("service ")?;
        let (name, _) = quoted(rest, '"')?;
        Some(WebhookService { namespace: None, name: name.to_owned() })
    })
}

/// What an admission plugin or the authorizer of the API server says behind `is forbidden: `.
fn admission(text: &str) -> RefusalCause {
    let name_until = |rest: &str, end: &str| rest.split(end).next().unwrap_or_default().to_owned();

    for prefix in ["exceeded quota: ", "status unknown for quota: "] {
        if let Some(rest) = text.strip_prefix(prefix) {
            let counts_pods = rest.contains("requested: pods=");
            let cause = RefusalCause::by(Code::QuotaExceeded, &name_until(rest, ", "));
            return RefusalCause { counts_pods, ..cause };
        }
    }
    if let Some(rest) = text.strip_prefix("failed quota: ") {
        return RefusalCause::by(Code::QuotaExceeded, &name_until(rest, ": "));
    }
    if text.starts_with("insufficient quota to match these scopes") {
        return RefusalCause::new(Code::QuotaExceeded);
    }
    if is_limit_range(text) {
        return RefusalCause::new(Code::LimitRangeViolation);
    }
    if let Some((level, _)) = text.strip_prefix("violates PodSecurity ").and_then(|rest| quoted(rest, '"')) {
        return RefusalCause::by(Code::PodSecurityViolation, level);
    }
    let old_policies = [
        "unable to validate against any pod security policy",
        "PodSecurityPolicy: unable to admit pod",
        "no providers available to validate pod request",
        "unable to validate against any security context constraint",
    ];
    if old_policies.iter().any(|prefix| text.starts_with(prefix)) {
        return RefusalCause::new(Code::PodSecurityViolation);
    }
    for prefix in ["ValidatingAdmissionPolicy ", "policy "] {
        if let Some((name, rest)) = text.strip_prefix(prefix).and_then(|rest| quoted(rest, '\''))
            && rest.starts_with(" with binding ")
        {
            return RefusalCause::by(Code::AdmissionPolicyDenied, name);
        }
    }
    if let Some(found) = service_account(text) {
        return found;
    }
    if let Some((user, rest)) = text.strip_prefix("User ").and_then(|rest| quoted(rest, '"')) {
        let code =
            if rest.starts_with(" cannot delete ") { Code::DeleteRefused } else { Code::CreateForbidden };
        return RefusalCause::by(code, user);
    }
    if text.starts_with("cannot set blockOwnerDeletion") {
        return RefusalCause::new(Code::CreateForbidden);
    }
    if let Some((name, _)) = text
        .strip_prefix("unable to create new content in namespace ")
        .and_then(|rest| rest.split_once(" because it is being terminated"))
    {
        return RefusalCause::by(Code::NamespaceTerminating, name);
    }
    if let Some((name, _)) =
        text.strip_prefix("no PriorityClass with name ").and_then(|rest| rest.split_once(" was found"))
    {
        return RefusalCause::by(Code::PriorityClassMissing, name);
    }
    RefusalCause::new(Code::CreateRefused)
}

/// `maximum cpu usage per Container is 1, but limit is 2`, `cpu max limit to request ratio per
/// Container is 5, ...`, or several of them in brackets.
fn is_limit_range(text: &str) -> bool {
    let text = text.trim_start_matches('[');
    let Some((first, rest)) = text.split_once(' ') else { return false };
    let Some((_, after)) = rest.split_once(' ') else { return false };
    (matches!(first, "maximum" | "minimum") && after.starts_with("usage per "))
        || rest.starts_with("max limit to request ratio per ")
}

fn service_account(text: &str) -> Option<RefusalCause> {
    if let Some(rest) = text.strip_prefix("error looking up service account ") {
        let (name, why) = rest.split_once(": ")?;
        let code = if why.ends_with("not found") { Code::ServiceAccountMissing } else { Code::CreateRefused };
        return Some(RefusalCause::by(code, name));
    }
    if let Some(rest) = text.strip_prefix("no API token found for service account ") {
        let name = rest.split(", ").next().unwrap_or_default();
        return Some(RefusalCause::by(Code::ServiceAccountMissing, name.trim_matches('"')));
    }
    let (name, _) = text.strip_prefix("service account ")?.split_once(" was not found")?;
    Some(RefusalCause::by(Code::ServiceAccountMissing, name))
}

/// Trouble between the controller, the API server and etcd, with nothing said about the pod.
fn server(text: &str) -> Option<Code> {
    let text = text.to_ascii_lowercase();
    let any = |words: &[&str]| words.iter().any(|words| text.contains(words));
    let begins = |words: &[&str]| words.iter().any(|words| text.starts_with(words));
    if begins(&["timeout: ", "the server was unable to return a response in the time allotted"]) {
        return Some(Code::CreateTimedOut);
    }
    if begins(&[
        "the server is currently unable to handle the request",
        "the server has received too many requests",
        "too many requests",
        "etcdserver: ",
        "rpc error: code = unavailable",
        "apiserver is shutting down",
        "resource quota evaluat",
        "operation cannot be fulfilled on resourcequotas",
    ]) {
        return Some(Code::ServerOverloaded);
    }
    // The controller's own connection: in the first group the request was never sent.
    if any(&["dial tcp", "connection refused", "no route to host", "handshake timeout"]) {
        return Some(Code::ServerOverloaded);
    }
    let broken =
        any(&["context deadline exceeded", "client.timeout", "i/o timeout", "connection reset by peer"])
            || any(&["client connection lost", "unexpected eof"])
            || text.ends_with(": eof");
    broken.then_some(Code::CreateTimedOut)
}

/// Splits `pods "NAME" REST` and `pods REST`: the name (empty where absent) and the rest.
fn subject(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix("object is being deleted: ").unwrap_or(text);
    let rest = text.strip_prefix("pods").or_else(|| text.strip_prefix("Pod")).or(text.strip_prefix("pod"))?;
    match rest.strip_prefix(' ').and_then(|rest| quoted(rest, '"')) {
        Some(split) => Some(split),
        None => rest.starts_with(' ').then_some(("", rest)),
    }
}

/// Splits a text that begins with a quoted word: the word and what follows its end.
fn quoted(text: &str, quote: char) -> Option<(&str, &str)> {
    text.strip_prefix(quote)?.split_once(quote)
}

/// The message without what differs from one try to the next.
fn essence(text: &str) -> String {
    let text = subject(text).map_or(text, |(_, rest)| rest);
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if end > 0 {
            let (word, after) = rest.split_at(end);
            push_word(&mut out, word);
            rest = after;
        } else {
            let blank = first.is_whitespace();
            if !(blank && out.ends_with(' ')) {
                out.push(if blank { ' ' } else { first });
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')
}

/// Adds a word, with `#` for a figure, an address, a UUID, a hash, or the random end of a pod's name.
fn push_word(out: &mut String, word: &str) {
    let bare = word.trim_end_matches('.');
    let uuid = bare.len() == 36 && bare.split('-').count() == 5 && bare.bytes().all(is_hex_or_dash);
    if uuid || bare.starts_with(|c: char| c.is_ascii_digit()) {
        out.push('#');
    } else {
        let last = bare.matches('-').count();
        for (i, part) in bare.split('-').enumerate() {
            if i > 0 {
                out.push('-');
            }
            let random = i > 0 && i == last && (part.is_empty() || is_generated(part));
            out.push_str(if random || is_hash(part) { "#" } else { part });
        }
    }
    out.push_str(&word[bare.len()..]);
}

fn is_hex_or_dash(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || byte == b'-'
}

fn is_hash(part: &str) -> bool {
    let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    part.len() >= 8 && part.bytes().all(hex) && part.bytes().any(|b| b.is_ascii_digit())
}

/// Whether this is the five letters that the API server puts behind a generateName.
fn is_generated(part: &str) -> bool {
    part.len() == 5 && part.bytes().all(|b| b"bcdfghjklmnpqrstvwxz2456789".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(table: &[(&str, Code, &str)]) {
        for (message, code, who) in table {
            let event = format!("(combined from similar events): Error creating: {message}");
            for text in [message, event.as_str()] {
                let found = classify(text);
                assert_eq!((found.code, found.who.unwrap_or_default().as_str()), (*code, *who), "{text}");
            }
        }
    }

    #[test]
    fn plugins_of_the_api_server_are_recognised() {
        use Code::*;
        check(&[
            (
                r#"pods "a-jlkjw" is forbidden: exceeded quota: q, requested: pods=1, used: pods=9, limited: pods=9"#,
                QuotaExceeded,
                "q",
            ),
            (
                r#"pods "t-6cb9b54b4c-s9m9f" is forbidden: failed quota: small: must specify limits.cpu for: c; limits.memory for: c"#,
                QuotaExceeded,
                "small",
            ),
            (
                r#"pods "a-" is forbidden: insufficient quota to match these scopes: [{PriorityClass In [high]}]"#,
                QuotaExceeded,
                "",
            ),
            (
                r#"pods "a-x" is forbidden: status unknown for quota: small, resources: pods"#,
                QuotaExceeded,
                "small",
            ),
            (
                r#"pods "b-xd5rf" is forbidden: maximum memory usage per Container is 10Mi, but limit is 1Gi"#,
                LimitRangeViolation,
                "",
            ),
            (
                r#"pods "b-xd5rf" is forbidden: [minimum cpu usage per Container is 100m, but request is 50m, maximum memory usage per Pod is 2Gi, but limit is 4Gi]"#,
                LimitRangeViolation,
                "",
            ),
            (
                r#"pods "b-5c58fbb9-8gsvl" is forbidden: [cpu max limit to request ratio per Container is 5, but no request is specified or request is 0]"#,
                LimitRangeViolation,
                "",
            ),
            (
                r#"pods "a-tnn6q" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)"#,
                PodSecurityViolation,
                "restricted:latest",
            ),
            (
                r#"pods "a-" is forbidden: unable to validate against any pod security policy: [spec.hostNetwork: Invalid value: true: Host network is not allowed to be used]"#,
                PodSecurityViolation,
                "",
            ),
            (
                r#"pods "a-" is forbidden: PodSecurityPolicy: unable to admit pod: []"#,
                PodSecurityViolation,
                "",
            ),
            (
                r#"pods "a-" is forbidden: no providers available to validate pod request"#,
                PodSecurityViolation,
                "",
            ),
            (
                r#"pods "a-" is forbidden: unable to validate against any security context constraint: [provider "anyuid": Forbidden]"#,
                PodSecurityViolation,
                "",
            ),
            (
                r#"pods "a-6d4b8f9c7-" is forbidden: ValidatingAdmissionPolicy 'hygiene.example.com' with binding 'hygiene' denied request: exceeded quota: q"#,
                AdmissionPolicyDenied,
                "hygiene.example.com",
            ),
            (
                r#"pods "ipam-8650-" is forbidden: error looking up service account kube-system/ipam: serviceaccount "ipam" not found"#,
                ServiceAccountMissing,
                "kube-system/ipam",
            ),
            (
                r#"pods "a-" is forbidden: no API token found for service account "default", retry after the token is automatically created and added to the service account"#,
                ServiceAccountMissing,
                "default",
            ),
            (
                r#"pods "a-" is forbidden: service account shop/web was not found, retry after the service account is created"#,
                ServiceAccountMissing,
                "shop/web",
            ),
            (
                r#"pods "a-" is forbidden: error looking up service account shop/web: Timeout: try later"#,
                CreateRefused,
                "shop/web",
            ),
            (
                r#"pods is forbidden: User "system:serviceaccount:kube-system:replicaset-controller" cannot create resource "pods" in API group "" in the namespace "shop""#,
                CreateForbidden,
                "system:serviceaccount:kube-system:replicaset-controller",
            ),
            (
                r#"pods "a-" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>"#,
                CreateForbidden,
                "",
            ),
            (
                r#"pods "a-2dkpf" is forbidden: unable to create new content in namespace shop because it is being terminated"#,
                NamespaceTerminating,
                "shop",
            ),
            (
                r#"pods "a-2dkpf" is forbidden: no PriorityClass with name high was found"#,
                PriorityClassMissing,
                "high",
            ),
            (r#"pods "a-2dkpf" is forbidden: node selector label conflict"#, CreateRefused, ""),
        ]);
    }

    #[test]
    fn validation_and_clashes_are_recognised() {
        use Code::*;
        check(&[
            (
                r#"Pod "a-qqmzx" is invalid: spec.containers[0].image: Required value"#,
                PodInvalid,
                "spec.containers[0].image",
            ),
            (
                r#"Pod "a-qqmzx" is invalid: [spec.volumes[1].name: Duplicate value: "v", spec.x: Invalid value: "exceeded quota"]"#,
                PodInvalid,
                "spec.volumes[1].name",
            ),
            (r#"pods "a-qqmzx" already exists"#, NameClash, "a-qqmzx"),
            (
                r#"pods "a-qqmzx" already exists, the server was not able to generate a unique name for the object"#,
                NameClash,
                "a-qqmzx",
            ),
            (r#"object is being deleted: pods "a-qqmzx" already exists"#, NameClash, "a-qqmzx"),
        ]);
    }

    #[test]
    fn webhooks_are_recognised() {
        use Code::*;
        check(&[
            (
                r#"admission webhook "refuse-3.test.local" denied the request: no"#,
                WebhookDenied,
                "refuse-3.test.local",
            ),
            (r#"admission webhook "w" denied the request without explanation"#, WebhookDenied, "w"),
            (
                r#"Internal error occurred: failed calling webhook "mpod.ctrl.test": failed to call webhook: Post "https://w.ctrl.svc:443/mutate?timeout=10s": no endpoints available for service "w""#,
                WebhookUnreachable,
                "mpod.ctrl.test",
            ),
            (
                r#"Internal error occurred: failed calling webhook "w": Post https://w.ns.svc:443/m?timeout=30s: dial tcp 10.96.7.1:443: connect: connection refused"#,
                WebhookUnreachable,
                "w",
            ),
            (
                r#"Internal error occurred: failed calling webhook "w": Post "https://w.ns.svc:443/inject?timeout=30s": x509: certificate signed by unknown authority"#,
                WebhookUnreachable,
                "w",
            ),
            (
                r#"Internal error occurred: failed calling webhook "w": failed to call webhook: service "w" not found"#,
                WebhookUnreachable,
                "w",
            ),
            (
                r#"Internal error occurred: failed calling webhook "w": failed to call webhook: Post "https://w:443/m?timeout=10s": dial tcp: lookup w on 10.96.0.10:53: no such host"#,
                WebhookUnreachable,
                "w",
            ),
            (
                r#"Internal error occurred: failed calling webhook "w": failed to call webhook: Post "https://w.ns.svc:443/m?timeout=10s": context deadline exceeded"#,
                WebhookTimedOut,
                "w",
            ),
            (
                r#"Internal error occurred: failed calling admission webhook "w": Post https://w.ns.svc:443/inject?timeout=30s: net/http: request canceled (Client.Timeout exceeded while awaiting headers)"#,
                WebhookTimedOut,
                "w",
            ),
        ]);
    }

    #[test]
    fn trouble_of_the_server_is_recognised() {
        use Code::*;
        check(&[
            ("the server is currently unable to handle the request (post pods)", ServerOverloaded, ""),
            (
                "the server has received too many requests and has asked us to try again later (post pods)",
                ServerOverloaded,
                "",
            ),
            ("Too many requests, please try again later.", ServerOverloaded, ""),
            ("Too Many Requests", ServerOverloaded, ""),
            ("etcdserver: request timed out", ServerOverloaded, ""),
            ("Internal error occurred: etcdserver: leader changed", ServerOverloaded, ""),
            (
                r#"Post "https://10.0.0.1:6443/api/v1/namespaces/shop/pods": dial tcp 10.0.0.1:6443: connect: connection refused"#,
                ServerOverloaded,
                "",
            ),
            (
                r#"Operation cannot be fulfilled on resourcequotas "q": the object has been modified; please apply your changes to the latest version and try again"#,
                ServerOverloaded,
                "",
            ),
            ("Internal error occurred: resource quota evaluation timed out", ServerOverloaded, ""),
            ("Timeout: request did not complete within allowed duration", CreateTimedOut, ""),
            (
                "Timeout: request did not complete within requested timeout - context deadline exceeded",
                CreateTimedOut,
                "",
            ),
            (
                "the server was unable to return a response in the time allotted, but may still be processing the request (post pods)",
                CreateTimedOut,
                "",
            ),
            (
                r#"Post "https://10.0.0.1:6443/api/v1/namespaces/shop/pods": http2: client connection lost"#,
                CreateTimedOut,
                "",
            ),
            (r#"Post "https://10.0.0.1:6443/api/v1/namespaces/shop/pods": EOF"#, CreateTimedOut, ""),
            ("", CreateRefused, ""),
            ("unable to create pods, no labels", CreateRefused, ""),
            ("Unauthorized", CreateRefused, ""),
        ]);
    }

    #[test]
    fn words_inside_somebody_elses_text_decide_nothing() {
        use Code::*;
        check(&[
            (
                r#"admission webhook "w" denied the request: pods "a-b" is forbidden: exceeded quota: q, requested: pods=1"#,
                WebhookDenied,
                "w",
            ),
            (
                r#"admission webhook "w" denied the request: failed calling webhook "v": context deadline exceeded"#,
                WebhookDenied,
                "w",
            ),
            (
                r#"admission webhook "w" denied the request: Error deleting: namespace because it is being terminated"#,
                WebhookDenied,
                "w",
            ),
            (
                r#"Internal error occurred: failed calling webhook "w": an error on the server ("context deadline exceeded: pods \"x\" already exists") has prevented the request from succeeding"#,
                WebhookUnreachable,
                "w",
            ),
            (
                r#"pods "a-b" is forbidden: somebody says: exceeded quota: q, too many requests"#,
                CreateRefused,
                "",
            ),
            (
                r#"pods "a-b" is forbidden: violates PodSecurity "baseline:v1.30": host namespaces (label "User cannot create")"#,
                PodSecurityViolation,
                "baseline:v1.30",
            ),
            (
                r#"pods "a-b" is forbidden: exceeded quota: denied-the-request, requested: pods=1, used: pods=1, limited: pods=1"#,
                QuotaExceeded,
                "denied-the-request",
            ),
            (r#"my friend says: admission webhook "w" denied the request: no"#, CreateRefused, ""),
            (r#"admission webhook "unclosed"#, CreateRefused, ""),
            (r#"pods "é" is forbidden: "#, CreateRefused, ""),
            ("podsé", CreateRefused, ""),
        ]);
    }

    #[test]
    fn refused_deletes_have_codes_that_fit_a_delete() {
        use Code::*;
        for (message, code, who) in [
            (
                r#"pods "a-b" is forbidden: User "system:kcm" cannot delete resource "pods""#,
                DeleteRefused,
                "system:kcm",
            ),
            (r#"admission webhook "w" denied the request: keep it"#, WebhookDenied, "w"),
            ("Timeout: request did not complete within 34s", DeleteRefused, ""),
            ("etcdserver: request timed out", ServerOverloaded, ""),
            (r#"pods "a-b" is forbidden: not on Fridays"#, DeleteRefused, ""),
        ] {
            assert_eq!(
                classify(&format!("Error deleting: {message}")),
                RefusalCause::by(code, who),
                "{message}"
            );
            let condition = format!("unable to delete pods: {message}");
            assert_eq!(classify_deletion(&condition), RefusalCause::by(code, who), "{message}");
            assert_eq!(classify_deletion(message), RefusalCause::by(code, who), "{message}");
            assert!(same_cause(&condition, &format!("Error deleting: {message}")), "{message}");
        }
    }

    #[test]
    fn the_same_cause_is_known_whatever_pods_and_figures_it_names() {
        for (condition, event) in [
            (
                r#"pods "a-7srl6" is forbidden: exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5"#,
                r#"(combined from similar events): Error creating: pods "a-vfjg8" is forbidden: exceeded quota: q, requested: pods=1, used: pods=9, limited: pods=9"#,
            ),
            (
                r#"pods "b-9tqf9" is forbidden: maximum memory usage per Container is 10Mi, but limit is 1Gi"#,
                r#"Error creating: pods "b-gzbvr" is forbidden: maximum memory usage per Container is 20Mi, but limit is 1Gi"#,
            ),
            (
                r#"admission webhook "w" denied the request: resource Pod/lab/web-6d4c8f7b9-xk2vp was blocked, request 0c2f1f3e-2e5a-4a6c-9d41-3f0d0a0a1b2c"#,
                r#"Error creating: admission webhook "w" denied the request: resource Pod/lab/web-6d4c8f7b9-2fh7k was blocked, request f52f1f3e-2e5a-4a6c-9d41-3f0d0a0a1b2d"#,
            ),
            (
                r#"Internal error occurred: failed calling webhook "w": Post "https://w.ns.svc:443/m?timeout=10s": dial tcp 10.1.2.3:8443: connect: connection refused"#,
                r#"Error creating: Internal error occurred: failed calling webhook "w": Post "https://w.ns.svc:443/m?timeout=10s": dial tcp 10.1.2.77:8443: connect: connection refused"#,
            ),
            (r#"pods "a-qqmzx" already exists"#, r#"Error creating: pods "a-xxmzx" already exists"#),
            ("etcdserver: leader changed", "Error creating: Too many requests, please try again later."),
            (
                r#"pods "a-" is forbidden: no PriorityClass with name high was found"#,
                r#"Error creating: pods "a-2dkpf" is forbidden:  no PriorityClass with name high was found"#,
            ),
            (r#"pods "a-b" is forbidden: keep"#, r#"Error deleting: pods "a-c" is forbidden: keep"#),
            ("", "Error creating: "),
        ] {
            assert!(same_cause(condition, event), "{event}");
            assert!(same_cause(event, condition), "{event}");
        }
    }

    #[test]
    fn service_of_a_webhook_is_known_by_its_address_or_its_name() {
        let service = |rest: &str| {
            let text = format!("Internal error occurred: failed calling webhook \"w\": {rest}");
            classify(&text).service.map(|service| (service.namespace, service.name))
        };
        let by_url = service(r#"Post "https://hooks.shop.svc:443/m?timeout=10s": dial tcp: refused"#);
        assert_eq!(by_url, Some((Some("shop".into()), "hooks".into())));
        let by_name = service(r#"failed to call webhook: service "hooks" not found"#);
        assert_eq!(by_name, Some((None, "hooks".into())));
        assert_eq!(service(r#"Post "https://hooks.example.com/m": EOF"#), None);
    }

    #[test]
    fn quota_on_pods_is_told_from_one_on_other_resources() {
        let counts_pods = |requested: &str| {
            let text = format!(
                r#"pods "a-b" is forbidden: exceeded quota: q, requested: {requested}, used: pods=5"#
            );
            classify(&text).counts_pods
        };
        assert!(counts_pods("pods=1"));
        assert!(!counts_pods("limits.cpu=1"));
    }

    #[test]
    fn another_cause_is_told_apart() {
        let quota = r#"pods "a-7srl6" is forbidden: exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5"#;
        let denied = r#"admission webhook "w" denied the request: image is not signed"#;
        for (condition, event) in [
            (quota, r#"Error creating: admission webhook "w" denied the request: exceeded quota: q"#),
            (
                quota,
                r#"Error creating: pods "a-7srl6" is forbidden: exceeded quota: r, requested: pods=1, used: pods=5, limited: pods=5"#,
            ),
            (
                quota,
                r#"Error creating: pods "a-7srl6" is forbidden: exceeded quota: q, requested: limits.cpu=1, used: limits.cpu=5, limited: limits.cpu=5"#,
            ),
            (denied, r#"Error creating: admission webhook "w" denied the request: label team is missing"#),
            (denied, r#"Error creating: admission webhook "w-2" denied the request: image is not signed"#),
            (denied, r#"Error creating: Internal error occurred: failed calling webhook "w": x509: expired"#),
            ("Error creating: etcdserver: leader changed", "Error deleting: etcdserver: leader changed"),
        ] {
            assert!(!same_cause(condition, event), "{event}");
            assert!(!same_cause(event, condition), "{event}");
        }
    }

    mod any_text {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn is_read_without_a_panic(text in "(Error (creating|deleting): )?(pods \"?|Pod \"|admission webhook \")?\\PC{0,60}") {
                classify(&text);
                classify_deletion(&text);
                prop_assert!(same_cause(&text, &text));
            }
        }
    }
}
