//! The table of `list`, as kubectl prints tables.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width, presets};
use jiff::SignedDuration;
use unicode_width::UnicodeWidthChar;

pub use super::moment::age;
use super::moment::exact;
use super::sanitize::escape;
use super::style::Style;
use super::{Plan, Range, Report, Verdict, Victim};
use crate::controller::BURST;
use crate::reconstruct::reasons::Code;

/// Blanks between columns, as kubectl has them.
const PADDING: u16 = 3;

/// The place of the column UNTIL.
const UNTIL: usize = 8;

/// What a table shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListOptions {
    /// The column NAMESPACE.
    pub namespaces: bool,
    /// The column AT: the rows are of several instants.
    pub instants: bool,
    /// The line with the columns' names.
    pub headers: bool,
    /// The columns of `-o wide`.
    pub wide: bool,
    /// The pods beneath their ReplicaSet.
    pub pods: bool,
}

/// A ReplicaSet in a table: its report, and what `kubectl get` shows of it.
#[derive(Debug, Clone)]
pub struct ListRow<'a> {
    /// The report.
    pub report: &'a Report,
    /// status.replicas.
    pub current: Option<i32>,
    /// status.readyReplicas.
    pub ready: Option<i32>,
    /// The time since its creation.
    pub age: Option<SignedDuration>,
    /// Its pods.
    pub pods: Vec<PodRow>,
}

/// A pod beneath its ReplicaSet.
#[derive(Debug, Clone, PartialEq)]
pub struct PodRow {
    /// Its name.
    pub name: String,
    /// Ready containers: `1/1`; `-` if that is unknown.
    pub ready: String,
    /// Running, Pending, Terminating, Failed, ...
    pub status: String,
    /// Restarts of its containers.
    pub restarts: i64,
    /// The time since its creation.
    pub age: Option<SignedDuration>,
    /// The node that it is bound to.
    pub node: Option<String>,
    /// What the next sync does with it; see [`fate`].
    pub note: String,
}

/// The table; empty without rows.
pub fn list(reports: &[ListRow<'_>], options: &ListOptions, style: &Style) -> String {
    more(reports, options, style, &mut Vec::new())
}

/// More rows of a table: no column is narrower than it was, and what it takes now is kept in `widths`.
pub fn more(reports: &[ListRow<'_>], options: &ListOptions, style: &Style, widths: &mut Vec<u16>) -> String {
    if reports.is_empty() {
        return String::new();
    }
    let mut main = main_table(reports, options);
    widen(&mut main, widths);
    let sync = sync_column(widths, options);
    let mut pods = pod_lines(reports, options, style).into_iter();
    let mut lines = lines(&main).into_iter();
    let mut out = String::new();
    for line in lines.by_ref().take(usize::from(options.headers)) {
        push(&mut out, &line);
    }
    for (row, line) in reports.iter().zip(lines) {
        push(&mut out, &coloured(&line, sync, row.report.verdict, style));
        for line in pods.by_ref().take(shown_pods(row, options)) {
            push(&mut out, &line);
        }
    }
    out
}

/// A table of nothing but text.
pub fn plain(heads: &[&str], rows: &[Vec<String>]) -> String {
    more_plain(heads, true, rows, &mut Vec::new())
}

/// More rows of a table of nothing but text, see [`more`].
pub fn more_plain(heads: &[&str], headers: bool, rows: &[Vec<String>], widths: &mut Vec<u16>) -> String {
    let mut table = new_table();
    if headers {
        table.set_header(heads.to_vec());
    }
    for row in rows {
        table.add_row(row.iter().map(|cell| escape(cell).into_owned()));
    }
    pad(&mut table);
    widen(&mut table, widths);
    let mut out = String::new();
    lines(&table).iter().for_each(|line| push(&mut out, line));
    out
}

/// What a row shows, but for what time alone changes: who watches wants to see a row again only if
/// something else in it is new.
pub fn content(row: &ListRow<'_>, wide: bool, pods: bool) -> String {
    let options = ListOptions { wide, pods, ..ListOptions::default() };
    let mut shown = cells(&ListRow { age: None, pods: Vec::new(), ..row.clone() }, &options, true);
    shown[UNTIL] = row.report.until.is_some().to_string();
    let pods = row.pods[..shown_pods(row, &options)].iter();
    shown.extend(pods.flat_map(|pod| pod_cells(&PodRow { age: None, ..pod.clone() })));
    shown.join("\t")
}

/// What the next sync does with a pod, in a word or two. When it cannot delete yet: `goes later`.
pub fn fate(report: &Report, pod: &str) -> &'static str {
    let among = |victims: &[Victim]| victims.iter().any(|victim| victim.pod == pod);
    let named = |names: &[String]| names.iter().any(|name| name == pod);
    let plan = &report.plan;
    if named(&plan.adopt) {
        return "adopted";
    }
    if named(&plan.release) {
        return "released";
    }
    let now = report.verdict == Verdict::Act;
    match (among(&plan.delete.certain), among(&plan.delete.possible)) {
        (true, _) if now => "goes",
        (true, _) => "goes later",
        (_, true) if now => "may go",
        (_, true) => "may go later",
        _ => "stays",
    }
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

fn new_table() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table
}

/// One line a row: every cell is escaped, so none holds a line break.
fn lines(table: &Table) -> Vec<String> {
    table.lines().map(|line| line.trim_end().to_owned()).collect()
}

fn pad(table: &mut Table) {
    for column in table.column_iter_mut() {
        column.set_padding((0, PADDING));
    }
}

fn main_table(rows: &[ListRow<'_>], options: &ListOptions) -> Table {
    let mut table = new_table();
    if options.headers {
        table.set_header(headers(options));
    }
    let mixed = rows.iter().any(|row| row.report.object.kind != rows[0].report.object.kind);
    for row in rows {
        table.add_row(cells(row, options, mixed));
    }
    pad(&mut table);
    table
}

fn headers(options: &ListOptions) -> Vec<&'static str> {
    let mut names = vec!["NAME", "DESIRED", "CURRENT", "READY", "AGE", "SYNC", "EXPECT", "WHY", "UNTIL"];
    if options.namespaces {
        names.insert(0, "NAMESPACE");
    }
    if options.instants {
        names.insert(0, "AT");
    }
    if options.wide {
        names.extend(["DIFF", "PLAN", "GATE", "EVIDENCE"]);
    }
    names
}

fn cells(row: &ListRow<'_>, options: &ListOptions, mixed: bool) -> Vec<String> {
    let report = row.report;
    let reason = report.reasons.iter().find(|reason| reason.code != Code::VersionAssumed.as_str());
    let mut cells = vec![
        name(report, mixed),
        number(report.desired),
        number(row.current),
        number(row.ready),
        row.age.map_or_else(|| "<unknown>".to_owned(), age),
        report.verdict.as_str().to_owned(),
        expectations(report),
        reason.map_or("-", |reason| reason.code).to_owned(),
        remaining(report),
    ];
    if options.namespaces {
        cells.insert(0, escape(&report.object.namespace).into_owned());
    }
    if options.instants {
        cells.insert(0, exact(report.as_of));
    }
    if options.wide {
        cells.push(number(report.diff));
        cells.push(plan(&report.plan));
        cells.push(report.expectations.gate.to_owned());
        cells.push(reason.map_or("-", |reason| reason.tier).to_owned());
    }
    cells
}

fn name(report: &Report, mixed: bool) -> String {
    let name = escape(&report.object.name);
    if mixed && report.object.kind == "ReplicationController" {
        format!("rc/{name}")
    } else {
        name.into_owned()
    }
}

fn number(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

/// `3/0`. Of a settled ReplicaSet only what is known, since nothing hangs on it.
fn expectations(report: &Report) -> String {
    let (add, del) = (report.expectations.add, report.expectations.del);
    let known = |range: Range| range.min.is_some() && range.min == range.max;
    if report.verdict == Verdict::Settled && !(known(add) && known(del)) {
        return "-".to_owned();
    }
    format!("{}/{}", counter(add), counter(del))
}

/// `3`, `0..3`, `≤3`, `≥3`, `?`.
fn counter(range: Range) -> String {
    match (range.min, range.max) {
        (Some(min), Some(max)) if min == max => min.to_string(),
        (Some(min), Some(max)) => format!("{min}..{max}"),
        (Some(min), None) => format!("≥{min}"),
        (None, Some(max)) if max < BURST as i64 => format!("≤{max}"),
        (None, _) => "?".to_owned(),
    }
}

/// The time until the verdict changes by itself.
fn remaining(report: &Report) -> String {
    report.until.as_ref().map_or_else(
        || "-".to_owned(),
        |until| age(until.at.duration_since(report.as_of).max(SignedDuration::ZERO)),
    )
}

/// `adopt 1, +3`.
fn plan(plan: &Plan) -> String {
    let mut parts = Vec::new();
    for (verb, pods) in [("adopt", &plan.adopt), ("release", &plan.release)] {
        if !pods.is_empty() {
            parts.push(format!("{verb} {}", pods.len()));
        }
    }
    match plan.action {
        Some("create") => parts.push(format!("+{}", plan.count)),
        Some("delete") => parts.push(format!("-{}", plan.count)),
        Some(_) if parts.is_empty() => parts.push("-".to_owned()),
        Some(_) => {}
        None => parts.push("?".to_owned()),
    }
    parts.join(", ")
}

/// Makes columns at least as wide as they were.
fn widen(table: &mut Table, widths: &mut Vec<u16>) {
    let content = table.column_max_content_widths();
    widths.resize(content.len(), 0);
    for (width, content) in widths.iter_mut().zip(content) {
        *width = content.max(*width);
    }
    for (column, width) in table.column_iter_mut().zip(widths.iter()) {
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width + PADDING)));
    }
}

/// Where the column SYNC begins. Colour is put in afterwards: in a cell it would be measured.
fn sync_column(widths: &[u16], options: &ListOptions) -> usize {
    let before = 5 + usize::from(options.namespaces) + usize::from(options.instants);
    widths.iter().take(before).map(|width| usize::from(width + PADDING)).sum()
}

fn coloured(line: &str, column: usize, verdict: Verdict, style: &Style) -> String {
    let mut used = 0;
    let at = line.char_indices().find_map(|(at, c)| {
        let here = (used >= column).then_some(at);
        used += c.width().unwrap_or(0);
        here
    });
    let (before, rest) = line.split_at(at.unwrap_or(line.len()));
    match rest.strip_prefix(verdict.as_str()) {
        Some(after) => format!("{before}{}{after}", style.verdict(verdict, verdict.as_str())),
        None => line.to_owned(),
    }
}

fn shown_pods(row: &ListRow<'_>, options: &ListOptions) -> usize {
    if options.pods { row.pods.len() } else { 0 }
}

/// The lines of all pods, aligned over the whole list.
fn pod_lines(rows: &[ListRow<'_>], options: &ListOptions, style: &Style) -> Vec<String> {
    let mut table = new_table();
    let mut marks = Vec::new();
    for row in rows {
        let length = shown_pods(row, options);
        for (at, pod) in row.pods[..length].iter().enumerate() {
            marks.push(if at + 1 == length { "└─ " } else { "├─ " });
            table.add_row(pod_cells(pod));
        }
    }
    if marks.is_empty() {
        return Vec::new();
    }
    pad(&mut table);
    marks.iter().zip(lines(&table)).map(|(mark, line)| format!("{}{line}", style.dim(mark))).collect()
}

fn pod_cells(pod: &PodRow) -> Vec<String> {
    vec![
        escape(&pod.name).into_owned(),
        escape(&pod.ready).into_owned(),
        escape(&pod.status).into_owned(),
        pod.restarts.to_string(),
        pod.age.map_or_else(|| "<unknown>".to_owned(), age),
        pod.node.as_deref().map_or_else(|| "<none>".into(), escape).into_owned(),
        escape(&pod.note).into_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures;

    fn row(report: &Report) -> ListRow<'_> {
        ListRow {
            report,
            current: report.active.map(|n| n as i32),
            ready: report.active.map(|n| n as i32),
            age: Some(SignedDuration::from_hours(123)),
            pods: vec![],
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

    const ALL: ListOptions =
        ListOptions { namespaces: true, instants: false, headers: true, wide: true, pods: true };

    #[test]
    fn table_looks_as_kubectl_prints_it() {
        let (skip, settled) = (fixtures::skip(), fixtures::settled());
        let options = ListOptions { headers: true, ..ListOptions::default() };
        assert_eq!(
            list(&[row(&skip), row(&settled)], &options, &Style::plain()),
            "NAME   DESIRED   CURRENT   READY   AGE    SYNC      EXPECT   WHY                 UNTIL\n\
             web    10        7         7       5d3h   skip      3/0      ExpectationsUnmet   4m10s\n\
             web    10        10        10      5d3h   settled   0/0      -                   -\n"
        );
    }

    #[test]
    fn wide_table_tells_plan_and_gate() {
        let burst = fixtures::burst();
        assert_eq!(
            list(&[row(&burst)], &ALL, &Style::plain()),
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
        old.object.kind = "ReplicationController";
        old.object.name = "old".to_owned();
        let none = ListOptions::default();
        assert!(list(&[row(&old)], &none, &Style::plain()).starts_with("old "));
        assert!(list(&[row(&old), row(&fixtures::skip())], &none, &Style::plain()).starts_with("rc/old "));
    }

    #[test]
    fn colour_changes_no_column() {
        let reports = fixtures::all();
        let rows: Vec<_> = reports.iter().map(row).collect();
        let coloured = list(&rows, &ALL, &Style::new(true, 80));
        assert_eq!(coloured.matches("\x1b[0m").count(), rows.len());
        let plain = list(&rows, &ALL, &Style::plain());
        for (coloured, plain) in coloured.lines().zip(plain.lines()) {
            assert_eq!(crate::report::style::columns(coloured), crate::report::style::columns(plain));
        }
    }

    #[test]
    fn text_of_the_cluster_is_escaped_and_keeps_its_line() {
        let mut report = fixtures::settled();
        report.object.name = "web\x1b[2J\n\u{202e}".to_owned();
        let evil = PodRow { status: "Run\rning".to_owned(), ..pod(&report, "a\nb") };
        let table = list(&[ListRow { pods: vec![evil], ..row(&report) }], &ALL, &Style::plain());
        assert_eq!(table.lines().count(), 3);
        assert!(table.contains(r"web\x1b[2J\n\u{202e}") && table.contains(r"a\nb   1/1   Run\rning"));
        assert!(!table.contains(|c: char| c.is_control() && c != '\n'));
    }

    #[test]
    fn more_rows_keep_the_columns_and_say_what_time_does_not() {
        let (report, style) = (fixtures::skip(), Style::new(false, 80));
        let (long, mut short) = (row(&report), report.clone());
        short.object.name = "a".into();
        let (options, mut widths) = (ListOptions { headers: true, ..ListOptions::default() }, Vec::new());
        let head = more(std::slice::from_ref(&long), &options, &style, &mut widths);
        let rest = more(&[row(&short)], &ListOptions::default(), &style, &mut widths);
        let column = head.find("DESIRED").unwrap();
        assert_eq!(rest[..column].trim_end(), "a", "{head}{rest}");
        assert!(!rest[column..].starts_with(' '), "{head}{rest}");
        let older = ListRow { age: Some(SignedDuration::from_hours(124)), ..long.clone() };
        assert_eq!(content(&older, true, true), content(&long, true, true));
        let ready = ListRow { ready: Some(77), ..long.clone() };
        assert_ne!(content(&ready, false, false), content(&long, false, false));
    }

    #[test]
    fn ranges_are_short() {
        for (min, max, shown) in [
            (Some(3), Some(3), "3"),
            (Some(0), Some(3), "0..3"),
            (None, Some(3), "≤3"),
            (Some(3), None, "≥3"),
            (None, Some(500), "?"),
            (None, None, "?"),
        ] {
            assert_eq!(counter(Range { min, max }), shown);
        }
    }
}
