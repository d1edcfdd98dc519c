//! What was awaited as steps, and the gate and the next sync as bands.

use jiff::Timestamp;

use super::draw::{Canvas, n, width};
use super::scale::Scale;
use super::{Awaited, GateLabel, Stretch, timeline};
use crate::model::BURST;
use crate::report::format::{awaited, is_unknown, time};
use crate::report::{Bounds, DueSync, SyncAction};

/// The height of a band.
pub(super) const BAND: f64 = 18.0;

/// Above the highest step stands its figure.
const HEAD: f64 = 13.0;

/// Narrower stretches are told of together with their neighbours.
const NARROW: f64 = 3.0;

/// What is so many times smaller cannot be read beside the larger.
const DWARFED: i64 = 8;

/// So many stretches of a band are reached by Tab.
const REACHED: usize = 60;

/// One of the two counters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counter {
    /// `add` or `del`; the classes begin with it.
    pub(super) name: &'static str,
    pub(super) of: fn(&Awaited) -> Bounds,
}

/// The lowest and highest value that must be seen.
///
/// What could be a whole burst would make everything else too small to be read: such ranges are cut where
/// the others are so much smaller.
pub(super) fn extent(stretches: &[Stretch], counter: Counter) -> (i64, i64) {
    let known = || {
        let ranges = stretches.iter().filter_map(|stretch| stretch.held).map(counter.of);
        ranges.filter(|range| !is_unknown(*range))
    };
    let hull = |ranges: &mut dyn Iterator<Item = Bounds>| {
        let ends = ranges.flat_map(|range| [range.min, range.max]).flatten();
        ends.fold((0, 0), |(low, high), value| (low.min(value), high.max(value)))
    };
    let vague =
        |range: &Bounds| range.max.zip(range.min).is_some_and(|(max, min)| max - min >= BURST as i64 / 2);
    let all = hull(&mut known());
    let precise = hull(&mut known().filter(|range| !vague(range)));
    let size = |(low, high): (i64, i64)| high - low;
    let dwarfed = size(precise) > 0 && size(all) > DWARFED * size(precise);
    let (low, high) = if dwarfed { precise } else { all };
    (low, high.max(1))
}

/// Draws the steps of a counter below `top`, a pod `unit` high; gives where they end.
pub(super) fn steps(
    canvas: &mut Canvas,
    stretches: &[Stretch],
    counter: Counter,
    scale: &Scale,
    top: f64,
    unit: f64,
) -> f64 {
    let (low, high) = extent(stretches, counter);
    let y = |value: i64| top + HEAD + (high - value.clamp(low, high)) as f64 * unit;
    let (ceiling, floor) = (top + HEAD - 4.0, y(low));
    let (area, line) = (format!("{} area", counter.name), format!("{}line", counter.name));
    let (mut shaded, mut unknown) = (String::new(), String::new());
    let (mut upper, mut lower) = (Steps::default(), Steps::default());
    for stretch in stretches {
        let (from, to) = (scale.x(stretch.from), scale.x(stretch.to));
        let range = stretch.held.map(counter.of);
        let ends = match range {
            Some(range) if is_unknown(range) => {
                // As high as the paper: nothing is known.
                unknown += &strokes(from, to, ceiling, floor);
                (None, None)
            }
            Some(range) => {
                let within = |end: &i64| (low..=high).contains(end);
                let (max, min) = (range.max.filter(within).map(y), range.min.filter(within).map(y));
                // An open end, or one that is cut, goes as far as the paper does, without a line.
                let (above, below) = (max.unwrap_or(ceiling), min.unwrap_or(floor));
                if below > above {
                    let (x, to, above, below) = (n(from), n(to), n(above), n(below));
                    shaded += &format!("M{x} {above}H{to}V{below}H{x}Z");
                }
                (max, min)
            }
            None => (None, None),
        };
        upper.go(from, to, ends.0);
        lower.go(from, to, ends.1);
    }
    canvas.line("axis", (scale_left(scale, stretches), y(0)), (scale_right(scale, stretches), y(0)));
    if !shaded.is_empty() {
        canvas.path(&area, &shaded);
    }
    if !unknown.is_empty() {
        canvas.path("unknown", &unknown);
    }
    canvas.path(&line, &lower.d);
    canvas.path(&line, &upper.d);
    figures(canvas, stretches, counter, scale, &y, high, ceiling);
    floor
}

/// Upright strokes between two edges.
fn strokes(from: f64, to: f64, top: f64, bottom: f64) -> String {
    let count = ((to - from) / 5.0) as usize;
    (0..=count).map(|stroke| format!("M{} {}V{}", n(from + 5.0 * stroke as f64), n(top), n(bottom))).collect()
}

fn scale_left(scale: &Scale, stretches: &[Stretch]) -> f64 {
    stretches.first().map_or(0.0, |stretch| scale.x(stretch.from))
}

fn scale_right(scale: &Scale, stretches: &[Stretch]) -> f64 {
    stretches.last().map_or(0.0, |stretch| scale.x(stretch.to))
}

/// A line of steps.
#[derive(Debug, Default)]
struct Steps {
    d: String,
    /// Where the pen is, if it is down.
    at: Option<String>,
}

impl Steps {
    fn go(&mut self, from: f64, to: f64, y: Option<f64>) {
        let Some(y) = y.map(n) else {
            self.at = None;
            return;
        };
        match &self.at {
            Some(at) if *at == y => {}
            Some(_) => self.d += &format!("V{y}"),
            None => self.d += &format!("M{} {y}", n(from)),
        }
        self.d += &format!("H{}", n(to));
        self.at = Some(y);
    }
}

/// Writes the values where there is room.
fn figures(
    canvas: &mut Canvas,
    stretches: &[Stretch],
    counter: Counter,
    scale: &Scale,
    y: &dyn Fn(i64) -> f64,
    high: i64,
    ceiling: f64,
) {
    let zero = Bounds { min: Some(0), max: Some(0) };
    let mut free = f64::MIN;
    let mut place = 0;
    while let Some(stretch) = stretches.get(place) {
        let range = stretch.held.map(counter.of);
        let alike = stretches[place..].iter().take_while(|next| next.held.map(counter.of) == range).count();
        let until = stretches.get(place + alike - 1).map_or(stretch.to, |last| last.to);
        place += alike;
        let Some(range) = range.filter(|range| *range != zero) else { continue };
        let text = awaited(range);
        let (from, to) = (scale.x(stretch.from), scale.x(until));
        if from < free || to - from < width(&text) + 4.0 {
            continue;
        }
        let base = range
            .max
            .filter(|max| !is_unknown(range) && *max <= high)
            .map_or(ceiling + 9.0, |max| y(max) - 3.5);
        canvas.text(&format!("{} name", counter.name), (from + 3.0, base), &text);
        free = from + width(&text) + 6.0;
    }
}

/// Columns over the steps that tell the values under the mouse.
pub(super) fn told(canvas: &mut Canvas, stretches: &[Stretch], scale: &Scale, top: f64, bottom: f64) {
    let mut from = scale_left(scale, stretches);
    for stretch in stretches {
        let to = scale.x(stretch.to);
        let Some(held) = stretch.held else {
            from = to;
            continue;
        };
        if to - from < NARROW {
            continue;
        }
        let (add, del) = (awaited(held.add), awaited(held.del));
        let when = format!("{} to {}", time(stretch.from), time(stretch.to));
        canvas.begin(&format!("{when}: awaits {add} creations, {del} deletions"), &[], false);
        canvas.rect("hit", (from, top), (to - from, bottom - top));
        canvas.end();
        from = to;
    }
}

/// A stretch of a band.
struct Piece {
    x: (f64, f64),
    from: Timestamp,
    to: Timestamp,
    /// What is said at its begin and at its end.
    texts: (String, String),
    look: Texture,
}

impl Piece {
    fn text(&self) -> String {
        let (first, last) = &self.texts;
        if first == last { first.clone() } else { format!("{first} … {last}") }
    }

    /// What can be written into it, longest first.
    fn words(&self) -> [String; 2] {
        let first = self.texts.0.split(' ').next().unwrap_or_default();
        let short = if self.texts.0 == self.texts.1 { self.text() } else { format!("{first} …") };
        [self.text(), short]
    }

    /// Whether there is no room for its words.
    fn is_cramped(&self) -> bool {
        self.x.1 - self.x.0 < width(&self.text()) + 6.0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Texture {
    Nothing,
    Hollow,
    Solid,
    Striped,
}

/// Draws the gate.
pub(super) fn gate(canvas: &mut Canvas, stretches: &[Stretch], scale: &Scale, top: f64) {
    let say = |held: &Awaited| {
        let look = match held.gate {
            GateLabel::Waiting => Texture::Solid,
            GateLabel::Unknown => Texture::Striped,
            GateLabel::Open | GateLabel::Expired => Texture::Hollow,
        };
        (held.gate.in_words().to_owned(), look)
    };
    band(canvas, &pieces(stretches, scale, &say), "gate", top);
}

/// Draws what the next sync would have done.
pub(super) fn next_sync(canvas: &mut Canvas, stretches: &[Stretch], scale: &Scale, top: f64) {
    let say = |held: &Awaited| match &held.sync {
        None => ("nothing".into(), Texture::Nothing),
        Some(sync) => (timeline::due(sync), look_of(sync)),
    };
    band(canvas, &pieces(stretches, scale, &say), "next sync", top);
}

fn look_of(sync: &DueSync) -> Texture {
    match (sync.action, sync.open) {
        (SyncAction::None, _) if sync.adopt == 0 && sync.release == 0 => Texture::Nothing,
        (SyncAction::None, _) | (_, Some(false)) => Texture::Hollow,
        (_, Some(true)) => Texture::Solid,
        (_, None) => Texture::Striped,
    }
}

/// The stretches in which the same is said.
fn pieces(stretches: &[Stretch], scale: &Scale, say: &dyn Fn(&Awaited) -> (String, Texture)) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for stretch in stretches {
        let Some((text, look)) = stretch.held.map(say) else { continue };
        let (from, to) = (scale.x(stretch.from), scale.x(stretch.to));
        match pieces.last_mut() {
            Some(last) if last.texts.1 == text && last.to == stretch.from => {
                (last.x.1, last.to) = (to, stretch.to);
            }
            _ => pieces.push(Piece {
                x: (from, to),
                from: stretch.from,
                to: stretch.to,
                texts: (text.clone(), text),
                look,
            }),
        }
    }
    merged(pieces)
}

/// Neighbours that look alike and have no room for their words are one.
fn merged(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut merged: Vec<Piece> = Vec::new();
    let mut cramped = false;
    for piece in pieces {
        let alone = !piece.is_cramped();
        match merged.last_mut() {
            Some(last) if cramped && !alone && last.look == piece.look && last.to == piece.from => {
                (last.x.1, last.to, last.texts.1) = (piece.x.1, piece.to, piece.texts.1);
            }
            _ => {
                cramped = !alone;
                merged.push(piece);
            }
        }
    }
    merged
}

fn band(canvas: &mut Canvas, pieces: &[Piece], name: &str, top: f64) {
    let middle = top + BAND / 2.0;
    let wide = pieces.iter().filter(|piece| piece.x.1 - piece.x.0 >= NARROW).count();
    for piece in pieces {
        let (from, to) = piece.x;
        let broad = to - from;
        let reached = broad >= NARROW && wide <= REACHED;
        let text = piece.text();
        let when = format!("{} to {}", time(piece.from), time(piece.to));
        canvas.begin(&format!("{when}: {name} {text}"), &[], reached);
        let (corner, size) = ((from, top), (broad.max(0.8), BAND));
        match piece.look {
            Texture::Nothing => {
                canvas.rect("hit", corner, size);
                canvas.line("axis", (from, middle), (to, middle));
            }
            Texture::Hollow => {
                canvas.rect("hollow inkline thin", (from, top + 0.5), (broad.max(0.8), BAND - 1.0))
            }
            Texture::Solid => canvas.rect("ink", corner, size),
            Texture::Striped => stripes(canvas, from, to, top),
        }
        // A name over stripes is not read: it has a ground of its own.
        let words = piece.words();
        if let Some(text) = words.iter().find(|words| broad >= width(words) + 6.0) {
            let (x, length) = (from + broad / 2.0, width(text) + 6.0);
            let class = match piece.look {
                Texture::Solid => "mid onink",
                Texture::Nothing => "mid soft",
                _ => "mid",
            };
            if matches!(piece.look, Texture::Striped | Texture::Nothing) {
                canvas.rect("paper", (x - length / 2.0, top + 2.0), (length, BAND - 4.0));
            }
            canvas.text(class, (x, middle + 4.0), text);
        }
        canvas.end();
    }
}

/// Slanting stripes between two edges.
fn stripes(canvas: &mut Canvas, from: f64, to: f64, top: f64) {
    let bottom = top + BAND;
    let mut d = String::new();
    let mut foot = from - BAND + 6.0;
    while foot < to && to - from > 1.5 {
        // From (foot, bottom) up to (foot + BAND, top), cut at the edges.
        let (left, right) = (foot.max(from), (foot + BAND).min(to));
        d += &format!(
            "M{} {}L{} {}",
            n(left),
            n(bottom - (left - foot)),
            n(right),
            n(bottom - (right - foot))
        );
        foot += 6.0;
    }
    canvas.rect("hollow inkline thin", (from, top + 0.5), ((to - from).max(0.8), BAND - 1.0));
    canvas.path("inkline thin", &d);
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADD: Counter = Counter { name: "add", of: |held| held.add };

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + second).unwrap()
    }

    fn held(min: Option<i64>, max: Option<i64>) -> Awaited {
        let zero = Bounds { min: Some(0), max: Some(0) };
        Awaited { add: Bounds { min, max }, del: zero, gate: GateLabel::Unknown, sync: None }
    }

    /// The classes and paths of the steps of these ranges, each a second long.
    fn drawn(ranges: &[Awaited]) -> String {
        let stretch = |(second, held)| Stretch { from: at(second), to: at(second + 1), held: Some(held) };
        let stretches: Vec<Stretch> = (0..).zip(ranges).map(stretch).collect();
        let instants: Vec<Timestamp> = (0..=ranges.len() as i64).map(at).collect();
        let scale = Scale::new(&instants, 0.0, 1000.0);
        let mut canvas = Canvas::default();
        steps(&mut canvas, &stretches, ADD, &scale, 0.0, 10.0);
        canvas.out
    }

    fn lines(picture: &str) -> usize {
        picture.lines().filter(|line| line.contains("\"addline\"") && !line.contains("d=\"\"")).count()
    }

    #[test]
    fn an_open_end_is_shaded_and_has_no_line() {
        let closed = drawn(&[held(Some(1), Some(3)), held(Some(0), Some(0))]);
        assert!(closed.contains("add area") && lines(&closed) == 2, "{closed}");
        let open = drawn(&[held(Some(1), None)]);
        assert!(open.contains("add area") && open.contains("&gt;=1") && lines(&open) == 1, "{open}");
    }

    #[test]
    fn what_is_not_known_is_neither_shaded_nor_lined() {
        let unknown = drawn(&[held(None, Some(500))]);
        assert!(unknown.contains("unknown") && unknown.contains(">?<"), "{unknown}");
        assert!(!unknown.contains("add area") && lines(&unknown) == 0, "{unknown}");
    }

    #[test]
    fn a_range_as_large_as_a_burst_does_not_dwarf_the_others() {
        let states = [held(Some(3), Some(3)), held(Some(-2), Some(497))];
        let stretches: Vec<Stretch> = (0..)
            .zip(&states)
            .map(|(second, held)| Stretch { from: at(second), to: at(second + 1), held: Some(held) })
            .collect();
        assert_eq!(extent(&stretches, ADD), (0, 3));
        assert_eq!(extent(&stretches[1..], ADD), (-2, 497));
    }
}
