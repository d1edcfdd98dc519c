//! No name of a cluster is left in a redacted recording.

use std::collections::BTreeSet;

use rsexp::objects::{Labels, Object, Observation, Selector, What};
use rsexp::record::redact::Redactor;
use serde_json::Value;

use crate::record::traces;

/// Every name in some observations: of namespaces and objects, prefixes, labels, images.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl Names {
    fn add(&mut self, name: &str) {
        self.0.insert(name.to_owned());
    }

    fn labels(&mut self, labels: &Labels) {
        for (key, value) in labels.iter() {
            self.add(value);
            if !key.contains("kubernetes.io/") && key != "pod-template-hash" {
                self.add(key);
            }
        }
    }

    fn observation(&mut self, observation: &Observation) {
        match &observation.what {
            What::List { items, .. } => items.iter().for_each(|item| self.object(item)),
            What::Added(object) | What::Modified(object) | What::Deleted(object) => self.object(object),
            _ => {}
        }
    }

    fn object(&mut self, object: &Object) {
        let meta = object.meta();
        self.add(&meta.namespace);
        self.add(&meta.name);
        self.add(meta.generate_name.as_deref().unwrap_or_default());
        self.labels(&meta.labels);
        meta.owners.iter().for_each(|owner| self.add(&owner.name));
        match object {
            Object::ReplicaSet(o) => {
                self.labels(&o.template.labels);
                if let Selector::All(requirements) = &o.selector {
                    requirements.iter().flat_map(|r| &r.values).for_each(|value| self.add(value));
                }
                o.template.containers.iter().for_each(|c| {
                    self.add(&c.name);
                    self.add(&c.image);
                });
            }
            Object::Pod(o) => {
                self.add(&o.node);
                o.images.iter().for_each(|(name, image)| {
                    self.add(name);
                    self.add(image);
                });
            }
            Object::Event(o) => self.add(&o.about_name),
            Object::Lease(o) => self.add(&o.holder),
            _ => {}
        }
    }
}

/// Names that everybody has.
const KEPT: [&str; 4] = ["", "default", "kube-system", "kube-controller-manager"];

/// Every string of a value with the path that leads to it, and every key of a map of labels.
fn strings(value: &Value, path: &str, out: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => out.push((path.to_owned(), text.clone())),
        Value::Array(list) => list.iter().for_each(|item| strings(item, path, out)),
        Value::Object(map) => {
            for (key, item) in map {
                if ["labels", "matchLabels"].iter().any(|labels| path.ends_with(labels)) {
                    out.push((path.to_owned(), key.clone()));
                }
                strings(item, &format!("{path}.{key}"), out);
            }
        }
        _ => {}
    }
}

/// Whether a text holds a name as a word of its own.
fn holds(text: &str, name: &str) -> bool {
    let within = |c: char| c.is_alphanumeric() || c == '-' || c == '.' || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(within) && !after.is_some_and(within)
    })
}

#[test]
fn no_name_is_left_in_a_redacted_recording() {
    for trace in traces::all().chain(traces::states()) {
        let mut names = Names::default();
        trace.seen.iter().for_each(|observation| names.observation(observation));
        names.0.retain(|name| !KEPT.contains(&name.as_str()));
        assert!(names.0.len() >= 4, "{}", trace.name);
        let bytes = trace.written(Some(&mut Redactor::default()));
        let text = String::from_utf8(bytes).unwrap();
        // Names that can be no word of the format are not to be found at all.
        for name in names.0.iter().filter(|name| name.len() >= 6 && name.contains(['-', '_', '/'])) {
            let component = format!("\"component\":\"{name}\"");
            assert!(!text.replace(&component, "").contains(name.as_str()), "{}: {name}", trace.name);
        }
        for line in text.lines() {
            let mut found = Vec::new();
            strings(&serde_json::from_str(line).unwrap(), "", &mut found);
            for (path, string) in found {
                // Words of the API and of the program, which names may be too.
                let fixed = [".kind", ".type", ".reason", ".apiVersion", ".resource", ".component"];
                let fixed = fixed.iter().any(|end| path.ends_with(end)) || path.contains("managedFields");
                if !fixed {
                    // A message keeps its words, and a name may be one of them.
                    let word =
                        |name: &str| path.ends_with(".message") && name.chars().all(char::is_alphabetic);
                    let left: Vec<_> =
                        names.0.iter().filter(|name| !word(name) && holds(&string, name)).collect();
                    assert!(left.is_empty(), "{}: {path}: {string}: {left:?}", trace.name);
                }
            }
        }
    }
}

#[test]
fn the_same_recording_is_redacted_to_the_same_bytes() {
    let trace = traces::all().next().unwrap();
    assert_eq!(trace.written(Some(&mut Redactor::default())), trace.written(Some(&mut Redactor::default())));
}
