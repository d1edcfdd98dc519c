//! The list of a whole cluster: what will not settle comes first, equal causes stand in one row, and a
//! line counts them all.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;

use super::table::{Group, ListRow, why};
use super::{Report, Verdict};
use crate::reasons::Code;

/// So many objects with one cause have rows of their own; more of them share one.
const HANDFUL: usize = 5;

/// Verdicts, what needs a look first.
const ORDER: [Verdict; 5] =
    [Verdict::Blocked, Verdict::Undetermined, Verdict::Skip, Verdict::Act, Verdict::Settled];

/// The same with what needs a look first, otherwise in the order in which they come.
pub(crate) fn pressing_first<'a>(mut rows: Vec<ListRow<'a>>) -> Vec<ListRow<'a>> {
    rows.sort_by_key(|row| ORDER.iter().position(|verdict| *verdict == row.report.verdict));
    rows
}

/// Whether an object needs no look.
pub(crate) fn is_settled(row: &ListRow<'_>) -> bool {
    row.report.verdict == Verdict::Settled
}

/// The same with one row for all objects that share a cause, where these are more than a handful: those
/// of a namespace, or all if the cause is met in more than a handful of namespaces.
pub(crate) fn collapsed<'a>(rows: Vec<ListRow<'a>>) -> Vec<ListRow<'a>> {
    let mut spread: BTreeMap<Cause, BTreeSet<&str>> = BTreeMap::new();
    for row in &rows {
        spread.entry(cause(row)).or_default().insert(&row.report.object.namespace);
    }
    let wide = |cause: &Cause| spread.get(cause).is_some_and(|namespaces| namespaces.len() > HANDFUL);
    let place = |row: &ListRow<'a>| {
        let cause = cause(row);
        let namespace = (!wide(&cause)).then_some(row.report.object.namespace.as_str());
        (cause, namespace)
    };
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(place(row)).or_default() += 1);
    let mut groups: BTreeMap<_, Vec<ListRow<'a>>> = BTreeMap::new();
    let mut order = Vec::new();
    for row in rows {
        let place = place(&row);
        if counts[&place] <= HANDFUL || is_settled(&row) {
            order.push(Err(row));
            continue;
        }
        let group = groups.entry(place).or_default();
        if group.is_empty() {
            order.push(Ok(place));
        }
        group.push(row);
    }
    let in_one = |place| together(groups.get(&place)?);
    order.into_iter().filter_map(|one| one.map_or_else(Some, in_one)).collect()
}

/// What objects have in common that stand in one row: the verdict and why.
type Cause = (Verdict, Option<Code>);

fn cause(row: &ListRow<'_>) -> Cause {
    (row.report.verdict, why(row.report).map(|reason| reason.code))
}

/// One row for all of them.
fn together<'a>(rows: &[ListRow<'a>]) -> Option<ListRow<'a>> {
    let first = rows.first()?;
    let namespaces: BTreeSet<&str> = rows.iter().map(|row| row.report.object.namespace.as_str()).collect();
    let is_one_owner = namespaces.len() == 1 && rows.iter().all(|row| row.owner == first.owner);
    let name = match &first.owner {
        Some(owner) if is_one_owner => format!("{} of {owner}", rows.len()),
        _ => format!("{} {}", rows.len(), kinds(rows.iter().map(|row| row.report), rows.len())),
    };
    let namespace = match namespaces.len() {
        1 => first.report.object.namespace.clone(),
        several => format!("{several} namespaces"),
    };
    let sum = |of: fn(&ListRow<'a>) -> Option<i32>| rows.iter().map(|row| of(row).map(i64::from)).sum();
    let left =
        |row: &ListRow<'_>| row.report.until.as_ref().map(|until| until.at.duration_since(row.report.as_of));
    // Where one of them has no such time, neither have all of them.
    let until: Option<Vec<SignedDuration>> = rows.iter().map(left).collect();
    let group = Group {
        name,
        namespace,
        desired: sum(|row| row.report.desired),
        current: sum(|row| row.current),
        ready: sum(|row| row.ready),
        until: until.and_then(|times| times.into_iter().max()),
    };
    Some(ListRow { group: Some(group), pods: Vec::new(), ..first.clone() })
}

/// The last line: `412 ReplicaSets: 405 settled, 5 skip, 1 blocked, 1 undetermined`.
pub(crate) fn summary(reports: &[Report]) -> String {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    reports.iter().for_each(|report| *counts.entry(report.verdict).or_default() += 1);
    let parts: Vec<String> = counts.iter().map(|(verdict, n)| format!("{n} {}", verdict.as_str())).collect();
    format!("{} {}: {}\n", reports.len(), kinds(reports.iter(), reports.len()), parts.join(", "))
}

/// What so many objects are called.
fn kinds<'r>(mut reports: impl Iterator<Item = &'r Report>, count: usize) -> String {
    let Some(kind) = reports.next().map(|report| report.object.kind) else { return "ReplicaSets".into() };
    match (reports.all(|report| report.object.kind == kind), count) {
        (true, 1) => kind.as_str().to_owned(),
        (true, _) => format!("{}s", kind.as_str()),
        (false, _) => "ReplicaSets and ReplicationControllers".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Labels;
    use crate::report::fixtures;
    use crate::report::style::Style;
    use crate::report::table::{ListOptions, list};

    fn report(namespace: &str, name: &str, of: &Report) -> Report {
        let mut report = of.clone();
        report.object.namespace = namespace.to_owned();
        report.object.name = name.to_owned();
        report
    }

    fn row<'a>(report: &'a Report, owner: Option<&str>) -> ListRow<'a> {
        ListRow {
            report,
            current: Some(7),
            ready: Some(1),
            age: None,
            pods: Vec::new(),
            labels: Labels::default(),
            owner: owner.map(str::to_owned),
            group: None,
        }
    }

    /// The first two columns, DESIRED and READY of each row.
    fn shown(reports: &[Report], owner: Option<&str>) -> Vec<String> {
        let rows = collapsed(reports.iter().map(|report| row(report, owner)).collect());
        let options = ListOptions { namespaces: true, ..ListOptions::default() };
        let table = list(&rows, &options, &Style::new(false, 200));
        let cells = |line: &str| {
            let cells: Vec<&str> = line.split("   ").filter(|cell| !cell.is_empty()).map(str::trim).collect();
            [cells[0], cells[1], cells[2], cells[4]].join(" | ")
        };
        table.lines().map(cells).collect()
    }

    #[test]
    fn more_than_a_handful_of_one_cause_in_a_namespace_share_a_row() {
        let five: Vec<Report> = (0..5).map(|n| report("shop", &format!("w{n}"), &fixtures::skip())).collect();
        assert_eq!(shown(&five, None).len(), 5);
        let six: Vec<Report> = (0..6).map(|n| report("shop", &format!("w{n}"), &fixtures::skip())).collect();
        assert_eq!(shown(&six, None), ["shop | 6 ReplicaSets | 60 | 6"]);
        assert_eq!(shown(&six, Some("deploy/web")), ["shop | 6 of deploy/web | 60 | 6"]);
        let other = report("shop", "other", &fixtures::burst());
        assert_eq!(shown(&[six, vec![other]].concat(), None)[1], "shop | other | 1201 | 1");
    }

    #[test]
    fn a_cause_in_many_namespaces_has_one_row_for_all() {
        let all: Vec<Report> = (0..6).map(|n| report(&format!("n{n}"), "web", &fixtures::skip())).collect();
        assert_eq!(shown(&all[..5], None).len(), 5);
        assert_eq!(shown(&all, Some("deploy/web")), ["6 namespaces | 6 ReplicaSets | 60 | 6"]);
    }

    #[test]
    fn settled_ones_are_never_collapsed_and_come_last() {
        let settled: Vec<Report> =
            (0..9).map(|n| report("a", &format!("s{n}"), &fixtures::settled())).collect();
        assert_eq!(shown(&settled, None).len(), 9);
        let all = [settled, vec![report("z", "web", &fixtures::skip())]].concat();
        let rows = pressing_first(all.iter().map(|report| row(report, None)).collect());
        assert_eq!(rows[0].report.object.namespace, "z");
    }

    #[test]
    fn the_summary_counts_each_verdict() {
        let all = [fixtures::skip(), fixtures::settled(), fixtures::settled()];
        assert_eq!(summary(&all), "3 ReplicaSets: 2 settled, 1 skip\n");
        assert_eq!(summary(&all[..1]), "1 ReplicaSet: 1 skip\n");
    }
}
