//! Where observations come from.
