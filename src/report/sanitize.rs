//! Text from the cluster is untrusted: whatever moves a terminal's cursor, reorders text or cannot
//! be seen is shown escaped (`\x1b`, `\u{202e}`, `\n`). Everything printable stays as it is, a
//! backslash too: the result is for eyes, not to be read back.

use std::borrow::Cow;
use std::fmt::Write;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text with everything escaped that is not plainly visible.
pub fn escape(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_hidden) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 8);
    out.push_str(&text[..first]);
    for c in text[first..].chars() {
        if is_hidden(c) { push_escaped(&mut out, c) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// The text cut to at most `columns` columns; `…` marks a cut.
pub fn shorten(text: &str, columns: usize) -> Cow<'_, str> {
    if text.width() <= columns {
        return Cow::Borrowed(text);
    }
    let Some(room) = columns.checked_sub(1) else { return Cow::Borrowed("") };
    let mut used = 0;
    let end = text.char_indices().find_map(|(at, c)| {
        used += c.width().unwrap_or(0);
        (used > room).then_some(at)
    });
    Cow::Owned(format!("{}…", &text[..end.unwrap_or(text.len())]))
}

/// A message that may have several lines as one: its line breaks and tabs become spaces, everything else is as in
/// [`escape`].
pub fn prose(text: &str) -> String {
    let lines: Vec<&str> =
        text.split(['\n', '\r', '\t']).map(str::trim).filter(|line| !line.is_empty()).collect();
    escape(&lines.join(" ")).into_owned()
}

/// The text cut in its middle to at most `columns` columns, with `…` for what is left out: the last words of a
/// refusal are often those that decide.
pub fn shorten_middle(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(3);
    let head = shorten(text, room / 2 + 1);
    let mut used = 0;
    let tail = text.char_indices().rev().find_map(|(at, c)| {
        used += c.width().unwrap_or(0);
        (used > room / 2).then_some(at + c.len_utf8())
    });
    format!("{} … {}", head.trim_end_matches('…').trim_end(), text[tail.unwrap_or_default()..].trim_start())
}

/// JSON text with the same characters as `\\uXXXX`: what reads JSON gets them back, a terminal
/// does not. They can stand inside strings only.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let hidden = |c: char| is_hidden(c) && !c.is_ascii();
    let Some(first) = json.find(hidden) else { return Cow::Borrowed(json) };
    let mut out = json[..first].to_owned();
    for c in json[first..].chars() {
        if hidden(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether the character acts on the terminal or on its neighbours, or shows nothing.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            // Mongolian variation selectors and the vowel separator.
            | '\u{180b}'..='\u{180f}'
            // Zero width space and joiners, direction marks.
            | '\u{200b}'..='\u{200f}'
            // Line and paragraph separators, embeddings and overrides.
            | '\u{2028}'..='\u{202e}'
            // Word joiner, invisible operators, isolates, deprecated format characters.
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{ffa0}' | '\u{feff}'
            // Variation selectors, interlinear annotation.
            | '\u{fe00}'..='\u{fe0f}' | '\u{fff0}'..='\u{fffb}'
            // Musical format characters.
            | '\u{1d173}'..='\u{1d17a}'
            // Tag characters and the second block of variation selectors.
            | '\u{e0000}'..='\u{e0fff}')
}

fn push_escaped(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        // A String takes every write.
        c if u32::from(c) < 0x80 => {
            let _ = write!(out, "\\x{:02x}", u32::from(c));
        }
        c => {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_text_is_untouched_and_not_copied() {
        for text in ["", "web-7d9f", "größe 容器 🚀 e\u{301}", r"a\b"] {
            assert!(matches!(escape(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn attacks_are_shown() {
        for (attack, shown) in [
            ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
            ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
            ("\x1b]8;;http://x\x1b\\link", r"\x1b]8;;http://x\x1b\link"),
            ("a\u{9b}2Jb", r"a\u{9b}2Jb"),
            ("ok\r\nweb: settled", r"ok\r\nweb: settled"),
            ("a\tb\x08\x7f\0", r"a\tb\x08\x7f\x00"),
            ("web-\u{202e}gpj.exe", r"web-\u{202e}gpj.exe"),
            ("\u{2066}a\u{2069}\u{200e}\u{200f}\u{61c}", r"\u{2066}a\u{2069}\u{200e}\u{200f}\u{61c}"),
            ("we\u{200b}b\u{200d}\u{2060}\u{feff}", r"we\u{200b}b\u{200d}\u{2060}\u{feff}"),
            ("a\u{2028}b\u{2029}c\u{85}d", r"a\u{2028}b\u{2029}c\u{85}d"),
            ("\u{e0061}\u{e007f}", r"\u{e0061}\u{e007f}"),
            ("soft\u{ad}hyphen\u{3164}\u{fe0f}", r"soft\u{ad}hyphen\u{3164}\u{fe0f}"),
        ] {
            assert_eq!(escape(attack), shown);
        }
    }

    #[test]
    fn nothing_hidden_is_left_in_any_character() {
        for c in '\0'..=char::MAX {
            assert!(!escape(c.encode_utf8(&mut [0; 4])).contains(is_hidden), "{c:?}");
        }
    }

    #[test]
    fn text_is_cut_by_columns() {
        assert_eq!(shorten("web", 3), "web");
        assert_eq!(shorten("webs", 3), "we…");
        assert_eq!(shorten("容器容器", 5), "容器…");
        assert_eq!(shorten("容器容器", 4), "容…");
        assert_eq!(shorten("web", 0), "");
    }
}
