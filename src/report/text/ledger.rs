//! The end of the ledger: what was seen and proved last.

use super::page::{COLUMN, Page};
use crate::report::format::date;
use crate::report::style::Style;
use crate::report::timeline::Layout;
use crate::report::{FactCode, Report};

/// The section `Lately`. That the object was there when the window opened is no news.
pub(super) fn section(page: &mut Page, report: &Report, wide: bool) {
    let news = report.ledger.iter().any(|line| line.fact != FactCode::WindowOpened);
    let Some(first) = report.ledger.first().filter(|_| news) else { return };
    let style = Style { width: page.style.width.saturating_sub(COLUMN), ..*page.style };
    let layout = Layout { style: &style, full: wide, brief: !wide };
    let mut rows = vec![layout.heads(&date(first.at))];
    rows.extend(report.ledger.iter().map(|line| layout.rows(line)));
    let label = format!("{}{}", page.style.bold("Lately"), " ".repeat(COLUMN - "Lately".len()));
    for (at, row) in rows.iter().flat_map(|rows| rows.lines()).enumerate() {
        let lead = if at == 0 { label.clone() } else { " ".repeat(COLUMN) };
        page.line(&format!("{lead}{row}"));
    }
}
