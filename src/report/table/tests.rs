use super::*;
use crate::objects::OwnerKind;
use crate::report::fixtures;

fn row(report: &Report) -> ListRow<'_> {
    ListRow {
        report,
        current: report.active.map(|n| n as i32),
        ready: report.active.map(|n| n as i32),
        age: Some(SignedDuration::from_hours(123)),
        pods: vec![],
        labels: Labels::default(),
        owner: None,
        group: None,
    }
}

fn pod(report: &Report, name: &str) -> PodRow {
    PodRow {
        name: name.to_owned(),
        ready: "1/1".to_owned(),
        status: "Running".to_owned(),
        restarts: 0,
        age: None,
        node: (name != "web-e").then(|| "node-1".to_owned()),
        note: fate(report, name).to_owned(),
    }
}

fn all() -> ListOptions {
    ListOptions { namespaces: true, headers: true, wide: true, pods: true, ..ListOptions::default() }
}

fn roomy() -> Style {
    Style::new(false, 200)
}

#[test]
fn table_looks_as_kubectl_prints_it() {
    let (skip, settled) = (fixtures::skip(), fixtures::settled());
    let options = ListOptions { headers: true, ..ListOptions::default() };
    assert_eq!(
        list(&[row(&skip), row(&settled)], &options, &roomy()),
        "NAME   DESIRED   CURRENT   READY   AGE    SYNC      EXPECT   WHY                 UNTIL\n\
         web    10        7         7       5d3h   skip      3/0      ExpectationsUnmet   4m10s\n\
         web    10        10        10      5d3h   settled   0/0      -                   -\n"
    );
}

#[test]
fn wide_table_tells_plan_and_gate() {
    let burst = fixtures::burst();
    assert_eq!(
        list(&[row(&burst)], &all(), &roomy()),
        "NAMESPACE   NAME   DESIRED   CURRENT   READY   AGE    SYNC   EXPECT   WHY   UNTIL   DIFF    \
         PLAN            GATE        EVIDENCE\n\
         shop        web    1201      1         1       5d3h   act    0/0      -     -       -1200   \
         adopt 1, +500   fulfilled   -\n"
    );
}

#[test]
fn pods_stand_beneath_their_replica_set_with_their_fate() {
    let report = fixtures::scale_down();
    let pods = ["web-a", "web-c", "web-e"].map(|name| pod(&report, name)).to_vec();
    let options = ListOptions { pods: true, ..ListOptions::default() };
    assert_eq!(
        list(&[ListRow { pods, ..row(&report) }, row(&fixtures::settled())], &options, &Style::plain()),
        "web   2    5    5    5d3h   act       0/0   -   -\n\
         ├─ web-a   1/1   Running   0   <unknown>   node-1   may go\n\
         ├─ web-c   1/1   Running   0   <unknown>   node-1   goes\n\
         └─ web-e   1/1   Running   0   <unknown>   <none>   stays\n\
         web   10   10   10   5d3h   settled   0/0   -   -\n"
    );
    assert_eq!(fate(&Report { verdict: Verdict::Skip, ..report }, "web-c"), "goes later");
    assert_eq!(fate(&fixtures::burst(), "stray"), "adopted");
}

#[test]
fn controllers_are_named_by_kind_only_among_replica_sets() {
    let mut old = fixtures::settled();
    old.object.kind = OwnerKind::ReplicationController;
    old.object.name = "old".to_owned();
    let none = ListOptions::default();
    assert!(list(&[row(&old)], &none, &Style::plain()).starts_with("old "));
    assert!(list(&[row(&old), row(&fixtures::skip())], &none, &Style::plain()).starts_with("rc/old "));
}

#[test]
fn colour_changes_no_column() {
    let reports = fixtures::all();
    let rows: Vec<_> = reports.iter().map(row).collect();
    let coloured = list(&rows, &all(), &Style::new(true, 80));
    assert_eq!(coloured.matches("\x1b[0m").count(), rows.len());
    let plain = list(&rows, &all(), &Style::plain());
    for (coloured, plain) in coloured.lines().zip(plain.lines()) {
        assert_eq!(crate::report::style::columns(coloured), crate::report::style::columns(plain));
    }
}

#[test]
fn text_of_the_cluster_is_escaped_and_keeps_its_line() {
    let mut report = fixtures::settled();
    report.object.name = "web\x1b[2J\n\u{202e}".to_owned();
    let evil = PodRow { status: "Run\rning".to_owned(), ..pod(&report, "a\nb") };
    let table = list(&[ListRow { pods: vec![evil], ..row(&report) }], &all(), &Style::plain());
    assert_eq!(table.lines().count(), 3);
    assert!(table.contains(r"web\x1b[2J\n\u{202e}") && table.contains(r"a\nb   1/1   Run\rning"));
    assert!(!table.contains(|c: char| c.is_control() && c != '\n'));
}

#[test]
fn more_rows_keep_the_columns_and_say_what_time_does_not() {
    let (report, style) = (fixtures::skip(), Style::new(false, 80));
    let (long, mut short) = (row(&report), report.clone());
    short.object.name = "a".into();
    let (options, mut widths) = (ListOptions { headers: true, ..ListOptions::default() }, Grid::default());
    let head = more(std::slice::from_ref(&long), &options, &style, &mut widths);
    let rest = more(&[row(&short)], &ListOptions::default(), &style, &mut widths);
    let column = head.find("DESIRED").unwrap();
    assert_eq!(rest[..column].trim_end(), "a", "{head}{rest}");
    assert!(!rest[column..].starts_with(' '), "{head}{rest}");
    let older = ListRow { age: Some(SignedDuration::from_hours(124)), ..long.clone() };
    assert_eq!(content(&older, &all()), content(&long, &all()));
    let ready = ListRow { ready: Some(77), ..long.clone() };
    assert_ne!(content(&ready, &options), content(&long, &options));
}

#[test]
fn gaps_shrink_where_rows_then_fit() {
    let report = fixtures::skip();
    let options = ListOptions { headers: true, ..ListOptions::default() };
    let widest = |width| {
        let table = list(&[row(&report)], &options, &Style::new(false, width));
        table.lines().map(|line| line.len()).max().unwrap()
    };
    assert_eq!([100, 80, 75, 70, 20].map(widest), [83, 75, 75, 67, 67]);
}

#[test]
fn labels_stand_in_columns_of_their_own() {
    let report = fixtures::settled();
    let labels = [("app", "web"), ("example.com/tier", "a\x1bb")].into_iter().collect();
    let label_columns = vec!["example.com/tier".to_owned(), "zone".to_owned()];
    let options = ListOptions { headers: true, label_columns, labels: true, ..ListOptions::default() };
    let table = list(&[ListRow { labels, ..row(&report) }], &options, &roomy());
    assert!(table.contains("UNTIL   TIER     ZONE     LABELS\n"), "{table}");
    assert!(table.ends_with("a\\x1bb   <none>   app=web,example.com/tier=a\\x1bb\n"), "{table}");
    let bare = list(&[row(&report)], &options, &roomy());
    assert!(bare.ends_with("<none>   <none>   <none>\n"), "{bare}");
}
