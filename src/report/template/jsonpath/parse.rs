//! Reads a template.

use std::str::Chars;

use serde_json::Value;

use super::{Block, Comparison, Filter, PathStep, Slice, TemplateError};

/// Filters may hold filters, and ranges ranges; deeper ones nobody means.
const DEEPEST: usize = 16;

fn wrong<T>(why: impl Into<String>) -> Result<T, TemplateError> {
    Err(TemplateError(why.into()))
}

/// What an action does with those after it.
#[derive(PartialEq)]
enum Word {
    Range,
    End,
}

/// The blocks of a template.
pub fn template(text: &str) -> Result<Vec<Block>, TemplateError> {
    // What is open: the steps of each range, and the blocks around it.
    let mut open: Vec<(Vec<PathStep>, Vec<Block>)> = Vec::new();
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some(brace) = rest.find('{') {
        if brace > 0 {
            blocks.push(Block::Text(rest[..brace].to_owned()));
        }
        let mut reader = PathReader { rest: &rest[brace + 1..], depth: 0, word: None };
        let steps = reader.action()?;
        rest = reader.rest;
        match reader.word {
            None => blocks.push(Block::Action(steps)),
            Some(Word::Range) if open.len() == DEEPEST => return wrong("too many ranges within ranges"),
            Some(Word::Range) => open.push((steps, std::mem::take(&mut blocks))),
            Some(Word::End) => {
                let Some((steps, around)) = open.pop() else { return wrong("not in range, nothing to end") };
                let body = std::mem::replace(&mut blocks, around);
                blocks.push(Block::Range(steps, body));
            }
        }
    }
    if !rest.is_empty() {
        blocks.push(Block::Text(rest.to_owned()));
    }
    // A range that is not ended goes to the end of the template.
    while let Some((steps, around)) = open.pop() {
        let body = std::mem::replace(&mut blocks, around);
        blocks.push(Block::Range(steps, body));
    }
    Ok(blocks)
}

struct PathReader<'a> {
    rest: &'a str,
    depth: usize,
    word: Option<Word>,
}

impl<'a> PathReader<'a> {
    /// The steps of some text within an action.
    fn inside(&self, text: &str) -> Result<Vec<PathStep>, TemplateError> {
        if self.depth == DEEPEST {
            return wrong("too many filters within filters");
        }
        let text = format!("{text}}}");
        let mut reader = PathReader { rest: &text, depth: self.depth + 1, word: None };
        let steps = reader.action()?;
        match reader.word {
            None => Ok(steps),
            Some(_) => wrong("range and end stand alone in their braces"),
        }
    }

    /// The steps up to the closing brace.
    fn action(&mut self) -> Result<Vec<PathStep>, TemplateError> {
        let mut steps = Vec::new();
        loop {
            if self.skip("}") {
                return Ok(steps);
            }
            if self.skip("[?(") {
                steps.push(self.filter()?);
                continue;
            }
            if self.skip("..") {
                if steps.last() == Some(&PathStep::Descent) {
                    return wrong("invalid multiple recursive descent");
                }
                steps.push(PathStep::Descent);
                if self.rest.starts_with(is_word) {
                    steps.push(self.field());
                }
                continue;
            }
            let Some(c) = self.rest.chars().next() else { return wrong("unclosed action") };
            match c {
                '\n' | '\r' => return wrong("unclosed action"),
                ' ' | '@' | '$' => self.advance(c.len_utf8()),
                '[' => self.array(&mut steps)?,
                '"' | '\'' => steps.push(self.quoted(c)?),
                '.' => {
                    self.advance(1);
                    steps.push(self.field());
                }
                '+' | '-' | '0'..='9' => steps.push(self.number()?),
                c if is_word(c) => steps.extend(self.identifier()?),
                c => {
                    return wrong(format!("unrecognized character in action: U+{:04X} '{c}'", u32::from(c)));
                }
            }
        }
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn advance(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }

    /// A name up to what ends it; a backslash takes the next character as it is.
    fn field(&mut self) -> PathStep {
        let mut name = String::new();
        let mut chars = self.rest.char_indices();
        let mut end = self.rest.len();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => name.extend(chars.next().map(|(_, c)| c)),
                c if ends_word(c) => {
                    end = at;
                    break;
                }
                c => name.push(c),
            }
        }
        match self.take(end) {
            "*" => PathStep::Wildcard,
            _ => PathStep::Field(name),
        }
    }

    fn identifier(&mut self) -> Result<Option<PathStep>, TemplateError> {
        let end = self.rest.find(ends_word).unwrap_or(self.rest.len());
        match self.take(end) {
            "range" => self.word = Some(Word::Range),
            "end" => self.word = Some(Word::End),
            "true" => return Ok(Some(PathStep::Literal(true.into()))),
            "false" => return Ok(Some(PathStep::Literal(false.into()))),
            other => return wrong(format!("unrecognized identifier {other}")),
        }
        Ok(None)
    }

    fn number(&mut self) -> Result<PathStep, TemplateError> {
        let signed = usize::from(self.rest.starts_with(['+', '-']));
        let digits = |c: char| c != '.' && !c.is_ascii_digit();
        let end = self.rest[signed..].find(digits).map_or(self.rest.len(), |at| at + signed);
        let text = self.take(end);
        let whole = text.parse::<i64>().ok().map(Value::from);
        let number = whole.or_else(|| text.parse::<f64>().ok().map(Value::from));
        number.map(PathStep::Literal).ok_or_else(|| TemplateError(format!("cannot parse number {text}")))
    }

    fn quoted(&mut self, quote: char) -> Result<PathStep, TemplateError> {
        let mut escaped = false;
        let closing = self.rest.char_indices().skip(1).find_map(|(at, c)| match c {
            '\n' => Some(None),
            c if c == quote && !escaped => Some(Some(at)),
            c => {
                escaped = c == '\\' && !escaped;
                None
            }
        });
        let Some(Some(end)) = closing else { return wrong("unterminated quoted string") };
        let text = self.take(end + 1);
        match unquote(&text[1..end], quote) {
            Some(text) => Ok(PathStep::Literal(text.into())),
            None => wrong(format!("unquote string {text} error invalid syntax")),
        }
    }

    fn array(&mut self, steps: &mut Vec<PathStep>) -> Result<(), TemplateError> {
        let end = self.rest.find([']', '\n']).filter(|at| self.rest[*at..].starts_with(']'));
        let Some(end) = end else { return wrong("unterminated array") };
        let text = &self.take(end + 1)[1..end];
        if text.contains(',') {
            let parts = text.split(',').map(|part| self.inside(&format!("[{}]", part.trim_matches(' '))));
            steps.push(PathStep::Union(parts.collect::<Result<_, _>>()?));
            return Ok(());
        }
        let key = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        match key.filter(|key| !key.contains('\'')) {
            // As kubectl: a dot in it leads on.
            Some(key) => steps.extend(self.inside(&format!(".{key}"))?),
            None => steps.push(PathStep::Slice(slice(text)?)),
        }
        Ok(())
    }

    fn filter(&mut self) -> Result<PathStep, TemplateError> {
        let Some(end) = end_of_filter(self.rest) else { return wrong("unterminated filter") };
        let text = self.take(end);
        self.advance(1);
        if !self.skip("]") {
            return wrong("unclosed array expect ]");
        }
        let is_operator = |c: char| "!<>=".contains(c);
        let Some(from) = text.find(is_operator).filter(|at| *at > 0) else {
            return Ok(PathStep::Filter(Box::new(Filter::Exists(self.inside(text)?))));
        };
        let length = text[from..].find(|c| !is_operator(c));
        let Some(to) = length.map(|length| from + length) else {
            return wrong(format!("nothing to compare with in {text}"));
        };
        let (left, right) = (self.inside(&text[..from])?, self.inside(&text[to..])?);
        let operator = match &text[from..to] {
            "==" => Comparison::Equal,
            "!=" => Comparison::NotEqual,
            "<" => Comparison::Less,
            "<=" => Comparison::LessEqual,
            ">" => Comparison::Greater,
            ">=" => Comparison::GreaterEqual,
            other => return wrong(format!("unrecognized filter operator {other}")),
        };
        Ok(PathStep::Filter(Box::new(Filter::Compare(left, operator, right))))
    }
}

/// Where the parenthesis closes, one in quotes apart.
fn end_of_filter(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match (c, quote) {
            ('\n', _) => return None,
            (')', None) => return Some(at),
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open && !escaped => quote = None,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

fn slice(text: &str) -> Result<Slice, TemplateError> {
    let text = if text == "*" { ":" } else { text };
    let invalid = || TemplateError(format!("invalid array index {text}"));
    let parts: Vec<&str> = text.split(':').collect();
    let number = |part: &str| match part {
        "" => Ok(None),
        _ => {
            let digits = part.strip_prefix('-').unwrap_or(part);
            if !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(invalid());
            }
            part.parse().map(Some).map_err(|_| invalid())
        }
    };
    let (from, to, step) = match parts.as_slice() {
        [one] => {
            let from = number(one)?.unwrap_or(0);
            return Ok(Slice { from, to: Some(from.saturating_add(1)), single: true, step: 1 });
        }
        [from, to] => (number(from)?, number(to)?, None),
        [from, to, step] => (number(from)?, number(to)?, number(step)?),
        _ => return Err(invalid()),
    };
    Ok(Slice { from: from.unwrap_or(0), to, single: false, step: step.unwrap_or(1) })
}

/// The text within quotes, its escapes resolved.
fn unquote(text: &str, quote: char) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { escaped(&mut chars, quote)? } else { c });
    }
    Some(out)
}

fn escaped(chars: &mut Chars<'_>, quote: char) -> Option<char> {
    Some(match chars.next()? {
        'x' => code(chars, 2)?,
        'u' => code(chars, 4)?,
        'U' => code(chars, 8)?,
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'v' => '\x0b',
        '\\' => '\\',
        c if c == quote => c,
        _ => return None,
    })
}

/// A character by its number in hexadecimal digits.
fn code(chars: &mut Chars<'_>, digits: usize) -> Option<char> {
    let hex: String = chars.by_ref().take(digits).collect();
    if hex.len() != digits {
        return None;
    }
    char::from_u32(u32::from_str_radix(&hex, 16).ok()?)
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn ends_word(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}
