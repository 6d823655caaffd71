//! Finding what was meant by a few letters of it.

/// How well a text answers a query, higher is better; `None` if not all letters
/// of the query are in it, in order. Runs of letters and starts of words count.
pub(crate) fn score(query: &str, text: &str) -> Option<i32> {
    let text: Vec<char> = text.to_lowercase().chars().collect();
    let mut total = 0;
    let mut from = 0;
    let mut run = 0;
    for letter in query.to_lowercase().chars().filter(|letter| !letter.is_whitespace()) {
        let found = text[from..].iter().position(|own| *own == letter)? + from;
        run = if found == from && from > 0 { run + 1 } else { 0 };
        let starts = found == 0 || !text[found - 1].is_alphanumeric();
        total += 1 + 3 * run + if starts { 6 } else { 0 } - (found - from).min(8) as i32;
        from = found + 1;
    }
    Some(total - (text.len() / 16) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_of_words_and_runs_win() {
        let best = |query: &str, texts: &[&'static str]| {
            texts.iter().copied().max_by_key(|text| score(query, text)).unwrap()
        };
        assert_eq!(best("ns", &["unused", "next-screen", "pan-left-side"]), "next-screen");
        assert_eq!(best("zoom", &["zigzag of other memory", "zoom-in"]), "zoom-in");
        assert_eq!(score("xyz", "zyx"), None);
        assert!(score("", "anything").is_some());
    }
}
