//! How answers reach the terminal: the output format ([`print`]), the stream and its colours
//! ([`output`]), the order ([`sort`]).

pub mod output;
pub mod print;
pub mod sort;
pub mod templates;
pub mod yaml;
