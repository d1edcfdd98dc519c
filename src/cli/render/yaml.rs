//! Writes YAML that readers of YAML 1.1 and 1.2 understand alike: every string that is not plainly a word
//! is quoted, as a value and as a key, so that "yes", "1e3" and "1:30" stay strings.

use std::fmt::Write;

use serde::Serialize;
use serde_yaml::{Number, Value};

/// Writes a value as one YAML document.
pub fn write(value: &impl Serialize) -> Result<String, serde_yaml::Error> {
    let value = serde_yaml::to_value(value)?;
    let mut text = String::new();
    block(&mut text, &value, 0);
    Ok(text)
}

/// A value on lines of its own.
fn block(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Mapping(map) if !map.is_empty() => {
            for (at, (key, value)) in map.iter().enumerate() {
                // The first key of an item stands behind its dash.
                if at > 0 || !out.ends_with("- ") {
                    pad(out, indent);
                }
                out.push_str(&scalar(key));
                out.push(':');
                member(out, value, indent);
            }
        }
        Value::Sequence(items) if !items.is_empty() => {
            for (at, item) in items.iter().enumerate() {
                if at > 0 || !out.ends_with("- ") {
                    pad(out, indent);
                }
                out.push_str("- ");
                block(out, item, indent + 2);
            }
        }
        Value::Tagged(tagged) => block(out, &tagged.value, indent),
        other => {
            out.push_str(&scalar(other));
            out.push('\n');
        }
    }
}

/// What follows a key: a scalar behind it, or a block below. Lists are not indented further, as kubectl
/// writes them.
fn member(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Mapping(map) if !map.is_empty() => {
            out.push('\n');
            block(out, value, indent + 2);
        }
        Value::Sequence(items) if !items.is_empty() => {
            out.push('\n');
            block(out, value, indent);
        }
        other => {
            out.push(' ');
            block(out, other, indent);
        }
    }
}

fn pad(out: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n(' ', indent));
}

fn scalar(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => numeral(number),
        Value::String(text) if is_plain(text) => text.clone(),
        Value::String(text) => quoted(text),
        Value::Sequence(_) => "[]".into(),
        Value::Mapping(_) => "{}".into(),
        Value::Tagged(tagged) => scalar(&tagged.value),
    }
}

/// A float needs its point and the sign of its exponent; what JSON cannot say is null here too.
fn numeral(number: &Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        None => number.to_string(),
        Some(float) if !float.is_finite() => "null".into(),
        Some(float) => {
            let text = format!("{float:?}");
            let Some((digits, exponent)) = text.split_once('e') else { return text };
            let point = if digits.contains('.') { "" } else { ".0" };
            let sign = if exponent.starts_with('-') { "" } else { "+" };
            format!("{digits}{point}e{sign}{exponent}")
        }
    }
}

/// Whether every reader takes the bare text for this very string.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 11] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"];
    let inner = |b: u8| b.is_ascii_alphanumeric() || b" _./-".contains(&b);
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with(' ')
        && text.bytes().all(inner)
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_shown(c) => out.push(c),
            c => {
                // Writing into a string cannot fail.
                let _ = match u32::from(c) {
                    code @ 0..=0xff => write!(out, "\\x{code:02X}"),
                    code @ 0x100..=0xffff => write!(out, "\\u{code:04X}"),
                    code => write!(out, "\\U{code:08X}"),
                };
            }
        }
    }
    out.push('"');
    out
}

/// Whether YAML takes the character as it is and a terminal shows it as it is.
fn is_shown(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        && !matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn yaml(value: serde_json::Value) -> String {
        write(&value).unwrap()
    }

    #[test]
    fn words_stay_bare() {
        for text in ["web", "apps/v1", "shop-1.x_y", "two words", "a - b"] {
            assert_eq!(yaml(json!(text)), format!("{text}\n"));
        }
    }

    #[test]
    fn strings_that_a_reader_could_take_for_more_are_quoted() {
        let texts = [
            "",
            " ",
            "yes",
            "No",
            "ON",
            "off",
            "y",
            "N",
            "true",
            "null",
            "~",
            "1",
            "1e3",
            "0x1",
            "1:30",
            ".5",
            "2026-01-01",
            "a: b",
            "a #b",
            "- a",
            "a ",
            "[a]",
            "{a}",
            "!a",
            "&a",
            "*a",
            "|",
            ">",
            "%a",
            "@a",
            "`a`",
            "é",
            ".nan",
            "=",
            "<<",
            "?",
            ":",
            "---",
            "...",
        ];
        for text in texts {
            assert_eq!(yaml(json!(text)), format!("\"{text}\"\n"));
            assert_eq!(yaml(json!({ text: 1 })), format!("\"{text}\": 1\n"));
        }
    }

    #[test]
    fn quoted_text_is_escaped() {
        assert_eq!(yaml(json!("a\"b\\\n\t\u{1b}\u{85}")), "\"a\\\"b\\\\\\n\\t\\x1B\\x85\"\n");
        assert_eq!(yaml(json!("1\u{202e}\u{feff}😀\u{2028}")), "\"1\\u202E\\uFEFF😀\\u2028\"\n");
    }

    #[test]
    fn blocks_are_laid_out_as_kubectl_does() {
        #[derive(Serialize)]
        struct Report {
            kind: &'static str,
            items: Vec<serde_json::Value>,
            none: Option<u8>,
            empty: [u8; 0],
            map: serde_json::Value,
        }
        let report = Report {
            kind: "List",
            items: vec![json!({"a": 1, "b": [true, [2, 3]]}), json!("x"), json!({}), json!([])],
            none: None,
            empty: [],
            map: json!({"c": {"d": -1}}),
        };
        let text = "kind: List\nitems:\n- a: 1\n  b:\n  - true\n  - - 2\n    - 3\n- x\n- {}\n- []\nnone: null\n\
                    empty: []\nmap:\n  c:\n    d: -1\n";
        assert_eq!(write(&report).unwrap(), text);
    }

    #[test]
    fn floats_are_floats_to_every_reader() {
        assert_eq!(yaml(json!([1.0, 0.1, 1e300, 1.5e-9])), "- 1.0\n- 0.1\n- 1.0e+300\n- 1.5e-9\n");
        assert_eq!(write(&f64::NAN).unwrap(), "null\n");
    }

    #[test]
    fn our_own_reader_gets_the_same_value_back() {
        let value = json!({
            "yes": ["off", "1e3", 1e21, -0.5, null, {"x": {}, "y": []}], "": {"a\nb": [[["z"]]]}, "~": u64::MAX
        });
        let text = yaml(value.clone());
        assert_eq!(serde_yaml::from_str::<serde_json::Value>(&text).unwrap(), value, "{text}");
    }
}
