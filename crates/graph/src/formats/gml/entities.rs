//! The character references in GML texts: `&quot;`, `&#233;`, `&eacute;`.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The characters of ISO 8859-1 from 160 on, by name.
const LATIN: [&str; 96] = [
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf",
    "laquo", "not", "shy", "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro",
    "para", "middot", "cedil", "sup1", "ordm", "raquo", "frac14", "frac12", "frac34", "iquest",
    "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute",
    "Ecirc", "Euml", "Igrave", "Iacute", "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute",
    "Ocirc", "Otilde", "Ouml", "times", "Oslash", "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute",
    "THORN", "szlig", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil",
    "egrave", "eacute", "ecirc", "euml", "igrave", "iacute", "icirc", "iuml", "eth", "ntilde",
    "ograve", "oacute", "ocirc", "otilde", "ouml", "divide", "oslash", "ugrave", "uacute", "ucirc",
    "uuml", "yacute", "thorn", "yuml",
];

/// Maximum length of a reference, from `&` to `;`.
const LONGEST: usize = 12;

/// Resolves the references in a text. Anything else stays as it is: not every tool
/// escapes `&`.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut resolved = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        resolved.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(LONGEST).position(|b| b == b';');
        if let Some((end, letter)) = end.and_then(|end| Some((end, letter(&rest[1..end])?))) {
            resolved.push(letter);
            rest = &rest[end + 1..];
        } else {
            resolved.push('&');
            rest = &rest[1..];
        }
    }
    resolved.push_str(rest);
    Cow::Owned(resolved)
}

fn letter(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        return code.ok().and_then(char::from_u32);
    }
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let at = LATIN.iter().position(|known| *known == name)?;
            char::from_u32(160 + at as u32)
        }
    }
}

/// The text in the characters allowed in GML files: printable ASCII.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    let plain = |c: char| matches!(c, ' '..='~') && c != '&' && c != '"';
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if plain(letter) {
            escaped.push(letter);
        } else {
            // Writing to a String cannot fail.
            let _ = write!(escaped, "&#{};", u32::from(letter));
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_every_kind_are_resolved_and_other_text_is_unchanged() {
        for (text, meant) in [
            ("&quot;a&quot; &amp; b", "\"a\" & b"),
            ("caf&#233; &#xe9; &eacute; &yuml;&nbsp;", "café é é ÿ\u{a0}"),
            ("AT&T; R&D &unknown; &", "AT&T; R&D &unknown; &"),
            ("&#1114112; &#xD800; &#;", "&#1114112; &#xD800; &#;"),
            ("&é;", "&é;"),
        ] {
            assert_eq!(unescape(text), meant);
        }
    }

    #[test]
    fn escaped_text_round_trips() {
        let text = "a\"b\"&amp;\n\u{1}é😀";
        assert!(escape(text).is_ascii());
        assert_eq!(unescape(&escape(text)), text);
    }
}
