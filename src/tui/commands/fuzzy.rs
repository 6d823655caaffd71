//! Fuzzy matching.

use std::cell::RefCell;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

thread_local! {
    /// A matcher has large tables, so it is created once.
    static MATCHER: RefCell<Matcher> = RefCell::new(Matcher::new(Config::DEFAULT));
}

/// How well a text matches a query, higher is better; `None` if the query is not a
/// subsequence of the text.
pub(crate) fn score(query: &str, text: &str) -> Option<u32> {
    let letters: String = query.split_whitespace().collect();
    let pattern = Pattern::new(
        &letters,
        CaseMatching::Ignore,
        Normalization::Smart,
        nucleo_matcher::pattern::AtomKind::Fuzzy,
    );
    let mut buffer = Vec::new();
    let text = Utf32Str::new(text, &mut buffer);
    MATCHER.with_borrow_mut(|matcher| pattern.score(text, matcher))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_starts_and_consecutive_letters_score_higher() {
        let best = |query: &str, texts: &[&'static str]| {
            texts.iter().copied().max_by_key(|text| score(query, text)).unwrap()
        };
        assert_eq!(best("ns", &["unused", "next-screen", "pan-left-side"]), "next-screen");
        assert_eq!(best("zoom", &["zigzag of other memory", "zoom-in"]), "zoom-in");
        assert_eq!(score("xyz", "zyx"), None);
        assert!(score("", "anything").is_some());
    }
}
