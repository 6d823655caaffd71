//! Output streams for commands. Names, labels, titles and paths come from untrusted
//! files, so only text and the program's styles reach a terminal.

use std::io::{self, IsTerminal, Write};

use super::paint::STYLES;
use crate::escape::harmless;

/// A stream that escapes control sequences instead of passing them on.
pub(super) struct Harmless<W> {
    inner: W,
    /// The start of a UTF-8 character whose remaining bytes have not arrived.
    begun: Vec<u8>,
    /// The styles that pass unescaped.
    styles: Vec<String>,
}

/// Standard output for text: styles where supported, and no other escape sequence.
pub(super) fn stdout() -> Harmless<anstream::AutoStream<io::StdoutLock<'static>>> {
    Harmless::passing(anstream::stdout().lock(), own_styles())
}

fn own_styles() -> Vec<String> {
    let styles = STYLES.iter().map(|style| style.render().to_string());
    styles.chain([anstyle::Reset.render().to_string()]).collect()
}

/// Standard output for machine-readable formats: byte for byte, unless it is a
/// terminal.
pub(super) fn data() -> Box<dyn Write> {
    let out = io::stdout().lock();
    if out.is_terminal() { Box::new(Harmless::new(out)) } else { Box::new(out) }
}

impl<W: Write> Harmless<W> {
    /// A stream that passes no escape sequence.
    pub(super) fn new(inner: W) -> Self {
        Self::passing(inner, Vec::new())
    }

    fn passing(inner: W, styles: Vec<String>) -> Self {
        Self { inner, begun: Vec::new(), styles }
    }

    fn text(&mut self, mut text: &str) -> io::Result<()> {
        while !text.is_empty() {
            // One style may be a prefix of another.
            let begun = self.styles.iter().filter(|style| text.starts_with(style.as_str()));
            let own = begun.max_by_key(|style| style.len());
            let end = match own {
                Some(style) => style.len(),
                // The next sequence may be an allowed style.
                None => {
                    text.bytes().skip(1).position(|b| b == 0x1b).map_or(text.len(), |at| at + 1)
                }
            };
            let (now, rest) = text.split_at(end);
            match own {
                Some(_) => self.inner.write_all(now.as_bytes())?,
                None => self.inner.write_all(harmless(now).as_bytes())?,
            }
            text = rest;
        }
        Ok(())
    }
}

impl<W: Write> Write for Harmless<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut whole = std::mem::take(&mut self.begun);
        whole.extend_from_slice(bytes);
        let mut rest = whole.as_slice();
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.text(text)?;
                    return Ok(bytes.len());
                }
                Err(error) => {
                    let (good, bad) = rest.split_at(error.valid_up_to());
                    self.text(&String::from_utf8_lossy(good))?;
                    let Some(length) = error.error_len() else {
                        bad.clone_into(&mut self.begun);
                        return Ok(bytes.len());
                    };
                    self.text("\u{fffd}")?;
                    rest = &bad[length..];
                }
            }
        }
    }

    /// Writes a whole line at once: a style must not be split.
    fn write_fmt(&mut self, line: std::fmt::Arguments<'_>) -> io::Result<()> {
        self.write_all(line.to_string().as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::super::paint::{TITLE, styled};
    use super::*;

    fn shown(write: impl FnOnce(&mut dyn Write)) -> String {
        let mut out = Harmless::passing(Vec::new(), own_styles());
        write(&mut out);
        String::from_utf8(out.inner).unwrap()
    }

    #[test]
    fn only_the_styles_of_the_program_reach_a_terminal() {
        let name = "x\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J\u{9b}31m\u{202e}";
        let text = shown(|out| writeln!(out, "{} and {name}", styled(TITLE, name)).unwrap());
        let safe = r"x\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}[2J\u{9b}31m\u{202e}";
        assert_eq!(text, format!("\u{1b}[1m{safe}\u{1b}[0m and {safe}\n"));
    }

    #[test]
    fn every_style_of_the_program_passes_unchanged() {
        for style in STYLES {
            let text = styled(style, "é");
            assert_eq!(shown(|out| write!(out, "{text}").unwrap()), text);
        }
    }

    #[test]
    fn a_character_may_arrive_in_two_pieces_and_invalid_bytes_are_marked() {
        let text = shown(|out| {
            for bytes in [&b"a\xe6\x97"[..], b"\xa5b\x9b", b"c\x1b", b"[1md"] {
                out.write_all(bytes).unwrap();
            }
        });
        assert_eq!(text, "a日b\u{fffd}c\\u{1b}[1md");
    }
}
