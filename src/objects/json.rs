//! Reads objects as the API server and kubectl write them.
