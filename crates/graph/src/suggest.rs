//! Suggestions for mistyped words.

/// The word with the smallest edit distance; empty without words.
///
/// ```
/// use gesf_graph::suggest::nearest;
///
/// assert_eq!(nearest("learing_rate", ["balance", "learning_rate"]), "learning_rate");
/// ```
pub fn nearest<W: AsRef<str> + Default>(text: &str, words: impl IntoIterator<Item = W>) -> W {
    let distance = |word: &W| strsim::damerau_levenshtein(text, word.as_ref());
    words.into_iter().min_by_key(distance).unwrap_or_default()
}
