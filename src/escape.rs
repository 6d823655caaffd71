//! Escapes untrusted text for a terminal: characters that would move the cursor,
//! change the title, set the clipboard or reorder text are shown instead.

use std::borrow::Cow;

/// Whether a terminal would interpret a character instead of displaying it: control
/// characters except line breaks and tabs, and bidirectional formatting characters.
///
/// ```
/// use gesf_tui::escape::is_harmful;
///
/// assert!(is_harmful('\u{1b}') && is_harmful('\u{9b}') && is_harmful('\u{202e}'));
/// assert!(!is_harmful('\n') && !is_harmful('é') && !is_harmful('日'));
/// ```
pub fn is_harmful(letter: char) -> bool {
    matches!(
        letter,
        '\u{0}'..='\u{8}'
            | '\u{b}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// The text with every harmful character escaped.
///
/// ```
/// use gesf_tui::escape::harmless;
///
/// assert_eq!(harmless("a\u{1b}]0;title\u{7}"), r"a\u{1b}]0;title\u{7}");
/// assert_eq!(harmless("plain\ttext\n"), "plain\ttext\n");
/// ```
pub fn harmless(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_harmful(letter) {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// The same on a single line: line breaks and tabs become spaces.
///
/// ```
/// use gesf_tui::escape::harmless_line;
///
/// assert_eq!(harmless_line("two\nlines\u{9b}"), r"two lines\u{9b}");
/// ```
pub fn harmless_line(text: &str) -> Cow<'_, str> {
    match harmless(text) {
        shown if shown.contains(['\n', '\t']) => Cow::Owned(shown.replace(['\n', '\t'], " ")),
        shown => shown,
    }
}
