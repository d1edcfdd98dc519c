//! What may not change in a schema within one version: all that a script may rely on.

use std::collections::BTreeSet;

use serde_json::Value;

/// How `new` would break what reads `old`, one line each.
pub fn broken(old: &Value, new: &Value) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(kinds(old).difference(&kinds(new)).map(|kind| format!("{kind} is printed no more")));
    for (name, was) in old["$defs"].as_object().into_iter().flatten() {
        match new["$defs"].get(name) {
            Some(is) => compare(name, was, is, &mut found),
            None => found.push(format!("{name} is gone")),
        }
    }
    found
}

fn compare(at: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    let mut differ = |what: &str, is_same: bool| {
        if !is_same {
            found.push(format!("{at}: {what}"));
        }
    };
    // Readers meet only what was said to come: nothing less and nothing else.
    differ("its type changed", types(old) == types(new));
    differ("it is another value", old.get("const") == new.get("const"));
    differ("it refers to something else", old.get("$ref") == new.get("$ref"));
    differ("its format changed", old.get("format") == new.get("format"));
    differ("it may be less than before", old.get("minimum") == new.get("minimum"));
    for field in required(old).difference(&required(new)) {
        differ(&format!("{field} may be absent"), false);
    }
    words(at, old, new, found);
    for (name, was) in old["properties"].as_object().into_iter().flatten() {
        match new["properties"].get(name) {
            Some(is) => compare(&format!("{at}.{name}"), was, is, found),
            None => found.push(format!("{at}.{name} is gone")),
        }
    }
    for part in ["items", "anyOf"] {
        parts(&format!("{at}.{part}"), old.get(part), new.get(part), found);
    }
}

/// A schema below another, or several.
fn parts(at: &str, old: Option<&Value>, new: Option<&Value>, found: &mut Vec<String>) {
    match (old, new) {
        (None, None) => {}
        (Some(Value::Array(old)), Some(Value::Array(new))) if old.len() == new.len() => {
            old.iter().zip(new).for_each(|(was, is)| compare(at, was, is, found));
        }
        (Some(old @ Value::Object(_)), Some(new @ Value::Object(_))) => compare(at, old, new, found),
        _ => found.push(format!("{at}: it changed")),
    }
}

fn kinds(schema: &Value) -> BTreeSet<&str> {
    strings(&schema["oneOf"], |kind| kind["$ref"].as_str())
}

fn required(schema: &Value) -> BTreeSet<&str> {
    strings(&schema["required"], Value::as_str)
}

/// The words of an enumeration: none goes; in a closed one none comes either, for a script may have
/// a branch for each.
fn words(at: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    let (was, is) = (listed(old), listed(new));
    found.extend(was.difference(&is).map(|word| format!("{at}: {word} is gone")));
    let open = |at: &str| at.ends_with(".anyOf");
    if !open(at) {
        found.extend(is.difference(&was).map(|word| format!("{at}: {word} is new in a closed list")));
    }
}

fn listed(schema: &Value) -> BTreeSet<&str> {
    let constants = strings(&schema["oneOf"], |word| word["const"].as_str());
    constants.into_iter().chain(strings(&schema["enum"], Value::as_str)).collect()
}

fn types(schema: &Value) -> BTreeSet<&str> {
    match &schema["type"] {
        Value::String(one) => BTreeSet::from([one.as_str()]),
        several => strings(several, Value::as_str),
    }
}

fn strings<'a>(list: &'a Value, get: impl Fn(&'a Value) -> Option<&'a str>) -> BTreeSet<&'a str> {
    list.as_array().into_iter().flatten().filter_map(get).collect()
}

/// The committed schema with one change, which must be told so.
fn changed(change: impl Fn(&mut Value)) -> Vec<String> {
    let old = super::schema(super::COMMITTED);
    let mut new = old.clone();
    change(&mut new["$defs"]);
    assert_ne!(old, new, "the change is none");
    broken(&old, &new)
}

fn remove(list: &mut Value, is_it: impl Fn(&Value) -> bool) {
    list.as_array_mut().unwrap().retain(|value| !is_it(value));
}

#[test]
fn a_schema_does_not_break_itself() {
    let schema = super::schema(super::COMMITTED);
    assert_eq!(broken(&schema, &schema), Vec::<String>::new());
}

#[test]
fn a_field_may_not_go() {
    let found = changed(|defs| {
        defs["Plan"]["properties"].as_object_mut().unwrap().shift_remove("count");
    });
    assert_eq!(found, ["Plan.count is gone"]);
}

#[test]
fn a_field_may_not_become_optional() {
    let found = changed(|defs| remove(&mut defs["Plan"]["required"], |field| field == "count"));
    assert_eq!(found, ["Plan: count may be absent"]);
}

#[test]
fn a_type_may_not_change_nor_get_null() {
    let wider = changed(|defs| {
        defs["Plan"]["properties"]["count"]["type"] = serde_json::json!(["integer", "null"]);
    });
    assert_eq!(wider, ["Plan.count: its type changed"]);
    let other = changed(|defs| defs["Reason"]["properties"]["message"]["type"] = "integer".into());
    assert_eq!(other, ["Reason.message: its type changed"]);
    let null = changed(|defs| {
        remove(&mut defs["ReplicaSetReport"]["properties"]["until"]["anyOf"], |part| part["type"] == "null");
    });
    assert_eq!(null, ["ReplicaSetReport.until.anyOf: it changed"]);
    let items = changed(|defs| defs["Creates"]["properties"]["batches"]["items"]["type"] = "string".into());
    assert_eq!(items, ["Creates.batches.items: its type changed"]);
    let reference = changed(|defs| defs["Plan"]["properties"]["create"]["$ref"] = "#/$defs/Range".into());
    assert_eq!(reference, ["Plan.create: it refers to something else"]);
}

#[test]
fn a_closed_list_keeps_its_words() {
    let fewer = changed(|defs| remove(&mut defs["Verdict"]["oneOf"], |word| word["const"] == "skip"));
    assert_eq!(fewer, ["Verdict: skip is gone"]);
    let more = changed(|defs| {
        defs["Gate"]["oneOf"].as_array_mut().unwrap().push(serde_json::json!({"const": "ajar"}));
    });
    assert_eq!(more, ["Gate: ajar is new in a closed list"]);
    let fewer = changed(|defs| {
        remove(&mut defs["Access"]["properties"]["scope"]["enum"], |word| word == "cluster");
    });
    assert_eq!(fewer, ["Access.scope: cluster is gone"]);
}

#[test]
fn a_code_may_come_and_none_may_go() {
    let come = changed(|defs| {
        let codes = &mut defs["Code"]["anyOf"][0]["oneOf"];
        codes.as_array_mut().unwrap().push(serde_json::json!({"type": "string", "const": "NewReason"}));
    });
    assert_eq!(come, Vec::<String>::new());
    let gone = changed(|defs| {
        remove(&mut defs["Code"]["anyOf"][0]["oneOf"], |code| code["const"] == "SlowStart");
    });
    assert_eq!(gone, ["Code.anyOf: SlowStart is gone"]);
}

#[test]
fn fields_kinds_and_words_about_them_may_come() {
    let found = changed(|defs| {
        defs["Plan"]["properties"]["new"] = serde_json::json!({"type": "string"});
        defs["Plan"]["required"].as_array_mut().unwrap().push("new".into());
        defs["Plan"]["description"] = "Said in other words.".into();
        defs["New"] = serde_json::json!({"type": "object"});
    });
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_kind_may_not_go() {
    let old = super::schema(super::COMMITTED);
    let mut new = old.clone();
    remove(&mut new["oneOf"], |kind| kind["$ref"] == "#/$defs/Version");
    new["$defs"].as_object_mut().unwrap().shift_remove("Version");
    assert_eq!(broken(&old, &new), ["#/$defs/Version is printed no more", "Version is gone"]);
}
