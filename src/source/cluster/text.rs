//! Text from outside in an error: a path, an error of the system, whatever a server or plugin wrote.

use std::io;
use std::path::Path;

/// Longer texts are cut: an answer may be a whole page.
const LONGEST: usize = 4000;

/// Text from outside as one line: control and bidirectional characters are escaped.
pub(crate) fn shown(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{2066}'..='\u{2069}')
    };
    let mut line = String::with_capacity(text.len().min(LONGEST));
    for c in text.trim_end().chars() {
        if line.len() > LONGEST {
            line.push('…');
            break;
        }
        if hidden(c) { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

/// A path as errors name it.
pub fn name(path: &Path) -> String {
    shown(&path.display().to_string())
}

/// An error of the system as Go words it: without its number, in lower case.
pub fn os_error(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
