//! How answers reach the terminal: the output format ([`print`]), the stream and its colours
//! ([`output`]), the order ([`sort`]).

pub(crate) mod output;
pub(crate) mod print;
pub(crate) mod sort;
pub(crate) mod templates;
pub(crate) mod yaml;
