//! Lines as they stand in the file, freed of what container runtimes and collectors put before
//! them, in memory bounded by the longest line that is read.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

use serde::Deserialize;

use super::klog;

/// A longer line is no line of a log that anybody could read; it is passed over.
pub(crate) const LONGEST: usize = 16 << 20;

/// Longer than any prefix.
const LONGEST_PREFIX: usize = 300;

/// A line without its prefix and its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// The full time that a container runtime put first.
    pub(crate) stamp: Option<&'a [u8]>,
    /// What the program wrote.
    pub(crate) text: &'a [u8],
    /// Whether the file ends within the line, as far as one can see.
    pub(crate) cut: bool,
}

/// Reads lines.
pub(crate) struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    /// Whether `line` was handed out.
    used: bool,
    /// Parts of a line that a container runtime split, by stream.
    parts: [Part; 2],
    /// How many lines were begun.
    pub(crate) count: u64,
    /// How many lines were passed over because they are too long.
    pub(crate) overlong: u64,
}

#[derive(Default)]
struct Part {
    stamp: Vec<u8>,
    text: Vec<u8>,
    open: bool,
    overlong: bool,
}

/// A line split at its prefix.
struct Split<'a> {
    stamp: Option<&'a [u8]>,
    /// The stream, and whether the line goes on in the next one of this stream.
    part: Option<(usize, bool)>,
    text: &'a [u8],
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R) -> Self {
        Lines {
            reader,
            line: Vec::new(),
            used: false,
            parts: [Part::default(), Part::default()],
            count: 0,
            overlong: 0,
        }
    }

    /// The next line; None at the end. A line that lacks its end is handed out only if `last`:
    /// before that, a file that still grows may yet hold the rest.
    pub fn next(&mut self, last: bool) -> io::Result<Option<Line<'_>>> {
        while let Some(cut) = self.fill(last)? {
            let split = split(trim_end(&self.line));
            let Some((stream, goes_on)) = split.part else {
                // Borrowed anew: the one above would have to live as long as `self`.
                let Split { stamp, text, .. } = self::split(trim_end(&self.line));
                return Ok(Some(Line { stamp, text, cut }));
            };
            let part = &mut self.parts[stream];
            if !part.open && !goes_on {
                let Split { stamp, text, .. } = self::split(trim_end(&self.line));
                return Ok(Some(Line { stamp, text, cut }));
            }
            part.add(&split);
            if goes_on {
                continue;
            }
            part.open = false;
            if part.overlong {
                self.overlong += 1;
                continue;
            }
            let Part { stamp, text, .. } = &self.parts[stream];
            return Ok(Some(Line { stamp: Some(stamp), text, cut }));
        }
        Ok(None)
    }

    /// Reads one line of the file, and says whether it lacks its end.
    fn fill(&mut self, last: bool) -> io::Result<Option<bool>> {
        if std::mem::replace(&mut self.used, false) {
            self.line.clear();
        }
        loop {
            let room = (LONGEST + 1).saturating_sub(self.line.len()) as u64;
            self.reader.by_ref().take(room).read_until(b'\n', &mut self.line)?;
            let whole = self.line.last() == Some(&b'\n');
            if !whole && self.line.len() > LONGEST {
                self.pass_over()?;
                continue;
            }
            if self.line.is_empty() || (!whole && !last) {
                return Ok(None);
            }
            self.used = true;
            self.count += 1;
            // A log that was truncated while it was written begins with a hole of zeros.
            let hole = self.line.iter().take_while(|byte| **byte == 0).count();
            self.line.drain(..hole);
            rewrite_docker(&mut self.line);
            return Ok(Some(!whole));
        }
    }

    /// Passes over the rest of an overlong line, or of a hole.
    fn pass_over(&mut self) -> io::Result<()> {
        let hole = self.line.iter().all(|byte| *byte == 0);
        self.line.clear();
        if !hole {
            self.count += 1;
            self.overlong += 1;
            self.reader.skip_until(b'\n')?;
        }
        Ok(())
    }
}

impl Part {
    fn add(&mut self, split: &Split<'_>) {
        if !self.open {
            self.open = true;
            self.overlong = false;
            self.text.clear();
            self.stamp.clear();
            self.stamp.extend_from_slice(split.stamp.unwrap_or_default());
        }
        self.overlong |= self.text.len() + split.text.len() > LONGEST;
        if !self.overlong {
            self.text.extend_from_slice(split.text);
        }
    }
}

fn trim_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// What the program itself wrote of a line, for `look`.
pub(crate) fn look_at<T>(line: &[u8], look: impl Fn(&[u8]) -> T) -> T {
    let mut line = line.to_vec();
    rewrite_docker(&mut line);
    look(split(trim_end(&line)).text)
}

/// Docker's files, `{"log":"...\n","stream":"stderr","time":"..."}`, get the form of other runtimes.
fn rewrite_docker(line: &mut Vec<u8>) {
    #[derive(Deserialize)]
    struct Entry<'a> {
        #[serde(borrow)]
        log: Cow<'a, str>,
        #[serde(default)]
        stream: Cow<'a, str>,
        time: Cow<'a, str>,
    }
    if !line.starts_with(b"{\"log\":") {
        return;
    }
    let Ok(Entry { log, stream, time }) = serde_json::from_slice(line) else { return };
    let stream = if stream == "stdout" { "stdout" } else { "stderr" };
    let tag = if log.ends_with('\n') { 'F' } else { 'P' };
    let rewritten = format!("{time} {stream} {tag} {}\n", log.trim_end_matches(['\n', '\r']));
    *line = rewritten.into_bytes();
}

fn split(line: &[u8]) -> Split<'_> {
    let own = Split { stamp: None, part: None, text: line };
    match line.first() {
        Some(b'0'..=b'9') => stamped(line).unwrap_or_else(|| logged(line).unwrap_or(own)),
        Some(b'[') => pod(line).unwrap_or(own),
        Some(b'A'..=b'Z') if !klog::is_head(line) => logged(line).unwrap_or(own),
        _ => own,
    }
}

/// `kubectl logs --timestamps`, and the files of container runtimes:
/// `2026-01-02T03:04:05.6Z stderr F `.
fn stamped(line: &[u8]) -> Option<Split<'_>> {
    let end = line.iter().take(40).position(|byte| *byte == b' ')?;
    let stamp = &line[..end];
    if stamp.get(4) != Some(&b'-') || stamp.get(10) != Some(&b'T') {
        return None;
    }
    let rest = &line[end + 1..];
    for (stream, name) in [b"stdout ", b"stderr "].into_iter().enumerate() {
        let Some(tagged) = rest.strip_prefix(name) else { continue };
        let tags = tagged.iter().take(40).position(|byte| *byte == b' ');
        let (tags, text) = match tags {
            Some(end) => (&tagged[..end], &tagged[end + 1..]),
            None => (tagged, &b""[..]),
        };
        // Tags are divided by colons; the first tells full from partial.
        match tags.split(|byte| *byte == b':').next() {
            Some(b"F") => return Some(Split { stamp: Some(stamp), part: Some((stream, false)), text }),
            Some(b"P") => return Some(Split { stamp: Some(stamp), part: Some((stream, true)), text }),
            _ => {}
        }
    }
    if rest.first() != Some(&b'{') && !klog::is_head(rest) {
        // journalctl -o short-iso: a host and a program stand between.
        if let Some(Split { text, .. }) = logged(line) {
            return Some(Split { stamp: Some(stamp), part: None, text });
        }
    }
    Some(Split { stamp: Some(stamp), part: None, text: rest })
}

/// `kubectl logs --prefix`: `[pod/NAME/CONTAINER] `.
fn pod(line: &[u8]) -> Option<Split<'_>> {
    line.strip_prefix(b"[pod/")?;
    let end = line.iter().take(LONGEST_PREFIX).position(|byte| *byte == b']')?;
    let text = line.get(end + 1..)?.strip_prefix(b" ")?;
    Some(stamped(text).unwrap_or(Split { stamp: None, part: None, text }))
}

/// syslog and journald: `Jan  2 03:04:05 host kube-controller-manager[123]: `.
fn logged(line: &[u8]) -> Option<Split<'_>> {
    let head = &line[..line.len().min(LONGEST_PREFIX)];
    let end = head.windows(3).position(|bytes| bytes == b"]: ")?;
    let text = &line[end + 3..];
    let is_log = klog::is_head(text) || text.starts_with(b"{\"ts\":") || text.starts_with(b"\t");
    is_log.then_some(Split { stamp: None, part: None, text })
}
