//! From observations to ranges and a verdict.

pub mod reasons;
pub mod refusal;
