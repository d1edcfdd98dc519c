use proptest::prelude::*;
use serde_json::json;

use super::*;

fn object() -> Value {
    let text = include_str!("../../../../tests/data/jsonpath/object.json");
    let mut object: Value = serde_json::from_str(text).unwrap();
    object.sort_all_objects();
    object
}

fn printed(template: &str) -> Result<String, String> {
    let template = JsonPath::parse(template).map_err(|wrong| wrong.to_string())?;
    template.print(&object()).map_err(|wrong| wrong.to_string())
}

/// What kubectl says in Go's words of types, and what is said here.
const TYPES: [(&str, &str); 4] = [
    ("map[string]interface {} is not", "an object is not"),
    ("int64 is not", "a number is not"),
    ("string is not", "a string is not"),
    ("map[matchLabels:map[app:web]] is not", "an object is not"),
];

#[test]
fn templates_print_what_the_real_kubectl_prints() {
    let table = include_str!("../../../../tests/data/jsonpath/kubectl.jsonl");
    let mut wrong = Vec::new();
    for line in table.lines() {
        let asked: Value = serde_json::from_str(line).unwrap();
        let template = asked["template"].as_str().unwrap();
        let expected = match asked["error"].as_str() {
            None => Ok(asked["printed"].as_str().unwrap().to_owned()),
            Some(error) => {
                let own = TYPES.iter().find(|(theirs, _)| error.starts_with(theirs));
                Err(own.map_or(error.to_owned(), |(theirs, own)| error.replace(theirs, own)))
            }
        };
        let told = match (&expected, printed(template)) {
            // Some errors come while it is read already; kubectl's other words then stand at the end.
            (Err(expected), Err(told)) if told.ends_with(expected.as_str()) => continue,
            (_, told) => told,
        };
        if told != expected {
            wrong.push(format!("{template}\n  kubectl {expected:?}\n  here    {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(table.lines().count() > 100);
}

#[test]
fn texts_of_the_cluster_are_escaped_and_the_templates_own_are_not() {
    let hostile = json!({"name": "a\u{1b}[31m\n", "all": ["\u{202e}"]});
    let print = |template| JsonPath::parse(template).unwrap().print(&hostile).unwrap();
    assert_eq!(print("{.name}{\"\\n\"}{.all}"), "a\\x1b[31m\\n\n[\"\\u202e\"]");
}

#[test]
fn a_path_is_taken_with_and_without_braces_and_dot() {
    for path in ["spec.replicas", ".spec.replicas", "{spec.replicas}", "{.spec.replicas}"] {
        assert_eq!(JsonPath::parse_path(path).unwrap().find(&object()), Ok(vec![json!(3)]), "{path}");
    }
    for wrong in ["", "{}", "{.a", "a}", "{.a}{.b}", "x{.a}", ".a["] {
        assert!(JsonPath::parse_path(wrong).is_err(), "{wrong}");
    }
}

fn sorted(values: &[Value]) -> Vec<Value> {
    let objects: Vec<Value> = values.iter().map(|value| json!({ "x": value })).collect();
    let order = order(&JsonPath::parse_path(".x").unwrap(), &objects).unwrap();
    order.into_iter().map(|place| values[place].clone()).collect()
}

#[test]
fn numbers_times_quantities_and_names_are_sorted_by_what_they_mean() {
    for ordered in [
        vec![json!(-2), json!(1.5), json!(9), json!(10)],
        vec![json!(false), json!(true)],
        vec![json!(null), json!(0), json!("a")],
        vec![json!("web-9"), json!("web-10"), json!("web-010a"), json!("web-a")],
        vec![json!("100m"), json!("0.5"), json!("1k"), json!("1Ki"), json!("1Mi")],
        vec![json!("2026-01-01T12:00:00Z"), json!("2026-01-01T12:00:00.5Z"), json!("2026-01-01T12:00:01Z")],
    ] {
        let reversed: Vec<Value> = ordered.iter().rev().cloned().collect();
        assert_eq!(sorted(&reversed), ordered);
    }
}

#[test]
fn what_cannot_be_sorted_says_so_and_a_missing_field_comes_first() {
    let objects = [json!({"x": 1, "l": []}), json!({"l": [1]}), json!({"x": 0, "l": []})];
    let by = |path| order(&JsonPath::parse_path(path).unwrap(), &objects);
    assert_eq!(by(".x"), Ok(vec![1, 2, 0]));
    assert!(by(".y").unwrap_err().to_string().contains("couldn't find any field"));
    assert!(by(".l").unwrap_err().to_string().contains("a list"));
    assert_eq!(order(&JsonPath::parse_path(".x").unwrap(), &[]), Ok(vec![]));
}

/// Templates of the pieces that mean something.
fn any_template() -> impl Strategy<Value = String> {
    const PIECES: [&str; 31] = [
        "{",
        "}",
        "{range ",
        "{end}",
        ".spec",
        ".list",
        "[*]",
        "[0]",
        "[",
        "]",
        "[-9223372036854775808:]",
        "[:-9223372036854775808]",
        "[9223372036854775807]",
        "[?(",
        ")]",
        "@",
        "==",
        "<",
        "\"",
        "'",
        "\\",
        "..",
        ".",
        "*",
        ",",
        "1",
        "-",
        "é",
        "\n",
        " ",
        "tags",
    ];
    proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_template_is_applied_or_refused(template in any_template()) {
        if let Ok(template) = JsonPath::parse(&template) {
            let _ = template.print(&object());
            let _ = template.find(&json!([]));
        }
        let _ = JsonPath::parse_path(&template);
    }
}

#[test]
fn what_is_nested_without_end_is_refused() {
    assert!(JsonPath::parse(&"{range .a}".repeat(100_000)).is_err());
    assert!(JsonPath::parse(&format!("{{.a{}", "[?(@".repeat(100_000))).is_err());
}
