//! Builds the report from an answer of the reconstruction.
