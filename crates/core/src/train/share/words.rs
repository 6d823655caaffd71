//! Text as one word of a state line, safe between single quotes in a shell.

use std::fmt::Write as _;

/// Characters that separate words, have a meaning in the line, or end a quoted
/// text.
fn is_special(c: char) -> bool {
    c.is_whitespace() || c.is_control() || "%#@'\"\\`$!".contains(c)
}

/// Encodes every special character as hexadecimal bytes: `%20`.
pub(super) fn encoded(text: &str) -> String {
    let mut word = String::new();
    for c in text.chars() {
        if is_special(c) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(word, "%{byte:02X}");
            }
        } else {
            word.push(c);
        }
    }
    word
}

/// Decodes a word; invalid escapes stay as they are.
pub(super) fn decoded(word: &str) -> String {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let byte = (first == b'%').then(|| hexadecimal(after)).flatten();
        bytes.push(byte.unwrap_or(first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hexadecimal(text: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(text.get(..2)?).ok()?;
    u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_becomes_one_word_and_round_trips() {
        for text in ["my graph #1 @home", "it's 100 %", "a\tb\nc", "é\u{2028}ü", "%41", "\"$x`\\!"]
        {
            let word = encoded(text);
            assert_eq!(word.split_whitespace().count(), 1, "{word}");
            assert!(!word.contains('\''), "{word}");
            assert_eq!(decoded(&word), text);
        }
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%+1%zz"), "%+1%zz");
    }
}
