//! The table of `list`, as kubectl prints tables.

mod cells;
mod grid;

use comfy_table::Table;
use jiff::SignedDuration;
use unicode_width::UnicodeWidthChar;

use super::format::age;
use super::sanitize::escape;
use super::style::Style;
use super::{Report, Verdict, Victim};
use crate::objects::Labels;
pub(crate) use cells::why;
use cells::{SYNC, UNTIL, cells, heads};
pub(crate) use grid::Grid;
use grid::new_table;

/// What a table shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ListOptions {
    /// The column NAMESPACE.
    pub(crate) namespaces: bool,
    /// The column AT: the rows are of several instants.
    pub(crate) instants: bool,
    /// The line with the columns' names.
    pub(crate) headers: bool,
    /// The columns of `-o wide`.
    pub(crate) wide: bool,
    /// The pods beneath their ReplicaSet.
    pub(crate) pods: bool,
    /// A column for each of these labels.
    pub(crate) label_columns: Vec<String>,
    /// The column LABELS.
    pub(crate) labels: bool,
}

/// A ReplicaSet in a table: its report, and what `kubectl get` shows of it.
#[derive(Debug, Clone)]
pub(crate) struct ListRow<'a> {
    pub(crate) report: &'a Report,
    /// status.replicas.
    pub(crate) current: Option<i32>,
    /// status.readyReplicas.
    pub(crate) ready: Option<i32>,
    /// The time since its creation.
    pub(crate) age: Option<SignedDuration>,
    pub(crate) pods: Vec<PodRow>,
    pub(crate) labels: Labels,
    /// What it belongs to, as `deploy/web`.
    pub(crate) owner: Option<String>,
    /// The objects for which this row stands, where it is more than one.
    pub(crate) group: Option<Group>,
}

/// Several objects in one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// What stands under NAME.
    pub(crate) name: String,
    /// What stands under NAMESPACE.
    pub(crate) namespace: String,
    /// The sum of the wanted pods.
    pub(crate) desired: Option<i64>,
    /// The sum of the present ones.
    pub(crate) current: Option<i64>,
    /// The sum of the ready ones.
    pub(crate) ready: Option<i64>,
    /// The time until the verdict of the last one changes.
    pub(crate) until: Option<SignedDuration>,
}

/// A pod beneath its ReplicaSet.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PodRow {
    pub(crate) name: String,
    /// Ready containers: `1/1`; `-` if that is unknown.
    pub(crate) ready: String,
    /// Running, Pending, Terminating, Failed, ...
    pub(crate) status: String,
    /// Restarts of its containers.
    pub(crate) restarts: i64,
    /// The time since its creation.
    pub(crate) age: Option<SignedDuration>,
    /// The node that it is bound to.
    pub(crate) node: Option<String>,
    /// What the next sync does with it; see [`fate`].
    pub(crate) note: String,
}

/// The table; empty without rows.
#[cfg(test)]
pub(crate) fn list(reports: &[ListRow<'_>], options: &ListOptions, style: &Style) -> String {
    more(reports, options, style, &mut Grid::default())
}

/// More rows of a table, in the columns of those written before.
pub(crate) fn more(reports: &[ListRow<'_>], options: &ListOptions, style: &Style, grid: &mut Grid) -> String {
    if reports.is_empty() {
        return String::new();
    }
    let mut lines = grid.lines(&mut main_table(reports, options), style.width).into_iter();
    let sync = grid.begin(SYNC + usize::from(options.namespaces) + usize::from(options.instants));
    let mut pods = pod_lines(reports, options, style).into_iter();
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
pub(crate) fn plain(heads: &[&str], rows: &[Vec<String>]) -> String {
    more_plain(heads, true, rows, &mut Grid::spaced())
}

/// More rows of a table of nothing but text, see [`more`].
pub(crate) fn more_plain(heads: &[&str], headers: bool, rows: &[Vec<String>], grid: &mut Grid) -> String {
    let mut table = new_table();
    if headers {
        table.set_header(heads.iter().map(|head| escape(head).into_owned()));
    }
    for row in rows {
        table.add_row(row.iter().map(|cell| escape(cell).into_owned()));
    }
    let mut out = String::new();
    grid.lines(&mut table, usize::MAX).iter().for_each(|line| push(&mut out, line));
    out
}

/// What a row shows, but for what time alone changes: who watches wants to see a row again only if
/// something else in it is new.
pub(crate) fn content(row: &ListRow<'_>, options: &ListOptions) -> String {
    let options = ListOptions { namespaces: false, instants: false, ..options.clone() };
    let mut shown = cells(&ListRow { age: None, pods: Vec::new(), ..row.clone() }, &options, true);
    shown[UNTIL] = row.report.until.is_some().to_string();
    let pods = row.pods[..shown_pods(row, &options)].iter();
    shown.extend(pods.flat_map(|pod| pod_cells(&PodRow { age: None, ..pod.clone() })));
    shown.join("\t")
}

/// What the next sync does with a pod, in a word or two. When it cannot delete yet: `goes later`.
pub(crate) fn fate(report: &Report, pod: &str) -> &'static str {
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

fn main_table(rows: &[ListRow<'_>], options: &ListOptions) -> Table {
    let mut table = new_table();
    if options.headers {
        table.set_header(heads(options));
    }
    let mixed = rows.iter().any(|row| row.report.object.kind != rows[0].report.object.kind);
    for row in rows {
        table.add_row(cells(row, options, mixed));
    }
    table
}

/// Colour is put in afterwards: in a cell it would be measured.
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
    let lines = Grid::spaced().lines(&mut table, usize::MAX);
    marks.iter().zip(lines).map(|(mark, line)| format!("{}{line}", style.dim(mark))).collect()
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
mod tests;
