//! The file that a recording goes to: written beside its name and renamed when it is closed, so that the name always holds a
//! whole recording or what it held before.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

/// How many names are tried for an unfinished file: what a killed recorder left is kept.
const NAMES: usize = 100;

const BUFFER: usize = 1 << 16;

/// Where a recording goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file; compressed if its name ends in `.gz`.
    Path(PathBuf),
}

impl From<PathBuf> for Destination {
    /// `-` is standard output.
    fn from(path: PathBuf) -> Destination {
        if path.as_os_str() == "-" { Destination::Stdout } else { Destination::Path(path) }
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Destination::Stdout => f.write_str("standard output"),
            Destination::Path(path) => write!(f, "{}", path.display()),
        }
    }
}

impl Destination {
    /// Whether a recording could be started there: better found out before a cluster is watched for minutes.
    pub fn check(&self) -> io::Result<()> {
        let Destination::Path(path) = self else { return Ok(()) };
        match WriteMode::of(path)? {
            WriteMode::Renamed(target) => {
                let (partial, file) = begin(&target)?;
                drop(file);
                fs::remove_file(partial)
            }
            WriteMode::Written => Ok(()),
        }
    }

    /// Begins a recording.
    pub(crate) fn open(&self) -> io::Result<RecordingFile> {
        let Destination::Path(path) = self else {
            return Ok(RecordingFile { encoder: Encoder::new(Box::new(io::stdout()), false), renamed: None });
        };
        let zipped = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
        let (file, renamed) = match WriteMode::of(path)? {
            WriteMode::Renamed(to) => {
                let (partial, file) = begin(&to)?;
                let synced = file.try_clone()?;
                (file, Some(Renamed { partial, to, synced }))
            }
            WriteMode::Written => (File::options().write(true).open(path)?, None),
        };
        Ok(RecordingFile { encoder: Encoder::new(Box::new(file), zipped), renamed })
    }
}

/// How a path is written.
enum WriteMode {
    /// A file, or none yet: whole at once. A link stays one, its target is replaced.
    Renamed(PathBuf),
    /// A pipe or a device.
    Written,
}

impl WriteMode {
    fn of(path: &Path) -> io::Result<WriteMode> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(found) if found.is_file() && path.is_symlink() => {
                Ok(WriteMode::Renamed(fs::canonicalize(path)?))
            }
            Ok(found) if found.is_file() => Ok(WriteMode::Renamed(path.to_owned())),
            Ok(_) => Ok(WriteMode::Written),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(WriteMode::Renamed(path.to_owned())),
            Err(error) => Err(error),
        }
    }
}

/// Creates the unfinished file beside `target`.
fn begin(target: &Path) -> io::Result<(PathBuf, File)> {
    let mut last = io::Error::from(ErrorKind::AlreadyExists);
    for number in 1..=NAMES {
        let mut name = target.file_name().ok_or(ErrorKind::IsADirectory)?.to_owned();
        name.push(if number == 1 { ".partial".to_owned() } else { format!(".partial-{number}") });
        let partial = target.with_file_name(name);
        match File::options().write(true).create_new(true).open(&partial) {
            Ok(file) => return Ok((partial, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

/// A recording that is being written.
pub(crate) struct RecordingFile {
    encoder: Encoder,
    renamed: Option<Renamed>,
}

struct Renamed {
    partial: PathBuf,
    to: PathBuf,
    synced: File,
}

impl RecordingFile {
    /// The file that holds the recording until it is closed, if that has another name.
    pub(crate) fn partial(&self) -> Option<&Path> {
        self.renamed.as_ref().map(|renamed| renamed.partial.as_path())
    }

    /// Puts the recording under its name; returns how many bytes it has.
    pub(crate) fn close(self) -> io::Result<u64> {
        let bytes = self.encoder.close()?;
        if let Some(Renamed { partial, to, synced }) = self.renamed {
            synced.sync_all()?;
            drop(synced);
            fs::rename(partial, to)?;
        }
        Ok(bytes)
    }
}

impl Write for RecordingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.encoder {
            Encoder::Plain(out) => out.write(bytes),
            Encoder::Zipped(out) => out.write(bytes),
        }
    }

    /// Of a compressed file this ends a block: it can be read up to here.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.encoder {
            Encoder::Plain(out) => out.flush(),
            Encoder::Zipped(out) => out.flush(),
        }
    }
}

/// Both take what is written in small pieces.
enum Encoder {
    Plain(BufWriter<Counted>),
    Zipped(BufWriter<GzEncoder<Counted>>),
}

impl Encoder {
    fn new(out: Box<dyn Write>, zipped: bool) -> Encoder {
        let out = Counted { out, bytes: 0 };
        if zipped {
            Encoder::Zipped(BufWriter::with_capacity(BUFFER, GzEncoder::new(out, Compression::default())))
        } else {
            Encoder::Plain(BufWriter::with_capacity(BUFFER, out))
        }
    }

    fn close(self) -> io::Result<u64> {
        let mut out = match self {
            Encoder::Plain(out) => out.into_inner()?,
            Encoder::Zipped(out) => out.into_inner()?.finish()?,
        };
        out.flush()?;
        Ok(out.bytes)
    }
}

/// Counts what is written.
struct Counted {
    out: Box<dyn Write>,
    bytes: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
