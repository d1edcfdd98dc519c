//! Pods as bars.

use jiff::Timestamp;

use super::draw::{Canvas, n};
use super::lives::{Life, LifeBegin, LifeEnd, Lives, PodState};
use super::scale::Scale;
use crate::report::format::{self, time};
use crate::report::sanitize;
use crate::report::timeline::middle_cut;

/// So many pods have a row with a name; more of them are thin.
const NAMED: usize = 40;

/// So many pods are drawn.
const DRAWN: usize = 1000;

/// The height of a row with a name.
const ROW: f64 = 15.0;

/// Thin rows together are so high at most, unless each is as thin as a line already.
const THIN: f64 = 640.0;

/// Columns of a name.
const NAME: usize = 21;

/// Draws the bars of all pods below `top`, names left of `left`; gives where they end.
pub(super) fn bars(
    canvas: &mut Canvas,
    lives: &Lives,
    scale: &Scale,
    left: f64,
    right: f64,
    top: f64,
    last: Timestamp,
) -> f64 {
    let drawn = &lives.all()[..lives.all().len().min(DRAWN)];
    let more = lives.all().len() - drawn.len() + lives.further;
    let named = drawn.len() <= NAMED;
    let row = if named { ROW } else { (THIN / drawn.len() as f64).clamp(1.0, 9.0) };
    let mut y = top;
    for life in drawn {
        canvas.begin(&told(life), &[], named);
        if named {
            canvas.rect("hit", (0.0, y), (right, ROW));
            let name = sanitize::escape(&life.pod);
            let cut = if name.chars().count() > NAME { middle_cut(&name, NAME) } else { name.into_owned() };
            canvas.text("right mono", (left - 20.0, y + 11.0), &cut);
            bar(canvas, life, scale, y, right, last);
        } else {
            thin(canvas, life, scale, y, row, last);
        }
        canvas.end();
        y += row;
    }
    if !named {
        let words = ["one line each, in", "the order in which", "they came"];
        for (line, word) in words.iter().enumerate() {
            canvas.text("soft", (0.0, top + 9.0 + 14.0 * line as f64), word);
        }
    }
    if more > 0 {
        y += 16.0;
        canvas.text("soft", (left, y - 4.0), &format!("and {}", format::count(more, "more pod")));
    }
    y.max(top + if named { 0.0 } else { 70.0 })
}

/// The states of a life, each from one instant to the next.
fn states(life: &Life, last: Timestamp) -> impl Iterator<Item = (Timestamp, Timestamp, PodState)> {
    let end = life.end.map_or(last, |(at, _)| at);
    let begins = life.states.iter().skip(1).map(|(at, _)| *at).chain([end]);
    life.states.iter().zip(begins).map(|((from, state), to)| (*from, to, *state))
}

/// A bar with its ends.
fn bar(canvas: &mut Canvas, life: &Life, scale: &Scale, y: f64, right: f64, last: Timestamp) {
    let (top, middle, height) = (y + 3.0, y + ROW / 2.0, ROW - 6.0);
    for (from, to, state) in states(life, last) {
        let (x, wide) = (scale.x(from), (scale.x(to) - scale.x(from)).max(1.0));
        match state {
            PodState::Owned => canvas.rect("pod", (x, top), (wide, height)),
            PodState::Unowned => {
                canvas.rect("hollow podline", (x, top + 0.8), ((wide - 0.8).max(0.5), height - 1.6));
            }
            PodState::Ended => canvas.rect("pod", (x, middle - 1.0), (wide, 2.0)),
            PodState::Terminating => terminating(canvas, x, x + wide, top, top + height),
        }
    }
    let Some(from) = life.from().map(|at| scale.x(at)) else { return };
    match life.begin {
        LifeBegin::Created => canvas.line("inkline", (from, y + 1.0), (from, y + ROW - 1.0)),
        LifeBegin::Arrived => ring(canvas, from, middle),
        LifeBegin::There | LifeBegin::Noticed | LifeBegin::Logged => {
            let (x, middle, half) = (n(from - 2.0), n(middle), height / 2.0);
            canvas.path("ink", &format!("M{x} {middle}m0 {}v{}l-6 -{}z", n(-half), n(height), n(half)));
        }
    }
    match life.end {
        Some((at, end)) => {
            let x = scale.x(at).max(from + 1.0);
            let bar = format!("M{} {}v{}", n(x), n(y + 1.0), n(ROW - 2.0));
            match end {
                LifeEnd::Gone => canvas.path("inkline", &bar),
                LifeEnd::Unseen | LifeEnd::Left => canvas.path("inkline faint", &bar),
                LifeEnd::Released => {
                    canvas.path("inkline", &format!("M{} {}l5 5m0 -5v5h-5", n(x), n(middle - 1.0)))
                }
            }
        }
        // It lives on.
        None => {
            let (x, middle) = (n(scale.x(last).min(right) + 2.0), n(middle));
            canvas.path("pod", &format!("M{x} {middle}m0 -4v8l5 -4z"));
        }
    }
    for at in &life.logged {
        let x = n(scale.x(*at));
        canvas.path("ink", &format!("M{x} {}l3 4h-6z", n(y + ROW - 4.0)));
    }
}

fn ring(canvas: &mut Canvas, x: f64, y: f64) {
    canvas.path("hollow inkline", &format!("M{} {}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z", n(x - 3.5), n(y)));
}

/// Upright stripes: a pod that is on its way out.
fn terminating(canvas: &mut Canvas, from: f64, to: f64, top: f64, bottom: f64) {
    let count = ((to - from) / 4.0) as usize;
    let strokes: String = (0..=count)
        .map(|stroke| format!("M{} {}V{}", n(from + 0.8 + 4.0 * stroke as f64), n(top), n(bottom)))
        .collect();
    let edges: String =
        [top + 0.5, bottom - 0.5].iter().map(|y| format!("M{} {}H{}", n(from), n(*y), n(to))).collect();
    canvas.path("podline thin", &(strokes + &edges));
}

/// A bar of many: its states by how dark it is and how high.
fn thin(canvas: &mut Canvas, life: &Life, scale: &Scale, y: f64, row: f64, last: Timestamp) {
    // Gaps or seams between lines of a pixel would only flicker.
    let height = if row < 2.5 { row * 1.4 } else { row * 0.8 };
    for (from, to, state) in states(life, last) {
        let (x, wide) = (scale.x(from), (scale.x(to) - scale.x(from)).max(1.0));
        let class = match state {
            PodState::Owned => "pod",
            PodState::Unowned | PodState::Ended => "pod going",
            PodState::Terminating => "ink",
        };
        let (x, y, wide, height) = (n(x), hundredths(y), n(wide), hundredths(height));
        canvas.path(class, &format!("M{x} {y}h{wide}v{height}h-{wide}z"));
    }
}

/// Thin rows need more than tenths of a pixel.
fn hundredths(value: f64) -> String {
    ((value * 100.0).round() / 100.0).to_string()
}

/// A pod's life in one sentence.
fn told(life: &Life) -> String {
    let mut text = format!("pod {}", life.pod);
    let mut states = life.states.iter();
    if let Some((at, state)) = states.next() {
        text += &format!(": {} {}", life.came(), time(*at));
        if *state != PodState::Owned {
            text += &format!(" ({})", state.word());
        }
    }
    for (at, state) in states {
        let word = if *state == PodState::Owned { "adopted" } else { state.word() };
        text += &format!(", {word} {}", time(*at));
    }
    if let Some((at, end)) = life.end {
        text += &format!(", {} {}", end.word(), time(at));
    }
    text
}

/// What bars look like, in words: those that occur. Gives where the legend ends.
pub(super) fn legend(canvas: &mut Canvas, lives: &Lives, left: f64, y: f64, right: f64) -> f64 {
    let all = lives.all();
    let has = |state: PodState| all.iter().any(|life| life.states.iter().any(|(_, found)| *found == state));
    let named = all.len() <= NAMED;
    let mut x = left;
    let mut line = y;
    let mut say = |draw: &mut dyn FnMut(&mut Canvas, f64, f64), word: &str, canvas: &mut Canvas| {
        let wide = super::draw::width(word) + 52.0;
        if x + wide > right {
            (x, line) = (left, line + 18.0);
        }
        draw(canvas, x, line);
        canvas.text("soft", (x + 32.0, line + 4.0), word);
        x += wide;
    };
    if all.is_empty() {
        return y;
    }
    let class = if named { "pod" } else { "ink" };
    say(&mut |canvas, x, y| canvas.rect("pod", (x, y - 4.0), (26.0, 9.0)), "a pod of its own", canvas);
    if has(PodState::Unowned) {
        let (class, height) = if named { ("hollow podline", 8.0) } else { ("pod going", 9.0) };
        say(&mut |canvas, x, y| canvas.rect(class, (x, y - 4.0), (26.0, height)), "without owner", canvas);
    }
    if has(PodState::Terminating) {
        let mut draw = |canvas: &mut Canvas, x: f64, y: f64| {
            if named {
                terminating(canvas, x, x + 26.0, y - 4.0, y + 5.0);
            } else {
                canvas.rect(class, (x, y - 4.0), (26.0, 9.0));
            }
        };
        say(&mut draw, "terminating", canvas);
    }
    if has(PodState::Ended) {
        say(&mut |canvas, x, y| canvas.rect("pod", (x, y - 1.0), (26.0, 2.0)), "ended", canvas);
    }
    if !named {
        return line + 18.0;
    }
    let begins = |begin: LifeBegin| all.iter().any(|life| life.begin == begin);
    if begins(LifeBegin::Created) {
        say(
            &mut |canvas, x, y| canvas.line("inkline", (x + 22.0, y - 6.0), (x + 22.0, y + 6.0)),
            "created, or gone",
            canvas,
        );
    }
    if begins(LifeBegin::There) || begins(LifeBegin::Noticed) {
        say(
            &mut |canvas, x, y| canvas.path("ink", &format!("M{} {}v9l-6 -4.5z", n(x + 24.0), n(y - 4.0))),
            "was there before",
            canvas,
        );
    }
    if begins(LifeBegin::Arrived) {
        say(&mut |canvas, x, y| ring(canvas, x + 20.0, y), "made by somebody else", canvas);
    }
    if all.iter().any(|life| !life.logged.is_empty()) {
        say(
            &mut |canvas, x, y| canvas.path("ink", &format!("M{} {}l3 4h-6z", n(x + 20.0), n(y - 2.0))),
            "the controller's log has seen it",
            canvas,
        );
    }
    line + 18.0
}

/// The heading of the rows.
pub(super) fn count(lives: &Lives) -> String {
    format::count(lives.all().len() + lives.further, "pod")
}
