//! What stands around messages: prefixes, parts, several lines, damage.

use super::*;

#[test]
fn values_and_errors_of_several_lines_are_joined() {
    let failed = |error: &str| LogLine::SyncFailed { key: web(), error: error.into() };
    let next = format!("{HEAD}\"Adding\" logger=\"replicaset-controller\" replicaSet=\"shop/web\"\n");
    let adding = LogLine::Adding { key: web() };
    let field = "\"Unhandled Error\" err=<\n\tsync \"shop/web\" failed with denied:\n\t  first\n\tlast\n > logger=\"UnhandledError\"\n";
    assert_eq!(said(&format!("{HEAD}{field}{next}")), [failed("denied:\n  first\nlast"), adding.clone()]);
    let sentence = "sync \"shop/web\" failed with denied:\n\nfirst\n  last\n";
    assert_eq!(
        said(&format!("{HEAD}{sentence}{next}")),
        [failed("denied:\n\nfirst\n  last"), adding.clone()]
    );
    let stamped =
        field.lines().map(|line| format!("2026-01-02T03:04:05Z stderr F {line}\n")).collect::<String>();
    let stamped = stamped.replacen("F ", &format!("F {HEAD}"), 1);
    assert_eq!(said(&stamped), [failed("denied:\n  first\nlast")]);
    // One that never ends is none, and what follows is read.
    let open = "\"Unhandled Error\" err=<\n\tsync \"shop/web\" failed with x\n";
    assert_eq!(said(&format!("{HEAD}{open}{next}")), std::slice::from_ref(&adding));
    let dump = "\"Unhandled Error\" err=<\n\tReplicaSet has no controller: &ReplicaSet{\n\t] []}\n > logger=\"UnhandledError\"\n";
    assert_eq!(said(&format!("{HEAD}{dump}{next}")), [adding]);
}

#[test]
fn an_error_of_very_many_lines_is_cut() {
    let many = "x\n".repeat(200_000);
    let lines = said(&format!("{HEAD}sync \"shop/web\" failed with {many}"));
    let [LogLine::SyncFailed { error, .. }] = lines.as_slice() else { panic!("{}", lines.len()) };
    assert!(error.len() < 100_000);
}

#[test]
fn prefixes_of_runtimes_and_collectors_are_taken_off() {
    let line = format!("{HEAD}\"Adding\" logger=\"replicaset-controller\" replicaSet=\"shop/web\"");
    let json = r#"{"ts":1767323045678.9,"logger":"replicaset-controller","msg":"Adding","replicaSet":{"name":"web","namespace":"shop"}}"#;
    for prefix in [
        "",
        "2026-01-02T03:04:05.7Z ",
        "2026-01-02T03:04:05.678999123Z stderr F ",
        "2026-01-02T05:04:05.7+02:00 stdout F ",
        "2026-01-02T03:04:05.7Z stderr F:x ",
        "[pod/kube-controller-manager-a/kube-controller-manager] ",
        "[pod/kcm/kcm] 2026-01-02T03:04:05.7Z ",
        "Jan  2 03:04:05 host kube-controller-manager[123]: ",
        "2026-01-02T03:04:05+0000 host kube-controller-manager[123]: ",
        "\0\0\0\0",
    ] {
        for line in [&line, json] {
            for end in ["\n", "\r\n", ""] {
                let (seen, counts) = observations(format!("{prefix}{line}{end}").as_bytes());
                assert_eq!((seen.len(), counts.foreign), (1, 0), "{prefix}{line}");
                assert!(is_log(format!("noise\n{prefix}{line}{end}").as_bytes()) || prefix == "\0\0\0\0");
            }
        }
    }
}

#[test]
fn parts_of_a_line_are_joined_by_stream() {
    let text = format!(
        "2026-01-02T03:04:05Z stderr P {HEAD}\"Too few replicas\" replicaSet=\"shop\n\
         2026-01-02T03:04:05Z stdout F other\n\
         2026-01-02T03:04:05Z stderr P /web\" need=1\n\
         2026-01-02T03:04:06Z stderr F 2 creating=3\n\
         2026-01-02T03:04:06Z stderr F {HEAD}\"Adding\" replicaSet=\"shop/web\"\n"
    );
    let wanted = [LogLine::Creates { key: web(), need: 12, count: 3 }, LogLine::Adding { key: web() }];
    assert_eq!(said(&text), wanted);
}

#[test]
fn files_of_docker_are_read() {
    let line = format!("{HEAD}\"Too few replicas\" replicaSet=\"shop/web\" need=5 creating=3");
    let entry = |log: &str| {
        let time = "2026-01-02T05:04:05.7Z";
        serde_json::json!({"log": log, "stream": "stderr", "time": time}).to_string() + "\n"
    };
    let (first, second) = line.split_at(60);
    let text = entry(&format!("{line}\n")) + &entry(first) + &entry(&format!("{second}\r\n"));
    let (seen, counts) = observations(text.as_bytes());
    let creates = What::Log(LogLine::Creates { key: web(), need: 5, count: 3 });
    assert_eq!((seen.len(), counts.foreign), (2, 0));
    for observation in seen {
        assert_eq!(observation.what, creates);
        // Its zone is two hours from UTC, as the runtime's time tells.
        assert_eq!(observation.at, "2026-01-02T05:04:05.678901Z".parse().ok());
    }
    assert!(is_log(text.as_bytes()));
    assert!(!is_log(entry("x\n").as_bytes()));
}

#[test]
fn what_stands_before_a_failure_is_read() {
    struct Fails;
    impl std::io::Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::UnexpectedEof.into())
        }
    }
    let text = format!("{HEAD}sync \"shop/web\" failed with x\nhalf a li");
    let reader = std::io::Read::chain(text.as_bytes(), Fails);
    let mut lines = LogLines::new(std::io::BufReader::new(reader), Clock::default());
    assert!(lines.next(true).unwrap().is_some());
    assert!(lines.next(true).is_err());
}

#[test]
fn the_number_at_the_end_of_a_cut_line_is_not_believed() {
    let whole = format!("{HEAD}\"Too few replicas\" replicaSet=\"shop/web\" need=5 creating=12");
    assert_eq!(said(&format!("{whole}\n")).len(), 1);
    assert_eq!(said(&whole), []);
    let json = r#"{"ts":1.5,"msg":"Too few replicas","replicaSet":{"name":"web","namespace":"shop"},"need":5,"creating":1"#;
    assert_eq!(said(json), []);
    assert_eq!(said(&format!("{json}}}")).len(), 1);
}

#[test]
fn an_overlong_line_is_passed_over_in_bounded_memory() {
    let good = format!("{HEAD}\"Adding\" replicaSet=\"shop/web\"\n");
    let mut text = vec![b'x'; (16 << 20) + 10];
    text.push(b'\n');
    text.extend_from_slice(good.as_bytes());
    let (seen, counts) = observations(&text);
    assert_eq!((seen.len(), counts.overlong, counts.lines), (1, 1, 2));
    // A hole of zeros is no line.
    let hole = [vec![0; (16 << 20) + 10], good.into_bytes()].concat();
    let (seen, counts) = observations(&hole);
    assert_eq!((seen.len(), counts.overlong, counts.lines), (1, 0, 1));
}

#[test]
fn only_klog_makes_a_log() {
    for other in [
        "kind: Pod\n",
        "  I0102 03:04:05.6 1 a.go:1] x",
        "message: I0102 03:04:05.678901 1 a.go:1] x",
        "Info: 1 2] x",
        "I01 03:04:05 1 a] x",
        r#"{"kind":"Pod","msg":"x"}"#,
        r#"[{"ts":1,"msg":"x"}]"#,
        "",
    ] {
        assert!(!is_log(other.as_bytes()), "{other}");
    }
}

#[test]
fn bytes_that_are_no_text_spoil_only_their_value() {
    let line = [HEAD.as_bytes(), b"\"Finished syncing\" kind=\"ReplicaSet\" key=\"shop/w\xff\"\n"].concat();
    let good =
        [HEAD.as_bytes(), b"\"Finished syncing\" note=\"\xff\0\" kind=\"ReplicaSet\" key=\"shop/web\"\n"]
            .concat();
    let (seen, counts) = observations(&[line, good].concat());
    assert_eq!((seen.len(), counts.klog), (1, 2));
}

#[test]
fn a_file_that_grows_is_read_on_from_where_it_ended() {
    struct Grows(Vec<Vec<u8>>);
    impl std::io::Read for Grows {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let Some(part) = self.0.pop() else { return Ok(0) };
            buffer[..part.len()].copy_from_slice(&part);
            Ok(part.len())
        }
    }
    let line = format!("{HEAD}\"Adding\" replicaSet=\"shop/web\"\n");
    let (first, second) = line.as_bytes().split_at(50);
    let parts = vec![second.to_vec(), Vec::new(), first.to_vec()];
    let mut lines = LogLines::new(std::io::BufReader::new(Grows(parts)), Clock::default());
    assert_eq!(lines.next(false).unwrap(), None);
    assert!(lines.next(false).unwrap().is_some());
    assert_eq!(lines.next(true).unwrap(), None);
    assert_eq!(lines.counts().lines, 1);
}
