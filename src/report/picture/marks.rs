//! Marks of what happened: on the ReplicaSet, in its syncs, and what was refused.

use super::draw::{Canvas, n, width};
use super::scale::Scale;
use super::{PictureRow, sentence};
use crate::reconstruct::ledger::{Basis, Fact};
use crate::report::Bounds;
use crate::report::format::range;

/// Where a mark stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// What was done to the ReplicaSet.
    Object,
    /// Its status and events.
    Status,
    /// What its syncs did.
    Syncs,
    /// What came to nothing.
    Refused,
    /// Across everything.
    Across,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MarkShape {
    /// Creates.
    Up,
    /// Deletes.
    Down,
    /// A sync is over.
    Over,
    /// Something small.
    Dot,
    /// Something new begins, or ends.
    Ring,
    /// Its size changed.
    Diamond,
    /// Refused, or gone.
    Cross,
    /// Another controller.
    Flag,
    Expiry,
    Gap,
}

/// The mark of a row.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub(super) lane: Lane,
    shape: MarkShape,
    /// Filled: it is known from the controller itself.
    solid: bool,
    label: String,
}

impl Mark {
    /// What stands for so many of these; pods have bars instead.
    pub(super) fn of(fact: &Fact, count: u64) -> Option<Mark> {
        let times = if count > 1 { format!("×{count}") } else { String::new() };
        let span = |sign: &str, least: i64, most: i64| {
            format!("{sign}{}", range(Bounds { min: Some(least), max: Some(most) }))
        };
        let (lane, shape, label) = match fact {
            Fact::Opened { .. } => (Lane::Object, MarkShape::Ring, "start".into()),
            Fact::Appeared => (Lane::Object, MarkShape::Ring, "new".into()),
            Fact::Recreated => (Lane::Object, MarkShape::Ring, "made anew".into()),
            Fact::Asked { .. } => (Lane::Object, MarkShape::Ring, "end".into()),
            Fact::Deleting => (Lane::Object, MarkShape::Cross, "being deleted".into()),
            Fact::Removed => (Lane::Object, MarkShape::Cross, "gone".into()),
            Fact::Scaled { from, to } => (Lane::Object, MarkShape::Diamond, format!("{from}→{to}")),
            Fact::StatusWritten { .. } => (Lane::Status, MarkShape::Dot, String::new()),
            Fact::Takeover { .. } => (Lane::Object, MarkShape::Flag, "new leader".into()),
            Fact::LogStarted => (Lane::Object, MarkShape::Flag, "controller starts".into()),
            Fact::LogDropped => (Lane::Object, MarkShape::Cross, "entry dropped".into()),
            Fact::CreatesBegun { least, most } => (Lane::Syncs, MarkShape::Up, span("+", *least, *most)),
            Fact::DeletesBegun { least, most } => (Lane::Syncs, MarkShape::Down, span("−", *least, *most)),
            Fact::LogCreates(count) => (Lane::Syncs, MarkShape::Up, format!("+{count}")),
            Fact::LogDeletes(count) => (Lane::Syncs, MarkShape::Down, format!("−{count}")),
            Fact::Settled | Fact::Swallowed => (Lane::Syncs, MarkShape::Over, String::new()),
            Fact::LogStale => (Lane::Syncs, MarkShape::Dot, "stale cache".into()),
            Fact::Event { reason, .. } if matches!(reason.as_str(), "FailedCreate" | "FailedDelete") => {
                (Lane::Refused, MarkShape::Cross, times)
            }
            Fact::Event { .. } => (Lane::Status, MarkShape::Dot, String::new()),
            Fact::LogSkipped(count) => (Lane::Refused, MarkShape::Cross, format!("{count} not made")),
            Fact::LogFailed(_) => (Lane::Refused, MarkShape::Cross, "failed".into()),
            Fact::Expired => (Lane::Across, MarkShape::Expiry, "five minutes over".into()),
            Fact::Missed { .. } => (Lane::Across, MarkShape::Gap, "gap".into()),
            Fact::Created { .. }
            | Fact::Arrived { .. }
            | Fact::Adopted { .. }
            | Fact::Lost { .. }
            | Fact::Ended { .. }
            | Fact::Terminating { .. }
            | Fact::Gone { .. }
            | Fact::LogDeletion(_)
            | Fact::LogCreation(_) => return None,
        };
        Some(Mark { lane, shape, solid: fact.basis() != Basis::Inferred, label })
    }
}

/// Marks that stand so close together are one.
const CLOSE: f64 = 12.0;

/// So many rows of marks that stand together are told one by one.
const TOLD: usize = 8;

/// Rows whose marks stand together.
struct Cluster<'a> {
    x: f64,
    rows: Vec<(usize, &'a PictureRow)>,
}

impl Cluster<'_> {
    /// The mark that says most.
    fn first(&self) -> Option<&Mark> {
        let marks = self.rows.iter().filter_map(|(_, row)| row.mark.as_ref());
        marks.min_by_key(|mark| match mark.shape {
            MarkShape::Expiry | MarkShape::Gap => 0,
            MarkShape::Up | MarkShape::Down | MarkShape::Diamond | MarkShape::Cross | MarkShape::Flag => 1,
            MarkShape::Ring => 2,
            MarkShape::Over => 3,
            MarkShape::Dot => 4,
        })
    }

    /// What can be said of it, longest first.
    fn labels(&self) -> Vec<String> {
        let all: Vec<&str> = self
            .rows
            .iter()
            .filter_map(|(_, row)| row.mark.as_ref())
            .map(|mark| mark.label.as_str())
            .filter(|label| !label.is_empty())
            .collect();
        let first = self.first().map(|mark| mark.label.clone()).unwrap_or_default();
        let more = if all.len() > 1 { format!("{first} …") } else { first.clone() };
        match all.len() {
            0 => Vec::new(),
            1..=3 => vec![all.join(" "), more, first],
            _ => vec![more, first],
        }
    }

    fn told(&self) -> String {
        let mut told: Vec<String> = self.rows.iter().take(TOLD).map(|(_, row)| sentence(&row.line)).collect();
        if self.rows.len() > TOLD {
            told.push(format!("and {} more", self.rows.len() - TOLD));
        }
        told.join(" | ")
    }
}

/// The rows with marks in a lane, those that stand together as one.
fn clusters<'a>(rows: &'a [PictureRow], lane: Lane, scale: &Scale) -> Vec<Cluster<'a>> {
    let mut clusters: Vec<Cluster> = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        if row.mark.as_ref().is_none_or(|mark| mark.lane != lane) {
            continue;
        }
        let x = scale.x(row.line.at);
        match clusters.last_mut() {
            Some(last) if x - last.x < CLOSE => last.rows.push((place, row)),
            _ => clusters.push(Cluster { x, rows: vec![(place, row)] }),
        }
    }
    clusters
}

/// Whether a lane has anything.
pub(super) fn has(rows: &[PictureRow], lane: Lane) -> bool {
    rows.iter().any(|row| row.mark.as_ref().is_some_and(|mark| mark.lane == lane))
}

/// Draws a lane, its middle at `y`, words no further than `right`.
pub(super) fn lane(canvas: &mut Canvas, rows: &[PictureRow], lane: Lane, scale: &Scale, y: f64, right: f64) {
    let clusters = clusters(rows, lane, scale);
    for (place, cluster) in clusters.iter().enumerate() {
        let Some(mark) = cluster.first() else { continue };
        let places: Vec<usize> = cluster.rows.iter().map(|(place, _)| *place).collect();
        canvas.begin(&cluster.told(), &places, true);
        // So long it went on.
        let last = cluster.rows.iter().filter_map(|(_, row)| row.line.until).max();
        if let Some(until) = last.map(|until| scale.x(until)).filter(|until| until - cluster.x > CLOSE / 2.0)
        {
            canvas.line("inkline thin", (cluster.x, y + 8.0), (until, y + 8.0));
            canvas.line("inkline thin", (until, y + 5.0), (until, y + 11.0));
        }
        shape(canvas, mark, cluster.x, y);
        let next = clusters.get(place + 1).map_or(right, |next| next.x - 8.0);
        let room = next - (cluster.x + 9.0);
        if let Some(label) = cluster.labels().into_iter().find(|label| width(label) <= room) {
            canvas.text("label", (cluster.x + 9.0, y + 4.0), &label);
        }
        canvas.end();
    }
}

/// Draws what goes across everything, from `top` to `bottom`; its words above.
pub(super) fn across(
    canvas: &mut Canvas,
    rows: &[PictureRow],
    scale: &Scale,
    top: f64,
    bottom: f64,
    right: f64,
) {
    for cluster in clusters(rows, Lane::Across, scale) {
        let Some(mark) = cluster.first() else { continue };
        let places: Vec<usize> = cluster.rows.iter().map(|(place, _)| *place).collect();
        canvas.begin(&cluster.told(), &places, true);
        let x = cluster.x;
        match mark.shape {
            MarkShape::Gap => {
                for side in [-2.5, 2.5] {
                    let mut d = format!("M{} {}", n(x + side), n(top));
                    let steps = ((bottom - top) / 6.0) as usize;
                    (1..=steps).for_each(|step| {
                        let sway = if step % 2 == 0 { -1.5 } else { 1.5 };
                        d += &format!("L{} {}", n(x + side + sway), n(top + 6.0 * step as f64));
                    });
                    canvas.path("inkline", &d);
                }
            }
            _ => canvas.line("inkline faint", (x, top), (x, bottom)),
        }
        let label = cluster.labels().into_iter().next().unwrap_or_default();
        if x + width(&label) > right {
            canvas.text("right name label", (x - 5.0, top + 13.0), &label);
        } else {
            canvas.text("name label", (x + 5.0, top + 13.0), &label);
        }
        canvas.end();
    }
}

/// Draws a shape around a point.
fn shape(canvas: &mut Canvas, mark: &Mark, x: f64, y: f64) {
    let at = |d: &str| format!("M{} {}{d}", n(x), n(y));
    let filled = |fill: &str, line: &str| if mark.solid { fill.to_owned() } else { format!("hollow {line}") };
    match mark.shape {
        MarkShape::Up => canvas.path(&filled("add", "addline"), &at("m0 -5.5l5 10h-10z")),
        MarkShape::Down => canvas.path(&filled("del", "delline"), &at("m0 5.5l5 -10h-10z")),
        MarkShape::Over => canvas.path("inkline", &at("m-5 0h5m0 -5v10")),
        MarkShape::Dot => canvas.path("ink", &at("m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0z")),
        MarkShape::Ring => canvas.path("hollow inkline", &at("m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z")),
        MarkShape::Diamond => canvas.path("ink", &at("m0 -6l5 6l-5 6l-5 -6z")),
        MarkShape::Cross => canvas.path("inkline", &at("m-4 -4l8 8m0 -8l-8 8")),
        MarkShape::Flag => canvas.path("ink", &at("m-4 6v-12h9l-2.5 3.5l2.5 3.5h-7.5v5z")),
        MarkShape::Expiry | MarkShape::Gap => {}
    }
}

/// The shapes that occur, in words.
pub(super) fn legend(canvas: &mut Canvas, rows: &[PictureRow], left: f64, y: f64, right: f64) -> f64 {
    let marks = || rows.iter().filter_map(|row| row.mark.as_ref());
    let words = [
        (MarkShape::Diamond, "scaled"),
        (MarkShape::Dot, "a status or an event"),
        (MarkShape::Up, "a sync creates"),
        (MarkShape::Down, "a sync deletes"),
        (MarkShape::Over, "that sync has ended by now"),
        (MarkShape::Cross, "refused, or gone"),
        (MarkShape::Flag, "another controller"),
    ];
    let (mut x, mut line) = (left, y);
    for (wanted, word) in words {
        let Some(mark) = marks().find(|mark| mark.shape == wanted) else { continue };
        let hollow = matches!(wanted, MarkShape::Up | MarkShape::Down) && !mark.solid;
        let word = if hollow { format!("{word} (inferred)") } else { word.to_owned() };
        if x + width(&word) > right {
            (x, line) = (left, line + 18.0);
        }
        shape(canvas, mark, x + 6.0, line);
        canvas.text("soft", (x + 16.0, line + 4.0), &word);
        x += width(&word) + 36.0;
    }
    line + 18.0
}
