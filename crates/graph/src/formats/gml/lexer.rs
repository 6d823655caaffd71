//! The tokens of a GML file.

use std::borrow::Cow;

use super::super::super::error::quoted;
use super::super::super::{GraphError, Reading};
use super::entities::unescape;

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'t> {
    /// Anything unquoted: a key, a number, `NAN`.
    Bare(&'t str),
    /// Text in quotes.
    Text(Cow<'t, str>),
    /// `[`
    Open,
    /// `]`
    Close,
    /// The end of the file.
    End,
}

impl Token<'_> {
    /// The token for a message.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Bare(word) => quoted(word),
            Self::Text(text) => format!("the string {}", quoted(text)),
            Self::Open => quoted("["),
            Self::Close => quoted("]"),
            Self::End => "the end of the file".to_owned(),
        }
    }
}

/// The tokens in order, with the line each begins on.
pub(super) struct Lexer<'t> {
    rest: &'t str,
    line: u64,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text.trim_start_matches('\u{feff}'), line: 1 }
    }

    pub(super) fn next(&mut self, reading: &Reading) -> Result<(u64, Token<'t>), GraphError> {
        self.skip_blanks_and_comments();
        let line = self.line;
        let Some(first) = self.rest.chars().next() else { return Ok((line, Token::End)) };
        let token = match first {
            '[' => {
                self.pass(1);
                Token::Open
            }
            ']' => {
                self.pass(1);
                Token::Close
            }
            '"' => {
                self.pass(1);
                let Some(end) = self.rest.find('"') else {
                    let advice =
                        "add the closing quote, and escape quotes inside strings as &quot;";
                    let found = "an unterminated string";
                    return Err(reading.broken(Some(line), found, "a closing quote", advice));
                };
                let text = self.pass(end);
                self.pass(1);
                Token::Text(unescape(text))
            }
            _ => {
                let end = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"');
                Token::Bare(self.pass(self.rest.find(end).unwrap_or(self.rest.len())))
            }
        };
        Ok((line, token))
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.pass(blank);
            if !self.rest.starts_with('#') {
                return;
            }
            self.pass(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
    }

    fn pass(&mut self, bytes: usize) -> &'t str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += memchr::memchr_iter(b'\n', passed.as_bytes()).count() as u64;
        self.rest = rest;
        passed
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::super::OnBadRow;
    use super::*;

    #[test]
    fn tokens_have_their_lines_and_comments_are_skipped() {
        let reading = Reading::new("x", OnBadRow::Fail);
        let mut lexer = Lexer::new("# by hand\ngraph[a -1.E-05 # why\n b \"x\ny &amp;\"]");
        let mut words = Vec::new();
        loop {
            let (line, token) = lexer.next(&reading).unwrap();
            if token == Token::End {
                break;
            }
            words.push((line, token.shown()));
        }
        let words: Vec<(u64, &str)> = words.iter().map(|(l, w)| (*l, w.as_str())).collect();
        let expected = [
            (2, "`graph`"),
            (2, "`[`"),
            (2, "`a`"),
            (2, "`-1.E-05`"),
            (3, "`b`"),
            (3, "the string `x\\ny &`"),
            (4, "`]`"),
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn an_unterminated_text_is_an_error_at_its_beginning() {
        let reading = Reading::new("x", OnBadRow::Fail);
        let error = Lexer::new("\n\"abc\n").next(&reading).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
