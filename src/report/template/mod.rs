//! What `-o jsonpath` and `-o custom-columns` print: templates over the JSON of a report, as kubectl's.
//!
//! Works on JSON alone and knows no report. Start at [`jsonpath::JsonPath`]; [`columns`] is a table of such
//! expressions.

pub(crate) mod columns;
pub(crate) mod jsonpath;
