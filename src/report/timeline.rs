//! The ledger as rows for reading: when, how it is known, what happened, and what the controller may
//! hold after it.
//!
//! A row never grows wider than the screen: the figures at its right stay whole, the words give way.

use std::borrow::Cow;

use jiff::SignedDuration;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::format::{awaited, time};
use super::sanitize::{escape, shorten};
use super::style::{Style, columns};
use super::{DueSync, GateState, LedgerLine, SyncAction};
use crate::reconstruct::ledger::Basis;

/// Columns of the time and of the mark, each with a blank behind it.
const LEAD: usize = 13 + 4;

/// The words keep so many columns, whatever stands at their right.
const LEAST: usize = 12;

/// A name that is cut keeps so many columns.
const SHORTEST_NAME: usize = 9;

/// A run without names that is shorter needs no end.
const AT_ONCE: SignedDuration = SignedDuration::from_millis(100);

/// How rows are laid out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout<'a> {
    /// Colour and width.
    pub(crate) style: &'a Style,
    /// Whether words that do not fit stand below, instead of being cut.
    pub(crate) full: bool,
    /// Whether to leave out what a sync would have done, and the ends of runs.
    pub(crate) brief: bool,
}

impl Layout<'_> {
    /// The heads of the columns, beneath the date that the times belong to.
    pub(crate) fn heads(&self, date: &str) -> String {
        let right = self.figures("add/del", "gate", "next sync");
        self.style.bold(&self.joined(&format!("{:<LEAD$}", format!("{date} UTC")), "", &right))
    }

    /// The rows of a line, without the line break at the end.
    pub(crate) fn rows(&self, line: &LedgerLine) -> String {
        if line.basis == Basis::Gap {
            return self.gap(line);
        }
        let style = self.style;
        let lead = format!("{} {:<3} ", time(line.at), mark(line.basis));
        let text = escape(&line.text);
        let right = self.right(line);
        let inferred = line.basis == Basis::Inferred;
        let fits = columns(&text) <= self.room(&right);
        let words = if self.full && !fits { Cow::Borrowed("") } else { fit(&text, self.room(&right)) };
        let mut rows = self.joined(&lead, &words, &right);
        // Words that must not be cut stand below the figures.
        let whole = (self.full && !fits).then_some(text);
        let message = if self.full { line.message.as_deref().map(escape) } else { None };
        let run = if self.brief { None } else { run(line).map(Cow::Owned) };
        for text in whole.into_iter().chain(message).chain(run) {
            rows.push('\n');
            rows.push_str(&self.below(&text));
        }
        if inferred { rows.lines().map(|row| style.dim(row)).collect::<Vec<_>>().join("\n") } else { rows }
    }

    /// Columns for the words beside these figures.
    fn room(&self, right: &str) -> usize {
        let beside = if right.is_empty() || self.is_crowded(right) { 0 } else { 1 + columns(right) };
        self.style.width.saturating_sub(LEAD + beside).max(LEAST)
    }

    /// Whether these figures leave no room for words: they stand below them then.
    fn is_crowded(&self, right: &str) -> bool {
        self.style.width < LEAD + LEAST + 1 + columns(right)
    }

    fn joined(&self, lead: &str, words: &str, right: &str) -> String {
        if self.is_crowded(right) {
            let blank = " ".repeat(self.style.width.saturating_sub(columns(right.trim_end())));
            return format!("{}\n{blank}{}", format!("{lead}{words}").trim_end(), right.trim_end());
        }
        let gap = " ".repeat(self.room(right).saturating_sub(columns(words)) + 1);
        format!("{lead}{words}{gap}{right}").trim_end().to_owned()
    }

    /// A row beneath the words of another.
    fn below(&self, text: &str) -> String {
        let blank = " ".repeat(LEAD);
        if self.full {
            return self.style.paragraph(&blank, LEAD, text);
        }
        format!("{blank}{}", fit(text, self.style.width.saturating_sub(LEAD).max(LEAST)))
    }

    /// A gap is drawn across: nothing above it counts below it.
    fn gap(&self, line: &LedgerLine) -> String {
        let lead = format!("{} --- ", time(line.at));
        let room = self.style.width.saturating_sub(columns(&lead) + 4).max(LEAST);
        let text = escape(&line.text);
        let cut = fit(&text, room);
        let rule = "-".repeat(self.style.width.saturating_sub(columns(&lead) + columns(&cut) + 1).max(3));
        let mut row = self.style.doubtful(&format!("{lead}{cut} {rule}"));
        if self.full && cut != text {
            row.push('\n');
            row.push_str(&self.below(&text));
        }
        row
    }

    /// The figures at the right: what is awaited, the gate, and what a sync would have done.
    fn right(&self, line: &LedgerLine) -> String {
        let (Some(add), Some(del)) = (line.add, line.del) else { return String::new() };
        let gate = gate(line).as_str();
        let sync = line.sync.as_ref().map_or("nothing".to_owned(), due);
        self.figures(&format!("{}/{}", awaited(add), awaited(del)), gate, &sync)
    }

    fn figures(&self, counters: &str, gate: &str, sync: &str) -> String {
        let figures = format!("{counters:>9}  {gate:<7}");
        if self.brief { figures } else { format!("{figures}  {sync:<15}") }
    }
}

/// What is shown of a gate: whatever opens it, it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GateLabel {
    Open,
    Waiting,
    Expired,
    Unknown,
}

impl GateLabel {
    /// Beneath its head in a column.
    pub(super) fn as_str(self) -> &'static str {
        if self == GateLabel::Unknown { "?" } else { self.in_words() }
    }

    /// Where no head of a column explains it.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            GateLabel::Open => "open",
            GateLabel::Waiting => "waiting",
            GateLabel::Expired => "expired",
            GateLabel::Unknown => "not known",
        }
    }
}

pub(super) fn gate(line: &LedgerLine) -> GateLabel {
    let open = line.sync.as_ref().and_then(|sync| sync.open);
    match line.gate {
        Some(GateState::Waiting) => GateLabel::Waiting,
        Some(GateState::Expired) => GateLabel::Expired,
        Some(GateState::None | GateState::Fulfilled) => GateLabel::Open,
        _ if open == Some(true) => GateLabel::Open,
        _ => GateLabel::Unknown,
    }
}

/// How a line is known: `=>` is inferred, `log` the controller's log.
pub(super) fn mark(basis: Basis) -> &'static str {
    match basis {
        Basis::Inferred => "=>",
        Basis::Logged => "log",
        Basis::Seen | Basis::Gap => "",
    }
}

/// What stands below the words of a run: its first and last pod, and when it ended.
pub(super) fn run(line: &LedgerLine) -> Option<String> {
    let until = line.until?;
    let between = if line.count == 2 { "," } else { " …" };
    match line.pods.as_slice() {
        [first, last] => Some(format!("{}{between} {} until {}", escape(first), escape(last), time(until))),
        _ if until.duration_since(line.at) < AT_ONCE => None,
        _ => Some(format!("until {}", time(until))),
    }
}

/// `creates 3`, `waits (3 short)`, `adopts 1, deletes 2`, `nothing`; with `?` where the gate is not known.
pub(super) fn due(sync: &DueSync) -> String {
    let mut parts = Vec::new();
    if sync.adopt > 0 {
        parts.push(format!("adopts {}", sync.adopt));
    }
    if sync.release > 0 {
        parts.push(format!("releases {}", sync.release));
    }
    let (verb, side) =
        if sync.action == SyncAction::Create { ("creates", "short") } else { ("deletes", "over") };
    match (sync.open, sync.action) {
        (_, SyncAction::None) => {}
        (Some(false), _) if !parts.is_empty() => parts.push("waits".into()),
        (Some(false), _) => parts.push(format!("waits ({} {side})", sync.count)),
        (Some(true), _) => parts.push(format!("{verb} {}", sync.count)),
        (None, _) => parts.push(format!("{verb} {}?", sync.count)),
    }
    if parts.is_empty() { "nothing".into() } else { parts.join(", ") }
}

/// The text in at most so many columns: its longest word loses its middle, else the text its end.
fn fit(text: &str, room: usize) -> Cow<'_, str> {
    let surplus = columns(text).saturating_sub(room);
    if surplus == 0 {
        return Cow::Borrowed(text);
    }
    let longest = text.split(' ').max_by_key(|word| word.width()).unwrap_or(text);
    match longest.width().checked_sub(surplus) {
        Some(left) if left >= SHORTEST_NAME => {
            Cow::Owned(text.replacen(longest, &middle_cut(longest, left), 1))
        }
        _ => shorten(text, room),
    }
}

/// The ends of a word, `…` between them. The end tells more: pods differ there.
pub(super) fn middle_cut(word: &str, room: usize) -> String {
    let tail = room.saturating_sub(1).div_ceil(2);
    let head = room.saturating_sub(1 + tail);
    let take = |chars: &mut dyn Iterator<Item = char>, room: usize| {
        let mut used = 0;
        let fits = |c: &char| {
            used += c.width().unwrap_or(0);
            used <= room
        };
        chars.take_while(fits).collect::<Vec<char>>()
    };
    let first: String = take(&mut word.chars(), head).into_iter().collect();
    let last: String = take(&mut word.chars().rev(), tail).into_iter().rev().collect();
    format!("{first}…{last}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Bounds, FactCode};

    fn line(basis: Basis, text: &str) -> LedgerLine {
        let known = |n| Some(Bounds { min: Some(n), max: Some(n) });
        LedgerLine {
            at: "2026-01-01T12:00:00.5Z".parse().unwrap(),
            until: None,
            count: 1,
            basis,
            fact: FactCode::PodCreated,
            text: text.into(),
            message: None,
            pods: vec![],
            add: known(3),
            del: known(0),
            gate: Some(GateState::Waiting),
            sync: Some(DueSync {
                open: Some(false),
                action: SyncAction::Create,
                count: 3,
                adopt: 0,
                release: 0,
            }),
        }
    }

    fn rows(style: &Style, full: bool, line: &LedgerLine) -> String {
        Layout { style, brief: false, full }.rows(line)
    }

    fn plain(line: &LedgerLine) -> String {
        rows(&Style::plain(), false, line)
    }

    #[test]
    fn columns_stand_beneath_their_heads() {
        let style = Style::plain();
        let layout = Layout { style: &style, brief: false, full: false };
        let page = [
            layout.heads("2026-01-01"),
            layout.rows(&line(Basis::Seen, "created web-a")),
            layout.rows(&line(Basis::Inferred, "a sync creates 3 pods")),
        ];
        assert_eq!(
            page.join("\n"),
            "\
2026-01-01 UTC                                 add/del  gate     next sync
12:00:00.500     created web-a                     3/0  waiting  waits (3 short)
12:00:00.500 =>  a sync creates 3 pods             3/0  waiting  waits (3 short)"
        );
    }

    #[test]
    fn a_run_says_until_when_and_its_ends_stand_below() {
        let run = LedgerLine {
            count: 97,
            until: Some("2026-01-01T12:00:09Z".parse().unwrap()),
            pods: vec!["web-a".into(), "web-z".into()],
            ..line(Basis::Seen, "created 97 pods")
        };
        assert!(
            plain(&run).ends_with("\n                 web-a … web-z until 12:00:09.000"),
            "{}",
            plain(&run)
        );
        let two = LedgerLine { count: 2, ..run.clone() };
        assert!(plain(&two).ends_with(" web-a, web-z until 12:00:09.000"), "{}", plain(&two));
        let events = LedgerLine { pods: vec![], ..run };
        assert!(plain(&events).ends_with("\n                 until 12:00:09.000"));
        let at_once = LedgerLine { until: Some(events.at), ..events };
        assert_eq!(plain(&at_once).lines().count(), 1);
    }

    #[test]
    fn long_names_lose_their_middle_and_long_messages_their_end() {
        assert_eq!(fit("created web-5d4f8c7b9-x7k2p", 20), "created web-5…-x7k2p");
        assert_eq!(fit("created web", 20), "created web");
        assert_eq!(fit("FailedCreate: pods are forbidden here", 20), "FailedCreate: pods …");
        assert_eq!(middle_cut("容器容器容器", 7), "容…器");
    }

    #[test]
    fn no_row_is_wider_than_the_screen() {
        let wide = Some(Bounds { min: Some(-500), max: Some(500) });
        let sync = DueSync { open: None, action: SyncAction::Delete, count: 500, adopt: 100, release: 0 };
        let name = "a".repeat(300);
        for basis in [Basis::Seen, Basis::Inferred, Basis::Logged, Basis::Gap] {
            for text in ["gone", &name, &format!("created {name}"), &"word ".repeat(80)] {
                let long = LedgerLine { add: wide, del: wide, sync: Some(sync.clone()), ..line(basis, text) };
                for width in [60, 80, 100] {
                    for row in plain_at(width, &long).lines() {
                        assert!(columns(row) <= width && row == row.trim_end(), "{row}");
                    }
                }
            }
        }
    }

    fn plain_at(width: usize, line: &LedgerLine) -> String {
        rows(&Style::new(false, width), false, line)
    }

    #[test]
    fn a_gap_is_drawn_across() {
        let gap = plain(&line(Basis::Gap, "gap: the watch of pods broke"));
        assert!(gap.starts_with("12:00:00.500 --- gap: the watch of pods broke ---"), "{gap}");
        assert_eq!(columns(&gap), 80);
    }

    #[test]
    fn what_is_not_known_is_a_question_mark() {
        let unknown = Bounds { min: None, max: Some(500) };
        let sync = DueSync { open: None, action: SyncAction::Create, count: 3, adopt: 1, release: 0 };
        let doubt = LedgerLine {
            add: Some(unknown),
            gate: Some(GateState::Undetermined),
            sync: Some(sync),
            ..line(Basis::Seen, "x")
        };
        assert!(plain(&doubt).ends_with("?/0  ?        adopts 1, creates 3?"), "{}", plain(&doubt));
    }

    #[test]
    fn nothing_of_the_cluster_is_unescaped() {
        let evil = LedgerLine {
            count: 3,
            until: Some("2026-01-01T12:00:09Z".parse().unwrap()),
            pods: vec!["a\x1b[2J".into(), "b\u{202e}\n".into()],
            ..line(Basis::Seen, "created \x1b[31m\nSETTLED")
        };
        for full in [false, true] {
            let page = rows(&Style::plain(), full, &evil);
            assert!(
                !page.contains(['\x1b', '\u{202e}']) && page.lines().all(|row| !row.starts_with("SETTLED"))
            );
            assert!(page.contains(r"\x1b[2J"), "{page}");
        }
    }

    #[test]
    fn inferred_rows_are_dimmer_and_colour_is_only_colour() {
        let painted = rows(&Style::new(true, 80), false, &line(Basis::Inferred, "a sync creates 3 pods"));
        assert!(painted.starts_with('\x1b') && painted.ends_with("\x1b[0m"));
        assert_eq!(columns(&painted), 80);
    }

    #[test]
    fn all_is_said_if_asked_for() {
        let message = "pods \"web-x\" is forbidden: exceeded quota: small, used: pods=5, limited: pods=5";
        let text = "released a-pod-with-a-very-long-name-indeed";
        let told = LedgerLine { message: Some(message.into()), ..line(Basis::Seen, text) };
        let page = rows(&Style::plain(), true, &told);
        let said: Vec<&str> = page.split_whitespace().collect();
        assert!(said.join(" ").ends_with(&format!("{text} {message}")), "{page}");
        assert!(!plain(&told).contains("quota"));
    }
}
