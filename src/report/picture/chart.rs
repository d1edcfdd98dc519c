//! The lanes of a picture, one below the other on one time axis.

use jiff::Timestamp;

use super::bands::{self, BAND, Counter};
use super::draw::{Canvas, n, style, width, xml};
use super::marks::{self, Lane};
use super::scale::Scale;
use super::{Picture, Stretch, bars, from_to};
use crate::report::format::time;

/// The paper.
const WIDTH: f64 = 1200.0;

/// Where the plot begins and ends; names of lanes and pods stand left of it.
const PLOT: (f64, f64) = (172.0, 1182.0);

/// The axis stands there.
const AXIS: f64 = 30.0;

/// The height of a lane of marks.
const LANE: f64 = 24.0;

/// The steps of both counters together are about so high.
const STEPS: f64 = 120.0;

/// A pod is never drawn higher than this.
const HIGHEST_POD: f64 = 14.0;

const ADD: Counter = Counter { name: "add", of: |held| held.add };
const DEL: Counter = Counter { name: "del", of: |held| held.del };

/// The picture as the body of an SVG element, and how high it is.
struct Drawn {
    body: String,
    height: f64,
}

/// One SVG file with these pictures, one below the other.
pub(crate) fn svg(pictures: &[Picture]) -> String {
    let mut body = String::new();
    let mut y = 14.0;
    for picture in pictures {
        let drawn = draw(picture);
        let mut head = Canvas::default();
        head.text("head", (14.0, y + 14.0), &format!("{} ({})", picture.name, picture.namespace));
        head.text("soft", (14.0, y + 32.0), &from_to(picture));
        let room = ((WIDTH - 28.0) / 6.4) as usize;
        head.text("", (14.0, y + 50.0), &super::super::sanitize::shorten(picture.verdict.trim(), room));
        body += &head.out;
        body += &format!("<g transform=\"translate(14 {})\">\n{}</g>\n", n(y + 62.0), drawn.body);
        y += 62.0 + drawn.height + 34.0;
    }
    if pictures.is_empty() {
        let mut empty = Canvas::default();
        empty.text("soft", (14.0, y + 14.0), "nothing was seen");
        body += &empty.out;
        y += 40.0;
    }
    let names: Vec<String> = pictures.iter().map(|picture| xml(&picture.name)).collect();
    let wide = WIDTH + 28.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" width=\"{wide}\" height=\"{high}\" \
         viewBox=\"0 0 {wide} {high}\" role=\"group\" aria-label=\"Timeline of {names}\">\n\
         <style>{style}</style>\n<rect class=\"paper\" width=\"{wide}\" height=\"{high}\"/>\n{body}</svg>\n",
        high = n(y),
        names = names.join(", "),
        style = style(),
    )
}

/// The picture as an element of a page, which has the style and the heading.
pub(super) fn element(picture: &Picture) -> String {
    let drawn = draw(picture);
    let (width, height) = (n(WIDTH), n(drawn.height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 {width} {height}\" \
         role=\"group\" aria-label=\"Picture of {}\">\n{}</svg>\n",
        xml(&picture.name),
        drawn.body
    )
}

fn draw(picture: &Picture) -> Drawn {
    let mut canvas = Canvas::default();
    let instants: Vec<Timestamp> = picture.steps.iter().map(|step| step.at).collect();
    let Some(last) = instants.last().copied() else {
        canvas.text("soft", (0.0, 14.0), "nothing was seen");
        return Drawn { body: canvas.out, height: 24.0 };
    };
    let scale = Scale::new(&instants, PLOT.0, PLOT.1);
    let stretches = picture.stretches();
    // What goes across has its words above everything.
    let y = AXIS + if marks::has(&picture.rows, Lane::Across) { 18.0 } else { 4.0 };
    let mut lanes = Lanes { canvas, scale: &scale, y, stretches: &stretches };
    lanes.marks(picture);
    lanes.counters();
    lanes.bands();
    lanes.pods(picture, last);
    let Lanes { canvas: front, y: bottom, .. } = lanes;
    let mut canvas = Canvas::default();
    axis(&mut canvas, &scale, AXIS, bottom);
    canvas.out += &front.out;
    marks::across(&mut canvas, &picture.rows, &scale, AXIS, bottom, PLOT.1);
    let y = marks::legend(&mut canvas, &picture.rows, PLOT.0, bottom + 20.0, PLOT.1);
    let y = bars::legend(&mut canvas, &picture.lives, PLOT.0, y, PLOT.1);
    Drawn { body: canvas.out, height: y }
}

/// Lanes as they are drawn, from above.
struct Lanes<'a> {
    canvas: Canvas,
    scale: &'a Scale,
    y: f64,
    stretches: &'a [Stretch<'a>],
}

impl Lanes<'_> {
    fn name(&mut self, y: f64, name: &str) {
        self.canvas.text("name", (0.0, y), name);
    }

    fn marks(&mut self, picture: &Picture) {
        let all = [
            (Lane::Object, "ReplicaSet"),
            (Lane::Syncs, "syncs"),
            (Lane::Refused, "refused"),
            (Lane::Status, "status, events"),
        ];
        for (lane, name) in all {
            if !marks::has(&picture.rows, lane) {
                continue;
            }
            let middle = self.y + LANE / 2.0;
            self.name(middle + 4.0, name);
            self.canvas.line("lane", (PLOT.0, middle), (PLOT.1, middle));
            marks::lane(&mut self.canvas, &picture.rows, lane, self.scale, middle, PLOT.1);
            self.y += LANE;
        }
    }

    /// Both counters, a pod equally high in both.
    fn counters(&mut self) {
        let extents = [ADD, DEL].map(|counter| bands::extent(self.stretches, counter));
        let total: i64 = extents.iter().map(|(low, high)| high - low).sum();
        let unit = (STEPS / total.max(1) as f64).min(HIGHEST_POD);
        let top = self.y;
        for (counter, (_, high)) in [ADD, DEL].into_iter().zip(extents) {
            self.y += 4.0;
            let begin = self.y;
            let words = if counter.name == "add" { "creations awaited" } else { "deletions awaited" };
            self.name(begin + 16.0, words);
            self.y = bands::steps(&mut self.canvas, self.stretches, counter, self.scale, begin, unit);
            let zero = begin + 13.0 + high as f64 * unit;
            self.canvas.text("right soft", (PLOT.0 - 8.0, zero + 4.0), "0");
            if zero - begin > 40.0 {
                self.canvas.text("right soft", (PLOT.0 - 8.0, begin + 17.0), &high.to_string());
            }
            self.y = self.y.max(begin + 26.0) + 6.0;
        }
        bands::told(&mut self.canvas, self.stretches, self.scale, top, self.y);
        self.y += 4.0;
    }

    fn bands(&mut self) {
        self.name(self.y + 13.0, "gate");
        bands::gate(&mut self.canvas, self.stretches, self.scale, self.y);
        self.y += BAND + 6.0;
        self.name(self.y + 13.0, "next sync");
        bands::next_sync(&mut self.canvas, self.stretches, self.scale, self.y);
        self.y += BAND + 12.0;
    }

    fn pods(&mut self, picture: &Picture, last: Timestamp) {
        if picture.lives.all().is_empty() {
            return;
        }
        self.name(self.y + 11.0, &bars::count(&picture.lives));
        self.y += 17.0;
        self.y = bars::bars(&mut self.canvas, &picture.lives, self.scale, PLOT.0, PLOT.1, self.y, last) + 6.0;
    }
}

/// The axis above, its grid and folds down to the bottom.
fn axis(canvas: &mut Canvas, scale: &Scale, top: f64, bottom: f64) {
    let folds = scale.folds();
    for fold in &folds {
        let (from, to) = fold.x;
        canvas.rect("fold", (from, top - 16.0), (to - from, bottom - top + 16.0));
        canvas.line("foldedge", (from, top), (from, bottom));
        canvas.line("foldedge", (to, top), (to, bottom));
        canvas.text("mid soft", ((from + to) / 2.0, top - 5.0), &fold.length);
    }
    let mut free = PLOT.0;
    let ends: Vec<f64> = folds.iter().map(|fold| fold.x.0).chain([PLOT.1 + 8.0]).collect();
    for tick in scale.ticks() {
        canvas.line("grid", (tick.x, top), (tick.x, bottom));
        canvas.line("axis", (tick.x, top), (tick.x, top + 4.0));
        let half = width(&tick.offset) / 2.0;
        let end = ends.iter().copied().find(|end| *end >= tick.x).unwrap_or(PLOT.1);
        let fold = folds.iter().map(|fold| fold.x.1).filter(|end| *end <= tick.x).fold(free, f64::max);
        if tick.x - half > fold + 2.0 && tick.x + half < end - 2.0 {
            canvas.text("mid soft", (tick.x, top - 5.0), &tick.offset);
            free = tick.x + half + 4.0;
        }
    }
    let mut free = 0.0;
    for (x, at) in scale.begins() {
        canvas.line("grid", (x, top), (x, bottom));
        canvas.line("axis", (x, top), (x, top + 4.0));
        let words = time(at);
        let wide = words.len() as f64 * 6.7;
        let at = x.min(PLOT.1 - wide);
        if at >= free {
            canvas.text("mono", (at, 10.0), &words);
            free = at + wide + 8.0;
        }
    }
    canvas.text("soft", (0.0, 10.0), "UTC, as received");
    canvas.line("axis", (PLOT.0, top), (PLOT.1, top));
}
