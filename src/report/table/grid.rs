//! Columns that keep their places from one batch of rows to the next.

use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width, presets};

/// Blanks between columns, as kubectl has them.
pub(crate) const GAP: u16 = 3;

/// The columns as they were written so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Grid {
    widths: Vec<u16>,
    gap: Option<u16>,
}

impl Grid {
    /// Columns with kubectl's gaps, however wide the terminal is.
    pub(crate) fn spaced() -> Grid {
        Grid { gap: Some(GAP), ..Grid::default() }
    }

    /// Whether nothing was written yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.widths.is_empty()
    }

    /// The lines of a table: no column is narrower than it was. The gaps shrink where the first rows
    /// then fit in so many columns of the terminal.
    pub(crate) fn lines(&mut self, table: &mut Table, room: usize) -> Vec<String> {
        let content = table.column_max_content_widths();
        self.widths.resize(content.len(), 0);
        for (width, content) in self.widths.iter_mut().zip(content) {
            *width = content.max(*width);
        }
        let gap = *self.gap.get_or_insert_with(|| fitting(&self.widths, room));
        for (column, width) in table.column_iter_mut().zip(&self.widths) {
            column.set_padding((0, gap));
            column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width + gap)));
        }
        lines(table)
    }

    /// Where a column begins.
    pub(crate) fn begin(&self, column: usize) -> usize {
        let gap = self.gap.unwrap_or(GAP);
        self.widths.iter().take(column).map(|width| usize::from(width + gap)).sum()
    }
}

/// The widest gap with which a line fits, the least if none does.
fn fitting(widths: &[u16], room: usize) -> u16 {
    let content: usize = widths.iter().map(|width| usize::from(*width)).sum();
    let fits = |gap: &u16| content + usize::from(*gap) * widths.len().saturating_sub(1) <= room;
    (1..=GAP).rev().find(fits).unwrap_or(1)
}

/// A table without any lines drawn.
pub(crate) fn new_table() -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table
}

/// One line a row: every cell is escaped, so none holds a line break.
fn lines(table: &Table) -> Vec<String> {
    table.lines().map(|line| line.trim_end().to_owned()).collect()
}
