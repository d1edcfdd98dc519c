//! What the controller waits for.

use super::page::Page;
use crate::report::sentences::expectations::{counters_and_gate, deletions, times};
use crate::report::{GateState, Report};

/// The section `Expect`. Without an entry there is nothing to say.
pub(super) fn section(page: &mut Page, report: &Report, wide: bool) {
    let expectations = &report.expectations;
    if expectations.gate == GateState::None && !wide {
        return;
    }
    let mut items = vec![counters_and_gate(report)];
    items.extend(times(expectations, report.as_of));
    items.extend(deletions(&expectations.awaited_deletions, wide));
    page.items("Expect", &items);
}
