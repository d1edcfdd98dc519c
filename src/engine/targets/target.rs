//! What a command is asked about, in the forms that kubectl takes.

use crate::suggest;

/// A kind of object that can be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// ReplicaSets.
    ReplicaSet,
    /// ReplicationControllers.
    ReplicationController,
    /// Deployments: their ReplicaSets are meant.
    Deployment,
    /// Pods: their ReplicaSet is meant.
    Pod,
}

/// Each kind with its group and its words: plural, singular, short.
const KINDS: [(Kind, &str, [&str; 3]); 4] = [
    (Kind::ReplicaSet, "apps", ["replicasets", "replicaset", "rs"]),
    (Kind::ReplicationController, "", ["replicationcontrollers", "replicationcontroller", "rc"]),
    (Kind::Deployment, "apps", ["deployments", "deployment", "deploy"]),
    (Kind::Pod, "", ["pods", "pod", "po"]),
];

impl Kind {
    /// Reads a type as kubectl takes it: plural, singular or short, also with group (`replicasets.apps`)
    /// or version and group (`replicasets.v1.apps`), in upper or lower case.
    pub fn parse(word: &str) -> Option<Kind> {
        let word = word.to_ascii_lowercase();
        let (name, suffix) = word.split_once('.').unwrap_or((&word, ""));
        let (kind, group, _) = KINDS.iter().find(|(_, _, words)| words.contains(&name))?;
        let group_fits = match suffix.strip_prefix("v1") {
            Some(rest) => rest.strip_prefix('.').unwrap_or(rest) == *group,
            None => suffix.is_empty() || (suffix == *group),
        };
        group_fits.then_some(*kind)
    }

    /// The resource with its group, as kubectl names it in errors: `replicasets.apps`.
    pub fn resource(self) -> &'static str {
        match self {
            Kind::ReplicaSet => "replicasets.apps",
            Kind::ReplicationController => "replicationcontrollers",
            Kind::Deployment => "deployments.apps",
            Kind::Pod => "pods",
        }
    }
}

/// One thing that a command is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A ReplicaSet by name.
    ReplicaSet(String),
    /// A ReplicationController by name.
    ReplicationController(String),
    /// The ReplicaSets of a Deployment.
    Deployment(String),
    /// The owner of a pod.
    Pod(String),
    /// All objects of these kinds.
    All(Vec<Kind>),
}

impl Target {
    fn named(kind: Kind, name: &str) -> Target {
        let name = name.to_owned();
        match kind {
            Kind::ReplicaSet => Target::ReplicaSet(name),
            Kind::ReplicationController => Target::ReplicationController(name),
            Kind::Deployment => Target::Deployment(name),
            Kind::Pod => Target::Pod(name),
        }
    }

    /// The kind and the name, where one object is named.
    pub fn name(&self) -> Option<(Kind, &str)> {
        match self {
            Target::ReplicaSet(name) => Some((Kind::ReplicaSet, name)),
            Target::ReplicationController(name) => Some((Kind::ReplicationController, name)),
            Target::Deployment(name) => Some((Kind::Deployment, name)),
            Target::Pod(name) => Some((Kind::Pod, name)),
            Target::All(_) => None,
        }
    }

    /// The line for a named object that does not exist, in kubectl's words; empty for [`Target::All`].
    pub(crate) fn not_found(&self) -> String {
        self.name()
            .map_or_else(String::new, |(kind, name)| format!("{} \"{name}\" not found", kind.resource()))
    }
}

/// Reads the targets of a command line: `TYPE`, `TYPE,TYPE`, `TYPE NAME...`, `TYPE/NAME...` and bare names,
/// which are ReplicaSets. Each target is kept once, in the given order.
pub fn parse(words: &[String]) -> Result<Vec<Target>, String> {
    let Some((first, rest)) = words.split_first() else { return Ok(Vec::new()) };
    let mut targets = Vec::new();
    match types(first)? {
        Some(kinds) => {
            if rest.is_empty() {
                targets.push(Target::All(kinds));
            } else {
                for name in rest {
                    plain_name(name)?;
                    targets.extend(kinds.iter().map(|kind| Target::named(*kind, name)));
                }
            }
        }
        None => {
            for word in words {
                targets.push(one(word)?);
            }
        }
    }
    Ok(once(targets))
}

/// The types that a first word names; `None` if it is a name or has the form `TYPE/NAME`.
fn types(word: &str) -> Result<Option<Vec<Kind>>, String> {
    if word.contains('/') {
        return Ok(None);
    }
    if !word.contains(',') {
        return Ok(Kind::parse(word).map(|kind| vec![kind]));
    }
    let kinds: Result<Vec<Kind>, String> =
        word.split(',').filter(|part| !part.is_empty()).map(known).collect();
    match kinds? {
        kinds if kinds.is_empty() => Err(unknown(word)),
        kinds => Ok(Some(once(kinds))),
    }
}

fn once<T: PartialEq>(items: Vec<T>) -> Vec<T> {
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        if !kept.contains(&item) {
            kept.push(item);
        }
    }
    kept
}

/// A name that follows a type.
fn plain_name(word: &str) -> Result<(), String> {
    match word {
        "" => Err("resource name may not be empty".into()),
        word if word.contains('/') => Err(format!(
            "there is no need to specify a resource type as a separate argument when passing arguments in \
             resource/name form: give {word} alone"
        )),
        word if word.contains(',') => Err(format!("\"{word}\" is not a name: names are separated by spaces")),
        _ => Ok(()),
    }
}

/// `TYPE/NAME`, or a bare name.
fn one(word: &str) -> Result<Target, String> {
    let Some((kind, name)) = word.split_once('/') else {
        plain_name(word)?;
        return Ok(Target::ReplicaSet(word.to_owned()));
    };
    if name.contains('/') {
        return Err(format!("arguments in resource/name form may not have more than one slash: \"{word}\""));
    }
    if kind.is_empty() || name.is_empty() || word.contains(',') {
        return Err(format!(
            "arguments in resource/name form must have a single resource and name: \"{word}\""
        ));
    }
    Ok(Target::named(known(kind)?, name))
}

fn known(word: &str) -> Result<Kind, String> {
    Kind::parse(word).ok_or_else(|| unknown(word))
}

fn unknown(word: &str) -> String {
    let words = KINDS.iter().flat_map(|(_, _, words)| words.iter().copied());
    format!(
        "the server doesn't have a resource type \"{word}\" that rsexp reads: it reads rs, rc, deploy and \
         pod{}",
        suggest::hint(word, words)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Vec<Target>, String> {
        parse(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>())
    }

    fn rs(name: &str) -> Target {
        Target::ReplicaSet(name.into())
    }

    #[test]
    fn types_are_read_in_all_of_kubectls_forms() {
        let forms = [
            (
                Kind::ReplicaSet,
                "rs replicaset replicasets replicasets.apps replicaset.apps replicasets.v1.apps RS ReplicaSet",
            ),
            (Kind::Deployment, "deploy deployment deployments deployments.apps deployments.v1.apps"),
            (Kind::Pod, "po pod pods pods.v1 pods.v1."),
            (Kind::ReplicationController, "rc replicationcontroller replicationcontrollers"),
        ];
        for (kind, words) in forms {
            for word in words.split(' ') {
                assert_eq!(Kind::parse(word), Some(kind), "{word}");
            }
        }
        for word in ["", "svc", "rs.batch", "pods.apps", "replicasets.v2.apps", "replicasets.v1"] {
            assert_eq!(Kind::parse(word), None, "{word}");
        }
    }

    #[test]
    fn a_type_takes_the_names_after_it() {
        assert_eq!(read(&["rs", "web", "api"]).unwrap(), [rs("web"), rs("api")]);
        assert_eq!(read(&["deploy", "rs"]).unwrap(), [Target::Deployment("rs".into())]);
        assert_eq!(
            read(&["rs,rc", "web"]).unwrap(),
            [rs("web"), Target::ReplicationController("web".into())]
        );
    }

    #[test]
    fn a_type_alone_means_all_of_it() {
        assert_eq!(read(&["rs"]).unwrap(), [Target::All(vec![Kind::ReplicaSet])]);
        assert_eq!(
            read(&["rs,rc,rs"]).unwrap(),
            [Target::All(vec![Kind::ReplicaSet, Kind::ReplicationController])]
        );
    }

    #[test]
    fn slash_forms_and_bare_names_mix() {
        assert_eq!(
            read(&["web", "deploy/api", "po/web-1", "rc/old", "replicaset.apps/web"]).unwrap(),
            [
                rs("web"),
                Target::Deployment("api".into()),
                Target::Pod("web-1".into()),
                Target::ReplicationController("old".into())
            ]
        );
        assert_eq!(read(&[]).unwrap(), []);
    }

    #[test]
    fn wrong_forms_are_refused_in_kubectls_words() {
        let cases: [(&[&str], &str); 8] = [
            (&["svc/web"], "the server doesn't have a resource type \"svc\""),
            (&["pods,svc"], "the server doesn't have a resource type \"svc\""),
            (&["rs", "rs/web"], "there is no need to specify a resource type"),
            (&["rs/a/b"], "may not have more than one slash"),
            (&["rs/"], "must have a single resource and name"),
            (&["/web"], "must have a single resource and name"),
            (&["rs,rc/web"], "must have a single resource and name"),
            (&["rs", ""], "may not be empty"),
        ];
        for (words, part) in cases {
            let error = read(words).unwrap_err();
            assert!(error.contains(part), "{words:?}: {error}");
        }
        assert!(read(&["deploi/web"]).unwrap_err().contains("\"deploy\""));
    }

    #[test]
    fn missing_objects_are_named_as_kubectl_names_them() {
        assert!(rs("web").not_found().starts_with("replicasets.apps \"web\" "));
        assert!(Target::Pod("a".into()).not_found().starts_with("pods \"a\" "));
    }
}
