//! Exact pages for the common cases, properties for the rest.

use super::*;
use crate::model::scale_down::Rule;
use crate::reasons::Tier;
use crate::reconstruct::answer::Trigger;
use crate::reconstruct::detail::RefusalDetail;
use crate::reconstruct::ledger::Basis;
use crate::report::fixtures::{
    absent, all, burst, dry, reason, refused, scale_down, settled, skip, time, undetermined, victim,
};
use crate::report::style::columns;
use crate::report::{Between, Bounds, LedgerLine, RunningReport};
use crate::report::{FactCode, SyncAction};

fn explained(report: &Report) -> String {
    explain(report, &Style::plain(), false)
}

fn dried(report: Report) -> String {
    dry_run(&dry(report), &Style::plain(), false)
}

/// Every page that the program can print of the fixtures.
fn pages(style: &Style) -> Vec<String> {
    let mut pages = Vec::new();
    for wide in [false, true] {
        pages.extend(all().iter().map(|report| explain(report, style, wide)));
        pages.extend(all().into_iter().map(|report| dry_run(&dry(report), style, wide)));
    }
    pages
}

#[test]
fn settled_is_short() {
    assert_eq!(
        explained(&settled()),
        "\
rs/web (shop): SETTLED – wants 10, has 10: the next sync changes nothing

Evidence  as of 2026-01-01T12:00:00Z; watched since 11:59:55Z without a gap;
            resourceVersion 123; Kubernetes 1.37 (read from the cluster)
"
    );
}

#[test]
fn skip_says_for_what_it_waits_and_until_when() {
    assert_eq!(
        explained(&skip()),
        "\
rs/web (shop): SKIP – wants 10, has 7: the next sync creates none yet, because
  it still waits for 3 creations
  until 12:04:10Z (in 4m10s): expectations expire, which does not trigger a
    sync; the pending pods may be observed earlier
  then trigger a sync:
    kubectl annotate -n shop rs/web touched=\"$(date)\" --overwrite

Expect    add 3, del 0 – waiting: the gate is closed, no sync creates or deletes
          set between 11:59:08Z and 11:59:10Z; expire between 12:04:08Z and
            12:04:10Z (in 4m10s)
Plan      once the gate is open: create 3 pods in batches of 1, 2
Why       ExpectationsUnmet (observed): the controller waits for 3 creations
          NothingWakes (inferred): the five minutes ended, which does not
            trigger a sync: the controller acts on the next event of the
            ReplicaSet or of one of its pods, or on the resync (every 12 to 24
            h)
Trigger   any event of the ReplicaSet or of one of its pods
Evidence  as of 2026-01-01T12:00:00Z; watched since 11:59:55Z without a gap;
            resourceVersion 123; Kubernetes 1.37 (read from the cluster)
          from watch of pods in shop; events

For details: kubectl rsexp explain ExpectationsUnmet
"
    );
}

#[test]
fn scale_down_is_shown_as_a_diff() {
    assert_eq!(
        dried(scale_down()),
        "\
rs/web (shop): ACT – wants 2, has 5: the next sync deletes 3 pods

sync 1  at +0.0s  gate none  active 5 of 2 (diff +3)
  - web-c (NotReady): it is not ready, the others are
  2 of these 3:
  ~ web-a (Rank): its node holds 3 pods of this owner, the others' 2
  ~ web-b (Rank): its node holds 3 pods of this owner, the others' 2
  ~ web-d (Rank): its node holds 3 pods of this owner, the others' 2
  1 pod stays: web-e
  status      writes replicas 5, ready 5, available 5, observedGeneration 4
  expectations after: add 0, del 3
  then        its pods are seen

sync 2  at +0.0s  gate fulfilled  active 2 of 2 (diff 0)
  changes no pods
  status      writes replicas 2, ready 2, available 2, observedGeneration 4

Result    after 2 syncs: 2 of 2 pods
          safe at the scale-down: 1 pod
          pod-deletion-cost 6 or more would save any one of web-a, web-b, web-c,
            web-d
          pod-deletion-cost -1 or less would doom any one of web-a, web-b,
            web-d, web-e
Evidence  as of 2026-01-01T12:00:00Z; watched since 11:59:55Z without a gap;
            resourceVersion 123; Kubernetes 1.37 (read from the cluster)
          from watch of pods in shop; events
"
    );
}

#[test]
fn burst_is_capped_and_its_batches_are_drawn() {
    let page = dried(burst());
    for line in [
        "rs/web (shop): ACT – wants 1201, has 1: the next sync adopts 1 pod and creates",
        "  > adopts stray",
        "  + 500 pods  (web-xxxxx)",
        "  batches     1 · 2 · 4 · 8 · 16 · 32 · 64 · 128 · 245   ▪ ▪▪ ▪▪▪▪ ▪▪▪▪▪▪▪▪ …",
        "  burst cap   one sync creates or deletes no more",
        "  expectations after: add 500, del 0; at least 23.5 s at the client's limits",
        "Result    not settled after 1 sync: 501 of 1201 pods",
    ] {
        assert!(page.lines().any(|l| l == line), "{line}\n{page}");
    }
}

#[test]
fn refusal_is_told_with_what_was_never_tried() {
    let page = explained(&refused());
    assert!(
        page.starts_with("rs/web (shop): BLOCKED – wants 500, has 5. ResourceQuota small refuses the pods\n")
    );
    assert!(
        page.contains("\n  once the cause is gone, trigger a sync:\n    kubectl annotate -n shop rs/web")
    );
    assert!(page.contains("a refusal is expected: 1 call, 0 created, 1 refused, 494 never tried"));
    assert!(page.contains("condition ReplicaFailure=True (FailedCreate): pods"));
    assert!(page.contains("\nMissing   resourcequotas: forbidden: cannot list\n"));
    let page = dried(refused());
    assert!(page.contains("\n  error       exceeded quota: small\n") && !page.contains("  + "));
    assert!(page.contains("not settled after 1 sync: 5 of 500 pods"));
}

#[test]
fn undetermined_shows_how_far_the_evidence_reaches() {
    let page = explained(&undetermined());
    assert!(page.contains("Expect    add unknown, del 0..500 – the gate is unknown"));
    assert!(page.contains("waits for the deletion of web-a, possibly also of web-b"));
    assert!(page.contains("Plan      if the gate is open: create 3 pods"));
    assert!(page.contains("a snapshot: earlier changes were not"));
}

#[test]
fn undetermined_says_first_what_hangs_on_it_and_what_would_decide_it() {
    let page = explained(&undetermined());
    assert!(
        page.starts_with(
            "\
rs/web (shop): UNDETERMINED – wants 10, has 7: whether the next sync creates 3
  pods or waits is unknown
  to decide it: a window or a recording instead of a snapshot, or the
    controller's log at -v=4 (--controller-log)
"
        ),
        "{page}"
    );
    let watched = Report { evidence: skip().evidence, ..undetermined() };
    let page = explained(&watched);
    assert!(page.contains("  to decide it: a longer window, or the controller's log"), "{page}");
    assert!(page.contains("pending expectations expire at 12:05:00Z"), "{page}");
}

#[test]
fn act_says_its_reserve_where_the_gate_is_not_proven_open() {
    let act = Report { verdict: Verdict::Act, reasons: vec![], ..undetermined() };
    let page = explained(&act);
    assert!(page.contains("creates 3 pods, unless a\n  sync is already doing so\n"), "{page}");
    assert!(
        page.contains("– the gate is open, unless a sync is already\n            in progress\n"),
        "{page}"
    );
    let with_tier = |tier| {
        let mut report = Report { verdict: Verdict::Act, ..undetermined() };
        report.reasons[0].tier = tier;
        explained(&report)
    };
    let assumed = with_tier(Tier::Assumed);
    assert!(
        assumed.contains(", assuming\n  that its gate is open\n")
            && assumed.contains("the gate is unknown, assumed"),
        "{assumed}"
    );
    let quiet = with_tier(Tier::Inferred);
    assert!(
        quiet.starts_with("rs/web (shop): ACT – wants 10, has 7: the next sync creates 3 pods\n"),
        "{quiet}"
    );
    assert!(
        explained(&scale_down())
            .starts_with("rs/web (shop): ACT – wants 2, has 5: the next sync deletes 3 pods\n")
    );
}

#[test]
fn gate_that_decides_nothing_has_one_wording() {
    let idle = Report { verdict: Verdict::Settled, diff: Some(0), ..undetermined() };
    assert!(explained(&idle).contains("the gate is unknown; nothing is due\n"), "{}", explained(&idle));
    assert!(dried(idle).contains("  gate unknown  "));
    assert!(dried(undetermined()).contains("  gate unknown, assumed to be open  "));
}

#[test]
fn end_of_the_ledger_stands_before_the_evidence() {
    let line = |at: &str, basis, fact, text: &str| LedgerLine {
        at: time(at),
        until: None,
        count: 1,
        basis,
        fact,
        text: text.into(),
        message: None,
        pods: vec![],
        add: Some(Bounds { min: Some(3), max: Some(3) }),
        del: Some(Bounds { min: Some(0), max: Some(0) }),
        gate: Some(GateState::Waiting),
        sync: None,
    };
    let ledger = vec![
        line("11:59:10", Basis::Inferred, FactCode::CreatesBegun, "a sync creates 3 pods"),
        line("11:59:11", Basis::Seen, FactCode::Scaled, "scaled from 7 to 10"),
    ];
    let page = explained(&Report { ledger: ledger.clone(), ..skip() });
    let section = "\
Lately    2026-01-01 UTC                                        add/del  gate
          11:59:10.000 =>  a sync creates 3 pods                    3/0  waiting
          11:59:11.000     scaled from 7 to 10                      3/0  waiting
Evidence  ";
    assert!(page.contains(section), "{page}");
    // What is settled is said in a few lines, and that the window opened is no news.
    assert!(!explained(&Report { ledger, ..settled() }).contains("Lately"));
    let opened = vec![line("11:59:10", Basis::Seen, FactCode::WindowOpened, "start: wants 10, has 7")];
    assert!(!explained(&Report { ledger: opened, ..skip() }).contains("Lately"));
}

#[test]
fn absent_object_is_one_line() {
    let line = "rs/web (shop): SETTLED – does not exist at 12:00:00Z: there is nothing to sync\n";
    assert_eq!(explained(&absent()), line);
    assert_eq!(dry_run(&absent(), &Style::plain(), true), line);
}

#[test]
fn skipped_sync_of_a_dry_run_says_so() {
    let mut report = dry(skip());
    report.syncs[0].skipped = true;
    report.syncs.truncate(1);
    let page = dry_run(&report, &Style::plain(), false);
    assert!(page.contains("\n  skipped     expectations unmet: it creates and deletes nothing\n"));
    assert!(page.contains("not settled after 1 sync: 7 of 10 pods"));
}

#[test]
fn sync_under_way_comes_before_until() {
    let mut report = skip();
    report.running = Some(RunningReport {
        action: SyncAction::Create,
        count: 500,
        done: Bounds { min: Some(320), max: Some(340) },
        since: Between { earliest: Some(time("11:59:44")), latest: Some(time("11:59:44")) },
    });
    let page = explained(&report);
    let line = "\n  a sync is in progress, begun 11:59:44Z: creating 500 pods, 320..340 done; the\n";
    assert!(page.find(line).unwrap() < page.find("\n  until").unwrap(), "{page}");
}

#[test]
fn long_lists_are_cut_unless_wide() {
    let mut report = scale_down();
    report.plan.count = 30;
    report.plan.delete.certain = (10..40).map(|n| victim(&format!("web-{n}"), Rule::All, "")).collect();
    let page = explained(&report);
    assert!(page.contains("- web-18 (All)\n          - ... and 21 more\n"), "{page}");
    assert!(explain(&report, &Style::plain(), true).contains("- web-39 (All)\n"));
}

#[test]
fn no_line_is_wider_than_the_screen() {
    for width in [80, 60] {
        let longest = if width == 80 { 80 } else { 66 };
        for page in pages(&Style::new(false, width)) {
            for line in page.lines() {
                assert!(columns(line) <= longest, "{line}");
                assert_eq!(line, line.trim_end(), "blanks at the end");
            }
        }
    }
}

#[test]
fn colour_is_only_colour() {
    let strip = |page: &str| {
        let mut parts = page.split('\x1b');
        let first = parts.next().unwrap().to_owned();
        parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
    };
    for (plain, coloured) in pages(&Style::plain()).iter().zip(pages(&Style::new(true, 80))) {
        assert!(!plain.contains('\x1b'));
        assert_eq!(*plain, strip(&coloured));
    }
}

#[test]
fn nothing_of_the_cluster_is_unescaped_or_escaped_twice() {
    for report in all() {
        let evil = poisoned(dry(report));
        for wide in [false, true] {
            for page in [explain(&evil, &Style::plain(), wide), dry_run(&evil, &Style::plain(), wide)] {
                let hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
                assert!(!page.contains(hidden), "{page}");
                assert!(page.contains(r"\x1b[2J\u{202e}\nSETTLED") && !page.contains(r"\\"), "{page}");
                assert!(!page.lines().any(|line| line.starts_with("SETTLED")), "{page}");
            }
        }
    }
}

/// The report with an attack at the end of every string that can come from the cluster.
fn poisoned(mut report: Report) -> Report {
    fn poison(text: &mut String) {
        text.push_str("\x1b[2J\u{202e}\nSETTLED");
    }
    fn plan(plan: &mut crate::report::PlanReport) {
        plan.adopt.iter_mut().chain(&mut plan.release).for_each(poison);
        let delete = &mut plan.delete;
        for victim in delete.certain.iter_mut().chain(&mut delete.possible).chain(&mut delete.safe) {
            poison(&mut victim.pod);
            poison(&mut victim.why);
        }
        for condition in plan.status.iter_mut().flat_map(|status| &mut status.conditions) {
            for text in
                [&mut condition.kind, &mut condition.status, &mut condition.reason, &mut condition.message]
            {
                poison(text);
            }
        }
    }
    plan(&mut report.plan);
    for sync in &mut report.syncs {
        plan(&mut sync.plan);
        poison(&mut sync.then);
        sync.error.iter_mut().for_each(poison);
    }
    let mut message = String::new();
    poison(&mut message);
    report.reasons.push(reason(Tier::Observed, RefusalDetail::MessageOutdated { condition: message }));
    for line in &mut report.ledger {
        poison(&mut line.text);
        line.pods.iter_mut().chain(&mut line.message).for_each(poison);
    }
    for trigger in &mut report.wake {
        if let Trigger::Annotate { key, .. } = trigger {
            poison(&mut key.name);
        }
    }
    report.expectations.awaited_deletions.iter_mut().for_each(|pod| poison(&mut pod.pod));
    report.evidence.sources.iter_mut().for_each(poison);
    report.evidence.resource_version.iter_mut().for_each(poison);
    for degraded in &mut report.degraded {
        poison(&mut degraded.what);
        poison(&mut degraded.why);
    }
    let object = &mut report.object;
    for text in [&mut object.name, &mut object.namespace, &mut report.server.minor] {
        poison(text);
    }
    report
}
