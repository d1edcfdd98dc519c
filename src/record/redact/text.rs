//! Messages of events and conditions, with names replaced and the fixed words of Kubernetes kept.
//!
//! What stays is listed: whatever a webhook or a policy says in its own words is replaced like a
//! name, since nobody knows what it tells.

use super::names::Pseudonyms;

/// Words that Kubernetes puts into messages of its own, in lower case.
const WORDS: &str = "
many us
a able about access account accounts active add added admission admit admitted after again against
all allocate allotted allowed allowprivilegeescalation already an and annotation annotations any api
apiserver app apparmorprofile apply apps are as asked at authority automatically available awaiting
bad be because been before being between binding blocked blockownerdeletion body broken busy but by
call calling can can't canceled cancellation cannot capabilities certificate changed changes class
client client.timeout clustertrustbundle code combined complete completed condition configmap
configmaps conflict connect connection constraint constraints container containers content context
controller could count cpu create created creating creation currently cut deadline delete deleted
deleting denied denies deny deployment deployments desc desired dial did directly disruption do does
down drop duplicate duration early empty end ended endpoint endpoints env eof ephemeral-storage
ephemeralcontainers error errors etcd etcdserver evaluate evaluated evaluates evaluation event
events exceed exceeded exceeding exist exists expected expired explanation failed failure false fell
field fields finalizers find first fit for forbidden forbids found from fstype fulfilled generate
generated get go gone greater group had handle handshake has have headers host hostipc hostnetwork
hostpath hostpid hostport hostports http2 hugepages-1gi hugepages-2mi i/o if image immutable in init
initcontainers insufficient internal into invalid io is it item items its kind label labels later
latest lead leader leases least less level limit limited limitrange limits list listed long looking
lookup lost match matching max maximum may memory metadata metadata.name min minimum minutes missing
modified modify more most must name namespace namespaces need needs net net/http network new nil no
node nodes none nor not nothing null object objects occurred of off old on one only operation or
order other out over own owner ownerreference ownerreferences peer per permission permitted please
plugin pod pods podsecurity podsecuritypolicy policies policy port ports post prevented previous
priorityclass privileged proc process processing profile progressed progressing provider providers
quantity quota ratio read reading ready reason received refers refused rejected release released
replica replicas replicaset replicasets replication replicationcontroller replicationcontrollers
request requested requests required requirement reset resource resourcequota resourcequotas
resources response restart restarted restricted retry return root route rpc run runasnonroot
runasuser running runtime s scale scaled scheduled scope scopes seccomp seccompprofile seconds
secret secrets security securitycontext see selector selectors selinux selinuxoptions sending sent
server service serviceaccount serviceaccounts services set sets should shutting signed silent
similar so something spec specified specify stale start started status storage stream succeeding
success successfully such supported sync tcp template terminated terminating than that the their
them then there these they this time timed timeout timestamp to token too transport trouble true try
trying type types unable unauthorized unavailable unconfined under unexpected unique unknown
unlimited unsupported until up update updated usage use used user uses using valid validate
validating validatingadmissionpolicy validation value values version versions violate violates
violation volume volumemounts volumes waiting was watch watched webhook went were when which while
will windowsoptions with within without write writing x509 you you're your";

/// Parts of names that stay within a message: a service's address is looked for by them, a level of
/// pod security tells nothing of anybody.
const PARTS: [&str; 9] =
    ["svc", "cluster", "local", "http", "https", "restricted", "baseline", "privileged", "latest"];

/// What a name follows, whatever word it is.
const BEFORE_NAMES: [&str; 9] = [
    "pod: ",
    "quota: ",
    "in namespace ",
    "in the namespace ",
    "service account ",
    "with name ",
    "replica set ",
    "webhook ",
    "node ",
];

impl Pseudonyms {
    /// A message without names. Words of Kubernetes stay where they stand by themselves, names are
    /// what is quoted, what follows a word that announces one, and everything else.
    pub(crate) fn text(&mut self, message: &str) -> String {
        let mut out = String::with_capacity(message.len() + 16);
        let mut quote = Quote::default();
        let (mut at, mut named) = (0, false);
        while let Some(first) = message[at..].chars().next() {
            if !first.is_alphanumeric() {
                quote.pass(message, at, first);
                named &= first == '/';
                out.push(first);
                at += first.len_utf8();
                continue;
            }
            let token = token(&message[at..]);
            named |= BEFORE_NAMES.iter().any(|before| message[..at].ends_with(before));
            if !named && !quote.is_open() && (is_figure(token) || is_fixed(token)) {
                out.push_str(token);
            } else if is_address(token) {
                out.push_str("192.0.2.1");
            } else {
                out.push_str(&self.name_but(token, &PARTS));
            }
            at += token.len();
        }
        out
    }
}

/// Whether the place is within quotation marks. One that is never closed opens nothing.
#[derive(Default)]
struct Quote(Option<char>);

impl Quote {
    fn is_open(&self) -> bool {
        self.0.is_some()
    }

    fn pass(&mut self, message: &str, at: usize, mark: char) {
        let rest = &message[at + mark.len_utf8()..];
        match self.0 {
            Some(open) if open == mark => self.0 = None,
            None if matches!(mark, '"' | '\'' | '`') && rest.contains(mark) => self.0 = Some(mark),
            _ => {}
        }
    }
}

/// The word that a text begins with. A mark at its end belongs to the sentence; a name may end with
/// a hyphen.
fn token(text: &str) -> &str {
    let within = |(at, c): (usize, char)| {
        let apostrophe = c == '\'' && text[at + 1..].starts_with(char::is_alphanumeric);
        c.is_alphanumeric() || matches!(c, '-' | '.' | '_') || apostrophe
    };
    let end = text.char_indices().find(|place| !within(*place)).map_or(text.len(), |(at, _)| at);
    text[..end].trim_end_matches(['.', '_'])
}

/// A number, with a unit or without.
fn is_figure(token: &str) -> bool {
    let unit = token.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let known =
        ["", "m", "k", "K", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "s", "ms", "h"];
    unit.len() < token.len() && known.contains(&unit) && !is_address(token)
}

fn is_address(token: &str) -> bool {
    token.parse::<std::net::Ipv4Addr>().is_ok()
}

/// A word of Kubernetes, or several with dots, as fields and resources are written.
fn is_fixed(token: &str) -> bool {
    let token = token.to_lowercase();
    let known = |part: &str| WORDS.split_ascii_whitespace().any(|word| word == part);
    known(&token) || token.split('.').all(known)
}

/// Whether a resource that is counted or limited is one of Kubernetes: `limits.cpu`, `count/pods`.
pub(crate) fn is_resource(name: &str) -> bool {
    name.split('/').all(is_fixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reconstruct::refusal::{classify, same_cause};

    fn redacted(messages: &[&str]) -> Vec<String> {
        let mut names = Pseudonyms::default();
        messages.iter().map(|message| names.text(message)).collect()
    }

    #[test]
    fn fixed_words_and_figures_stay_names_go() {
        let texts = redacted(&[
            "Created pod: web-xk2vp",
            r#"Error creating: pods "web-xk2vp" is forbidden: exceeded quota: pods, requested: requests.cpu=500m,pods=1, used: pods=5, limited: pods=5"#,
            "Deleted pod: failed",
            "the watch of replicasets.apps in namespace shop: Expired: too old resource version: 12 (34); to be listed anew",
            r#"admission webhook "sign.acme.io" denied the request: image acme.io/pay:1.2 isn't signed by Eve"#,
        ]);
        assert!(texts[0].starts_with("Created pod: name1-"));
        let pod = &texts[0]["Created pod: ".len()..];
        assert_eq!(
            texts[1],
            format!(
                r#"Error creating: pods "{pod}" is forbidden: exceeded quota: name2, requested: requests.cpu=500m,pods=1, used: pods=5, limited: pods=5"#
            )
        );
        assert_eq!(texts[2], "Deleted pod: name3");
        assert!(texts[3].starts_with("the watch of replicasets.apps in namespace name4: Expired: too old"));
        assert!(texts[4].starts_with(r#"admission webhook "name"#));
        assert!(texts[4].contains(r#"" denied the request: image name"#));
        for name in ["acme", "pay", "Eve", "sign."] {
            assert!(!texts[4].contains(name), "{}", texts[4]);
        }
    }

    /// Refusals in the words of Kubernetes. Each is of a class of its own.
    const REFUSALS: &[&str] = &[
        r#"pods "a-7srl6" is forbidden: exceeded quota: q, requested: pods=1, used: pods=5, limited: pods=5"#,
        r#"pods "a-7srl6" is forbidden: failed quota: q: must specify limits.cpu for: main"#,
        r#"pods "a-7srl6" is forbidden: status unknown for quota: q, resources: pods"#,
        r#"pods "b-9tqf9" is forbidden: maximum memory usage per Container is 10Mi, but limit is 1Gi"#,
        r#"pods "b-9tqf9" is forbidden: [minimum cpu usage per Pod is 1, but request is 10m, cpu max limit to request ratio per Container is 5, but provided ratio is 9]"#,
        r#"pods "a-b" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)"#,
        r#"pods "a-2dkpf" is forbidden: ValidatingAdmissionPolicy 'hygiene.example.com' with binding 'hygiene' denied request: no"#,
        r#"pods "a-2dkpf" is forbidden: unable to validate against any pod security policy: []"#,
        r#"pods "ipam-8650-" is forbidden: error looking up service account kube-system/ipam: serviceaccount "ipam" not found"#,
        r#"pods "a-" is forbidden: no API token found for service account "default", retry after the token is automatically created and added to the service account"#,
        r#"pods "a-" is forbidden: service account shop/web was not found, retry after the service account is created"#,
        r#"pods is forbidden: User "system:serviceaccount:kube-system:replicaset-controller" cannot create resource "pods" in API group "" in the namespace "shop""#,
        r#"pods "a-" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>"#,
        r#"pods "a-2dkpf" is forbidden: unable to create new content in namespace shop because it is being terminated"#,
        r#"pods "a-2dkpf" is forbidden: no PriorityClass with name high was found"#,
        r#"pods "a-2dkpf" is forbidden: node selector label conflict"#,
        r#"Pod "a-qqmzx" is invalid: spec.containers[0].image: Required value"#,
        r#"pods "a-qqmzx" already exists"#,
        r#"object is being deleted: pods "a-qqmzx" already exists"#,
        r#"admission webhook "refuse-3.test.local" denied the request: no"#,
        r#"admission webhook "w" denied the request without explanation"#,
        r#"Internal error occurred: failed calling webhook "w": failed to call webhook: Post "https://w.ctrl.svc:443/mutate?timeout=10s": no endpoints available for service "w""#,
        r#"Internal error occurred: failed calling webhook "w": Post https://w.ns.svc:443/m?timeout=30s: dial tcp 10.96.7.1:443: connect: connection refused"#,
        r#"Internal error occurred: failed calling webhook "w": failed to call webhook: Post "https://w.ns.svc:443/m?timeout=10s": context deadline exceeded"#,
        r#"Internal error occurred: failed calling admission webhook "w": Post https://w.ns.svc:443/inject?timeout=30s: net/http: request canceled (Client.Timeout exceeded while awaiting headers)"#,
        r#"Internal error occurred: failed calling webhook "w": an error on the server ("context deadline exceeded: pods \"x\" already exists") has prevented the request from succeeding"#,
        "the server is currently unable to handle the request (post pods)",
        "the server has received too many requests and has asked us to try again later (post pods)",
        "Too many requests, please try again later.",
        "etcdserver: request timed out",
        "rpc error: code = Unavailable desc = transport is closing",
        r#"Post "https://10.0.0.1:6443/api/v1/namespaces/shop/pods": dial tcp 10.0.0.1:6443: connect: connection refused"#,
        r#"Operation cannot be fulfilled on resourcequotas "q": the object has been modified; please apply your changes to the latest version and try again"#,
        "Internal error occurred: resource quota evaluation timed out",
        "Timeout: request did not complete within allowed duration",
        "the server was unable to return a response in the time allotted, but may still be processing the request (post pods)",
        r#"Post "https://10.0.0.1:6443/api/v1/namespaces/shop/pods": http2: client connection lost"#,
        r#"Post "https://10.0.0.1:6443/api/v1/namespaces/shop/pods": EOF"#,
        "unable to create pods, no labels",
        "Unauthorized",
    ];

    #[test]
    fn refusals_are_recognised_as_before() {
        let texts = redacted(REFUSALS);
        for (message, text) in REFUSALS.iter().zip(&texts) {
            for call in ["", "Error creating: ", "(combined from similar events): Error deleting: "] {
                let (before, after) =
                    (classify(&format!("{call}{message}")), classify(&format!("{call}{text}")));
                assert_eq!(before.code, after.code, "{message}\n{text}");
                assert_eq!(before.who.is_some(), after.who.is_some(), "{message}\n{text}");
            }
        }
    }

    #[test]
    fn causes_are_as_alike_as_before() {
        let tries = [
            r#"admission webhook "w" denied the request: resource Pod/lab/web-6d4c8f7b9-xk2vp was blocked, request 0c2f1f3e-2e5a-4a6c-9d41-3f0d0a0a1b2c"#,
            r#"admission webhook "w" denied the request: resource Pod/lab/web-6d4c8f7b9-2fh7k was blocked, request f52f1f3e-2e5a-4a6c-9d41-3f0d0a0a1b2d"#,
            r#"admission webhook "w" denied the request: image 3scale/x:1 of 5e884898da was refused"#,
            r#"admission webhook "w" denied the request: image 4scale/x:1 of 7e884898da was refused"#,
            r#"admission webhook "v" denied the request: image 4scale/x:1 of 7e884898da was refused"#,
        ];
        let all: Vec<&str> = REFUSALS.iter().chain(&tries).copied().collect();
        let texts = redacted(&all);
        for (a, redacted_a) in all.iter().zip(&texts) {
            for (b, redacted_b) in all.iter().zip(&texts) {
                assert_eq!(
                    same_cause(a, b),
                    same_cause(redacted_a, redacted_b),
                    "{redacted_a}\n{redacted_b}"
                );
            }
        }
    }

    #[test]
    fn resources_of_kubernetes_are_known() {
        for name in ["cpu", "pods", "count/pods", "limits.memory", "requests.ephemeral-storage"] {
            assert!(is_resource(name), "{name}");
        }
        assert!(!is_resource("acme.io/licence") && !is_resource("gold.acme"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_taken(text in "\\PC{0,80}") {
            let mut names = Pseudonyms::default();
            let once = names.text(&text);
            assert_eq!(names.text(&text), once);
        }
    }
}
