//! Damaged, hostile and odd input through the binary: one line that names what is wrong and where,
//! and everything else is answered all the same.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

const GOOD: &str = r#"{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{"name":"good","namespace":"shop","uid":"u-1","resourceVersion":"7"},"spec":{"replicas":1,"selector":{"matchLabels":{"app":"good"}},"template":{"metadata":{"labels":{"app":"good"}}}},"status":{"replicas":0}}"#;

const GOOD_YAML: &str = "kind: ReplicaSet\napiVersion: apps/v1\nmetadata: {name: good, namespace: shop, uid: u-1}\nspec: {replicas: 1, selector: {matchLabels: {app: good}}, template: {metadata: {labels: {app: good}}}}\nstatus: {replicas: 0}\n";

struct Asked {
    code: i32,
    /// The JSON answers by name; a name that occurs twice stands twice.
    items: Vec<(String, Value)>,
    errors: Vec<String>,
}

impl Asked {
    fn names(&self) -> Vec<&str> {
        self.items.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The errors without `error: FILE: `, which each must begin with.
    fn about(&self, file: &Path) -> Vec<&str> {
        let lead = format!("error: {}: ", file.display());
        self.errors
            .iter()
            .map(|e| e.strip_prefix(&lead).unwrap_or_else(|| panic!("{e} is not about {lead}")))
            .collect()
    }
}

fn items(json: &str) -> Vec<(String, Value)> {
    let report: Value = serde_json::from_str(json).unwrap();
    let items = report["items"].as_array().cloned().unwrap_or_else(|| vec![report]);
    items.into_iter().map(|item| (item["object"]["name"].as_str().unwrap().to_owned(), item)).collect()
}

fn ask(files: &[&Path]) -> Asked {
    let mut args = vec!["explain".into(), "-A".into(), "-o".into(), "json".into()];
    for file in files {
        args.extend(["-f".into(), file.as_os_str().to_owned()]);
    }
    let ran = support::rsexp(&args);
    Asked {
        code: ran.code.unwrap(),
        items: items(&ran.out),
        errors: ran.err.lines().map(str::to_owned).collect(),
    }
}

/// A directory with one file of this content.
fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, content).unwrap();
    (dir, path)
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut zip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    zip.write_all(content).unwrap();
    zip.finish().unwrap()
}

/// The content alone is an error of one line, and a good file beside it is answered.
fn spoils_only_itself(name: &str, content: &[u8]) {
    let (dir, bad) = file(name, content);
    let good = dir.path().join("good.json");
    std::fs::write(&good, GOOD).unwrap();
    for files in [[bad.as_path(), good.as_path()], [good.as_path(), bad.as_path()]] {
        let asked = ask(&files);
        assert_eq!(asked.code, 1, "{name}");
        assert_eq!(asked.names(), ["good"], "{name}");
        assert_eq!(asked.about(&bad).len(), 1, "{name}: {:?}", asked.errors);
    }
}

/// The content holds the good object too, which is answered; the rest is one error about this place.
fn leaves_the_good_one(name: &str, content: &[u8], place: &str) {
    let (_dir, path) = file(name, content);
    let asked = ask(&[&path]);
    assert_eq!((asked.code, asked.names()), (1, vec!["good"]), "{name}: {:?}", asked.errors);
    let about = asked.about(&path);
    assert!(about.len() == 1 && about[0].starts_with(place), "{name}: {about:?} for {place}");
}

fn list(items: &[&str]) -> String {
    format!(r#"{{"kind":"List","apiVersion":"v1","items":[{}]}}"#, items.join(","))
}

fn good_with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    GOOD.replace(r#""name":"good""#, r#""name":"bad""#).replace(from, to)
}

#[test]
fn useless_files_spoil_only_themselves() {
    spoils_only_itself("empty.json", b"");
    spoils_only_itself("cut.json", &GOOD.as_bytes()[..120]);
    spoils_only_itself("cut.yaml", b"kind: ReplicaSet\nmetadata: {name: \"x");
    spoils_only_itself("map.json", br#"{"kind":"ConfigMap","apiVersion":"v1"}"#);
    spoils_only_itself("binary", b"\x7fELF\0\0\0\x01");
    spoils_only_itself("text", b"error: the server doesn't have a resource type \"rss\"\n");
    spoils_only_itself("head.gz", &gzip(GOOD.as_bytes())[..12]);
}

#[test]
fn a_cut_keeps_what_stands_before_it() {
    let whole = list(&[GOOD, &good_with("u-1", "u-2")]);
    let cut = &whole.as_bytes()[..whole.len() - 40];
    leaves_the_good_one("list.json", cut, "ReplicaSet shop/bad: ");
    let yaml = format!("{GOOD_YAML}---\nkind: ReplicaSet\nmetadata: {{name: \"x");
    leaves_the_good_one("list.yaml", yaml.as_bytes(), "document 2: line 8: ");
    let zipped = gzip(&[GOOD.as_bytes(), &[b'\n'; 10]].concat());
    leaves_the_good_one("list.json.gz", &zipped[..zipped.len() - 8], "");
}

#[test]
fn a_malformed_object_names_its_field_and_leaves_the_others() {
    for (object, place) in [
        (
            good_with(r#""selector":{"matchLabels":{"app":"good"}},"#, ""),
            "ReplicaSet shop/bad: spec.selector",
        ),
        (good_with(r#""replicas":1"#, r#""replicas":-1"#), "ReplicaSet shop/bad: spec.replicas: "),
        (good_with(r#""replicas":1"#, r#""replicas":2147483648"#), "ReplicaSet shop/bad: spec.replicas: "),
        (good_with(r#""replicas":1"#, r#""replicas":NaN"#), "ReplicaSet shop/bad: spec.replicas: "),
        (r#"{"kind":"Pod","apiVersion":"v1","spec":{}}"#.to_owned(), "Pod items[1]: metadata "),
        (r#"{"apiVersion":"v1"}"#.to_owned(), "items[1]: kind "),
        ("7".to_owned(), "items[1]: "),
    ] {
        leaves_the_good_one("list.json", list(&[GOOD, &object]).as_bytes(), place);
    }
    for (value, place) in [
        (".nan", "document 2: ReplicaSet shop/bad: spec.replicas: "),
        (".inf", "document 2: ReplicaSet shop/bad: spec.replicas: "),
        ("-1", "document 2: ReplicaSet shop/bad: spec.replicas: "),
    ] {
        let bad = GOOD_YAML
            .replace("name: good", "name: bad")
            .replace("replicas: 1", &format!("replicas: {value}"));
        leaves_the_good_one("list.yaml", format!("{GOOD_YAML}---\n{bad}").as_bytes(), place);
    }
}

#[test]
fn hostile_documents_are_refused_and_leave_the_others() {
    let line = |level: u8| {
        let (name, before) = (char::from(b'a' + level), char::from(b'a' + level - 1));
        format!("{name}: &{name} [{}]\n", vec![format!("*{before}"); 9].join(","))
    };
    let bomb: String = format!("a: &a [x,x,x]\n{}", (1..20).map(line).collect::<String>());
    leaves_the_good_one("bomb.yaml", format!("{GOOD_YAML}---\n{bomb}").as_bytes(), "document 2: line 6: ");
    let deep = format!("{GOOD_YAML}---\nkind: Pod\nmetadata: {}\n", "[".repeat(100_000));
    leaves_the_good_one("deep.yaml", deep.as_bytes(), "document 2: ");
    let nested = format!(r#"{{"kind":"Pod","metadata":{}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    leaves_the_good_one("deep.json", list(&[GOOD, &nested]).as_bytes(), "Pod items[1]: ");
}

#[test]
fn twenty_megabytes_of_one_line_are_refused_in_one_short_line() {
    for start in ["", "kind: ", "{\"kind\":\"", "["] {
        let mut content = start.as_bytes().to_vec();
        content.resize(20 << 20, b'a');
        let (_dir, path) = file("line", &content);
        let asked = ask(&[&path]);
        assert_eq!((asked.code, asked.names().len()), (1, 0), "{start}");
        let about = asked.about(&path);
        assert!(about.len() == 1 && about[0].len() < 500, "{start}: {about:?}");
    }
    let long = good_with(
        r#""uid":"u-1""#,
        &format!(r#""uid":"u-2","annotations":{{"a":"{}"}}"#, "x".repeat(20 << 20)),
    );
    let (_dir, path) = file("long.json", list(&[GOOD, &long]).as_bytes());
    let asked = ask(&[&path]);
    assert_eq!((asked.code, asked.names()), (0, vec!["bad", "good"]), "a long line is no error by itself");
}

#[test]
fn the_newer_of_two_copies_of_an_object_is_answered() {
    let newer = GOOD
        .replace(r#""resourceVersion":"7""#, r#""resourceVersion":"10""#)
        .replace(r#""replicas":1"#, r#""replicas":3"#);
    for items in [[GOOD, &newer], [&newer, GOOD]] {
        let (_dir, path) = file("list.json", list(&items).as_bytes());
        let asked = ask(&[&path]);
        assert_eq!((asked.code, asked.names(), asked.errors.len()), (0, vec!["good"], 0));
        assert_eq!(asked.items[0].1["desired"], 3);
        assert_eq!(asked.items[0].1["object"]["resourceVersion"], "10");
    }
}

#[test]
fn an_object_made_anew_under_its_name_is_told() {
    let newer = GOOD.replace(r#""resourceVersion":"7""#, r#""resourceVersion":"10""#).replace("u-1", "u-2");
    for items in [[GOOD, &newer], [&newer, GOOD]] {
        let (_dir, path) = file("list.json", list(&items).as_bytes());
        let asked = ask(&[&path]);
        assert_eq!((asked.code, asked.names(), asked.errors.len()), (0, vec!["good"], 0));
        assert_eq!(asked.items[0].1["object"]["uid"], "u-2");
        let codes: Vec<&Value> =
            asked.items[0].1["reasons"].as_array().unwrap().iter().map(|r| &r["code"]).collect();
        assert!(codes.iter().any(|code| *code == "ReplacedObject"), "{codes:?}");
    }
}

#[test]
fn another_object_made_anew_under_the_same_name_is_not_told() {
    let deployment = |uid: &str| {
        format!(
            r#"{{"kind":"Deployment","apiVersion":"apps/v1","metadata":{{"name":"good","namespace":"shop","uid":"{uid}"}},"spec":{{"selector":{{"matchLabels":{{"app":"x"}}}}}}}}"#
        )
    };
    let (_dir, path) = file("list.json", list(&[GOOD, &deployment("d-1"), &deployment("d-2")]).as_bytes());
    let asked = ask(&[&path]);
    assert_eq!((asked.code, asked.names()), (0, vec!["good"]));
    assert!(!asked.items[0].1["reasons"].to_string().contains("ReplacedObject"));
}

#[test]
fn names_that_act_on_a_terminal_are_escaped_in_text_and_raw_in_json() {
    let name = "a\u{1b}[31m\u{7}b\u{202e}c\nd\u{200b}";
    let odd = GOOD.replace(r#""name":"good""#, &format!(r#""name":{}"#, Value::from(name)));
    let pod = format!(
        r#"{{"kind":"Pod","apiVersion":"v1","metadata":{{"name":{n},"namespace":"shop","uid":"p","labels":{{"app":"good"}}}},"spec":{{"nodeName":{n}}},"status":{{"phase":"Running"}}}}"#,
        n = Value::from(name)
    );
    let scaled = odd.replace(r#""replicas":1"#, r#""replicas":0"#);
    for object in [odd, scaled] {
        let (_dir, path) = file("list.json", list(&[&object, &pod]).as_bytes());
        let asked = ask(&[&path]);
        assert_eq!((asked.code, asked.names(), asked.errors.len()), (0, vec![name], 0));
        let path = path.to_str().unwrap();
        for args in [
            &["explain", "-A", "-f", path][..],
            &["explain", "-A", "-f", path, "-o", "wide"],
            &["dry-run", "-A", "-f", path],
            &["list", "-A", "--pods", "-f", path],
            &["list", "-A", "-o", "wide", "-f", path],
            &["list", "-A", "-o", "name", "-f", path],
            &["explain", "-A", "-f", path, "-o", "yaml"],
        ] {
            let ran = support::rsexp(args);
            assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.err);
            let acts = |c: &char| (c.is_control() && *c != '\n') || "\u{202e}\u{200b}".contains(*c);
            assert_eq!(ran.out.chars().find(acts), None, "{args:?}: {:?}", ran.out);
            assert!(ran.out.contains("[31m"), "{args:?}: {:?}", ran.out);
        }
    }
}

#[test]
fn an_error_about_an_odd_name_stays_one_plain_line() {
    let name = "a\u{1b}[31m\n\u{202e}b";
    let bad = good_with(r#""replicas":1"#, r#""replicas":-1"#)
        .replace(r#""name":"bad""#, &format!(r#""name":{}"#, Value::from(name)));
    let (_dir, path) = file("list.json", list(&[GOOD, &bad]).as_bytes());
    let asked = ask(&[&path]);
    assert_eq!((asked.code, asked.errors.len()), (1, 1), "{:?}", asked.errors);
    let odd = |c: char| c.is_control() || c == '\u{202e}';
    assert!(
        !asked.errors[0].contains(odd) && asked.errors[0].contains("spec.replicas"),
        "{:?}",
        asked.errors
    );
}

#[test]
fn a_directory_with_an_unreadable_file_is_read_but_for_it() {
    let (dir, good) = file("good.json", GOOD.as_bytes());
    let dangling = dir.path().join("gone.json");
    std::os::unix::fs::symlink(dir.path().join("nowhere"), &dangling).unwrap();
    let asked = ask(&[dir.path()]);
    assert_eq!((asked.code, asked.names()), (1, vec!["good"]));
    assert_eq!(asked.about(&dangling).len(), 1);
    std::fs::remove_file(&dangling).unwrap();
    let closed = dir.path().join("closed.json");
    std::fs::write(&closed, GOOD).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o000)).unwrap();
    // The superuser reads everything.
    if std::fs::File::open(&closed).is_err() {
        let asked = ask(&[dir.path()]);
        assert_eq!((asked.code, asked.names()), (1, vec!["good"]));
        assert_eq!(asked.about(&closed).len(), 1);
    }
    drop(good);
}

#[test]
fn a_reader_that_ends_early_is_no_error() {
    let objects: Vec<String> =
        (0..500).map(|i| GOOD.replace(r#""name":"good""#, &format!(r#""name":"rs-{i}""#))).collect();
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let (_dir, path) = file("list.json", list(&objects).as_bytes());
    let mut child = support::command()
        .args(["explain", "-A", "-f"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    std::io::BufRead::read_line(&mut out, &mut first).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert!(first.starts_with("rs/rs-0 "), "{first}");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()));
}

#[test]
fn standard_streams_that_are_not_open_are_no_crash() {
    let (_dir, path) = file("good.json", GOOD.as_bytes());
    let run = |redirect: &str| {
        let script = format!("\"$0\" \"$@\" {redirect}");
        let output = std::process::Command::new("sh")
            .args(["-c", &script, support::binary().to_str().unwrap(), "explain", "-A", "-f"])
            .arg(&path)
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for redirect in [">&-", ">&- 2>&-", "2>&-", "<&-"] {
        let (code, err) = run(redirect);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{redirect}");
    }
}
