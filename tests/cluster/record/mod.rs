//! Recordings that the program writes: that nothing is lost of what it reads, that nobody is named in a
//! redacted one, and how the command behaves.

#[cfg(unix)]
mod command;
mod names;
mod objects;
#[cfg(unix)]
mod server;
mod traces;
