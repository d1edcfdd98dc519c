//! Reads a label selector as `kubectl -l` takes it.

use crate::objects::{Operator, Requirement, Selector};

/// Reads `a=b`, `a==b`, `a!=b`, `a in (x,y)`, `a notin (x)`, `a` and `!a`, separated by commas. An empty
/// text selects everything.
pub fn parse(text: &str) -> Result<Selector, String> {
    let mut tokens = Tokens(text);
    let mut requirements = Vec::new();
    if tokens.peek() == Token::End {
        return Ok(Selector::All(requirements));
    }
    loop {
        requirements.push(requirement(&mut tokens)?);
        match tokens.next() {
            Token::End => return Ok(Selector::All(requirements)),
            Token::Comma => {}
            other => return Err(format!("found {other}, expected a comma or the end")),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Comma,
    Open,
    Close,
    Not,
    Equals,
    NotEquals,
    Compare(&'a str),
    End,
}

impl std::fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(text) | Token::Compare(text) => write!(f, "'{text}'"),
            Token::Comma => f.write_str("','"),
            Token::Open => f.write_str("'('"),
            Token::Close => f.write_str("')'"),
            Token::Not => f.write_str("'!'"),
            Token::Equals => f.write_str("'='"),
            Token::NotEquals => f.write_str("'!='"),
            Token::End => f.write_str("the end"),
        }
    }
}

/// What is left of the text.
#[derive(Clone, Copy)]
struct Tokens<'a>(&'a str);

impl<'a> Tokens<'a> {
    fn peek(&self) -> Token<'a> {
        let mut ahead = *self;
        ahead.next()
    }

    fn next(&mut self) -> Token<'a> {
        const SIGNS: [(&str, Token<'static>); 9] = [
            ("==", Token::Equals),
            ("=", Token::Equals),
            ("!=", Token::NotEquals),
            ("!", Token::Not),
            (",", Token::Comma),
            ("(", Token::Open),
            (")", Token::Close),
            ("<", Token::Compare("<")),
            (">", Token::Compare(">")),
        ];
        let text = self.0.trim_start();
        for (sign, token) in SIGNS {
            if let Some(rest) = text.strip_prefix(sign) {
                self.0 = rest;
                return token;
            }
        }
        let end = text.find(|c: char| c.is_whitespace() || "=!,()<>".contains(c)).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        if word.is_empty() { Token::End } else { Token::Word(word) }
    }
}

fn requirement(tokens: &mut Tokens<'_>) -> Result<Requirement, String> {
    match tokens.next() {
        Token::Not => {
            let Token::Word(key) = tokens.next() else { return Err("expected a label key after '!'".into()) };
            made(key, Operator::DoesNotExist, Vec::new())
        }
        Token::Word(key) => {
            let (operator, values) = condition(tokens)?;
            made(key, operator, values)
        }
        other => Err(format!("found {other}, expected a label key or '!'")),
    }
}

/// What follows a key.
fn condition(tokens: &mut Tokens<'_>) -> Result<(Operator, Vec<String>), String> {
    let operator = tokens.peek();
    if matches!(operator, Token::Comma | Token::End) {
        return Ok((Operator::Exists, Vec::new()));
    }
    tokens.next();
    match operator {
        Token::Equals => Ok((Operator::In, vec![value(tokens)])),
        Token::NotEquals => Ok((Operator::NotIn, vec![value(tokens)])),
        Token::Word("in") => Ok((Operator::In, set(tokens)?)),
        Token::Word("notin") => Ok((Operator::NotIn, set(tokens)?)),
        Token::Compare(sign) => Err(format!("'{sign}' compares numbers, which is not supported here")),
        other => Err(format!("found {other}, expected one of =, ==, !=, in, notin")),
    }
}

/// A value, which may be empty.
fn value(tokens: &mut Tokens<'_>) -> String {
    let Token::Word(word) = tokens.peek() else { return String::new() };
    tokens.next();
    word.to_owned()
}

/// `(x,y)`.
fn set(tokens: &mut Tokens<'_>) -> Result<Vec<String>, String> {
    if tokens.next() != Token::Open {
        return Err("expected '(' after in or notin".into());
    }
    if tokens.peek() == Token::Close {
        return Err("the values of in and notin cannot be empty".into());
    }
    let mut values = Vec::new();
    loop {
        values.push(value(tokens));
        match tokens.next() {
            Token::Comma => {}
            Token::Close => return Ok(values),
            other => return Err(format!("found {other}, expected ',' or ')'")),
        }
    }
}

fn made(key: &str, operator: Operator, values: Vec<String>) -> Result<Requirement, String> {
    if !is_key(key) {
        return Err(format!("'{key}' is not a label key"));
    }
    if let Some(wrong) = values.iter().find(|value| !value.is_empty() && !is_name(value)) {
        return Err(format!("'{wrong}' is not a label value"));
    }
    Ok(Requirement { key: key.to_owned(), operator, values })
}

/// A qualified name: an optional DNS prefix and a name.
fn is_key(key: &str) -> bool {
    match key.split_once('/') {
        Some((prefix, name)) => is_dns(prefix) && is_name(name),
        None => is_name(key),
    }
}

fn is_name(text: &str) -> bool {
    let inner = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
    text.len() <= 63 && edges_are(text, |b| b.is_ascii_alphanumeric()) && text.bytes().all(inner)
}

fn is_dns(text: &str) -> bool {
    let alphanumeric = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let label =
        |part: &str| edges_are(part, alphanumeric) && part.bytes().all(|b| alphanumeric(b) || b == b'-');
    text.len() <= 253 && text.split('.').all(label)
}

fn edges_are(text: &str, fits: impl Fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|b| fits(*b)) && bytes.last().is_some_and(|b| fits(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> (String, Operator, Vec<String>) {
        let Selector::All(mut found) = parse(text).unwrap() else { panic!("{text}") };
        assert_eq!(found.len(), 1, "{text}");
        let r = found.remove(0);
        (r.key, r.operator, r.values)
    }

    #[test]
    fn each_operator_is_read() {
        let cases: [(&str, Operator, &[&str]); 12] = [
            ("a=b", Operator::In, &["b"]),
            ("a==b", Operator::In, &["b"]),
            (" a = b ", Operator::In, &["b"]),
            ("a=", Operator::In, &[""]),
            ("a=in", Operator::In, &["in"]),
            ("a!=b", Operator::NotIn, &["b"]),
            ("a in (x,y)", Operator::In, &["x", "y"]),
            ("a in( x , y )", Operator::In, &["x", "y"]),
            ("a in (x,)", Operator::In, &["x", ""]),
            ("a notin (x)", Operator::NotIn, &["x"]),
            ("a", Operator::Exists, &[]),
            ("!a", Operator::DoesNotExist, &[]),
        ];
        for (text, operator, values) in cases {
            let values = values.iter().map(|v| (*v).to_owned()).collect();
            assert_eq!(one(text), ("a".to_owned(), operator, values), "{text}");
        }
        assert_eq!(one("app.kubernetes.io/name=web").0, "app.kubernetes.io/name");
        assert_eq!(one("in in (a)").0, "in");
    }

    #[test]
    fn requirements_are_joined_by_commas() {
        let selector = parse("a=b, c notin (x,y),!d,e").unwrap();
        assert_eq!(selector.to_string(), "a=b,c notin (x,y),!d,e");
        assert!(parse(" ").unwrap().is_empty());
    }

    #[test]
    fn wrong_selectors_are_refused() {
        let wrong = [
            ",",
            "a,",
            "a=b,,c",
            "=b",
            "a in",
            "a in x",
            "a in (x",
            "a in ()",
            "a b",
            "a>1",
            "a<1",
            "!",
            "!!a",
            "a=b c",
            "a===b",
            "-a",
            "a/b/c",
            "A_/x=1",
            "a=b-",
            "a=é",
            "(a)",
            "a in (x y)",
        ];
        for text in wrong {
            assert!(parse(text).is_err(), "{text:?}: {:?}", parse(text));
        }
    }
}
