//! Exact pages for the common cases, properties for the rest.

use super::*;
use crate::report::fixtures::*;
use crate::report::style::columns;
use crate::report::{Creates, Degraded, Deletes, Running};

#[test]
fn samples() {
    for report in all() {
        println!("{}\n---", explain(&report, &Style::plain(), false));
    }
    for report in [skip(), scale_down(), burst(), refused()] {
        println!("{}\n---", dry_run(&dry(report), &Style::plain(), false));
    }
    println!("{}", code(Code::ExpectationsUnmet, &Style::plain()));
}
