//! The tokens of a DOT file.

use std::borrow::Cow;

use super::super::super::error::quoted;
use super::super::super::{GraphError, Reading};

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'t> {
    /// An unquoted name or number.
    Bare(&'t str),
    /// Text in quotes or angle brackets.
    Quoted(Cow<'t, str>),
    /// `--` or `->`.
    Edge {
        /// Whether it is `->`.
        arrow: bool,
    },
    /// One of `{ } [ ] = ; , : +`.
    Sign(char),
    /// The end of the file.
    End,
}

impl Token<'_> {
    /// The token for a message.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Bare(word) => quoted(word),
            Self::Quoted(text) => format!("the string {}", quoted(text)),
            Self::Edge { arrow: true } => quoted("->"),
            Self::Edge { arrow: false } => quoted("--"),
            Self::Sign(sign) => quoted(&sign.to_string()),
            Self::End => "the end of the file".to_owned(),
        }
    }

    /// Whether it is that keyword, ignoring case.
    pub(super) fn is_word(&self, keyword: &str) -> bool {
        matches!(self, Self::Bare(word) if word.eq_ignore_ascii_case(keyword))
    }
}

/// The tokens in order, with the line each begins on.
pub(super) struct Lexer<'t> {
    rest: &'t str,
    line: u64,
    at_line_start: bool,
    ahead: Option<(u64, Token<'t>)>,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let rest = text.trim_start_matches('\u{feff}');
        Self { rest, line: 1, at_line_start: true, ahead: None }
    }

    /// The next token, without consuming it.
    pub(super) fn peek(&mut self, reading: &Reading) -> Result<&Token<'t>, GraphError> {
        let next = match self.ahead.take() {
            Some(next) => next,
            None => self.joined(reading)?,
        };
        Ok(&self.ahead.insert(next).1)
    }

    /// The next token.
    pub(super) fn next(&mut self, reading: &Reading) -> Result<(u64, Token<'t>), GraphError> {
        match self.ahead.take() {
            Some(next) => Ok(next),
            None => self.joined(reading),
        }
    }

    /// Consumes the next token if it is that sign.
    pub(super) fn take_sign(&mut self, sign: char, reading: &Reading) -> Result<bool, GraphError> {
        let taken = *self.peek(reading)? == Token::Sign(sign);
        if taken {
            self.ahead = None;
        }
        Ok(taken)
    }

    /// Quoted texts joined by `+` are one.
    fn joined(&mut self, reading: &Reading) -> Result<(u64, Token<'t>), GraphError> {
        let (line, token) = self.word(reading)?;
        let Token::Quoted(mut text) = token else { return Ok((line, token)) };
        loop {
            self.skip(reading)?;
            if !self.rest.starts_with('+') {
                return Ok((line, Token::Quoted(text)));
            }
            self.pass(1);
            let (line, part) = self.word(reading)?;
            let Token::Quoted(part) = part else {
                let advice = "put both sides of the + in double quotes";
                return Err(reading.broken(Some(line), part.shown(), "a quoted string", advice));
            };
            text.to_mut().push_str(&part);
        }
    }

    fn word(&mut self, reading: &Reading) -> Result<(u64, Token<'t>), GraphError> {
        self.skip(reading)?;
        let line = self.line;
        let Some(first) = self.rest.chars().next() else { return Ok((line, Token::End)) };
        let token = match first {
            '{' | '}' | '[' | ']' | '=' | ';' | ',' | ':' | '+' => {
                self.pass(1);
                Token::Sign(first)
            }
            '-' if self.rest.starts_with("--") || self.rest.starts_with("->") => {
                Token::Edge { arrow: self.pass(2) == "->" }
            }
            '"' => Token::Quoted(self.quoted(reading)?),
            '<' => Token::Quoted(Cow::Borrowed(self.html(reading)?)),
            _ => match bare_length(self.rest) {
                0 => {
                    let advice = "put names with other characters in double quotes";
                    let found = quoted(&first.to_string());
                    let expected = "a name, a number or a quoted string";
                    return Err(reading.broken(Some(line), found, expected, advice));
                }
                length => Token::Bare(self.pass(length)),
            },
        };
        Ok((line, token))
    }

    fn quoted(&mut self, reading: &Reading) -> Result<Cow<'t, str>, GraphError> {
        let line = self.line;
        self.pass(1);
        let mut text = Cow::Borrowed("");
        loop {
            let Some(at) = memchr::memchr2(b'"', b'\\', self.rest.as_bytes()) else {
                let advice = "add the closing quote, and escape quotes inside strings as \\\"";
                let found = "an unterminated string";
                return Err(reading.broken(Some(line), found, "a closing quote", advice));
            };
            let part = self.pass(at);
            if text.is_empty() {
                text = Cow::Borrowed(part);
            } else {
                text.to_mut().push_str(part);
            }
            if self.pass(1) == "\"" {
                return Ok(text);
            }
            let escapes = [("\"", "\""), ("\\", "\\"), ("n", "\n"), ("\r\n", ""), ("\n", "")];
            let known = escapes.iter().find(|(written, _)| self.rest.starts_with(written));
            let meant = known.map_or("\\", |(written, meant)| {
                self.pass(written.len());
                meant
            });
            text.to_mut().push_str(meant);
        }
    }

    /// The content of `<…>`, with balanced brackets.
    fn html(&mut self, reading: &Reading) -> Result<&'t str, GraphError> {
        let mut depth = 0_usize;
        for at in memchr::memchr2_iter(b'<', b'>', self.rest.as_bytes()) {
            let opens = self.rest.as_bytes().get(at) == Some(&b'<');
            depth = if opens { depth + 1 } else { depth.saturating_sub(1) };
            if depth == 0 {
                let whole = self.pass(at + 1);
                return Ok(&whole[1..at]);
            }
        }
        let advice = "close each < with a >, or put the string in double quotes";
        Err(reading.broken(Some(self.line), "a < without a matching >", "text in <…>", advice))
    }

    /// Skips whitespace, `//` and `/* */` comments, and lines that begin with `#`.
    fn skip(&mut self, reading: &Reading) -> Result<(), GraphError> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.pass(blank);
            if self.rest.starts_with("//") || self.at_line_start && self.rest.starts_with('#') {
                self.pass(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest.find("*/") else {
                    let (line, advice) = (Some(self.line), "close the comment with */");
                    return Err(reading.broken(line, "an unterminated comment", "*/", advice));
                };
                self.pass(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    fn pass(&mut self, bytes: usize) -> &'t str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += memchr::memchr_iter(b'\n', passed.as_bytes()).count() as u64;
        if let Some(last) = passed.trim_end_matches([' ', '\t', '\r']).as_bytes().last() {
            self.at_line_start = *last == b'\n';
        }
        self.rest = rest;
        passed
    }
}

/// The length of the leading name or number; 0 if there is none. Accepts more than
/// Graphviz: names may begin with digits, numbers may have exponents.
fn bare_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let numeric = digit(sign) || bytes.get(sign) == Some(&b'.') && digit(sign + 1);
    if sign == 1 && !numeric {
        return 0;
    }
    let mut at = sign;
    while let Some(&byte) = bytes.get(at) {
        let exponent = matches!(byte, b'-' | b'+')
            && numeric
            && matches!(bytes[at - 1], b'e' | b'E')
            && bytes[sign..at - 1].iter().all(|b| b.is_ascii_digit() || *b == b'.')
            && digit(at + 1);
        let letter = byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
        if !(letter || byte == b'.' && numeric || exponent) {
            break;
        }
        at += 1;
    }
    // Non-ASCII whitespace ends a name too.
    text[..at].find(char::is_whitespace).unwrap_or(at)
}
