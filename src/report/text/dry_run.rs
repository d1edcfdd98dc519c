//! The syncs of a dry run, each as a diff, and where they lead.

use std::collections::BTreeMap;

use super::page::Page;
use super::plan::{status_items, victims};
use crate::reasons::Code;
use crate::report::format::{count, names, offset};
use crate::report::sanitize::{escape, prose};
use crate::report::sentences::expectations::gate_word;
use crate::report::sentences::next_sync::foreseen;
use crate::report::style::{Style, columns};
use crate::report::{Counters, PlannedSync, Report, SyncAction, Victim};

/// Columns of the labels inside a sync.
const LABEL: usize = 12;

/// The API server cuts the prefix of a generated name here (63 less 5 random characters).
const PREFIX: usize = 58;

/// Every sync.
pub(super) fn syncs(page: &mut Page, report: &Report, wide: bool) {
    let mut waited = false;
    for sync in &report.syncs {
        page.gap();
        let title = title(sync, report, page.style, waited);
        match columns(&title) <= page.style.width {
            true => page.line(&title),
            false => page.paragraph(8, &title),
        }
        waited = sync.skipped;
        changes(page, sync, report, wide);
        aftermath(page, sync, wide);
    }
}

/// `sync 1  at +0.0s  gate fulfilled  active 7 of 10 (diff -3)`.
///
/// After a wait nothing but its end is known, and that its end triggers no sync.
fn title(sync: &PlannedSync, report: &Report, style: &Style, waited: bool) -> String {
    let number = style.bold(&format!("sync {}", sync.sync));
    let gate = gate_word(sync.gate, report);
    let when = if waited { "if triggered after" } else { "at" };
    let mut title = format!("{number}  {when} {}  gate {gate}", offset(sync.at, report.as_of));
    if let Some(active) = sync.active {
        title.push_str(&format!("  active {active}"));
        title.push_str(&report.desired.map(|n| format!(" of {n}")).unwrap_or_default());
    }
    match sync.diff {
        Some(0) => title.push_str(" (diff 0)"),
        Some(diff) => title.push_str(&format!(" (diff {diff:+})")),
        None => {}
    }
    title
}

/// What the sync does to pods.
fn changes(page: &mut Page, sync: &PlannedSync, report: &Report, wide: bool) {
    let plan = &sync.plan;
    let style = page.style;
    for (pods, verb) in [(&plan.adopt, "> adopts"), (&plan.release, "< releases")] {
        if !pods.is_empty() {
            page.indented(2, &format!("{verb} {}", names(pods.iter().map(String::as_str), wide)));
        }
    }
    if sync.skipped {
        labelled(page, "skipped", "expectations unmet: it creates and deletes nothing");
        return;
    }
    match plan.action {
        Some(SyncAction::Create) => {
            if plan.create.created > 0 || plan.create.calls == 0 {
                let pods = count(plan.create.created, "pod");
                let line = format!("  + {pods}  ({}xxxxx)", escape(&prefix(&report.object.name)));
                page.line(&style.added(&line));
            }
            if plan.create.batches.len() > 1 {
                batches(page, &plan.create.batches);
            }
        }
        Some(SyncAction::Delete) => victims(page, plan, 2, wide),
        Some(_) if plan.adopt.is_empty() && plan.release.is_empty() => page.line("  changes no pods"),
        Some(_) => {}
        None => page.line("  what it does to pods is unknown"),
    }
    if plan.capped {
        labelled(page, "burst cap", "one sync creates or deletes no more");
    }
    if let Some(text) = foreseen(plan) {
        labelled(page, "refused", &text);
    }
}

/// What the sync leaves behind.
fn aftermath(page: &mut Page, sync: &PlannedSync, wide: bool) {
    if let Some(status) = sync.plan.status.as_ref().filter(|status| status.write) {
        // The conditions tell little where the error stands below.
        let items = status_items(status, page.style);
        let some = if wide || sync.error.is_none() { items.len() } else { 1 };
        for (at, item) in items[..some].iter().enumerate() {
            labelled(page, if at == 0 { "status" } else { "" }, item);
        }
    }
    let acts = matches!(sync.plan.action, Some(SyncAction::Create | SyncAction::Delete)) && !sync.skipped;
    if acts || sync.skipped {
        let takes = if sync.seconds >= 0.05 {
            format!("; at least {:.1} s at the client's limits", sync.seconds)
        } else {
            String::new()
        };
        page.indented(2, &format!("expectations after: {}{takes}", counters(sync.expectations_after)));
    }
    if let Some(error) = &sync.error {
        let text = page.style.paragraph("  error       ", LABEL + 4, &prose(error));
        for line in text.lines() {
            page.line(&page.style.removed(line));
        }
    }
    if !sync.then.is_empty() {
        labelled(page, "then", &escape(&sync.then));
    }
}

fn labelled(page: &mut Page, label: &str, text: &str) {
    page.line(&page.style.paragraph(&format!("  {label:LABEL$}"), LABEL + 4, text));
}

fn counters(counters: Counters) -> String {
    let number = |n: Option<i64>| n.map_or_else(|| "unknown".to_owned(), |n| n.to_string());
    format!("add {}, del {}", number(counters.add), number(counters.del))
}

/// What the names of created pods begin with.
fn prefix(name: &str) -> String {
    format!("{name}-").chars().take(PREFIX).collect()
}

/// `1 · 2 · 4` and beside it bars, as far as the line goes.
fn batches(page: &mut Page, sizes: &[usize]) {
    let numbers = sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" · ");
    let room = page.style.width.saturating_sub(LABEL + 2 + columns(&numbers) + 3);
    match bars(sizes, room) {
        bars if bars.is_empty() => labelled(page, "batches", &numbers),
        bars => page.line(&format!("  {:LABEL$}{numbers}   {bars}", "batches")),
    }
}

fn bars(sizes: &[usize], room: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for (at, size) in sizes.iter().enumerate() {
        let last = at + 1 == sizes.len();
        // Two columns are kept for the mark of a cut.
        if used + size + if last { 0 } else { 2 } > room {
            out.push_str(if out.is_empty() { "" } else { " …" });
            break;
        }
        if at > 0 {
            out.push(' ');
        }
        out.push_str(&"▪".repeat(*size));
        used += size + 1;
    }
    out
}

/// `after 2 syncs: 10 of 10 pods`, and what would change the choice of victims.
pub(super) fn summary(page: &mut Page, report: &Report, wide: bool) {
    let mut items = vec![outcome(report)];
    items.extend(taken_to_succeed(report));
    let deleting: Vec<_> = report.syncs.iter().filter(|sync| deletes(sync)).collect();
    if let Some(sync) = deleting.last() {
        let of = if deleting.len() > 1 { format!(" of sync {}", sync.sync) } else { String::new() };
        let delete = &sync.plan.delete;
        if !delete.safe.is_empty() {
            items.push(format!("safe at the scale-down{of}: {}", count(delete.safe.len(), "pod")));
        }
        let all = || delete.certain.iter().chain(&delete.possible).chain(&delete.safe);
        items.extend(hints(all(), |v| v.cost_to_save, "or more would save", wide));
        items.extend(hints(all(), |v| v.cost_to_doom, "or less would doom", wide));
    }
    page.items("Result", &items);
}

fn deletes(sync: &PlannedSync) -> bool {
    sync.plan.action == Some(SyncAction::Delete) && !sync.skipped
}

fn outcome(report: &Report) -> String {
    let Some(last) = report.syncs.last() else { return "no sync was simulated".to_owned() };
    let syncs = count(report.syncs.len(), "sync");
    let (Some(active), Some(desired)) = (pods_after(last), report.desired) else {
        return format!("after {syncs}: the number of pods is unknown");
    };
    let pods = format!("{active} of {desired} pods");
    let settled = i64::from(desired) == active && last.error.is_none();
    if settled { format!("after {syncs}: {pods}") } else { format!("not settled after {syncs}: {pods}") }
}

/// Creates that were refused, or are foreseen to be, succeed here: nothing shows when the cause is gone.
fn taken_to_succeed(report: &Report) -> Option<String> {
    let about_others =
        [Code::DeleteRefused, Code::MessageOutdated, Code::EventsThinned, Code::PodsIrreplaceable];
    let refused = |code: Code| code.family() == "refusals" && !about_others.contains(&code);
    let reason = report.reasons.iter().find(|reason| refused(reason.code))?;
    let creates = |sync: &PlannedSync| sync.plan.action == Some(SyncAction::Create) && !sync.skipped;
    let met = |sync: &PlannedSync| sync.error.is_some() || sync.plan.create.created < sync.plan.count;
    let creating = report.syncs.iter().any(creates) && !report.syncs.iter().any(|s| creates(s) && met(s));
    creating.then(|| {
        let code = reason.code;
        format!("if the creates are not refused ({code}); --fail-creates shows them refused")
    })
}

/// Active pods once the sync has ended and its calls are seen.
fn pods_after(sync: &PlannedSync) -> Option<i64> {
    let active = i64::try_from(sync.active?).ok()?;
    if sync.skipped {
        return Some(active);
    }
    let number = |n: usize| i64::try_from(n).ok();
    match sync.plan.action? {
        SyncAction::Create => Some(active + number(sync.plan.create.created)?),
        // How many deletes went through before an error is not in the report.
        SyncAction::Delete if sync.error.is_some() => None,
        SyncAction::Delete => Some(active - number(sync.plan.count)?),
        SyncAction::None => Some(active),
    }
}

/// `pod-deletion-cost 6 or more would save web-c`, pods of the same cost together.
fn hints<'v>(
    victims: impl Iterator<Item = &'v Victim>,
    cost: impl Fn(&Victim) -> Option<i32>,
    effect: &str,
    wide: bool,
) -> Vec<String> {
    let mut groups: BTreeMap<i32, Vec<&str>> = BTreeMap::new();
    for victim in victims {
        if let Some(cost) = cost(victim) {
            groups.entry(cost).or_default().push(&victim.pod);
        }
    }
    let line = |(cost, mut pods): (i32, Vec<&str>)| {
        pods.sort_unstable();
        let any = if pods.len() > 1 { "any one of " } else { "" };
        format!("pod-deletion-cost {cost} {effect} {any}{}", names(pods.into_iter(), wide))
    };
    groups.into_iter().map(line).collect()
}
