//! How klog writes text: `I0102 03:04:05.678901       1 file.go:1] ` and then a message, or a
//! message quoted by Go with `key=value` fields behind it.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::Time;

use super::clock::Written;

/// The beginning of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head<'a> {
    month_and_day: &'a [u8],
    time: &'a [u8],
    /// Message and fields.
    pub(crate) rest: &'a [u8],
}

/// Whether a line begins as klog begins every line.
pub(crate) fn is_head(line: &[u8]) -> bool {
    let Some(head) = line.first_chunk::<15>() else { return false };
    let digits = |from: usize, to: usize| head[from..to].iter().all(u8::is_ascii_digit);
    matches!(head[0], b'I' | b'W' | b'E' | b'F')
        && digits(1, 5)
        && head[5] == b' '
        && digits(6, 8)
        && head[8] == b':'
        && digits(9, 11)
        && head[11] == b':'
        && digits(12, 14)
}

/// Longer than any process number, file and line.
const LONGEST_HEAD: usize = 400;

/// Splits a line of klog.
pub(crate) fn head(line: &[u8]) -> Option<Head<'_>> {
    if !is_head(line) {
        return None;
    }
    let near = &line[..line.len().min(LONGEST_HEAD)];
    let end = near.iter().position(|byte| *byte == b']')?;
    let rest = line.get(end + 1..)?.strip_prefix(b" ")?;
    let time_end = near[6..end].iter().position(|byte| *byte == b' ')? + 6;
    Some(Head { month_and_day: &line[1..5], time: &line[6..time_end], rest })
}

impl Head<'_> {
    /// The time as it stands in the line; None if it is none.
    pub(crate) fn written(&self, stamp: Option<&[u8]>) -> Option<Written> {
        let month_and_day = std::str::from_utf8(self.month_and_day).ok()?;
        let time: Time = std::str::from_utf8(self.time).ok()?.parse().ok()?;
        let (month, day) = (month_and_day[..2].parse().ok()?, month_and_day[2..].parse().ok()?);
        Some(Written::Yearless { month, day, time, stamp: stamp.and_then(instant) })
    }
}

/// A time of RFC 3339.
pub(crate) fn instant(text: &[u8]) -> Option<Timestamp> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Splits a message from its fields: a quoted one, else all is message.
pub(crate) fn message(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let Some(quoted) = text.strip_prefix('"') else { return Some((Cow::Borrowed(text), "")) };
    let end = closing_quote(quoted)?;
    Some((unquote(&quoted[..end])?, &quoted[end + 1..]))
}

/// The value of a field in ` key=value key=value`; strings come without quotation marks.
pub(crate) fn field<'a>(fields: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let mut rest = fields;
    loop {
        rest = rest.trim_start_matches(' ');
        let (key, behind) = rest.split_once('=')?;
        let end = value_end(behind)?;
        if key == name {
            return value(&behind[..end]);
        }
        rest = &behind[end..];
    }
}

/// Where a value ends: at its quotation mark, its bracket, the ` >` of several lines, or a space.
fn value_end(text: &str) -> Option<usize> {
    match text.as_bytes().first() {
        Some(b'"') => Some(closing_quote(&text[1..])? + 2),
        Some(b'<') if text.starts_with("<\n") => Some(text.find("\n >")? + 3),
        Some(b'{' | b'[') => closing_bracket(text),
        _ => Some(text.find(' ').unwrap_or(text.len())),
    }
}

fn value(text: &str) -> Option<Cow<'_, str>> {
    if let Some(quoted) = text.strip_prefix('"') {
        return unquote(quoted.strip_suffix('"')?);
    }
    match text.strip_prefix("<\n") {
        // Every line of it is indented by a tab.
        Some(lines) => {
            let lines = lines.strip_suffix("\n >")?.split('\n');
            let lines: Vec<&str> = lines.map(|line| line.strip_prefix('\t').unwrap_or(line)).collect();
            Some(Cow::Owned(lines.join("\n")))
        }
        None => Some(Cow::Borrowed(text)),
    }
}

/// The place of the first quotation mark that is not escaped.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// The end of a bracketed value, behind its last bracket.
fn closing_bracket(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.checked_sub(1)?,
            b'"' => at += closing_quote(&text[at + 1..])? + 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The text of a string quoted by Go, given without its quotation marks.
pub(crate) fn unquote(quoted: &str) -> Option<Cow<'_, str>> {
    if !quoted.contains('\\') {
        return Some(Cow::Borrowed(quoted));
    }
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        let mut utf8 = [0; 4];
        if c != '\\' {
            bytes.extend_from_slice(c.encode_utf8(&mut utf8).as_bytes());
            continue;
        }
        let plain = match chars.next()? {
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'v' => 11,
            // A byte that is no UTF-8.
            'x' => u8::try_from(hex(&mut chars, 2)?).ok()?,
            wide @ ('u' | 'U') => {
                let c = char::from_u32(hex(&mut chars, if wide == 'u' { 4 } else { 8 })?)?;
                bytes.extend_from_slice(c.encode_utf8(&mut utf8).as_bytes());
                continue;
            }
            other => {
                bytes.extend_from_slice(other.encode_utf8(&mut utf8).as_bytes());
                continue;
            }
        };
        bytes.push(plain);
    }
    Some(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()))
}

fn hex(chars: &mut std::str::Chars<'_>, digits: usize) -> Option<u32> {
    (0..digits).try_fold(0u32, |sum, _| sum.checked_mul(16)?.checked_add(chars.next()?.to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_every_form_are_found_behind_each_other() {
        let text = r#" a="x \"y\" =z" n=5 list=["p/q","]"] map={"k":"}"} empty={} d=1.5s many=<
	first
	second
 > last="ü\n\u00e9\xff""#;
        let get = |name| field(text, name).map(Cow::into_owned);
        for (name, wanted) in [
            ("a", r#"x "y" =z"#),
            ("n", "5"),
            ("list", r#"["p/q","]"]"#),
            ("map", r#"{"k":"}"}"#),
            ("empty", "{}"),
            ("d", "1.5s"),
            ("many", "first\nsecond"),
            ("last", "ü\né\u{fffd}"),
        ] {
            assert_eq!(get(name).as_deref(), Some(wanted), "{name}");
        }
        assert_eq!(get("x"), None);
    }

    #[test]
    fn a_value_without_its_end_is_none() {
        for text in [r#" a="x"#, r#" a="x\"#, " a=[1", " a=<\n\tx", r#" a="\x4"#, r#" a="\ud800""#, " a", "a"]
        {
            assert_eq!(field(text, "a"), None, "{text}");
        }
    }

    #[test]
    fn only_whole_heads_are_heads() {
        assert!(head(b"I0102 03:04:05.678901       1 a.go:1] x").is_some());
        for other in [
            "",
            "I0102 03:04:05",
            "X0102 03:04:05.6 1 a.go:1] x",
            "I0102 03:04:05.6 1 a.go:1 x",
            "I0102 03:04:05]",
        ] {
            assert!(head(other.as_bytes()).is_none(), "{other}");
        }
    }
}
