//! Where an instant stands on the paper.
//!
//! What a controller does takes milliseconds, what lies between takes minutes. One scale holds for the
//! whole picture, but a silence that would take much of it is folded: a column of its own says how long
//! it was. Nothing is lost by that: in a silence nothing changes.

use jiff::{SignedDuration, Timestamp};

use crate::report::format::fine;

/// The width of a fold.
const FOLD: f64 = 46.0;

/// A silence is folded if it would be so wide.
const WIDE: f64 = 130.0;

/// And if it is so many times longer than those that are usual here.
const LONG: i128 = 4;

/// So many silences are folded at most.
const MOST_FOLDS: usize = 9;

/// Left free on both sides of a stretch beside a fold, for the marks there.
const MARGIN: f64 = 13.0;

/// A second is never wider: a watch tells no finer times.
const WIDEST_SECOND: f64 = 20_000.0;

/// Ticks are so far from each other at least.
const TICKS: f64 = 62.0;

const MILLI: i128 = 1_000_000;
const SECOND: i128 = 1000 * MILLI;
const MINUTE: i128 = 60 * SECOND;
const HOUR: i128 = 60 * MINUTE;

/// The time axis.
#[derive(Debug, Clone)]
pub(super) struct Scale {
    /// The stretches in which something happens.
    stretches: Vec<BusySpan>,
    /// The width of a second.
    second: f64,
}

#[derive(Debug, Clone, Copy)]
struct BusySpan {
    from: i128,
    to: i128,
    /// Where it begins and ends on the paper.
    x: (f64, f64),
}

/// A silence that is not drawn to scale.
#[derive(Debug, Clone)]
pub(super) struct Fold {
    pub(super) x: (f64, f64),
    /// How long it was: `4m49s`.
    pub(super) length: String,
}

/// A tick of the axis.
#[derive(Debug, Clone)]
pub(super) struct Tick {
    pub(super) x: f64,
    /// `+10ms`, after the begin of its stretch.
    pub(super) offset: String,
}

impl Scale {
    /// An axis for these instants, oldest first, from one place to another.
    pub(super) fn new(instants: &[Timestamp], left: f64, right: f64) -> Scale {
        let mut times: Vec<i128> = instants.iter().map(|at| at.as_nanosecond()).collect();
        times.dedup();
        let total = times.last().zip(times.first()).map_or(0, |(last, first)| last - first);
        let mut silences: Vec<(i128, usize)> =
            times.windows(2).enumerate().map(|(place, pair)| (pair[1] - pair[0], place)).collect();
        silences.sort_by_key(|(length, place)| (-length, *place));
        let usual = silences.get(silences.len() / 2).map_or(0, |(length, _)| *length);
        let width = right - left;
        let mut folded: Vec<usize> = Vec::new();
        let mut busy = total;
        for (length, place) in silences.into_iter().take(MOST_FOLDS) {
            let second = second_of(busy, width, folded.len());
            if length <= LONG * usual || seconds(length) * second < WIDE {
                break;
            }
            folded.push(place);
            busy -= length;
        }
        let second = second_of(busy, width, folded.len());
        let used = seconds(busy) * second + 2.0 * MARGIN * (folded.len() + 1) as f64;
        let fold = (width - used) / folded.len().max(1) as f64;
        let mut stretches = Vec::new();
        let mut x = left;
        let mut begin = 0;
        folded.sort_unstable();
        for end in folded.into_iter().chain([times.len().saturating_sub(1)]) {
            let (Some(from), Some(to)) = (times.get(begin), times.get(end)) else { break };
            let stop = x + 2.0 * MARGIN + seconds(to - from) * second;
            stretches.push(BusySpan { from: *from, to: *to, x: (x, stop) });
            x = stop + fold;
            begin = end + 1;
        }
        Scale { stretches, second }
    }

    /// Where this instant stands.
    pub(super) fn x(&self, at: Timestamp) -> f64 {
        let at = at.as_nanosecond();
        let next = self.stretches.partition_point(|stretch| stretch.to < at);
        let before = next.checked_sub(1).and_then(|place| self.stretches.get(place));
        match (before, self.stretches.get(next)) {
            (_, Some(stretch)) if at >= stretch.from => {
                stretch.x.0 + MARGIN + seconds(at - stretch.from) * self.second
            }
            // Within a fold: it has no scale.
            (Some(before), Some(stretch)) => (before.x.1 + stretch.x.0) / 2.0,
            (None, Some(stretch)) => stretch.x.0,
            (Some(before), None) => before.x.1,
            (None, None) => 0.0,
        }
    }

    /// The silences that are folded.
    pub(super) fn folds(&self) -> Vec<Fold> {
        let pairs = self.stretches.windows(2);
        pairs
            .map(|pair| Fold { x: (pair[0].x.1, pair[1].x.0), length: length(pair[1].from - pair[0].to) })
            .collect()
    }

    /// Where stretches begin, and when.
    pub(super) fn begins(&self) -> Vec<(f64, Timestamp)> {
        let begin =
            |stretch: &BusySpan| Some((stretch.x.0 + MARGIN, Timestamp::from_nanosecond(stretch.from).ok()?));
        self.stretches.iter().filter_map(begin).collect()
    }

    /// The ticks between.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let step = step(self.second);
        let mut ticks = Vec::new();
        for stretch in &self.stretches {
            let count = ((stretch.to - stretch.from) / step).min(100);
            ticks.extend((1..=count).map(|tick| Tick {
                x: stretch.x.0 + MARGIN + seconds(tick * step) * self.second,
                offset: format!("+{}", length(tick * step)),
            }));
        }
        ticks
    }
}

/// How wide a second is if so much time shares the width with so many folds.
fn second_of(busy: i128, width: f64, folds: usize) -> f64 {
    let room = width - FOLD * folds as f64 - 2.0 * MARGIN * (folds + 1) as f64;
    let widest = if folds == 0 { f64::INFINITY } else { WIDEST_SECOND };
    if busy == 0 { 0.0 } else { (room / seconds(busy)).min(widest) }
}

fn seconds(nanoseconds: i128) -> f64 {
    nanoseconds as f64 / SECOND as f64
}

/// The shortest round step whose ticks are far enough from each other.
fn step(second: f64) -> i128 {
    let decades = (0..7).flat_map(|exponent| [1, 2, 5].map(|digit| digit * 1000 * 10_i128.pow(exponent)));
    let larger = [1, 2, 5, 10, 15, 30].map(|n| n * SECOND);
    let minutes = [1, 2, 5, 10, 15, 30].map(|n| n * MINUTE);
    let hours = [1, 2, 3, 6, 12, 24, 48, 96, 240, 480, 960, 2400, 9600].map(|n| n * HOUR);
    let fine = decades.filter(|step| *step < SECOND);
    let all = fine.chain(larger).chain(minutes).chain(hours);
    let wide = |step: &i128| seconds(*step) * second >= TICKS;
    all.into_iter().find(wide).unwrap_or(100_000 * HOUR)
}

/// Whole minutes and hours are ticks, and have one unit.
fn length(nanoseconds: i128) -> String {
    if nanoseconds == MINUTE {
        "1m".into()
    } else if nanoseconds % HOUR == 0 && nanoseconds < 48 * HOUR {
        format!("{}h", nanoseconds / HOUR)
    } else {
        fine(SignedDuration::from_nanos_i128(nanoseconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_millisecond(1_700_000_000_000 + milliseconds).unwrap()
    }

    fn scale(milliseconds: &[i64]) -> Scale {
        Scale::new(&milliseconds.iter().map(|ms| at(*ms)).collect::<Vec<_>>(), 100.0, 1100.0)
    }

    #[test]
    fn time_never_goes_back_on_the_paper_and_stays_on_it() {
        for times in [&[0, 1, 2, 5000, 5001, 300_000][..], &[0, 10], &[0], &[0, 1, 2, 3, 1_000_000_000]] {
            let scale = scale(times);
            let places: Vec<f64> = times.iter().map(|ms| scale.x(at(*ms))).collect();
            assert!(places.is_sorted() && places[0] >= 100.0, "{places:?}");
            assert!(places.iter().all(|x| *x <= 1100.0), "{places:?}");
        }
    }

    #[test]
    fn silences_are_folded_and_say_how_long_they_were() {
        let folds = scale(&[0, 3, 10, 5000, 5008, 300_000, 300_009]).folds();
        assert_eq!(folds.iter().map(|fold| fold.length.as_str()).collect::<Vec<_>>(), ["5s", "4m54s"]);
        assert!(folds.iter().all(|fold| fold.x.1 - fold.x.0 >= FOLD - 0.001));
    }

    #[test]
    fn one_scale_holds_for_every_stretch() {
        let scale = scale(&[0, 3, 10, 5000, 5008, 300_000, 300_009]);
        let width = |from, to| scale.x(at(to)) - scale.x(at(from));
        assert!((width(0, 8) - width(5000, 5008)).abs() < 0.001);
    }

    #[test]
    fn a_window_without_anything_is_to_scale() {
        let scale = scale(&[0, 5000]);
        assert!(scale.folds().is_empty());
        assert_eq!(scale.ticks().last().unwrap().offset, "+5s");
    }

    #[test]
    fn ticks_are_round_from_microseconds_to_weeks() {
        for (busy, first) in
            [(1, "+100µs"), (90, "+10ms"), (9000, "+1s"), (600_000, "+1m"), (86_400_000, "+2h")]
        {
            let instants: Vec<i64> = (0..=20).map(|part| busy * part / 20).collect();
            let ticks = scale(&instants).ticks();
            assert!(ticks.len() < 17, "{ticks:?}");
            assert!(ticks.first().is_none_or(|tick| tick.offset == first), "{busy}: {ticks:?}");
        }
    }
}
