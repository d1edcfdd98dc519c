//! An input as it is opened: decompressed, and recognised by its beginning.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::documents::Shape;
use crate::source::{Error, Input, controller_log};

/// How much of an input decides what it is.
const HEAD: u64 = 64 << 10;

/// What an input holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Yaml,
    Recording,
    Log,
}

/// An input whose beginning has been read, decompressed.
pub(crate) struct Opened {
    head: Vec<u8>,
    rest: Box<dyn Read>,
    /// Why no more could be read than the head.
    failed: Option<io::Error>,
}

/// Opens an input and reads its beginning.
pub(crate) fn open(input: &Input) -> io::Result<Opened> {
    begin(match input {
        Input::Path(path) => Box::new(BufReader::new(File::open(path)?)),
        Input::Stdin => Box::new(BufReader::new(io::stdin())),
    })
}

pub(crate) fn begin(mut raw: Box<dyn BufRead>) -> io::Result<Opened> {
    let mut magic = Vec::new();
    raw.by_ref().take(2).read_to_end(&mut magic)?;
    let zipped = magic == b"\x1f\x8b";
    let raw = io::Cursor::new(magic).chain(raw);
    let mut rest: Box<dyn Read> = if zipped { Box::new(MultiGzDecoder::new(raw)) } else { Box::new(raw) };
    let mut head = Vec::new();
    let failed = rest.by_ref().take(HEAD).read_to_end(&mut head).err();
    if head.starts_with(b"\xef\xbb\xbf") {
        head.drain(..3);
    }
    Ok(Opened { head, rest, failed })
}

impl Opened {
    /// Recognises an input by its beginning, or finds why it cannot be read.
    pub(crate) fn format(&self) -> Result<Format, Error> {
        let head = &self.head;
        let marked = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
        if marked || head.iter().take(2).filter(|b| **b == 0).count() == 1 {
            return Err(Error::Utf16);
        }
        // A log that was truncated while it was written has holes of zeros.
        if head.contains(&0) && !controller_log::is_log(head) {
            return Err(Error::Binary);
        }
        let text = head.trim_ascii_start();
        match text.first() {
            None => match &self.failed {
                Some(error) => Err(Error::from(error)),
                None => Err(Error::Empty),
            },
            Some(b'{') => Ok(match Shape::peek(text) {
                Shape::Recording => Format::Recording,
                Shape::LogLine => Format::Log,
                Shape::Object if controller_log::is_log(text) => Format::Log,
                _ => Format::Json,
            }),
            Some(_) if controller_log::is_log(text) => Ok(Format::Log),
            Some(b'[') => Ok(Format::Json),
            Some(_) => Ok(Format::Yaml),
        }
    }

    /// The whole text, and why it ends early if it does.
    pub(crate) fn whole(mut self) -> (Vec<u8>, Option<io::Error>) {
        if self.failed.is_none() {
            self.failed = self.rest.read_to_end(&mut self.head).err();
        }
        (self.head, self.failed)
    }

    /// The text as it comes.
    pub(crate) fn reader(self) -> impl BufRead {
        let rest: Box<dyn Read> = match self.failed {
            Some(error) => Box::new(Failed(Some(error))),
            None => self.rest,
        };
        BufReader::with_capacity(HEAD as usize, io::Cursor::new(self.head).chain(rest))
    }
}

/// Gives the error that came before.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
