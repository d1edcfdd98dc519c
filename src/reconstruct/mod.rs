//! From observations to ranges and a verdict.
